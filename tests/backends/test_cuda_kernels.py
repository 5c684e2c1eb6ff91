"""Kernels in CUDA C++: kept as text, and compiled without a GPU."""

from pathlib import Path

import pytest

from tests.backends.kernels import GOLDEN, PROGRAMS, placement_of
from weft.backends.cuda import compiler
from weft.backends.cuda.dialect import generate_kernels
from weft.errors import CompilerError, DeviceError

FOLDER = Path(__file__).parents[1] / "golden" / "cuda"
EVERY = 4
"""Of the programs that are not kept as text, every so manieth is compiled."""


@pytest.fixture(scope="module")
def nvrtc():
    try:
        compiler.identity()
    except (DeviceError, ImportError, RuntimeError):
        pytest.skip("NVRTC is not installed")


@pytest.mark.parametrize("name", GOLDEN)
def test_kernels_are_as_expected(name, golden):
    golden(FOLDER / f"{name}.cu", generate_kernels(placement_of(name, "cuda").program))


@pytest.mark.parametrize("name", [*GOLDEN, *list(PROGRAMS)[::EVERY]])
def test_kernels_compile(name, nvrtc):
    placement = placement_of(name, "cuda")
    if not placement.kernel_names:
        pytest.skip("no loop of this program is a kernel")
    assert compiler.compile_source(generate_kernels(placement.program), "sm_90").code.startswith(b"\x7fELF")


def test_a_refusal_names_the_files_that_hold_source_and_log(nvrtc):
    with pytest.raises(CompilerError, match="NVRTC refused") as caught:
        compiler.compile_source("nonsense", "sm_90")
    assert caught.value.source_path.read_text() == "nonsense"
    assert "error" in caught.value.log_path.read_text()


SPILLS = """
extern "C" __global__ __launch_bounds__(1024, 2) void spills(float *x, int n) {
    float a[64];
#pragma unroll
    for (int i = 0; i < 64; i++) a[i] = x[i * n];
    for (int k = 0; k < n; k++) {
#pragma unroll
        for (int i = 0; i < 64; i++) a[i] = a[i] * a[(i + 1) % 64] + 1;
    }
#pragma unroll
    for (int i = 0; i < 64; i++) x[i * n] = a[i];
}
extern "C" __global__ void shares(float *x) {
    __shared__ float s[100];
    s[threadIdx.x] = x[threadIdx.x];
    __syncthreads();
    x[threadIdx.x] = s[99 - threadIdx.x];
}
"""


def test_the_compiler_says_what_each_kernel_needs(nvrtc):
    resources = compiler.compile_source(SPILLS, "sm_90").resources
    assert set(resources) == {"spills", "shares"}
    assert resources["spills"].registers == 32
    assert resources["spills"].spill_stores > 0 and resources["spills"].spill_loads > 0
    assert (resources["shares"].shared, resources["shares"].spill_stores, resources["shares"].stack) == (400, 0, 0)


class QuietCompiler:
    """NVRTC where the log is empty: one byte, a zero, which is written to where the caller says."""

    def nvrtcGetProgramLogSize(self, program):
        return self.nvrtcResult.NVRTC_SUCCESS, 1

    def nvrtcGetProgramLog(self, program, log):
        log[0] = 0

    class nvrtcResult:
        NVRTC_SUCCESS = 0


def test_an_empty_log_is_written_to_memory_that_nobody_shares():
    assert compiler._log(QuietCompiler(), None) == ""
    assert b" " == bytes([32])
