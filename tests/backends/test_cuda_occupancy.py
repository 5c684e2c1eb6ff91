"""What is said of kernels is what an NVIDIA driver says: registers, shared memory, blocks on a multiprocessor."""

from dataclasses import replace
from math import prod

import pytest

import weft
from benchmarks.gpu_cases import CASES
from benchmarks.gpu_kernels import small_arrays
from tests.backends.kernels import GOLDEN, placement_of
from weft.backends.cuda import compiler, devices
from weft.backends.cuda.dialect import generate_kernels
from weft.backends.gpu.modules import modules_of
from weft.compile.store import default_store
from weft.machine.occupancy import limits_of, occupancy
from weft.runtime.devices.modules import compiled_module
from weft.schedule.legality import asked_bytes

pytestmark = pytest.mark.gpu


def check_kernel(handle, kernel, needs):
    """What the compiler says of a kernel is what the driver says; gives the blocks that run at a time."""
    opened, attributes = devices.open_device(0), devices._driver().CUfunction_attribute
    threads, asked = prod(kernel.group), asked_bytes(kernel)
    assert devices._call("cuFuncGetAttribute", attributes.CU_FUNC_ATTRIBUTE_NUM_REGS, handle) == needs.registers
    shared = devices._call("cuFuncGetAttribute", attributes.CU_FUNC_ATTRIBUTE_SHARED_SIZE_BYTES, handle)
    assert shared == needs.shared
    blocks = blocks_by_driver(handle, threads, asked)
    whole = replace(needs, shared=needs.shared + asked)
    assert occupancy(threads, whole, limits_of(opened.facts.architecture)).blocks == blocks, kernel.name
    return blocks


def blocks_by_driver(handle, threads, asked):
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
    compiled, kernels = specialisation.compiled(), specialisation.placement().kernels
    assert compiled.kernels == tuple(kernel.name for kernel in kernels)
    blocks = {}
    for kernel, module in zip(kernels, compiled.modules, strict=True):
        binary = compiled_module(module, "cuda", default_store(), compiled.name)
        (handle,) = devices.open_device(0).load(binary.code, [kernel.name])
        blocks[kernel.name] = check_kernel(handle, kernel, binary.resources[kernel.name])
    assert found.kernels
    for kernel in found.kernels:
        assert kernel.occupancy.blocks == blocks[kernel.name], (kernel.name, kernel.occupancy, kernel.resources)


@pytest.mark.parametrize("name", GOLDEN)
def test_kernels_are_as_full_as_the_driver_says(name):
    placement, opened = placement_of(name, "cuda"), devices.open_device(0)
    kernels = {kernel.name: kernel for kernel in placement.kernels}
    checked = []
    for module in modules_of(placement.program):
        text = generate_kernels(placement.program, names=module.kernels)
        binary = compiler.compile_source(text, opened.facts.architecture)
        assert set(binary.resources) == set(module.kernels)
        for kernel, handle in zip(module.kernels, opened.load(binary.code, module.kernels), strict=True):
            check_kernel(handle, kernels[kernel], binary.resources[kernel])
            checked.append(kernel)
    assert sorted(checked) == sorted(kernels)
