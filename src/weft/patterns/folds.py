"""The loops of `map`, `reduce`, `scan` and `segment_reduce`, in the language that Weft compiles."""

# Arguments are of whatever types the caller has, which is why nothing here is annotated.
# mypy: ignore-errors

from __future__ import annotations

from weft.frontend.calls.pattern_words import axis_of, claimed, is_repeated, types_of
from weft.patterns.nests import (
    check_shapes,
    each,
    element,
    elements,
    first_of,
    fold,
    fold_from,
    made,
    put,
    single,
    size_of,
    zeros_of,
)
from weft.patterns.operations import has_neutral, is_named, kind_under, named, neutral
from weft.patterns.tiles import fold_in_tiles


def map_loops(f, *arrays, index=False):
    check_shapes(arrays)
    shape = arrays[0].shape

    def value(place):
        if index:
            return f(*elements(arrays, place), *place)
        return f(*elements(arrays, place))

    def step(place):
        put(outs, place, value(place))

    outs = made(shape, types_of(lambda: value(zeros_of(shape))))
    each(step, shape)
    return single(outs)


def reduce_loops(op, a, axis=None, initial=None, commutative=False):
    f = claimed(named(op))
    check_pattern(a)
    shape = first_of(a).shape
    if axis is None or (axis_of(axis, len(shape)) == 0 and len(shape) == 1):
        if is_named(f) or is_repeated():
            return folded(f, reader(f, a), shape, initial)
        return folded_in_tiles(f, reader(f, a), shape, initial)
    along = axis_of(axis, len(shape))
    rest = (*shape[:along], *shape[along + 1 :])

    def value(place):
        def at(inner):
            return reader(f, a)((*place[:along], inner[0], *place[along:]))

        return folded(f, at, (shape[along],), initial)

    def step(place):
        put(outs, place, value(place))

    outs = made(rest, types_of(lambda: value(zeros_of(rest))))
    each(step, rest)
    return single(outs)


def check_pattern(a):
    if isinstance(a, tuple):
        check_shapes(a)


def reader(f, a):
    """What gives the element at an index, as the type that a fold has."""
    if is_named(f):
        kind = kind_under(f, a.dtype)
        return lambda place: kind(a[place])
    return lambda place: element(a, place)


def folded(f, at, shape, initial):
    if initial is not None:
        return fold_from(f, at, shape, started(f, at, shape, initial))
    if has_neutral(f):
        return fold_from(f, at, shape, start_of(f, at, shape))
    check_some(size_of(shape))
    return fold(f, at, shape)


def check_some(size):
    if size == 0:
        raise ValueError("zero-size array to a reduction which has no identity: say initial=")


def folded_in_tiles(f, at, shape, initial):
    """All elements combined by a function of the user, outside of loops."""
    size = size_of(shape)
    if initial is None:
        check_some(size)
        return fold_in_tiles(f, at, shape)
    total = initial
    if size > 0:
        total = f(total, fold_in_tiles(f, at, shape))
    return total


def started(f, at, shape, initial):
    """The value that a fold starts from, in the type that the operators of NumPy fold in."""
    if is_named(f):
        return types_of(lambda: f(initial, at(zeros_of(shape))))[0](initial)
    return initial


def start_of(f, at, shape):
    return neutral(f, types_of(lambda: at(zeros_of(shape)))[0])


def scan_loops(op, a, axis=0, initial=None, exclusive=False):
    f = claimed(named(op))
    check_pattern(a)
    shape = first_of(a).shape
    along = axis_of(axis, len(shape))
    rest = (*shape[:along], *shape[along + 1 :])
    count = shape[along]

    def at(place, k):
        return reader(f, a)((*place[:along], k, *place[along:]))

    def before(place):
        """What comes before the first element; an exclusive scan needs it."""
        if initial is not None:
            return started(f, lambda k: at(place, k[0]), (count,), initial)
        return start_of(f, lambda k: at(place, k[0]), (count,))

    def sample():
        place = zeros_of(rest)
        if initial is not None:
            return f(initial, at(place, 0))
        return f(f(at(place, 0), at(place, 0)), at(place, 0))

    def store(place, k, value):
        put(outs, (*place[:along], k, *place[along:]), value)

    def inclusive(place):
        if count > 0:
            total = f(initial, at(place, 0)) if initial is not None else at(place, 0)
            store(place, 0, total)
            for k in range(1, count):
                total = f(total, at(place, k))
                store(place, k, total)

    def shifted(place):
        total = before(place)
        for k in range(count):
            store(place, k, total)
            total = f(total, at(place, k))

    outs = made(shape, types_of(sample))
    if exclusive:
        if initial is None and not has_neutral(f):
            raise ValueError("an exclusive scan starts with initial=, which this operation needs")
        each(shifted, rest)
    else:
        each(inclusive, rest)
    return single(outs)


def segment_reduce_loops(op, values, offsets, initial=None):
    f = claimed(named(op))
    check_pattern(values)
    count = first_of(values).shape[0]
    segments = len(offsets) - 1
    if segments < 0:
        raise ValueError("offsets of segments are the starts of all segments and the end of the last: at least one")

    def value(s):
        first = offsets[s]
        last = offsets[s + 1]
        if first < 0 or last < first or last > count:
            raise ValueError(f"segment {s} goes from {first} to {last}, and there are {count} values")

        def at(inner):
            return reader(f, values)((first + inner[0],))

        return folded(f, at, (last - first,), initial)

    outs = made((segments,), types_of(lambda: value(0)))
    for s in range(segments):
        put(outs, (s,), value(s))
    return single(outs)
