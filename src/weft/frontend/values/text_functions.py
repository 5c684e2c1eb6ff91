"""Python's functions on strings: ``str``, ``repr``, ``ord``, ``chr``, ``format``, and those that read numbers."""

from __future__ import annotations

import ast
from typing import cast as typed

from weft.frontend.arrays.sizes import as_index
from weft.frontend.arrays.tables import EXACTLY_ONE, check_arguments, function
from weft.frontend.calls import inlining, messages
from weft.frontend.calls import library_texts as library
from weft.frontend.several_types import apart
from weft.frontend.values.convert import cast
from weft.frontend.values.scope import Context
from weft.frontend.values.text_model import as_text, is_constant, is_textual
from weft.frontend.values.values import Message, Static, Value, describe_value, scalar_type
from weft.ir import nodes as n
from weft.ir.types import PYINT

Values = list[Value]
Keywords = dict[str, Value]


@function(str)
def _str(ctx: Context, arguments: Values, keywords: Keywords, node: ast.AST) -> Value:
    check_arguments(ctx, arguments, keywords, range(2), "str", node)
    if not arguments:
        return Static("")
    value = arguments[0]
    if isinstance(value, Message):
        return as_text(value) if value.place else messages.settled(ctx, messages.joined([value]), node)
    if is_textual(value):
        return value
    type = scalar_type(value)
    fits = type is not None and type.kind in "iu" and not (type.kind == "u" and type.bits == 64)
    if (
        fits
        and not isinstance(value, n.Const)
        and apart.told_apart(ctx, typed(n.Atom, value), lambda one: one.kind) is None
    ):
        messages.require_one_text(ctx, typed(n.Atom, value), node)
        return inlining.call_library(ctx, library.digits, [cast(ctx, typed(n.Atom, value), PYINT, node)], node)
    return messages.settled(ctx, messages.printed(ctx, value, node), node)


@function(repr)
def _repr(ctx: Context, arguments: Values, keywords: Keywords, node: ast.AST) -> Value:
    check_arguments(ctx, arguments, keywords, EXACTLY_ONE, "repr", node)
    return messages.settled(ctx, messages.message_of(ctx, arguments[0], node, "!r"), node)


@function(format)
def _format(ctx: Context, arguments: Values, keywords: Keywords, node: ast.AST) -> Value:
    check_arguments(ctx, arguments, keywords, range(1, 3), "format", node)
    spec = arguments[1] if len(arguments) == 2 else Static("")
    if not is_constant(spec):
        raise ctx.refusal("format", node)
    form = f":{typed(Static, spec).value}" if typed(Static, spec).value else ""
    return messages.settled(ctx, messages.message_of(ctx, arguments[0], node, form), node)


@function(ord)
def _ord(ctx: Context, arguments: Values, keywords: Keywords, node: ast.AST) -> Value:
    check_arguments(ctx, arguments, keywords, EXACTLY_ONE, "ord", node)
    (value,) = arguments
    if is_constant(value) and len(typed(str, typed(Static, value).value)) == 1:
        return n.Const(ord(typed(str, typed(Static, value).value)), PYINT)
    if not is_textual(value):
        what = describe_value(value)
        raise ctx.type_error(f"ord() expected string of length 1, but {what} found", node)
    return inlining.call_library(ctx, library.ordinal, [as_text(value)], node)


@function(chr)
def _chr(ctx: Context, arguments: Values, keywords: Keywords, node: ast.AST) -> Value:
    check_arguments(ctx, arguments, keywords, EXACTLY_ONE, "chr", node)
    type = scalar_type(arguments[0])
    if type is None or type.kind not in "iub":
        raise ctx.type_error(f"chr takes an int, and this is {describe_value(arguments[0])}", node)
    code = as_index(ctx, arguments[0], node)
    if isinstance(code, n.Const) and 0 <= int(code.value.real) < library.EMPTY:
        return Static(chr(int(code.value.real)))
    return inlining.call_library(ctx, library.character, [code], node)


def to_int(ctx: Context, arguments: Values, node: ast.AST) -> Value:
    """``int(text)`` and ``int(text, base)``."""
    base = n.Const(10, PYINT) if len(arguments) == 1 else as_index(ctx, arguments[1], node)
    text = arguments[0]
    if is_constant(text) and isinstance(base, n.Const):
        try:
            return n.Const(int(typed(str, typed(Static, text).value), int(base.value.real)), PYINT)
        except ValueError:
            pass
    if not isinstance(base, n.Const) or not (base.value == 0 or 2 <= base.value.real <= 36):
        raise ctx.type_error("the base of int() is a constant from 2 to 36, or 0", node)
    return inlining.call_library(ctx, library.integer, [as_text(text), base], node)


def to_float(ctx: Context, text: Value, node: ast.AST) -> Value:
    """``float(text)``."""
    return inlining.call_library(ctx, library.floating, [as_text(text)], node)
