"""Functions of `math` whose operands are proven small enough, or not above zero, raise nothing; others still do."""

from __future__ import annotations

import math

import numpy as np
import pytest

import weft
from tests.frontend.compare import program_of
from weft.ir.effects import block_may_raise
from weft.transform.pipeline import optimise


def angles(x, y):
    n = len(x)
    for k in range(n):
        y[k] = math.cos(6.28 * ((k * 3) % n) / n) + math.sin(math.cos(0.5 * k) * x.shape[0])


def bells(x, y):
    for k in range(len(x)):
        d = float(x[k])
        y[k] = math.exp(-0.5 * d * d) + math.exp(-(d * d) / 2.0) + math.exp(min(0.0 - d * d * 3.0, 1.0 - 1.0))
        y[k] += math.exp(-abs(d)) + math.expm1(-math.sqrt(d * d)) + math.cosh(math.tanh(d)) + math.exp(-d * 2.0 * d)


def of_the_number(x, y):
    for k in range(len(x)):
        y[k] = math.exp(max(-3.0 * k, -math.exp(float(x[k]) * 0.0)))


def upwards(x, y):
    for k in range(len(x)):
        y[k] = math.exp(0.5 * x[k] * x[k])


def of_an_odd_power(x, y):
    for k in range(len(x)):
        d = float(x[k])
        y[k] = math.exp(-d * d * d)


def of_infinities(x, y):
    for k in range(len(x)):
        y[k] = math.cos(float(x[k]) * 2.0)


def of_what_overflows(x, y):
    for k in range(len(x)):
        y[k] = math.sin(1e300 * k * 1e300 * k)


def of_small_divisors(x, y):
    for k in range(len(x)):
        y[k] = math.sin(1.0 / (k + 1) / 1e-300 / (k + 1) * 1e200)


def divided_by_what_may_be_zero(x, y):
    for k in range(len(x)):
        y[k] = math.cos(5.0 * k / float(x[k]))


PROVEN = (angles, bells)
NOT_PROVEN = (of_the_number, upwards, of_an_odd_power, of_infinities, of_what_overflows, of_small_divisors,
    divided_by_what_may_be_zero,
)  # fmt: skip
NUMBERS = np.array([0.5, -0.25, 3.0, -40.0, 1e-200, math.nan])


@pytest.mark.parametrize("function", PROVEN)
def test_what_is_proven_has_no_check(function):
    assert not block_may_raise(optimise(program_of(function, NUMBERS, NUMBERS.copy())).body)
    expected, got = np.zeros(6), np.zeros(6)
    function(NUMBERS, expected)
    weft.jit(function)(NUMBERS, got)
    np.testing.assert_allclose(got, expected, rtol=1e-14)


@pytest.mark.parametrize("function", NOT_PROVEN)
def test_what_may_raise_has_its_check(function):
    assert block_may_raise(optimise(program_of(function, NUMBERS, NUMBERS.copy())).body)


def test_infinities_raise_only_where_no_bound_says_that_there_are_none():
    values, y = np.array([math.inf, -math.inf]), np.zeros(2)
    weft.jit(bells)(values, y)
    expected = np.zeros(2)
    bells(values, expected)
    np.testing.assert_allclose(y, expected, rtol=1e-14)
    with pytest.raises(ValueError, match="math domain error"):
        weft.jit(of_infinities)(values, y)


def of_a_smaller_one(x, y):
    for k in range(len(x)):
        y[k] = math.exp(min(float(x[k]), -(float(y[k]) * float(y[k]))))


def of_a_larger_divisor(x, y):
    for k in range(len(x)):
        y[k] = 1.0 / max(float(x[k]), 1.0 + float(y[k]) * float(y[k]))


@pytest.mark.parametrize(("function", "value"), [(of_a_smaller_one, 1000.0), (of_a_larger_divisor, 0.0)])
def test_a_nan_on_the_right_of_min_and_max_decides_nothing(function, value):
    """``min(a, nan)`` and ``max(a, nan)`` are `a`."""
    x, y = np.full(3, value), np.array([1.0, math.nan, 1.0])
    caught = []
    for one in (function, weft.jit(function)):
        with pytest.raises((OverflowError, ZeroDivisionError)) as error:
            one(x, y.copy())
        caught.append((error.type, str(error.value)))
    assert caught[0] == caught[1]
