"""Jam: several iterations of a parallel loop run through the vector loops inside of it together.

For rows of a matrix product and the like: what the rows load from the same places is then loaded once, by `reuse`; what
each of them sums up is summed in its own order. The iterations must be independent and must not raise, and the loops
inside have to run over the same range in all of them. Only around loops that `outer_lanes` made.
"""

from __future__ import annotations

from dataclasses import replace

from weft.ir import nodes as n
from weft.ir.effects import block_may_raise
from weft.ir.types import PYINT, Vector
from weft.ir.visit import rewrite, substitute, walk
from weft.passes.peel import Copies

ROWS_AT_ONCE = 4
MOST_STATEMENTS = 120


def jam(program: n.Program) -> n.Program:
    """Run several rows at once."""
    if not any(isinstance(s, n.Let) and isinstance(s.var.type, Vector) for s in walk(program.body)):
        return program
    copies = Copies(program)
    body = rewrite(program.body, lambda s: _rows(s, copies) if isinstance(s, n.For) else s)
    return program if body is program.body else replace(program, body=body)


def _rows(loop: n.For, copies: Copies) -> n.Statement | tuple[n.Statement, ...]:
    if loop.mapping != "parallel" or loop.args or loop.exit is not None or block_may_raise(loop.body):
        return loop
    inner = [s for s in loop.body.statements if isinstance(s, n.For)]
    small = sum(1 for _ in walk(loop.body)) <= MOST_STATEMENTS
    if not inner or not small or not all(s.mapping == "parallel" and _sums_vectors(s) for s in inner):
        return loop
    try:
        return jammed(loop, ROWS_AT_ONCE, copies)
    except Different:
        return loop


def _sums_vectors(loop: n.For) -> bool:
    """Whether a loop does nothing but run loops that carry vectors."""
    sums = [s for s in loop.body.statements if isinstance(s, n.For)]
    return bool(sums) and all(s.args and all(isinstance(a.var.type, Vector) for a in s.args) for s in sums)


class Different(Exception):
    """The iterations do not have the same shape."""


def jammed(loop: n.For, factor: int, copies: Copies) -> tuple[n.Statement, ...]:
    """A loop that runs `factor` iterations at once, and then what remains of it one by one.

    Parameters
    ----------
    loop
        Parallel, carries nothing.
    factor
        How many iterations.
    copies
        Makes the copies; the loop that is returned first keeps the labels.

    Raises
    ------
    Different
        An inner loop runs over another range in each iteration, or only some iterations run a branch.
    """
    location = loop.location
    span = copies.let(n.Binary("sub", loop.stop, loop.start, False), PYINT, location, "span")
    whole = copies.let(n.Binary("floordiv", span.var, n.Const(factor), False), PYINT, location, "whole")
    done = copies.let(n.Binary("mul", whole.var, n.Const(factor), False), PYINT, location)
    rest = copies.let(n.Binary("add", loop.start, done.var, False), PYINT, location)
    remaining = copies.loop(loop, rest.var, loop.stop, ())
    tile = copies.names.fresh(loop.index.stem, PYINT)
    offset = copies.let(n.Binary("mul", tile, n.Const(factor), False), PYINT, location)
    indices = [copies.let(n.Binary("add", loop.start, offset.var, False), PYINT, location)]
    for k in range(1, factor):
        indices.append(copies.let(n.Binary("add", indices[0].var, n.Const(k), False), PYINT, location))
    bodies = [substitute(loop.body, {loop.index.name: indices[0].var})]
    bodies += [copies.iteration(loop, index.var, ()) for index in indices[1:]]
    body = _merged(bodies)
    body = replace(body, statements=(offset, *indices, *body.statements))
    main = replace(loop, index=tile, start=n.Const(0), stop=whole.var, body=body)
    return (span, whole, done, rest, main, remaining)


def _merged(blocks: list[n.Block]) -> n.Block:
    """Blocks of one shape, statement by statement side by side; their yields one after the other."""
    statements: list[n.Statement] = []
    for group in zip(*(b.statements for b in blocks), strict=True):
        first = group[0]
        if isinstance(first, n.For):
            statements.append(_merged_loops([s for s in group if isinstance(s, n.For)]))
        elif isinstance(first, n.If):
            statements.append(_merged_branches([s for s in group if isinstance(s, n.If)]))
        elif isinstance(first, (n.Let, n.Store)):
            statements.extend(group)
        else:
            raise Different
    return n.Block(tuple(statements), tuple(y for b in blocks for y in b.yields))


def _merged_loops(loops: list[n.For]) -> n.For:
    first = loops[0]
    if any((loop.start, loop.stop) != (first.start, first.stop) or loop.exit is not None for loop in loops):
        raise Different
    bodies = [substitute(loop.body, {loop.index.name: first.index}) for loop in loops]
    return replace(
        first,
        args=tuple(a for loop in loops for a in loop.args),
        results=tuple(r for loop in loops for r in loop.results),
        body=_merged(bodies),
    )


def _merged_branches(branches: list[n.If]) -> n.If:
    first = branches[0]
    if any(branch.condition != first.condition for branch in branches):
        raise Different
    return replace(
        first,
        then=_merged([branch.then for branch in branches]),
        orelse=_merged([branch.orelse for branch in branches]),
        results=tuple(r for branch in branches for r in branch.results),
    )
