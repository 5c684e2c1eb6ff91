"""``np.clip``: a lower and an upper bound, with NumPy's own order of what is equal.

Of equal numbers the first operand is the result (``np.minimum`` gives the second one); complex numbers give the bound.
Python integers beyond the range of an integer's type are no bounds at all.
"""

from __future__ import annotations

import ast
from collections.abc import Iterable
from typing import cast as typed

import numpy as np

from weft.frontend.arrays.numpy_table import math_function
from weft.frontend.arrays.tables import check_arguments, function
from weft.frontend.calls.python_builtins import number
from weft.frontend.values import operators
from weft.frontend.values.convert import cast
from weft.frontend.values.scope import Context
from weft.frontend.values.values import NONE, Value
from weft.ir import nodes as n
from weft.ir.semantics import default_type
from weft.ir.types import BOOL, PYCOMPLEX, PYFLOAT, PYINT, Scalar, scalar_of


@function(np.clip)
def _clip(ctx: Context, arguments: list[Value], keywords: dict[str, Value], node: ast.AST) -> Value:
    given = [*arguments, *(keywords.pop(k) for k in ("a_min", "a_max")[len(arguments) - 1 :] if k in keywords)]
    check_arguments(ctx, given, keywords, range(3, 4), "np.clip", node)
    value = number(ctx, given[0], node)
    type = typed(Scalar, value.type)
    value = cast(ctx, value, default_type(type), node) if type.weak else value
    low = _bound(ctx, value, given[1], "max", node)
    high = _bound(ctx, value, given[2], "min", node)
    if low is None and high is None:
        return value
    if low is None or high is None:
        one: list[Value] = [value, typed(n.Atom, high if low is None else low)]
        return math_function(ctx, "minimum" if low is None else "maximum", one, node)
    form = _common(typed(Scalar, atom.type) for atom in (value, low, high))
    value, low, high = (operators.convert(ctx, atom, form, node) for atom in (value, low, high))
    return _bounded(ctx, "min", _bounded(ctx, "max", value, low, node), high, node)


def _bound(ctx: Context, value: n.Atom, bound: Value, op: n.BinaryOp, node: ast.AST) -> n.Atom | None:
    """A bound inside of the range of the value's type; None where it binds nothing."""
    if bound == NONE:
        return None
    atom, type = number(ctx, bound, node), typed(Scalar, value.type)
    if type.kind not in "iu" or atom.type != PYINT:
        return atom
    lowest = 0 if type.kind == "u" else -(2 ** (type.bits - 1))
    end = lowest if op == "max" else lowest + 2**type.bits - 1
    if isinstance(atom, n.Const):
        beyond = int(atom.value.real) <= end if op == "max" else int(atom.value.real) >= end
        return None if beyond else atom
    if not -(2**63) < end < 2**63 - 1:
        return atom
    return operators.scalar_binary(ctx, op, atom, n.Const(end, PYINT), node)


def _common(types: Iterable[Scalar]) -> Scalar:
    """The type of three numbers together, of which Python's are weak."""
    return scalar_of(np.result_type(*(_WEAK.get(type, type.dtype) for type in types)))


_WEAK: dict[Scalar, int | float | complex] = {PYINT: 0, PYFLOAT: 0.0, PYCOMPLEX: 0j}


def _bounded(ctx: Context, op: str, value: n.Atom, bound: n.Atom, node: ast.AST) -> n.Atom:
    """The larger (``max``) or smaller one of a value and its bound."""
    type = typed(Scalar, value.type)
    if type.kind != "c":
        first, second = (value, bound) if type.kind == "f" and type.bits == 16 else (bound, value)
        name = "maximum" if op == "max" else "minimum"
        return math_function(ctx, name, [first, second], node)
    inside = ctx.emit(n.Compare("gt" if op == "max" else "lt", value, bound), BOOL, node)
    is_nan = ctx.emit(n.Math("isnan", (value,)), BOOL, node)
    kept = ctx.emit(n.Binary("or", inside, is_nan), BOOL, node)
    return ctx.emit(n.Select(kept, value, bound), type, node)
