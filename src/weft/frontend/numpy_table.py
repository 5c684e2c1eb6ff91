"""NumPy's functions on scalars, its types as conversions, and the making of local arrays."""

from __future__ import annotations

import ast
from collections.abc import Sequence
from types import FunctionType
from typing import Any
from typing import cast as typed

import numpy as np

from weft.frontend import conditions, indexing, inlining, library, methods, operators
from weft.frontend.array_attributes import part_of, shape, size
from weft.frontend.convert import cast, cast_constant, numpy_value, python_value
from weft.frontend.objects import plain_tuple
from weft.frontend.python_builtins import number, round_digits
from weft.frontend.scope import Context, view_type
from weft.frontend.sizes import as_index
from weft.frontend.tables import EXACTLY_ONE, FUNCTIONS, Handler, check_arguments, function
from weft.frontend.values import NONE, ZERO, Static, Value, describe_value, is_view, scalar_type
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
)  # fmt: skip
from weft.ir.types import BOOL, NUMPY_TYPES, PYFLOAT, PYINT, Element, Record, Scalar, View, element_of

Values = list[Value]
Keywords = dict[str, Value]


# --------------------------------------------------------------------------------------------------- functions


def math_function(ctx: Context, name: str, arguments: Sequence[Value], node: ast.AST) -> n.Atom:
    """A `Math` of scalars with NumPy's rules."""
    operands = [number(ctx, value, node) for value in arguments]
    types = [operand.type for operand in operands if isinstance(operand.type, Scalar)]
    with operators.located(ctx, node):
        forms, result = operand_types(name, *types), result_type(name, *types)
    converted = [operators.convert(ctx, atom, form, node) for atom, form in zip(operands, forms, strict=True)]
    constants = [atom for atom in converted if isinstance(atom, n.Const)]
    if len(constants) == len(converted):
        with np.errstate(all="ignore"):
            value = numbers.math_function(name, result)(*map(numpy_value, constants))
        return n.Const(python_value(value), result)
    return ctx.emit(n.Math(name, tuple(converted)), result, node)


def _math_handler(name: str) -> Handler:
    count = MATH_FUNCTIONS[name]

    def handler(ctx: Context, arguments: Values, keywords: Keywords, node: ast.AST) -> Value:
        check_arguments(ctx, arguments, keywords, range(count, count + 1), f"np.{name}", node)
        return math_function(ctx, name, arguments, node)

    return handler


for _name in MATH_FUNCTIONS:
    if hasattr(np, _name):
        FUNCTIONS[getattr(np, _name)] = _math_handler(_name)


def _strong(ctx: Context, value: Value, others_weak: bool, node: ast.AST) -> n.Atom:
    """A number as NumPy's functions take it: where all operands are Python's, they become NumPy's first."""
    atom = number(ctx, value, node)
    type = scalar_type(atom)
    assert type is not None
    return cast(ctx, atom, default_type(type), node) if type.weak and others_weak else atom


def _operator_handler(op: str, count: int) -> Handler:
    """A ufunc that is an operator: ``np.add(a, b)``."""

    def handler(ctx: Context, arguments: Values, keywords: Keywords, node: ast.AST) -> Value:
        check_arguments(ctx, arguments, keywords, range(count, count + 1), f"np.{op}", node)
        types = [scalar_type(value) for value in arguments]
        weak = all(type is not None and type.weak for type in types)
        operands = [_strong(ctx, value, weak, node) for value in arguments]
        if count == 1:
            return operators.scalar_unary(ctx, op, operands[0], node)  # type: ignore[arg-type]
        first, second = operands
        if op in COMPARE_UFUNCS:
            return operators.scalar_compare(ctx, op, first, second, node)  # type: ignore[arg-type]
        return operators.scalar_binary(ctx, op, first, second, node)  # type: ignore[arg-type]

    return handler


for _table, _count in ((BINARY_UFUNCS, 2), (COMPARE_UFUNCS, 2), (UNARY_UFUNCS, 1)):
    for _op, _name in _table.items():
        if _op not in ("min", "max"):
            FUNCTIONS[getattr(np, _name)] = _operator_handler(_op, _count)


def _part_handler(name: str) -> Handler:
    def handler(ctx: Context, arguments: Values, keywords: Keywords, node: ast.AST) -> Value:
        check_arguments(ctx, arguments, keywords, EXACTLY_ONE, f"np.{name}", node)
        return part_of(ctx, number(ctx, arguments[0], node), name, node)

    return handler


FUNCTIONS.update({np.real: _part_handler("real"), np.imag: _part_handler("imag")})


@function(np.where)
def _where(ctx: Context, arguments: Values, keywords: Keywords, node: ast.AST) -> Value:
    check_arguments(ctx, arguments, keywords, range(3, 4), "np.where", node)
    test = conditions.truth(ctx, number(ctx, arguments[0], node), node)
    first, second = (number(ctx, value, node) for value in arguments[1:])
    types = [atom.type for atom in (first, second) if isinstance(atom.type, Scalar)]
    form = operand_types("max", *types)[0] if not all(t.weak for t in types) else default_type(_wider(types))
    first, second = cast(ctx, first, form, node), cast(ctx, second, form, node)
    if isinstance(test, n.Const):
        return first if test.value else second
    return ctx.emit(n.Select(test, first, second), form, node)


def _wider(types: Sequence[Scalar]) -> Scalar:
    return max(types, key=lambda t: "bifc".index(t.kind))


@function(np.clip)
def _clip(ctx: Context, arguments: Values, keywords: Keywords, node: ast.AST) -> Value:
    given = [*arguments, *(keywords.pop(k) for k in ("a_min", "a_max")[len(arguments) - 1 :] if k in keywords)]
    check_arguments(ctx, given, keywords, range(3, 4), "np.clip", node)
    number(ctx, given[0], node)
    return inlining.call_function(ctx, typed(FunctionType, library.clipped), given, {}, node)


@function(np.round, np.around)
def _round(ctx: Context, arguments: Values, keywords: Keywords, node: ast.AST) -> Value:
    digits = keywords.pop("decimals", ZERO)
    check_arguments(ctx, arguments, keywords, range(1, 3), "np.round", node)
    digits = arguments[1] if len(arguments) == 2 else digits
    value = number(ctx, arguments[0], node)
    type = scalar_type(value)
    assert type is not None
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
            return cast(ctx, conditions.truth(ctx, atom, node), BOOL, node)
        type = scalar_type(atom)
        if type is not None and type.kind == "c" and target.kind != "c":
            raise ctx.type_error(f"a complex number cannot be converted to np.{target}", node, hint="use .real")
        return cast(ctx, atom, target, node)

    return handler


for _type in NUMPY_TYPES:
    FUNCTIONS[_type.dtype.type] = _type_handler(_type)


# ------------------------------------------------------------------------------------------------------- arrays


def element_type(ctx: Context, value: Value | None, default: Element, node: ast.AST) -> Element:
    """The element type that a ``dtype=`` argument asks for."""
    if value is None or (isinstance(value, Static) and value.value is None):
        return default
    if isinstance(value, tuple):
        return element_of(np.dtype(_field_list(ctx, value, node)))
    if not isinstance(value, Static):
        raise ctx.type_error(f"a dtype is expected, and this is {describe_value(value)}", node)
    try:
        return element_of(np.dtype(value.value))  # type: ignore[call-overload]
    except (KeyError, TypeError):
        raise ctx.type_error(f"the dtype {value.value} is not supported", node) from None


def _field_list(ctx: Context, value: tuple[Value, ...], node: ast.AST) -> Any:
    """The fields of a structured dtype written out: ``[("x", np.float64), ("v", "f4", 3)]``."""
    return [tuple(_field_part(ctx, part, node) for part in field) for field in value if isinstance(field, tuple)]


def _field_part(ctx: Context, part: Value, node: ast.AST) -> object:
    if isinstance(part, Static):
        return part.value
    if isinstance(part, n.Const):
        return part.value
    if isinstance(part, tuple):
        inner = [_field_part(ctx, item, node) for item in part]
        return inner if any(isinstance(item, tuple) for item in part) else tuple(inner)
    raise ctx.type_error("the fields of a dtype must be constants", node)


def _shape(ctx: Context, value: Value, node: ast.AST) -> tuple[n.Atom, ...]:
    value = plain_tuple(value)
    items = value if isinstance(value, tuple) else (value,)
    return tuple(as_index(ctx, item, node) for item in items)


def _options(ctx: Context, keywords: Keywords, allowed: Sequence[str], node: ast.AST) -> None:
    """Refuse arguments that mean something else than C order."""
    for name, value in keywords.items():
        default = isinstance(value, Static) and value.value in ("C", "K", "A", None)
        if name not in allowed and not (name in ("order", "like") and default):
            raise ctx.refusal("array option", node, name=name)


def allocate(ctx: Context, extents: Sequence[n.Atom], element: Element, fill: n.Atom | None, node: ast.AST) -> n.Var:
    """A new array."""
    if fill is not None and isinstance(element, Record):
        raise ctx.refusal("structured zeros", node)
    return ctx.emit(n.Alloc(tuple(extents), element, fill), View(element, len(extents), True), node)


def _filled(number_: int | None) -> Handler:
    """``np.empty``, ``np.zeros``, ``np.ones``."""

    def handler(ctx: Context, arguments: Values, keywords: Keywords, node: ast.AST) -> Value:
        _options(ctx, keywords, ("shape", "dtype"), node)
        given = [*arguments, *(keywords[k] for k in ("shape", "dtype")[len(arguments) :] if k in keywords)]
        if not len(arguments) + ("shape" in keywords) >= 1 or len(arguments) > 2:
            raise ctx.type_error("an array is made from its shape and dtype", node)
        dtype = given[1] if len(given) > 1 else keywords.get("dtype")
        element = element_type(ctx, dtype, default_type(PYFLOAT), node)
        return allocate(ctx, _shape(ctx, given[0], node), element, _constant(number_, element), node)

    return handler


def _constant(value: int | None, element: Element) -> n.Const | None:
    if value is None:
        return None
    return cast_constant(n.Const(value, PYINT), element) if isinstance(element, Scalar) else n.Const(value, PYINT)


FUNCTIONS.update({np.empty: _filled(None), np.zeros: _filled(0), np.ones: _filled(1)})


def _filled_like(number_: int | None) -> Handler:
    """``np.empty_like``, ``np.zeros_like``, ``np.ones_like``."""

    def handler(ctx: Context, arguments: Values, keywords: Keywords, node: ast.AST) -> Value:
        _options(ctx, keywords, ("dtype", "shape", "subok"), node)
        view, extents, element = _like(ctx, arguments, keywords, node)
        return allocate(ctx, extents, element, _constant(number_, element), node)

    return handler


def _like(
    ctx: Context, arguments: Values, keywords: Keywords, node: ast.AST
) -> tuple[n.Var, tuple[n.Atom, ...], Element]:
    view = methods.as_view(ctx, arguments[0], node)
    dtype = keywords.get("dtype", arguments[-1] if len(arguments) > 1 else None)
    wanted = keywords.get("shape", NONE)
    extents = shape(ctx, view, node) if wanted is NONE else _shape(ctx, wanted, node)
    return view, extents, element_type(ctx, dtype, view_type(view).element, node)


FUNCTIONS[np.empty_like] = _filled_like(None)
FUNCTIONS[np.zeros_like] = _filled_like(0)
FUNCTIONS[np.ones_like] = _filled_like(1)


@function(np.full)
def _full(ctx: Context, arguments: Values, keywords: Keywords, node: ast.AST) -> Value:
    _options(ctx, keywords, ("shape", "fill_value", "dtype"), node)
    order = ("shape", "fill_value", "dtype")
    given = dict(zip(order, arguments, strict=False)) | keywords
    if "shape" not in given or "fill_value" not in given:
        raise ctx.type_error("np.full takes a shape and a value", node)
    value = number(ctx, given["fill_value"], node)
    type = scalar_type(value)
    assert type is not None
    element = element_type(ctx, given.get("dtype"), default_type(type) if type.weak else type, node)
    fill = indexing.as_element(ctx, value, element, node) if isinstance(element, Scalar) else value
    return allocate(ctx, _shape(ctx, given["shape"], node), element, fill, node)


@function(np.full_like)
def _full_like(ctx: Context, arguments: Values, keywords: Keywords, node: ast.AST) -> Value:
    _options(ctx, keywords, ("fill_value", "dtype", "shape", "subok"), node)
    value = number(ctx, arguments[1] if len(arguments) > 1 else keywords["fill_value"], node)
    _, extents, element = _like(ctx, [arguments[0], *arguments[2:]], keywords, node)
    fill = indexing.as_element(ctx, value, element, node) if isinstance(element, Scalar) else value
    return allocate(ctx, extents, element, fill, node)


@function(np.array)
def _array(ctx: Context, arguments: Values, keywords: Keywords, node: ast.AST) -> Value:
    """``np.array`` of numbers: a new array of that many elements."""
    _options(ctx, keywords, ("dtype",), node)
    items = plain_tuple(arguments[0]) if arguments else NONE
    if not isinstance(items, tuple):
        raise ctx.refusal("array function", node, name="np.array")
    extents, atoms = _nested(ctx, items, node)
    dtype = keywords.get("dtype", arguments[1] if len(arguments) > 1 else None)
    element = element_type(ctx, dtype, _joint_type(ctx, atoms, node), node)
    view = allocate(ctx, [n.Const(extent, PYINT) for extent in extents], element, None, node)
    location = ctx.location(node)
    for position, atom in zip(np.ndindex(*extents), atoms, strict=True):
        stored = indexing.as_element(ctx, atom, element, node) if isinstance(element, Scalar) else atom
        indices = tuple(n.Const(k, PYINT) for k in position)
        ctx.append(n.Store(view, indices, stored, "safe", location=location))
    return view


def _nested(ctx: Context, items: tuple[Value, ...], node: ast.AST) -> tuple[tuple[int, ...], list[n.Atom]]:
    """The shape and the numbers of nested tuples."""
    if not any(isinstance(plain_tuple(item), tuple) for item in items):
        return (len(items),), [number(ctx, item, node) for item in items]
    parts = []
    for item in map(plain_tuple, items):
        if not isinstance(item, tuple):
            raise ctx.type_error("the rows of an array must have one length", node)
        parts.append(_nested(ctx, item, node))
    if len({extents for extents, _ in parts}) != 1:
        raise ctx.type_error("the rows of an array must have one length", node)
    return (len(items), *parts[0][0]), [atom for _, atoms in parts for atom in atoms]


def _joint_type(ctx: Context, atoms: Sequence[n.Atom], node: ast.AST) -> Scalar:
    """The dtype that NumPy gives an array of these numbers."""
    if not atoms:
        return default_type(PYFLOAT)
    dtypes = [atom.type.dtype for atom in atoms if isinstance(atom.type, Scalar)]
    joint = element_of(np.result_type(*dtypes))
    assert isinstance(joint, Scalar)
    return joint


@function(np.asarray)
def _asarray(ctx: Context, arguments: Values, keywords: Keywords, node: ast.AST) -> Value:
    check_arguments(ctx, arguments, keywords, EXACTLY_ONE, "np.asarray", node)
    return arguments[0] if is_view(arguments[0]) else _array(ctx, arguments, keywords, node)


@function(np.transpose)
def _transpose(ctx: Context, arguments: Values, keywords: Keywords, node: ast.AST) -> Value:
    axes = keywords.pop("axes", arguments[1] if len(arguments) == 2 else NONE)
    check_arguments(ctx, arguments, keywords, range(1, 3), "np.transpose", node)
    return methods.transpose(ctx, arguments[0], axes if isinstance(axes, tuple) else (), node)


@function(np.swapaxes)
def _swapaxes(ctx: Context, arguments: Values, keywords: Keywords, node: ast.AST) -> Value:
    check_arguments(ctx, arguments, keywords, range(3, 4), "np.swapaxes", node)
    return methods.METHODS["swapaxes"](ctx, arguments[0], arguments[1:], {}, node)


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
