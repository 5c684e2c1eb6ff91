"""Whether new arrays lie in memory as NumPy's do: Weft's lie in C order, and NumPy's as what they were computed from.

It makes a difference where NumPy decides between a view and a copy: see `arrays.shared_views`.
"""

from __future__ import annotations

from collections.abc import Iterable

from weft.frontend.values.scope import Context, view_type
from weft.frontend.values.values import ArrayExpression, Value, is_view
from weft.ir import nodes as n

Conditions = frozenset[n.Var]
"""Parameters that have to lie in C order."""

ALWAYS: Conditions = frozenset()


def note(ctx: Context, array: n.Var, conditions: Conditions | None = ALWAYS) -> None:
    """Say when NumPy's array lies in C order, too; None where that is not known."""
    definition = ctx.definitions.get(array.name)
    if conditions is not None and isinstance(definition, n.Alloc):
        ctx.in_order[id(definition)] = definition, conditions


def of_all(ctx: Context, values: Iterable[Value]) -> Conditions | None:
    """When an array that is computed from others lies in C order; None where it may lie so or so."""
    found: set[n.Var] = set()
    for value in values:
        one = _of_operand(ctx, value)
        if one is None:
            return None
        found |= one
    return frozenset(found)


def _of_operand(ctx: Context, value: Value) -> Conditions | None:
    if isinstance(value, ArrayExpression):
        if len(value.extents) < 2:
            return ALWAYS
        is_reshaped = value.split is not None or bool(value.joined)
        return of_all(ctx, value.operands) if value.pick is None or is_reshaped else None
    if not (isinstance(value, n.Var) and is_view(value)) or view_type(value).ndim < 2:
        return ALWAYS
    return of_view(ctx, value)


def of_view(ctx: Context, view: n.Var) -> Conditions | None:
    """When the axes of an array, or a part of one, are in NumPy's memory in the order in which they are in Weft's."""
    while True:
        definition = ctx.definitions.get(view.name)
        if isinstance(definition, n.Subview):
            if not all(map(_is_forward, definition.axes)):
                return None
        elif not isinstance(definition, (n.Split, n.Merge, n.FieldView)):
            break
        view = definition.view
    if isinstance(definition, n.Alloc):
        _, conditions = ctx.in_order.get(id(definition), (None, None))
        return ALWAYS if view_type(view).ndim < 2 else conditions
    is_param = any(param.var == view for param in ctx.params)
    return (frozenset((view,)) if view_type(view).ndim > 1 else ALWAYS) if is_param else None


def _is_forward(axis: n.Atom | n.Slice | None) -> bool:
    """Whether an axis of a view runs in the direction in which the array lies."""
    return not isinstance(axis, n.Slice) or (isinstance(axis.step, n.Const) and axis.step.value.real > 0)


def of_strides(ctx: Context, view: n.Var) -> Conditions | None:
    """When the strides of an array, or a part of one, are those that it has in NumPy."""
    definition = ctx.definitions.get(view.name)
    while isinstance(definition, (n.Subview, n.Transpose, n.Split, n.Merge, n.FieldView)):
        view, definition = definition.view, ctx.definitions.get(definition.view.name)
    return ALWAYS if any(param.var == view for param in ctx.params) else of_view(ctx, view)
