"""Functions that show the axes of an array in another order or direction: views, which programs write through, too."""

from __future__ import annotations

import ast
from collections.abc import Sequence
from types import FunctionType
from typing import cast as typed

import numpy as np

from weft.frontend.arrays import indexing, shapes
from weft.frontend.arrays.allocation import element_type
from weft.frontend.arrays.expressions import element_of_array, is_array
from weft.frontend.arrays.extents_of import rank_of
from weft.frontend.arrays.fold_functions import as_array
from weft.frontend.arrays.nests import materialised
from weft.frontend.arrays.sizes import as_index
from weft.frontend.arrays.tables import FUNCTIONS, check_arguments, function
from weft.frontend.calls import calls, inlining, library_arrays, library_calls
from weft.frontend.values import methods
from weft.frontend.values.convert import cast
from weft.frontend.values.objects import plain_tuple
from weft.frontend.values.scope import Context
from weft.frontend.values.values import NONE, ONE, ZERO, ArrayExpression, SliceValue, Static, Value, scalar_type
from weft.ir import nodes as n
from weft.ir.types import BOOL, FLOAT64, PYINT, Scalar

Values = list[Value]
Keywords = dict[str, Value]


def _given(
    ctx: Context, name: str, names: Sequence[str], defaults: Values, arguments: Values, keywords: Keywords,
    node: ast.AST,
) -> Values:  # fmt: skip
    """The array of a call and its other arguments, in order."""
    given = dict(zip(names, arguments, strict=False)) | keywords
    count = len(names) - len(defaults)
    if len(arguments) > len(names) or not set(given) <= set(names) or not set(names[:count]) <= set(given):
        raise ctx.type_error(f"np.{name} takes the arguments {', '.join(names)}", node)
    found = [given.get(k, default) for k, default in zip(names, [ZERO] * count + defaults, strict=True)]
    return [materialised(ctx, as_array(ctx, found[0], node), node), *found[1:]]


def _axes(ctx: Context, value: Value, rank: int, node: ast.AST) -> list[int]:
    value = plain_tuple(value)
    return [methods.axis_number(ctx, k, rank, node) for k in (value if isinstance(value, tuple) else (value,))]


def _in_order(ctx: Context, array: Value, order: Sequence[int], node: ast.AST) -> Value:
    return methods.transpose(ctx, array, tuple(n.Const(k, PYINT) for k in order), node)


@function(np.moveaxis)
def _moveaxis(ctx: Context, arguments: Values, keywords: Keywords, node: ast.AST) -> Value:
    names = ("a", "source", "destination")
    array, source, destination = _given(ctx, "moveaxis", names, [], arguments, keywords, node)
    rank = rank_of(array)
    left, right = _axes(ctx, source, rank, node), _axes(ctx, destination, rank, node)
    if len(left) != len(right):
        message = "`source` and `destination` arguments must have the same number of elements"
        raise ctx.type_error(message, node)
    for name, axes in (("source", left), ("destination", right)):
        if len(set(axes)) < len(axes):
            raise ctx.type_error(f"repeated axis in `{name}` argument", node)
    order = [k for k in range(rank) if k not in left]
    for to, axis in sorted(zip(right, left, strict=True)):
        order.insert(to, axis)
    return _in_order(ctx, array, order, node)


@function(np.rollaxis)
def _rollaxis(ctx: Context, arguments: Values, keywords: Keywords, node: ast.AST) -> Value:
    array, axis, start = _given(ctx, "rollaxis", ("a", "axis", "start"), [ZERO], arguments, keywords, node)
    rank = rank_of(array)
    moved = methods.axis_number(ctx, axis, rank, node)
    at = rank if start == n.Const(rank, PYINT) else methods.axis_number(ctx, start, rank, node)
    order = [k for k in range(rank) if k != moved]
    order.insert(at - (moved < at), moved)
    return _in_order(ctx, array, order, node)


if hasattr(np, "matrix_transpose"):

    @function(np.matrix_transpose)
    def _matrix_transpose(ctx: Context, arguments: Values, keywords: Keywords, node: ast.AST) -> Value:
        (array,) = _given(ctx, "matrix_transpose", ("x",), [], arguments, keywords, node)
        rank = rank_of(array)
        if rank < 2:
            message = f"Input array must be at least 2-dimensional, but it is {rank}"
            raise ctx.type_error(message, node)
        return _in_order(ctx, array, (*range(rank - 2), rank - 1, rank - 2), node)


def _turned(least: int, axis: int, name: str) -> None:
    """``np.fliplr`` and ``np.flipud``."""

    def handler(ctx: Context, arguments: Values, keywords: Keywords, node: ast.AST) -> Value:
        (array,) = _given(ctx, name, ("m",), [], arguments, keywords, node)
        if rank_of(array) < least:
            raise ctx.type_error(f"Input must be >= {least}-d.", node)
        return shapes.flip(ctx, array, n.Const(axis, PYINT), node)

    FUNCTIONS[getattr(np, name)] = handler


_turned(2, 1, "fliplr")
_turned(1, 0, "flipud")


@function(np.rot90)
def _rot90(ctx: Context, arguments: Values, keywords: Keywords, node: ast.AST) -> Value:
    names, defaults = ("m", "k", "axes"), typed(Values, [ONE, (ZERO, ONE)])
    array, turns, axes = _given(ctx, "rot90", names, defaults, arguments, keywords, node)
    rank, pair = rank_of(array), typed("tuple[Value, ...]", plain_tuple(axes))
    if not isinstance(turns, n.Const) or turns.type != PYINT:
        raise ctx.type_error("how often np.rot90 turns must be a constant", node, hint="write a branch for each number")
    if not isinstance(pair, tuple) or len(pair) != 2:
        raise ctx.type_error("len(axes) must be 2.", node)
    first, second = _axes(ctx, pair, rank, node)
    if first == second:
        raise ctx.type_error("Axes must be different.", node)
    count = int(turns.value.real) % 4
    order = list(range(rank))
    order[first], order[second] = second, first
    one, other = n.Const(first, PYINT), n.Const(second, PYINT)
    if count == 0:
        return indexing._subview(ctx, typed(n.Var, array), [SliceValue()] * rank, node)
    if count == 2:
        return shapes.flip(ctx, array, (one, other), node)
    if count == 1:
        return _in_order(ctx, shapes.flip(ctx, array, other, node), order, node)
    return shapes.flip(ctx, _in_order(ctx, array, order, node), other, node)


@function(np.ix_)
def _ix(ctx: Context, arguments: Values, keywords: Keywords, node: ast.AST) -> Value:
    """``np.ix_``: each array of positions along an axis of its own."""
    check_arguments(ctx, [], keywords, range(1), "np.ix_", node)
    found: list[Value] = []
    for k, argument in enumerate(arguments):
        array = materialised(ctx, as_array(ctx, argument, node), node)
        if rank_of(array) != 1:
            raise ctx.type_error("Cross index must be 1 dimensional", node)
        if element_of_array(ctx, array, node) == BOOL:
            (array,) = typed("tuple[n.Var]", library_calls.call(ctx, "numpy.nonzero", [array], {}, node))
        axes = [SliceValue() if axis == k else None for axis in range(len(arguments))]
        found.append(indexing._subview(ctx, array, axes, node))
    return tuple(found)


@function(np.fromfunction)
def _fromfunction(ctx: Context, arguments: Values, keywords: Keywords, node: ast.AST) -> Value:
    """``np.fromfunction``: the function of arrays of the indices along each axis."""
    dtype = keywords.pop("dtype", arguments[2] if len(arguments) == 3 else Static(float))
    check_arguments(ctx, arguments, {}, range(2, 4), "np.fromfunction", node)
    items = plain_tuple(arguments[1])
    extents = tuple(as_index(ctx, item, node) for item in (items if isinstance(items, tuple) else (items,)))
    kind = element_type(ctx, dtype, FLOAT64, node)
    if not isinstance(kind, Scalar):
        raise ctx.type_error("np.fromfunction makes arrays of numbers", node)
    indices = [_indices(ctx, extents, axis, kind, node) for axis in range(len(extents))]
    return calls.call(ctx, arguments[0], indices, keywords, node)


@function(np.piecewise)
def _piecewise(ctx: Context, arguments: Values, keywords: Keywords, node: ast.AST) -> Value:
    """``np.piecewise``, with conditions and functions in a list."""
    check_arguments(ctx, arguments[:3], keywords, range(3, 4), "np.piecewise", node)
    array, conditions, functions = arguments[0], plain_tuple(arguments[1]), plain_tuple(arguments[2])
    if not is_array(array) or not isinstance(conditions, tuple) or not isinstance(functions, tuple):
        raise ctx.refusal("array function", node, name="np.piecewise")
    if not conditions or not all(map(is_array, conditions)):
        raise ctx.refusal("array function", node, name="np.piecewise")
    if len(functions) not in (len(conditions), len(conditions) + 1):
        counts = f"{len(conditions)} or {len(conditions) + 1}"
        message = f"with {len(conditions)} condition(s), either {counts} functions are expected"
        raise ctx.type_error(message, node)
    array = materialised(ctx, array, node)
    conditions = tuple(materialised(ctx, condition, node) for condition in conditions)
    if len(functions) > len(conditions):
        conditions = (*conditions, _helper(ctx, library_arrays.piecewise_rest, [conditions], node))
    result = _helper(ctx, library_arrays.piecewise_start, [array], node)
    for condition, value in zip(conditions, functions, strict=True):
        if scalar_type(value) is not None:
            _helper(ctx, library_arrays.piecewise_value, [result, condition, value], node)
        else:
            given = [result, array, condition, value, tuple(arguments[3:])]
            _helper(ctx, library_arrays.piecewise_part, given, node)
    return result


def _helper(ctx: Context, helper: object, arguments: Values, node: ast.AST) -> Value:
    return inlining.call_function(ctx, typed(FunctionType, helper), arguments, {}, node)


def _indices(ctx: Context, extents: tuple[n.Atom, ...], axis: int, kind: Scalar, node: ast.AST) -> n.Var:
    """The indices along an axis, for each element."""

    def pick(place: Sequence[n.Atom], positions: Sequence[n.Atom]) -> n.Atom:
        return cast(ctx, place[axis], kind, node)

    return materialised(ctx, ArrayExpression(kind, extents, (NONE,), lambda atoms: atoms[0], pick=pick), node)
