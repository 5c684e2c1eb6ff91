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
    assert compiler.compile_source(generate_kernels(placement.program), "sm_90").startswith(b"\x7fELF")


def test_a_refusal_names_the_files_that_hold_source_and_log(nvrtc):
    with pytest.raises(CompilerError, match="NVRTC refused") as caught:
        compiler.compile_source("nonsense", "sm_90")
    assert caught.value.source_path.read_text() == "nonsense"
    assert "error" in caught.value.log_path.read_text()
