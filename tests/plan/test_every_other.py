"""Loops over every other element of rows, and flattened loops, run on devices with a thread for each element."""

from __future__ import annotations

import numpy as np
import pytest

import weft
from tests.frontend.compare import program_of
from tests.plan.simulated import DEVICE, Simulated
from weft.plan.place import place
from weft.schedule.directives import Bind
from weft.transform.pipeline import optimise


def of_a_colour(u, f, k):
    n, m = u.shape
    for i in range(1, n - 1):
        for j in range(1 + (i + k) % 2, m - 1, 2):
            u[i, j] = 0.25 * (u[i - 1, j] + u[i + 1, j] + u[i, j - 1] + u[i, j + 1])


def both_colours(u, f, k):
    n, m = u.shape
    for colour in range(2):
        for i in range(1, n - 1):
            for j in range(1 + (i + 1 + colour) % 2, m - 1, 2):
                u[i, j] = 0.25 * (u[i - 1, j] + u[i + 1, j] + u[i, j - 1] + u[i, j + 1])


def every_third(u, f, k):
    n, m = u.shape
    for i in range(n):
        for j in range((i * 2) % 3, m, 3):
            u[i, j] = 0.5 * u[i, j] + 1.0


def butterflies(u, f, k):
    flat = u.reshape(-1)
    for p in range(len(flat) // 2):
        a = p // k * 2 * k + p % k
        b = a + k
        t = flat[b]
        flat[b] = flat[a] - t
        flat[a] = flat[a] + t


FUNCTIONS = [of_a_colour, both_colours, every_third, butterflies]


def arguments(rows, columns):
    rng = np.random.default_rng(rows * 100 + columns)
    return rng.integers(0, 9, (rows, columns)) / 8, rng.integers(-9, 9, (rows, columns)) / 8


@pytest.mark.parametrize("function", FUNCTIONS, ids=lambda f: f.__name__)
def test_results_are_pythons(function):
    simulated = Simulated(function)
    for rows, columns, k in [(0, 3, 1), (3, 3, 1), (4, 8, 2), (2, 4, 4), (5, 6, 1)]:
        found, expected = arguments(rows, columns), arguments(rows, columns)
        simulated(*found, k)
        function(*expected, k)
        np.testing.assert_array_equal(found[0], expected[0])


@pytest.mark.parametrize("function", FUNCTIONS, ids=lambda f: f.__name__)
def test_threads_have_elements(function):
    found = place(optimise(program_of(function, *arguments(9, 8), 1)), DEVICE)
    binds = [sum(isinstance(d, Bind) for d in nest.schedule) for nest in found.nests if nest.kernel]
    assert max(binds) == 2


@pytest.mark.opencl
@pytest.mark.sample(2)
@pytest.mark.parametrize("function", FUNCTIONS, ids=lambda f: f.__name__)
def test_on_opencl(function):
    compiled = weft.jit(function, device="opencl")
    for rows, columns, k in [(33, 70, 1), (32, 64, 8), (7, 31, 3)]:
        found, expected = arguments(rows, columns), arguments(rows, columns)
        if function is butterflies and rows * columns % (2 * k):
            continue
        compiled(*found, k)
        function(*expected, k)
        np.testing.assert_array_equal(found[0], expected[0])


@pytest.mark.gpu
@pytest.mark.parametrize("function", FUNCTIONS, ids=lambda f: f.__name__)
def test_on_a_gpu(function):
    found, expected = arguments(320, 640), arguments(320, 640)
    there = [weft.array(x) for x in found]
    weft.jit(function, device="cuda")(*there, 8)
    weft.jit(function)(*expected, 8)
    np.testing.assert_array_equal(np.asarray(there[0]), expected[0])
