"""Copies of argument lists that share memory exactly as the originals do.

Arrays whose bytes interleave are copied as one piece of memory, and each gets its old place, shape and strides in
the copy. Around every piece lie guard bytes, so that a write outside an array is seen.
"""

from __future__ import annotations

import copy
import dataclasses
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.lib.array_utils import byte_bounds

GUARD = 256
ALIGNMENT = 64
_FILL = 0xA5


@dataclass
class Piece:
    """The copy of a stretch of memory that holds one or more arrays which overlap or interleave."""

    low: int
    high: int
    buffer: np.ndarray
    start: int
    covered: np.ndarray

    def untouched(self) -> bytes:
        """All bytes that belong to no array: the guards, and the gaps between elements."""
        return self.buffer[~self.covered].tobytes()


@dataclass
class Snapshot:
    """Copied arguments, the arrays in them, and the memory that holds these."""

    arguments: tuple[Any, ...]
    arrays: list[np.ndarray]
    pieces: list[Piece] = field(repr=False)
    _between: list[bytes] = field(default_factory=list, repr=False)

    def __post_init__(self) -> None:
        self._between = [piece.untouched() for piece in self.pieces]

    def wrote_outside(self) -> bool:
        """Whether a byte outside all arrays has changed since the copy."""
        return self._between != [piece.untouched() for piece in self.pieces]


def leaves(value: Any) -> Iterator[Any]:
    """The arrays and scalars inside nested tuples, lists, named tuples and data classes."""
    if isinstance(value, (tuple, list)):
        for part in value:
            yield from leaves(part)
    elif dataclasses.is_dataclass(value) and not isinstance(value, type):
        for entry in dataclasses.fields(value):
            yield from leaves(getattr(value, entry.name))
    else:
        yield value


def rebuild(value: Any, replace: Callable[[Any], Any]) -> Any:
    """The same structure with every leaf replaced."""
    if isinstance(value, tuple) and hasattr(value, "_fields"):
        return type(value)(*(rebuild(part, replace) for part in value))
    if isinstance(value, (tuple, list)):
        return type(value)(rebuild(part, replace) for part in value)
    if dataclasses.is_dataclass(value) and not isinstance(value, type):
        clone = copy.copy(value)
        for entry in dataclasses.fields(value):
            object.__setattr__(clone, entry.name, rebuild(getattr(value, entry.name), replace))
        return clone
    return replace(value)


def arrays_in(value: Any) -> list[np.ndarray]:
    """The different array objects inside a value, in order."""
    found = {id(leaf): leaf for leaf in leaves(value) if isinstance(leaf, np.ndarray)}
    return list(found.values())


def snapshot(arguments: tuple[Any, ...]) -> Snapshot:
    """Copy arguments; equal objects stay equal objects, and shared memory stays shared."""
    arrays = arrays_in(arguments)
    pieces = [_copy_piece(low, high) for low, high in _merged_intervals(arrays)]
    copies = {id(array): _placed(array, pieces) for array in arrays}
    clone = rebuild(arguments, lambda leaf: copies.get(id(leaf), leaf))
    return Snapshot(clone, list(copies.values()), pieces)


def overlaps_anywhere(arguments: tuple[Any, ...]) -> bool:
    """Whether different array objects in the arguments have memory in common, or one of them has with itself."""
    arrays = arrays_in(arguments)
    return any(_overlaps_itself(array) for array in arrays) or any(
        np.may_share_memory(a, b) for place, a in enumerate(arrays) for b in arrays[place + 1 :]
    )


def _overlaps_itself(array: np.ndarray) -> bool:
    low, high = _interval(array)
    return array.size * array.itemsize > high - low


def _interval(array: np.ndarray) -> tuple[int, int]:
    if array.size == 0:
        address = array.__array_interface__["data"][0]
        return address, address
    low, high = byte_bounds(array)
    return int(low), int(high)


def _merged_intervals(arrays: list[np.ndarray]) -> list[tuple[int, int]]:
    merged: list[tuple[int, int]] = []
    for low, high in sorted({_interval(array) for array in arrays}):
        if merged and low < merged[-1][1]:
            merged[-1] = (merged[-1][0], max(high, merged[-1][1]))
        else:
            merged.append((low, high))
    return merged


def _copy_piece(low: int, high: int) -> Piece:
    """A copy at an address of the same alignment."""
    size = high - low
    buffer = np.full(size + 2 * GUARD + 2 * ALIGNMENT, _FILL, np.uint8)
    address = buffer.__array_interface__["data"][0] + GUARD
    start = GUARD + (low - address) % ALIGNMENT
    if size:
        buffer[start : start + size] = _bytes_at(low, size)
    return Piece(low, high, buffer, start, np.zeros(len(buffer), np.bool_))


def _bytes_at(address: int, size: int) -> np.ndarray:
    class Memory:
        __array_interface__ = {"shape": (size,), "typestr": "|u1", "data": (address, True), "version": 3}

    return np.asarray(Memory())


def _placed(array: np.ndarray, pieces: list[Piece]) -> np.ndarray:
    """The array of the same shape and strides in the copied memory."""
    low, high = _interval(array)
    piece = next(piece for piece in pieces if piece.low <= low and high <= piece.high)
    offset = piece.start + array.__array_interface__["data"][0] - piece.low
    placed = np.ndarray(array.shape, array.dtype, piece.buffer, offset, array.strides)
    marks = np.ndarray((*array.shape, array.itemsize), np.bool_, piece.covered, offset, (*array.strides, 1))
    marks[...] = True
    placed.flags.writeable = array.flags.writeable
    return placed
