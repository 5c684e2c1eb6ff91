"""`weft.kernel` in compiled functions: what runs where, what is copied, and the same answers as plain Python gives."""

from __future__ import annotations

import copy
import re

import numpy as np
import pytest

import weft
from tests.autotune import foreign_kernels as kernels
from tests.autotune.foreign_kernels import C_TYPES, scale, scale_of, scale_on_cuda, twice
from tests.autotune.more_programs_with_kernels import PROGRAMS as MORE
from tests.autotune.programs_with_kernels import PROGRAMS, SIZES, between_loops, numbers
from weft.autotune.foreign.kernel import Kernel
from weft.errors import ArgumentError, TypeInferenceError, UnsupportedError


def outcome(function, arguments):
    """What a call returns and leaves in its arguments, bit for bit."""
    given = copy.deepcopy(arguments)
    result = function(*given)
    flat = [*(result if isinstance(result, tuple) else (result,)), *given]
    return [value.tobytes() if isinstance(value, np.ndarray) else value for value in flat]


def near(function, arguments):
    """The same, for sums that may be added in another order."""
    given = copy.deepcopy(arguments)
    result = function(*given)
    return [
        np.asarray(v, float) for v in (*(result if isinstance(result, tuple) else (result,)), *given) if v is not None
    ]


@pytest.mark.opencl
@pytest.mark.parametrize("name", PROGRAMS)
@pytest.mark.parametrize("device", ["opencl", "interpreter"])
@pytest.mark.parametrize("uses_touches", [False, True])
def test_programs_give_what_python_gives(name, device, uses_touches, monkeypatch):
    monkeypatch.setattr(Kernel, "is_checked", property(lambda kernel: uses_touches and kernel.touches is not None))
    function, arguments = PROGRAMS[name]
    compiled = weft.jit(function, device=device)
    for size in SIZES if device == "opencl" else (1, 17):
        given = arguments(size)
        found, wanted = near(compiled, given), near(function, given)
        for k, (one, other) in enumerate(zip(found, wanted, strict=True)):
            np.testing.assert_allclose(one, other, rtol=1e-5, atol=1e-4, err_msg=f"{name}, {size} elements, value {k}")


@pytest.mark.opencl
@pytest.mark.parametrize("program", MORE, ids=lambda program: program.__name__)
@pytest.mark.parametrize("uses_touches", [False, True])
def test_programs_give_it_for_arrays_on_the_device_and_for_parts_of_large_ones(program, uses_touches, monkeypatch):
    monkeypatch.setattr(Kernel, "is_checked", uses_touches)
    given = tuple(np.concatenate([numbers(300, seed=k)] * 20) for k in range(3))
    wanted = copy.deepcopy(given)
    program(*wanted)
    coherent = [weft.array(value) for value in given]
    weft.jit(program, device="opencl")(*coherent)
    mixed = [weft.array(given[0]), given[1].copy(), weft.array(given[2])]
    weft.jit(program, device="opencl")(*mixed)
    in_slabs = copy.deepcopy(given)
    weft.jit(program, device="opencl", memory_limit=60_000)(*in_slabs)
    for found in (coherent, mixed, in_slabs):
        for one, other in zip(found, wanted, strict=True):
            np.testing.assert_allclose(np.asarray(one), other, rtol=1e-5, atol=1e-4)


def scaled(x, y, a):
    scale(x, y, a)


@pytest.mark.opencl
@pytest.mark.parametrize("dtype", C_TYPES)
def test_every_type_of_elements_goes_to_a_kernel(dtype):
    kernel = scale_of(dtype)

    def function(x, y, a):
        for i in range(len(x)):
            x[i] = x[i] + x[i]
        kernel(x, y, a)

    given = numbers(100, dtype), numbers(90, dtype, seed=1), 3
    for device in ("opencl", "interpreter"):
        assert outcome(weft.jit(function, device=device), given) == outcome(function, given)


@pytest.mark.opencl
def test_without_a_device_a_function_runs_where_its_kernels_do():
    given = numbers(50), numbers(50), numbers(50)
    compiled = weft.jit(between_loops)
    assert outcome(compiled, given) == outcome(between_loops, given)
    assert weft.explain(compiled, *given).choice.device == "opencl"


@pytest.mark.opencl
def test_nothing_is_copied_between_a_kernel_and_loops_beside_it():
    given = numbers(50), numbers(50), numbers(50)
    plan = weft.explain(weft.jit(between_loops, device="opencl"), *given).plan
    moves = [line.partition(",")[0] for line in str(plan).splitlines() if line.startswith(("copy", "launch"))]
    assert sorted(moves) == [
        "copy in x", "copy in y", "copy out x", "copy out y", "copy out z",
        "launch between_loops_0", "launch between_loops_1", "launch between_loops_call_0",
    ]  # fmt: skip


@pytest.mark.opencl
def test_arrays_on_the_device_stay_there():
    x, y = weft.array(numbers(100)), weft.array(numbers(100))
    compiled = weft.jit(scaled, device="opencl")
    compiled(x, y, 2)
    with weft.profile() as profile:
        compiled(x, y, 2)
        compiled(y, x, 4)
    assert not [event for event in profile.events if event.kind in ("copy to the device", "copy to the host")]
    assert np.array_equal(np.asarray(x), 8 * numbers(100))


@pytest.mark.opencl
def test_large_arrays_go_to_the_device_for_a_kernel_alone():
    given = numbers(1 << 14), numbers(1 << 14), numbers(1 << 14)
    compiled = weft.jit(between_loops, device="opencl", memory_limit=160_000)
    assert outcome(compiled, given) == outcome(between_loops, given)


@pytest.mark.opencl
def test_numbers_arrive_as_the_kernel_declares_them():
    def function(x, y, a, n):
        scale(x, y, a, n)

    compiled = weft.jit(function, device="opencl")
    for a, n in ((2, np.int64(7)), (np.float64(0.1), np.uint8(9)), (True, 3), (np.int16(-4), 0)):
        given = numbers(20), numbers(20, seed=1), a, n
        assert outcome(compiled, given) == outcome(function, given)
    for n in (2**31, np.int64(-(2**31) - 1), 2**40):
        with pytest.raises(OverflowError):
            compiled(numbers(20), numbers(20), 1, n)


@pytest.mark.opencl
def test_the_point_that_was_found_best_is_used(own_store):
    text = (
        "__kernel void who(__global int *y, int n) { int i = get_global_id(0); if (i < n) y[i] = get_local_size(0); }"
    )
    who = weft.kernel(
        text, "who", arguments=(weft.Out("y"), "n"), grid=lambda n: (n,), block=("wg",),
        tunables={"wg": [2, 4, 32]}, constraints=["wg <= n"],
    )  # fmt: skip

    def function(y):
        who(y)
        return y[0]

    compiled = weft.jit(function, device="opencl")
    assert compiled(np.zeros(64, np.int32)) == 2
    best = weft.tune(who, np.zeros(64, np.int32), evaluations=3, rtol=100.0)
    assert compiled(np.zeros(64, np.int32)) == best.tuning.best.point["wg"]
    assert compiled(np.zeros(1000, np.int32)) == 2, "other sizes were not tuned"
    who.use({"wg": 32})
    assert compiled(np.zeros(64, np.int32)) == 32
    assert compiled(np.zeros(3, np.int32)) == 2, "the best point is not legal there"


@pytest.mark.opencl
def test_another_kernel_of_the_name_is_another_program():
    text = "__kernel void k(__global int *y, int n) { int i = get_global_id(0); if (i < n) y[i] = VALUE; }"

    def described(value):
        return weft.kernel(
            text, "k", arguments=(weft.Out("y"), "n"), grid=lambda n: (n,), block=(1,), defines={"VALUE": value}
        )

    kernel = described(1)

    def function(y):
        kernel(y)
        return y[0]

    compiled = weft.jit(function, device="opencl")
    assert compiled(np.zeros(5, np.int32)) == 1
    kernel = described(2)
    assert compiled(np.zeros(5, np.int32)) == 2


@pytest.mark.opencl
def test_kernels_run_in_pinned_blocks():
    def function(x, y, z):
        with weft.device("opencl"):
            scale(x, y, 2)
        for i in range(len(z)):
            z[i] = y[i] + 1

    given = numbers(50), numbers(50), numbers(50)
    found = outcome(weft.jit(function, device="cpu"), given)
    assert found[1:] == [given[0].tobytes(), (2 * given[0]).tobytes(), (2 * given[0] + 1).tobytes()]


def test_kernels_in_c_run_on_the_host():
    def function(x, y):
        for i in range(len(x)):
            x[i] = x[i] + 1
        twice(x, y, len(x))
        return y.sum()

    given = np.arange(50.0), np.zeros(60)
    assert outcome(weft.jit(function, device="cpu"), given) == outcome(function, given)


def test_a_kernel_without_a_reference_is_refused_by_the_interpreter():
    blind = weft.kernel(
        kernels.SCALE.replace("T ", "float "), "scale", arguments=(weft.In("x"), weft.Out("y"), "a", "n"),
        grid=lambda n: (n,), block=(1,),
    )  # fmt: skip

    def function(x, y):
        blind(x, y, 1)

    with pytest.raises(ArgumentError, match="the interpreter has no reference for it") as caught:
        weft.jit(function, device="interpreter")(numbers(3), numbers(3))
    assert "reference=" in str(caught.value)


def test_a_kernel_is_refused_on_another_device():
    with pytest.raises(UnsupportedError, match="scale is written in OpenCL C, and the call runs on 'cpu'") as caught:
        weft.jit(scaled, device="cpu")(numbers(3), numbers(3), 1)
    assert '@weft.jit(device="opencl")' in str(caught.value)
    assert "scale(x, y, a)" in str(caught.value)


def test_kernels_for_two_devices_are_refused():
    def function(x, y):
        scale(x, y, 1)
        scale_on_cuda(x, y, 1)

    with pytest.raises(UnsupportedError, match="make two functions of it"):
        weft.jit(function, device="opencl")(numbers(3), numbers(3))


REFUSED = {
    "another type": (lambda x, y: scale(x, y, 1), (np.zeros(3), numbers(3)), r"array of float32 as 'x'.*float64"),
    "another type of output": (lambda x, y: scale(x, y, 1), (numbers(3), np.zeros(3)), r"array of float32 as 'y'"),
    "a number for an array": (lambda x, y: scale(1.0, y, 1), (numbers(3), numbers(3)), "takes an array as 'x'"),
    "an array for a number": (lambda x, y: scale(x, y, x), (numbers(3), numbers(3)), "takes a number as 'a'"),
    "a float for an integer": (lambda x, y: scale(x, y, 1, 2.0), (numbers(3), numbers(3)), "takes 'n' as int32"),
    "too few": (lambda x, y: scale(x), (numbers(3), numbers(3)), "'y' is missing"),
    "too many": (lambda x, y: scale(x, y, 1, 2, 3), (numbers(3), numbers(3)), "5 arguments are given"),
    "twice": (lambda x, y: scale(x, y, 1, x=x), (numbers(3), numbers(3)), "gets the argument 'x' twice"),
    "no such name": (lambda x, y: scale(x, y, 1, m=3), (numbers(3), numbers(3)), "and no 'm'"),
    "a device": (lambda x, y: scale(x, y, 1, device="opencl"), (numbers(3), numbers(3)), "leave device out"),
    "a tuple for an array": (lambda x, y: scale((x, y), y, 1), (numbers(3), numbers(3)), "takes an array as 'x'"),
    "None for a number": (lambda x, y: scale(x, y, None), (numbers(3), numbers(3)), "a"),
}


@pytest.mark.opencl
@pytest.mark.parametrize("case", REFUSED)
def test_arguments_that_do_not_fit_are_refused(case):
    function, given, message = REFUSED[case]
    with pytest.raises(TypeInferenceError) as caught:
        weft.jit(function, device="opencl")(*given)
    assert re.search(message, str(caught.value)), str(caught.value)


@pytest.mark.opencl
def test_a_read_only_output_is_refused():
    y = numbers(3)
    y.flags.writeable = False
    with pytest.raises(TypeInferenceError, match="'y' is read-only"):
        weft.jit(scaled, device="opencl")(numbers(3), y, 1)


SHARED = {
    "one array": lambda x: scale(x, x, 2),
    "overlapping parts": lambda x: scale(x[:-1], x[1:], 2),
    "a part and the whole": lambda x: scale(x[4:], x, 2),
}


@pytest.mark.opencl
@pytest.mark.parametrize("case", SHARED)
def test_arrays_that_share_memory_are_refused_where_one_is_written(case):
    x = numbers(20)
    with pytest.raises(ArgumentError, match="'x' and 'y' of the kernel scale share memory") as caught:
        weft.jit(SHARED[case], device="opencl")(x)
    assert caught.value.location is not None
    assert np.array_equal(x, numbers(20))


@pytest.mark.opencl
def test_arguments_of_the_function_that_overlap_are_refused():
    x = numbers(20)
    with pytest.raises(ArgumentError, match="share memory"):
        weft.jit(scaled, device="opencl")(x[:15], x[5:], 2)
    weft.jit(scaled, device="opencl")(x[:10], x[10:], 2)
    assert np.array_equal(x, [*numbers(20)[:10], *(2 * numbers(20)[:10])])


@pytest.mark.opencl
@pytest.mark.parametrize(
    "view", [lambda a: a[::2], lambda a: a[::-1], lambda a: a.reshape(4, 5)[:, 1], lambda a: a.reshape(4, 5).T]
)
def test_arrays_that_are_not_in_one_piece_are_refused(view):
    compiled = weft.jit(scaled, device="opencl")
    x = view(numbers(20))
    for given in ((x, numbers(x.size)), (numbers(x.size), x)):
        with pytest.raises(ArgumentError, match="is not contiguous in memory, and the kernel scale takes"):
            compiled(*given, 2)
    y = np.zeros(x.size, np.float32)

    def copied(x, y):
        scale(x.copy(), y, 2)

    weft.jit(copied, device="opencl")(x, y)
    assert np.array_equal(y, 2 * x.ravel())


@pytest.mark.opencl
def test_elements_are_not_known_where_a_kernel_starts():
    by_elements = weft.kernel(
        kernels.SCALE.replace("T ", "float "), "scale", arguments=(weft.In("x"), weft.Out("y"), "a", "n"),
        grid=lambda x: (int(x[0]),), block=(1,),
    )  # fmt: skip

    def function(x, y):
        by_elements(x, y, 1)

    with pytest.raises(ArgumentError, match="elements of 'x' are asked for before the kernel starts"):
        weft.jit(function, device="opencl")(numbers(3), numbers(3))


@pytest.mark.opencl
def test_a_kernel_that_does_not_compile_says_so_at_its_call():
    text = "__kernel void k(__global int *y) { y[0] = nothing; }"
    broken = weft.kernel(text, "k", arguments=(weft.Out("y"),), grid=lambda: (1,), block=(1,))

    def function(y):
        broken(y)

    with pytest.raises(weft.Error, match="the OpenCL compiler refuses the kernel") as caught:
        weft.jit(function, device="opencl")(np.zeros(2, np.int32))
    assert "broken(y)" in str(caught.value)


def test_a_kernel_cannot_be_an_argument():
    def function(kernel, x, y):
        kernel(x, y, 1)

    with pytest.raises(ArgumentError, match="the kernel scale cannot be an argument of compiled code"):
        weft.jit(function)(scale, numbers(3), numbers(3))
