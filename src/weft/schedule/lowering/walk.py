"""Points of a thread along a loop, one after the other: what it reads again it keeps.

A thread has in registers what the iterations before read of the column in line with it, so each element of the column
is loaded once for all iterations that need it. What lies beside the column is in the first-level cache by then, since
neighbouring threads loaded it for theirs.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TypeAlias

from weft.ir import nodes as n
from weft.ir.scribe import TRUE
from weft.ir.types import View
from weft.ir.visit import atoms_of, defined_by
from weft.schedule.directives import Walk
from weft.schedule.frame import Frame, Threads, in_order
from weft.schedule.lowering.columns import Column, columns_along
from weft.schedule.lowering.lanes import Accesses, Ends, Runner, can_be_cut, side_by_side
from weft.schedule.lowering.points import aligned, guard, in_whole_rows, is_in_rows, vector_loop
from weft.schedule.nests import slice_of
from weft.schedule.writing import scalar

Run: TypeAlias = "tuple[n.Atom, ...]"
"""Neighbouring elements that a thread has."""

MOST_WORDS = 4
"""Words of 4 bytes that a thread keeps of columns for all points that it computes together, where they are no vector:
with more there are too few threads."""


def write_walk(frame: Frame, walk: Walk) -> None:
    """Write what a block does."""
    _Walker(frame, walk).write_all()


class _Walker:
    def __init__(self, frame: Frame, walk: Walk) -> None:
        self.frame, self.write, self.ahead = frame, frame.write, walk.ahead
        self.flat = in_order(frame.flat)
        self.along = frame.by_loop[walk.loop]
        self.x = next(bound for bound in frame.bounds if bound.bind.axis == "x")
        self.others = [bound for bound in frame.bounds if bound not in (self.along, self.x)]
        self.indices = _indices(self.flat)
        written = frozenset(map(id, self.indices.statements))
        rest = [s for s in self.flat.statements if id(s) not in written]
        self.computing = n.Block(tuple(s for s in rest if not isinstance(s, n.Store)))
        self.storing = n.Block(tuple(s for s in rest if isinstance(s, n.Store)))
        found = columns_along(frame.kernel, self.along.loop, self.x.loop)
        self.columns = tuple(_in(self.flat, column) for column in found[:MOST_COLUMNS])

    def write_all(self) -> None:
        """Both ways to access arrays, and what decides between them."""
        write, frame, run = self.write, self.frame, vector_loop(self.frame)
        found = self._accesses(run.bind.run) if run else Accesses()
        if run is None or not can_be_cut(self.flat, found):
            with frame.phase() as threads:
                self._in_elements(threads)
            return
        conditions = [*aligned(write, found), *in_whole_rows(write, found)]
        with write.when(write.both(conditions)), frame.phase() as threads:
            self._in_vectors(threads, found)
        with write.otherwise(), frame.phase() as threads:
            self._in_elements(threads)

    def _accesses(self, lanes: int) -> Accesses:
        overlaps = frozenset(self.frame.kernel.overlaps)
        return side_by_side(self.flat, self.x.loop.index, lanes, overlaps, in_whole_rows=True)

    def _in_vectors(self, threads: Threads, accesses: Accesses) -> None:
        """A thread with a run of neighbours; only those in the loop store."""
        write, known = self.write, self._across(threads)
        first = self.frame.first(self.x, threads[self.x.loop.label])
        begins = write.compare("lt", first, self.x.high)
        goes_on = write.compare("gt", write.op("add", first, accesses.lanes), self.x.low)
        with write.when(write.both([begins, goes_on, *self._tests(known)])):
            with write.when(write.both(is_in_rows(write, first, accesses, known))):
                self._walk(threads, [_Turn(self, accesses, first, known, (self.x.low, self.x.high))])
            with write.otherwise():
                guard(self.frame, self.flat, threads, (self.along, self.x), known, in_runs=True)

    def _in_elements(self, threads: Threads) -> None:
        """Neighbouring threads with neighbours, several points of a thread at a time."""
        write, known, x = self.write, self._across(threads), self.x
        together = _divisor(x.bind.points, MOST_WORDS // self._words())
        with (
            write.when(write.both(self._tests(known))),
            write.loop(f"{x.loop.label}.point", 0, x.bind.points // together, stem="point") as loop,
        ):
            numbers = [write.op("add", write.op("mul", loop.index, together), k) for k in range(together)]
            places = [self.frame.spread(x, threads[x.loop.label], number) for number in numbers]
            with write.when(write.both([write.compare("lt", begin, x.high) for begin in (places[0], x.low)])):
                turns = [self._turn(place, known) for place in places]
                self._walk(threads, turns)

    def _words(self) -> int:
        """Words that a point keeps."""
        sizes = ((c.span - 1) * scalar(c.loads[c.low].var.type).size for c in self.columns)
        return max(sum(sizes) // 4, 1)

    def _turn(self, place: n.Atom, known: dict[str, n.Atom]) -> _Turn:
        """One of the points of a thread; in place of one that is not in the loop another, which is not stored."""
        write, x = self.write, self.x
        near = write.op("max", x.low, write.op("min", place, write.op("sub", x.high, 1)))
        return _Turn(self, self._accesses(1), near, known, None, self.frame.inside(x, place))

    def _across(self, threads: Threads) -> dict[str, n.Atom]:
        """The counters of the other loops, of which a thread runs one iteration each."""
        return {b.loop.index.name: self.frame.first(b, threads[b.loop.label]) for b in self.others}

    def _tests(self, known: Mapping[str, n.Atom]) -> list[n.Atom]:
        return [self.frame.inside(bound, known[bound.loop.index.name]) for bound in self.others]

    # ------------------------------------------------------------------------------------------- walking

    def _walk(self, threads: Threads, turns: Sequence[_Turn]) -> None:
        """All iterations; what is kept is carried.

        Several of them written out would need no moves between registers, but compilers then keep an address for every
        access of each.
        """
        write, along, high = self.write, self.along, self.columns[0].high
        first = self.frame.first(along, threads[along.loop.label])
        count = write.op("min", along.bind.points, write.op("sub", along.high, first), "count")
        kept = [value for turn in turns for value in turn.begin(first)]
        begin, label = write.op("add", first, high), f"{along.loop.label}.walk"
        with write.loop(label, 0, count, carried=kept, stem="step", ahead=self.ahead) as loop:
            loop.next = tuple(self._step(turns, write.op("add", begin, loop.index), loop.values))

    def _step(self, turns: Sequence[_Turn], place: n.Atom, values: Sequence[n.Atom]) -> list[n.Atom]:
        """An iteration for all points of a thread, by the place that comes into the longest column: all compute before
        any stores."""
        size, runners, kept = len(values) // len(turns), [], []
        for number, turn in enumerate(turns):
            runner, after = turn.compute(place, values[number * size : (number + 1) * size])
            runners.append(runner)
            kept += after
        for turn, runner in zip(turns, runners, strict=True):
            with self.write.when(turn.stores):
                runner.run(self.storing)
        return kept


MOST_COLUMNS = 4
"""Columns that a thread keeps; it loads the others for every iteration."""


class _Turn:
    """What a thread does for an iteration and a place along x; `stores` says whether that is in the loop."""

    def __init__(
        self, walker: _Walker, accesses: Accesses, place: n.Atom, known: dict[str, n.Atom], ends: Ends | None,
        stores: n.Atom = TRUE,
    ) -> None:  # fmt: skip
        self.walker, self.accesses, self.place, self.known, self.ends = walker, accesses, place, known, ends
        self.write, self.stores = walker.write, stores

    def _runner(self, counter: n.Atom) -> Runner:
        """What writes the iteration, its indices written."""
        index = self.walker.x.loop.index
        values: list[dict[str, n.Atom]] = []
        for lane in range(self.accesses.lanes):
            place = self.write.sum(self.place, lane, stem=index.stem)
            values.append({**self.known, index.name: place, self.walker.along.loop.index.name: counter})
        made = Runner(self.write, self.place, self.accesses, values, self.ends)
        made.run(self.walker.indices)
        return made

    def begin(self, first: n.Atom) -> list[n.Atom]:
        """What a thread has before the first iteration: of each column all but the last element."""
        runner = self._runner(first)
        columns = ((column, range(column.low, column.high)) for column in self.walker.columns)
        runs = (
            self._fetch(runner, column, self.write.op("add", first, distance))
            for column, around in columns
            for distance in around
        )
        return [value for run in runs for value in run]

    def compute(self, place: n.Atom, values: Sequence[n.Atom]) -> tuple[Runner, list[n.Atom]]:
        """What an iteration computes; what is kept after it."""
        high = self.walker.columns[0].high
        runner, lanes, position = self._runner(self.write.op("sub", place, high)), self.accesses.lanes, 0
        kept: list[n.Atom] = []
        for column in self.walker.columns:
            length = (column.span - 1) * lanes
            queue = [
                *values[position : position + length],
                *self._fetch(runner, column, self.write.op("sub", place, high - column.high)),
            ]
            position += length
            for distance, let in column.loads.items():
                begin = (distance - column.low) * lanes
                assert isinstance(let.value, n.Load)
                runner.give(let.value, tuple(queue[begin : begin + lanes]))
            kept += queue[lanes:]
        runner.run(self.walker.computing)
        return runner, kept

    def _fetch(self, runner: Runner, column: Column, place: n.Atom) -> Run:
        """A thread's elements at a place along the loop."""
        write, let = self.write, column.loads[column.high]
        assert isinstance(let.value, n.Load) and isinstance(let.value.view.type, View)
        outer = list(runner.outer(let.value))
        outer[column.axis] = place
        return write.load_run(let.value.view, (*outer, self.place), self.accesses.lanes)


def _divisor(count: int, most: int) -> int:
    """The greatest divisor of a number that is not above another one, at least 1."""
    return max(k for k in range(1, max(most, 1) + 1) if count % k == 0)


def _indices(flat: n.Block) -> n.Block:
    """The definitions that indices of loads need, as far as these depend on no load."""
    loads = [s for s in flat.statements if isinstance(s, n.Let) and isinstance(s.value, n.Load)]
    wanted = frozenset(a.name for let in loads for a in atoms_of(let) if isinstance(a, n.Var))
    loaded = {let.var.name for let in loads}
    found: list[n.Statement] = []
    for let in slice_of(flat, wanted).statements:
        names = {a.name for a in atoms_of(let) if isinstance(a, n.Var)}
        if let in loads or names & loaded:
            loaded |= {v.name for v in defined_by(let)}
        else:
            found.append(let)
    return n.Block(tuple(found))


def _in(flat: n.Block, column: Column) -> Column:
    """A column with the loads as they stand in a copy of the body."""
    by_name = {s.var.name: s for s in flat.statements if isinstance(s, n.Let)}
    return Column(column.axis, {distance: by_name[let.var.name] for distance, let in column.loads.items()})
