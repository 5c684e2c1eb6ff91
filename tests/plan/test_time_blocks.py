"""Several steps of a time loop for each stay of a slab: the answer is that of Python, and the data crosses seldom."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from tests.frontend.compare import program_of
from weft.errors import InternalError
from weft.ir import nodes as n
from weft.ir.check.verifier import verify
from weft.ir.reference.interpreter import holds, trace
from weft.ir.reference.simulated import SimulatedDevice
from weft.ir.visit import rewrite, walk
from weft.plan.partition.slab_loops import SPARE, SPARE_BYTES
from weft.plan.place import place
from weft.plan.transfers.check import check_plan
from weft.transform.pipeline import optimise

from .simulated import DEVICE

Function = Callable[..., Any]


def jacobi(u, v, steps):
    for t in range(steps):
        for i in range(1, u.shape[0] - 1):
            for j in range(1, u.shape[1] - 1):
                v[i, j] = 0.25 * (u[i - 1, j] + u[i + 1, j] + u[i, j - 1] + u[i, j + 1])
        u, v = v, u
    return u


def wave(u, v, w, steps):
    for t in range(steps):
        for i in range(1, len(u) - 1):
            w[i] = 2.0 * v[i] - u[i] + 0.25 * (v[i - 1] - 2.0 * v[i] + v[i + 1])
        u, v, w = v, w, u


def there_and_back(u, v, steps):
    for t in range(steps):
        for i in range(1, len(u) - 1):
            v[i] = 0.5 * (u[i - 1] + u[i + 1])
        for i in range(2, len(u) - 3):
            u[i] = v[i - 1] + 0.125 * v[i + 2]


def with_coefficients(u, v, c, table, steps):
    for t in range(2, steps):
        for i in range(1, len(u) - 1):
            v[i] = c[i] * (u[i - 1] + u[i + 1]) + table[1] * t
        u, v = v, u
    return v


def in_place(u, steps):
    for t in range(steps):
        for i in range(len(u)):
            u[i] = 0.5 * u[i] + t


def looking_ahead(u, v, steps):
    for t in range(steps):
        for i in range(len(u) - 3):
            v[i + 1] = u[i] + 0.5 * u[i + 3]
        u, v = v, u


def array(*shape):
    return np.random.default_rng(sum(shape)).random(shape)


def vectors(count, size):
    return [array(count + k, size)[k].copy() for k in range(count)]


CASES: dict[Function, Callable[[int, int], tuple[Any, ...]]] = {
    jacobi: lambda size, steps: (array(size, 5), array(5, size).reshape(size, 5).copy(), steps),
    wave: lambda size, steps: (*vectors(3, size), steps),
    there_and_back: lambda size, steps: (*vectors(2, size), steps),
    with_coefficients: lambda size, steps: (*vectors(3, size), array(3), steps),
    in_place: lambda size, steps: (*vectors(1, size), steps),
    looking_ahead: lambda size, steps: (*vectors(2, size), steps),
}


def copies(arguments):
    return [a.copy() if isinstance(a, np.ndarray) else a for a in arguments]


_programs: dict[Function, n.Program] = {}


def program(function: Function) -> n.Program:
    if function not in _programs:
        made = place(optimise(program_of(function, *CASES[function](9, 3))), DEVICE, slabs=True).program
        verify(made)
        _programs[function] = made
    return _programs[function]


def run(function: Function, arguments, memory):
    """Run a function on a device of so many bytes, against Python, bit by bit."""
    expected, got = copies(arguments), copies(arguments)
    assert holds(program(function), got)
    function(*expected)
    found = trace(program(function), got, {DEVICE: SimulatedDevice(memory=memory)})
    assert found.error is None
    assert all(np.array_equal(a, b) for a, b in zip(expected, got, strict=True))
    assert not found.held
    return found


@pytest.mark.sample(2)
@pytest.mark.parametrize("function", CASES)
def test_the_plan_is_proven(function):
    check_plan(program(function))


@pytest.mark.parametrize("function", CASES)
def test_steps_run_in_blocks(function):
    labels = [s.label for s in walk(program(function).body) if isinstance(s, n.For)]
    assert "t.blocks" in labels


@pytest.mark.parametrize("function", CASES)
@pytest.mark.parametrize("size", [0, 1, 2, 5, 61])
@pytest.mark.parametrize("steps", [0, 1, 2, 7])
def test_every_element_is_that_of_python(function, size, steps):
    arguments = CASES[function](size, steps)
    for memory in (3500, 9000):
        run(function, arguments, memory)


@pytest.mark.sample(1)
@pytest.mark.parametrize("function", CASES)
def test_several_blocks_of_which_the_last_ends_anywhere(function):
    for steps in (20, 21):
        run(function, CASES[function](24, steps), 3000 if function is jacobi else 1900)


@pytest.mark.sample(0)
def test_random_sizes_steps_and_limits():
    random = np.random.default_rng(11)
    for _ in range(4):
        for function in CASES:
            size, steps, memory = (int(random.integers(*k)) for k in ((0, 200), (0, 30), (3300, 20_000)))
            run(function, CASES[function](size, steps), memory)


@pytest.mark.sample(1)
@pytest.mark.parametrize("steps", [32, 46])
def test_slabs_stay_for_sixteen_steps_and_cross_seldom(steps):
    """Of arrays that are four times the memory."""
    arguments = CASES[wave](1200, steps)
    size = sum(a.nbytes for a in arguments if isinstance(a, np.ndarray))
    found = run_only(wave, arguments, size // 4)
    moved = sum(found.copied_bytes.values())
    crossings = found.copied_bytes["host", DEVICE] / size
    assert moved <= 1.2 * steps / 16 * size
    assert steps / crossings >= 16


def with_quarter(function: Function, arguments):
    """Run a function on a device that holds a quarter of its arrays, beside what every array costs."""
    arrays = [a for a in arguments if isinstance(a, np.ndarray)]
    size = sum(a.nbytes for a in arrays)
    places = 3 * len(arrays) * SPARE_BYTES * SPARE // (SPARE - 1)
    return run_only(function, arguments, size // 4 + places), size


def test_of_rows_in_which_a_slab_writes_elements_of_its_own_all_come_home():
    def diagonals(a, u, w, steps):
        for t in range(steps):
            for i in range(len(u)):
                a[i, i] = u[i] * 0.5 + a[i, i]
            for i in range(3, len(u)):
                u[i] = 0.5 * w[i] + t

    made = place(optimise(program_of(diagonals, array(9, 9), *vectors(2, 9), 3)), DEVICE, slabs=True).program
    verify(made)
    check_plan(made)
    for size, steps in ((30, 20), (31, 7), (2, 3), (0, 1)):
        arguments = [array(size, size), *vectors(2, size), steps]
        expected, got = copies(arguments), copies(arguments)
        diagonals(*expected)
        found = trace(made, got, {DEVICE: SimulatedDevice(memory=9000)})
        assert found.error is None
        assert all(np.array_equal(a, b) for a, b in zip(expected, got, strict=True))


@pytest.mark.sample(0)
def test_slabs_of_few_rows_cross_as_seldom():
    """Of 320 rows the device holds 80, as of 320 x 320 x 320 elements: rows that slabs share stay on the device."""
    found, size = with_quarter(jacobi, (array(320, 3), array(320, 3) + 1.0, 64))
    assert found.copied_bytes["host", DEVICE] == 2 * size
    assert sum(found.copied_bytes.values()) <= 1.2 * 64 / 16 * size


def test_copies_run_beside_launches():
    found, _ = with_quarter(jacobi, (array(160, 3), array(160, 3) + 1.0, 16))
    launches = [s for s in found.steps if s.kind == "launch"]
    copied = [s for s in found.steps if s.kind == "copy"]
    beside = [c for c in copied if any(c.start < k.end and k.start < c.end for k in launches)]
    assert len(beside) >= 0.8 * len(copied)


def run_only(function: Function, arguments, memory):
    found = trace(program(function), copies(arguments), {DEVICE: SimulatedDevice(memory=memory)})
    assert found.error is None
    return found


def test_what_was_not_written_does_not_come_home():
    """The first and the last element belong to nobody: not even the same value is copied onto them."""
    found = run(wave, CASES[wave](50, 3), None)
    home = found.copied_bytes[DEVICE, "host"]
    assert home == 3 * 48 * 8


def test_a_plan_that_does_not_fill_a_window_is_refused():
    made = program(in_place)
    blocks = next(s for s in walk(made.body) if isinstance(s, n.For) and s.label == "t.blocks")
    fill = next(s for s in walk(n.Block((blocks,))) if isinstance(s, n.Copy) and s.target == DEVICE)
    broken = replace(made, body=rewrite(made.body, lambda s: () if s is fill else s))
    with pytest.raises(InternalError, match="may be old"):
        check_plan(broken)


def test_a_loop_whose_order_matters_otherwise_runs_step_by_step():
    def backwards(u, v, steps):
        for t in range(steps):
            for i in range(len(u)):
                v[len(u) - 1 - i] = u[i]
            u, v = v, u

    arguments = (*vectors(2, 100), 3)
    made = place(optimise(program_of(backwards, *arguments)), DEVICE, slabs=True).program
    assert not any(s.label.endswith(".blocks") for s in walk(made.body) if isinstance(s, n.For))
    expected, got = copies(arguments), copies(arguments)
    backwards(*expected)
    assert trace(made, got, {DEVICE: SimulatedDevice(memory=3000)}).error is None
    assert all(np.array_equal(a, b) for a, b in zip(expected, got, strict=True))
