"""Arithmetic on sizes and positions, which are Python integers."""

from __future__ import annotations

import ast
from collections.abc import Callable

from weft.frontend.convert import cast
from weft.frontend.scope import Context
from weft.frontend.values import ONE, ZERO, Value, describe_value, scalar_type
from weft.ir import nodes as n
from weft.ir.types import PYBOOL, PYINT, View


def as_index(ctx: Context, value: Value, node: ast.AST) -> n.Atom:
    """An integer where Python asks for one (``__index__``), as ``pyint``; an array of 0 dimensions is its element."""
    if isinstance(value, n.Var) and isinstance(value.type, View) and value.type.ndim == 0:
        value = ctx.emit(n.Load(value, ()), value.type.element, node)
    type = scalar_type(value)
    if type is None or type.kind not in "iu" and type != PYBOOL:
        raise ctx.type_error(f"{describe_value(value)} cannot be interpreted as an integer", node)
    assert isinstance(value, (n.Var, n.Const))
    converted = cast(ctx, value, PYINT, node)
    if ctx.is_nonnegative(value) and isinstance(converted, n.Var):
        ctx.nonnegative.add(converted.name)
    return converted


def arithmetic(ctx: Context, op: n.BinaryOp, a: n.Atom, b: n.Atom, node: ast.AST, checked: bool = False) -> n.Atom:
    """Arithmetic on sizes and positions (``pyint``); constants are folded."""
    if isinstance(a, n.Const) and isinstance(b, n.Const) and not (op == "floordiv" and b == ZERO):
        return n.Const(_FOLD[op](int(a.value.real), int(b.value.real)), PYINT)
    if (op in ("add", "sub") and b == ZERO) or (op == "mul" and b == ONE):
        return a
    if op == "add" and a == ZERO:
        return b
    result = ctx.emit(n.Binary(op, a, b, checked=checked), PYINT, node)
    if op in ("add", "mul", "floordiv", "min", "max") and ctx.is_nonnegative(a) and ctx.is_nonnegative(b):
        ctx.nonnegative.add(result.name)
    return result


_FOLD: dict[str, Callable[[int, int], int]] = {
    "add": int.__add__, "sub": int.__sub__, "mul": int.__mul__, "floordiv": int.__floordiv__, "min": min, "max": max,
}  # fmt: skip
