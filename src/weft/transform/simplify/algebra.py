"""What one expression equals more simply: constants computed, and identities that hold bit for bit.

`simplified` gives an atom, another expression, or the same object where it knows nothing better. Floats: ``x * 1``,
``x / 1``, ``x - 0.0``, and division by a power of two as multiplication. Never ``x + 0.0`` or ``x * 0``.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any, TypeAlias

import numpy as np

from weft.ir import nodes as n
from weft.ir import values as v
from weft.ir.types import PYINT, Scalar, Type

Simplified: TypeAlias = "n.Expression | n.Atom"
Definitions: TypeAlias = Mapping[str, n.Expression]

_FOLDABLE = (n.Unary, n.Binary, n.Compare, n.Cast, n.Math)


def simplified(expression: n.Expression, type: Type, definitions: Definitions) -> Simplified:
    """The simplest equal of an expression that is assigned to a variable of `type`."""
    if isinstance(expression, _FOLDABLE) and isinstance(type, Scalar):
        constant = folded(expression, type)
        if constant is not None:
            return constant
    rule = _RULES.get(expression.__class__)
    return expression if rule is None else rule(expression, type, definitions)


def folded(expression: n.Expression, type: Scalar) -> n.Const | None:
    """The constant that an expression is; None where operands are unknown, it would raise, or it is a NaN."""
    operands = _constant_operands(expression)
    if operands is None:
        return None
    try:
        with np.errstate(all="ignore"):
            result = v.plain(_compute(expression, type, operands))
    except (ArithmeticError, ValueError, TypeError):
        return None
    return n.Const(result, type) if result == result else None


def _constant_operands(expression: n.Expression) -> tuple[n.Const, ...] | None:
    if isinstance(expression, (n.Binary, n.Compare)):
        operands: tuple[n.Atom, ...] = (expression.left, expression.right)
    elif isinstance(expression, n.Math):
        operands = expression.operands
    elif isinstance(expression, (n.Unary, n.Cast)):
        operands = (expression.operand,)
    else:
        return None
    constants = tuple(a for a in operands if isinstance(a, n.Const) and isinstance(a.type, Scalar))
    return constants if len(constants) == len(operands) else None


def _compute(expression: n.Expression, type: Scalar, operands: tuple[n.Const, ...]) -> v.Value:
    kind = operands[0].type
    assert isinstance(kind, Scalar)
    given = [v.constant(c.value, c.type) for c in operands if isinstance(c.type, Scalar)]
    if isinstance(expression, n.Binary):
        return v.binary_function(expression.op, kind, expression.checked)(*given)
    if isinstance(expression, n.Unary):
        return v.unary_function(expression.op, kind, expression.checked)(*given)
    if isinstance(expression, n.Compare):
        return v.compare_function(expression.op, kind)(*given)
    if isinstance(expression, n.Math):
        return v.math_function(expression.name, type, expression.strict)(*given)
    assert isinstance(expression, n.Cast)
    return v.cast_function(kind, type, expression.checked)(*given)


def is_const(atom: n.Atom, value: float) -> bool:
    """Whether an atom is the constant `value`, of any number type; zeros of both signs count as 0."""
    return isinstance(atom, n.Const) and atom.value == value


# ------------------------------------------------------------------------------------------------- binary operators


def _binary(e: n.Binary, type: Type, definitions: Definitions) -> Simplified:
    kind = e.left.type
    if not isinstance(kind, Scalar) or (kind != type and e.op != "truediv"):
        return e
    if kind.kind == "b":
        return _boolean(e, type)
    if kind.kind in "iu":
        return _integer(e, kind, definitions)
    return _floating(e, kind) if kind.kind == "f" else e


def _boolean(e: n.Binary, type: Type) -> Simplified:
    left, right = (e.right, e.left) if isinstance(e.left, n.Const) else (e.left, e.right)
    if e.op in ("and", "or") and left == right:
        return left
    if e.op not in ("and", "or") or not isinstance(right, n.Const):
        return e
    return left if bool(right.value) == (e.op == "and") else n.Const(e.op == "or", type)


_RIGHT_UNIT = {"add": 0, "sub": 0, "mul": 1, "floordiv": 1, "shl": 0, "shr": 0, "or": 0, "xor": 0, "pow": 1}
_LEFT_UNIT = {"add": 0, "mul": 1, "or": 0, "xor": 0}
_RIGHT_ZERO = {"mul": 0, "and": 0, "mod": 1}
_OF_EQUALS = frozenset({"min", "max", "and", "or"})


def _integer(e: n.Binary, kind: Scalar, definitions: Definitions) -> Simplified:
    left, right, op = e.left, e.right, e.op
    before = definitions.get(left.name) if isinstance(left, n.Var) else None
    if op == "max" and is_const(right, 0) and isinstance(before, n.Dim):
        return left
    if isinstance(before, n.Binary) and _undoes(e, before):
        return before.left
    if op in _RIGHT_UNIT and is_const(right, _RIGHT_UNIT[op]):
        return left
    if op in _LEFT_UNIT and is_const(left, _LEFT_UNIT[op]):
        return right
    if op in _RIGHT_ZERO and is_const(right, _RIGHT_ZERO[op]):
        return n.Const(0, kind)
    if op in ("mul", "and") and is_const(left, 0):
        return n.Const(0, kind)
    if left == right and op in _OF_EQUALS:
        return left
    if left == right and op in ("sub", "xor"):
        return n.Const(0, kind)
    if op == "pow" and is_const(right, 2):
        return n.Binary("mul", left, left, e.checked)
    return _known_divisor(e)


def _undoes(e: n.Binary, before: n.Binary) -> bool:
    """Whether a constant is added that was just subtracted, or the other way round. Wrapping undoes itself, too."""
    signs = {"add": 1, "sub": -1}
    if e.checked and not before.checked or e.op not in signs or before.op not in signs:
        return False
    if not isinstance(e.right, n.Const) or not isinstance(before.right, n.Const) or e.right.type != before.right.type:
        return False
    return bool(signs[e.op] * e.right.value + signs[before.op] * before.right.value == 0)


def _known_divisor(e: n.Binary) -> n.Binary:
    """Division by a constant other than 0 cannot raise; by -1 it may overflow."""
    divides = e.op in ("floordiv", "mod", "truediv") and isinstance(e.right, n.Const)
    if e.checked and divides and not is_const(e.right, 0) and not is_const(e.right, -1):
        return replace(e, checked=False)
    return e


def _floating(e: n.Binary, kind: Scalar) -> Simplified:
    left, right, op = e.left, e.right, e.op
    if op in ("mul", "truediv") and is_const(right, 1):
        return left
    if op == "mul" and is_const(left, 1):
        return right
    if isinstance(right, n.Const) and right.value == 0 and op in ("add", "sub"):
        negative = math.copysign(1.0, float(right.value)) < 0  # type: ignore[arg-type]
        return left if negative == (op == "add") else e
    if op == "truediv" and isinstance(right, n.Const) and _is_power_of_two(right.value, kind):
        return n.Binary("mul", left, n.Const(1.0 / float(right.value), kind), False)  # type: ignore[arg-type]
    if op == "pow" and is_const(right, 2) and not kind.weak:
        return n.Binary("mul", left, left, False)
    if op == "pow" and is_const(right, -1) and not kind.weak:
        return n.Binary("truediv", n.Const(1.0, kind), left, False)
    return _known_divisor(e)


def _is_power_of_two(value: Any, kind: Scalar) -> bool:
    """Whether dividing by a value is multiplying by its reciprocal, which then is a normal number of the type."""
    limit = {16: 14, 32: 126, 64: 1022}[kind.bits]
    mantissa, exponent = math.frexp(abs(value))
    return math.isfinite(value) and mantissa == 0.5 and abs(exponent - 1) <= limit


# --------------------------------------------------------------------------------------------------- other operators

_INVERTED: dict[n.CompareOp, n.CompareOp] = {"eq": "ne", "ne": "eq", "lt": "ge", "ge": "lt", "gt": "le", "le": "gt"}


def _unary(e: n.Unary, type: Type, definitions: Definitions) -> Simplified:
    if e.op == "pos" and e.operand.type == type:
        return e.operand
    inner = definitions.get(e.operand.name) if isinstance(e.operand, n.Var) else None
    if e.op == "not" and isinstance(inner, n.Unary) and inner.op == "not" and inner.operand.type == type:
        return inner.operand
    if e.op == "not" and isinstance(inner, n.Compare) and e.operand.type == type and _may_invert(inner):
        return n.Compare(_INVERTED[inner.op], inner.left, inner.right)
    return e


def _may_invert(e: n.Compare) -> bool:
    """With a NaN both ``a < b`` and ``a >= b`` are false."""
    return e.op in ("eq", "ne") or (isinstance(e.left.type, Scalar) and e.left.type.kind in "biu")


def _compare(e: n.Compare, type: Type, definitions: Definitions) -> Simplified:
    kind = e.left.type
    if not isinstance(kind, Scalar) or kind.kind not in "biu":
        return e
    if e.left == e.right:
        return n.Const(e.op in ("eq", "le", "ge"), type)
    if kind.kind == "b" and e.op in ("eq", "ne") and isinstance(e.right, n.Const) and kind == type:
        same = bool(e.right.value) == (e.op == "eq")
        return e.left if same else e if kind.name == "bool" else n.Unary("not", e.left)
    return e


def _select(e: n.Select, type: Type, definitions: Definitions) -> Simplified:
    if isinstance(e.condition, n.Const):
        return e.then if e.condition.value else e.orelse
    if e.then == e.orelse:
        return e.then
    inner = definitions.get(e.condition.name)
    if isinstance(inner, n.Unary) and inner.op == "not" and inner.operand.type == e.condition.type:
        return _select(n.Select(inner.operand, e.orelse, e.then), type, definitions)
    return _boolean_select(e, type) if e.condition.type == type else e


def _boolean_select(e: n.Select, type: Type) -> Simplified:
    if is_const(e.orelse, False):
        return e.condition if is_const(e.then, True) else n.Binary("and", e.condition, e.then, False)
    if is_const(e.then, True):
        return n.Binary("or", e.condition, e.orelse, False)
    return e


def _cast(e: n.Cast, type: Type, definitions: Definitions) -> Simplified:
    if e.operand.type == type:
        return e.operand
    inner = definitions.get(e.operand.name) if isinstance(e.operand, n.Var) else None
    if not isinstance(inner, n.Cast) or not isinstance(type, Scalar):
        return e
    origin, middle = inner.operand.type, e.operand.type
    if not isinstance(origin, Scalar) or not isinstance(middle, Scalar) or not holds(middle, origin):
        return e
    if origin == type:
        return inner.operand
    return n.Cast(inner.operand, e.checked) if type.kind in "fc" and origin.kind in "biu" else e


def holds(wide: Scalar, narrow: Scalar) -> bool:
    """Whether every value of one type is a value of another, exactly."""
    if narrow.kind == "b":
        return True
    if wide.kind in "iu" and narrow.kind in "iu":
        return wide.kind == narrow.kind and wide.bits >= narrow.bits or wide.kind == "i" and wide.bits > narrow.bits
    if wide.kind == "f":
        digits = {16: 11, 32: 24, 64: 53}[wide.bits]
        return wide.bits >= narrow.bits if narrow.kind == "f" else narrow.kind in "iu" and narrow.bits <= digits
    return False


def _dim(e: n.Dim, type: Type, definitions: Definitions) -> Simplified:
    view = definitions.get(e.view.name)
    if isinstance(view, n.Alloc):
        return view.shape[e.axis]
    if isinstance(view, n.Transpose):
        return _dim(n.Dim(view.view, view.permutation[e.axis]), type, definitions)
    if isinstance(view, n.Split):
        place = e.axis - view.axis
        if 0 <= place < len(view.extents):
            return view.extents[place]
        axis = e.axis if place < 0 else e.axis - len(view.extents) + 1
        return _dim(n.Dim(view.view, axis), type, definitions)
    if isinstance(view, n.Subview):
        return _dim_of_subview(view, e, type, definitions)
    return e


def _dim_of_subview(view: n.Subview, e: n.Dim, type: Type, definitions: Definitions) -> Simplified:
    kept = [axis for axis in view.axes if axis is None or isinstance(axis, n.Slice)]
    if e.axis < len(kept):
        axis = kept[e.axis]
        return n.Const(1, PYINT) if axis is None else axis.length
    used = sum(axis is not None for axis in view.axes)
    return _dim(n.Dim(view.view, used + e.axis - len(kept)), type, definitions)


_RULES: dict[type, Callable[[Any, Type, Definitions], Simplified]] = {
    n.Binary: _binary, n.Unary: _unary, n.Compare: _compare, n.Select: _select, n.Cast: _cast, n.Dim: _dim,
}  # fmt: skip
