"""Tiles that take turns, each run by the threads of a block: scans, packing, recurrences.

A tile is cut in parts of neighbouring iterations, one for each thread. Every thread sums its part up; what they give
all threads put together in order; then each thread runs its part for what it stores, from the values that it begins
with. What a tile reads and writes side by side goes through shared memory, so that neighbouring threads access
neighbours, and is read once. Elements that are packed are packed there first. Parts may be short runs, of which a
thread has several: see `weft.schedule.lowering.scan_runs`.

Where the tiles are blocks of the grid, values go from block to block, which begin in order. Where each iteration of a
nest runs tiles of its own, its block runs them one after the other.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from typing import TypeAlias

from weft.ir import nodes as n
from weft.ir.scribe import TRUE
from weft.ir.types import INT32, PYBOOL, PYINT, View
from weft.ir.visit import walk
from weft.schedule.directives import Scan
from weft.schedule.frame import Frame, Threads, in_order
from weft.schedule.lowering.tiles import (
    ROW,
    Packed,
    Staged,
    Tile,
    lanes_of,
    most_counted,
    only_packs,
    staged_in,
    through,
    tile_of,
    tiles_with,
)
from weft.schedule.nests import Reduction
from weft.schedule.writing import scalar


def write_scan(frame: Frame, scan: Scan, kind: type[Scanner]) -> None:
    """Write what a block does."""
    if frame.chain[-1].mapping == "turns":
        loop, bound = frame.chain[-1], frame.bounds[-1]
        scanner = kind(frame, scan, loop)
        frame.handed = scanner.tile({loop.index.name: bound.origin}, tuple(a.var for a in loop.args))
        return
    found = tiles_with(frame.flat, scan.loop)
    assert found is not None
    _write_rows(frame, scan, kind, found)


def _write_rows(frame: Frame, scan: Scan, kind: type[Scanner], found: Reduction) -> None:
    """An iteration of the nest: what stands before the tiles, these one after the other, and what follows."""
    write, loop = frame.write, found.loop
    values: dict[str, n.Atom] = {bound.loop.index.name: bound.origin for bound in frame.bounds}
    lets = [s for s in found.before.statements if isinstance(s, n.Let)]
    made = write.copy(n.Block(tuple(lets), tuple(let.var for let in lets)), values)
    values.update((let.var.name, a) for let, a in zip(lets, made, strict=True))
    start, stop, *inits = (value_of(a, values) for a in (loop.start, loop.stop, *(a.init for a in loop.args)))
    scanner = kind(frame, scan, loop)
    effects = [s for s in found.before.statements if not isinstance(s, n.Let)]
    if effects:  # tiles may read or overwrite what they store, so they run first
        with frame.phase() as threads, scanner.first(threads):
            write.copy(in_order(n.Block(tuple(effects))), values)
    with write.loop(loop.label, start, stop, carried=inits) as tiles:
        known = {**values, loop.index.name: tiles.index}
        tiles.next = scanner.tile(known, tiles.values)
    values.update((r.name, a) for r, a in zip(loop.results, tiles.results, strict=True))
    if found.after.statements:
        with frame.phase() as threads, scanner.first(threads):
            write.copy(in_order(found.after), values)


def value_of(atom: n.Atom, values: Mapping[str, n.Atom]) -> n.Atom:
    """What an atom stands for."""
    return values.get(atom.name, atom) if isinstance(atom, n.Var) else atom


@dataclass
class Place:
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

Action: TypeAlias = Callable[[n.Atom, n.Atom, int], None]
"""What is done with neighbours: the number of the first in its tile, its counter, and how many there are."""


def _is_load_at(let: n.Let, place: n.Var) -> bool:
    return isinstance(let.value, n.Load) and let.value.indices == (place,)


class Scanner:
    """Writes tiles whose threads each run neighbouring iterations."""

    def __init__(self, frame: Frame, scan: Scan, loop: n.For) -> None:
        self.frame, self.write, self.directive = frame, frame.write, scan
        self.outside = frame.write.statements
        found = tile_of(loop)
        assert found is not None
        self.loop: n.For = loop
        self.found: Tile = found
        self.each = scan.each
        self.size = scan.group * scan.each
        self.runs = scan.each // scan.run if scan.run else 1
        self.staged = self._staged()
        write = self.write
        self.arrays = [write.alloc((self.size,), element, "shared", stem) for element, stem in self.staged.arrays]
        counted = most_counted(found, loop) or 0  # in an iteration; the sum of a tile has to fit into 32 bits
        self.most = counted * (scan.each // self.runs) if counted * self.size < 2**31 else 0
        types = [INT32 if self.most else scalar(r.type) for r in found.sums.results]
        stems = [r.stem for r in found.sums.results]
        self.parts, self.begins = (
            [frame.registers((self.runs,), t, f"{s}_{name}") for t, s in zip(types, stems, strict=True)]
            for name in ("part", "begin")
        )

    def _staged(self) -> Staged:
        """What of a tile goes through shared memory."""
        return staged_in(self.found, self.loop, self.frame.kernel, self.directive.staged)

    # ------------------------------------------------------------------------------------------------- a tile

    def tile(self, values: Mapping[str, n.Atom], carried: Sequence[n.Atom]) -> tuple[n.Atom, ...]:
        """Write what the block does for one tile; gives what is carried after it.

        Where a tile only packs, it does so before its threads know what is carried.
        """
        write, found = self.write, self.found
        known = dict(values)
        defined = [let.var for let in found.head]
        made = write.copy(n.Block(found.head, tuple(defined)), known)
        known.update((v.name, a) for v, a in zip(defined, made, strict=True))
        first, last = (value_of(a, known) for a in (found.sums.start, found.sums.stop))
        end = write.op("add", first, self.size)
        place = Place(first, last, write.compare("le", end, last))
        is_packing = only_packs(found, self.staged)
        self._load(place, known)
        self._sum_up(place, known)
        totals = self._put_together(known)
        if is_packing:
            self._run(place, self._nothing(), known)
        new = self._joined(carried, totals, known)
        if not is_packing:
            self._run(place, carried, known)
        self._end(place, carried, new, totals, known)
        return new

    def _joined(
        self, left: Sequence[n.Atom], right: Sequence[n.Atom], known: Mapping[str, n.Atom]
    ) -> tuple[n.Atom, ...]:
        """What is carried after some iterations, from what was before them and what they give."""
        values = dict(known)
        values.update((a.var.name, v) for a, v in zip(self.loop.args, left, strict=True))
        values.update((r.name, v) for r, v in zip(self.found.sums.results, right, strict=True))
        return self.write.copy(n.Block(self.found.joined, self.loop.body.yields), values)

    def _thread(self, threads: Threads) -> n.Atom:
        """The number of a thread in its block."""
        return threads[self.directive.loop]

    @contextmanager
    def first(self, threads: Threads) -> Iterator[None]:
        """The part of a phase that one thread runs alone."""
        with self.write.when(self.write.compare("eq", self._thread(threads), 0)):
            yield

    # ------------------------------------------------------------------------------- what lies side by side

    def _load(self, place: Place, known: Mapping[str, n.Atom]) -> None:
        """A phase in which neighbouring threads load neighbours."""
        if not self.staged.loads:
            return
        with self.frame.phase(under_way=0) as threads:
            for (view, outer), array in self.staged.loads.items():
                self._deal(threads, place, view, self._loaded(view, [value_of(a, known) for a in outer], array))

    def _loaded(self, view: n.Var, outer: Sequence[n.Atom], array: int) -> Action:
        """What loads neighbours to shared memory."""

        def load(number: n.Atom, counter: n.Atom, lanes: int) -> None:
            values = self.write.load_run(view, (*outer, counter), lanes)
            self.write.store_run(self.arrays[array], (number,), values, late=True)

        return load

    def _end(
        self, place: Place, carried: Sequence[n.Atom], new: Sequence[n.Atom], totals: Sequence[n.Atom],
        known: Mapping[str, n.Atom],
    ) -> None:  # fmt: skip
        """A phase in which neighbouring threads store neighbours, and one thread what is carried after a tile."""
        if not (self.staged.stores or self.staged.packed or self.found.leave):
            return
        with self.frame.phase() as threads:
            self._leave(threads, new, known)
            for store, array in self.staged.stores:
                outer = [value_of(a, known) for a in store.indices[:-1]]
                self._deal(threads, place, store.view, self._stored(store, array, outer))
            for packed in self.staged.packed:
                place, total = Place(carried[packed.counter], new[packed.counter]), totals[packed.counter]
                self._unpack(threads, place, total if self.most else None, packed)

    def _unpack(self, threads: Threads, place: Place, counted: n.Atom | None, packed: Packed) -> None:
        """Store neighbours that were packed; their places are tested once, where all of them are there.

        `counted` is how many they are, if that was counted.
        """
        write, store = self.write, packed.store
        extent = write.let(n.Dim(store.view, 0), PYINT, "extent")
        fits = [write.compare("ge", place.first, 0), write.compare("le", place.last, extent)]
        inside = self._stored(replace(store, bounds="safe"), packed.array, (), packed.source)
        trip = write.op("sub", place.last, place.first) if counted is None else counted
        at_once = self.directive.group * AT_ONCE
        rounds, label = write.op("floordiv", trip, at_once), f"{self.loop.label}.round"
        with write.when(write.both(fits)):
            base = write.op("max", write.op("min", place.first, extent), 0)  # the same, with bounds that can be seen
            with write.loop(label, 0, rounds, "rolled", stem="round") as outer:
                begin = write.op("add", write.op("mul", outer.index, at_once), self._thread(threads))
                with write.loop(label, 0, AT_ONCE, "unroll", stem="round") as loop:
                    number = write.op("add", begin, write.op("mul", loop.index, self.directive.group))
                    inside(number, write.op("add", base, number), 1)
            begin = write.op("add", write.op("mul", rounds, at_once), self._thread(threads))
            with write.loop(label, 0, AT_ONCE, "unroll", stem="round") as loop:
                number = write.op("add", begin, write.op("mul", loop.index, self.directive.group))
                with write.when(write.compare("lt", number, trip)):
                    inside(number, write.op("add", base, number), 1)
        with write.otherwise():
            self._deal_some(threads, place, self._stored(store, packed.array, (), packed.source))

    def _stored(self, store: n.Store, array: int, outer: Sequence[n.Atom], source: int | None = None) -> Action:
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

    def _deal(self, threads: Threads, place: Place, view: n.Var, action: Action) -> None:
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
            if lanes == 1 or self.size % self.directive.group:
                self._deal_some(threads, place, action)
                return
            with write.when(place.whole):
                self._deal_all(threads, place, 1, action)
            with write.otherwise():
                self._deal_some(threads, place, action)

    def _deal_all(self, threads: Threads, place: Place, lanes: int, action: Action) -> None:
        """A whole tile, in runs of neighbours."""
        write, group = self.write, self.directive.group
        runs = self.size // lanes
        with write.loop(f"{self.loop.label}.round", 0, -(-runs // group), "unroll", stem="round") as loop:
            run = write.op("add", write.op("mul", loop.index, group), self._thread(threads))
            number = write.op("mul", run, lanes)
            with write.when(write.compare("lt", run, runs) if runs % group else TRUE):
                action(number, write.op("add", place.first, number), lanes)

    def _deal_some(self, threads: Threads, place: Place, action: Action) -> None:
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
        self, part: n.For, place: Place, known: Mapping[str, n.Atom], threads: Threads, inits: Sequence[n.Atom],
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

    def _sum_up(self, place: Place, known: Mapping[str, n.Atom]) -> None:
        """A phase in which every thread sums its part up."""
        with self.frame.phase() as threads:

            def keep(sums: Sequence[n.Atom]) -> None:
                self._keep(self.parts, (*self.frame.own(threads), 0), sums)

            self._part(self.found.sums, place, known, threads, self._nothing(), {}, keep)

    def _keep(self, arrays: Sequence[n.Var], place: Sequence[n.Atom | int], values: Sequence[n.Atom]) -> None:
        """Store values in arrays of a thread's own."""
        for array, value in zip(arrays, values, strict=True):
            self.write.store(array, place, value)

    def _kept(self, arrays: Sequence[n.Var], place: Sequence[n.Atom | int]) -> list[n.Atom]:
        """The values that are in arrays of a thread's own."""
        types = [scalar(r.type) for r in self.found.sums.results]
        loaded = [self.write.load(array, *place) for array in arrays]
        pairs = zip(loaded, types, strict=True)
        return [a if a.type == t else self.write.let(n.Cast(a, checked=False), t) for a, t in pairs]

    def _nothing(self) -> list[n.Atom]:
        """What no iteration gives."""
        return [arg.init for arg in self.found.sums.args]

    def _put_together(self, known: Mapping[str, n.Atom]) -> tuple[n.Atom, ...]:
        """Put the parts of all threads behind one another: what is before each of them, and all of them."""
        write, group, label = self.write, self.directive.group, f"{self.loop.label}.together"
        together = n.Together(self.runs, self.most)
        loop = write.loop(label, 0, group * self.runs, carried=self._nothing(), stem="part", together=together)
        with loop as parts:
            own = (*(n.Const(0) for _ in self.frame.directives[:-1]), *self._whose(parts.index))
            values = self._kept(self.parts, own)
            self._keep(self.begins, own, parts.values)
            parts.next = self._joined(parts.values, values, known)
        return parts.results

    def _whose(self, part: n.Atom) -> tuple[n.Atom, n.Atom]:
        """The thread that has a part, and the number of it among its parts."""
        write = self.write
        if self.runs == 1:
            return part, n.Const(0)
        row = write.op("mul", write.op("floordiv", part, ROW * self.runs), ROW)
        run = write.op("mod", write.op("floordiv", part, ROW), self.runs)
        return write.op("add", row, write.op("mod", part, ROW)), run

    def _run(self, place: Place, carried: Sequence[n.Atom], known: Mapping[str, n.Atom]) -> None:
        """A phase in which every thread runs its part for what it stores, from what is carried before the tile."""
        with self.frame.phase() as threads:
            begins = self._kept(self.begins, (*self.frame.own(threads), 0))
            values, bases = self._based(carried, known)
            inits = self._inits(carried, begins, values)
            self._part(self.found.each, place, values, threads, inits, bases, lambda results: None)

    def _based(
        self, carried: Sequence[n.Atom], known: Mapping[str, n.Atom]
    ) -> tuple[dict[str, n.Atom], dict[int, n.Var]]:
        """What is known, and where the counters of packed elements stand when the tile begins, by their places."""
        bases = {
            k: self.write.names.fresh("base", carried[k].type) for k in sorted({p.counter for p in self.staged.packed})
        }
        return {**known, **{base.name: carried[k] for k, base in bases.items()}}, bases

    def _inits(self, carried: Sequence[n.Atom], begins: Sequence[n.Atom], known: Mapping[str, n.Atom]) -> list[n.Atom]:
        """What the loop that runs a part begins with, where `begins` stands before it in its tile."""
        made = self._joined(carried, begins, known)
        values = {**known, **{a.var.name: v for a, v in zip(self.loop.args, made, strict=True)}}
        return [value_of(arg.init, values) for arg in self.found.each.args]

    def _leave(self, threads: Threads, new: Sequence[n.Atom], known: Mapping[str, n.Atom]) -> None:
        """What one thread does with what is carried after a tile."""
        values = dict(known)
        values.update((y.name, a) for y, a in zip(self.loop.body.yields, new, strict=True) if isinstance(y, n.Var))
        if self.found.leave:
            with self.first(threads):
                self.write.copy(in_order(n.Block(self.found.leave)), values)
