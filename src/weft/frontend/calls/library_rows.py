"""Lists of arrays, written in the language that Weft compiles: the arrays lie one behind the other in another one."""

# Parameters are of whatever type the caller has, which is why nothing here is annotated.
# mypy: ignore-errors

from __future__ import annotations

import numpy as np

from weft.errors import UnsupportedError
from weft.frontend.calls.library_lists import load, size_of

EMPTY = "an array is made of an empty list, whose type in NumPy is float64 then"
RAGGED = "setting an array element with a sequence. The requested array has an inhomogeneous shape"
APART = "all the input array dimensions except for the concatenation axis must match exactly"


def kept_part(pool, start, count):
    """The part of a pool that a list keeps an array in, to be filled."""


def roomy(pool, starts, counts, used, filled, count):
    """A pool with room for some more numbers, and how many of it are used; arrays that no list has are left out."""
    if used + count <= pool.shape[0]:
        return pool, used
    live = 0
    for k in range(filled):
        live += int(counts[k])
    new = np.empty(max(2 * (live + count), 64), pool.dtype)
    at = 0
    for k in range(filled):
        start = int(starts[k])
        size = int(counts[k])
        part = kept_part(new, at, size)
        for i in range(size):
            part[i] = pool[start + i]
        starts[k] = at
        at += size
    return new, at


def array_of(items):
    """``np.array(items)``."""
    return _rows(items, EMPTY, RAGGED, UnsupportedError)


def stack(arrays, axis=0):
    """``np.stack``; its result lies in C order."""
    made = _rows(arrays, "need at least one array to stack", "all input arrays must have the same shape", ValueError)
    if axis == 0:
        return made
    return np.moveaxis(made, 0, axis).copy()


def _rows(items, empty, ragged, error):
    size = size_of(items)
    if size == 0:
        raise error(empty)
    first = load(items, 0)
    made = np.empty((size, *first.shape), first.dtype)
    for k in range(size):
        row = load(items, k)
        if row.shape != first.shape:
            raise ValueError(ragged)
        made[k] = row
    return made


def concatenate(arrays, axis=0):
    """``np.concatenate``."""
    size = size_of(arrays)
    if size == 0:
        raise ValueError("need at least one array to concatenate")
    first = load(arrays, 0)
    if axis < -first.ndim or axis >= first.ndim:
        raise np.exceptions.AxisError(f"axis {axis} is out of bounds for array of dimension {first.ndim}")
    if axis != 0 and axis != -first.ndim:
        return np.swapaxes(_joined([np.swapaxes(item, 0, axis) for item in arrays]), 0, axis).copy()
    return _joined(arrays)


def _joined(arrays):
    """Arrays one behind the other along their first axis."""
    first = load(arrays, 0)
    total = 0
    for item in arrays:
        if item.shape[1:] != first.shape[1:]:
            raise ValueError(APART)
        total += item.shape[0]
    made = np.empty((total, *first.shape[1:]), first.dtype)
    at = 0
    for item in arrays:
        made[at : at + item.shape[0]] = item
        at += item.shape[0]
    return made


def vstack(tup):
    """``np.vstack``."""
    return stack(tup) if _rank_of(tup) == 1 else concatenate(tup)


def hstack(tup):
    """``np.hstack``."""
    return concatenate(tup) if _rank_of(tup) == 1 else concatenate(tup, 1)


def column_stack(tup):
    """``np.column_stack``."""
    return stack(tup, 1) if _rank_of(tup) == 1 else concatenate(tup, 1)


def _rank_of(items):
    if size_of(items) == 0:
        raise ValueError("need at least one array to concatenate")
    return load(items, 0).ndim
