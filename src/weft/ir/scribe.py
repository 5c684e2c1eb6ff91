"""Writes statements one after the other: what passes, plans and schedules make new code with."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

from weft.ir import nodes as n
from weft.ir.location import Location
from weft.ir.types import BOOL, PYBOOL, PYINT, Scalar, Type
from weft.ir.visit import Names

TRUE, FALSE = n.Const(True, PYBOOL), n.Const(False, PYBOOL)
ZERO = n.Const(0)


class Scribe:
    """Collects statements at one place; all have one location. Python's integers are computed without checks.

    Attributes
    ----------
    names
        Fresh names.
    location
        Given to the statements.
    statements
        What was written.
    """

    condition_stem = "t"
    """What variables for conditions are called."""

    def __init__(self, names: Names, location: Location) -> None:
        self.names, self.location = names, location
        self.statements: list[n.Statement] = []

    def inner(self) -> Scribe:
        """One that writes a block inside."""
        return Scribe(self.names, self.location)

    def block(self, yields: Sequence[n.Atom] = ()) -> n.Block:
        """What was written, as a block."""
        return n.Block(tuple(self.statements), tuple(yields))

    def add(self, *statements: n.Statement) -> None:
        """Put statements at the end."""
        self.statements += statements

    def fresh(self, stem: str, type: Type = PYINT) -> n.Var:
        """A new variable."""
        return self.names.fresh(stem, type)

    def let(self, value: n.Expression, type: Type = PYINT, stem: str = "t") -> n.Var:
        """A variable with a value."""
        var = self.names.fresh(stem, type)
        self.statements.append(n.Let(var, value, self.location))
        return var

    # --------------------------------------------------------------------------------------------- numbers

    def op(self, op: n.BinaryOp, left: n.Atom | int, right: n.Atom | int, stem: str = "t") -> n.Atom:
        """An operation on two values of one type; done at once where it is trivial."""
        a, b = _atom(left), _atom(right)
        known = _folded(op, a, b)
        return self.let(n.Binary(op, a, b, checked=False), a.type, stem) if known is None else known

    def trips(self, start: n.Atom, stop: n.Atom, stem: str = "t") -> n.Atom:
        """How many iterations a loop has, also where an end that was read lies so far below that a difference wraps."""
        if start == ZERO:
            return self.op("max", stop, 0, stem)
        return self.op("sub", self.op("max", stop, start), start, stem)

    def select(self, condition: n.Atom, then: n.Atom, orelse: n.Atom, stem: str = "t") -> n.Atom:
        """One of two values."""
        if isinstance(condition, n.Const):
            return then if condition.value else orelse
        return then if then == orelse else self.let(n.Select(condition, then, orelse), then.type, stem)

    # ------------------------------------------------------------------------------------------ conditions

    def compare(self, op: n.CompareOp, left: n.Atom | int, right: n.Atom | int, stem: str = "") -> n.Atom:
        """A comparison, as a Boolean of Python."""
        a, b = _atom(left), _atom(right)
        weak = isinstance(a.type, Scalar) and a.type.weak
        return self.boolean(self.let(n.Compare(op, a, b), PYBOOL if weak else BOOL, stem or self.condition_stem))

    def both(self, conditions: Iterable[n.Atom]) -> n.Atom:
        """Whether all conditions hold."""
        total: n.Atom = TRUE
        for condition in conditions:
            if total == TRUE or condition == FALSE:
                total = condition
            elif condition != TRUE and total != FALSE:
                total = self._logical("and", total, condition)
        return total

    def either(self, left: n.Atom, right: n.Atom) -> n.Atom:
        """Whether one of two conditions holds."""
        if TRUE in (left, right):
            return TRUE
        if left == FALSE:
            return right
        return left if right == FALSE else self._logical("or", left, right)

    def _logical(self, op: n.BinaryOp, left: n.Atom, right: n.Atom) -> n.Atom:
        return self.let(n.Binary(op, left, right, checked=False), PYBOOL, self.condition_stem)

    def negated(self, value: n.Atom) -> n.Atom:
        """Whether a condition does not hold."""
        if isinstance(value, n.Const):
            return n.Const(not value.value, PYBOOL)
        return self.let(n.Unary("not", value, False), PYBOOL)

    def boolean(self, value: n.Atom) -> n.Atom:
        """A Boolean of NumPy as one of Python."""
        return value if value.type == PYBOOL else self.let(n.Cast(value, False), PYBOOL)

    def branch(self, condition: n.Atom, then: n.Block, orelse: n.Block, stems: Sequence[str]) -> tuple[n.Var, ...]:
        """A branch; gives its results, whose types are those of the yields."""
        results = tuple(self.fresh(stem, y.type) for stem, y in zip(stems, then.yields, strict=True))
        self.add(n.If(condition, then, orelse, results, self.location))
        return results


def atoms(values: Sequence[n.Atom | int]) -> tuple[n.Atom, ...]:
    """Python's integers as constants."""
    return tuple(map(_atom, values))


def _atom(value: n.Atom | int) -> n.Atom:
    return n.Const(value) if isinstance(value, int) else value


def _folded(op: n.BinaryOp, a: n.Atom, b: n.Atom) -> n.Atom | None:
    """An operation that needs no statement."""
    if isinstance(a, n.Const):
        if isinstance(b, n.Const) and a.type == b.type == PYINT:
            number = _OPERATIONS[op](int(a.value.real), int(b.value.real)) if op in _OPERATIONS else _WIDE
            return n.Const(number) if -_WIDE <= number < _WIDE else None
        if op == "mul":
            return ZERO if _is(a, 0) else b if _is(a, 1) else None
        return b if op == "add" and _is(a, 0) else None
    if not isinstance(b, n.Const):
        return None
    if op in ("add", "sub"):
        return a if _is(b, 0) else None
    if op == "mul":
        return ZERO if _is(b, 0) else a if _is(b, 1) else None
    if op in ("floordiv", "mod") and _is(b, 1):
        return a if op == "floordiv" else ZERO
    return None


def _is(constant: n.Const, number: int) -> bool:
    return constant.value == number and constant.type == PYINT


_WIDE = 1 << 63
"""What Python's integers of compiled code do not reach."""

_OPERATIONS: dict[str, Callable[[int, int], int]] = {
    "add": lambda a, b: a + b, "sub": lambda a, b: a - b, "mul": lambda a, b: a * b, "floordiv": lambda a, b: a // b,
    "mod": lambda a, b: a % b, "min": min, "max": max, "and": lambda a, b: a & b,
}  # fmt: skip
