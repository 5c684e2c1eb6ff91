"""Sums of points in registers: what comes before and after them, and where the threads of a block have their points."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from math import gcd, prod
from typing import TypeAlias

from weft.ir import nodes as n
from weft.ir.scribe import TRUE
from weft.ir.types import PYBOOL
from weft.ir.visit import defined_by, walk
from weft.schedule.frame import Bound, Frame, Threads, in_order
from weft.schedule.lowering.lanes import Accesses, lanes_of, side_by_side, write_run
from weft.schedule.lowering.points import vector_loop
from weft.schedule.nests import Reduction, names_in, slice_of
from weft.schedule.writing import scalar

ACROSS, DOWN = 8, 4
"""The threads of a warp along two loops: next to a square, few elements serve all of them."""


MANY_POINTS = 128
"""Points of a thread from which on most of the time that a compiler takes is for what is written out for each."""

Inside: TypeAlias = Callable[[Bound, n.Atom, n.Atom], n.Atom]
"""Whether a counter of a loop is in it, from the counter and the number of the point."""


class Sums:
    """A block of points, each with sums in registers.

    Parameters
    ----------
    frame
        The kernel that is being laid out.
    found
        The loop that forms the sums, and what stands around it.
    loop
        The same loop as it is to be run.
    warp
        The threads of a warp along x and y.
    """

    def __init__(self, frame: Frame, found: Reduction, loop: n.For, warp: tuple[int, int]) -> None:
        self.frame, self.write, self.loop, self.warp = frame, frame.write, loop, warp
        self.after = in_order(found.after)
        self.before, self.rare = _overwritten_apart(in_order(found.before), self.after, frame)
        self.points = [bound.bind.points for bound in frame.bounds]
        self.sums = [frame.registers(self.points, scalar(a.var.type), a.var.stem) for a in loop.args]
        self.run = vector_loop(frame)
        self.piece = self._piece()
        self.condition, after = _condition_apart(self.after, frame)
        self.writing = n.Block((*slice_of(self.before, names_in(after)).statements, *after.statements))
        self.written = self._written()

    def _piece(self) -> int:
        """The part of a run that is stored as one vector."""
        lanes = self.run.bind.run if self.run is not None else 1
        return gcd(lanes, *(lanes_of(scalar(arg.var.type)) for arg in self.loop.args))

    def _written(self) -> Accesses:
        if self.run is None:
            return Accesses()
        overlaps, results = frozenset(self.frame.kernel.overlaps), frozenset(r.name for r in self.loop.results)
        return side_by_side(self.writing, self.run.loop.index, self.piece, overlaps, results)

    def begin(self, threads: Threads, is_fast: bool) -> None:
        """What comes before the reduction, and its initial values."""
        inits = tuple(arg.init for arg in self.loop.args)
        is_same = all(isinstance(init, n.Const) for init in inits)
        with every_point(self.frame, self.frame.bounds) as points:
            if is_same:
                self._set(threads, points, inits)
        with every_counter(self.frame, self.spots(threads), not is_fast) as (points, counters):
            made = self.compute(n.Block(self.before.statements, inits), threads, points, counters)
            if not is_same:
                self._set(threads, points, made)
        for condition, store in self.rare:
            unassigned = self.write.let(n.Unary("not", condition, checked=False), PYBOOL, "unassigned")
            point = every_counter(self.frame, self.spots(threads), not is_fast, "rolled")
            with self.write.when(unassigned), point as (_, counters):
                self.write.copy(n.Block((*self.before.statements, store)), counters)

    def compute(
        self, block: n.Block, threads: Threads, points: Sequence[n.Atom], counters: Mapping[str, n.Atom]
    ) -> tuple[n.Atom, ...]:
        """What a block that comes before the reduction yields for a point with some counters."""
        return self.write.copy(block, counters)

    def _set(self, threads: Threads, points: Sequence[n.Atom], values: Sequence[n.Atom]) -> None:
        """Give the sums of a point their values."""
        for array, value in zip(self.sums, values, strict=True):
            self.write.store(array, (*self.frame.own(threads), *points), value)

    def spots(self, threads: Threads) -> dict[str, n.Atom]:
        """The place of a thread among those of its block, by loop; those of a warp lie together along two loops."""
        write, (x, y, z) = self.write, self.frame.group
        across, down = self.warp
        spots: dict[str, n.Atom] = dict(threads)
        if x % across or y % down or z > 1:
            return spots
        lane, _ = self.in_warp(threads)
        for directive in self.frame.directives:
            if directive.axis != "z":
                place = write.op("mod" if directive.axis == "x" else "floordiv", lane, across)
                spots[directive.loop] = write.op("add", self.warp_begins(threads)[directive.axis], place)
        return spots

    def in_warp(self, threads: Threads) -> tuple[n.Atom, n.Atom]:
        """The number of a thread in its warp, and that of the warp."""
        number, warp = self.frame.number(threads), ACROSS * DOWN
        return self.write.op("mod", number, warp), self.write.op("floordiv", number, warp)

    def warp_begins(self, threads: Threads) -> dict[str, n.Atom]:
        """The first place of a warp along x and y."""
        across, down = self.warp
        (_, warp), write, warps = self.in_warp(threads), self.write, self.frame.group[0] // across
        return {
            "x": write.op("mul", write.op("mod", warp, warps), across),
            "y": write.op("mul", write.op("floordiv", warp, warps), down),
        }

    def end(self, threads: Threads, is_fast: bool, in_runs: bool = True, is_cut: bool = False) -> None:
        """What follows the reduction, with its results: of a whole block without tests, and with vectors `in_runs`. A
        block that `is_cut` by the ends of loops leaves out runs that are not in them."""
        with self.write.when(self.condition):
            if is_fast and in_runs and self.run is not None:
                self._end_runs(threads, self.run, is_cut)
                return
            is_tested = is_cut or not is_fast
            many = prod(self.points) >= MANY_POINTS and len(self.points) > 1
            known = self._known_inside(threads) if is_tested and many else None
            with every_counter(self.frame, self.spots(threads), is_tested, inside=known) as (points, counters):
                self.write.copy(self.writing, {**counters, **self._results(threads, points)})

    def _known_inside(self, threads: Threads) -> Inside:
        """Tests that are made once for all points with one place along the innermost loop: there are many points."""
        frame, write, last = self.frame, self.write, self.frame.bounds[-1]
        own, spot = frame.own(threads), self.spots(threads)[last.loop.label]
        flags = frame.registers((last.bind.points,), PYBOOL, "known")
        with every_point(frame, (last,)) as (point,):
            write.store(flags, (*own, point), frame.inside(last, frame.point(last, frame.first(last, spot), point)))

        def inside(bound: Bound, counter: n.Atom, point: n.Atom) -> n.Atom:
            return write.load(flags, *own, point) if bound is last else frame.inside(bound, counter)

        return inside

    def _end_runs(self, threads: Threads, run: Bound, is_cut: bool) -> None:
        write, frame, spots = self.write, self.frame, self.spots(threads)
        others = [bound for bound in frame.bounds if bound is not run]
        with every_point(frame, others) as chosen:
            at = dict(zip((bound.loop.label for bound in others), chosen, strict=True))
            counters = {
                b.loop.index.name: frame.point(b, frame.first(b, spots[b.loop.label]), at[b.loop.label]) for b in others
            }
            inside = [frame.inside(b, counters[b.loop.index.name]) for b in others] if is_cut else []
            with write.when(write.both(inside)):
                for number in range(0, run.bind.points, self.piece):
                    first = frame.point(run, frame.first(run, spots[run.loop.label]), number)
                    values: list[dict[str, n.Atom]] = []
                    for lane in range(self.piece):
                        places = [at.get(b.loop.label, n.Const(number + lane)) for b in frame.bounds]
                        values.append({**counters, **self._results(threads, places)})
                    with write.when(write.compare("lt", first, run.high) if is_cut else TRUE):
                        write_run(write, self.writing, run.loop.index, first, self.written, values)

    def _results(self, threads: Threads, points: Sequence[n.Atom]) -> dict[str, n.Atom]:
        own = self.frame.own(threads)
        pairs = zip(self.loop.results, self.sums, strict=True)
        return {result.name: self.write.load(array, *own, *points) for result, array in pairs}


@contextmanager
def every_point(frame: Frame, bounds: Sequence[Bound], mapping: n.Mapping = "unroll") -> Iterator[list[n.Atom]]:
    """Loops over the points that a thread has along some loops; gives their numbers."""
    with ExitStack() as stack:
        points: list[n.Atom] = []
        for bound in bounds:
            if bound.bind.points == 1:
                points.append(n.Const(0))
                continue
            loop = frame.write.loop(f"{bound.loop.label}.point", 0, bound.bind.points, mapping, stem="point")
            points.append(stack.enter_context(loop).index)
        yield points


@contextmanager
def every_counter(
    frame: Frame, spots: Mapping[str, n.Atom], is_tested: bool, mapping: n.Mapping = "unroll",
    inside: Inside | None = None,
) -> Iterator[tuple[list[n.Atom], dict[str, n.Atom]]]:  # fmt: skip
    """The same over all loops, with the counters of each point, where `is_tested` only those that are `inside`."""
    test = inside or (lambda bound, counter, point: frame.inside(bound, counter))
    with ExitStack() as stack:
        points: list[n.Atom] = []
        counters: dict[str, n.Atom] = {}
        for bound in frame.bounds:
            points += stack.enter_context(every_point(frame, (bound,), mapping))
            counter = frame.point(bound, frame.first(bound, spots[bound.loop.label]), points[-1])
            stack.enter_context(frame.write.when(test(bound, counter, points[-1]) if is_tested else TRUE))
            counters[bound.loop.index.name] = counter
        yield points, counters


def _overwritten_apart(
    before: n.Block, after: n.Block, frame: Frame
) -> tuple[n.Block, tuple[tuple[n.Atom, n.Store], ...]]:
    """What comes before a reduction without assignments to elements that what follows assigns, before anything reads
    them; and those of them that matter where a condition does not hold, which is the same for all points."""
    if any(map(_reads, (*before.statements, *walk(after)))):
        return before, ()
    local = _local(after, frame)
    places: dict[tuple[n.Var, tuple[n.Atom, ...]], n.Atom] = {}
    for statement in after.statements:
        is_branch = isinstance(statement, n.If) and not statement.results
        condition = statement.condition if isinstance(statement, n.If) else TRUE
        for store in statement.then.statements if is_branch and isinstance(statement, n.If) else (statement,):
            is_known = not isinstance(condition, n.Var) or condition.name not in local
            if isinstance(store, n.Store) and is_known and store.view.name not in frame.kernel.overlaps:
                places.setdefault((store.view, store.indices), condition)
    found = [(places.get((s.view, s.indices)) if isinstance(s, n.Store) else None, s) for s in before.statements]
    kept = n.Block(tuple(s for condition, s in found if condition is None))
    return kept, tuple((c, s) for c, s in found if c is not None and c != TRUE and isinstance(s, n.Store))


def _condition_apart(after: n.Block, frame: Frame) -> tuple[n.Atom, n.Block]:
    """What follows a reduction without a condition of all of it that is the same for all points, and that condition."""
    (statement, *more) = after.statements or (None,)
    if not isinstance(statement, n.If) or more or statement.results or statement.orelse.statements:
        return TRUE, after
    condition = statement.condition
    is_known = isinstance(condition, n.Var) and condition.name not in _local(after, frame)
    return (condition, statement.then) if is_known else (TRUE, after)


def _local(after: n.Block, frame: Frame) -> set[str]:
    """Names of what may differ from point to point."""
    local = {v.name for s in (*frame.flat.statements, *walk(after)) for v in defined_by(s)}
    return local | {bound.loop.index.name for bound in frame.bounds}


def _reads(statement: n.Statement) -> bool:
    """Whether a statement reads memory, or does what is not known."""
    if isinstance(statement, n.Let):
        return isinstance(statement.value, n.Load)
    return not isinstance(statement, (n.Store, n.If))
