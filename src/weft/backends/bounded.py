"""Loops that cannot run for ever: they have few iterations, or each has an element of an array to itself."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import TypeAlias

from weft.ir import nodes as n
from weft.ir.types import Scalar
from weft.ir.visit import atoms_of, bound_inside, defined_by, walk

SOON = 1 << 20
"""Iterations that nobody has to wait for."""

Values: TypeAlias = Mapping[n.Var, n.Expression]


def has_few_trips(loop: n.For, few: int = SOON) -> bool:
    """Whether a loop has a constant number of iterations, up to some."""
    if not isinstance(loop.start, n.Const) or not isinstance(loop.stop, n.Const):
        return False
    return loop.stop.value.real - loop.start.value.real <= few


def values_in(block: n.Block) -> Values:
    """What the variables are that a block defines."""
    return {s.var: s.value for s in walk(block) if isinstance(s, n.Let)}


def is_bounded(loop: n.For, values: Values | None = None) -> bool:
    """Whether each iteration accesses an element of its own, so that there are no more than an array has.

    `values` are known definitions, also those outside of the loop: a branch that asks whether something is below that
    to which the loop counts does not keep iterations from their elements.
    """
    made: set[n.Atom] = {var for s in (loop, *walk(loop.body)) for var in (*bound_inside(s), *defined_by(s))}
    made -= {s.index for s in walk(loop.body) if isinstance(s, n.For) and s.start not in made}
    return _Search(made, values or {}, _ends_of(loop.stop, values or {})).finds(loop.body, {loop.index})


def _ends_of(stop: n.Atom, values: Values) -> frozenset[n.Atom]:
    """What a loop counts to, and what that is a quotient of: as in ``(end + 255) // 256``."""
    found = {stop}
    value = values.get(stop) if isinstance(stop, n.Var) else None
    while isinstance(value, n.Binary) and isinstance(value.right, n.Const) and value.op in ("floordiv", "add", "sub"):
        found.add(value.left)
        value = values.get(value.left) if isinstance(value.left, n.Var) else None
    return frozenset(found)


@dataclass(frozen=True)
class _Search:
    """For an access at an index that moves with a loop.

    Attributes
    ----------
    made
        Variables that may be others in each iteration.
    values
        What variables are.
    ends
        What the loop counts to.
    """

    made: set[n.Atom]
    values: Values
    ends: frozenset[n.Atom]

    def finds(self, block: n.Block, moving: set[n.Atom], any_side: bool = False) -> bool:
        """Whether every iteration has one. A loop inside has iterations, or it takes no time.

        With `any_side` one side of a branch is enough: schedules write such inside of what asks for the end.
        """
        for statement in block.statements:
            if any(not moving.isdisjoint(indices) for indices in _accesses(statement)):
                return True
            if isinstance(statement, n.Let) and self._moves(statement, moving):
                moving.add(statement.var)
            if isinstance(statement, n.For) and self.finds(statement.body, moving, any_side):
                return True
            if isinstance(statement, n.If):
                holds = any_side or self._holds(statement, moving)
                sides = [self.finds(side, moving, holds) for side in (statement.then, statement.orelse)]
                if any(sides) if holds else all(sides):
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

    def _holds(self, branch: n.If, moving: set[n.Atom]) -> bool:
        """Whether the condition of a branch is that an index has not come to the end."""
        value = self.values.get(branch.condition) if isinstance(branch.condition, n.Var) else None
        return isinstance(value, n.Compare) and value.op == "lt" and value.left in moving and value.right in self.ends


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
