"""Shapes: ``reshape ravel flatten squeeze expand_dims concatenate stack flip roll diff diagonal trace``.

Transposes, slices and new axes are views of the same memory. A reshaped array is a copy here, so it is refused where
NumPy's would be a view that the program could tell from a copy.
"""

from __future__ import annotations

import ast
from collections.abc import Sequence
from typing import cast as typed

import numpy as np

from weft.frontend.arrays import copies, indexing, memory_order
from weft.frontend.arrays.each import each_element
from weft.frontend.arrays.expressions import element_of_array, is_array
from weft.frontend.arrays.extents_of import (
    Extents,
    awaited,
    extents_of,
    raise_unless,
    rank_of,
    require_same,
    same,
    template,
)  # fmt: skip
from weft.frontend.arrays.memory_order import views_to_root
from weft.frontend.arrays.nests import allocated, materialised, stored
from weft.frontend.arrays.sizes import arithmetic, as_index, product
from weft.frontend.values import methods
from weft.frontend.values.convert import cast
from weft.frontend.values.objects import plain_tuple
from weft.frontend.values.scope import Context, view_type
from weft.frontend.values.values import NONE, ONE, ZERO, ArrayExpression, SliceValue, Value, is_none, is_view, leaves
from weft.ir import nodes as n
from weft.ir.types import PYBOOL, PYINT, Scalar, View, scalar_of

Values = list[Value]
Keywords = dict[str, Value]

# ----------------------------------------------------------------------------------------------------- new axes


def as_column(ctx: Context, view: n.Var, node: ast.AST) -> n.Var:
    """A vector with a second axis of extent 1."""
    return indexing._subview(ctx, view, [SliceValue(), None], node)


def squeezed_front(ctx: Context, view: n.Var, count: int, node: ast.AST) -> n.Var:
    """An array without its first axes, whose extents are 1."""
    type = view_type(view)
    axes = [ZERO] * count + [SliceValue()] * (type.ndim - count)
    return indexing._subview(ctx, view, axes, node)


def expand_dims(ctx: Context, value: Value, axis: Value, node: ast.AST) -> Value:
    """``np.expand_dims``."""
    view = materialised(ctx, value, node)
    items = axis if isinstance(axis, tuple) else (axis,)
    rank = rank_of(view) + len(items)
    new = {methods.axis_number(ctx, item, rank, node) for item in items}
    return indexing._subview(ctx, view, [None if k in new else SliceValue() for k in range(rank)], node)


def squeeze(ctx: Context, value: Value, axis: Value, node: ast.AST) -> Value:
    """``np.squeeze``: extents that are not known when compiling are taken not to be 1, unless `axis` says so."""
    view = materialised(ctx, value, node)
    extents, rank = extents_of(ctx, view, node), rank_of(view)
    if is_none(axis):
        gone = {k for k, extent in enumerate(extents) if extent == ONE}
        for k, extent in enumerate(extents):
            if isinstance(extent, n.Var):
                _raise_if_one(ctx, k, extent, node)
    else:
        items = axis if isinstance(axis, tuple) else (axis,)
        gone = {methods.axis_number(ctx, item, rank, node) for item in items}
    message = "cannot select an axis to squeeze out which has size not equal to one"
    for k in gone:
        require_same(ctx, extents[k], ONE, message, [], node)
    if not gone:
        return view
    axes: list[n.Atom | SliceValue | None] = [ZERO if k in gone else SliceValue() for k in range(rank)]
    if len(gone) == rank:
        type = view_type(view)
        new = View(type.element, 0, True, type.writable)
        return ctx.emit(n.Subview(view, (ZERO,) * rank, "safe"), new, node)
    return indexing._subview(ctx, view, axes, node)


def _raise_if_one(ctx: Context, axis: int, extent: n.Atom, node: ast.AST) -> None:
    """Refuse when the program runs that an axis vanishes of which nothing was known: the result has another type."""
    differs = ctx.emit(n.Compare("ne", extent, ONE), PYBOOL, node)
    raise_unless(ctx, differs, "weft.errors:UnsupportedError", _VANISHES.format(axis), [], node)


_VANISHES = (
    "squeeze without an axis removes axis {0}, whose extent 1 was not known when compiling: name the axes that are to "
    "go, as in squeeze(axis={0})"
)

# ------------------------------------------------------------------------------------------------------ reshape


def reshape(ctx: Context, value: Value, shape: Value, node: ast.AST) -> Value:
    """``a.reshape(shape)`` of an array that nothing else refers to, or whose elements are read at once."""
    given = extents_of(ctx, value, node)
    with awaited(ctx, [value]):
        wanted = _wanted(ctx, given, shape, node)
    if len(wanted) == len(given) and all(same(ctx, a, b) for a, b in zip(given, wanted, strict=True)):
        return value
    value = _whole(ctx, value)
    given = extents_of(ctx, value, node)
    is_same = len(given) == 1 or all(same(ctx, a, b) for a, b in zip(given, wanted, strict=False))
    if len(wanted) == len(given) and is_same:
        return value
    return _reshaped(ctx, value, wanted, node)


def _reshaped(ctx: Context, value: Value, wanted: Extents, node: ast.AST) -> Value:
    is_new = not value.shares if isinstance(value, ArrayExpression) else is_unnamed(ctx, typed(n.Var, value))
    array = materialised(ctx, value, node)
    given = extents_of(ctx, array, node)
    element = element_of_array(ctx, array, node)

    def pick(place: Sequence[n.Atom], positions: Sequence[n.Atom]) -> n.Atom:
        flat_position = _position(ctx, place, wanted, node)
        return ctx.emit(n.Load(array, _place(ctx, flat_position, given, node), "safe"), element, node)

    if is_new:
        made = materialised(ctx, ArrayExpression(element, wanted, (array,), _first, pick=pick), node)
        memory_order.note(ctx, made, memory_order.of_all(ctx, (array,)))
        return made
    front, back = _alike(ctx, given, wanted), _alike(ctx, given[::-1], wanted[::-1])
    split = _split_axis(front, given, wanted, back)
    joined = _joined_axes(front, given, wanted, back) if split is None else range(0)
    return ArrayExpression(element, wanted, (array,), _first, pick=pick, shares=True, split=split, joined=joined)


def _whole(ctx: Context, value: Value) -> Value:
    """The array whose elements, in the same order, a view shows of which an axis became several."""
    while isinstance(value, (n.Var, ArrayExpression)):
        if isinstance(value, ArrayExpression) and value.split is not None:
            value = value.operands[0]
        elif isinstance(value, n.Var) and isinstance(definition := ctx.definitions.get(value.name), n.Split):
            value = definition.view
        else:
            break
    return value


def _first(atoms: Sequence[n.Atom]) -> n.Atom:
    return atoms[0]


def _split_axis(front: int, given: Extents, wanted: Extents, back: int) -> tuple[int, Extents] | None:
    """The axis that becomes several where all others stay as they are; None where axes are put together."""
    more = len(wanted) - len(given)
    axis = min(front, len(given) - 1)
    if more <= 0 or not given or axis + 1 + back < len(given):
        return None
    return axis, wanted[axis : axis + more + 1]


def _joined_axes(front: int, given: Extents, wanted: Extents, back: int) -> range:
    """The axes that become others while those before and behind stay as they are."""
    front = min(front, len(wanted) - 1, len(given) - 1)
    back = min(back, len(wanted) - front - 1, len(given) - front - 1)
    return range(front, len(given) - back) if given and wanted else range(0)


def _alike(ctx: Context, first: Extents, second: Extents) -> int:
    """How many extents at the beginning are known to be equal."""
    pairs = enumerate(zip(first, second, strict=False))
    return next((k for k, (a, b) in pairs if not same(ctx, a, b)), min(len(first), len(second)))


def is_unnamed(ctx: Context, view: n.Var) -> bool:
    """Whether an array was just made, and no variable refers to it."""
    from weft.frontend.arrays.assignments import root_of

    *_, root = views = list(views_to_root(ctx, view))
    if not isinstance(ctx.definitions.get(root.name), n.Alloc) or any(v.name in ctx.shared_views for v in views):
        return False
    values = (b.value for b in ctx.environment.bindings.values() if b.value is not None)
    named = (atom for value in values for atom in leaves(value) if isinstance(atom, n.Var) and is_view(atom))
    return all(root_of(ctx, atom) != root for atom in named)


def _wanted(ctx: Context, given: Extents, shape: Value, node: ast.AST) -> Extents:
    """The extents asked for, of which one may be -1."""
    shape = plain_tuple(shape)
    items = shape if isinstance(shape, tuple) else (shape,)
    atoms = [as_index(ctx, item, node) for item in items]
    open_axes = [k for k, atom in enumerate(atoms) if isinstance(atom, n.Const) and int(atom.value.real) < 0]
    if len(open_axes) > 1:
        raise ctx.type_error("can only specify one unknown dimension", node)
    size = product(ctx, given, node)
    rest = product(ctx, [atom for k, atom in enumerate(atoms) if k not in open_axes], node)
    shown = [n.Const(-1, PYINT) if k in open_axes else atom for k, atom in enumerate(atoms)]
    message = f"cannot reshape array of size {{}} into shape {template(tuple(shown))}".replace(",)", ",)")
    if open_axes:
        safe = arithmetic(ctx, "max", rest, ONE, node)
        found = arithmetic(ctx, "floordiv", size, safe, node)
        atoms[open_axes[0]] = found
        whole = ctx.emit(n.Compare("eq", arithmetic(ctx, "mul", found, rest, node), size), PYBOOL, node)
        some = ctx.emit(n.Compare("gt", rest, ZERO), PYBOOL, node)
        fits: n.Atom = ctx.emit(n.Binary("and", whole, some, checked=False), PYBOOL, node)
        raise_unless(ctx, fits, "ValueError", message, [size, *shown], node)
    elif not same(ctx, size, rest):
        fits = ctx.emit(n.Compare("eq", size, rest), PYBOOL, node, "shapes_agree")
        raise_unless(ctx, fits, "ValueError", message, [size, *shown], node)
    ctx.nonnegative.update(atom.name for atom in atoms if isinstance(atom, n.Var))
    return tuple(atoms)


def _position(ctx: Context, place: Sequence[n.Atom], extents: Extents, node: ast.AST) -> n.Atom:
    """The position of an element in C order."""
    position: n.Atom = ZERO
    for index, extent in zip(place, extents, strict=True):
        scaled = position if position == ZERO else arithmetic(ctx, "mul", position, extent, node)
        position = arithmetic(ctx, "add", scaled, index, node)
    return position


def _place(ctx: Context, position: n.Atom, extents: Extents, node: ast.AST) -> tuple[n.Atom, ...]:
    """The indices of the element at a position in C order."""
    place: list[n.Atom] = []
    for extent in reversed(extents[1:]):
        place.append(ctx.emit(n.Binary("mod", position, extent, checked=False), PYINT, node))
        position = ctx.emit(n.Binary("floordiv", position, extent, checked=False), PYINT, node)
    return (position, *reversed(place))


def flat(ctx: Context, view: n.Var, node: ast.AST) -> n.Var:
    """The elements in C order in one dimension, to be read only: the array itself where it has one dimension."""
    if rank_of(view) == 1:
        return view
    return flattened(ctx, view, node)


def flattened(ctx: Context, value: Value, node: ast.AST) -> n.Var:
    """A new array of one dimension with the elements in C order."""
    array = materialised(ctx, value, node)
    given, element = extents_of(ctx, array, node), element_of_array(ctx, array, node)
    result = allocated(ctx, (product(ctx, given, node),), element, node)

    def copy(place: tuple[n.Atom, ...]) -> None:
        atom = ctx.emit(n.Load(array, place, "safe"), element, node)
        at = _position(ctx, place, given, node)
        ctx.append(n.Store(result, (at,), atom, "safe", location=ctx.location(node)))

    each_element(ctx, given, copy, node)
    return result


def ravel(ctx: Context, value: Value, node: ast.AST) -> Value:
    """``a.ravel()``."""
    if rank_of(value) == 0:
        raise ctx.type_error("ravel() of an array without dimensions", node, hint="write np.array([x])")
    value = _whole(ctx, value)
    if rank_of(value) == 1 and (isinstance(value, ArrayExpression) or view_type(typed(n.Var, value)).contiguous):
        return value
    return _reshaped(ctx, value, (product(ctx, extents_of(ctx, value, node), node),), node)


# ------------------------------------------------------------------------------------------------- joining arrays


def concatenate(ctx: Context, parts: Sequence[Value], axis: Value, node: ast.AST, dtype: Scalar | None = None) -> Value:
    """``np.concatenate``."""
    if not parts:
        raise ctx.type_error("need at least one array to concatenate", node)
    if is_none(axis):
        parts = [flattened(ctx, part, node) for part in parts]
        axis = ZERO
    if not all(map(is_array, parts)):
        raise ctx.type_error("zero-dimensional arrays cannot be concatenated", node)
    ranks = {rank_of(part) for part in parts}
    if len(ranks) > 1:
        raise ctx.type_error("all the input array dimensions must match in number", node)
    (rank,) = ranks
    position = methods.axis_number(ctx, axis, rank, node)
    shapes = [extents_of(ctx, part, node) for part in parts]
    with awaited(ctx, parts):
        _check_parts(ctx, shapes, position, node)
    total: n.Atom = ZERO
    starts = []
    for shape in shapes:
        starts.append(total)
        total = arithmetic(ctx, "add", total, shape[position], node)
    dtypes = [element_of_array(ctx, part, node).dtype for part in parts]
    element = dtype or scalar_of(np.result_type(*dtypes))
    extents = tuple(total if k == position else e for k, e in enumerate(shapes[0]))
    result = allocated(ctx, extents, element, node)
    memory_order.note(ctx, result, memory_order.of_all(ctx, parts))
    for part, shape, start in zip(parts, shapes, starts, strict=True):
        axes = tuple(n.Slice(start if k == position else ZERO, shape[k], ONE) for k in range(rank))
        target = ctx.emit(n.Subview(result, axes), View(element, rank, True), node)
        ctx.extents[target.name] = shape
        whole = (
            part
            if isinstance(part, ArrayExpression)
            else ArrayExpression(element_of_array(ctx, part, node), shape, (part,), lambda atoms: atoms[0])
        )
        stored(ctx, target, whole, shape, lambda atom: copies.converted(ctx, atom, element, node), node)
    return result


def _check_parts(ctx: Context, shapes: Sequence[Extents], axis: int, node: ast.AST) -> None:
    first = shapes[0]
    for number, shape in enumerate(shapes[1:], 1):
        for k, (a, b) in enumerate(zip(first, shape, strict=True)):
            if k != axis:
                text = (
                    "all the input array dimensions except for the concatenation axis must match exactly, but along "
                    f"dimension {k}, the array at index 0 has size {{}} and the array at index {number} has size {{}}"
                )
                require_same(ctx, a, b, text, [a, b], node)


def stack(ctx: Context, parts: Sequence[Value], axis: Value, node: ast.AST) -> Value:
    """``np.stack``, also of scalars."""
    if not parts:
        raise ctx.type_error("need at least one array to stack", node)
    if not all(map(is_array, parts)):
        raise ctx.type_error("np.stack takes arrays", node, hint="write np.array([...]) for numbers")
    shapes = [extents_of(ctx, part, node) for part in parts]
    if len({len(shape) for shape in shapes}) > 1:
        raise ctx.type_error("all input arrays must have the same shape", node)
    with awaited(ctx, parts):
        for shape in shapes[1:]:
            for a, b in zip(shapes[0], shape, strict=True):
                require_same(ctx, a, b, "all input arrays must have the same shape", [], node)
    widened = [expand_dims(ctx, part, axis, node) for part in parts]
    return concatenate(ctx, widened, axis, node)


def vstack(ctx: Context, parts: Sequence[Value], node: ast.AST) -> Value:
    """``np.vstack``."""
    rows = [expand_dims(ctx, part, ZERO, node) if rank_of(part) == 1 else part for part in parts]
    return concatenate(ctx, rows, ZERO, node)


def hstack(ctx: Context, parts: Sequence[Value], node: ast.AST) -> Value:
    """``np.hstack``."""
    return concatenate(ctx, parts, ZERO if parts and rank_of(parts[0]) == 1 else ONE, node)


def column_stack(ctx: Context, parts: Sequence[Value], node: ast.AST) -> Value:
    """``np.column_stack``."""
    columns = [expand_dims(ctx, part, ONE, node) if rank_of(part) == 1 else part for part in parts]
    return concatenate(ctx, columns, ONE, node)


# ------------------------------------------------------------------------------------------------------- others


def flip(ctx: Context, value: Value, axis: Value, node: ast.AST) -> Value:
    """``np.flip``: a view."""
    view = materialised(ctx, value, node)
    rank = rank_of(view)
    items = tuple(n.Const(k, PYINT) for k in range(rank)) if is_none(axis) else axis
    items = items if isinstance(items, tuple) else (items,)
    turned = {methods.axis_number(ctx, item, rank, node) for item in items}
    back = SliceValue(None, None, n.Const(-1, PYINT))
    return indexing._subview(ctx, view, [back if k in turned else SliceValue() for k in range(rank)], node)


def roll(ctx: Context, value: Value, shift: Value, axis: Value, node: ast.AST) -> Value:
    """``np.roll`` along one axis, or of the elements in C order."""
    array = materialised(ctx, value, node)
    if is_none(axis) and rank_of(array) == 0:
        return array
    if is_none(axis) and rank_of(array) > 1:
        moved = roll(ctx, flattened(ctx, array, node), shift, ZERO, node)
        return materialised(ctx, _reshaped(ctx, moved, extents_of(ctx, array, node), node), node)
    if isinstance(shift, tuple) or isinstance(axis, tuple):
        return _rolled_axes(ctx, array, shift, axis, node)
    rank = rank_of(array)
    position = 0 if is_none(axis) else methods.axis_number(ctx, axis, rank, node)
    extents, element = extents_of(ctx, array, node), element_of_array(ctx, array, node)
    extent = extents[position]
    divisor = arithmetic(ctx, "max", extent, ONE, node)
    by = ctx.emit(n.Binary("mod", as_index(ctx, shift, node), divisor), PYINT, node)
    back = arithmetic(ctx, "sub", extent, by, node)

    def pick(place: Sequence[n.Atom], positions: Sequence[n.Atom]) -> n.Atom:
        before = ctx.emit(n.Compare("lt", place[position], by), PYBOOL, node)
        wrapped = arithmetic(ctx, "add", place[position], back, node)
        moved = arithmetic(ctx, "sub", place[position], by, node)
        chosen = ctx.emit(n.Select(before, wrapped, moved), PYINT, node)
        at = (*place[:position], chosen, *place[position + 1 :])
        return ctx.emit(n.Load(array, at, "safe"), element, node)

    return ArrayExpression(element, extents, (array,), lambda atoms: atoms[0], (), True, pick)


def _rolled_axes(ctx: Context, array: n.Var, shift: Value, axis: Value, node: ast.AST) -> Value:
    shifts = shift if isinstance(shift, tuple) else (shift,) * len(typed("tuple[Value, ...]", axis))
    axes = axis if isinstance(axis, tuple) else (axis,) * len(shifts)
    result: Value = array
    for by, along in zip(shifts, axes, strict=True):
        result = roll(ctx, result, by, along, node)
    return result


def diff(ctx: Context, value: Value, axis: Value, node: ast.AST) -> Value:
    """``np.diff`` of first order."""
    from weft.frontend.arrays.expressions import binary, compare

    view = materialised(ctx, value, node)
    rank = rank_of(view)
    position = methods.axis_number(ctx, axis, rank, node)

    def part(cut: SliceValue) -> n.Var:
        return indexing._subview(ctx, view, [cut if k == position else SliceValue() for k in range(rank)], node)

    later, earlier = part(SliceValue(ONE)), part(SliceValue(None, n.Const(-1, PYINT)))
    if element_of_array(ctx, view, node).kind == "b":
        return compare(ctx, "ne", later, earlier, node)
    return binary(ctx, "sub", later, earlier, node)


def diagonal(ctx: Context, value: Value, offset: Value, node: ast.AST) -> Value:
    """The elements of a diagonal of a matrix, as an expression."""
    matrix = materialised(ctx, value, node)
    if rank_of(matrix) != 2:
        raise ctx.type_error("a matrix is expected", node)
    by = as_index(ctx, offset, node)
    right = arithmetic(ctx, "max", by, ZERO, node)
    down = arithmetic(ctx, "max", arithmetic(ctx, "sub", ZERO, by, node), ZERO, node)
    rows, columns = extents_of(ctx, matrix, node)
    length = arithmetic(
        ctx, "min", arithmetic(ctx, "sub", rows, down, node), arithmetic(ctx, "sub", columns, right, node), node
    )
    length = arithmetic(ctx, "max", length, ZERO, node)
    if isinstance(length, n.Var):
        ctx.nonnegative.add(length.name)
    element = element_of_array(ctx, matrix, node)

    def pick(place: Sequence[n.Atom], positions: Sequence[n.Atom]) -> n.Atom:
        at = (arithmetic(ctx, "add", place[0], down, node), arithmetic(ctx, "add", place[0], right, node))
        return ctx.emit(n.Load(matrix, at, "safe"), element, node)

    return ArrayExpression(element, (length,), (matrix,), lambda atoms: atoms[0], (), True, pick, True, read_only=True)


def index_range(ctx: Context, extent: n.Atom, kind: Scalar, node: ast.AST) -> ArrayExpression:
    """``0, 1, 2 ...`` as an expression."""

    def pick(place: Sequence[n.Atom], positions: Sequence[n.Atom]) -> n.Atom:
        return cast(ctx, place[0], kind, node)

    return ArrayExpression(kind, (extent,), (NONE,), lambda atoms: atoms[0], (), False, pick)
