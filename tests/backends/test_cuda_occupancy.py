"""What is said of kernels is what an NVIDIA driver says: registers, shared memory, blocks on a multiprocessor."""

from math import prod

import numpy as np
import pytest

from benchmarks import gpu_programs
from tests.backends.kernels import GOLDEN, placement_of
from weft.backends.cuda import compiler, devices
from weft.backends.cuda.dialect import generate_kernels
from weft.frontend import build
from weft.frontend.signature import describe
from weft.machine.occupancy import limits_of, occupancy
from weft.passes import pipeline
from weft.plan.place import kernels_of, place

pytestmark = pytest.mark.gpu

ARRAYS = {
    "triad": 3, "jacobi": 2, "seven_points": 2, "product": 3, "summed": 1, "row_sums": 2, "column_sums": 2,
    "transposed": 2,
}  # fmt: skip
RANKS = {"triad": 1, "seven_points": 3, "summed": 1}


def benchmark(name):
    """A kernel of the benchmarks, for small arrays of float32; sums of rows and columns give one dimension less."""
    rank = RANKS.get(name, 2)
    shapes = [(8,) * rank] * ARRAYS[name]
    if name in ("row_sums", "column_sums"):
        shapes[-1] = (8,)
    types = tuple(describe(np.zeros(shape, np.float32), f"argument {k}") for k, shape in enumerate(shapes))
    return place(pipeline.optimise(build(getattr(gpu_programs, name), types)), "cuda").program


def check_kernels(program):
    opened = devices.open_device(0)
    kernels = kernels_of(program)
    binary = compiler.compile_source(generate_kernels(program), opened.facts.architecture)
    handles = opened.load(binary.code, [kernel.name for kernel in kernels])
    attributes = devices._driver().CUfunction_attribute
    for kernel, handle in zip(kernels, handles, strict=True):
        needs, threads = binary.resources[kernel.name], prod(kernel.group)
        assert devices._call("cuFuncGetAttribute", attributes.CU_FUNC_ATTRIBUTE_NUM_REGS, handle) == needs.registers
        shared = devices._call("cuFuncGetAttribute", attributes.CU_FUNC_ATTRIBUTE_SHARED_SIZE_BYTES, handle)
        assert shared == needs.shared
        blocks = devices._call("cuOccupancyMaxActiveBlocksPerMultiprocessor", handle, threads, 0)
        assert occupancy(threads, needs, limits_of(opened.facts.architecture)).blocks == blocks


@pytest.mark.parametrize("name", ARRAYS)
def test_a_kernel_of_the_benchmarks_is_as_full_as_the_driver_says(name):
    check_kernels(benchmark(name))


@pytest.mark.parametrize("name", GOLDEN)
def test_kernels_are_as_full_as_the_driver_says(name):
    check_kernels(placement_of(name, "cuda").program)
