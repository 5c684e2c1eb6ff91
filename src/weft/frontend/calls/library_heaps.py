"""Lists inside of lists, written in the language that Weft compiles: their elements lie in one array, the heap.

What is said of memory are the functions at the top: `weft.frontend.values.heaps` translates them.
"""

# Parameters are of whatever type the caller has, which is why nothing here is annotated.
# mypy: ignore-errors

from __future__ import annotations

import numpy as np

from weft.errors import UnsupportedError
from weft.frontend.calls.library_lists import load, size_of
from weft.frontend.calls.library_rows import EMPTY, RAGGED

CHANGED = "a list becomes longer or shorter while a loop runs over it"


class Heap:
    """The class of what holds the lists that are elements of lists."""


def room_of(row):
    """How many elements a row has room for."""


def used_by(row):
    """How much of its heap is in use."""


def is_last(row):
    """Whether nothing lies behind a row in its heap."""


def lengthen(row, room):
    """Give the last row of a heap room for so many elements."""


def relocate(row, room):
    """Move a row behind all others, where it has room for so many elements."""


def make_room(row, room):
    """Make room in a row for so many elements."""
    before = room_of(row)
    if room > before:
        if is_last(row):
            lengthen(row, before + room)
        else:
            relocate(row, before + room)


def copied(array, source, target, size):
    """Copy elements of an array to another place in it, which is behind them."""
    for k in range(size):
        array[target + k] = array[source + k]


def refuse_changed(row, other):
    """Refuse to change the length of a row that a loop runs over."""
    if row == other:
        raise UnsupportedError(CHANGED)


def array_of(items):
    """``np.array(items)`` of a list of lists."""
    size = size_of(items)
    if size == 0:
        raise UnsupportedError(EMPTY)
    first = np.array(load(items, 0))
    made = np.empty((size, *first.shape), first.dtype)
    for k in range(size):
        row = np.array(load(items, k))
        if row.shape != first.shape:
            raise ValueError(RAGGED)
        made[k] = row
    return made
