"""Elements of a coherent array that the host looks at or sets, while a device has the rest: only these cross.

Many such copies cost more than one of all bytes. So what they cost by the figures of the machine is added up; once that
reaches what all bytes would cost, these are moved: whatever the program does, it pays a few times the least at most.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

import numpy as np

from weft.machine.copying import IN, OUT, seconds_of_part, seconds_of_whole
from weft.runtime.devices import accelerators, copying

if TYPE_CHECKING:
    from weft.runtime.arrays.arrays import Array

HOST = 0

WORTH = 2
"""How many times as long as a part the whole has to take: what comes home whole need not come again."""


def read(array: Array) -> np.ndarray[Any, Any] | None:
    """The elements of a part of a storage in memory of their own; None where all of it is to be on the host."""
    made = _buffer(array)
    if made is None or not _is_worth(array, made, (OUT,)):
        return None
    return _arranged(array, made) if array._storage.read_part(*_place(array), made) else None


def write(array: Array, value: Any) -> bool:
    """Set the elements of a part of a storage on the device that has them; False where the host has to do it."""
    made = _buffer(array)
    if made is None:
        return False
    is_here = HOST in array._storage.current()
    if not _is_worth(array, made, (IN,) if is_here else (OUT, IN)):
        return False
    _arranged(array, made)[...] = value
    return array._storage.write_part(*_place(array), made)


def taken(array: Array) -> np.ndarray[Any, Any]:
    """The elements of a part in memory of their own; whoever asks knows that the rest stays where it is."""
    made = _buffer(array)
    if made is None or not array._storage.read_part(*_place(array), made):
        return np.array(array._shown())
    return _arranged(array, made)


def put(array: Array, values: Any) -> None:
    """Set the elements of a part where they are; whoever asks knows that the rest stays there."""
    made = _buffer(array)
    if made is not None:
        _arranged(array, made)[...] = values
    if made is None or not array._storage.write_part(*_place(array), made):
        array[...] = values


def _axes(array: Array) -> list[int]:
    """The axes along which there is a step, by falling strides."""
    axes = [k for k in range(array.ndim) if array.shape[k] > 1]
    return sorted(axes, key=lambda k: -abs(array.strides[k]))


def _buffer(array: Array) -> np.ndarray[Any, Any] | None:
    """Memory for the elements, in the order in which the device has them; None for all of a storage, or nothing."""
    size = array.nbytes
    if not size or size >= array._storage.size or any(array.strides[k] == 0 for k in _axes(array)):
        return None
    return np.empty(tuple(array.shape[k] for k in _axes(array)), array.dtype)


def _place(array: Array) -> tuple[int, tuple[int, ...], tuple[int, ...], int]:
    """Where the elements are: the first byte, and extents and strides, none of which is negative."""
    axes = _axes(array)
    offset = array._offset + sum(min((array.shape[k] - 1) * array.strides[k], 0) for k in axes)
    return offset, tuple(array.shape[k] for k in axes), tuple(abs(array.strides[k]) for k in axes), array.itemsize


def _arranged(array: Array, made: np.ndarray[Any, Any]) -> np.ndarray[Any, Any]:
    """The buffer as the array shows its elements."""
    axes = _axes(array)
    flips: Any = tuple(slice(None, None, -1 if array.strides[k] < 0 else 1) for k in axes)
    extents: Any = tuple(slice(None) if k in axes else None for k in range(array.ndim))
    ordered = made[flips + (Ellipsis,)].transpose([axes.index(k) for k in sorted(axes)])
    shown: np.ndarray[Any, Any] = ordered[extents + (Ellipsis,)]
    return shown


def _is_worth(array: Array, made: np.ndarray[Any, Any], directions: tuple[str, ...]) -> bool:
    """Whether a copy of a part is worth more than one of all, after the ones before; if so, it is added to these."""
    storage = array._storage
    place = next((place for place in storage.current() if place), 0)
    if not place or (directions == (OUT,) and HOST in storage.current()):
        return False
    figures = copying.figures_of(accelerators.name_of(place))
    width = made.shape[-1] * made.itemsize if made.ndim and abs(array.strides[_axes(array)[-1]]) == made.itemsize else 0
    rows = made.nbytes // (width or made.itemsize)
    cost = seconds_of_part(directions[-1], made.nbytes, rows, figures)
    whole = math.fsum(seconds_of_whole(direction, storage.size, figures) for direction in directions)
    if storage.spent + WORTH * cost > whole:
        return False
    storage.spent += cost
    return True
