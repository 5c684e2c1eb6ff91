"""Minima and maxima of integers that start at a float infinity: integers as in CPython, or a precise error."""

from __future__ import annotations

import math

import numpy as np
import pytest

import weft
from weft.errors import TypeInferenceError

from .compare import check, interpret, program_of

NUMBERS = np.array([5, -3, 8, -3, 7])


def smallest(a):
    m = float("inf")
    for i in range(len(a)):
        m = min(m, a[i])
    return m


def extremes(a):
    low, high, where, changes = math.inf, -np.inf, -1, 0
    for i, x in enumerate(a):
        if x < low:
            low, where = x, i
            changes += 1
        if x > high:
            high = x
    return low, high, where, changes


def of_a_matrix(a):
    m = float("inf")
    for i in range(a.shape[0]):
        for j in range(a.shape[1]):
            m = min(a[i, j], m)
    return m


@pytest.mark.parametrize("array", [NUMBERS, NUMBERS[:1], NUMBERS.astype(np.int8), np.array([7, 255], np.uint8)])
@pytest.mark.parametrize("f", [smallest, extremes])
def test_the_result_is_an_integer_of_the_array(f, array):
    check(f, array)


def test_the_largest_integer_is_below_infinity():
    check(extremes, np.array([np.iinfo(np.int64).max, 3]))
    check(extremes, np.array([np.iinfo(np.int64).min]))


def test_nested_loops():
    check(of_a_matrix, NUMBERS.reshape(1, 5))
    check(of_a_matrix, np.arange(12).reshape(3, 4) - 5)


def test_several_loops_one_after_the_other():
    def f(a):
        low, high = np.inf, -np.inf
        for x in a:
            low, high = min(low, x), max(high, x)
        for x in a:
            low = min(low, x * 2)
        return low, high, float(low), low + 1

    check(f, NUMBERS)


def test_in_every_iteration_of_another_loop():
    def f(a, out):
        for i in range(a.shape[0]):
            m, best = float("inf"), 0
            for j in range(a.shape[1]):
                if a[i, j] < m:
                    m, best = a[i, j], j
            out[i] = m * 10 + best

    check(f, np.array([[3, 1, 2], [0, 9, -4]]), np.zeros(2, np.int64))


def test_floats_are_as_ever():
    check(smallest, NUMBERS * 0.5)
    check(smallest, np.zeros(0), types=False)


@pytest.mark.parametrize("array", [NUMBERS[:0]])
def test_a_loop_that_does_not_run_leaves_no_integer(array):
    with pytest.raises(
        TypeInferenceError, match="'m' is still the float inf here, since the loop did not run"
    ) as error:
        interpret(smallest, array)
    assert "start from the first element, or from np.iinfo(a.dtype).max" in str(error.value)
    with pytest.raises(TypeInferenceError, match="'m' is still the float inf"):
        weft.jit(smallest)(array)


def test_a_guarded_minimum_is_refused_with_what_to_write():
    def f(a, t):
        m = float("inf")
        for x in a:
            if x > t:
                m = min(m, x)
        return m

    with pytest.raises(TypeInferenceError, match=r"the type of min of float and np.int64 depends") as error:
        program_of(f, NUMBERS, 0)
    assert "start from the first element, or from np.iinfo(a.dtype).max" in str(error.value)


def test_it_is_a_reduction():
    report = weft.explain(weft.jit(smallest), NUMBERS)
    assert [loop.verdict for loop in report.loops] == ["reduction"]
