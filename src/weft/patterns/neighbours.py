"""The loops of `stencil`, `gather` and `scatter`, in the language that Weft compiles."""

# Arguments are of whatever types the caller has, which is why nothing here is annotated.
# mypy: ignore-errors
# ruff: noqa: B905

from __future__ import annotations

import numpy as np

from weft.frontend.calls.markers import assume_independent
from weft.frontend.calls.pattern_words import apart, fields_of, types_of
from weft.patterns.collision import CollisionError
from weft.patterns.nests import each, made, put, single, zeros_of
from weft.patterns.operations import named


def stencil_loops(f, a, radius=1, boundary="zero"):
    shape = a.shape

    def value(place):
        def at(*offsets):
            for distance in offsets:
                if distance > radius or distance < -radius:
                    raise IndexError(f"the stencil looks {distance} elements away, and its radius is {radius}")
            return around(a, moved(place, offsets), boundary)

        return f(at)

    def step(place):
        put(outs, place, value(place))

    outs = made(shape, types_of(lambda: value(zeros_of(shape))))
    each(step, shape)
    return single(outs)


def moved(place, offsets):
    """An index that is `offsets` away."""
    if len(place) != len(offsets):
        raise IndexError("a stencil looks along every axis of its array")
    found = ()
    for k, distance in zip(place, offsets):
        found = (*found, k + distance)
    return found


def around(a, place, boundary):
    """The element at an index that may be outside of the array."""
    if boundary == "zero":
        return a[place] if is_inside(place, a.shape) else a.dtype.type(0)
    return a[folded_back(place, a.shape, boundary)]


def is_inside(place, shape):
    inside = True
    for k, extent in zip(place, shape):
        inside = inside and 0 <= k < extent
    return inside


def folded_back(place, shape, boundary):
    found = ()
    for k, extent in zip(place, shape):
        found = (*found, inside_of(k, extent, boundary))
    return found


def inside_of(k, extent, boundary):
    """The index that stands for one outside, as in ``np.pad``."""
    if boundary == "edge":
        return min(max(k, 0), extent - 1)
    if boundary == "wrap":
        return k % extent
    if boundary == "reflect":
        period = max(2 * (extent - 1), 1)
        m = k % period
        return m if m < extent else period - m
    raise ValueError('the boundary of a pattern is "zero", "edge", "reflect" or "wrap"')


def gather_loops(a, offsets, boundary="zero", count=None):
    positions = a.shape[0] if count is None else count
    distances = offsets_of(offsets)
    width = distances.shape[0]
    out = np.empty((positions, width), a.dtype)
    for i in range(positions):
        for k in range(width):
            out[i, k] = around(a, (i + distances[k],), boundary)
    return out


def offsets_of(offsets):
    if isinstance(offsets, tuple):
        return np.array(offsets)
    return offsets


def soa_loops(a):
    arrays = ()
    for name in fields_of(a):
        arrays = (*arrays, a[name].copy())
    return arrays


def scatter_loops(values, index, out, combine="unique"):
    return scattered(apart(values, out), apart(index, out), out, combine)


def scattered(values, index, out, combine):
    """The loops of a scatter of values and positions that share no memory with what is written."""
    if len(values) != len(index):
        raise ValueError(f"{len(values)} values go to {len(index)} positions: there must be as many")
    if combine == "unique":
        check_unique(index, len(out))
        for i in assume_independent(range(len(index))):
            out[index[i]] = values[i]
    else:
        f = named(combine)
        for i in range(len(index)):
            out[index[i]] = f(out[index[i]], values[i])
    return out


def check_unique(index, size):
    """Refuse an index that is outside, or there twice, before anything is written."""
    owner = np.empty(size, np.int64)
    for k in range(size):
        owner[k] = -1
    for i in range(len(index)):
        k = int(index[i])
        if k < -size or k >= size:
            raise IndexError(f"index {k} is out of bounds for axis 0 with size {size}")
        k = k + size if k < 0 else k
        if owner[k] >= 0:
            raise CollisionError(f"index[{owner[k]}] and index[{i}] are both {k}")
        owner[k] = i
