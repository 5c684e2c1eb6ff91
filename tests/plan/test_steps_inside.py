"""Steps of which every element goes its own way are a loop inside of each element's iteration."""

from __future__ import annotations

import math

import numpy as np
import pytest

import weft
from tests.frontend.compare import outcome, program_of
from tests.plan.simulated import DEVICE, Simulated
from weft.ir import nodes as n
from weft.plan.place import host_statements, place
from weft.transform.pipeline import optimise


def down_the_columns(x, y):
    for i in range(1, x.shape[0]):
        for j in range(x.shape[1]):
            y[i, j] = y[i - 1, j] + x[i, j]


def up_the_columns(x, y):
    for i in range(x.shape[0] - 2, -1, -1):
        for j in range(x.shape[1]):
            y[i, j] += 0.5 * y[i + 1, j]


def in_place(x, y):
    for t in range(7):
        for i in range(x.shape[0]):
            for j in range(x.shape[1]):
                y[i, j] = 0.5 * y[i, j] + x[i, j]


def of_rows(x, y):
    for i in range(1, x.shape[0]):
        y[i] += y[i - 1] * x[i, 0]


def two_before(x, y):
    for i in range(2, x.shape[0]):
        scale = x[i, 0]
        for j in range(x.shape[1]):
            y[i, j] = scale * y[i - 1, j] - 0.5 * y[i - 2, j]


def largest_so_far(x, y):
    for i in range(1, x.shape[0]):
        for j in range(x.shape[1]):
            if y[i - 1, j] > y[i, j]:
                y[i, j] = y[i - 1, j]


INSIDE = [down_the_columns, up_the_columns, in_place, of_rows, two_before, largest_so_far]


def from_the_side(x, y):
    for i in range(1, x.shape[0]):
        for j in range(1, x.shape[1]):
            y[i, j] = y[i - 1, j - 1] + x[i, j]


def triangles(x, y):
    for i in range(1, x.shape[0]):
        for j in range(min(i, x.shape[1])):
            y[i, j] = y[i - 1, j] + x[i, j]


def pivots(x, y):
    for k in range(min(x.shape[0], x.shape[1])):
        for i in range(k + 1, x.shape[0]):
            for j in range(k + 1, x.shape[1]):
                y[i, j] -= y[i, k] * y[k, j]


OTHERS = [from_the_side, triangles, pivots]


def roots(x, y):
    for t in range(5):
        for i in range(x.shape[0]):
            for j in range(x.shape[1]):
                y[i, j] -= 0.5
                x[i, j] = math.sqrt(y[i, j]) + t


def quotients(x, y):
    for t in range(4):
        for i in range(x.shape[0]):
            for j in range(x.shape[1]):
                y[i, j] = y[i, j] - 1
                x[i, j] += 6 // int(y[i, j] + 0.875)


def past_the_end(x, y):
    for t in range(4):
        for i in range(x.shape[0]):
            for j in range(x.shape[1]):
                y[i, j] += x[i, j + int(x[i, j] + 0.25) % 2]
                x[i, j] += 0.125


def last_root(x, y):
    for i in range(x.shape[0]):
        for j in range(x.shape[1]):
            for t in range(5):
                x[i, j] = math.sqrt(y[i, j] - 0.75 * t)


RAISING = [last_root, roots, quotients, past_the_end]


def arguments(rows, columns):
    rng = np.random.default_rng(rows * 100 + columns)
    return rng.integers(0, 9, (rows, columns)) / 8, rng.integers(-9, 9, (rows, columns)) / 8


def is_stepped(function):
    found = place(optimise(program_of(function, *arguments(9, 8))), DEVICE)
    return any(isinstance(s, n.For) for s in host_statements(found.program.body))


@pytest.mark.parametrize("size", [(0, 3), (1, 1), (2, 5), (9, 8), (13, 1)])
@pytest.mark.parametrize("function", [*INSIDE, *OTHERS], ids=lambda f: f.__name__)
def test_results_are_pythons(function, size):
    found, expected = arguments(*size), arguments(*size)
    Simulated(function)(*found)
    function(*expected)
    np.testing.assert_array_equal(found[1], expected[1])


@pytest.mark.parametrize("function", INSIDE, ids=lambda f: f.__name__)
def test_the_host_steps_through_nothing(function):
    assert not is_stepped(function)


@pytest.mark.parametrize("function", OTHERS, ids=lambda f: f.__name__)
def test_steps_that_meet_other_elements_stay_outside(function):
    assert is_stepped(function)


@pytest.mark.parametrize("function", RAISING, ids=lambda f: f.__name__)
def test_what_steps_raise_comes_in_their_order(function):
    nests = place(optimise(program_of(function, *arguments(9, 8))), DEVICE).nests
    assert any(nest.launches for nest in nests) == (
        function is past_the_end
    )  # it reads what other elements' steps wrote
    for least in (0, 4):
        found, expected = arguments(3, 4), arguments(3, 4)
        found[1][:] = expected[1][:] = abs(expected[1]) + least
        (what, told), (wanted, _) = outcome(lambda: Simulated(function)(*found)), outcome(lambda: function(*expected))
        assert what == wanted, told
        for one, other in zip(found, expected, strict=True):
            np.testing.assert_array_equal(one, other)


@pytest.mark.opencl
@pytest.mark.parametrize("function", INSIDE, ids=lambda f: f.__name__)
def test_on_opencl(function):
    found, expected = arguments(33, 70), arguments(33, 70)
    weft.jit(function, device="opencl")(*found)
    function(*expected)
    np.testing.assert_array_equal(found[1], expected[1])


@pytest.mark.gpu
@pytest.mark.parametrize("function", INSIDE, ids=lambda f: f.__name__)
def test_on_a_gpu(function):
    found, expected = arguments(300, 700), arguments(300, 700)
    there = [weft.array(x) for x in found]
    weft.jit(function, device="cuda")(*there)
    weft.jit(function)(*expected)
    np.testing.assert_array_equal(np.asarray(there[1]), expected[1])
