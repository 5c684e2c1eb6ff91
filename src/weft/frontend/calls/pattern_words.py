"""Words that the loops of `weft.patterns` are written with: they are known when compiling and leave no code behind.

In plain Python they raise: only compiled code uses them.
"""

from __future__ import annotations

import ast
from collections.abc import Callable
from types import FunctionType
from typing import Any
from weakref import WeakKeyDictionary

import numpy as np

from weft.errors import InternalError
from weft.frontend.arrays.assignments import is_other
from weft.frontend.arrays.copies import copied
from weft.frontend.arrays.tables import function
from weft.frontend.calls.calls import call
from weft.frontend.source import fixed
from weft.frontend.values.objects import constant_object, plain_tuple
from weft.frontend.values.scope import Builder, Context, view_type
from weft.frontend.values.values import Static, Value, describe_value, is_view, scalar_type
from weft.ir import nodes as n
from weft.ir.semantics import default_type
from weft.ir.types import PYBOOL, PYINT, Record, View

_ONLY_COMPILED = "this word belongs to compiled code"


def types_of(thunk: Callable[[], Any]) -> tuple[type, ...]:
    """The NumPy types of the numbers that a call would give; the call is translated and forgotten."""
    raise InternalError(_ONLY_COMPILED)


def literal(text: str) -> Any:
    """The constant that a text is written as: an option that decides which loops there are."""
    raise InternalError(_ONLY_COMPILED)


def claimed(operation: Any) -> Any:
    """A function that its user claims to be associative, marked so where compiled code can use that."""
    raise InternalError(_ONLY_COMPILED)


def is_repeated() -> bool:
    """Whether this may run more than once in a call: it stands in a loop, or in a function that is not inlined."""
    raise InternalError(_ONLY_COMPILED)


def fields_of(a: Any) -> tuple[str, ...]:
    """The names of the fields of an array of records."""
    raise InternalError(_ONLY_COMPILED)


def axis_of(axis: Any, ndim: int) -> int:
    """An axis, counted from the first one; it decides which loops there are, so it is a constant."""
    raise InternalError(_ONLY_COMPILED)


@function(axis_of)
def _axis_of(ctx: Context, arguments: list[Value], keywords: dict[str, Value], node: ast.AST) -> Value:
    axis, ndim = arguments
    assert isinstance(ndim, n.Const)
    fixed.require(ctx, axis)
    if not isinstance(axis, n.Const) or axis.type != PYINT:
        raise ctx.type_error(
            f"the axis of a pattern is an int that is known when the function is compiled; the value of this "
            f"{describe_value(axis)} is not",
            node,
            hint="write the number in the call, or in a variable outside of the function",
        )
    count, number = int(ndim.value.real), int(axis.value.real)
    if not -count <= number < count:
        raise ctx.type_error(f"the array has no axis {number}", node, hint=f"say a number from {-count} to {count - 1}")
    return n.Const(number % count, PYINT)


@function(is_repeated)
def _is_repeated(ctx: Context, arguments: list[Value], keywords: dict[str, Value], node: ast.AST) -> Value:
    return n.Const(bool(ctx.loops) or ctx.in_function, PYBOOL)


def apart(array: Any, written: Any) -> Any:
    """The array, or a copy of it where writing to another one might change its elements."""
    raise InternalError(_ONLY_COMPILED)


@function(apart)
def _apart(ctx: Context, arguments: list[Value], keywords: dict[str, Value], node: ast.AST) -> Value:
    array, written = arguments
    if not (isinstance(array, n.Var) and isinstance(written, n.Var) and is_view(array) and is_view(written)):
        return array
    return array if is_other(ctx, written, array) else copied(ctx, array, view_type(array).element, node)


@function(fields_of)
def _fields_of(ctx: Context, arguments: list[Value], keywords: dict[str, Value], node: ast.AST) -> Value:
    array = arguments[0]
    element = array.type.element if isinstance(array, n.Var) and isinstance(array.type, View) else None
    if not isinstance(element, Record):
        raise ctx.type_error(
            f"weft.soa takes an array of records, and this is {describe_value(array)}",
            node,
            hint='pass an array whose dtype has fields: np.zeros(n, [("x", "f8"), ("y", "f8")])',
        )
    return tuple(Static(entry.name) for entry in element.fields)


@function(types_of)
def _types_of(ctx: Context, arguments: list[Value], keywords: dict[str, Value], node: ast.AST) -> Value:
    snapshot, environment = ctx.snapshot(), ctx.environment.copy()
    with ctx.block(Builder()):
        value = plain_tuple(call(ctx, arguments[0], (), {}, node))
    ctx.environment = environment
    ctx.restore(snapshot)
    return tuple(_type_of(ctx, item, node) for item in (value if isinstance(value, tuple) else (value,)))


def _type_of(ctx: Context, value: Value, node: ast.AST) -> Value:
    found = scalar_type(value)
    if found is None:
        raise ctx.type_error(
            f"the function of a pattern gives a {describe_value(value)}",
            node,
            hint="return a number or a tuple of numbers",
        )
    return Static(np.dtype(str(default_type(found) if found.weak else found)).type)


@function(literal)
def _literal(ctx: Context, arguments: list[Value], keywords: dict[str, Value], node: ast.AST) -> Value:
    text = arguments[0]
    assert isinstance(text, Static) and isinstance(text.value, str)
    return constant_object(ctx, ast.literal_eval(text.value), "an option", node)


@function(claimed)
def _claimed(ctx: Context, arguments: list[Value], keywords: dict[str, Value], node: ast.AST) -> Value:
    operation = arguments[0]
    if not isinstance(operation, Static) or not isinstance(operation.value, FunctionType):
        return operation
    return Static(_marked(operation.value), operation.source) if _is_closed(operation.value) else operation


_copies: WeakKeyDictionary[FunctionType, FunctionType] = WeakKeyDictionary()


def _marked(plain: FunctionType) -> FunctionType:
    """A copy of a function that is marked as associative; the user's own is left alone."""
    if getattr(plain, "__weft_associative__", False):
        return plain
    found = _copies.get(plain)
    if found is None or found.__code__ is not plain.__code__:
        found = FunctionType(plain.__code__, plain.__globals__, plain.__name__, plain.__defaults__, plain.__closure__)
        found.__kwdefaults__, found.__module__ = plain.__kwdefaults__, plain.__module__
        found.__weft_associative__ = True  # type: ignore[attr-defined]
        _copies[plain] = found
    return found


def _is_closed(plain: FunctionType) -> bool:
    """Whether a function uses nothing from outside but code."""
    names = (plain.__globals__.get(name) for name in plain.__code__.co_names)
    return not plain.__closure__ and all(
        value is None or callable(value) or hasattr(value, "__path__") for value in names
    )
