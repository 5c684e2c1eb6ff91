"""Reductions over several loops as one for each row, and one of what the rows give.

``for i: for j: s += a[i, j]`` would be cut into pieces of many rows, each of which one thread folds. Instead a parallel
nest folds each row into an element of an array that the program makes, which threads share as they share rows of other
nests; the loop over these elements is a reduction of one loop, which is cut into pieces as others are. So a slab may
have as few rows as there is room for. Operands keep their order; how they are bracketed follows from the trip counts.
Where rows are few and long, parts of them are folded (see `long_rows`).

Nests that may raise are done if they store nothing: after an exception the host folds the rows again in order, and
meets the exception that comes first. An innermost loop that is known to be short stays a part of its row.
"""

from __future__ import annotations

from collections.abc import Callable, Container, Sequence
from dataclasses import replace
from functools import cache
from typing import cast

from weft.analysis.access.access import table
from weft.ir import nodes as n
from weft.ir.effects import block_may_raise
from weft.ir.neutral import identity, stored_as
from weft.ir.types import Scalar, View
from weft.ir.visit import bound_inside, defined_by, free_variables, has_fewer_trips, walk
from weft.plan.prepare.folds.split_reductions import or_parts
from weft.plan.prepare.nests import with_nests
from weft.plan.prepare.separate_stores import stores_apart
from weft.schedule.directives import Schedule
from weft.schedule.writing import Writing
from weft.transform.peel import Copies
from weft.transform.whole_loop import WholeLoop

SUFFIX = ".rows"
"""What labels of loops over the results of rows end with."""

FAR = 1 << 32
"""Loops that begin at a constant before this one have no index at which the next block of a kernel would wrap."""

NEVER_FAIL = ("and", "or", "xor", "min", "max")
"""Operators that never raise, whatever the type."""

OPERATORS = ("add", "mul", "and", "or", "xor", "min", "max")

SHORT = 16
"""Iterations of a row from which on it is worth an element of an array."""


def with_row_sums(program: n.Program, schedule: Schedule, why_host: Callable[[n.For], str | None]) -> n.Program:
    """Fold each row of a reduction over several loops for itself.

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
        if not loop.args or not _may_be_in_rows(loop):
            return None
        both = stores_apart(loop, aliases(), copies)
        return _in_rows(loop, copies, whole, None) if both is None else _in_rows(both[0], copies, whole, both[1])

    return with_nests(program, schedule, why_host, change)


def _may_be_in_rows(nest: n.For) -> bool:
    """Whether a nest cannot raise, or only computes values and folds them without raising: then rows may raise."""
    if not block_may_raise(n.Block((nest,))):
        return True
    others = [a.var.type for a in nest.args if a.combine not in NEVER_FAIL]
    cannot_fail = all(isinstance(type, Scalar) and type.kind == "f" for type in others)
    statements = list(walk(n.Block((nest,))))
    return cannot_fail and all(isinstance(s, (n.Let, n.For, n.If, n.Raise)) and not _makes(s) for s in statements)


def _in_rows(nest: n.For, copies: Copies, whole: WholeLoop, after: n.For | None) -> list[n.Statement]:
    """A reduction, or a nest that folds rows and the reduction of what they give; a nest `after` what reads arrays."""
    chain, others = _chain(nest), [after] if after else []
    if len(chain) < 2:
        return [nest, *others]
    outer, write = chain[:-1], Writing(copies.names, nest.location)
    extents = [write.trips(loop.start, loop.stop, "rows") for loop in outer]
    whole.note(write.statements)
    made = []
    for arg in nest.args:
        element = stored_as(arg.var.type)
        type_ = View(element, len(outer), contiguous=True)
        made.append(write.let(n.Alloc(tuple(extents), element), type_, "row_sums"))
    rows = rows_of(chain, extents, made, copies)
    write.add(*(or_parts(rows, chain, extents, made, copies, whole) if have_parts(chain) else (rows,)))
    return [
        *write.statements,
        *others,
        *_in_rows(sum_of(nest.args, nest.results, outer, extents, made, copies), copies, whole, None),
    ]


def _chain(nest: n.For) -> list[n.For]:
    """The loops of a reduction; the outermost has bounds that are known before it."""
    inside = {v.name for s in walk(n.Block((nest,))) for v in (*bound_inside(s), *defined_by(s))}
    return fold_chain(nest, inside)


def fold_chain(fold: n.For, inside: Container[str]) -> list[n.For]:
    """Loops inside of one another that a reduction goes through; the bounds of all but the last are not `inside`, the
    names of what a nest defines."""
    chain = [fold]
    while (inner := _inner(chain[-1])) is not None and not has_fewer_trips(inner, SHORT):
        if not is_known(chain[-1], inside):
            break
        chain.append(inner)
    return chain


def _inner(loop: n.For) -> n.For | None:
    """The loop that all values of a loop go through, if nothing else uses them."""
    found = [s for s in loop.body.statements if isinstance(s, n.For) and s.args]
    if len(found) != 1 or found[0].mapping != "parallel" or found[0].exit is not None:
        return None
    (inner,) = found
    if tuple(arg.init for arg in inner.args) != tuple(arg.var for arg in loop.args):
        return None
    if tuple(loop.body.yields) != inner.results:
        return None
    operators = [arg.combine for arg in loop.args]
    if [arg.combine for arg in inner.args] != operators or not all(op in OPERATORS for op in operators):
        return None
    others = n.Block(tuple(s for s in loop.body.statements if s is not inner))
    used = {*free_variables(others), *free_variables(inner.body), inner.start, inner.stop}
    return None if used & {*(arg.var for arg in loop.args), *inner.results} else inner


def is_known(loop: n.For, inside: Container[str]) -> bool:
    """Whether the bounds of a loop are defined outside of those around it."""
    return not any(isinstance(end, n.Var) and end.name in inside for end in (loop.start, loop.stop))


def have_parts(chain: Sequence[n.For]) -> bool:
    """Whether rows may be cut: all are as long as one another and store nothing, so that what stands before the fold of
    a row may be computed for each part."""
    nest, row = chain[0], chain[-1]
    inside = {v.name for s in walk(n.Block((nest,))) for v in (*bound_inside(s), *defined_by(s))}
    if not is_known(row, inside) or not isinstance(row.start, n.Const) or abs(row.start.value.real) >= FAR:
        return False
    return all(isinstance(s, (n.Let, n.For, n.If)) and not _makes(s) for s in walk(n.Block((nest,))))


def _makes(statement: n.Statement) -> bool:
    """Whether a statement makes an array."""
    return isinstance(statement, n.Let) and isinstance(statement.value, n.Alloc)


def rows_of(
    chain: Sequence[n.For], extents: Sequence[n.Atom], made: Sequence[n.Var], copies: Copies, as_written: bool = False
) -> n.For:
    """The nest that folds each row, from what leaves others unchanged; its loops begin `as_written` or at zero."""
    *outer, row = chain
    names, location = copies.names, row.location
    results = tuple(names.fresh(arg.var.stem, arg.var.type) for arg in row.args)
    args = tuple(replace(arg, init=identity(arg.combine or "", arg.var.type)) for arg in row.args)
    loops = outer if as_written else [_from_zero(*each, copies) for each in zip(outer, extents, strict=True)]
    write = Writing(names, location)
    places = [write.op("sub", loop.index, loop.start, "row") for loop in loops]
    folded = replace(row, args=args, results=results)
    for view, result in zip(made, results, strict=True):
        write.store(view, places, result)
    inner: n.Statement = folded
    statements: tuple[n.Statement, ...] = (folded, *write.statements)
    for loop, old in zip(reversed(loops), reversed(chain), strict=False):
        body = tuple(s for own in loop.body.statements for s in (statements if own is old else (own,)))
        inner = replace(loop, args=(), results=(), body=n.Block(body))
        statements = (inner,)
    assert isinstance(inner, n.For)
    return inner


def _from_zero(loop: n.For, extent: n.Atom, copies: Copies) -> n.For:
    """A loop whose index does not wrap in blocks that reach beyond its end: one from zero, where it may begin far."""
    if isinstance(loop.start, n.Const) and abs(loop.start.value.real) < FAR:
        return loop
    write = Writing(copies.names, loop.location)
    number = copies.names.fresh("row", loop.index.type)
    write.add(n.Let(loop.index, n.Binary("add", loop.start, number, checked=False), loop.location))
    body = replace(loop.body, statements=(*write.statements, *loop.body.statements))
    return replace(loop, index=number, start=n.Const(0), stop=extent, body=body)


def sum_of(
    args: Sequence[n.LoopArg], results: tuple[n.Var, ...], outer: Sequence[n.For], extents: Sequence[n.Atom],
    made: Sequence[n.Var], copies: Copies, places: Sequence[n.Atom] = (),
) -> n.For:  # fmt: skip
    """The reduction of what the rows give.

    Parameters
    ----------
    args, results
        What is folded, and into which variables.
    outer, extents
        The loops over rows, and how many iterations they have.
    made
        The arrays that hold what rows give.
    copies
        Makes names.
    places
        Indices of those elements before the ones that the reduction goes over.
    """
    names, write = copies.names, Writing(copies.names, outer[0].location)
    indices = [names.fresh("row", loop.index.type) for loop in outer]
    carried = [[names.fresh(arg.var.stem, arg.var.type) for arg in args] for _ in outer]
    yields = []
    for arg, var, view in zip(args, carried[-1], made, strict=True):
        value: n.Atom = write.load(view, *places, *indices, stem="row_sum")
        if value.type != arg.var.type:
            value = write.let(n.Cast(value, checked=False), arg.var.type, "row_sum")
        yields.append(
            write.let(n.Binary(cast(n.BinaryOp, arg.combine), var, value, checked=False), arg.var.type, arg.var.stem)
        )
    body = n.Block(tuple(write.statements), tuple(yields))
    for level in reversed(range(len(outer))):
        before = [arg.init for arg in args] if level == 0 else carried[level - 1]
        own_args = tuple(
            n.LoopArg(var, init, arg.combine) for var, init, arg in zip(carried[level], before, args, strict=True)
        )
        own = results if level == 0 else tuple(names.fresh(r.stem, r.type) for r in results)
        loop = n.For(
            f"{outer[level].label}{SUFFIX}", indices[level], n.Const(0), extents[level], body, own_args, own,
            mapping="parallel", location=outer[0].location,
        )  # fmt: skip
        body = n.Block((loop,), own)
    return loop
