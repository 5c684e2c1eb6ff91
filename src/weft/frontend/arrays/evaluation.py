"""When expressions become arrays: operands stay expressions, what has a name or leaves a function is an array."""

from __future__ import annotations

import ast
from collections.abc import Callable, Sequence
from typing import TypeVar

from weft.frontend.arrays import expressions
from weft.frontend.arrays.extents_of import awaited
from weft.frontend.arrays.nests import materialised
from weft.frontend.values.dispatch import evaluate_lazily
from weft.frontend.values.scope import Builder, Context
from weft.frontend.values.values import ArrayExpression, Value

Result = TypeVar("Result")


def consumed(ctx: Context, value: Value, node: ast.AST, stem: str = "t") -> Value:
    """A value that gets a name, or is used where only arrays are: expressions become arrays."""
    if isinstance(value, ArrayExpression):
        return materialised(ctx, value, node, stem)
    return value


def in_order(ctx: Context, nodes: Sequence[ast.expr], computes: Sequence[Callable[[], Value]]) -> list[Value]:
    """Operands evaluated one after the other, those that are expressions left as such.

    Where an operand writes to arrays (by a call), expressions before it are computed before that.
    """
    values: list[Value] = []
    for compute in computes:
        values, value = kept(ctx, values, compute, nodes)
        values.append(value)
    return values


def kept(
    ctx: Context, values: list[Value], compute: Callable[[], Result], nodes: Sequence[ast.AST]
) -> tuple[list[Value], Result]:
    """Values that are there, and what is computed after them.

    Where that writes to arrays, expressions among the values are computed before. Where it raises, they raise first.
    """
    builder, position = ctx.builder, len(ctx.builder.statements)
    with awaited(ctx, values):
        result = compute()
    if any(map(_is_open, values)) and expressions.writes_outside(builder.statements[position:]):
        with ctx.block(Builder()) as early:
            values = [_computed(ctx, v, node) for v, node in zip(values, nodes, strict=False)]
        builder.statements[position:position] = early.statements
        builder.names |= early.names
    return values, result


def _is_open(value: Value) -> bool:
    """Whether a value is an expression, or a tuple that holds one."""
    return any(map(_is_open, value)) if isinstance(value, tuple) else isinstance(value, ArrayExpression)


def _computed(ctx: Context, value: Value, node: ast.AST) -> Value:
    if isinstance(value, tuple):
        return tuple(_computed(ctx, item, node) for item in value)
    return materialised(ctx, value, node) if isinstance(value, ArrayExpression) else value


def operands(ctx: Context, nodes: Sequence[ast.expr]) -> list[Value]:
    """Operands of an operation, see `in_order`."""
    return in_order(ctx, nodes, [lambda node=node: evaluate_lazily(ctx, node) for node in nodes])  # type: ignore[misc]
