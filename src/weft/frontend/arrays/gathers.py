"""Subscripts that hold arrays: ``a[mask]``, ``a[p]``, ``a[p, 1:]``, read and written."""

from __future__ import annotations

import ast
from collections.abc import Sequence
from dataclasses import replace
from typing import cast as typed

from weft.dataclass import dataclass
from weft.frontend.arrays import assignments, copies, expressions, index_forms, indexing
from weft.frontend.arrays.each import Indices, each_element
from weft.frontend.arrays.extents_of import Extents, awaited, broadcast, extents_of, raise_unless, rank_of, same
from weft.frontend.arrays.nests import Elements, agreeing, allocated, computed, fold, materialised
from weft.frontend.arrays.stored_numbers import as_cast_element
from weft.frontend.values.convert import cast
from weft.frontend.values.scope import Builder, Context, view_type
from weft.frontend.values.values import ONE, ZERO, ArrayExpression, SliceValue, Static, Value, is_none, scalar_type
from weft.ir import nodes as n
from weft.ir.types import BOOL, INT64, PYBOOL, PYINT, UINT64, Record, Scalar


def is_mask(ctx: Context, value: Value, node: ast.AST) -> bool:
    """Whether an item of a subscript is an array of Booleans."""
    return expressions.is_array(value) and expressions.element_of_array(ctx, value, node) == BOOL


def load(ctx: Context, view: n.Var, items: Sequence[Value], node: ast.Subscript) -> Value:
    """``view[items]``, of which at least one is an array: a new array."""
    if _has_only_mask(ctx, view, items, node):
        return _compressed(ctx, view, _only_mask(ctx, view, items, node), node)
    items = index_forms.positions(ctx, view, items, node)
    selection = _selection(ctx, view, items, node)
    target = gathered(ctx, selection, node)
    _check_unread(ctx, selection, target, node)
    return target


def store(
    ctx: Context, view: n.Var, items: Sequence[Value], value: Value, node: ast.Subscript, loaded: bool = False
) -> None:
    """``view[items] = value``, of which at least one is an array; `loaded`: the elements there were loaded before."""
    if not view_type(view).writable:
        assignments.refuse_to_write(ctx, value, node)
        return
    if _has_only_mask(ctx, view, items, node):
        with awaited(ctx, [value]):
            mask = _only_mask(ctx, view, items, node)
        _store_masked(ctx, view, mask, value, node)
        return
    with awaited(ctx, [value]):
        items = index_forms.positions(ctx, view, items, node)
        selection = _selection(ctx, view, items, node)
    _scatter(ctx, selection, value, loaded, node)


def _has_only_mask(ctx: Context, view: n.Var, items: Sequence[Value], node: ast.AST) -> bool:
    """Whether a mask stands alone, or before whole axes."""
    mask, *rest = items
    whole = all(item is _WHOLE for item in map(_plain, rest))
    return is_mask(ctx, mask, node) and whole and rank_of(mask) + len(rest) <= view_type(view).ndim


# ---------------------------------------------------------------------------------------------------------- masks


def _only_mask(ctx: Context, view: n.Var, items: Sequence[Value], node: ast.Subscript) -> Value:
    """The mask where it stands alone, or before whole axes; its shape is that of the first axes."""
    mask = items[0]
    shape, own = extents_of(ctx, view, node), extents_of(ctx, mask, node)
    for axis, (extent, size) in enumerate(zip(shape, own, strict=False)):
        if not same(ctx, extent, size):
            equal = ctx.emit(n.Compare("eq", extent, size), PYBOOL, node, "shapes_agree")
            empty = ctx.emit(n.Compare("eq", size, ZERO), PYBOOL, node)  # as NumPy, which takes these for all sizes
            fits = ctx.emit(n.Binary("or", equal, empty, checked=False), PYBOOL, node)
            message = (
                f"boolean index did not match indexed array along axis {axis}; size of axis is {{}} but size of "
                "corresponding boolean axis is {}"
            )
            raise_unless(ctx, fits, "IndexError", message, (extent, size), node)
    return materialised(ctx, mask, node) if isinstance(mask, ArrayExpression) and mask.agree else mask


def _plain(item: Value) -> Value:
    whole = isinstance(item, SliceValue) and all(p is None for p in (item.start, item.stop, item.step))
    whole = whole or (isinstance(item, Static) and item.value is Ellipsis)
    return _WHOLE if whole else item


_WHOLE = SliceValue()


def _compressed(ctx: Context, view: n.Var, mask: Value, node: ast.AST) -> Value:
    """The elements where a mask holds, in a new array."""
    own = extents_of(ctx, mask, node)
    rest = extents_of(ctx, view, node)[len(own) :]
    element = view_type(view).element
    if isinstance(element, Record):
        raise ctx.type_error("a mask of a structured array is not supported", node, hint="use a mask on its fields")
    count = counted(ctx, mask, node)
    result = allocated(ctx, (count, *rest), element, node)

    def keep(place: Indices, position: n.Atom) -> None:
        def copy(inner: Indices) -> None:
            atom = ctx.emit(n.Load(view, (*place, *inner), "safe"), element, node)
            ctx.append(n.Store(result, (position, *inner), atom, "safe", location=ctx.location(node)))

        each_element(ctx, rest, copy, node)

    each_chosen(ctx, mask, keep, node)
    return result


def counted(ctx: Context, mask: Value, node: ast.AST) -> n.Atom:
    """How many elements of a mask hold."""
    own = extents_of(ctx, mask, node)
    elements = Elements(ctx, mask, own, node)

    def step(place: Indices, carried: list[n.Atom]) -> list[n.Atom]:
        one = cast(ctx, elements.at(place), PYINT, node)
        return [ctx.emit(n.Binary("add", carried[0], one, checked=False), PYINT, node)]

    (count,) = fold(ctx, own, [ZERO], step, node)
    if isinstance(count, n.Var):
        ctx.nonnegative.add(count.name)
    return count


def each_chosen(ctx: Context, mask: Value, body: object, node: ast.AST) -> None:
    """Loops over the elements of a mask; `body` emits what is done where it holds, given place and rank there."""
    own = extents_of(ctx, mask, node)
    elements = Elements(ctx, mask, own, node)

    def step(place: Indices, carried: list[n.Atom]) -> list[n.Atom]:
        holds = elements.at(place)
        with ctx.block(Builder()) as builder:
            body(place, carried[0])  # type: ignore[operator]
            following = ctx.emit(n.Binary("add", carried[0], ONE, checked=False), PYINT, node)
        result = ctx.names.fresh("fold", PYINT)
        then = n.Block(tuple(builder.statements), (following,))
        ctx.append(n.If(holds, then, n.Block((), (carried[0],)), (result,), ctx.location(node)))
        return [result]

    fold(ctx, own, [ZERO], step, node)


def _store_masked(ctx: Context, view: n.Var, mask: Value, value: Value, node: ast.Subscript) -> None:
    """``view[mask] = value``."""
    own = extents_of(ctx, mask, node)
    rest = extents_of(ctx, view, node)[len(own) :]
    mask = _kept(ctx, view, mask, node)
    if not expressions.is_array(value):
        _store_scalar(ctx, view, mask, value, rest, node)
        return
    element = typed(Scalar, view_type(view).element)
    count = counted(ctx, mask, node)
    given = extents_of(ctx, value, node)
    if len(given) > len(rest) + 1 or (len(given) == 0 and rest):
        raise ctx.refusal("fancy indexing", node, what=ast.unparse(node))
    with awaited(ctx, [value]):
        if not rest:
            _check_count(ctx, given[0], count, node)
    buffer = allocated(ctx, (count, *rest), element, node, "result")
    assignments.assign_to(ctx, buffer, value, node)

    def put(place: Indices, position: n.Atom) -> None:
        def copy(inner: Indices) -> None:
            atom = ctx.emit(n.Load(buffer, (position, *inner)), element, node)
            ctx.append(n.Store(view, (*place, *inner), atom, "safe", location=ctx.location(node)))

        each_element(ctx, rest, copy, node)

    each_chosen(ctx, mask, put, node)


def _kept(ctx: Context, target: n.Var, chosen: Value, node: ast.AST) -> Value:
    """A mask, or positions, that stay as they are while elements of `target` are written."""
    if isinstance(chosen, ArrayExpression):
        return computed(ctx, chosen, node)
    if not expressions.is_array(chosen) or assignments.is_other(ctx, target, typed(n.Var, chosen)):
        return chosen
    return copies.copied(ctx, typed(n.Var, chosen), expressions.element_of_array(ctx, chosen, node), node)


def _check_count(ctx: Context, given: n.Atom, count: n.Atom, node: ast.AST) -> None:
    if given == ONE:
        return
    equal = ctx.emit(n.Compare("eq", given, count), PYBOOL, node, "shapes_agree")
    alone = ctx.emit(n.Compare("eq", given, ONE), PYBOOL, node)
    fits = ctx.emit(n.Binary("or", equal, alone, checked=False), PYBOOL, node)
    message = (
        "NumPy boolean array indexing assignment cannot assign {} input values to the {} output values where the mask "
        "is true"
    )
    raise_unless(ctx, fits, "ValueError", message, (given, count), node)


def _store_scalar(ctx: Context, view: n.Var, mask: Value, value: Value, rest: Extents, node: ast.Subscript) -> None:
    """``view[mask] = number``."""
    element = view_type(view).element
    if isinstance(element, Record) or scalar_type(value) is None:
        raise ctx.refusal("fancy indexing", node, what=ast.unparse(node))
    assert isinstance(value, (n.Var, n.Const))
    atom = as_cast_element(ctx, value, element, node)
    own = extents_of(ctx, mask, node)
    elements = Elements(ctx, mask, own, node)

    def visit(place: Indices) -> None:
        holds = elements.at(place)
        with ctx.block(Builder()) as builder:
            each_element(
                ctx, rest,
                lambda inner: ctx.append(n.Store(view, (*place, *inner), atom, "safe", location=ctx.location(node))),
                node,
            )  # fmt: skip
        ctx.append(n.If(holds, n.Block(tuple(builder.statements)), location=ctx.location(node)))

    each_element(ctx, own, visit, node)


# ------------------------------------------------------------------------------------------------------- positions


@dataclass(frozen=True)
class Selection:
    """What a subscript with arrays of positions selects.

    Attributes
    ----------
    view
        The array, cut by the slices of the subscript.
    arrays
        The arrays and numbers of positions.
    axes
        The axes of `view` that they choose from.
    spanned, agree
        The common shape of the arrays, see `broadcast`.
    front
        Where the axes of `spanned` stand in the result.
    """

    view: n.Var
    arrays: tuple[Value, ...]
    axes: tuple[int, ...]
    spanned: Extents
    agree: tuple[n.Atom, ...]
    front: int

    def place(self, result: Sequence[n.Atom], positions: Sequence[n.Atom]) -> Indices:
        """The position in the array of an element of the result."""
        kept = iter((*result[: self.front], *result[self.front + len(self.spanned) :]))
        chosen = dict(zip(self.axes, positions, strict=True))
        return tuple(chosen[axis] if axis in chosen else next(kept) for axis in range(view_type(self.view).ndim))


def _selection(ctx: Context, view: n.Var, items: Sequence[Value], node: ast.Subscript) -> Selection:
    expanded = _expanded(ctx, view, items, node)
    advanced = [k for k, item in enumerate(expanded) if not is_none(item) and not isinstance(item, SliceValue)]
    for k in advanced:
        _check_integers(ctx, expanded[k], node)
    axes = [SliceValue() if k in advanced else item for k, item in enumerate(expanded)]
    part = indexing._subview(ctx, view, [None if is_none(a) else typed(SliceValue, a) for a in axes], node)
    arrays = tuple(expanded[k] for k in advanced)
    spanned, agree = broadcast(
        ctx, [extents_of(ctx, a, node) for a in arrays if expressions.is_array(a)], node,
        "shape mismatch: indexing arrays could not be broadcast together with shapes ",
    )  # fmt: skip
    for k in advanced:
        if not expressions.is_array(expanded[k]):
            position = cast(ctx, typed(n.Atom, expanded[k]), PYINT, node)
            axis = sum(1 for before in expanded[:k] if not is_none(before))
            _check_inside(ctx, position, axis, extents_of(ctx, view, node)[axis], node)
    together = advanced == list(range(advanced[0], advanced[0] + len(advanced)))
    inner = tuple(flag for a in arrays if isinstance(a, ArrayExpression) for flag in a.agree)
    return Selection(part, arrays, tuple(advanced), spanned, (*inner, *agree), advanced[0] if together else 0)


def _check_integers(ctx: Context, item: Value, node: ast.Subscript) -> None:
    type = expressions.element_of_array(ctx, item, node) if expressions.is_array(item) else scalar_type(item)
    if type is None or type.kind not in "iu":
        raise ctx.refusal("fancy indexing", node, what=ast.unparse(node))


def _expanded(ctx: Context, view: n.Var, items: Sequence[Value], node: ast.AST) -> list[Value]:
    """The items with ``...`` written out, and whole axes at the end."""
    ndim = view_type(view).ndim
    dots = [isinstance(item, Static) and item.value is Ellipsis for item in items]
    used = sum(1 for item, dot in zip(items, dots, strict=True) if not dot and not is_none(item))
    if used > ndim:
        raise ctx.type_error(f"too many indices for array: array is {ndim}-dimensional, but {used} were indexed", node)
    expanded: list[Value] = []
    for item, dot in zip(items, dots, strict=True):
        expanded += [SliceValue()] * (ndim - used) if dot else [item]
    return expanded + [SliceValue()] * (0 if any(dots) else ndim - used)


def _index(ctx: Context, position: n.Atom, node: ast.AST) -> n.Atom:
    """A position from an array as an index: NumPy converts arrays of uint64 to int64, without a test."""
    signed = cast(ctx, position, INT64, node) if position.type == UINT64 else position
    return cast(ctx, signed, PYINT, node)


def gathered(ctx: Context, selection: Selection, node: ast.AST) -> ArrayExpression:
    """The selected elements, as an expression."""
    view, element = selection.view, view_type(selection.view).element
    if isinstance(element, Record):
        raise ctx.type_error("positions of a structured array are not supported", node, hint="use its fields")
    own = extents_of(ctx, view, node)
    rest = [extent for axis, extent in enumerate(own) if axis not in selection.axes]
    extents = (*rest[: selection.front], *selection.spanned, *rest[selection.front :])

    def pick(place: Sequence[n.Atom], positions: Sequence[n.Atom]) -> n.Atom:
        indices = selection.place(place, [_index(ctx, p, node) for p in positions])
        return ctx.emit(n.Load(view, indices), element, node)

    operands = (view, *selection.arrays)
    return ArrayExpression(
        element, extents, operands, lambda atoms: atoms[0], selection.agree, True, pick, False, selection.front,
        selection.spanned,
    )  # fmt: skip


def _unless_empty(ctx: Context, wanted: Extents, given: Extents, builder: Builder, node: ast.AST) -> None:
    """An assignment, but for one of too many dimensions to nothing: NumPy then looks at the last axes alone."""
    extra = len(given) - len(wanted)
    if extra <= 0:
        ctx.splice(builder)
        return
    skipped: n.Atom = n.Const(False, PYBOOL)
    for extent in wanted:
        empty = ctx.emit(n.Compare("eq", extent, ZERO), PYBOOL, node)
        skipped = ctx.emit(n.Binary("or", skipped, empty, checked=False), PYBOOL, node)
    for a, b in zip(wanted, given[extra:], strict=True):
        equal = ctx.emit(n.Compare("eq", a, b), PYBOOL, node)
        skipped = ctx.emit(n.Binary("and", skipped, equal, checked=False), PYBOOL, node)
    otherwise = n.Block(tuple(builder.statements))
    ctx.append(n.If(skipped, n.Block(), otherwise, location=ctx.location(node)))


def _check_unread(ctx: Context, selection: Selection, result: ArrayExpression, node: ast.AST) -> None:
    """Raise for positions outside where the result has no elements although there are positions."""
    last = len(selection.spanned)
    rest = (*result.extents[: selection.front], *result.extents[selection.front + last :])
    extents = [extent for extent in rest if not (isinstance(extent, n.Const) and extent != ZERO)]
    if not extents:
        return
    empty = [ctx.emit(n.Compare("eq", extent, ZERO), PYBOOL, node) for extent in extents]
    some: n.Atom = empty[0]
    for one in empty[1:]:
        some = ctx.emit(n.Binary("or", some, one, checked=False), PYBOOL, node)
    with ctx.block(Builder()) as builder:
        _check_positions(ctx, selection, node)
    ctx.append(n.If(some, n.Block(tuple(builder.statements)), location=ctx.location(node)))


def _check_positions(ctx: Context, selection: Selection, node: ast.AST) -> None:
    """Raise for positions outside, those of one array after the other."""
    own = extents_of(ctx, selection.view, node)

    def emit(spread: bool) -> list[n.Atom]:
        positions = [Elements(ctx, array, selection.spanned, node, spread) for array in selection.arrays]

        def check(place: Indices) -> None:
            for axis, elements in zip(selection.axes, positions, strict=True):
                _check_inside(ctx, _index(ctx, elements.at(place), node), axis, own[axis], node)

        each_element(ctx, selection.spanned, check, node)
        return []

    agreeing(ctx, selection.agree, emit, node)


def _check_inside(ctx: Context, position: n.Atom, axis: int, extent: n.Atom, node: ast.AST) -> None:
    """Raise IndexError unless a position is one of an axis."""
    least = ctx.emit(n.Binary("sub", ZERO, extent, checked=False), PYINT, node)
    from_left = ctx.emit(n.Compare("ge", position, least), PYBOOL, node)
    from_right = ctx.emit(n.Compare("lt", position, extent), PYBOOL, node)
    inside = ctx.emit(n.Binary("and", from_left, from_right, checked=False), PYBOOL, node)
    message = f"index {{}} is out of bounds for axis {axis} with size {{}}"
    raise_unless(ctx, inside, "IndexError", message, (position, extent), node)


def _scatter(ctx: Context, selection: Selection, value: Value, loaded: bool, node: ast.Subscript) -> None:
    """Write to the selected elements in order, so that of several values for one element the last one stays.

    Nothing is written where a position is outside.
    """
    view, target = selection.view, gathered(ctx, selection, node)
    arrays = tuple(_kept(ctx, view, array, node) for array in selection.arrays)
    selection = replace(selection, arrays=arrays)
    element = target.element
    buffer: Value = value
    if expressions.is_array(value):
        buffer = allocated(ctx, target.extents, element, node, "result")
        with ctx.block(Builder()) as builder:
            assignments.assign_to(ctx, buffer, value, node)
        _unless_empty(ctx, target.extents, extents_of(ctx, value, node), builder, node)
    elif scalar_type(value) is not None:
        buffer = as_cast_element(ctx, typed(n.Atom, value), element, node)
    else:
        raise ctx.refusal("fancy indexing", node, what=ast.unparse(node))
    if not loaded:
        _check_positions(ctx, selection, node)

    def emit(spread: bool) -> list[n.Atom]:
        positions = [Elements(ctx, array, selection.spanned, node, spread) for array in selection.arrays]
        source = Elements(ctx, buffer, target.extents, node)

        def put(place: Indices) -> None:
            inner = place[selection.front : selection.front + len(selection.spanned)]
            chosen = [_index(ctx, p.at(inner), node) for p in positions]
            atom = source.at(place)
            indices = selection.place(place, chosen)
            ctx.append(n.Store(selection.view, indices, atom, location=ctx.location(node)))

        each_element(ctx, target.extents, put, node)
        return []

    agreeing(ctx, selection.agree, emit, node)
