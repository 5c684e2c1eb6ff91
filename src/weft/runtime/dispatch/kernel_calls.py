"""Kernels that users wrote, in compiled programs: they run on the host, or Python says how a launch of one starts."""

from __future__ import annotations

import ctypes
import struct
from collections.abc import Iterator, Sequence
from itertools import combinations
from typing import Any

import numpy as np

from weft.errors import ArgumentError, Error, add_location
from weft.ir.kernel_calls import KernelStep
from weft.ir.types import View
from weft.runtime.arrays.memory import array_at, dtype_of, scalar_of
from weft.runtime.dispatch.python_calls import layout_of

START = struct.Struct("8q")
"""A kernel, its groups along x, y and z, the work items of a group along these, and bytes that a group shares."""


MOST_STARTS = 1024
"""Starts that are remembered of a kernel: of the same arrays and numbers again."""


class Extents:
    """An array as `grid` and others see it: its shape and its type. Its elements are on the device.

    Attributes
    ----------
    shape, ndim, size, itemsize, nbytes
        As those of a NumPy array.
    dtype
        The type of its elements.
    """

    def __init__(self, name: str, shape: tuple[int, ...], dtype: np.dtype[Any]) -> None:
        self.name, self.shape, self.dtype = name, shape, dtype
        self.ndim, self.itemsize = len(shape), dtype.itemsize
        self.size = int(np.prod(shape, dtype=np.int64))
        self.nbytes = self.size * self.itemsize

    def __len__(self) -> int:
        return self.shape[0]

    def __getitem__(self, index: object) -> Any:
        raise self._refusal()

    def __array__(self, *_: object, **__: object) -> Any:
        raise self._refusal()

    def _refusal(self) -> ArgumentError:
        return ArgumentError(
            f"elements of {self.name!r} are asked for before the kernel starts, and they are on the device",
            argument=self.name,
            cause="grid, block, defines, constraints and local_bytes may use shapes and numbers in compiled code",
            hint=f"use {self.name}.shape or len({self.name}), or pass the number to the kernel",
        )


def run_kernel(
    step: KernelStep, kernel: Any, leaves: Sequence[object], parts: Sequence[bytes], device: str
) -> bytes | None:
    """Run a kernel that works on the host; of one on a device, say how it starts.

    Parameters
    ----------
    step
        The call.
    kernel
        What the user made by `weft.kernel`.
    leaves
        The flat arguments of the call.
    parts
        The operands as the program has them; for a device, behind them the place where `START` is to be written.
    device
        The device of the program.
    """
    try:
        return _run(step, kernel, leaves, parts, device)
    except Error as error:
        raise add_location(error, step.place) from None


def _run(step: KernelStep, kernel: Any, leaves: Sequence[object], parts: Sequence[bytes], device: str) -> bytes | None:
    if step.on_host:
        _check_layouts(step, kernel, parts)
        kernel.run_on_host(
            [
                array_at(*layout_of(type, data), dtype_of(type), leaves, type.writable)
                if isinstance(type, View)
                else scalar_of(type, data)
                for type, data in zip(step.operands, parts, strict=True)
            ]
        )
        return None
    key = (device, kernel.state, *parts[:-1])
    start = kernel.starts.get(key)
    if start is None:
        _check_layouts(step, kernel, parts)
        start = START.pack(*kernel.start_for(_values(step, kernel, parts), device))
        if len(kernel.starts) >= MOST_STARTS:
            kernel.starts.clear()
        kernel.starts[key] = start
    ctypes.memmove(struct.unpack_from("Q", parts[-1])[0], start, START.size)
    return None


def _values(step: KernelStep, kernel: Any, parts: Sequence[bytes]) -> dict[str, Any]:
    """The arguments by name: numbers, and of arrays the extents."""
    names = [part.name for part in kernel.parameters]
    return {
        name: Extents(name, layout_of(type, data)[1], dtype_of(type))
        if isinstance(type, View)
        else scalar_of(type, data)
        for name, type, data in zip(names, step.operands, parts, strict=False)
    }


def _check_layouts(step: KernelStep, kernel: Any, parts: Sequence[bytes]) -> None:
    """Refuse arrays that are not in one piece, and ones that are written while they share memory with others.

    Raises
    ------
    ArgumentError
        The first such array, by its name in the description of the kernel.
    """
    spans = []
    for (name, written, type), (address, shape, strides) in _arrays(step, kernel, parts):
        size, whole = dtype_of(type).itemsize, 1
        for extent, stride in zip(reversed(shape), reversed(strides), strict=True):
            if extent != 1 and 0 not in shape and stride != whole * size:
                raise ArgumentError(
                    f"{name!r} is not contiguous in memory, and the kernel {kernel.name} takes arrays that are",
                    argument=name,
                    hint="write to a new array, and copy that" if written else "write .copy() behind the argument",
                )
            whole *= extent
        spans.append((name, written, address, address + whole * size))
    for (a, a_written, a_low, a_high), (b, b_written, b_low, b_high) in combinations(spans, 2):
        if (a_written or b_written) and a_low < b_high and b_low < a_high:
            raise ArgumentError(
                f"{a!r} and {b!r} of the kernel {kernel.name} share memory, and it writes there",
                argument=b,
                cause="its threads run in any order, so one may read what another has written already",
                hint="pass a copy for the one that is read, or describe one array as weft.InOut",
            )


def _arrays(
    step: KernelStep, kernel: Any, parts: Sequence[bytes]
) -> Iterator[tuple[tuple[str, bool, View], tuple[int, tuple[int, ...], tuple[int, ...]]]]:
    for part, type, data in zip(kernel.parameters, step.operands, parts, strict=False):
        if isinstance(type, View):
            yield (part.name, part.writes, type), layout_of(type, data)
