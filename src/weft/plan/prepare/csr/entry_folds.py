"""How a thread folds a row of a tile from what entries, runs and groups of runs give: see
`weft.plan.prepare.csr.entries`."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from weft.ir import nodes as n
from weft.ir.neutral import identity
from weft.ir.types import PYINT
from weft.ir.visit import Names
from weft.plan.prepare.csr.balanced import UnevenWriter
from weft.plan.prepare.csr.rows import Rows
from weft.schedule.writing import scalar
from weft.transform.whole_loop import WholeLoop

RUN = 4
"""Neighbouring entries of a thread."""

GROUP = 8
"""Runs that are folded before rows are."""

AT_ONCE = 8
"""Groups that a thread reads before it adds them up."""


@dataclass(frozen=True)
class Window:
    """The entries of a tile, from `low` up to `high`; those from `base` on are kept, and `hull` is where arrays end."""

    low: n.Atom
    high: n.Atom
    base: n.Atom
    hull: n.Atom


class EntryFolds(UnevenWriter):
    """Folds rows from arrays of a block.

    In `entries` is what these give, in `runs` what `RUN` of them give, in `groups` what `GROUP` of those do; in the
    element of `outside` whether an index was.
    """

    entries: Sequence[n.Var]
    runs: Sequence[n.Var]
    groups: Sequence[n.Var]
    outside: n.Var | None

    def __init__(self, rows: Rows, names: Names, count: int, few: int, whole: WholeLoop) -> None:
        super().__init__(rows, names, count, few, whole)
        self.types = [scalar(arg.var.type) for arg in self.found.loop.args]
        self.neutral = [identity(arg.combine or "", arg.var.type) for arg in self.found.loop.args]

    def fold_part(self, window: Window, start: n.Atom, stop: n.Atom, values: Mapping[str, n.Atom]) -> Sequence[n.Var]:
        """Fold a part of a row from what entries, runs and groups give; by its loop where these are not there. In
        `values` is what stands for variables."""
        write, loop = self.write, self.found.loop
        inside = [write.compare("ge", start, window.low), write.compare("le", stop, window.high)]
        if self.outside is not None:
            noted = write.let(n.Cast(write.load(self.outside, 0), checked=False), PYINT, "outside")
            inside.append(write.compare("eq", noted, 0))
        with write.apart() as shared:
            folded = self._folded(window, start, stop)
        args = tuple(replace(arg, init=value) for arg, value in zip(loop.args, self.neutral, strict=True))
        with write.apart() as alone:
            found = write.copy(n.Block((replace(loop, start=start, stop=stop, args=args),), loop.results), values)
        results = tuple(self.names.fresh(r.stem, r.type) for r in loop.results)
        sides = n.Block(tuple(shared), folded), n.Block(tuple(alone), found)
        write.add(n.If(write.both(inside), *sides, results, write.location))
        return results

    def _folded(self, window: Window, start: n.Atom, stop: n.Atom) -> tuple[n.Atom, ...]:
        """What some entries of a row give, in five parts."""
        write = self.write
        ends = (write.op("max", window.low, write.op("min", place, window.high)) for place in (start, stop))
        first, last = (write.op("sub", place, window.base) for place in ends)
        run, run_end = self.divided(write.op("add", first, RUN - 1), RUN), self.divided(last, RUN)
        group, group_end = self.divided(write.op("add", run, GROUP - 1), GROUP), self.divided(run_end, GROUP)
        head = write.op("min", write.op("mul", run, RUN), last)
        run_head = write.op("min", write.op("mul", group, GROUP), run_end)
        values: tuple[n.Atom, ...] = tuple(self.neutral)
        values = self._fold_few(self.entries, first, head, values, RUN - 1)
        values = self._fold_few(self.runs, run, run_head, values, GROUP - 1)
        values = self._fold_some(self.groups, group, group_end, values)
        behind = write.op("max", write.op("mul", group_end, GROUP), run_head)
        values = self._fold_few(self.runs, behind, run_end, values, GROUP - 1)
        behind = write.op("max", write.op("mul", run_end, RUN), head)
        return self._fold_few(self.entries, behind, last, values, RUN - 1)

    def _fold_few(
        self, arrays: Sequence[n.Var], first: n.Atom, last: n.Atom, values: tuple[n.Atom, ...], most: int
    ) -> tuple[n.Atom, ...]:
        """What is carried, with at most so many elements of arrays behind it. None of them waits for the one before."""
        write = self.write
        for k in range(most):
            place = write.op("add", first, k)
            with write.apart() as loading:
                loaded = tuple(write.load(array, place) for array in arrays)
            found = tuple(self.names.fresh("found", value.type) for value in self.neutral)
            sides = n.Block(tuple(loading), loaded), n.Block((), tuple(self.neutral))
            write.add(n.If(write.compare("lt", place, last), *sides, found, write.location))
            values = tuple(self.joined(values, found))
        return values

    def _fold_some(
        self, arrays: Sequence[n.Var], first: n.Atom, last: n.Atom, values: tuple[n.Atom, ...]
    ) -> tuple[n.Atom, ...]:
        """What is carried, with any number of elements of arrays behind it."""
        write, label = self.write, f"{self.nest.label}.part"
        rounds = self.divided(write.trips(first, last), AT_ONCE)
        with write.loop(label, 0, rounds, "rolled", values, "round") as loop:
            place = write.op("add", first, write.op("mul", loop.index, AT_ONCE))
            loop.next = self._with_some(arrays, place, AT_ONCE, loop.values)
        rest = write.op("add", first, write.op("mul", rounds, AT_ONCE))
        with write.loop(label, rest, last, "rolled", loop.results, "place") as loop:
            loop.next = self._with_some(arrays, loop.index, 1, loop.values)
        return loop.results

    def _with_some(
        self, arrays: Sequence[n.Var], first: n.Atom, count: int, values: tuple[n.Atom, ...]
    ) -> tuple[n.Atom, ...]:
        """What is carried, with so many elements of arrays behind it."""
        places = [self.write.op("add", first, k) for k in range(count)]
        for loaded in [[self.write.load(array, place) for array in arrays] for place in places]:
            values = tuple(self.joined(values, loaded))
        return values
