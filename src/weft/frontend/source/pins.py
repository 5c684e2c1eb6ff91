"""Blocks under ``with``: ``weft.device("cpu")``, where their loops run, and ``np.errstate``, which warnings are given.

For the first see `weft.ir.pins`. Compiled code gives no warnings of floating point, so that blocks of the second kind
run as they are; one that asks for exceptions, or for a function to be called, is refused.
"""

from __future__ import annotations

import ast
from dataclasses import replace
from functools import partial

import numpy as np

from weft.frontend.control.statements import execute
from weft.frontend.values.dispatch import evaluate, statement
from weft.frontend.values.scope import Context
from weft.frontend.values.values import Static
from weft.ir.pins import Pin

DEVICES = ("cpu", "cuda", "opencl")
_MARKER = ("weft.runtime.devices.devices", "device")


@statement(ast.With)
def _with(ctx: Context, node: ast.stmt) -> None:
    assert isinstance(node, ast.With)
    if all(map(partial(_hides_warnings, ctx), node.items)):
        execute(ctx, node.body)
        return
    block = ctx.location(node.body[0])
    end = ctx.location(node)
    pin = Pin(_device(ctx, node), replace(block, end_line=end.end_line, end_column=end.end_column))
    ctx.pins[pin] = None
    execute(ctx, node.body)


def _hides_warnings(ctx: Context, item: ast.withitem) -> bool:
    """Whether a block is one of `np.errstate` that hides warnings, or shows them."""
    call = item.context_expr
    if (
        item.optional_vars is not None
        or not isinstance(call, ast.Call)
        or call.args
        or _callee(ctx, call) is not np.errstate
    ):
        return False
    values = [evaluate(ctx, word.value) for word in call.keywords]
    return all(isinstance(value, Static) and value.value in ("ignore", "warn", None) for value in values)


def _callee(ctx: Context, call: ast.Call) -> object:
    """The function or class that is called, where that is known when compiling."""
    callee = evaluate(ctx, call.func) if isinstance(call.func, (ast.Name, ast.Attribute)) else None
    return callee.value if isinstance(callee, Static) else None


def _device(ctx: Context, node: ast.With) -> str:
    """The device that a block is pinned to."""
    item = node.items[0]
    call = item.context_expr
    if len(node.items) > 1 or item.optional_vars is not None or not _is_device(ctx, call):
        raise ctx.refusal("with", node.items[-1].context_expr)
    assert isinstance(call, ast.Call)
    name = evaluate(ctx, call.args[0]) if len(call.args) == 1 and not call.keywords else None
    if not (isinstance(name, Static) and isinstance(name.value, str)):
        raise ctx.type_error("a block is pinned to one device, whose name is known when compiling", call)
    kind, _, number = name.value.partition(":")
    if kind not in DEVICES or not (number or "0").isdecimal():
        cause = f"a block can be pinned to {', '.join(DEVICES[:-1])} or {DEVICES[-1]}"
        raise ctx.type_error(f"a block of a compiled function cannot run on {name.value!r}", call, cause=cause)
    return kind if int(number or 0) == 0 else name.value


def _is_device(ctx: Context, call: ast.expr) -> bool:
    """Whether an expression is a call of `weft.device`."""
    value = _callee(ctx, call) if isinstance(call, ast.Call) else None
    return (getattr(value, "__module__", ""), getattr(value, "__qualname__", "")) == _MARKER
