"""What it means that two answers are the same: exactly, within ulps, or as re-associated sums."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import numpy as np

from .copying import leaves

ULPS_OF_MATH = 4
REDUCTION_CONSTANT = 4.0
_WEAK = {bool: np.bool_, int: np.int64, float: np.float64, complex: np.complex128}


def check_structure(expected: Any, got: Any, where: str) -> None:
    """Tuples in the same places, the same number of leaves."""
    assert isinstance(expected, tuple) == isinstance(got, tuple), f"{where}: {got!r} instead of {expected!r}"
    if isinstance(expected, tuple):
        assert len(expected) == len(got), f"{where}: {len(got)} values instead of {len(expected)}"
        for place, (left, right) in enumerate(zip(expected, got)):
            check_structure(left, right, f"{where}[{place}]")


def check_same_type(expected: Any, got: Any, where: str) -> None:
    """Arrays of one dtype and shape; scalars of one dtype, where Python's own stand for NumPy's of 64 bits.

    CPython gives a Python number instead of a NumPy one where a loop never ran; then only the kind must be right.
    """
    if isinstance(expected, np.ndarray):
        assert isinstance(got, np.ndarray), f"{where}: {type(got).__name__} instead of an array"
        assert (got.dtype, got.shape) == (expected.dtype, expected.shape), f"{where}: {got.dtype}{got.shape}"
        return
    left, right = np.asarray(expected).dtype, np.asarray(got).dtype
    if isinstance(expected, np.generic):
        assert left == right, f"{where}: {got!r} is {right}, not {left}"
    else:
        assert left.kind == right.kind, f"{where}: {got!r} instead of {expected!r}"


def check_exact(expected: Any, got: Any, where: str) -> None:
    """Bit for bit, but for the payload and sign of a NaN."""
    left, right = np.asarray(expected), np.asarray(got)
    if left.dtype.names is not None:
        for name in left.dtype.names:
            check_exact(left[name], right[name], f"{where}[{name!r}]")
        return
    differ = ~_same_bits(left, right)
    if differ.any():
        raise AssertionError(_difference(left, right, differ, where))


def is_same(expected: Any, got: Any) -> bool:
    """Whether `check_exact` passes."""
    try:
        check_exact(expected, got, "value")
    except AssertionError:
        return False
    return True


def check_ulps(expected: Any, got: Any, where: str, ulps: float) -> None:
    """Within so many units in the last place of the expected magnitude."""
    left, right = np.asarray(expected), np.asarray(got)
    if left.dtype.kind not in "fc":
        return check_exact(expected, got, where)
    allowed = ulps * np.finfo(left.dtype).eps * np.abs(left.astype(_wide(left.dtype)))
    _check_within(left, left, right, allowed, where)


def check_reassociated(expected: Any, got: Any, where: str, wide: Any, magnitude: Any, length: int) -> None:
    """Within ``max(CPython's own error, c log2(n) eps sum|x|)`` of the answer in wider arithmetic."""
    left, right = np.asarray(expected), np.asarray(got)
    if left.dtype.kind not in "fc":
        return check_exact(expected, got, where)
    reference = np.asarray(wide).astype(_wide(left.dtype))
    scale = np.maximum(np.abs(reference), np.abs(np.asarray(magnitude)).astype(np.longdouble))
    factor = REDUCTION_CONSTANT * math.log2(length + 2) * np.finfo(left.dtype).eps
    with np.errstate(all="ignore"):
        allowed = np.maximum(np.abs(left - reference), factor * scale)
    _check_within(left, reference, right, allowed, where)


def flat(results: Sequence[Any]) -> list[Any]:
    """The leaves of results, None left out."""
    return [leaf for leaf in leaves(tuple(results)) if leaf is not None]


def _wide(dtype: np.dtype[Any]) -> type:
    return np.clongdouble if dtype.kind == "c" else np.longdouble


def _same_bits(left: np.ndarray, right: np.ndarray) -> np.ndarray:
    if left.dtype.kind == "c":
        return _same_bits(left.real, right.real) & _same_bits(left.imag, right.imag)
    if left.dtype.kind == "f":
        return ((left == right) & (np.signbit(left) == np.signbit(right))) | (np.isnan(left) & np.isnan(right))
    return np.asarray(left == right)


def _check_within(
    expected: np.ndarray, reference: np.ndarray, got: np.ndarray, allowed: np.ndarray, where: str
) -> None:
    with np.errstate(all="ignore"):
        near = np.abs(got - reference) <= allowed
    differ = ~(near | _same_bits(expected, got))
    if differ.any():
        raise AssertionError(_difference(expected, got, differ, where))


def _difference(expected: np.ndarray, got: np.ndarray, differ: np.ndarray, where: str) -> str:
    place = tuple(int(index) for index in np.argwhere(differ)[0])
    many = f"{int(differ.sum())} of {differ.size} differ, the first at {place}: " if place else ""
    return f"{where}: {many}{got[place]!r} instead of {expected[place]!r}"
