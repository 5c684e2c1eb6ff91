"""``with weft.device("cpu"):`` inside a compiled function: its loops run on that device, see `weft.ir.pins`."""

from __future__ import annotations

import ast
from dataclasses import replace

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
    block = ctx.location(node.body[0])
    end = ctx.location(node)
    pin = Pin(_device(ctx, node), replace(block, end_line=end.end_line, end_column=end.end_column))
    ctx.pins[pin] = None
    execute(ctx, node.body)


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
    if not (isinstance(call, ast.Call) and isinstance(call.func, (ast.Name, ast.Attribute))):
        return False
    callee = evaluate(ctx, call.func)
    value = callee.value if isinstance(callee, Static) else None
    return (getattr(value, "__module__", ""), getattr(value, "__qualname__", "")) == _MARKER
