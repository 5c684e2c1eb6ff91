"""Lists of Python's numbers where NumPy makes arrays of a given dtype of them: ``np.array(t, np.uint8)``, ``a[0] = t``.

Each number is converted as if it were stored in an element by itself: one that does not fit raises OverflowError.
"""

from __future__ import annotations

import ast
from typing import cast as typed

import numpy as np

from weft.frontend.arrays.array_attributes import shape
from weft.frontend.arrays.each import Indices, each_element
from weft.frontend.arrays.stored_numbers import as_element
from weft.frontend.values import lists
from weft.frontend.values.convert import cast
from weft.frontend.values.list_models import UNKNOWN, heap_of
from weft.frontend.values.scope import Context, view_type
from weft.frontend.values.values import TRUE, Static, Value, children, is_none, is_view
from weft.ir import nodes as n
from weft.ir.types import SCALARS, Element, Scalar, View

MAKING = (np.array, np.asarray, np.fromiter)
STORING: dict[object, str] = {np.put: "v", np.insert: "values"}
"""Functions that convert their third argument to the dtype of the first one, and the name of that argument."""


def made(
    ctx: Context, function: object, arguments: list[Value], keywords: dict[str, Value], node: ast.AST
) -> Value | None:
    """What ``np.array(t, dtype)`` gives for a list of Python's numbers; None for all other calls."""
    from weft.frontend.arrays.allocation import element_type

    if function not in MAKING or not arguments or not lists.is_list(arguments[0]):
        return None
    dtype = keywords.get("dtype", arguments[1] if len(arguments) == 2 else None)
    if dtype is None or is_none(dtype) or number_in(ctx, arguments[0], node) is None:
        return None
    if len(arguments) > 2 or not keywords.keys() <= {"dtype", "copy"} or keywords.get("copy", TRUE) != TRUE:
        name = next((name for name in keywords if name != "dtype"), "copy")
        raise ctx.refusal("array option", node, name=name)
    element = element_type(ctx, dtype, SCALARS["float64"], node)
    return converted(ctx, arguments[0], element, node) if isinstance(element, Scalar) else None


def stored(
    ctx: Context, function: object, arguments: list[Value], keywords: dict[str, Value], node: ast.AST
) -> tuple[list[Value], dict[str, Value]]:
    """The arguments of a function that stores the numbers of a list in an array, with an array instead of the list."""
    name = STORING.get(function)
    owner = arguments[2] if len(arguments) > 2 else keywords.get(name or "")
    if name is None or not lists.is_list(owner) or not arguments or not is_view(arguments[0]):
        return arguments, keywords
    array = converted(ctx, typed("Value", owner), view_type(typed(n.Var, arguments[0])).element, node)
    if name in keywords:
        return arguments, keywords | {name: array}
    return [*arguments[:2], array, *arguments[3:]], keywords


def number_in(ctx: Context, owner: Value, node: ast.AST) -> Scalar | None:
    """The one type of Python's numbers in a list, and in lists and tuples inside of it; None if there are others."""
    found = set(_types_in(lists.parts(ctx, owner, node)[2]))
    (one,) = found if len(found) == 1 else (None,)
    return one if one is not None and one.weak else None


def _types_in(model: Value) -> list[Scalar | None]:
    heap = heap_of(model)
    if heap is not None:
        return _types_in(heap.model)
    if isinstance(model, Static) and model is not UNKNOWN:
        return [SCALARS.get(str(model.value))]
    return [type for child in children(model) for type in _types_in(child)] or [None]


def converted(ctx: Context, owner: Value, element: Element, node: ast.AST) -> Value:
    """A list as an array of a dtype."""
    number = number_in(ctx, owner, node)
    if number is None or not isinstance(element, Scalar):
        return lists.for_numpy(ctx, owner, node)
    source = typed(n.Var, lists.as_array(ctx, owner, node, is_typed=True))
    extents = shape(ctx, source, node)
    target = ctx.emit(n.Alloc(extents, element), View(element, len(extents), True), node)
    given = typed(Scalar, typed(View, source.type).element)

    def store(indices: Indices) -> None:
        value = cast(ctx, ctx.emit(n.Load(source, indices, "safe"), given, node), number, node)
        ctx.append(n.Store(target, indices, as_element(ctx, value, element, node), "safe", location=ctx.location(node)))

    each_element(ctx, extents, store, node)
    return target
