"""Kernels in C, OpenCL C and CUDA C++: a source text with defines becomes something that runs on arrays.

What it does: `loaded` compiles a text for a device; the result runs on a dictionary of arguments and says how many
seconds the kernel took. What it assumes: the kernel does what its arguments say. A kernel that writes elsewhere or
never ends takes its process with it, which is why tuning runs in one of its own (`weft.autotune.measuring.workers`).
"""

from __future__ import annotations

import ctypes
import functools
import hashlib
import math
import subprocess
import tempfile
import time
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Protocol

import numpy as np

from weft.autotune.foreign.opencl_text import with_places
from weft.errors import ArgumentError, DeviceError, Error

GUARD = 4096
"""Bytes around each array in a checked run."""

LANGUAGES = {".c": "c", ".cl": "opencl", ".cu": "cuda"}
"""The languages by the ends of file names."""


@dataclass(frozen=True)
class Text:
    """What is compiled.

    Attributes
    ----------
    source
        The text.
    name
        The function or kernel.
    language
        ``c``, ``opencl`` or ``cuda``.
    defines
        Values of macros.
    options
        Further options of the compiler.
    is_piece
        Whether it may begin at another group than the first.
    """

    source: str
    name: str
    language: str
    defines: Mapping[str, object] = field(default_factory=dict)
    options: tuple[str, ...] = ()
    is_piece: bool = False

    @property
    def flags(self) -> list[str]:
        """The options and macros as compilers take them."""
        return [*self.options, *(f"-D{name}={_macro(value)}" for name, value in self.defines.items())]


def _macro(value: object) -> str:
    return str(int(value)) if isinstance(value, bool) else str(value)


@dataclass(frozen=True)
class Window:
    """The stretch of an array that a device has.

    Attributes
    ----------
    before
        Bytes of its memory before that.
    first
        Bytes of the array before that.
    is_sent
        Whether its elements go to the device before the kernel runs.
    """

    before: int = 0
    first: int = 0
    is_sent: bool = True

    @property
    def place(self) -> int:
        """Where the array begins, from the beginning of the memory on."""
        return self.before - self.first


WHOLE = Window()
GUARDED = Window(0, -GUARD)


@dataclass(frozen=True)
class Run:
    """How a kernel is started.

    Attributes
    ----------
    order
        The names of the arguments.
    reads, writes
        Those of arrays.
    grid
        Points in each dimension; empty for a function of C.
    block
        Threads of a group in each dimension.
    local_bytes
        Local memory of a group.
    takes_local
        Whether it is made at the start: CUDA's dynamic shared memory, a last argument in OpenCL C.
    first
        The first group in each dimension; those before it run elsewhere.
    windows
        What arguments of some arrays are, if not the whole arrays.
    """

    order: tuple[str, ...]
    reads: tuple[str, ...]
    writes: tuple[str, ...]
    grid: tuple[int, ...] = ()
    block: tuple[int, ...] = ()
    local_bytes: int = 0
    takes_local: bool = False
    first: tuple[int, ...] = ()
    windows: Mapping[str, Window] = field(default_factory=dict)

    def window(self, name: str) -> Window:
        """Which part of an array its argument is."""
        return self.windows.get(name, WHOLE)

    @property
    def groups(self) -> tuple[int, ...]:
        """Groups in each dimension: as many as cover the grid."""
        return tuple(-(-points // threads) for points, threads in zip(self.grid, self.block, strict=True))


class Loaded(Protocol):
    """A compiled kernel."""

    def prepare(self, arguments: Mapping[str, Any], run: Run) -> None:
        """Bring arguments to where it works."""

    def start(self, arguments: Mapping[str, Any], run: Run) -> float:
        """Run it once; the seconds it took."""

    def finish(self, arguments: Mapping[str, Any], run: Run) -> None:
        """Bring what it wrote back to the arrays."""


def loaded(text: Text, device: str) -> Loaded:
    """Compile a kernel for a device.

    Raises
    ------
    RefusedError
        The compiler refuses the text.
    DeviceError
        The device or its library is not there.
    """
    makers: dict[str, Callable[[Text, str], Loaded]] = {"c": CFunction, "opencl": OpenCLKernel, "cuda": _cuda}
    return makers[text.language](text, device)


def _cuda(text: Text, device: str) -> Loaded:
    from weft.autotune.foreign.cuda_kernels import CUDAKernel

    return CUDAKernel(text, device)


class RefusedError(Error):
    """A compiler does not take a kernel that was written by hand; the cause has the beginning of what it said."""


def refused(compiler: str, log: str) -> RefusedError:
    """The error for a text that a compiler does not take."""
    lines = [line for line in log.strip().splitlines() if line.strip()]
    telling = [line for line in lines if "error" in line.lower()] or lines
    return RefusedError(f"{compiler} refuses the kernel", cause=" / ".join(telling[:4]))


class CFunction:
    """A function of C, in a library of its own that gcc makes; arguments are passed as they are."""

    def __init__(self, text: Text, device: str) -> None:
        self._function = getattr(ctypes.CDLL(_library(text)), text.name)
        self._function.restype = None

    def prepare(self, arguments: Mapping[str, Any], run: Run) -> None:
        """Nothing: it works in the host's memory."""

    def start(self, arguments: Mapping[str, Any], run: Run) -> float:
        """Call it."""
        values = [_c_value(arguments[name], run.window(name).place) for name in run.order]
        begun = time.perf_counter()
        self._function(*values)
        return time.perf_counter() - begun

    def finish(self, arguments: Mapping[str, Any], run: Run) -> None:
        """Nothing."""


def _c_value(value: Any, place: int) -> Any:
    if isinstance(value, np.ndarray):
        return ctypes.c_void_p(value.ctypes.data + place)
    return np.ctypeslib.as_ctypes_type(value.dtype)(value.item())


def _library(text: Text) -> str:
    """The path of the compiled library, which is deleted with its folder when the process ends."""
    name = hashlib.sha256(repr((text.source, text.flags)).encode()).hexdigest()[:24]
    path = Path(_folder().name) / f"{name}.so"
    if not path.exists():
        source = path.with_suffix(".c")
        source.write_text(text.source, encoding="utf-8")
        command = ["gcc", "-O3", "-march=native", "-fopenmp", "-shared", "-fPIC", *text.flags]
        try:
            done = subprocess.run([*command, str(source), "-lm", "-o", str(path)], capture_output=True, text=True)
        except FileNotFoundError:
            raise DeviceError("there is no C compiler", hint="install gcc") from None
        if done.returncode:
            raise refused("gcc", done.stderr)
    return str(path)


@functools.cache
def _folder() -> tempfile.TemporaryDirectory[str]:
    return tempfile.TemporaryDirectory(prefix="weft-kernels-")


class OpenCLKernel:
    """A kernel of OpenCL C, with a queue of its own."""

    def __init__(self, text: Text, device: str) -> None:
        import pyopencl

        from weft.backends.opencl.devices import open_device

        self._cl = pyopencl
        self._opened = open_device(_ordinal(device))
        program = pyopencl.Program(self._opened.context, with_places(text.source, text.name, text.is_piece))
        try:
            self._kernel = pyopencl.Kernel(program.build(options=text.flags), text.name)
        except (pyopencl.RuntimeError, pyopencl.LogicError) as error:
            raise refused("the OpenCL compiler", str(error)) from None
        self._buffers: dict[str, Any] = {}

    def prepare(self, arguments: Mapping[str, Any], run: Run) -> None:
        """Copy the arrays to the device: what is written too, since a kernel may leave elements as they are."""
        self._buffers = {}
        for name in (*run.reads, *run.writes):
            array, window = arguments[name], run.window(name)
            size = max(array.nbytes + window.before, 1)
            made = self._cl.Buffer(self._opened.context, self._cl.mem_flags.READ_WRITE, size)
            if array.size and window.is_sent:
                self._cl.enqueue_copy(self._opened.queue, made, array, dst_offset=window.before)
            self._buffers[name] = made

    def start(self, arguments: Mapping[str, Any], run: Run) -> float:
        """Run it, and ask the device how long it took. An empty grid has nothing to run."""
        if 0 in run.grid:
            return 0.0
        values: list[Any] = []
        for name in run.order:
            is_array = name in self._buffers
            values += [self._buffers[name], np.int64(run.window(name).place)] if is_array else [arguments[name]]
        if run.takes_local:
            values.append(self._cl.LocalMemory(run.local_bytes))
        size = tuple(groups * threads for groups, threads in zip(run.groups, run.block, strict=True))
        first = tuple(group * threads for group, threads in zip(run.first, run.block, strict=False)) or None
        self._kernel.set_args(*values)
        event = self._cl.enqueue_nd_range_kernel(self._opened.queue, self._kernel, size, run.block, first)
        event.wait()
        return 1e-9 * float(event.profile.end - event.profile.start)

    def finish(self, arguments: Mapping[str, Any], run: Run) -> None:
        """Copy what was written back."""
        for name in run.writes:
            if arguments[name].size:
                offset = run.window(name).before
                self._cl.enqueue_copy(self._opened.queue, arguments[name], self._buffers[name], src_offset=offset)


def limits_of(language: str, device: str) -> dict[str, Any]:
    """What every kernel of a device must keep to: ``sizes`` and ``threads`` of a group, ``local`` bytes, ``units``."""
    if language == "c":
        return {}
    if language == "cuda":
        from weft.autotune.foreign.cuda_kernels import limits

        return limits(device)
    from weft.backends.opencl.devices import open_device

    found = open_device(_ordinal(device)).device
    return {
        "sizes": tuple(map(int, found.max_work_item_sizes)),
        "threads": int(found.max_work_group_size),
        "local": int(found.local_mem_size),
        "units": int(found.max_compute_units),
        "memory": int(found.global_mem_size),
        "allocation": int(found.max_mem_alloc_size),
    }


def _ordinal(device: str) -> int | str:
    number = device.partition(":")[2]
    return number if "." in number else int(number or 0)


def broken_limit(run: Run, limits: Mapping[str, Any]) -> str | None:
    """The limit of a device that a start would exceed, in words; None where it keeps to all."""
    if not limits:
        return None
    for axis, (threads, most) in enumerate(zip(run.block, limits["sizes"], strict=False)):
        if threads > most:
            return f"{threads} threads in dimension {axis}, and the device has at most {most}"
    if math.prod(run.block) > limits["threads"]:
        return f"{math.prod(run.block)} threads a group, and the device has at most {limits['threads']}"
    for axis, (groups, most) in enumerate(zip(run.groups, limits.get("groups", ()), strict=False)):
        if groups > most:
            return f"{groups} groups in dimension {axis}, and a launch has at most {most}"
    if run.local_bytes > limits["local"]:
        return f"{run.local_bytes} bytes of local memory, and the device has {limits['local']}"
    return None


def sizes_of(what: str, written: object, least: int = 1) -> tuple[int, ...]:
    """Sizes as whole numbers, none less than `least`.

    Raises
    ------
    ArgumentError
        They are no such numbers; the message says `what` gave them.
    """
    found = tuple(written) if isinstance(written, Iterable) and not isinstance(written, str) else ()
    whole = tuple(
        int(value) for value in found if isinstance(value, (int, float, np.number)) and float(value).is_integer()
    )
    if not 1 <= len(found) <= 3 or len(whole) < len(found) or min(whole) < least:
        raise ArgumentError(
            f"{what} of the kernel gives {written!r}",
            argument=what,
            cause=f"sizes are one to three whole numbers, none less than {least}",
            hint="write a tuple, and // to divide: grid=lambda n: (n // 2,)" if what == "grid" else "",
        )
    return whole
