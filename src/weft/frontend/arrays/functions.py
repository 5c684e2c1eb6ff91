"""NumPy's functions of each element: of scalars, and of arrays."""

from __future__ import annotations

import ast
from collections.abc import Sequence
from typing import cast as typed

import numpy as np

from weft.frontend.arrays import clipping, numpy_table, spacing  # noqa: F401
from weft.frontend.arrays.assignments import update
from weft.frontend.arrays.expressions import elementwise, is_array, of_one_type, unary
from weft.frontend.arrays.tables import FUNCTIONS, Handler, check_arguments
from weft.frontend.calls import inlining  # noqa: F401
from weft.frontend.values import methods, operators  # noqa: F401
from weft.frontend.values.scope import Context
from weft.frontend.values.values import NONE, Value, is_none
from weft.ir import nodes as n
from weft.ir.semantics import BINARY_UFUNCS, COMPARE_UFUNCS, MATH_FUNCTIONS, UNARY_UFUNCS

Values = list[Value]
Keywords = dict[str, Value]

OTHERS = dict(FUNCTIONS)
"""What the functions that know no arrays do."""

# ---------------------------------------------------------------------------------------------- of each element


def lifted(scalar: Handler, count: int, name: str, op: str | None = None) -> Handler:
    """A function of scalars as one of arrays, too; `op`: the operation that it does."""

    def handler(ctx: Context, arguments: Values, keywords: Keywords, node: ast.AST) -> Value:
        out = arguments[count] if len(arguments) == count + 1 else keywords.pop("out", NONE)
        given = arguments[:count]
        if isinstance(out, tuple) and len(out) == 1:
            (out,) = out
        if not any(map(is_array, given)) and is_none(out):
            return scalar(ctx, arguments, keywords, node)
        for option in keywords:
            raise ctx.refusal("array option", node, name=option)
        check_arguments(ctx, given, {}, range(count, count + 1), f"np.{name}", node)
        if op is not None and count == 2 and any(map(is_array, given)):
            given = of_one_type(ctx, op, given, node)
        return into(ctx, out, _applied(ctx, scalar, given, node), name, node)

    return handler


def _applied(ctx: Context, scalar: Handler, given: Values, node: ast.AST) -> Value:
    if not any(map(is_array, given)):
        return scalar(ctx, given, {}, node)

    def compute(atoms: Sequence[n.Atom]) -> n.Atom:
        return typed(n.Atom, scalar(ctx, list(atoms), {}, node))

    return elementwise(ctx, given, compute, node)


def into(ctx: Context, out: Value, result: Value, name: str, node: ast.AST) -> Value:
    """The result, or the array of ``out=`` after it was written there."""
    if is_none(out):
        return result
    view = methods.as_view(ctx, out, node)
    update(ctx, view, result, name, node)
    return view


def _lift(function: object, count: int, name: str, op: str) -> None:
    FUNCTIONS[function] = lifted(FUNCTIONS[function], count, name, op)


for _name, _count in MATH_FUNCTIONS.items():
    if getattr(np, _name, None) in FUNCTIONS and isinstance(getattr(np, _name), np.ufunc):
        _lift(getattr(np, _name), _count, _name, _name)
for _table, _count in ((BINARY_UFUNCS, 2), (COMPARE_UFUNCS, 2), (UNARY_UFUNCS, 1)):
    for _op, _name in _table.items():
        if _name not in MATH_FUNCTIONS and getattr(np, _name) in FUNCTIONS:
            _lift(getattr(np, _name), _count, _name, _op)
for _function, _name in ((np.real, "real"), (np.imag, "imag")):
    _lift(_function, 1, _name, _name)


def _where(scalar: Handler) -> Handler:
    def handler(ctx: Context, arguments: Values, keywords: Keywords, node: ast.AST) -> Value:
        if not any(map(is_array, arguments)):
            return scalar(ctx, arguments, keywords, node)
        if len(arguments) == 1 and not keywords:
            raise ctx.refusal("array function", node, name="np.where of a condition alone")
        check_arguments(ctx, arguments, keywords, range(3, 4), "np.where", node)
        test, *rest = arguments
        if any(map(is_array, rest)):
            rest = of_one_type(ctx, "max", rest, node)  # types are chosen as for the larger of the two
        return _applied(ctx, scalar, [test, *rest], node)

    return handler


FUNCTIONS[np.where] = _where(FUNCTIONS[np.where])


def _with_constants(scalar: Handler, name: str) -> Handler:
    """A function of one array with further arguments that are the same for all elements."""

    def handler(ctx: Context, arguments: Values, keywords: Keywords, node: ast.AST) -> Value:
        out = keywords.pop("out", NONE)
        if not arguments or not is_array(arguments[0]):
            return scalar(ctx, arguments, keywords, node)
        rest = arguments[1:]

        def compute(atoms: Sequence[n.Atom]) -> n.Atom:
            return typed(n.Atom, scalar(ctx, [atoms[0], *rest], dict(keywords), node))

        return into(ctx, out, elementwise(ctx, arguments[:1], compute, node), name, node)

    return handler


for _rounding in (np.round, np.around):
    FUNCTIONS[_rounding] = _with_constants(FUNCTIONS[_rounding], "round")


def _clip(scalar: Handler) -> Handler:
    def handler(ctx: Context, arguments: Values, keywords: Keywords, node: ast.AST) -> Value:
        out = keywords.pop("out", NONE)
        for new, old in (("min", "a_min"), ("max", "a_max")):
            if new in keywords:
                keywords[old] = keywords.pop(new)
        names = ("a", "a_min", "a_max")
        given = dict(zip(names, arguments, strict=False)) | {k: v for k, v in keywords.items() if k in names}
        low, high = (given.get(k, NONE) for k in names[1:])
        if not any(map(is_array, (given.get("a", NONE), low, high))):
            return scalar(ctx, arguments, keywords, node)
        bounds = [bound for bound in (low, high) if not is_none(bound)]
        if is_array(given["a"]):
            bounds = [of_one_type(ctx, "max", (given["a"], bound), node)[1] for bound in bounds]

        def compute(atoms: Sequence[n.Atom]) -> n.Atom:
            rest = iter(atoms[1:])
            ends = [NONE if is_none(bound) else next(rest) for bound in (low, high)]
            return typed(n.Atom, scalar(ctx, [atoms[0], *ends], {}, node))

        return into(ctx, out, elementwise(ctx, (given["a"], *bounds), compute, node), "clip", node)

    return handler


FUNCTIONS[np.clip] = _clip(FUNCTIONS[np.clip])


def _abs(scalar: Handler) -> Handler:
    def handler(ctx: Context, arguments: Values, keywords: Keywords, node: ast.AST) -> Value:
        if len(arguments) == 1 and is_array(arguments[0]):
            return unary(ctx, "abs", arguments[0], node)
        return scalar(ctx, arguments, keywords, node)

    return handler


FUNCTIONS[abs] = _abs(FUNCTIONS[abs])
