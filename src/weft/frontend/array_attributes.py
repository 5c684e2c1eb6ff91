"""Attributes of arrays and of scalars."""

from __future__ import annotations

import ast
from collections.abc import Sequence

from weft.frontend import forms, weakness
from weft.frontend.convert import python_value
from weft.frontend.scope import Context, view_type
from weft.frontend.sizes import arithmetic
from weft.frontend.values import ONE, Bound, Static, Value, is_view
from weft.ir import nodes as n
from weft.ir.semantics import operand_types, result_type
from weft.ir.types import PYINT, Record, Scalar, View

ARRAY_METHODS = ("transpose", "swapaxes", "item", "copy", "astype", "fill")
SCALAR_METHODS = ("conjugate", "conj", "item", "is_integer")
NUMPY_SCALAR_METHODS = ("copy", "astype")
WHOLE_ARRAY_METHODS = frozenset({
    "sum", "mean", "std", "var", "prod", "min", "max", "argmin", "argmax", "all", "any", "cumsum", "cumprod",
    "reshape", "ravel", "flatten", "dot", "sort", "argsort", "clip", "round", "repeat", "take", "put",
    "nonzero", "squeeze", "diagonal", "trace", "tolist", "view", "partition", "searchsorted", "ptp", "conj",
    "conjugate",
})  # fmt: skip


def attribute(ctx: Context, owner: n.Atom, name: str, node: ast.Attribute) -> Value:
    """``owner.name`` of an array or scalar."""
    if isinstance(owner, n.Var) and is_view(owner):
        return _array_attribute(ctx, owner, name, node)
    return _scalar_attribute(ctx, owner, name, node)


def _array_attribute(ctx: Context, view: n.Var, name: str, node: ast.Attribute) -> Value:
    type = view_type(view)
    if name == "shape":
        return shape(ctx, view, node)
    if name == "size":
        return size(ctx, view, node)
    if name == "T":
        return transposed(ctx, view, tuple(reversed(range(type.ndim))), node)
    if name in ("real", "imag"):
        return _part(ctx, view, name, node)
    constant = _known(type, name)
    if constant is not None:
        return constant
    if name == "nbytes":
        return arithmetic(ctx, "mul", size(ctx, view, node), n.Const(type.element.size, PYINT), node, checked=True)
    if name in ARRAY_METHODS:
        return Bound(view, attribute=name)
    if name in WHOLE_ARRAY_METHODS:
        raise ctx.refusal("array method", node, name=name, what=ast.unparse(node.value))
    raise ctx.type_error(f"arrays have no attribute '{name}' that Weft knows", node)


def _known(type: View, name: str) -> Value | None:
    """Attributes that the type alone decides."""
    if name == "ndim":
        return n.Const(type.ndim, PYINT)
    if name == "itemsize":
        return n.Const(type.element.size, PYINT)
    if name == "dtype" and isinstance(type.element, Scalar):
        return Static(type.element.dtype)
    return None


def shape(ctx: Context, view: n.Var, node: ast.AST) -> tuple[n.Atom, ...]:
    """The extents of an array."""
    return tuple(ctx.dimension(view, axis, node) for axis in range(view_type(view).ndim))


def size(ctx: Context, view: n.Var, node: ast.AST) -> n.Atom:
    """The number of elements; it cannot overflow, since the array exists."""
    product: n.Atom = ONE
    for extent in shape(ctx, view, node):
        product = arithmetic(ctx, "mul", product, extent, node)
    return product


def transposed(ctx: Context, view: n.Var, permutation: Sequence[int], node: ast.AST) -> Value:
    """The array with its axes in another order."""
    type = view_type(view)
    if tuple(permutation) == tuple(range(type.ndim)):
        return view
    same_last = type.ndim > 0 and permutation[-1] == type.ndim - 1
    new = View(type.element, type.ndim, type.contiguous and same_last, type.writable)
    return ctx.emit(n.Transpose(view, tuple(permutation)), new, node)


def _part(ctx: Context, view: n.Var, name: str, node: ast.AST) -> Value:
    """``.real`` and ``.imag`` of an array: views of its memory."""
    type = view_type(view)
    if not isinstance(type.element, Scalar):
        raise ctx.type_error("a structured array has no real and imaginary parts", node)
    if type.element.kind != "c":
        if name == "real":
            return view
        raise ctx.refusal("imag of real", node)
    part = result_type(name, type.element)
    contiguous = type.ndim == 0
    return ctx.emit(n.FieldView(view, name), View(part, type.ndim, contiguous, type.writable), node)


def field(ctx: Context, view: n.Var, name: str, node: ast.AST) -> n.Var:
    """``a["name"]`` of a structured array."""
    type = view_type(view)
    if not isinstance(type.element, Record):
        raise ctx.type_error(f"only arrays of a structured dtype have fields; this is an array of {type.element}", node)
    try:
        entry = type.element.field(name)
    except KeyError:
        raise ctx.type_error(f"no field of name {name}", node) from None
    ndim = type.ndim + len(entry.shape)
    contiguous = bool(entry.shape) or ndim == 0
    return ctx.emit(n.FieldView(view, name), View(entry.type, ndim, contiguous, type.writable), node)


def _scalar_attribute(ctx: Context, owner: n.Atom, name: str, node: ast.Attribute) -> Value:
    type = owner.type
    assert isinstance(type, Scalar)
    if name in ("real", "imag"):
        return part_of(ctx, owner, name, node)
    if not type.weak and (name in ("dtype", "ndim") or name in NUMPY_SCALAR_METHODS):
        weakness.require_alike(ctx, owner, lambda other: other if name == "dtype" else other.weak, node)
    if name == "dtype" and not type.weak:
        return Static(type.dtype)
    if name == "ndim" and not type.weak:
        return n.Const(0, PYINT)
    if name in SCALAR_METHODS or (name in NUMPY_SCALAR_METHODS and not type.weak):
        return Bound(owner, attribute=name)
    raise ctx.type_error(f"a scalar of type {type} has no attribute '{name}' that Weft knows", node)


def part_of(ctx: Context, owner: n.Atom, name: str, node: ast.AST) -> n.Atom:
    """The real or imaginary part of a scalar."""
    from weft.frontend.operators import convert

    type = owner.type
    assert isinstance(type, Scalar)
    (form,), result = operand_types(name, type), result_type(name, type)
    if isinstance(owner, n.Const):
        return n.Const(python_value(getattr(owner.value, name)), result)
    if type.kind != "c":
        zero = n.Const(0.0 if result.kind == "f" else 0, result)
        return convert(ctx, owner, result, node) if name == "real" else zero
    part = ctx.emit(n.Math(name, (convert(ctx, owner, form, node),)), result, node)
    known = forms.forms_of(ctx, owner)
    others = () if known is None else (result_type(name, form.type) for form in known.others)
    forms.set_forms(ctx, part, dict.fromkeys((other for other in others if other != result), None))
    return part
