"""Calls: functions of the user are inlined where they are called; those of libraries are looked up in tables."""

from __future__ import annotations

import ast
from collections.abc import Sequence
from types import FunctionType

import numpy as np

from weft.frontend import inlining, methods, objects
from weft.frontend.dispatch import evaluate, expression
from weft.frontend.scope import Context
from weft.frontend.signature import is_record, undecorated
from weft.frontend.tables import FUNCTIONS
from weft.frontend.values import Bound, Closure, Instance, Static, Value, describe_value, is_view
from weft.ir.types import SCALARS


@expression(ast.Call)
def _call(ctx: Context, node: ast.expr) -> Value:
    assert isinstance(node, ast.Call)
    callee = evaluate(ctx, node.func)
    if _takes_generator(node):
        return inlining.reduce_generator(ctx, callee, node)
    arguments = _positional(ctx, node)
    keywords = {}
    for keyword in node.keywords:
        if keyword.arg is None:
            raise ctx.refusal("double star", node)
        keywords[keyword.arg] = _argument(ctx, keyword.value)
    return call(ctx, callee, arguments, keywords, node)


def _takes_generator(node: ast.Call) -> bool:
    return len(node.args) == 1 and isinstance(node.args[0], ast.GeneratorExp)


def _positional(ctx: Context, node: ast.Call) -> list[Value]:
    arguments: list[Value] = []
    for item in node.args:
        if not isinstance(item, ast.Starred):
            arguments.append(_argument(ctx, item))
            continue
        value = objects.plain_tuple(evaluate(ctx, item.value))
        if not isinstance(value, tuple):
            raise ctx.type_error("only a tuple can be unpacked into arguments", item)
        arguments += value
    return arguments


def _argument(ctx: Context, node: ast.expr) -> Value:
    """An argument; a list stands for the tuple of its items (as in ``np.zeros([n, m])``, ``max([a, b])``)."""
    if isinstance(node, ast.List):
        return tuple(_argument(ctx, item) for item in node.elts)
    return evaluate(ctx, node)


def call(ctx: Context, callee: Value, arguments: Sequence[Value], keywords: dict[str, Value], node: ast.AST) -> Value:
    """Call a value."""
    if isinstance(callee, Static):
        return _call_object(ctx, callee.value, list(arguments), keywords, node)
    if isinstance(callee, Closure):
        return inlining.call_closure(ctx, callee, list(arguments), keywords, node)
    if isinstance(callee, Bound) and callee.function is not None:
        return call(ctx, callee.function, [callee.owner, *arguments], keywords, node)
    if isinstance(callee, Bound):
        return methods.call_method(ctx, callee, list(arguments), keywords, node)
    if isinstance(callee, Instance):
        function = objects.method(ctx, callee, "__call__")
        if function is not None:
            return call(ctx, function, arguments, keywords, node)
    raise ctx.type_error(f"a {describe_value(callee)} cannot be called", node)


def _call_object(
    ctx: Context, function: object, arguments: list[Value], keywords: dict[str, Value], node: ast.AST
) -> Value:
    function = undecorated(function)
    handler = FUNCTIONS.get(function) if _hashable(function) else None
    if handler is not None:
        return handler(ctx, arguments, keywords, node)
    if isinstance(function, FunctionType) and not _is_library(function):
        return inlining.call_function(ctx, function, arguments, keywords, node)
    if isinstance(function, type) and is_record(function):
        return objects.construct(ctx, function, arguments, keywords, node)
    raise _unknown(ctx, function, arguments, node)


def _hashable(function: object) -> bool:
    return getattr(type(function), "__hash__", None) is not None


def _is_library(function: FunctionType) -> bool:
    return function.__module__ is not None and function.__module__.partition(".")[0] in ("numpy", "math", "scipy")


def _unknown(ctx: Context, function: object, arguments: Sequence[Value], node: ast.AST) -> Exception:
    name = getattr(function, "__name__", type(function).__name__)
    module = str(getattr(function, "__module__", None) or "")
    full = f"{_numpy_name(module)}.{name}" if module.startswith("numpy") or isinstance(function, np.ufunc) else name
    if full.startswith("np."):
        if any(is_view(argument) for argument in arguments) or name in SCALARS:
            return ctx.refusal("array function", node, name=full)
        return ctx.refusal("numpy function", node, name=full)
    if isinstance(function, type):
        return ctx.refusal("class", node, name=name)
    return ctx.refusal("function", node, name=name)


def _numpy_name(module: str) -> str:
    """How users write a module of NumPy; what its private ones hold is in `np` itself."""
    return "np" if "._" in module else f"np{module.removeprefix('numpy')}" if module.startswith("numpy") else "np"


def closure(ctx: Context, node: ast.FunctionDef | ast.Lambda) -> Closure:
    """A function defined inside the function being translated."""
    defaults = tuple(evaluate(ctx, item) for item in node.args.defaults)
    keyword_defaults = tuple(None if item is None else evaluate(ctx, item) for item in node.args.kw_defaults)
    return Closure(node, ctx.frame, defaults, keyword_defaults)


@expression(ast.Lambda)
def _lambda(ctx: Context, node: ast.expr) -> Value:
    assert isinstance(node, ast.Lambda)
    return closure(ctx, node)
