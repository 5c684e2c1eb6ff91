"""Powers of Python's floats are the C library's, as CPython has them; what does not vary goes before its loop."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest

from tests.semantics.tools import every_device, same, same_error
from weft.frontend import build
from weft.frontend.source.signature import describe
from weft.ir import nodes as n
from weft.ir.visit import walk
from weft.transform.pipeline import optimise


def squares(x, y):
    for i in range(x.shape[0]):
        y[i] = float(x[i]) ** 2


def cubes(x, y):
    for i in range(x.shape[0]):
        y[i] = pow(float(x[i]), 3)


def roots(x, y):
    for i in range(x.shape[0]):
        y[i] = float(x[i]) ** 0.5


def inverses(x, y):
    for i in range(x.shape[0]):
        y[i] = float(x[i]) ** -1


def of_math(x, y):
    for i in range(x.shape[0]):
        y[i] = math.pow(float(x[i]), 1.7)


def of_a_variable(x, y, e):
    for i in range(x.shape[0]):
        y[i] = float(x[i]) ** e


def guarded(x, y):
    for i in range(x.shape[0]):
        if x[i] < 1.0:
            y[i] = float(x[i]) ** 2


def ordinary(count: int) -> np.ndarray:
    """Numbers around one, and of all sizes whose squares are numbers."""
    random = np.random.default_rng(count)
    return np.concatenate([random.random(count), np.exp(random.normal(0, 60, count))])


SPECIAL = np.array([0.0, 1.0, 2.0, 0.5, 5e-324, 1e-160, 1e-154, 1.4e-154, 2.0**-32, 2.0**32, 1e150, np.inf, np.nan,
                    np.sqrt(2.0), np.nextafter(1.0, 2.0), np.nextafter(1.0, 0.0), 3.0, 94906265.62425156])  # fmt: skip


@pytest.mark.parametrize("function", (squares, cubes, roots, inverses, of_math, guarded))
def test_a_power_has_all_bits_of_cpythons(function: Any) -> None:
    x = ordinary(20_000)
    x = x[x < 1e100]
    same(function, x, np.zeros_like(x))


@pytest.mark.parametrize("exponent", (2, 2.0, -2.0, 0.1, 1.7, 12))
def test_a_power_with_an_exponent_that_varies_has_them_too(exponent: float) -> None:
    x = ordinary(5_000)
    x = x[(x < 1e20) & (x > 1e-20)]
    same(of_a_variable, x, np.zeros_like(x), exponent)


@pytest.mark.parametrize("sign", (1.0, -1.0))
def test_a_square_is_right_at_the_ends_of_its_range(sign: float) -> None:
    same(squares, sign * SPECIAL, np.zeros_like(SPECIAL))


def test_a_square_that_is_too_large_raises_where_cpython_does() -> None:
    x = np.ones(100)
    x[57] = 1e200
    same_error(squares, x, np.zeros(100))


# --------------------------------------------------------------------------------------- before their loops


def scaled(x, y, dx, dy):
    for i in range(x.shape[0]):
        for j in range(x.shape[1]):
            y[i, j] = x[i, j] / dx**2 + 1.0 / dy**3


def after_a_store(x, y, dx, dy):
    for i in range(x.shape[0]):
        y[i, 0] = 7.0
        for j in range(x.shape[1]):
            y[i, j] = x[i, j] / dx**2 * (1.0 / dy)


def under_a_test(x, y, dx, dy):
    for i in range(x.shape[0]):
        if x[i, 0] > 2.0:
            y[i, 0] = 1.0 / dy**2 + dx**2


def test_a_power_that_does_not_vary_is_computed_once() -> None:
    array = describe(np.ones((3, 4)))
    program = optimise(build(scaled, [array, array, describe(0.1), describe(0.2)]))
    loops = [s for s in walk(program.body) if isinstance(s, n.For)]
    inside = [s for loop in loops for s in walk(loop.body) if isinstance(s, n.Let) and isinstance(s.value, n.Binary)]
    assert loops and not any(s.value.op == "pow" for s in inside)


@every_device
@pytest.mark.parametrize("function", (scaled, after_a_store, under_a_test))
@pytest.mark.parametrize("shape", ((3, 4), (0, 4), (3, 0), (1, 1)))
def test_what_it_raises_comes_where_cpython_raises(function: Any, shape: tuple[int, int], device: str) -> None:
    if function is not scaled and shape == (3, 0):
        pytest.skip("there is no first element")
    for dx, dy in ((1e200, 1.0), (1.0, 1e-200), (1.0, 0.0), (0.0, 1.0), (0.5, 0.25)):
        x = np.full(shape, 3.0)
        try:
            with np.errstate(all="ignore"):
                function(x, np.zeros(shape), dx, dy)
        except ArithmeticError:
            same_error(function, x, np.zeros(shape), dx, dy, device=device)
        else:
            same(function, x, np.zeros(shape), dx, dy, device=device)
