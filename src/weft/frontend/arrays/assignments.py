"""Assignment to parts of arrays: ``a[1:-1] = ...``, ``a[mask] = ...``, ``a += b``, ``out=``.

NumPy computes the right side before it writes anything. So the elements go to a new array first, unless it is known
that no element is read after another one was written. The pass `forwarded` leaves the new array out where that can be
proven of the arguments of a call.
"""

from __future__ import annotations

import ast
from typing import cast as typed

import numpy as np

from weft.frontend.arrays import copies, expressions, indexing
from weft.frontend.arrays.extents_of import (
    Extents,
    awaited,
    broadcast,
    extents_of,
    key_of,
    raise_unless,
    same,
    template,
)
from weft.frontend.arrays.memory_order import views_to_root
from weft.frontend.arrays.nests import allocated, stored
from weft.frontend.values.scope import Context, view_type
from weft.frontend.values.values import FALSE, ONE, ArrayExpression, Value, describe_value, is_view, scalar_type
from weft.ir import nodes as n
from weft.ir.types import PYBOOL, Element, Record, Scalar


def assign_to(ctx: Context, target: n.Var, value: Value, node: ast.AST) -> None:
    """Write a number or an array to all elements of a view, broadcast and converted as NumPy does."""
    if not view_type(target).writable:
        refuse_to_write(ctx, value, node)
        return
    if expressions.is_array(value):
        _assign_array(ctx, target, value, node)
        return
    if not isinstance(value, (n.Var, n.Const)) or scalar_type(value) is None:
        raise ctx.type_error(
            f"a {describe_value(value)} cannot be stored in {describe_value(target)}",
            node,
            hint="assign an array or a number",
        )
    copies.fill_elements(ctx, target, value, node)


def refuse_to_write(ctx: Context, value: Value, node: ast.AST) -> None:
    """Raise since an array is read-only; what its new elements raise is raised first."""
    with awaited(ctx, [value]):
        raise_unless(ctx, FALSE, "ValueError", "assignment destination is read-only", (), node)


def _assign_array(ctx: Context, target: n.Var, value: Value, node: ast.AST) -> None:
    element = view_type(target).element
    if isinstance(element, Record):
        raise ctx.refusal("record assignment", node, what=ast.unparse(node))
    given = expressions.element_of_array(ctx, value, node)
    if given.kind == "c" and element.kind not in "cb":
        raise ctx.type_error(
            f"complex numbers cannot be stored in an array of {element}", node, hint="store their .real or .imag"
        )
    with awaited(ctx, [value]):
        value, agree = _fitted(ctx, target, value, node)
    extents = extents_of(ctx, target, node)
    if is_apart(ctx, target, value, extents, node):
        whole = _expression(ctx, value, given, extents, agree)
        stored(ctx, target, whole, extents, lambda atom: copies.converted(ctx, atom, element, node), node)
        return
    own = extents_of(ctx, value, node)
    buffer = allocated(ctx, own, element, node, "result")
    whole = _expression(ctx, value, given, own, value.agree if isinstance(value, ArrayExpression) else ())
    stored(ctx, buffer, whole, own, lambda atom: copies.converted(ctx, atom, element, node), node)
    second = ArrayExpression(element, extents, (buffer,), lambda atoms: atoms[0], agree)
    stored(ctx, target, second, extents, lambda atom: atom, node)


def _expression(
    ctx: Context, value: Value, element: Scalar, extents: Extents, agree: tuple[n.Atom, ...]
) -> ArrayExpression:
    """A value as an expression of a shape."""
    inner = value.agree if isinstance(value, ArrayExpression) else ()
    flags = (*dict.fromkeys((*inner, *agree)),)
    return ArrayExpression(element, extents, (value,), lambda atoms: atoms[0], flags)


def _fitted(ctx: Context, target: n.Var, value: Value, node: ast.AST) -> tuple[Value, tuple[n.Atom, ...]]:
    """A value that can be broadcast to a target, without leading extents of 1, and conditions: it has its shape."""
    wanted, given = extents_of(ctx, target, node), extents_of(ctx, value, node)
    extra = len(given) - len(wanted)
    fits: list[n.Atom] = []
    agree: list[n.Atom] = []
    for axis, extent in enumerate(given):
        if axis < extra:
            if extent != ONE:
                fits.append(ctx.emit(n.Compare("eq", extent, ONE), PYBOOL, node))
            continue
        other = wanted[axis - extra]
        if extent == ONE or same(ctx, extent, other):
            continue
        equal = ctx.emit(n.Compare("eq", extent, other), PYBOOL, node, "shapes_fit")
        alone = ctx.emit(n.Compare("eq", extent, ONE), PYBOOL, node)
        fits.append(ctx.emit(n.Binary("or", equal, alone, checked=False), PYBOOL, node))
        agree.append(equal)
    message = f"could not broadcast input array from shape {template(given)} into shape {template(wanted)}"
    for one in fits:
        raise_unless(ctx, one, "ValueError", message, (*given, *wanted), node)
    if extra > 0:
        from weft.frontend.arrays.nests import materialised
        from weft.frontend.arrays.shapes import squeezed_front

        value = squeezed_front(ctx, materialised(ctx, value, node), extra, node)
    return value, tuple(agree)


# ---------------------------------------------------------------------------------------------------- overlapping


def is_apart(ctx: Context, target: n.Var, value: Value, extents: Extents, node: ast.AST) -> bool:
    """Whether no element that is read was written before: each operand is another array, or the same view.

    The same view of a parameter may show one element several times (a stride of 0, windows that overlap).
    """
    if isinstance(value, ArrayExpression) and value.pick is not None:
        arrays = [operand for operand in value.operands if isinstance(operand, n.Var) and is_view(operand)]
        return not value.faults and all(is_other(ctx, target, array) for array in arrays)
    if isinstance(value, ArrayExpression):
        return not value.faults and all(is_apart(ctx, target, operand, extents, node) for operand in value.operands)
    if not (isinstance(value, n.Var) and is_view(value)):
        return True
    return is_other(ctx, target, value) or (
        isinstance(ctx.definitions.get(root_of(ctx, target).name), n.Alloc)
        and view_key(ctx, target) == view_key(ctx, value)
        and all(same(ctx, a, b) for a, b in zip(extents_of(ctx, value, node), extents, strict=False))
    )


def is_other(ctx: Context, first: n.Var, second: n.Var) -> bool:
    """Whether two arrays are known to share no memory: one was made here, and the other one is not made of it."""
    return all(_is_other_root(ctx, a, b) for a in _roots(ctx, first) for b in _roots(ctx, second))


def _roots(ctx: Context, view: n.Var) -> list[n.Var]:
    """The arrays that a view may be part of: of a copy that may become a view, what it is a copy of, too."""
    *_, root = views = list(views_to_root(ctx, view))
    copies = [ctx.shared_views[v.name] for v in views if v.name in ctx.shared_views]
    bases = [base for one in copies if one.instead is not None for base in one.bases]
    return [root, *(other for base in bases for other in _roots(ctx, base))]


def _is_other_root(ctx: Context, a: n.Var, b: n.Var) -> bool:
    known = {param.var.name for param in ctx.params}
    made = [isinstance(ctx.definitions.get(root.name), n.Alloc) for root in (a, b)]
    if a == b or not any(made):
        return False
    return all(made) or (a if made[1] else b).name in known


def root_of(ctx: Context, view: n.Var) -> n.Var:
    """The array that a view is part of, as far as its definition is known."""
    *_, root = views_to_root(ctx, view)
    return root


def view_key(ctx: Context, view: n.Var) -> object:
    """Equal for views of the same elements in the same order."""
    definition = ctx.definitions.get(view.name)
    if isinstance(definition, n.Subview):
        axes = tuple(_axis_key(ctx, axis) for axis in definition.axes)
        whole = all(axis == ("slice", ("const", 0), ("const", 1)) for axis in axes) and all(
            isinstance(axis, n.Slice) and _is_whole(ctx, definition.view, k, axis)
            for k, axis in enumerate(definition.axes)
        )
        return view_key(ctx, definition.view) if whole else ("part", view_key(ctx, definition.view), axes)
    if isinstance(definition, n.Transpose):
        return ("axes", view_key(ctx, definition.view), definition.permutation)
    if isinstance(definition, n.FieldView):
        return ("field", view_key(ctx, definition.view), definition.name)
    return view.name


def _is_whole(ctx: Context, view: n.Var, axis: int, item: n.Slice) -> bool:
    length = ctx.definitions.get(item.length.name) if isinstance(item.length, n.Var) else None
    return isinstance(length, n.Dim) and length.view == view and length.axis == axis


def _axis_key(ctx: Context, axis: n.Atom | n.Slice | None) -> object:
    if axis is None:
        return None
    if isinstance(axis, n.Slice):
        return ("slice", key_of(ctx, axis.start), key_of(ctx, axis.step))
    return ("index", key_of(ctx, axis))


# ---------------------------------------------------------------------------------------------------- in place


def check_same_kind(ctx: Context, name: str, given: Scalar, target: Scalar, node: ast.AST) -> None:
    """Refuse what NumPy refuses: ``a += 0.5`` of an array of integers."""
    if not np.can_cast(given.dtype, target.dtype, "same_kind"):
        raise ctx.type_error(
            f"Cannot cast ufunc '{name}' output from {given.dtype!r} to {target.dtype!r} with casting rule 'same_kind'",
            node,
            cause=f"the result is {given}, and it is written to an array of {target}",
            hint=f"write a = a ... for a new array, or convert the result with .astype(np.{target})",
        )


def update(ctx: Context, target: n.Var, value: Value, name: str, node: ast.AST) -> None:
    """Write the result of an operation to one of its operands, or to ``out=``."""
    check_update(ctx, extents_of(ctx, target, node), view_type(target).element, value, name, node)
    assign_to(ctx, target, value, node)


def check_update(ctx: Context, wanted: Extents, element: Element, value: Value, name: str, node: ast.AST) -> None:
    """Raise unless the result of an operation can be written to an array of a shape and type."""
    if expressions.is_array(value) and isinstance(element, Scalar):
        check_same_kind(ctx, name, expressions.element_of_array(ctx, value, node), element, node)
    elif isinstance(element, Scalar) and isinstance(value, (n.Var, n.Const)):
        check_same_kind(ctx, name, typed(Scalar, value.type), element, node)
    given = extents_of(ctx, value, node)
    with awaited(ctx, [value]):
        common, _ = broadcast(ctx, [wanted, given], node)
        if len(given) > len(wanted):
            raise_unless(ctx, FALSE, "ValueError", _not_broadcastable(wanted, common), (*wanted, *common), node)
            return
        for own, extent in zip(wanted, common, strict=True):
            if not same(ctx, own, extent):
                message = _not_broadcastable(wanted, common)
                equal = ctx.emit(n.Compare("eq", own, extent), PYBOOL, node, "shapes_agree")
                raise_unless(ctx, equal, "ValueError", message, (*wanted, *common), node)


def _not_broadcastable(wanted: Extents, common: Extents) -> str:
    return (
        f"non-broadcastable output operand with shape {template(wanted)} doesn't match the broadcast shape "
        f"{template(common)}"
    )


def store_slice(ctx: Context, view: n.Var, value: Value, target: ast.Subscript) -> None:
    """``view = value`` for a view that a subscript left of an assignment stands for."""
    if view_type(view).ndim == 0:
        indexing.store_place(ctx, indexing.Place(view, ()), value, target)
        return
    assign_to(ctx, view, value, target)
