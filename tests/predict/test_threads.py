"""What further threads add, which loops one thread runs, and what decides on which device long calls run."""

from __future__ import annotations

import math

import numpy as np
import pytest

import weft
from tests.predict.test_device import demand_of
from weft.cost import model
from weft.cost.figures import Rates, estimates
from weft.cost.fitting import Point, names_in
from weft.cost.prediction import NO_KERNEL
from weft.cost.thread_fitting import FIGURES, Shared, fit_threads
from weft.report.predict import demand_for

HIERARCHY = estimates().hierarchy()


def scaled(u, v):
    for i in range(u.shape[0]):
        v[i] = 2.0 * u[i] + v[i]


def waves(u, v):
    for i in range(u.shape[0]):
        v[i] = math.exp(math.sin(u[i])) + math.log(1.5 + u[i] * u[i])


def cell_numbers(x, cell, counts, k):
    for i in range(len(x)):
        cell[i] = min(int(x[i] * k), k - 1)
        counts[cell[i]] += 1


def by_key(key, out):
    for i in range(len(key)):
        out[key[i]] += 1


def boxes(x, start, total):
    k = int(math.sqrt(len(start) - 1))
    for c in range(k * k):
        for i in range(start[c], start[c + 1]):
            total[c] += x[i]


def neighbours(x, start, force):
    k = int(math.sqrt(len(start) - 1))
    for c in range(k * k):
        a = c // k
        for i in range(start[c], start[c + 1]):
            total = 0.0
            for d in range(max(a - 1, 0), min(a + 2, k)):
                for j in range(start[d], start[d + 1]):
                    if x[i] - x[j] < 0.5:
                        total += x[i] - x[j]
            force[i] = total


def amounts(function, *arguments):
    demand, leaves = demand_for(function, *arguments)
    return model.amounts(demand, HIERARCHY), leaves


def most_threads(function, *arguments):
    return max(model.threads_for(nest, 16) for nest in amounts(function, *arguments)[0])


def test_the_figures_of_threads_are_found_from_gains():
    """Calls that compute, and calls that wait for memory, on made-up machines: the fit says what they gain."""
    start = Rates(estimates())
    sizes = [(function, 1 << power) for function in (scaled, waves) for power in (15, 17, 18, 19, 20, 21, 23, 24)]
    known = [amounts(function, np.ones(size), np.ones(size)) for function, size in sizes]
    names = names_in([Point("", found, leaves, 1.0) for found, leaves in known])
    for wanted in ((0.9, 0.2, 0.6, 3000.0), (0.5, 0.05, 0.9, 20000.0)):
        machine = {**{name: start[name] for name in names}, **dict(zip(FIGURES, wanted, strict=True))}
        calls = [Shared(found, leaves, 16, gain_of(found, leaves, machine)) for found, leaves in known]
        fitted = fit_threads(calls, start, names)
        for figure in ("threads.compute", "threads.dram", "threads.wake"):
            assert fitted[figure] == pytest.approx(machine[figure], rel=0.3), figure
        for call in calls:
            assert gain_of(call.amounts, call.arguments, {**machine, **fitted}) == pytest.approx(call.gain, rel=0.15)
    assert fit_threads((), start, ()) == {}


def gain_of(found, leaves, figures):
    """How many times as fast 16 threads are."""
    alone, together = (model.nanoseconds(found, figures, leaves, threads) for threads in (1, 16))
    return alone / together


def test_caches_of_cores_are_not_shared_and_memory_is():
    rates = Rates(estimates())
    for figure, gain in (("l2.run", 16), ("dram.wait", 16), ("l3.run", 8.5), ("dram.random", 4.75)):
        nest = model.Amounts(1, 1.0, memory={figure: 1e6}, shared=True, work=1e9)
        alone, together = (model.nest_times(nest, rates, threads).memory for threads in (1, 16))
        assert alone / together == pytest.approx(gain), figure


def test_loops_that_nothing_can_undo_are_counted_on_one_thread():
    """What later iterations did would have to be taken back; copies of many cells cost more than they gain."""
    x, count = np.random.default_rng(0).random(1 << 20), 1 << 20
    key = np.zeros(count, np.int64)
    assert most_threads(cell_numbers, x, np.zeros(count, np.int64), np.zeros(64, np.int64), 64) == 1
    assert most_threads(by_key, key, np.zeros(100, np.int64)) > 4
    assert most_threads(by_key, key, np.zeros(1 << 22, np.int64)) == 1
    assert most_threads(scaled, x, x.copy()) == 16


def test_sizes_that_floats_say_are_followed():
    demand, _ = demand_for(boxes, np.ones(400), np.arange(0, 404, 4), np.zeros(100))
    trips = {nest.top.trips for nest in demand.nests if nest.top.label}
    assert 100 in trips
    assert not any("runs 16 times" in text for text in demand.assumptions)


def test_the_usual_side_of_two_versions_of_kernels_is_counted():
    """Rows that are in order are the usual case; for others, kernels run in a loop of the host."""
    demand = demand_of(neighbours, np.ones(40_000, np.float32), np.arange(0, 40_004, 4), np.zeros(40_000, np.float32))
    assert sum(launch.times for launch in demand.launches) < 20


def sweeps(u, steps):
    for _ in range(steps):
        for i in range(1, u.shape[0] - 1):
            for j in range(1, u.shape[1] - 1):
                u[i, j] = 0.25 * (u[i - 1, j] + u[i + 1, j] + u[i, j - 1] + u[i, j + 1])


def test_kernels_that_an_outline_does_not_see_are_counted():
    """Sweeps whose rows depend on one another run along diagonals on a device."""
    import dataclasses

    from tests.predict.test_device import H100
    from weft.cost.figures import device_estimates
    from weft.cost.machine_file import DeviceFigures
    from weft.report.predict import device_demand_for
    from weft.runtime.forecasting import on_kernels

    u = np.ones((1500, 1500), np.float32)
    demand, leaves = device_demand_for(sweeps, "cuda", H100, u, 2)
    figures = DeviceFigures(H100, device_estimates())
    assert demand.launches
    assert not on_kernels(demand, "cuda", figures, estimates(), leaves, NO_KERNEL).impossible
    none = dataclasses.replace(demand, launches=[])
    assert on_kernels(none, "cuda", figures, estimates(), leaves, NO_KERNEL).impossible == NO_KERNEL
    assert weft.jit(sweeps)(u[:4, :4].copy(), 1) is None
