"""How many blocks fit on a multiprocessor, against known figures and the calculator that comes with CUDA."""

import ctypes
import random
import shutil
import subprocess
from pathlib import Path

import pytest

from weft.errors import DeviceError
from weft.machine.occupancy import LIMITS, Resources, limits_of, occupancy

HEADER = Path("/usr/local/cuda/include/cuda_occupancy.h")


@pytest.mark.parametrize(
    "architecture, threads, registers, shared, blocks, limiter",
    [
        ("sm_90", 256, 32, 0, 8, "warps"),
        ("sm_90", 256, 128, 24832, 2, "registers"),
        ("sm_90", 256, 40, 0, 6, "registers"),
        ("sm_90", 32, 32, 0, 32, "blocks"),
        ("sm_90", 128, 32, 48 * 1024, 4, "shared memory"),
        ("sm_90", 1024, 64, 0, 1, "registers"),
        ("sm_90", 1024, 65, 0, 0, "registers"),
        ("sm_70", 256, 32, 0, 8, "warps"),
        ("sm_70", 64, 32, 12 * 1024, 8, "shared memory"),
        ("sm_75", 256, 32, 0, 4, "warps"),
        ("sm_80", 256, 32, 40 * 1024, 4, "shared memory"),
        ("sm_86", 256, 32, 0, 6, "warps"),
        ("sm_86", 96, 255, 0, 2, "registers"),
        ("sm_89", 64, 16, 0, 24, "warps"),
        ("sm_100", 512, 32, 0, 4, "warps"),
    ],
)
def test_known_figures(architecture, threads, registers, shared, blocks, limiter):
    found = occupancy(threads, Resources(registers, shared), limits_of(architecture))
    assert (found.blocks, found.limiter) == (blocks, limiter)
    warps = -(-threads // 32)
    assert found.share == blocks * warps / LIMITS[architecture].warps


def test_what_is_too_large_cannot_be_launched():
    limits = limits_of("sm_90")
    assert occupancy(2048, Resources(16, 0), limits).blocks == 0
    assert occupancy(32, Resources(256, 0), limits).blocks == 0
    assert occupancy(32, Resources(16, 228 * 1024), limits).blocks == 0


def test_an_architecture_that_nobody_described_is_refused():
    with pytest.raises(DeviceError, match="nothing is known of the multiprocessors of sm_1"):
        limits_of("sm_1")


CALCULATOR = """
#include <cstddef>
#include <cuda_occupancy.h>
extern "C" int blocks(int major, int minor, int threads, int at_once, int registers, size_t shared, size_t of_block,
                      size_t of_sm, size_t reserved, unsigned *factors) {
    cudaOccDeviceProp device = {};
    device.computeMajor = major; device.computeMinor = minor; device.warpSize = 32; device.numSms = 100;
    device.maxThreadsPerBlock = 1024; device.maxThreadsPerMultiprocessor = at_once;
    device.regsPerBlock = device.regsPerMultiprocessor = 65536;
    device.sharedMemPerBlock = 49152; device.sharedMemPerMultiprocessor = of_sm;
    device.sharedMemPerBlockOptin = of_block; device.reservedSharedMemPerBlock = reserved;
    cudaOccFuncAttributes function = {};
    function.maxThreadsPerBlock = 1024; function.numRegs = registers; function.sharedSizeBytes = shared;
    function.shmemLimitConfig = FUNC_SHMEM_LIMIT_OPTIN;
    cudaOccDeviceState state; cudaOccResult result;
    if (cudaOccMaxActiveBlocksPerMultiprocessor(&result, &device, &function, &state, threads, 0)) return -1;
    *factors = result.limitingFactors;
    return result.activeBlocksPerMultiprocessor;
}
"""
FACTORS = {"warps": 1, "registers": 2, "shared memory": 4, "blocks": 8}


@pytest.fixture(scope="module")
def calculator(tmp_path_factory):
    if not HEADER.exists() or not shutil.which("g++"):
        pytest.skip("CUDA's occupancy calculator is not installed")
    folder = tmp_path_factory.mktemp("calculator")
    (folder / "calculator.cpp").write_text(CALCULATOR)
    library = folder / "calculator.so"
    options = ["-shared", "-fPIC", "-w", f"-I{HEADER.parent}"]
    subprocess.run(["g++", *options, str(folder / "calculator.cpp"), "-o", str(library)], check=True)
    function = ctypes.CDLL(str(library)).blocks
    function.argtypes = [ctypes.c_int] * 5 + [ctypes.c_size_t] * 4 + [ctypes.POINTER(ctypes.c_uint)]
    return function


@pytest.mark.parametrize("architecture", LIMITS)
def test_all_figures_are_those_of_the_calculator_that_comes_with_cuda(architecture, calculator):
    generator, limits = random.Random(architecture), LIMITS[architecture]
    major, minor = divmod(int(architecture.removeprefix("sm_")), 10)
    for _ in range(2000):
        threads, registers = generator.randint(1, 1024), generator.randint(16, 255)
        shared = generator.choice((0, generator.randint(1, limits.shared_of_block)))
        factors = ctypes.c_uint()
        sizes = shared, limits.shared_of_block, limits.shared, limits.reserved
        blocks = calculator(major, minor, threads, 32 * limits.warps, registers, *sizes, ctypes.byref(factors))
        found = occupancy(threads, Resources(registers, shared), limits)
        assert found.blocks == blocks, (threads, registers, shared)
        assert factors.value & FACTORS[found.limiter] or not blocks
