"""Local arrays: how they are made from a shape and a value, from numbers, and from other arrays."""

from __future__ import annotations

import ast
from collections.abc import Sequence
from typing import Any

import numpy as np

from weft.frontend.arrays import copies, memory_order
from weft.frontend.arrays.array_attributes import shape
from weft.frontend.arrays.sizes import as_index
from weft.frontend.arrays.stored_numbers import as_cast_element, as_element
from weft.frontend.arrays.tables import EXACTLY_ONE, FUNCTIONS, Handler, check_arguments, function
from weft.frontend.calls.python_builtins import number
from weft.frontend.several_types import weakness
from weft.frontend.values import methods, operators
from weft.frontend.values.convert import cast_constant
from weft.frontend.values.objects import plain_tuple
from weft.frontend.values.scope import Context, view_type
from weft.frontend.values.values import NONE, TRUE, Static, Value, describe_value, is_none, is_view, scalar_type
from weft.ir import nodes as n
from weft.ir.semantics import default_type
from weft.ir.types import PYFLOAT, PYINT, Element, Scalar, View, element_of

Values = list[Value]
Keywords = dict[str, Value]


def element_type(ctx: Context, value: Value | None, default: Element, node: ast.AST) -> Element:
    """The element type that a ``dtype=`` argument asks for."""
    if value is None or is_none(value):
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


def options(ctx: Context, keywords: Keywords, allowed: Sequence[str], node: ast.AST) -> None:
    """Refuse arguments that mean something else than C order."""
    for name, value in keywords.items():
        default = isinstance(value, Static) and value.value in ("C", "K", "A", None)
        if name not in allowed and not (name in ("order", "like") and default):
            raise ctx.refusal("array order" if name == "order" else "array option", node, name=name)


def allocate(ctx: Context, extents: Sequence[n.Atom], element: Element, fill: n.Atom | None, node: ast.AST) -> n.Var:
    """A new array; the fill of a structured one goes into all of its fields."""
    type = View(element, len(extents), True)
    if fill is None or isinstance(element, Scalar):
        return ctx.emit(n.Alloc(tuple(extents), element, fill), type, node)
    view = ctx.emit(n.Alloc(tuple(extents), element), type, node)
    copies.fill_elements(ctx, view, fill, node)
    return view


def _in_order_of(ctx: Context, others: Sequence[n.Var], array: n.Var) -> n.Var:
    """A new array that lies in memory as others do in NumPy; in C order without others."""
    memory_order.note(ctx, array, memory_order.of_all(ctx, others))
    return array


def _filled(number_: int | None) -> Handler:
    """``np.empty``, ``np.ndarray`` of a shape, ``np.zeros``, ``np.ones``."""

    def handler(ctx: Context, arguments: Values, keywords: Keywords, node: ast.AST) -> Value:
        options(ctx, keywords, ("shape", "dtype"), node)
        given = [*arguments, *(keywords[k] for k in ("shape", "dtype")[len(arguments) :] if k in keywords)]
        if not len(arguments) + ("shape" in keywords) >= 1 or len(arguments) > 2:
            raise ctx.type_error("an array is made from its shape and dtype", node)
        dtype = given[1] if len(given) > 1 else keywords.get("dtype")
        element = element_type(ctx, dtype, default_type(PYFLOAT), node)
        return _in_order_of(
            ctx, (), allocate(ctx, _shape(ctx, given[0], node), element, _constant(number_, element), node)
        )

    return handler


def _constant(value: int | None, element: Element) -> n.Const | None:
    if value is None:
        return None
    return cast_constant(n.Const(value, PYINT), element) if isinstance(element, Scalar) else n.Const(value, PYINT)


FUNCTIONS.update({np.empty: _filled(None), np.ndarray: _filled(None), np.zeros: _filled(0), np.ones: _filled(1)})


def _filled_like(number_: int | None) -> Handler:
    """``np.empty_like``, ``np.zeros_like``, ``np.ones_like``."""

    def handler(ctx: Context, arguments: Values, keywords: Keywords, node: ast.AST) -> Value:
        options(ctx, keywords, ("dtype", "shape", "subok"), node)
        view, extents, element = _like(ctx, arguments, keywords, node)
        return _in_order_of(ctx, (view,), allocate(ctx, extents, element, _constant(number_, element), node))

    return handler


def _like(
    ctx: Context, arguments: Values, keywords: Keywords, node: ast.AST
) -> tuple[n.Var, tuple[n.Atom, ...], Element]:
    view = methods.as_view(ctx, arguments[0], node)
    dtype = keywords.get("dtype", arguments[-1] if len(arguments) > 1 else None)
    wanted = keywords.get("shape", NONE)
    extents = shape(ctx, view, node) if is_none(wanted) else _shape(ctx, wanted, node)
    return view, extents, element_type(ctx, dtype, view_type(view).element, node)


FUNCTIONS[np.empty_like] = _filled_like(None)
FUNCTIONS[np.zeros_like] = _filled_like(0)
FUNCTIONS[np.ones_like] = _filled_like(1)


@function(np.full)
def _full(ctx: Context, arguments: Values, keywords: Keywords, node: ast.AST) -> Value:
    options(ctx, keywords, ("shape", "fill_value", "dtype"), node)
    order = ("shape", "fill_value", "dtype")
    given = dict(zip(order, arguments, strict=False)) | keywords
    if "shape" not in given or "fill_value" not in given:
        raise ctx.type_error("np.full takes a shape and a value", node)
    value = number(ctx, given["fill_value"], node)
    type = scalar_type(value)
    assert type is not None
    if given.get("dtype") is None:
        weakness.require_alike(ctx, value, default_type, node)
    element = element_type(ctx, given.get("dtype"), default_type(type) if type.weak else type, node)
    fill = as_cast_element(ctx, value, element, node, True) if isinstance(element, Scalar) else value
    return _in_order_of(ctx, (), allocate(ctx, _shape(ctx, given["shape"], node), element, fill, node))


@function(np.full_like)
def _full_like(ctx: Context, arguments: Values, keywords: Keywords, node: ast.AST) -> Value:
    options(ctx, keywords, ("fill_value", "dtype", "shape", "subok"), node)
    value = number(ctx, arguments[1] if len(arguments) > 1 else keywords["fill_value"], node)
    view, extents, element = _like(ctx, [arguments[0], *arguments[2:]], keywords, node)
    fill = as_cast_element(ctx, value, element, node, True) if isinstance(element, Scalar) else value
    return _in_order_of(ctx, (view,), allocate(ctx, extents, element, fill, node))


@function(np.array)
def _array(ctx: Context, arguments: Values, keywords: Keywords, node: ast.AST) -> Value:
    """``np.array`` of an array, a number, or numbers in tuples: a new array."""
    options(ctx, keywords, ("object", "dtype", "copy"), node)
    if keywords.get("copy", TRUE) != TRUE:
        raise ctx.refusal("array option", node, name="copy")
    given = [*arguments, *(keywords[name] for name in ("object", "dtype")[len(arguments) :] if name in keywords)]
    if not given or len(given) > 2:
        raise ctx.type_error("np.array takes numbers or an array, and a dtype", node)
    dtype = keywords.get("dtype", given[1] if len(given) > 1 else None)
    items = operators.as_scalar(ctx, plain_tuple(given[0]), node)
    if isinstance(items, n.Var) and is_view(items):
        copy = copies.copied(ctx, items, element_type(ctx, dtype, view_type(items).element, node), node)
        return _in_order_of(ctx, (items,), copy)
    return _of_numbers(ctx, items, dtype, node)


def _of_numbers(ctx: Context, items: Value, dtype: Value | None, node: ast.AST) -> Value:
    """A new array of the numbers in nested tuples; of 0 dimensions for a number alone."""
    extents, atoms = _nested(ctx, items, node) if isinstance(items, tuple) else ((), [number(ctx, items, node)])
    for atom in atoms if dtype is None else ():
        weakness.require_alike(ctx, atom, default_type, node)
    element = element_type(ctx, dtype, _joint_type(ctx, atoms, node), node)
    view = _in_order_of(ctx, (), allocate(ctx, [n.Const(extent, PYINT) for extent in extents], element, None, node))
    location = ctx.location(node)
    for position, atom in zip(np.ndindex(*extents), atoms, strict=True):
        stored = as_element(ctx, atom, element, node) if isinstance(element, Scalar) else atom
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
    """The array itself where it has the dtype asked for, otherwise a new one."""
    view = arguments[0] if arguments else NONE
    if not (isinstance(view, n.Var) and is_view(view)):
        return _array(ctx, arguments, keywords, node)
    options(ctx, keywords, ("dtype",), node)
    check_arguments(ctx, arguments, {}, range(1, 3), "np.asarray", node)
    own = view_type(view).element
    element = element_type(ctx, keywords.get("dtype", arguments[1] if len(arguments) > 1 else None), own, node)
    return view if element == own else copies.copied(ctx, view, element, node)


@function(np.copy)
def _copy(ctx: Context, arguments: Values, keywords: Keywords, node: ast.AST) -> Value:
    options(ctx, keywords, (), node)
    check_arguments(ctx, arguments, {}, EXACTLY_ONE, "np.copy", node)
    return _array(ctx, arguments, {}, node)


def _in_order(is_c_order: bool) -> Handler:
    """``np.ascontiguousarray`` and ``np.asfortranarray``.

    They give the array itself where its elements lie in order, else a copy: one that must not be told from the array.
    """

    def handler(ctx: Context, arguments: Values, keywords: Keywords, node: ast.AST) -> Value:
        from weft.frontend.arrays import shared_views

        view = arguments[0] if arguments else NONE
        if scalar_type(view) is not None:  # one dimension at least
            arguments = [(view,), *arguments[1:]]
        found = _asarray(ctx, arguments, keywords, node)
        if not (found is view and isinstance(view, n.Var)):
            return found
        type = view_type(view)
        if type.ndim == 0:
            raise ctx.refusal("array or copy", node, name="np.ascontiguousarray of an array without axes")
        shown = shared_views.Shown(view, range(type.ndim), ()) if is_c_order else None
        extents = shape(ctx, view, node)
        copy = copies.copied(ctx, view, type.element, node)
        ctx.extents[copy.name] = extents  # known also where no copy is made
        memory_order.note(ctx, copy)
        return shared_views.noted(ctx, copy, [view], type.writable, node, shown)

    return handler


FUNCTIONS.update({np.ascontiguousarray: _in_order(True), np.asfortranarray: _in_order(False)})


@function(np.require)
def _either(ctx: Context, arguments: Values, keywords: Keywords, node: ast.AST) -> Value:
    assert isinstance(node, ast.Call)
    raise ctx.refusal("array or copy", node, name=ast.unparse(node.func))
