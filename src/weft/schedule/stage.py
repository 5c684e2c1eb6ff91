"""A reduction inside each thread whose reads are shared by the points of a block: a matrix product, a convolution.

The loop is cut in tiles. For each, the threads of the block together load what their points read, once, into one of two
buffers in shared memory while they work on the other; each thread keeps the sums of its points in registers. Every
point adds in the order of the source. Blocks that leave the loops, and arrays that are not aligned, load element by
element from the nearest iteration that exists, and write only what is theirs.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass

from weft.ir import nodes as n
from weft.ir.visit import atoms_of
from weft.passes.fuse import fused
from weft.schedule.directives import Stage
from weft.schedule.frame import Bound, Frame, Threads, in_order
from weft.schedule.lanes import WIDEST, Accesses, side_by_side, write_run
from weft.schedule.nests import names_in, reads, reduction_in, slice_of
from weft.schedule.points import aligned, vector_loop
from weft.schedule.writing import TRUE, scalar

PADDING = 16
"""Bytes between rows of a tile that is stored across, against conflicts between banks."""


@dataclass
class _Tile:
    """What a block reads through one load: an array for `depth` iterations and the points of one loop, twice."""

    load: n.Let
    bound: Bound
    source: n.Block
    along: n.Var
    accesses: Accesses
    array: n.Var
    held: n.Var
    lanes: int
    rounds: int


class _Stager:
    def __init__(self, frame: Frame, stage: Stage) -> None:
        found = reduction_in(frame.flat, stage.loop)
        assert found is not None
        self.frame, self.write, self.depth = frame, frame.write, stage.depth
        self.before = in_order(found.before)
        self.after = in_order(found.after)
        self.loop = fused(found.loop)
        self.points = [bound.bind.points for bound in frame.bounds]
        self.sums = [frame.registers(self.points, scalar(a.var.type), a.var.stem) for a in self.loop.args]
        self.tiles = [self._tile(load, labels) for load, labels in reads(found, frame.chain) if len(labels) > 1]
        self.held = {tile.load.var.name for tile in self.tiles}
        self.run = vector_loop(frame)
        self.writing = n.Block((*self._needed_after().statements, *self.after.statements))
        self.written = self._written()

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
        along, accesses = self._direction(source, bound, WIDEST // element.size)
        rounds = self.depth * bound.bind.step // (accesses.lanes * frame.threads)
        padding = 0 if along is bound.loop.index else PADDING // element.size
        shape = (2, self.depth, bound.bind.step + padding)
        stem = load.value.view.stem
        array = self.write.alloc(shape, element, "shared", f"{stem}_tile")
        held = frame.registers((rounds * accesses.lanes,), element, f"{stem}_held")
        return _Tile(load, bound, source, along, accesses, array, held, accesses.lanes, rounds)

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

    def _needed_after(self) -> n.Block:
        """The definitions before the reduction that what follows it uses."""
        return slice_of(self.before, names_in(self.after))

    def _written(self) -> Accesses:
        if self.run is None:
            return Accesses()
        overlaps, results = frozenset(self.frame.kernel.overlaps), frozenset(r.name for r in self.loop.results)
        return side_by_side(self.writing, self.run.loop.index, self.run.bind.run, overlaps, results)

    def fast(self) -> n.Atom:
        """Whether a block has all its points, and its runs are aligned."""
        conditions = [self.frame.whole()]
        for accesses in (self.written, *(tile.accesses for tile in self.tiles)):
            conditions += aligned(self.write, accesses)
        for tile in self.tiles:
            if tile.lanes > 1 and not (tile.bound.is_aligned and tile.along is tile.bound.loop.index):
                first = self.loop.start if tile.along is self.loop.index else tile.bound.low
                conditions.append(self.write.compare("eq", self.write.op("mod", first, tile.lanes), 0))
        return self.write.both([c for c in conditions if c != TRUE])

    # -------------------------------------------------------------------------------------------- phases

    def stage(self) -> None:
        """Write what a block does: one that has all its points apart from others, so that neither slows the other."""
        write = self.write
        trip = write.op("max", write.op("sub", self.loop.stop, self.loop.start), 0, "trip")
        tiles = write.op("floordiv", trip, self.depth, "tiles")
        left = write.op("sub", trip, write.op("mul", tiles, self.depth), "left")
        with write.when(self.fast()):
            self._reduce(tiles, left, is_fast=True)
        with write.otherwise():
            self._reduce(tiles, left, is_fast=False)

    def _reduce(self, tiles: n.Atom, left: n.Atom, is_fast: bool) -> None:
        """All tiles, one after the other, then the iterations that remain."""
        write, start = self.write, self.loop.start
        with self.frame.phase() as threads:
            self._begin(threads, is_fast)
            with write.when(write.compare("gt", tiles, 0)):
                self._fetch(threads, start, is_fast)
                self._put(threads, n.Const(0), is_fast)
        with write.loop(f"{self.loop.label}.tile", 0, tiles, stem="tile") as loop:
            self._step(loop.index, tiles, is_fast)
        with write.when(write.compare("gt", left, 0)):
            first = write.op("add", start, write.op("mul", tiles, self.depth))
            with self.frame.phase() as threads:
                self._fetch_each(threads, first, is_last=True)
                self._put(threads, n.Const(0), in_runs=False)
            with self.frame.phase() as threads:
                self._work(threads, first, n.Const(0), left)
        with self.frame.phase() as threads:
            self._end(threads, is_fast)

    def _step(self, tile: n.Var, tiles: n.Atom, is_fast: bool) -> None:
        """Work on a tile while the next one is on its way."""
        write = self.write
        following = write.op("add", tile, 1)
        buffer = write.op("and", tile, 1, "buffer")
        first = write.op("add", self.loop.start, write.op("mul", tile, self.depth))
        more = write.compare("lt", following, tiles)
        with self.frame.phase() as threads:
            with write.when(more):
                self._fetch(threads, write.op("add", first, self.depth), is_fast)
            self._work(threads, first, buffer, n.Const(self.depth))
            with write.when(more):
                self._put(threads, write.op("sub", 1, buffer), is_fast)

    # ------------------------------------------------------------------------------------------- loading

    def _places(self, tile: _Tile, threads: Threads, lanes: int) -> Iterator[tuple[int, n.Atom, n.Atom]]:
        """For each run that a thread loads: where it holds it, its place among the points, and among the iterations."""
        write = self.write
        across = tile.along is self.loop.index
        chunks = (self.depth if across else tile.bound.bind.step) // lanes
        for number in range(tile.rounds * tile.lanes // lanes):
            chunk = write.op("add", self.frame.number(threads), number * self.frame.threads)
            along = write.op("mul", write.op("mod", chunk, chunks), lanes)
            other = write.op("floordiv", chunk, chunks)
            yield (number * lanes, other, along) if across else (number * lanes, along, other)

    def _fetch(self, threads: Threads, first: n.Atom, is_fast: bool) -> None:
        """Load what a thread brings of the whole tile whose first iteration is given."""
        if not is_fast:
            self._fetch_each(threads, first, is_last=False)
            return
        for tile in self.tiles:
            for number, point, iteration in self._places(tile, threads, tile.lanes):
                self._fetch_run(tile, threads, number, point, self.write.op("add", first, iteration))

    def _fetch_run(self, tile: _Tile, threads: Threads, number: int, point: n.Atom, iteration: n.Atom) -> None:
        counters = {
            tile.bound.loop.index.name: self.write.op("add", tile.bound.origin, point),
            self.loop.index.name: iteration,
        }
        begin = counters.pop(tile.along.name)
        values: list[dict[str, n.Atom]] = [dict(counters) for _ in range(tile.lanes)]
        write_run(self.write, tile.source, tile.along, begin, tile.accesses, values)
        for lane, known in enumerate(values):
            self._hold(tile, threads, number + lane, known[tile.load.var.name])

    def _fetch_each(self, threads: Threads, first: n.Atom, is_last: bool) -> None:
        """The same element by element, wherever the block lies: what is outside is taken from the nearest inside."""
        write = self.write
        for tile in self.tiles:
            for number, point, iteration in self._places(tile, threads, 1):
                place = write.op("add", tile.bound.origin, point)
                step = write.op("add", first, iteration)
                counters = {
                    tile.bound.loop.index.name: write.within(place, tile.bound.low, tile.bound.high),
                    self.loop.index.name: write.within(step, first, self.loop.stop) if is_last else step,
                }
                (value,) = write.copy(n.Block(tile.source.statements, (tile.load.var,)), counters)
                self._hold(tile, threads, number, value)

    def _hold(self, tile: _Tile, threads: Threads, position: int, value: n.Atom) -> None:
        self.write.store(tile.held, (*self.frame.own(threads), position), value)

    def _put(self, threads: Threads, buffer: n.Atom, in_runs: bool) -> None:
        """Store what a thread has loaded into a buffer."""
        write = self.write
        for tile in self.tiles:
            lanes = tile.lanes if in_runs else 1
            for number, point, iteration in self._places(tile, threads, lanes):
                own = self.frame.own(threads)
                values = [write.load(tile.held, *own, number + k) for k in range(lanes)]
                if tile.along is not self.loop.index:
                    write.store_run(tile.array, (buffer, iteration, point), values)
                    continue
                for lane, value in enumerate(values):
                    write.store(tile.array, (buffer, write.op("add", iteration, lane), point), value)

    # -------------------------------------------------------------------------------------------- working

    def _begin(self, threads: Threads, is_fast: bool) -> None:
        """What comes before the reduction, and its initial values."""
        inits = tuple(arg.init for arg in self.loop.args)
        point = _every_counter(self.frame, threads)
        with point as (points, counters, inside), self.write.when(TRUE if is_fast else inside):
            made = self.write.copy(n.Block(self.before.statements, inits), counters)
            for array, value in zip(self.sums, made, strict=True):
                self.write.store(array, (*self.frame.own(threads), *points), value)

    def _work(self, threads: Threads, first: n.Atom, buffer: n.Atom, count: n.Atom) -> None:
        """Add what the iterations of a tile contribute to the sums of a thread's points."""
        write, own = self.write, self.frame.own(threads)
        mapping: n.Mapping = "unroll" if isinstance(count, n.Const) else "sequential"
        with write.loop(f"{self.loop.label}.in", 0, count, mapping, stem="within") as loop:
            parts = {tile.load.var.name: self._part(tile, threads, buffer, loop.index) for tile in self.tiles}
            values: dict[str, n.Atom] = {self.loop.index.name: write.op("add", first, loop.index)}
            with _every_point(self.frame, self.frame.bounds) as points:
                at = dict(zip((bound.loop.label for bound in self.frame.bounds), points, strict=True))
                for tile in self.tiles:
                    name = tile.load.var.name
                    values[name] = write.load(parts[name], *own, at[tile.bound.loop.label])
                for arg, array in zip(self.loop.args, self.sums, strict=True):
                    values[arg.var.name] = write.load(array, *own, *points)
                kept = tuple(s for s in self.loop.body.statements if not self._is_held(s))
                made = write.copy(n.Block(kept, self.loop.body.yields), values)
                for array, value in zip(self.sums, made, strict=True):
                    write.store(array, (*own, *points), value)

    def _is_held(self, statement: n.Statement) -> bool:
        return isinstance(statement, n.Let) and statement.var.name in self.held

    def _part(self, tile: _Tile, threads: Threads, buffer: n.Atom, iteration: n.Atom) -> n.Var:
        """What a thread's points need of one iteration of a tile, in registers."""
        write, bind = self.write, tile.bound.bind
        own = self.frame.own(threads)
        part = self.frame.registers((bind.points,), scalar(tile.load.var.type), f"{tile.array.stem}_part")
        size = scalar(tile.load.var.type).size
        lanes = min(bind.run, WIDEST // size)
        for number in range(0, bind.points, lanes):
            offset = number // bind.run * bind.group * bind.run + number % bind.run
            place = write.op("add", write.op("mul", threads[tile.bound.loop.label], bind.run), offset)
            for lane, value in enumerate(write.load_run(tile.array, (buffer, iteration, place), lanes)):
                write.store(part, (*own, number + lane), value)
        return part

    def _end(self, threads: Threads, is_fast: bool) -> None:
        """What follows the reduction, with its results."""
        if is_fast and self.run is not None:
            self._end_runs(threads, self.run)
            return
        point = _every_counter(self.frame, threads)
        with point as (points, counters, inside), self.write.when(TRUE if is_fast else inside):
            self.write.copy(self.writing, {**counters, **self._results(threads, points)})

    def _end_runs(self, threads: Threads, run: Bound) -> None:
        write, frame = self.write, self.frame
        others = [bound for bound in frame.bounds if bound is not run]
        with _every_point(frame, others) as chosen:
            at = dict(zip((bound.loop.label for bound in others), chosen, strict=True))
            counters = {
                b.loop.index.name: frame.point(b, frame.first(b, threads[b.loop.label]), at[b.loop.label])
                for b in others
            }
            for number in range(0, run.bind.points, run.bind.run):
                first = frame.point(run, frame.first(run, threads[run.loop.label]), number)
                values: list[dict[str, n.Atom]] = []
                for lane in range(run.bind.run):
                    places = [at.get(b.loop.label, n.Const(number + lane)) for b in frame.bounds]
                    values.append({**counters, **self._results(threads, places)})
                write_run(write, self.writing, run.loop.index, first, self.written, values)

    def _results(self, threads: Threads, points: Sequence[n.Atom]) -> dict[str, n.Atom]:
        own = self.frame.own(threads)
        pairs = zip(self.loop.results, self.sums, strict=True)
        return {result.name: self.write.load(array, *own, *points) for result, array in pairs}


@contextmanager
def _every_point(frame: Frame, bounds: Sequence[Bound]) -> Iterator[list[n.Atom]]:
    """Loops over the points that a thread has along some loops, written out; gives their numbers."""
    with ExitStack() as stack:
        points: list[n.Atom] = []
        for bound in bounds:
            if bound.bind.points == 1:
                points.append(n.Const(0))
                continue
            loop = frame.write.loop(f"{bound.loop.label}.point", 0, bound.bind.points, "unroll", stem="point")
            points.append(stack.enter_context(loop).index)
        yield points


@contextmanager
def _every_counter(frame: Frame, threads: Threads) -> Iterator[tuple[list[n.Atom], dict[str, n.Atom], n.Atom]]:
    """The same over all loops, with the counters of each point and whether it is in the loops."""
    with _every_point(frame, frame.bounds) as points:
        counters: dict[str, n.Atom] = {}
        inside = []
        for bound, point in zip(frame.bounds, points, strict=True):
            counter = frame.point(bound, frame.first(bound, threads[bound.loop.label]), point)
            counters[bound.loop.index.name] = counter
            inside.append(frame.inside(bound, counter))
        yield points, counters, frame.write.both(inside)


def write_staged(frame: Frame, stage: Stage) -> None:
    """Write what a block does."""
    stager = _Stager(frame, stage)
    exists = [frame.write.compare("lt", bound.origin, bound.high) for bound in frame.bounds]
    with frame.write.when(frame.write.both(exists)):
        stager.stage()
