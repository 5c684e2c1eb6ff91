"""Arrays of other libraries on a device that visit the host for the time of a call whose host part works on them.

They are copied home before the program runs, and what it may have written goes back after it, also where it raised.
Arrays whose memory meets share one buffer, as they do on the device.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, fields, is_dataclass, replace
from typing import Any

import numpy as np

from weft.errors import UnsupportedError
from weft.frontend.signature import describe, device_interface, device_strides
from weft.ir.types import View
from weft.runtime import _stub, accelerators
from weft.runtime.arrays import Array, failure

LINE = 64
"""Bytes to which addresses keep their distance."""


@dataclass
class Visitor:
    """An array of another library, the table of its device, where it is there, and the array that stands for it."""

    position: int
    original: object
    table: int
    address: int
    shape: tuple[int, ...]
    strides: tuple[int, ...]
    dtype: np.dtype[Any]
    writable: bool
    here: np.ndarray[Any, Any] | None = None

    @property
    def span(self) -> tuple[int, int]:
        """The first byte of its elements, and the one behind the last."""
        reach = [(n - 1) * s for n, s in zip(self.shape, self.strides, strict=True)]
        low = self.address + sum(min(r, 0) for r in reach)
        return low, self.address + sum(max(r, 0) for r in reach) + self.dtype.itemsize


def run(call: Callable[[tuple[object, ...]], object], leaves: Sequence[object], written: Sequence[bool]) -> object:
    """The result of a call whose arrays of other libraries are on the host while it runs; NotImplemented without any.

    Parameters
    ----------
    call
        Runs the program on flat arguments.
    leaves
        The flat arguments.
    written
        Which of them the program may write.

    Raises
    ------
    DeviceError
        A copy failed.
    UnsupportedError
        The program returns a part of such an array.
    """
    visitors = visitors_among(leaves)
    if not visitors:
        return NotImplemented
    given = list(leaves)
    for visitor, array in _at_home(visitors):
        visitor.here = array
        array.flags.writeable = visitor.writable
        given[visitor.position] = array
    try:
        result = call(tuple(given))
    finally:
        changed = [v for v in visitors if written[v.position] and v.writable]
        for visitor in changed:
            _send_back(visitor)
        for table in {visitor.table for visitor in changed}:
            _check(_stub.device_wait(table), table)
    return _with_originals(result, visitors)


def visitors_among(leaves: Sequence[object]) -> list[Visitor]:
    """The arrays of other libraries on devices among the flat arguments of a call."""
    return [visitor for k, leaf in enumerate(leaves) for visitor in _visitor(k, leaf)]


def _visitor(position: int, leaf: object) -> Iterator[Visitor]:
    """The leaf, if it is an array of another library on a device."""
    if isinstance(leaf, (np.ndarray, np.generic, Array, int, float, complex)) or callable(leaf):
        return
    interface = device_interface(leaf)
    type_ = describe(leaf) if interface is not None else None
    if interface is not None and isinstance(type_, View) and accelerators.is_accelerator(type_.memory):
        address, read_only = interface["data"]
        dtype = np.dtype(interface["typestr"])
        shape = tuple(interface["shape"])
        strides = device_strides(interface) or _dense(shape, dtype.itemsize)
        table = accelerators.table(type_.memory)
        yield Visitor(position, leaf, table, address, shape, tuple(strides), dtype, not read_only)


def _dense(shape: Sequence[int], itemsize: int) -> tuple[int, ...]:
    return tuple(itemsize * math.prod(shape[k + 1 :]) for k in range(len(shape)))


def _meeting(visitors: Sequence[Visitor]) -> list[list[Visitor]]:
    """Arrays by the memory that they share."""
    groups: list[list[Visitor]] = []
    end = 0
    for visitor in sorted(visitors, key=lambda v: v.span):
        if not groups or visitor.span[0] >= end:
            groups.append([])
        groups[-1].append(visitor)
        end = max(end, visitor.span[1])
    return groups


def _at_home(visitors: Sequence[Visitor]) -> Iterator[tuple[Visitor, np.ndarray[Any, Any]]]:
    """The arrays that stand for others, with their elements."""
    for table in {visitor.table for visitor in visitors}:
        _check(_stub.device_settle(table), table)  # other libraries may have queued work on them
    for visitor in visitors:
        if not math.prod(visitor.shape):
            yield visitor, np.empty(visitor.shape, visitor.dtype)
    for group in _meeting([v for v in visitors if math.prod(v.shape)]):
        yield from _views_of_one(group)


def _views_of_one(group: Sequence[Visitor]) -> Iterator[tuple[Visitor, np.ndarray[Any, Any]]]:
    """Copy the bytes that arrays span into one buffer, and show them as views of it."""
    low, high, table = min(v.span[0] for v in group), max(v.span[1] for v in group), group[0].table
    buffer = np.empty(high - low + LINE, np.uint8)
    first = (low - buffer.ctypes.data) % LINE
    _check(_stub.device_copy(table, low, buffer.ctypes.data + first, high - low, True), table)
    for visitor in group:
        offset = first + visitor.address - low
        yield visitor, np.ndarray(visitor.shape, visitor.dtype, buffer.data, offset, visitor.strides)


def _send_back(visitor: Visitor) -> None:
    """Copy the elements of an array to the device, and no byte between them."""
    here = visitor.here
    assert here is not None
    axes = [k for k in range(here.ndim) if visitor.shape[k] > 1 and visitor.strides[k]]
    axes.sort(key=lambda k: abs(visitor.strides[k]))
    width, start = visitor.dtype.itemsize, 0
    while axes and abs(visitor.strides[axes[0]]) == width:
        axis = axes.pop(0)
        start += min((visitor.shape[axis] - 1) * visitor.strides[axis], 0)
        width *= visitor.shape[axis]
    for index in np.ndindex(*(visitor.shape[k] for k in axes)) if math.prod(visitor.shape) else ():
        offset = start + sum(i * visitor.strides[k] for i, k in zip(index, axes, strict=True))
        source = here.ctypes.data + offset
        status = _stub.device_copy(visitor.table, visitor.address + offset, source, width, False, False)
        _check(status, visitor.table)


def _with_originals(result: object, visitors: Sequence[Visitor]) -> object:
    """The result with arrays of the caller in the places of those that stood for them."""
    if isinstance(result, np.ndarray):
        for visitor in visitors:
            if result is visitor.here:
                return visitor.original
            if visitor.here is not None and np.may_share_memory(result, visitor.here):
                raise UnsupportedError("the function returns a part of an array that is on the device")
    elif isinstance(result, tuple):
        items = [_with_originals(item, visitors) for item in result]
        made: Any = type(result)
        return made(*items) if hasattr(result, "_fields") else tuple(items)
    elif is_dataclass(result) and not isinstance(result, type):
        values = {f.name: _with_originals(getattr(result, f.name), visitors) for f in fields(result) if f.init}
        return replace(result, **values)
    return result


def _check(status: int, table: int) -> None:
    if status:
        raise failure(status, table, 0)
