"""NumPy's functions of shapes, and others that are made of the ones for elements."""

from __future__ import annotations

import ast
from collections.abc import Callable, Sequence
from typing import cast as typed

import numpy as np

from weft.frontend.arrays import clipping, numpy_table, shapes, spacing  # noqa: F401
from weft.frontend.arrays.expressions import is_array
from weft.frontend.arrays.fold_functions import as_array
from weft.frontend.arrays.reductions import reduced
from weft.frontend.arrays.tables import FUNCTIONS, Handler
from weft.frontend.calls import inlining  # noqa: F401
from weft.frontend.values import methods, operators  # noqa: F401
from weft.frontend.values.convert import cast
from weft.frontend.values.scope import Context
from weft.frontend.values.values import FALSE, NONE, ONE, ZERO, Value
from weft.ir import nodes as n
from weft.ir.types import PYBOOL, PYFLOAT

Values = list[Value]
Keywords = dict[str, Value]

Shape = Callable[..., Value]


def _positional(
    ctx: Context, names: Sequence[str], defaults: Keywords, arguments: Values, keywords: Keywords, what: str,
    node: ast.AST,
) -> Values:  # fmt: skip
    """The arguments of a function in order, with its defaults."""
    given = {**defaults, **dict(zip(names, arguments, strict=False)), **keywords}
    if len(arguments) > len(names) or any(k not in names for k in given) or any(k not in given for k in names):
        raise ctx.type_error(f"np.{what} takes the arguments {', '.join(names)}", node)
    return [given[name] for name in names]


def _register(function: object, names: Sequence[str], defaults: Keywords, change: Shape, what: str) -> None:
    def handler(ctx: Context, arguments: Values, keywords: Keywords, node: ast.AST) -> Value:
        return change(ctx, *_positional(ctx, names, defaults, arguments, keywords, what, node), node)

    FUNCTIONS[function] = handler


def _parts(change: Shape) -> Shape:
    def handler(ctx: Context, parts: Value, *rest: object) -> Value:
        items = parts if isinstance(parts, tuple) else ()
        return change(ctx, [as_array(ctx, part, typed(ast.AST, rest[-1])) for part in items], *rest)

    return handler


def _of_array(change: Shape) -> Shape:
    def handler(ctx: Context, value: Value, *rest: object) -> Value:
        return change(ctx, as_array(ctx, value, typed(ast.AST, rest[-1])), *rest)

    return handler


_register(np.reshape, ("a", "shape"), {}, _of_array(shapes.reshape), "reshape")
_register(np.ravel, ("a",), {}, _of_array(shapes.ravel), "ravel")
_register(np.squeeze, ("a", "axis"), {"axis": NONE}, _of_array(shapes.squeeze), "squeeze")
_register(np.expand_dims, ("a", "axis"), {}, _of_array(shapes.expand_dims), "expand_dims")
_register(np.concatenate, ("arrays", "axis"), {"axis": ZERO}, _parts(shapes.concatenate), "concatenate")
_register(np.stack, ("arrays", "axis"), {"axis": ZERO}, _parts(shapes.stack), "stack")
_register(np.vstack, ("tup",), {}, _parts(shapes.vstack), "vstack")
_register(np.hstack, ("tup",), {}, _parts(shapes.hstack), "hstack")
_register(np.column_stack, ("tup",), {}, _parts(shapes.column_stack), "column_stack")
_register(np.flip, ("m", "axis"), {"axis": NONE}, _of_array(shapes.flip), "flip")
_register(np.roll, ("a", "shift", "axis"), {"axis": NONE}, _of_array(shapes.roll), "roll")
_register(np.diagonal, ("a", "offset"), {"offset": ZERO}, _of_array(shapes.diagonal), "diagonal")


def _diff(ctx: Context, arguments: Values, keywords: Keywords, node: ast.AST) -> Value:
    names, defaults = ("a", "n", "axis"), {"n": ONE, "axis": n.Const(-1)}
    value, times, axis = _positional(ctx, names, typed(Keywords, defaults), arguments, keywords, "diff", node)
    if not isinstance(times, n.Const):
        raise ctx.type_error("the order of np.diff must be a constant", node)
    result = as_array(ctx, value, node)
    for _ in range(int(times.value.real)):
        result = shapes.diff(ctx, result, axis, node)
    return result


FUNCTIONS[np.diff] = _diff


def _close(ctx: Context, arguments: Values, keywords: Keywords, node: ast.AST) -> Value:
    """``np.isclose``."""
    names = ("a", "b", "rtol", "atol", "equal_nan")
    defaults: Keywords = {"rtol": n.Const(1e-5, PYFLOAT), "atol": n.Const(1e-8, PYFLOAT), "equal_nan": FALSE}
    a, b, rtol, atol, equal_nan = _positional(ctx, names, defaults, arguments, keywords, "isclose", node)
    if equal_nan != FALSE:
        raise ctx.refusal("array option", node, name="equal_nan")
    ufunc = FUNCTIONS
    gap = ufunc[np.absolute](ctx, [ufunc[np.subtract](ctx, [a, b], {}, node)], {}, node)
    scaled = ufunc[np.multiply](ctx, [rtol, ufunc[np.absolute](ctx, [b], {}, node)], {}, node)
    near = ufunc[np.less_equal](ctx, [gap, ufunc[np.add](ctx, [atol, scaled], {}, node)], {}, node)
    finite = ufunc[np.isfinite](ctx, [b], {}, node)
    close = ufunc[np.logical_and](ctx, [near, finite], {}, node)
    return ufunc[np.logical_or](ctx, [close, ufunc[np.equal](ctx, [a, b], {}, node)], {}, node)


def _all_close(ctx: Context, arguments: Values, keywords: Keywords, node: ast.AST) -> Value:
    close = _close(ctx, arguments, keywords, node)
    if not is_array(close):
        return close
    return cast(ctx, typed(n.Atom, reduced(ctx, "all", close, [], {}, node)), PYBOOL, node)


FUNCTIONS[np.isclose] = _close
FUNCTIONS[np.allclose] = _all_close


def _array(plain: Handler) -> Handler:
    """``np.array`` of arrays in a tuple or list: they are stacked."""

    def handler(ctx: Context, arguments: Values, keywords: Keywords, node: ast.AST) -> Value:
        items = arguments[0] if arguments else NONE
        if not isinstance(items, tuple) or not any(map(is_array, items)):
            return plain(ctx, arguments, keywords, node)
        stacked = shapes.stack(ctx, [as_array(ctx, item, node) for item in items], ZERO, node)
        return plain(ctx, [stacked, *arguments[1:]], keywords, node)

    return handler


FUNCTIONS[np.array] = _array(FUNCTIONS[np.array])
