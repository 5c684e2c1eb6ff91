"""Which function translates which node of the syntax tree. Each theme registers its own."""

from __future__ import annotations

import ast
from collections.abc import Callable
from typing import TypeAlias

from weft.errors import Error
from weft.frontend.source.supported import REFUSED_EXPRESSIONS
from weft.frontend.values.scope import Context
from weft.frontend.values.values import NONE, ArrayExpression, Optional, Value
from weft.ir import nodes as n
from weft.ir.types import PYINT

Evaluate: TypeAlias = "Callable[[Context, ast.expr], Value]"
Execute: TypeAlias = "Callable[[Context, ast.stmt], None]"

NOBODY_SEES = n.Const(0, PYINT)

EXPRESSIONS: dict[type[ast.expr], Evaluate] = {}
STATEMENTS: dict[type[ast.stmt], Execute] = {}


def expression(*kinds: type[ast.expr]) -> Callable[[Evaluate], Evaluate]:
    """Register the translation of expressions."""

    def register(function: Evaluate) -> Evaluate:
        EXPRESSIONS.update(dict.fromkeys(kinds, function))
        return function

    return register


def statement(*kinds: type[ast.stmt]) -> Callable[[Execute], Execute]:
    """Register the translation of statements."""

    def register(function: Execute) -> Execute:
        STATEMENTS.update(dict.fromkeys(kinds, function))
        return function

    return register


def evaluate(ctx: Context, node: ast.expr) -> Value:
    """Translate an expression whose user takes no value that may be None; array expressions become arrays."""
    value = evaluate_any(ctx, node)
    if isinstance(value, Optional):
        from weft.frontend.several_types import optional

        raise optional.refusal(ctx, value, node)
    return value


def evaluate_any(ctx: Context, node: ast.expr) -> Value:
    """Translate an expression; the value of an array expression becomes an array."""
    value = evaluate_lazily(ctx, node)
    if isinstance(value, ArrayExpression):
        from weft.frontend.arrays.evaluation import consumed

        return consumed(ctx, value, node)
    return value


def evaluate_lazily(ctx: Context, node: ast.expr) -> Value:
    """Translate an expression whose user takes array expressions, and values that may be None, as they are."""
    handler = EXPRESSIONS.get(type(node))
    if handler is None:
        kind = type(node).__name__
        raise ctx.refusal(REFUSED_EXPRESSIONS.get(kind, "expression"), node, what=kind)
    value = unless_unreachable(ctx, lambda: handler(ctx, node))
    if isinstance(value, Optional):
        from weft.frontend.several_types import optional

        return optional.narrowed(ctx, value)
    return value


def unless_unreachable(ctx: Context, compute: Callable[[], Value]) -> Value:
    """A value; some number where something in it always raises, as a helper may: nobody sees it then."""
    try:
        value = compute()
    except Error:
        if not ctx.is_never_reached():
            raise
        return NOBODY_SEES
    return NOBODY_SEES if value is NONE and ctx.is_never_reached() else value
