"""A reduction inside each thread whose reads are shared by the points of a block: a matrix product, a convolution.

The loop is cut in tiles. For each, the threads of the block together load what their points read, once, into one of
several buffers in shared memory while they work on another; each thread keeps the sums of its points in registers.
Every point adds in the order of the source. Blocks that leave the loops load from the nearest iterations that exist,
and write only what is theirs. Where arrays are not aligned, or runs of neighbours are cut by the ends of loops, they do
so element by element.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from math import gcd, lcm, prod
from typing import NamedTuple, TypeAlias

from weft.ir import nodes as n
from weft.ir.scribe import TRUE
from weft.ir.types import PYINT, Scalar
from weft.ir.visit import atoms_of
from weft.schedule.directives import Stage, alone_along_z
from weft.schedule.frame import Bound, Frame, Threads
from weft.schedule.lowering.broadcast_tile import common_reads, write_common
from weft.schedule.lowering.lanes import Accesses, lanes_of, side_by_side, write_run
from weft.schedule.lowering.points import aligned, bytes_of
from weft.schedule.lowering.sums import ACROSS, DOWN, MANY_POINTS, Sums, every_point
from weft.schedule.nests import reads, reduction_in, slice_of
from weft.schedule.writing import Writing, scalar
from weft.transform.vector.fma_reductions import fused

PADDING = 16
"""Bytes between rows of a tile that is stored across, against conflicts between banks."""

BETWEEN_FRAGMENTS = 32
"""The same for tiles that matrix instructions read, where neighbouring points lie side by side."""

BETWEEN_ROWS = 4
"""Elements between the rows of such tiles where the iterations of a point do."""


Parts: TypeAlias = Mapping[str, n.Var]


TOGETHER, LONG_WORK = 4, 64
"""Elements of the first tiles that a thread sends in an iteration, where it does so one by one; and the points from
which on it works on a tile so long that it does not matter how the first ones are sent."""


class _Place(NamedTuple):
    """A place that differs from thread to thread, and a distance from it, apart: it can be part of an address then."""

    base: n.Atom
    more: int = 0


@dataclass
class _Tile:
    """What a block reads through one load: arrays for `depth` iterations and the points of one loop, as many as there
    are buffers."""

    load: n.Let
    bound: Bound
    source: n.Block
    along: n.Var
    accesses: Accesses
    array: n.Var
    held: n.Var
    lanes: int
    rounds: int
    by_point: bool = False
    """Whether the iterations of a point lie side by side in the array, instead of the points of an iteration."""

    def slot(self, buffer: n.Atom, iteration: n.Atom, point: n.Atom) -> tuple[n.Atom, n.Atom, n.Atom]:
        """Where in the array an element lies."""
        return (buffer, point, iteration) if self.by_point else (buffer, iteration, point)


class _Stager(Sums):
    def __init__(self, frame: Frame, stage: Stage) -> None:
        found = reduction_in(frame.flat, stage.loop)
        assert found is not None
        super().__init__(frame, found, fused(found.loop), (DOWN, ACROSS) if stage.matrix else (ACROSS, DOWN))
        # Sums in neighbouring registers share banks with the factors there. Matrix instructions have theirs so.
        self.written = replace(self.written, apart=not stage.matrix)
        self.depth, self.buffers, self.most, self.matrix = stage.depth, stage.buffers, stage.most, stage.matrix
        alone = alone_along_z(bound.bind for bound in frame.bounds)
        chosen = [(load, labels - alone) for load, labels in reads(found, frame.chain)]
        self.given = {b.loop.index.name: b.origin for b in frame.bounds if b.loop.label in alone}
        self.tiles = [self._tile(load, labels) for load, labels in chosen if len(labels) > 1]
        self.held = {tile.load.var.name for tile in self.tiles}
        self.wanted = frozenset(v.name for v in self.loop.body.yields if isinstance(v, n.Var))
        self.parts: list[Parts] = []

    # --------------------------------------------------------------------------------------------- plan

    def _tile(self, load: n.Let, labels: frozenset[str]) -> _Tile:
        """Plan how a load's elements come to shared memory, in runs along the loop in whose direction they lie."""
        frame, (label,) = self.frame, labels - {self.loop.label}
        bound = frame.by_loop[label]
        assert isinstance(load.value, n.Load)
        needed = frozenset(a.name for a in atoms_of(load) if isinstance(a, n.Var))
        source = slice_of(n.Block((*self.before.statements, *self.loop.body.statements)), needed)
        source = n.Block((*source.statements, load))
        element = scalar(load.var.type)
        along, accesses = self._direction(source, bound, lanes_of(element))
        by_point = self.matrix and bound.bind.axis == "y"
        if self.is_late and (along is self.loop.index) != by_point:
            accesses = Accesses()  # each element goes to a row of its own
        rounds = self.depth * bound.bind.step // (accesses.lanes * frame.threads)
        array = self._array(load.value.view.stem, element, bound, by_point, is_across=along is not bound.loop.index)
        held = frame.registers((rounds * accesses.lanes,), element, f"{load.value.view.stem}_held")
        return _Tile(load, bound, source, along, accesses, array, held, accesses.lanes, rounds, by_point)

    def _array(self, stem: str, element: Scalar, bound: Bound, by_point: bool, is_across: bool) -> n.Var:
        """The buffers of a tile, their rows so far apart that few threads of a warp want the same bank."""
        padding = BETWEEN_FRAGMENTS if self.matrix else PADDING if is_across else 0
        if by_point:
            padding = BETWEEN_ROWS * element.size
        row, rows = (self.depth, bound.bind.step) if by_point else (bound.bind.step, self.depth)
        return self.write.alloc((self.most, rows, row + padding // element.size), element, "shared", f"{stem}_tile")

    @property
    def is_late(self) -> bool:
        """Whether elements go to shared memory past the registers."""
        return self.buffers > 2 or self.matrix

    @property
    def runs_ahead(self) -> bool:
        """Whether an iteration is loaded while the one before runs, and the last one of a tile runs with the next.

        With many points two iterations are enough of a loop's body for what the loop costs.
        """
        return not self.matrix and self.depth % 2 == 0 and prod(self.points) >= MANY_POINTS

    def _direction(self, source: n.Block, bound: Bound, widest: int) -> tuple[n.Var, Accesses]:
        """The loop along which neighbours are loaded together, and how."""
        elements = self.depth * bound.bind.step
        lanes = widest
        while lanes > 1:
            for index, extent in ((bound.loop.index, bound.bind.step), (self.loop.index, self.depth)):
                found = side_by_side(source, index, lanes, frozenset(self.frame.kernel.overlaps))
                if found.whole and extent % lanes == 0 and elements % (lanes * self.frame.threads) == 0:
                    return index, found
            lanes //= 2
        return bound.loop.index, Accesses()

    def fast(self) -> n.Atom:
        """Whether runs are aligned, and each is in the loops or outside: the same for all blocks."""
        conditions: list[n.Atom] = []
        views: list[tuple[n.Var, int]] = []
        multiples: list[tuple[n.Atom, int]] = []
        for accesses in (self.written, *(tile.accesses for tile in self.tiles)):
            conditions += aligned(self.write, accesses)
            views += bytes_of(accesses)
        for tile in self.tiles:
            if tile.lanes > 1 and tile.along is self.loop.index:
                # In a ring the tiles begin behind the iterations that fill none, so they end where the loop does.
                multiples.append((self.loop.stop if self.is_late else self.loop.start, tile.lanes))
        runs = self._runs()
        ends = [(end, length) for bound, length in runs for end in (bound.low, bound.high)]
        rests = [self.write.op("mod", atom, number) for atom, number in dict.fromkeys((*multiples, *ends))]
        conditions += [self.write.compare("eq", rest, 0) for rest in rests if rest != n.Const(0)]
        test = self.write.both([c for c in conditions if c != TRUE])
        self.frame.is_uniform(test, runs, tuple(dict.fromkeys(multiples)), tuple(dict.fromkeys(views)))
        return test

    def _runs(self) -> list[tuple[Bound, int]]:
        """The loops whose iterations are loaded or stored in runs, and the lengths of these."""
        found = {bound.loop.label: bound.bind.run for bound in self.frame.bounds if bound.is_aligned}
        for tile in self.tiles:
            if tile.lanes > 1 and tile.along is tile.bound.loop.index:
                found[tile.bound.loop.label] = lcm(found.get(tile.bound.loop.label, 1), tile.lanes)
        return [(self.frame.by_loop[label], length) for label, length in found.items()]

    # -------------------------------------------------------------------------------------------- phases

    def stage(self) -> None:
        """Write what a block does: with runs apart from element by element, so that neither slows the other."""
        write = self.write
        trip = write.trips(self.loop.start, self.loop.stop, "trip")
        tiles = write.op("floordiv", trip, self.depth, "tiles")
        left = write.op("sub", trip, write.op("mul", tiles, self.depth), "left")
        test = self.fast()
        with write.when(test):
            self._reduce(tiles, left, is_fast=True)
        if test != TRUE:
            with write.otherwise():
                self._reduce(tiles, left, is_fast=False)

    def _reduce(self, tiles: n.Atom, left: n.Atom, is_fast: bool) -> None:
        """All tiles, and the iterations that fill none."""
        self.parts = [self._parts() for _ in range(2 if self.runs_ahead else 0)]
        if self.is_late or not is_fast:
            self._in_ring(tiles, left, is_fast)
        else:
            self._in_turn(tiles, left)
        with self.frame.phase() as threads:
            self.end(threads, is_fast, is_cut=True)

    def _in_ring(self, tiles: n.Atom, left: n.Atom, is_fast: bool) -> None:
        """Work on a tile while several next ones are on their way, each to the buffer that was used longest ago.

        What fills no tile comes first: nothing that it needs is kept in registers during the loop then. At the end the
        last tile is sent again, to buffers that nobody reads: cheaper than a test.
        """
        write, buffers = self.write, self.buffers if is_fast else self.most
        ahead = buffers - 1
        start = write.op("add", self.loop.start, left)
        with self.frame.phase() as threads:
            self.begin(threads, is_fast=False)
        with write.when(write.compare("gt", left, 0)):
            with self.frame.phase(under_way=0) as threads:
                self._send_rest(threads, self.loop.start, late=True)
            with self.frame.phase() as threads:
                self._work(threads, self.loop.start, n.Const(0), left)
        for number in range(ahead):
            with self.frame.phase(under_way=ahead - 1) as threads, write.when(write.compare("gt", tiles, number)):
                begins = write.op("add", start, number * self.depth)
                if not is_fast and prod(self.points) >= LONG_WORK:
                    self._send_in_loop(threads, begins, n.Const(number))
                else:
                    self._send(threads, begins, n.Const(number), is_fast)
        begin = n.Const(0), n.Const(ahead)
        with write.loop(f"{self.loop.label}.tile", 0, tiles, carried=begin, stem="tile") as loop:
            buffer, free = loop.values
            first = write.op("add", start, write.op("mul", loop.index, self.depth))
            loop.next = self._next(buffer, buffers), self._next(free, buffers)
            following = write.op("min", write.op("add", loop.index, ahead), write.op("sub", tiles, 1))
            with self.frame.phase(under_way=ahead - 1) as threads:
                sent = write.op("add", start, write.op("mul", following, self.depth))
                self._over(threads, loop.index, first, buffer, lambda: self._send(threads, sent, free, is_fast))
        self._finish(tiles, start)

    def _next(self, buffer: n.Atom, buffers: int) -> n.Atom:
        """The buffer that follows in a ring of so many."""
        following = self.write.op("add", buffer, 1)
        is_last = self.write.compare("eq", following, buffers)
        return self.write.let(n.Select(is_last, n.Const(0), following), PYINT, "buffer")

    def _in_turn(self, tiles: n.Atom, left: n.Atom) -> None:
        """Work on a tile while the threads hold the elements of the next one."""
        write, start = self.write, self.loop.start
        with self.frame.phase() as threads:
            self.begin(threads, is_fast=False)
            with write.when(write.compare("gt", tiles, 0)):
                self._fetch(threads, start)
                self._put(threads, n.Const(0))
        with write.loop(f"{self.loop.label}.tile", 0, tiles, carried=(n.Const(0),), stem="tile") as loop:
            # Carried, since compilers make places in the buffers of the lowest bit of a counter, not offsets.
            (buffer,) = loop.values
            free = self._next(buffer, 2)
            loop.next = (free,)
            self._step(loop.index, tiles, buffer, free)
        self._finish(tiles, start)
        with write.when(write.compare("gt", left, 0)):
            first = write.op("add", start, write.op("mul", tiles, self.depth))
            with self.frame.phase() as threads:
                self._send_rest(threads, first, late=False)
            with self.frame.phase() as threads:
                self._work(threads, first, n.Const(0), left)

    def _step(self, tile: n.Var, tiles: n.Atom, buffer: n.Atom, free: n.Atom) -> None:
        """Work on a tile while the next one is on its way."""
        write = self.write
        first = write.op("add", self.loop.start, write.op("mul", tile, self.depth))
        more = write.compare("lt", write.op("add", tile, 1), tiles)

        def bring() -> None:
            with write.when(more):
                self._fetch(threads, write.op("add", first, self.depth))

        with self.frame.phase() as threads:
            self._over(threads, tile, first, buffer, bring)
            with write.when(more):
                self._put(threads, free)

    # ------------------------------------------------------------------------------------------- loading

    def _places(self, tile: _Tile, threads: Threads, lanes: int) -> Iterator[tuple[int, _Place, _Place]]:
        """For each run that a thread loads: where it holds it, its place among the points, and among the iterations."""
        write, count = self.write, self.frame.threads
        across = tile.along is self.loop.index
        chunks = (self.depth if across else tile.bound.bind.step) // lanes
        first = self.frame.number(threads)
        for number in range(tile.rounds * tile.lanes // lanes):
            column, row = _grid_place(write, first, number, count, chunks)
            along = _Place(write.op("mul", column.base, lanes), column.more * lanes)
            yield (number * lanes, row, along) if across else (number * lanes, along, row)

    def _plus(self, origin: n.Atom | int, place: _Place) -> n.Atom:
        """A place counted from an origin."""
        return self.write.op("add", self.write.op("add", origin, place.base), place.more)

    def _fetch(self, threads: Threads, first: n.Atom) -> None:
        """Load what a thread brings of the whole tile whose first iteration is given."""
        for tile in self.tiles:
            for number, point, iteration in self._places(tile, threads, tile.lanes):
                for lane, value in enumerate(self._run_of(tile, point, self._plus(first, iteration))):
                    self.write.store(tile.held, (*self.frame.own(threads), number + lane), value)

    def _run_of(self, tile: _Tile, point: _Place, iteration: n.Atom) -> list[n.Atom]:
        """Neighbouring elements of a tile; of a run outside of the loop, those of the last one inside."""
        last = self.write.op("sub", tile.bound.high, tile.lanes if tile.along is tile.bound.loop.index else 1)
        counters: dict[str, n.Atom] = {
            **self.given,
            tile.bound.loop.index.name: self.write.op("min", self._plus(tile.bound.origin, point), last),
            self.loop.index.name: iteration,
        }
        begin = counters.pop(tile.along.name)
        values: list[dict[str, n.Atom]] = [dict(counters) for _ in range(tile.lanes)]
        write_run(self.write, tile.source, tile.along, begin, tile.accesses, values)
        return [known[tile.load.var.name] for known in values]

    def _element_of(
        self, tile: _Tile, first: n.Atom, point: _Place, iteration: _Place, is_last: bool = False
    ) -> n.Atom:
        """An element of a tile, or the nearest one inside the loops."""
        write, place, step = self.write, self._plus(tile.bound.origin, point), self._plus(first, iteration)
        counters = {
            **self.given,
            tile.bound.loop.index.name: self._nearest(tile.bound, place),
            self.loop.index.name: write.within(step, first, self.loop.stop) if is_last else step,
        }
        (value,) = write.copy(n.Block(tile.source.statements, (tile.load.var,)), counters)
        return value

    def _nearest(self, bound: Bound, place: n.Atom) -> n.Atom:
        """The nearest counter inside of a loop. Only blocks that begin at multiples of a run may begin before it."""
        if bound.is_aligned:
            return self.write.within(place, bound.low, bound.high)
        return self.write.op("min", place, self.write.op("sub", bound.high, 1))

    def _send(self, threads: Threads, first: n.Atom, buffer: n.Atom, is_fast: bool) -> None:
        """Let what a thread brings of a tile go to a buffer, where it may arrive later."""
        write = self.write
        for tile in self.tiles:
            for _, point, iteration in self._places(tile, threads, tile.lanes if is_fast else 1):
                if is_fast:
                    values = self._run_of(tile, point, self._plus(first, iteration))
                else:
                    values = [self._element_of(tile, first, point, iteration)]
                slot = tile.slot(buffer, self._plus(0, iteration), self._plus(0, point))
                write.store_run(tile.array, slot, values, late=True)

    def _send_in_loop(self, threads: Threads, first: n.Atom, buffer: n.Atom) -> None:
        """The same element by element, several in each iteration of a loop: what comes once is compiled sooner so, and
        a thread with many points works long afterwards."""
        write, count = self.write, self.frame.threads
        for tile in self.tiles:
            across = tile.along is self.loop.index
            columns, pieces = self.depth if across else tile.bound.bind.step, tile.rounds * tile.lanes
            together = gcd(pieces, TOGETHER)
            with write.loop(f"{self.loop.label}.first", 0, pieces // together, "rolled", stem="piece") as loop:
                begin = write.op("mul", loop.index, together)
                for number in range(together):
                    piece = write.op("add", begin, number)
                    column, row = _place_in_grid(write, self.frame.number(threads), piece, count, columns)
                    point, iteration = (row, column) if across else (column, row)
                    value = self._element_of(tile, first, point, iteration)
                    slot = tile.slot(buffer, iteration.base, point.base)
                    write.store_run(tile.array, slot, [value], late=True)

    def _put(self, threads: Threads, buffer: n.Atom) -> None:
        """Store what a thread has loaded into a buffer."""
        write = self.write
        for tile in self.tiles:
            for number, point, iteration in self._places(tile, threads, tile.lanes):
                own = self.frame.own(threads)
                values = [write.load(tile.held, *own, number + k) for k in range(tile.lanes)]
                step, place = self._plus(0, iteration), self._plus(0, point)
                if tile.along is not self.loop.index:
                    write.store_run(tile.array, (buffer, step, place), values)
                    continue
                for lane, value in enumerate(values):
                    write.store(tile.array, (buffer, write.op("add", step, lane), place), value)

    def _send_rest(self, threads: Threads, first: n.Atom, late: bool) -> None:
        """Let the elements of the last iterations go to the first buffer, in a loop: that is compiled sooner."""
        write, count = self.write, self.frame.threads
        for tile in self.tiles:
            across = tile.along is self.loop.index
            columns = self.depth if across else tile.bound.bind.step
            rounds = write.loop(f"{self.loop.label}.rest", 0, tile.rounds * tile.lanes, "rolled", stem="piece")
            with rounds as loop:
                column, row = _place_in_grid(write, self.frame.number(threads), loop.index, count, columns)
                point, iteration = (row, column) if across else (column, row)
                value = self._element_of(tile, first, point, iteration, is_last=True)
                write.store_run(tile.array, tile.slot(n.Const(0), iteration.base, point.base), [value], late=late)

    # -------------------------------------------------------------------------------------------- working

    def _work(self, threads: Threads, first: n.Atom, buffer: n.Atom, count: n.Atom) -> None:
        """Add what the iterations of a tile contribute to the sums of a thread's points."""
        write = self.write
        mapping: n.Mapping = "unroll" if isinstance(count, n.Const) else "rolled"
        spots = self.spots(threads)
        product = self._product(threads, spots, buffer) if self.matrix and isinstance(count, n.Const) else None
        with write.loop(f"{self.loop.label}.in", 0, count, mapping, stem="within", product=product) as loop:
            parts = self._parts()
            self._load(threads, spots, buffer, loop.index, parts)
            self._multiply(threads, parts, write.op("add", first, loop.index))

    def _over(self, threads: Threads, tile: n.Var, first: n.Atom, buffer: n.Atom, bring: Callable[[], None]) -> None:
        """Work on a tile while what is brought is on its way, and on an iteration while what the next one needs is.

        So the last iteration of a tile is left to the next one, which then need not wait for its first elements. Two
        iterations are the body of a loop: more take the compiler longer, and run no faster.
        """
        if not self.parts:
            bring()
            self._work(threads, first, buffer, n.Const(self.depth))
            return
        write, spots, (even, odd) = self.write, self.spots(threads), self.parts
        self._load(threads, spots, buffer, n.Const(0), even)
        with write.when(write.compare("gt", tile, 0)):
            self._multiply(threads, odd, write.op("sub", first, 1), turns=True)
        bring()
        with write.loop(f"{self.loop.label}.pair", 0, self.depth // 2 - 1, "rolled", stem="pair") as pair:
            begin = write.op("mul", pair.index, 2)
            for number, now, then in ((0, even, odd), (1, odd, even)):
                self._load(threads, spots, buffer, write.op("add", begin, number + 1), then)
                self._multiply(threads, now, write.op("add", write.op("add", first, begin), number), turns=True)
        self._load(threads, spots, buffer, n.Const(self.depth - 1), odd)
        self._multiply(threads, even, write.op("add", first, self.depth - 2), turns=True)

    def _finish(self, tiles: n.Atom, start: n.Atom) -> None:
        """Work on the last iteration of the last tile."""
        write = self.write
        if self.parts:
            last = write.op("sub", write.op("add", start, write.op("mul", tiles, self.depth)), 1)
            with write.when(write.compare("gt", tiles, 0)), self.frame.phase() as threads:
                self._multiply(threads, self.parts[-1], last, turns=True)

    def _parts(self) -> Parts:
        """Registers for what a thread's points need of one iteration, by the name of what is loaded."""
        return {
            tile.load.var.name: self.frame.registers(
                (tile.bound.bind.points,), scalar(tile.load.var.type), f"{tile.array.stem}_part"
            )
            for tile in self.tiles
        }

    def _multiply(self, threads: Threads, parts: Parts, iteration: n.Atom, turns: bool = False) -> None:
        """Add what an iteration contributes to the sums of a thread's points; where it `turns`, back and forth: a point
        has a factor in common with the one before it, which the device then need not read again."""
        write, own = self.write, self.frame.own(threads)
        values: dict[str, n.Atom] = {**self.given, self.loop.index.name: iteration}
        kept = (s for s in self.loop.body.statements if not self._is_held(s))
        added = slice_of(n.Block((*self.before.statements, *kept)), self.wanted)
        with every_point(self.frame, self.frame.bounds) as counted:
            points = self._back_and_forth(counted) if turns else counted
            at = dict(zip((bound.loop.label for bound in self.frame.bounds), points, strict=True))
            for tile in self.tiles:
                name = tile.load.var.name
                values[name] = write.load(parts[name], *own, at[tile.bound.loop.label])
            for arg, array in zip(self.loop.args, self.sums, strict=True):
                values[arg.var.name] = write.load(array, *own, *points)
            made = write.copy(replace(added, yields=self.loop.body.yields), values)
            for array, value in zip(self.sums, made, strict=True):
                write.store(array, (*own, *points), value)

    def _back_and_forth(self, points: Sequence[n.Atom]) -> list[n.Atom]:
        """The numbers of a point, the last of which goes down where the one before is odd."""
        write, (*others, last) = self.write, points
        if not others or n.Const(0) in (others[-1], last):
            return list(points)
        is_odd = write.compare("eq", write.op("mod", others[-1], 2), 1)
        back = write.op("sub", self.points[-1] - 1, last)
        return [*others, write.let(n.Select(is_odd, back, last), PYINT, "point")]

    def _product(self, threads: Threads, spots: Mapping[str, n.Atom], buffer: n.Atom) -> n.TileProduct:
        """The work on a tile as matrix instructions do it: they take elements of other points than a thread has."""
        write = self.write
        (left,) = (tile for tile in self.tiles if tile.by_point)
        (right,) = (tile for tile in self.tiles if not tile.by_point)
        lane, _ = self.in_warp(threads)
        column = write.op("add", write.op("mul", self.warp_begins(threads)["x"], 2), write.op("floordiv", lane, DOWN))
        row, inner = spots[left.bound.loop.label], write.op("mod", lane, DOWN)
        down, across = left.bound.bind.group, 2 * right.bound.bind.group
        return n.TileProduct(self.sums[0], left.array, right.array, buffer, row, column, inner, down, across)

    def _is_held(self, statement: n.Statement) -> bool:
        return isinstance(statement, n.Let) and statement.var.name in self.held

    def _load(
        self, threads: Threads, spots: Mapping[str, n.Atom], buffer: n.Atom, iteration: n.Atom, parts: Parts
    ) -> None:
        """Load what a thread's points need of one iteration of a tile."""
        write, own = self.write, self.frame.own(threads)
        for tile in self.tiles:
            bind, part = tile.bound.bind, parts[tile.load.var.name]
            lanes = 1 if tile.by_point else gcd(bind.run, lanes_of(scalar(tile.load.var.type)))
            for number in range(0, bind.points, lanes):
                offset = number // bind.run * bind.group * bind.run + number % bind.run
                place = write.op("add", write.op("mul", spots[tile.bound.loop.label], bind.run), offset)
                for lane, value in enumerate(write.load_run(tile.array, tile.slot(buffer, iteration, place), lanes)):
                    write.store(part, (*own, number + lane), value)


def _grid_place(write: Writing, first: n.Atom, number: int, count: int, columns: int) -> tuple[_Place, _Place]:
    """The column and row of ``first + number * count`` in rows of a length; `first` is below `count`. As far as it is
    known the sum is taken apart here: compilers do not know that it can be."""
    begin = number * count
    if count % columns == 0:
        return _Place(write.op("mod", first, columns)), _Place(write.op("floordiv", first, columns), begin // columns)
    if columns % count == 0:
        return _Place(first, begin % columns), _Place(n.Const(0), begin // columns)
    place = write.op("add", first, begin)
    return _Place(write.op("mod", place, columns)), _Place(write.op("floordiv", place, columns))


def _place_in_grid(write: Writing, first: n.Atom, number: n.Atom, count: int, columns: int) -> tuple[_Place, _Place]:
    """The same for a number that is not known."""
    if count % columns == 0:
        row = write.op("add", write.op("floordiv", first, columns), write.op("mul", number, count // columns))
        return _Place(write.op("mod", first, columns)), _Place(row)
    if columns % count == 0:
        column = write.op("add", first, write.op("mul", write.op("mod", number, columns // count), count))
        return _Place(column), _Place(write.op("floordiv", number, columns // count))
    place = write.op("add", first, write.op("mul", number, count))
    return _Place(write.op("mod", place, columns)), _Place(write.op("floordiv", place, columns))


def write_staged(frame: Frame, stage: Stage) -> None:
    """Write what a block does."""
    found = reduction_in(frame.flat, stage.loop)
    reads = common_reads(frame.kernel, found, frame.chain) if found is not None else None
    if found is not None and reads is not None:
        write_common(frame, stage, found, reads)
        return
    stager = _Stager(frame, stage)
    exists = [frame.write.compare("lt", bound.origin, bound.high) for bound in frame.bounds]
    with frame.write.when(frame.write.both(exists)):
        stager.stage()
