"""OpenCL C to a device's own code through PyOpenCL."""

from __future__ import annotations

from typing import Any

from weft.backends.opencl.devices import OpenDevice, without_remarks
from weft.backends.text.refused import keep_files
from weft.errors import CompilerError
from weft.machine.occupancy import KernelBinary

QUIET = "-w"
"""No warnings: Weft's own text is not the user's to mend, and PoCL prints how many there were."""
ROUNDED = "-cl-fp32-correctly-rounded-divide-sqrt"


def compile_source(source: str, device: OpenDevice, fastmath: bool = False) -> KernelBinary:
    """Compile kernels for a device; its binary. What they need OpenCL does not say.

    Under `fastmath` division and square root of float32 may be off by 2.5 and 3 units in the last place.

    Raises
    ------
    CompilerError
        The compiler refused the text.
    """
    import pyopencl

    program = pyopencl.Program(device.context, rolled(source) if device.facts.is_processor else source)
    try:
        with without_remarks():
            built = program.build(options=[QUIET] if fastmath else [QUIET, *options(device)], devices=[device.device])
    except pyopencl.RuntimeError as error:
        raise _refusal(source, str(error)) from error
    (binary,) = built.get_info(pyopencl.program_info.BINARIES)
    return KernelBinary(bytes(binary))


def rolled(source: str) -> str:
    """Kernels for a processor: loops that a GPU unrolls are left to its compiler.

    PoCL 3.1 (LLVM 14) compiles unrolled stores of which each has a test of its own to stores past the end of the
    array, and takes several times as long for code that is several times as slow.
    """
    return source.replace("#pragma unroll\n", "\n")


def options(device: OpenDevice) -> list[str]:
    """What the compiler is told: IEEE division and square root also for float32, where the device can."""
    return [ROUNDED] if is_rounded(device.device) else []


def is_rounded(device: Any) -> bool:
    """Whether division and square root of float32 can be correctly rounded."""
    import pyopencl

    return bool(device.single_fp_config & pyopencl.device_fp_config.CORRECTLY_ROUNDED_DIVIDE_SQRT)


def _refusal(source: str, log: str) -> CompilerError:
    source_path, log_path = keep_files({"kernels.cl": source, "kernels.log": log})
    return CompilerError(
        "the OpenCL compiler refused the generated code", source_path=source_path, log_path=log_path, log=log
    )
