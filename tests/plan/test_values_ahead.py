"""What steps of the host fold without reading what steps write is found by one kernel before them."""

from __future__ import annotations

import numpy as np
import pytest

import weft
from tests.frontend.compare import program_of
from tests.plan.counting import count
from tests.plan.simulated import DEVICE, Simulated
from weft.ir import nodes as n
from weft.ir.visit import launches_in, walk
from weft.plan.place import place
from weft.transform.pipeline import optimise


def ranks(x, out):
    for i in range(len(x)):
        rank = 0
        for j in range(len(x)):
            if x[j] < x[i] or (x[j] == x[i] and j < i):
                rank += 1
        out[rank] = x[i]


def ranks_in_two_loops(x, out):
    for i in range(len(x)):
        rank = 0
        for j in range(i):
            rank += x[j] <= x[i]
        for j in range(i, len(x)):
            rank += x[j] < x[i]
        out[rank] = x[i]


def nearest(x, out):
    for i in range(len(x)):
        least = 1e9
        for j in range(len(x)):
            if j != i:
                least = min(least, abs(x[j] - x[i]))
        out[int(4.0 * least) % len(out)] = least + i


def smoothed_sums(x, out):
    last = 0.0
    for i in range(len(x)):
        total = 0.0
        for j in range(i + 1):
            total += x[j] * x[i]
        last = 0.5 * last + total
        if last > 3.0:
            last = 0.25
        out[i] = last
    return last


AHEAD = [ranks, ranks_in_two_loops, nearest, smoothed_sums]


def reads_what_it_writes(x, out):
    for i in range(len(x)):
        total = 0.0
        for j in range(len(x)):
            total += out[j] * x[j]
        out[i] = total + 0.5


def hands_on(x, out):
    last = 0.0
    for i in range(len(x)):
        total = 0.0
        for j in range(len(x)):
            total = max(total, x[j] * last)
        last = total + x[i]
        out[i] = last


def after_what_raises(x, out):
    for i in range(len(x)):
        if x[i] > 0.9:
            raise ValueError("large")
        rank = 0
        for j in range(len(x)):
            rank += x[j] < x[i]
        out[rank] = x[i]


OTHERS = [reads_what_it_writes, hands_on, after_what_raises]


def arguments(size):
    return np.random.default_rng(size).integers(0, 8, size) / 8, np.zeros(size)


def check(run, function, size):
    found, expected = arguments(size), arguments(size)
    assert run(*found) == function(*expected)
    np.testing.assert_array_equal(found[1], expected[1])


def is_ahead(function):
    found = place(optimise(program_of(function, *arguments(9))), DEVICE)
    return any(".ahead" in nest.label for nest in found.nests)


@pytest.mark.parametrize("size", [0, 1, 2, 13])
@pytest.mark.parametrize("function", [*AHEAD, *OTHERS], ids=lambda f: f.__name__)
def test_results_are_pythons(function, size):
    check(Simulated(function), function, size)


@pytest.mark.parametrize("function", AHEAD, ids=lambda f: f.__name__)
def test_the_steps_launch_nothing(function):
    assert is_ahead(function)
    found = place(optimise(program_of(function, *arguments(9))), DEVICE)
    assert not any(any(launches_in(s.body)) for s in walk(found.program.body) if isinstance(s, n.For))


@pytest.mark.parametrize("function", OTHERS, ids=lambda f: f.__name__)
def test_what_depends_on_steps_stays(function):
    assert not is_ahead(function)


def test_the_launches_are_as_many_for_any_number_of_steps():
    """One finds all values, three store them in the order of the loop."""
    assert count(ranks, *arguments(13)).launches == count(ranks, *arguments(40)).launches == 4


def test_an_exception_of_a_step_leaves_the_state_of_the_source_order():
    def fails(x, out):
        for i in range(len(x)):
            rank = 0
            for j in range(len(x)):
                rank += x[j] <= x[i]
            out[rank] = x[i]

    found, expected = arguments(13), arguments(13)
    for run, (x, out) in ((Simulated(fails), found), (fails, expected)):
        with pytest.raises(IndexError):
            run(x, out)
    np.testing.assert_array_equal(found[1], expected[1])


@pytest.mark.opencl
@pytest.mark.parametrize("function", AHEAD, ids=lambda f: f.__name__)
def test_on_opencl(function):
    check(weft.jit(function, device="opencl"), function, 300)
