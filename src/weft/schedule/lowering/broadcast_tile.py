"""A reduction whose reads are the same for all points: every pair of bodies, every point and all centres.

The threads of a block together load what some iterations read, once, into shared memory: one row of numbers for each
iteration, of which a thread loads several at a time. What only the point chooses is loaded before the reduction. Each
point adds in the order of the source; where the reduction is shared, several threads each add parts of every tile for a
point, and what they have is folded in the order of the threads.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import cast

from weft.ir import nodes as n
from weft.ir.effects import may_raise
from weft.ir.neutral import identity
from weft.ir.scribe import TRUE
from weft.ir.types import PYINT, Scalar
from weft.ir.visit import atoms_of, defined_by, rewrite, walk
from weft.schedule.directives import Share, Stage
from weft.schedule.frame import Frame, Threads
from weft.schedule.lowering.lanes import lanes_of
from weft.schedule.lowering.sums import ACROSS, DOWN, Sums, every_point
from weft.schedule.nests import Reduction, is_repeatable, names_in, slice_of
from weft.schedule.writing import scalar
from weft.transform.vector.fma_reductions import fused

IN_A_ROW = 16
"""Iterations that are written out one after the other."""


@dataclass(frozen=True)
class CommonReads:
    """What the iterations of a reduction read.

    Attributes
    ----------
    common
        What the reduction's counter alone chooses; where only some points read it, it is among `guarded`, by name.
    own
        What the point alone decides: what is read there, and what was computed before.
    """

    common: tuple[n.Let, ...]
    own: tuple[n.Var, ...]
    guarded: frozenset[str]


def common_reads(kernel: n.Kernel, found: Reduction, loops: Sequence[n.For]) -> CommonReads | None:
    """The reads of a reduction that only computes values; None where the counters of point and iteration together
    choose an element, or nothing is read that the iteration alone chooses."""
    loop = found.loop
    if found.guard is not None or loop.exit is not None or not loop.args or not _only_values(loop.body):
        return None
    chosen = {around.index.name: frozenset((around.label,)) for around in (*loops, loop)}
    chosen.update((arg.var.name, _UNKNOWN) for arg in loop.args)
    certain = {v.name for s in loop.body.statements for v in defined_by(s)}
    inside = {v.name for s in walk(loop.body) for v in defined_by(s)} - certain
    wanted = names_in(loop.body)
    own = [v for s in found.before.statements for v in defined_by(s) if v.name in wanted]
    common = list[n.Let]()
    for statement in (*found.before.statements, *walk(loop.body)):
        names = {a.name for a in atoms_of(statement) if isinstance(a, n.Var)}
        labels = frozenset[str]().union(*(chosen.get(name, frozenset()) for name in names))
        chosen.update((v.name, labels if isinstance(statement, n.Let) else _UNKNOWN) for v in defined_by(statement))
        if not isinstance(statement, n.Let) or not isinstance(statement.value, n.Load):
            continue
        is_certain = statement.var.name in certain
        if is_certain or statement.var.name in inside:
            if not is_repeatable(statement, kernel) or labels & _UNKNOWN or labels > {loop.label}:
                return None
            if labels == {loop.label} and not names & inside:
                common.append(statement)
            elif is_certain:
                own.append(statement.var)
    guarded = frozenset(let.var.name for let in common) & inside
    are_numbers = all(isinstance(var.type, Scalar) for var in own)
    return CommonReads(tuple(common), tuple(own), guarded) if common and are_numbers else None


_UNKNOWN = frozenset(("",))
"""What chooses values that an iteration hands on."""


def _only_values(block: n.Block) -> bool:
    """Whether statements compute numbers, in branches too, and nothing else."""
    return all(
        isinstance(s, n.If)
        or (isinstance(s, n.Let) and isinstance(s.var.type, Scalar) and not may_raise(s.value, s.var.type))
        for s in walk(block)
    )


def row_bytes(reads: CommonReads) -> int:
    """Bytes of shared memory that an iteration takes."""
    return sum(_width(type, len(lets)) * type.size for type, lets in _rows(reads).items())


def _rows(reads: CommonReads) -> dict[Scalar, list[n.Let]]:
    """The common reads by type, each type's numbers side by side."""
    rows: dict[Scalar, list[n.Let]] = {}
    for let in reads.common:
        rows.setdefault(scalar(let.var.type), []).append(let)
    return rows


def _width(type: Scalar, count: int) -> int:
    """The numbers of a row, up to whole vectors."""
    lanes = lanes_of(type)
    return count if count < 3 or lanes == 1 else -(-count // lanes) * lanes


@dataclass(frozen=True)
class _Row:
    """What iterations read of one type: an array of the block with a row for each, `width` numbers long."""

    array: n.Var
    lets: Sequence[n.Let]
    width: int


class _Common(Sums):
    def __init__(self, frame: Frame, stage: Stage, found: Reduction, reads: CommonReads) -> None:
        super().__init__(frame, found, fused(found.loop), (ACROSS, DOWN))
        self.depth, self.reads = stage.depth, reads
        self.parts = next((d.group for d in frame.shares if isinstance(d, Share)), 1)
        self.partial = [self._partial(scalar(arg.var.type)) for arg in self.loop.args] if self.parts > 1 else []
        self.lets = n.Block((*self.before.statements, *self.loop.body.statements))
        self.rows = [
            _Row(self._array(type, lets), lets, _width(type, len(lets))) for type, lets in _rows(reads).items()
        ]
        self.own = [frame.registers(self.points, scalar(var.type), var.stem) for var in reads.own]
        held = {let.var.name for let in reads.common} | {var.name for var in reads.own}
        self.body = rewrite(self.loop.body, lambda s: () if isinstance(s, n.Let) and s.var.name in held else s)

    def _array(self, type: Scalar, lets: Sequence[n.Let]) -> n.Var:
        return self.write.alloc((self.depth, _width(type, len(lets))), type, "shared", "common")

    def _partial(self, type: Scalar) -> n.Var:
        """An array of the block for what its threads have for the points."""
        return self.write.alloc([d.group for d in self.frame.directives], type, "shared", "partial")

    def spots(self, threads: Threads) -> dict[str, n.Atom]:
        """The threads of a warp run the same iterations for neighbouring points."""
        return dict(threads)

    def reduce(self) -> None:
        """Write what a block does."""
        write, start = self.write, self.loop.start
        trip = write.trips(start, self.loop.stop, "trip")
        tiles = write.op("floordiv", write.op("add", trip, self.depth - 1), self.depth, "tiles")
        with self.frame.phase() as threads:
            with write.when(self._is_first(threads)):
                self.begin(threads, is_fast=False)
            if self.parts > 1:
                with write.otherwise():
                    self._begin_part(threads)
            with write.when(write.compare("gt", trip, 0)):
                self._load_own(threads)
        with write.loop(f"{self.loop.label}.tile", 0, tiles, stem="tile") as loop:
            done = write.op("mul", loop.index, self.depth)
            count = write.op("min", write.op("sub", trip, done), self.depth, "count")
            self._tile(write.op("add", start, done), count)
        if self.parts > 1:
            with self.frame.phase() as threads:
                for array, partial in zip(self.sums, self.partial, strict=True):
                    write.store(partial, self.frame.own(threads), self._sum(threads, array))
        with self.frame.phase() as threads, write.when(self._is_first(threads)):
            self._fold(threads)
            self.end(threads, is_fast=False)

    # ------------------------------------------------------------------------------- shared reductions

    def _is_first(self, threads: Threads) -> n.Atom:
        """Whether a thread is the first of those that have a point."""
        return self.write.compare("eq", threads[self.loop.label], 0) if self.parts > 1 else TRUE

    def _sum(self, threads: Threads, array: n.Var) -> n.Atom:
        """What a thread has of the only point that it has where a reduction is shared."""
        return self.write.load(array, *self.frame.own(threads), *(0 for _ in self.points))

    def _begin_part(self, threads: Threads) -> None:
        """The other threads of a point begin with what changes nothing."""
        for arg, array in zip(self.loop.args, self.sums, strict=True):
            place = (*self.frame.own(threads), *(0 for _ in self.points))
            self.write.store(array, place, identity(arg.combine or "", arg.var.type))

    def _fold(self, threads: Threads) -> None:
        """Fold what the threads of a point have."""
        write, own = self.write, self.frame.own(threads)
        label = [d.loop for d in self.frame.directives].index(self.loop.label) if self.parts > 1 else 0
        for number in range(1, self.parts):
            place = (*own[:label], n.Const(number), *own[label + 1 :])
            for arg, array, partial in zip(self.loop.args, self.sums, self.partial, strict=True):
                op = cast(n.BinaryOp, arg.combine)
                both = n.Binary(op, self._sum(threads, array), write.load(partial, *place), checked=False)
                write.store(array, (*own, *(0 for _ in self.points)), write.let(both, arg.var.type, arg.var.stem))

    # ------------------------------------------------------------------------------------------- tiles

    def _tile(self, first: n.Atom, count: n.Atom) -> None:
        """Load what some iterations read, then run them: several written out at a time, then those that are left."""
        write = self.write
        with self.frame.phase() as threads:
            self._fill(threads, first, count)
        with self.frame.phase() as threads:
            begin, own = self._own_part(threads, count)
            rows = write.op("floordiv", own, IN_A_ROW, "rows")
            with write.loop(f"{self.loop.label}.row", 0, rows, stem="row") as row:
                place = write.op("add", begin, write.op("mul", row.index, IN_A_ROW))
                self._run(threads, first, place, n.Const(IN_A_ROW))
            covered = write.op("mul", rows, IN_A_ROW)
            self._run(threads, first, write.op("add", begin, covered), write.op("sub", own, covered))

    def _own_part(self, threads: Threads, count: n.Atom) -> tuple[n.Atom, n.Atom]:
        """The first iteration of a tile that a thread runs, and how many."""
        if self.parts == 1:
            return n.Const(0), count
        write = self.write
        each = write.op("floordiv", write.op("add", count, self.parts - 1), self.parts, "each")
        begin = write.op("mul", threads[self.loop.label], each)
        return begin, write.op("max", write.op("min", each, write.op("sub", count, begin)), 0)

    # ------------------------------------------------------------------------------------------- loading

    def _load_own(self, threads: Threads) -> None:
        """Compute what a point needs in all iterations; threads without a point do it for the nearest one."""
        write, spots = self.write, self.spots(threads)
        names = frozenset(var.name for var in self.reads.own)
        source = n.Block(slice_of(self.lets, names).statements, self.reads.own)
        with every_point(self.frame, self.frame.bounds) as points:
            values = write.copy(source, self._counters(spots, points))
            for array, value in zip(self.own, values, strict=True):
                write.store(array, (*self.frame.own(threads), *points), value)

    def _counters(self, spots: Mapping[str, n.Atom], points: Sequence[n.Atom]) -> dict[str, n.Atom]:
        """The counters of a point, or of the nearest one that is in the loops."""
        places = (
            (bound, self.frame.point(bound, self.frame.first(bound, spots[bound.loop.label]), point))
            for bound, point in zip(self.frame.bounds, points, strict=True)
        )
        return {bound.loop.index.name: self.write.within(place, bound.low, bound.high) for bound, place in places}

    def _fill(self, threads: Threads, first: n.Atom, count: n.Atom) -> None:
        """Load what `count` iterations read, each by one thread."""
        write, group, thread = self.write, self.frame.threads, self.frame.number(threads)
        for number in range(-(-self.depth // group)):
            place = write.op("add", thread, number * group)
            with write.when(write.compare("lt", place, count)):
                self._fill_row(place, write.op("add", first, place))

    def _fill_row(self, place: n.Atom, iteration: n.Atom) -> None:
        """Load what one iteration reads; what not all points read, where it is there."""
        write, counters = self.write, {self.loop.index.name: iteration}
        for row in self.rows:
            for number, let in enumerate(row.lets):
                load = let.value
                assert isinstance(load, n.Load)
                needed = frozenset(a.name for a in load.indices if isinstance(a, n.Var))
                indices = write.copy(n.Block(slice_of(self.lets, needed).statements, load.indices), counters)
                is_there = list(self._is_there(load, indices)) if let.var.name in self.reads.guarded else []
                with write.when(write.both(is_there)):
                    value = write.let(replace(load, indices=indices), let.var.type, let.var.stem)
                    write.store(row.array, (place, number), value)

    def _is_there(self, load: n.Load, indices: Sequence[n.Atom]) -> Iterator[n.Atom]:
        """Conditions under which an array has an element."""
        for axis, index in enumerate(indices):
            yield self.write.compare("ge", index, 0)
            yield self.write.compare("lt", index, self.write.let(n.Dim(load.view, axis), PYINT, "extent"))

    # ------------------------------------------------------------------------------------------- working

    def _run(self, threads: Threads, first: n.Atom, begin: n.Atom, count: n.Atom) -> None:
        """Run iterations of a tile, each for all points of a thread."""
        write, own, spots = self.write, self.frame.own(threads), self.spots(threads)
        mapping: n.Mapping = "unroll" if isinstance(count, n.Const) else "sequential"
        with write.loop(f"{self.loop.label}.in", 0, count, mapping, stem="within") as loop:
            place = write.op("add", begin, loop.index)
            values: dict[str, n.Atom] = {self.loop.index.name: write.op("add", first, place)}
            for row in self.rows:
                values.update(zip((let.var.name for let in row.lets), self._numbers(row, place), strict=False))
            with every_point(self.frame, self.frame.bounds) as points:
                known = {**values, **self._counters(spots, points)}
                for var, array in zip(self.reads.own, self.own, strict=True):
                    known[var.name] = write.load(array, *own, *points)
                for arg, array in zip(self.loop.args, self.sums, strict=True):
                    known[arg.var.name] = write.load(array, *own, *points)
                made = write.copy(self.body, known)
                for array, value in zip(self.sums, made, strict=True):
                    write.store(array, (*own, *points), value)

    def _numbers(self, row: _Row, place: n.Atom) -> list[n.Atom]:
        """What an iteration reads of one type, in vectors."""
        lanes = min(lanes_of(scalar(row.lets[0].var.type)), row.width)
        return [a for k in range(0, row.width, lanes) for a in self.write.load_run(row.array, (place, k), lanes)]


def write_common(frame: Frame, stage: Stage, found: Reduction, reads: CommonReads) -> None:
    """Write what a block does."""
    made = _Common(frame, stage, found, reads)
    exists = [frame.write.compare("lt", bound.origin, bound.high) for bound in frame.bounds]
    with frame.write.when(frame.write.both(exists)):
        made.reduce()
