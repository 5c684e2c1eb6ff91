"""Array expressions: trees of element-wise operations, which become loops where they are assigned or consumed.

``0.25 * (u[1:] + u[:-1])`` is one tree, and one nest of loops without temporaries. The operations on elements are those
of scalars, so that types, conversions and faults are those of NumPy's scalars of the arrays' dtypes.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Sequence
from typing import cast as typed

import numpy as np

from weft.frontend.arrays.extents_of import Extents, awaited, broadcast, compute_awaited, extents_of, rank_of, same
from weft.frontend.arrays.tables import FUNCTIONS
from weft.frontend.several_types import weakness, witnesses
from weft.frontend.several_types.forms import forms_of
from weft.frontend.values import operators
from weft.frontend.values.convert import cast, converted
from weft.frontend.values.scope import SHARED_VIEW, Builder, Context, view_type
from weft.frontend.values.values import ZERO, ArrayExpression, Value, describe_value, scalar_type
from weft.ir import nodes as n
from weft.ir.semantics import operand_types
from weft.ir.types import PYBOOL, PYCOMPLEX, PYFLOAT, PYINT, Record, Scalar, scalar_of

Compute = Callable[[Sequence[n.Atom]], n.Atom]


def is_array(value: Value) -> bool:
    """Whether a value is an array of at least one dimension, or an expression."""
    return isinstance(value, ArrayExpression) or rank_of(value) > 0


def element_of_array(ctx: Context, value: Value, node: ast.AST) -> Scalar:
    """The type of the elements, which must be numbers."""
    if isinstance(value, ArrayExpression):
        return value.element
    assert isinstance(value, n.Var)
    element = view_type(value).element
    if isinstance(element, Record):
        raise ctx.type_error("a structured array is no operand", node, hint="name one of its fields")
    return element


def elementwise(
    ctx: Context, operands: Sequence[Value], compute: Compute, node: ast.AST, faults: bool = False
) -> ArrayExpression:
    """The expression of an operation on elements; at least one operand is an array."""
    given = [_operand(ctx, value, node) for value in operands]
    with awaited(ctx, given):
        shapes = [extents_of(ctx, value, node) for value in given if is_array(value)]
        named = (
            [*shapes, shapes[0]] if isinstance(node, ast.AugAssign) else None
        )  # what NumPy says has the result's too
        extents, agree = broadcast(ctx, shapes, node, expected=named)
    for value in given:
        _raise_unread(ctx, value, extents, node)
    inner = [value for value in given if isinstance(value, ArrayExpression)]
    agree = (*dict.fromkeys((*(flag for value in inner for flag in value.agree), *agree)),)
    element = _element(ctx, given, compute, node)
    faults = faults or any(value.faults for value in inner)
    return ArrayExpression(element, extents, tuple(given), compute, agree, faults)


def _raise_unread(ctx: Context, value: Value, extents: Extents, node: ast.AST) -> None:
    """Compute an operand that may raise where the result has no elements although the operand has some."""
    if not isinstance(value, ArrayExpression) or not value.faults:
        return
    own = value.extents
    wider = [b for a, b in zip(own, extents[len(extents) - len(own) :], strict=True) if not same(ctx, a, b)]
    wider += extents[: len(extents) - len(own)]
    empty = [ctx.emit(n.Compare("eq", extent, ZERO), PYBOOL, node) for extent in wider]
    if not empty:
        return
    nothing: n.Atom = empty[0]
    for one in empty[1:]:
        nothing = ctx.emit(n.Binary("or", nothing, one, checked=False), PYBOOL, node)
    with awaited(ctx, [value]), ctx.block(Builder()) as builder:
        compute_awaited(ctx, node)
    ctx.append(n.If(nothing, n.Block(tuple(builder.statements)), location=ctx.location(node)))


def array_of_items(ctx: Context, value: Value, node: ast.AST) -> Value:
    """The array that NumPy makes of a tuple or a list beside an array; other values as they are."""
    from weft.frontend.values import lists

    if lists.is_list(value):
        return lists.as_array(ctx, value, node)
    return FUNCTIONS[np.array](ctx, [value], {}, node) if isinstance(value, tuple) else value


def _operand(ctx: Context, value: Value, node: ast.AST) -> Value:
    """An operand: an array of numbers, or a scalar that has one type."""
    value = array_of_items(ctx, operators.as_scalar(ctx, value, node), node)
    if is_array(value):
        element_of_array(ctx, value, node)
        return value
    if not isinstance(value, (n.Var, n.Const)) or not isinstance(value.type, Scalar):
        raise ctx.type_error(f"a number or an array is expected, and this is {describe_value(value)}", node)
    ctx.settle(value)
    if forms_of(ctx, value) is not None and not witnesses.insist(ctx, (value,), node):
        ctx.report(weakness.refusal(ctx, (value,), node))
    return value


def of_one_type(ctx: Context, op: str, operands: Sequence[Value], node: ast.AST) -> list[Value]:
    """Operands of `op` of which some are arrays: numbers of several types have one where that changes no result."""
    given = [operators.as_scalar(ctx, value, node) for value in operands]
    if all(forms_of(ctx, typed(n.Atom, value)) is None for value in given):
        return given
    types = tuple(_type_of(ctx, value, node) for value in given)
    return [
        converted(ctx, typed(n.Atom, value), typed(Scalar, types[k]), node)
        if not is_array(value) and weakness.is_alike(ctx, op, types, k, typed(n.Atom, value))
        else value
        for k, value in enumerate(given)
    ]


def _type_of(ctx: Context, value: Value, node: ast.AST) -> Scalar | None:
    """The type of a number or of an array's elements; None for what is no operand."""
    if is_array(value):
        return element_of_array(ctx, value, node)
    return scalar_type(value)


def _element(ctx: Context, operands: Sequence[Value], compute: Compute, node: ast.AST) -> Scalar:
    """The type of an element: that of the operation on variables that are never used."""
    with ctx.block(Builder()):
        atoms = [
            ctx.names.fresh("t", element_of_array(ctx, value, node)) if is_array(value) else typed(n.Atom, value)
            for value in operands
        ]
        return typed(Scalar, compute(atoms).type)


# ------------------------------------------------------------------------------------------------------ operators


def binary(ctx: Context, op: n.BinaryOp, left: Value, right: Value, node: ast.AST) -> Value:
    """``left op right`` of arrays."""
    left, right = of_one_type(ctx, op, (left, right), node)
    left, right = _beside(ctx, op, left, right, node), _beside(ctx, op, right, left, node, right=True)
    if op == "pow":
        return _power(ctx, left, right, node)

    def compute(atoms: Sequence[n.Atom]) -> n.Atom:
        return operators.scalar_binary(ctx, op, atoms[0], atoms[1], node)

    return elementwise(ctx, (left, right), compute, node)


def _beside(ctx: Context, op: str, value: Value, other: Value, node: ast.AST, right: bool = False) -> Value:
    """A Python number beside an array as the type that the operation has, converted once and not for each element."""
    value = operators.as_scalar(ctx, value, node)
    if is_array(value) or not is_array(other) or not isinstance(value, (n.Var, n.Const)):
        return value
    if not isinstance(value.type, Scalar) or not value.type.weak or (op == "pow" and right):
        return value
    beside = element_of_array(ctx, other, node)
    with operators.located(ctx, node):
        if value.type == PYCOMPLEX:
            return cast(ctx, value, scalar_of(np.result_type(beside.dtype, 1j)), node)
        types = (beside, value.type) if right else (value.type, beside)
        form = operand_types(op, *types)[int(right)]
    _operand(ctx, value, node)
    return operators.convert(ctx, value, form, node)


def _power(ctx: Context, base: Value, exponent: Value, node: ast.AST) -> Value:
    """``base ** exponent``, with the short cuts that NumPy takes for an exponent that is a number."""
    if not is_array(exponent) and is_array(base):
        type = element_of_array(ctx, base, node)
        value = _python_number(exponent)
        if value is not None and value == 2 and (type.kind in "fc" or isinstance(value, int)):
            return elementwise(ctx, (base,), lambda atoms: _squared(ctx, atoms[0], node), node)
        if value is not None and type.kind in "fc" and value in (1, 0.5, -1):
            name = {1: "pos", 0.5: "sqrt", -1: "reciprocal"}[value]
            return elementwise(ctx, (base,), lambda atoms: _function(ctx, name, atoms[0], node), node)

    def compute(atoms: Sequence[n.Atom]) -> n.Atom:
        return operators.scalar_binary(ctx, "pow", atoms[0], atoms[1], node)

    return elementwise(ctx, (base, exponent), compute, node, faults=True)


def _python_number(value: Value) -> float | None:
    if isinstance(value, n.Const) and value.type in (PYINT, PYFLOAT) and isinstance(value.value, (int, float)):
        return value.value
    return None


def _squared(ctx: Context, atom: n.Atom, node: ast.AST) -> n.Atom:
    return operators.scalar_binary(ctx, "mul", atom, atom, node)


def _function(ctx: Context, name: str, atom: n.Atom, node: ast.AST) -> n.Atom:
    from weft.frontend.arrays.numpy_table import math_function

    return operators.scalar_unary(ctx, "pos", atom, node) if name == "pos" else math_function(ctx, name, [atom], node)


def unary(ctx: Context, op: n.UnaryOp, value: Value, node: ast.AST) -> Value:
    """``-a``, ``+a``, ``~a`` and ``abs(a)`` of an array."""
    return elementwise(ctx, (value,), lambda atoms: operators.scalar_unary(ctx, op, atoms[0], node), node)


def compare(ctx: Context, op: n.CompareOp, left: Value, right: Value, node: ast.AST) -> Value:
    """A comparison of arrays."""

    def compute(atoms: Sequence[n.Atom]) -> n.Atom:
        return operators.scalar_compare(ctx, op, atoms[0], atoms[1], node, ufunc=True)

    return elementwise(ctx, of_one_type(ctx, op, (left, right), node), compute, node)


def writes_outside(statements: Sequence[n.Statement]) -> bool:
    """Whether statements may write arrays that were there before them."""
    from weft.ir.visit import walk

    block = n.Block(tuple(statements))
    made: dict[str, n.Expression] = {s.var.name: s.value for s in walk(block) if isinstance(s, n.Let)}
    for statement in walk(block):
        if isinstance(statement, (n.Call, n.External)):
            return True
        if isinstance(statement, (n.Store, n.Update)) and not _is_new(statement.view, made):
            return True
    return False


def _is_new(view: n.Var, made: dict[str, n.Expression]) -> bool:
    definition = made.get(view.name)
    if view.stem == SHARED_VIEW:  # it may become a view of an array from before
        return False
    if isinstance(definition, (n.Subview, n.Transpose, n.FieldView, n.Split, n.Merge)):
        return _is_new(definition.view, made)
    return isinstance(definition, n.Alloc)


def is_any_array(values: Sequence[Value]) -> bool:
    """Whether one of some values is an array of at least one dimension, or an expression."""
    return any(map(is_array, values))
