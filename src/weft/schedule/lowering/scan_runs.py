"""Tiles that take turns, whose threads run short runs of neighbours: packing, above all.

The runs of a tile are dealt out to the threads of a row in turn. A thread loads them as vectors, straight from memory,
and holds them in registers until it runs them for what it stores: elements that are kept go to shared memory once.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import replace

from weft.ir import nodes as n
from weft.ir.types import PYBOOL, PYINT, View
from weft.schedule.frame import Threads, in_order
from weft.schedule.lowering.scan import Place, Scanner, value_of
from weft.schedule.lowering.tiles import ROW, Access, Staged, lanes_of, staged_in, through


class RunScanner(Scanner):
    """Writes tiles whose threads each run short runs of neighbours."""

    def _staged(self) -> Staged:
        scan = self.directive
        return staged_in(self.found, self.loop, self.frame.kernel, scan.staged, scan.each)

    def _load(self, place: Place, known: Mapping[str, n.Atom]) -> None:
        """Make room for what threads load; they do so when they sum their parts up."""
        shape = (self.runs, self.directive.run)
        self.held = {access: self.frame.registers(shape, t, "held") for access, t in self.staged.held.items()}

    def _sum_up(self, place: Place, known: Mapping[str, n.Atom]) -> None:
        """A phase in which every thread loads its runs, and sums each of them up."""
        write, sums = self.write, self.found.sums
        assert place.whole is not None
        with self.frame.phase() as threads:
            with write.when(write.both([place.whole, *self._aligned(place)])):
                self._take(place, known, threads, wide=True)
            with write.otherwise():
                with write.when(place.whole):
                    self._take(place, known, threads, wide=False)
                with write.otherwise(), self._runs(threads) as (run, number):
                    self._keep_part(threads, run, self._some(sums, place, known, number, self._nothing(), {}))

    def _aligned(self, place: Place) -> Iterator[n.Atom]:
        """What must hold for runs to be loaded as vectors."""
        views = [view for view, _ in self.held if self._lanes(view) > 1]
        for view in dict.fromkeys(views):
            assert isinstance(view.type, View)
            size = self._lanes(view) * view.type.element.size
            yield self.write.let(n.Aligned(view, size), PYBOOL, "aligned")
        if views:
            yield self.write.compare("eq", self.write.op("mod", place.first, self.directive.run), 0)

    def _lanes(self, view: n.Var) -> int:
        """How many neighbours of a run are loaded at once."""
        return math.gcd(lanes_of(view), self.directive.run)

    def _take(self, place: Place, known: Mapping[str, n.Atom], threads: Threads, wide: bool) -> None:
        """Load whole runs, as vectors or element by element, and sum them up."""
        sums = self.found.sums
        for access, array in self.held.items():
            with self._runs(threads) as (run, number):
                self._hold(access, array, self.write.op("add", place.first, number), threads, run, known, wide)
        with self._runs(threads) as (run, number):
            self._keep_part(threads, run, self._all(sums, place, known, threads, run, number, self._nothing(), {}))

    def _hold(
        self, access: Access, array: n.Var, counter: n.Atom, threads: Threads, run: n.Atom, known: Mapping[str, n.Atom],
        wide: bool,
    ) -> None:  # fmt: skip
        view, outer = access[0], [value_of(a, known) for a in access[1]]
        lanes = self._lanes(view) if wide else 1
        for lane in range(0, self.directive.run, lanes):
            values = self.write.load_run(view, (*outer, self.write.op("add", counter, lane)), lanes)
            for k, value in enumerate(values):
                self.write.store(array, (*self.frame.own(threads), run, lane + k), value)

    def _keep_part(self, threads: Threads, run: n.Atom, sums: Sequence[n.Atom]) -> None:
        self._keep(self.parts, (*self.frame.own(threads), run), sums)

    @contextmanager
    def _runs(self, threads: Threads) -> Iterator[tuple[n.Atom, n.Atom]]:
        """What is written meanwhile is done for each run of a thread: its number, and that of its first iteration."""
        write, scan = self.write, self.directive
        thread = self._thread(threads)
        row = write.op("mul", write.op("floordiv", thread, ROW), ROW * scan.each)
        begin = write.op("add", row, write.op("mul", write.op("mod", thread, ROW), scan.run))
        with write.loop(f"{self.loop.label}.run", 0, self.runs, "unroll", stem="run") as loop:
            yield loop.index, write.op("add", begin, write.op("mul", loop.index, ROW * scan.run))

    def _run(self, place: Place, carried: Sequence[n.Atom], known: Mapping[str, n.Atom]) -> None:
        """A phase in which every thread runs its runs for what it stores."""
        write, each = self.write, self.found.each
        assert place.whole is not None
        with self.frame.phase() as threads:
            values, bases = self._based(carried, known)
            for is_whole in (True, False):
                side = write.when(place.whole) if is_whole else write.otherwise()
                with side, self._runs(threads) as (run, number):
                    begins = self._kept(self.begins, (*self.frame.own(threads), run))
                    inits = self._inits(carried, begins, values)
                    if is_whole:
                        self._all(each, place, values, threads, run, number, inits, bases)
                    else:
                        self._some(each, place, values, number, inits, bases)

    # --------------------------------------------------------------------------------------------------- a run

    def _all(
        self, part: n.For, place: Place, known: Mapping[str, n.Atom], threads: Threads, run: n.Atom, number: n.Atom,
        inits: Sequence[n.Atom], bases: Mapping[int, n.Var],
    ) -> Sequence[n.Atom]:  # fmt: skip
        """A whole run, of which a thread holds elements."""
        write, stepped = self.write, self.write.names.fresh("number", PYINT)
        body = in_order(through(part, self.staged, self.arrays, stepped, bases))
        held = dict(self._held_lets(body, part))
        rest = tuple(s for s in body.statements if not (isinstance(s, n.Let) and s.var.name in held))
        with write.loop(part.label, 0, self.directive.run, "unroll", inits, "step") as loop:
            values = self._values(part, place, known, {stepped.name: write.op("add", number, loop.index)}, loop.values)
            own = (*self.frame.own(threads), run, loop.index)
            values.update((name, write.load(array, *own)) for name, array in held.items())
            loop.next = write.copy(replace(body, statements=rest), values)
        return loop.results

    def _held_lets(self, body: n.Block, part: n.For) -> Iterator[tuple[str, n.Var]]:
        """What an iteration loads that its thread holds, and in which array."""
        for let in body.statements:
            load = let.value if isinstance(let, n.Let) else None
            if isinstance(let, n.Let) and isinstance(load, n.Load) and load.indices and load.indices[-1] == part.index:
                array = self.held.get((load.view, load.indices[:-1]))
                if array is not None:
                    yield let.var.name, array

    def _some(
        self, part: n.For, place: Place, known: Mapping[str, n.Atom], number: n.Atom, inits: Sequence[n.Atom],
        bases: Mapping[int, n.Var],
    ) -> Sequence[n.Atom]:  # fmt: skip
        """As much of a run as there is of the last tile, straight from memory."""
        write, stepped = self.write, self.write.names.fresh("number", PYINT)
        body = in_order(through(part, self.staged, self.arrays, stepped, bases))
        left = write.op("sub", write.op("sub", place.last, place.first), number)
        trips = write.op("min", left, self.directive.run)
        with write.loop(part.label, 0, trips, "rolled", inits, "step") as loop:
            values = self._values(part, place, known, {stepped.name: write.op("add", number, loop.index)}, loop.values)
            loop.next = write.copy(body, values)
        return loop.results

    def _values(
        self, part: n.For, place: Place, known: Mapping[str, n.Atom], number: Mapping[str, n.Atom],
        carried: Sequence[n.Atom],
    ) -> dict[str, n.Atom]:  # fmt: skip
        """What variables stand for in an iteration with a number in its tile."""
        (stepped,) = number.values()
        values = {**known, **number, part.index.name: self.write.op("add", place.first, stepped)}
        return {**values, **{a.var.name: v for a, v in zip(part.args, carried, strict=True)}}
