"""Folds over several loops in each of few iterations, as kernels of their own that have a thread for many more.

``for k: (for i: for j: s += x[i, k, j]); y[k] = s`` would have a thread for each `k`. Where these are few and the folds
long, most of a device would wait. So one nest folds each row (`k`, `i`) into an element of an array that the program
makes, the next what the rows of a `k` give, and what is left of the nest reads that. It is a choice of the program by
trip counts alone, so results are the same bits on every device. What a fold reads is there before the nest: no other
iteration of a parallel loop writes it, and its own only afterwards.

Not done: nests that may raise; folds behind anything but definitions and stores that they do not read, and those over
one loop.
"""

from __future__ import annotations

from collections.abc import Callable, Container, Sequence
from dataclasses import dataclass, replace
from functools import cache
from typing import cast

from weft.analysis.access.access import table
from weft.analysis.access.aliases import Aliases
from weft.ir import nodes as n
from weft.ir.effects import VIEWS, block_may_raise
from weft.ir.neutral import identity, stored_as
from weft.ir.types import View
from weft.ir.visit import bound_inside, defined_by, walk
from weft.plan.prepare.folds.nested_sums import OPERATORS, fold_chain, is_known, rows_of, sum_of
from weft.plan.prepare.folds.split_reductions import ENOUGH, LEAST
from weft.plan.prepare.nests import with_nests
from weft.schedule.directives import Schedule
from weft.schedule.writing import Writing
from weft.transform.peel import Copies
from weft.transform.whole_loop import WholeLoop

MOST_LOOPS = 3
"""Loops that run over a grid at most."""

SHORTEST_ROW = 16
"""Iterations of a row from which on threads may share it."""


@dataclass(frozen=True)
class _Found:
    """The first fold over several loops of a nest: the loops around it, and those of it."""

    outer: tuple[n.For, ...]
    fold: tuple[n.For, ...]


def with_few_folds_apart(program: n.Program, schedule: Schedule, why_host: Callable[[n.For], str | None]) -> n.Program:
    """Let nests of few iterations with long folds over several loops be several nests.

    Parameters
    ----------
    program
        After the pass that marks parallel loops.
    schedule
        What the user wrote: nests that it is about stay as they are.
    why_host
        Why a nest cannot be a kernel; None where it can.
    """
    copies, aliases, whole = Copies(program), cache(lambda: table(program).aliases), WholeLoop(program)

    def change(loop: n.For) -> Sequence[n.Statement] | None:
        found = None if loop.args or block_may_raise(n.Block((loop,))) else _found(loop, aliases)
        if found is None:
            return None
        write = Writing(copies.names, loop.location)
        are_few = whole.of(_are_few(found, write), write)
        apart = n.Block(tuple(_apart(loop, copies, aliases)))
        write.add(n.If(are_few, apart, n.Block((loop,)), location=loop.location))
        return write.statements

    return with_nests(program, schedule, why_host, change)


def _found(nest: n.For, aliases: Callable[[], Aliases]) -> _Found | None:
    """The first fold of a nest, where that is over several loops whose bounds are known before the nest, and reads
    nothing that is stored before it."""
    inside = defined_inside(nest)
    outer, first = to_first_fold(nest, inside)
    if first is None:
        return None
    chain = fold_chain(first, inside)[: max(MOST_LOOPS - len(outer), 0) + 1]
    can_be_apart = len(chain) > 1 and all(arg.combine in OPERATORS for arg in first.args)
    can_be_apart = can_be_apart and not reads_what_is_stored(outer, first, aliases)
    return _Found(tuple(outer), tuple(chain)) if can_be_apart else None


def defined_inside(nest: n.For) -> set[str]:
    """The names of what a nest defines."""
    return {v.name for s in walk(n.Block((nest,))) for v in (*bound_inside(s), *defined_by(s))}


def to_first_fold(nest: n.For, inside: Container[str]) -> tuple[list[n.For], n.For | None]:
    """The loops of a nest around its first fold, and that; None where something else comes first, or where a bound of
    them is `inside`, the names of what the nest defines."""
    outer = [nest]
    while True:
        loop = outer[-1]
        first = next((s for s in loop.body.statements if not may_precede(s)), None)
        if not is_known(loop, inside) or not isinstance(first, n.For) or first.mapping != "parallel" or first.exit:
            return outer, None
        if first.args:
            return outer, first
        if first is not loop.body.statements[-1]:
            return outer, None
        outer.append(first)


def _is_definition(statement: n.Statement) -> bool:
    """Whether a statement defines a number, which every part of a nest can do for itself."""
    is_made = isinstance(statement, n.Let) and isinstance(statement.value, (n.Alloc, n.Undefined, *VIEWS))
    return isinstance(statement, n.Let) and not is_made


def may_precede(statement: n.Statement) -> bool:
    """Whether a statement may stand before a fold."""
    return _is_definition(statement) or (isinstance(statement, n.Store) and statement.mask is None)


def reads_what_is_stored(outer: Sequence[n.For], fold: n.For, aliases: Callable[[], Aliases]) -> bool:
    """Whether a fold, or a definition before it, may read what an iteration stores before it."""
    before = [s for loop in outer for s in loop.body.statements[: _first(loop)]]
    stored = [s.view for s in before if isinstance(s, n.Store)]
    lets = (s for s in (*before, *walk(n.Block((fold,)))) if isinstance(s, n.Let) and isinstance(s.value, n.Load))
    read = [let.value.view for let in lets if isinstance(let.value, n.Load)] if stored else []
    known = [view for view in read if view.name in aliases().structure.definitions]  # others the nests here make
    return any(aliases().may_alias(a, b) for a in stored for b in known)


def _are_few(found: _Found, write: Writing) -> n.Atom:
    """Whether a nest has few iterations, and long folds of rows that are not short."""
    row = found.fold[-1]
    inside = {v.name for s in walk(n.Block((found.outer[0],))) for v in (*bound_inside(s), *defined_by(s))}
    points, length = _product(found.outer, write), _product(found.fold[:-1], write)
    conditions = [write.compare("le", points, ENOUGH)]
    if is_known(row, inside):
        trips = write.trips(row.start, row.stop, "trips")
        conditions += [write.compare("ge", trips, SHORTEST_ROW)]
        length = write.op("mul", length, trips, "length")
    return write.both([*conditions, write.compare("ge", length, LEAST)])


def _product(loops: Sequence[n.For], write: Writing) -> n.Atom:
    """How many iterations loops have together."""
    total: n.Atom = n.Const(1)
    for loop in loops:
        total = write.op("mul", total, write.trips(loop.start, loop.stop, "trips"), "length")
    return total


def _apart(nest: n.For, copies: Copies, aliases: Callable[[], Aliases]) -> list[n.Statement]:
    """What folds over several loops give, in arrays, and the rest of a nest, which reads these."""
    statements: list[n.Statement] = []
    (rest,) = copies.block(n.Block((nest,))).statements
    assert isinstance(rest, n.For)
    while (found := _found(rest, aliases)) is not None:
        write = Writing(copies.names, rest.location)
        extents = [write.trips(loop.start, loop.stop, "rows") for loop in found.outer]
        made = _arrays(found.fold[0].args, extents, write)
        (alone,) = copies.block(n.Block((_alone(found),))).statements
        assert isinstance(alone, n.For)
        _fold(alone, extents, made, write, copies, aliases)
        statements += write.statements
        rest = _without(found, made, copies)
    return [*statements, rest]


def _arrays(args: Sequence[n.LoopArg], extents: Sequence[n.Atom], write: Writing) -> list[n.Var]:
    """An array for each value that is folded."""
    made = []
    for arg in args:
        element = stored_as(arg.var.type)
        type_ = View(element, len(extents), contiguous=True)
        made.append(write.let(n.Alloc(tuple(extents), element), type_, "row_sums"))
    return made


def _alone(found: _Found) -> n.For:
    """The nest with nothing but its first fold, from the identity."""
    fold = found.fold[0]
    args = tuple(replace(arg, init=identity(arg.combine or "", arg.var.type)) for arg in fold.args)
    return _around(found.outer, replace(fold, args=args), ())


def _around(outer: Sequence[n.For], fold: n.For, after: Sequence[n.Statement]) -> n.For:
    """Loops with the definitions of their iterations, around a fold and what follows it."""
    inner: tuple[n.Statement, ...] = (fold, *after)
    for loop in reversed(outer):
        before = [s for s in loop.body.statements[: _first(loop)] if _is_definition(s)]
        loop = replace(loop, body=replace(loop.body, statements=(*before, *inner)))
        inner = (loop,)
    (nest,) = inner
    assert isinstance(nest, n.For)
    return nest


def _first(loop: n.For) -> int:
    """How many statements of an iteration may precede a fold, and stand before anything else."""
    return next(k for k, s in enumerate(loop.body.statements) if not may_precede(s))


def _fold(
    nest: n.For, extents: Sequence[n.Atom], made: Sequence[n.Var], write: Writing, copies: Copies,
    aliases: Callable[[], Aliases],
) -> None:  # fmt: skip
    """Write what folds each iteration of a nest that only folds, from the identity, into an element of arrays."""
    found = _found(nest, aliases)
    outer, fold = (found.outer, found.fold) if found else (_loops(nest)[:-1], _loops(nest)[-1:])
    around = (*outer, *fold[:-1])
    all_extents = [*extents, *(write.trips(loop.start, loop.stop, "rows") for loop in fold[:-1])]
    arrays = _arrays(fold[0].args, all_extents, write) if len(fold) > 1 else made
    chain = [*around, fold[-1]]
    rows = rows_of(chain, all_extents, arrays, copies)
    write.add(rows)
    if len(fold) > 1:
        places = [copies.names.fresh("row", loop.index.type) for loop in outer]
        results = tuple(copies.names.fresh(r.stem, r.type) for r in fold[0].results)
        sums = sum_of(fold[0].args, results, fold[:-1], all_extents[len(outer) :], arrays, copies, places)
        next_nest: n.For = sums
        for loop, place, extent in reversed(list(zip(outer, places, extents, strict=True))):
            label = f"{loop.label}{PLACES}"
            body = n.Block((next_nest,))
            next_nest = n.For(label, place, n.Const(0), extent, body, mapping="parallel", location=loop.location)
        _fold(next_nest, extents, made, write, copies, aliases)


PLACES = ".folds"
"""What labels of loops over the results of folds end with."""


def _loops(nest: n.For) -> tuple[n.For, ...]:
    """A loop and those inside of it, each the last statement of the one before."""
    found = [nest]
    while not found[-1].args:
        inner = found[-1].body.statements[-1]
        assert isinstance(inner, n.For)
        found.append(inner)
    return tuple(found)


def _without(found: _Found, made: Sequence[n.Var], copies: Copies) -> n.For:
    """The nest with what arrays hold in place of its first fold."""
    fold, inner = found.fold[0], found.outer[-1]
    write = Writing(copies.names, fold.location)
    places = [write.op("sub", loop.index, loop.start, "row") for loop in found.outer]
    for arg, result, view in zip(fold.args, fold.results, made, strict=True):
        value: n.Atom = write.load(view, *places, stem="row_sum")
        if value.type != result.type:
            value = write.let(n.Cast(value, checked=False), result.type, "row_sum")
        write.add(n.Let(result, n.Binary(cast(n.BinaryOp, arg.combine), arg.init, value, checked=False), fold.location))
    statements = tuple(s for own in inner.body.statements for s in (write.statements if own is fold else (own,)))
    loop = replace(inner, body=replace(inner.body, statements=statements))
    for around in reversed(found.outer[:-1]):
        others = around.body.statements[:-1]
        loop = replace(around, body=replace(around.body, statements=(*others, loop)))
    return loop
