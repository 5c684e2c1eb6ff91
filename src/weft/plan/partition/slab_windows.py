"""Runs a kernel slab by slab, with copies beside kernels: the copies of one slab run while the kernel of another does.

Every array that is cut has two or three windows (see `windows`), which take turns: while the kernel works on one, the
next slab arrives in another, and what the slab before has written leaves from the third. The plan says none of this in
so many words: it is a loop that fills windows, launches, and empties them, and whose windows change places. Copies and
kernels that do not touch the same memory run beside one another, since a device has a queue for each.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from weft.analysis.values.linear import ZERO, Form, constant
from weft.ir import nodes as n
from weft.ir.reference.memories import HOST
from weft.ir.types import PYINT, View
from weft.machine.copying import SLAB_BYTES, SLABS
from weft.plan.partition.slab_loops import SlabWriter
from weft.plan.partition.windows import Held
from weft.plan.transfers.regions import Boxes

LEAST = 4
"""Slabs have at least so many times the rows that two of them need, where there is room."""


WIDE = 16384
"""Slabs of columns have at least so many bytes of each row, where there is room: a row costs a copy 30 ns (H200)."""


class WindowWriter(SlabWriter):
    """Writes the loop over the slabs of a nest whose windows take turns."""

    def _turns(self, name: str) -> int:
        return 1 + (name in self.piece.reads) + (name in self.piece.writes)

    def _most(self, units: n.Atom, iterations: n.Atom) -> n.Atom:
        """What there is room for; less where there would be few slabs."""
        write, most = self.write, super()._most(units, iterations)
        rows = sum((self._row(name) * window.scale for name, window in self.piece.windows.items()), ZERO)
        each = write.op("max", self._value(rows), 1, "each")
        if self.nest.parts is not None:
            each = write.op("mul", each, self.nest.parts.chunk, "each")
        enough = write.op("max", self._parts(units, n.Const(SLABS)), self._parts(n.Const(SLAB_BYTES), each), "enough")
        more = max((window.more.value or 0) // window.scale for window in self.piece.windows.values())
        if more and self.nest.parts is None:
            enough = write.op("max", enough, LEAST * more, "enough")
        for name, window in self.piece.windows.items():
            if window.axis > 0 and self.nest.parts is None:
                wide = self._parts(n.Const(WIDE), self._value(self._run_bytes(name, window.axis) * window.scale))
                enough = write.op("max", enough, wide, "enough")
        return write.op("min", most, enough, "most")

    def _run_bytes(self, name: str, axis: int) -> Form:
        """The bytes that lie together for each index on an axis."""
        type_ = self.nest.holders(name).type
        assert isinstance(type_, View)
        run = constant(type_.element.size)
        for extent in self.piece.spaces[name].extents[axis + 1 :]:
            run = run * extent
        return run

    def _slabs(self, size: n.Atom, count: n.Atom, units: n.Atom) -> None:
        write = self.write
        made = {name: self._windows(name, size) for name in self.piece.windows}
        slab, taken = self.names.fresh("slab", PYINT), {name: self._again(views) for name, views in made.items()}
        with write.apart() as body:
            self._one(slab, size, units, {name: views[0] for name, views in taken.items()})
        turned = tuple(view for views in taken.values() for view in (*views[1:], views[0]))
        args = tuple(n.LoopArg(own, view) for name in made for own, view in zip(taken[name], made[name], strict=True))
        left = tuple(view for views in made.values() for view in self._again(views))
        block = n.Block(tuple(body), turned)
        write.add(n.For(write.label(self._label), slab, n.Const(0), count, block, args, left, location=self.location))
        for view in self.partials:
            write.add(n.Copy(view, self.device, HOST, self.location))
        for view in left:
            write.add(n.Free(view, self.device, self.location))

    def _again(self, views: Sequence[n.Var]) -> list[n.Var]:
        """Variables that hold the same arrays inside a loop, or behind it."""
        return [self.names.fresh(view.stem, view.type) for view in views]

    def _windows(self, name: str, size: n.Atom) -> list[n.Var]:
        """Make the windows of an array: each has the rows, or columns, of the largest slab."""
        write, window, holder = self.write, self.piece.windows[name], self.nest.holders(name)
        assert isinstance(holder.type, View)
        if self.nest.parts is not None:
            size = write.op("mul", size, self.nest.parts.chunk, "size")
        rows = write.op("add", write.op("mul", size, window.scale), self._value(window.more), "rows")
        extents = [self._extent(holder, axis) for axis in range(holder.type.ndim)]
        rows = write.op("max", write.op("min", rows, extents[window.axis]), 0, "rows")
        shape = (*extents[: window.axis], rows, *extents[window.axis + 1 :])
        type_ = View(holder.type.element, holder.type.ndim, contiguous=True)
        stem, made = f"{holder.stem}_window", list[n.Var]()
        for _ in range(self._turns(name)):
            made.append(write.let(n.Alloc(shape, holder.type.element), type_, stem))
        for view in made:
            self._place(view)
        return made

    def _extent(self, view: n.Var, axis: int) -> n.Atom:
        return self.write.let(n.Dim(view, axis), PYINT, f"{view.stem}_dim{axis}")

    def _one(self, slab: n.Var, size: n.Atom, units: n.Atom, windows: Mapping[str, n.Var]) -> None:
        """Write what one slab does."""
        write, piece = self.write, self.piece
        first = write.op("mul", slab, size, "first")
        last = write.op("min", write.op("add", first, size), units, "last")
        bounds = self._bounds(first, last)
        rows = {name: self._first(name) for name in windows}
        held = {name: Held(windows[name], rows[name], piece.windows[name].axis) for name in windows}
        (reads, always), (writes, spread) = (self._touched(boxes, held) for boxes in (piece.reads, piece.writes))
        for view, window in reads:
            write.add(n.Copy(view, HOST, self.device, self.location, window))
        statements, launch = self.nest.launch(*bounds, held)
        own = [self._rows(view, first, last) for view in self.partials]
        needs, makes = (*always, *(window for _, window in reads)), (*spread, *(window for _, window in writes), *own)
        write.add(*statements, replace(launch, reads=needs, writes=makes))
        write.add(*(n.Copy(view, self.device, HOST, self.location) for view in spread))
        write.add(*(n.Copy(window, self.device, HOST, self.location, view) for view, window in writes))

    def _first(self, name: str) -> n.Var:
        """The number of the first row that a piece needs of an array."""
        window = self.piece.windows[name]
        start = _slices(self._made(self._cut(name, window.box)))[window.axis].start
        return self.write.let(n.Binary("add", start, n.Const(0), checked=False), PYINT, "row")

    def _touched(
        self, boxes: Mapping[str, Boxes], held: Mapping[str, Held]
    ) -> tuple[list[tuple[n.Var, n.Var]], list[n.Var]]:
        """Boxes as views: of arrays that are cut with what they are in the window, and of the others."""
        views = [(name, self._cut(name, box)) for name, own in boxes.items() for box in own if name in held]
        whole = [self._cut(name, box) for name, own in boxes.items() for box in own if name not in held]
        return [(view, self._in_window(view, held[name])) for name, view in views], whole

    def _in_window(self, view: n.Var, held: Held) -> n.Var:
        """The elements in a window that belong to those of a part of the array."""
        write, axes = self.write, _slices(self._made(view))
        rows = axes[held.axis]
        start = write.op("sub", rows.start, held.first, "start")
        stop = write.op("add", start, rows.length, "stop")
        axes[held.axis] = n.Slice(start, write.op("sub", stop, start, "rows"), n.Const(1))
        return self._subview(held.window, tuple(axes))

    def _made(self, view: n.Var) -> n.Subview:
        """What made a view just now."""
        value = next(s.value for s in reversed(self.write.statements) if isinstance(s, n.Let) and s.var == view)
        assert isinstance(value, n.Subview)
        return value


def _slices(value: n.Subview) -> list[n.Slice]:
    assert all(isinstance(axis, n.Slice) for axis in value.axes)
    return [axis for axis in value.axes if isinstance(axis, n.Slice)]
