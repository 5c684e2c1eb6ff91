"""Statements, and lists of them with the jumps inside.

``break``, ``continue`` and ``return`` set flags and leave `Environment.fall` False. What follows an ``if`` of which
one side jumps moves into the other side; only where that does not suffice the rest stands under a test of `fall`.
"""

from __future__ import annotations

import ast
import sys
from collections.abc import Sequence
from types import ModuleType
from typing import cast as typed

import numpy as np

from weft.errors import Error
from weft.frontend.calls import calls, messages
from weft.frontend.control import catching, conditions, loops, targets
from weft.frontend.control.joins import Side, branch, continue_side, in_scope, join, translate_side
from weft.frontend.control.liveness import Names, assigned
from weft.frontend.recursion import cached
from weft.frontend.source.fingerprint import IMPORTED
from weft.frontend.source.supported import REFUSED_STATEMENTS
from weft.frontend.values import names, objects
from weft.frontend.values.dispatch import STATEMENTS, evaluate, evaluate_any, statement
from weft.frontend.values.scope import Binding, Context, check_no_generator
from weft.frontend.values.values import FALSE, NONE, TRUE, Static, Value
from weft.ir import nodes as n


def execute(ctx: Context, statements: Sequence[ast.stmt]) -> None:
    """Translate a list of statements."""
    if ctx.tries:
        _execute_guarded(ctx, statements)
        return
    for index, node in enumerate(statements):
        fall = ctx.environment.fall
        if fall is None or fall == FALSE:
            return  # never reached
        if isinstance(fall, n.Var):
            _execute_if_reached(ctx, fall, statements[index:])
            return
        rest = statements[index + 1 :]
        if isinstance(node, ast.If):
            if _execute_if(ctx, node, rest):
                return
        else:
            _execute_one(ctx, node, bool(rest))


def _execute_guarded(ctx: Context, statements: Sequence[ast.stmt]) -> None:
    """Translate a list of statements inside a ``try``: what follows one that may raise goes where it does not."""
    if not statements or ctx.environment.fall in (None, FALSE):
        return
    if isinstance(ctx.environment.fall, n.Var):
        _execute_if_reached(ctx, ctx.environment.fall, statements)
        return
    first, rest = statements[0], statements[1:]

    def translate() -> None:
        moved = isinstance(first, ast.If) and _execute_if(ctx, first, rest)
        if not isinstance(first, ast.If):
            _execute_one(ctx, first, bool(rest))
        if not moved:
            _execute_guarded(ctx, rest)

    in_scope(ctx, translate)


def _execute_one(ctx: Context, node: ast.stmt, follows: bool) -> None:
    """Translate one statement; an error in it is kept, and what it assigns loses its meaning."""
    loops = len(ctx.frame.loops)
    try:
        with ctx.followed(follows or ctx.follows):
            handler = STATEMENTS.get(type(node))
            if handler is None:
                raise ctx.refusal(REFUSED_STATEMENTS.get(type(node).__name__, "statement"), node)
            handler(ctx, node)
    except Error as error:
        del ctx.frame.loops[loops:]
        if not ctx.is_never_reached():
            _recover(ctx, node, error)


def _recover(ctx: Context, node: ast.stmt, error: Error) -> None:
    ctx.report(error)
    lost = assigned([node])
    ctx.poison((*lost, "$value") if isinstance(node, ast.Return) else lost, node)
    if isinstance(node, ast.Return):
        leave_function(ctx)


def _execute_if_reached(ctx: Context, fall: n.Var, statements: Sequence[ast.stmt]) -> None:
    """Translate statements that run only where `fall` holds."""

    def reached() -> None:
        ctx.environment.fall = TRUE
        catching.nothing_raised(ctx)
        execute(ctx, statements)

    def skipped() -> None:
        ctx.environment.fall = FALSE

    branch(ctx, fall, reached, skipped, ctx.location(statements[0]), _live_at_join(ctx, statements[-1]))


def _live_at_join(ctx: Context, node: ast.stmt) -> Names | None:
    return ctx.frame.liveness.joined.get(id(node))


def _execute_if(ctx: Context, node: ast.If, rest: Sequence[ast.stmt]) -> bool:
    """Translate an ``if``; True where the statements after it went into one of its sides."""
    follows = bool(rest) or ctx.follows
    try:
        with ctx.followed(follows):
            test = conditions.condition(ctx, node.test)
    except Error as error:
        ctx.report(error)
        ctx.poison(assigned([node]), node)
        return False
    if isinstance(test, n.Const):
        with ctx.followed(follows):
            execute(ctx, node.body if test.value else node.orelse)
        return False
    with ctx.followed(follows):
        then = translate_side(ctx, lambda: execute(ctx, node.body), (test, True))
        orelse = translate_side(ctx, lambda: execute(ctx, node.orelse), (test, False))
    moved = _move_rest(ctx, then, orelse, rest)
    with ctx.followed(ctx.follows if moved else follows):
        join(ctx, test, then, orelse, ctx.location(node.test), _live_at_join(ctx, rest[-1] if moved else node))
    return moved


def _move_rest(ctx: Context, then: Side, orelse: Side, rest: Sequence[ast.stmt]) -> bool:
    """Put the statements after an ``if`` into the only side that reaches them."""
    jumps = [side.environment.fall == FALSE for side in (then, orelse)]
    if not rest or jumps[0] == jumps[1] or then.ended or orelse.ended:
        return False
    continue_side(ctx, orelse if jumps[0] else then, lambda: execute(ctx, rest))
    return True


def leave_function(ctx: Context) -> None:
    """Control leaves the current function; loops around end."""
    frame = ctx.frame
    if frame.key("$running") in ctx.environment.bindings:
        ctx.set_flag("$running", False)
    for loop in frame.loops:
        if loop.alive is not None:
            ctx.set_flag(loop.alive, False)
    for depth in range(len(frame.loops)):
        ctx.environment.bindings.pop(frame.iterated(depth), None)
    ctx.environment.fall = FALSE


@statement(ast.Return)
def _return(ctx: Context, node: ast.stmt) -> None:
    assert isinstance(node, ast.Return)
    value = NONE if node.value is None else evaluate_any(ctx, node.value)
    if ctx.is_never_reached():
        return  # the value always raises, and is none
    check_no_generator(ctx, value, node)
    if ctx.frame.stops:
        value = _stop_flag(value)
    ctx.environment.bindings[ctx.frame.key("$value")] = Binding(value, TRUE, ctx.location(node))
    leave_function(ctx)


def _stop_flag(value: Value) -> n.Atom:
    """Whether a value is `weft.STOP`."""
    return TRUE if isinstance(value, Static) and repr(value.value) == "weft.STOP" else FALSE


@statement(ast.Break)
def _break(ctx: Context, node: ast.stmt) -> None:
    loops = ctx.frame.loops
    alive = loops[-1].alive
    assert alive is not None
    ctx.set_flag(alive, False)
    ctx.environment.bindings.pop(ctx.frame.iterated(len(loops) - 1), None)
    ctx.environment.fall = FALSE


@statement(ast.Continue)
def _continue(ctx: Context, node: ast.stmt) -> None:
    ctx.environment.fall = FALSE


@statement(ast.Pass, ast.Nonlocal, ast.Global)
def _nothing(ctx: Context, node: ast.stmt) -> None:
    """``nonlocal`` and ``global`` were read when the frame was made."""


@statement(ast.Expr)
def _expression(ctx: Context, node: ast.stmt) -> None:
    assert isinstance(node, ast.Expr)
    if isinstance(node.value, ast.Constant):
        return
    evaluate_any(ctx, node.value)


@statement(ast.Assign)
def _assign(ctx: Context, node: ast.stmt) -> None:
    assert isinstance(node, ast.Assign)
    first = node.targets[0]
    value = targets.evaluate_for(ctx, first, node.value) if len(node.targets) == 1 else evaluate_any(ctx, node.value)
    for target in node.targets:
        targets.assign(ctx, target, value, node)


@statement(ast.AnnAssign)
def _annotated(ctx: Context, node: ast.stmt) -> None:
    assert isinstance(node, ast.AnnAssign)
    if node.value is not None:
        targets.assign(ctx, node.target, targets.evaluate_for(ctx, node.target, node.value), node)


@statement(ast.AugAssign)
def _augmented(ctx: Context, node: ast.stmt) -> None:
    assert isinstance(node, ast.AugAssign)
    targets.assign_augmented(ctx, node)


@statement(ast.For)
def _for(ctx: Context, node: ast.stmt) -> None:
    assert isinstance(node, ast.For)
    loops.translate_for(ctx, node, execute)


@statement(ast.While)
def _while(ctx: Context, node: ast.stmt) -> None:
    assert isinstance(node, ast.While)
    loops.translate_while(ctx, node, execute)


@statement(ast.FunctionDef)
def _define(ctx: Context, node: ast.stmt) -> None:
    assert isinstance(node, ast.FunctionDef)
    keeps = [cached.is_decorator(ctx, decorator) for decorator in node.decorator_list]
    if keeps == [True]:
        ctx.bind(node.name, cached.decorated(ctx, calls.closure(ctx, node), node.decorator_list[0]), node)
        return
    decorators = [_decorator(ctx, decorator) for decorator in node.decorator_list]
    made: Value = calls.closure(ctx, node)
    for decorator in reversed(decorators):
        made = calls.call(ctx, decorator, [made], {}, node)
    ctx.bind(node.name, made, node)


def _decorator(ctx: Context, node: ast.expr) -> Value:
    """``@np.vectorize``, with or without its options."""
    function = node.func if isinstance(node, ast.Call) else node
    is_known = isinstance(function, ast.Attribute) and function.attr == "vectorize"
    if not is_known or typed(Static, evaluate(ctx, function)).value is not np.vectorize:
        raise ctx.refusal("inner decorator", node)
    return evaluate(ctx, node)


@statement(ast.Import)
def _import(ctx: Context, node: ast.stmt) -> None:
    """``import math`` inside a function: names of modules whose content does not change."""
    assert isinstance(node, ast.Import)
    for alias in node.names:
        module = _library(ctx, alias.name, node)
        whole = module if alias.asname else _library(ctx, alias.name.partition(".")[0], node)
        targets.assign_name(ctx, alias.asname or alias.name.partition(".")[0], Static(whole), node)


@statement(ast.ImportFrom)
def _import_from(ctx: Context, node: ast.stmt) -> None:
    assert isinstance(node, ast.ImportFrom)
    if node.level or node.module is None:
        raise ctx.refusal("import", node)
    module = _library(ctx, node.module, node)
    for alias in node.names:
        place = ast.copy_location(ast.Attribute(ast.Name(node.module, ast.Load()), alias.name, ast.Load()), node)
        inner = sys.modules.get(f"{node.module}.{alias.name}")
        is_module = inner is not None and getattr(module, alias.name, None) is inner
        value = Static(inner) if is_module else names.module_attribute(ctx, module, alias.name, place)
        targets.assign_name(ctx, alias.asname or alias.name, value, node)


def _library(ctx: Context, name: str, node: ast.AST) -> ModuleType:
    """A module that is loaded, and that the key of the compiled function tells from others."""
    module = sys.modules.get(name)
    if module is None or not (names.is_library(module) or name in IMPORTED) or module.__name__ != name:
        raise ctx.refusal("import", node)
    return module


@statement(ast.Delete)
def _delete(ctx: Context, node: ast.stmt) -> None:
    """``del x``: the name stands for nothing from here on; ``del x[key]`` is a method of the class of ``x``."""
    assert isinstance(node, ast.Delete)
    for target in node.targets:
        if isinstance(target, ast.Subscript):
            _delete_item(ctx, target, node)
            continue
        if not isinstance(target, ast.Name) or target.id not in ctx.frame.locals:
            raise ctx.refusal("del", node)
        names.lookup(ctx, target.id, target)
        del ctx.environment.bindings[ctx.frame.key(target.id)]


def _delete_item(ctx: Context, target: ast.Subscript, node: ast.Delete) -> None:
    owner = evaluate(ctx, target.value)
    method = objects.method(ctx, owner, "__delitem__")
    if method is None:
        raise ctx.refusal("del", node)
    calls.call(ctx, method, [evaluate(ctx, target.slice)], {}, target)


@statement(ast.Raise)
def _raise(ctx: Context, node: ast.stmt) -> None:
    assert isinstance(node, ast.Raise)
    messages.translate_raise(ctx, node)


@statement(ast.Assert)
def _assert(ctx: Context, node: ast.stmt) -> None:
    assert isinstance(node, ast.Assert)
    if __debug__:
        messages.translate_assert(ctx, node)
