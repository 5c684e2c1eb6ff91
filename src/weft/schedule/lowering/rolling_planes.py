"""Points of a thread along a loop, one after the other, with what a block reads around them in shared memory.

Planes across the loop, as many as an iteration reads beside its own column and some more, are in a ring of buffers:
while threads work on one, those that later iterations need are on their way, past the registers. What a thread reads in
line with its points it takes over from the ring when it comes in, and keeps in registers.

Arrays whose rows begin anywhere come element by element, and what is computed goes back through shared memory, so that
neighbouring threads store neighbours while those work on the next plane.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TypeAlias

from weft.ir import nodes as n
from weft.ir.scribe import TRUE
from weft.ir.types import PYINT
from weft.schedule.directives import Walk
from weft.schedule.frame import Bound, Frame, Threads, in_order
from weft.schedule.lowering.lanes import Accesses, Runner, can_be_cut, lanes_of, side_by_side
from weft.schedule.lowering.planes import Planes, planes_of
from weft.schedule.lowering.points import aligned, bytes_of, rows_of_vectors
from weft.schedule.nests import slice_of
from weft.schedule.writing import scalar

FEW_KEPT = 4
"""Elements of a column that a thread keeps, up to which each way to access arrays is a kernel of its own: that is
compiled sooner, but with the 8 of a star of 25 points the compiler gives out registers in another way: 3 to 5 % slower.
"""

Hand: TypeAlias = "Callable[[_Point, Sequence[Sequence[n.Atom]]], None]"
"""Hands on what a run computes: what its lanes would store, for each store."""


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
        self.found = side_by_side(self.flat, self.x.loop.index, self.lanes, frozenset(frame.kernel.overlaps))
        self.handed = _Handed(self) if self.lanes > 1 and can_be_cut(self.flat, self.found) else None
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
        write, found = self.write, self.found
        if self.handed is None:
            self._walk(Accesses(lanes=1))
            return
        views = tuple({view.name: view for view in (*found.views, self.planes.view)}.values())
        found = replace(found, views=views)
        test = write.both([*aligned(write, found), *rows_of_vectors(write, views, self.lanes)])
        if self.kept <= FEW_KEPT:
            self.frame.has_vectors(test, bytes_of(found), [(view, self.lanes) for view in views])
        with write.when(test):
            self._walk(found)
        with write.otherwise():
            self._walk(Accesses(self.lanes, varying=found.varying), self.handed)

    def _walk(self, accesses: Accesses, handed: _Handed | None = None) -> None:
        """The planes that the first iteration needs, some more, and then all iterations."""
        frame, write = self.frame, self.write
        needed, lanes = self.high - self.low + 1, 1 if handed else accesses.lanes
        kept = frame.registers((self._points, max(self.kept, 1), self.lanes), self.planes.element, "column")
        label = self.along.loop.label
        for number in range(self.ahead):
            with frame.phase(under_way=self.ahead - 1) as threads:
                if number == 0:
                    with write.loop(f"{label}.plane", 0, needed, stem="slot") as loop:
                        plane = write.sum(self.first, self.low, loop.index)
                        self._send(threads, lanes, plane, loop.index)
                    self._begin(threads, accesses.lanes, kept, lanes)
                else:
                    slot = needed + number - 1
                    self._send(threads, lanes, write.op("add", self.first, self.low + slot), n.Const(slot))
        slots = [n.Const(slot) for slot in (*range(needed), self.slots - 1)]
        with write.loop(f"{label}.walk", 0, self.count, carried=slots, stem="step") as loop:
            *used, free = loop.values
            loop.next = tuple(map(self._next, loop.values))
            counter = write.op("add", self.first, loop.index)
            with frame.phase(under_way=self.ahead - 1) as threads:
                self._send(threads, lanes, write.op("add", counter, self.high + self.ahead), free)
                if handed:
                    with write.when(write.compare("gt", loop.index, 0)):
                        handed.store(threads, loop.index)
                self._step(threads, accesses, counter, used, kept, handed.at(loop.index) if handed else None)
        if handed:
            with frame.phase() as threads:
                handed.store(threads, self.count)

    def _next(self, slot: n.Atom) -> n.Atom:
        """The slot that follows in the ring."""
        following = self.write.op("add", slot, 1)
        is_last = self.write.compare("eq", following, self.slots)
        return self.write.let(n.Select(is_last, n.Const(0), following), PYINT, "slot")

    # ------------------------------------------------------------------------------------------ loading

    def _send(self, threads: Threads, lanes: int, plane: n.Atom, slot: n.Atom) -> None:
        """Let what a thread brings of a plane go to shared memory; planes behind the last one are not needed."""
        write = self.write
        last = write.op("add", write.op("sub", self.along.high, 1), self.high)
        plane = write.op("min", plane, last)
        for places in (self._in_line(threads, lanes), self._left_over(threads, lanes)):
            for row, column, brings in places:
                with write.when(brings):
                    values = write.load_run(self.planes.view, self._source(plane, row, column, lanes), lanes)
                    write.store_run(self.tile, (slot, row, column), values, late=True)

    def _whole(self, lanes: int) -> int:
        """The columns of a tile that threads in line with them bring: single elements need little arithmetic then."""
        return self.columns // self.x.bind.group * self.x.bind.group if lanes == 1 else 0

    def _in_line(self, threads: Threads, lanes: int) -> Iterator[tuple[n.Atom, n.Atom, n.Atom]]:
        """The places that a thread fills in columns in line with it, by row and column, and whether it fills them."""
        write, x, y = self.write, self.x, self.y
        thread, group = (threads[y.loop.label], y.bind.group) if y is not None else (n.Const(0), 1)
        for down in range(0, self.rows if self._whole(lanes) else 0, group):
            row = write.op("add", thread, down)
            brings = TRUE if down + group <= self.rows else write.compare("lt", row, self.rows)
            for begin in range(0, self._whole(lanes), x.bind.group):
                yield row, write.op("add", threads[x.loop.label], begin), brings

    def _left_over(self, threads: Threads, lanes: int) -> Iterator[tuple[n.Atom, n.Atom, n.Atom]]:
        """The same of all other columns: threads fill them in the order of their places."""
        write, whole = self.write, self._whole(lanes)
        number, rest = self.frame.number(threads), self.columns // lanes - whole
        for begin in range(0, self.rows * rest, self.frame.threads):
            place = write.op("add", number, begin)
            is_certain = begin + self.frame.threads <= self.rows * rest
            brings = TRUE if is_certain else write.compare("lt", place, self.rows * rest)
            column = write.op("mul", write.op("add", write.op("mod", place, rest), whole), lanes)
            yield write.op("floordiv", place, rest), column, brings

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

    def _begin(self, threads: Threads, run: int, kept: n.Var, lanes: int) -> None:
        """What lies in line with a thread's runs before the first iteration, straight from the array, so many elements
        at a time."""
        write, own = self.write, self.frame.own(threads)
        label = self.along.loop.label
        for point in self._each(threads, run):
            column, row = write.op("add", point.column, self.left), write.op("sub", point.row, self.above)
            with (
                write.loop(f"{label}.kept", 0, self.kept, "unroll", stem="number") as loop,
                write.loop(f"{label}.part", 0, run // lanes, "unroll", stem="part") as part,
            ):
                plane = write.sum(self.first, self.first_kept, loop.index)
                begin = write.op("mul", part.index, lanes)
                found = self._source(plane, row, write.op("add", column, begin), lanes)
                number, first = divmod(point.number, self.lanes)
                for lane, value in enumerate(write.load_run(self.planes.view, found, lanes), first):
                    write.store(kept, (*own, number, loop.index, write.op("add", begin, lane)), value)

    def _own(self, own: Sequence[n.Atom], point: _Point, number: int, lane: int) -> tuple[n.Atom | int, ...]:
        """Where a thread keeps an element."""
        run, place = divmod(point.number + lane, self.lanes)
        return (*own, run, number, place)

    def _step(
        self, threads: Threads, accesses: Accesses, counter: n.Atom, slots: Sequence[n.Atom], kept: n.Var,
        hand: Hand | None = None,
    ) -> None:  # fmt: skip
        """An iteration: what all points read, then what each that is in the loops computes and stores or hands on."""
        write, lanes, found = self.write, accesses.lanes, _Loaded(self, slots)
        points = list(self._each(threads, lanes))
        queues = [self._column(threads, point, lanes, kept, found) for point in points]
        read = [self._values(point, lanes, queue, found) for point, queue in zip(points, queues, strict=True)]
        for point, values in zip(points, read, strict=True):
            with write.when(write.both([*point.tests, *([] if hand else self._inside(point, lanes))])):
                self._compute(point, accesses, counter, values, hand)

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
        self, point: _Point, accesses: Accesses, counter: n.Atom, values: Sequence[Mapping[str, n.Atom]],
        hand: Hand | None,
    ) -> None:  # fmt: skip
        """An iteration for a run of points; only those in the loop store.

        Where what they compute is handed on, those that are not in the loop compute what the nearest one does.
        """
        write, x = self.write, self.x
        known = {**point.known, self.along.loop.index.name: counter}
        places = [write.sum(point.place, lane, stem=x.loop.index.stem) for lane in range(len(values))]
        if hand:
            places = [write.within(place, x.low, x.high) for place in places]
        lanes = [{**known, x.loop.index.name: at, **own} for at, own in zip(places, values, strict=True)]
        ends = (x.low, x.high) if accesses.lanes > 1 and not hand else None
        runner = Runner(write, point.place, accesses, lanes, ends)
        if not hand:
            runner.run(self.rest)
            return
        stores = [s for s in self.rest.statements if isinstance(s, n.Store)]
        runner.run(n.Block(tuple(s for s in self.rest.statements if s not in stores)))
        hand(point, [runner.each(store.value) for store in stores])


class _Handed:
    """What threads compute for a plane and hand on through shared memory: neighbours store neighbours of it later."""

    def __init__(self, ring: _Ring) -> None:
        self.ring, self.write = ring, ring.write
        self.stores = [s for s in ring.rest.statements if isinstance(s, n.Store)]
        rows = ring.y.bind.step if ring.y is not None else 1
        shape = (2, rows, ring.x.bind.step)
        self.tiles = [
            ring.write.alloc(shape, scalar(store.value.type), "shared", f"{store.view.stem}_handed")
            for store in self.stores
        ]

    def at(self, number: n.Atom) -> Hand:
        """What hands on the results of an iteration, by its number."""
        buffer = self.write.op("and", number, 1)

        def hand(point: _Point, results: Sequence[Sequence[n.Atom]]) -> None:
            for tile, values in zip(self.tiles, results, strict=True):
                self.write.store_run(tile, (buffer, point.row, point.column), values)

        return hand

    def store(self, threads: Threads, number: n.Atom) -> None:
        """Store what was handed on in the iteration before."""
        write, ring, x, y = self.write, self.ring, self.ring.x, self.ring.y
        before = write.op("sub", number, 1)
        buffer, counter = write.op("and", before, 1), write.op("add", ring.first, before)
        for down in range(y.bind.points if y is not None else 1):
            known: dict[str, n.Atom] = {ring.along.loop.index.name: counter}
            row: n.Atom = n.Const(0)
            tests: list[n.Atom] = []
            if y is not None:
                row = write.op("add", write.op("mul", threads[y.loop.label], y.bind.points), down)
                known[y.loop.index.name] = write.op("add", y.origin, row)
                tests = [write.compare("lt", known[y.loop.index.name], y.high)]
            with write.when(write.both(tests)):
                for tile, store in zip(self.tiles, self.stores, strict=True):
                    outer = self._outer(store, known)
                    for begin in range(0, x.bind.points * x.bind.group, x.bind.group):
                        column = write.op("add", threads[x.loop.label], begin)
                        place = write.op("add", x.origin, column)
                        with write.when(ring.frame.inside(x, place)):
                            write.store(store.view, (*outer, place), write.load(tile, buffer, row, column))

    def _outer(self, store: n.Store, known: Mapping[str, n.Atom]) -> tuple[n.Atom, ...]:
        """The indices of a store but the last, which are the same in a row."""
        outer = store.indices[:-1]
        needed = slice_of(self.ring.flat, frozenset(a.name for a in outer if isinstance(a, n.Var)))
        return self.write.copy(n.Block(needed.statements, outer), known)


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
