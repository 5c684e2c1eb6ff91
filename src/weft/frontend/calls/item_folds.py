"""``sum``, ``any``, ``all``, ``min`` and ``max``: what they do with tuples, and loops over everything else."""

from __future__ import annotations

import ast
from collections.abc import Callable
from types import FunctionType

from weft.frontend.arrays.tables import EXACTLY_ONE, FUNCTIONS, check_arguments, function
from weft.frontend.calls import extremes, inlining, library, library_lists, library_texts
from weft.frontend.calls.python_builtins import number
from weft.frontend.control import any_order, conditions, iteration
from weft.frontend.values import objects, tables
from weft.frontend.values.scope import Context
from weft.frontend.values.text_model import as_text, is_textual
from weft.frontend.values.values import (
    FALSE,
    NONE,
    TRUE,
    ZERO,
    Enumerated,
    Generated,
    Mapped,
    Reversed,
    Value,
    Zipped,
    is_none,
)
from weft.ir import nodes as n

Values = list[Value]
Keywords = dict[str, Value]


@function(min)
def _min(ctx: Context, arguments: Values, keywords: Keywords, node: ast.AST) -> Value:
    return _extreme(ctx, "min", arguments, keywords, node)


@function(max)
def _max(ctx: Context, arguments: Values, keywords: Keywords, node: ast.AST) -> Value:
    return _extreme(ctx, "max", arguments, keywords, node)


def _extreme(ctx: Context, op: n.BinaryOp, arguments: Values, keywords: Keywords, node: ast.AST) -> Value:
    key, default = keywords.pop("key", NONE), keywords.pop("default", None)
    check_arguments(ctx, arguments, keywords, range(1, 1000), str(op), node)
    of_set = len(arguments) == 1 and tables.is_set(arguments[0])
    if len(arguments) == 1:
        arguments[0] = indexed(ctx, tables.in_any_order(ctx, arguments[0], node), node)
    if len(arguments) > 1 and default is not None:
        message = f"Cannot specify a default for {op}() with multiple positional arguments"
        raise ctx.type_error(message, node, hint="leave 'default' out")
    if of_set and not is_none(key) and not any_order.is_quiet_key(ctx, key):
        raise ctx.refusal("order of a set", node)
    if not is_none(key):
        items = arguments[0] if len(arguments) == 1 else tuple(arguments)
        return _extreme_by(ctx, op, items, key, default, of_set, node)
    if len(arguments) == 1:
        items = objects.plain_tuple(arguments[0])
        if not isinstance(items, tuple):
            helper = library.minimum_of if op == "min" else library.maximum_of
            return _or_default(ctx, arguments[0], default, lambda: _library(ctx, helper, arguments, node), node)
        if default is not None and not items:
            return default
        arguments = list(items)
        if not arguments:
            raise ctx.type_error(f"{op}() iterable argument is empty", node)
    if all(map(is_textual, arguments)):
        choose = library_texts.smaller if op == "min" else library_texts.larger
        found: Value = as_text(arguments[0])
        for other in arguments[1:]:
            found = _library(ctx, choose, [found, as_text(other)], node)
        return found
    result = number(ctx, arguments[0], node)
    for other in arguments[1:]:
        result = extremes.smaller_or_larger(ctx, op, result, number(ctx, other, node), node)
    return result


def indexed(ctx: Context, value: Value, node: ast.AST) -> Value:
    """What a loop runs over, as something that has a length and items by their places: mostly it has these already."""
    value = tables.looped(ctx, value, node)
    if isinstance(value, (Enumerated, Zipped, Mapped, Reversed, Generated)):
        return _library(ctx, library_lists.list_of, [value], node)
    return value


def _or_default(
    ctx: Context, items: Value, default: Value | None, compute: Callable[[], Value], node: ast.AST
) -> Value:
    """What is computed of items where there are some, and the default where there are none."""
    if default is None:
        return compute()
    length = FUNCTIONS[len](ctx, [items], {}, node)
    return conditions.choose(ctx, conditions.truth(ctx, length, node), compute, lambda: default, node)


def _extreme_by(
    ctx: Context, op: n.BinaryOp, items: Value, key: Value, default: Value | None, of_set: bool, node: ast.AST
) -> Value:
    """``min(items, key=f)``: the first item whose key is the smallest; of a set, the only one."""
    known = iteration.static_items(items)
    if known is not None and not known:
        if default is not None:
            return default
        raise ctx.type_error(f"{op}() iterable argument is empty", node)
    helper = library.minimum_by if op == "min" else library.maximum_by
    given = [items, key, TRUE if of_set else FALSE]
    return _or_default(ctx, items, default, lambda: _library(ctx, helper, given, node), node)


@function(sum)
def _sum(ctx: Context, arguments: Values, keywords: Keywords, node: ast.AST) -> Value:
    start = keywords.pop("start", ZERO)
    check_arguments(ctx, arguments, keywords, range(1, 3), "sum", node)
    if tables.is_set(arguments[0]) and not any_order.adds_exactly(ctx, [arguments[0], *arguments[1:], start], node):
        raise ctx.refusal("order of a set", node)
    arguments[0] = tables.in_any_order(ctx, arguments[0], node)
    return _library(ctx, library.sum_of, [arguments[0], *(arguments[1:] or [start])], node)


@function(any)
def _any(ctx: Context, arguments: Values, keywords: Keywords, node: ast.AST) -> Value:
    check_arguments(ctx, arguments, keywords, EXACTLY_ONE, "any", node)
    return _library(ctx, library.any_of, [tables.in_any_order(ctx, arguments[0], node)], node)


@function(all)
def _all(ctx: Context, arguments: Values, keywords: Keywords, node: ast.AST) -> Value:
    check_arguments(ctx, arguments, keywords, EXACTLY_ONE, "all", node)
    return _library(ctx, library.all_of, [tables.in_any_order(ctx, arguments[0], node)], node)


def _library(ctx: Context, helper: object, arguments: Values, node: ast.AST) -> Value:
    assert isinstance(helper, FunctionType)
    return inlining.call_function(ctx, helper, arguments, {}, node)
