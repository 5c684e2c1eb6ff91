"""Kernels in CUDA C++: compiled by NVRTC, loaded and run through the driver."""

from __future__ import annotations

import ctypes
from collections.abc import Mapping
from typing import Any

import numpy as np

from weft.autotune.foreign.languages import RefusedError, Run, Text, refused
from weft.errors import DeviceError

STATIC_SHARED = 48 * 1024
"""Bytes of shared memory that a kernel may have without asking."""


PIECE = """extern "C" { __constant__ uint3 weft_first_block; }
static __device__ __forceinline__ uint3 weft_block() {
    const uint3 first = weft_first_block;
    return make_uint3(blockIdx.x + first.x, blockIdx.y + first.y, blockIdx.z + first.z);
}
#define blockIdx weft_block()
#line 1
"""
"""Block numbers that count from the first block of the whole grid; a start says which one is its first."""


def compiled(text: Text, architecture: str) -> tuple[bytes, bytes]:
    """The machine code of a kernel and its name there, which C++ decorates; needs no GPU.

    Raises
    ------
    RefusedError
        The compiler refuses the text.
    DeviceError
        The extra ``weft[cuda]`` is not installed.
    """
    try:
        from cuda.bindings import nvrtc
    except ImportError as error:
        raise DeviceError(f"CUDA cannot be used: {error}", hint='pip install "weft[cuda]"') from error
    success = nvrtc.nvrtcResult.NVRTC_SUCCESS
    source = PIECE * text.is_piece + text.source
    _, program = nvrtc.nvrtcCreateProgram(source.encode(), b"kernel.cu", 0, [], [])
    nvrtc.nvrtcAddNameExpression(program, text.name.encode())
    flags = [f"--gpu-architecture={architecture}", "--std=c++17", *text.flags]
    (status,) = nvrtc.nvrtcCompileProgram(program, len(flags), [flag.encode() for flag in flags])
    if status != success:
        raise _refused(nvrtc, program)
    status, lowered = nvrtc.nvrtcGetLoweredName(program, text.name.encode())
    if status != success:
        raise refused("NVRTC", f"the source has no kernel {text.name}")
    name = bytes(lowered)
    _, size = nvrtc.nvrtcGetCUBINSize(program)
    binary = bytearray(size)
    nvrtc.nvrtcGetCUBIN(program, binary)
    nvrtc.nvrtcDestroyProgram(program)
    return bytes(binary), name


def _refused(nvrtc: Any, program: Any) -> RefusedError:
    _, size = nvrtc.nvrtcGetProgramLogSize(program)
    log = bytearray(size)
    nvrtc.nvrtcGetProgramLog(program, log)
    nvrtc.nvrtcDestroyProgram(program)
    return refused("NVRTC", log.rstrip(b"\0 ").decode(errors="replace"))


def _call(function: str, *arguments: object) -> Any:
    """Call a function of the driver; its result, or DeviceError."""
    from cuda.bindings import driver

    status, *results = getattr(driver, function)(*arguments)
    if status != driver.CUresult.CUDA_SUCCESS:
        raise DeviceError(f"the CUDA driver refused {function}: {status.name}")
    return tuple(results) if len(results) > 1 else results[0] if results else None


def allow_shared(function: Any, count: int) -> None:
    """Let a kernel have so many bytes of dynamic shared memory, for which it has to ask beyond `STATIC_SHARED`."""
    from cuda.bindings import driver

    attribute = driver.CUfunction_attribute.CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES
    if count > STATIC_SHARED:
        _call("cuFuncSetAttribute", driver.CUfunction(int(function)), attribute, count)


def limits(device: str) -> dict[str, Any]:
    """What every kernel of a device must keep to."""
    from weft.runtime.devices import accelerators

    facts = accelerators.facts_of(device)
    sizes, groups = (1024, 1024, 64), (2**31 - 1, 65535, 65535)
    return {
        "sizes": sizes, "groups": groups, "threads": facts.group, "local": facts.fast_memory, "units": facts.cores,
        "memory": facts.memory, "allocation": facts.memory,
    }  # fmt: skip


class CUDAKernel:
    """A kernel on a CUDA device."""

    def __init__(self, text: Text, device: str) -> None:
        from weft.backends.cuda.devices import open_device

        self._opened = open_device(int(device.partition(":")[2] or 0))
        binary, name = compiled(text, self._opened.facts.architecture)
        _call("cuCtxSetCurrent", self._opened.context)
        self._module = _call("cuModuleLoadData", binary)
        self._function = _call("cuModuleGetFunction", self._module, name)
        self._first = _call("cuModuleGetGlobal", self._module, b"weft_first_block")[0] if text.is_piece else None
        self._memory: dict[str, tuple[Any, int]] = {}

    def prepare(self, arguments: Mapping[str, Any], run: Run) -> None:
        """Copy the arrays to the device."""
        _call("cuCtxSetCurrent", self._opened.context)
        for name in (*run.reads, *run.writes):
            array, window = arguments[name], run.window(name)
            size = array.nbytes + window.before
            if name in self._memory and self._memory[name][1] != size:
                _call("cuMemFree", self._memory.pop(name)[0])
            if name not in self._memory:
                self._memory[name] = _call("cuMemAlloc", max(size, 1)), size
            if array.nbytes and window.is_sent:
                _call("cuMemcpyHtoD", int(self._memory[name][0]) + window.before, array.ctypes.data, array.nbytes)
        if self._first is not None:
            first = np.array((*run.first, 0, 0, 0)[:3], np.uint32)
            _call("cuMemcpyHtoD", self._first, first.ctypes.data, first.nbytes)
        if run.takes_local:
            allow_shared(self._function, run.local_bytes)

    def start(self, arguments: Mapping[str, Any], run: Run) -> float:
        """Run it between two events. An empty grid has nothing to run."""
        if 0 in run.grid:
            return 0.0
        _call("cuCtxSetCurrent", self._opened.context)
        values = [self._argument(name, arguments[name], run.window(name).place) for name in run.order]
        packed = (ctypes.c_void_p * len(values))(*(ctypes.addressof(value) for value in values))
        begin, end = _call("cuEventCreate", 0), _call("cuEventCreate", 0)
        stream = self._opened.stream
        groups, block = (*run.groups, 1, 1)[:3], (*run.block, 1, 1)[:3]
        try:
            _call("cuEventRecord", begin, stream)
            shape = (*groups, *block, run.local_bytes if run.takes_local else 0, stream)
            _call("cuLaunchKernel", self._function, *shape, ctypes.addressof(packed), 0)
            _call("cuEventRecord", end, stream)
            _call("cuEventSynchronize", end)
            return 1e-3 * float(_call("cuEventElapsedTime", begin, end))
        finally:
            _call("cuEventDestroy", begin)
            _call("cuEventDestroy", end)

    def _argument(self, name: str, value: Any, place: int) -> Any:
        if name in self._memory:
            return ctypes.c_uint64(int(self._memory[name][0]) + place)
        return np.ctypeslib.as_ctypes_type(value.dtype)(value.item())

    def finish(self, arguments: Mapping[str, Any], run: Run) -> None:
        """Copy what was written back."""
        _call("cuCtxSetCurrent", self._opened.context)
        for name in run.writes:
            array, there = arguments[name], int(self._memory[name][0]) + run.window(name).before
            if array.nbytes:
                _call("cuMemcpyDtoH", array.ctypes.data, there, array.nbytes)

    def __del__(self) -> None:
        for address, _ in getattr(self, "_memory", {}).values():
            _call("cuMemFree", address)
