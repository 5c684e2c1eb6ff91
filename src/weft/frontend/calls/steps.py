"""Steps in Python that Weft itself needs: they keep no array, and reach none but those that they are given."""

from __future__ import annotations

import ast
from collections.abc import Callable
from typing import cast as typed

from weft.frontend.values.scope import Context
from weft.frontend.values.values import Static, Value, is_view
from weft.ir import nodes as n
from weft.ir.python_calls import BoundStep, Layout, Step
from weft.ir.types import Scalar, View


def step(
    ctx: Context,
    called: Callable[..., object],
    source: str,
    given: tuple[int | Layout, ...],
    operands: tuple[n.Atom, ...],
    returns: Scalar | None,
    node: ast.AST,
    writes: tuple[n.Var, ...] = (),
) -> Value:
    """A call of a function of Python's or of Weft's."""
    if ctx.in_function:
        raise ctx.type_error("an associative function cannot call Python", node)
    for operand in operands:
        ctx.settle(operand)
    types = typed("tuple[Scalar | View, ...]", tuple(operand.type for operand in operands))
    written = tuple(operand in writes for operand in operands)
    made = Step(called.__name__, n.Source("global", source), given, types, written, returns, is_of_library=True)
    label = _label(ctx, BoundStep(made, called))
    views = tuple(operand for operand in operands if isinstance(operand, n.Var) and is_view(operand))
    results = () if returns is None else (ctx.names.fresh("t", returns),)
    ctx.append(n.External(results, label, operands, views, writes, ctx.location(node)))
    return results[0] if results else Static(None)


def _label(ctx: Context, bound: BoundStep) -> str:
    """The name of a step: calls that are alike are one, as in a loop body that is translated again."""
    known = (label for label, other in ctx.externals.items() if isinstance(other, BoundStep) and other == bound)
    label = next(known, f"{bound.function.__name__}.{len(ctx.externals) + 1}")
    ctx.externals[label] = bound
    return label
