"""Local lists: arrays with room for more elements, the number of elements, and what an element is in Python.

A list is an object (see `mutable`), so all names of it see what is appended. Its elements have one type, which is known
where the list is made, or by what is appended first: then the translation begins anew (`with_lists`), as it does where
fields of a class turn out to be assigned. Elements that are tuples or instances lie in one array for each number.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from functools import wraps
from typing import ParamSpec, TypeVar
from typing import cast as typed

import numpy as np

from weft.frontend.anew import until_known
from weft.frontend.arrays import indexing
from weft.frontend.arrays.sizes import as_index
from weft.frontend.arrays.tables import FUNCTIONS, operation
from weft.frontend.calls import inlining, library_deques, library_dicts, library_heaps, library_rows, library_tables
from weft.frontend.calls import library_lists as library
from weft.frontend.several_types import optional, weakness
from weft.frontend.several_types.forms import forms_of
from weft.frontend.values import heaps, mixed, mutable, operators, records, references, rows, tables
from weft.frontend.values.convert import cast
from weft.frontend.values.dispatch import evaluate_any, expression
from weft.frontend.values.list_models import (
    MODELS,
    NOTHING,
    UNKNOWN,
    Heap,
    Moves,
    NeedsModel,
    heap_of,
    holds_rows,
    home_of,
    is_row,
    own_heap,
    place_of,
    reconcile,
    rooted,
    widened,
    with_value,
)
from weft.frontend.values.list_models import is_list as is_list
from weft.frontend.values.list_parts import NAMES, view_of
from weft.frontend.values.scope import NO_FRAME, Binding, Context
from weft.frontend.values.text_model import KNOWN, Known, as_text, holds_texts, is_text, is_textual, stored
from weft.frontend.values.values import (
    FALSE,
    NONE,
    ONE,
    TRUE,
    ZERO,
    DictView,
    Instance,
    Object,
    Optional,
    Reference,
    Several,
    SliceValue,
    Static,
    Value,
    children,
    describe_value,
    is_none,
    is_view,
    leaves,
    rebuilt,
    same_structure,
    type_name,
    with_article,
)
from weft.ir import nodes as n
from weft.ir.location import Location
from weft.ir.types import PYINT, SCALARS, Scalar, View

P = ParamSpec("P")
R = TypeVar("R")


def with_lists(build: Callable[P, R]) -> Callable[P, R]:
    """Build again where more is known of the elements of lists."""

    @wraps(build)
    def built(*args: P.args, **kwargs: P.kwargs) -> R:
        return until_known(
            lambda: build(*args, **kwargs), NeedsModel, lambda one: MODELS.get().update({one.place: one.model})
        )

    return built


def with_memory(build: Callable[P, R]) -> Callable[P, R]:
    """Build with what its translations find out about lists: it stays, for whatever reason one begins again."""

    @wraps(build)
    def built(*args: P.args, **kwargs: P.kwargs) -> R:
        token, texts, classes = MODELS.set({}), KNOWN.set(Known()), references.CLASSES.set({})
        try:
            return build(*args, **kwargs)
        finally:
            MODELS.reset(token)
            KNOWN.reset(texts)
            references.CLASSES.reset(classes)

    return built


def known_of(place: Location) -> Value | None:
    """What an earlier translation found out about the list or dict that is made at a place."""
    known = MODELS.get().get(place)
    return known if known is None else rooted(known)


def new(ctx: Context, items: Sequence[Value], node: ast.AST, part: str = "") -> Value:
    """A list of these elements; `part` tells lists apart that are made at one place."""
    if ctx.in_function:
        raise ctx.refusal("list", node)
    if library.List not in ctx.mutable:
        raise mutable.NeedsObjects(library.List)
    place = place_in_source(ctx, node, part)
    known = known_of(place)
    if (heap := home_of(known)) is not None:
        made: Instance = _row(ctx, heap, node)
    else:
        model = known or (model_of(ctx, items[0], node) if items else UNKNOWN)
        made = mutable.instance(ctx, library.List, NAMES, (ZERO, _arrays(ctx, model, node), model))
        ctx.places_of_lists[typed(Object, made).number] = place
    for item in items:
        inlining.call_library(ctx, library.List.append, [made, item], node)
    return made


def place_in_source(ctx: Context, node: ast.AST, part: str = "") -> Location:
    """Where a list is made; lists that Weft's own functions make have the user's line, and are told apart by theirs."""
    own = f"{ctx.frame.name}:{getattr(node, 'lineno', 0)}:{getattr(node, 'col_offset', 0)}{part}"
    return replace(ctx.location(node), function=own)


def _row(ctx: Context, heap: Heap, node: ast.AST) -> Instance:
    """A new list that other lists hold."""
    return heaps.new(ctx, heap, _growing(ctx, node), node)


def _growing(ctx: Context, node: ast.AST) -> Callable[..., Value]:
    return lambda array, size, room: inlining.call_library(ctx, library.grown, [array, size, room], node)


def begin(ctx: Context, node: ast.AST) -> None:
    """Make the heaps of the lists that are elements of lists."""
    found = [heap for known in MODELS.get().values() if (heap := home_of(known)) is not None]
    heaps.begin(ctx, found, _arrays, node)

    def pool(place: Location) -> Object:
        ctx.mutable |= {library.List}
        model = known_of(place) or UNKNOWN
        made = typed(Object, mutable.instance(ctx, library.List, NAMES, (ZERO, _arrays(ctx, model, node), model)))
        ctx.places_of_lists[made.number] = place
        return made

    references.begin(ctx, pool)


def _is_given(owner: Value) -> bool:
    return not isinstance(owner, Object) and not is_row(owner)


def model_of(ctx: Context, value: Value, node: ast.AST) -> Value:
    """What an element is: its structure, with the name of the type of each number."""
    if is_textual(value):
        value = as_text(value)
    if isinstance(value, (n.Var, n.Const)) and isinstance(value.type, Scalar):
        return mixed.model_of(ctx, value)
    if isinstance(value, Several):
        return mixed.model_of_several(value)
    if (array := rows.model_of(value)) is not None:
        return array
    if is_row(value):
        return Static(own_heap(value))
    if (place := place_of(ctx, value)) is not None and is_list(value):
        raise Moves(place, Heap(place))
    records.require(ctx, value, node)
    if is_none(value) or (isinstance(value, Optional) and value.item == ()):
        return NOTHING
    references.require(ctx, value, node)
    inner = children(value)
    if not inner or not isinstance(value, (tuple, Instance, Optional)) or isinstance(value, Object):
        raise ctx.refusal("elements of a list", node, what=describe_value(value))
    models = [model_of(ctx, item, node) for item in inner]
    if any(rows.kind_of(model) is not None for model in models):
        what = f"{describe_value(value)} with an array in it"
        raise ctx.refusal("elements of a list", node, what=what)
    return rebuilt(value, models)


def _arrays(ctx: Context, model: Value, node: ast.AST) -> Value:
    """Empty arrays for elements."""
    if (kind := rows.kind_of(model)) is not None:
        return rows.empty(ctx, kind, node)
    if heap_of(model) is not None:
        return heaps.empty(ctx, node, "lists")
    if isinstance(model, Static):
        return () if model is UNKNOWN else _empty(ctx, SCALARS[str(model.value)], node)
    return rebuilt(model, [_arrays(ctx, item, node) for item in children(model)])


def _empty(ctx: Context, type: Scalar, node: ast.AST) -> n.Var:
    view = view_of(type)
    return ctx.emit(n.Alloc((ZERO,), view.element, None), view, node, "items")


def parts(ctx: Context, owner: Value, node: ast.AST) -> tuple[n.Atom, Value, Value]:
    """The size, the arrays and the model of a list."""
    if is_row(owner):
        return heaps.parts(ctx, owner, node)
    size, store, model = mutable.items_of(ctx, typed(Instance, owner), node)
    return ZERO if model is UNKNOWN else typed(n.Atom, size), store, model


def _set(ctx: Context, owner: Value, node: ast.AST, **changes: Value) -> None:
    size, store, model = parts(ctx, owner, node)
    items = (changes.get("size", size), changes.get("store", store), model)
    mutable.set_items(ctx, typed(Object, owner), items, node)


# ------------------------------------------------------------------------------------------- what the library uses


@operation(library.size_of)
def _size_of(ctx: Context, owner: Value, node: ast.AST) -> Value:
    size = parts(ctx, owner, node)[0]
    if isinstance(size, n.Var):
        ctx.nonnegative.add(size.name)
    return size


@operation(library.resize)
def _resize(ctx: Context, owner: Value, size: Value, node: ast.AST) -> Value:
    if _is_given(owner):
        raise ctx.refusal("length of a given list", node)
    if is_row(owner):
        for row in ctx.iterated_rows:
            if own_heap(row) is own_heap(owner):
                numbers: list[Value] = [heaps.number_of(owner), heaps.number_of(row)]
                inlining.call_library(ctx, library_heaps.refuse_changed, numbers, node)
        heaps.resize(ctx, owner, size, node)
        return Static(None)
    if is_iterated(ctx, owner):
        raise ctx.refusal("list changed in its loop", node)
    _set(ctx, owner, node, size=size)
    return Static(None)


@operation(library.bounds)
def _bounds(ctx: Context, index: Value, node: ast.AST) -> Value:
    assert isinstance(index, SliceValue)
    return tuple(Static(None) if part is None else part for part in (index.start, index.stop, index.step))


@operation(library.position)
def _position(ctx: Context, index: Value, node: ast.AST) -> Value:
    return as_index(ctx, index, node)


@operation(library_heaps.room_of)
def _room_of(ctx: Context, row: Value, node: ast.AST) -> Value:
    return heaps.room_of(ctx, row, node)


@operation(library_heaps.is_last)
def _is_last(ctx: Context, row: Value, node: ast.AST) -> Value:
    return heaps.is_last(ctx, row, node)


@operation(library_heaps.lengthen)
def _lengthen(ctx: Context, row: Value, room: Value, node: ast.AST) -> Value:
    heaps.lengthen(ctx, row, room, _growing(ctx, node), node)
    return Static(None)


@operation(library_heaps.relocate)
def _relocate(ctx: Context, row: Value, room: Value, node: ast.AST) -> Value:
    def copied(*given: Value) -> Value:
        return inlining.call_library(ctx, library_heaps.copied, [*given], node)

    heaps.relocate(ctx, row, room, _growing(ctx, node), copied, node)
    return Static(None)


@operation(library.alike)
def _alike(ctx: Context, owner: Value, node: ast.AST) -> Value:
    if is_row(owner):
        return _row(ctx, own_heap(owner), node)
    model = parts(ctx, owner, node)[2]
    if library.List not in ctx.mutable:
        raise mutable.NeedsObjects(library.List)
    made = typed(Object, mutable.instance(ctx, library.List, NAMES, (ZERO, _arrays(ctx, model, node), model)))
    if (place := place_of(ctx, owner)) is not None:
        ctx.places_of_lists[made.number] = place
    return made


@operation(library.reserve)
def _reserve(ctx: Context, owner: Value, room: Value, node: ast.AST) -> Value:
    if _is_given(owner):
        raise ctx.refusal("length of a given list", node)
    if is_row(owner):
        if own_heap(owner).is_given:
            raise ctx.refusal("length of a given list", node)
        return inlining.call_library(ctx, library_heaps.make_room, [owner, room], node)
    size, store, model = parts(ctx, owner, node)
    if (rows.kind_of(model)) is not None:
        kept, views = typed("tuple[Value, ...]", store)[:3], typed("tuple[Value, ...]", store)[3:]
        _set(
            ctx,
            owner,
            node,
            store=(*kept, *(inlining.call_library(ctx, library.grown, [v, size, room], node) for v in views)),
        )
        return Static(None)
    wanted = [inlining.call_library(ctx, library.grown, [view, size, room], node) for view in leaves(store)]
    _set(ctx, owner, node, store=_with_leaves(store, wanted))
    return Static(None)


def _with_leaves(value: Value, new: list[Value]) -> Value:
    if is_view(value):
        return new.pop(0)
    return rebuilt(value, [_with_leaves(child, new) for child in children(value)])


@operation(library.load)
def load(ctx: Context, owner: Value, place: Value, node: ast.AST) -> Value:
    _, store, model = parts(ctx, owner, node)
    if model is UNKNOWN:
        error = ctx.type_error("the list is empty, and nothing is appended to it", node, hint="append to it first")
        if place_of(ctx, owner) is None or ctx.is_never_reached():
            raise error
        ctx.report(error)  # unless something is appended further on: then the translation begins anew
        return ZERO
    if (kind := rows.kind_of(model)) is not None:
        return rows.load(ctx, kind, store, _inside(place), node)
    return _element(ctx, store, model, _inside(place), node)


@operation(library.move)
def _move(ctx: Context, owner: Value, source: Value, target: Value, node: ast.AST) -> Value:
    _, store, model = parts(ctx, owner, node)
    if rows.kind_of(model) is None:
        return _store(ctx, owner, target, load(ctx, owner, source, node), node)
    rows.moved(ctx, store, _inside(source), _inside(target), node)
    return Static(None)


def _inside(place: Value) -> n.Atom:
    """A place in a list; where an index is never inside, which raised before, any."""
    return place if isinstance(place, (n.Var, n.Const)) else ZERO


def _element(ctx: Context, store: Value, model: Value, place: n.Atom, node: ast.AST) -> Value:
    if model is UNKNOWN:
        return ()
    if isinstance(model, Optional) and model.item is UNKNOWN:
        return NONE
    if isinstance(store, n.Var) and is_view(store):
        loaded = typed(n.Atom, indexing.load_place(ctx, indexing.Place(store, (place,), "safe"), node))
        if (heap := heap_of(model)) is not None:
            return heaps.row_at(heap, cast(ctx, loaded, PYINT, node))
        if isinstance(loaded, n.Var):
            ctx.of_lists.add(loaded.name)
        return cast(ctx, loaded, SCALARS[str(typed(Static, model).value)], node)
    pairs = zip(children(store), children(model), strict=True)
    if isinstance(model, Several):
        return mixed.loaded(ctx, model, *(_element(ctx, one, other, place, node) for one, other in pairs))
    return rebuilt(model, [_element(ctx, one, other, place, node) for one, other in pairs])


@operation(library.store)
def _store(ctx: Context, owner: Value, place: Value, value: Value, node: ast.AST) -> Value:
    kept = own_heap(owner).is_given if is_row(owner) else _is_given(owner)
    if kept and records.is_record(parts(ctx, owner, node)[2]):
        raise ctx.refusal("dicts of an argument", node)
    if kept and holds_texts(parts(ctx, owner, node)[2]):
        raise ctx.refusal("strings of an argument", node)
    value = storable(ctx, owner, value, node)
    found = model_of(ctx, value, node)
    _, store, model = parts(ctx, owner, node)
    made_at = place_of(ctx, owner)
    wanted = widened(found, model) or with_value(model, value)
    if made_at is not None and wanted is not None:
        raise NeedsModel(made_at, wanted)
    if is_row(owner) and not own_heap(owner).is_given and wanted is not None:
        heap = own_heap(owner)
        heap.model = wanted
        raise Moves(heap.place, heap)
    reconcile(ctx, model, found)
    if any(heap is not None and heap.is_given for heap in (heap_of(model), heap_of(found))) and not same_structure(
        model, found
    ):
        raise ctx.refusal("list beside a given one", node)
    if _is_given(owner) and parts(ctx, owner, node)[0] == ZERO:
        return Static(None)  # an index was out of range before
    value = fitted(ctx, value, model, node)
    if rows.kind_of(model) is not None:
        _set(ctx, owner, node, store=rows.stored(ctx, store, _inside(place), typed(n.Var, value), node))
        return Static(None)
    store_leaves(ctx, store, place, value, node)
    return Static(None)


def storable(ctx: Context, owner: Value, value: Value, node: ast.AST) -> Value:
    """A value in the form that elements of lists have; lists in it lie in a heap."""
    records.require(ctx, value, node)
    if isinstance(value, DictView):
        raise ctx.refusal("view of a dict in a result", node)
    if _is_dict(value):
        raise ctx.refusal("dicts in a list", node)
    if _is_table(value):
        raise ctx.refusal("sets in a list", node, what=with_article(describe_value(value)))
    if is_fixed(value) or (is_list(value) and _is_given(value)):
        raise ctx.refusal("elements of a list", node, what=describe_value(value))
    references.require(ctx, value, node)
    _put_in_heap(ctx, owner, value, node)
    return stored(mutable.plain(ctx, operators.as_scalar(ctx, value, node), node))


def store_leaves(ctx: Context, store: Value, place: Value, value: Value, node: ast.AST) -> None:
    """Write the numbers of an element to the arrays of a list."""
    for view, atom in zip(leaves(store), leaves(value), strict=True):
        target = indexing.Place(typed(n.Var, view), (_inside(place),), "safe")
        converted = cast(ctx, atom, typed(Scalar, typed(View, view.type).element), node)
        ctx.append(n.Store(target.view, target.indices, converted, target.bounds, location=ctx.location(node)))


def _put_in_heap(ctx: Context, owner: Value, value: Value, node: ast.AST) -> None:
    """Begin anew where a list is stored in another one that does not lie in a heap yet."""
    if isinstance(value, Object) and is_list(value):
        place = place_of(ctx, value)
        if place is None:
            raise ctx.refusal("elements of a list", node, what=describe_value(value))
        home = heap_of(parts(ctx, owner, node)[2])
        if home is not None and home.is_given:
            raise ctx.refusal("list beside a given one", node)
        raise Moves(place, home or Heap(place))
    if isinstance(value, Reference):
        return
    inner = mutable.items_of(ctx, value, node) if isinstance(value, Instance) else children(value)
    for child in inner if isinstance(value, (tuple, Instance)) and not is_row(value) else ():
        _put_in_heap(ctx, owner, child, node)


def fitted(ctx: Context, value: Value, model: Value, node: ast.AST) -> Value:
    """A value as an element; a constant int may stand for a float."""
    value = mixed.stored(ctx, value, model, node)
    if optional.holds_optional(model):
        value = _with_absent(value, model)
    for atom in mixed.not_told(value):
        if forms_of(ctx, atom) is not None:
            weakness.require_alike(ctx, atom, lambda type: type, node)
    if not same_structure(model_of(ctx, value, node), model):
        value, model = _first_that_differ(ctx, value, model, node)
        raise ctx.refusal("types in a list", node, what=_words(value), other=_words_of(model))
    return value


def _first_that_differ(ctx: Context, value: Value, model: Value, node: ast.AST) -> tuple[Value, Value]:
    """The first parts of an element and a model, both tuples of one length, that differ; else both of them."""
    while isinstance(value, tuple) and isinstance(model, tuple) and len(value) == len(model):
        pairs = zip(value, model, strict=True)
        value, model = next((v, m) for v, m in pairs if not same_structure(model_of(ctx, v, node), m))
    return value, model


def _with_absent(value: Value, model: Value) -> Value:
    """A value in the form of elements that may be None, or have parts that may be."""
    if isinstance(model, Optional):
        if is_none(value):
            return Optional(FALSE, _nothing(model.item))
        there, item = (value.there, value.item) if isinstance(value, Optional) else (TRUE, value)
        return Optional(there, _with_absent(item, model.item))
    inner, known = children(value), children(model)
    if len(inner) != len(known) or is_row(value):
        return value
    return rebuilt(value, [_with_absent(one, other) for one, other in zip(inner, known, strict=True)])


def _nothing(model: Value) -> Value:
    """What stands in the place of an element that is None."""
    if isinstance(model, Optional):
        return Optional(FALSE, _nothing(model.item))
    if (heap := heap_of(model)) is not None:
        return heaps.row_at(heap, ZERO)
    if isinstance(model, Static) and model is not UNKNOWN and str(model.value) in SCALARS:
        return optional.zero(SCALARS[str(model.value)])
    return () if model is UNKNOWN else rebuilt(model, [_nothing(child) for child in children(model)])


def _words(value: Value) -> str:
    return type_name(value.type) if isinstance(value, (n.Var, n.Const)) else describe_value(value)


def _words_of(model: Value) -> str:
    if (kind := rows.kind_of(model)) is not None:
        return str(kind)
    if heap_of(model) is not None:
        return "list"
    if isinstance(model, Several):
        return f"{_words_of(model.item)} or {type_name(SCALARS[model.other.name])}"
    if isinstance(model, Optional):
        return "None" if model.item is UNKNOWN else f"{_words_of(model.item)} or None"
    return type_name(SCALARS[str(model.value)]) if isinstance(model, Static) else describe_value(model)


@operation(library.is_list)
def _is_list(ctx: Context, value: Value, node: ast.AST) -> Value:
    if is_fixed(value):
        raise ctx.refusal("list of arrays", node)
    return TRUE if is_list(value) else FALSE


@operation(library.has_places)
def _has_places(ctx: Context, value: Value, node: ast.AST) -> Value:
    return TRUE if is_list(value) and not is_never_filled(ctx, value, node) else FALSE


@operation(library.arrays_of)
def _arrays_of(ctx: Context, owner: Value, node: ast.AST) -> Value:
    return typed(Instance, owner).items


@operation(library.refuse_slice)
def _refuse_slice(ctx: Context, owner: Value, node: ast.AST) -> Value:
    raise ctx.refusal("slice of a list on the left", node)


@operation(library.refuse_list_of_arrays)
def _refuse_list_of_arrays(ctx: Context, owner: Value, node: ast.AST) -> Value:
    raise ctx.refusal("list of arrays", node)


def is_fixed(value: object) -> bool:
    """Whether a value is a list of arrays."""
    return isinstance(value, Instance) and value.type is library.Fixed


def _is_table(value: object) -> bool:
    """Whether a value is a dict, a set or a deque."""
    return isinstance(value, Instance) and value.type in _TABLES


def _is_dict(value: object) -> bool:
    return isinstance(value, Instance) and (value.type is library_dicts.Dict or value.type in tables.DICTS)


_TABLES = (library_dicts.Dict, *tables.DICTS, library_tables.Set, library_deques.Deque)


@operation(library.require_order)
def _require_order(ctx: Context, owner: Value, node: ast.AST) -> Value:
    """Python's order of lists with NaNs is that of its algorithm."""
    size, store, model = parts(ctx, owner, node)
    if holds_rows(model):
        inlining.call_library(ctx, library.require_order_of_each, [owner], node)
    floats = [view for view in leaves(store) if typed(Scalar, typed(View, view.type).element).kind == "f"]
    for view in floats:
        inlining.call_library(ctx, library.refuse_nan, [view, size], node)
    return Static(None)


@operation(library.require_order_in)
def _require_order_in(ctx: Context, item: Value, node: ast.AST) -> Value:
    if is_list(item):
        return _require_order(ctx, item, node)
    for child in children(item) if isinstance(item, (tuple, Optional)) or type(item) is Instance else ():
        _require_order_in(ctx, child, node)
    return Static(None)


@operation(library_rows.kept_part)
def _kept_part(ctx: Context, pool: Value, start: Value, count: Value, node: ast.AST) -> Value:
    return rows.kept_part(ctx, pool, start, count, node)


def joining(
    ctx: Context, function: object, arguments: list[Value], keywords: dict[str, Value], node: ast.AST
) -> object:
    """What joins the arrays of the list that is the first argument; the function itself where it is none."""
    if not arguments or not is_list(arguments[0]) or rows.kind_of(parts(ctx, arguments[0], node)[2]) is None:
        return function
    is_plain = len(arguments) == 1 and not keywords
    return rows.COPYING.get(function, function) if is_plain else rows.JOINING.get(function, function)


def items_for_loop(ctx: Context, owner: Value, node: ast.AST) -> tuple[n.Atom, Callable[[n.Atom], Value]]:
    """The number of elements and each of them, for a loop that does not change the number."""
    return parts(ctx, owner, node)[0], lambda place: load(ctx, owner, place, node)


def is_of_numbers(ctx: Context, owner: Value, node: ast.AST) -> bool:
    """Whether the elements of a list are numbers."""
    _, store, model = parts(ctx, owner, node)
    return is_view(store) and not holds_rows(model)


def is_of_numbers_or_texts(ctx: Context, value: Value, node: ast.AST) -> bool:
    """Whether a value is a list of numbers, or of strings: none of its elements is None."""
    if not is_list(value):
        return False
    _, store, model = parts(ctx, value, node)
    return is_text(model) or (is_view(store) and not holds_rows(model))


def known_items(ctx: Context, owner: Value, node: ast.AST) -> list[Value]:
    """The elements of a list whose number is known when compiling."""
    size = parts(ctx, owner, node)[0]
    if not isinstance(size, n.Const):
        raise ctx.refusal("star", node, what="a list whose length is not known")
    return [load(ctx, owner, n.Const(k, PYINT), node) for k in range(int(size.value.real))]


def returned(ctx: Context, owner: Value, node: ast.AST) -> Value:
    """A list that is returned: with the arrays of the lists inside of it."""
    size, store, model = parts(ctx, owner, node)
    if isinstance(model, Reference):
        made = new(ctx, [], node, f" of {model.type.__qualname__}")
        inlining.call_library(ctx, library.take_apart, [owner, made], node)
        return returned(ctx, made, node)
    if references.is_within(model):
        raise ctx.refusal("objects in a result", node)
    if not is_row(owner) and not holds_rows(model):
        return owner
    return Instance(library.List, NAMES, (size, heaps.returned(ctx, store, model, node), model))


def is_never_filled(ctx: Context, value: Value, node: ast.AST) -> bool:
    """Whether a value is a list that nothing is appended to, as far as is known."""
    return is_list(value) and parts(ctx, value, node)[2] is UNKNOWN


def is_empty_argument(value: Value) -> bool:
    """Whether a value is an argument without elements, which are ints as far as anybody can see."""
    return is_list(value) and _is_given(value) and typed(Instance, value).items[0] == ZERO


@contextmanager
def iterated(ctx: Context, value: Value) -> Iterator[None]:
    """Inside, lists that a loop runs over may not become longer or shorter.

    The loop refers to these lists until it ends. If an iteration assigns another list to the variable, this is one of
    several objects in the next iteration, which is refused.
    """
    rows_before = ctx.iterated_rows
    ctx.iterated_rows = (*rows_before, *(inner for inner in _within(value) if is_row(inner)))
    key = ctx.frame.iterated(len(ctx.frame.loops))
    ctx.environment.bindings[key] = Binding(tuple(inner for inner in _within(value) if isinstance(inner, Object)))
    try:
        yield
    finally:
        ctx.iterated_rows = rows_before
        ctx.environment.bindings.pop(key, None)


def is_iterated(ctx: Context, owner: Value) -> bool:
    """Whether an enclosing loop runs over a list, and may continue after this statement."""
    held = [binding.value for key, binding in ctx.environment.bindings.items() if key[0] == NO_FRAME]
    numbers = {typed(Object, one).number for value in held if value is not None for one in children(value)}
    return isinstance(owner, Object) and owner.number in numbers


def _within(value: Value) -> Iterator[Value]:
    yield value
    for child in children(value):
        yield from _within(child)


def first_elements(ctx: Context, owner: Value, node: ast.AST) -> tuple[n.Var, bool]:
    """The elements of a list of numbers as an array, and whether they are Python's numbers."""
    size, store, model = parts(ctx, owner, node)
    view = inlining.call_library(ctx, library.first_of, [store, size], node)
    return typed(n.Var, view), SCALARS[str(typed(Static, model).value)].weak


def for_numpy(ctx: Context, value: Value, node: ast.AST) -> Value:
    """An argument of a function of NumPy: a list as the array that it makes of it; others as they are."""
    if is_list(value):
        return as_array(ctx, value, node)
    return typed(Instance, value).items if is_fixed(value) else value


def as_array(ctx: Context, owner: Value, node: ast.AST, is_typed: bool = False) -> Value:
    """The elements as an array of NumPy: what ``np.array`` makes of a list; `is_typed`: where a dtype is given."""
    size, store, model = parts(ctx, owner, node)
    if model is UNKNOWN:
        return FUNCTIONS[np.array](ctx, [()], {}, node)
    if rows.kind_of(model) is not None:
        return inlining.call_library(ctx, library_rows.array_of, [owner], node)
    if heap_of(model) is not None:
        return inlining.call_library(ctx, library_heaps.array_of, [owner], node)
    if holds_rows(model):
        raise ctx.refusal("elements of a list", node, what=_words_of(model))
    if isinstance(model, Several):
        view = mixed.for_numpy(ctx, store, model, size, is_typed, node)
        return inlining.call_library(ctx, library.first_of, [view, size], node)
    if isinstance(store, tuple) and store and all(map(is_view, store)):
        return _table(ctx, size, store, node)
    if not is_view(store):
        raise ctx.refusal("elements of a list", node, what=_words_of(model))
    view = typed(n.Var, store)
    if typed(View, view.type).element != SCALARS["float64"] and size != ZERO and not is_typed:
        inlining.call_library(ctx, library.refuse_empty, [size], node)
    return inlining.call_library(ctx, library.first_of, [view, size], node)


def _table(ctx: Context, size: n.Atom, columns: Sequence[Value], node: ast.AST) -> Value:
    """The array that ``np.array`` makes of a list of tuples."""
    inlining.call_library(ctx, library.refuse_empty, [size], node)
    parts = tuple(inlining.call_library(ctx, library.first_of, [column, size], node) for column in columns)
    return FUNCTIONS[np.stack](ctx, [parts, ONE], {}, node)


@expression(ast.List)
def _display(ctx: Context, node: ast.expr) -> Value:
    """``[a, b, c]``; ``[*a, b]`` takes the items of ``a``, a tuple, a list or a range."""
    assert isinstance(node, ast.List)
    starred = next((k for k, item in enumerate(node.elts) if isinstance(item, ast.Starred)), len(node.elts))
    made = new(ctx, [evaluate_any(ctx, item) for item in node.elts[:starred]], node)
    for item in node.elts[starred:]:
        value = evaluate_any(ctx, item.value if isinstance(item, ast.Starred) else item)
        method = library.List.extend if isinstance(item, ast.Starred) else library.List.append
        inlining.call_library(ctx, method, [made, value], node)
    return made
