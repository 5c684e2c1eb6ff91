"""Generators: their body is inlined where a loop runs over them, and what that loop does stands where they yield.

A loop that is left leaves the body of the generator, too, as ``return`` would; it never goes on.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Sequence
from types import FunctionType
from typing import Protocol, TypeAlias
from typing import cast as typed

from weft.frontend.calls import inlining
from weft.frontend.calls import library_iterators as library
from weft.frontend.control import targets
from weft.frontend.control.liveness import assigned, own_nodes
from weft.frontend.values.dispatch import evaluate_any, expression
from weft.frontend.values.scope import Context, Frame, Key
from weft.frontend.values.values import NONE, TRUE, Enumerated, Generated, Value
from weft.ir import nodes as n

Run: TypeAlias = Callable[[Context, Sequence[ast.stmt]], None]


class Jumps(Protocol):
    """What is known of the jumps out of a loop, and the flags that they set."""

    alive: str | None
    returns: bool

    @property
    def exit(self) -> str | None:
        """The flag that ends the loop."""

    def enter(self) -> None:
        """Bind the flags."""

    def leave(self, run: Run) -> None:
        """After the loop."""


def run_over(ctx: Context, node: ast.For, generated: Generated, run: Run, jumps: Jumps) -> None:
    """A ``for`` loop over a generator."""
    frame, outer, before = generated.frame, ctx.frame, ctx.frame.nested_writes
    body = frame.node.body if isinstance(frame.node, ast.FunctionDef) else []
    if ctx.tries or ctx.frame.stops or ctx.in_function or (jumps.exit and not _yields_in_statements(body)):
        raise ctx.refusal("loop over a generator", node)
    jumps.enter()
    names = (*assigned([node.target]), *assigned(node.body))
    depth = len(outer.loops)

    def consume(value: Value) -> None:
        inner = ctx.frame
        ctx.frame = outer
        try:
            targets.assign(ctx, node.target, value, node)
            with ctx.followed(False):
                run(ctx, node.body)
        finally:
            ctx.frame = inner
            del outer.loops[depth:]
        if ctx.environment.fall is not None:
            ctx.environment.fall = TRUE
            _leave_unless(ctx, outer, jumps, node)

    frame.caller, frame.consume = outer, consume
    frame.left_by = _flags(outer, jumps) if jumps.exit is not None else ()
    outer.nested_writes = before | frozenset(names)
    try:
        inlining.run(ctx, frame, generated.given, node)
    finally:
        outer.nested_writes, frame.consume = before, None
    jumps.leave(run)


def _flags(outer: Frame, jumps: Jumps) -> tuple[Key, ...]:
    """What a loop over a generator sets where it is left."""
    names = [loop.alive for loop in outer.loops if loop.alive is not None] if jumps.returns else [jumps.alive]
    names += ["$running", "$value"] if jumps.returns else []
    return (*(outer.key(name) for name in names if name is not None), *outer.left_by)


def _leave_unless(ctx: Context, outer: Frame, jumps: Jumps, node: ast.For) -> None:
    """Leave the generator where the loop that runs over it was left."""
    from weft.frontend.control.joins import branch
    from weft.frontend.control.statements import leave_function

    if jumps.exit is None:
        return
    value = ctx.environment.bindings[outer.key(jumps.exit)].value
    assert isinstance(value, (n.Var, n.Const))
    branch(ctx, value, lambda: None, lambda: leave_function(ctx), ctx.location(node))


def _yields_in_statements(body: Sequence[ast.stmt]) -> bool:
    """Whether nothing is done with what a generator is sent."""
    nodes = list(own_nodes(body))
    alone = {id(node.value) for node in nodes if isinstance(node, ast.Expr)}
    return all(id(node) in alone for node in nodes if isinstance(node, ast.Yield))


def has_yield(body: Sequence[ast.stmt]) -> bool:
    """Whether statements yield."""
    return any(isinstance(node, ast.Yield) for node in own_nodes(body))


def plain(ctx: Context, value: Value, node: ast.AST) -> Value:
    """What a loop runs over, with numbers or other items beside those of a generator as a generator of its own."""
    if isinstance(value, Enumerated) and isinstance(value.inner, (Generated, Enumerated)):
        inner = plain(ctx, value.inner, node)
        if isinstance(inner, Generated):
            return _own(ctx, library.enumerated, [inner, value.start], node)
    return value


def _own(ctx: Context, function: object, arguments: list[Value], node: ast.AST) -> Value:
    return inlining.call_function(ctx, typed(FunctionType, function), arguments, {}, node)


def is_generator(node: ast.FunctionDef | ast.Lambda) -> bool:
    """Whether calls of a function give generators."""
    return isinstance(node, ast.FunctionDef) and has_yield(node.body)


@expression(ast.Yield)
def _yield(ctx: Context, node: ast.expr) -> Value:
    assert isinstance(node, ast.Yield)
    consume = ctx.frame.consume
    if consume is None or ctx.tries:
        raise ctx.refusal("yield", node, what="Yield")
    consume(NONE if node.value is None else evaluate_any(ctx, node.value))
    return NONE
