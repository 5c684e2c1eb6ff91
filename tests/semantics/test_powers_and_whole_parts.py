"""Powers of NumPy's floats that are roots and quotients; whole parts and rests at the edges of their types."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest

from tests.semantics.tools import every_device, same, same_error


def half_powers(x, y):
    for i in range(x.shape[0]):
        y[i] = x[i] ** 0.5


def inverses(x, y):
    for i in range(x.shape[0]):
        y[i] = x[i] ** -1


def floors(x, y):
    for i in range(x.shape[0]):
        y[i] = math.floor(x[i])


def ceilings(x, y):
    for i in range(x.shape[0]):
        y[i] = math.ceil(x[i])


def truncated(x, y):
    for i in range(x.shape[0]):
        y[i] = math.trunc(x[i])


def rounded(x, y):
    for i in range(x.shape[0]):
        y[i] = round(float(x[i]))


SPECIAL = [0.0, -0.0, 1.0, 4.0, 2.25, np.inf, -np.inf, np.nan, -1.0, 5e-324, 1e-310]


@every_device
@pytest.mark.parametrize("type", (np.float32, np.float64))
@pytest.mark.parametrize("function", (half_powers, inverses))
def test_powers_of_special_numbers(function: Any, type: type, device: str) -> None:
    """As C's pow has them: the half power of -0.0 is 0.0, that of -infinity infinity."""
    numbers = [v for v in SPECIAL if v == 0 or not abs(v) < 1e-300] * 5
    same(function, np.array(numbers, type), np.zeros(len(numbers), type), device=device)


@pytest.mark.parametrize("type", (np.float32, np.float64))
@pytest.mark.parametrize("function", (half_powers, inverses))
def test_powers_are_close(function: Any, type: type) -> None:
    import weft

    x = np.exp(np.random.default_rng(3).normal(0, 20, 10_000)).astype(type)
    expected, found = np.zeros_like(x), np.zeros_like(x)
    function(x, expected)
    weft.jit(function, device="cpu")(x, found)
    np.testing.assert_array_max_ulp(expected, found, 1)


WHOLE = [0.0, -0.0, 0.5, -0.5, 1.5, -1.5, 2.5, -2.5, 0.49999999999999994, -0.49999999999999994, 0.9999999999999999,
         2.0**52 - 0.5, -(2.0**52) + 0.5, 2.0**52 + 1, 2.0**51 + 0.5, 2.0**51 + 1.5, 2.0**53, -(2.0**53), 2.0**62,
         -(2.0**62), 9223372036854774784.0, -(2.0**63), 5e-324, -5e-324, 1e17, -1e17]  # fmt: skip


@every_device
@pytest.mark.parametrize("function", (floors, ceilings, truncated, rounded))
def test_whole_parts(function: Any, device: str) -> None:
    x = np.array(WHOLE * 4)
    same(function, x, np.zeros(x.size, np.int64), device=device)


@pytest.mark.parametrize("value", (np.nan, np.inf, -np.inf))
@pytest.mark.parametrize("function", (floors, ceilings, truncated, rounded))
def test_what_has_no_whole_part_raises(function: Any, value: float) -> None:
    x = np.array(WHOLE * 4)
    x[70] = value
    same_error(function, x, np.zeros(x.size, np.int64))


def by_seven(x, y, z):
    for i in range(x.shape[0]):
        y[i] = x[i] // 7
        z[i] = x[i] % 7


def by_elements(x, d, y, z):
    for i in range(x.shape[0]):
        y[i] = x[i] // d[i]
        z[i] = x[i] % d[i]


@every_device
@pytest.mark.parametrize("type", (np.int8, np.int16, np.int32, np.int64))
def test_quotients_and_rests_of_integers(type: type, device: str) -> None:
    low, high = np.iinfo(type).min, np.iinfo(type).max
    numbers = [low, low + 1, low + 6, low + 7, high, high - 6, high - 7, *range(-22, 23)]
    x = np.array(numbers, type)
    same(by_seven, x, x.copy(), x.copy(), device=device)
    divisors = np.array([low, high, -7, 7, -1, 1, 3, 0], type)
    left, right = (a.ravel().copy() for a in np.meshgrid(x, divisors))
    same(by_elements, left, right, left.copy(), left.copy(), device=device)
