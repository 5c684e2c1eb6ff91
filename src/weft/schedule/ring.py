"""Points of a thread along a loop, one after the other, with what a block reads around them in shared memory.

Planes across the loop, as many as an iteration reads beside its own column and some more, are in a ring of buffers:
while threads work on one, those that later iterations need are on their way, past the registers. What a thread reads in
line with its points it takes over from the ring when it comes in, and keeps in registers.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from weft.ir import nodes as n
from weft.ir.types import PYINT
from weft.schedule.directives import Walk
from weft.schedule.frame import Bound, Frame, Threads, in_order
from weft.schedule.lanes import Accesses, Runner, can_be_cut, lanes_of, side_by_side
from weft.schedule.planes import Planes, planes_of
from weft.schedule.points import aligned, rows_of_vectors
from weft.schedule.writing import TRUE


def write_ring(frame: Frame, walk: Walk) -> None:
    """Write what a block does."""
    planes = planes_of(frame.kernel, walk.loop)
    assert planes is not None
    ring = _Ring(frame, walk, planes)
    ends = [(begin, bound.high) for bound in frame.bounds for begin in (bound.origin, bound.low)]
    exists = [frame.write.compare("lt", begin, high) for begin, high in ends]
    with frame.write.when(frame.write.both(exists)):
        ring.write_all()


class _Ring:
    def __init__(self, frame: Frame, walk: Walk, planes: Planes) -> None:
        self.frame, self.write, self.planes, self.ahead = frame, frame.write, planes, walk.ahead
        self.flat = in_order(frame.flat)
        self.along = frame.by_loop[walk.loop]
        self.x = next(bound for bound in frame.bounds if bound.bind.axis == "x")
        self.y = next((bound for bound in frame.bounds if bound not in (self.along, self.x)), None)
        rest = [s for s in self.flat.statements if not (isinstance(s, n.Let) and s.var.name in planes.loads)]
        self.rest = n.Block(tuple(rest))
        self.lanes = min(lanes_of(planes.element), self.x.bind.run)
        self.around = self._distances(is_inline=False)
        self.inline = self._distances(is_inline=True)
        self.low = min((place.along for place in self.around), default=0)
        self.high = planes.reach(walk.loop)[1]
        self.first_kept = min((place.along for place in self.inline), default=self.high)
        self.kept = self.high - self.first_kept
        self.slots = self.high - self.low + 1 + self.ahead
        low, high = planes.reach(self.x.loop.label)
        self.left = -(min(low, 0) // self.lanes) * self.lanes
        self.columns = -(-(self.left + self.x.bind.step + max(high, 0)) // self.lanes) * self.lanes
        self.above, below = planes.reach(self.y.loop.label) if self.y is not None else (0, 0)
        self.rows = (self.y.bind.step if self.y is not None else 1) + below - self.above
        shape = (self.slots, self.rows, self.columns)
        self.tile = self.write.alloc(shape, planes.element, "shared", f"{planes.view.stem}_planes")
        self.first = self.along.origin
        self.count = self.write.op(
            "min", self.along.bind.points, self.write.op("sub", self.along.high, self.first), "count"
        )

    def _distances(self, is_inline: bool) -> list[_Place]:
        """Where the loads are that lie in line with the iteration, or those that do not."""
        places = [self._place(distances) for distances in self.planes.loads.values()]
        return [place for place in places if place.is_inline == is_inline]

    def _place(self, distances: Sequence[int]) -> _Place:
        by_loop = dict(zip(self.planes.axes, distances, strict=True))
        down = by_loop[self.y.loop.label] if self.y is not None else 0
        return _Place(by_loop[self.along.loop.label], down, by_loop[self.x.loop.label])

    # --------------------------------------------------------------------------------------------- ways

    def write_all(self) -> None:
        """Both ways to access arrays, and what decides between them."""
        write, overlaps = self.write, frozenset(self.frame.kernel.overlaps)
        found = side_by_side(self.flat, self.x.loop.index, self.lanes, overlaps)
        if self.lanes == 1 or not can_be_cut(self.flat, found):
            self._walk(Accesses(lanes=1))
            return
        views = tuple({view.name: view for view in (*found.views, self.planes.view)}.values())
        found = replace(found, views=views)
        with write.when(write.both([*aligned(write, found), *rows_of_vectors(write, views, self.lanes)])):
            self._walk(found)
        with write.otherwise():
            self._walk(Accesses(lanes=1))

    def _walk(self, accesses: Accesses) -> None:
        """The planes that the first iteration needs, some more, and then all iterations."""
        frame, write = self.frame, self.write
        needed = self.high - self.low + 1
        kept = frame.registers((self._points, max(self.kept, 1), self.lanes), self.planes.element, "column")
        for number in range(self.ahead):
            with frame.phase(under_way=self.ahead - 1) as threads:
                for slot in range(needed) if number == 0 else (needed + number - 1,):
                    self._send(threads, accesses.lanes, write.op("add", self.first, self.low + slot), n.Const(slot))
                if number == 0:
                    self._begin(threads, accesses, kept)
        slots = [n.Const(slot) for slot in (*range(needed), self.slots - 1)]
        label = f"{self.along.loop.label}.walk"
        with write.loop(label, 0, self.count, carried=slots, stem="step") as loop:
            *used, free = loop.values
            loop.next = tuple(map(self._next, loop.values))
            counter = write.op("add", self.first, loop.index)
            with frame.phase(under_way=self.ahead - 1) as threads:
                self._send(threads, accesses.lanes, write.op("add", counter, self.high + self.ahead), free)
                self._step(threads, accesses, counter, used, kept)

    def _next(self, slot: n.Atom) -> n.Atom:
        """The slot that follows in the ring."""
        following = self.write.op("add", slot, 1)
        is_last = self.write.compare("eq", following, self.slots)
        return self.write.let(n.Select(is_last, n.Const(0), following), PYINT, "slot")

    # ------------------------------------------------------------------------------------------ loading

    def _send(self, threads: Threads, lanes: int, plane: n.Atom, slot: n.Atom) -> None:
        """Let what a thread brings of a plane go to shared memory; planes behind the last one are not needed."""
        write, frame = self.write, self.frame
        last = write.op("add", write.op("sub", self.along.high, 1), self.high)
        plane = write.op("min", plane, last)
        across = self.columns // lanes
        number = frame.number(threads)
        for begin in range(0, self.rows * across, frame.threads):
            place = write.op("add", number, begin)
            is_certain = begin + frame.threads <= self.rows * across
            with write.when(TRUE if is_certain else write.compare("lt", place, self.rows * across)):
                row = write.op("floordiv", place, across)
                column = write.op("mul", write.op("mod", place, across), lanes)
                values = write.load_run(self.planes.view, self._source(plane, row, column, lanes), lanes)
                write.store_run(self.tile, (slot, row, column), values, late=True)

    def _source(self, plane: n.Atom, row: n.Atom, column: n.Atom, lanes: int) -> tuple[n.Atom, ...]:
        """The indices of an element of the array for a place of the tile, or of one nearby that the nest reads, too;
        for vectors those of one that the array has."""
        write, x, y = self.write, self.x, self.y
        place = write.op("add", x.origin, write.op("sub", column, self.left))
        if lanes > 1:
            extent = write.let(n.Dim(self.planes.view, self.planes.axis(x.loop.label)), PYINT, "extent")
            across = write.within(place, n.Const(0), write.op("sub", extent, lanes - 1))
        else:
            across = write.within(place, *self._read(x))
        indices = {self.along.loop.label: plane, x.loop.label: across}
        if y is not None:
            down = write.op("add", y.origin, write.op("add", row, self.above))
            indices[y.loop.label] = write.within(down, *self._read(y))
        return tuple(indices[label] for label in self.planes.axes)

    def _read(self, bound: Bound) -> tuple[n.Atom, n.Atom]:
        """The first place along a loop that the nest reads, and the one after the last."""
        low, high = self.planes.reach(bound.loop.label)
        return self.write.op("add", bound.low, low), self.write.op("add", bound.high, high)

    # ------------------------------------------------------------------------------------------ points

    @property
    def _points(self) -> int:
        """Runs of a thread, or its points where arrays are accessed element by element."""
        return (self.y.bind.points if self.y is not None else 1) * self.x.bind.points // self.lanes

    def _each(self, threads: Threads, lanes: int) -> Iterator[_Point]:
        """The runs of a thread: the number of the first element that it keeps, and where they are."""
        write, x, y = self.write, self.x, self.y
        thread = threads[x.loop.label]
        for down in range(y.bind.points if y is not None else 1):
            row: n.Atom = n.Const(0)
            tests, known = [], {}
            if y is not None:
                row = write.op("add", write.op("mul", threads[y.loop.label], y.bind.points), down)
                known[y.loop.index.name] = write.op("add", y.origin, row)
                tests = [write.compare("lt", known[y.loop.index.name], y.high)]
            for across in range(x.bind.points // lanes):
                column = write.op("mul", thread, x.bind.run) if lanes > 1 else thread
                column = write.op("add", column, across * (lanes if lanes > 1 else x.bind.group))
                place = write.op("add", x.origin, column)
                number = down * x.bind.points + across * lanes
                yield _Point(number, row, column, place, known, tests)

    def _begin(self, threads: Threads, accesses: Accesses, kept: n.Var) -> None:
        """What lies in line with a thread's points before the first iteration, straight from the array."""
        write, own = self.write, self.frame.own(threads)
        for point in self._each(threads, accesses.lanes):
            for number in range(self.kept):
                plane = write.op("add", self.first, self.first_kept + number)
                column = write.op("add", point.column, self.left)
                row = write.op("sub", point.row, self.above)
                found = self._source(plane, row, column, accesses.lanes)
                for lane, value in enumerate(write.load_run(self.planes.view, found, accesses.lanes)):
                    write.store(kept, self._own(own, point, number, lane), value)

    def _own(self, own: Sequence[n.Atom], point: _Point, number: int, lane: int) -> tuple[n.Atom | int, ...]:
        """Where a thread keeps an element."""
        run, place = divmod(point.number + lane, self.lanes)
        return (*own, run, number, place)

    def _step(
        self, threads: Threads, accesses: Accesses, counter: n.Atom, slots: Sequence[n.Atom], kept: n.Var
    ) -> None:
        """An iteration: what all points read, then what each that is in the loops computes and stores."""
        write, lanes, found = self.write, accesses.lanes, _Loaded(self, slots)
        points = list(self._each(threads, lanes))
        queues = [self._column(threads, point, lanes, kept, found) for point in points]
        read = [self._values(point, lanes, queue, found) for point, queue in zip(points, queues, strict=True)]
        for point, values in zip(points, read, strict=True):
            with write.when(write.both([*point.tests, *self._inside(point, lanes)])):
                self._compute(point, accesses, counter, values)

    def _inside(self, point: _Point, lanes: int) -> list[n.Atom]:
        """Tests for whether some point of a run is in the loop."""
        write, x = self.write, self.x
        begins = write.compare("lt", point.place, x.high)
        if lanes == 1:
            return [self.frame.inside(x, point.place)]
        return [begins, write.compare("gt", write.op("add", point.place, lanes), x.low)]

    def _column(
        self, threads: Threads, point: _Point, lanes: int, kept: n.Var, found: _Loaded
    ) -> list[tuple[n.Atom, ...]]:
        """What a thread has in line with a point, with what just came in; the least distance is forgotten."""
        write, own = self.write, self.frame.own(threads)
        if not self.inline:
            return []
        queue: list[tuple[n.Atom, ...]] = [
            tuple(write.load(kept, *self._own(own, point, number, lane)) for lane in range(lanes))
            for number in range(self.kept)
        ]
        queue.append(found.run(_Place(self.high, 0, 0), point, lanes))
        for number, run in enumerate(queue[1:]):
            for lane, value in enumerate(run):
                write.store(kept, self._own(own, point, number, lane), value)
        return queue

    def _values(
        self, point: _Point, lanes: int, queue: Sequence[tuple[n.Atom, ...]], found: _Loaded
    ) -> list[dict[str, n.Atom]]:
        """For each lane what stands for the loads of the array."""
        values: list[dict[str, n.Atom]] = [{} for _ in range(lanes)]
        for name, distances in self.planes.loads.items():
            place = self._place(distances)
            for lane, known in enumerate(values):
                if place.is_inline:
                    known[name] = queue[place.along - self.first_kept][lane]
                else:
                    known[name] = found.element(place, point, lane, lanes)
        return values

    def _compute(
        self, point: _Point, accesses: Accesses, counter: n.Atom, values: Sequence[Mapping[str, n.Atom]]
    ) -> None:
        """An iteration for a run of points; only those in the loop store."""
        write, index = self.write, self.x.loop.index
        known = {**point.known, self.along.loop.index.name: counter}
        lanes = [
            {**known, index.name: write.sum(point.place, lane, stem=index.stem), **own}
            for lane, own in enumerate(values)
        ]
        ends = (self.x.low, self.x.high) if accesses.lanes > 1 else None
        Runner(write, point.place, accesses, lanes, ends).run(self.rest)


@dataclass(frozen=True)
class _Place:
    """How far a load is from the iteration: along the loop, along y and along x."""

    along: int
    down: int
    across: int

    @property
    def is_inline(self) -> bool:
        """Whether it moves along the loop only."""
        return self.down == self.across == 0


@dataclass(frozen=True)
class _Point:
    """A run of a thread: its number, its place in the block and in the loops, and whether y is in its loop."""

    number: int
    row: n.Atom
    column: n.Atom
    place: n.Atom
    known: Mapping[str, n.Atom]
    tests: Sequence[n.Atom]


class _Loaded:
    """What a thread has loaded from the ring for an iteration, each run once."""

    def __init__(self, ring: _Ring, slots: Sequence[n.Atom]) -> None:
        self.ring, self.slots = ring, slots
        self.runs: dict[tuple[object, ...], tuple[n.Atom, ...]] = {}

    def element(self, place: _Place, point: _Point, lane: int, lanes: int) -> n.Atom:
        """The element at a distance from a lane of a run."""
        number, within = divmod(place.across + lane, lanes)
        return self.run(_Place(place.along, place.down, number * lanes), point, lanes)[within]

    def run(self, place: _Place, point: _Point, lanes: int) -> tuple[n.Atom, ...]:
        """The run at a distance."""
        ring, write = self.ring, self.ring.write
        key = (place, point.row, point.column)
        if key not in self.runs:
            slot = self.slots[place.along - ring.low]
            row = write.op("add", point.row, place.down - ring.above)
            column = write.op("add", point.column, place.across + ring.left)
            self.runs[key] = write.load_run(ring.tile, (slot, row, column), lanes)
        return self.runs[key]
