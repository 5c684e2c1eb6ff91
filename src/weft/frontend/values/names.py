"""What a name stands for: a variable of a function being translated, a captured value, a global, a builtin."""

from __future__ import annotations

import ast
import builtins
import sys
from collections.abc import Callable, Iterable
from contextvars import ContextVar
from functools import wraps
from types import FunctionType, ModuleType
from typing import Literal, ParamSpec, TypeVar

import numpy as np

from weft.errors import ArgumentError, NameError, UnboundLocalError
from weft.frontend.anew import until_known
from weft.frontend.control import infinite
from weft.frontend.remedies import values as remedies
from weft.frontend.source.given_lists import describe_captured
from weft.frontend.source.signature import ListType, cells, describe, is_marker, is_record
from weft.frontend.values import mutable
from weft.frontend.values.convert import python_value
from weft.frontend.values.dispatch import expression
from weft.frontend.values.receive import receive
from weft.frontend.values.scope import Binding, Context, Frame, Key
from weft.frontend.values.values import TRUE, DictView, Static, Value
from weft.ir import nodes as n
from weft.ir.types import PYBOOL, PYINT, Scalar

P = ParamSpec("P")
R = TypeVar("R")

LIBRARIES = frozenset({"numpy", "math", "cmath", "weft", "builtins", "operator", "typing", "dataclasses", "functools"})
"""Modules whose content does not change: their numbers are constants."""


@expression(ast.Name)
def _name(ctx: Context, node: ast.expr) -> Value:
    assert isinstance(node, ast.Name)
    return lookup(ctx, node.id, node)


def lookup(ctx: Context, name: str, node: ast.AST) -> Value:
    """The value of a name where the current function uses it."""
    frame: Frame = ctx.frame
    while True:
        if name in frame.locals:
            return _variable(ctx, frame, name, node)
        if frame.parent is None:
            return captured(ctx, frame, name, node)
        frame = frame.parent


def _variable(ctx: Context, frame: Frame, name: str, node: ast.AST) -> Value:
    key = frame.key(name)
    binding = ctx.lookup(key)
    if binding is not None and binding.problem is not None:
        raise binding.problem
    if binding is None or binding.value is None:
        hint = "assign it before it is used; a misspelt name is one that nothing else assigns"
        raise ctx.type_error(f"'{name}' has no value here", node, hint=hint, kind=UnboundLocalError)
    if binding.defined != TRUE:
        if binding.missing:
            infinite.check(ctx, binding, node)
        else:
            _check_defined(ctx, binding, name, node)
        ctx.environment.bindings[key] = Binding(binding.value, TRUE, binding.location)
    return binding.value.again(ctx, node) if isinstance(binding.value, DictView) else binding.value


_UNBOUND = (
    "cannot access local variable '{}' where it is not associated with a value"
    if sys.version_info >= (3, 11)
    else "local variable '{}' referenced before assignment"
)


def _check_defined(ctx: Context, binding: Binding, name: str, node: ast.AST) -> None:
    """Raise as CPython does where the variable was never assigned."""
    location = ctx.location(node)
    missing = ctx.emit(n.Unary("not", binding.defined, checked=False), PYBOOL, node)
    fault = n.Raise("UnboundLocalError", _UNBOUND.format(name), (), location)
    ctx.append(n.If(missing, n.Block((fault,)), location=location))


def frame_of(ctx: Context, name: str, node: ast.AST) -> Frame:
    """The frame whose variable an assignment to a name changes."""
    frame: Frame | None = ctx.frame
    while frame is not None:
        if name in frame.locals:
            return frame
        frame = frame.parent
    raise ctx.refusal("nonlocal in helper", node, name=name)


def writable_keys(ctx: Context, names: Iterable[str]) -> list[Key]:
    """The variables that a piece of the current function may assign: `names`, and those of functions that it calls."""
    keys: dict[Key, None] = {}
    for name in names:
        frame: Frame | None = ctx.frame
        while frame is not None and name not in frame.locals:
            frame = frame.parent
        if frame is not None:
            keys[frame.key(name)] = None
    for caller in ctx.frame.callers():
        scope: Frame | None = caller
        while scope is not None:
            keys.update({scope.key(name): None for name in sorted(scope.nested_writes) if name in scope.locals})
            scope = scope.parent
    keys.update(dict.fromkeys(key for key in ctx.environment.bindings if key in ctx.written_by_nested))
    keys.update(dict.fromkeys(mutable.keys(ctx)))
    return list(keys)


# -------------------------------------------------------------------------------------------- captured values


def captured(ctx: Context, frame: Frame, name: str, node: ast.AST) -> Value:
    """The value of a name that no function being translated assigns."""
    leaf = ctx.captured.get((id(frame.function), name))
    if leaf is not None:
        return leaf  # held by the closure of a function that is an argument
    kind, value = find(ctx, frame, name, node)
    if kind == "global" and _is_number(value) and _is_own(frame.function):
        return library_constant(value)
    return from_object(ctx, value, n.Source(kind, _source_name(ctx, frame, kind, name)), node)


def _source_name(ctx: Context, frame: Frame, kind: str, name: str) -> str:
    """How `read` will find a captured variable."""
    function = frame.function
    assert function is not None
    if kind == "closure" or not frame.path:
        return frame.path + name
    if function.__globals__ is ctx.root_globals:
        return name
    module = sys.modules.get(function.__module__)
    return f"<{module.__name__}>.{name}" if module and vars(module) is function.__globals__ else frame.path + name


def find(ctx: Context, frame: Frame, name: str, node: ast.AST) -> tuple[Literal["closure", "global"], object]:
    """The object that a captured name stands for now."""
    function = frame.function
    assert function is not None
    contents = cells(function)
    if name in contents:
        return "closure", contents[name]
    if name == function.__name__ and name in function.__code__.co_freevars:
        return "closure", function
    if name in function.__globals__:
        return "global", function.__globals__[name]
    if hasattr(builtins, name):
        return "global", getattr(builtins, name)
    hint = "assign it, or import it, at the top of the file; a misspelt name is one that nothing assigns"
    raise ctx.type_error(f"name '{name}' is not defined", node, hint=hint, kind=NameError)


def from_object(ctx: Context, value: object, source: n.Source, node: ast.AST) -> Value:
    """A Python object met while translating: data becomes a parameter, the rest is known when compiling."""
    if is_compile_time(value):
        ctx.paths.setdefault(id(value), source.name)
        return Static(value, source)
    if source in ctx.fixed and isinstance(value, (bool, int, np.integer)):
        return library_constant(value)
    if source not in ctx.captured:
        if ctx.in_function:
            raise ctx.refusal("captured in associative", node, name=str(source))
        try:
            type = describe_captured(value, str(source), ctx.memory)
        except ArgumentError as error:
            hint = (error.hint if isinstance(value, list) else None) or remedies.for_object(value)
            raise ctx.refusal("captured value", node, name=str(source), kind=_kind(value), hint=hint) from error
        if isinstance(type, ListType) and source not in LISTS.get():
            raise NeedsList(source, value)
        ctx.captured[source] = receive(ctx, type, source, value)
    return ctx.captured[source]


LISTS: ContextVar[dict[n.Source, object]] = ContextVar("LISTS")
"""The captured lists that a program is known to use."""


class NeedsList(Exception):
    """A captured list is used that the program does not receive at its beginning: translate again; never shown."""

    def __init__(self, source: n.Source, value: object) -> None:
        super().__init__(str(source))
        self.source = source
        self.value = value


def with_captured_lists(build: Callable[P, R]) -> Callable[P, R]:
    """Build again when another captured list turns out to be used."""

    @wraps(build)
    def built(*args: P.args, **kwargs: P.kwargs) -> R:
        token = LISTS.set({})
        try:
            return until_known(
                lambda: build(*args, **kwargs), NeedsList, lambda one: LISTS.get().update({one.source: one.value})
            )
        finally:
            LISTS.reset(token)

    return built


def begin(ctx: Context, node: ast.AST) -> None:
    """Receive the captured lists."""
    for source, value in LISTS.get().items():
        from_object(ctx, value, source, node)


def _kind(value: object) -> str:
    return type(value).__name__


def is_compile_time(value: object) -> bool:
    """Whether an object is code or structure, not data."""
    if value is None or isinstance(value, (str, type, ModuleType, FunctionType)):
        return True
    if is_marker(value):
        return True
    return callable(value) and not isinstance(value, np.ndarray) and not is_record(type(value))


def is_library(module: object) -> bool:
    """Whether a module is one whose content does not change."""
    return isinstance(module, ModuleType) and module.__name__.partition(".")[0] in LIBRARIES


def module_attribute(ctx: Context, module: ModuleType, name: str, node: ast.Attribute) -> Value:
    """``module.name``: a constant of a library, or a captured value of a user's module."""
    if not hasattr(module, name):
        raise ctx.type_error(f"module '{module.__name__}' has no attribute '{name}'", node)
    value = getattr(module, name)
    source = n.Source("global", f"<{module.__name__}>.{name}")
    if is_library(module) and is_compile_time(value):
        return Static(value, source)
    if is_library(module):
        return library_constant(value)
    return from_object(ctx, value, source, node)


def _is_number(value: object) -> bool:
    return isinstance(value, (bool, int, float, complex, np.generic))


def _is_own(function: FunctionType | None) -> bool:
    """Whether a function is Weft's own, whose module does not change."""
    return function is not None and str(function.__module__).startswith("weft.frontend.")


def library_constant(value: object) -> Value:
    """A number of a library, which never changes; other objects stay as they are."""
    if _is_number(value):
        return n.Const(python_value(value), describe(value))  # type: ignore[arg-type]
    return Static(value)


def weak_type(value: int) -> Scalar:
    """The type of a Python int or bool."""
    return PYBOOL if isinstance(value, bool) else PYINT
