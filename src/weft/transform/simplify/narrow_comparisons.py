"""Narrow comparisons: small integers are compared in 16 or 32 bits with a limit that does not change in the loop.

``image[i] > level`` of bytes needs no 64 bits: for a level outside the range of bytes, the number next to that range
gives the same results. A vector then holds up to four times as many numbers. The limit is clamped before the loop.
"""

from __future__ import annotations

from dataclasses import replace

from weft.analysis.values.intervals import of_type
from weft.ir import nodes as n
from weft.ir.types import BOOL, INT16, INT32, Scalar
from weft.ir.visit import Names, bound_in, rewrite, walk
from weft.transform.support import on_blocks

LARGEST = 16
"""The most bits of integers that are compared in this way."""


def narrow_comparisons(program: n.Program) -> n.Program:
    """Compare small integers with limits in few bits."""
    names = Names.of(program)
    return on_blocks(program, lambda body: rewrite(body, lambda s: _in_loop(s, names)))


def _in_loop(statement: n.Statement, names: Names) -> n.Statement | tuple[n.Statement, ...]:
    if not isinstance(statement, n.For) or statement.mapping != "parallel":
        return statement
    if any(isinstance(s, (n.For, n.While)) for s in walk(statement.body)):
        return statement
    comparisons = _Comparisons(statement, names)
    body = rewrite(statement.body, lambda s: comparisons.narrowed(s) if isinstance(s, n.Let) else s)
    return (*comparisons.before, replace(statement, body=body)) if comparisons.before else statement


class _Comparisons:
    """The comparisons of a loop; `before` are the limits, which stand before it."""

    def __init__(self, loop: n.For, names: Names) -> None:
        self.names = names
        self.inside = {loop.index.name, *(a.var.name for a in loop.args), *(v.name for v in bound_in(loop.body))}
        self.casts = {
            s.var.name: s.value.operand
            for s in walk(loop.body)
            if isinstance(s, n.Let) and isinstance(s.value, n.Cast) and _is_small(s.value.operand.type)
        }
        self.before: list[n.Let] = []

    def narrowed(self, statement: n.Let) -> n.Let | tuple[n.Let, ...]:
        """The comparison of narrow integers, if a statement is one that can be; else the statement."""
        value = statement.value
        if not isinstance(value, n.Compare) or not (_is_wide(value.left.type) and _is_wide(value.right.type)):
            return statement
        sides = (value.left, value.right)
        small = [self.casts.get(a.name) if isinstance(a, n.Var) else None for a in sides]
        number = small[0] or small[1]
        limit = sides[1] if small[0] else sides[0]
        if number is None or not isinstance(limit, n.Var) or limit.name in self.inside:
            return statement
        assert isinstance(number.type, Scalar)
        type = INT16 if number.type.bits == 8 else INT32
        cast = n.Let(self.names.fresh("narrow", type), n.Cast(number, False), statement.location)
        moved = self._limit(limit, number.type, type, statement)
        left, right = (cast.var, moved) if small[0] else (moved, cast.var)
        outcome = statement.var if statement.var.type == BOOL else self.names.fresh(statement.var.stem, BOOL)
        compared = replace(statement, var=outcome, value=replace(value, left=left, right=right))
        if outcome == statement.var:
            return cast, compared
        return cast, compared, replace(statement, value=n.Cast(outcome, False))

    def _limit(self, limit: n.Var, of: Scalar, type: Scalar, statement: n.Let) -> n.Var:
        """A limit, clamped to the range of a type and one number beyond at each end."""
        bounds = of_type(of)
        assert bounds is not None
        least, most = (n.Const(bound, limit.type) for bound in (bounds[0] - 1, bounds[1] + 1))
        above = n.Let(self.names.fresh("limit", limit.type), n.Binary("max", limit, least, False), statement.location)
        near = n.Let(self.names.fresh("limit", limit.type), n.Binary("min", above.var, most, False), statement.location)
        narrow = n.Let(self.names.fresh("limit", type), n.Cast(near.var, False), statement.location)
        self.before += [above, near, narrow]
        return narrow.var


def _is_small(type: object) -> bool:
    return isinstance(type, Scalar) and type.kind in "iu" and type.bits <= LARGEST


def _is_wide(type: object) -> bool:
    return isinstance(type, Scalar) and type.kind == "i" and type.bits == 64
