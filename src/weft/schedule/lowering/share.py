"""A reduction that the threads of a block share: sums of rows and columns, and the pieces of a long sum.

A thread folds the iterations that it was dealt, runs of neighbours in round-robin, one result for each place in a run;
then one thread folds what all of a group have, in the order of the threads, and goes on with what follows. In large
groups some threads fold parts of that first. Which thread takes what depends on the number of iterations and the
schedule alone, so the result is the same on every run.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import replace
from typing import cast

from weft.ir import nodes as n
from weft.ir.effects import block_may_raise
from weft.ir.neutral import identity
from weft.ir.types import PYINT, Scalar
from weft.ir.visit import defined_by
from weft.schedule.directives import Bind, Share
from weft.schedule.frame import Frame, Threads, in_order, sequential
from weft.schedule.lowering.lanes import Accesses, side_by_side, write_abreast, write_run
from weft.schedule.lowering.points import aligned
from weft.schedule.lowering.zeros import signed, with_keys
from weft.schedule.nests import reduction_in
from weft.schedule.writing import scalar
from weft.transform.vector.fma_reductions import fused

PART = 32
"""Results of threads that one thread folds at most."""


def write_shared(frame: Frame, share: Share) -> None:
    """Write what a block does."""
    _Sharer(frame, share).share()


class _Sharer:
    def __init__(self, frame: Frame, share: Share) -> None:
        found = reduction_in(frame.flat, share.loop)
        assert found is not None
        self.frame, self.write, self.directive = frame, frame.write, share
        self.before, self.after = in_order(found.before), in_order(found.after)
        self.needed = found.needed()
        self.is_checked = block_may_raise(found.loop.body)
        self.keyed = keyed = with_keys(found.loop, frame.names)
        self.is_keyed = keyed is not found.loop
        self.combines = [cast(n.BinaryOp, arg.combine) for arg in keyed.args]
        self.neutral = [identity(arg.combine or "", arg.var.type) for arg in keyed.args]
        contracted = fused(keyed)
        made = sequential(replace(contracted, body=in_order(contracted.body)))
        assert isinstance(made, n.For)
        self.loop = made
        carried = frozenset(arg.var.name for arg in made.args)
        self.forced: list[tuple[n.Var, int]] = []
        self.quick = replace(made, body=self._forced_inside(made.body))
        overlaps = frozenset(frame.kernel.overlaps)
        self.accesses = side_by_side(self.quick.body, made.index, share.run, overlaps, carried)
        found_plain = side_by_side(made.body, made.index, share.run, overlaps, carried)
        self.plain = replace(found_plain, loads={}, stores=frozenset(), whole=frozenset(), views=())
        types = [scalar(arg.var.type) for arg in made.args]
        self.rows = self._rows()
        self.partial = self._partials(types, share.group + (1 if self.rows else 0))
        parts = share.group // PART
        self.parts = self._partials(types, parts) if share.group % PART == 0 and parts > 1 else self.partial
        self.places = max(share.run, share.ahead)
        self.own = [frame.registers((self.places,), t, "own") for t in types]

    def share(self) -> None:
        """Write both phases."""
        with self.frame.phase() as threads, self._inside(threads) as counters:
            self._fold_own(threads, counters)
        if self.parts is not self.partial:
            with self.frame.phase() as threads, self._inside(threads):
                self._fold_parts(threads)
        with self.frame.phase() as threads:
            first, is_first = self._first(threads)
            with self.write.when(is_first), self._inside(first) as counters:
                self._fold_all(first, counters)

    def _rows(self) -> Bind | None:
        """The loop whose iterations the neighbouring groups of a block have, if that is the only one in it."""
        others = [d for d in self.frame.directives if d is not self.directive and d.group > 1]
        is_small = self.directive.axis == "x" and self.directive.group <= PART
        return others[0] if is_small and len(others) == 1 and isinstance(others[0], Bind) else None

    def _first(self, threads: Threads) -> tuple[Mapping[str, n.Atom], n.Atom]:
        """The group for which a thread goes on, and whether there is one: the first threads of a block have one each.

        So few warps are busy with that, and each of them wholly.
        """
        if self.rows is None:
            return threads, self.write.compare("eq", threads[self.directive.loop], 0)
        number = self.frame.number(threads)
        group = {**threads, self.rows.loop: number, self.directive.loop: n.Const(0)}
        return group, self.write.compare("lt", number, self.rows.group)

    def _partials(self, types: Sequence[Scalar], count: int) -> list[n.Var]:
        """An array of a block for each result, with `count` places for each group of threads."""
        shape = [count if d is self.directive else d.group for d in self.frame.directives]
        return [self.write.alloc(shape, t, "shared", "partial") for t in types]

    @contextmanager
    def _inside(self, threads: Mapping[str, n.Atom]) -> Iterator[dict[str, n.Atom]]:
        """The part of a phase that only threads run whose iterations are in the loops; gives the counters."""
        counters: dict[str, n.Atom] = {}
        inside = []
        for bound in self.frame.bounds:
            counter = self.frame.spread(bound, threads[bound.loop.label], 0)
            counters[bound.loop.index.name] = counter
            inside.append(self.frame.inside(bound, counter))
        with self.write.when(self.write.both(inside)):
            yield counters

    # ---------------------------------------------------------------------------------------- first phase

    def _fold_own(self, threads: Threads, counters: Mapping[str, n.Atom]) -> None:
        """Fold what one thread was dealt."""
        write, needed = self.write, self.needed
        defined = tuple(s.var for s in needed.statements if isinstance(s, n.Let))
        made = write.copy(n.Block(needed.statements, (*defined, self.loop.start, self.loop.stop)), counters)
        values = {**counters, **{v.name: a for v, a in zip(defined, made, strict=False)}}
        *_, start, stop = made
        for own, neutral in zip(self.own, self.neutral, strict=True):
            for lane in range(self.places):
                write.store(own, (*self.frame.own(threads), lane), neutral)
        self._deal(threads, start, stop, values)
        for partial, own, op in zip(self.partial, self.own, self.combines, strict=True):
            lanes = [write.load(own, *self.frame.own(threads), k) for k in range(self.places)]
            write.store(partial, self.frame.own(threads), self._paired(op, lanes))

    def _deal(self, threads: Threads, start: n.Atom, stop: n.Atom, values: Mapping[str, n.Atom]) -> None:
        """Run the iterations that a thread was dealt: whole rounds, then what remains."""
        write, run, group = self.write, self.directive.run, self.directive.group
        thread = threads[self.directive.loop]
        trip = write.trips(start, stop, "trip")
        rounds = write.op("floordiv", trip, run * group, "rounds")
        first = write.op("add", start, write.op("mul", thread, run))
        conditions = aligned(write, self.accesses, values) if run > 1 else []
        if self.accesses.views and run > 1:
            conditions.append(write.compare("eq", write.op("mod", start, run), 0))
        for view, axis in dict.fromkeys(self.forced):
            conditions.append(write.compare("gt", write.let(n.Dim(view, axis), PYINT, "extent"), 0))
        if self._is_abreast():
            self._deal_abreast(threads, start, trip, conditions, values)
            return
        with write.when(write.both(conditions)):
            self._rounds(threads, first, rounds, values, self.quick, self.accesses)
        if conditions:
            with write.otherwise():
                self._rounds(threads, first, rounds, values, self.loop, self.plain)
        rest = write.sum(start, write.op("mul", rounds, run * group), thread)
        with write.loop(f"{self.loop.label}.rest", 0, run, stem="rest") as loop:
            counter = write.op("add", rest, write.op("mul", loop.index, group))
            with write.when(write.compare("lt", counter, stop)):
                self._run(threads, counter, [dict(values)], self.loop, self.plain)

    def _is_abreast(self) -> bool:
        """Whether a thread has several iterations under way at a time: these only compute."""
        are_lets = all(isinstance(statement, n.Let) for statement in self.quick.body.statements)
        return self.directive.ahead > 1 and self.directive.run == 1 and are_lets

    def _deal_abreast(
        self, threads: Threads, start: n.Atom, trip: n.Atom, conditions: Sequence[n.Atom], values: Mapping[str, n.Atom]
    ) -> None:
        """Run the iterations that a thread was dealt, several at a time, then those that remain one after the other."""
        write, group, ahead, thread = (
            self.write,
            self.directive.group,
            self.directive.ahead,
            threads[self.directive.loop],
        )
        first = write.op("add", start, thread)
        left = write.op("max", write.op("sub", write.op("add", trip, group - 1), thread), 0)
        count = write.op("floordiv", left, group, "count")
        rounds = write.op("floordiv", count, ahead, "rounds")
        with write.when(write.both(conditions)):
            with write.loop(f"{self.loop.label}.round", 0, rounds, "rolled", stem="round") as each:
                begin = write.op("add", first, write.op("mul", each.index, group * ahead))
                self._run_abreast(threads, [write.op("add", begin, k * group) for k in range(ahead)], values)
            self._run_each(threads, first, write.op("mul", rounds, ahead), count, self.quick, values)
        if conditions:
            with write.otherwise():
                self._run_each(threads, first, n.Const(0), count, self.loop, values)

    def _run_each(
        self, threads: Threads, first: n.Atom, begin: n.Atom, end: n.Atom, loop: n.For, values: Mapping[str, n.Atom]
    ) -> None:
        """Run some iterations of a thread, by their numbers, one after the other."""
        write = self.write
        with write.loop(f"{self.loop.label}.rest", begin, end, "rolled", stem="rest") as rest:
            counter = write.op("add", first, write.op("mul", rest.index, self.directive.group))
            self._run(threads, counter, [dict(values)], loop, self.plain)

    def _run_abreast(self, threads: Threads, counters: Sequence[n.Atom], values: Mapping[str, n.Atom]) -> None:
        """Run iterations statement by statement, each into the result of its place."""
        write, own = self.write, self.frame.own(threads)
        lanes = [{**values, self.loop.index.name: counter} for counter in counters]
        for place, known in enumerate(lanes):
            known.update((a.var.name, write.load(array, *own, place)) for a, array in self._args())
        write_abreast(write, self.quick.body, self.accesses.varying, lanes)
        for place, known in enumerate(lanes):
            for (_, array), y in zip(self._args(), self.loop.body.yields, strict=True):
                write.store(array, (*own, place), known.get(y.name, y) if isinstance(y, n.Var) else y)

    def _args(self) -> list[tuple[n.LoopArg, n.Var]]:
        """What the loop carries, and where a thread keeps it."""
        return list(zip(self.loop.args, self.own, strict=True))

    def _forced_inside(self, block: n.Block) -> n.Block:
        """What an iteration does with indices forced inside that would else be tested: a thread that leaves the loop
        would have to wait for each element before it reads the next one. Notes whose extents must not be zero."""
        params = {param.name for param in self.frame.kernel.params}
        statements: list[n.Statement] = []
        for statement in block.statements:
            value = statement.value if isinstance(statement, n.Let) else None
            if isinstance(value, n.Load) and value.bounds in ("python", "check") and value.view.name in params:
                self.forced += [(value.view, axis) for axis in range(len(value.indices))]
                statements += self._forced_load(cast(n.Let, statement), value)
            else:
                statements.append(statement)
        return replace(block, statements=tuple(statements))

    def _forced_load(self, let: n.Let, load: n.Load) -> list[n.Statement]:
        indices = load.indices
        with self.write.apart() as statements, self.write.at(let):
            if load.bounds == "python":
                indices = tuple(self._from_end(load.view, axis, index) for axis, index in enumerate(load.indices))
        return [*statements, replace(let, value=replace(load, indices=indices, bounds="clamp"))]

    def _from_end(self, view: n.Var, axis: int, index: n.Atom) -> n.Atom:
        """An index counted from the end where it is negative."""
        write = self.write
        extent = write.let(n.Dim(view, axis), PYINT, "extent")
        is_negative = write.compare("lt", index, 0)
        added = write.let(n.Select(is_negative, extent, n.Const(0)), PYINT, "added")
        return write.op("add", index, added)

    def _rounds(
        self, threads: Threads, first: n.Atom, rounds: n.Atom, values: Mapping[str, n.Atom], loop: n.For,
        accesses: Accesses,
    ) -> None:  # fmt: skip
        write, directive = self.write, self.directive
        with write.loop(f"{self.loop.label}.round", 0, rounds, stem="round") as each:
            counter = write.op("add", first, write.op("mul", each.index, directive.run * directive.group))
            self._run(threads, counter, [dict(values) for _ in range(directive.run)], loop, accesses)

    def _run(
        self, threads: Threads, first: n.Atom, values: list[dict[str, n.Atom]], loop: n.For, accesses: Accesses
    ) -> None:
        """Fold a run of neighbours, each into the result of its place."""
        write, own = self.write, self.frame.own(threads)
        for lane, known in enumerate(values):
            for arg, array in zip(loop.args, self.own, strict=True):
                known[arg.var.name] = write.load(array, *own, lane)
        write_run(write, loop.body, loop.index, first, accesses, values)
        for lane, known in enumerate(values):
            for y, array in zip(loop.body.yields, self.own, strict=True):
                write.store(array, (*own, lane), known.get(y.name, y) if isinstance(y, n.Var) else y)

    # --------------------------------------------------------------------------------------- second phase

    def _fold_all(self, threads: Mapping[str, n.Atom], counters: Mapping[str, n.Atom]) -> None:
        """Fold what all threads of a group have, and go on."""
        write = self.write
        defined = [v for s in self.before.statements for v in defined_by(s)]
        inits = [arg.init for arg in self.loop.args]
        made = write.copy(n.Block(self.before.statements, (*defined, *inits)), counters)
        values = {**counters, **{v.name: a for v, a in zip(defined, made, strict=False)}}
        count = self.directive.group if self.parts is self.partial else self.directive.group // PART
        given = self.neutral if self.is_keyed else made[len(defined) :]
        folded: Sequence[n.Atom] = self._folded(threads, self.parts, given, 0, count)
        if self.is_keyed:
            parts = signed(write, self.keyed, folded)
            begun = zip(self.combines, made[len(defined) :], parts, strict=False)
            folded = [self._combined(op, a, b) for op, a, b in begun]
        write.copy(self.after, {**values, **{r.name: a for r, a in zip(self.loop.results, folded, strict=False)}})

    def _fold_parts(self, threads: Threads) -> None:
        """Let some threads of a group fold what as many threads have as fit in a part: neighbours read neighbours."""
        write, parts, thread = self.write, self.directive.group // PART, threads[self.directive.loop]
        with write.when(write.compare("lt", thread, parts)):
            folded = self._folded(threads, self.partial, self.neutral, thread, PART, parts)
            for array, value in zip(self.parts, folded, strict=True):
                write.store(array, self.frame.own(threads), value)

    def _folded(
        self, threads: Mapping[str, n.Atom], arrays: Sequence[n.Var], inits: Sequence[n.Atom], first: n.Atom | int,
        count: int, step: int = 1,
    ) -> tuple[n.Atom, ...]:  # fmt: skip
        """What a number of places of a group give together, from `first` on in steps."""
        write = self.write
        loop = write.loop(f"{self.loop.label}.fold", 0, count, "unroll", inits, "part")
        with loop as folding:
            place = write.sum(write.op("mul", folding.index, step), first)
            at = [place if d is self.directive else threads[d.loop] for d in self.frame.directives]
            parts = [write.load(array, *at) for array in arrays]
            triples = zip(self.combines, folding.values, parts, strict=True)
            folding.next = tuple(self._combined(op, a, b) for op, a, b in triples)
        return folding.results

    def _combined(self, op: n.BinaryOp, left: n.Atom, right: n.Atom) -> n.Var:
        return self.write.let(n.Binary(op, left, right, checked=self.is_checked), left.type, "folded")

    def _paired(self, op: n.BinaryOp, values: Sequence[n.Atom]) -> n.Atom:
        """Neighbours folded until one value is left."""
        while len(values) > 1:
            pairs = [self._combined(op, a, b) for a, b in zip(values[::2], values[1::2], strict=False)]
            values = [*pairs, *values[len(pairs) * 2 :]]
        return values[0]
