"""CUDA C++ to machine code through NVRTC, which needs neither a GPU nor a driver."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from weft.backends.text.refused import keep_files
from weft.errors import CompilerError, DeviceError
from weft.machine.occupancy import KernelBinary, Resources

OPTIONS = ("--std=c++17", "--fmad=false", "--device-int128")
EXACT = ("--ftz=false", "--prec-div=true", "--prec-sqrt=true")
FAST = ("--ftz=true", "--prec-div=false", "--prec-sqrt=false")
"""For float32: products and sums are fused by a pass; numbers that are too small to be normal count as zero."""
REPORT = "--ptxas-options=-v"
"""Makes the log say what each kernel needs."""
ANEW = "--no-cache"
"""Newer compilers keep what they compiled, and then the log is empty; older ones do not know the option."""
SPLIT = "--split-compile=4"
"""Optimise the kernels of a text in so many threads; older compilers do not know this option either."""


def identity() -> str:
    """The version of the compiler and its options: part of the key of compiled code."""
    nvrtc = _nvrtc()
    _, major, minor = nvrtc.nvrtcVersion()
    return f"nvrtc {major}.{minor} {' '.join((*OPTIONS, *EXACT, *FAST))}"


def compile_source(source: str, architecture: str, fastmath: bool = False) -> KernelBinary:
    """Compile kernels for an architecture such as ``sm_90``; the cubin, and what each kernel needs.

    Under `fastmath` division and square root of float32 may be off by 2 units in the last place, and numbers of it that
    are too small to be normal count as zero.

    Raises
    ------
    CompilerError
        The compiler refused the text.
    DeviceError
        The extra ``weft[cuda]`` is not installed.
    """
    nvrtc = _nvrtc()
    program = _checked(nvrtc, nvrtc.nvrtcCreateProgram(source.encode(), b"kernels.cu", 0, [], []))
    chosen = [f"--gpu-architecture={architecture}", *OPTIONS, *(FAST if fastmath else EXACT), REPORT]
    for further in ((ANEW, SPLIT), (ANEW,), ()):
        status = _compile(nvrtc, program, [*chosen, *further])
        if status != nvrtc.nvrtcResult.NVRTC_ERROR_INVALID_OPTION:
            break
    if status != nvrtc.nvrtcResult.NVRTC_SUCCESS:
        raise _refusal(source, _log(nvrtc, program))
    binary = bytearray(_checked(nvrtc, nvrtc.nvrtcGetCUBINSize(program)))
    nvrtc.nvrtcGetCUBIN(program, binary)
    resources = dict(resources_in(_log(nvrtc, program)))
    nvrtc.nvrtcDestroyProgram(program)
    return KernelBinary(bytes(binary), resources)


_KERNEL = re.compile(r"Compiling entry function '([^']+)'(.*?)(?=Compiling entry function|\Z)", re.S)
_FIGURES = {
    "registers": r"Used (\d+) registers",
    "shared": r"(\d+) bytes smem",
    "stack": r"(\d+) bytes stack frame",
    "spill_stores": r"(\d+) bytes spill stores",
    "spill_loads": r"(\d+) bytes spill loads",
}
"""What the assembler says of a kernel; it leaves out what is zero."""


def resources_in(log: str) -> Iterator[tuple[str, Resources]]:
    """What each kernel needs, by name, as the assembler's log says."""
    for name, text in _KERNEL.findall(log):
        found = {figure: re.search(pattern, text) for figure, pattern in _FIGURES.items()}
        yield name, Resources(**{figure: int(match[1]) if match else 0 for figure, match in found.items()})


def _nvrtc() -> Any:
    try:
        from cuda.bindings import nvrtc
    except ImportError as error:
        raise DeviceError(f"CUDA cannot be used: {error}", hint='pip install "weft[cuda]"') from error
    return nvrtc


def _checked(nvrtc: Any, result: tuple[Any, ...]) -> Any:
    status, *values = result
    if status != nvrtc.nvrtcResult.NVRTC_SUCCESS:
        raise DeviceError(f"NVRTC failed: {status.name}")
    return values[0] if values else None


def _compile(nvrtc: Any, program: Any, options: list[str]) -> Any:
    (status,) = nvrtc.nvrtcCompileProgram(program, len(options), [option.encode() for option in options])
    return status


def _log(nvrtc: Any, program: Any) -> str:
    log = bytearray(_checked(nvrtc, nvrtc.nvrtcGetProgramLogSize(program)))  # Python shares `bytes` of one byte
    nvrtc.nvrtcGetProgramLog(program, log)
    return log.rstrip(b"\0 ").decode(errors="replace")


def _refusal(source: str, log: str) -> CompilerError:
    source_path, log_path = keep_files({"kernels.cu": source, "kernels.log": log})
    return CompilerError("NVRTC refused the generated code", source_path=source_path, log_path=log_path, log=log)
