"""Dicts whose keys are known when compiling: displays with constant keys, and dicts of strings that come from outside.

A dict is an object (see `mutable`), so all names of it see what is assigned. A key that is computed is compared with
each of them. Where a constant key is assigned that the display does not have, the translation begins anew with it.
"""

from __future__ import annotations

import ast
import enum
from collections.abc import Callable, Sequence
from types import FunctionType
from typing import cast as typed

import numpy as np

from weft.errors import ITSELF
from weft.frontend.arrays.tables import operation
from weft.frontend.calls import inlining, library_tables
from weft.frontend.calls import library_dicts as library
from weft.frontend.control import conditions
from weft.frontend.source.signature import Unusable
from weft.frontend.values import (
    enum_members,
    keyed,
    list_models,
    lists,
    mutable,
    objects,
    operators,
    pooled,
    records,
    table_parts,
    tables,
)
from weft.frontend.values.dispatch import evaluate, evaluate_any, expression
from weft.frontend.values.scope import Context
from weft.frontend.values.text_model import is_text
from weft.frontend.values.values import (
    FALSE,
    NONE,
    TRUE,
    UNSET,
    ZERO,
    DictView,
    Instance,
    Message,
    Object,
    Static,
    Value,
    describe_value,
    is_view,
)
from weft.ir import nodes as n
from weft.ir.location import Location

NO_PLACE = "a new key is computed for a dict whose keys are strings, whose values are arrays, or that is an argument"


def is_dict(value: object) -> bool:
    """Whether a value is a dict."""
    return isinstance(value, Instance) and issubclass(value.type, library.Dict)


@expression(ast.Dict)
def _display(ctx: Context, node: ast.expr) -> Value:
    """``{"a": x, "b": y}``."""
    assert isinstance(node, ast.Dict)
    if ctx.in_function or None in node.keys:
        raise ctx.refusal("dict", node)
    place = ctx.location(node)
    if lists.known_of(place) is tables.COMPUTED:
        return _of_computed(ctx, node)
    if lists.known_of(place) is records.RECORD:
        return _record(ctx, node)
    if library.Dict not in ctx.mutable:
        raise mutable.NeedsObjects(library.Dict)
    made = typed(Object, keyed.new(ctx, (), ()))
    ctx.places_of_lists[made.number] = place
    for key in typed("tuple[Value, ...]", lists.known_of(place) or ()):
        _set(ctx, made, (*parts(ctx, made, node)[0], key), (*parts(ctx, made, node)[1], UNSET), node)
    for key_node, value_node in zip(node.keys, node.values, strict=True):
        key = evaluate(ctx, typed(ast.expr, key_node))
        _assign(ctx, made, key, evaluate_any(ctx, value_node), node)
    return made


def _of_computed(ctx: Context, node: ast.Dict) -> Value:
    """A display to which computed keys are added."""
    made = table_parts.new(ctx, library_tables.Table, NONE, node)
    for key_node, value_node in zip(node.keys, node.values, strict=True):
        key = evaluate(ctx, typed(ast.expr, key_node))
        table_parts.assign(ctx, made, key, evaluate(ctx, value_node), node)
    return made


def _record(ctx: Context, node: ast.Dict) -> Value:
    """A dict display that a list is to hold."""
    items: dict[str | int, Value] = {}
    for key_node, value_node in zip(node.keys, node.values, strict=True):
        key = _constant(evaluate(ctx, typed(ast.expr, key_node)))
        assert key is not None
        items[key.value] = evaluate_any(ctx, value_node)  # type: ignore[index]
    return _made(ctx, records.class_of(tuple(items)), list(items.values()), node)


def _made(ctx: Context, cls: type, items: Sequence[Value], node: ast.AST) -> Value:
    """A new dict of the kind that lists hold."""
    names = tuple(map(repr, records.keys_of(cls)))
    return pooled.referenced(ctx, mutable.instance(ctx, cls, names, items), node)


@operation(library.copy_of)
def _copy_of(ctx: Context, owner: Value, node: ast.AST) -> Value:
    if not records.is_record(owner):
        return _become_table(ctx, owner, node)
    return _made(ctx, owner.type, parts(ctx, owner, node)[1], node)


@operation(library.are_equal_dicts)
def _are_equal(ctx: Context, owner: Value, other: Value, node: ast.AST) -> Value:
    if isinstance(owner, Object) and isinstance(other, Object) and owner.number == other.number:
        return TRUE
    if not records.is_record(owner) and not records.is_record(other):
        return _become_table(ctx, owner, node)
    if tables.is_table(other):
        return equal_to_table(ctx, owner, other, node)
    if not is_dict(other):
        return FALSE
    one, two = (_present(ctx, value, node) for value in (owner, other))
    names, others = ([typed(Static, key).value for key, _ in items] for items in (one, two))
    if set(names) != set(others):
        return FALSE
    wanted = tuple(two[others.index(name)][1] for name in names)
    return objects.compare_items(ctx, ast.Eq(), tuple(value for _, value in one), wanted, node)


@operation(library_tables.is_record)
def _is_record(ctx: Context, value: Value, node: ast.AST) -> Value:
    return TRUE if records.is_record(value) else FALSE


def equal_to_table(ctx: Context, owner: Value, table: Value, node: ast.AST) -> Value:
    """Whether a dict that lists hold equals one whose keys are computed."""
    function = typed(FunctionType, library.equals_table)
    return inlining.call_function(ctx, function, [owner, table], {}, node)


def parts(ctx: Context, owner: Value, node: ast.AST) -> tuple[tuple[Value, ...], tuple[Value, ...]]:
    """The keys and the values of a dict."""
    if records.is_record(owner):
        return tuple(map(Static, records.keys_of(owner.type))), mutable.items_of(ctx, owner, node)
    keys, values, _ = mutable.items_of(ctx, typed(Instance, owner), node)
    return typed("tuple[Value, ...]", keys), typed("tuple[Value, ...]", values)


def _set(ctx: Context, owner: Value, keys: tuple[Value, ...], values: tuple[Value, ...], node: ast.AST) -> None:
    if records.is_record(owner):
        if owner.type in ctx.mutable and type(owner) is Instance:
            raise ctx.refusal("dicts of an argument", node)
        for name, old, new in zip(owner.names, parts(ctx, owner, node)[1], values, strict=True):
            if new is not old:
                mutable.assign_field(ctx, owner, name, new, node)
        return
    if not _is_captured(ctx, owner, node) and library.Dict not in ctx.mutable:
        raise mutable.NeedsObjects(library.Dict)
    if not isinstance(owner, Object):
        raise ctx.refusal("attribute of a captured object", node, name=ast.unparse(node))
    mutable.set_items(ctx, owner, (keys, values, mutable.items_of(ctx, owner, node)[2]), node)


def _is_captured(ctx: Context, owner: Value, node: ast.AST) -> bool:
    """Whether a dict is one that a captured name stands for."""
    return not records.is_record(owner) and mutable.items_of(ctx, typed(Instance, owner), node)[2] is keyed.OUTSIDE


def _constant(value: Value) -> Static | None:
    """A key as an object of Python's; None where it is computed."""
    if isinstance(value, n.Const):
        return Static(value.value)
    if isinstance(value, Instance) and enum_members.is_member(value) and isinstance(value.items[0], n.Const):
        return Static(list(typed("type[enum.Enum]", value.type))[int(value.items[0].value.real)])
    return value if isinstance(value, Static) else None


def _is_key(ctx: Context, key: Value, other: Value, node: ast.AST) -> n.Atom:
    """Whether a key of the dict equals another value."""
    assert isinstance(key, Static)
    return operators.equal(ctx, objects.constant_object(ctx, key.value, "a key", node), other, node)


def _present(ctx: Context, owner: Value, node: ast.AST) -> list[tuple[Value, Value]]:
    """The items that a dict has; those of one that is captured may be others at the next call."""
    if _is_captured(ctx, owner, node):
        raise ctx.refusal("keys of a captured dict", node)
    return [(key, value) for key, value in zip(*parts(ctx, owner, node), strict=True) if value is not UNSET]


@operation(library.keys_of)
def keys_of(ctx: Context, owner: Value, node: ast.AST) -> Value:
    """The keys of a dict."""
    keys = [typed(Static, key).value for key, _ in _present(ctx, owner, node)]
    return tuple(objects.constant_object(ctx, key, "a key", node) for key in keys)


@operation(library.view_of)
def _view_of(ctx: Context, owner: Value, kind: Value, node: ast.AST) -> Value:
    assert isinstance(kind, n.Const)
    read = (keys_of, _values_of, items_of)[int(kind.value.real)]

    def again(ctx: Context, node: ast.AST) -> DictView:
        view = DictView(typed("tuple[Value, ...]", read(ctx, owner, node)))
        view.again = again
        return view

    return again(ctx, node)


@operation(library.values_of)
def _values_of(ctx: Context, owner: Value, node: ast.AST) -> Value:
    return tuple(_usable(ctx, value, node) for _, value in _present(ctx, owner, node))


@operation(library.items_of)
def items_of(ctx: Context, owner: Value, node: ast.AST) -> Value:
    keys, values = keys_of(ctx, owner, node), _values_of(ctx, owner, node)
    return tuple(zip(typed("tuple[Value, ...]", keys), typed("tuple[Value, ...]", values), strict=True))


def _usable(ctx: Context, value: Value, node: ast.AST) -> Value:
    if isinstance(value, Static) and isinstance(value.value, Unusable):
        raise ctx.refusal(
            "captured value", node, name="a value of the dict", kind=value.value.kind, hint=value.value.hint
        )
    return value


@operation(library.find)
def _find(ctx: Context, owner: Value, key: Value, node: ast.AST) -> Value:
    return _searched(ctx, owner, key, lambda: _missing(ctx, key, node), node)


@operation(library.find_or)
def _find_or(ctx: Context, owner: Value, key: Value, default: Value, node: ast.AST) -> Value:
    if _is_captured(ctx, owner, node):
        raise ctx.refusal("keys of a captured dict", node)
    return _searched(ctx, owner, key, lambda: default, node)


def _searched(ctx: Context, owner: Value, key: Value, otherwise: Callable[[], Value], node: ast.AST) -> Value:
    """The value of the key that equals another one."""
    known, values = parts(ctx, owner, node)
    items = [(one, value) for one, value in zip(known, values, strict=True) if value is not UNSET]

    def search(rest: Sequence[tuple[Value, Value]]) -> Value:
        if not rest:
            return otherwise()
        (one, value), *others = rest
        here = _is_key(ctx, one, key, node)
        return conditions.choose(ctx, here, lambda: _usable(ctx, value, node), lambda: search(others), node)

    return search(items)


def _cannot_be_added(ctx: Context, node: ast.AST) -> Value:
    ctx.append(n.Raise("weft.errors:UnsupportedError", NO_PLACE, (), ctx.location(node)))
    ctx.environment.fall = None
    return ZERO


def _missing(ctx: Context, key: Value, node: ast.AST) -> Value:
    """KeyError, made with the key."""
    if is_text(key):
        from weft.frontend.calls import messages

        messages.fail(ctx, KeyError, Message(ITSELF, (key,)), node)
        return ZERO
    if isinstance(key, (n.Var, n.Const)):
        fault = n.Raise("KeyError", ITSELF, (key,), ctx.location(node))
    else:
        text = str(key.value if isinstance(key, Static) else describe_value(key))
        fault = n.Raise("KeyError", text.replace("{", "{{").replace("}", "}}"), (), ctx.location(node))
    ctx.append(fault)
    ctx.environment.fall = None
    return ZERO


@operation(library.assign)
def _assign(ctx: Context, owner: Value, key: Value, value: Value, node: ast.AST) -> Value:
    known, values = parts(ctx, owner, node)
    place = _place_of(ctx, owner)
    if place is not None and _constant(key) is None and _may_be_computed(known, (*values, value)):
        raise list_models.NeedsModel(place, tables.COMPUTED)
    matches = [_is_key(ctx, one, key, node) for one in known]
    if not any(isinstance(match, n.Var) or match.value for match in matches):
        _add(ctx, owner, key, value, node)
        return Static(None)
    if any(isinstance(match, n.Var) for match in matches):
        _searched(ctx, owner, key, lambda: _cannot_be_added(ctx, node), node)
    new_values = [
        conditions.choose(ctx, match, lambda: value, lambda old=old: old, node)  # type: ignore[misc]
        for match, old in zip(matches, values, strict=True)
    ]
    _set(ctx, owner, known, tuple(new_values), node)
    return Static(None)


def _place_of(ctx: Context, owner: Value) -> Location | None:
    return ctx.places_of_lists.get(owner.number) if isinstance(owner, Object) else None


def _may_be_computed(known: Sequence[Value], values: Sequence[Value]) -> bool:
    """Whether keys may be computed in a dict, since all keys so far are ints."""
    if any(map(is_view, values)):
        return False
    return all(isinstance(one, Static) and isinstance(one.value, (int, np.integer, tuple, str)) for one in known)


@operation(library.become_table)
def _become_table(ctx: Context, owner: Value, node: ast.AST) -> Value:
    place, (known, values) = _place_of(ctx, owner), parts(ctx, owner, node)
    if records.is_record(owner):
        raise ctx.refusal("key of a dict in a list", node)
    if place is None or not _may_be_computed(known, values):
        raise ctx.refusal("change of a dict", node)
    raise list_models.NeedsModel(place, tables.COMPUTED)


def _holds_nan(key: object) -> bool:
    """Whether a key differs from itself: CPython finds it by its identity, which numbers of compiled code lack."""
    return any(map(_holds_nan, key)) if isinstance(key, tuple) else bool(key != key)


def _add(ctx: Context, owner: Value, key: Value, value: Value, node: ast.AST) -> None:
    """Add a constant key; in a loop or branch, the dict must have had a place for it from the start."""
    place, constant = _place_of(ctx, owner), _constant(key)
    if records.is_record(owner):
        raise ctx.refusal("key of a dict in a list", node)
    if place is None or constant is None or _holds_nan(constant.value):
        raise ctx.refusal("dict", node)
    known, values = parts(ctx, owner, node)
    if ctx.location(node) != place:
        earlier = typed("tuple[Value, ...]", lists.known_of(place) or ())
        raise list_models.NeedsModel(place, (*known, constant) if not earlier else (*earlier, constant))
    _set(ctx, owner, (*known, constant), (*values, value), node)
