"""NumPy's functions on scalars, its types as conversions, and views of arrays."""

from __future__ import annotations

import ast
from collections.abc import Sequence
from typing import cast as typed

import numpy as np

from weft.frontend.arrays.array_attributes import part_of, shape, size
from weft.frontend.arrays.tables import EXACTLY_ONE, FUNCTIONS, METHODS, Handler, check_arguments, function
from weft.frontend.calls.python_builtins import number, round_digits
from weft.frontend.control import conditions
from weft.frontend.several_types import forms, rechecks, weakness
from weft.frontend.values import methods, operators
from weft.frontend.values.convert import cast, converted, numpy_value, python_value
from weft.frontend.values.scope import Context, view_type
from weft.frontend.values.values import NONE, ZERO, Static, Value, is_view, scalar_type
from weft.ir import nodes as n
from weft.ir import values as numbers
from weft.ir.semantics import (
    BINARY_UFUNCS,
    COMPARE_UFUNCS,
    MATH_FUNCTIONS,
    UNARY_UFUNCS,
    default_type,
    operand_types,
    result_type,
)
from weft.ir.types import BOOL, FLOAT64, INT64, NUMPY_TYPES, PYCOMPLEX, PYFLOAT, PYINT, Scalar

Values = list[Value]
Keywords = dict[str, Value]


# --------------------------------------------------------------------------------------------------- functions


def math_function(ctx: Context, name: str, arguments: Sequence[Value], node: ast.AST) -> n.Atom:
    """A `Math` of scalars with NumPy's rules."""
    operands = [number(ctx, value, node) for value in arguments]
    types = [operand.type for operand in operands if isinstance(operand.type, Scalar)]
    with operators.located(ctx, node):
        taken, result = operand_types(name, *types), result_type(name, *types)
    plan = weakness.plan(ctx, name, tuple(operands), node)
    converted = [operators.convert(ctx, atom, form, node) for atom, form in zip(operands, taken, strict=True)]
    constants = [atom for atom in converted if isinstance(atom, n.Const)]
    if len(constants) == len(converted):
        with np.errstate(all="ignore"):
            value = numbers.math_function(name, result)(*map(numpy_value, constants))
        return n.Const(python_value(value), result)
    return rechecks.after(ctx, plan, ctx.emit(n.Math(name, tuple(converted)), result, node))


def _math_handler(name: str) -> Handler:
    count = MATH_FUNCTIONS[name]

    def handler(ctx: Context, arguments: Values, keywords: Keywords, node: ast.AST) -> Value:
        check_arguments(ctx, arguments, keywords, range(count, count + 1), f"np.{name}", node)
        return math_function(ctx, name, arguments, node)

    return handler


for _name in MATH_FUNCTIONS:
    if hasattr(np, _name):
        FUNCTIONS[getattr(np, _name)] = _math_handler(_name)


def _operands(ctx: Context, arguments: Values, node: ast.AST) -> list[n.Atom]:
    """Numbers as NumPy's functions take them: where all are Python's, they become NumPy's first.

    A Python complex beside a float64, too, which as operands of an operator are both Python's.
    """
    atoms = [number(ctx, value, node) for value in arguments]
    types = [typed(Scalar, atom.type) for atom in atoms]
    weak = all(type.weak for type in types)
    strong = [weak or (type == PYCOMPLEX and FLOAT64 in types) for type in types]
    return [
        cast(ctx, atom, default_type(type), node) if type.weak and becomes else atom
        for atom, type, becomes in zip(atoms, types, strong, strict=True)
    ]


def _operator_handler(op: str, count: int) -> Handler:
    """A ufunc that is an operator: ``np.add(a, b)``."""

    def handler(ctx: Context, arguments: Values, keywords: Keywords, node: ast.AST) -> Value:
        check_arguments(ctx, arguments, keywords, range(count, count + 1), f"np.{op}", node)
        operands = _operands(ctx, arguments, node)
        if count == 1:
            return _of_numpy(ctx, operators.scalar_unary(ctx, op, operands[0], node))  # type: ignore[arg-type]
        first, second = operands
        if op in COMPARE_UFUNCS:
            return operators.scalar_compare(ctx, op, first, second, node, ufunc=True)  # type: ignore[arg-type]
        return _of_numpy(ctx, operators.scalar_binary(ctx, op, first, second, node))  # type: ignore[arg-type]

    return handler


def _of_numpy(ctx: Context, result: n.Atom) -> n.Atom:
    """A result of NumPy's, which is never one of Python's numbers."""
    known = forms.forms_of(ctx, result)
    if known is not None and isinstance(result, n.Var):
        others: forms.Others = {}
        for form in known.others:
            type = default_type(form.type) if form.type.weak else form.type
            values = None if form.value is None else (n.Const(form.value.value, type),)
            forms.merge(others, {type: values} if type != result.type else {})
        ctx.forms.pop(result.name)
        forms.set_forms(ctx, result, others, known.gone, known.by_trips)
    return result


def _power(ctx: Context, arguments: Values, keywords: Keywords, node: ast.AST) -> Value:
    """``np.power``, which takes a root where the exponent is 0.5: -inf and -0.0 have other roots than powers."""
    check_arguments(ctx, arguments, keywords, range(2, 3), "np.power", node)
    base, exponent = _operands(ctx, arguments, node)
    result = operators.scalar_binary(ctx, "pow", base, exponent, node)
    type = typed(Scalar, result.type)
    if type.kind != "f" or type.bits == 16 or (isinstance(exponent, n.Const) and exponent.value != 0.5):
        return result
    root = math_function(ctx, "sqrt", [cast(ctx, base, type, node)], node)
    is_half = operators.scalar_compare(ctx, "eq", cast(ctx, exponent, type, node), n.Const(0.5, PYFLOAT), node)
    if isinstance(is_half, n.Const):
        return root if is_half.value else result
    return (
        result
        if isinstance(root, n.Const) and isinstance(result, n.Const)
        else ctx.emit(n.Select(is_half, root, result), type, node)
    )


for _table, _count in ((BINARY_UFUNCS, 2), (COMPARE_UFUNCS, 2), (UNARY_UFUNCS, 1)):
    for _op, _name in _table.items():
        if _op not in ("min", "max"):
            FUNCTIONS[getattr(np, _name)] = _operator_handler(_op, _count)
FUNCTIONS[np.power] = _power


def _part_handler(name: str) -> Handler:
    def handler(ctx: Context, arguments: Values, keywords: Keywords, node: ast.AST) -> Value:
        check_arguments(ctx, arguments, keywords, EXACTLY_ONE, f"np.{name}", node)
        return part_of(ctx, number(ctx, arguments[0], node), name, node)

    return handler


FUNCTIONS.update({np.real: _part_handler("real"), np.imag: _part_handler("imag")})


def _where_wraps() -> bool:
    try:
        return bool(np.where(True, 300, np.uint8(1)) == 44)
    except OverflowError:
        return False


WHERE_WRAPS = _where_wraps()
"""Whether ``np.where`` of the NumPy that is installed wraps Python integers that do not fit."""


@function(np.where)
def _where(ctx: Context, arguments: Values, keywords: Keywords, node: ast.AST) -> Value:
    check_arguments(ctx, arguments, keywords, range(3, 4), "np.where", node)
    test = conditions.truth(ctx, number(ctx, arguments[0], node), node)
    first, second = (number(ctx, value, node) for value in arguments[1:])
    types = [atom.type for atom in (first, second) if isinstance(atom.type, Scalar)]
    weakness.require_one_type(ctx, "maximum", (first, second), node)
    form = operand_types("max", *types)[0] if not all(t.weak for t in types) else default_type(_wider(types))
    first, second = (_wrapped(ctx, atom, form, node) for atom in (first, second))
    if isinstance(test, n.Const):
        return first if test.value else second
    return ctx.emit(n.Select(test, first, second), form, node)


def _wrapped(ctx: Context, atom: n.Atom, target: Scalar, node: ast.AST) -> n.Atom:
    """A number as ``np.where`` converts it: a Python integer that does not fit wraps, or raises since NumPy 2.5."""
    if target.kind not in "iu" or atom.type == target or (typed(Scalar, atom.type).weak and not WHERE_WRAPS):
        return cast(ctx, atom, target, node)
    if isinstance(atom, n.Const):
        return cast(ctx, cast(ctx, atom, default_type(typed(Scalar, atom.type)), node), target, node)
    if atom.type == PYINT:
        atom = ctx.emit(n.Cast(atom), INT64, node)
    return atom if atom.type == target else ctx.emit(n.Cast(atom), target, node)


def _wider(types: Sequence[Scalar]) -> Scalar:
    return max(types, key=lambda t: "bifc".index(t.kind))


@function(np.round, np.around)
def _round(ctx: Context, arguments: Values, keywords: Keywords, node: ast.AST) -> Value:
    digits = keywords.pop("decimals", ZERO)
    check_arguments(ctx, arguments, keywords, range(1, 3), "np.round", node)
    digits = arguments[1] if len(arguments) == 2 else digits
    value = number(ctx, arguments[0], node)
    type = scalar_type(value)
    assert type is not None
    weakness.require_one_type(ctx, "pos", (value,), node)
    value = cast(ctx, value, default_type(type), node) if type.weak else value
    if digits == ZERO:
        return value if type.kind in "iu" else math_function(ctx, "rint", [value], node)
    return round_digits(ctx, value, digits, node)


@function(np.iinfo, np.finfo, np.dtype)
def _description(ctx: Context, arguments: Values, keywords: Keywords, node: ast.AST) -> Value:
    assert isinstance(node, ast.Call)
    if keywords or len(arguments) != 1 or not isinstance(arguments[0], Static):
        raise ctx.type_error("a type is expected", node)
    name = node.func.attr if isinstance(node.func, ast.Attribute) else ast.unparse(node.func)
    return Static(getattr(np, name)(arguments[0].value))


# -------------------------------------------------------------------------------------------------- conversions


def _type_handler(target: Scalar) -> Handler:
    def handler(ctx: Context, arguments: Values, keywords: Keywords, node: ast.AST) -> Value:
        check_arguments(ctx, arguments, keywords, range(2), f"np.{target}", node)
        if not arguments:
            return n.Const(python_value(target.dtype.type()), target)
        if isinstance(arguments[0], Static) and isinstance(arguments[0].value, str):
            return n.Const(python_value(target.dtype.type(arguments[0].value)), target)
        atom = number(ctx, arguments[0], node)
        if target == BOOL:
            return converted(ctx, conditions.truth(ctx, atom, node), BOOL, node)
        type = scalar_type(atom)
        if type is not None and type.kind == "c" and target.kind != "c":
            raise ctx.type_error(f"a complex number cannot be converted to np.{target}", node, hint="use .real")
        return converted(ctx, atom, target, node)

    return handler


for _type in NUMPY_TYPES:
    FUNCTIONS[_type.dtype.type] = _type_handler(_type)


# ------------------------------------------------------------------------------------------------------- arrays


@function(np.transpose)
def _transpose(ctx: Context, arguments: Values, keywords: Keywords, node: ast.AST) -> Value:
    axes = keywords.pop("axes", arguments[1] if len(arguments) == 2 else NONE)
    check_arguments(ctx, arguments, keywords, range(1, 3), "np.transpose", node)
    return methods.transpose(ctx, arguments[0], axes if isinstance(axes, tuple) else (), node)


@function(np.swapaxes)
def _swapaxes(ctx: Context, arguments: Values, keywords: Keywords, node: ast.AST) -> Value:
    check_arguments(ctx, arguments, keywords, range(3, 4), "np.swapaxes", node)
    return METHODS["swapaxes"](ctx, arguments[0], arguments[1:], {}, node)


@function(np.shape)
def _shape_of(ctx: Context, arguments: Values, keywords: Keywords, node: ast.AST) -> Value:
    check_arguments(ctx, arguments, keywords, EXACTLY_ONE, "np.shape", node)
    return shape(ctx, methods.as_view(ctx, arguments[0], node), node)


@function(np.ndim)
def _ndim(ctx: Context, arguments: Values, keywords: Keywords, node: ast.AST) -> Value:
    check_arguments(ctx, arguments, keywords, EXACTLY_ONE, "np.ndim", node)
    value = arguments[0]
    return n.Const(view_type(value).ndim if isinstance(value, n.Var) and is_view(value) else 0, PYINT)


@function(np.size)
def _size(ctx: Context, arguments: Values, keywords: Keywords, node: ast.AST) -> Value:
    check_arguments(ctx, arguments, keywords, range(1, 3), "np.size", node)
    view = methods.as_view(ctx, arguments[0], node)
    if len(arguments) == 1:
        return size(ctx, view, node)
    return ctx.dimension(view, methods.axis_number(ctx, arguments[1], view_type(view).ndim, node), node)
