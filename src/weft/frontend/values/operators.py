"""Operators on values of any kind: scalars, tuples, instances of classes that define them."""

from __future__ import annotations

import ast
from collections.abc import Callable, Sequence
from functools import partial
from types import FunctionType
from typing import Any
from typing import cast as typed

import numpy as np

from weft.errors import Error, TypeInferenceError
from weft.frontend.arrays import evaluation, expressions
from weft.frontend.arrays.tables import FUNCTIONS
from weft.frontend.calls import calls, inlining, library
from weft.frontend.control import conditions, infinite
from weft.frontend.several_types import forms, optional, rechecks, unrounded, weakness
from weft.frontend.source import fixed
from weft.frontend.values import (
    enum_members,
    enumerations,
    identity,
    lists,
    low_bits,
    objects,
    references,
    texts,
    wide_integers,
)  # fmt: skip
from weft.frontend.values.convert import cast, cast_constant, numpy_value, python_value
from weft.frontend.values.dispatch import evaluate_lazily, expression
from weft.frontend.values.scope import Context, view_type
from weft.frontend.values.text_model import is_textual
from weft.frontend.values.values import (
    FALSE,
    TRUE,
    ZERO,
    DictView,
    Instance,
    Object,
    Optional,
    Range,
    Static,
    Value,
    describe_value,
    is_none,
    is_view,
    leaves,
    same_object,
    scalar_type,
)
from weft.ir import nodes as n
from weft.ir import values as numbers
from weft.ir.check import comparison
from weft.ir.semantics import operand_types, result_type
from weft.ir.types import PYBOOL, PYINT, Record, Scalar, Type

BINARY: dict[type[ast.operator], n.BinaryOp] = {
    ast.Add: "add", ast.Sub: "sub", ast.Mult: "mul", ast.Div: "truediv", ast.FloorDiv: "floordiv", ast.Mod: "mod",
    ast.Pow: "pow", ast.BitAnd: "and", ast.BitOr: "or", ast.BitXor: "xor", ast.LShift: "shl", ast.RShift: "shr",
}  # fmt: skip
UNARY: dict[type[ast.unaryop], n.UnaryOp] = {ast.USub: "neg", ast.UAdd: "pos", ast.Invert: "invert"}
COMPARE: dict[type[ast.cmpop], n.CompareOp] = {
    ast.Eq: "eq", ast.NotEq: "ne", ast.Lt: "lt", ast.LtE: "le", ast.Gt: "gt", ast.GtE: "ge",
}  # fmt: skip
SYMBOLS: dict[type[ast.AST], str] = {
    ast.Add: "+", ast.Sub: "-", ast.Mult: "*", ast.Div: "/", ast.FloorDiv: "//", ast.Mod: "%", ast.Pow: "**",
    ast.BitAnd: "&", ast.BitOr: "|", ast.BitXor: "^", ast.LShift: "<<", ast.RShift: ">>", ast.MatMult: "@",
    ast.USub: "-", ast.UAdd: "+", ast.Invert: "~", ast.Eq: "==", ast.NotEq: "!=", ast.Lt: "<", ast.LtE: "<=",
    ast.Gt: ">", ast.GtE: ">=",
}  # fmt: skip


@expression(ast.BinOp)
def _binary(ctx: Context, node: ast.expr) -> Value:
    assert isinstance(node, ast.BinOp)
    if _is_list_of_lists(node.left) or _is_list_of_lists(node.right):
        return _beside_lists(ctx, node)

    def in_full() -> Value:
        left, right = evaluation.operands(ctx, (node.left, node.right))
        return binary(ctx, node.op, left, right, node)

    masked = low_bits.low_bits(ctx, node, in_full)
    return in_full() if masked is None else masked


def _is_list_of_lists(node: ast.expr) -> bool:
    return isinstance(node, ast.List) and any(isinstance(item, ast.List) for item in node.elts)


def _item_or_list(ctx: Context, node: ast.expr) -> Value:
    return calls.items_of_list(ctx, typed(ast.List, node)) if _is_list_of_lists(node) else evaluate_lazily(ctx, node)


def _beside_lists(ctx: Context, node: ast.BinOp) -> Value:
    """``a @ [[1, 2], [3, 4]]``: lists that are written out beside an array, which NumPy makes an array of."""
    sides = (node.left, node.right)
    computes = [partial(_item_or_list, ctx, side) for side in sides]
    left, right = evaluation.in_order(ctx, sides, computes)
    if not (expressions.is_array(left) or expressions.is_array(right)):
        raise ctx.refusal("elements of a list", node, what="list")
    return binary(ctx, node.op, left, right, node)


def refuse_views(ctx: Context, values: Sequence[Value], node: ast.AST) -> None:
    """Refuse the keys, values or items of a dict where they would be taken for a tuple."""
    if any(isinstance(value, DictView) for value in values):
        raise ctx.refusal("view of a dict as a tuple", node)


def binary(ctx: Context, op: ast.operator, left: Value, right: Value, node: ast.AST) -> Value:
    """``left op right``."""
    refuse_views(ctx, (left, right), node)
    left, right = optional.operands(ctx, op, SYMBOLS[type(op)], (left, right), node)
    left, right = as_scalar(ctx, left, node), as_scalar(ctx, right, node)
    if expressions.is_array(left) or expressions.is_array(right):
        if isinstance(op, ast.MatMult):
            from weft.frontend.arrays import products

            return products.matmul(ctx, left, right, node)
        return expressions.binary(ctx, BINARY[type(op)], left, right, node)
    if isinstance(op, ast.Mod) and isinstance(left, Static) and isinstance(left.value, str):
        from weft.frontend.calls import messages

        return messages.settled(ctx, messages.percent(ctx, left.value, right, node), node)
    if is_textual(left) or is_textual(right):
        result = texts.binary(ctx, op, left, right, node)
        if result is not None:
            return result
    if isinstance(left, Instance) or isinstance(right, Instance):
        result = objects.binary(ctx, op, left, right, node)
        if result is not None:
            return result
    if _is_number(left) and _is_number(right) and type(op) in BINARY:
        return scalar_binary(ctx, BINARY[type(op)], typed(n.Atom, left), typed(n.Atom, right), node)
    return _on_tuples(ctx, op, left, right, node)


def _is_number(value: Value) -> bool:
    return isinstance(value, (n.Var, n.Const)) and isinstance(value.type, Scalar)


def _on_tuples(ctx: Context, op: ast.operator, left: Value, right: Value, node: ast.AST) -> Value:
    left, right = objects.plain_tuple(left), objects.plain_tuple(right)
    if isinstance(op, ast.Add) and isinstance(left, tuple) and isinstance(right, tuple):
        return left + right
    if isinstance(op, ast.Mult):
        for items, count in ((left, right), (right, left)):
            if isinstance(items, tuple) and isinstance(count, n.Const) and isinstance(count.value, int):
                return items * count.value
            if isinstance(items, tuple):
                fixed.require(ctx, count)
    raise _no_operator(ctx, SYMBOLS[type(op)], (left, right), node)


def _no_operator(ctx: Context, symbol: str, operands: Sequence[Value], node: ast.AST) -> Error:
    names = " and ".join(describe_value(value) for value in operands)
    hint = "operators work on numbers: convert the operands, or choose one of their elements or fields"
    return ctx.type_error(f"unsupported operand type(s) for {symbol}: {names}", node, hint=hint)


# ---------------------------------------------------------------------------------------------------- scalars


def scalar_binary(ctx: Context, op: n.BinaryOp, left: n.Atom, right: n.Atom, node: ast.AST) -> n.Atom:
    """An operator of `Binary` on scalars, with the conversions that Python or NumPy does."""
    types = typed(Scalar, left.type), typed(Scalar, right.type)
    exponent = _exponent(ctx, right) if op == "pow" else None
    if op == "pow" and exponent is None and types in ((PYINT, PYINT), (PYBOOL, PYINT)):
        exponent = _not_negative(ctx, right, node)
    with located(ctx, node):
        wanted = operand_types(op, *types, exponent=exponent)
        result = result_type(op, *types, exponent=exponent)
    if isinstance(left, n.Const) and isinstance(right, n.Const):
        folded = _fold_binary(op, left, right, wanted, result)
        if folded is not None:
            return folded
    plan = weakness.plan(ctx, op, (left, right), node, exponent)
    rechecks.before(ctx, plan)
    left, right = (convert(ctx, atom, form, node) for atom, form in zip((left, right), wanted, strict=True))
    if plan is not None and plan.in_python:
        var = rechecks.in_python(ctx, plan)
    else:
        if op in ("min", "max"):
            unrounded.before_comparison(ctx, (left, right))
        checked = not (ctx.frame.is_small and op in ("add", "sub", "mul"))
        var = ctx.emit(n.Binary(op, left, right, checked), result, node)
    _note_sign(ctx, op, left, right, var)
    if op in ("min", "max"):
        unrounded.inherit(ctx, var, (left, right), ctx.location(node))
    return rechecks.after(ctx, plan, var)


def _exponent(ctx: Context, right: n.Atom) -> int | None:
    """The exponent where its sign is known."""
    if isinstance(right, n.Const) and isinstance(right.value, int):
        return int(right.value)
    return 0 if right.type == PYBOOL or ctx.is_nonnegative(right) else None


def _not_negative(ctx: Context, exponent: n.Atom, node: ast.AST) -> int:
    """Raise when the program runs where the exponent is negative: two integers give a float then."""
    fixed.require(ctx, exponent)
    negative = ctx.emit(n.Compare("lt", exponent, ZERO), PYBOOL, node)
    fault = n.Raise("weft.errors:UnsupportedError", _FLOAT_POWER, (exponent,), ctx.location(node))
    ctx.append(n.If(negative, n.Block((fault,)), location=fault.location))
    return 0


_FLOAT_POWER = (
    "the exponent is {}, and two integers give a float where it is negative: compiled code has one type for both. "
    "Make one side a float, as in 2.0**n or float(x)**n"
)


def _note_sign(ctx: Context, op: n.BinaryOp, left: n.Atom, right: n.Atom, result: n.Var) -> None:
    both = ctx.is_nonnegative(left) and ctx.is_nonnegative(right)
    if result.type == PYINT and ((op in ("add", "mul", "floordiv", "shr", "shl") and both) or (
        op == "mod" and isinstance(right, n.Const) and ctx.is_nonnegative(right)
    )):  # fmt: skip
        ctx.nonnegative.add(result.name)


def _fold_binary(op: str, left: n.Const, right: n.Const, wanted: tuple[Scalar, ...], result: Scalar) -> n.Const | None:
    """The constant result; None where computing it raises, which is left to happen when the program runs.

    Python's integers keep all their digits here, since a constant beyond 64 bits may be on its way into a uint64.
    """
    try:
        if op == "truediv" and wanted[0].weak and not right.value:
            return None
        if wanted[0] == wanted[1] == PYINT and wide_integers.folds(op, int(left.value.real), int(right.value.real)):
            value = numbers.binary_function(op, PYINT, False) if op == "truediv" else _PYTHON[op]
            return n.Const(value(left.value, right.value), result)
        a, b = (cast_constant(atom, form) for atom, form in zip((left, right), wanted, strict=True))
        if a is None or b is None:
            return None
        folded = numbers.evaluate_binary(op, wanted[0], numpy_value(a), numpy_value(b))
        return n.Const(python_value(folded), result)
    except (ArithmeticError, ValueError):
        return None


_PYTHON: dict[str, Callable[[Any, Any], Any]] = {
    "add": lambda a, b: a + b, "sub": lambda a, b: a - b, "mul": lambda a, b: a * b, "floordiv": lambda a, b: a // b,
    "mod": lambda a, b: a % b, "and": lambda a, b: a & b, "or": lambda a, b: a | b, "xor": lambda a, b: a ^ b,
    "shr": lambda a, b: a >> b, "min": min, "max": max, "pow": lambda a, b: a**b, "shl": lambda a, b: a << b,
}  # fmt: skip


def convert(ctx: Context, atom: n.Atom, target: Scalar, node: ast.AST) -> n.Atom:
    """An operand as the type of its operation; a Python integer must fit in 64 bits now."""
    converted = cast(ctx, atom, target, node)
    if isinstance(converted, n.Const) and wide_integers.is_wide(converted):
        raise wide_integers.refuse(converted, ctx.location(node))
    return converted


def check_storable(ctx: Context, value: Value, node: ast.AST) -> None:
    """Refuse a constant beyond 64 bits that would become a variable."""
    for atom in leaves(value):
        if isinstance(atom, n.Const) and atom.type == PYINT and not -(2**63) <= int(atom.value.real) < 2**64:
            convert(ctx, atom, PYINT, node)


class located:  # noqa: N801 - a context manager that reads as a word
    """Gives errors about types the place where they arose."""

    def __init__(self, ctx: Context, node: ast.AST) -> None:
        self.ctx = ctx
        self.node = node

    def __enter__(self) -> None:
        return None

    def __exit__(self, kind: object, error: BaseException | None, trace: object) -> None:
        if isinstance(error, TypeInferenceError) and error.location is None:
            error.location = self.ctx.location(self.node)


def unary(ctx: Context, node: ast.UnaryOp) -> Value:
    """``-x``, ``+x`` and ``~x``."""
    (value,) = optional.operands(ctx, node.op, SYMBOLS[type(node.op)], [evaluate_lazily(ctx, node.operand)], node)
    value = as_scalar(ctx, value, node)
    if isinstance(value, Instance):
        return objects.unary(ctx, node.op, value, node)
    if expressions.is_array(value):
        return expressions.unary(ctx, UNARY[type(node.op)], value, node)
    if not _is_number(value):
        raise _no_operator(ctx, SYMBOLS[type(node.op)], (value,), node)
    return scalar_unary(ctx, UNARY[type(node.op)], typed(n.Atom, value), node)


def scalar_unary(ctx: Context, op: n.UnaryOp, operand: n.Atom, node: ast.AST) -> n.Atom:
    """An operator of `Unary` on a scalar."""
    type = typed(Scalar, operand.type)
    with located(ctx, node):
        (form,) = operand_types(op, type)
        result = result_type(op, type)
    if isinstance(operand, n.Const):
        folded = _fold_unary(op, operand, form, result)
        if folded is not None:
            return folded
    plan = weakness.plan(ctx, op, (operand,), node)
    converted = convert(ctx, operand, form, node)
    if op == "pos":
        return converted
    if plan is not None and plan.in_python:
        var = rechecks.in_python(ctx, plan)
    else:
        var = ctx.emit(n.Unary(op, converted), result, node)
    if op == "abs" and result == PYINT:
        ctx.nonnegative.add(var.name)
    return rechecks.after(ctx, plan, var)


def _fold_unary(op: str, operand: n.Const, form: Scalar, result: Scalar) -> n.Const | None:
    if form == PYINT:
        value = int(operand.value.real)
        return n.Const({"neg": -value, "pos": value, "invert": ~value, "abs": abs(value)}[op], result)
    converted = cast_constant(operand, form)
    if converted is None:
        return None
    try:
        return n.Const(python_value(numbers.evaluate_unary(op, form, numpy_value(converted))), result)
    except (ArithmeticError, ValueError):
        return None


# ------------------------------------------------------------------------------------------------ comparisons


def compare(ctx: Context, op: ast.cmpop, left: Value, right: Value, node: ast.AST) -> Value:
    """One comparison of two values."""
    if isinstance(op, (ast.Is, ast.IsNot)):
        return _identity(ctx, op, left, right, node)
    if isinstance(op, (ast.In, ast.NotIn)):
        if isinstance(left, Optional):
            return _membership_or_none(ctx, op, left, right, node)
        return _membership(ctx, op, left, right, node)
    refuse_views(ctx, (left, right), node)
    if isinstance(left, Optional) or isinstance(right, Optional):
        if isinstance(op, (ast.Eq, ast.NotEq)):
            return _equal_or_none(ctx, op, left, right, node)
        left, right = optional.operands(ctx, op, SYMBOLS[type(op)], (left, right), node)
    left, right = as_scalar(ctx, left, node), as_scalar(ctx, right, node)
    if expressions.is_array(left) or expressions.is_array(right):
        return expressions.compare(ctx, COMPARE[type(op)], left, right, node)
    if is_textual(left) or is_textual(right):
        result = texts.compare(ctx, op, left, right, node)
        if result is not None:
            return result
    if isinstance(left, Instance) or isinstance(right, Instance):
        result = objects.compare(ctx, op, left, right, node)
        if result is not None:
            return result
    if _is_number(left) and _is_number(right):
        return scalar_compare(ctx, COMPARE[type(op)], typed(n.Atom, left), typed(n.Atom, right), node)
    return _compare_structures(ctx, op, left, right, node)


def _equal_or_none(ctx: Context, op: ast.cmpop, left: Value, right: Value, node: ast.AST) -> n.Atom:
    """``==`` and ``!=`` of values of which one may be None, which is equal to None alone."""
    if not isinstance(left, Optional):
        left, right = right, left
    assert isinstance(left, Optional)
    other = right.item if isinstance(right, Optional) else right
    if not is_none(right) and not all(
        isinstance(value, tuple) or _is_number(value) or is_textual(value) for value in (left.item, other)
    ):
        raise optional.refusal(ctx, left, node)
    there, item = left.there, left.item
    if is_none(right):
        found: n.Atom = optional.is_absent(ctx, left, node)
    elif isinstance(right, Optional):
        same = scalar_compare(ctx, "eq", there, right.there, node)
        none = optional.is_absent(ctx, left, node)
        computes = (lambda: none, lambda: equal(ctx, item, other, node))
        found = conditions.short_circuit(
            ctx, True, (lambda: same, lambda: conditions.short_circuit(ctx, False, computes, node)), node
        )
    else:
        found = conditions.short_circuit(ctx, True, (lambda: there, lambda: equal(ctx, item, other, node)), node)
    return found if isinstance(op, ast.Eq) else conditions.negation(ctx, found, node)


def scalar_compare(
    ctx: Context, op: n.CompareOp, left: n.Atom, right: n.Atom, node: ast.AST, ufunc: bool = False
) -> n.Atom:
    """A comparison of numbers, exact for all types; `ufunc`: by NumPy's function, which orders NaNs otherwise."""
    types = typed(Scalar, left.type), typed(Scalar, right.type)
    ordered = op not in ("eq", "ne") and any(type.kind == "c" for type in types)
    with located(ctx, node):
        result = result_type(op, *types)
        if ordered:
            weakness.require_one_type(ctx, op, (left, right), node)
            by_ufunc = ufunc or not comparison.is_of_scalars(*types)
            return comparison.compare_complex(op, left, right, by_ufunc, lambda v, t: ctx.emit(v, t, node))
        if isinstance(left, n.Const) and isinstance(right, n.Const):
            return n.Const(bool(_COMPARE[op](left.value, right.value)), result)
        for decided in (infinite.compared, wide_integers.compared):
            known = decided(op, left, right)
            if known is not None:
                return n.Const(known, result)
        plan = weakness.plan(ctx, op, (left, right), node)
        left, right = (_compared(ctx, a, b, node) for a, b in ((left, right), (right, left)))
        found = comparison.compare(op, left, right, lambda value, type: ctx.emit(value, type, node))
        return rechecks.after(ctx, plan, found) if isinstance(found, n.Var) else found


def _compared(ctx: Context, atom: n.Atom, other: n.Atom, node: ast.AST) -> n.Atom:
    """A constant takes the other's type where it keeps its value, which spares a conversion when running."""
    if not isinstance(atom, n.Const) or isinstance(other, n.Const):
        return atom
    type = typed(Scalar, other.type)
    folded = cast_constant(atom, type) if typed(Scalar, atom.type).weak and type.kind in "iufc" else None
    if folded is not None and folded.value == atom.value and not isinstance(atom.value, bool):
        return atom if _rounds(type, atom.value) else folded
    if folded is not None and type.kind == "f" and not type.weak and wide_integers.is_wide(atom):
        return folded  # NumPy rounds it to the type of its float
    return convert(ctx, atom, typed(Scalar, atom.type), node)


def _rounds(type: Scalar, value: complex) -> bool:
    """Whether NumPy rounds its integers to floats, some of them to others, where it compares them with a constant."""
    exact = not isinstance(value, float) or abs(value) < comparison.EXACT_IN_FLOAT
    return type.kind in "iu" and not type.weak and type.bits == 64 and not exact


_COMPARE = {
    "eq": lambda a, b: a == b, "ne": lambda a, b: a != b, "lt": lambda a, b: a < b, "le": lambda a, b: a <= b,
    "gt": lambda a, b: a > b, "ge": lambda a, b: a >= b,
}  # fmt: skip


def _identity(ctx: Context, op: ast.cmpop, left: Value, right: Value, node: ast.AST) -> n.Atom:
    """``is``: decided when compiling, so only for what is known then."""
    same: bool | None = None
    if isinstance(left, Optional) and is_none(right) or isinstance(right, Optional) and is_none(left):
        there = typed(Optional, left if isinstance(left, Optional) else right).there
        return conditions.negation(ctx, there, node) if isinstance(op, ast.Is) else there
    for value in (left, right):
        if isinstance(value, Optional):
            raise optional.refusal(ctx, value, node)
    if isinstance(left, Static) and isinstance(right, Static):
        same = same_object(left.value, right.value)
    elif isinstance(left, Static) or isinstance(right, Static):
        same = False
    elif is_view(left) and left == right:
        same = True
    elif isinstance(left, Instance) and isinstance(right, Instance):
        return _same_instance(ctx, op, left, right, node)
    elif (_is_bool(left) or _is_bool(right)) and not forms.any_forms(ctx, (left, right)):
        if _is_bool(left) and _is_bool(right):
            return _same_bool(ctx, op, typed(n.Atom, left), typed(n.Atom, right), node)
        same = False
    if same is None:
        raise ctx.refusal("is of values", node, what=ast.unparse(node))
    return TRUE if same == isinstance(op, ast.Is) else FALSE


def _is_bool(value: Value) -> bool:
    return isinstance(value, (n.Var, n.Const)) and value.type == PYBOOL


def _same_bool(ctx: Context, op: ast.cmpop, left: n.Atom, right: n.Atom, node: ast.AST) -> n.Atom:
    """``is`` of Python's bools: there are two of them, so that equal ones are one."""
    found = scalar_compare(ctx, "eq", left, right, node)
    return found if isinstance(op, ast.Is) else conditions.negation(ctx, found, node)


def _same_instance(ctx: Context, op: ast.cmpop, left: Instance, right: Instance, node: ast.AST) -> n.Atom:
    """``is`` of members of enumerations, and of objects whose classes differ."""
    if left.type is not right.type:
        found: n.Atom = FALSE
    elif enum_members.is_member(left):
        found = enumerations.same(ctx, left, right, node)
    elif isinstance(left, Object) and isinstance(right, Object) and left.number == right.number:
        found = TRUE
    elif (one := references.are_one(ctx, left, right, node)) is not None:
        found = one
    else:
        hint = "compare attributes that tell objects apart"
        raise ctx.type_error("it is not known whether these are one object", node, hint=hint)
    return found if isinstance(op, ast.Is) else conditions.negation(ctx, found, node)


def _membership_or_none(ctx: Context, op: ast.cmpop, left: Optional, right: Value, node: ast.AST) -> n.Atom:
    """``x in items`` where x may be None, which is not in items that are never None."""
    items = objects.plain_tuple(right)
    plain = isinstance(items, tuple) and not any(isinstance(item, Optional) or is_none(item) for item in items)
    if not plain and not lists.is_of_numbers_or_texts(ctx, right, node):
        raise optional.refusal(ctx, left, node)
    computes = (lambda: left.there, lambda: _membership(ctx, ast.In(), left.item, right, node))
    found = conditions.short_circuit(ctx, True, computes, node)
    return found if isinstance(op, ast.In) else conditions.negation(ctx, found, node)


def _membership(ctx: Context, op: ast.cmpop, left: Value, right: Value, node: ast.AST) -> n.Atom:
    if is_textual(right):
        found = texts.contains(ctx, left, right, node)
        return found if isinstance(op, ast.In) else conditions.negation(ctx, found, node)
    function = objects.method(ctx, right, "__contains__")
    if function is not None:
        found = conditions.truth(ctx, calls.call(ctx, function, [left], {}, node), node)
        return found if isinstance(op, ast.In) else conditions.negation(ctx, found, node)
    found = cast(ctx, _is_in(ctx, left, right, node), PYBOOL, node)
    return found if isinstance(op, ast.In) else conditions.negation(ctx, found, node)


def _is_in(ctx: Context, left: Value, right: Value, node: ast.AST) -> n.Atom:
    type = scalar_type(left)
    if isinstance(right, Range) and type is not None and type.kind in "iub":
        assert isinstance(left, (n.Var, n.Const))
        given: list[Value] = [cast(ctx, left, PYINT, node), right.start, right.stop, right.step]
        helper = typed(FunctionType, library.is_in_range)
        return conditions.truth(ctx, inlining.call_function(ctx, helper, given, {}, node), node)
    items = objects.plain_tuple(right)
    if is_view(right) and type is not None and view_type(typed(n.Var, right)).ndim > 0:
        found = compare(ctx, ast.Eq(), evaluation.consumed(ctx, right, node), left, node)
        return typed(n.Atom, FUNCTIONS[np.any](ctx, [evaluation.consumed(ctx, found, node)], {}, node))
    if not isinstance(items, tuple):
        raise ctx.refusal("in", node, what=describe_value(right))
    return objects.any_of(ctx, [lambda item=item: identity.equal(ctx, left, item, node) for item in items], node)  # type: ignore[misc]


def equal(ctx: Context, left: Value, right: Value, node: ast.AST) -> n.Atom:
    """The truth of ``left == right``."""
    return conditions.truth(ctx, compare(ctx, ast.Eq(), left, right, node), node)


def _compare_structures(ctx: Context, op: ast.cmpop, left: Value, right: Value, node: ast.AST) -> Value:
    """Comparisons of tuples and of what is known when compiling."""
    left, right = objects.plain_tuple(left), objects.plain_tuple(right)
    if isinstance(left, tuple) and isinstance(right, tuple):
        return objects.compare_items(ctx, op, left, right, node)
    if isinstance(op, (ast.Eq, ast.NotEq)):
        same = isinstance(left, Static) and isinstance(right, Static) and _static_equal(left.value, right.value)
        return TRUE if same == isinstance(op, ast.Eq) else FALSE
    raise _no_operator(ctx, SYMBOLS[type(op)], (left, right), node)


def _static_equal(a: object, b: object) -> bool:
    return same_object(a, b) or bool(isinstance(a, (np.dtype, type)) and isinstance(b, (np.dtype, type)) and a == b)


# ------------------------------------------------------------------------------------------------ whole arrays


def as_scalar(ctx: Context, value: Value, node: ast.AST) -> Value:
    """An array of 0 dimensions as its element; any other value itself."""
    if isinstance(value, n.Var) and is_view(value):
        view = view_type(value)
        if view.ndim == 0 and not isinstance(view.element, Record):
            element: Type = view.element
            return ctx.emit(n.Load(value, ()), element, node)
    return value
