"""Runs a kernel slab by slab, where its arrays are larger than the memory of the device.

A loop on the host takes the slabs one after the other: the rows that a piece needs get a place, what it reads is copied
there, the piece runs, what it wrote goes home, and the places are given back for the next slab. Between nests all is on
the host, so that each is planned by itself. How many iterations a slab has is computed when the program runs, from the
room that there is; arrays that are needed whole get their places before. A reduction is cut between the pieces that
`reductions` makes of it, so its result does not depend on the slabs.

Here the host waits for each slab before it begins the next, so that a fault of a kernel finds the arrays as they were:
`slab_windows` does without. Nothing stays on the device from one nest to the next.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import TypeAlias

from weft.analysis.values.linear import ZERO, Form, constant
from weft.ir import nodes as n
from weft.ir.reference.memories import HOST
from weft.ir.types import PYINT, View
from weft.ir.visit import Names
from weft.plan.partition.reductions import Split
from weft.plan.partition.slabs import Piece
from weft.plan.partition.windows import Held
from weft.plan.transfers.regions import Boxes, Side, Space
from weft.plan.transfers.views import ViewMaker
from weft.schedule.writing import Writing

SPARE = 8
"""One part in so many of the room is left: the pool rounds places up, and gives larger ones that it has."""

SPARE_BYTES = 320
"""Bytes beside every place that are not counted, for its alignment."""

MakeLaunch: TypeAlias = "Callable[[n.Atom, n.Atom, Mapping[str, Held]], tuple[Sequence[n.Statement], n.Launch]]"
"""Writes the launch of the iterations, or the pieces of a reduction, between two bounds, and what computes its grid; on
windows in place of some arrays."""

Guard: TypeAlias = "Callable[[n.Launch, n.Atom, n.Atom, Sequence[n.Copy]], Sequence[n.Statement]]"
"""Puts what follows a launch that may raise where it belongs: after it, unless it has failed."""


@dataclass(frozen=True)
class Nest:
    """What is known of a nest that is to run in slabs.

    Attributes
    ----------
    piece
        What a piece of it touches.
    parts
        What a reduction was made of.
    holders, owners
        The variables by their names, and of every array operand the name of the variable that holds it whole.
    launch, guard
        Write the launch of a piece, and what follows it.
    """

    piece: Piece
    parts: Split | None
    holders: Callable[[str], n.Var]
    owners: Callable[[n.Var], str]
    launch: MakeLaunch
    guard: Guard


class SlabWriter:
    """Writes the loop over the slabs of a nest."""

    def __init__(self, nest: Nest, names: Names, device: str) -> None:
        self.nest, self.piece, self.device = nest, nest.piece, device
        self.names, self.location = names, nest.piece.loop.location
        self.write = Writing(names, self.location)
        self.bounds = {self.piece.low.name: self.piece.low, self.piece.high.name: self.piece.high}
        self.views = ViewMaker(names, lambda name: self.bounds.get(name) or nest.holders(name))
        self.partials = nest.parts.partials if nest.parts else ()

    def statements(self) -> list[n.Statement]:
        """All that runs the nest; the results of a reduction are folded by who calls."""
        write = self.write
        for name in self.piece.whole:
            self._place(self.nest.holders(name))
        for view in self.partials:
            self._place(view)
        for name in self.piece.whole:
            self._copy(name, self._always(name))
        size, count, units = self._size()
        self._slabs(size, count, units)
        write.add(n.Wait(self.device, location=self.location))
        for view in (*(self.nest.holders(name) for name in self.piece.whole), *self.partials):
            write.add(n.Free(view, self.device, self.location))
        return write.statements

    @property
    def _label(self) -> str:
        return f"{self.piece.loop.label}.slabs"

    def _slabs(self, size: n.Atom, count: n.Atom, units: n.Atom) -> None:
        """Write the loop over the slabs."""
        with self.write.loop(self._label, 0, count, stem="slab") as loop:
            self._slab(loop.index, size, units)

    def _always(self, name: str) -> Boxes:
        """What all pieces together read of an array that is needed whole."""
        boxes, bounds = self.piece.reads.get(name, ()), self.bounds.keys()
        moves = any(bounds & (side.low.names | side.stop.names) for box in boxes for side in box)
        return (self._space(name).whole,) if moves else boxes

    # --------------------------------------------------------------------------------------------- how large

    def _size(self) -> tuple[n.Atom, n.Atom, n.Atom]:
        """Of how many units a slab is, how many slabs there are, and how many units in all.

        A unit is an iteration, or a piece of a reduction. Slabs are as even as can be.
        """
        write, loop = self.write, self.piece.loop
        trip = write.trips(loop.start, loop.stop, "trip")
        units = trip if self.nest.parts is None else self.nest.parts.pieces
        if not self.piece.windows:
            return units, write.op("min", units, 1), units
        most = self._most(units, self._iterations())
        slabs = write.op("max", self._parts(units, most), 1, "slabs")
        size = write.op("max", self._parts(units, slabs), 1, "size")
        return size, self._parts(units, size), units

    def _most(self, units: n.Atom, iterations: n.Atom) -> n.Atom:
        """Of how many units a slab may be that has no more than some iterations."""
        if self.nest.parts is None:
            return iterations
        return self.write.op("max", self.write.op("floordiv", iterations, self.nest.parts.chunk), 1, "most")

    def _parts(self, number: n.Atom, size: n.Atom) -> n.Atom:
        """How many parts of a size cover a number."""
        write = self.write
        return write.op("floordiv", write.op("sub", write.op("add", number, size), 1), size, "parts")

    def _iterations(self) -> n.Atom:
        """How many iterations the room on the device is enough for; at least one."""
        return self.write.op("max", self._fitting(ZERO), 1, "most")

    def _fitting(self, always: Form) -> n.Atom:
        """How many iterations fit into the room on the device, beside so many bytes."""
        write, each = self.write, ZERO
        for name, window in self.piece.windows.items():
            row = self._row(name) * self._turns(name)
            each = each + row * window.scale
            always = always + row * window.more + SPARE_BYTES * self._turns(name)
        room = write.let(n.Room(self.device), PYINT, "room")
        spare = write.op("floordiv", room, SPARE, "spare")
        used = write.op("sub", write.op("sub", room, spare), self._value(always), "free")
        row_bytes = write.op("max", self._value(each), 1, "row")
        return write.op("floordiv", used, row_bytes)

    def _turns(self, name: str) -> int:
        """How many windows of an array are there at a time."""
        return 1

    def _row(self, name: str) -> Form:
        """The bytes of a row of an array, or of what stands for rows on the axis on which it is cut."""
        type_ = self.nest.holders(name).type
        assert isinstance(type_, View)
        row, window = constant(type_.element.size), self.piece.windows.get(name)
        for axis, extent in enumerate(self.piece.spaces[name].extents):
            row = row * extent if axis != (window.axis if window else 0) else row
        return row

    def _value(self, form: Form) -> n.Atom:
        return self.views.atom(form, self.write.statements, self.location)

    # --------------------------------------------------------------------------------------------- one slab

    def _slab(self, slab: n.Var, size: n.Atom, units: n.Atom) -> None:
        """Write what one slab does."""
        write, piece = self.write, self.piece
        first = write.op("mul", slab, size, "first")
        last = write.op("min", write.op("add", first, size), units, "last")
        bounds = self._bounds(first, last)
        windows = {name: self._cut(name, window.box) for name, window in piece.windows.items()}
        for view in windows.values():
            self._place(view)
        for name in piece.windows:
            self._copy(name, piece.reads.get(name, ()))
        self._launch(bounds, windows, first, last)
        write.add(n.Wait(self.device, location=self.location))
        for view in windows.values():
            write.add(n.Free(view, self.device, self.location))

    def _bounds(self, first: n.Atom, last: n.Atom) -> tuple[n.Atom, n.Atom]:
        """Define the bounds of the piece; those of the launch are the pieces of a reduction."""
        write, loop, parts = self.write, self.piece.loop, self.nest.parts
        if parts is None:
            low, high = write.op("add", loop.start, first), write.op("add", loop.start, last)
        else:
            low = write.op("add", loop.start, write.op("mul", first, parts.chunk))
            high = write.op("add", loop.start, write.op("mul", last, parts.chunk))
            high = write.op("min", high, loop.stop)
        for var, value in ((self.piece.low, low), (self.piece.high, high)):
            write.add(n.Let(var, n.Binary("add", value, n.Const(0), checked=False), self.location))
        return (self.piece.low, self.piece.high) if parts is None else (first, last)

    def _launch(self, bounds: tuple[n.Atom, n.Atom], windows: Mapping[str, n.Var], first: n.Atom, last: n.Atom) -> None:
        """Write the launch of a piece, and the copies of what it wrote."""
        write = self.write
        grid, launch = self.nest.launch(*bounds, {})
        write.add(*grid)
        reads = [self._cut(name, box) for name, boxes in self.piece.reads.items() for box in boxes]
        writes = [self._cut(name, box) for name, boxes in self.piece.writes.items() for box in boxes]
        writes += [self._rows(view, first, last) for view in self.partials]
        held = tuple(self._window(v, windows) for v in launch.operands if isinstance(v, n.Var) and _is_view(v))
        made = n.Launch(
            launch.kernel, launch.device, launch.operands, launch.grid, launch.results, tuple(reads), tuple(writes),
            held, launch.location,
        )  # fmt: skip
        home = [n.Copy(view, self.device, HOST, self.location) for view in writes]
        write.add(*self.nest.guard(made, *bounds, home))

    def _window(self, operand: n.Var, windows: Mapping[str, n.Var]) -> n.Var:
        """What a launch touches of an operand; nothing of one whose extents alone are used."""
        if operand in self.partials:
            return operand
        name = self.nest.owners(operand)
        if name in windows:
            return windows[name]
        if name in self.piece.spaces:
            return operand
        nothing = n.Slice(n.Const(0), n.Const(0), n.Const(1))
        assert isinstance(operand.type, View)
        return self._subview(operand, (nothing,) * operand.type.ndim)

    def _rows(self, view: n.Var, first: n.Atom, last: n.Atom) -> n.Var:
        """A part of an array of one dimension."""
        return self._subview(view, (n.Slice(first, self.write.op("sub", last, first), n.Const(1)),))

    def _subview(self, view: n.Var, axes: tuple[n.Slice, ...]) -> n.Var:
        assert isinstance(view.type, View)
        type_ = View(view.type.element, view.type.ndim, writable=view.type.writable)
        return self.write.let(n.Subview(view, axes, "safe"), type_, view.stem)

    def _cut(self, name: str, box: tuple[Side, ...]) -> n.Var:
        """A box of an array as a view."""
        statements, view = self.views.cut(self.nest.holders(name), box, self._space(name), self.location)
        self.write.add(*statements)
        return view

    def _space(self, name: str) -> Space:
        return self.piece.spaces[name]

    def _place(self, view: n.Var) -> None:
        self.write.add(n.Reserve(view, self.device, self.location))

    def _copy(self, name: str, boxes: Boxes) -> None:
        """Copy boxes of an array to the device."""
        for box in boxes:
            self.write.add(n.Copy(self._cut(name, box), HOST, self.device, self.location))


def _is_view(atom: n.Atom) -> bool:
    return isinstance(atom.type, View)
