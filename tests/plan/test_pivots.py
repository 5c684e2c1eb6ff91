"""Loops are cut at the one iteration whose elements the others read."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

import weft
from tests.frontend.compare import program_of
from tests.plan.simulated import DEVICE, Simulated
from weft.plan.place import place
from weft.transform.pipeline import optimise


def shortest_paths(d, x, p):
    for k in range(d.shape[0]):
        for i in range(d.shape[0]):
            for j in range(d.shape[0]):
                d[i, j] = min(d[i, j], d[i, k] + d[k, j])


def shortest_paths_by_if(d, x, p):
    n = len(d)
    for k in range(n):
        for i in range(n):
            first = d[i, k]
            for j in range(n):
                if first + d[k, j] < d[i, j]:
                    d[i, j] = first + d[k, j]


def columns_first(d, x, p):
    for k in range(d.shape[0]):
        for j in range(d.shape[0]):
            for i in range(d.shape[0]):
                d[i, j] = max(d[i, j], min(d[i, k], d[k, j]))


def columns_first_by_if(d, x, p):
    n = len(d)
    for k in range(n):
        for j in range(n):
            second = d[k, j]
            for i in range(n):
                if min(d[i, k], second) > d[i, j]:
                    d[i, j] = min(d[i, k], second)


def rows_by_factors(d, x, p):
    for i in range(d.shape[0]):
        factor = 0.5 * d[i, p]
        for j in range(d.shape[1]):
            d[i, j] -= factor * d[p, j]


def from_behind(d, x, p):
    n = d.shape[0]
    for k in range(n - 1, -1, -1):
        for i in range(n):
            for j in range(n - 1, -1, -1):
                d[i, j] -= 0.5 * d[i, k] * d[k, j]


def one_row(d, x, p):
    for i in range(d.shape[0]):
        for j in range(d.shape[1]):
            d[i, j] = 0.5 * d[i, j] + d[p, j]


def one_element(d, x, p):
    for i in range(x.shape[0]):
        x[i] = 0.5 * x[i] - x[p]


def the_next_row(d, x, p):
    for k in range(d.shape[0] - 1):
        for i in range(d.shape[0]):
            for j in range(d.shape[0]):
                d[i, j] = 0.5 * d[i, j] + d[k + 1, j]


CUT = [
    shortest_paths, shortest_paths_by_if, columns_first, columns_first_by_if, rows_by_factors, from_behind, one_row,
    one_element, the_next_row,
]  # fmt: skip


def two_elements(d, x, p):
    for i in range(x.shape[0]):
        x[i] = 0.5 * x[i] - x[p] + x[p - 1]


def moving_element(d, x, p):
    for i in range(x.shape[0]):
        x[i] = 0.5 * x[i] - x[i // 2]


def summed(d, x, p):
    total = 0.0
    for i in range(x.shape[0]):
        x[i] = 0.5 * x[i] - x[p] + total
        total += x[i]


OTHERS = [two_elements, moving_element, summed]


def arguments(size, p=0):
    rng = np.random.default_rng(size)
    return rng.integers(-9, 9, (size, size)) / 8, rng.integers(-9, 9, size) / 8, p


def runs_on_host(function):
    program = optimise(program_of(function, *arguments(9)), blocks=True, rows=True)
    without_copies = frozenset({"steps"})  # for arrays whose steps are not worth a launch
    found = place(program, DEVICE, disable=without_copies)
    return any(not nest.kernel and not nest.launches for nest in found.nests)


@pytest.mark.parametrize("size", [1, 2, 7])
@pytest.mark.parametrize("function", [*CUT, *OTHERS], ids=lambda f: f.__name__)
def test_results_are_pythons(function, size):
    run = Simulated(function)
    for p in {0, size // 2, size - 1}:
        found, expected = arguments(size, p), arguments(size, p)
        run(*found)
        function(*expected)
        for a, b in zip(found, expected):
            np.testing.assert_array_equal(a, b)


@pytest.mark.parametrize("function", CUT, ids=lambda f: f.__name__)
def test_no_part_runs_on_the_host(function):
    assert not runs_on_host(function)


def schedules(function):
    """The schedules of the kernels of a step, without labels."""
    made = place(optimise(program_of(function, *arguments(9)), blocks=True, rows=True), DEVICE)
    return [[replace(d, loop="") for d in nest.schedule] for nest in made.nests if nest.kernel]


def test_loops_change_places_so_that_threads_go_along_memory():
    assert schedules(columns_first) == schedules(shortest_paths)


@pytest.mark.parametrize("function", [shortest_paths_by_if, rows_by_factors], ids=lambda f: f.__name__)
def test_what_rows_read_first_is_found_by_one_kernel(function):
    lengths = [len(directives) for directives in schedules(function)]
    assert lengths[-4:] == [1, 2, 2, 2], "a row, and three times an element for a thread"


def before(d, x, p):
    for i in range(1, d.shape[0]):
        factor = d[i - 1, p]
        for j in range(d.shape[1]):
            d[i, j] -= factor * x[j]


def behind(d, x, p):
    for i in range(d.shape[0] - 1):
        factor = d[i + 1, p]
        for j in range(d.shape[1]):
            d[i, j] -= factor * d[p, j]


@pytest.mark.parametrize("function", [before, behind], ids=lambda f: f.__name__)
def test_rows_that_read_their_neighbours(function):
    run = Simulated(function)
    for size, p in [(2, 0), (2, 1), (7, 3), (7, 6), (7, 0)]:
        found, expected = arguments(size, p), arguments(size, p)
        run(*found)
        function(*expected)
        np.testing.assert_array_equal(found[0], expected[0])


@pytest.mark.parametrize("function", OTHERS, ids=lambda f: f.__name__)
def test_loops_that_meet_elsewhere_stay_whole(function):
    assert runs_on_host(function)


def test_pivots_outside_of_the_loop():
    def reflected(x, low, high, p):
        for i in range(low, high):
            x[i] += x[p]

    run = Simulated(reflected)
    for low, high, p in [(0, 7, 3), (2, 5, 6), (2, 5, 0), (3, 3, 3), (5, 2, 3), (4, 5, 4)]:
        found, expected = np.arange(7.0), np.arange(7.0)
        run(found, low, high, p)
        reflected(expected, low, high, p)
        np.testing.assert_array_equal(found, expected)


def test_the_pass_can_be_switched_off():
    program = optimise(program_of(shortest_paths, *arguments(9)), blocks=True, rows=True)
    launches = {
        disabled: len(place(program, DEVICE, disabled).kernels) for disabled in (frozenset(), frozenset({"pivots"}))
    }
    assert launches[frozenset()] > launches[frozenset({"pivots"})]


@pytest.mark.opencl
@pytest.mark.parametrize("function", CUT, ids=lambda f: f.__name__)
def test_on_opencl(function):
    found, expected = arguments(37, 11), arguments(37, 11)
    weft.jit(function, device="opencl")(*found)
    function(*expected)
    for a, b in zip(found, expected):
        np.testing.assert_array_equal(a, b)
