"""Products: ``@``, ``np.matmul``, ``np.dot``, ``np.vdot``, ``np.inner``, ``np.outer``."""

from __future__ import annotations

import ast
from collections.abc import Sequence
from types import FunctionType
from typing import cast as typed

import numpy as np

from weft.frontend.arrays.assignments import update
from weft.frontend.arrays.expressions import array_of_items, binary, element_of_array, elementwise, is_array
from weft.frontend.arrays.extents_of import awaited, extents_of, rank_of, require_same, template
from weft.frontend.arrays.library import products as library
from weft.frontend.arrays.nests import materialised
from weft.frontend.arrays.numpy_table import math_function
from weft.frontend.arrays.reductions import reduced
from weft.frontend.arrays.shapes import as_column, flat
from weft.frontend.arrays.tables import FUNCTIONS, check_arguments
from weft.frontend.calls import inlining, library_calls
from weft.frontend.several_types import weakness
from weft.frontend.values import methods, operators
from weft.frontend.values.convert import cast
from weft.frontend.values.objects import plain_tuple
from weft.frontend.values.scope import Context
from weft.frontend.values.values import NONE, Static, Value, is_none, scalar_type
from weft.ir import nodes as n
from weft.ir.semantics import default_type
from weft.ir.types import BOOL, FLOAT16, FLOAT32, Scalar, scalar_of

_HELPERS = {
    (2, 2): library.matrix_times_matrix, (2, 1): library.matrix_times_vector, (1, 2): library.vector_times_matrix,
    (3, 3): library.matrices_times_matrices,
}  # fmt: skip


def _operand(ctx: Context, value: Value, node: ast.AST) -> Value:
    """An operand of a product: numbers in tuples and lists are an array, and Python's numbers are NumPy's."""
    value = array_of_items(ctx, operators.as_scalar(ctx, plain_tuple(value), node), node)
    type = None if is_array(value) else scalar_type(value)
    if type is None or not type.weak:
        return value
    weakness.require_alike(ctx, typed(n.Atom, value), default_type, node)
    return cast(ctx, typed(n.Atom, value), default_type(type), node)


def _vector(ctx: Context, value: Value, node: ast.AST) -> n.Var:
    """All elements of an operand in one row; a number is a row of one."""
    value = _operand(ctx, value, node)
    array = value if is_array(value) else FUNCTIONS[np.array](ctx, [(value,)], {}, node)
    return flat(ctx, materialised(ctx, array, node), node)


def matmul(ctx: Context, left: Value, right: Value, node: ast.AST) -> Value:
    """``left @ right``."""
    left, right = (_operand(ctx, value, node) for value in (left, right))
    for value in (left, right):
        if not is_array(value):
            raise ctx.type_error("matmul: an operand is a scalar, and @ takes arrays", node, hint="write *")
    return _product(ctx, left, right, node, _mismatch)


def _mismatch(ctx: Context, left: Value, right: Value, node: ast.AST) -> tuple[str, list[n.Atom]]:
    a, b = (extents_of(ctx, value, node) for value in (left, right))
    text = (
        "matmul: Input operand 1 has a mismatch in its core dimension 0, with gufunc signature "
        "(n?,k),(k,m?)->(n?,m?) (size {} is different from {})"
    )
    return text, [b[max(len(b) - 2, 0)], a[-1]]


def _not_aligned(ctx: Context, left: Value, right: Value, node: ast.AST) -> tuple[str, list[n.Atom]]:
    a, b = (extents_of(ctx, value, node) for value in (left, right))
    axis = max(len(b) - 2, 0)
    text = f"shapes {template(a)} and {template(b)} not aligned: {{}} (dim {len(a) - 1}) != {{}} (dim {axis})"
    return text, [*a, *b, a[-1], b[axis]]


def _product(ctx: Context, left: Value, right: Value, node: ast.AST, mismatch: object) -> Value:
    ranks, kind = (rank_of(left), rank_of(right)), _joint(ctx, left, right, node)
    is_dot = mismatch is not _mismatch
    if (ranks != (1, 1) and ranks not in _HELPERS) or kind == BOOL or (is_dot and max(ranks) > 2):
        return library_calls.call(ctx, "numpy.dot" if is_dot else "numpy.matmul", [left, right], {}, node)
    a, b = (extents_of(ctx, value, node) for value in (left, right))
    text, operands = mismatch(ctx, left, right, node)  # type: ignore[operator]
    with awaited(ctx, [left, right]):
        require_same(ctx, a[-1], b[max(len(b) - 2, 0)], text, operands, node)
        if ranks == (3, 3):
            apart = f"operands could not be broadcast together with shapes {template(a)} {template(b)} "
            require_same(ctx, a[0], b[0], apart, [*a, *b], node)
    if ranks == (1, 1):
        return _inner(ctx, left, right, kind, node)
    arrays: list[Value] = [materialised(ctx, value, node) for value in (left, right)]
    wide = FLOAT32 if kind == FLOAT16 else kind
    types: list[Value] = [Static(type.dtype.type) for type in (kind, wide)]
    return inlining.call_function(ctx, typed(FunctionType, _HELPERS[ranks]), [*arrays, *types], {}, node)


def _joint(ctx: Context, left: Value, right: Value, node: ast.AST) -> Scalar:
    return scalar_of(np.result_type(*(element_of_array(ctx, value, node).dtype for value in (left, right))))


def _inner(ctx: Context, left: Value, right: Value, kind: Scalar, node: ast.AST, conjugate: bool = False) -> Value:
    """The sum of the products of two vectors."""
    if kind == BOOL:
        raise ctx.refusal("array function", node, name="a product of arrays of bool")

    def product(atoms: Sequence[n.Atom]) -> n.Atom:
        first, second = (cast(ctx, atom, kind, node) for atom in atoms)
        first = math_function(ctx, "conjugate", [first], node) if conjugate and kind.kind == "c" else first
        return operators.scalar_binary(ctx, "mul", first, second, node)

    products = elementwise(ctx, (left, right), product, node)
    return reduced(ctx, "sum", products, [], {"dtype": Static(kind.dtype.type)}, node)


def dot(ctx: Context, arguments: list[Value], keywords: dict[str, Value], node: ast.AST) -> Value:
    """``np.dot``."""
    out = keywords.pop("out", NONE)
    check_arguments(ctx, arguments, keywords, range(2, 4), "np.dot", node)
    left, right = (_operand(ctx, value, node) for value in arguments[:2])
    out = arguments[2] if len(arguments) == 3 else out
    if not is_array(left) and not is_array(right):
        return operators.binary(ctx, ast.Mult(), left, right, node)
    if not is_array(left) or not is_array(right):
        result: Value = materialised(ctx, binary(ctx, "mul", left, right, node), node)
    else:
        result = _product(ctx, left, right, node, _not_aligned)
    return _into(ctx, out, result, "dot", node)


def _into(ctx: Context, out: Value, result: Value, name: str, node: ast.AST) -> Value:
    if is_none(out):
        return result
    view = methods.as_view(ctx, out, node)
    update(ctx, view, result, name, node)
    return view


def matmul_function(ctx: Context, arguments: list[Value], keywords: dict[str, Value], node: ast.AST) -> Value:
    """``np.matmul``."""
    out = keywords.pop("out", NONE)
    check_arguments(ctx, arguments, keywords, range(2, 4), "np.matmul", node)
    out = arguments[2] if len(arguments) == 3 else out
    return _into(ctx, out, matmul(ctx, arguments[0], arguments[1], node), "matmul", node)


def vdot(ctx: Context, arguments: list[Value], keywords: dict[str, Value], node: ast.AST) -> Value:
    """``np.vdot``: of all elements; those of the first array are conjugated."""
    check_arguments(ctx, arguments, keywords, range(2, 3), "np.vdot", node)
    left, right = (_vector(ctx, value, node) for value in arguments)
    text = "cannot reshape array of size {} into shape ({},)"
    a, b = (extents_of(ctx, value, node)[0] for value in (left, right))
    require_same(ctx, a, b, text, [b, a], node)
    return _inner(ctx, left, right, _joint(ctx, left, right, node), node, conjugate=True)


def inner(ctx: Context, arguments: list[Value], keywords: dict[str, Value], node: ast.AST) -> Value:
    """``np.inner``."""
    check_arguments(ctx, arguments, keywords, range(2, 3), "np.inner", node)
    left, right = (_operand(ctx, value, node) for value in arguments)
    if not is_array(left) or not is_array(right):
        return dot(ctx, [left, right], {}, node)
    if max(rank_of(left), rank_of(right)) > 2:
        return library_calls.call(ctx, "numpy.inner", [left, right], {}, node)
    if rank_of(right) == 2:
        left = materialised(ctx, left, node)
        right = methods.transpose(ctx, materialised(ctx, right, node), (), node)
    return _product(ctx, left, right, node, _not_aligned)


def outer(ctx: Context, arguments: list[Value], keywords: dict[str, Value], node: ast.AST) -> Value:
    """``np.outer``."""
    out = keywords.pop("out", NONE)
    check_arguments(ctx, arguments, keywords, range(2, 4), "np.outer", node)
    out = arguments[2] if len(arguments) == 3 else out
    left, right = (_vector(ctx, value, node) for value in arguments[:2])
    return _into(ctx, out, binary(ctx, "mul", as_column(ctx, left, node), right, node), "multiply", node)
