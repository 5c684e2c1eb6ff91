"""Blocks that the user pins to a device with ``with weft.device(...)`` inside a compiled function."""

import contextlib

import numpy as np
import pytest

import weft
from tests.frontend.compare import program_of
from tests.plan.counting import count
from tests.plan.simulated import DEVICE, Simulated
from weft.errors import TypeInferenceError, UnsupportedError
from weft.ir.check.verifier import verify
from weft.ir.forms import json_form, parser, text
from weft.ir.reference.interpreter import trace
from weft.plan import tiny_steps
from weft.plan.pins import device_for
from weft.plan.place import place
from weft.plan.transfers.check import check_plan
from weft.transform.pipeline import optimise

N, STEPS = 40, 3
BYTES = 8


@pytest.fixture(autouse=True)
def no_step_is_small(monkeypatch):
    """Let devices run loops however small their steps are."""
    monkeypatch.setattr(tiny_steps, "SMALL", 0)


def back_and_forth(a, b, steps):
    for _ in range(steps):
        for i in range(len(a)):
            a[i] = a[i] + 1.0
        with weft.device("cpu"):
            for i in range(len(b)):
                b[i] = b[i] + 2.0 * a[i]
        for i in range(len(a)):
            a[i] = 0.5 * b[i]


def test_a_pinned_block_in_a_loop_costs_one_copy_each_way_per_iteration():
    planned = count(back_and_forth, np.arange(float(N)), np.ones(N), STEPS)
    assert (planned.copies_in, planned.bytes_in) == (1 + STEPS, (1 + STEPS) * N * BYTES)
    assert (planned.copies_out, planned.bytes_out) == (STEPS + 1, (STEPS + 1) * N * BYTES)
    assert (planned.allocations, planned.launches) == (2, 2 * STEPS)


def at_the_end(a, b):
    for i in range(len(a)):
        a[i] = a[i] + 1.0
    with weft.device("cpu"):
        for i in range(1, 4):
            b[i] = a[i] * 2.0


def test_a_pinned_block_gets_what_it_reads_and_the_rest_comes_home_once():
    planned = count(at_the_end, np.arange(float(N)), np.ones(N))
    assert (planned.copies_in, planned.launches) == (1, 1)
    assert planned.bytes_out == N * BYTES


def nested(a, b):
    with weft.device("cpu"):
        for i in range(len(a)):
            a[i] = a[i] + 1.0
        with weft.device("cuda"):
            for i in range(len(a)):
                b[i] = a[i] * 2.0
        for i in range(len(a)):
            a[i] = b[i] - 1.0


def launches_of(function, *arguments, usual=None):
    """The lines of the loops that are kernels and of those that are not."""
    program = optimise(program_of(function, *arguments))
    placed = place(program, DEVICE, usual=usual)
    verify(placed.program)
    check_plan(placed.program)
    first = function.__code__.co_firstlineno
    lines = {True: set(), False: set()}
    for nest in placed.nests:
        lines[bool(nest.kernel)].add(nest.line - first)
    traced = trace(placed.program, arguments)
    assert traced.error is None
    return lines[True], lines[False], placed


def test_the_innermost_block_decides():
    a, b = np.arange(float(N)), np.zeros(N)
    kernels, others, _ = launches_of(nested, a, b)
    assert (kernels, others) == ({5}, {2, 7})
    np.testing.assert_array_equal(b, 2 * (np.arange(N) + 1.0))
    np.testing.assert_array_equal(a, b - 1.0)


def only_one(a):
    for i in range(len(a)):
        a[i] = a[i] + 1.0
    with weft.device("cuda"):
        for i in range(len(a)):
            a[i] = a[i] * 2.0


def test_a_call_on_the_processor_uses_a_device_for_the_block_that_is_pinned_to_it():
    kernels, others, placed = launches_of(only_one, np.arange(float(N)), usual="cpu")
    assert (kernels, others) == ({4}, {1})
    assert [p.reason for p in placed.nests if not p.kernel] == ["it is not pinned, and the call runs on 'cpu'"]
    assert placed.sequential() == ()


def double(a):
    for i in range(len(a)):
        a[i] = a[i] * 2.0


def through_a_helper(a):
    double(a)
    with weft.device("cpu"):
        double(a)


def test_loops_of_a_helper_belong_to_the_block_that_calls_it():
    _, _, placed = launches_of(through_a_helper, np.arange(float(N)))
    assert [bool(p.kernel) for p in placed.nests] == [True, False]


def inside_an_iteration(a, b):
    for i in range(len(a)):
        a[i] = a[i] + 1.0
        with weft.device("cpu"):
            b[i] = a[i]


def test_a_loop_around_a_pinned_block_is_no_kernel():
    kernels, _, placed = launches_of(inside_an_iteration, np.arange(float(N)), np.zeros(N))
    assert not kernels
    assert "the block in it that starts in line" in placed.nests[0].reason


def jumps(a, b, limit):
    for t in range(10):
        for i in range(len(a)):
            a[i] = a[i] + 1.0
        with weft.device("cpu"):
            for i in range(len(b)):
                b[i] = a[i]
            if b[0] > limit:
                break
            if b[1] > 1000.0:
                return -1
    return t


def test_a_pinned_block_may_break_continue_and_return():
    run = Simulated(jumps)
    for limit in (3.5, 100.0):
        a, b = np.arange(float(N)), np.zeros(N)
        expected_a, expected_b = a.copy(), b.copy()
        assert run(a, b, limit) == jumps(expected_a, expected_b, limit)
        np.testing.assert_array_equal(a, expected_a)
        np.testing.assert_array_equal(b, expected_b)


def test_programs_with_pins_come_back_from_text_and_json():
    program = program_of(back_and_forth, np.zeros(3), np.zeros(3), 1)
    assert parser.parse(text.to_text(program, locations=True)) == program
    assert json_form.from_json(json_form.to_json(program)) == program


# ------------------------------------------------------------------------------------------------------- refused


def two_devices(a):
    with weft.device("cuda"):
        for i in range(len(a)):
            a[i] = 1.0
    with weft.device("opencl"):
        for i in range(len(a)):
            a[i] = 2.0


@pytest.mark.parametrize("usual", ["cpu", "opencl", "cuda"])
def test_two_devices_beside_the_processor_are_refused(usual):
    with pytest.raises(UnsupportedError, match="is pinned to '(cuda|opencl)', and the program uses"):
        device_for(program_of(two_devices, np.zeros(3)), usual)


def test_the_interpreter_ignores_pins():
    assert device_for(program_of(two_devices, np.zeros(3)), "interpreter") == "interpreter"
    a = np.zeros(4)
    weft.jit(two_devices, device="interpreter")(a)
    np.testing.assert_array_equal(a, 2.0)


def names_the_interpreter(a):
    with weft.device("interpreter"):
        a[0] = 1.0


def uses_the_device(a):
    with weft.device("cpu") as found:
        a[0] = found.cores


def is_another_context(a):
    with contextlib.nullcontext():
        a[0] = 1.0


def test_a_block_cannot_be_pinned_to_the_interpreter():
    with pytest.raises(TypeInferenceError, match="cannot run on 'interpreter'"):
        program_of(names_the_interpreter, np.zeros(3))


@pytest.mark.parametrize("function", [uses_the_device, is_another_context])
def test_other_contexts_are_refused(function):
    with pytest.raises(UnsupportedError, match="with is supported for weft.device"):
        program_of(function, np.zeros(3))


# ------------------------------------------------------------------------------------------------- a real device


def on_opencl(a):
    for i in range(len(a)):
        a[i] = a[i] + 1.0
    with weft.device("opencl"):
        for i in range(len(a)):
            a[i] = a[i] * 2.0


@pytest.mark.opencl
@pytest.mark.parametrize("kind", ["numpy", "coherent"])
def test_a_call_on_the_processor_runs_a_pinned_block_on_a_device(kind):
    a = np.arange(float(N))
    given = a if kind == "numpy" else weft.array(a)
    compiled = weft.jit(on_opencl)
    for _ in range(2):
        with weft.profile() as profile:
            compiled(given)
        assert [e.device for e in profile.events if e.kind == "launch"] == ["opencl"]
    np.testing.assert_array_equal(np.asarray(given), ((np.arange(N) + 1.0) * 2.0 + 1.0) * 2.0)
    assert weft.explain(on_opencl, given).device == "opencl"


@pytest.mark.opencl
def test_a_block_of_a_call_on_a_device_runs_on_the_processor():
    a, b = np.arange(float(N)), np.ones(N)
    expected_a, expected_b = a.copy(), b.copy()
    back_and_forth(expected_a, expected_b, STEPS)
    compiled = weft.jit(back_and_forth, device="opencl")
    with weft.profile() as profile:
        compiled(a, b, STEPS)
    np.testing.assert_array_equal(a, expected_a)
    np.testing.assert_array_equal(b, expected_b)
    kinds = [e.kind for e in profile.events]
    assert (kinds.count("copy_in"), kinds.count("copy_out")) == (1 + STEPS, STEPS + 1)
    reasons = [part.reason for part in weft.explain(compiled, a, b, STEPS).placement]
    assert any("is pinned to 'cpu'" in reason for reason in reasons)


@pytest.mark.opencl
def test_a_pinned_loop_is_no_reason_for_a_warning(recwarn):
    weft.jit(at_the_end, device="opencl")(np.arange(float(N)), np.ones(N))
    assert not [w for w in recwarn if isinstance(w.message, weft.WeftWarning)]
