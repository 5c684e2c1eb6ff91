"""Lists that are elements of lists: numbers of rows in a heap.

A list that another one holds is a reference in Python. Here it is a number, which names a *row* of a heap: where it
begins in an array, how many elements it has, and for how many there is room. So two places of a list may hold one row,
a row may be held by several lists, and all see what one of them changes. Which lists lie in a heap is found where one
is stored in another: then the translation begins anew (see `lists`). Rows of one heap have elements of one type.
"""

from __future__ import annotations

import ast
from collections.abc import Callable
from typing import cast as typed

from weft.frontend.arrays.sizes import arithmetic
from weft.frontend.calls import library_heaps as library
from weft.frontend.calls import library_lists
from weft.frontend.values import mutable
from weft.frontend.values.list_models import MODELS, ROW, Heap, heap_of, own_heap, rooted
from weft.frontend.values.list_parts import view_of
from weft.frontend.values.scope import Context, view_type
from weft.frontend.values.text_model import is_text
from weft.frontend.values.values import ONE, ZERO, Instance, Object, Static, Value, children, is_view, leaves, rebuilt
from weft.ir import nodes as n
from weft.ir.location import Location
from weft.ir.types import PYBOOL, PYINT, SCALARS, View

NAMES = ("$count", "$used", "$store", "$table")
ENTRIES = 3
"""What the table has for each row: where it begins, its number of elements, its room."""

START, SIZE, ROOM = range(ENTRIES)
NUMBERS = view_of(SCALARS["int64"])


def row_at(heap: Heap, number: n.Atom) -> Instance:
    """The row with a number."""
    return Instance(library_lists.List, ROW, (number, Static(heap)))


def begin(ctx: Context, heaps: list[Heap], arrays: Callable[[Context, Value, ast.AST], Value], node: ast.AST) -> None:
    """Make the heaps that a program needs, without rows."""
    for heap in dict.fromkeys(one.root() for one in heaps):
        ctx.mutable |= {library.Heap}
        table = empty(ctx, node, "rows")
        heap.model = rooted(heap.model)
        fields = (ZERO, ZERO, arrays(ctx, heap.model, node), table)
        ctx.heaps[heap] = typed(Object, mutable.instance(ctx, library.Heap, NAMES, fields))


def given(ctx: Context, store: Value, model: Value, table: n.Var, source: n.Source) -> Heap:
    """The heap of lists that are elements of an argument, which lie in these arrays; one for all translations."""
    ctx.mutable |= {library.Heap}
    node = ctx.frame.node
    place = Location("", 0, function=f"the lists in {source}")
    known = MODELS.get().setdefault(place, Static(Heap(place, is_given=True)))
    heap = typed(Heap, typed(Static, known).value)
    heap.model = model
    entries = ctx.dimension(table, 0, node)
    count = arithmetic(ctx, "floordiv", entries, n.Const(ENTRIES, PYINT), node)
    used = ctx.dimension(typed(n.Var, leaves(store)[0]), 0, node)
    ctx.heaps[heap] = typed(Object, mutable.instance(ctx, library.Heap, NAMES, (count, used, store, table)))
    return heap


def empty(ctx: Context, node: ast.AST, stem: str) -> n.Var:
    """An array without numbers of rows."""
    return ctx.emit(n.Alloc((ZERO,), NUMBERS.element, None), NUMBERS, node, stem)


def _fields(ctx: Context, heap: Heap, node: ast.AST) -> tuple[Value, ...]:
    return mutable.items_of(ctx, ctx.heaps[heap], node)


def _set(ctx: Context, heap: Heap, node: ast.AST, **changes: Value) -> None:
    before = dict(zip(NAMES, _fields(ctx, heap, node), strict=True))
    items = tuple((before | {f"${name}": value for name, value in changes.items()}).values())
    mutable.set_items(ctx, ctx.heaps[heap], items, node)


def new(ctx: Context, heap: Heap, grown: Callable[..., Value], node: ast.AST) -> Instance:
    """A row without elements; `grown` is `library_lists.grown`, to be called."""
    if heap.is_given:
        raise ctx.refusal("list beside a given one", node)
    count, _, _, table = typed("tuple[n.Atom, n.Atom, Value, n.Var]", _fields(ctx, heap, node))
    filled = arithmetic(ctx, "mul", count, n.Const(ENTRIES, PYINT), node)
    table = typed(n.Var, grown(table, filled, arithmetic(ctx, "add", filled, n.Const(ENTRIES, PYINT), node)))
    for entry in range(ENTRIES):
        _write(ctx, table, count, entry, ZERO, node)
    _set(ctx, heap, node, count=arithmetic(ctx, "add", count, ONE, node, checked=True), table=table)
    return row_at(heap, count)


def _entry(ctx: Context, number: n.Atom, entry: int, node: ast.AST) -> n.Atom:
    first = arithmetic(ctx, "mul", number, n.Const(ENTRIES, PYINT), node)
    return first if entry == 0 else arithmetic(ctx, "add", first, n.Const(entry, PYINT), node)


def _read(ctx: Context, row: Value, entry: int, node: ast.AST) -> n.Atom:
    number, table = number_of(row), typed(n.Var, _fields(ctx, own_heap(row), node)[3])
    loaded = ctx.emit(n.Load(table, (_entry(ctx, number, entry, node),), "safe"), NUMBERS.element, node)
    found = ctx.emit(n.Cast(loaded, checked=False), PYINT, node)
    ctx.nonnegative.add(found.name)
    return found


def _write(ctx: Context, table: n.Var, number: n.Atom, entry: int, value: n.Atom, node: ast.AST) -> None:
    converted = ctx.emit(n.Cast(value, checked=False), NUMBERS.element, node)
    place = (_entry(ctx, number, entry, node),)
    ctx.append(n.Store(table, place, converted, "safe", location=ctx.location(node)))


def number_of(row: Value) -> n.Atom:
    """The number that a row has in its heap."""
    return typed(n.Atom, typed(Instance, row).items[0])


def parts(ctx: Context, row: Value, node: ast.AST) -> tuple[n.Atom, Value, Value]:
    """The size of a row, its part of the arrays of its heap, and the model of an element."""
    heap = own_heap(row)
    size, start, room = (_read(ctx, row, entry, node) for entry in (SIZE, START, ROOM))
    return size, _parts(ctx, _fields(ctx, heap, node)[2], start, room, node), heap.model


def _parts(ctx: Context, store: Value, start: n.Atom, room: n.Atom, node: ast.AST) -> Value:
    if not is_view(store):
        return rebuilt(store, [_parts(ctx, child, start, room, node) for child in children(store)])
    pool = typed(n.Var, store)
    flat = View(view_type(pool).element, 1, True)
    part = ctx.emit(n.Subview(pool, (n.Slice(start, room, ONE),), "safe"), flat, node, pool.stem)
    ctx.extents[part.name] = (room,)
    return part


def resize(ctx: Context, row: Value, size: Value, node: ast.AST) -> None:
    """Set the number of elements of a row."""
    if own_heap(row).is_given:
        raise ctx.refusal("length of a given list", node)
    table = typed(n.Var, _fields(ctx, own_heap(row), node)[3])
    _write(ctx, table, number_of(row), SIZE, typed(n.Atom, size), node)


def room_of(ctx: Context, row: Value, node: ast.AST) -> Value:
    """`library.room_of`."""
    return _read(ctx, row, ROOM, node)


def is_last(ctx: Context, row: Value, node: ast.AST) -> Value:
    """`library.is_last`."""
    end = arithmetic(ctx, "add", _read(ctx, row, START, node), _read(ctx, row, ROOM, node), node)
    return ctx.emit(n.Compare("eq", end, typed(n.Atom, _fields(ctx, own_heap(row), node)[1])), PYBOOL, node)


def lengthen(ctx: Context, row: Value, room: Value, grown: Callable[..., Value], node: ast.AST) -> None:
    """`library.lengthen`."""
    _use(ctx, row, _read(ctx, row, START, node), typed(n.Atom, room), grown, node)


def relocate(
    ctx: Context, row: Value, room: Value, grown: Callable[..., Value], copied: Callable[..., Value], node: ast.AST
) -> None:
    """`library.relocate`."""
    start, size = _read(ctx, row, START, node), _read(ctx, row, SIZE, node)
    target = typed(n.Atom, _fields(ctx, own_heap(row), node)[1])
    _use(ctx, row, target, typed(n.Atom, room), grown, node)
    for view in leaves(_fields(ctx, own_heap(row), node)[2]):
        copied(view, start, target, size)


def _use(ctx: Context, row: Value, start: n.Atom, room: n.Atom, grown: Callable[..., Value], node: ast.AST) -> None:
    """Give a row, behind which nothing lies, a part of its heap."""
    heap = own_heap(row)
    _, used, store, table = typed("tuple[n.Atom, n.Atom, Value, n.Var]", _fields(ctx, heap, node))
    end = arithmetic(ctx, "add", start, room, node, checked=True)
    new = [grown(view, used, end) for view in leaves(store)]
    _set(ctx, heap, node, used=end, store=_with_leaves(store, new))
    _write(ctx, table, number_of(row), START, start, node)
    _write(ctx, table, number_of(row), ROOM, room, node)


def _with_leaves(value: Value, new: list[Value]) -> Value:
    if is_view(value):
        return new.pop(0)
    return rebuilt(value, [_with_leaves(child, new) for child in children(value)])


def returned(ctx: Context, store: Value, model: Value, node: ast.AST) -> Value:
    """The arrays of the elements of a list that is returned: for numbers of rows, with all that these have."""
    heap = heap_of(model)
    if is_text(model):
        return children(store)
    if heap is None:
        pairs = zip(children(store), children(model), strict=True)
        return store if is_view(store) else tuple(returned(ctx, one, other, node) for one, other in pairs)
    _, _, inner, table = _fields(ctx, heap, node)
    return store, table, returned(ctx, inner, heap.model, node)
