"""Dicts and sets whose keys are computed: a list of keys, one of values, and an array that finds a key's place.

Keys are ints, or tuples of ints. A dict display becomes one of these where a computed key is assigned: then the
translation begins anew (see `lists`). The methods are in `library_tables`, inlined like those of a user's class; what
they use is in `table_parts`.
"""

from __future__ import annotations

import ast
from collections.abc import Callable
from dataclasses import replace
from typing import cast as typed

from weft.frontend.arrays.tables import FUNCTIONS
from weft.frontend.calls import library_deques, library_dicts
from weft.frontend.calls import library_tables as library
from weft.frontend.values import mutable
from weft.frontend.values.scope import Context
from weft.frontend.values.values import Enumerated, Instance, Mapped, Reversed, Static, Value, Zipped

NAMES = ("$entries", "$filled", "$slots", "$default")
COMPUTED = Static("keys are computed")
"""What is known of the display of such a dict."""

VIEWS = (library.Keys, library.Values, library.Items)
DICTS = (library.Table, library.DefaultTable, library.Counts)


def is_table(value: object) -> bool:
    """Whether a value is a dict with computed keys."""
    return isinstance(value, Instance) and value.type in DICTS


def is_set(value: object) -> bool:
    """Whether a value is a set."""
    return isinstance(value, Instance) and value.type is library.Set


def is_deque(value: object) -> bool:
    """Whether a value is a deque."""
    return isinstance(value, Instance) and value.type is library_deques.Deque


ELEMENTS: dict[type, Callable[[Context, Value, ast.AST], Value]] = {}
"""How a class whose elements do not lie from the front of a list on makes such a list of them."""


def fields(ctx: Context, table: Value, node: ast.AST) -> tuple[Value, ...]:
    """The keys, the values, the slots and the function of a defaultdict."""
    return mutable.items_of(ctx, typed(Instance, table), node)


def looped(ctx: Context, value: Value, node: ast.AST) -> Value:
    """What a loop runs over, with lists of keys for the dicts in it, or tuples of keys if these are constant."""
    if isinstance(value, Instance) and issubclass(value.type, library_dicts.Dict):
        return FUNCTIONS[library_dicts.keys_of](ctx, [value], {}, node)
    if is_table(value):
        return fields(ctx, value, node)[0]
    if is_set(value):
        return _of_set(ctx, value, node)
    if is_deque(value):
        return ELEMENTS[library_deques.Deque](ctx, value, node)
    if isinstance(value, Instance) and value.type in VIEWS:
        keys, values = fields(ctx, value.items[0], node)[:2]
        return {library.Keys: keys, library.Values: values, library.Items: Zipped((keys, values))}[value.type]
    if isinstance(value, (Enumerated, Reversed, Mapped)):
        inner = looped(ctx, value.inner, node)
        return value if inner is value.inner else replace(value, inner=inner)
    if isinstance(value, Zipped):
        items = tuple(looped(ctx, item, node) for item in value.items)
        return value if all(map(_is, items, value.items)) else replace(value, items=items)
    return value


def _of_set(ctx: Context, value: Value, node: ast.AST) -> Value:
    """The keys of a set, in the order of Weft, where nobody can tell: see `any_order`."""
    place = place_of_loop(ctx, node)
    if place not in ctx.in_any_order:
        raise ctx.refusal("order of a set", node)
    ctx.in_any_order[place] = True
    return fields(ctx, value, node)[0]


def place_of_loop(ctx: Context, node: ast.AST) -> tuple[object, ...]:
    """Where in the source a loop runs over something."""
    ends = getattr(node, "end_lineno", 0), getattr(node, "end_col_offset", 0)
    return ctx.frame.file, getattr(node, "lineno", 0), getattr(node, "col_offset", 0), *ends


def _is(one: object, other: object) -> bool:
    return one is other


def in_any_order(ctx: Context, value: Value, node: ast.AST) -> Value:
    """The argument of a function whose result does not depend on the order: the keys of a set as a list."""
    if is_deque(value):
        return ELEMENTS[library_deques.Deque](ctx, value, node)
    return fields(ctx, value, node)[0] if is_set(value) else value
