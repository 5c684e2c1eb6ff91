"""Updates of a small array by keys: each block has an array of its own in shared memory and adds it up once at its end.

Whether the array is small enough is known at the launch only: a block of a larger one updates it directly. Of a very
small one a block has several, each for every so manieth thread, whose elements of one key lie side by side: threads
that meet in a key do not wait for one another then, and find their elements in different banks. All operators that
kernels update with are exact and commutative, so the order does not matter.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import cast

from weft.ir import nodes as n
from weft.ir.neutral import identity
from weft.ir.types import BOOL, PYINT, View
from weft.ir.visit import rewrite
from weft.schedule.directives import Privatise
from weft.schedule.frame import Frame
from weft.schedule.lowering.points import write_points
from weft.schedule.nests import updates_of
from weft.schedule.writing import scalar


def write_private(frame: Frame, directive: Privatise) -> None:
    """Write what a block does."""
    write = frame.write
    found = next(s for s in updates_of(frame.flat) if s.view.stem == directive.array)
    extents = [write.let(n.Dim(found.view, axis), PYINT, "extent") for axis in range(len(found.indices))]
    extent: n.Atom = extents[0]
    for other in extents[1:]:
        extent = write.op("mul", extent, other, "extent")
    element, stem = scalar(found.value.type), f"{directive.array}_own"
    bins = [_Bins(found, write.alloc((directive.extent,), element, "shared", stem), directive.extent, 1)]
    if directive.copies > 1:
        shape = directive.few, directive.copies
        bins.insert(0, _Bins(found, write.alloc(shape, element, "shared", f"{stem}s"), directive.few, directive.copies))
    tests = _in_first(frame, extents, extent, bins)
    if len(extents) == 1:
        frame.has_few(found.view, tests)


def _in_first(
    frame: Frame, extents: Sequence[n.Atom], extent: n.Atom, bins: Sequence[_Bins]
) -> list[tuple[n.Atom, int]]:
    """Update the first of some arrays of the block that is large enough, else the one of all; the tests, and up to how
    many elements they hold."""
    if not bins:
        write_points(frame)
        return []
    test = frame.write.compare("le", extent, bins[0].extent)
    with frame.write.when(test):
        _in_own(frame, extents, extent, bins[0])
    with frame.write.otherwise():
        rest = _in_first(frame, extents, extent, bins[1:])
    return [(test, bins[0].extent), *rest]


def _in_own(frame: Frame, extents: Sequence[n.Atom], extent: n.Atom, bins: _Bins) -> None:
    """Update arrays of the block, then add these up."""
    write, flat = frame.write, frame.flat
    axes = [n.Slice(n.Const(0), n.Const(bins.copies), n.Const(1))] if bins.copies > 1 else []
    part = n.Subview(bins.own, (n.Slice(n.Const(0), extent, n.Const(1)), *axes), "safe")
    view = write.let(part, cast(View, bins.own.type), f"{bins.own.stem}_part")
    if len(extents) > 1:
        split = replace(cast(View, view.type), ndim=cast(View, view.type).ndim + len(extents) - 1)
        view = write.let(n.Split(view, 0, tuple(extents)), split, view.stem)
    copy = write.names.fresh("copy", PYINT)
    _each(frame, extent, bins.clear)
    frame.flat = rewrite(flat, lambda s: bins.moved(s, view, copy))
    write_points(frame, lambda threads: {copy.name: write.op("mod", frame.number(threads), bins.copies)})
    frame.flat = flat
    _each(frame, extent, lambda frame, place: bins.add(frame, place, _indices(frame, place, extents)))


def _indices(frame: Frame, place: n.Atom, extents: Sequence[n.Atom]) -> tuple[n.Atom, ...]:
    """The indices of the element of an array that lies at a place in C order."""
    found: list[n.Atom] = []
    for extent in reversed(extents[1:]):
        found.insert(0, frame.write.op("mod", place, extent))
        place = frame.write.op("floordiv", place, extent)
    return (place, *found)


class _Bins:
    """An array of a block, or one for every so manieth thread each, which lie next to one another for each key."""

    def __init__(self, found: n.Update, own: n.Var, extent: int, copies: int) -> None:
        self.found, self.own, self.extent, self.copies = found, own, extent, copies
        self.neutral = identity(found.op, found.value.type)

    def moved(self, statement: n.Statement, view: n.Var, copy: n.Var) -> n.Statement:
        """An update of the array of all, as one of the array of the block."""
        if isinstance(statement, n.Update) and statement.view == self.found.view:
            return replace(statement, view=view, indices=(*statement.indices, *((copy,) if self.copies > 1 else ())))
        return statement

    def clear(self, frame: Frame, place: n.Atom) -> None:
        """What is there before the first update."""
        write = frame.write
        if self.copies == 1:
            write.store(self.own, (place,), self.neutral)
            return
        with write.loop(f"{self.own.stem}.copy", 0, self.copies, "unroll", stem="copy") as loop:
            write.store(self.own, (place, self._turned(frame, loop.index, place)), self.neutral)

    def add(self, frame: Frame, place: n.Atom, indices: tuple[n.Atom, ...]) -> None:
        """Combine an element of the block with that of the array of all."""
        write = frame.write
        value: n.Atom
        assert self.found.op != "assign"
        if self.copies == 1:
            value = write.load(self.own, place)
        else:
            with write.loop(f"{self.own.stem}.copy", 0, self.copies, "unroll", [self.neutral], "copy") as loop:
                part = write.load(self.own, place, self._turned(frame, loop.index, place))
                made = n.Binary(self.found.op, loop.values[0], part, checked=False)
                loop.next = (write.let(made, part.type, "sum"),)
            (value,) = loop.results
        is_changed = write.let(n.Compare("ne", value, self.neutral), BOOL, "changed")
        with write.when(is_changed):
            write.add(replace(self.found, indices=indices, value=value, bounds="safe"))

    def _turned(self, frame: Frame, copy: n.Atom, place: n.Atom) -> n.Atom:
        """Another copy for each key, so that neighbouring threads are in different banks."""
        return frame.write.op("mod", frame.write.op("add", copy, place), self.copies)


def _each(frame: Frame, extent: n.Atom, action: Callable[[Frame, n.Atom], None]) -> None:
    """A phase in which the threads of a block go through the keys."""
    write = frame.write
    rounds = write.op("floordiv", write.op("add", extent, frame.threads - 1), frame.threads)
    with frame.phase() as threads:
        number = frame.number(threads)
        with write.loop("key.each", 0, rounds, stem="round") as loop:
            place = write.op("add", write.op("mul", loop.index, frame.threads), number)
            with write.when(write.compare("lt", place, extent)):
                action(frame, place)
