"""A sum over a window that slides with the points, as in a convolution.

The threads of a block together load all that some rows of the windows of its points cover, once, to shared memory. Each
thread then goes from row to row: it keeps the weights of a row, and what its neighbouring points read of one row of the
array, in registers, so that an element is loaded once for all points of a thread that it belongs to. Windows of a width
that nobody knows are taken some columns at a time; those that turn out to be too wide are read point by point.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from weft.ir import nodes as n
from weft.ir.scribe import TRUE
from weft.ir.types import View
from weft.ir.visit import atoms_of
from weft.schedule.directives import Slide
from weft.schedule.frame import Bound, Frame, Threads, in_order
from weft.schedule.lowering.lanes import WIDEST, Accesses, lanes_of
from weft.schedule.lowering.points import aligned, guard
from weft.schedule.lowering.sliding import SlidingSum, sliding_sum
from weft.schedule.lowering.sums import ACROSS, DOWN, Sums, every_point
from weft.schedule.nests import slice_of
from weft.schedule.writing import scalar
from weft.transform.vector.fma_reductions import fused

WARP = ACROSS * DOWN
MOST_COLUMNS = 33
"""Columns of a window for which there is room, where nobody knows how many there are."""

AT_A_TIME = 8
"""Columns of such a window that are in registers."""

BANKS = 128
"""Bytes that the banks of shared memory give at a time."""


def covered(step: int, length: int) -> int:
    """How many elements the windows of so many neighbouring points cover."""
    return step + length - 1


def pitch(columns: int, size: int) -> int:
    """The distance between rows of a tile, in elements: neighbouring rows begin in neighbouring banks."""
    return ((columns * size + BANKS - WIDEST - 1) // BANKS * BANKS + WIDEST) // size


class Slider(Sums):
    """What a block does for a sum over windows."""

    warp = DOWN, ACROSS

    def __init__(self, frame: Frame, slide: Slide, found: SlidingSum) -> None:
        super().__init__(frame, found.found, found.rows, self.warp)
        self.sum, self.depth, self.width = found, slide.depth, found.width
        self.most = MOST_COLUMNS if found.width is None else found.width
        self.columns = fused(found.columns)
        by_axis = {bound.bind.axis: bound for bound in frame.bounds}
        self.x, self.y = by_axis["x"], by_axis["y"]
        self.tiles = {load.var.name: self.tile(load) for load in (*found.windows, *found.weights)}

    def covered(self, load: n.Let) -> tuple[int, int]:
        """The rows and columns of a load that a block needs at most."""
        if load in self.sum.weights:
            return self.depth, self.most
        return covered(self.y.bind.step, self.depth), covered(self.x.bind.step, self.most)

    def tile(self, load: n.Let) -> n.Var:
        """Room for what the windows of a block cover, or for weights."""
        element, (rows, columns) = scalar(load.var.type), self.covered(load)
        assert isinstance(load.value, n.Load)
        lanes = lanes_of(element)
        across = -(-columns // lanes) * lanes if load in self.sum.weights else pitch(columns, element.size)
        return self.write.alloc((rows, across), element, "shared", f"{load.value.view.stem}_tile")

    def slide(self) -> None:
        """Write what a block does. One that has all its points brings and stores them without tests; the sums are
        formed by the same code as in others, which is most of what is to be compiled."""
        write, columns = self.write, self.columns
        self.trip = write.trips(columns.start, columns.stop, "columns")
        with write.when(TRUE if self.width is not None else write.compare("le", self.trip, self.most)):
            self.sum_up(self.frame.whole())
        if self.width is None:
            with write.otherwise(), self.frame.phase() as threads:
                guard(self.frame, in_order(self.frame.flat), threads, self.frame.bounds, {}, in_runs=False)

    def sum_up(self, is_whole: n.Atom) -> None:
        """Write the sums of a block, and what is done with them."""
        write, rows = self.write, self.sum.rows
        with self.frame.phase() as threads:
            self._either(is_whole, lambda is_fast: self.begin(threads, is_fast))
        trip = write.trips(rows.start, rows.stop, "trip")
        tiles = write.op("floordiv", write.op("add", trip, self.depth - 1), self.depth, "tiles")
        with write.loop(f"{rows.label}.tile", 0, tiles, stem="tile") as loop:
            first = write.op("add", rows.start, write.op("mul", loop.index, self.depth))
            count = write.op("min", write.op("sub", rows.stop, first), self.depth, "count")
            with self.frame.phase(under_way=0) as threads:
                self._either(is_whole, lambda is_fast: self.send_windows(threads, first, count, is_fast))
                for load in self.sum.weights:
                    self._send(load, threads, first, count, is_fast=True)
            with self.frame.phase() as threads:
                self._work(threads, first, count)
        with self.frame.phase() as threads:
            self._either(is_whole, lambda is_fast: self.finish(threads, is_fast))

    def _either(self, is_whole: n.Atom, work: Callable[[bool], None]) -> None:
        """Write work as a block does it that has all its points, and as others do it."""
        with self.write.when(is_whole):
            work(True)
        with self.write.otherwise():
            work(False)

    def finish(self, threads: Threads, is_fast: bool) -> None:
        """Write what is done with the sums, with vectors where they are aligned."""
        write = self.write
        conditions = aligned(write, self.written) if is_fast else []
        with write.when(write.both(conditions)):
            self.end(threads, is_fast)
        if conditions:
            with write.otherwise():
                self.end(threads, is_fast, in_runs=False)

    # ------------------------------------------------------------------------------------------- loading

    def send_windows(self, threads: Threads, first: n.Atom, count: n.Atom, is_fast: bool) -> None:
        """Let what a thread brings of all windows go to shared memory, as vectors where they are aligned."""
        write = self.write
        for load in self.sum.windows:
            lanes = self._lanes(load) if is_fast else 1
            view = load.value.view if isinstance(load.value, n.Load) else None
            wide = aligned(write, Accesses(lanes, views=(view,))) if lanes > 1 and view else []
            with write.when(write.both(wide)):
                self._send(load, threads, first, count, is_fast, lanes)
            if wide:
                with write.otherwise():
                    self._send(load, threads, first, count, is_fast)

    def _lanes(self, load: n.Let) -> int:
        """How many neighbouring elements of a window are loaded as one vector, where their array is aligned."""
        assert isinstance(load.value, n.Load)
        lanes, view = lanes_of(scalar(load.var.type)), load.value.view
        is_contiguous = isinstance(view.type, View) and view.type.contiguous and view in self.frame.kernel.params
        columns = covered(self.x.bind.step, self.most)
        is_whole = self.width is not None and columns % lanes == 0 and self.x.bind.run % lanes == 0
        return lanes if is_contiguous and is_whole and self.sum.begins_at_multiple(load, lanes) else 1

    def _send(self, load: n.Let, threads: Threads, first: n.Atom, count: n.Atom, is_fast: bool, lanes: int = 1) -> None:
        """Let what a thread brings of a tile go to shared memory: a warp takes row after row."""
        write, tile = self.write, self.tiles[load.var.name]
        (lane, warp), warps, (rows, columns) = self.in_warp(threads), self.frame.threads // WARP, self.covered(load)
        is_weight = load in self.sum.weights
        needed = count if is_weight else write.op("add", count, self.y.bind.step - 1)
        wanted = self.trip if is_weight else write.op("add", self.trip, self.x.bind.step - 1)
        with write.loop(f"{self.y.loop.label}.row", 0, -(-rows // warps), stem="round") as loop:
            row = write.op("add", write.op("mul", loop.index, warps), warp)
            with write.when(write.compare("lt", row, needed)):
                for begin in range(0, columns, WARP * lanes):
                    column = write.op("add", write.op("mul", lane, lanes), begin)
                    is_certain = begin + WARP * lanes <= columns and self.width is not None
                    with write.when(TRUE if is_certain else write.compare("lt", column, wanted)):
                        values: Sequence[n.Atom]
                        if is_weight:
                            values = [self.weight(load, write.op("add", first, row), column)]
                        else:
                            values = self._elements(load, first, row, column, needed, is_fast, lanes)
                        write.store_run(tile, (row, column), values, late=True)

    def weight(self, load: n.Let, row: n.Atom, column: n.Atom) -> n.Atom:
        """An element that is the same for all points."""
        counters = {
            **self._further(),
            self.sum.rows.index.name: row,
            self.columns.index.name: self.write.op("add", self.columns.start, column),
        }
        (value,) = self.write.copy(n.Block(self._source(load).statements, (load.var,)), counters)
        return value

    def _elements(
        self, load: n.Let, first: n.Atom, row: n.Atom, column: n.Atom, rows: n.Atom, is_fast: bool, lanes: int
    ) -> Sequence[n.Atom]:
        """Elements of a tile, or the nearest one that a point inside the loops reads."""
        write, x, y = self.write, self.x, self.y
        if not is_fast:
            beyond = write.op("sub", y.bind.step, write.op("sub", y.high, y.origin))
            row = write.op("min", row, write.op("sub", write.op("sub", rows, 1), write.op("max", beyond, 0)))
            last = write.op("add", write.op("sub", x.high, x.origin), write.op("sub", self.trip, 2))
            column = write.op("max", write.op("min", column, last), write.op("sub", x.low, x.origin))
        counters = {
            **self._further(),
            y.loop.index.name: write.op("add", y.origin, row),
            x.loop.index.name: write.op("add", x.origin, column),
            self.sum.rows.index.name: first,
            self.columns.index.name: self.columns.start,
        }
        *lets, _ = self._source(load).statements
        if lanes == 1:
            return write.copy(n.Block((*lets, load), (load.var,)), counters)
        assert isinstance(load.value, n.Load)
        return write.load_run(load.value.view, write.copy(n.Block(tuple(lets), load.value.indices), counters), lanes)

    def _further(self) -> dict[str, n.Atom]:
        """The counters of loops of which a block runs one iteration."""
        further = (bound for bound in self.frame.bounds if bound not in (self.x, self.y))
        return {bound.loop.index.name: bound.origin for bound in further}

    def _source(self, load: n.Let) -> n.Block:
        """A load and what it needs."""
        needed = frozenset(a.name for a in atoms_of(load) if isinstance(a, n.Var))
        before = n.Block((*self.sum.found.before.statements, *self.sum.lets))
        return n.Block((*slice_of(before, needed).statements, load))

    # -------------------------------------------------------------------------------------------- working

    def _work(self, threads: Threads, first: n.Atom, count: n.Atom) -> None:
        """Add what some rows of the windows contribute to the sums of a thread's points."""
        write, rows = self.write, self.sum.rows
        spots = self.spots(threads)
        with write.loop(f"{rows.label}.in", 0, count, stem="within") as loop:
            at = loop.index, write.op("add", first, loop.index)
            if self.width is not None:
                self._columns(threads, spots, at, n.Const(0), self.width)
                return
            whole = write.op("floordiv", self.trip, AT_A_TIME)
            with write.loop(f"{self.columns.label}.tile", 0, whole, stem="part") as part:
                self._columns(threads, spots, at, write.op("mul", part.index, AT_A_TIME), AT_A_TIME)
            with write.loop(f"{self.columns.label}.rest", write.op("mul", whole, AT_A_TIME), self.trip) as rest:
                self._columns(threads, spots, at, rest.index, 1)

    def _columns(
        self, threads: Threads, spots: dict[str, n.Atom], at: tuple[n.Atom, n.Atom], begin: n.Atom, count: int
    ) -> None:
        """Some columns of a row of the windows: where it lies in the tiles, and its number."""
        write, (within, row) = self.write, at
        first = write.op("add", self.columns.start, begin)
        weights = {
            load.var.name: self._loaded(load, threads, (within, begin), count, count) for load in self.sum.weights
        }
        with every_point(self.frame, (self.y,)) as (down,):
            place = write.op("add", self.offset(self.y, spots[self.y.loop.label], down), within)
            side = write.op("add", write.op("mul", spots[self.x.loop.label], self.x.bind.points), begin)
            length = covered(self.x.bind.points, count)
            parts = {
                load.var.name: self._loaded(load, threads, (place, side), length, count) for load in self.sum.windows
            }
            with (
                write.loop(f"{self.columns.label}.in", 0, count, "unroll", stem="column") as column,
                every_point(self.frame, (self.x,)) as (along,),
            ):
                self._add(threads, spots, (row, first, column.index), (down, along), weights, parts)

    def offset(self, bound: Bound, spot: n.Atom, point: n.Atom) -> n.Atom:
        """The place of a point in its block."""
        return self.frame.point(bound, self.write.op("mul", spot, bound.bind.run), point)

    def _loaded(self, load: n.Let, threads: Threads, at: tuple[n.Atom, n.Atom], length: int, columns: int) -> n.Var:
        """Neighbouring elements of a row of a tile, for some columns of the windows, in registers."""
        write, own, element, (row, first) = self.write, self.frame.own(threads), scalar(load.var.type), at
        lanes = lanes_of(element) if columns > 1 else 1
        length = -(-length // lanes) * lanes
        tile = self.tiles[load.var.name]
        made = self.frame.registers((length,), element, f"{tile.stem}_part")
        for number in range(0, length, lanes):
            for lane, value in enumerate(write.load_run(tile, (row, write.op("add", first, number)), lanes)):
                write.store(made, (*own, number + lane), value)
        return made

    def _add(
        self,
        threads: Threads,
        spots: dict[str, n.Atom],
        at: tuple[n.Atom, n.Atom, n.Atom],
        point: tuple[n.Atom, n.Atom],
        weights: dict[str, n.Var],
        parts: dict[str, n.Var],
    ) -> None:
        """One iteration of the inner loop for one point."""
        write, own, (row, first, column), (down, along) = self.write, self.frame.own(threads), at, point
        chosen = {self.y.loop.label: down, self.x.loop.label: along}
        points = [chosen.get(bound.loop.label, n.Const(0)) for bound in self.frame.bounds]
        values: dict[str, n.Atom] = {
            bound.loop.index.name: self.frame.point(bound, self.frame.first(bound, spots[bound.loop.label]), number)
            for bound, number in zip(self.frame.bounds, points, strict=True)
        }
        values[self.sum.rows.index.name] = row
        values[self.columns.index.name] = write.op("add", first, column)
        values |= {name: write.load(array, *own, column) for name, array in weights.items()}
        place = write.op("add", along, column)
        values |= {name: write.load(array, *own, place) for name, array in parts.items()}
        for arg, array in zip(self.columns.args, self.sums, strict=True):
            values[arg.var.name] = write.load(array, *own, *points)
        held = {*weights, *parts}
        lets = (*in_order(n.Block(self.sum.rows.body.statements[:-1])).statements, *self.columns.body.statements)
        kept = tuple(s for s in lets if not (isinstance(s, n.Let) and s.var.name in held))
        made = write.copy(n.Block(kept, self.columns.body.yields), values)
        for array, value in zip(self.sums, made, strict=True):
            write.store(array, (*own, *points), value)


def write_sliding(frame: Frame, slide: Slide, slider_type: type[Slider]) -> None:
    """Write what a block does."""
    by_axis = {bound.bind.axis: bound.loop for bound in frame.bounds}
    found = sliding_sum(frame.flat, slide.loop, by_axis["y"], by_axis["x"])
    assert isinstance(found, SlidingSum)
    exists = [frame.write.compare("lt", bound.origin, bound.high) for bound in frame.bounds]
    slider = slider_type(frame, slide, found)
    with frame.write.when(frame.write.both(exists)):
        slider.slide()
