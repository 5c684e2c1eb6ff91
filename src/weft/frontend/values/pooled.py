"""Objects that lists hold: how compiled code makes them, reads and assigns their fields, and returns them.

What represents them is in `references`.
"""

from __future__ import annotations

import ast
from typing import cast as typed

import numpy as np

from weft.frontend.arrays.tables import FUNCTIONS, operation
from weft.frontend.calls import inlining
from weft.frontend.calls import library_lists as library
from weft.frontend.values import lists, references
from weft.frontend.values.list_models import UNKNOWN, NeedsModel, reconcile, widened, with_value
from weft.frontend.values.scope import Context
from weft.frontend.values.values import Instance, Reference, Static, Value
from weft.ir import nodes as n


def referenced(ctx: Context, value: Instance, node: ast.AST) -> Instance:
    """A new object, as a reference where lists hold objects of its class whose fields are assigned."""

    def append(pool: Value, items: Value) -> Value:
        return inlining.call_library(ctx, library.List.append, [pool, items], node)

    return references.made(ctx, value, append, lambda pool: lists.parts(ctx, pool, node)[0], node)


def begin_results(ctx: Context, node: ast.AST) -> None:
    """Make room to note which objects that lists hold are in the result."""
    for cls, pool in ctx.pools.items():
        marks = FUNCTIONS[np.zeros](ctx, [lists.parts(ctx, pool, node)[0]], {"dtype": Static(bool)}, node)
        ctx.marks[cls] = typed(n.Var, marks)


@operation(library.as_result)
def as_result(ctx: Context, owner: Value, node: ast.AST) -> Value:
    """The new object that stands for a referenced one in the result, which may not have it in two places."""
    items = fields(ctx, typed(Reference, owner), node)
    if any(map(references.holds, items)):
        raise ctx.refusal("objects in a result", node)
    cls = typed(Reference, owner).type
    inlining.call_library(ctx, library.mark, [ctx.marks[cls], references.number_of(owner)], node)
    return Instance(cls, typed(Reference, owner).names, items)


def fields(ctx: Context, owner: Reference, node: ast.AST) -> tuple[Value, ...]:
    """What the fields of a referenced object hold now."""
    found = lists.load(ctx, ctx.pools[owner.type], references.number_of(owner), node)
    return found if isinstance(found, tuple) else (found,) * len(owner.names)


def assign_field(ctx: Context, owner: Reference, position: int, value: Value, node: ast.AST) -> None:
    """Assign to a field of a referenced object."""
    pool = ctx.pools[owner.type]
    _, store, model = lists.parts(ctx, pool, node)
    if model is UNKNOWN:
        return
    value = lists.storable(ctx, pool, value, node)
    stores, models = typed("tuple[Value, ...]", store), typed("tuple[Value, ...]", model)
    found = lists.model_of(ctx, value, node)
    wanted = widened(found, models[position]) or with_value(models[position], value)
    if wanted is not None:
        changed = (*models[:position], wanted, *models[position + 1 :])
        raise NeedsModel(ctx.places_of_lists[pool.number], changed)
    reconcile(ctx, models[position], found)
    value = lists.fitted(ctx, value, models[position], node)
    lists.store_leaves(ctx, stores[position], references.number_of(owner), value, node)
