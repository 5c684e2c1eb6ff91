"""Writes what a block does that has an iteration of the bound loops for itself: see `weft.schedule.lowering.cooperate`.

Iterations are dealt out in one of three ways. As *runs* of neighbours, which threads load and store as vectors;
*spread*, neighbours to neighbouring threads; and in *rounds*, the same for any number of iterations. In the first two
ways threads keep in registers what later loops read again (`weft.schedule.lowering.register_rows`). A block finds out
which way is possible. Results do not depend on it: a thread has one sum for each place of its iterations in a run, and
these are put together in one order. Where order does not matter, as for extremes, rounds are of runs, from where memory
is aligned.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import partial
from math import prod
from typing import cast

from weft.analysis.recurrences.arg_reductions import first_of
from weft.ir import nodes as n
from weft.ir.neutral import identity
from weft.ir.scribe import TRUE
from weft.ir.types import PYBOOL, View
from weft.ir.visit import defined_by, walk
from weft.schedule.directives import Deal
from weft.schedule.frame import Frame, Threads, in_order
from weft.schedule.lowering.cooperate import has_effects, is_dealt, is_extreme, is_joint
from weft.schedule.lowering.cooperative_extremes import Extremes
from weft.schedule.lowering.cooperative_loops import Piece, Way, piece_of, value_of
from weft.schedule.lowering.lanes import Accesses
from weft.schedule.lowering.points import aligned, bytes_of
from weft.schedule.lowering.register_rows import Kept, kept_rows, prepared
from weft.schedule.nests import is_repeatable, names_in

FALSE = n.Const(False, PYBOOL)

FAR = 1 << 62
"""Where no array has elements, and counters of a loop without iterations might wrap."""

MOST_SPREAD, MOST_READ = 4, 16
"""Rounds of which threads keep what they spread: in more of them code for every element takes too many registers. The
second is for rows that nothing is written to."""


def write_dealt(frame: Frame, deal: Deal) -> None:
    """Write what a block does, for every way that the sizes and addresses of a launch may allow."""
    counters: dict[str, n.Atom] = {bound.loop.index.name: bound.origin for bound in frame.bounds}
    flat, write, arrays = prepared(frame.flat), frame.write, list[n.Statement]()
    kept = kept_rows(frame.kernel, flat) if deal.rounds else None
    fits = _fits(frame, deal, kept) if kept is not None else FALSE
    pieces = {loop.label: piece_of(frame, deal, loop, kept.uses[loop.label]) for loop in kept.loops} if kept else {}
    most = MOST_READ if kept is not None and not kept.is_written else MOST_SPREAD
    whole = _whole(frame, deal, kept, pieces.values()) if kept is not None and fits != FALSE else None
    exchanged = frozenset(pieces) if whole is not None else frozenset()

    def by(way: Way) -> None:
        rows, own = (kept, pieces) if way != "rounds" else (None, {})
        alike = exchanged if way != "rounds" or deal.rounds > most else frozenset[str]()
        _Dealer(frame, deal, way, rows, own, alike, arrays).block(flat, counters)

    def choose(condition: n.Atom, one: Callable[[], None], other: Callable[[], None]) -> None:
        with write.when(condition):
            one()
        if condition != TRUE:
            with write.otherwise():
                other()

    runs, spread, rounds = partial(by, "runs"), partial(by, "spread"), partial(by, "rounds")
    if fits == FALSE or (whole is None and deal.rounds > most):
        rounds()
    elif whole is None:
        choose(fits, spread, rounds)
    elif deal.rounds > most:
        choose(write.both([fits, whole]), runs, rounds)
    else:
        choose(fits, partial(choose, whole, runs, spread), rounds)
    write.statements[:0] = arrays


def _fits(frame: Frame, deal: Deal, kept: Kept) -> n.Atom:
    """Whether loops run no more iterations than threads can keep, and none begins so far away that counters wrap."""
    write, most = frame.write, deal.group * deal.run * deal.rounds
    trip = write.op("sub", kept.loops[0].stop, kept.base)
    if isinstance(trip, n.Const):
        return n.Const(trip.value.real <= most, PYBOOL)
    is_near = (
        write.compare("lt", kept.base, FAR)
        if isinstance(kept.base, n.Var)
        else n.Const(kept.base.value.real < FAR, PYBOOL)
    )
    return write.both([write.compare("le", trip, most), is_near])


def _whole(frame: Frame, deal: Deal, kept: Kept, pieces: Iterable[Piece]) -> n.Atom | None:
    """Whether all loops run whole runs, which lie at multiples of their length in memory; None where nothing does.

    All blocks of a launch find the same, so each way is a kernel by itself.
    """
    write = frame.write
    views = dict.fromkeys(view for piece in pieces for view in (*piece.filling.views, *piece.computing.views))
    shared = {v.name for v in views} - {v.name for v in frame.kernel.params}
    begins = int(kept.base.value.real) % deal.run if isinstance(kept.base, n.Const) else 0
    if deal.run == 1 or not views or shared or begins or any(loop.start != kept.base for loop in kept.loops):
        return None
    accesses = Accesses(deal.run, views=tuple(views))
    conditions = aligned(write, accesses)
    if isinstance(kept.base, n.Var):
        conditions.append(write.compare("eq", write.op("mod", kept.base, deal.run), 0))
    rest = write.op("mod", write.op("sub", kept.loops[0].stop, kept.base), deal.run)
    test = write.both([*conditions, write.compare("eq", rest, 0)])
    if deal.rounds <= (MOST_SPREAD if kept.is_written else MOST_READ):
        frame.is_uniform(test, (), [(end, deal.run) for end in (kept.base, kept.loops[0].stop)], bytes_of(accesses))
    return test


class _Dealer(Extremes):
    """All that a block does."""

    def __post_init__(self) -> None:
        super().__post_init__()
        loops = (s for s in walk(self.frame.flat) if isinstance(s, n.For) and s.mapping == "parallel")
        self.nested = {loop.label for loop in loops if not loop.args and loop.exit is None}
        """Labels of the loops that were parallel; inside dealt loops they are marked as sequential by now."""

    def block(self, block: n.Block, values: Mapping[str, n.Atom]) -> dict[str, n.Atom]:
        """Write the statements of a block; `values` stands for what it uses from outside. Returns these and what
        stands for what the block defines."""
        known = dict(values)
        waiting: list[n.Statement] = []
        for statement in block.statements:
            if self._is_own(statement, waiting):
                waiting.append(statement)
                continue
            self._read(waiting, known)
            self._statement(statement, known)
        self._read(waiting, known)
        return known

    def _is_own(self, statement: n.Statement, waiting: Sequence[n.Statement]) -> bool:
        """Whether every thread computes a statement for itself in a phase: it depends on what threads have written, or
        may raise."""
        if has_effects(statement) or is_dealt(statement) or is_joint(statement) or _is_array(statement):
            return False
        if isinstance(statement, n.For) and not statement.results:
            return False
        if isinstance(statement, n.Let) and isinstance(statement.var.type, View):
            return False
        before = {v.name for s in waiting for v in defined_by(s)}
        return not self._is_pure(statement) or bool(names_in(n.Block((statement,))) & before)

    def _is_pure(self, statement: n.Statement) -> bool:
        """Whether a statement may be computed between phases."""
        inside = walk(n.Block((statement,)))
        return all(isinstance(s, n.If) or is_repeatable(s, self.frame.kernel) for s in inside)

    def _statement(self, statement: n.Statement, known: dict[str, n.Atom]) -> None:
        if isinstance(statement, n.Let) and isinstance(statement.value, n.Alloc):
            self._alloc(statement, statement.value, known)
        elif isinstance(statement, n.Let) or self._is_pure(statement):
            names = sorted(names_in(n.Block((statement,))) & self.held.keys())
            again = {**known, **{name: self._first(self.held[name]) for name in names}}
            self.write.again(statement, again)
            known.update((v.name, again[v.name]) for v in defined_by(statement))
        elif is_dealt(statement):
            assert isinstance(statement, n.For)
            (self._fold if statement.args else self._deal)(statement, known)
        elif is_joint(statement):
            self._together(statement, known)
        else:
            self._alone(statement, known)

    # ----------------------------------------------------------------------------------- what all run together

    def _alike(self, atom: n.Atom, known: Mapping[str, n.Atom]) -> n.Atom:
        """A value that all threads have alike, between phases: if each thread holds it, that of the first is read."""
        held = self.held.get(atom.name) if isinstance(atom, n.Var) else None
        return value_of(atom, known) if held is None else self._first(held)

    def _first(self, held: n.Var) -> n.Var:
        return self.write.load(held, *(0 for _ in self.frame.directives))

    def _together(self, statement: n.Statement, known: dict[str, n.Atom]) -> None:
        with self.write.at(statement):
            if isinstance(statement, n.For):
                results = self._loop(statement, known)
            elif isinstance(statement, n.While):
                results = self._while(statement, known)
            else:
                assert isinstance(statement, n.If)
                results = self._branch(statement, known)
        known.update(zip((v.name for v in defined_by(statement)), results, strict=True))

    def _inner(self, block: n.Block, known: Mapping[str, n.Atom]) -> n.Block:
        """A block as all threads run it, with what it yields."""
        held = dict(self.held)
        with self.write.apart() as statements:
            inside = self.block(prepared(block), known)
            yields = tuple(self._alike(y, inside) for y in block.yields)
        self.held = held
        return n.Block(tuple(statements), yields)

    def _fresh(self, variables: Iterable[n.Var]) -> tuple[n.Var, ...]:
        return tuple(self.write.fresh(v.stem, v.type) for v in variables)

    def _loop(self, loop: n.For, known: Mapping[str, n.Atom]) -> tuple[n.Var, ...]:
        start, stop, *inits = (self._alike(a, known) for a in (loop.start, loop.stop, *(arg.init for arg in loop.args)))
        index, *values = self._fresh((loop.index, *(arg.var for arg in loop.args)))
        names = (loop.index.name, *(arg.var.name for arg in loop.args))
        body = self._inner(loop.body, {**known, **dict(zip(names, (index, *values), strict=True))})
        results = self._fresh(loop.results)
        made = replace(
            loop, label=self.write.label(loop.label), index=index, start=start, stop=stop, body=body,
            args=tuple(map(n.LoopArg, values, inits)), results=results,
        )  # fmt: skip
        self.write.add(made)
        return results

    def _while(self, loop: n.While, known: Mapping[str, n.Atom]) -> tuple[n.Var, ...]:
        """A loop that carries whether to go on: its condition may need phases, so it is evaluated in the body."""
        names, inits = [arg.var.name for arg in loop.args], [self._alike(arg.init, known) for arg in loop.args]
        first = self._inner(loop.condition, {**known, **dict(zip(names, inits, strict=True))})
        self.write.add(*first.statements)
        values = self._fresh(arg.var for arg in loop.args)
        goes_on = self.write.fresh("goes_on", first.yields[0].type)
        body = self._inner(loop.body, {**known, **dict(zip(names, values, strict=True))})
        again = self._inner(loop.condition, {**known, **dict(zip(names, body.yields, strict=True))})
        args = tuple(map(n.LoopArg, (*values, goes_on), (*inits, first.yields[0])))
        results = self._fresh(arg.var for arg in args)
        whole = n.Block((*body.statements, *again.statements), (*body.yields, *again.yields))
        label = self.write.label(loop.label)
        self.write.add(
            replace(loop, label=label, condition=n.Block((), (goes_on,)), body=whole, args=args, results=results)
        )
        return results[:-1]

    def _branch(self, branch: n.If, known: Mapping[str, n.Atom]) -> tuple[n.Var, ...]:
        condition = self._alike(branch.condition, known)
        then, orelse = (self._inner(block, known) for block in (branch.then, branch.orelse))
        results = self._fresh(branch.results)
        self.write.add(replace(branch, condition=condition, then=then, orelse=orelse, results=results))
        return results

    # --------------------------------------------------------------------------------------------- arrays

    def _alloc(self, let: n.Let, alloc: n.Alloc, known: dict[str, n.Atom]) -> None:
        """An array of the block, filled by all its threads; in registers where each keeps to its own elements."""
        shape = [int(e.value.real) for e in alloc.shape if isinstance(e, n.Const)]
        row = self.rows.get((let.var.name, ()))
        if row is not None:
            if alloc.fill is not None:
                self._fill_row(row, value_of(alloc.fill, known))
            return
        array = self._shared(shape, alloc.element, let.var.stem)
        known[let.var.name] = array
        if alloc.fill is not None:
            with self._phase(known) as (threads, values):
                for first in self._each_round(threads, n.Const(0), n.Const(prod(shape)), "fill"):
                    self.write.store(array, list(self._indices(first.first, shape)), value_of(alloc.fill, values))

    def _fill_row(self, row: n.Var, value: n.Atom) -> None:
        with self._phase({}) as (threads, _), self.write.loop("fill", 0, self.directive.rounds + 1, "unroll") as loop:
            for lane in range(self.directive.run):
                self.write.store(row, (*self.frame.own(threads), loop.index, lane), value)

    def _indices(self, place: n.Atom, shape: Sequence[int]) -> Iterator[n.Atom]:
        """The indices of an element by its number."""
        for k, extent in enumerate(shape):
            number = self.write.op("floordiv", place, prod(shape[k + 1 :]) or 1)
            yield self.write.op("mod", number, extent) if k else number

    # ---------------------------------------------------------------------------------------------- loops

    def _deal(self, loop: n.For, known: Mapping[str, n.Atom]) -> None:
        nest = self._nest(loop)
        with self._phase(known) as (threads, values):
            if len(nest) > 1:
                self._deal_nest(threads, nest, values)
                return
            self._iterate(threads, loop, values, lambda turn: [{} for _ in turn.lanes], lambda turn, yields: None)

    def _nest(self, loop: n.For) -> tuple[n.For, ...]:
        """A loop and the parallel loops nested in it whose iterations are dealt out together, as those of one loop."""
        nest = [loop]
        while loop.label not in self.pieces and loop.body.statements:
            *lets, inner = loop.body.statements
            made = {
                v.name
                for outer in nest
                for v in (outer.index, *(v for s in outer.body.statements for v in defined_by(s)))
            }
            if not isinstance(inner, n.For) or inner.label not in self.nested:
                break
            if not all(is_repeatable(s, self.frame.kernel) for s in lets):
                break
            if any(isinstance(a, n.Var) and a.name in made for a in (inner.start, inner.stop)):
                break
            nest.append(inner)
            loop = inner
        return tuple(nest)

    def _deal_nest(self, threads: Threads, nest: Sequence[n.For], values: Mapping[str, n.Atom]) -> None:
        """Deal out the iterations of nested loops, those of the innermost to neighbouring threads."""
        write = self.write
        starts = [value_of(loop.start, values) for loop in nest]
        trips = [write.trips(start, value_of(loop.stop, values)) for start, loop in zip(starts, nest, strict=True)]
        total: n.Atom = n.Const(1)
        for trip in trips:
            total = write.op("mul", total, trip)
        for turn in self._each_round(threads, n.Const(0), total, nest[0].label):
            place, counters = turn.first, list[n.Atom]()
            for start, trip in zip(reversed(starts[1:]), reversed(trips[1:]), strict=True):
                counters.insert(0, write.op("add", start, write.op("mod", place, trip)))
                place = write.op("floordiv", place, trip)
            counters.insert(0, write.op("add", starts[0], place))
            inside = {**values, **{loop.index.name: c for loop, c in zip(nest, counters, strict=True)}}
            lets = (s for loop in nest[:-1] for s in loop.body.statements[:-1])
            write.copy(n.Block((*lets, *nest[-1].body.statements)), inside)

    def _fold(self, loop: n.For, known: dict[str, n.Atom]) -> None:
        """A reduction: each thread folds its own iterations, then all know what the threads have together."""
        inits = [value_of(arg.init, known) for arg in loop.args]
        first = first_of(loop)
        if first is not None:
            self._find(loop, first, inits, known)
            return
        is_held = any(isinstance(init, n.Var) and init.name in self.held for init in inits)
        begin = [identity(arg.combine or "", arg.var.type) for arg in loop.args] if is_held else inits
        results: Sequence[n.Atom] = self._folded(loop, loop.args, begin, known)
        if is_extreme(loop):
            results = self._with_signs(loop, begin, cast("Sequence[n.Var]", results), known)
        if is_held:
            self._put_behind(loop, inits, results, known)
        else:
            known.update(zip((r.name for r in loop.results), results, strict=True))

    def _put_behind(
        self, loop: n.For, inits: Sequence[n.Atom], found: Sequence[n.Atom], known: Mapping[str, n.Atom]
    ) -> None:
        """Put what iterations give behind initial values that each thread has for itself."""
        held = {r.name: self._registers((), r.type, r.stem) for r in loop.results}
        with self._phase(known) as (threads, values):
            for arg, init, value, array in zip(loop.args, inits, found, held.values(), strict=True):
                made = self._combined(arg.combine or "", value_of(init, values), value)
                self.write.store(array, self.frame.own(threads), made)
        self.held.update(held)

    # ---------------------------------------------------------------------------------- what is not dealt

    def _read(self, waiting: list[n.Statement], known: Mapping[str, n.Atom]) -> None:
        """A phase in which every thread computes for itself what depends on what others have written."""
        if not waiting:
            return
        defined = tuple(v for s in waiting for v in defined_by(s) if not isinstance(v.type, View))
        held = {v.name: self._registers((), v.type, v.stem) for v in defined}
        with self._phase(known) as (threads, values):
            results = self.write.copy(in_order(n.Block(tuple(waiting), defined)), values)
            for array, value in zip(held.values(), results, strict=True):
                self.write.store(array, self.frame.own(threads), value)
        self.held.update(held)
        waiting.clear()

    def _alone(self, statement: n.Statement, known: Mapping[str, n.Atom]) -> None:
        with self._phase(known) as (threads, values):
            is_first = self.write.compare("eq", threads[self.directive.loop], 0)
            with self.write.when(is_first):
                self.write.copy(in_order(n.Block((statement,))), values)


def _is_array(statement: n.Statement) -> bool:
    return isinstance(statement, n.Let) and isinstance(statement.value, n.Alloc)
