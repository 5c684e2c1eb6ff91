"""Relax: under ``fastmath=True`` divisions and powers of NumPy's floats become products.

A division by what a loop does not change is a product with its reciprocal, which is computed before the loop; a
constant divisor has its reciprocal as a constant. Powers with small integer exponents are repeated products, and
``x ** 0.5`` is a square root. Results differ by a few roundings. NaN and infinities stay what they are, except that a
reciprocal may overflow or vanish where the quotient does not, and that the root of minus infinity is no number.
Python's own floats raise where they divide by zero, and are left alone.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace

from weft.ir import nodes as n
from weft.ir.types import Scalar
from weft.ir.visit import Names, blocks_of, bound_inside, defined_by, walk, with_blocks
from weft.transform.support import on_blocks

MOST_FACTORS = 8
"""Exponents up to this are products."""


def relax(program: n.Program) -> n.Program:
    """Replace divisions and powers by products."""
    names = Names.of(program)
    return on_blocks(program, lambda block: _Relaxed(names).block(block, None))


@dataclass
class _Loop:
    """A loop around: what changes in it, and what is computed before it."""

    inside: set[str]
    before: list[n.Statement] = field(default_factory=list)
    known: dict[n.Atom, n.Var] = field(default_factory=dict)


class _Relaxed:
    def __init__(self, names: Names) -> None:
        self.names = names

    def block(self, block: n.Block, loop: _Loop | None) -> n.Block:
        """A block inside of a loop, or outside of all."""
        statements: list[n.Statement] = []
        for statement in block.statements:
            inner = blocks_of(statement)
            around = _entered(statement) if isinstance(statement, (n.For, n.While)) else loop
            new = tuple(self.block(b, around) for b in inner)
            if any(a is not b for a, b in zip(new, inner, strict=True)):
                statement = with_blocks(statement, new)
            if around is not None and around is not loop:
                statements += around.before
            statements += self._let(statement, loop) if isinstance(statement, n.Let) else (statement,)
        same = len(statements) == len(block.statements)
        if same and all(a is b for a, b in zip(statements, block.statements, strict=True)):
            return block
        return replace(block, statements=tuple(statements))

    def _let(self, let: n.Let, loop: _Loop | None) -> list[n.Statement]:
        value, type = let.value, let.var.type
        if not isinstance(value, n.Binary) or not isinstance(type, Scalar) or type.kind != "f" or type.weak:
            return [let]
        if value.op == "truediv":
            factor = self._reciprocal(value.right, type, let, loop)
            return [let if factor is None else replace(let, value=n.Binary("mul", value.left, factor, False))]
        if value.op == "pow" and isinstance(value.right, n.Const):
            return self._power(let, value.left, float(value.right.value.real), type)
        return [let]

    def _reciprocal(self, divisor: n.Atom, type: Scalar, let: n.Let, loop: _Loop | None) -> n.Atom | None:
        """``1 / divisor`` where it is computed once, or None."""
        if isinstance(divisor, n.Const):
            number = float(divisor.value.real)
            inverse = 1 / number if number else 0.0
            return n.Const(inverse, type) if _LEAST <= abs(inverse) <= 1 / _LEAST else None
        if loop is None or divisor.name in loop.inside:
            return None
        if divisor not in loop.known:
            made = self.names.fresh(f"{divisor.stem}_inverse", type)
            one = n.Const(1.0, type)
            loop.before.append(n.Let(made, n.Binary("truediv", one, divisor, False), let.location))
            loop.known[divisor] = made
        return loop.known[divisor]

    def _power(self, let: n.Let, base: n.Atom, exponent: float, type: Scalar) -> list[n.Statement]:
        if exponent == 0.5:
            return [replace(let, value=n.Math("sqrt", (base,)))]
        if exponent != int(exponent) or not 2 <= abs(exponent) <= MOST_FACTORS:
            return [let]
        statements: list[n.Statement] = []
        product = self._product(base, int(abs(exponent)), type, let, statements)
        value: n.Expression = n.Binary("truediv", n.Const(1.0, type), product, False)
        if exponent > 0:
            last = statements.pop()
            assert isinstance(last, n.Let)
            value = last.value
        return [*statements, replace(let, value=value)]

    def _product(self, base: n.Atom, count: int, type: Scalar, let: n.Let, out: list[n.Statement]) -> n.Atom:
        """The power by repeated squaring."""
        if count == 1:
            return base
        half = self._product(base, count // 2, type, let, out)
        result = self._times(half, half, type, let, out)
        return self._times(result, base, type, let, out) if count % 2 else result

    def _times(self, left: n.Atom, right: n.Atom, type: Scalar, let: n.Let, out: list[n.Statement]) -> n.Atom:
        made = self.names.fresh("t", type)
        out.append(n.Let(made, n.Binary("mul", left, right, False), let.location))
        return made


_LEAST = 2.0**-60
"""Reciprocals of constants that are smaller, or larger than its inverse, are not used: all types hold those between."""


def _entered(loop: n.For | n.While) -> _Loop:
    inside = {v.name for v in bound_inside(loop)}
    for block in blocks_of(loop):
        for statement in walk(block):
            inside.update(v.name for v in (*defined_by(statement), *bound_inside(statement)))
    return _Loop(inside)
