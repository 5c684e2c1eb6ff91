"""``a.flat[...]``: the elements of an array by their positions in C order, read as copies and written in place."""

from __future__ import annotations

import ast
from collections.abc import Sequence
from typing import cast as typed

import numpy as np

from weft.frontend.arrays import gathers, indexing, shapes
from weft.frontend.arrays.expressions import is_any_array
from weft.frontend.arrays.extents_of import extents_of, raise_unless, rank_of, same
from weft.frontend.arrays.nests import materialised
from weft.frontend.arrays.sizes import arithmetic, product
from weft.frontend.arrays.tables import FUNCTIONS
from weft.frontend.values.convert import cast
from weft.frontend.values.scope import Context
from weft.frontend.values.values import ZERO, ArrayExpression, Flat, Value
from weft.ir import nodes as n
from weft.ir.types import INT64, PYBOOL, PYINT

_OTHER_LENGTH = (
    "{} values are assigned to {} elements of .flat: NumPy repeats values, or leaves some out; assign as many as there "
    "are elements"
)


def load(ctx: Context, owner: Flat, items: list[Value], node: ast.Subscript) -> Value:
    """``a.flat[...]`` as a value: an element, or a new array."""
    view = typed(n.Var, owner.view)
    place = _element(ctx, view, items, node)
    if place is not None:
        return indexing.load_place(ctx, place, node)
    return gathers.load(ctx, view, _places(ctx, view, items, node), node)


def store(ctx: Context, owner: Flat, items: list[Value], value: Value, node: ast.Subscript) -> None:
    """``a.flat[...] = value``."""
    view = typed(n.Var, owner.view)
    place = _element(ctx, view, items, node)
    if place is not None:
        indexing.store_place(ctx, place, value, node)
        return
    places = _places(ctx, view, items, node)
    value = indexing.array_of_items(ctx, value, view, node)
    if is_any_array([value]):
        if rank_of(value) > 1:
            value = shapes.flattened(ctx, value, node)
        (given,), (count,) = extents_of(ctx, value, node), extents_of(ctx, places[0], node)
        if not same(ctx, given, count):
            fits = ctx.emit(n.Compare("eq", given, count), PYBOOL, node)
            raise_unless(ctx, fits, "weft.errors:UnsupportedError", _OTHER_LENGTH, [given, count], node)
    gathers.store(ctx, view, places, value, node)


def _element(ctx: Context, view: n.Var, items: Sequence[Value], node: ast.Subscript) -> indexing.Place | None:
    """The place of the one element that an index means; None for other indices."""
    (item,) = _one(ctx, items, node)
    position = indexing._axis(ctx, item, node) if not is_any_array([item]) else None
    if not isinstance(position, (n.Var, n.Const)):
        return None
    extents = extents_of(ctx, view, node)
    size = product(ctx, extents, node)
    negative = ctx.emit(n.Compare("lt", position, ZERO), PYBOOL, node)
    end = arithmetic(ctx, "add", position, size, node)
    chosen = ctx.emit(n.Select(negative, end, position), PYINT, node)
    low = ctx.emit(n.Compare("ge", chosen, ZERO), PYBOOL, node)
    high = ctx.emit(n.Compare("lt", chosen, size), PYBOOL, node)
    inside = ctx.emit(n.Binary("and", low, high, checked=False), PYBOOL, node)
    raise_unless(ctx, inside, "IndexError", "index {} is out of bounds for size {}", [position, size], node)
    return indexing.Place(view, shapes._place(ctx, chosen, extents, node), "safe")


def _one(ctx: Context, items: Sequence[Value], node: ast.Subscript) -> Sequence[Value]:
    if len(items) != 1:
        raise ctx.type_error("unsupported iterator index", node, hint="write one index, slice or array of positions")
    return items


def _places(ctx: Context, view: n.Var, items: list[Value], node: ast.Subscript) -> list[Value]:
    """The positions that an index means, as an array of indices for each axis."""
    _one(ctx, items, node)
    extents = extents_of(ctx, view, node)
    size = product(ctx, extents, node)
    numbers = materialised(ctx, FUNCTIONS[np.arange](ctx, [size], {}, node), node)
    chosen = materialised(ctx, indexing._index_array(ctx, numbers, items, node), node)
    if rank_of(chosen) != 1:
        raise ctx.type_error("only one dimension of .flat can be indexed", node, hint="write .ravel() on the indices")
    if len(extents) == 1:
        return [chosen]
    (count,) = extents_of(ctx, chosen, node)
    found: list[n.Var] = []
    for axis in range(len(extents)):
        found.append(materialised(ctx, _along(ctx, chosen, count, extents, axis, node), node))
    return list(found)


def _along(
    ctx: Context, chosen: n.Var, count: n.Atom, extents: tuple[n.Atom, ...], axis: int, node: ast.AST
) -> ArrayExpression:
    """The indices along an axis for positions in C order."""

    def pick(place: Sequence[n.Atom], positions: Sequence[n.Atom]) -> n.Atom:
        number = ctx.emit(n.Load(chosen, tuple(place), "safe"), INT64, node)
        position = cast(ctx, number, PYINT, node)
        return cast(ctx, shapes._place(ctx, position, extents, node)[axis], INT64, node)

    return ArrayExpression(INT64, (count,), (chosen,), lambda atoms: atoms[0], pick=pick)
