"""What the methods of dicts and sets with computed keys use, how these are made, and how they are returned."""

from __future__ import annotations

import ast
import collections
from types import FunctionType
from typing import cast as typed

from weft.errors import ITSELF
from weft.frontend.arrays.tables import FUNCTIONS, function, operation
from weft.frontend.calls import calls, inlining, library_dicts, library_lists
from weft.frontend.calls import library_tables as library
from weft.frontend.control import any_order
from weft.frontend.several_types import optional
from weft.frontend.several_types.forms import forms_of
from weft.frontend.values import deque_parts, list_models, lists, mutable, objects, operators, pooled, references, texts
from weft.frontend.values.dispatch import evaluate, expression
from weft.frontend.values.list_parts import view_of
from weft.frontend.values.scope import Context
from weft.frontend.values.tables import NAMES, fields, is_deque, is_set, is_table
from weft.frontend.values.text_model import as_text, is_text, is_textual, stored
from weft.frontend.values.values import (
    FALSE,
    NONE,
    TRUE,
    ZERO,
    DictView,
    Instance,
    Message,
    Object,
    Optional,
    Reference,
    Static,
    Value,
    children,
    describe_value,
    is_none,
    same_structure,
    scalar_type,
)
from weft.ir import nodes as n
from weft.ir.types import FLOAT64, PYFLOAT, PYINT, SCALARS, Scalar

FACTORIES = {int: "int", float: "float", bool: "bool", list: "list"}
"""What a defaultdict that is returned may call."""


def new(ctx: Context, kind: type, default: Value, node: ast.AST) -> Instance:
    """An empty dict or set."""
    if ctx.in_function:
        raise ctx.refusal("list", node)
    for needed in (kind, library_lists.List):
        if needed not in ctx.mutable:
            raise mutable.NeedsObjects(needed)
    keys = lists.new(ctx, [], node, "keys")
    values: Value = NONE if kind is library.Set else lists.new(ctx, [], node, "values")
    numbers = view_of(SCALARS["int64"])
    slots = ctx.emit(n.Alloc((ZERO,), numbers.element, None), numbers, node, "slots")
    return mutable.instance(ctx, kind, NAMES, (keys, values, slots, default))


def assign(ctx: Context, table: Value, key: Value, value: Value, node: ast.AST) -> None:
    """``table[key] = value``."""
    inlining.call_function(ctx, typed(FunctionType, library.Table.__setitem__), [table, key, value], {}, node)


def _call(ctx: Context, table: Value, name: str, arguments: list[Value], node: ast.AST) -> Value:
    found = objects.method(ctx, table, name)
    assert found is not None
    return calls.call(ctx, found, arguments, {}, node)


# ------------------------------------------------------------------------------------------- what the library uses


@operation(library.keys_of)
def _keys_of(ctx: Context, table: Value, node: ast.AST) -> Value:
    return fields(ctx, table, node)[0]


@operation(library.values_of)
def _values_of(ctx: Context, table: Value, node: ast.AST) -> Value:
    return fields(ctx, table, node)[1]


@operation(library.slots_of)
def _slots_of(ctx: Context, table: Value, node: ast.AST) -> Value:
    return fields(ctx, table, node)[2]


@operation(library.set_slots)
def _set_slots(ctx: Context, table: Value, slots: Value, node: ast.AST) -> Value:
    keys, values, _, default = fields(ctx, table, node)
    mutable.set_items(ctx, typed(Object, table), (keys, values, slots, default), node)
    return NONE


@operation(library.is_never_filled)
def _is_never_filled(ctx: Context, table: Value, node: ast.AST) -> Value:
    return TRUE if any(lists.is_never_filled(ctx, part, node) for part in fields(ctx, table, node)[:2]) else FALSE


@operation(library.fits)
def _fits(ctx: Context, table: Value, key: Value, node: ast.AST) -> Value:
    model = lists.parts(ctx, fields(ctx, table, node)[0], node)[2]
    if model is list_models.UNKNOWN:
        return TRUE
    found = lists.model_of(ctx, operators.as_scalar(ctx, key, node), node)
    widens = list_models.widened(found, model) is not None or list_models.widened(model, found) is not None
    return TRUE if widens or same_structure(found, model) else FALSE


@operation(library.is_looped_over)
def _is_looped_over(ctx: Context, table: Value, node: ast.AST) -> Value:
    return TRUE if any(lists.is_iterated(ctx, part) for part in fields(ctx, table, node)) else FALSE


@operation(library.is_table)
def _is_table(ctx: Context, value: Value, node: ast.AST) -> Value:
    if isinstance(value, Instance) and value.type is library_dicts.Dict:
        FUNCTIONS[library_dicts.become_table](ctx, [value], {}, node)
    return TRUE if is_table(value) else FALSE


@operation(library.is_counts)
def _is_counts(ctx: Context, value: Value, node: ast.AST) -> Value:
    return TRUE if isinstance(value, Instance) and value.type is library.Counts else FALSE


@operation(library.is_set)
def _is_set(ctx: Context, value: Value, node: ast.AST) -> Value:
    return TRUE if is_set(value) else FALSE


@operation(library.new_like)
def _new_like(ctx: Context, table: Value, node: ast.AST) -> Value:
    return new(ctx, typed(Instance, table).type, fields(ctx, table, node)[3], node)


@operation(library.default_of)
def _default_of(ctx: Context, table: Value, node: ast.AST) -> Value:
    return calls.call(ctx, fields(ctx, table, node)[3], [], {}, node)


@operation(library.missing)
def _missing(ctx: Context, key: Value, node: ast.AST) -> Value:
    """KeyError, made with the key."""
    items = key if isinstance(key, tuple) else (key,)
    if any(map(is_textual, items)):
        from weft.frontend.calls import messages

        messages.fail(ctx, KeyError, Message(ITSELF, tuple(map(stored, items))), node)
        return NONE
    ctx.append(n.Raise("KeyError", ITSELF, tuple(_numbers(ctx, key, node)), ctx.location(node)))
    ctx.environment.fall = None
    return NONE


@operation(library.words_of)
def _words_of(ctx: Context, key: Value, node: ast.AST) -> Value:
    """The numbers in a key, as words of 64 bits: equal numbers of all types have one word."""
    words: list[Value] = []
    for number in _numbers(ctx, key, node):
        if typed(Scalar, number.type).kind == "f":
            word = inlining.call_function(ctx, typed(FunctionType, library.float_word), [number], {}, node)
            # A constant that is refused when it comes gives nothing.
            number = word if isinstance(word, (n.Var, n.Const)) else n.Const(0, PYINT)
        for type in (SCALARS["int64"], SCALARS["uint64"]):
            if number.type != type:
                number = ctx.emit(n.Cast(number, checked=False), type, node)
        words.append(number)
    return tuple(words)


def _numbers(ctx: Context, key: Value, node: ast.AST) -> list[n.Atom]:
    """The ints and floats in a key; NumPy's narrow floats are equal to floats that have other hashes."""
    key = objects.plain_tuple(key)
    items = [
        texts.number_of(ctx, item, node) if is_textual(item) else operators.as_scalar(ctx, item, node)
        for item in (key if isinstance(key, tuple) else (key,))
    ]
    for item in items:
        type = scalar_type(item)
        known = forms_of(ctx, typed(n.Atom, item)) if type is not None else None
        types = [type, *(form.type for form in known.others)] if known is not None else [type]
        if not all(one is not None and (one.kind in "biu" or one in (PYFLOAT, FLOAT64)) for one in types):
            raise ctx.refusal("keys of a dict", node, what=describe_value(item))
    return typed("list[n.Atom]", items)


# ---------------------------------------------------------------------------------------------------------- views


def _view(kind: type) -> object:
    def make(ctx: Context, table: Value, node: ast.AST) -> Value:
        return Instance(kind, ("$table",), (table,))

    return make


operation(library.view_keys)(_view(library.Keys))  # type: ignore[arg-type]
operation(library.view_values)(_view(library.Values))  # type: ignore[arg-type]
operation(library.view_items)(_view(library.Items))  # type: ignore[arg-type]


@operation(library.table_of)
def _table_of(ctx: Context, view: Value, node: ast.AST) -> Value:
    return typed(Instance, view).items[0]


# ------------------------------------------------------------------------------------------------------- making


@function(set)
def _set(ctx: Context, arguments: list[Value], keywords: dict[str, Value], node: ast.AST) -> Value:
    made = new(ctx, library.Set, NONE, node)
    _require(ctx, len(arguments) <= 1 and not keywords, "set takes one argument", node)
    for given in arguments:
        _call(ctx, made, "update", [given], node)
    return made


@function(dict)
def _dict(ctx: Context, arguments: list[Value], keywords: dict[str, Value], node: ast.AST) -> Value:
    made = new(ctx, library.Table, NONE, node)
    _require(ctx, len(arguments) <= 1 and not keywords, "dict takes one argument in compiled code", node)
    for given in arguments:
        _call(ctx, made, "update", [given], node)
    return made


@function(collections.defaultdict)
def _defaultdict(ctx: Context, arguments: list[Value], keywords: dict[str, Value], node: ast.AST) -> Value:
    _require(ctx, len(arguments) == 1 and not keywords, "defaultdict takes one function in compiled code", node)
    kind = library.Table if is_none(arguments[0]) else library.DefaultTable
    return new(ctx, kind, arguments[0], node)


@function(collections.Counter)
def _counter(ctx: Context, arguments: list[Value], keywords: dict[str, Value], node: ast.AST) -> Value:
    made = new(ctx, library.Counts, NONE, node)
    _require(ctx, len(arguments) <= 1 and not keywords, "Counter takes one argument in compiled code", node)
    for given in arguments:
        _call(ctx, made, "update", [given], node)
    return made


def _require(ctx: Context, condition: bool, message: str, node: ast.AST) -> None:
    if not condition:
        raise ctx.type_error(message, node)


@expression(ast.Set)
def _set_display(ctx: Context, node: ast.expr) -> Value:
    """``{a, b}``."""
    assert isinstance(node, ast.Set)
    made = new(ctx, library.Set, NONE, node)
    for item in [evaluate(ctx, element) for element in node.elts]:
        _call(ctx, made, "add", [item], node)
    return made


@expression(ast.SetComp)
def _set_comprehension(ctx: Context, node: ast.expr) -> Value:
    """``{f(x) for x in a}``."""
    assert isinstance(node, ast.SetComp)
    added = ast.parse("__made.add(__item)").body
    assert isinstance(added[0], ast.Expr) and isinstance(added[0].value, ast.Call)
    added[0].value.args = [node.elt]
    made = new(ctx, library.Set, NONE, node)
    return any_order.run(ctx, node, lambda: _comprehension(ctx, node, made, added))


@expression(ast.DictComp)
def _dict_comprehension(ctx: Context, node: ast.expr) -> Value:
    """``{f(x): g(x) for x in a}``: the key is computed before the value."""
    assert isinstance(node, ast.DictComp)
    added = ast.parse("__key = 0\n__value = 0\n__made[__key] = __value").body
    assert isinstance(added[0], ast.Assign) and isinstance(added[1], ast.Assign)
    added[0].value, added[1].value = node.key, node.value
    return _comprehension(ctx, node, new(ctx, library.Table, NONE, node), added)


def _comprehension(ctx: Context, node: ast.SetComp | ast.DictComp, made: Value, added: list[ast.stmt]) -> Value:
    for inner in (inner for statement in added for inner in ast.walk(statement)):
        if not hasattr(inner, "lineno") or inner.lineno < node.lineno:
            ast.copy_location(inner, node)
    items = ast.copy_location(ast.ListComp(ast.Constant(0), node.generators), node)
    body = [*inlining.nested(items, added), ast.Return(ast.Name("__made", ast.Load()))]
    return inlining.run_made(ctx, body, node, {"__made": made})


# -------------------------------------------------------------------------------------------------------- returning


def returned(ctx: Context, value: Value, node: ast.AST) -> Value:
    """A value that is returned, with all that the lists, dicts and sets in it have."""
    if isinstance(value, DictView) or (isinstance(value, Instance) and value.type in _VIEWS):
        raise ctx.refusal("view of a dict in a result", node)
    if lists.is_list(value):
        return lists.returned(ctx, value, node)
    if isinstance(value, Optional):
        return optional.returned(ctx, value, lambda: mutable.plain(ctx, returned(ctx, value.item, node), node), node)
    if is_text(value):
        return value
    if isinstance(value, Message):
        return returned(ctx, as_text(value), node)
    if isinstance(value, tuple):
        return tuple(returned(ctx, item, node) for item in value)
    if isinstance(value, Reference):
        return returned(ctx, pooled.as_result(ctx, value, node), node)
    if isinstance(value, Instance) and mutable.is_keyed(value):
        known, held, origin = mutable.items_of(ctx, value, node)
        items = tuple(returned(ctx, item, node) for item in typed("tuple[Value, ...]", held))
        return Instance(value.type, value.names, (known, items, origin))
    if not isinstance(value, Instance) or lists.is_fixed(value):
        if _holds_objects(ctx, value, node):
            raise ctx.refusal("objects in a result", node)
        return value
    names, items = value.names, mutable.items_of(ctx, value, node)
    if is_deque(value):
        return deque_parts.returned(ctx, value, node)
    if is_table(value) or is_set(value):
        names, items = _parts(ctx, value, items, node)
    return Instance(value.type, names, tuple(returned(ctx, item, node) for item in items))


_VIEWS = (library.Keys, library.Values, library.Items)


def _holds_objects(ctx: Context, value: Value, node: ast.AST) -> bool:
    """Whether objects that lists hold are in a value, at any depth."""
    if lists.is_list(value):
        return references.is_within(lists.parts(ctx, value, node)[2])
    if isinstance(value, Reference):
        return True
    inner = mutable.items_of(ctx, value, node) if isinstance(value, Instance) else children(value)
    return any(_holds_objects(ctx, one, node) for one in inner)


def _parts(
    ctx: Context, value: Instance, fields: tuple[Value, ...], node: ast.AST
) -> tuple[tuple[str, ...], tuple[Value, ...]]:
    """What a dict or set is made of where it is returned."""
    keys, values, _, default = fields
    if value.type is library.DefaultTable and not (isinstance(default, Static) and default.value in FACTORIES):
        raise ctx.type_error("a defaultdict of this function cannot be returned", node, hint="return a list of items")
    given = (keys,) if value.type is library.Set else (keys, values, default)
    return NAMES[: len(given)], given


def names_of(value: Instance) -> tuple[str, ...]:
    """How Python makes a returned dict: the class, and what a defaultdict calls."""
    if value.type is not library.DefaultTable:
        return (value.type.__name__,)
    return value.type.__name__, FACTORIES[typed(type, typed(Static, value.items[2]).value)]
