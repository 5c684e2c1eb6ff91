"""Arithmetic on sizes and positions, which are Python integers."""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterable

from weft.frontend.values.convert import cast
from weft.frontend.values.scope import Context
from weft.frontend.values.values import ONE, ZERO, Value, describe_value, scalar_type
from weft.ir import nodes as n
from weft.ir.types import PYBOOL, PYINT, View


def as_index(ctx: Context, value: Value, node: ast.AST) -> n.Atom:
    """An integer where Python asks for one (``__index__``), as ``pyint``; an array of 0 dimensions is its element."""
    if isinstance(value, n.Var) and isinstance(value.type, View) and value.type.ndim == 0:
        value = ctx.emit(n.Load(value, ()), value.type.element, node)
    type = scalar_type(value)
    if type is None or type.kind not in "iu" and type != PYBOOL:
        error = ctx.type_error(
            f"{describe_value(value)} cannot be interpreted as an integer",
            node,
            hint="an integer is wanted here: write int(...) around a float",
        )
        part = _the_float(node) if type is not None and type.kind == "f" else None
        error.code = ctx.code_for("float index", part) if part is not None else None
        raise error
    assert isinstance(value, (n.Var, n.Const))
    converted = cast(ctx, value, PYINT, node)
    if ctx.is_nonnegative(value) and isinstance(converted, n.Var):
        ctx.nonnegative.add(converted.name)
    return converted


def _the_float(node: ast.AST) -> ast.expr | None:
    """The expression to convert: the only argument of a call such as ``range(x)``, or the expression itself."""
    if isinstance(node, ast.Call):
        only = node.args[0] if len(node.args) == 1 and not node.keywords else None
        return None if isinstance(only, (ast.Tuple, ast.List)) else only
    return node if isinstance(node, ast.expr) else None


def arithmetic(ctx: Context, op: n.BinaryOp, a: n.Atom, b: n.Atom, node: ast.AST, checked: bool = False) -> n.Atom:
    """Arithmetic on sizes and positions (``pyint``); constants are folded."""
    if isinstance(a, n.Const) and isinstance(b, n.Const) and not (op in ("floordiv", "mod") and b == ZERO):
        return n.Const(_FOLD[op](int(a.value.real), int(b.value.real)), PYINT)
    if (op in ("add", "sub") and b == ZERO) or (op == "mul" and b == ONE):
        return a
    if op == "add" and a == ZERO:
        return b
    result = ctx.emit(n.Binary(op, a, b, checked=checked), PYINT, node)
    if op in ("add", "mul", "floordiv", "mod", "min", "max") and ctx.is_nonnegative(a) and ctx.is_nonnegative(b):
        ctx.nonnegative.add(result.name)
    return result


_FOLD: dict[str, Callable[[int, int], int]] = {
    "add": int.__add__, "sub": int.__sub__, "mul": int.__mul__, "floordiv": int.__floordiv__,
    "mod": int.__mod__, "min": min, "max": max,
}  # fmt: skip


def product(ctx: Context, extents: Iterable[n.Atom], node: ast.AST, checked: bool = False) -> n.Atom:
    """The number of elements of these extents; `checked`: no such array exists yet, so that it may overflow."""
    found: n.Atom = ONE
    for extent in extents:
        found = extent if found == ONE else arithmetic(ctx, "mul", found, extent, node, checked=checked)
    return found
