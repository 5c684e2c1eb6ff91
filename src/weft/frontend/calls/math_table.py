"""Python's ``math``: functions that raise on domain errors, as the strict `Math` does."""

from __future__ import annotations

import ast
import math
from collections.abc import Callable
from types import FunctionType

from weft.frontend.arrays.tables import FUNCTIONS, Handler, check_arguments, function
from weft.frontend.calls import inlining, library
from weft.frontend.calls.python_builtins import number
from weft.frontend.several_types import weakness
from weft.frontend.several_types.forms import forms_of
from weft.frontend.values import operators
from weft.frontend.values.convert import cast
from weft.frontend.values.scope import Context
from weft.frontend.values.values import Value, describe_value, scalar_type
from weft.ir import nodes as n
from weft.ir import values as numbers
from weft.ir.semantics import STRICT_FUNCTIONS, operand_types, result_type
from weft.ir.types import FLOAT64, PYBOOL, PYFLOAT, PYINT

_OTHER_NAMES = {
    "arcsin": "asin", "arccos": "acos", "arctan": "atan", "arcsinh": "asinh", "arccosh": "acosh", "arctanh": "atanh",
    "arctan2": "atan2",
}  # fmt: skip
"""Functions that `Math` names as NumPy does."""


def strict(ctx: Context, name: str, arguments: list[Value], node: ast.AST) -> n.Atom:
    """A strict `Math` of scalars."""
    operands = [number(ctx, value, node) for value in arguments]
    types = [scalar_type(operand) for operand in operands]
    scalars = [type for type in types if type is not None]
    with operators.located(ctx, node):
        forms = operand_types(name, *scalars, strict=True)
        result = result_type(name, *scalars, strict=True)
    converted = [operators.convert(ctx, atom, form, node) for atom, form in zip(operands, forms, strict=True)]
    constants = [atom for atom in converted if isinstance(atom, n.Const)]
    if len(constants) == len(converted):
        folded = _fold(name, constants, result)
        if folded is not None:
            return folded
    return ctx.emit(n.Math(name, tuple(converted), strict=True), result, node)


def _fold(name: str, constants: list[n.Const], result: object) -> n.Const | None:
    try:
        value = numbers.math_function(name, result, True)(*(atom.value for atom in constants))
    except (ArithmeticError, ValueError):
        return None
    return n.Const(value, result)  # type: ignore[arg-type]


def _handler(name: str) -> Handler:
    count = STRICT_FUNCTIONS[name][2]

    def handler(ctx: Context, arguments: list[Value], keywords: dict[str, Value], node: ast.AST) -> Value:
        check_arguments(ctx, arguments, keywords, range(count, count + 1), f"math.{_OTHER_NAMES.get(name, name)}", node)
        return strict(ctx, name, arguments, node)

    return handler


for _name in STRICT_FUNCTIONS:
    _object = getattr(math, _OTHER_NAMES.get(_name, _name), None)
    if _object is not None:
        FUNCTIONS[_object] = _handler(_name)


def _to_integer(name: str) -> Handler:
    """``floor``, ``ceil`` and ``trunc``, which leave integers alone; NumPy's integers become floats first."""

    def handler(ctx: Context, arguments: list[Value], keywords: dict[str, Value], node: ast.AST) -> Value:
        check_arguments(ctx, arguments, keywords, range(1, 2), f"math.{name}", node)
        value = number(ctx, arguments[0], node)
        type = scalar_type(value)
        if name == "trunc" and type not in (PYBOOL, PYINT, PYFLOAT, FLOAT64):
            raise ctx.type_error(
                f"type {describe_value(value)} doesn't define __trunc__ method", node, hint="write int"
            )
        if type is not None and type.kind in "biu" and (type.weak or type.bits < 64):
            return cast(ctx, value, PYINT, node)
        known = forms_of(ctx, value)
        if known is not None and any(form.type == PYINT and form.value is None for form in known.others):
            weakness.require_alike(ctx, value, lambda other: other == PYINT, node)
        return strict(ctx, name, [value], node)

    return handler


FUNCTIONS.update({math.floor: _to_integer("floor"), math.ceil: _to_integer("ceil"), math.trunc: _to_integer("trunc")})


@function(math.log)
def _log(ctx: Context, arguments: list[Value], keywords: dict[str, Value], node: ast.AST) -> Value:
    check_arguments(ctx, arguments, keywords, range(1, 3), "math.log", node)
    return strict(ctx, "log" if len(arguments) == 1 else "log_base", arguments, node)


def _folded(name: str, empty: int) -> Handler:
    """``gcd`` and ``lcm`` of any number of integers."""

    def handler(ctx: Context, arguments: list[Value], keywords: dict[str, Value], node: ast.AST) -> Value:
        check_arguments(ctx, arguments, keywords, range(100), f"math.{name}", node)
        if len(arguments) == 0:
            return n.Const(empty, PYINT)
        if len(arguments) == 1:
            return strict(ctx, name, [arguments[0], arguments[0]], node)
        result: Value = arguments[0]
        for other in arguments[1:]:
            result = strict(ctx, name, [result, other], node)
        return result

    return handler


FUNCTIONS.update({math.gcd: _folded("gcd", 0), math.lcm: _folded("lcm", 1)})


@function(math.perm)
def _perm(ctx: Context, arguments: list[Value], keywords: dict[str, Value], node: ast.AST) -> Value:
    check_arguments(ctx, arguments, keywords, range(1, 3), "math.perm", node)
    return strict(ctx, "perm" if len(arguments) == 2 else "factorial", arguments, node)


def inlined(helper: object) -> Handler:
    """A function that `library` writes out."""
    assert isinstance(helper, FunctionType)

    def handler(ctx: Context, arguments: list[Value], keywords: dict[str, Value], node: ast.AST) -> Value:
        return inlining.call_function(ctx, helper, arguments, keywords, node)

    return handler


_INLINED: dict[Callable[..., object], object] = {
    math.prod: library.product_of,
}
FUNCTIONS.update({known: inlined(helper) for known, helper in _INLINED.items()})


@function(math.modf)
def _modf(ctx: Context, arguments: list[Value], keywords: dict[str, Value], node: ast.AST) -> Value:
    check_arguments(ctx, arguments, keywords, range(1, 2), "math.modf", node)
    return inlined(library.split)(ctx, [_as_float(ctx, arguments[0], node)], {}, node)


@function(math.isclose)
def _isclose(ctx: Context, arguments: list[Value], keywords: dict[str, Value], node: ast.AST) -> Value:
    floats: list[Value] = [_as_float(ctx, value, node) for value in arguments]
    named: dict[str, Value] = {name: _as_float(ctx, value, node) for name, value in keywords.items()}
    return inlined(library.is_close)(ctx, floats, named, node)


def _as_float(ctx: Context, value: Value, node: ast.AST) -> n.Atom:
    """What Python's ``math`` makes of a number first."""
    atom = number(ctx, value, node)
    if getattr(atom.type, "kind", "") == "c":
        raise ctx.type_error("must be real number, not complex", node, hint="use .real or abs")
    return cast(ctx, atom, PYFLOAT, node)
