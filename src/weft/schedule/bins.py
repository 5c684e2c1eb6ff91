"""Updates of a small array by key: each block has an array of its own in shared memory and adds it up once at its end.

Whether the array is small enough is known at the launch only: a block of a larger one updates it directly. All
operators that kernels update with are exact and commutative, so the order does not matter.
"""

from __future__ import annotations

from dataclasses import replace
from typing import cast

from weft.ir import nodes as n
from weft.ir.neutral import identity
from weft.ir.types import BOOL, PYINT, View
from weft.ir.visit import rewrite
from weft.schedule.directives import Privatise
from weft.schedule.frame import Frame
from weft.schedule.nests import updates_of
from weft.schedule.points import write_points
from weft.schedule.writing import scalar


def write_private(frame: Frame, directive: Privatise) -> None:
    """Write what a block does."""
    write = frame.write
    found = next(s for s in updates_of(frame.flat) if s.view.stem == directive.array)
    extent = write.let(n.Dim(found.view, 0), PYINT, "extent")
    flat = frame.flat
    own = write.alloc((directive.extent,), scalar(found.value.type), "shared", f"{directive.array}_own")
    with write.when(write.compare("le", extent, directive.extent)):
        part = n.Subview(own, (n.Slice(n.Const(0), extent, n.Const(1)),), "safe")
        view = write.let(part, cast(View, own.type), f"{directive.array}_part")
        _each(frame, extent, _Clear(found, own))
        frame.flat = rewrite(flat, lambda s: _moved(s, found.view, view))
        write_points(frame)
        frame.flat = flat
        _each(frame, extent, _Add(found, own))
    with write.otherwise():
        write_points(frame)


def _moved(statement: n.Statement, array: n.Var, view: n.Var) -> n.Statement:
    if isinstance(statement, n.Update) and statement.view == array:
        return replace(statement, view=view)
    return statement


class _Clear:
    """What clears an element."""

    def __init__(self, found: n.Update, own: n.Var) -> None:
        self.found, self.own = found, own
        self.neutral = identity(found.op, found.value.type)

    def write(self, frame: Frame, place: n.Atom) -> None:
        frame.write.store(self.own, (place,), self.neutral)


class _Add(_Clear):
    """What combines an element of the block with that of the array."""

    def write(self, frame: Frame, place: n.Atom) -> None:
        value = frame.write.load(self.own, place)
        is_changed = frame.write.let(n.Compare("ne", value, self.neutral), BOOL, "changed")
        with frame.write.when(is_changed):
            frame.write.add(replace(self.found, indices=(place,), value=value, bounds="safe"))


def _each(frame: Frame, extent: n.Atom, action: _Clear) -> None:
    """A phase in which the threads of a block go through an array."""
    write = frame.write
    rounds = write.op("floordiv", write.op("add", extent, frame.threads - 1), frame.threads)
    with frame.phase() as threads:
        number = frame.number(threads)
        with write.loop(f"{action.own.stem}.each", 0, rounds, stem="round") as loop:
            place = write.op("add", write.op("mul", loop.index, frame.threads), number)
            with write.when(write.compare("lt", place, extent)):
                action.write(frame, place)
