"""What is said of kernels is what an NVIDIA driver says: registers, shared memory, blocks on a multiprocessor."""

from math import prod

import pytest

import weft
from benchmarks.gpu_cases import CASES
from benchmarks.gpu_kernels import small_arrays
from tests.backends.kernels import GOLDEN, placement_of
from weft.backends.cuda import compiler, devices
from weft.backends.cuda.dialect import generate_kernels
from weft.machine.occupancy import limits_of, occupancy
from weft.plan.place import kernels_of
from weft.runtime.store import default_store
from weft.schedule.legality import asked_bytes

pytestmark = pytest.mark.gpu


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
        blocks = blocks_by_driver(handle, threads)
        assert occupancy(threads, needs, limits_of(opened.facts.architecture)).blocks == blocks


def blocks_by_driver(handle, threads, asked=0):
    """How many blocks of a kernel run at a time on a multiprocessor, with what its launch asks for of shared memory."""
    if asked:
        attribute = devices._driver().CUfunction_attribute.CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES
        devices._call("cuFuncSetAttribute", devices._driver().CUfunction(handle), attribute, asked)
    return devices._call("cuOccupancyMaxActiveBlocksPerMultiprocessor", handle, threads, asked)


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
def test_what_is_explained_of_a_kernel_of_the_benchmarks_is_what_the_driver_says(case):
    function = weft.jit(case.function, device="cuda", fastmath=case.fastmath, libraries=False)
    arrays = small_arrays(case)
    found = weft.explain(function, *arrays)
    specialisation = function.specialise(*arrays)
    compiled = specialisation.compiled()
    handles = {}
    for name, module in zip(compiled.kernels, compiled.modules, strict=True):
        code = default_store().get("kernels", module).code
        (handles[name],) = devices.open_device(0).load(code, [name])
    asked = {kernel.name: asked_bytes(kernel) for kernel in specialisation.placement().kernels}
    assert found.kernels
    for kernel in found.kernels:
        blocks = blocks_by_driver(handles[kernel.name], kernel.threads, asked[kernel.name])
        assert kernel.occupancy.blocks == blocks, (kernel.name, kernel.occupancy, kernel.resources)


@pytest.mark.parametrize("name", GOLDEN)
def test_kernels_are_as_full_as_the_driver_says(name):
    check_kernels(placement_of(name, "cuda").program)
