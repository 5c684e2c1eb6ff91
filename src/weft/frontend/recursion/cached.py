"""``functools.cache`` and ``lru_cache``: a function that looks its arguments up in a dict before it computes.

The dict is one with computed keys, made where the function is defined, or where the program begins for a function of
a module: then it begins empty in each call. So results are those of CPython as long as they depend on the arguments
alone.
A function of a module that reads data which may change, or that has effects, is refused.
"""

from __future__ import annotations

import ast
import functools
from collections.abc import Callable, Iterator
from contextvars import ContextVar
from functools import wraps
from types import CodeType, FunctionType
from typing import Any, ParamSpec, TypeVar

from weft.frontend.anew import until_known
from weft.frontend.calls import inlining
from weft.frontend.recursion.ways import CACHED, COUNTED
from weft.frontend.source.signature import cells, undecorated
from weft.frontend.source.source import source_of
from weft.frontend.values import objects
from weft.frontend.values.dispatch import evaluate
from weft.frontend.values.scope import Binding, Context, Frame
from weft.frontend.values.text_model import is_text
from weft.frontend.values.values import TRUE, Closure, Instance, Static, Value
from weft.ir import nodes as n
from weft.ir.types import View

P = ParamSpec("P")
R = TypeVar("R")

DECORATORS = (functools.cache, functools.lru_cache)
NAMES = ("__table", "__function")

MADE: ContextVar[dict[int, object]] = ContextVar("CACHED")
"""The functions of modules whose results are kept, by identity."""

_EFFECTS = frozenset({"print", "input", "open", "exec", "eval"})


class NeedsCache(Exception):
    """A function of a module is met whose results are kept; never shown."""

    def __init__(self, function: object) -> None:
        super().__init__(function)
        self.function = function


def with_caches(build: Callable[P, R]) -> Callable[P, R]:
    """Build again where more functions are known whose results are kept: their dicts are made where programs begin."""

    @wraps(build)
    def built(*args: P.args, **kwargs: P.kwargs) -> R:
        known: dict[int, object] = {}
        token = MADE.set(known)
        try:
            return until_known(
                lambda: build(*args, **kwargs), NeedsCache, lambda one: known.update({id(one.function): one.function})
            )
        finally:
            MADE.reset(token)

    return built


def is_cached(value: object) -> bool:
    """Whether an object is a function that `functools` keeps the results of."""
    return type(value).__name__ == "_lru_cache_wrapper"


def begin(ctx: Context) -> None:
    """Make the dicts of the functions of modules."""
    for number, wrapper in MADE.get({}).items():
        function = undecorated(getattr(wrapper, "__wrapped__", None))
        source = source_of(function)
        defaults = [
            objects.constant_object(ctx, v, "a default value", source.node) for v in function.__defaults__ or ()
        ]
        ctx.cached[number] = _wrapped(ctx, source.node, Static(function), defaults, ctx.frame)


def call(ctx: Context, wrapper: object, arguments: list[Value], keywords: dict[str, Value], node: ast.AST) -> Value:
    """Call a function of a module whose results are kept."""
    function = undecorated(getattr(wrapper, "__wrapped__", None))
    name = getattr(wrapper, "__name__", "")
    parameters: dict[str, object] = getattr(wrapper, "cache_parameters", dict)()
    is_typed = bool(parameters.get("typed"))
    if is_typed or not isinstance(function, FunctionType) or function.__kwdefaults__ or any(_reasons(function, {})):
        raise ctx.refusal("function with a cache", node, name=name)
    if id(wrapper) not in ctx.cached:
        raise NeedsCache(wrapper)
    result = inlining.call_closure(ctx, ctx.cached[id(wrapper)], arguments, keywords, node)
    if _is_changeable(result):
        raise ctx.refusal("function with a cache", node, name=name)
    return result


def _is_changeable(value: Value) -> bool:
    """Whether a program may change a result in place, so that later calls would give it back changed."""
    if isinstance(value, tuple):
        return any(map(_is_changeable, value))
    is_array = isinstance(value, n.Var) and isinstance(value.type, View)
    return is_array or (isinstance(value, Instance) and not is_text(value))


def decorated(ctx: Context, function: Closure, decorator: ast.expr) -> Closure:
    """A function inside of the compiled one, below ``@cache``, ``@lru_cache`` or ``@lru_cache(...)``."""
    assert isinstance(function.node, ast.FunctionDef)
    given = {k.arg: k.value for k in decorator.keywords} if isinstance(decorator, ast.Call) else {}
    typed = [*(decorator.args[1:2] if isinstance(decorator, ast.Call) else []), given.get("typed")]
    is_typed = not all(_is_constant(one, False) for one in typed)
    counts = any(isinstance(inner, (ast.Nonlocal, ast.Global)) for inner in ast.walk(function.node))
    is_limited = counts and not _keeps_all(ctx, decorator)
    if is_typed or is_limited or any(value is not None for value in function.keyword_defaults):
        raise ctx.refusal("inner decorator", decorator)
    return _wrapped(ctx, function.node, function, list(function.defaults), ctx.frame)


def _is_constant(node: ast.expr | None, value: object) -> bool:
    """Whether an argument is this constant, or not given."""
    return node is None or (isinstance(node, ast.Constant) and node.value is value)


def _keeps_all(ctx: Context, decorator: ast.expr) -> bool:
    """Whether a decorator keeps all results, so that the function is called once for each argument."""
    function = decorator.func if isinstance(decorator, ast.Call) else decorator
    assert isinstance(function, (ast.Name, ast.Attribute))
    value = evaluate(ctx, function)
    if isinstance(value, Static) and value.value is functools.cache:
        return True
    if not isinstance(decorator, ast.Call):
        return False
    sizes = [*decorator.args[:1], *(k.value for k in decorator.keywords if k.arg == "maxsize")]
    return bool(sizes) and all(_is_constant(size, None) for size in sizes)


def is_decorator(ctx: Context, node: ast.expr) -> bool:
    """Whether a decorator keeps results."""
    function = node.func if isinstance(node, ast.Call) else node
    if not isinstance(function, (ast.Name, ast.Attribute)):
        return False
    value = evaluate(ctx, function)
    return isinstance(value, Static) and value.value in DECORATORS


def _wrapped(
    ctx: Context,
    node: ast.FunctionDef | ast.Lambda,
    function: Value,
    defaults: list[Value],
    around: Frame,
) -> Closure:
    """The function that looks its arguments up."""
    arguments = node.args
    if arguments.vararg or arguments.kwarg or arguments.kwonlyargs or isinstance(node, ast.Lambda):
        raise ctx.refusal("function with a cache", node, name=getattr(node, "name", "lambda"))
    names = [a.arg for a in (*arguments.posonlyargs, *arguments.args)]
    key = names[0] if len(names) == 1 else f"({', '.join(names)})" if names else "0"
    body = ast.parse(
        f"__key = {key}\n"
        "if __key in __table:\n"
        "    return __table[__key]\n"
        f"__result = __function({', '.join(names)})\n"
        "__table[__key] = __result\n"
        "return __result"
    ).body
    taken = ast.arguments([], [ast.arg(name) for name in names], None, [], [], None, [])
    counts = any(isinstance(inner, (ast.Nonlocal, ast.Global)) for inner in ast.walk(node))
    mark = COUNTED if counts else CACHED
    made = ast.copy_location(ast.FunctionDef(node.name, taken, body, [], type_comment=mark), node)
    for inner in ast.walk(made):
        if isinstance(inner, (ast.expr, ast.stmt, ast.arg)):
            ast.copy_location(inner, node)
    ctx.kept.append(made)
    table = ast.copy_location(ast.Dict([], []), node)
    ctx.kept.append(table)
    frame = ctx.new_frame(name=around.name, node=around.node, file=around.file, function=around.function)
    frame.parent, frame.caller, frame.call = around, around, around.call
    frame.locals = frozenset(NAMES)
    for name, value in (("__table", evaluate(ctx, table)), ("__function", function)):
        ctx.environment.bindings[frame.key(name)] = Binding(value, TRUE, ctx.location(node))
    return Closure(made, frame, tuple(defaults))


def _reasons(function: FunctionType, seen: dict[object, None]) -> Iterator[str]:
    """What results of a function of a module depend on besides its arguments, or what it does besides."""
    seen[function] = None
    held = cells(function)
    for name in _names_in(function.__code__):
        if name in _EFFECTS and name not in function.__globals__:
            yield name
        value: Any = held.get(name, function.__globals__.get(name))
        if name in held and getattr(value, "__wrapped__", None) is not function:
            yield name  # what the functions around it hold is not found at later calls
        value = undecorated(getattr(value, "__wrapped__", value) if is_cached(value) else value)
        if isinstance(value, FunctionType) and value not in seen:
            if not str(value.__module__).startswith(("numpy", "math", "scipy", "weft")):
                yield from _reasons(value, seen)
        elif _may_change(value) and name != "__builtins__":
            yield name


def _may_change(value: object) -> bool:
    """Whether an object is data that a program may change in place."""
    is_array = hasattr(value, "__array__") and not isinstance(value, type) and bool(getattr(value, "ndim", None))
    return is_array or isinstance(value, (list, dict, set, bytearray))


def _names_in(code: CodeType) -> Iterator[str]:
    yield from code.co_names
    yield from code.co_freevars
    for constant in code.co_consts:
        if isinstance(constant, CodeType):
            yield from _names_in(constant)
