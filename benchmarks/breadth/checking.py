"""Whether an answer is right."""

from __future__ import annotations

import copy
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from benchmarks.breadth.program import Answer, Arguments

TOLERANCES = {
    Answer.EXACT: {"float32": 1e-5, "float64": 1e-13},
    Answer.SUMS: {"float32": 1e-4, "float64": 1e-12},
    Answer.MATH: {"float32": 2e-3, "float64": 1e-10},
}
"""Largest difference from another order of operations, relative to the largest number of the answer."""


def run(function: Callable[..., Any], arguments: Arguments) -> tuple[Any, Arguments]:
    """Call a function on copies of its arguments; give what it returned and the arguments afterwards."""
    mine = copy.deepcopy(arguments)
    with np.errstate(all="ignore"):
        returned = function(*mine)
    return returned, mine


def everything(function: Callable[..., Any], arguments: Arguments) -> tuple[Any, ...]:
    """Give all that a call returns and leaves behind."""
    returned, mine = run(function, arguments)
    return (*(returned if isinstance(returned, tuple) else (returned,)), *mine)


def check_exact(expected: Sequence[Any], got: Sequence[Any]) -> None:
    """Raise AssertionError unless both are the same bits of the same types; any NaN is like any other."""
    assert len(expected) == len(got)
    for left, right in zip(expected, got):
        if left is None or right is None:
            assert left is right
            continue
        left, right = np.asarray(left), np.asarray(right)
        assert left.dtype == right.dtype, f"{right.dtype} instead of {left.dtype}"
        np.testing.assert_array_equal(right, left)
        np.testing.assert_array_equal(np.signbit(right) if right.dtype.kind == "f" else right,
                                      np.signbit(left) if left.dtype.kind == "f" else left)  # fmt: skip


def check_near(expected: Sequence[Any], got: Sequence[Any], tolerance: float) -> None:
    """Raise AssertionError unless floats are within the tolerance and everything else is the same."""
    assert len(expected) == len(got), f"{len(got)} results instead of {len(expected)}"
    for left, right in zip(expected, got):
        if left is None or right is None:
            assert left is right
            continue
        left, right = np.asarray(left), np.asarray(right)
        if left.dtype.kind != "f" and right.dtype.kind != "f":
            np.testing.assert_array_equal(right, left)
            continue
        scale = float(np.max(np.abs(left[np.isfinite(left)]), initial=0.0))
        np.testing.assert_allclose(right, left, rtol=tolerance, atol=tolerance * scale)


def tolerance(answer: Answer, dtype: str) -> float:
    """Give the largest relative difference that counts as the same answer."""
    return TOLERANCES[answer][dtype]
