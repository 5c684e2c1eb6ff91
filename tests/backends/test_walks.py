"""Threads that walk along a loop, as text of kernels, as the compiler takes it, and on an OpenCL device."""

import numpy as np
import pytest

import weft
from tests.schedule.scheduled import arrays, program_of
from weft.backends.cuda import compiler
from weft.backends.cuda.dialect import generate_kernels as in_cuda
from weft.backends.opencl.dialect import generate_kernels as in_opencl
from weft.errors import DeviceError
from weft.plan.place import Layout, place
from weft.schedule import Bind, Walk
from weft.schedule.legality import Limits

LARGE = Layout(Limits(1024, 227 * 1024, 132))


def far(u, v):
    for i in range(3, u.shape[0] - 3):
        for j in range(3, u.shape[1] - 3):
            for k in range(3, u.shape[2] - 3):
                near = (
                    u[i - 1, j, k] + u[i + 1, j, k] + u[i, j - 1, k] + u[i, j + 1, k] + u[i, j, k - 1] + u[i, j, k + 1]
                )
                v[i, j, k] = near + u[i - 3, j, k] + u[i + 3, j, k] + u[i, j - 3, k] + u[i, j + 3, k] - u[i, j, k + 3]


def expected(u):
    made, c = np.zeros_like(u), slice(3, -3)

    def at(*distances):
        return u[tuple(slice(3 + d, e - 3 + d) for d, e in zip(distances, u.shape, strict=True))]

    near = at(-1, 0, 0) + at(1, 0, 0) + at(0, -1, 0) + at(0, 1, 0) + at(0, 0, -1) + at(0, 0, 1)
    made[c, c, c] = near + at(-3, 0, 0) + at(3, 0, 0) + at(0, -3, 0) + at(0, 3, 0) - at(0, 0, 3)
    return made


def schedule(walk, x=8, run=4):
    return Bind("k", "x", x, run, run), Bind("j", "y", 4), Bind("i", "z", 1, 8, 8), walk


def text(device, walk):
    program = program_of(far, arrays((9, 9, 9), (9, 9, 9))())
    generate = in_cuda if device == "cuda" else in_opencl
    return generate(place(program, device, schedule=schedule(walk)).program).partition("far_0(")[2]


def test_elements_are_asked_for_beforehand_where_devices_know_how():
    assert "ask_for(" in text("cuda", Walk("i", 2))
    assert "ask_for(" not in text("cuda", Walk("i"))
    assert "ask_for(" not in text("opencl", Walk("i", 2))


def test_planes_come_to_shared_memory_past_the_registers():
    made = text("cuda", Walk("i", 2, staged=True))
    assert "copy_late_16(" in made and "copy_late_4(" in made and "wait_late(1)" in made


@pytest.mark.sample(1)
@pytest.mark.parametrize("dtype", [np.float32, np.float64])
def test_the_default_needs_no_more_registers_than_there_are(dtype):
    program = program_of(far, arrays((9, 9, 9), (9, 9, 9), dtype=dtype)())
    try:
        made = compiler.compile_source(in_cuda(place(program, "cuda", layout=LARGE).program), "sm_90")
    except DeviceError:
        pytest.skip("NVRTC is not installed")
    assert all(needs.spill_stores == 0 for needs in made.resources.values())


@pytest.mark.sample(1)
@pytest.mark.opencl
@pytest.mark.parametrize("walk", [Walk("i"), Walk("i", 2, staged=True)])
@pytest.mark.parametrize("dtype", [np.float32, np.float64])
def test_an_opencl_device_computes_the_same(walk, dtype):
    function = weft.jit(far, device="opencl", schedule=schedule(walk, run=16 // np.dtype(dtype).itemsize))
    for shape in ((21, 11, 24), (12, 9, 17)):
        u = np.random.default_rng(1).integers(-9, 9, shape).astype(dtype)
        v = np.zeros_like(u)
        function(u, v)
        np.testing.assert_array_equal(v, expected(u))
