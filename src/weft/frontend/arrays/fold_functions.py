"""NumPy's functions that fold or multiply arrays: reductions, running sums, products, norms."""

from __future__ import annotations

import ast
from collections.abc import Sequence
from types import FunctionType
from typing import cast as typed

import numpy as np

from weft.frontend.arrays import clipping, numpy_table, products, shapes, spacing  # noqa: F401
from weft.frontend.arrays.expressions import element_of_array, elementwise, is_array
from weft.frontend.arrays.extents_of import rank_of
from weft.frontend.arrays.functions import into
from weft.frontend.arrays.library import running
from weft.frontend.arrays.nests import materialised
from weft.frontend.arrays.reductions import reduced
from weft.frontend.arrays.tables import FUNCTIONS, Handler, check_arguments
from weft.frontend.calls import inlining
from weft.frontend.several_types import weakness
from weft.frontend.values import methods, operators
from weft.frontend.values.convert import cast
from weft.frontend.values.scope import Context
from weft.frontend.values.values import (
    FALSE,
    NONE,
    ONE,
    ZERO,
    ArrayExpression,
    Static,
    Value,
    is_none,
    scalar_type,
)
from weft.ir import nodes as n
from weft.ir.semantics import default_type
from weft.ir.types import BOOL, INT64, Scalar, scalar_of

Values = list[Value]
Keywords = dict[str, Value]


def _reduction(name: str, first: bool = False) -> Handler:
    """``np.name`` of an array; `first`: of the first axis where none is given, as ``np.add.reduce``."""

    def handler(ctx: Context, arguments: Values, keywords: Keywords, node: ast.AST) -> Value:
        if not arguments:
            raise ctx.type_error(f"np.{name} takes an array", node)
        value, *rest = arguments
        if not is_array(value):
            keywords.pop("keepdims", None)  # a number has no axes
        value = of_elements(ctx, value, node)
        if rank_of(value) == 0 and not rest and not keywords:
            value = shapes.expand_dims(ctx, value, ZERO, node)
        if first and not rest:
            keywords = {"axis": ZERO, **keywords}
        return reduced(ctx, name, value, rest, keywords, node)

    return handler


def as_array(ctx: Context, value: Value, node: ast.AST) -> Value:
    """An array; numbers in a tuple or list become one, and a number one of no dimensions."""
    if is_array(value):
        return value
    return FUNCTIONS[np.array](ctx, [value], {}, node)


def of_elements(ctx: Context, value: Value, node: ast.AST) -> Value:
    """What is folded: an array, and for a number the array of it alone."""
    number = value if is_array(value) else operators.as_scalar(ctx, value, node)
    type = None if is_array(number) else scalar_type(number)
    if type is None:
        return as_array(ctx, value, node)
    ctx.settle(typed(n.Atom, number))
    weakness.require_alike(ctx, typed(n.Atom, number), default_type, node)
    atom = cast(ctx, typed(n.Atom, number), default_type(type), node)
    return ArrayExpression(default_type(type), (ONE,), (), lambda atoms: atom)


REDUCTIONS = {
    np.sum: "sum", np.prod: "prod", np.min: "min", np.max: "max", np.amin: "min", np.amax: "max", np.mean: "mean",
    np.var: "var", np.std: "std", np.any: "any", np.all: "all", np.argmin: "argmin", np.argmax: "argmax",
    np.count_nonzero: "count_nonzero", np.ptp: "ptp",
}  # fmt: skip
for _function, _name in REDUCTIONS.items():
    FUNCTIONS[_function] = _reduction(_name)
for _ufunc, _name in (
    (np.add, "sum"), (np.multiply, "prod"), (np.minimum, "min"), (np.maximum, "max"), (np.logical_and, "all"),
    (np.logical_or, "any"),
):  # fmt: skip
    FUNCTIONS[_ufunc.reduce] = _reduction(_name, first=True)


def _running(name: str, helpers: tuple[object, object]) -> Handler:
    """``np.cumsum`` and ``np.cumprod``."""

    def handler(ctx: Context, arguments: Values, keywords: Keywords, node: ast.AST) -> Value:
        names = ("a", "axis", "dtype", "out")
        given = dict(zip(names, arguments, strict=False)) | keywords
        if any(k not in names for k in given):
            raise ctx.type_error(f"np.{name} takes an array, axis, dtype and out", node)
        value = of_elements(ctx, given["a"], node)
        axis, out = given.get("axis", NONE), given.get("out", NONE)
        if is_none(axis):
            value, axis = shapes.flat(ctx, materialised(ctx, value, node), node), ZERO
        dtype = given.get("dtype", NONE)
        type = _running_type(ctx, name, value, dtype, node)
        return into(ctx, out, _run(ctx, helpers, value, axis, type, node), name, node)

    return handler


def _running_type(ctx: Context, name: str, value: Value, dtype: Value, node: ast.AST) -> Scalar:
    from weft.frontend.arrays.allocation import element_type

    if not is_none(dtype):
        return typed(Scalar, element_type(ctx, dtype, INT64, node))
    given = element_of_array(ctx, value, node)
    return scalar_of(getattr(np, name)(np.zeros(1, given.dtype)).dtype)


def _run(ctx: Context, helpers: tuple[object, object], value: Value, axis: Value, type: Scalar, node: ast.AST) -> Value:
    rank = rank_of(value)
    position = methods.axis_number(ctx, axis, rank, node)
    array = materialised(ctx, value, node)
    kind = Static(type.dtype.type)
    if type == BOOL or rank > 2:
        raise ctx.refusal("array function", node, name="a running sum over more than two dimensions")
    if rank == 1:
        return inlining.call_function(ctx, typed(FunctionType, helpers[0]), [array, kind], {}, node)
    if position == 0:
        array = typed(n.Var, methods.transpose(ctx, array, (), node))
    rows = inlining.call_function(ctx, typed(FunctionType, helpers[1]), [array, kind], {}, node)
    return methods.transpose(ctx, rows, (), node) if position == 0 else rows


_cumsum = _running("cumsum", (running.running_sums, running.running_sums_of_rows))
_cumprod = _running("cumprod", (running.running_products, running.running_products_of_rows))
FUNCTIONS.update({
    np.cumsum: _cumsum, np.cumprod: _cumprod, np.add.accumulate: _cumsum, np.multiply.accumulate: _cumprod,
})  # fmt: skip

# ----------------------------------------------------------------------------------------------------- products


def _of_two_arrays(product: Handler) -> Handler:
    """A product whose first two arguments may be numbers, too."""

    def handler(ctx: Context, arguments: Values, keywords: Keywords, node: ast.AST) -> Value:
        arrays = [as_array(ctx, value, node) for value in arguments[:2]]
        return product(ctx, [*arrays, *arguments[2:]], keywords, node)

    return handler


FUNCTIONS.update({
    np.dot: products.dot, np.matmul: products.matmul_function, np.vdot: _of_two_arrays(products.vdot),
    np.inner: products.inner, np.outer: _of_two_arrays(products.outer),
})  # fmt: skip


def _ufunc_outer(ufunc: np.ufunc) -> Handler:
    """``np.add.outer``: each element of the first operand with each of the second."""

    def handler(ctx: Context, arguments: Values, keywords: Keywords, node: ast.AST) -> Value:
        check_arguments(ctx, arguments, keywords, range(2, 3), f"np.{ufunc.__name__}.outer", node)
        left, right = (materialised(ctx, as_array(ctx, value, node), node) for value in arguments)
        axes = tuple(n.Const(-1 - k) for k in range(rank_of(right)))
        return FUNCTIONS[ufunc](ctx, [shapes.expand_dims(ctx, left, axes, node), right], {}, node)

    return handler


for _outer in (np.add, np.subtract, np.multiply, np.divide, np.minimum, np.maximum, np.equal, np.less, np.power):
    FUNCTIONS[_outer.outer] = _ufunc_outer(_outer)


def _trace(ctx: Context, arguments: Values, keywords: Keywords, node: ast.AST) -> Value:
    check_arguments(ctx, arguments, keywords, range(1, 3), "np.trace", node)
    offset = arguments[1] if len(arguments) > 1 else ZERO
    return reduced(ctx, "sum", shapes.diagonal(ctx, as_array(ctx, arguments[0], node), offset, node), [], {}, node)


def _norm(ctx: Context, arguments: Values, keywords: Keywords, node: ast.AST) -> Value:
    """``np.linalg.norm`` of second order: of all elements, or along an axis."""
    given = dict(zip(("x", "ord", "axis", "keepdims"), arguments, strict=False)) | keywords
    order = given.get("ord", NONE)
    axis = given.get("axis", NONE)
    value = of_elements(ctx, given["x"], node)
    two = isinstance(order, n.Const) and order.value == 2 and (rank_of(value) == 1 or not isinstance(axis, tuple))
    if not (is_none(order) or (two and (rank_of(value) == 1 or not is_none(axis)))):
        raise ctx.refusal("array function", node, name="np.linalg.norm of this order")
    type = element_of_array(ctx, value, node)
    if type.kind not in "fc":
        type = scalar_of(np.dtype("float64"))

    def square(atoms: Sequence[n.Atom]) -> n.Atom:
        atom = cast(ctx, atoms[0], type, node)
        if type.kind != "c":
            return operators.scalar_binary(ctx, "mul", atom, atom, node)
        parts = [numpy_table.math_function(ctx, name, [atom], node) for name in ("real", "imag")]
        squares = [operators.scalar_binary(ctx, "mul", part, part, node) for part in parts]
        return operators.scalar_binary(ctx, "add", squares[0], squares[1], node)

    squares = elementwise(ctx, (value,), square, node)
    total = reduced(ctx, "sum", squares, [], {"axis": axis, "keepdims": given.get("keepdims", FALSE)}, node)
    return FUNCTIONS[np.sqrt](ctx, [total], {}, node)


FUNCTIONS[np.trace] = _trace
FUNCTIONS[np.linalg.norm] = _norm
