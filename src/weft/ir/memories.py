"""Named memories: what each device holds, byte by byte, so that a missing or superfluous copy is found.

The host's memory is the arrays themselves. Every other memory holds copies of storages. A byte is *current* in a memory
if nothing newer was written elsewhere; whoever reads one that is not has found a mistake in the plan.
"""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np

from weft.errors import InternalError

HOST = "host"
"""The name of the memory that Python's arrays are in."""

ON_HOST = frozenset({HOST, "cpu"})
"""Devices that work in the host's memory."""

GARBAGE = 0xA5
"""What fresh memory is filled with."""


@dataclass
class Held:
    """The bytes of a storage in one memory, at `address`, and which of them are current."""

    address: int
    current: np.ndarray
    buffer: np.ndarray | None = None


@dataclass
class Storage:
    """An allocation: its size in bytes and where it is held."""

    size: int
    held: dict[str, Held] = field(default_factory=dict)


class Memories:
    """All storages of a running program. `here` is the memory in which code runs at the moment."""

    def __init__(self) -> None:
        self.here = HOST
        self.copied_bytes: dict[tuple[str, str], int] = {}
        self._storages: list[Storage] = []

    def add(self, array: np.ndarray) -> None:
        """A storage appears in the memory in which code runs, filled by whoever made it."""
        low, high = np.lib.array_utils.byte_bounds(array)
        if high > low and self._find(low) is None:
            held = Held(low, np.ones(high - low, dtype=bool))
            self._storages.append(Storage(high - low, {self.here: held}))

    def read(self, address: int, size: int) -> None:
        """InternalError unless the bytes are current in the memory in which code runs."""
        storage, memory, offset = self._located(address)
        held = storage.held[memory]
        if memory != self.here:
            raise InternalError(f"code on {self.here} reads memory of {memory}")
        if not held.current[offset : offset + size].all():
            raise InternalError(f"{self.here} reads bytes that were written elsewhere: a copy is missing")

    def write(self, address: int, size: int) -> None:
        """The bytes become current here and nowhere else."""
        storage, memory, offset = self._located(address)
        if memory != self.here:
            raise InternalError(f"code on {self.here} writes memory of {memory}")
        for name, held in storage.held.items():
            held.current[offset : offset + size] = name == memory

    def copy(self, view: np.ndarray, source: str, target: str) -> None:
        """Copy the elements of a view from one memory to another, which gets the storage where it has none."""
        storage, _, _ = self._located(_address(view))
        for memory in (source, target):
            self._hold(storage, memory)
        there, here = self.seen_from(view, target), self.seen_from(view, source)
        if not self._bytes(view, source).all():
            raise InternalError(f"{source} copies bytes to {target} that are not current in {source}")
        there[...] = here
        self._bytes(view, target)[...] = True
        key = (source, target)
        self.copied_bytes[key] = self.copied_bytes.get(key, 0) + view.nbytes

    def free(self, view: np.ndarray, memory: str) -> None:
        """Give back a storage in one memory, where it is still there: two views may show one storage."""
        storage, _, _ = self._located(_address(view))
        storage.held.pop(memory, None)

    def hold(self, view: np.ndarray, memory: str) -> None:
        """Give the storage of a view a place in a memory; its bytes there are not current until they are written."""
        if view.size:
            self._hold(self._located(_address(view))[0], memory)

    def currency(self) -> list[tuple[Held, np.ndarray]]:
        """Which bytes are current now, for `restore`."""
        return [(held, held.current.copy()) for storage in self._storages for held in storage.held.values()]

    def restore(self, saved: list[tuple[Held, np.ndarray]], memory: str) -> None:
        """Undo what a failed kernel did: nothing in its memory is current any more, and elsewhere all is as before."""
        for held, before in saved:
            held.current[...] = before
        for storage in self._storages:
            if memory in storage.held:
                storage.held[memory].current[...] = False

    def seen_from(self, view: np.ndarray, memory: str) -> np.ndarray:
        """The same elements in another memory."""
        if view.size == 0:
            return view
        storage, name, offset = self._located(_address(view))
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

    def _hold(self, storage: Storage, memory: str) -> None:
        if memory not in storage.held:
            buffer = np.full(storage.size, GARBAGE, dtype=np.uint8)
            storage.held[memory] = Held(_address(buffer), np.zeros(storage.size, dtype=bool), buffer)

    def _bytes(self, view: np.ndarray, memory: str) -> np.ndarray:
        """Which bytes of a view are current in a memory, element by element."""
        storage, _, offset = self._located(_address(view))
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
        for storage in reversed(self._storages):
            for memory, held in storage.held.items():
                if held.address <= address < held.address + storage.size:
                    return storage, memory, address - held.address
        return None


def _address(array: np.ndarray) -> int:
    return int(array.__array_interface__["data"][0])


class _Foreign:
    """Memory at an address, as NumPy takes it."""

    def __init__(self, address: int, like: np.ndarray) -> None:
        self.__array_interface__ = {
            "version": 3, "shape": like.shape, "strides": like.strides, "data": (address, False),
            "typestr": like.dtype.str, "descr": like.dtype.descr,
        }  # fmt: skip


def _at(address: int, like: np.ndarray) -> np.ndarray:
    return np.asarray(_Foreign(address, like))
