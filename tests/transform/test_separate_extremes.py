"""The smallest and the largest number, found by an `if` and an `elif`, are two folds."""

from __future__ import annotations

import numpy as np
import pytest

import weft
from tests.frontend.compare import program_of
from weft.ir import nodes as n
from weft.ir.visit import walk
from weft.transform.pipeline import optimise


def of_a_matrix(x):
    low = x[0, 0]
    high = x[0, 0]
    for i in range(x.shape[0]):
        for j in range(x.shape[1]):
            if x[i, j] < low:
                low = x[i, j]
            elif x[i, j] > high:
                high = x[i, j]
    return low, high


def largest_first(x):
    low = high = x[0, 0]
    for i in range(x.shape[0]):
        if high < x[i, 0]:
            high = x[i, 0]
        elif x[i, 0] < low:
            low = x[i, 0]
    return high - low


def of_rows(x):
    total = 0.0
    for i in range(x.shape[0]):
        low = high = x[i, 0]
        for value in x[i]:
            if value < low:
                low = value
            else:
                if value > high:
                    high = value
        total += high - low
    return total


APART = [of_a_matrix, largest_first, of_rows]


def from_the_ends(x):
    low, high = np.inf, -np.inf
    for i in range(x.shape[0]):
        if x[i, 0] < low:
            low = x[i, 0]
        elif x[i, 0] > high:
            high = x[i, 0]
    return low, high


def of_two_numbers(x):
    low, high = x[0, 0], x[0, 0]
    for i in range(x.shape[0]):
        if x[i, 0] < low:
            low = x[i, 0]
        elif x[i, -1] > high:
            high = x[i, -1]
    return low, high


def reset(x):
    low, high = x[0, 0], x[0, 0]
    for i in range(x.shape[0]):
        for j in range(x.shape[1]):
            if x[i, j] < low:
                low = x[i, j]
            elif x[i, j] > high:
                high = x[i, j]
        low = high + 1.0
    return low, high


def twice(x):
    low, high = x[0, 0], x[0, 0]
    for i in range(x.shape[0]):
        if x[i, 0] < low:
            low = x[i, 0] + 2.0
        elif x[i, 0] > high:
            high = x[i, 0]
    return low, high


OTHERS = [from_the_ends, of_two_numbers, reset, twice]


def matrices():
    rng = np.random.default_rng(0)
    for shape in [(1, 1), (3, 2), (7, 5), (300, 41)]:
        x = rng.integers(-99, 99, shape) / 8
        yield x
        yield -np.sort(x.reshape(-1)).reshape(shape)
        yield x.astype(np.float32)
        yield rng.integers(-5, 5, shape)
        for odd in (np.nan, np.inf, -np.inf, -0.0, 0.0):
            for place in (0, x.size // 2):
                changed = x.copy() if abs(odd) > 0 or odd != odd else np.abs(x) * 0.0
                changed.flat[place] = odd
                yield changed


def bits(value):
    return np.array(value, dtype=np.float64).view(np.int64).tolist()


@pytest.mark.parametrize("function", [*APART, *OTHERS], ids=lambda f: f.__name__)
def test_results_are_pythons(function, request):
    request.addfinalizer(lambda count=weft.get_num_threads(): weft.set_num_threads(count))
    weft.set_num_threads(3)
    run = weft.jit(function)
    for x in matrices():
        if x.dtype != np.float64 and function in OTHERS:
            continue
        np.testing.assert_equal(run(x), function(x))
        if function is of_a_matrix and not np.isnan(x).any():
            assert bits(run(x)) == bits(function(x))


@pytest.mark.parametrize("function", APART, ids=lambda f: f.__name__)
def test_no_loop_runs_in_order(function):
    loops = [s for s in walk(optimise(program_of(function, np.ones((3, 2)))).body) if isinstance(s, n.For)]
    assert {loop.mapping for loop in loops} == {"parallel"}


@pytest.mark.parametrize("function", OTHERS, ids=lambda f: f.__name__)
def test_others_stay(function):
    loops = [s for s in walk(optimise(program_of(function, np.ones((3, 2)))).body) if isinstance(s, n.For)]
    assert "sequential" in {loop.mapping for loop in loops}


@pytest.mark.opencl
def test_on_opencl():
    x = np.random.default_rng(1).random((301, 77), np.float32)
    assert weft.jit(of_a_matrix, device="opencl")(x) == (x.min(), x.max())
