"""Loops over all elements of an array of any rank, in the language that Weft compiles."""

# Arguments are of whatever types the caller has, which is why nothing here is annotated.
# mypy: ignore-errors
# ruff: noqa: B905

from __future__ import annotations

import numpy as np


def each(step, shape):
    """Call `step` with the index of every element, in C order."""
    if len(shape) == 0:
        step(())
    elif len(shape) == 1:
        _each_1(step, shape, ())
    elif len(shape) == 2:
        _each_2(step, shape, ())
    elif len(shape) == 3:
        _each_3(step, shape, ())
    elif len(shape) == 4:
        _each_4(step, shape, ())
    else:
        raise ValueError("patterns take arrays of up to four dimensions")


def _each_1(step, shape, place):
    for i in range(shape[0]):
        step((*place, i))


def _each_2(step, shape, place):
    for i in range(shape[0]):
        _each_1(step, shape[1:], (*place, i))


def _each_3(step, shape, place):
    for i in range(shape[0]):
        _each_2(step, shape[1:], (*place, i))


def _each_4(step, shape, place):
    for i in range(shape[0]):
        _each_3(step, shape[1:], (*place, i))


def fold(f, at, shape):
    """Combine all elements of an array that has some: ``at(index)`` gives one. Operands keep their order."""
    if len(shape) == 1:
        return _fold_1(f, at, shape, ())
    if len(shape) == 2:
        return _fold_2(f, at, shape, ())
    if len(shape) == 3:
        return _fold_3(f, at, shape, ())
    return _fold_4(f, at, shape, ())


def _fold_1(f, at, shape, place):
    total = at((*place, 0))
    for i in range(1, shape[0]):
        total = f(total, at((*place, i)))
    return total


def _fold_2(f, at, shape, place):
    total = _fold_1(f, at, shape[1:], (*place, 0))
    for i in range(1, shape[0]):
        total = f(total, _fold_1(f, at, shape[1:], (*place, i)))
    return total


def _fold_3(f, at, shape, place):
    total = _fold_2(f, at, shape[1:], (*place, 0))
    for i in range(1, shape[0]):
        total = f(total, _fold_2(f, at, shape[1:], (*place, i)))
    return total


def _fold_4(f, at, shape, place):
    total = _fold_3(f, at, shape[1:], (*place, 0))
    for i in range(1, shape[0]):
        total = f(total, _fold_3(f, at, shape[1:], (*place, i)))
    return total


def fold_from(f, at, shape, start):
    """Combine `start` and then all elements of an array, which may have none."""
    total = start

    def step(place):
        nonlocal total
        total = f(total, at(place))

    each(step, shape)
    return total


def elements(arrays, place):
    """The elements of several arrays at one index, as a tuple."""
    items = ()
    for array in arrays:
        items = (*items, array[place])
    return items


def element(a, place):
    """The element of an array; the tuple of elements of a tuple of arrays."""
    if isinstance(a, tuple):
        return elements(a, place)
    return a[place]


def first_of(a):
    """An array; the first one of a tuple of arrays."""
    if isinstance(a, tuple):
        return a[0]
    return a


def size_of(shape):
    """How many elements there are."""
    size = 1
    for extent in shape:
        size = size * extent
    return size


def place_of(k, shape):
    """The index of the element that is the k-th in C order."""
    place = ()
    rest = size_of(shape)
    for extent in shape[:-1]:
        rest = rest // extent
        place = (*place, k // rest)
        k = k % rest
    return (*place, k)


def zeros_of(shape):
    """The index of the first element."""
    place = ()
    for _ in shape:
        place = (*place, 0)
    return place


def made(shape, kinds):
    """New arrays, one for each type."""
    outs = ()
    for kind in kinds:
        outs = (*outs, np.empty(shape, kind))
    return outs


def put(outs, place, values):
    """Store a number, or a tuple of numbers, at one index of the arrays."""
    if isinstance(values, tuple):
        for out, value in zip(outs, values):
            out[place] = value
    else:
        outs[0][place] = values


def single(outs):
    """The only array itself; several as the tuple that they are."""
    if len(outs) == 1:
        return outs[0]
    return outs


def check_shapes(arrays):
    """Refuse arrays of several shapes."""
    shape = arrays[0].shape
    for array in arrays:
        if array.ndim != len(shape):
            raise ValueError("arrays of one pattern have one shape")
        _check_extents(array.shape, shape)


def _check_extents(found, wanted):
    for extent, expected in zip(found, wanted):
        if extent != expected:
            raise ValueError(f"arrays of one pattern have one shape: {extent} elements are not {expected}")
