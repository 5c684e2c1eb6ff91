"""Several steps of a time loop in one kernel: arrays hold afterwards what the program leaves in them."""

from dataclasses import replace

import numpy as np
import pytest

from tests.frontend.compare import program_of
from tests.plan.counting import counts_of
from weft.backends.cuda import compiler
from weft.backends.cuda.dialect import generate_kernels
from weft.cost.memory.classes import access_classes
from weft.errors import ArgumentError
from weft.frontend import build
from weft.frontend.source.signature import describe, describe_device_array
from weft.ir import nodes as n
from weft.ir.check.verifier import verify
from weft.ir.reference.interpreter import trace
from weft.ir.visit import walk
from weft.plan.place import place
from weft.plan.transfers.check import check_plan
from weft.schedule import Bind, Steps
from weft.transform.pipeline import optimise

DEVICE = "cuda"
BINDS = Bind("j@2", "x", 6, 2, 2, 4), Bind("i@2", "y", 1, 4, 4)


def jacobi(u, v, steps):
    for t in range(steps):
        for i in range(1, u.shape[0] - 1):
            for j in range(1, u.shape[1] - 1):
                v[i, j] = 0.25 * (u[i - 1, j] + u[i + 1, j] + u[i, j - 1] + u[i, j + 1])
        u, v = v, u
    return u


def with_source(u, v, f, steps):
    for t in range(2, steps):
        for i in range(1, u.shape[0] - 1):
            for j in range(1, u.shape[1] - 1):
                v[i, j] = u[i, j] + 0.5 * (u[i - 1, j + 1] - f[i, j])
        u, v = v, u


def weighted_by_time(u, v, steps):
    for t in range(steps):
        for i in range(1, u.shape[0] - 1):
            for j in range(1, u.shape[1] - 1):
                v[i, j] = t * u[i - 1, j]
        u, v = v, u


def in_some_places(u, v, steps):
    for t in range(steps):
        for i in range(1, u.shape[0] - 1):
            for j in range(1, u.shape[1] - 1):
                if u[i, j] > 0.0:
                    v[i, j] = u[i - 1, j]
        u, v = v, u


def without_exchange(u, v, steps):
    for t in range(steps):
        for i in range(1, u.shape[0] - 1):
            for j in range(1, u.shape[1] - 1):
                v[i, j] = u[i - 1, j]


def placed(function, arguments, schedule=(), disable=()):
    program = optimise(program_of(function, *arguments), frozenset({"split_by_sign"}))
    placement = place(program, DEVICE, frozenset(disable), schedule)
    verify(placement.program)
    check_plan(placement.program)
    return placement


def grids(count=2, shape=(7, 9)):
    generator = np.random.default_rng(3)
    return tuple(generator.integers(-9, 9, shape).astype(np.float32) for _ in range(count))


def fused(placement):
    """How many steps kernels run at once."""
    return [d.count for nest in placement.nests for d in nest.schedule if isinstance(d, Steps)]


@pytest.mark.parametrize("function", [jacobi, with_source])
@pytest.mark.parametrize("steps", [0, 1, 3, 4, 8])
@pytest.mark.parametrize("disable", [(), ("placement",)])
def test_both_arrays_hold_the_last_two_steps(function, steps, disable):
    arguments = (*grids(3 if function is with_source else 2), steps)
    expected = tuple(a.copy() if isinstance(a, np.ndarray) else a for a in arguments)
    placement = placed(function, arguments, (*BINDS, Steps("t", 3)), disable)
    assert fused(placement) == [3]
    function(*expected)
    traced = trace(placement.program, arguments)
    assert traced.error is None
    for got, wanted in zip(arguments, expected, strict=True):
        np.testing.assert_array_equal(got, wanted)


@pytest.mark.parametrize(
    ("schedule", "disable", "expected"),
    [
        ((), (), [7]),
        ((), ("steps",), []),
        ((Steps("t", 1),), (), []),
        ((Steps("t", 5),), (), [5]),
        ((Bind("j", "x", 32), Bind("i", "y", 8)), (), []),
    ],
)
def test_steps_on_arrays_of_the_device_run_at_once_unless_told_otherwise(schedule, disable, expected):
    given = {"shape": (99, 99), "typestr": "<f4", "data": (0, False), "strides": None, "version": 3, "stream": None}
    array = describe_device_array(given, "u")
    program = optimise(build(stepped, (array, array, describe(9))))
    placement = place(program, DEVICE, frozenset(disable), schedule)
    verify(placement.program)
    assert fused(placement) == expected


def test_steps_on_arrays_of_the_host_run_at_once_as_well():
    assert fused(placed(jacobi, (*grids(), 20))) == [7]


def test_fewer_steps_of_larger_elements_run_at_once():
    wide = tuple(array.astype(np.float64) for array in grids())
    assert fused(placed(jacobi, (*wide, 20))) == [5]


@pytest.mark.sample(1)
@pytest.mark.parametrize("size", [1, 1 << 25])
@pytest.mark.parametrize("steps", [0, 1, 2, 3, 4, 7])
def test_steps_that_run_at_once_move_what_single_ones_move(monkeypatch, size, steps):
    monkeypatch.setattr("weft.plan.prepare.fused_steps.LARGE", size)
    monkeypatch.setattr("weft.plan.prepare.fused_steps.steps_at_once", lambda stencil: 3)
    first, second = ((*grids(), steps) for _ in range(2))
    together, alone = (
        trace(placed(jacobi, arguments, (), disable).program, arguments)
        for arguments, disable in ((first, ()), (second, ("steps",)))
    )
    for got, expected in zip(first[:2], second[:2], strict=True):
        np.testing.assert_array_equal(got, expected)
    counts, expected = counts_of(together.steps), counts_of(alone.steps)
    fewer = 2 * (max(steps - 1, 0) // 3) if size == 1 else 0
    assert replace(counts, launches=counts.launches + fewer) == expected


def stepped(u, v, steps):
    for t in range(steps):
        for i in range(1, u.shape[0] - 1):
            for j in range(1, u.shape[1] - 1):
                v[i, j] = 0.25 * (u[i - 1, j] + u[i + 1, j] + u[i, j - 1] + u[i, j + 1])
        u, v = v, u


@pytest.mark.parametrize("function", [weighted_by_time, in_some_places])
def test_other_loops_run_step_by_step(function):
    arguments = (*grids(), 5)
    assert fused(placed(function, arguments)) == []
    with pytest.raises(ArgumentError, match="cannot run at once"):
        placed(function, arguments, (Steps("t", 3),))


def test_arrays_that_keep_their_places_are_no_steps():
    assert fused(placed(without_exchange, (*grids(), 5))) == []


def test_an_even_number_of_steps_is_refused():
    with pytest.raises(ArgumentError, match="no odd number"):
        placed(jacobi, (*grids(), 5), (Steps("t", 4),))


@pytest.mark.sample(1)
@pytest.mark.parametrize("dtype", [np.float32, np.float64, np.int32])
def test_kernels_of_several_steps_keep_all_in_registers(dtype):
    pytest.importorskip("cuda.bindings.nvrtc")
    u, v = (a.astype(dtype) for a in grids())
    program = placed(jacobi if dtype != np.int32 else with_integers, (u, v, 9), (Steps("t", 5),)).program
    needs = compiler.compile_source(generate_kernels(program), "sm_90").resources
    assert len(needs) == 2
    assert not any(r.spill_stores or r.spill_loads for r in needs.values())


def with_integers(u, v, steps):
    for t in range(steps):
        for i in range(1, u.shape[0] - 1):
            for j in range(1, u.shape[1] - 1):
                v[i, j] = u[i - 1, j] ^ u[i, j + 1]
        u, v = v, u


def test_a_step_alone_is_left_for_the_end():
    program = placed(jacobi, (*grids(), 20), (Steps("t", 5),)).program
    launches = [s for s in walk(program.body) if isinstance(s, n.Launch)]
    assert len(launches) == 2


def test_what_several_steps_access_can_be_told():
    nests = [nest for nest in placed(jacobi, (*grids(), 20)).nests if nest.kernel]
    for nest in nests:
        kernel = nest.offloaded.kernel
        sizes = {f"{p.name}.{what}[{k}]": 512 for p in kernel.params for what in ("shape", "strides") for k in (0, 1)}
        sizes |= {p.name: 511 for p in kernel.params}
        assert {c.array.partition(".")[0] for c in access_classes(kernel, nest.schedule, sizes)} == {"u", "v"}
    assert len(nests) == 2
