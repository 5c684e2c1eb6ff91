"""``min(a, b)`` and ``max(a, b)`` of numbers: the result is one of the two, with the type that both have in common."""

from __future__ import annotations

import ast
from typing import cast as typed

from weft.frontend.control import infinite
from weft.frontend.several_types import forms, witnesses
from weft.frontend.several_types.agreement import Operation, folded
from weft.frontend.values import operators
from weft.frontend.values.convert import NoCommonTypeError, common_type, join_cast
from weft.frontend.values.scope import Context
from weft.frontend.values.values import describe_value
from weft.ir import nodes as n
from weft.ir.types import PYFLOAT, Scalar


def smaller_or_larger(ctx: Context, op: n.BinaryOp, a: n.Atom, b: n.Atom, node: ast.AST) -> n.Atom:
    """``min(a, b)`` or ``max(a, b)``: one of the two, as the type that both have in common."""
    known = infinite.smaller_or_larger(str(op), a, b) or _of_constants(op, a, b)
    if known is not None:
        return known
    try:
        type = common_type(ctx, a, b)
        if isinstance(type, Scalar) and witnesses.is_lost(ctx, (a, b), type):
            raise NoCommonTypeError("")
    except NoCommonTypeError:
        raise ctx.type_error(
            f"the type of {op} of {describe_value(a)} and {describe_value(b)} depends on their values",
            node,
            hint=_hint_of_extreme(str(op), a, b),
        ) from None
    assert isinstance(type, Scalar)
    location, given = ctx.location(node), (a, b)
    a, b = (join_cast(ctx, atom, type, location) for atom in given)
    both = ctx.is_nonnegative(a) and ctx.is_nonnegative(b)
    one = ctx.is_nonnegative(a) or ctx.is_nonnegative(b)
    result = operators.scalar_binary(ctx, op, a, b, node)
    forms.note(ctx, result, *given)
    witnesses.extreme(ctx, str(op), result, given, (a, b), location)
    if isinstance(result, n.Var) and (both or (op == "max" and one)):
        ctx.nonnegative.add(result.name)
    return result


def _of_constants(op: n.BinaryOp, a: n.Atom, b: n.Atom) -> n.Atom | None:
    """The smaller or larger of two constants, one or both of Python's, with its own type; None for other numbers."""
    if not (isinstance(a, n.Const) and isinstance(b, n.Const)):
        return None
    first, second = typed(Scalar, a.type), typed(Scalar, b.type)
    if first == second or not (first.weak or second.weak) or "c" in (first.kind, second.kind):
        return None
    if first.weak and second.weak:  # Python compares these without rounding
        left, right = a.value.real, b.value.real
        return b if (right < left if op == "min" else right > left) else a
    comparison = Operation("lt" if op == "min" else "gt", (second, first))
    found = folded(comparison.op, [b, a], comparison.signature(comparison.own))
    return None if found is None else (b if found.value else a)


def _hint_of_extreme(op: str, a: n.Atom, b: n.Atom) -> str:
    integers = [atom for atom in (a, b) if getattr(atom.type, "kind", "") in ("i", "u")]
    if len(integers) == 1 and PYFLOAT in (a.type, b.type):
        return f"start from the first element, or from np.iinfo(a.dtype).{'max' if op == 'min' else 'min'}"
    return f"convert one of them, or use np.{op}imum, which converts both"
