"""Time loops whose steps compute a sum run in blocks of steps; the sums have the bits that they have in memory."""

from __future__ import annotations

import numpy as np
import pytest

from tests.frontend.compare import program_of
from weft.ir import nodes as n
from weft.ir.check.verifier import verify
from weft.ir.reference.interpreter import trace
from weft.ir.reference.simulated import SimulatedDevice
from weft.ir.visit import walk
from weft.plan.place import place
from weft.plan.prepare.folds.split_reductions import FEW, LEAST
from weft.plan.transfers.check import check_plan
from weft.transform.pipeline import optimise

from .simulated import DEVICE
from .test_slabs import array, copies


def history(u, v, changes, steps):
    r = 0.0
    for t in range(steps):
        r = 0.0
        for i in range(1, u.shape[0] - 1):
            for j in range(1, u.shape[1] - 1):
                v[i, j] = 0.25 * (u[i - 1, j] + u[i + 1, j] + u[i, j - 1] + u[i, j + 1])
                r = max(r, abs(v[i, j] - u[i, j]))
        changes[t] = r
        u, v = v, u
    return r


def residual(u, v, changes, steps):
    r = 0.0
    for t in range(3, steps):
        for i in range(1, u.shape[0] - 1):
            for j in range(1, u.shape[1] - 1):
                v[i, j] = 0.25 * (u[i - 1, j] + u[i + 1, j] + u[i, j - 1] + u[i, j + 1]) + t
        for i in range(1, u.shape[0] - 1):
            for j in range(1, u.shape[1] - 1):
                r += (v[i, j] - u[i, j]) ** 2
        u, v = v, u
    return r, u


def of_cubes(u, v, changes, steps):
    for t in range(steps):
        for i in range(1, u.shape[0] - 1):
            for j in range(u.shape[1]):
                for k in range(u.shape[2]):
                    v[i, j, k] = 0.5 * (u[i - 1, j, k] + u[i + 1, j, k])
        s, low = 0.0, 9.0
        for i in range(u.shape[0]):
            for j in range(u.shape[1]):
                for k in range(u.shape[2]):
                    s += v[i, j, k]
                    low = min(low, v[i, j, k])
        changes[t] = s - low
        u, v = v, u


def in_place(u, v, changes, steps):
    for t in range(steps):
        s = 0.0
        for i in range(u.shape[0]):
            for j in range(u.shape[1]):
                u[i, j] = u[i, j] * 0.5 + t
                s += u[i, j]
        changes[t] = s


CASES = {
    history: lambda size, steps: [array(size, 9), array(9, size).reshape(size, 9).copy(), np.zeros(steps), steps],
    residual: lambda size, steps: [array(size, 9), array(9, size).reshape(size, 9).copy(), np.zeros(steps), steps],
    of_cubes: lambda size, steps: [
        array(size, 2, 4),
        array(2, size, 4).reshape(size, 2, 4).copy(),
        np.zeros(steps),
        steps,
    ],
    in_place: lambda size, steps: [array(size, 9), array(1, 1), np.zeros(steps), steps],
}


def placed(function, arguments, **options):
    made = place(optimise(program_of(function, *arguments)), DEVICE, **options)
    verify(made.program)
    check_plan(made.program)
    return made


def in_blocks(placement):
    return any(isinstance(s, n.For) and s.label.endswith(".blocks") for s in walk(placement.program.body))


@pytest.mark.sample(0)
@pytest.mark.parametrize("function", CASES)
def test_steps_run_in_blocks_and_sums_have_the_same_bits(function):
    example = CASES[function](20, 3)
    made, cut = placed(function, example), placed(function, example, slabs=True)
    assert in_blocks(cut)
    for size, steps, memory in ((12, 5, 7_000), (3, 4, None), (9, 0, None)):
        expected, got = CASES[function](size, steps), CASES[function](size, steps)
        found = trace(made.program, expected)
        in_slabs = trace(cut.program, got, {DEVICE: SimulatedDevice(memory=memory)})
        assert in_slabs.error is None, in_slabs.error
        assert all(np.array_equal(a, b) for a, b in zip(in_slabs.results, found.results, strict=True))
        assert all(np.array_equal(a, b) for a, b in zip(got[:3], expected[:3], strict=True))
        assert not in_slabs.held
        pythons = CASES[function](size, steps)
        function(*pythons)
        for a, b in zip(got[:3], pythons[:3], strict=True):
            np.testing.assert_allclose(a, b, rtol=1e-12)


@pytest.mark.sample(0)
def test_arrays_cross_once_for_a_block_of_steps():
    cut, steps = placed(history, CASES[history](3, 3), slabs=True), 12
    arguments = CASES[history](20, steps)
    found = trace(cut.program, arguments)
    assert found.error is None
    assert sum(found.copied_bytes.values()) < 5 * (arguments[0].nbytes + arguments[1].nbytes)


@pytest.mark.sample(0)
def test_steps_with_long_rows_run_one_by_one_to_the_same_bits():
    example = CASES[history](20, 3)
    made, cut = placed(history, example), placed(history, example, slabs=True)
    arguments = [np.random.default_rng(5).random((5, FEW * LEAST + 9)) for _ in range(2)]
    expected, got = [*copies(arguments), np.zeros(3), 3], [*copies(arguments), np.zeros(3), 3]
    found, in_slabs = trace(made.program, expected), trace(cut.program, got)
    assert in_slabs.error is None
    assert in_slabs.results == found.results
    assert all(np.array_equal(a, b) for a, b in zip(got[:3], expected[:3], strict=True))


def until(u, v, tolerance, steps):
    for t in range(steps):
        r = 0.0
        for i in range(1, u.shape[0] - 1):
            for j in range(u.shape[1]):
                v[i, j] = 0.5 * (u[i - 1, j] + u[i + 1, j])
                r = max(r, abs(v[i, j] - u[i, j]))
        u, v = v, u
        if r < tolerance:
            break


def relaxed(u, v, factor, steps):
    for t in range(steps):
        r = 0.0
        for i in range(1, u.shape[0] - 1):
            for j in range(u.shape[1]):
                v[i, j] = factor * (u[i - 1, j] + u[i + 1, j])
                r += v[i, j]
        factor = 1.0 / (1.0 + abs(r))
        u, v = v, u


def corner(u, v, factor, steps):
    for t in range(steps):
        r = 0.0
        for i in range(1, u.shape[0] - 1):
            for j in range(u.shape[1]):
                v[i, j] = factor * (u[i - 1, j] + u[i + 1, j])
                r += v[i, j]
        u[0, 0] = r
        u, v = v, u


@pytest.mark.sample(0)
@pytest.mark.parametrize("function", [until, relaxed, corner])
def test_steps_that_depend_on_a_sum_are_left_as_they_are(function):
    arguments = [array(20, 9), array(9, 20).reshape(20, 9).copy(), 0.5, 4]
    cut = placed(function, arguments, slabs=True)
    assert not in_blocks(cut)
    expected, got = copies(arguments), copies(arguments)
    function(*expected)
    assert trace(cut.program, got, {DEVICE: SimulatedDevice(memory=6_000)}).error is None
    for a, b in zip(got[:2], expected[:2], strict=True):
        np.testing.assert_allclose(a, b, rtol=1e-12)
