"""Whether new arrays lie in memory as NumPy's do: Weft's lie in C order, and NumPy's as what they were computed from.

It makes a difference where NumPy decides between a view and a copy: see `arrays.shared_views`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator

from weft.frontend.values.scope import Context, view_type
from weft.frontend.values.values import ArrayExpression, Value, is_view
from weft.ir import nodes as n

Conditions = frozenset[n.Var]
"""Arrays that have to lie in C order: parameters, and those that a loop or a branch leaves, which may be several."""

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
    if view_type(view).ndim < 2:
        return ALWAYS  # however far apart its elements are, the axes of its views are in one order
    if isinstance(definition, n.Alloc):
        return ctx.in_order.get(id(definition), (definition, None))[1]
    return frozenset((view,))


def _is_forward(axis: n.Atom | n.Slice | None) -> bool:
    """Whether an axis of a view runs in the direction in which the array lies."""
    return not isinstance(axis, n.Slice) or (isinstance(axis.step, n.Const) and axis.step.value.real > 0)


def is_param(ctx: Context, view: n.Var) -> bool:
    """Whether an array is an argument, of which the strides can be asked for."""
    return any(param.var == view for param in ctx.params)


def views_to_root(ctx: Context, view: n.Var) -> Iterator[n.Var]:
    """A view, what it is part of, and so on, as far as definitions are known."""
    yield view
    definition = ctx.definitions.get(view.name)
    if isinstance(definition, (n.Subview, n.Transpose, n.FieldView, n.Split, n.Merge)):
        yield from views_to_root(ctx, definition.view)


def of_strides(ctx: Context, view: n.Var) -> Conditions | None:
    """When the strides of an array, or a part of one, are those that it has in NumPy."""
    *_, view = views_to_root(ctx, view)
    return ALWAYS if is_param(ctx, view) else of_view(ctx, view)


def asked(ctx: Context, chosen: Iterable[n.Var], members: Callable[[str], frozenset[str]]) -> Conditions | None:
    """The parameters that have to lie in C order so that arrays do which a loop or a branch leaves.

    None where it is not known of one of these arrays, or of what it is computed from. `members` are what one may be.
    """
    found: set[n.Var] = set()
    waiting = [name for view in chosen for name in members(view.name)]
    seen = set(waiting)
    while waiting:
        name = waiting.pop()
        if name in ctx.of_calls:
            return None
        definition = ctx.definitions.get(name)
        if not isinstance(definition, n.Alloc) or len(definition.shape) < 2:
            continue
        if id(definition) not in ctx.in_order:
            return None
        for view in ctx.in_order[id(definition)][1]:
            found |= {view} if is_param(ctx, view) else set()
            others = members(view.name) - seen
            found |= {param.var for param in ctx.params if param.var.name in others and view_type(param.var).ndim > 1}
            seen |= others
            waiting += others
    return frozenset(found)
