"""Named memories: what each device holds, byte by byte, so that a missing or superfluous copy is found.

The host's memory is the arrays themselves. Every other memory holds copies of storages. A byte is *current* in a memory
if nothing newer was written elsewhere; whoever reads one that is not has found a mistake in the plan.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field

import numpy as np

from weft.errors import InternalError
from weft.ir.reference.shadow import address_of
from weft.ir.reference.simulated import Place, Simulation
from weft.ir.spans import Spans
from weft.ir.types import HOST as HOST

ON_HOST = frozenset({HOST, "cpu"})
"""Devices that work in the host's memory."""

GARBAGE = 0xA5
"""What fresh memory is filled with."""


def device_of(memory: str) -> str:
    """The device that a memory belongs to: what stands before a slash, as in ``cuda/saved``."""
    return memory.partition("/")[0]


@dataclass
class Held:
    """The bytes of a storage in one memory, at `address`, and which of them are current.

    `buffer` is there where the memory holds a copy: of the bytes in `places`, which are from one offset up to another.
    `arriving` are bytes that a device is still copying here, `leaving` those that it is still copying from here.
    `readable` are those that the kernel which runs may read: what its launch says, and what it wrote. `promised` are
    those that a launch said it writes, and that nobody has written yet.
    """

    address: int
    current: np.ndarray
    buffer: np.ndarray | None = None
    arriving: np.ndarray | None = None
    leaving: np.ndarray | None = None
    readable: np.ndarray | None = None
    promised: np.ndarray | None = None
    places: list[tuple[int, int]] = field(default_factory=list)

    def check_promises(self, memory: str) -> None:
        """InternalError where launches said that bytes are written here, and no kernel wrote them."""
        if self.promised is not None and self.promised.any():
            raise InternalError(f"a kernel of {memory} writes less than its launch says")

    def has_place(self, low: int, high: int) -> bool:
        """Whether bytes have a place here."""
        return self.buffer is None or any(a <= low and high <= b for a, b in self.places)

    def meeting(self, low: int, high: int) -> list[tuple[int, int]]:
        """The places that have bytes in common with a range."""
        return [(a, b) for a, b in self.places if a < high and low < b]


@dataclass(eq=False)
class Storage:
    """An allocation: its size in bytes, where it is held, and which bytes nobody has written yet anywhere."""

    size: int
    held: dict[str, Held] = field(default_factory=dict)
    undefined: np.ndarray | None = None


class Memories:
    """All storages of a running program. `here` is the memory in which code runs at the moment."""

    def __init__(self, simulation: Simulation | None = None) -> None:
        self.here = HOST
        self.copied_bytes: dict[tuple[str, str], int] = {}
        self.moved = 0
        self.simulation = simulation or Simulation()
        self._arriving: dict[str, list[Held]] = {}
        self._leaving: dict[str, list[Held]] = {}
        self._storages: list[Storage] = []
        self._spans: Spans[tuple[Storage, str]] = Spans()
        self._visits: list[tuple[np.ndarray, str]] = []
        self._owed: list[tuple[np.ndarray, str]] = []

    def visit(self, array: np.ndarray, home: str) -> None:
        """An array of another memory is given by its address here, where nothing of it is current."""
        if array.size and home != HOST:
            storage, low, high = self._range(array)
            held = storage.held.get(home) or self._made(storage, home)
            held.places = [*held.places, (low, high)]
            self.seen_from(array, home)[...] = array
            self._bytes(array, HOST)[...] = False
            self._bytes(array, home)[...] = True
            self._visits.append((array, home))

    def owe(self, view: np.ndarray, memory: str) -> None:
        """What the host writes of a view from here on is to reach a memory, however the program ends."""
        self._owed.append((view, memory))
        self.check_owed()

    def check_owed(self) -> None:
        """InternalError where the host owes what is old there: it would overwrite what is newer."""
        for view, _ in self._owed:
            if not self._bytes(view, HOST).all():
                raise InternalError("the host owes a device elements that are newer there")

    def _pay(self, view: np.ndarray, memory: str) -> None:
        """The host owes a memory no longer what was copied there."""
        mine = set(_places_in(view))
        self._owed = [(v, m) for v, m in self._owed if m != memory or not mine.issuperset(_places_in(v))]

    def begin_with(self, arrays: Iterable[np.ndarray]) -> None:
        """Begin with the arrays that a program is given: those whose spans overlap are parts of one storage."""
        low = high = 0
        for start, stop in sorted(np.lib.array_utils.byte_bounds(array) for array in arrays if array.size):
            if start >= high:
                self._enter(low, high, is_filled=True)
                low = start
            high = max(high, stop)
        self._enter(low, high, is_filled=True)

    def add(self, array: np.ndarray, is_filled: bool = True) -> None:
        """A storage appears in the memory in which code runs; what nobody filled is as good in one as in another."""
        low, high = np.lib.array_utils.byte_bounds(array)
        if self._find(low) is None:
            self._enter(low, high, is_filled)

    def _enter(self, low: int, high: int, is_filled: bool) -> None:
        if high > low:
            held = Held(low, np.ones(high - low, dtype=bool))
            undefined = None if is_filled else np.ones(high - low, dtype=bool)
            self._storages.append(Storage(high - low, {self.here: held}, undefined))
            self._spans.enter(low, high - low, (self._storages[-1], self.here))

    def read(self, address: int, size: int) -> None:
        """InternalError unless the bytes are current in the memory in which code runs."""
        storage, memory, offset = self._located(address)
        held = storage.held[memory]
        if memory != self.here:
            raise InternalError(f"code on {self.here} reads memory of {memory}")
        if not _all(held.current, offset, size):
            raise InternalError(f"{self.here} reads bytes that were written elsewhere: a copy is missing")
        if held.readable is not None and not _all(held.readable, offset, size):
            raise InternalError(f"a kernel of {self.here} reads more than its launch says")
        self._touch(held, offset, size)

    def write(self, address: int, size: int) -> None:
        """The bytes become current here and nowhere else."""
        storage, memory, offset = self._located(address)
        if memory != self.here:
            raise InternalError(f"code on {self.here} writes memory of {memory}")
        self._touch(storage.held[memory], offset, size)
        readable = storage.held[memory].readable
        if readable is not None:
            readable[offset : offset + size] = True
        leaving = storage.held[memory].leaving
        if leaving is not None and leaving[offset : offset + size].any():
            raise InternalError(f"{self.here} writes bytes that are still being copied: a wait is missing")
        for name, held in storage.held.items():
            held.current[offset : offset + size] = name == memory
            if held.promised is not None:
                held.promised[offset : offset + size] = False
        if storage.undefined is not None:
            storage.undefined[offset : offset + size] = False

    def _touch(self, held: Held, offset: int, size: int) -> None:
        """Count bytes that are accessed; InternalError where a device is still copying them."""
        self.moved += size
        if not held.has_place(offset, offset + size):
            raise InternalError(f"{self.here} accesses bytes that have no place there")
        if held.arriving is not None and held.arriving[offset : offset + size].any():
            raise InternalError(f"{self.here} accesses bytes before they have arrived: a wait is missing")

    def wait(self, device: str, of: Sequence[np.ndarray] = ()) -> None:
        """The host waits for a device: what it copied to the host has arrived, what it copied from there has left.

        With `of`, that holds of the bytes of these arrays only.
        """
        self.simulation.wait(device, [place for view in of for place in self._places(view, HOST)] if of else None)
        if of:
            for view in of:
                self._settled(view)
            return
        for held in self._arriving.pop(device, ()):
            held.arriving = None
        self._all_left(device)

    def wait_for_flag(self, device: str) -> None:
        """The host waits for kernels, and for copies to the device, but not for those that have left it."""
        self.simulation.wait(device)
        self._all_left(device)

    def _all_left(self, device: str) -> None:
        for held in self._leaving.pop(device, ()):
            held.leaving = None

    def _settled(self, view: np.ndarray) -> None:
        """No byte that a view spans is being copied from or to the host."""
        if not view.size:
            return
        storage, low, high = self._range(view)
        for bytes_ in (storage.held[HOST].arriving, storage.held[HOST].leaving):
            if bytes_ is not None:
                bytes_[low:high] = False

    def ran(
        self, device: str, kernel: str, before: int, reads: Iterable[np.ndarray], writes: Iterable[np.ndarray]
    ) -> None:
        """A kernel has moved the bytes that were counted since `before`."""
        read, written = ([p for view in views for p in self._places(view, device)] for views in (reads, writes))
        self.simulation.launch(device, self.moved - before, kernel, read, written)

    def _places(self, view: np.ndarray, memory: str) -> Iterator[Place]:
        """The storage of a view in a memory, unless it is empty."""
        if view.size:
            yield self._storages.index(self._located(address_of(view))[0]), memory

    def copy(self, view: np.ndarray, source: str, target: str, onto: np.ndarray | None = None) -> None:
        """Copy the elements of a view from one memory to another, which gets the storage where it has none.

        Those of another view, `onto`, are a new version then: current in `target` alone.
        """
        made = view if onto is None else onto
        self.hold(view, source)
        self.hold(made, target)
        there, here = self.seen_from(made, target), self.seen_from(view, source)
        if not self._bytes(view, source).all():
            raise InternalError(f"{source} copies bytes to {target} that are not current in {source}")
        ((old,), (new,)) = self._places(view, source), self._places(made, target)
        self.simulation.copy(device_of(source if target == HOST else target), view.nbytes, old, new)
        there[...] = here
        self._becomes(made, target, alone=onto is not None)
        if self._owed and source == HOST:
            self._pay(made, target)
        if target == HOST:
            held = self._located(address_of(made))[0].held[target]
            if held.arriving is None:
                held.arriving = np.zeros(len(held.current), dtype=bool)
                self._arriving.setdefault(device_of(source), []).append(held)
            self._mark(held.arriving, made)
        elif source == HOST:
            held = self._located(address_of(view))[0].held[source]
            if held.leaving is None:
                held.leaving = np.zeros(len(held.current), dtype=bool)
                self._leaving.setdefault(device_of(target), []).append(held)
            self._mark(held.leaving, view)
        key = (source, target)
        self.copied_bytes[key] = self.copied_bytes.get(key, 0) + view.nbytes

    def _becomes(self, view: np.ndarray, memory: str, alone: bool) -> None:
        """The elements of a view are current in a memory; nowhere else, where they are new."""
        storage, _, offset = self._located(address_of(view))
        for name in storage.held if alone else (memory,):
            self._bytes(view, name)[...] = name == memory
        if alone and storage.undefined is not None:
            undefined = storage.undefined.view(np.uint8)
            np.ndarray((*view.shape, view.itemsize), bool, undefined, offset, (*view.strides, 1))[...] = False

    def _mark(self, bytes_: np.ndarray, view: np.ndarray) -> None:
        """The bytes of a view are on their way until the host waits for the device."""
        offset = self._located(address_of(view))[2]
        marks: np.ndarray = np.ndarray((*view.shape, view.itemsize), bool, bytes_, offset, (*view.strides, 1))
        marks[...] = True

    def free(self, view: np.ndarray, memory: str) -> None:
        """Give back what a storage has of a view in one memory, where it is still there: two views may show one."""
        storage, low, high = self._range(view)
        held = storage.held.get(memory)
        if held is None:
            return
        held.check_promises(memory)
        for place in held.meeting(low, high):
            self._release(storage, memory, place)
        if not held.places:
            del storage.held[memory]
            self._spans.remove(held.address, storage.size)

    def _release(self, storage: Storage, memory: str, place: tuple[int, int]) -> None:
        """Give back one place, whose bytes are not current any more."""
        low, high = place
        held = storage.held[memory]
        held.places.remove(place)
        held.current[low:high] = False if storage.undefined is None else storage.undefined[low:high]
        self.simulation.release(device_of(memory), high - low)

    def hold(self, view: np.ndarray, memory: str) -> None:
        """Give the bytes that a view spans a place in a memory: one for all of them, with those that it meets.

        What was there stays; bytes that are new there are not current until they are written.
        """
        if not view.size:
            return
        storage, low, high = self._range(view)
        held = storage.held.get(memory)
        if held is not None and held.has_place(low, high):
            return
        meeting = [] if held is None else held.meeting(low, high)
        place = min([low, *(a for a, _ in meeting)]), max([high, *(b for _, b in meeting)])
        for old in meeting:
            self.simulation.release(device_of(memory), old[1] - old[0])
        self.simulation.allocate(device_of(memory), place[1] - place[0])
        held = held or self._made(storage, memory)
        held.places = [*(p for p in held.places if p not in meeting), place]

    def _range(self, view: np.ndarray) -> tuple[Storage, int, int]:
        """The storage of a view, and from which of its bytes up to which the view spans."""
        low, high = np.lib.array_utils.byte_bounds(view)
        storage, _, offset = self._located(address_of(view))
        start = offset + low - address_of(view)
        return storage, start, start + high - low

    def currency(self) -> list[tuple[Held, np.ndarray]]:
        """Which bytes are current now, for `restore`."""
        return [(held, held.current.copy()) for storage in self._storages for held in storage.held.values()]

    def restore(self, saved: list[tuple[Held, np.ndarray]], memory: str, spoilt: Sequence[np.ndarray]) -> None:
        """Undo what a failed kernel did: what it may write is not current in its memory, and all else is as before."""
        for held, before in saved:
            held.current[...] = before
        for view in spoilt:
            if view.size:
                self._bytes(view, memory)[...] = False

    def begin(self, memory: str, reads: Sequence[np.ndarray] | None) -> None:
        """A kernel starts that may read some arrays; without `reads` all of them."""
        self.here = memory
        for storage in self._storages if reads is not None else ():
            if memory in storage.held:
                storage.held[memory].readable = np.zeros(storage.size, dtype=bool)
        for view in reads or ():
            if view.size:
                held = self._located(address_of(view))[0].held[memory]
                assert held.readable is not None
                self._mark(held.readable, view)

    def end(self, memory: str) -> None:
        """The kernel is done."""
        self.here = HOST
        for storage in self._storages:
            if memory in storage.held:
                storage.held[memory].readable = None

    def check_written(self, saved: list[tuple[Held, np.ndarray]], memory: str, written: Sequence[np.ndarray]) -> None:
        """InternalError where a kernel wrote bytes that it was not said to write.

        What it was said to write, and left as it was, must have been current there, or another one writes it.
        """
        for view in written:
            if view.size:
                held = self._located(address_of(view))[0].held[memory]
                promised = np.zeros(len(held.current), dtype=bool)
                self._mark(promised, view)
                promised &= ~held.current
                held.promised = promised if held.promised is None else held.promised | promised
        now = [held.current.copy() for held, _ in saved]
        for view in written:
            if view.size:
                for name in self._located(address_of(view))[0].held:
                    self._bytes(view, name)[...] = True
        wrote = any((before & ~held.current).any() for held, before in saved)
        for (held, _), current in zip(saved, now, strict=True):
            held.current[...] = current
        if wrote:
            raise InternalError(f"a kernel of {memory} writes more than its launch says")

    def settle(self) -> None:
        """Bring home what is current elsewhere alone: arrays of the host have their values when a program raises."""
        self.check_owed()
        for view, memory in self._owed:
            self.seen_from(view, memory)[...] = view
            self._becomes(view, memory, alone=False)
        self.return_visits()
        for storage in self._storages:
            if HOST not in storage.held:
                continue
            home = storage.held[HOST]
            for held in storage.held.values():
                newer = held.current & ~home.current
                if newer.any():
                    _contents(home, storage.size)[newer] = _contents(held, storage.size)[newer]
                    home.current[newer] = True

    def return_visits(self) -> None:
        """Show arrays of other memories here as they are there, once all of them is current there."""
        for array, home in self._visits:
            if not self._bytes(array, home).all():
                raise InternalError(f"the program ends with older elements in {home}: a copy is missing")
            array[...] = self.seen_from(array, home)
            self._bytes(array, HOST)[...] = True
        self._visits = []

    def check_settled(self, arrays: Iterable[np.ndarray]) -> None:
        """InternalError unless all elements of arrays are current on the host, as they must be when a program ends."""
        arriving = (held.arriving for made in self._arriving.values() for held in made)
        if any(bytes_ is not None and bytes_.any() for bytes_ in arriving):
            raise InternalError("the program ends before copies have arrived: a wait is missing")
        self.return_visits()
        for storage in self._storages:
            for name, held in storage.held.items():
                held.check_promises(name)
        for array in arrays:
            if array.size and not self._bytes(array, HOST).all():
                raise InternalError("the program ends with newer elements on a device: a copy is missing")

    def seen_from(self, view: np.ndarray, memory: str) -> np.ndarray:
        """The same elements in another memory."""
        if view.size == 0:
            return view
        storage, name, offset = self._located(address_of(view))
        if name == memory:
            return view
        held = storage.held.get(memory)
        if held is None:
            raise InternalError(f"the array was never copied to {memory}")
        buffer = held.buffer
        if buffer is None:
            return _at(held.address + offset, view)
        there: np.ndarray = np.ndarray(view.shape, view.dtype, buffer, offset, view.strides)
        return there

    def _made(self, storage: Storage, memory: str) -> Held:
        """A storage gets a copy in a memory, in which nothing has a place."""
        buffer = np.full(storage.size, GARBAGE, dtype=np.uint8)
        current = np.zeros(storage.size, dtype=bool) if storage.undefined is None else storage.undefined.copy()
        storage.held[memory] = held = Held(address_of(buffer), current, buffer)
        self._spans.enter(held.address, storage.size, (storage, memory))
        return held

    def _bytes(self, view: np.ndarray, memory: str) -> np.ndarray:
        """Which bytes of a view are current in a memory, element by element."""
        storage, _, offset = self._located(address_of(view))
        current = storage.held[memory].current.view(np.uint8)
        shape, strides = (*view.shape, view.itemsize), (*view.strides, 1)
        found: np.ndarray = np.ndarray(shape, bool, current, offset, strides)
        return found

    def _located(self, address: int) -> tuple[Storage, str, int]:
        found = self._find(address)
        if found is None:
            raise InternalError(f"memory that is in use was freed, or never belonged to {self.here}")
        return found

    def _find(self, address: int) -> tuple[Storage, str, int] | None:
        span = self._spans.find(address)
        return None if span is None else (*span.owner, address - span.origin)


def _all(flags: np.ndarray, offset: int, size: int) -> bool:
    """Whether the flags of a few bytes are all set."""
    found: bool = flags[offset : offset + size].tobytes() == b"\1" * size
    return found


def _contents(held: Held, size: int) -> np.ndarray:
    """The bytes that a memory holds of a storage."""
    return held.buffer if held.buffer is not None else _at(held.address, np.empty(size, np.uint8))


def _places_in(view: np.ndarray) -> list[int]:
    """The addresses of the elements of a view."""
    offsets = np.zeros(view.shape, np.int64)
    for axis, step in enumerate(view.strides):
        offsets += np.arange(view.shape[axis]).reshape(-1, *(1,) * (view.ndim - axis - 1)) * step
    return [address_of(view) + int(offset) for offset in offsets.ravel()]


class _Foreign:
    """Memory at an address, as NumPy takes it."""

    def __init__(self, address: int, like: np.ndarray) -> None:
        self.__array_interface__ = {
            "version": 3, "shape": like.shape, "strides": like.strides, "data": (address, False),
            "typestr": like.dtype.str, "descr": like.dtype.descr,
        }  # fmt: skip


def _at(address: int, like: np.ndarray) -> np.ndarray:
    return np.asarray(_Foreign(address, like))
