"""What the interpreter's code calls while it runs: indexing, vectors, launches, and the recording of what happens."""

from __future__ import annotations

import builtins
import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from weft.errors import DeviceError, InternalError, exception_for
from weft.ir import nodes as n
from weft.ir.python_calls import BoundStep
from weft.ir.reference.memories import ON_HOST, Memories
from weft.ir.reference.shadow import Shadow, Site, address_of, offset_of
from weft.ir.values import Value

Index = tuple[Any, ...]

UNINITIALISED = 0xA5
"""The byte that fills memory nobody initialised, so that runs repeat."""


@dataclass(frozen=True)
class Repeated:
    """A slice with a step of 0."""

    position: int
    length: int

    @property
    def once(self) -> slice:
        """The one element."""
        return slice(self.position, self.position + 1, 1)


def _kept(index: Index) -> list[Any]:
    """The parts of a subscript that leave an axis."""
    return [part for part in index[:-1] if part is None or isinstance(part, (slice, Repeated))]


def _spread(view: np.ndarray, lengths: dict[int, int]) -> np.ndarray:
    """A view some of whose axes, of one element each, are repeated."""
    shape = [lengths.get(axis, extent) for axis, extent in enumerate(view.shape)]
    strides = [0 if axis in lengths else stride for axis, stride in enumerate(view.strides)]
    return np.lib.stride_tricks.as_strided(view, shape, strides, writeable=view.flags.writeable)


@dataclass
class Machine:
    """The state of one run. `shadow` and `memories` are there when accesses are to be recorded.

    `foreign` is the exception of a Python function that the user's program called.
    """

    externals: dict[str, object]
    shadow: Shadow | None = None
    memories: Memories | None = None
    inspect: Callable[..., None] | None = None
    counts: list[int] = field(default_factory=list)
    fault: IndexError | None = None
    foreign: Exception | None = None
    kept: list[np.ndarray] = field(default_factory=list)
    poll: Callable[[], None] | None = None
    _begins: dict[int, tuple[np.ndarray, int]] = field(default_factory=dict)

    # --------------------------------------------------------------------------------------------- indices

    def check(self, view: np.ndarray, index: Index) -> Index:
        """Indices that must be inside and not negative; IndexError where they are not."""
        for axis, (position, extent) in enumerate(zip(index, view.shape, strict=True)):
            if not 0 <= position < extent:
                raise IndexError(f"index {position} is out of bounds for axis {axis} with size {extent}")
        return index

    def safe(self, view: np.ndarray, index: Index) -> Index:
        """Indices that were proven inside; InternalError where they are not."""
        for axis, (position, extent) in enumerate(zip(index, view.shape, strict=True)):
            if not 0 <= position < extent:
                raise InternalError(f"index {position} was proven inside axis {axis}, whose extent is {extent}")
        return index

    def clamp(self, view: np.ndarray, index: Index) -> Index:
        """Indices forced inside; the fault is raised when the program ends."""
        if 0 in view.shape:
            return self.check(view, index)
        try:
            return self.check(view, index)
        except IndexError as error:
            self.fault = self.fault or error
            return tuple(min(max(p, 0), extent - 1) for p, extent in zip(index, view.shape, strict=True))

    def python(self, view: np.ndarray, index: Index) -> Index:
        """Indices that NumPy itself treats."""
        return index

    def cut(self, start: int, length: int, step: int) -> slice | Repeated:
        """Positions ``start + k * step`` for k below `length`, which were clipped already."""
        if length <= 0:
            return slice(0, 0, 1)
        if step == 0:
            return Repeated(start, length)
        stop = start + length * step
        return slice(start, stop if stop >= 0 else None, step)

    def subview(self, view: np.ndarray, index: Index, bounds: str) -> np.ndarray:
        """A view of some axes; `index` holds integers, slices, None, and an Ellipsis at the end."""
        axis = 0
        repeated = {k: part.length for k, part in enumerate(_kept(index)) if isinstance(part, Repeated)}
        index = tuple(part.once if isinstance(part, Repeated) else part for part in index)
        for part in index[:-1]:
            if part is None:
                continue
            extent = view.shape[axis]
            if isinstance(part, slice):
                self._check_slice(part, extent)
            elif bounds != "python":
                self._check_position(part, extent, axis, bounds)
            axis += 1
        return _spread(view[index], repeated) if repeated else view[index]

    def _check_slice(self, part: slice, extent: int) -> None:
        if part.start == 0 and part.stop == 0:
            return
        last = part.start % -part.step if part.stop is None else part.stop - part.step
        if not (0 <= part.start < extent and 0 <= last < extent):
            raise InternalError(f"a slice from {part.start} to {last} leaves an axis of extent {extent}")

    def _check_position(self, position: int, extent: int, axis: int, bounds: str) -> None:
        if 0 <= position < extent:
            return
        text = f"index {position} is out of bounds for axis {axis} with size {extent}"
        raise InternalError(f"{text}, although it was proven inside") if bounds == "safe" else IndexError(text)

    # ---------------------------------------------------------------------------------------------- memory

    def alloc(self, shape: Sequence[int], dtype: np.dtype[Any], fill: Value | None) -> np.ndarray:
        """A new array."""
        if any(extent < 0 for extent in shape):
            raise ValueError("negative dimensions are not allowed")
        array = np.empty(shape, dtype)
        if fill is None:
            array.reshape(-1).view(np.uint8)[...] = UNINITIALISED
        else:
            array[...] = fill
        if self.shadow is not None or self.memories is not None:
            self.kept.append(array)
        if self.memories is not None:
            self.memories.add(array, fill is not None)
        return array

    def _address_of(self, view: np.ndarray, index: Index) -> int:
        """The address of an element, of views that are used again and again."""
        known = self._begins.get(id(view))
        if known is None or known[0] is not view:
            if len(self._begins) >= 64:
                self._begins.clear()
            known = self._begins[id(view)] = view, address_of(view)
        return known[1] + offset_of(view, index)

    def read(self, view: np.ndarray, index: Index, site: Site) -> None:
        """Record that an element was read."""
        address = self._address_of(view, index)
        if self.shadow is not None:
            self.shadow.read(address, view.itemsize, site)
        if self.memories is not None:
            self.memories.read(address, view.itemsize)

    def write(self, view: np.ndarray, index: Index, site: Site) -> None:
        """Record that an element was written."""
        address = self._address_of(view, index)
        if self.shadow is not None:
            self.shadow.write(address, view.itemsize, site)
        if self.memories is not None:
            self.memories.write(address, view.itemsize)

    def update(self, view: np.ndarray, index: Index, operator: str, site: Site) -> None:
        """Record that an element was combined with a value."""
        address = self._address_of(view, index)
        if self.shadow is not None:
            self.shadow.update(address, view.itemsize, operator, site)
        if self.memories is not None:
            self.memories.read(address, view.itemsize)
            self.memories.write(address, view.itemsize)

    # --------------------------------------------------------------------------------------------- vectors

    def gather(
        self, view: np.ndarray, index: Index, lanes: int, mask: Sequence[Any] | None, bounds: str, site: Site | None
    ) -> tuple[Value, ...]:
        """A `Load` of several lanes; those that the mask leaves out are zero."""
        return tuple(
            self._gather_lane(view, _lane(index, k), bounds, site) if mask is None or mask[k] else view.dtype.type(0)
            for k in range(lanes)
        )

    def _gather_lane(self, view: np.ndarray, index: Index, bounds: str, site: Site | None) -> Value:
        index = getattr(self, bounds)(view, index)
        value = view[index]
        if site is not None:
            self.read(view, index, site)
        return value

    def scatter(
        self,
        view: np.ndarray,
        index: Index,
        value: Any,
        lanes: int,
        mask: Sequence[Any] | None,
        bounds: str,
        site: Site | None,
    ) -> None:
        """A `Store` of several lanes, the highest lane last."""
        for k in range(lanes):
            if mask is not None and not mask[k]:
                continue
            position = getattr(self, bounds)(view, _lane(index, k))
            view[position] = value[k] if isinstance(value, tuple) else value
            if site is not None:
                self.write(view, position, site)

    def fold(self, function: Callable[[Value, Value], Value], values: tuple[Value, ...]) -> Value:
        """Combine neighbours until one value is left; the order of the operands stays."""
        while len(values) > 1:
            pairs = [function(a, b) for a, b in zip(values[::2], values[1::2], strict=False)]
            values = (*pairs, *values[len(pairs) * 2 :])
        return values[0]

    def running(self, function: Callable[[Value, Value], Value], values: tuple[Value, ...]) -> tuple[Value, ...]:
        """Combine each value with those before it, over distances that double."""
        distance = 1
        while distance < len(values):
            pairs = zip(values, values[distance:], strict=False)
            values = (*values[:distance], *(function(a, b) for a, b in pairs))
            distance *= 2
        return values

    # ----------------------------------------------------------------------------- exceptions, calls, devices

    def exception(self, statement: n.Raise, operands: Sequence[Value]) -> BaseException:
        """The exception that a `Raise` raises."""
        return exception_for(statement.exception, statement.message, operands, statement.location, statement.other)

    def external(
        self,
        reference: str,
        operands: Sequence[Any],
        reads: Sequence[np.ndarray],
        writes: Sequence[np.ndarray],
        site: Site | None,
    ) -> Any:
        """Call a Python function."""
        function = self.externals.get(reference, getattr(builtins, reference, None))
        if not callable(function):
            raise InternalError(f"nothing is known of the external function {reference}")
        for view in reads:
            self._each_element(self.read, view, site)
        try:
            result = function(*operands)
        except Exception as error:
            self.foreign = error if isinstance(function, BoundStep) else None
            raise
        for view in writes:
            self._each_element(self.write, view, site)
        return result

    def _each_element(self, record: Callable[..., None], view: np.ndarray, site: Site | None) -> None:
        if site is not None:
            for index in np.ndindex(view.shape):
                record(view, index, site)

    def launch(
        self,
        kernel: Callable[..., Any],
        name: str,
        device: str,
        operands: Sequence[Any],
        touches: tuple[Sequence[np.ndarray], Sequence[np.ndarray]] | None,
        windows: Sequence[np.ndarray] = (),
    ) -> Any:
        """Run a kernel, with views of the arrays that its device holds; one that fails spoils what it may write.

        `touches` is what it says that it reads and what it writes; without that it is every array.
        """
        memories = self.memories
        if memories is None or device in ON_HOST:
            return kernel(*operands)
        for view in windows or operands:
            if isinstance(view, np.ndarray):
                memories.hold(view, device)
        views = [memories.seen_from(o, device) if isinstance(o, np.ndarray) else o for o in operands]
        saved, moved = memories.currency(), memories.moved
        arrays = [o for o in operands if isinstance(o, np.ndarray)]
        reads, spoilt = touches or (None, arrays)
        memories.begin(device, reads)
        try:
            kernel(*views)
            memories.ran(device, name, moved, arrays, spoilt)
        except (InternalError, DeviceError):
            raise
        except Exception:
            memories.restore(saved, device, spoilt)
            raise
        finally:
            memories.end(device)
        if self.fault is not None:
            memories.restore(saved, device, spoilt)
        elif touches is not None:
            memories.check_written(saved, device, spoilt)
        memories.check_owed()

    def fails(self, launched: Callable[[], Any], device: str) -> bool:
        """Whether a kernel, or an access that it clamped, would have raised; the host waits for it."""
        before, self.fault = self.fault, None
        try:
            launched()
            failed = self.fault is not None
        except (InternalError, DeviceError):
            raise
        except Exception:
            failed = True
        finally:
            self.fault = before
        if self.memories is not None and device not in ON_HOST:
            self.memories.wait_for_flag(device)
        return failed

    def room(self, memory: str) -> int:
        """How many more bytes a memory takes, or calls Python."""
        if memory == n.CALLS:
            return sys.getrecursionlimit()
        return self.memories.simulation.room(memory) if self.memories is not None else sys.maxsize

    def reserve(self, view: np.ndarray, memory: str) -> None:
        """Give the storage of a view a place in a memory."""
        if self.memories is not None:
            self.memories.hold(view, memory)

    def owe(self, view: np.ndarray, memory: str) -> None:
        """The same for a view of which the host is about to write elements that the memory has to get."""
        self.reserve(view, memory)
        if self.memories is not None and view.size:
            self.memories.owe(view, memory)

    def copy(self, view: np.ndarray, source: str, target: str, onto: np.ndarray | None = None) -> None:
        """Copy the elements of a view between memories, to those of another where there is one."""
        if onto is not None and onto.shape != view.shape:
            raise InternalError(f"{view.shape} elements are copied onto {onto.shape}")
        if self.memories is not None and view.size:
            self.memories.copy(view, source, target, onto)

    def free(self, view: np.ndarray, memory: str) -> None:
        """Give back the storage of a view in one memory."""
        if self.memories is not None and view.size:
            self.memories.free(view, memory)

    def wait(self, device: str, *of: np.ndarray) -> None:
        """The host waits for all that it queued on a device, or for the copies of some arrays."""
        if self.memories is not None and device not in ON_HOST:
            self.memories.wait(device, of)

    def watch(self, result: Value, operands: Sequence[Value], op: str) -> None:
        """Report a value that is not finite, or a division by zero, with the line of the caller."""
        if self.inspect is not None:
            self.inspect(result, operands, op, sys._getframe(1))


def _lane(index: Index, lane: int) -> Index:
    return tuple(part[lane] if isinstance(part, tuple) else part for part in index)
