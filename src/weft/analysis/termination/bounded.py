"""Loops that cannot run for ever: they have few iterations, or each has an element of an array to itself."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import TypeAlias

from weft.dataclass import dataclass
from weft.ir import nodes as n
from weft.ir.types import Scalar
from weft.ir.visit import atoms_of, bound_inside, defined_by, known_trips, walk

SOON = 1 << 20
"""Iterations that nobody has to wait for."""

Values: TypeAlias = Mapping[n.Var, n.Expression | n.Const]


def values_in(block: n.Block) -> Values:
    """What the variables are that a block defines; of counters that never go beyond a constant, that."""
    found: dict[n.Var, n.Expression | n.Const] = {}
    for statement in walk(block):
        if isinstance(statement, n.Let):
            found[statement.var] = statement.value
        elif isinstance(statement, n.For):
            last = _last(statement)
            if last is not None:
                found[statement.index] = n.Const(last)
    return found


def _last(loop: n.For) -> int | None:
    """What a loop counts to, last, from zero or more, where that is known."""
    if not isinstance(loop.start, n.Const) or not isinstance(loop.stop, n.Const) or loop.start.value.real < 0:
        return None
    return int(loop.stop.value.real) - 1


def is_bounded(loop: n.For, values: Values | None = None) -> bool:
    """Whether each iteration accesses an element of its own, so that there are no more than an array has.

    `values` are known definitions, also those outside of the loop: a branch that asks whether something is below that
    to which the loop counts does not keep iterations from their elements.
    """
    made: set[n.Atom] = {var for s in (loop, *walk(loop.body)) for var in (*bound_inside(s), *defined_by(s))}
    made -= {s.index for s in walk(loop.body) if isinstance(s, n.For) and s.start not in made}
    return _Search(loop.index, made, values or {}, _ends_of(loop.stop, values or {})).finds(loop.body, {loop.index})


def _ends_of(stop: n.Atom, values: Values) -> Mapping[n.Atom, int]:
    """What a loop counts to, and what that is a quotient of: as in ``(end + 255) // 256``; each with the divisor.

    What is added is no more than the divisor, so a quotient is larger by one or two at most.
    """
    found, divisor = {stop: 1}, 1
    value = values.get(stop) if isinstance(stop, n.Var) else None
    while isinstance(value, n.Binary) and isinstance(value.right, n.Const):
        number = value.right.value.real
        if value.op == "floordiv" and number >= 1:
            divisor *= int(number)
        elif value.op not in ("add", "sub") or abs(number) > divisor:
            break
        found[value.left] = divisor
        value = values.get(value.left) if isinstance(value.left, n.Var) else None
    return found


@dataclass(frozen=True)
class _Search:
    """For an access at an index that moves with a loop.

    Attributes
    ----------
    index
        The loop's counter.
    made
        Variables that may be others in each iteration.
    values
        What variables are.
    ends
        What the loop counts to, and that times some number.
    """

    index: n.Var
    made: set[n.Atom]
    values: Values
    ends: Mapping[n.Atom, int]

    def finds(self, block: n.Block, moving: set[n.Atom], any_side: bool = False) -> bool:
        """Whether every iteration has one. Of loops inside only those count that are known to have iterations.

        With `any_side` one side of a branch is enough: schedules that deal rounds out to threads write such inside of
        what asks for the end.
        """
        for statement in block.statements:
            if any(not moving.isdisjoint(indices) for indices in _accesses(statement)):
                return True
            if isinstance(statement, n.Let) and self._moves(statement, moving):
                moving.add(statement.var)
            if isinstance(statement, n.For) and known_trips(statement) and self.finds(statement.body, moving, any_side):
                return True
            if isinstance(statement, n.If):
                factor = self._asks_for_end(statement)
                inside = any_side or factor > 1
                sides = [self.finds(side, moving, inside) for side in (statement.then, statement.orelse)]
                if all(sides) or (inside and any(sides)) or (factor and sides[0]):
                    return True
                made = zip(statement.results, statement.then.yields, statement.orelse.yields, strict=True)
                moving |= {result for result, *yields in made if moving.issuperset(yields)}
        return False

    def _moves(self, let: n.Let, moving: set[n.Atom]) -> bool:
        """Whether a value is another one in every iteration, since one part of it is and the others stay the same."""
        value, parts = let.value, atoms_of(let.value)
        if moving.isdisjoint(parts):
            return False
        if isinstance(value, n.Cast):
            return _is_as_wide(let.var, value.operand)
        if isinstance(value, n.Select):
            return moving.issuperset((value.then, value.orelse))
        if not isinstance(value, n.Binary):
            return isinstance(value, n.Lanes)
        others = [atom for atom in parts if atom not in moving]
        if len(others) != 1 or others[0] in self.made:
            return False
        factor = others[0].value if isinstance(others[0], n.Const) else 0
        return value.op in ("add", "sub") or (value.op == "mul" and factor != 0)

    def _asks_for_end(self, branch: n.If) -> int:
        """By what the counter is multiplied in a condition that few iterations do not meet; zero: there is none."""
        value = self.values.get(branch.condition) if isinstance(branch.condition, n.Var) else None
        if not isinstance(value, n.Compare) or value.op != "lt":
            return 0
        factor = self._factor(value.left) or 0
        return factor if factor <= self.ends.get(value.right, 0) else 0

    def _factor(self, atom: n.Atom) -> int | None:
        """By what the counter is multiplied in something that is no more than that and a constant; zero: it is not."""
        if atom == self.index:
            return 1
        value = self.values.get(atom) if isinstance(atom, n.Var) else atom
        if isinstance(value, n.Const):
            return 0 if value.value.real <= SOON else None
        if not isinstance(value, n.Binary):
            return None
        left, right = self._factor(value.left), self._factor(value.right)
        if left is None or right is None:
            return None
        if value.op == "mul" and isinstance(value.right, n.Const) and 0 <= value.right.value.real <= SOON:
            return left * int(value.right.value.real)
        return left + right if value.op == "add" else None


def _accesses(statement: n.Statement) -> Iterator[tuple[object, ...]]:
    """The indices of an access that ends the loop where it is outside of its array."""
    access = statement.value if isinstance(statement, n.Let) else statement
    if isinstance(access, (n.Load, n.Store, n.Update)) and access.bounds != "clamp":
        yield access.indices
    elif isinstance(access, n.Subview) and access.bounds != "clamp":
        yield access.axes


def _is_as_wide(new: n.Var, old: n.Atom) -> bool:
    if not isinstance(new.type, Scalar) or not isinstance(old.type, Scalar):
        return False
    return new.type.kind in "iu" and new.type.bits >= old.type.bits
