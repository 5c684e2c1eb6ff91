"""Subscripts: elements, slices and fields of arrays, items of tuples."""

from __future__ import annotations

import ast
from collections.abc import Sequence
from types import FunctionType
from typing import cast as typed

import numpy as np

from weft.dataclass import dataclass
from weft.errors import IndexError
from weft.frontend.arrays import assignments, evaluation, expressions, gathers, index_forms
from weft.frontend.arrays.array_attributes import field, shape
from weft.frontend.arrays.extents_of import awaited
from weft.frontend.arrays.sizes import arithmetic, as_index
from weft.frontend.arrays.slicing import slice_axis
from weft.frontend.arrays.stored_numbers import as_element, check_indices, converting_may_raise
from weft.frontend.arrays.tables import FUNCTIONS
from weft.frontend.calls import calls, inlining, library
from weft.frontend.control import conditions, iteration
from weft.frontend.source import fixed
from weft.frontend.values import objects, operators, texts
from weft.frontend.values.dispatch import evaluate, expression
from weft.frontend.values.scope import Context, view_type
from weft.frontend.values.text_model import is_textual, text_of
from weft.frontend.values.values import (
    ONE,
    ZERO,
    Flat,
    Instance,
    Range,
    SliceValue,
    Static,
    Value,
    describe_value,
    is_none,
    is_view,
    leaves,
    same_structure,
    scalar_type,
    with_article,
)
from weft.ir import nodes as n
from weft.ir.types import PYBOOL, PYINT, Record, Scalar, View


@dataclass(frozen=True)
class Place:
    """An element that is read or written: all its indices are atoms. `owner` is set for a place that is no element."""

    view: n.Var
    indices: tuple[n.Atom, ...]
    bounds: n.Bounds = "python"


@expression(ast.Subscript)
def _subscript(ctx: Context, node: ast.expr) -> Value:
    assert isinstance(node, ast.Subscript)
    if isinstance(node.value, ast.Attribute) and node.value.attr == "shape" and _is_constant(node.slice):
        return _extent(ctx, evaluate(ctx, node.value.value), node.value, node)
    return load(ctx, evaluate(ctx, node.value), node)


@dataclass(frozen=True)
class Chosen:
    """Elements that arrays in a subscript choose."""

    view: n.Var
    items: list[Value]


def part(ctx: Context, owner: n.Var, target: ast.Subscript) -> Place | Chosen | n.Var:
    """What ``owner[...]`` is, left of an assignment: an element, a view, or what arrays choose."""
    return _part(ctx, owner, _index_items(ctx, target), target)


def _part(ctx: Context, owner: n.Var, items: list[Value], target: ast.Subscript) -> Place | Chosen | n.Var:
    if len(items) == 1 and isinstance(items[0], Static) and isinstance(items[0].value, str):
        view = field(ctx, owner, items[0].value, target)
        return view if view_type(view).ndim > 0 else Place(view, ())
    if expressions.is_any_array(items):
        return Chosen(owner, items)
    axes = _axes(ctx, owner, items, target)
    dots = any(_is_ellipsis(item) for item in items)
    if not dots and len(axes) == view_type(owner).ndim and all(isinstance(axis, (n.Var, n.Const)) for axis in axes):
        return Place(owner, tuple(axis for axis in axes if isinstance(axis, (n.Var, n.Const))))
    return _subview(ctx, owner, axes, target)


def _is_constant(node: ast.expr) -> bool:
    return isinstance(node, ast.Constant) or (isinstance(node, ast.UnaryOp) and isinstance(node.operand, ast.Constant))


def _extent(ctx: Context, owner: Value, attribute: ast.Attribute, node: ast.Subscript) -> Value:
    """``a.shape[0]``, without the other extents."""
    if isinstance(owner, n.Var) and is_view(owner):
        axis, ndim = evaluate(ctx, node.slice), view_type(owner).ndim
        if isinstance(axis, n.Const) and axis.type == PYINT and -ndim <= int(axis.value.real) < ndim:
            return ctx.dimension(owner, int(axis.value.real) % ndim, node)
        if isinstance(axis, n.Const) and axis.type == PYINT:
            hint = (
                f"'{ast.unparse(attribute.value)}' has {_dimensions(ndim)}: pass an array with more, or use fewer sizes"
            )
            raise ctx.type_error("tuple index out of range", node, hint=hint, kind=IndexError)
    return load(ctx, objects.attribute(ctx, owner, "shape", attribute), node)


@expression(ast.Slice)
def _slice(ctx: Context, node: ast.expr) -> Value:
    assert isinstance(node, ast.Slice)
    parts = [None if part is None else _slice_part(ctx, part) for part in (node.lower, node.upper, node.step)]
    return SliceValue(*parts)


def _slice_part(ctx: Context, node: ast.expr) -> n.Atom | None:
    value = evaluate(ctx, node)
    return None if isinstance(value, Static) and value.value is None else as_index(ctx, value, node)


def load(ctx: Context, owner: Value, node: ast.Subscript) -> Value:
    """``owner[...]`` as a value."""
    operators.refuse_views(ctx, (owner,), node)
    if is_textual(owner):
        return texts.item(ctx, owner, evaluate(ctx, node.slice), node)
    if isinstance(owner, Instance) and not owner.is_tuple:
        return _instance_item(ctx, owner, node)
    owner = objects.plain_tuple(owner)
    if isinstance(owner, (tuple, Range)):
        return _sequence_item(ctx, owner, node)
    made = index_forms.made(ctx, owner, node)
    if made is not None:
        return made
    if isinstance(owner, Flat):
        from weft.frontend.arrays import flat

        return flat.load(ctx, owner, _index_items(ctx, node), node)
    if not (isinstance(owner, n.Var) and is_view(owner)):
        hint = "only arrays, strings, tuples, lists and dicts have elements"
        raise ctx.type_error(f"a value of type {describe_value(owner)} cannot be indexed", node, hint=hint)
    items = _index_items(ctx, node)
    if len(items) == 1 and isinstance(items[0], Static) and isinstance(items[0].value, str):
        return _field_value(ctx, field(ctx, owner, items[0].value, node), node)
    return _index_array(ctx, owner, items, node)


def _instance_item(ctx: Context, owner: Instance, node: ast.Subscript) -> Value:
    function = objects.method(ctx, owner, "__getitem__")
    if function is None:
        raise ctx.type_error(f"{owner.type.__name__} cannot be indexed", node)
    return calls.call(ctx, function, [evaluate(ctx, node.slice)], {}, node)


def _field_value(ctx: Context, view: n.Var, node: ast.AST) -> Value:
    """A field of one record is a scalar; a field of an array is an array."""
    type = view_type(view)
    if type.ndim == 0 and isinstance(type.element, Scalar):
        return ctx.emit(n.Load(view, ()), type.element, node)
    return view


def _index_items(ctx: Context, node: ast.Subscript) -> list[Value]:
    """What stands between the brackets, one value for each position."""
    if isinstance(node.slice, ast.Tuple):
        items = index_forms.items(ctx, node.slice.elts)
    else:
        value = objects.plain_tuple(index_forms.item(ctx, node.slice))
        items = list(value) if isinstance(value, tuple) else [value]
    return [operators.as_scalar(ctx, item, node) for item in items]


def _index_array(ctx: Context, view: n.Var, items: list[Value], node: ast.Subscript) -> Value:
    if expressions.is_any_array(items):
        return gathers.load(ctx, view, items, node)
    axes = _axes(ctx, view, items, node)
    if all(isinstance(axis, (n.Var, n.Const)) for axis in axes):
        indices = tuple(axis for axis in axes if isinstance(axis, (n.Var, n.Const)))
        return load_place(ctx, Place(view, indices), node)
    return _subview(ctx, view, axes, node)


def _axes(ctx: Context, view: n.Var, items: Sequence[Value], node: ast.Subscript) -> list[n.Atom | SliceValue | None]:
    """One entry for each axis of the array (an integer or slice), and None for each new axis."""
    ndim = view_type(view).ndim
    used = sum(1 for item in items if not is_none(item) and not _is_ellipsis(item))
    if used > ndim:
        message = f"too many indices for array: array is {ndim}-dimensional, but {used} were indexed"
        hint = f"'{ast.unparse(node.value)}' has {_dimensions(ndim)}: write {_dimensions(ndim, 'index', 'indices')}"
        raise ctx.type_error(message, node, hint=hint, kind=IndexError)
    axes: list[n.Atom | SliceValue | None] = []
    for item in items:
        if _is_ellipsis(item):
            axes += [SliceValue()] * (ndim - used)
        else:
            axes.append(_axis(ctx, item, node))
    kept = sum(1 for axis in axes if axis is not None)
    return axes + [SliceValue()] * (ndim - kept)


def _dimensions(count: int, one: str = "dimension", many: str = "dimensions") -> str:
    return f"{count} {one if count == 1 else many}"


def _is_ellipsis(value: Value) -> bool:
    return isinstance(value, Static) and value.value is Ellipsis


def _axis(ctx: Context, item: Value, node: ast.Subscript) -> n.Atom | SliceValue | None:
    if isinstance(item, SliceValue):
        return item
    if is_none(item):
        return None
    type = scalar_type(item)
    if type is not None and type.kind in "iu":
        return as_index(ctx, item, node)
    if is_view(item) or (type is not None and type.kind == "b"):
        raise ctx.refusal("fancy indexing", node, what=ast.unparse(node))
    error = ctx.type_error(
        f"an index must be an integer, a slice, None or ..., and this is {describe_value(item)}",
        node,
        hint="write int(...) around the index" if type is not None else "index with integers, slices, None or ...",
        kind=IndexError,
    )
    if type is not None and type.kind == "f" and not isinstance(node.slice, ast.Tuple):
        error.code = ctx.code_for("float index", node.slice)
    raise error


def _subview(ctx: Context, view: n.Var, axes: Sequence[n.Atom | SliceValue | None], node: ast.AST) -> n.Var:
    extents = iter(shape(ctx, view, node))
    built: list[n.Atom | n.Slice | None] = []
    for axis in axes:
        if axis is None:
            built.append(None)
            continue
        extent = next(extents)
        built.append(slice_axis(ctx, axis, extent, node) if isinstance(axis, SliceValue) else axis)
    type = view_type(view)
    ndim = sum(1 for axis in built if not isinstance(axis, (n.Var, n.Const)))
    new = View(type.element, ndim, _stays_contiguous(type, built), type.writable)
    return ctx.emit(n.Subview(view, tuple(built)), new, node)


def _stays_contiguous(type: View, axes: Sequence[n.Atom | n.Slice | None]) -> bool:
    """Whether the innermost stride of a subview is the element's size."""
    if all(isinstance(axis, (n.Var, n.Const)) for axis in axes):
        return True
    last = axes[-1]
    return type.contiguous and isinstance(last, n.Slice) and last.step == ONE


def element(ctx: Context, view: n.Var, index: n.Atom, node: ast.AST, bounds: n.Bounds = "python") -> Value:
    """``view[index]`` along the first axis: a scalar, or a view of what is left."""
    type = view_type(view)
    if type.ndim == 1:
        return load_place(ctx, Place(view, (index,), bounds), node)
    rest = [n.Slice(ZERO, extent, ONE) for extent in shape(ctx, view, node)[1:]]
    new = View(type.element, type.ndim - 1, type.contiguous, type.writable)
    return ctx.emit(n.Subview(view, (index, *rest), bounds), new, node)


# ------------------------------------------------------------------------------------------------------ tuples


def _sequence_item(ctx: Context, owner: tuple[Value, ...] | Range, node: ast.Subscript) -> Value:
    index = evaluate(ctx, node.slice)
    if isinstance(owner, Range):
        return _range_item(ctx, owner, as_index(ctx, index, node), node)
    if isinstance(index, SliceValue):
        return owner[_constant_slice(ctx, index, node)]
    position = as_index(ctx, index, node)
    if isinstance(position, n.Const):
        if not -len(owner) <= int(position.value.real) < len(owner):
            hint = "the length of a tuple is known when compiling: use an index below it"
            raise ctx.type_error("tuple index out of range", node, hint=hint, kind=IndexError)
        return owner[int(position.value.real)]
    if len(_types(owner)) != 1:
        fixed.require(ctx, index)
    return _chosen_item(ctx, owner, position, node)


def _range_item(ctx: Context, owner: Range, index: n.Atom, node: ast.Subscript) -> Value:
    length = arithmetic(ctx, "max", iteration.range_length(ctx, owner, node), ZERO, node)
    place = inlining.call_function(ctx, typed(FunctionType, library.place_in_range), [index, length], {}, node)
    return iteration.range_item(ctx, owner, typed(n.Atom, place), node)


def _types(items: tuple[Value, ...]) -> set[Scalar | None]:
    return {scalar_type(item) for item in items}


def _constant_slice(ctx: Context, value: SliceValue, node: ast.AST) -> slice:
    parts = (value.start, value.stop, value.step)
    if any(isinstance(part, n.Var) for part in parts):
        raise ctx.type_error("the bounds of a slice of a tuple must be constants", node)
    return slice(*(None if part is None else int(part.value.real) for part in parts if not isinstance(part, n.Var)))


def _chosen_item(ctx: Context, owner: tuple[Value, ...], position: n.Atom, node: ast.AST) -> Value:
    """An item at a position that is known when running: all items must be scalars of one type, or arrays."""
    types = _types(owner)
    if owner and all(map(is_textual, owner)):
        numbers = tuple(texts.number_of(ctx, item, node) for item in owner)
        return text_of(typed(n.Atom, _chosen_item(ctx, numbers, position, node)))
    if owner and all(map(is_view, owner)):
        _check_position(ctx, position, len(owner), node)
        return _chosen_array(ctx, owner, 0, position, node)
    if len(types) != 1 or None in types:
        raise ctx.type_error(
            f"the position in a tuple of {'different types' if types != {None} else describe_value(owner[0]) + 's'} "
            "must be a constant",
            node,
            hint="use an array, or write the positions out",
        )
    _check_position(ctx, position, len(owner), node)
    chosen = owner[-1]
    for k in range(len(owner) - 2, -1, -1):
        chosen = _pick(ctx, position, k, len(owner), owner[k], chosen, node)
    return chosen


def _chosen_array(ctx: Context, owner: tuple[Value, ...], k: int, position: n.Atom, node: ast.AST) -> Value:
    """The array at a position of a tuple, from `k` on; it is inside."""
    if k == len(owner) - 1:
        return owner[k]
    here = _is_at(ctx, position, k, len(owner), node)
    return conditions.choose(
        ctx, here, lambda: owner[k], lambda: _chosen_array(ctx, owner, k + 1, position, node), node
    )


def _is_at(ctx: Context, position: n.Atom, k: int, count: int, node: ast.AST) -> n.Atom:
    first = ctx.emit(n.Compare("eq", position, n.Const(k, PYINT)), PYBOOL, node)
    last = ctx.emit(n.Compare("eq", position, n.Const(k - count, PYINT)), PYBOOL, node)
    return ctx.emit(n.Binary("or", first, last, checked=False), PYBOOL, node)


def _check_position(ctx: Context, position: n.Atom, count: int, node: ast.AST) -> None:
    low = ctx.emit(n.Compare("lt", position, n.Const(-count, PYINT)), PYBOOL, node)
    high = ctx.emit(n.Compare("ge", position, n.Const(count, PYINT)), PYBOOL, node)
    outside = ctx.emit(n.Binary("or", low, high, checked=False), PYBOOL, node)
    location = ctx.location(node)
    fault = n.Raise("IndexError", "tuple index out of range", (), location)
    ctx.append(n.If(outside, n.Block((fault,)), location=location))


def _pick(ctx: Context, position: n.Atom, k: int, count: int, item: Value, other: Value, node: ast.AST) -> n.Atom:
    assert isinstance(item, (n.Var, n.Const)) and isinstance(other, (n.Var, n.Const))
    return ctx.emit(n.Select(_is_at(ctx, position, k, count, node), item, other), item.type, node)


# --------------------------------------------------------------------------------------------- loads and stores


def load_place(ctx: Context, place: Place, node: ast.AST) -> Value:
    """The element at a place: a scalar, or a view of no dimensions where the element is a record."""
    type = view_type(place.view)
    if isinstance(type.element, Record):
        new = View(type.element, 0, True, type.writable)
        return ctx.emit(n.Subview(place.view, place.indices, place.bounds), new, node)
    return ctx.emit(n.Load(place.view, place.indices, place.bounds), type.element, node)


def store(ctx: Context, owner: Value, target: ast.Subscript, value: Value) -> None:
    """``owner[...] = value``; the value was computed before."""
    value = operators.as_scalar(ctx, value, target)
    if isinstance(owner, Instance):
        _store_instance_item(ctx, owner, target, value)
        return
    if isinstance(owner, Flat):
        _store_flat(ctx, owner, target, value)
        return
    if not (isinstance(owner, n.Var) and is_view(owner)):
        raise ctx.refusal("item assignment", target, what=describe_value(owner))
    (value,), items = evaluation.kept(ctx, [value], lambda: _index_items(ctx, target), [target])
    if not view_type(owner).writable:
        assignments.refuse_to_write(ctx, value, target)
        return
    with awaited(ctx, [value]):
        target_part = _part(ctx, owner, items, target)
    if not isinstance(target_part, Place):
        value = array_of_items(ctx, value, owner, target)
    if isinstance(target_part, Place):
        store_place(ctx, target_part, evaluation.consumed(ctx, value, target), target)
    elif isinstance(target_part, Chosen):
        gathers.store(ctx, target_part.view, target_part.items, value, target)
    else:
        assignments.store_slice(ctx, target_part, value, target)


def _store_flat(ctx: Context, owner: Flat, target: ast.Subscript, value: Value) -> None:
    """``a.flat[...] = value``."""
    from weft.frontend.arrays import flat

    (value,), items = evaluation.kept(ctx, [value], lambda: _index_items(ctx, target), [target])
    view = typed(n.Var, owner.view)
    if not view_type(view).writable:
        assignments.refuse_to_write(ctx, value, target)
        return
    flat.store(ctx, owner, items, evaluation.consumed(ctx, value, target), target)


def _store_instance_item(ctx: Context, owner: Instance, target: ast.Subscript, value: Value) -> None:
    """``owner[...] = value`` of an object, by its class's ``__setitem__``."""
    function = objects.method(ctx, owner, "__setitem__")
    if function is None:
        raise ctx.refusal("item assignment", target, what=describe_value(owner))
    calls.call(ctx, function, [evaluate(ctx, target.slice), value], {}, target)


def array_of_items(ctx: Context, value: Value, target: n.Var, node: ast.AST) -> Value:
    """A tuple or list as the array that NumPy makes of it where it is assigned to elements; other values themselves."""
    from weft.frontend.calls import lists_as_arrays
    from weft.frontend.values import lists

    value, element = objects.plain_tuple(value), view_type(target).element
    if not isinstance(element, Scalar):
        return value
    if lists.is_list(value) or lists.is_fixed(value):
        return lists_as_arrays.converted(ctx, value, element, node)
    if not isinstance(value, tuple):
        return value
    if any(isinstance(a, n.Var) and is_view(a) and not assignments.is_other(ctx, target, a) for a in leaves(value)):
        raise ctx.refusal("parts in a tuple", node, what=ast.unparse(node))
    return FUNCTIONS[np.array](ctx, [value], {"dtype": Static(element.dtype)}, node)


def store_place(ctx: Context, place: Place, value: Value, node: ast.Subscript) -> None:
    """Write an element, converted as NumPy does on assignment."""
    type = view_type(place.view)
    value = operators.as_scalar(ctx, value, node)
    location = ctx.location(node)
    if not type.writable:
        ctx.append(n.Raise("ValueError", "assignment destination is read-only", (), location))
        return
    if isinstance(type.element, Record):
        _store_record(ctx, place, value, node)
        return
    if scalar_type(value) is None:
        raise _not_storable(ctx, place, value, node)
    assert isinstance(value, (n.Var, n.Const))
    if place.bounds != "safe" and converting_may_raise(ctx, value, type.element):
        check_indices(ctx, place.view, place.indices, location)
    converted = as_element(ctx, value, type.element, node)
    ctx.append(n.Store(place.view, place.indices, converted, place.bounds, location=location))


def _not_storable(ctx: Context, place: Place, value: Value, node: ast.Subscript) -> Exception:
    if is_view(value):
        return ctx.type_error(
            "setting an array element with a sequence",
            node,
            cause=f"{ast.unparse(node)} is one element, and this is {describe_value(value)}",
            hint="assign to a slice, or choose an element of the array",
        )
    what = with_article(describe_value(value))
    hint = "store numbers: the elements of a tuple one by one, the fields of an object each in an array"
    return ctx.type_error(f"{what} cannot be stored in {describe_value(place.view)}", node, hint=hint)


def _store_record(ctx: Context, place: Place, value: Value, node: ast.Subscript) -> None:
    """``a[i] = b[j]`` of structured arrays: field by field, all read before the first is written."""
    type = view_type(place.view)
    assert isinstance(type.element, Record)
    same = isinstance(value, n.Var) and is_view(value) and view_type(value).element == type.element
    if not same or any(f.shape or isinstance(f.type, Record) for f in type.element.fields):
        raise ctx.refusal("record assignment", node, what=ast.unparse(node))
    assert isinstance(value, n.Var) and same_structure(value, value)
    loaded = [_field_value(ctx, field(ctx, value, f.name, node), node) for f in type.element.fields]
    for entry, atom in zip(type.element.fields, loaded, strict=True):
        view = field(ctx, place.view, entry.name, node)
        store_place(ctx, Place(view, place.indices, place.bounds), atom, node)
