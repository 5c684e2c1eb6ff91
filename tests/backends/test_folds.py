"""What the threads of a block fold together: by shuffles where the language has them, else through shared memory."""

import math
import re

import numpy as np
import pytest

import weft
from tests.frontend.compare import program_of
from weft.backends.cuda import compiler
from weft.backends.cuda.dialect import generate_kernels as cuda_kernels
from weft.backends.opencl.dialect import generate_kernels as opencl_kernels
from weft.errors import DeviceError
from weft.plan.place import place
from weft.schedule import Bind, Deal
from weft.transform.pipeline import optimise


def folded(x, out):
    for i in range(x.shape[0]):
        s = x[i, 0] - x[i, 0]
        low = x[i, 0]
        for j in range(x.shape[1]):
            s += x[i, j]
            low = min(low, x[i, j])
        for j in range(x.shape[1]):
            out[i, j] = x[i, j] * s - low


def in_steps(x, out):
    for i in range(x.shape[0]):
        for k in range(3):
            s = x[i, 0] - x[i, 0]
            for j in range(x.shape[1]):
                s += out[i, j] + k
            for j in range(x.shape[1]):
                out[i, j] = out[i, j] * 2 + s - x[i, j]


def text(function, device, threads, dtype=np.int64):
    arrays = np.zeros((3, 64), dtype), np.zeros((3, 64), dtype)
    schedule = (Bind("i", "y", 1), Deal("j", "x", threads))
    placed = place(optimise(program_of(function, *arrays)), device, schedule=schedule)
    return (cuda_kernels if device == "cuda" else opencl_kernels)(placed.program)


def test_warps_fold_by_shuffles():
    made = text(folded, "cuda", 128)
    assert "__shfl_down_sync" in made and re.search(r"weft_folds_int64_\d\[4\]", made)


def test_blocks_that_are_no_whole_warps_fold_through_memory():
    assert "from_lane" not in text(folded, "cuda", 48)
    assert "from_lane" not in text(folded, "opencl", 128)


def test_memory_of_folds_in_loops_is_used_again_after_a_barrier():
    kernel = text(in_steps, "cuda", 64)
    phase = kernel[kernel.index("weft_folds_int64_0[weft_k]") :]
    assert phase.index("__syncthreads") < phase.index("out_")


@pytest.mark.parametrize("dtype", [np.int8, np.uint16, np.int32, np.float32, np.float64])
def test_nvrtc_takes_folds_of_all_types(dtype):
    try:
        compiler.identity()
    except (DeviceError, ImportError, RuntimeError):
        pytest.skip("NVRTC is not installed")
    for threads in (32, 48, 64):
        compiler.compile_source(text(folded, "cuda", threads, dtype), "sm_90")


@pytest.mark.sample(2)
@pytest.mark.opencl
@pytest.mark.parametrize("threads", [1, 7, 16, 48, 128])
@pytest.mark.parametrize("function", [folded, in_steps], ids=lambda f: f.__name__)
def test_opencl_folds_as_python_does(function, threads):
    pytest.importorskip("pyopencl")
    x = np.random.default_rng(threads).integers(-99, 99, (3, 300))
    expected, got = np.zeros_like(x), np.zeros_like(x)
    function(x, expected)
    weft.jit(function, device="opencl", schedule=(Bind("i", "y", 1), Deal("j", "x", threads)))(x, got)
    np.testing.assert_array_equal(got, expected)


def largest_of_all(x):
    t = -math.inf
    for i in range(x.shape[0]):
        for j in range(x.shape[1]):
            t = max(t, x[i, j])
    return t


def smallest_of_all(x):
    t = math.inf
    for i in range(x.shape[0]):
        for j in range(x.shape[1]):
            t = min(t, x[i, j])
    return t


@pytest.mark.parametrize("device", ["cpu", pytest.param("opencl", marks=pytest.mark.opencl)])
@pytest.mark.parametrize("function, sign", [(largest_of_all, -1), (smallest_of_all, 1)])
def test_no_complex_number_is_beyond_the_one_that_extremes_begin_with(function, sign, device):
    if device == "opencl":
        pytest.importorskip("pyopencl")
    ready = weft.jit(function, device=device)
    far = np.full((40, 30), complex(sign * 1e30, sign))
    for x in (far, far[:, :0], far[:0], np.full((40, 30), complex(sign * math.inf, 2))):
        assert ready(x) == function(x)
