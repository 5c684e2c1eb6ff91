"""Simulated devices have memory, a clock and limits of their own, and fail when they are told to."""

from dataclasses import replace

import numpy as np
import pytest

from weft.errors import DeviceError, InternalError, OutOfMemoryError
from weft.ir import nodes as n
from weft.ir.forms.builder import Builder
from weft.ir.reference.interpreter import trace
from weft.ir.reference.simulated import SimulatedDevice
from weft.ir.types import FLOAT64, PYBOOL, PYINT, View
from weft.ir.visit import rewrite

X = n.Var("x", View(FLOAT64, 1))
EXTENT = 10
SIZE = EXTENT * 8


def kernel():
    """Adds 1 to every element."""
    build = Builder("add_one")
    x = build.array("x", FLOAT64)
    with build.loop("i", 0, build.dim(x)) as loop:
        t = build.load(x, loop.index, bounds="check")
        build.store(x, loop.index, value=build.add(t, 1.0), bounds="check")
    program = build.program()
    return n.Kernel("add_one", (x,), program.body, (64,))


def reading(beyond=0):
    """Reads every element, and so many beyond the last."""
    build = Builder("read")
    x = build.array("x", FLOAT64)
    with build.loop("i", 0, build.add(build.dim(x), beyond)) as loop:
        build.load(x, loop.index, bounds="check")
    return n.Kernel("read", (x,), build.program().body, (64,))


def program(*statements, yields=()):
    """A program of an array x that does these things."""
    param = n.Param(X, n.Source("argument", "x"))
    return n.Program("placed", (param,), n.Block(statements, yields))


IN, OUT = n.Copy(X, "host", "d"), n.Copy(X, "d", "host")
LAUNCH, WAIT, FREE = n.Launch(kernel(), "d", (X,)), n.Wait("d"), n.Free(X, "d")
WHOLE = program(IN, LAUNCH, OUT, FREE, WAIT)


def ran(program, device=SimulatedDevice()):
    """What happened on a device, and the array afterwards."""
    x = np.arange(float(EXTENT))
    return trace(program, (x,), {"d": device}), x


Y = n.Var("y", X.type)


def test_a_copy_onto_another_array_is_a_new_version_of_that():
    """What the array itself holds in the memory stays what it was, and the host's version of the other is old."""
    params = tuple(n.Param(v, n.Source("argument", v.name)) for v in (X, Y))
    fill, empty = n.Copy(X, "host", "d", onto=Y), n.Copy(Y, "d", "host", onto=X)
    launch = n.Launch(kernel(), "d", (Y,))
    values = np.arange(float(EXTENT)), np.zeros(EXTENT)
    whole = n.Program("placed", params, n.Block((fill, launch, empty, n.Copy(Y, "d", "host"), WAIT, n.Free(Y, "d"))))
    assert trace(whole, values, {"d": SimulatedDevice()}).error is None
    for value in values:
        np.testing.assert_array_equal(value, np.arange(EXTENT) + 1.0)
    short = n.Program("placed", params, n.Block((fill, launch, empty, WAIT, n.Free(Y, "d"))))
    with pytest.raises(InternalError, match="newer elements on a device"):
        trace(short, values, {"d": SimulatedDevice()})


def test_a_placed_program_runs_on_its_device():
    found, x = ran(WHOLE)
    assert found.error is None
    assert [(s.kind, s.target) for s in found.steps] == [
        ("allocation", ""), ("copy", "d"), ("launch", "add_one"), ("copy", "host"), ("release", ""), ("wait", ""),
    ]  # fmt: skip
    np.testing.assert_array_equal(x, np.arange(EXTENT) + 1.0)


def test_time_passes_as_the_figures_of_the_device_say():
    device = SimulatedDevice(latency=1.0, copy_bandwidth=SIZE / 2.0, memory_bandwidth=2 * SIZE / 3.0)
    found, _ = ran(WHOLE, device)
    assert found.seconds == (1.0 + 2.0) + (1.0 + 3.0) + (1.0 + 2.0)
    spans = [(s.start, s.end) for s in found.steps if s.kind in ("copy", "launch", "wait")]
    assert spans == [(0.0, 3.0), (3.0, 7.0), (7.0, 10.0), (0.0, 10.0)]


def test_devices_work_at_the_same_time():
    other = n.Launch(reading(), "e", (X,))
    both = program(IN, n.Copy(X, "host", "e"), other, LAUNCH, OUT, WAIT, n.Wait("e"))
    device = SimulatedDevice(latency=1.0, copy_bandwidth=1e30, memory_bandwidth=1e30)
    found = trace(both, (np.zeros(EXTENT),), {"d": device, "e": device})
    assert [s.start for s in found.steps if s.kind == "launch"] == [1.0, 1.0]


def test_a_full_memory_is_reported():
    found, x = ran(WHOLE, SimulatedDevice(memory=SIZE - 1))
    assert isinstance(found.error, OutOfMemoryError)
    assert (found.error.needed, found.error.free) == (SIZE, SIZE - 1)
    np.testing.assert_array_equal(x, np.arange(EXTENT))


def test_memory_that_was_given_back_can_be_used_again():
    again = program(*WHOLE.body.statements, *WHOLE.body.statements)
    found, x = ran(again, SimulatedDevice(memory=SIZE))
    assert (found.error, found.held) == (None, {})
    np.testing.assert_array_equal(x, np.arange(EXTENT) + 2.0)


def test_memory_that_is_not_given_back_is_told():
    assert ran(program(IN, LAUNCH, OUT, WAIT))[0].held == {"d": SIZE}


@pytest.mark.parametrize("step", [("allocation", 0), ("copy", 0), ("copy", 1), ("launch", 0), ("wait", 0)])
def test_a_step_fails_on_demand(step):
    found, _ = ran(WHOLE, SimulatedDevice(failing={step}))
    assert isinstance(found.error, DeviceError)
    kinds = [s.kind for s in found.steps]
    assert kinds.count(step[0]) == step[1], "steps before it are done, and none after it"


def test_a_step_that_never_comes_does_not_fail():
    assert ran(WHOLE, SimulatedDevice(failing={("copy", 2)}))[0].error is None


def test_a_failing_device_is_no_fault_of_the_program():
    fault = n.Var("fault", PYBOOL)
    guarded = replace(LAUNCH, results=(fault,))
    found, _ = ran(program(IN, guarded, OUT, FREE, WAIT), SimulatedDevice(failing={("launch", 0)}))
    assert isinstance(found.error, DeviceError)


def test_what_a_kernel_that_fails_only_reads_is_as_it_was():
    fault = n.Var("fault", PYBOOL)
    launch = n.Launch(reading(beyond=1), "d", (X,), results=(fault,), reads=(X,))
    found, x = ran(program(IN, launch, OUT, WAIT, yields=(fault,)))
    assert found.error is None and x[3] == 3.0


def test_a_launch_with_a_result_waits():
    fault = n.Var("fault", PYBOOL)
    found, _ = ran(program(IN, replace(LAUNCH, results=(fault,)), OUT, WAIT, yields=(fault,)))
    assert [s.kind for s in found.steps][-4:] == ["launch", "wait", "copy", "wait"]


def storing(count):
    """Stores to the first elements."""
    build = Builder("store")
    x = build.array("x", FLOAT64)
    with build.loop("i", 0, count) as loop:
        build.store(x, loop.index, value=1.0, bounds="check")
    return n.Kernel("store", (x,), build.program().body, (64,))


HALF = n.Var("half", X.type)
FIRST = n.Let(HALF, n.Subview(X, (n.Slice(n.Const(0, PYINT), n.Const(EXTENT // 2, PYINT), n.Const(1, PYINT)),)))


def test_a_kernel_that_reads_more_than_its_launch_says_is_found():
    launch = n.Launch(reading(), "d", (X,), reads=(X,))
    assert ran(program(FIRST, IN, launch, FREE, WAIT))[0].error is None
    with pytest.raises(InternalError, match="reads more than its launch says"):
        ran(program(FIRST, IN, replace(launch, reads=(HALF,)), FREE, WAIT))


def test_a_kernel_may_read_what_it_wrote():
    build = Builder("twice")
    x = build.array("x", FLOAT64)
    with build.loop("i", 0, build.dim(x)) as loop:
        build.store(x, loop.index, value=1.0, bounds="check")
        build.store(x, loop.index, value=build.add(build.load(x, loop.index, bounds="check"), 1.0), bounds="check")
    launch = n.Launch(n.Kernel("twice", (x,), build.program().body, (64,)), "d", (X,), writes=(X,))
    found, x = ran(program(n.Reserve(X, "d"), launch, OUT, FREE, WAIT))
    assert found.error is None and (x == 2.0).all()


def test_a_kernel_that_writes_less_than_its_launch_says_is_found():
    launch = n.Launch(storing(EXTENT // 2), "d", (X,), writes=(HALF,))
    place, home = n.Reserve(X, "d"), n.Copy(HALF, "d", "host")
    assert ran(program(FIRST, place, launch, home, FREE, WAIT))[0].error is None
    with pytest.raises(InternalError, match="writes less than its launch says"):
        ran(program(FIRST, place, replace(launch, writes=(X,)), home, FREE, WAIT))


def test_what_a_kernel_leaves_as_it_was_must_have_been_sent():
    launch = n.Launch(storing(EXTENT // 2), "d", (X,), reads=(X,), writes=(X,))
    found, x = ran(program(IN, launch, OUT, FREE, WAIT))
    assert found.error is None and list(x[4:6]) == [1.0, 5.0]


def test_limits_of_kernels_are_kept():
    with pytest.raises(DeviceError, match="64 work items a block; 'd' takes 32"):
        ran(WHOLE, SimulatedDevice(group=32))
    with pytest.raises(DeviceError, match="1 operands; 'd' takes 0"):
        ran(WHOLE, SimulatedDevice(operands=0))


def test_a_missing_wait_is_found():
    without = replace(WHOLE, body=rewrite(WHOLE.body, lambda s: () if isinstance(s, n.Wait) else s))
    with pytest.raises(InternalError, match="a wait is missing"):
        ran(without)


def test_a_wait_for_another_array_is_not_enough():
    params = tuple(n.Param(v, n.Source("argument", v.name)) for v in (X, Y))
    first = n.Let(n.Var("t", FLOAT64), n.Load(X, (n.Const(0, PYINT),), "check"))
    values = np.arange(float(EXTENT)), np.zeros(EXTENT)
    for awaited, is_right in ((X, True), (Y, False)):
        moved = (IN, LAUNCH, OUT, n.Copy(Y, "host", "d"), n.Wait("d", (awaited,)), first, WAIT, FREE, n.Free(Y, "d"))
        whole = n.Program("placed", params, n.Block(moved))
        if is_right:
            assert trace(whole, values, {"d": SimulatedDevice()}).error is None
        else:
            with pytest.raises(InternalError, match="a wait is missing"):
                trace(whole, values, {"d": SimulatedDevice()})


def test_a_read_before_the_wait_is_found():
    first = n.Let(n.Var("t", FLOAT64), n.Load(X, (n.Const(0, PYINT),), "check"))
    with pytest.raises(InternalError, match="a wait is missing"):
        ran(program(IN, LAUNCH, OUT, first, WAIT))
    assert ran(program(IN, LAUNCH, OUT, WAIT, first))[0].error is None
