"""A block for each iteration: loops inside dealt out to its threads, its arrays in shared memory."""

import numpy as np
import pytest

import weft
from tests.frontend.compare import program_of as compiled_from
from tests.schedule.scheduled import arrays, check_same, kernel_of, program_of
from weft.backends.cuda.dialect import generate_kernels
from weft.ir import nodes as n
from weft.ir.visit import walk
from weft.plan.place import place
from weft.schedule.directives import Bind, Deal
from weft.schedule.legality import check_schedule
from weft.schedule.lower import lower
from weft.schedule.lowering.cooperate import dealt_loops
from weft.schedule.nests import flattened, grid_chain, names_of
from weft.transform.pipeline import optimise
from weft.tune.default import default_schedule


def neighbours(a, out):
    for i in range(a.shape[0]):
        t = np.empty(70, np.float32)
        for j in range(70):
            t[j] = a[i, j] * 2
        for j in range(1, 69):
            out[i, j] = t[j - 1] + t[j + 1]


def filled(a, out):
    for i in range(a.shape[0]):
        t = np.zeros((5, 14), np.float32)
        for j in range(3):
            for k in range(14):
                t[j, k] = a[i, j + k]
        for j in range(5):
            for k in range(14):
                out[i, j * 14 + k] = t[j, k]


def rows(a, out):
    for i in range(a.shape[0]):
        total = np.float32(0)
        for j in range(a.shape[1]):
            total += a[i, j]
        largest = a[i, 0]
        for j in range(a.shape[1]):
            largest = max(largest, a[i, j])
        for j in range(a.shape[1]):
            out[i, j] = a[i, j] * total + largest


def relaxed(a, out):
    for i in range(a.shape[0]):
        t = np.zeros(70, np.float32)
        u = np.zeros(70, np.float32)
        for j in range(70):
            t[j] = a[i, j]
        for _ in range(3):
            for j in range(1, 69):
                u[j] = t[j - 1] + t[j + 1]
            for j in range(1, 69):
                t[j] = u[j]
        first = t[0] + t[69]
        for j in range(70):
            out[i, j] = t[j] + first


def summed_in_steps(a, out):
    for i in range(a.shape[0]):
        t = np.zeros(70, np.float32)
        for k in range(3):
            total = np.float32(0)
            for j in range(70):
                total += a[i, j] * t[j]
            for j in range(70):
                t[j] = total + k
        for j in range(70):
            out[i, j] = t[j]


def alone(a, out):
    for i in range(a.shape[0]):
        t = np.zeros(70, np.float32)
        for j in range(70):
            t[j] = a[i, j]
        for j in range(1, 70):
            t[j] = t[j] + t[j - 1]
        for j in range(70):
            out[i, j] = t[j]


FUNCTIONS = [neighbours, filled, rows, relaxed, summed_in_steps, alone]


@pytest.mark.parametrize("group", [1, 32, 128])
@pytest.mark.parametrize("function", FUNCTIONS, ids=lambda f: f.__name__)
def test_a_dealt_kernel_does_what_it_did(function, group):
    label = next(dealt_loops(flattened(grid_chain(kernel(function))))).label
    check_same(function, arrays((3, 70), (3, 70)), (Bind("i", "y", 1), Deal(label, "x", group)))


def kernel(function):
    return kernel_of(program_of(function, arrays((3, 70), (3, 70))()))[0]


def test_arrays_of_an_iteration_are_shared_by_its_block():
    schedule = default_schedule(kernel(neighbours))
    assert schedule == (Bind("i", "y", 1), Deal("j", "x", 96))
    made = lower(kernel(neighbours), schedule, names_of(kernel(neighbours))).kernel
    memories = [s.value.memory for s in walk(made.body) if isinstance(s, n.Let) and isinstance(s.value, n.Alloc)]
    assert memories == ["shared"]
    assert made.group == (96, 1, 1)


def test_rows_with_several_loops_get_a_block_each():
    assert default_schedule(kernel(rows)) == (Bind("i", "y", 1), Deal("j", "x", 256, 4, 4, 5))


def small(a, out):
    for i in range(a.shape[0]):
        t = np.empty(4, np.float32)
        for j in range(4):
            t[j] = a[i, j]
        for j in range(4):
            out[i, j] = t[3 - j]


def test_a_few_elements_stay_with_one_thread():
    assert default_schedule(kernel(small)) == (Bind("i", "x", 256),)


def test_what_one_thread_would_do_for_a_block_is_done_by_a_thread_each():
    assert default_schedule(kernel(alone)) == (Bind("i", "x", 256),)


def huge(a, out):
    for i in range(a.shape[0]):
        t = np.empty(20000, np.float32)
        for j in range(70):
            t[j] = a[i, j]
        for j in range(70):
            out[i, j] = t[69 - j]


def raises(a, out):
    for i in range(a.shape[0]):
        t = np.empty(70, np.float32)
        for j in range(70):
            if a[i, j] > 1e9:
                raise ValueError("large")
            t[j] = a[i, j]
        for j in range(70):
            out[i, j] = t[69 - j]


def raises_in_the_end(a, out):
    for i in range(a.shape[0]):
        t = np.empty(70, np.float32)
        for j in range(70):
            t[j] = a[i, j]
        for j in range(70):
            if t[j] > 1e9:
                raise ValueError("large")
            out[i, j] = t[69 - j]


def by_size(a, out):
    for i in range(a.shape[0]):
        t = np.empty(a.shape[1], np.float32)
        for j in range(a.shape[1]):
            t[j] = a[i, j]
        for j in range(1, a.shape[1]):
            out[i, j] = t[j - 1]


REFUSED = {
    "shared-memory": (huge, (Bind("i", "y", 1), Deal("j", "x", 64))),
    "known-size": (by_size, (Bind("i", "y", 1), Deal("j", "x", 64))),
    "one-iteration": (neighbours, (Bind("i", "y", 2), Deal("j", "x", 64))),
    "parallel": (neighbours, (Bind("i", "y", 1), Deal("i", "x", 64))),
}


@pytest.mark.parametrize("constraint", REFUSED)
def test_what_cannot_be_dealt_is_refused_by_name(constraint):
    function, schedule = REFUSED[constraint]
    assert constraint in {v.constraint for v in check_schedule(kernel(function), schedule)}


@pytest.mark.parametrize("function, loop", [(raises, "j@2"), (raises_in_the_end, "j")])
def test_loops_of_an_iteration_may_raise(function, loop):
    schedule = Bind("i", "y", 1), Deal(loop, "x", 64)
    assert not check_schedule(kernel(function), schedule)
    check_same(function, arrays((3, 70), (3, 70)), schedule)


def test_larger_arrays_are_refused_for_each_thread():
    def large(a, out):
        for i in range(a.shape[0]):
            t = np.empty(700, np.float32)
            for j in range(70):
                t[j] = a[i, j]
            for j in range(70):
                out[i, j] = t[69 - j]

    assert [v.constraint for v in check_schedule(kernel(large), (Bind("i", "x", 64),))] == ["own-arrays"]
    assert not check_schedule(kernel(large), default_schedule(kernel(large)))


def relaxed_in_the_caller(u, v, steps):
    for i in range(u.shape[0]):
        for _ in range(steps):
            for j in range(1, u.shape[1] - 1):
                v[i, j] = (u[i, j - 1] + u[i, j + 1]) * 0.5
            for j in range(1, u.shape[1] - 1):
                u[i, j] = v[i, j]


@pytest.mark.opencl
def test_threads_wait_for_one_another_where_they_meet_in_arrays_of_the_caller():
    pytest.importorskip("pyopencl")
    u = np.random.default_rng(3).random((3, 700))
    expected, given = u.copy(), u.copy()
    relaxed_in_the_caller(expected, np.zeros_like(u), 4)
    weft.jit(relaxed_in_the_caller, device="opencl")(given, np.zeros_like(u), 4)
    np.testing.assert_array_equal(given, expected)


def test_threads_wait_only_where_there_is_more_than_one_phase():
    arrays = np.zeros((3, 700)), np.zeros((3, 700))
    placed = place(optimise(compiled_from(relaxed_in_the_caller, *arrays, 4)), "cuda")
    text = generate_kernels(placed.program)
    assert text.count("__syncthreads()") == 2, "where nothing can be outside"
    assert text.count("__syncthreads_or(") == 2, "where an index may be, and all leave together"


def until(a, o):
    for i in range(a.shape[0]):
        s = 0.0
        for j in range(a.shape[1]):
            s += a[i, j]
        while s > 0.0:
            t = 0.0
            for j in range(a.shape[1]):
                t += a[i, j] * s
            s = min(t, 1e6)
        o[i] = s


@pytest.mark.opencl
def test_threads_that_run_a_while_loop_together_stop_together():
    """One of them sees that the time is over; the others would wait for it for ever if it left alone."""
    function = weft.jit(until, device="opencl", timeout=0.5)
    o = np.ones(3)
    function(np.zeros((3, 200)), o)
    assert not o.any()
    with pytest.raises(weft.TimeoutError):
        function(np.ones((3, 200)), o)
