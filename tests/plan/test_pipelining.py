"""Iterations of loops of the host overlap: the next one is prepared while the device works on this one.

`ran` compares what a program computes on the simulated device, which knows of copies under way, with Python.
"""

from dataclasses import replace

import numpy as np
import pytest

import weft
from tests.plan import thesis
from tests.plan.counting import counts_of, plan
from tests.plan.simulated import DEVICE
from weft.ir import nodes as n
from weft.ir.reference.interpreter import trace
from weft.ir.reference.simulated import SimulatedDevice
from weft.ir.visit import walk

SLOW = SimulatedDevice(latency=1.0, copy_bandwidth=1e12, memory_bandwidth=1e12)
"""A device on which everything takes a second."""


def ran(function, *arguments, memory=None):
    """What a program did on a slow device."""
    own, expected = ([a.copy() if isinstance(a, np.ndarray) else a for a in arguments] for _ in range(2))
    found = trace(plan(function, tuple(own)), own, {DEVICE: replace(SLOW, memory=memory)})
    assert found.error is None
    result = function(*expected)
    if result is not None:
        np.testing.assert_allclose(found.results[0], result, rtol=1e-12)
    for got, right in zip(own, expected):
        np.testing.assert_array_equal(got, right)
    return found


def spans(found, kind, target=None):
    """When the copies into a memory, or the kernels, began and ended."""
    return [(s.start, s.end) for s in found.steps if s.kind == kind and target in (None, s.target)]


def overlaps(function, *arguments):
    """How many copies to the device begin while the kernel of the iteration before runs."""
    found = ran(function, *arguments)
    copies, kernels = spans(found, "copy", DEVICE), spans(found, "launch")
    assert len(copies) == len(kernels)
    return sum(copy[0] < kernel[1] for copy, kernel in zip(copies[1:], kernels))


def names(function, *arguments):
    """The arrays that have windows."""
    made = (s.var.stem for s in walk(plan(function, arguments).body) if isinstance(s, n.Let) and "window" in s.var.stem)
    return {name.removesuffix("_window") for name in made}


def test_an_image_is_copied_while_the_one_before_is_embossed():
    assert overlaps(thesis.emboss, 6, 4) == 3


def test_where_there_is_no_room_for_windows_the_loop_stays():
    counts = counts_of(ran(thesis.emboss, 6, 4, memory=2 * 8 * 6 * 6).steps)
    assert (counts.copies_in, counts.copies_out, counts.allocations) == (4, 4, 2)


def test_nothing_is_copied_more_often_than_before():
    counts = counts_of(ran(thesis.emboss, 6, 4).steps)
    assert (counts.copies_in, counts.copies_out, counts.launches) == (4, 4, 4)
    assert counts.allocations == 3


@pytest.mark.sample(0)
def test_matrices_are_filled_while_products_are_computed():
    assert names(thesis.series, 4, 3) == {"a", "b", "c", "d"}
    counts = counts_of(ran(thesis.series, 4, 3).steps)
    assert (counts.copies_in, counts.copies_out, counts.launches) == (12, 9, 9)


def grid(size=5):
    return np.ones((size, size))


def looked_at(x, rounds):
    y = np.empty(x.shape)
    last = 0.0
    for k in range(rounds):
        thesis.fill(x, k)
        for i in range(x.shape[0]):
            for j in range(x.shape[1]):
                y[i, j] = 2 * x[i, j]
        with weft.device("cpu"):
            for i in range(x.shape[0]):
                last = abs(last - y[i, 0])
    return last


@pytest.mark.sample(1)
@pytest.mark.parametrize("rounds", [0, 1, 2, 3, 4])
def test_any_number_of_iterations(rounds):
    ran(looked_at, grid(), rounds)
    ran(thesis.emboss, 5, rounds)


def test_results_are_looked_at_while_the_next_kernel_runs():
    assert names(looked_at, grid(), 4) == {"x", "y"}
    assert overlaps(looked_at, grid(), 4) == 3
    found = ran(looked_at, grid(), 4)
    homes, kernels = spans(found, "copy", "host"), spans(found, "launch")
    waits = [s.end for s in found.steps if s.kind == "wait"]
    for home, kernel in zip(homes, kernels[1:]):
        assert home[0] < kernel[1]
        assert any(home[1] <= wait <= kernel[1] for wait in waits)


def summed(x, y, rounds):
    for k in range(rounds):
        thesis.fill(x, k)
        for i in range(x.shape[0]):
            for j in range(x.shape[1]):
                y[i, j] += x[j, i]


@pytest.mark.parametrize("rounds", [0, 1, 4])
def test_without_results_only_the_copies_overlap(rounds):
    assert names(summed, grid(), grid(), rounds) == {"x"}
    found = ran(summed, grid(), grid(), rounds)
    copies, kernels = spans(found, "copy", DEVICE)[1:], spans(found, "launch")
    assert sum(copy[0] < kernel[1] for copy, kernel in zip(copies[1:], kernels)) == max(rounds - 1, 0)


def scaled(x, rounds):
    y = np.empty(x.shape)
    factor = 1.0
    total = 0.0
    for k in range(rounds):
        seed = 0
        for i in range(x.shape[0]):
            seed = (seed + i * k) % 7
            x[i, 0] = factor + seed
            for j in range(1, x.shape[1]):
                x[i, j] = abs(x[i, j - 1] - seed)
        factor = factor * 0.5 + seed
        for i in range(x.shape[0]):
            for j in range(x.shape[1]):
                y[i, j] = 2 * x[i, j]
        with weft.device("cpu"):
            for i in range(x.shape[0]):
                total = abs(total - y[i, 1] * factor - k)
    return total


@pytest.mark.parametrize("rounds", [0, 1, 4])
def test_numbers_of_an_iteration_follow_its_late_stage(rounds):
    assert names(scaled, grid(), rounds) == {"x", "y"}
    ran(scaled, grid(), rounds)


def partly(x, rounds):
    y = np.ones(x.shape)
    last = 0.0
    for k in range(rounds):
        thesis.fill(x, k)
        for i in range(1, x.shape[0]):
            for j in range(x.shape[1]):
                y[i, j] = 2 * x[i, j]
        with weft.device("cpu"):
            for i in range(x.shape[0]):
                last = abs(last - y[i, 0])
    for i in range(x.shape[0]):
        for j in range(x.shape[1]):
            y[i, j] += x[j, i]
    return last + y[1, 1]


def test_results_that_have_no_windows_are_looked_at_before_the_next_kernel():
    assert names(partly, grid(), 4) <= {"x"}
    ran(partly, grid(), 4)


def depends(x, rounds):
    y = np.empty(x.shape)
    last = 0.0
    for k in range(rounds):
        thesis.fill(x, k)
        x[0, 0] = last
        for i in range(x.shape[0]):
            for j in range(x.shape[1]):
                y[i, j] = 2 * x[i, j]
        with weft.device("cpu"):
            for i in range(x.shape[0]):
                last = abs(last - y[i, 0])
    return last


def test_an_iteration_that_needs_the_results_of_the_one_before_waits():
    assert names(depends, grid(), 3) == set()
    assert overlaps(depends, grid(), 4) == 0


def compared(x, rounds):
    y = np.empty(x.shape)
    last = 0.0
    for k in range(rounds):
        thesis.fill(x, k)
        for i in range(x.shape[0]):
            for j in range(x.shape[1]):
                y[i, j] = 2 * x[i, j]
        with weft.device("cpu"):
            for i in range(x.shape[0]):
                last = abs(last - y[i, 0] * x[i, 0])
    return last


def test_what_the_host_looks_at_late_is_not_written_early():
    assert names(compared, grid(), 3) == set()
    ran(compared, grid(), 4)


def in_part(x, y, rounds):
    for k in range(rounds):
        thesis.fill(x, k)
        for i in range(1, x.shape[0]):
            for j in range(x.shape[1]):
                y[i, j] = 2 * x[i, j]
        last = 0.0
        with weft.device("cpu"):
            for i in range(1, x.shape[0]):
                last = abs(last - y[i, 0])
        for i in range(x.shape[0]):
            for j in range(x.shape[1]):
                y[i, j] += x[0, 0] + last


def test_what_an_iteration_does_not_fill_has_no_windows():
    assert "y" not in names(in_part, grid(), grid(), 3)
    ran(in_part, grid(), grid(), 4)


def used_again(x, y, rounds):
    for k in range(rounds):
        thesis.fill(x, k)
        for i in range(x.shape[0]):
            for j in range(x.shape[1]):
                y[i, j] += x[j, i]
    for i in range(x.shape[0]):
        for j in range(x.shape[1]):
            y[i, j] += 2 * x[i, j]


def test_what_a_kernel_needs_behind_the_loop_has_no_windows():
    assert names(used_again, grid(), grid(), 3) == set()
    ran(used_again, grid(), grid(), 4)


def raises_early(x, out, rounds):
    y = np.empty(x.shape)
    for k in range(rounds):
        if k > 2:
            raise ValueError("three are enough")
        thesis.fill(x, k)
        for i in range(x.shape[0]):
            for j in range(x.shape[1]):
                y[i, j] = 2 * x[i, j]
        with weft.device("cpu"):
            for i in range(x.shape[0]):
                out[i, 0] = abs(out[i, 0] - y[i, 0])


def test_an_exception_does_not_come_before_what_the_caller_sees():
    assert names(raises_early, grid(), grid(), 3) == set()
    own, expected = ([grid(), grid()] for _ in range(2))
    found = trace(plan(raises_early, (*own, 5)), (*own, 5), {DEVICE: SLOW})
    with pytest.raises(ValueError, match="three are enough"):
        raises_early(*expected, 5)
    assert isinstance(found.error, ValueError)
    np.testing.assert_array_equal(own, expected)


def raises_late(x, rounds):
    y = np.empty(x.shape)
    last = 0.0
    for k in range(rounds):
        thesis.fill(x, k)
        for i in range(x.shape[0]):
            for j in range(x.shape[1]):
                y[i, j] = 2 * x[i, j]
        with weft.device("cpu"):
            for i in range(x.shape[0]):
                last = abs(last - y[i, 0])
                if last > 1e3:
                    raise ValueError("too much")
    return last


def test_what_the_caller_sees_is_not_written_before_an_exception():
    assert names(raises_late, grid(), 3) == set()


def in_a_loop(x, y, rounds):
    for t in range(2):
        y[0, 0] = t
        for k in range(rounds):
            thesis.fill(x, k + t)
            for i in range(x.shape[0]):
                for j in range(x.shape[1]):
                    y[i, j] += x[j, i]


def test_loops_in_loops_of_the_host_stay():
    assert names(in_a_loop, grid(), grid(), 3) == set()
    ran(in_a_loop, grid(), grid(), 3)
