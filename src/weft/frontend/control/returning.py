"""How the Python result is put together from the flat yields of a program."""

from __future__ import annotations

import sys
from enum import Enum

from weft.frontend import members
from weft.frontend.arrays.library.generators import Generator
from weft.frontend.calls.library_iterators import Iterator
from weft.frontend.source.plain import is_plain
from weft.frontend.values import list_models, lists, mutable, records, rows, table_parts, tables
from weft.frontend.values.scope import Context
from weft.frontend.values.text_model import is_text
from weft.frontend.values.values import (
    UNSET,
    Instance,
    Optional,
    Several,
    Static,
    Value,
    children,
    describe_value,
    with_article,
)
from weft.ir import nodes as n


def returns_of(ctx: Context, value: Value) -> n.Returns:
    """The shape of a result."""
    if isinstance(value, (n.Var, n.Const)):
        return n.Returns("leaf")
    if isinstance(value, Optional):
        return n.Returns("optional", (n.Returns("leaf"), returns_of(ctx, value.item)))
    if is_text(value):
        return n.Returns("text", (n.Returns("leaf"),))
    if isinstance(value, tuple):
        return n.Returns("tuple", tuple(returns_of(ctx, item) for item in value))
    if lists.is_fixed(value):
        raise ctx.refusal("list of arrays", ctx.frame.node)
    if lists.is_list(value):
        return _list(ctx, value)
    if isinstance(value, Instance) and mutable.is_keyed(value):
        return _dict(ctx, value)
    if isinstance(value, Instance) and (tables.is_table(value) or tables.is_set(value)):
        lists_of_it = tuple(returns_of(ctx, item) for item in value.items[:2])
        return n.Returns("table", lists_of_it, names=table_parts.names_of(value))
    if isinstance(value, Instance) and tables.is_deque(value):
        return n.Returns("table", tuple(returns_of(ctx, item) for item in value.items), names=("deque",))
    if records.is_record(value):
        return n.Returns("dict", tuple(returns_of(ctx, item) for item in value.items), names=value.names)
    if isinstance(value, Instance) and value.type not in (Generator, Iterator):
        if members.watched_fields(value.type):
            raise ctx.refusal("own constructor", ctx.frame.node, name=value.type.__name__)
        return _record(ctx, value)
    if isinstance(value, Static) and value.value is None:
        return n.Returns("none")
    if isinstance(value, Static) and isinstance(value.value, str):
        return n.Returns("constant", constant=value.value)
    raise ctx.type_error(
        f"{with_article(describe_value(value))} cannot be returned from compiled code",
        ctx.frame.node,
        hint="return arrays, numbers, None, or tuples and dataclasses of these",
    )


def _list(ctx: Context, value: Value) -> n.Returns:
    """The shape of a list: its size, and what its elements are."""
    assert isinstance(value, Instance)
    _, _, model = value.items
    return n.Returns("list", (n.Returns("leaf"), _elements(ctx, model)))


def _dict(ctx: Context, value: Instance) -> n.Returns:
    """The shape of a dict: its keys, which are constants."""
    keys, values, _ = (item if isinstance(item, tuple) else () for item in value.items)
    items = [(key, item) for key, item in zip(keys, values, strict=True) if item is not UNSET]
    found = [key.value for key, _ in items if isinstance(key, Static)]
    if not all(isinstance(key, (str, int, float, type(None))) and not isinstance(key, Enum) for key in found):
        raise ctx.type_error("a dict with such keys cannot be returned", ctx.frame.node, hint="return its values")
    names = tuple(map(repr, found))
    return n.Returns("dict", tuple(returns_of(ctx, item) for _, item in items), names=names)


def _elements(ctx: Context, model: Value) -> n.Returns:
    if (kind := rows.kind_of(model)) is not None:
        return n.Returns("arrays", (n.Returns("leaf"),) * (5 + kind.rank))
    if (heap := list_models.heap_of(model)) is not None:
        return n.Returns("lists", (n.Returns("leaf"), n.Returns("leaf"), _elements(ctx, heap.model)))
    if isinstance(model, Static):
        return n.Returns("tuple") if model is list_models.UNKNOWN else n.Returns("leaf", names=(str(model.value),))
    if is_text(model):
        return n.Returns("text", (n.Returns("leaf"),))
    inner = tuple(_elements(ctx, item) for item in children(model))
    if isinstance(model, Optional):
        return n.Returns("optional", inner)
    if isinstance(model, Several):
        return n.Returns("several", inner, names=(model.other.name,))
    if records.is_record(model):
        return n.Returns("dict", inner, names=model.names)
    if isinstance(model, Instance):
        names = model.names if is_plain(model.type) else ()
        return n.Returns("record", inner, _constructor(ctx, model.type), names)
    return n.Returns("tuple", inner)


def _record(ctx: Context, value: Instance) -> n.Returns:
    """The shape of an object; attributes of a plain one that were never assigned are left out."""
    known = [(name, item) for name, item in zip(value.names, value.items, strict=True) if item is not UNSET]
    items = tuple(returns_of(ctx, item) for _, item in known)
    names = tuple(name for name, _ in known) if is_plain(value.type) else ()
    return n.Returns("record", items, _constructor(ctx, value.type), names)


def _constructor(ctx: Context, cls: type) -> str:
    """The name of a class; one that no module holds is kept beside the program."""
    name = f"{cls.__module__}:{cls.__qualname__}"
    found: object = sys.modules.get(cls.__module__)
    for part in cls.__qualname__.split("."):
        found = getattr(found, part, None)
    if found is not cls:
        ctx.externals[name] = cls
    return name
