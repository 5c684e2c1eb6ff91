"""A sum of products over windows in float64 by matrix instructions, as a product with a band of weights.

An instruction takes elements that lie around `ROWS` by `COLUMNS` neighbouring points, for 16 places a warp, and weights
that are zero where an element is not in the window of a point. All elements that a block needs are in shared memory
before, so a thread goes over them in the order of the source, and zeros add nothing to its sums: these have the bits
that multiply-adds give, but for the sign of one that underflows to zero. Only what is infinite or no number is not zero
after a multiplication by zero. Where a thread has sums that are not finite, it forms them again, by multiply-adds.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from weft.ir import nodes as n
from weft.ir.scribe import FALSE
from weft.ir.types import BOOL, FLOAT64, PYBOOL
from weft.schedule.directives import Slide
from weft.schedule.frame import Frame, Threads
from weft.schedule.lowering.slide import WARP, Slider
from weft.schedule.lowering.sliding import COLUMNS, ROWS, SlidingSum, pieces
from weft.schedule.lowering.sums import every_counter, every_point
from weft.schedule.nests import slice_of
from weft.schedule.writing import scalar
from weft.transform.vector.fma_reductions import fused

ABOVE, BESIDE = ROWS - 1, COLUMNS - 1
"""Zeros around the weights."""

BEYOND = 2
"""Elements between the rows of a tile, whose length is a multiple of 4: rows that are read together, which are two
apart, lie in different banks then."""

WEIGHTS_APART = 8
"""The distance between rows of weights, in elements, but for multiples of all banks."""

ALL_BANKS = 16
"""Elements that the banks of shared memory give at a time."""

ZERO = n.Const(0.0, FLOAT64)


class MatrixSlider(Slider):
    """What a block does by matrix instructions. Threads of a warp are two along x and sixteen along y."""

    warp = 2, 16

    def __init__(self, frame: Frame, slide: Slide, found: SlidingSum) -> None:
        assert found.width is not None and found.height is not None
        self.high, self.wide = found.height, found.width
        super().__init__(frame, slide, found)
        (self.window,), (self.factor,) = found.windows, found.weights

    def tile(self, load: n.Let) -> n.Var:
        """Room for what instructions read: around the windows of a block, or weights between zeros."""
        assert isinstance(load.value, n.Load)
        stem = f"{load.value.view.stem}_tile"
        if load in self.sum.weights:
            least = self.wide + 2 * BESIDE + COLUMNS - 1
            pitch = least + (WEIGHTS_APART - least) % ALL_BANKS
            return self.write.alloc((self.high + 2 * ABOVE, pitch), scalar(load.var.type), "shared", stem)
        rows = self.covered(load)[0]
        return self.write.alloc((rows, self._columns_read + BEYOND), scalar(load.var.type), "shared", stem)

    @property
    def _columns_read(self) -> int:
        """The columns of the tile that instructions read."""
        return self.x.bind.step - COLUMNS + COLUMNS * pieces(self.wide)

    def slide(self) -> None:
        """Write what a block does. All blocks share the loop that forms the sums, which takes long to compile."""
        write, start, rows = self.write, self.sum.rows.start, n.Const(self.high)
        self.trip = n.Const(self.wide)
        is_whole = self.frame.whole()
        with self.frame.phase(under_way=0) as threads:
            with write.when(is_whole):
                self.send_windows(threads, start, rows, is_fast=True)
            with write.otherwise():
                self.send_windows(threads, start, rows, is_fast=False)
            self._clear(threads)
            self._send_weights(threads)
        with self.frame.phase() as threads:
            with write.when(is_whole):
                self.begin(threads, is_fast=True)
            with write.otherwise():
                self._set_all(threads)
                self.begin(threads, is_fast=False)
        # A phase of its own: the compiler would keep initial values in registers, for sums that are not finite.
        with self.frame.phase() as threads:
            self._multiply(threads, self._mark(threads))
            with write.when(self._is_any_lost(threads)):
                self._begin_again(threads)
                self._multiply(threads)
            with write.when(is_whole):
                self.finish(threads, is_fast=True)
            with write.otherwise():
                self.finish(threads, is_fast=False)

    # ------------------------------------------------------------------------------------------- loading

    def _clear(self, threads: Threads) -> None:
        """Zeros for columns of the tile that only weights of zero meet: what they are must be finite."""
        write, tile = self.write, self.tiles[self.window.var.name]
        rows, columns = self.covered(self.window)
        (lane, warp), warps = self.in_warp(threads), self.frame.threads // WARP
        if columns == self._columns_read:
            return
        with write.loop(f"{self.y.loop.label}.row", 0, -(-rows // warps), stem="round") as loop:
            row = write.op("add", write.op("mul", loop.index, warps), warp)
            inside = write.compare("lt", row, rows), write.compare("lt", lane, self._columns_read - columns)
            with write.when(write.both(inside)):
                write.store(tile, (row, write.op("add", lane, columns)), ZERO)

    def _send_weights(self, threads: Threads) -> None:
        """Let what a thread brings of the weights go to shared memory, with the zeros around them."""
        write, tile, count = self.write, self.tiles[self.factor.var.name], self.frame.threads
        across = self.wide + 2 * BESIDE + COLUMNS - 1
        size = (self.high + 2 * ABOVE) * across
        with write.loop(f"{self.sum.rows.label}.weights", 0, -(-size // count), stem="round") as loop:
            place = write.op("add", write.op("mul", loop.index, count), self.frame.number(threads))
            row, column = write.op("floordiv", place, across), write.op("mod", place, across)
            above, beside = write.op("sub", row, ABOVE), write.op("sub", column, BESIDE)
            inside = [
                test
                for value, length in ((above, self.high), (beside, self.wide))
                for test in (write.compare("ge", value, 0), write.compare("lt", value, length))
            ]
            with write.when(write.compare("lt", place, size)):
                with write.when(write.both(inside)):
                    first = write.op("add", self.sum.rows.start, above)
                    write.store(tile, (row, column), self.weight(self.factor, first, beside), late=True)
                with write.otherwise():
                    write.store(tile, (row, column), ZERO)

    # -------------------------------------------------------------------------------------------- working

    def _set_all(self, threads: Threads) -> None:
        """Begin with zeros also for points that are in no loop."""
        with every_point(self.frame, self.frame.bounds) as points:
            self._set(threads, points, (ZERO,))

    def _begin_again(self, threads: Threads) -> None:
        """Give the sums their initial values once more."""
        (arg,) = self.sum.rows.args
        needed = slice_of(self.before, frozenset((arg.init.name,)) if isinstance(arg.init, n.Var) else frozenset())
        with every_counter(self.frame, self.spots(threads), is_tested=True) as (points, counters):
            self._set(threads, points, self.compute(n.Block(needed.statements, (arg.init,)), threads, points, counters))

    def compute(
        self, block: n.Block, threads: Threads, points: Sequence[n.Atom], counters: Mapping[str, n.Atom]
    ) -> tuple[n.Atom, ...]:
        """The same with elements from shared memory where the windows have them."""
        write, spots, values = self.write, self.spots(threads), dict(counters)
        numbers = dict(zip((bound.loop.label for bound in self.frame.bounds), points, strict=True))
        for statement in block.statements:
            place = self._place_of(statement)
            if place is not None and isinstance(statement, n.Let):
                offsets = (self.offset(b, spots[b.loop.label], numbers[b.loop.label]) for b in (self.y, self.x))
                indices = [write.op("add", offset, more) for offset, more in zip(offsets, place, strict=True)]
                values[statement.var.name] = write.load(self.tiles[self.window.var.name], *indices)
        left = tuple(s for s in block.statements if self._place_of(s) is None)
        return write.copy(n.Block(left, block.yields), values)

    def _place_of(self, statement: n.Statement) -> tuple[int, int] | None:
        """The row and column of the window of a point where an element lies that a statement loads."""
        found = self.sum.before.get(statement.var.name) if isinstance(statement, n.Let) else None
        if found is None:
            return None
        starts = self.sum.rows.start, self.columns.start
        row, column = (
            number - int(start.value.real)
            for number, start in zip(found[1:], starts, strict=True)
            if isinstance(start, n.Const)
        )
        return (row, column) if 0 <= row < self.high and 0 <= column < self.wide else None

    def _mark(self, threads: Threads) -> n.WindowProduct:
        """The work of a thread as matrix instructions do it: they take elements of other points than it has."""
        write, begins = self.write, self.warp_begins(threads)
        lane, _ = self.in_warp(threads)
        place, number = write.op("floordiv", lane, COLUMNS), write.op("mod", lane, COLUMNS)
        row = write.op("add", begins["y"], write.op("mul", place, ROWS))
        column = write.op("add", write.op("mul", begins["x"], self.x.bind.run), number)
        above = write.op("sub", ABOVE, write.op("floordiv", place, COLUMNS))
        beside = write.op("sub", write.op("add", number, BESIDE), write.op("mod", place, COLUMNS))
        tile, weights = self.tiles[self.window.var.name], self.tiles[self.factor.var.name]
        down, across = self.y.bind.group, self.x.bind.group * self.x.bind.run
        return n.WindowProduct(self.sums[0], tile, weights, row, column, above, beside, self.wide, down, across)

    def _multiply(self, threads: Threads, product: n.WindowProduct | None = None) -> None:
        """Add the products of all windows and weights to the sums of a thread's points."""
        write, spots = self.write, self.spots(threads)
        rows, columns = self.sum.rows, self.columns
        with (
            write.loop(f"{rows.label}.in", 0, self.high, "rolled", stem="within", product=product) as row,
            write.loop(f"{columns.label}.in", 0, self.wide, "rolled", stem="column") as column,
        ):
            places = write.op("add", row.index, ABOVE), write.op("add", column.index, BESIDE)
            factor = write.load(self.tiles[self.factor.var.name], *places)
            with every_point(self.frame, (self.y,)) as (down,), every_point(self.frame, (self.x,)) as (along,):
                self._add_product(threads, spots, (row.index, column.index), (down, along), factor)

    def _add_product(
        self,
        threads: Threads,
        spots: dict[str, n.Atom],
        at: tuple[n.Atom, n.Atom],
        point: tuple[n.Atom, n.Atom],
        factor: n.Atom,
    ) -> None:
        """One iteration of the inner loop for one point."""
        write, own, (sums,) = self.write, self.frame.own(threads), self.sums
        bounds = self.y, self.x
        chosen = {bound.loop.label: number for bound, number in zip(bounds, point, strict=True)}
        points = [chosen.get(bound.loop.label, n.Const(0)) for bound in self.frame.bounds]
        place = [
            write.op("add", self.offset(bound, spots[bound.loop.label], number), more)
            for bound, number, more in zip(bounds, point, at, strict=True)
        ]
        element = write.load(self.tiles[self.window.var.name], *place)
        (arg,) = self.columns.args
        values = {self.factor.var.name: factor, self.window.var.name: element}
        values[arg.var.name] = write.load(sums, *own, *points)
        body = fused(self.columns).body
        (made,) = (s for s in body.statements if isinstance(s, n.Let) and s.var in body.yields)
        (value,) = write.copy(n.Block((made,), body.yields), values)
        write.store(sums, (*own, *points), value)

    def _is_any_lost(self, threads: Threads) -> n.Atom:
        """Whether a thread has a sum that is not finite."""
        write, own, (sums,) = self.write, self.frame.own(threads), self.sums
        label = self.sum.rows.label
        with (
            write.loop(f"{label}.lost", 0, self.y.bind.points, "unroll", carried=(FALSE,)) as outer,
            write.loop(f"{label}.lost", 0, self.x.bind.points, "unroll", carried=outer.values) as inner,
        ):
            chosen = {self.y.loop.label: outer.index, self.x.loop.label: inner.index}
            points = [chosen.get(bound.loop.label, n.Const(0)) for bound in self.frame.bounds]
            total = write.load(sums, *own, *points)
            is_finite = write.let(n.Cast(write.let(n.Math("isfinite", (total,)), BOOL)), PYBOOL, "is_finite")
            is_lost = write.let(n.Unary("not", is_finite, checked=False), PYBOOL, "is_lost")
            inner.next = (write.either(inner.values[0], is_lost),)
            outer.next = inner.results
        return outer.results[0]
