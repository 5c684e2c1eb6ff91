"""Whole numbers that are the same in all iterations of a parallel loop are computed before it.

``for i in range(r, n - r): for j in range(r, m - r)`` computes the end of the inner loop in each iteration of the outer
one, where the difference was proven to fit. Before the outer loop, the bounds of both are known to a launch, so both
run over the grid. Where the outer loop does not run the difference may wrap; then nothing uses it.

Not done: what may raise, divisions, and what is read from arrays.
"""

from __future__ import annotations

from dataclasses import replace

from weft.ir import nodes as n
from weft.ir.types import PYBOOL, PYINT
from weft.ir.visit import atoms_of, bound_inside, defined_by, walk
from weft.transform.support import spliced

WRAPPING = frozenset({"add", "sub", "mul", "min", "max", "and", "or"})
"""Operations that a processor does with any operands."""


def with_bounds_outside(program: n.Program) -> n.Program:
    """Compute before parallel loops around others what does not change in them."""
    body = _block(program.body)
    return program if body is program.body else replace(program, body=body)


def _block(block: n.Block) -> n.Block:
    return spliced(block, lambda statement, _: _before(statement) if isinstance(statement, n.For) else None)


def _before(loop: n.For) -> tuple[n.Statement, ...]:
    """What moves before a loop, whose own loops are done first, and the loop."""
    inner = _block(loop.body)
    holds_loop = any(isinstance(s, n.For) and s.mapping == "parallel" for s in inner.statements)
    moved, kept = list[n.Statement](), list[n.Statement]()
    if loop.mapping == "parallel" and holds_loop:
        changing = {v.name for s in walk(n.Block((loop,))) for v in bound_inside(s)}
        changing |= {v.name for s in walk(inner) for v in defined_by(s)}
        for statement in inner.statements:
            if isinstance(statement, n.Let) and _moves(statement, changing):
                changing.discard(statement.var.name)
                moved.append(statement)
            else:
                kept.append(statement)
    if not moved:
        return (loop if inner is loop.body else replace(loop, body=inner),)
    return (*moved, replace(loop, body=replace(inner, statements=tuple(kept))))


def _moves(let: n.Let, changing: set[str]) -> bool:
    """Whether a definition of a whole number may stand before a loop that may not run."""
    if let.var.type not in (PYINT, PYBOOL) or any(isinstance(a, n.Var) and a.name in changing for a in atoms_of(let)):
        return False
    value = let.value
    if isinstance(value, n.Binary):
        return value.op in WRAPPING and not value.checked
    if isinstance(value, n.Unary):
        return value.op in ("neg", "not") and not value.checked
    return isinstance(value, (n.Compare, n.Select, n.Dim)) and _is_whole(value)


def _is_whole(value: n.Expression) -> bool:
    """Whether all operands are whole numbers or truths of Python, or an array."""
    return isinstance(value, n.Dim) or all(a.type in (PYINT, PYBOOL) for a in atoms_of(value))
