"""Forms of subscripts that are made of others: lists of positions, masks beside other indices, ``np.c_[...]``."""

from __future__ import annotations

import ast
from collections.abc import Sequence
from typing import cast as typed

import numpy as np

from weft.frontend.arrays import evaluation, expressions
from weft.frontend.arrays.extents_of import extents_of, raise_unless, rank_of, same
from weft.frontend.arrays.tables import FUNCTIONS
from weft.frontend.calls import calls, library_calls
from weft.frontend.several_types import optional
from weft.frontend.values import operators
from weft.frontend.values.dispatch import evaluate, evaluate_lazily
from weft.frontend.values.scope import Context, view_type
from weft.frontend.values.values import Optional, Range, SliceValue, Static, Value, describe_value, is_none, scalar_type
from weft.ir import nodes as n
from weft.ir.types import BOOL, PYBOOL

MAKERS = {id(np.c_): "numpy.c_", id(np.r_): "numpy.r_", id(np.mgrid): "numpy.mgrid", id(np.ogrid): "numpy.ogrid"}
"""Objects of NumPy that make arrays of what stands in brackets behind them."""


def item(ctx: Context, node: ast.expr) -> Value:
    """One index; a list is an array of positions, or a mask, and so is a range."""
    if not isinstance(node, ast.List):
        value = evaluate_lazily(ctx, node)
        if isinstance(value, Optional):
            raise optional.refusal(ctx, value, node)
        if isinstance(value, Range):
            return FUNCTIONS[np.arange](ctx, [value.start, value.stop, value.step], {}, node)
        return value
    numbers = calls.items_of_list(ctx, node)
    return FUNCTIONS[np.array](ctx, [numbers], {}, node) if numbers else evaluate_lazily(ctx, node)


def items(ctx: Context, nodes: Sequence[ast.expr]) -> list[Value]:
    """Indices, one after the other."""
    return evaluation.in_order(ctx, nodes, [lambda node=node: item(ctx, node) for node in nodes])  # type: ignore[misc]


def made(ctx: Context, owner: Value, node: ast.Subscript) -> Value | None:
    """``np.c_[...]``, ``np.mgrid[...]``; None for any other owner."""
    name = MAKERS.get(id(owner.value)) if isinstance(owner, Static) else None
    if name is None:
        return None
    nodes = node.slice.elts if isinstance(node.slice, ast.Tuple) else [node.slice]
    computes = [lambda part=part: _part_of_grid(ctx, part) for part in nodes]
    parts = evaluation.in_order(ctx, nodes, computes)
    key: Value = tuple(parts) if isinstance(node.slice, ast.Tuple) else parts[0]
    return library_calls.call(ctx, f"{name}.__getitem__", [key], {}, node)


def _part_of_grid(ctx: Context, node: ast.expr) -> Value:
    """A part of a grid; its bounds and step may be floats. An imaginary step says how many points there are."""
    if not isinstance(node, ast.Slice):
        return evaluate_lazily(ctx, node)
    return SliceValue(*(None if part is None else _number(ctx, part) for part in (node.lower, node.upper, node.step)))


def _number(ctx: Context, node: ast.expr) -> n.Atom | None:
    value = operators.as_scalar(ctx, evaluate(ctx, node), node)
    if is_none(value):
        return None
    if scalar_type(value) is None:
        raise ctx.type_error(f"a number is expected, and this is {describe_value(value)}", node)
    return typed(n.Atom, value)


def positions(ctx: Context, view: n.Var, given: Sequence[Value], node: ast.Subscript) -> list[Value]:
    """Indices with masks replaced by the positions where they hold, an array for each of their axes."""
    found: list[Value] = []
    ndim, axis = view_type(view).ndim, 0
    used = sum(_axes_of(ctx, part, node) for part in given)
    for part in given:
        if isinstance(part, Static) and part.value is Ellipsis:
            axis += ndim - used
        elif expressions.is_array(part) and expressions.element_of_array(ctx, part, node) == BOOL:
            _check_extents(ctx, view, part, axis, node)
            found += typed("tuple[Value, ...]", library_calls.call(ctx, "numpy.nonzero", [part], {}, node))
            axis += rank_of(part)
            continue
        else:
            axis += _axes_of(ctx, part, node)
        found.append(part)
    return found


def _axes_of(ctx: Context, part: Value, node: ast.AST) -> int:
    """How many axes of the array an index is for."""
    if is_none(part) or (isinstance(part, Static) and part.value is Ellipsis):
        return 0
    is_mask = expressions.is_array(part) and expressions.element_of_array(ctx, part, node) == BOOL
    return rank_of(part) if is_mask and not isinstance(part, SliceValue) else 1


def _check_extents(ctx: Context, view: n.Var, mask: Value, first: int, node: ast.Subscript) -> None:
    shape, own = extents_of(ctx, view, node), extents_of(ctx, mask, node)
    if first + len(own) > len(shape):
        raise ctx.refusal("fancy indexing", node, what=ast.unparse(node))
    for axis, size in enumerate(own, first):
        if not same(ctx, shape[axis], size):
            fits = ctx.emit(n.Compare("eq", shape[axis], size), PYBOOL, node, "shapes_agree")
            message = (
                f"boolean index did not match indexed array along axis {axis}; size of axis is {{}} but size of "
                "corresponding boolean axis is {}"
            )
            raise_unless(ctx, fits, "IndexError", message, (shape[axis], size), node)
