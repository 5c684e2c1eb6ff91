"""Arrays that are on a device while the host works on them too: memory of the host stands for them during a call.

The program copies what it needs of them, region by region, and sends back what the host has written; they stay on the
device. Where that was not proven (see `weft.plan.transfers.transfers`) all of an array comes home before the call, and
what may have been written goes back after it, also where it raised. Arrays whose memory meets share the memory that
stands for them, as they do on the device.
"""

from __future__ import annotations

import math
import mmap
import threading
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, fields, is_dataclass, replace
from typing import TYPE_CHECKING, Any

import numpy as np

from weft.errors import DeviceError, Error, UnsupportedError
from weft.frontend.source.signature import describe, device_interface, device_strides
from weft.ir.types import View
from weft.runtime import _stub
from weft.runtime.arrays.arrays import HOST, Array, failure
from weft.runtime.devices import accelerators

if TYPE_CHECKING:
    from weft.runtime.dispatch.variants import Leaf

LINE = 64
"""Bytes to which addresses keep their distance."""

Call = Callable[[tuple[object, ...]], object]


Guest = tuple[int, int, int, bool, bool, bool]
"""Memory of the host that stands for an array, as the stub takes it: see `weft_guest` in ``mirror.h``."""


@dataclass
class Visitor:
    """An array on a device, the table of the device, where it is there, and the array that stands for it.

    Attributes
    ----------
    is_home
        A coherent array that is current on the host and that no kernel of the program touches: nothing moves.
    is_fresh
        One that is current in both places: what stands for it is its own memory on the host.
    is_whole
        All of it was brought home, and what the program may write goes back.
    """

    position: int
    name: str
    original: object
    table: int
    address: int
    shape: tuple[int, ...]
    strides: tuple[int, ...]
    dtype: np.dtype[Any]
    writable: bool
    written: bool = False
    here: np.ndarray[Any, Any] | None = None
    guest: Guest | None = None
    is_home: bool = False
    is_fresh: bool = False
    is_whole: bool = False
    loan: _stub.Loan | None = None
    """What keeps a coherent array where it is on the device."""
    view: np.ndarray[Any, Any] | None = None
    """The array of NumPy that was given, where `original` is the coherent one that it shows."""

    @property
    def span(self) -> tuple[int, int]:
        """The first byte of its elements, and the one behind the last."""
        reach = [(n - 1) * s for n, s in zip(self.shape, self.strides, strict=True)]
        low = self.address + sum(min(r, 0) for r in reach)
        return low, self.address + sum(max(r, 0) for r in reach) + self.dtype.itemsize

    @property
    def storage(self) -> _stub.Storage | None:
        """That of a coherent array."""
        return self.original._storage if isinstance(self.original, Array) else None


_present = threading.local()
"""`visits`: the visitors of each call that this thread is in."""


def run(call: Call, leaves: Sequence[object], types: Sequence[Leaf], names: Sequence[str]) -> object:
    """The result of a call whose arrays may be on a device while the host works on them.

    Parameters
    ----------
    call
        Runs the program on flat arguments.
    leaves
        The flat arguments.
    types
        What the program takes.
    names
        What the user calls it.

    Raises
    ------
    DeviceError
        A copy failed.
    UnsupportedError
        The program returns a part of an array of another library.
    """
    visitors = list(_visitors(leaves, types, names))
    if not visitors:
        return call(tuple(leaves))
    given, error = list(leaves), None
    try:
        _settle(visitors)
        _stand_in(visitors, any(type_.home != "host" for type_ in types))
        for visitor in visitors:
            given[visitor.position] = visitor.here
        result = _with_guests(call, given, types, visitors)
    except BaseException as raised:
        error = raised
        raise
    finally:
        _leave(visitors, error)
    return _with_originals(result, visitors)


def _with_guests(call: Call, given: Sequence[object], types: Sequence[Leaf], visitors: list[Visitor]) -> object:
    """The result of a call while its visitors are the present ones."""
    visits = _present.__dict__.setdefault("visits", [])
    outer: list[Visitor] = visits[-1] if visits else []
    among = set(map(id, given))
    visits.append([*outer, *visitors] if any(id(visitor.here) in among for visitor in outer) else visitors)
    try:
        adapt(given, types)
        return call(tuple(given))
    finally:
        visits.pop()
        _stub.set_guests([])


def adapt(leaves: Sequence[object], types: Sequence[Leaf]) -> bool:
    """See to it that the arrays of the present call are as a program takes them, which is to run next.

    Returns whether there are any.
    """
    visits = _present.__dict__.get("visits")
    present: list[Visitor] = visits[-1] if visits else []
    known = {id(visitor.here): visitor for visitor in present}
    is_inside = not known.keys().isdisjoint(map(id, leaves))
    for other in present if is_inside else ():
        other.is_whole = False  # a program before this one, which did nothing, may have wanted it so
    guests: dict[Guest, None] = {}
    for leaf, type_ in zip(leaves, types, strict=True):
        visitor = known.get(id(leaf))
        if visitor is None:
            continue
        visitor.written |= type_.written
        if type_.home == "host" and not visitor.is_home:
            _bring_whole(visitor)
        elif type_.launched and visitor.is_home:
            _send_whole([other for other in present if other.storage is visitor.storage])
        if visitor.guest is not None and not (visitor.is_home and type_.home == "host"):
            guests[visitor.guest] = None
    if known:
        _stub.set_guests(list(guests))
    return is_inside


def wanted(leaves: Sequence[object], types: Sequence[Leaf]) -> bool:
    """Whether there are coherent arrays for which memory of the host has to stand, and does not yet."""
    return any(isinstance(leaf, Array) and type_.home != "host" for leaf, type_ in zip(leaves, types, strict=True))


def without_stand_ins(leaves: Sequence[object]) -> list[object]:
    """The leaves that may outlive the call: None for those that only stand for arrays during it."""
    visits = _present.__dict__.get("visits")
    known = {id(visitor.here) for visitor in visits[-1]} if visits else set()
    return [None if id(leaf) in known else leaf for leaf in leaves]


def _settle(visitors: Sequence[Visitor]) -> None:
    """Wait for what other libraries may have queued on their arrays."""
    for table in {visitor.table for visitor in visitors if visitor.storage is None}:
        _check(_stub.device_settle(table), table)


def _leave(visitors: Sequence[Visitor], error: BaseException | None) -> None:
    """The end of a call: arrays are current where they belong, and their owners know what was changed.

    What fails for one array is raised once all of them are done.
    """
    failures: list[Error] = []
    for visitor in visitors:
        if visitor.is_whole and visitor.written and visitor.writable:
            _try(failures, _send_back, visitor)
    for table in {visitor.table for visitor in visitors if visitor.storage is None or visitor.is_whole}:
        _try(failures, _check, _stub.device_wait(table), table)
    is_spoilt = bool(failures) or isinstance(error, DeviceError)
    for visitor in visitors:
        storage, visitor.loan = visitor.storage, None
        if storage is None or not (visitor.written or visitor.view is not None) or visitor.here is None:
            continue
        if is_spoilt and not visitor.is_home:
            storage.spoiled(visitor.table)
        else:
            _try(failures, storage.wrote, HOST if visitor.is_home else visitor.table)
    if failures and error is None:
        raise failures[0]


def _try(failures: list[Error], function: Callable[..., object], *arguments: object) -> None:
    """Call a function, and add the error that it ends with."""
    try:
        function(*arguments)
    except Error as error:
        failures.append(error)


def _visitors(leaves: Sequence[object], types: Sequence[Leaf], names: Sequence[str]) -> Iterator[Visitor]:
    """The arrays of a call that memory of the host has to stand for."""
    both = list(zip(leaves, types, strict=True))
    tables = {
        leaf._storage: accelerators.table(type_.home)
        for leaf, type_ in both
        if isinstance(leaf, Array) and type_.home != "host"
    }
    launched = {leaf._storage for leaf, type_ in both if isinstance(leaf, Array) and type_.launched}
    others = [
        visitor for k, (leaf, type_) in enumerate(both) for visitor in visitor_of(k, leaf, names[k], type_.written)
    ]
    arrays = [leaf if isinstance(leaf, Array) else _behind(leaf) if others else None for leaf in leaves]
    lent = {
        array._storage: other.table
        for array in arrays
        for other in others
        if array is not None and _shows(other, array._storage)
    }
    tables |= lent
    yield from others
    for position, (leaf, type_) in enumerate(both):
        array = arrays[position]
        if array is not None and (array._storage in lent or (array is leaf and array._storage in tables)):
            storage = array._storage
            is_here = HOST in storage.current() and storage not in lent
            visitor = _coherent_visitor(position, array, type_, tables[storage], is_here, storage in launched)
            if isinstance(leaf, np.ndarray):
                visitor.view, visitor.writable = leaf, leaf.flags.writeable
            yield replace(visitor, name=names[position])


def _behind(leaf: object) -> Array | None:
    """The coherent array that an array of NumPy shows."""
    base = leaf
    while isinstance(base, np.ndarray):
        base = base.base
    if not isinstance(leaf, np.ndarray) or not isinstance(base, _stub.Loan):
        return None
    return Array(base.storage, leaf.ctypes.data - base.address, leaf.shape, leaf.strides, leaf.dtype)


def _shows(visitor: Visitor, storage: _stub.Storage) -> bool:
    """Whether an array of another library has elements of a coherent one that was lent to it."""
    start = storage.address(visitor.table)
    low, high = visitor.span
    return bool(start) and start < high and low < start + storage.size


def _coherent_visitor(
    position: int, array: Array, type_: Leaf, table: int, is_here: bool, is_launched: bool
) -> Visitor:
    """A coherent array, which is moved to the device unless the host has it and no kernel needs it there."""
    visitor = Visitor(position, "", array, table, 0, array.shape, array.strides, array.dtype, True, type_.written)
    visitor.is_home, visitor.is_fresh = is_here and not is_launched, is_here and is_launched
    if not visitor.is_home:
        _use_device(visitor)
    return visitor


def _use_device(visitor: Visitor) -> None:
    """Make a coherent array current on the device, and keep it there for the call."""
    array, storage = visitor.original, visitor.storage
    assert isinstance(array, Array) and storage is not None
    visitor.loan = _stub.Loan(storage, visitor.table, False)
    visitor.address = visitor.loan.address + array._offset


def visitors_among(leaves: Sequence[object]) -> list[Visitor]:
    """The arrays of other libraries on devices among the flat arguments of a call."""
    return [visitor for k, leaf in enumerate(leaves) for visitor in visitor_of(k, leaf)]


def visitor_of(position: int, leaf: object, name: str = "", written: bool = False) -> Iterator[Visitor]:
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
        yield Visitor(position, name, leaf, table, address or 0, shape, tuple(strides), dtype, not read_only, written)


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


def _stand_in(visitors: Sequence[Visitor], in_parts: bool) -> None:
    """Find memory of the host that stands for each array, of which nothing is filled, and little will be `in_parts`."""
    elsewhere: list[Visitor] = []
    for visitor in visitors:
        if not math.prod(visitor.shape):
            visitor.here = np.empty(visitor.shape, visitor.dtype)
        elif visitor.is_home or visitor.is_fresh:
            _use_own_memory(visitor)
        else:
            elsewhere.append(visitor)
    for group in _meeting(elsewhere):
        _share(group, in_parts)
    for visitor in visitors:
        assert visitor.here is not None
        visitor.here.flags.writeable = visitor.writable


def _use_own_memory(visitor: Visitor) -> None:
    """Let a coherent array stand for itself by its own memory on the host."""
    array, storage = visitor.original, visitor.storage
    assert isinstance(array, Array) and storage is not None
    low = storage.acquire(HOST, visitor.written)
    there = visitor.address - array._offset if visitor.is_fresh else 0
    visitor.guest = low, low + storage.size, there, visitor.is_fresh, visitor.is_home, False
    if visitor.here is None:
        visitor.here = array.layout(low)


def _share(group: Sequence[Visitor], in_parts: bool) -> None:
    """One buffer for the bytes that arrays span, of which they are views."""
    low, high = min(v.span[0] for v in group), max(v.span[1] for v in group)
    size = high - low + LINE
    # NumPy asks for huge pages, of which the system clears a whole one where an element is touched.
    buffer = np.frombuffer(mmap.mmap(-1, size), np.uint8) if in_parts else np.empty(size, np.uint8)
    first = (low - buffer.ctypes.data) % LINE
    start = buffer.ctypes.data + first
    guest = start, start + high - low, low, False, False, any(v.storage is None for v in group)
    for visitor in group:
        offset = first + visitor.address - low
        visitor.here = np.ndarray(visitor.shape, visitor.dtype, buffer.data, offset, visitor.strides)
        visitor.guest = guest


def _bring_whole(visitor: Visitor) -> None:
    """Copy all of an array home, with the bytes between its elements, once."""
    if visitor.is_whole or not math.prod(visitor.shape):
        return
    visitor.is_whole = True
    if not visitor.is_fresh:
        assert visitor.here is not None
        low, high = visitor.span
        start = visitor.here.ctypes.data + low - visitor.address
        _check(_stub.device_copy(visitor.table, low, start, high - low, True, True, visitor.name), visitor.table)


def _send_whole(visitors: Sequence[Visitor]) -> None:
    """Coherent arrays of one storage that were to stay on the host go to the device: a kernel needs them there."""
    for visitor in visitors:
        visitor.is_home, visitor.is_fresh = False, True
        _use_device(visitor)
        _use_own_memory(visitor)


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
        status = _stub.device_copy(visitor.table, visitor.address + offset, source, width, False, False, visitor.name)
        _check(status, visitor.table)


def _with_originals(result: object, visitors: Sequence[Visitor]) -> object:
    """The result with arrays of the caller in the places of those that stood for them."""
    if isinstance(result, np.ndarray):
        for visitor in visitors:
            if result is visitor.here:
                return visitor.original if visitor.view is None else visitor.view
        for visitor in visitors:
            if visitor.here is not None and np.may_share_memory(result, visitor.here):
                return _part_of(visitor, result)
    elif isinstance(result, tuple):
        items = [_with_originals(item, visitors) for item in result]
        made: Any = type(result)
        return made(*items) if hasattr(result, "_fields") else tuple(items)
    elif is_dataclass(result) and not isinstance(result, type):
        values = {f.name: _with_originals(getattr(result, f.name), visitors) for f in fields(result) if f.init}
        return replace(result, **values)
    return result


def _part_of(visitor: Visitor, shown: np.ndarray[Any, Any]) -> Array | np.ndarray[Any, Any]:
    """The part of an array that a part of the array shows which stood for it."""
    array, here = visitor.original, visitor.here
    if not isinstance(array, Array) or here is None:
        raise UnsupportedError("the function returns a part of an array that is on the device")
    offset = array._offset + shown.__array_interface__["data"][0] - here.__array_interface__["data"][0]
    part = array.part(offset, shown.shape, shown.strides, shown.dtype)
    return part if visitor.view is None else np.asarray(part)


def _check(status: int, table: int) -> None:
    if status:
        raise failure(status, table, 0)
