"""Calls: functions of the user are inlined where they are called; those of libraries are looked up in tables."""

from __future__ import annotations

import ast
import sys
from collections.abc import Callable, Sequence
from dataclasses import replace
from types import FunctionType

import numpy as np

from weft.frontend.arrays import evaluation
from weft.frontend.arrays.array_attributes import WHOLE_ARRAY_METHODS
from weft.frontend.arrays.tables import FUNCTIONS, TAKING_EXPRESSIONS, TAKING_LISTS
from weft.frontend.calls import inlining, library_calls
from weft.frontend.remedies.functions import IN_MATH
from weft.frontend.remedies.values import draws, is_of_numba
from weft.frontend.source.signature import is_record, undecorated
from weft.frontend.values import methods, objects
from weft.frontend.values.dispatch import evaluate, evaluate_lazily, expression
from weft.frontend.values.scope import Context
from weft.frontend.values.values import (
    ArrayExpression,
    Bound,
    Closure,
    Instance,
    Static,
    Value,
    describe_value,
    is_view,
    with_article,
)
from weft.ir.types import SCALARS


@expression(ast.Call)
def _call(ctx: Context, node: ast.expr) -> Value:
    assert isinstance(node, ast.Call)
    callee = evaluate(ctx, node.func)
    if _takes_generator(callee, node):
        return inlining.reduce_generator(ctx, callee, node)
    if _takes_list(callee, node):
        return _call_with_list(ctx, callee, node)
    if _takes_expressions(callee) and not any(isinstance(item, ast.Starred) for item in node.args):
        return _call_with_expressions(ctx, callee, node)
    callee, (arguments, keywords) = _after(ctx, callee, lambda: _arguments(ctx, node), node)
    return call(ctx, callee, arguments, keywords, node)


def _arguments(ctx: Context, node: ast.Call) -> tuple[list[Value], dict[str, Value]]:
    arguments = _positional(ctx, node)
    return arguments, _keywords(ctx, node)


def _keywords(ctx: Context, node: ast.Call) -> dict[str, Value]:
    keywords = {}
    for keyword in node.keywords:
        if keyword.arg is None:
            raise ctx.refusal("double star", node)
        keywords[keyword.arg] = _argument(ctx, keyword.value)
    return keywords


def _after(
    ctx: Context, callee: Value, compute: Callable[[], evaluation.Result], node: ast.Call
) -> tuple[Value, evaluation.Result]:
    """What is called, and arguments, which come after the array whose method is called."""
    if not isinstance(callee, Bound) or not isinstance(callee.owner, ArrayExpression):
        return callee, compute()
    (owner,), result = evaluation.kept(ctx, [callee.owner], compute, [node])
    return replace(callee, owner=owner), result


def _takes_expressions(callee: Value) -> bool:
    """Whether a function is one of NumPy's that take array expressions as they are."""
    if isinstance(callee, Bound):
        return callee.function is None and callee.attribute in WHOLE_ARRAY_METHODS
    return isinstance(callee, Static) and _hashable(callee.value) and callee.value in TAKING_EXPRESSIONS


def _call_with_expressions(ctx: Context, callee: Value, node: ast.Call) -> Value:
    """A call of a function that takes array expressions."""
    if any(keyword.arg is None for keyword in node.keywords):
        raise ctx.refusal("double star", node)
    nodes = [*node.args, *(keyword.value for keyword in node.keywords)]
    computes = [lambda item=item: _argument(ctx, item, evaluate_lazily) for item in nodes]
    callee, values = _after(ctx, callee, lambda: evaluation.in_order(ctx, nodes, computes), node)
    names = [str(keyword.arg) for keyword in node.keywords]
    count = len(node.args)
    return call(ctx, callee, values[:count], dict(zip(names, values[count:], strict=True)), node)


def _takes_generator(callee: Value, node: ast.Call) -> bool:
    """Whether the only argument is a generator, or a list of which only the sum or an extreme is wanted."""
    if len(node.args) != 1:
        return False
    is_folded = isinstance(callee, Static) and _hashable(callee.value) and callee.value in (sum, min, max)
    return isinstance(node.args[0], ast.GeneratorExp) or (is_folded and isinstance(node.args[0], ast.ListComp))


def _takes_list(callee: Value, node: ast.Call) -> bool:
    """Whether NumPy makes an array of a comprehension that is the first argument."""
    is_list = bool(node.args) and isinstance(node.args[0], ast.ListComp)
    return is_list and isinstance(callee, Static) and _hashable(callee.value) and callee.value in TAKING_LISTS


def _call_with_list(ctx: Context, callee: Value, node: ast.Call) -> Value:
    from weft.frontend.calls import comprehensions

    first = node.args[0]
    assert isinstance(first, ast.ListComp) and isinstance(callee, Static)
    rest, keywords = [_argument(ctx, item) for item in node.args[1:]], _keywords(ctx, node)
    if callee.value not in (np.array, np.asarray):
        return call(ctx, callee, [comprehensions.array_of(ctx, first, None), *rest], keywords, node)
    dtype = rest[0] if rest else keywords.pop("dtype", None)
    if keywords or len(rest) > 1:
        raise ctx.refusal("array option", node, name=next(iter(keywords), "copy"))
    return comprehensions.array_of(ctx, first, dtype)


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


def _argument(ctx: Context, node: ast.expr, evaluate: Callable[[Context, ast.expr], Value] = evaluate) -> Value:
    """An argument; a list stands for the tuple of its items (as in ``np.zeros([n, m])``, ``max([a, b])``)."""
    if isinstance(node, (ast.List, ast.Tuple)) and not any(isinstance(item, ast.Starred) for item in node.elts):
        computes = [lambda item=item: _argument(ctx, item, evaluate) for item in node.elts]
        return tuple(evaluation.in_order(ctx, node.elts, computes))
    return evaluate(ctx, node)


def items_of_list(ctx: Context, node: ast.List) -> tuple[Value, ...]:
    """The items of a list that is written out; nothing where it is made in another way."""
    items = _argument(ctx, node)
    return items if isinstance(items, tuple) else ()


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
    error = ctx.type_error(
        f"{with_article(describe_value(callee))} cannot be called",
        node,
        hint="elements of an array stand in brackets" if is_view(callee) else "call a function",
    )
    error.code = ctx.code_for("array in parentheses", node) if is_view(callee) else None
    raise error


def _call_object(
    ctx: Context, function: object, arguments: list[Value], keywords: dict[str, Value], node: ast.AST
) -> Value:
    function = undecorated(function)
    return library_calls.otherwise(
        ctx, function, arguments, keywords, node,
        lambda: _translated(ctx, function, list(arguments), dict(keywords), node),
    )  # fmt: skip


def _translated(
    ctx: Context, function: object, arguments: list[Value], keywords: dict[str, Value], node: ast.AST
) -> Value:
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
    if isinstance(node, ast.Call) and draws(function):
        return ctx.refusal("random numbers", node, name=ast.unparse(node.func))
    if is_of_numba(function):
        return ctx.refusal("function of Numba", node, name=name)
    scipy = _name_in_scipy(function)
    if scipy is not None:
        hint = f"use {_replacement(scipy)}" if _replacement(scipy) else "call it outside and pass the result"
        error = ctx.refusal("foreign function", node, name=scipy, hint=hint)
        error.code = ctx.code_for("function", node, name=scipy)
        return error
    module = str(getattr(function, "__module__", None) or "")
    full = f"{_numpy_name(module)}.{name}" if module.startswith("numpy") or isinstance(function, np.ufunc) else name
    if full.startswith("np."):
        if any(is_view(argument) for argument in arguments) or name in SCALARS:
            return ctx.refusal("array function", node, name=full)
        return ctx.refusal("numpy function", node, name=full)
    if isinstance(function, type):
        return ctx.refusal("class", node, name=name)
    return ctx.refusal("function", node, name=name)


def _name_in_scipy(function: object) -> str | None:
    """How a function of SciPy is called; its ufuncs do not say where they come from."""
    name = getattr(function, "__name__", "")
    special = sys.modules.get("scipy.special")
    if special is not None and getattr(special, name, None) is function:
        return f"scipy.special.{name}"
    module = str(getattr(function, "__module__", None) or "")
    return f"{module}.{name}" if module.partition(".")[0] == "scipy" else None


def _replacement(name: str) -> str:
    """The function of Python's math that does what one of SciPy does; nothing where there is none."""
    same = IN_MATH.get(name.removeprefix("scipy.special."))
    return f"math.{same}, which does the same for one number" if same else ""


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
