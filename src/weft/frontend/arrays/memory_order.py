"""Whether new arrays lie in memory as NumPy's do: Weft's lie in C order, and NumPy's as what they were computed from.

It makes a difference where NumPy decides between a view and a copy: see `arrays.shared_views`.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

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
    if view_type(view).ndim < 2:
        return ALWAYS  # however far apart its elements are, the axes of its views are in one order
    if isinstance(definition, n.Alloc):
        return ctx.in_order.get(id(definition), (definition, None))[1]
    return frozenset((view,)) if any(param.var == view for param in ctx.params) else None


def _is_forward(axis: n.Atom | n.Slice | None) -> bool:
    """Whether an axis of a view runs in the direction in which the array lies."""
    return not isinstance(axis, n.Slice) or (isinstance(axis.step, n.Const) and axis.step.value.real > 0)


def views_to_root(ctx: Context, view: n.Var) -> Iterator[n.Var]:
    """A view, what it is part of, and so on, as far as definitions are known."""
    yield view
    definition = ctx.definitions.get(view.name)
    if isinstance(definition, (n.Subview, n.Transpose, n.FieldView, n.Split, n.Merge)):
        yield from views_to_root(ctx, definition.view)


def is_chosen(ctx: Context, view: n.Var) -> bool:
    """Whether an array is one of several, as a loop or a branch leaves it, or one of these in another shape."""
    *_, root = views = list(views_to_root(ctx, view))
    copies = [ctx.shared_views[v.name] for v in views if v.name in ctx.shared_views]
    if copies:
        return any(is_chosen(ctx, base) for one in copies for base in one.bases)
    is_param = any(param.var == root for param in ctx.params)
    return not is_param and not isinstance(ctx.definitions.get(root.name), n.Alloc)


def of_members(ctx: Context, names: Iterable[str]) -> Conditions:
    """When all those of some arrays lie in C order of which it is known."""
    definitions = (ctx.definitions.get(name) for name in names)
    known = (ctx.in_order.get(id(d), (d, ALWAYS))[1] for d in definitions if isinstance(d, n.Alloc))
    return ALWAYS.union(*known)


def of_strides(ctx: Context, view: n.Var) -> Conditions | None:
    """When the strides of an array, or a part of one, are those that it has in NumPy."""
    *_, view = views_to_root(ctx, view)
    return ALWAYS if any(param.var == view for param in ctx.params) else of_view(ctx, view)
