"""The blocks and threads of a kernel: which iterations a block runs, and phases of its threads, one after the other."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from math import prod
from typing import cast

from weft.ir import nodes as n
from weft.ir.types import PYBOOL, PYINT, Scalar, View
from weft.ir.visit import Names, rewrite, walk
from weft.schedule.directives import AXES, Axis, Bind, Deal, Privatise, Scan, Schedule, Share, Slide, Stage, Steps, Walk
from weft.schedule.lowering.lanes import Accesses, side_by_side
from weft.schedule.nests import flattened, grid_chain
from weft.schedule.writing import Writing
from weft.transform.simplify.dce import cleaned
from weft.transform.vector.fma_reductions import fused

LONG, LONG_WAY = 600, 150
"""Statements of a kernel, and of each of two ways to access arrays, from which on each way is a kernel by itself,
which compiles sooner."""


@dataclass(frozen=True)
class Dimension:
    """An axis of the grid: the bounds of its loop as atoms of the kernel's parameters, and what a block runs of it.

    `slack` is how many iterations the first block may begin before the first of a launch: so that it begins at a
    multiple of a run, or, if it `moves`, where an array does.
    """

    start: n.Atom
    stop: n.Atom
    axis: Axis
    step: int
    slack: int = 0
    moves: bool = False


@dataclass(frozen=True)
class Lowered:
    """A kernel whose loops are laid out, and its grid, the last axis first."""

    kernel: n.Kernel
    dimensions: tuple[Dimension, ...]


@dataclass(frozen=True, eq=False)
class Bound:
    """A loop over blocks and threads. A block runs `bind.step` values of the user's counter from `origin` on, of which
    those from `low` on and below `high` are in the loop. Runs begin `aligned` values behind multiples of their length.
    """

    loop: n.For
    bind: Bind
    offset: n.Var
    extent: n.Var
    block: n.Var
    count: n.Atom
    low: n.Atom
    high: n.Atom
    origin: n.Var
    aligned: n.Atom

    @property
    def is_aligned(self) -> bool:
        """Whether blocks begin at multiples of the length of a run."""
        return self.bind.axis == "x" and self.bind.run > 1


Threads = Mapping[str, n.Atom]
"""The counters of a phase's threads, by the label of the loop that they run."""


@dataclass
class Folding:
    """What threads fold together: the `parts` of a thread, and what all know afterwards."""

    results: tuple[n.Var, ...]
    parts: tuple[n.Atom, ...] = ()


class Frame:
    """The kernel that is being laid out."""

    def __init__(self, kernel: n.Kernel, schedule: Schedule, names: Names) -> None:
        self.kernel, self.names = kernel, names
        self.write = Writing(names, kernel.location)
        binds = {d.loop: d for d in schedule if isinstance(d, Bind)}
        self.shares = tuple(d for d in schedule if isinstance(d, (Share, Deal, Scan)))
        self.chain = grid_chain(kernel)[: len(binds)]
        self.before = kernel.body.statements[: -1 if self.chain else None]
        self.flat = flattened(self.chain)
        self._origins: list[n.Statement] = []
        self._moves = any(isinstance(d, Privatise) for d in schedule)
        with self.write.apart() as self._counts:
            self.bounds = tuple(self._bound(loop, binds[loop.label]) for loop in self.chain)
        self.by_loop = {bound.loop.label: bound for bound in self.bounds}
        shown: list[Bind | Share | Deal | Scan] = [*binds.values(), *self.shares]
        bounded = (Bind, Slide, Share, Stage, Steps, Privatise, Scan, Walk, Deal)
        self.resident = max((d.blocks for d in schedule if isinstance(d, bounded)), default=1)
        self.uniform: n.Uniform | None = None
        """A test that has one outcome in all blocks of many launches."""
        self._if_long = False
        self.handed: tuple[n.Atom, ...] = ()
        """What a block hands on to the next one, where the loop over blocks carries values."""
        self.directives = sorted(_with_threads(shown), key=lambda d: AXES.index(d.axis), reverse=True)
        """What loops over threads stand for, x last."""
        self._idle = [bind.loop for bind in binds.values() if bind not in self.directives]
        groups = {d.axis: d.group for d in self.directives}
        self.group = tuple(groups.get(axis, 1) for axis in AXES)
        """The threads of a block along x, y and z."""
        self.threads = prod(self.group)
        """The threads of a block."""

    def _counters(self) -> tuple[dict[str, n.Var], Threads]:
        """New counters of loops over threads, and those of a thread by all loops: of those that it is alone in, too."""
        counters = {d.loop: self.names.fresh(f"{self._stem(d.loop)}_thread", PYINT) for d in self.directives}
        return counters, {**counters, **dict.fromkeys(self._idle, n.Const(0))}

    def _bound(self, loop: n.For, bind: Bind) -> Bound:
        write, stem = self.write, loop.index.stem
        offset, extent = self.names.fresh(f"{stem}_offset", PYINT), self.names.fresh(f"{stem}_extent", PYINT)
        low, high = (
            write.op("add", loop.start, offset, f"{stem}_low"),
            write.op("add", loop.start, extent, f"{stem}_high"),
        )
        block, origin = self.names.fresh(f"{stem}_block", PYINT), self.names.fresh(f"{stem}_origin", PYINT)
        made = Bound(loop, bind, offset, extent, block, n.Const(0), low, high, origin, n.Const(0))
        first: n.Atom = low
        if made.is_aligned:
            made = replace(made, aligned=self._aligned(made) if self._moves else n.Const(0))
            beyond = write.op("mod", write.op("sub", low, made.aligned), bind.run)
            first = write.op("sub", low, beyond, f"{stem}_first")
        padded = write.op("add", write.op("sub", high, first), bind.step - 1)
        count = write.op("floordiv", padded, bind.step, f"{stem}_blocks")
        with write.apart() as begin:
            scaled = write.op("mul", block, bind.step)
            write.add(n.Let(origin, n.Binary("add", scaled, first, checked=False), loop.location))
        self._origins += begin
        return replace(made, count=count)

    def _aligned(self, bound: Bound) -> n.Atom:
        """The first iteration whose element of an array that is read in runs is aligned to vectors."""
        run, overlaps = bound.bind.run, frozenset(self.kernel.overlaps)
        return self.first_aligned(side_by_side(self.flat, bound.loop.index, run, overlaps, in_whole_rows=True))

    def first_aligned(self, accesses: Accesses) -> n.Atom:
        """The same of some accesses."""
        run = accesses.lanes
        if not accesses.views or any(accesses.beside.values()) or any(_ndim(view) != 1 for view in accesses.views):
            return n.Const(0)
        view = accesses.views[0]
        found: n.Atom = n.Const(run - 1)
        tests = [self._test(self.behind(view, n.Const(k)), run) for k in range(run - 1)]
        for k, test in reversed(list(enumerate(tests))):
            found = self.write.let(n.Select(test, n.Const(k), found), PYINT, "aligned")
        return found

    def _test(self, view: n.Var, run: int) -> n.Var:
        size = cast(Scalar, cast(View, view.type).element).size
        return self.write.let(n.Aligned(view, run * size), PYBOOL, "aligned")

    def behind(self, view: n.Var, place: n.Atom) -> n.Var:
        """An array of one axis from one of its elements on, from its last one at most."""
        write = self.write
        if place == n.Const(0):
            return view
        extent = write.let(n.Dim(view, 0), PYINT, "extent")
        length = write.op("min", extent, 1)
        first = write.op("max", 0, write.op("min", place, write.op("sub", extent, 1)))
        return write.let(n.Subview(view, (n.Slice(first, length, n.Const(1)),), "safe"), view.type, view.stem)

    # -------------------------------------------------------------------------------------------- phases

    @contextmanager
    def phase(self, under_way: int | None = None) -> Iterator[Threads]:
        """What is written meanwhile is run by every thread of a block, after all threads did what came before.

        `under_way` is given for phases with late stores: how many of these may go on when it ends.
        """
        write = self.write
        counters, threads = self._counters()
        with write.apart() as statements:
            yield threads
        block = n.Block(tuple(statements))
        for directive in reversed(self.directives):
            label, count = write.label(f"{directive.loop}.thread"), n.Const(directive.group)
            index = counters[directive.loop]
            loop = n.For(label, index, n.Const(0), count, block, mapping="threads", location=write.location)
            last = directive is self.directives[0]
            block = n.Block((replace(loop, under_way=under_way) if last else loop,))
        write.add(*block.statements)

    @contextmanager
    def fold(self, inits: Sequence[n.Atom], combines: Sequence[str]) -> Iterator[tuple[Threads, Folding]]:
        """A phase in which each thread gives a part of some values; then all know what the initial values and the parts
        of all threads, in order, are together."""
        write = self.write
        counters, threads = self._counters()
        results = tuple(self.names.fresh("folded", init.type) for init in inits)
        folding = Folding(results)
        outer = [tuple(self.names.fresh("folding", a.type) for a in inits) for _ in self.directives]
        with write.apart() as statements:
            yield threads, folding
            triples = zip(combines, outer[-1], folding.parts, strict=True)
            made = tuple(write.let(_joined(op, before, part), part.type, "folded") for op, before, part in triples)
        block = n.Block(tuple(statements), made)
        for depth, directive in reversed(list(enumerate(self.directives))):
            given = outer[depth - 1] if depth else inits
            args = tuple(n.LoopArg(v, a, op) for v, a, op in zip(outer[depth], given, combines, strict=True))
            inner = tuple(self.names.fresh("folded", a.type) for a in inits) if depth else results
            label, count = write.label(f"{directive.loop}.thread"), n.Const(directive.group)
            loop = n.For(label, counters[directive.loop], n.Const(0), count, block, args, inner, mapping="threads")
            block = n.Block((replace(loop, location=write.location),), inner)
        write.add(*block.statements)

    def _stem(self, label: str) -> str:
        return label.partition("@")[0].partition(".")[0]

    def number(self, threads: Threads) -> n.Atom:
        """The number of a thread in its block, x fastest."""
        total: n.Atom = n.Const(0)
        for directive in self.directives:
            scaled = self.write.op("mul", total, directive.group)
            total = self.write.op("add", scaled, threads[directive.loop], "thread")
        return total

    def registers(self, shape: Sequence[int], element: Scalar, stem: str) -> n.Var:
        """An array for each thread that lives as long as the block; its first indices are `own`."""
        return self.write.alloc((*(d.group for d in self.directives), *shape), element, "registers", stem)

    def own(self, threads: Threads) -> tuple[n.Atom, ...]:
        """The first indices of a thread's array."""
        return tuple(threads[d.loop] for d in self.directives)

    # ------------------------------------------------------------------------------------------- positions

    def whole(self) -> n.Atom:
        """Whether all iterations of the block are in the loops."""
        return self.write.both([condition for bound in self.bounds for condition in self._whole(bound)])

    def _whole(self, bound: Bound) -> Iterator[n.Atom]:
        if bound.is_aligned:
            yield self.write.compare("ge", bound.origin, bound.low)
        yield self.write.compare("le", self.write.op("add", bound.origin, bound.bind.step), bound.high)

    def is_uniform(
        self,
        test: n.Atom,
        runs: Sequence[tuple[Bound, int]],
        multiples: Sequence[tuple[n.Atom, int]],
        aligned: Sequence[tuple[n.Var, int]],
    ) -> None:
        """Note that a test is whether loops begin and end at multiples of the lengths of `runs`, and some conditions
        hold that are the same for all blocks."""
        multiples = [*multiples, *((bound.loop.start, length) for bound, length in runs)]
        known = {param.name for param in self.kernel.params}
        atoms = [atom for atom, _ in (*multiples, *aligned)]
        is_known = all(isinstance(a, n.Const) or a.name in known for a in atoms)
        if isinstance(test, n.Var) and (multiples or aligned) and is_known:
            multiples += [(end, length) for bound, length in runs for end in (bound.offset, bound.extent)]
            self.uniform = n.Uniform(test, tuple(multiples), tuple(aligned))

    def has_vectors(
        self, test: n.Atom, aligned: Sequence[tuple[n.Var, int]], whole: Sequence[tuple[n.Var, int]] = ()
    ) -> None:
        """Note that a test is whether arrays and their rows begin at multiples of some bytes, and the rows of some have
        a multiple of some elements. Only long kernels have a version for each outcome."""
        if isinstance(test, n.Var) and aligned and {view for view, _ in (*aligned, *whole)} <= {*self.kernel.params}:
            self.uniform = n.Uniform(test, aligned=tuple(dict.fromkeys(aligned)), whole=tuple(whole))
            self._if_long = True

    def has_few(self, view: n.Var, tests: Sequence[tuple[n.Atom, int]]) -> None:
        """Note that tests, each where the one before does not hold, are whether an array has at most some elements.
        Only long kernels have a version for each outcome."""
        self.uniform, self._if_long = None, True
        for test, most in reversed(tests):
            if isinstance(test, n.Var) and view in self.kernel.params:
                self.uniform = n.Uniform(test, few=((view, most),), orelse=self.uniform)

    def first(self, bound: Bound, thread: n.Atom) -> n.Atom:
        """The counter of a thread's first point, where its points lie in runs."""
        begin = self.write.op("mul", thread, bound.bind.run)
        return self.write.op("add", bound.origin, begin, bound.loop.index.stem)

    def point(self, bound: Bound, first: n.Atom, point: n.Atom | int) -> n.Atom:
        """The counter of one of a thread's points, in runs, from that of the first."""
        bind, write = bound.bind, self.write
        run = write.op("floordiv", point, bind.run) if bind.points > bind.run else 0
        within = write.op("mod", point, bind.run) if bind.points > bind.run else point
        return write.sum(first, write.op("mul", run, bind.group * bind.run), within, stem=bound.loop.index.stem)

    def spread(self, bound: Bound, thread: n.Atom, point: n.Atom | int) -> n.Atom:
        """The counter of one of a thread's points, where neighbouring threads run neighbours."""
        begin = self.write.op("mul", point, bound.bind.group)
        return self.write.sum(bound.origin, begin, thread, stem=bound.loop.index.stem)

    def inside(self, bound: Bound, counter: n.Atom) -> n.Atom:
        """Whether a counter is in the loop."""
        above = [self.write.compare("ge", counter, bound.low)] if bound.is_aligned else []
        return self.write.both([*above, self.write.compare("lt", counter, bound.high)])

    # ---------------------------------------------------------------------------------------------- finish

    def finish(self) -> Lowered:
        """The kernel with all that was written as what a block does."""
        block = n.Block((*self._origins, *self.write.statements))
        nested = sorted(self.bounds, key=lambda bound: AXES.index(bound.bind.axis), reverse=True)
        for bound in reversed(nested):
            label, count = f"{bound.loop.label}.block", bound.count
            if bound.loop.args:
                block = replace(block, yields=self.handed)
            made = replace(
                bound.loop, label=label, index=bound.block, start=n.Const(0), stop=count, body=block, mapping="blocks",
                steps=None,
            )  # fmt: skip
            block = n.Block((made,))
        body = cleaned(n.Block((*self.before, *self._counts, *block.statements)))
        params = (*self.kernel.params, *(v for bound in nested for v in (bound.offset, bound.extent)))
        axes = dict(zip((bound.loop.label for bound in reversed(nested)), AXES, strict=False))
        steps = {axes[bound.loop.label]: bound.bind.step for bound in self.bounds}
        dimensions = tuple(self._dimension(b, axes[b.loop.label]) for b in nested)
        step = tuple(steps.get(axis, 1) for axis in AXES)
        uniform = self.uniform if self._has_long_ways(body) else None
        kernel = replace(
            self.kernel, params=params, body=body, group=self.group, step=step, resident=self.resident, uniform=uniform
        )
        return Lowered(kernel, dimensions)

    def _has_long_ways(self, body: n.Block) -> bool:
        """Whether the uniform test of a kernel is to choose between two kernels."""
        if self.uniform is None or not self._if_long:
            return True
        tests = [s for s in walk(body) if isinstance(s, n.If) and s.condition == self.uniform.test]
        ways = zip(*(map(_length, (test.then, test.orelse)) for test in tests), strict=True)
        return _length(body) >= LONG and min(map(sum, ways), default=0) >= LONG_WAY

    @staticmethod
    def _dimension(bound: Bound, axis: Axis) -> Dimension:
        slack = bound.bind.run - 1 if bound.is_aligned else 0
        moves = bound.aligned != n.Const(0)
        return Dimension(bound.loop.start, bound.loop.stop, axis, bound.bind.step, slack, moves)


def _with_threads(shown: Sequence[Bind | Share | Deal | Scan]) -> list[Bind | Share | Deal | Scan]:
    """Directives without those of loops that have one thread of a block along an axis which another one has, too."""
    kept: list[Bind | Share | Deal | Scan] = []
    for k, directive in enumerate(shown):
        others = [*kept, *shown[k + 1 :]]
        if directive.group > 1 or all(d.axis != directive.axis for d in others):
            kept.append(directive)
    return kept


def _joined(op: str, before: n.Atom, part: n.Atom) -> n.Binary:
    return n.Binary(cast(n.BinaryOp, op), before, part, checked=False)


def _length(block: n.Block) -> int:
    """How many statements are in a block."""
    return sum(1 for _ in walk(block))


def _ndim(view: n.Var) -> int:
    return cast(View, view.type).ndim


def sequential(statement: n.Statement) -> n.Statement:
    """A loop as one work item runs it: in order, without partial results. Other statements stay."""
    if not isinstance(statement, n.For):
        return statement
    args = tuple(replace(arg, combine=None) for arg in statement.args)
    mapping: n.Mapping = "sequential" if statement.mapping in ("parallel", "lanes", "turns") else statement.mapping
    return replace(statement, mapping=mapping, args=args)


def in_order(block: n.Block) -> n.Block:
    """What one work item runs by itself: its loops in order, their sums with fused products."""
    return rewrite(block, lambda s: sequential(fused(s)) if isinstance(s, n.For) else s)
