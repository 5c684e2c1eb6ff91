"""Tiles that take turns, each run by the threads of a block: scans, packing, recurrences.

A tile is cut in parts of neighbouring iterations, one for each thread. Every thread sums its part up; what they give is
put together in order, in two steps; then each thread runs its part for what it stores, from the values that it begins
with. What a tile reads and writes side by side goes through shared memory, so that neighbouring threads access
neighbours, and is read once. Elements that are packed are packed there first.

Where the tiles are blocks of the grid, values go from block to block, which begin in order. Where each iteration of a
nest runs tiles of its own, its block runs them one after the other.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from typing import TypeAlias

from weft.ir import nodes as n
from weft.ir.types import PYBOOL, PYINT, View
from weft.ir.visit import walk
from weft.schedule.directives import Scan
from weft.schedule.frame import Frame, Threads, in_order
from weft.schedule.nests import Reduction
from weft.schedule.tiles import ROW, Packed, Tile, lanes_of, staged_in, through, tile_of, tiles_with
from weft.schedule.writing import TRUE, scalar


def write_scan(frame: Frame, scan: Scan) -> None:
    """Write what a block does."""
    if frame.chain[-1].mapping == "turns":
        loop, bound = frame.chain[-1], frame.bounds[-1]
        scanner = _Scanner(frame, scan, loop, {})
        frame.handed = scanner.tile({loop.index.name: bound.origin}, tuple(a.var for a in loop.args))
        return
    found = tiles_with(frame.flat, scan.loop)
    assert found is not None
    _write_rows(frame, scan, found)


def _write_rows(frame: Frame, scan: Scan, found: Reduction) -> None:
    """An iteration of the nest: what stands before the tiles, these one after the other, and what follows."""
    write, loop = frame.write, found.loop
    values: dict[str, n.Atom] = {bound.loop.index.name: bound.origin for bound in frame.bounds}
    lets = [s for s in found.before.statements if isinstance(s, n.Let)]
    made = write.copy(n.Block(tuple(lets), tuple(let.var for let in lets)), values)
    values.update((let.var.name, a) for let, a in zip(lets, made, strict=True))
    start, stop, *inits = (_value(a, values) for a in (loop.start, loop.stop, *(a.init for a in loop.args)))
    scanner = _Scanner(frame, scan, loop, values)
    with write.loop(loop.label, start, stop, carried=inits) as tiles:
        known = {**values, loop.index.name: tiles.index}
        tiles.next = scanner.tile(known, tiles.values)
    values.update((r.name, a) for r, a in zip(loop.results, tiles.results, strict=True))
    effects = [s for s in found.before.statements if not isinstance(s, n.Let)]
    if effects or found.after.statements:
        with frame.phase() as threads, scanner.first(threads):
            write.copy(in_order(n.Block((*effects, *found.after.statements))), values)


def _value(atom: n.Atom, values: Mapping[str, n.Atom]) -> n.Atom:
    return values.get(atom.name, atom) if isinstance(atom, n.Var) else atom


@dataclass
class _Place:
    """Where a tile is: its first iteration, the one after its last, and whether there are as many as there can be."""

    first: n.Atom
    last: n.Atom
    whole: n.Atom | None = None


MOST_WRITTEN_OUT = 24
"""Statements of an iteration that is written out for all iterations of a part."""

AT_ONCE = 4
"""Packed elements that a thread stores one after the other without asking whether there are more."""

AHEAD = 8
"""Iterations whose elements a thread loads at once."""

_Action: TypeAlias = Callable[[n.Atom, n.Atom, int], None]
"""What is done with neighbours: the number of the first in its tile, its counter, and how many there are."""


def _is_load_at(let: n.Let, place: n.Var) -> bool:
    return isinstance(let.value, n.Load) and let.value.indices == (place,)


class _Scanner:
    def __init__(self, frame: Frame, scan: Scan, loop: n.For, known: Mapping[str, n.Atom]) -> None:
        self.frame, self.write, self.directive = frame, frame.write, scan
        self.outside = frame.write.statements
        found = tile_of(loop)
        assert found is not None
        self.loop: n.For = loop
        self.found: Tile = found
        self.each = scan.each
        self.size = scan.group * scan.each
        self.staged = staged_in(found, loop, frame.kernel, scan.staged)
        write = self.write
        self.arrays = [write.alloc((self.size,), element, "shared", stem) for element, stem in self.staged.arrays]
        types = [scalar(r.type) for r in found.sums.results]
        stems = [r.stem for r in found.sums.results]
        self.parts = [
            write.alloc((scan.group + scan.group // ROW,), t, "shared", s) for t, s in zip(types, stems, strict=True)
        ]
        rows = scan.group // ROW
        self.rows = [write.alloc((rows,), t, "shared", f"{s}_row") for t, s in zip(types, stems, strict=True)]
        self.totals = [write.alloc((1,), t, "shared", f"{s}_total") for t, s in zip(types, stems, strict=True)]

    # ------------------------------------------------------------------------------------------------- a tile

    def tile(self, values: Mapping[str, n.Atom], carried: Sequence[n.Atom]) -> tuple[n.Atom, ...]:
        """Write what the block does for one tile; gives what is carried after it."""
        write, found = self.write, self.found
        known = dict(values)
        defined = [let.var for let in found.head]
        made = write.copy(n.Block(found.head, tuple(defined)), known)
        known.update((v.name, a) for v, a in zip(defined, made, strict=True))
        first, last = (_value(a, known) for a in (found.sums.start, found.sums.stop))
        end = write.op("add", first, self.size)
        place = _Place(first, last, write.compare("le", end, last))
        self._load(place, known)
        self._sum_up(place, known)
        self._put_together(known)
        totals = [write.load(total, 0) for total in self.totals]
        new = self._joined(carried, totals, known)
        self._leave(new, known)
        self._run(place, carried, known)
        self._store(place, carried, new, known)
        return new

    def _joined(
        self, left: Sequence[n.Atom], right: Sequence[n.Atom], known: Mapping[str, n.Atom]
    ) -> tuple[n.Atom, ...]:
        """What is carried after some iterations, from what was before them and what they give."""
        values = dict(known)
        values.update((a.var.name, v) for a, v in zip(self.loop.args, left, strict=True))
        values.update((r.name, v) for r, v in zip(self.found.sums.results, right, strict=True))
        return self.write.copy(n.Block(self.found.joined, self.loop.body.yields), values)

    def _thread(self, threads: Threads) -> n.Var:
        """The number of a thread in its block."""
        return threads[self.directive.loop]

    @contextmanager
    def first(self, threads: Threads) -> Iterator[None]:
        """The part of a phase that one thread runs alone."""
        with self.write.when(self.write.compare("eq", self._thread(threads), 0)):
            yield

    # ------------------------------------------------------------------------------- what lies side by side

    def _load(self, place: _Place, known: Mapping[str, n.Atom]) -> None:
        """A phase in which neighbouring threads load neighbours."""
        if not self.staged.loads:
            return
        with self.frame.phase(under_way=0) as threads:
            for (view, outer), array in self.staged.loads.items():
                self._deal(threads, place, view, self._loaded(view, [_value(a, known) for a in outer], array))

    def _loaded(self, view: n.Var, outer: Sequence[n.Atom], array: int) -> _Action:
        """What loads neighbours to shared memory."""

        def load(number: n.Atom, counter: n.Atom, lanes: int) -> None:
            values = self.write.load_run(view, (*outer, counter), lanes)
            self.write.store_run(self.arrays[array], (number,), values, late=True)

        return load

    def _store(
        self, place: _Place, carried: Sequence[n.Atom], new: Sequence[n.Atom], known: Mapping[str, n.Atom]
    ) -> None:
        """A phase in which neighbouring threads store neighbours."""
        if not (self.staged.stores or self.staged.packed):
            return
        with self.frame.phase() as threads:
            for store, array in self.staged.stores:
                outer = [_value(a, known) for a in store.indices[:-1]]
                self._deal(threads, place, store.view, self._stored(store, array, outer))
            for packed in self.staged.packed:
                self._unpack(threads, _Place(carried[packed.counter], new[packed.counter]), packed)

    def _unpack(self, threads: Threads, place: _Place, packed: Packed) -> None:
        """Store neighbours that were packed; their places are tested once, where all of them are there."""
        write, store = self.write, packed.store
        extent = write.let(n.Dim(store.view, 0), PYINT, "extent")
        fits = [write.compare("ge", place.first, 0), write.compare("le", place.last, extent)]
        inside, trip = (
            self._stored(replace(store, bounds="safe"), packed.array, (), packed.source),
            write.op("sub", place.last, place.first),
        )
        group, label = self.directive.group, f"{self.loop.label}.round"
        rounds = write.op("floordiv", write.op("add", trip, group * AT_ONCE - 1), group * AT_ONCE)
        with write.when(write.both(fits)), write.loop(label, 0, rounds, stem="round") as outer:
            begin = write.op("add", write.op("mul", outer.index, group * AT_ONCE), self._thread(threads))
            with write.loop(label, 0, AT_ONCE, "unroll", stem="round") as loop:
                number = write.op("add", begin, write.op("mul", loop.index, group))
                with write.when(write.compare("lt", number, trip)):
                    inside(number, write.op("add", place.first, number), 1)
        with write.otherwise():
            self._deal_some(threads, place, self._stored(store, packed.array, (), packed.source))

    def _stored(self, store: n.Store, array: int, outer: Sequence[n.Atom], source: int | None = None) -> _Action:
        """What stores neighbours that lie in shared memory, or whose numbers in `source` do."""

        def put(number: n.Atom, counter: n.Atom, lanes: int) -> None:
            with self.write.at(store):
                values = self.write.load_run(self.arrays[array], (number,), lanes)
                if source is not None:
                    found = self.write.let(n.Cast(values[0], checked=False), PYINT, "number")
                    values = (self.write.load(self.arrays[source], found),)
                if lanes > 1:
                    self.write.store_run(store.view, (*outer, counter), values)
                else:
                    made = replace(store, indices=(*outer, counter), value=values[0], location=self.write.location)
                    self.write.add(made)

        return put

    def _deal(self, threads: Threads, place: _Place, view: n.Var, action: _Action) -> None:
        """Neighbours to neighbouring threads, as vectors where the tile is whole and its elements lie well."""
        write, lanes = self.write, lanes_of(view)
        assert place.whole is not None
        conditions = [place.whole]
        if lanes > 1:
            assert isinstance(view.type, View)
            conditions.append(write.let(n.Aligned(view, lanes * view.type.element.size), PYBOOL, "aligned"))
            conditions.append(write.compare("eq", write.op("mod", place.first, lanes), 0))
        with write.when(write.both(conditions)):
            self._deal_all(threads, place, lanes, action)
        with write.otherwise():
            self._deal_some(threads, place, action)

    def _deal_all(self, threads: Threads, place: _Place, lanes: int, action: _Action) -> None:
        """A whole tile, in runs of neighbours."""
        write, group = self.write, self.directive.group
        runs = self.size // lanes
        with write.loop(f"{self.loop.label}.round", 0, -(-runs // group), "unroll", stem="round") as loop:
            run = write.op("add", write.op("mul", loop.index, group), self._thread(threads))
            number = write.op("mul", run, lanes)
            with write.when(write.compare("lt", run, runs) if runs % group else TRUE):
                action(number, write.op("add", place.first, number), lanes)

    def _deal_some(self, threads: Threads, place: _Place, action: _Action) -> None:
        """One element after the other; the action gets an iteration's number in its tile, and its counter."""
        write, group = self.write, self.directive.group
        trip = write.op("sub", place.last, place.first)
        rounds = write.op("floordiv", write.op("add", trip, group - 1), group)
        with write.loop(f"{self.loop.label}.round", 0, rounds, stem="round") as loop:
            number = write.op("add", write.op("mul", loop.index, group), self._thread(threads))
            with write.when(write.compare("lt", number, trip)):
                action(number, write.op("add", place.first, number), 1)

    # ------------------------------------------------------------------------------------------------- parts

    def _part(
        self, part: n.For, place: _Place, known: Mapping[str, n.Atom], threads: Threads, inits: Sequence[n.Atom],
        bases: Mapping[int, n.Var], action: Callable[[Sequence[n.Atom]], None],
    ) -> None:  # fmt: skip
        """The part of a tile that a thread runs; the action gets its results."""
        write = self.write
        begin = write.op("mul", self._thread(threads), self.each)
        number = write.names.fresh("number", PYINT)
        body = in_order(through(part, self.staged, self.arrays, number, bases))

        def run(first: int, trips: n.Atom | int, mapping: n.Mapping, inits: Sequence[n.Atom]) -> Sequence[n.Atom]:
            held = self._held(threads, body, number, begin, first, trips) if mapping == "unroll" else {}
            with write.loop(part.label, 0, trips, mapping, inits, "step") as loop:
                values = {**known, number.name: write.sum(begin, first, loop.index)}
                values[part.index.name] = write.op("add", place.first, values[number.name])
                values.update((a.var.name, v) for a, v in zip(part.args, loop.values, strict=True))
                own = self.frame.own(threads)
                values.update((name, write.load(array, *own, loop.index)) for name, array in held.items())
                rest = tuple(s for s in body.statements if not (isinstance(s, n.Let) and s.var.name in held))
                loop.next = write.copy(replace(body, statements=rest), values)
            return loop.results

        assert place.whole is not None
        is_short = sum(1 for _ in walk(body)) <= MOST_WRITTEN_OUT
        with write.when(place.whole):
            results: Sequence[n.Atom] = inits
            for first in range(0, self.each, AHEAD if is_short else self.each):
                trips = min(self.each - first, AHEAD) if is_short else self.each
                results = run(first, trips, "unroll" if is_short else "sequential", results)
            action(results)
        with write.otherwise():
            left = write.op("sub", write.op("sub", place.last, place.first), begin)
            action(run(0, write.op("min", left, self.each), "sequential", inits))

    def _held(
        self, threads: Threads, body: n.Block, number: n.Var, begin: n.Atom, first: int, trips: n.Atom | int
    ) -> dict[str, n.Var]:
        """Load what some iterations read from shared memory: compilers do not where these store conditionally."""
        write = self.write
        lets = [s for s in body.statements if isinstance(s, n.Let) and _is_load_at(s, number)]
        if not self.staged.packed or not isinstance(trips, int):
            return {}
        with write.apart() as made:
            held = {let.var.name: self.frame.registers((trips,), scalar(let.var.type), "held") for let in lets}
        self.outside += made
        with write.loop(f"{self.loop.label}.held", 0, trips, "unroll", stem="step") as loop:
            place = write.sum(begin, first, loop.index)
            for let in lets:
                assert isinstance(let.value, n.Load)
                value = write.load(let.value.view, place)
                write.store(held[let.var.name], (*self.frame.own(threads), loop.index), value)
        return held

    def _sum_up(self, place: _Place, known: Mapping[str, n.Atom]) -> None:
        """A phase in which every thread sums its part up."""
        with self.frame.phase() as threads:
            number = self._thread(threads)

            def keep(sums: Sequence[n.Atom]) -> None:
                for array, value in zip(self.parts, sums, strict=True):
                    self.write.store(array, (self._slot(number),), value)

            self._part(self.found.sums, place, known, threads, self._nothing(), {}, keep)

    def _nothing(self) -> list[n.Atom]:
        """What no iteration gives."""
        return [arg.init for arg in self.found.sums.args]

    def _slot(self, part: n.Atom) -> n.Atom:
        """Where a part is kept: threads with a row each find theirs in different banks."""
        return self.write.op("add", part, self.write.op("floordiv", part, ROW))

    def _put_together(self, known: Mapping[str, n.Atom]) -> None:
        """Two phases: of every row of parts, and then of all rows, what is before each of them."""
        write = self.write
        with self.frame.phase() as threads:
            row = self._thread(threads)
            with write.when(write.compare("lt", row, self.directive.group // ROW)):
                self._running(self.parts, write.op("mul", row, ROW + 1), ROW, self.rows, row, known)
        with self.frame.phase() as threads, self.first(threads):
            self._running(self.rows, n.Const(0), self.directive.group // ROW, self.totals, n.Const(0), known)

    def _running(
        self, arrays: Sequence[n.Var], begin: n.Atom, count: int, totals: Sequence[n.Var], place: n.Atom,
        known: Mapping[str, n.Atom],
    ) -> None:  # fmt: skip
        """Exchange elements of arrays for what is before each of them; all of them give an element of `totals`."""
        write = self.write
        with write.loop(f"{self.loop.label}.part", 0, count, "unroll", self._nothing(), "part") as loop:
            slot = write.op("add", begin, loop.index)
            values = [write.load(array, slot) for array in arrays]
            for array, before in zip(arrays, loop.values, strict=True):
                write.store(array, (slot,), before)
            loop.next = self._joined(loop.values, values, known)
        for total, value in zip(totals, loop.results, strict=True):
            write.store(total, (place,), value)

    def _run(self, place: _Place, carried: Sequence[n.Atom], known: Mapping[str, n.Atom]) -> None:
        """A phase in which every thread runs its part for what it stores."""
        write, each = self.write, self.found.each
        with self.frame.phase() as threads:
            number = self._thread(threads)
            row = write.op("floordiv", number, ROW)
            before = self._joined(carried, [write.load(array, row) for array in self.rows], known)
            own = [write.load(array, self._slot(number)) for array in self.parts]
            begins = self._joined(before, own, known)
            values = {**known, **{a.var.name: v for a, v in zip(self.loop.args, begins, strict=True)}}
            inits = [_value(arg.init, values) for arg in each.args]
            places = {packed.counter for packed in self.staged.packed}
            bases = {k: write.names.fresh("base", carried[k].type) for k in sorted(places)}
            values.update((base.name, carried[k]) for k, base in bases.items())
            self._part(each, place, values, threads, inits, bases, lambda results: None)

    def _leave(self, new: Sequence[n.Atom], known: Mapping[str, n.Atom]) -> None:
        """What one thread does with what is carried after a tile."""
        if not self.found.leave:
            return
        values = dict(known)
        values.update((y.name, a) for y, a in zip(self.loop.body.yields, new, strict=True) if isinstance(y, n.Var))
        with self.frame.phase() as threads, self.first(threads):
            self.write.copy(in_order(n.Block(self.found.leave)), values)
