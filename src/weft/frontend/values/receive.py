"""Values that come from outside: parameters for the leaves of arguments and captured variables."""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from dataclasses import replace
from enum import Enum
from typing import Any
from typing import cast as typed

import numpy as np

from weft.errors import InternalError
from weft.frontend.calls import library_lists
from weft.frontend.calls.library_texts import Text
from weft.frontend.source.signature import (
    ArgumentType,
    CallableType,
    Constant,
    FixedListType,
    InstanceType,
    ListType,
    MethodOf,
    TextType,
    TupleType,
)
from weft.frontend.values import enum_members, heaps, keyed, list_models, list_parts, mutable, records, text_model
from weft.frontend.values.convert import python_value
from weft.frontend.values.scope import Context
from weft.frontend.values.values import Bound, Instance, Object, Range, Static, Value, leaves
from weft.ir import nodes as n
from weft.ir.types import PYBOOL, PYCOMPLEX, PYFLOAT, PYINT, Scalar, View

_WEAK: dict[type, Scalar] = {bool: PYBOOL, int: PYINT, float: PYFLOAT, complex: PYCOMPLEX}


def receive(ctx: Context, type: ArgumentType, source: n.Source, value: object = None) -> Value:
    """The value of an argument or captured variable: new parameters for its leaves, in their order.

    `value` is the object itself where it is at hand.
    """
    if isinstance(type, Scalar) and source in ctx.fixed and isinstance(value, (bool, int, np.integer)):
        return n.Const(python_value(value), type)
    if isinstance(type, (Scalar, View)):
        var = ctx.names.fresh("_".join([_identifier(source.name), *map(str, source.path)]), type)
        ctx.params.append(n.Param(var, source))
        return var
    if isinstance(type, Constant):
        return _constant(type.value)
    if isinstance(type, TupleType):
        return tuple(
            receive(ctx, item, _inside(source, k), _item(value, k)) for k, item in enumerate(type.items)
        )  # fmt: skip
    if isinstance(type, TextType):
        from weft.frontend.values import texts

        store, _ = _elements(ctx, type, (_inside(source, k) for k in itertools.count()))
        (numbers,) = leaves(store)
        return texts.first(ctx, typed(n.Var, numbers), ctx.frame.node)
    if isinstance(type, ListType):
        return _list(ctx, type, source)
    if isinstance(type, FixedListType):
        arrays = tuple(receive(ctx, item, _inside(source, k)) for k, item in enumerate(type.items))
        return Instance(library_lists.Fixed, tuple(map(str, range(len(arrays)))), arrays)
    if isinstance(type, InstanceType):
        items = tuple(receive(ctx, t, _inside(source, name), _field(value, name)) for name, t in type.fields)
        if type.type is range:
            start, stop, step = (item for item in items if isinstance(item, (n.Var, n.Const)))
            return Range(start, stop, step)
        names = tuple(name for name, _ in type.fields)
        if type.type is dict:
            return _dict(ctx, names, items, source)
        ctx.hidden[type.type] = ctx.hidden.get(type.type, frozenset()).union(type.hidden)
        return _instance(ctx, type.type, names, items, source)
    if isinstance(type, MethodOf):
        function = receive(ctx, type.function, source, None)
        return Bound(receive(ctx, type.bound, _inside(source, "__self__"), None), function)
    return _callable(ctx, type, source)


def _list(ctx: Context, type: ListType, source: n.Source) -> Value:
    """A list that is an argument: an array for each number of an element; for lists in it, their numbers and table."""
    sources: Iterator[n.Source] = (_inside(source, k) for k in itertools.count())
    if isinstance(type.item, ListType):
        numbers = typed(n.Var, receive(ctx, heaps.NUMBERS, next(sources)))
        return list_parts.given(ctx, numbers, Static(_heap(ctx, type.item, sources)), False)
    if source.kind == "argument" and (type.item is None or isinstance(type.item, Scalar)):
        sources = iter([source])
    store, model = _with_keys(type, *_elements(ctx, type.item, sources))
    return list_parts.given(ctx, store, model, type.item is None)


def _with_keys(type: ListType, store: Value, model: Value) -> tuple[Value, Value]:
    """The arrays and the model of elements that may be dicts."""
    if not type.keys:
        return store, model
    cls, names = records.class_of(type.keys), tuple(map(repr, type.keys))
    first, second = (Instance(cls, names, typed("tuple[Value, ...]", items)) for items in (store, model))
    return first, second


def _elements(
    ctx: Context, item: Scalar | TextType | tuple[Scalar | TextType, ...] | None, sources: Iterator[n.Source]
) -> tuple[Value, Value]:
    """The arrays of the elements of a list, and the model of an element."""
    if isinstance(item, tuple):
        pairs = [_elements(ctx, part, sources) for part in item]
        return tuple(store for store, _ in pairs), tuple(model for _, model in pairs)
    if isinstance(item, TextType):
        from weft.frontend.values import texts

        found = texts.adopted(ctx, [receive(ctx, view, next(sources)) for view in texts.GIVEN], ctx.frame.node)
        return Instance(Text, text_model.NAMES, (found,)), text_model.MODEL
    element = item or PYINT
    return receive(ctx, list_parts.view_of(element), next(sources)), Static(element.name)


def _heap(ctx: Context, type: ListType, sources: Iterator[n.Source]) -> list_models.Heap:
    """The lists that a list holds which is an argument."""
    source = next(sources)
    table = typed(n.Var, receive(ctx, heaps.NUMBERS, source))
    item = type.item
    store: Value
    model: Value
    if isinstance(item, ListType):
        store = receive(ctx, heaps.NUMBERS, next(sources))
        model = Static(_heap(ctx, item, sources))
    else:
        store, model = _with_keys(type, *_elements(ctx, item, sources))
    return heaps.given(ctx, store, model, table, source)


def _instance(ctx: Context, type: type, names: tuple[str, ...], items: tuple[Value, ...], source: n.Source) -> Instance:
    """An instance that comes from outside; assignments to fields of arguments are written back."""
    if source.kind != "argument":
        return Instance(type, names, items)
    made = mutable.instance(ctx, type, names, items)
    if isinstance(made, Object):
        ctx.given.append((made, source))
        ctx.given_fields[made.number] = dict(zip(names, items, strict=True))
    return made


def _dict(ctx: Context, names: tuple[str, ...], items: tuple[Value, ...], source: n.Source) -> Instance:
    """A dict that comes from outside; what is assigned in one that is an argument is written back."""
    keys = tuple(Static(name) for name in names)
    if source.kind != "argument":
        return keyed.captured(keys, items)
    made = keyed.new(ctx, keys, items)
    if isinstance(made, Object):
        ctx.given.append((made, source))
        ctx.given_fields[made.number] = dict(zip(names, items, strict=True))
    return made


def _identifier(name: str) -> str:
    return "".join(c if c.isalnum() else "_" for c in name.rpartition(":")[2]).strip("_") or "value"


def _inside(source: n.Source, part: str | int) -> n.Source:
    return n.Source(source.kind, source.name, (*source.path, part))


def _item(value: Any, position: int) -> object:
    return None if value is None else value[position]


def _field(value: object, name: str) -> object:
    if value is None:
        return None
    return value[name] if isinstance(value, dict) else getattr(value, name)


def _constant(value: object) -> Value:
    if isinstance(value, Enum):
        return enum_members.member(value)
    weak = _WEAK.get(type(value))
    return Static(value) if weak is None else n.Const(value, weak)  # type: ignore[arg-type]


def _callable(ctx: Context, type: CallableType, source: n.Source) -> Value:
    """A function that is an argument; what its closure holds are leaves of the argument."""
    function = type.function
    if function is None:
        raise InternalError("a function that is an argument is not at hand")
    for name, cell_type in type.captured:
        ctx.captured[id(function), name] = receive(ctx, cell_type, _inside(source, name))
    ctx.paths.setdefault(id(function), source.name)
    return Static(function, replace(source, kind="function"))
