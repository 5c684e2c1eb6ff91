"""Functions and operators at the edges of what they take: bounds outside of a type, NaN in complex numbers."""

from __future__ import annotations

import itertools
import math
from typing import Any

import numpy as np
import pytest

import weft
from tests.hunt.operators import compiled
from tests.semantics.tools import same, same_error

NAN, INF = math.nan, math.inf
PARTS = (0.0, -0.0, 1.5, -2.0, INF, NAN)
COMPLEX = [complex(a, b) for a, b in itertools.product(PARTS, PARTS)]
NUMPY = [
    np.dtype(t).type
    for t in ("bool", "int8", "int32", "uint64", "float16", "float32", "float64", "complex64", "complex128")
]


@pytest.mark.parametrize("function", ("x < y", "x >= y", "np.less(x, y)", "np.greater_equal(x, y)"))
@pytest.mark.parametrize("other", (*NUMPY, complex, float, int))
@pytest.mark.parametrize("kind", (np.complex64, np.complex128, complex))
def test_complex_numbers_are_ordered_as_numpy_orders_them(kind: Any, other: Any, function: str) -> None:
    if kind is complex and other in (complex, float, int) and "np" not in function:
        pytest.skip("Python does not order complex numbers")
    jitted = weft.jit(compiled(f"def f(x, y):\n    return {function}\n"), device="interpreter")
    ordered = compiled(f"def f(x, y):\n    return {function}\n")
    others = COMPLEX if np.dtype(other).kind == "c" else [0, 1]
    with np.errstate(all="ignore"):
        for a, b in itertools.product(COMPLEX[::2], others[::3]):
            for x, y in ((kind(a), other(b)), (other(b), kind(a))):
                assert bool(jitted(x, y)) == bool(ordered(x, y)), (x, y)


def compared(x, y, out):
    for i in range(x.shape[0]):
        out[i, 0] = x[i] < y[i]
        out[i, 1] = np.less(x[i], y[i])
        out[i, 2] = x[i] >= y[i]
        out[i, 3] = np.less_equal(x[i], y[i])


def extremes(x, y, out):
    for i in range(x.shape[0]):
        out[i, 0] = min(x[i], y[i])
        out[i, 1] = max(x[i], y[i])
        out[i, 2] = x[i] if x[i] < y[i] else y[i]
        out[i, 3] = np.maximum(x[i], y[i])
        out[i, 4] = np.clip(x[i], y[i], 1.5)


@pytest.mark.parametrize("device", ("cpu", "interpreter", pytest.param("opencl", marks=pytest.mark.opencl)))
@pytest.mark.parametrize("dtype", ("complex64", "complex128"))
def test_complex_arrays_are_ordered_so_too(dtype: str, device: str) -> None:
    pairs = list(itertools.product(COMPLEX, COMPLEX))
    x, y = (np.array(column, dtype) for column in zip(*pairs, strict=True))
    same(compared, x, y, np.zeros((len(x), 4), bool), device=device)
    same(extremes, x, y, np.zeros((len(x), 5), dtype), device=device)


def clipped(x, low, high):
    return np.clip(x, low, high)


@pytest.mark.parametrize("kind", (np.int8, np.uint8, np.int64, np.uint64, int))
@pytest.mark.parametrize("low", (-300, -1, 0, 3, -(2**63)))
@pytest.mark.parametrize("high", (5, 255, 300, 2**63 - 1))
def test_integers_outside_of_a_type_bound_nothing(kind: Any, low: int, high: int) -> None:
    same(clipped, kind(7), low, high, device="interpreter")
    text = f"def f(x):\n    return np.clip(x, {low}, {high})\n"
    same(compiled(text), kind(7), device="interpreter")


@pytest.mark.parametrize(("low", "high"), ((300, 300), (-5, -1)))
def test_a_bound_that_nothing_could_meet_raises(low: int, high: int) -> None:
    same_error(clipped, np.uint8(7), low, high, device="interpreter")


@pytest.mark.parametrize("kind", (np.float16, np.float32, np.float64, float, np.bool_))
def test_clip_keeps_the_number_of_equal_ones_and_hands_nan_on(kind: Any) -> None:
    for x, low, high in itertools.product((0.0, -0.0, NAN, 1.0), repeat=3):
        same(clipped, kind(x), kind(low), kind(high), device="interpreter")


LIMITS = (-(2**63), -(2**63) + 1, -7, 0, 5, 2**63 - 1)


def is_inside(x, start, stop, step):
    return x in range(start, stop, step), x not in range(start, stop, step)


@pytest.mark.parametrize("step", (1, -1, 3, -(2**63), 2**63 - 1))
def test_a_range_may_be_as_long_as_all_integers(step: int) -> None:
    jitted = weft.jit(is_inside, device="interpreter")
    for x, start, stop in itertools.product(LIMITS, LIMITS, LIMITS):
        assert jitted(x, start, stop, step) == is_inside(x, start, stop, step)
    same(compiled("def f(x):\n    return x in range(-2**63, 2**63 - 1)\n"), 6)


@pytest.mark.parametrize(
    ("text", "argument"),
    (
        ("math.modf(x)", 1 + 2j), ("math.isclose(x, 1.0)", 1j), ("math.trunc(x)", np.float32(2.5)),
        ("math.trunc(x)", np.int8(2)),
        ("math.gcd(x, 3)", np.bool_(True)), ("math.comb(x, 1)", np.bool_(True)), ("np.round(x, 1)", True),
    ),
)  # fmt: skip
def test_what_cpython_refuses_is_refused(text: str, argument: Any) -> None:
    function = compiled(f"def f(x):\n    return {text}\n")
    with pytest.raises(TypeError):
        function(argument)
    with pytest.raises(weft.Error):
        weft.jit(function, device="interpreter")(argument)


@pytest.mark.parametrize(
    ("text", "argument"),
    (
        ("round(x, 1)", True), ("round(x, 0)", False), ("math.trunc(x)", np.float64(2.5)), ("math.trunc(x)", -2.5),
        ("math.isclose(x, 1e-310)", np.float32(0.0)), ("math.isclose(x, 2**64 - 1)", np.uint64(2**64 - 2)),
        ("math.isclose(x, np.float16(100.7))", 100.7), ("np.true_divide(x, np.float64(0.0))", 1j),
        ("np.add(x, np.float64(1.0))", 1j),
        ("np.power(x, 0.5)", np.float64(-INF)), ("np.power(x, 0.5)", np.float32(-0.0)),
        ("np.power(0.5, x)", np.float64(2.0)),
        ("x ** 0.5", np.float64(-INF)), ("np.round(x, 1)", np.complex128(complex(-0.0, NAN))),
        ("np.round(x, 1)", np.complex64(1.26 - INF * 1j)),
        ("x in (1, 2.0)", np.float32(2.0)), ("x not in (1, 2.0)", np.float32(2.0)), ("x in range(3)", np.uint8(2)),
    ),
)  # fmt: skip
def test_the_answer_is_cpythons(text: str, argument: Any) -> None:
    same(compiled(f"def f(x):\n    return {text}\n"), argument, device="interpreter")


def test_an_exponent_that_varies_takes_roots_too() -> None:
    function = compiled("def f(x, y, out):\n    for i in range(3):\n        out[i] = np.power(x[i], y[i])\n")
    for dtype in ("float16", "float32", "float64"):
        same(function, np.array([-INF, -0.0, 4.0], dtype), np.full(3, 0.5, dtype), np.zeros(3, dtype))
