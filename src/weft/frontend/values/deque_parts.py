"""``collections.deque``: made, looped over, returned. Its methods are in `library_deques`, inlined like a user's."""

from __future__ import annotations

import ast
import collections
from typing import cast as typed

from weft.frontend.arrays.tables import FUNCTIONS, operation
from weft.frontend.calls import calls, inlining, library_lists
from weft.frontend.calls import library_deques as library
from weft.frontend.values import lists, mutable, objects
from weft.frontend.values.scope import Context
from weft.frontend.values.tables import ELEMENTS, fields, is_deque
from weft.frontend.values.values import FALSE, NONE, TRUE, ZERO, Instance, Object, Value, is_none

NAMES = ("$entries", "$head", "$limit")


def _deque(ctx: Context, arguments: list[Value], keywords: dict[str, Value], node: ast.AST) -> Value:
    """``deque(items, maxlen)``."""
    given = dict(zip(("iterable", "maxlen"), arguments, strict=False)) | keywords
    if len(arguments) > 2 or set(given) - {"iterable", "maxlen"}:
        raise ctx.type_error("deque takes an iterable and maxlen", node)
    limit = given.get("maxlen", NONE)
    if not is_none(limit):
        limit = inlining.call_library(ctx, library.check_limit, [limit], node)
    made = _new(ctx, limit, node)
    if "iterable" in given:
        extend = objects.method(ctx, made, "extend")
        assert extend is not None
        calls.call(ctx, extend, [given["iterable"]], {}, node)
    return made


FUNCTIONS[collections.deque] = _deque


def _new(ctx: Context, limit: Value, node: ast.AST) -> Instance:
    if ctx.in_function:
        raise ctx.refusal("list", node)
    for needed in (library.Deque, library_lists.List):
        if needed not in ctx.mutable:
            raise mutable.NeedsObjects(needed)
    return mutable.instance(ctx, library.Deque, NAMES, (lists.new(ctx, [], node, "entries"), ZERO, limit))


def _elements(ctx: Context, queue: Value, node: ast.AST) -> Value:
    """The list of the elements, from its front on."""
    if not _in_loop(ctx, queue, node):  # a loop that runs over it has moved them before
        inlining.call_library(ctx, library.align, [queue], node)
    return fields(ctx, queue, node)[0]


def _in_loop(ctx: Context, queue: Value, node: ast.AST) -> bool:
    """Whether this stands in a loop that runs over a deque."""
    entries = fields(ctx, queue, node)[0]
    return lists.is_iterated(ctx, entries)


ELEMENTS[library.Deque] = _elements


def returned(ctx: Context, queue: Instance, node: ast.AST) -> Value:
    """A deque that is returned: its elements, and the largest number of them."""
    items = lists.returned(ctx, _elements(ctx, queue, node), node)
    return Instance(library.Deque, ("$entries", "$limit"), (items, fields(ctx, queue, node)[2]))


@operation(library.entries_of)
def _entries_of(ctx: Context, queue: Value, node: ast.AST) -> Value:
    return fields(ctx, queue, node)[0]


@operation(library.head_of)
def _head_of(ctx: Context, queue: Value, node: ast.AST) -> Value:
    return fields(ctx, queue, node)[1]


@operation(library.set_head)
def _set_head(ctx: Context, queue: Value, place: Value, node: ast.AST) -> Value:
    entries, _, limit = fields(ctx, queue, node)
    mutable.set_items(ctx, typed(Object, queue), (entries, place, limit), node)
    return NONE


@operation(library.limit_of)
def _limit_of(ctx: Context, queue: Value, node: ast.AST) -> Value:
    return fields(ctx, queue, node)[2]


@operation(library.is_unused)
def _is_unused(ctx: Context, queue: Value, node: ast.AST) -> Value:
    return TRUE if lists.is_never_filled(ctx, fields(ctx, queue, node)[0], node) else FALSE


@operation(library.is_in_loop)
def _is_in_loop(ctx: Context, queue: Value, node: ast.AST) -> Value:
    return TRUE if _in_loop(ctx, queue, node) else FALSE


@operation(library.is_deque)
def _is_deque(ctx: Context, value: Value, node: ast.AST) -> Value:
    return TRUE if is_deque(value) else FALSE


@operation(library.new_deque)
def _new_deque(ctx: Context, queue: Value, node: ast.AST) -> Value:
    return _new(ctx, fields(ctx, queue, node)[2], node)
