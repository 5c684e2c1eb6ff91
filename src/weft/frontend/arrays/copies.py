"""Arrays that are copied or filled element by element: ``x.copy()``, ``x.astype(...)``, ``x.fill(...)``."""

from __future__ import annotations

import ast

from weft.frontend.arrays import memory_order
from weft.frontend.arrays.array_attributes import field, shape
from weft.frontend.arrays.each import Indices, each_element
from weft.frontend.arrays.stored_numbers import as_element
from weft.frontend.arrays.tables import METHODS
from weft.frontend.control import conditions
from weft.frontend.values import methods
from weft.frontend.values.convert import cast
from weft.frontend.values.scope import Context, view_type
from weft.frontend.values.values import NONE, Static, Value, describe_value, is_none, is_view, scalar_type
from weft.ir import nodes as n
from weft.ir.types import BOOL, Element, Record, Scalar, View


def copied(ctx: Context, source: n.Var, element: Element, node: ast.AST) -> n.Var:
    """A new array in C order with the elements of another one, converted as ``astype`` does."""
    extents = shape(ctx, source, node)
    target = ctx.emit(n.Alloc(extents, element), View(element, len(extents), True), node)
    copy_elements(ctx, target, source, node)
    return target


def copy_elements(ctx: Context, target: n.Var, source: n.Var, node: ast.AST) -> None:
    """Copy all elements of an array to one of the same shape that shares no memory with it."""
    wanted, given = view_type(target).element, view_type(source).element
    if isinstance(wanted, Record):
        if wanted != given:
            raise ctx.type_error(f"an array of {given} cannot be converted to another structured dtype", node)
        for entry in wanted.fields:
            copy_elements(ctx, field(ctx, target, entry.name, node), field(ctx, source, entry.name, node), node)
        return
    if isinstance(given, Record):
        raise ctx.type_error("a structured array cannot be converted to numbers", node, hint="name one of its fields")

    def copy(indices: Indices) -> None:
        value = ctx.emit(n.Load(source, indices, "safe"), given, node)
        stored = converted(ctx, value, wanted, node)
        ctx.append(n.Store(target, indices, stored, "safe", location=ctx.location(node)))

    each_element(ctx, shape(ctx, target, node), copy, node)


def converted(ctx: Context, value: n.Atom, target: Scalar, node: ast.AST) -> n.Atom:
    """A NumPy number as ``astype`` converts it."""
    if target == BOOL:
        return cast(ctx, conditions.truth(ctx, value, node), BOOL, node)
    type = scalar_type(value)
    if type is not None and type.kind == "c" and target.kind != "c":
        raise ctx.type_error(f"complex numbers cannot be converted to {target}", node, hint="use .real")
    return cast(ctx, value, target, node)


def fill_elements(ctx: Context, target: n.Var, value: n.Atom, node: ast.AST) -> None:
    """Assign a number to all elements of an array, or to all fields of its elements."""
    element = view_type(target).element
    if isinstance(element, Record):
        for entry in element.fields:
            fill_elements(ctx, field(ctx, target, entry.name, node), value, node)
        return
    stored = as_element(ctx, value, element, node)

    def fill(indices: Indices) -> None:
        ctx.append(n.Store(target, indices, stored, "safe", location=ctx.location(node)))

    each_element(ctx, shape(ctx, target, node), fill, node)


# ----------------------------------------------------------------------------------------------------- methods


def _copy(ctx: Context, owner: Value, arguments: list[Value], keywords: dict[str, Value], node: ast.AST) -> Value:
    order = [*arguments, *(value for name, value in keywords.items() if name == "order")]
    if len(order) != len(arguments) + len(keywords) or len(order) > 1:
        raise ctx.type_error("copy takes an order alone", node)
    if order and not (isinstance(order[0], Static) and order[0].value in ("C", "K", "A")):
        raise ctx.refusal("array order", node)
    if not is_view(owner):
        return owner
    view = methods.as_view(ctx, owner, node)
    copy = copied(ctx, view, view_type(view).element, node)
    is_same = bool(order) and isinstance(order[0], Static) and order[0].value != "C"
    memory_order.note(ctx, copy, memory_order.of_all(ctx, (view,)) if is_same else memory_order.ALWAYS)
    return copy


def _astype(ctx: Context, owner: Value, arguments: list[Value], keywords: dict[str, Value], node: ast.AST) -> Value:
    from weft.frontend.arrays.allocation import element_type

    given = [*arguments, *(value for name, value in keywords.items() if name == "dtype")]
    if len(given) != 1 or len(given) != len(arguments) + len(keywords):
        raise ctx.type_error("astype takes a dtype alone", node, hint="the result is a new array in C order")
    element = element_type(ctx, given[0], BOOL, node)
    if isinstance(owner, n.Var) and is_view(owner):
        copy = copied(ctx, owner, element, node)
        memory_order.note(ctx, copy, memory_order.of_all(ctx, (owner,)))
        return copy
    if is_none(given[0]) or not isinstance(element, Scalar) or not isinstance(owner, (n.Var, n.Const)):
        raise ctx.type_error(f"a dtype of numbers is expected, and this is {describe_value(given[0])}", node)
    return converted(ctx, owner, element, node)


def _fill(ctx: Context, owner: Value, arguments: list[Value], keywords: dict[str, Value], node: ast.AST) -> Value:
    if len(arguments) != 1 or keywords:
        raise ctx.type_error("fill takes one number", node)
    view = methods.as_view(ctx, owner, node)
    value = arguments[0]
    if not isinstance(value, (n.Var, n.Const)) or scalar_type(value) is None:
        raise ctx.type_error(f"fill takes a number, and this is {describe_value(value)}", node)
    if not view_type(view).writable:
        ctx.append(n.Raise("ValueError", "assignment destination is read-only", (), ctx.location(node)))
        return NONE
    fill_elements(ctx, view, value, node)
    return NONE


METHODS.update({"copy": _copy, "astype": _astype, "fill": _fill})
