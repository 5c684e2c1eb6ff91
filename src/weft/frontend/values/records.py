"""Dicts that lists and other dicts hold: objects of a class for their keys, whose fields are the values.

If a dict turns out to be stored, the translation begins again, and makes such an object of it from the start. Then
lists hold it as they hold other objects.
"""

from __future__ import annotations

import ast
from functools import cache
from typing import TypeGuard
from typing import cast as typed

from weft.frontend.calls.library_dicts import Dict, Record
from weft.frontend.values import mutable
from weft.frontend.values.list_models import NeedsModel
from weft.frontend.values.scope import Context
from weft.frontend.values.values import UNSET, Instance, Object, Static, Value

RECORD = Static("record")
"""Marks a dict that turned out to be stored in a list."""


@cache
def class_of(keys: tuple[str | int, ...]) -> type[Record]:
    """The class of dicts with these keys."""
    made = type(
        f"dict with the keys {', '.join(map(repr, keys))}",
        (Record,),
        {"__module__": "weft.records", "keys_of_all": keys},
    )
    return typed("type[Record]", made)


def is_record(value: object) -> TypeGuard[Instance]:
    """Whether a value is a dict that lists hold."""
    return isinstance(value, Instance) and issubclass(value.type, Record)


def keys_of(cls: type) -> tuple[str | int, ...]:
    """The keys of dicts of a class."""
    return typed("type[Record]", cls).keys_of_all


def require(ctx: Context, value: Value, node: ast.AST) -> None:
    """Translate again if a dict is to be stored that is not yet such an object."""
    if isinstance(value, Object) and value.type is Dict:
        place = ctx.places_of_lists.get(value.number)
        keys, held, _ = typed("tuple[tuple[Value, ...], ...]", mutable.items_of(ctx, value, node))
        fits = all(isinstance(key, Static) and type(key.value) in (str, int) for key in keys)
        if place is None or not keys or not fits or UNSET in held:
            raise ctx.refusal("dicts in a list", node)
        raise NeedsModel(place, RECORD)
    if isinstance(value, tuple) or type(value) in (Instance, Object):
        for child in value if isinstance(value, tuple) else mutable.items_of(ctx, typed(Instance, value), node):
            require(ctx, child, node)
