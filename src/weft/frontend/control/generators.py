"""Generators: their body is inlined where a loop runs over them, and what that loop does stands where they yield."""

from __future__ import annotations

import ast
from collections.abc import Callable, Sequence
from typing import TypeAlias

from weft.frontend.calls import inlining
from weft.frontend.control import targets
from weft.frontend.control.liveness import assigned, own_nodes
from weft.frontend.values.dispatch import evaluate, expression
from weft.frontend.values.scope import Context
from weft.frontend.values.values import NONE, Generated, Value

Run: TypeAlias = Callable[[Context, Sequence[ast.stmt]], None]

_LOOPS = (ast.For, ast.While)


def run_over(ctx: Context, node: ast.For, generated: Generated, run: Run) -> None:
    """A ``for`` loop over a generator."""
    if ctx.tries or ctx.frame.stops or ctx.in_function or node.orelse or any(map(_jumps, node.body)):
        raise ctx.refusal("loop over a generator", node)
    outer, before = ctx.frame, ctx.frame.nested_writes
    names = (*assigned([node.target]), *assigned(node.body))

    def consume(value: Value) -> None:
        inner = ctx.frame
        ctx.frame = outer
        try:
            targets.assign(ctx, node.target, value, node)
            run(ctx, node.body)
        finally:
            ctx.frame = inner

    frame = generated.frame
    frame.caller, frame.consume = outer, consume
    outer.nested_writes = before | frozenset(names)
    try:
        inlining.run(ctx, frame, generated.given, node)
    finally:
        outer.nested_writes, frame.consume = before, None


def _jumps(node: ast.AST, in_loop: bool = False) -> bool:
    """Whether a statement leaves the loop that it stands in."""
    if isinstance(node, ast.Return) or (isinstance(node, (ast.Break, ast.Continue)) and not in_loop):
        return True
    if isinstance(node, (ast.FunctionDef, ast.Lambda)):
        return False
    inside = in_loop or isinstance(node, _LOOPS)
    return any(_jumps(child, inside) for child in ast.iter_child_nodes(node))


def is_generator(node: ast.FunctionDef | ast.Lambda) -> bool:
    """Whether calls of a function give generators."""
    return isinstance(node, ast.FunctionDef) and any(isinstance(inner, ast.Yield) for inner in own_nodes(node.body))


@expression(ast.Yield)
def _yield(ctx: Context, node: ast.expr) -> Value:
    assert isinstance(node, ast.Yield)
    consume = ctx.frame.consume
    if consume is None or ctx.tries:
        raise ctx.refusal("yield", node, what="Yield")
    consume(NONE if node.value is None else evaluate(ctx, node.value))
    return NONE
