"""Roots: under ``fastmath=True`` what is divided by a square root of a float32 is multiplied by its inverse.

Also by a product of such a root with itself and with the number below it: ``m / (r * sqrt(r))`` is ``m`` times the
third power of ``1 / sqrt(r)``, which devices have an instruction for. Results differ by a few roundings. Powers of the
inverse may vanish where the divisor is so large that the quotient would only be small, and overflow where it is small.
"""

from __future__ import annotations

from dataclasses import replace

from weft.ir import nodes as n
from weft.ir.types import FLOAT32
from weft.ir.visit import Names, rewrite
from weft.transform.support import on_blocks

MOST_FACTORS = 6
"""Factors of a divisor at most."""


def roots(program: n.Program) -> n.Program:
    """Replace divisions by square roots by products with their inverses."""
    names = Names.of(program)
    return on_blocks(program, lambda block: rewrite(block, _Inverses(names).statement))


class _Inverses:
    def __init__(self, names: Names) -> None:
        self.names = names
        self.known: dict[str, n.Expression] = {}
        """The roots and products that were met, by the names of their values."""

    def statement(self, statement: n.Statement) -> n.Statement | tuple[n.Statement, ...]:
        """What stands for a statement; those before it were seen."""
        if not isinstance(statement, n.Let) or statement.var.type != FLOAT32:
            return statement
        value = statement.value
        is_root = isinstance(value, n.Math) and value.name == "sqrt" and not value.strict
        if is_root or (isinstance(value, n.Binary) and value.op == "mul"):
            self.known[statement.var.name] = value
        if not isinstance(value, n.Binary) or value.op != "truediv" or value.left == n.Const(1.0, FLOAT32):
            return statement
        found = self._power(value.right)
        return statement if found is None else self._multiplied(statement, value.left, *found)

    def _power(self, divisor: n.Atom) -> tuple[n.Var, int] | None:
        """The root whose power a divisor is, and the exponent."""
        factors = self._factors(divisor)
        root = next((a for a in factors if isinstance(a, n.Var) and isinstance(self.known.get(a.name), n.Math)), None)
        if root is None:
            return None
        made = self.known[root.name]
        assert isinstance(made, n.Math)
        powers = [1 if a == root else 2 if a == made.operands[0] else 0 for a in factors]
        return (root, sum(powers)) if all(powers) else None

    def _factors(self, divisor: n.Atom) -> list[n.Atom]:
        """The numbers of which a divisor is the product; none where they are many."""
        factors, rest = list[n.Atom](), [divisor]
        while rest and len(factors) + len(rest) <= MOST_FACTORS:
            atom = rest.pop()
            value = self.known.get(atom.name) if isinstance(atom, n.Var) else None
            if isinstance(value, n.Binary):
                rest += [value.left, value.right]
            else:
                factors.append(atom)
        return [] if rest else factors

    def _multiplied(self, let: n.Let, dividend: n.Atom, root: n.Var, power: int) -> tuple[n.Statement, ...]:
        inverse = self.names.fresh(f"{root.stem}_inverse", FLOAT32)
        lets = [n.Let(inverse, n.Binary("truediv", n.Const(1.0, FLOAT32), root, False), let.location)]
        total = inverse
        for _ in range(power - 1):
            before, total = total, self.names.fresh("t", FLOAT32)
            lets.append(n.Let(total, n.Binary("mul", before, inverse, False), let.location))
        return (*lets, replace(let, value=n.Binary("mul", dividend, total, False)))
