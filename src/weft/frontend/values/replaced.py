"""Notes on arrays follow them where the finished program has another variable in their place."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from weft.frontend.values.scope import Context, SharedView, ViewInstead
from weft.ir import nodes as n
from weft.ir.types import View
from weft.ir.visit import substitute


def replace_in_notes(ctx: Context, values: Mapping[str, n.Atom]) -> None:
    """Replace arguments of a loop that no iteration changes in what is noted of copies, and of the order of arrays."""
    arrays = {name: atom for name, atom in values.items() if isinstance(atom, n.Var) and isinstance(atom.type, View)}
    if not arrays:
        return
    for key, (array, conditions) in ctx.in_order.items():
        ctx.in_order[key] = array, _replaced(conditions, arrays)
    for name, one in ctx.shared_views.items():
        ctx.shared_views[name] = _shared_view(one, arrays)
    for name, kept in ctx.kept_parts.items():
        if kept is not None and kept[0] in arrays:
            ctx.kept_parts[name] = arrays[kept[0]].name, kept[1]


def _shared_view(one: SharedView, arrays: Mapping[str, n.Var]) -> SharedView:
    instead = None if one.instead is None else _instead(one.instead, arrays)
    return replace(one, bases=substitute(one.bases, arrays), instead=instead)


def _instead(instead: ViewInstead, arrays: Mapping[str, n.Var]) -> ViewInstead:
    return ViewInstead(
        substitute(instead.before, arrays),
        substitute(instead.condition, arrays),
        substitute(instead.then, arrays),
        substitute(instead.guard, arrays),
        _replaced(instead.chosen, arrays),
    )


def _replaced(conditions: frozenset[n.Var], arrays: Mapping[str, n.Var]) -> frozenset[n.Var]:
    return frozenset(arrays.get(view.name, view) for view in conditions)
