"""Writes statements one after the other. No pass itself: what passes that make new code write it with."""

from __future__ import annotations

from collections.abc import Sequence

from weft.ir import nodes as n
from weft.ir.location import Location
from weft.ir.types import BOOL, PYBOOL, PYINT, Scalar, Type
from weft.passes.peel import Copies

TRUE, FALSE = n.Const(True, PYBOOL), n.Const(False, PYBOOL)


class Scribe:
    """Collects statements at one place; all have one location. Python's integers are computed without checks."""

    def __init__(self, copies: Copies, location: Location) -> None:
        self.copies = copies
        self.location = location
        self.out: list[n.Statement] = []

    def inner(self) -> Scribe:
        """One that writes a block inside."""
        return Scribe(self.copies, self.location)

    def block(self, yields: Sequence[n.Atom] = ()) -> n.Block:
        """What was written, as a block."""
        return n.Block(tuple(self.out), tuple(yields))

    def fresh(self, stem: str, type: Type = PYINT) -> n.Var:
        """A new variable."""
        return self.copies.names.fresh(stem, type)

    def let(self, value: n.Expression, type: Type = PYINT, name: str = "t") -> n.Var:
        """A variable with a value."""
        made = self.copies.let(value, type, self.location, name)
        self.out.append(made)
        return made.var

    def binary(self, op: n.BinaryOp, left: n.Atom, right: n.Atom | int, name: str = "t") -> n.Atom:
        """An operation on two values of one type; trivial ones are not written."""
        other = n.Const(right) if isinstance(right, int) else right
        if (op in ("add", "sub") and other == n.Const(0)) or (op == "mul" and other == n.Const(1)):
            return left
        if op == "add" and left == n.Const(0):
            return other
        return self.let(n.Binary(op, left, other, checked=False), left.type, name)

    def trips(self, start: n.Atom, stop: n.Atom, name: str = "t") -> n.Atom:
        """How many iterations a loop has, also where an end that was read lies so far below that a difference wraps."""
        if start == n.Const(0):
            return self.binary("max", stop, 0, name)
        return self.binary("sub", self.binary("max", stop, start), start, name)

    def compare(self, op: n.CompareOp, left: n.Atom, right: n.Atom | int, name: str = "t") -> n.Atom:
        """A comparison, as a Boolean of Python."""
        other = n.Const(right) if isinstance(right, int) else right
        weak = isinstance(left.type, Scalar) and left.type.weak
        return self.boolean(self.let(n.Compare(op, left, other), PYBOOL if weak else BOOL, name))

    def select(self, condition: n.Atom, then: n.Atom, orelse: n.Atom, name: str = "t") -> n.Atom:
        """One of two values."""
        if isinstance(condition, n.Const):
            return then if condition.value else orelse
        return then if then == orelse else self.let(n.Select(condition, then, orelse), then.type, name)

    def both(self, left: n.Atom, right: n.Atom) -> n.Atom:
        """Whether two Booleans are True."""
        if FALSE in (left, right):
            return FALSE
        if left == TRUE:
            return right
        return left if right == TRUE else self.let(n.Binary("and", left, right, False), PYBOOL)

    def either(self, left: n.Atom, right: n.Atom) -> n.Atom:
        """Whether one of two Booleans is True."""
        if TRUE in (left, right):
            return TRUE
        if left == FALSE:
            return right
        return left if right == FALSE else self.let(n.Binary("or", left, right, False), PYBOOL)

    def negated(self, value: n.Atom) -> n.Atom:
        """Whether a Boolean is False."""
        if isinstance(value, n.Const):
            return n.Const(not value.value, PYBOOL)
        return self.let(n.Unary("not", value, False), PYBOOL)

    def boolean(self, value: n.Atom) -> n.Atom:
        """A Boolean of NumPy as one of Python."""
        return value if value.type == PYBOOL else self.let(n.Cast(value, False), PYBOOL)

    def branch(self, condition: n.Atom, then: n.Block, orelse: n.Block, stems: Sequence[str]) -> tuple[n.Var, ...]:
        """A branch; gives its results, whose types are those of the yields."""
        results = tuple(self.fresh(stem, y.type) for stem, y in zip(stems, then.yields, strict=True))
        self.out.append(n.If(condition, then, orelse, results, self.location))
        return results
