"""Attributes of arrays and of scalars."""

from __future__ import annotations

import ast
from collections.abc import Callable, Sequence

from weft.frontend.arrays.sizes import arithmetic
from weft.frontend.calls.library_names import METHODS_OF_LIBRARY
from weft.frontend.several_types import forms, weakness
from weft.frontend.values.convert import python_value
from weft.frontend.values.scope import Context, view_type
from weft.frontend.values.values import ONE, ArrayExpression, Bound, Flat, Static, Value, is_view, type_name
from weft.ir import nodes as n
from weft.ir.semantics import operand_types, result_type
from weft.ir.types import PYBOOL, PYINT, Record, Scalar, View

WHOLE_ARRAY_METHODS = (
    "sum", "mean", "std", "var", "prod", "min", "max", "argmin", "argmax", "all", "any", "cumsum", "cumprod",
    "reshape", "ravel", "flatten", "dot", "clip", "round", "squeeze", "diagonal", "trace", "ptp", "conj", "conjugate",
)  # fmt: skip
ARRAY_METHODS = ("transpose", "swapaxes", "item", "tolist", "copy", "astype", "fill", *WHOLE_ARRAY_METHODS)
SCALAR_METHODS = ("conjugate", "conj", "item", "is_integer")
INTEGER_METHODS = ("bit_length", "bit_count")
"""Of Python's integers."""
NUMPY_SCALAR_METHODS = (
    "copy", "astype", "sum", "mean", "std", "var", "prod", "min", "max", "argmin", "argmax", "all", "any", "round",
    "clip", "tolist",
)  # fmt: skip
NUMPY_SCALAR_ATTRIBUTES: dict[str, Callable[[n.Atom, Scalar], Value]] = {
    "dtype": lambda owner, type: Static(type.dtype), "ndim": lambda owner, type: n.Const(0, PYINT),
    "size": lambda owner, type: ONE, "shape": lambda owner, type: (), "T": lambda owner, type: owner,
}  # fmt: skip
REFUSED_METHODS = frozenset({"view", "resize", "tobytes", "byteswap"})


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
    if name == "flat":
        return Flat(view)
    if name == "T":
        return transposed(ctx, view, tuple(reversed(range(type.ndim))), node)
    if name in ("real", "imag"):
        return _part(ctx, view, name, node)
    constant = _known(type, name)
    if constant is not None:
        return constant
    if name == "nbytes":
        return arithmetic(ctx, "mul", size(ctx, view, node), n.Const(type.element.size, PYINT), node, checked=True)
    if name in ARRAY_METHODS or name in METHODS_OF_LIBRARY:
        return Bound(view, attribute=name)
    if name in REFUSED_METHODS:
        raise ctx.refusal("array method", node, name=name, what=ast.unparse(node.value))
    hint = "compiled code knows shape, ndim, size, dtype, nbytes, T, real and imag, and the methods in the manual"
    raise ctx.type_error(f"arrays have no attribute '{name}' that Weft knows", node, hint=hint)


def of_expression(ctx: Context, owner: ArrayExpression, name: str, node: ast.Attribute) -> Value:
    """``owner.name`` of an expression that is no array yet."""
    from weft.frontend.arrays.nests import materialised

    if name in WHOLE_ARRAY_METHODS or name == "astype":
        return Bound(owner, attribute=name)
    if name == "shape":
        return owner.extents
    return _array_attribute(ctx, materialised(ctx, owner, node), name, node)


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
    if not type.weak and (name in NUMPY_SCALAR_ATTRIBUTES or name in NUMPY_SCALAR_METHODS):
        weakness.require_alike(ctx, owner, lambda other: other if name == "dtype" else other.weak, node)
    if name in NUMPY_SCALAR_ATTRIBUTES and not type.weak:
        return NUMPY_SCALAR_ATTRIBUTES[name](owner, type)
    if name in INTEGER_METHODS and type in (PYINT, PYBOOL):
        return Bound(owner, attribute=name)
    if name in SCALAR_METHODS or (name in NUMPY_SCALAR_METHODS and not type.weak):
        return Bound(owner, attribute=name)
    what, of_arrays = ast.unparse(node.value), name in ("shape", "size", "T", "flat") or name in WHOLE_ARRAY_METHODS
    hint = f"'{what}' is a number here: pass an array" if of_arrays else f"use '{what}' itself, or a function of math"
    if name in ("name", "value"):
        hint = "compiled code keeps only the int of a member of an IntEnum: use Enum, whose members have name and value"
    raise ctx.type_error(f"{type_name(type)} has no attribute '{name}' that Weft knows", node, hint=hint)


def part_of(ctx: Context, owner: n.Atom, name: str, node: ast.AST) -> n.Atom:
    """The real or imaginary part of a scalar."""
    from weft.frontend.values.operators import convert

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
