"""Constant bounds of integers that follow from the types and constants that they are computed from, and nothing else.

Cheap, and it knows products, remainders and choices; loops, branches and sizes are the business of `ranges`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TypeAlias

from weft.ir import nodes as n
from weft.ir.types import PYINT, Scalar, Type
from weft.ir.visit import walk

Interval: TypeAlias = tuple[int, int]
"""The least and the largest value, both included."""


def intervals(body: n.Block) -> dict[str, Interval]:
    """The bounds of the Python integers of a program that have some, by name."""
    found: dict[str, Interval] = {}
    for statement in walk(body):
        if isinstance(statement, n.Let) and statement.var.type == PYINT:
            _note(found, statement.var, of_value(statement.value, found))
    # Results of branches come after both sides, which a walk meets later than the branch itself.
    for statement in reversed([s for s in walk(body) if isinstance(s, n.If)]):
        for result, *sides in zip(statement.results, statement.then.yields, statement.orelse.yields, strict=True):
            if result.type == PYINT:
                _note(found, result, _either(*(of_atom(side, found) for side in sides)))
    return found


def _note(found: dict[str, Interval], var: n.Var, interval: Interval | None) -> None:
    if interval is not None:
        found[var.name] = interval


def of_atom(atom: n.Atom, known: Mapping[str, Interval]) -> Interval | None:
    """The bounds of an operand."""
    if isinstance(atom, n.Const):
        fits = isinstance(atom.value, int) and atom.type == PYINT
        return (int(atom.value), int(atom.value)) if fits else None  # type: ignore[arg-type]
    return known.get(atom.name)


def of_value(value: n.Expression, known: Mapping[str, Interval]) -> Interval | None:
    """The bounds of a Python integer that an expression gives."""
    if isinstance(value, n.Cast):
        return of_type(value.operand.type) if value.operand.type != PYINT else of_atom(value.operand, known)
    if isinstance(value, n.Binary):
        left, right = of_atom(value.left, known), of_atom(value.right, known)
        if value.op in ("mod", "and") and right is not None and right[0] > 0:
            return 0, right[1] - (value.op == "mod")
        return None if left is None or right is None else _combined(value.op, left, right)
    if isinstance(value, n.Select):
        return _either(of_atom(value.then, known), of_atom(value.orelse, known))
    if isinstance(value, n.Unary) and value.op in ("neg", "abs"):
        inner = of_atom(value.operand, known)
        if inner is None:
            return None
        return (-inner[1], -inner[0]) if value.op == "neg" else (0, max(abs(inner[0]), abs(inner[1])))
    return None


def constant_bounds(atom: n.Atom, value_of: Callable[[n.Var], n.Expression | None], depth: int = 6) -> Interval | None:
    """The bounds of an integer of any type: from the types, masks, remainders and shifts that it is made of.

    `value_of` gives what is assigned to a variable.
    """
    if not isinstance(atom.type, Scalar) or atom.type.kind not in "biu":
        return None
    if isinstance(atom, n.Const):
        return (int(atom.value), int(atom.value)) if isinstance(atom.value, int) else None
    value, own = value_of(atom), of_type(atom.type)
    if depth == 0 or value is None:
        return own
    inner = None
    if isinstance(value, n.Cast):
        inner = constant_bounds(value.operand, value_of, depth - 1)
    elif isinstance(value, n.Binary):
        left, right = (constant_bounds(side, value_of, depth - 1) for side in (value.left, value.right))
        inner = _of_bits(value.op, left, right)
        if value.op == "shl" and atom.type == PYINT and left is not None and left[0] >= 0:
            inner = left[0], 2**63 - 1  # what does not fit is an error
    if inner is None or own is None:
        return inner or own
    return inner if own[0] <= inner[0] and inner[1] <= own[1] else own


def _of_bits(op: str, left: Interval | None, right: Interval | None) -> Interval | None:
    """The bounds of a remainder by what is positive, of a mask, or of a shift to the right; None of anything else."""
    if op == "mod":
        return (0, right[1] - 1) if right is not None and right[0] > 0 else None
    if op == "and":
        masks = [side[1] for side in (left, right) if side is not None and side[0] >= 0]
        return (0, min(masks)) if masks else None
    if op == "shr" and left is not None and right is not None and left[0] >= 0 and right[0] >= 0:
        return 0, left[1] >> min(right[0], 64)
    return None


def of_type(type: Type) -> Interval | None:
    """The bounds of an integer or Boolean type of NumPy."""
    if not isinstance(type, Scalar) or type.weak or type.kind not in "biu":
        return None
    if type.kind == "b":
        return 0, 1
    return (0, 2**type.bits - 1) if type.kind == "u" else (-(2 ** (type.bits - 1)), 2 ** (type.bits - 1) - 1)


def _either(left: Interval | None, right: Interval | None) -> Interval | None:
    return None if left is None or right is None else (min(left[0], right[0]), max(left[1], right[1]))


def _combined(op: str, left: Interval, right: Interval) -> Interval | None:
    if op == "add":
        return left[0] + right[0], left[1] + right[1]
    if op == "sub":
        return left[0] - right[1], left[1] - right[0]
    if op == "mul":
        corners = [a * b for a in left for b in right]
        return min(corners), max(corners)
    if op in ("min", "max"):
        choose = min if op == "min" else max
        return choose(left[0], right[0]), choose(left[1], right[1])
    return None
