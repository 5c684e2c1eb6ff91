"""The statement ``try``: its body, what its handlers do with what was raised, ``else`` and ``finally``."""

from __future__ import annotations

import ast
from collections.abc import Callable, Sequence

from weft.frontend.calls import messages
from weft.frontend.control import catching, statements
from weft.frontend.control.catching import NOTHING, Caught, Raised, Try
from weft.frontend.control.joins import branch
from weft.frontend.control.liveness import leaves_block, own_nodes
from weft.frontend.values.dispatch import evaluate, statement
from weft.frontend.values.scope import Binding, Context
from weft.frontend.values.values import FALSE, TRUE, Static, Value
from weft.ir import nodes as n
from weft.ir.types import PYBOOL


@statement(ast.Try)
def _try(ctx: Context, node: ast.stmt) -> None:
    assert isinstance(node, ast.Try)
    ctx.guard = catching.guard
    if node.finalbody:
        _with_final(ctx, node)
    else:
        _with_handlers(ctx, node)


def _with_handlers(ctx: Context, node: ast.Try) -> None:
    caught = [_classes(ctx, handler) for handler in node.handlers]
    shown = [_shows_exception(handler) for handler in node.handlers]
    one = Try(ctx.frame, len(ctx.frame.loops), id(node), caught, shown)
    arrives = _run_body(ctx, one, node.body, lambda: statements.execute(ctx, node.body))
    if ctx.environment.fall is None:
        return

    def otherwise() -> None:
        ctx.environment.fall = arrives
        statements.execute(ctx, node.orelse)

    _choose(ctx, one, node, lambda raised, message: _handle(ctx, node.handlers[raised.handler], message), otherwise)


def _run_body(ctx: Context, one: Try, body: Sequence[ast.stmt], run: Callable[[], None]) -> n.Atom:
    """Translate the body of a ``try``; whether control arrives at its end where nothing was raised."""
    ctx.environment.bindings[one.key] = Binding(NOTHING)
    ctx.tries.append(one)
    try:
        with ctx.followed(True):
            run()
    finally:
        ctx.tries.pop()
    fall = ctx.environment.fall
    exact = any(leaves_block(statement) for statement in body) or catching.may_be_raised(ctx) or fall is None
    return fall if exact and fall is not None else TRUE


def _choose(
    ctx: Context,
    one: Try,
    node: ast.Try,
    handle: Callable[[Raised, Caught], None],
    otherwise: Callable[[], None],
) -> None:
    """After the body: what is done with what was raised, and what is done where nothing was."""
    bindings = ctx.environment.bindings
    value = bindings.pop(one.key).value
    assert isinstance(value, (n.Var, n.Const))
    held = {key: bindings.pop(key) for key in one.all_held() if key in bindings}
    location, live = ctx.location(node), ctx.frame.liveness.joined.get(id(node))

    def ways(codes: list[tuple[Raised, int]]) -> None:
        if not codes:
            otherwise()
            return
        raised, code = codes[0]

        def caught() -> None:
            ctx.environment.fall = TRUE
            catching.nothing_raised(ctx)
            kind = raised.kind or Exception
            operands = [held[one.held(code, k)].value for k in range(len(raised.types))]
            handle(raised, Caught(raised.template, tuple(operands), kind, raised.location))  # type: ignore[arg-type]

        test: n.Atom
        if isinstance(value, n.Const):
            test = TRUE if value.value == code else FALSE
        else:
            test = ctx.emit(n.Compare("eq", value, n.Const(code, NOTHING.type)), PYBOOL, node)
        branch(ctx, test, caught, lambda: ways(codes[1:]), location, live)

    # a code whose values are missing was given in a trial translation only
    ways([(r, code) for r, code in one.codes.items() if all(one.held(code, k) in held for k in range(len(r.types)))])


def _handle(ctx: Context, handler: ast.ExceptHandler, caught: Caught) -> None:
    """Translate a handler for one exception."""
    if handler.name is not None:
        ctx.bind(handler.name, messages.text_of_caught(caught), handler)
    ctx.handled.append(caught)
    try:
        statements.execute(ctx, handler.body)
    finally:
        ctx.handled.pop()
    if handler.name is not None:
        ctx.environment.bindings.pop(ctx.frame.key(handler.name), None)


def _shows_exception(handler: ast.ExceptHandler) -> bool:
    """Whether a handler uses the exception: its name, or ``raise`` alone."""
    nodes = list(own_nodes(handler.body))
    again = any(isinstance(node, ast.Raise) and node.exc is None for node in nodes)
    return again or any(isinstance(node, ast.Name) and node.id == handler.name for node in nodes)


def _classes(ctx: Context, handler: ast.ExceptHandler) -> tuple[type[BaseException], ...]:
    """The classes that a handler catches."""
    if handler.type is None:
        return (BaseException,)
    value = evaluate(ctx, handler.type)
    found: list[type[BaseException]] = []
    for item in value if isinstance(value, tuple) else (value,):
        found.append(_class(ctx, item, handler.type))
    return tuple(found)


def _class(ctx: Context, value: Value, node: ast.expr) -> type[BaseException]:
    known = value.value if isinstance(value, Static) else None
    if not (isinstance(known, type) and issubclass(known, BaseException)):
        raise ctx.refusal("handler", node, what=ast.unparse(node))
    return known


def _with_final(ctx: Context, node: ast.Try) -> None:
    """``finally``: done in every case; then control goes where it was going."""
    jump = next((inner for inner in node.finalbody if leaves_block(inner)), None)
    if jump is not None:
        raise ctx.refusal("jump in finally", jump)
    one = Try(ctx.frame, len(ctx.frame.loops), id(node.finalbody), [(BaseException,)], [True])

    def body() -> None:
        if node.handlers:
            _with_handlers(ctx, node)
        else:
            statements.execute(ctx, node.body)

    arrives = _run_body(ctx, one, [*node.body, *node.handlers, *node.orelse], body)  # type: ignore[list-item]
    if ctx.environment.fall is None:
        return
    ctx.environment.fall = TRUE
    with ctx.followed(True):
        statements.execute(ctx, node.finalbody)
    done = ctx.environment.fall

    def leave() -> None:
        ctx.environment.fall = arrives

    def go_on() -> None:
        catching.nothing_raised(ctx)
        _choose(ctx, one, node, lambda _, caught: messages.raise_again(ctx, caught, node), leave)

    def skip() -> None:
        ctx.environment.fall = FALSE
        ctx.environment.bindings.pop(one.key, None)

    if done is not None:
        branch(ctx, done, go_on, skip, ctx.location(node))
