"""The methods of arrays, most of which are functions with the array before the other arguments."""

from __future__ import annotations

import ast
from types import FunctionType
from typing import cast as typed

import numpy as np

from weft.frontend.arrays import axes, clipping, numpy_table, shape_functions, shapes, spacing  # noqa: F401
from weft.frontend.arrays.expressions import elementwise, is_array
from weft.frontend.arrays.extents_of import rank_of
from weft.frontend.arrays.fold_functions import REDUCTIONS
from weft.frontend.arrays.functions import OTHERS
from weft.frontend.arrays.tables import FUNCTIONS, METHODS, TAKING_EXPRESSIONS, Method, check_arguments
from weft.frontend.calls import inlining, library_arrays, library_calls
from weft.frontend.calls.library_names import METHODS_OF_LIBRARY
from weft.frontend.values import methods, operators  # noqa: F401 - the methods of scalars fill their table
from weft.frontend.values.scope import Context
from weft.frontend.values.values import TRUE, ArrayExpression, Static, Value
from weft.ir.types import BOOL, Scalar

Values = list[Value]
Keywords = dict[str, Value]

OF_FUNCTIONS = frozenset({
    *REDUCTIONS.values(), "dot", "cumsum", "cumprod", "reshape", "ravel", "flatten", "squeeze", "clip", "round",
    "conj", "conjugate", "diagonal", "trace",
})  # fmt: skip
"""The methods of arrays that are functions with the array before the other arguments."""


def _method(name: str) -> Method:
    def method(ctx: Context, owner: Value, arguments: Values, keywords: Keywords, node: ast.AST) -> Value:
        if not is_array(owner):
            owner = operators.as_scalar(ctx, owner, node)
        if name == "reshape":
            keywords.pop("order", None) if _is_c_order(keywords) else None
            shape = arguments[0] if len(arguments) == 1 else tuple(arguments)
            check_arguments(ctx, [shape], keywords, range(1, 2), "reshape", node)
            return shapes.reshape(ctx, owner, shape, node)
        if name == "flatten":
            check_arguments(ctx, arguments, keywords, range(1), "flatten", node)
            return shapes.flattened(ctx, owner, node)
        function = getattr(np, name)
        return FUNCTIONS[function](ctx, [owner, *arguments], keywords, node)

    return method


def _is_c_order(keywords: Keywords) -> bool:
    order = keywords.get("order")
    return isinstance(order, Static) and order.value == "C"


def _conjugate(scalar: Method) -> Method:
    def method(ctx: Context, owner: Value, arguments: Values, keywords: Keywords, node: ast.AST) -> Value:
        if is_array(owner):
            return FUNCTIONS[np.conjugate](ctx, [owner, *arguments], keywords, node)
        return scalar(ctx, owner, arguments, keywords, node)

    return method


for _name in OF_FUNCTIONS:
    if _name in ("conj", "conjugate"):
        METHODS[_name] = _conjugate(METHODS[_name])
    else:
        METHODS[_name] = _method(_name)


def _astype(scalar: Method) -> Method:
    def method(ctx: Context, owner: Value, arguments: Values, keywords: Keywords, node: ast.AST) -> Value:
        if isinstance(owner, ArrayExpression):
            keywords.pop("copy", None)
            return _converted(ctx, owner, arguments, keywords, node)
        if keywords.get("copy") == TRUE:
            keywords.pop("copy")
        return scalar(ctx, owner, arguments, keywords, node)

    return method


def _converted(ctx: Context, owner: ArrayExpression, arguments: Values, keywords: Keywords, node: ast.AST) -> Value:
    from weft.frontend.arrays.allocation import element_type
    from weft.frontend.arrays.copies import converted

    given = [*arguments, *(value for name, value in keywords.items() if name == "dtype")]
    check_arguments(ctx, given, {}, range(1, 2), "astype", node)
    element = element_type(ctx, given[0], BOOL, node)
    if not isinstance(element, Scalar):
        raise ctx.type_error("an array of numbers cannot be converted to a structured dtype", node)
    return elementwise(ctx, (owner,), lambda atoms: converted(ctx, atoms[0], element, node), node)


def _of_library(name: str, owner_name: str) -> Method:
    """A method that calls the library."""

    def method(ctx: Context, owner: Value, arguments: Values, keywords: Keywords, node: ast.AST) -> Value:
        given = [*arguments[:1], owner, *arguments[1:]] if name == "compress" else [owner, *arguments]
        return library_calls.call(ctx, f"{owner_name}.{name}", given, keywords, node)

    return method


METHODS.update({name: _of_library(name, owner) for name, owner in METHODS_OF_LIBRARY.items()})


def _tolist(ctx: Context, owner: Value, arguments: Values, keywords: Keywords, node: ast.AST) -> Value:
    """``a.tolist()``: lists of Python's numbers."""
    check_arguments(ctx, arguments, keywords, range(1), "tolist", node)
    if not is_array(owner) or rank_of(owner) == 0:
        return METHODS["item"](ctx, owner, [], {}, node)
    if rank_of(owner) > len(library_arrays.TOLIST):
        most = len(library_arrays.TOLIST)
        message = f"tolist of more than {most} dimensions is not supported"
        raise ctx.type_error(message, node, hint="use the array itself")
    helper = typed(FunctionType, library_arrays.TOLIST[rank_of(owner) - 1])
    return inlining.call_function(ctx, helper, [owner], {}, node)


METHODS["tolist"] = _tolist
METHODS["astype"] = _astype(METHODS["astype"])


TAKING_EXPRESSIONS.update(f for f, handler in FUNCTIONS.items() if OTHERS.get(f) is not handler and f is not np.array)
