"""Interleave: neighbouring iterations of a parallel loop whose inner loops go step by step run side by side.

An inner loop that carries values waits for the result of one step before it begins the next; steps of several such
loops fill the gap. For a parallel loop around exactly one loop that carries values, straight code otherwise, in which
nothing may raise; the inner loops must all have the same bounds. A step of one operation is left alone: memory is not
much faster. Iterations beyond the last full group run as before.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from weft.ir import nodes as n
from weft.ir.effects import block_may_raise
from weft.ir.scribe import Scribe
from weft.ir.types import PYINT, Scalar, Vector
from weft.ir.visit import atoms_of, defined_by, rewrite, substitute, walk
from weft.transform.peel import Copies
from weft.transform.support import on_blocks

ABREAST = 4
"""Operations on floats take about four cycles; more streams through memory would get in each other's way."""
VECTORS_ABREAST = 8
"""Vectors of which loops carry one each, and processors do two operations at a time."""
MOST_STATEMENTS = 16
LEAST_CHAIN = 2
"""Operations that follow one another in a step."""


def interleave(program: n.Program) -> n.Program:
    """Run iterations side by side."""
    if not any(_is_suited(s) for s in walk(program.body)):
        return program
    copies = Copies(program)
    return on_blocks(program, lambda block: rewrite(block, lambda s: _changed(s, copies)))


def _is_suited(statement: n.Statement) -> bool:
    if not isinstance(statement, n.For) or statement.mapping != "parallel" or statement.args:
        return False
    loops = [s for s in statement.body.statements if isinstance(s, n.For)]
    others = [s for s in statement.body.statements if not isinstance(s, n.For)]
    if len(loops) != 1 or statement.index.type != PYINT or not all(isinstance(s, (n.Let, n.Store)) for s in others):
        return False
    if any(isinstance(s, n.Let) and isinstance(s.value, n.Alloc) for s in others):
        return False
    (inner,) = loops
    inside = {statement.index.name, *(v.name for s in others for v in defined_by(s))}
    fixed = not any(isinstance(a, n.Var) and a.name in inside for a in (inner.start, inner.stop))
    return fixed and _waits(inner) and not block_may_raise(statement.body)


def _waits(inner: n.For) -> bool:
    """Whether a loop is short straight code and carries numbers from step to step."""
    if inner.mapping != "sequential" or inner.exit is not None or not inner.args:
        return False
    if (
        not all(isinstance(a.var.type, (Scalar, Vector)) for a in inner.args)
        or len(inner.body.statements) > MOST_STATEMENTS
    ):
        return False
    plain = all(isinstance(s, (n.Let, n.Store)) for s in inner.body.statements)
    makes = any(isinstance(s, n.Let) and isinstance(s.value, n.Alloc) for s in inner.body.statements)
    return plain and not makes and _chain(inner) >= LEAST_CHAIN


def _chain(inner: n.For) -> int:
    """How many operations follow one another from what a loop carries to what it carries next."""
    depths = {arg.var.name: 0 for arg in inner.args}
    for statement in inner.body.statements:
        if isinstance(statement, n.Let):
            known = [depths[a.name] for a in atoms_of(statement) if isinstance(a, n.Var) and a.name in depths]
            if known:
                depths[statement.var.name] = max(known) + 1
    return max((depths.get(y.name, 0) for y in inner.body.yields if isinstance(y, n.Var)), default=0)


def _changed(statement: n.Statement, copies: Copies) -> n.Statement | tuple[n.Statement, ...]:
    if not _is_suited(statement):
        return statement
    assert isinstance(statement, n.For)
    loop, scribe = statement, Scribe(copies.names, statement.location)
    count = _abreast(loop)
    trips = scribe.trips(loop.start, loop.stop)
    groups = scribe.op("floordiv", trips, count)
    covered = scribe.op("mul", groups, count)
    group, inner = scribe.fresh(loop.index.stem), scribe.inner()
    first = inner.op("add", loop.start, inner.op("mul", group, count))
    places = [inner.op("add", first, k) for k in range(count)]
    bodies = [copies.iteration(loop, place, ()) for place in places]
    inner.statements.extend(_together([body.statements for body in bodies]))
    label = copies.labels.fresh(loop.label)
    scribe.add(replace(loop, label=label, index=group, start=n.Const(0), stop=groups, body=inner.block()))
    rest = replace(loop, start=scribe.op("add", loop.start, covered))
    return (*scribe.statements, rest)


def _abreast(loop: n.For) -> int:
    """How many iterations run side by side."""
    carried = [arg for s in loop.body.statements if isinstance(s, n.For) for arg in s.args]
    return VECTORS_ABREAST if len(carried) == 1 and isinstance(carried[0].var.type, Vector) else ABREAST


def _together(bodies: Sequence[tuple[n.Statement, ...]]) -> list[n.Statement]:
    """Bodies of one shape, statement by statement."""
    statements: list[n.Statement] = []
    for group in zip(*bodies, strict=True):
        loops = [s for s in group if isinstance(s, n.For)]
        statements += [_joined(loops)] if loops else group
    return statements


def _joined(loops: Sequence[n.For]) -> n.For:
    """Loops with the same bounds as one."""
    index = {loop.index.name: loops[0].index for loop in loops[1:]}
    bodies = [loops[0].body, *(substitute(loop.body, index) for loop in loops[1:])]
    statements = _together([body.statements for body in bodies])
    return replace(
        loops[0],
        args=tuple(a for loop in loops for a in loop.args),
        results=tuple(r for loop in loops for r in loop.results),
        body=n.Block(tuple(statements), tuple(y for body in bodies for y in body.yields)),
    )
