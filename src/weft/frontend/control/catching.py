"""``try``: exceptions that compiled code catches are jumps, as ``break`` and ``return`` are.

Where a ``try`` that catches it stands around an operation, the test of the operation is made before it. The side that
raises keeps the variables as they are there, sets a code in a variable of the ``try``'s own, and falls nowhere; all
that follows in the list of statements stands in the other side. After the body the code chooses the handler.

A *scope* is a block whose end is the end of a list of statements or of a branch: there its faults become branches. What
may raise in a block of another kind (loops that an array expression makes) is refused.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import field

from weft.dataclass import dataclass
from weft.frontend.control.faults import Fault, faults_of
from weft.frontend.values.scope import Binding, Builder, Context, Environment, Frame, Key
from weft.frontend.values.values import FALSE, TRUE, Instance, Message, Value
from weft.ir import nodes as n
from weft.ir.effects import statement_may_raise
from weft.ir.location import Location
from weft.ir.python_calls import BoundStep
from weft.ir.recursion import function_name
from weft.ir.types import PYBOOL, PYINT
from weft.ir.visit import walk

NOTHING = n.Const(0, PYINT)


@dataclass(frozen=True)
class Raised:
    """An exception that arrives at a handler: its class and its text."""

    handler: int
    kind: type[BaseException] | None = None
    template: str = ""
    types: tuple[object, ...] = ()
    location: Location | None = None


@dataclass(frozen=True, eq=False)
class Caught(Message):
    """The exception in a handler, which is text there; `location` is where it was raised."""

    kind: type[BaseException] = Exception
    location: Location | None = None


@dataclass(eq=False)
class Try:
    """A ``try`` being translated; `handlers` are the classes that each one catches.

    `shown` says which handlers need the exception itself; others need to know only that it was raised.
    """

    frame: Frame
    depth: int
    number: int
    handlers: list[tuple[type[BaseException], ...]]
    shown: list[bool]
    codes: dict[Raised, int] = field(default_factory=dict)

    @property
    def key(self) -> Key:
        """The variable that holds the code of what was raised, 0 for nothing."""
        return self.frame.key(f"$raised{self.number}")

    def held(self, code: int, position: int) -> Key:
        """The variable that holds a value of an exception's text."""
        return self.frame.key(f"$held{self.number}{code:03d}{position:02d}")

    def all_held(self) -> Iterator[Key]:
        """All such variables."""
        for raised, code in self.codes.items():
            yield from (self.held(code, position) for position in range(len(raised.types)))


@dataclass(frozen=True)
class Marker:
    """Before the statement at `position` of a scope: the test whether it raises, and the variables if it does.

    `rare` is the test of an operation; ``raise`` and ``assert`` are as frequent as the user likes.
    """

    position: int
    test: n.Atom
    environment: Environment
    location: Location
    rare: bool = False


@dataclass(eq=False)
class Scope:
    """A block that faults become branches of."""

    builder: Builder
    markers: list[Marker] = field(default_factory=list)


@contextmanager
def scope(ctx: Context, builder: Builder) -> Iterator[list[Marker]]:
    """The markers of a block while it is translated."""
    outer = ctx.scope
    ctx.scope = made = Scope(builder)
    try:
        yield made.markers
    finally:
        ctx.scope = outer


def catcher(ctx: Context, kind: type[BaseException]) -> tuple[Try, int] | None:
    """The innermost handler that catches a class."""
    for one in reversed(ctx.tries):
        for position, classes in enumerate(one.handlers):
            if issubclass(kind, classes):
                return one, position
    return None


def guard(ctx: Context, statement: n.Statement) -> bool:
    """Before a statement is emitted: mark what it may raise and is caught; whether the statement is not needed."""
    is_test = isinstance(statement, (n.Raise, n.If))
    caught = False
    for fault in faults_of(ctx, statement):
        found = catcher(ctx, fault.kind)
        if found is None:
            continue
        if fault.unknown:
            raise refused(ctx, fault.kind, statement.location)
        rare = not is_test or (isinstance(statement, n.If) and statement.rare)
        _mark(ctx, fault, *found, statement.location, rare)
        caught = is_test
    if not caught and isinstance(statement, n.Call):
        _check_function(ctx, statement)
    if isinstance(statement, n.External):
        _check_step(ctx, statement)
    return caught


def _check_function(ctx: Context, call: n.Call) -> None:
    """An associative function that stays a function has no ways out of it."""
    function = next(f for f, _ in ctx.functions.values() if f.name == call.function)
    for statement in walk(function.body):
        if statement_may_raise(statement) and not isinstance(statement, (n.If, n.For, n.While)):
            raise refused(ctx, Exception, call.location)


def _check_step(ctx: Context, statement: n.External) -> None:
    """A Python function may raise anything; Weft's own, such as `print`, raise nothing."""
    if function_name(statement) is not None:
        raise refused(ctx, Exception, statement.location)
    bound = ctx.externals.get(statement.reference)
    if isinstance(bound, BoundStep) and not bound.step.is_of_library:
        raise refused(ctx, Exception, statement.location)


def refused(ctx: Context, kind: type[BaseException], location: Location) -> Exception:
    """The error of an operation that no ``try`` in compiled code catches."""
    error = ctx.refusal("caught operation", ctx.frame.node, name=kind.__name__)
    error.location = location
    return error


def _mark(ctx: Context, fault: Fault, catching: Try, handler: int, location: Location, rare: bool) -> None:
    if ctx.scope is None or ctx.builder is not ctx.scope.builder:
        raise refused(ctx, fault.kind, location)
    test = fault.test()
    if test == FALSE:
        return
    state = ctx.environment.copy()
    raise_in(ctx, state, catching, handler, fault.kind, Message(fault.message, fault.operands), location)
    ctx.scope.markers.append(Marker(len(ctx.builder.statements), test, state, location, rare))


def raise_in(
    ctx: Context,
    state: Environment,
    catching: Try,
    handler: int,
    kind: type[BaseException],
    message: Message,
    location: Location,
) -> None:
    """Let an exception leave the current place: `state` are the variables there."""
    raised = Raised(handler)
    if catching.shown[handler]:
        types = tuple(_type_of(operand) for operand in message.operands)
        raised = Raised(handler, kind, message.template, types, location)
    code = catching.codes.setdefault(raised, len(catching.codes) + 1)
    for position, operand in enumerate(message.operands if catching.shown[handler] else ()):
        state.bindings[catching.held(code, position)] = Binding(operand)
    state.bindings[catching.key] = Binding(n.Const(code, PYINT))
    _leave_loops(ctx, state, catching)


def _type_of(operand: Value) -> object:
    """What tells exceptions apart that show other things."""
    return operand.type if isinstance(operand, (n.Var, n.Const, Instance)) else None


def _leave_loops(ctx: Context, state: Environment, catching: Try) -> None:
    """The loops of the current function that stand inside a ``try`` end."""
    loops = ctx.frame.loops[catching.depth :] if ctx.frame is catching.frame else ctx.frame.loops
    for loop in loops:
        if loop.alive is not None:
            state.bindings[ctx.frame.key(loop.alive)] = Binding(FALSE)
    state.fall = FALSE


def go_on(ctx: Context, node: ast.AST) -> None:
    """After a branch or call inside an expression, in which an exception may have been raised: mark that, and go on."""
    for one in ctx.tries:
        binding = ctx.environment.bindings.get(one.key)
        if binding is None or binding.value == NOTHING:
            continue
        location = ctx.location(node)
        if ctx.scope is None or ctx.builder is not ctx.scope.builder:
            raise refused(ctx, Exception, location)
        assert isinstance(binding.value, (n.Var, n.Const))
        test: n.Atom = TRUE
        if isinstance(binding.value, n.Var):
            test = ctx.emit(n.Compare("ne", binding.value, NOTHING), PYBOOL, location)
        state = ctx.environment.copy()
        _leave_loops(ctx, state, one)
        ctx.scope.markers.append(Marker(len(ctx.builder.statements), test, state, location))
        ctx.environment.bindings[one.key] = Binding(NOTHING)
        ctx.environment.fall = TRUE


def nothing_raised(ctx: Context) -> None:
    """Where control arrives, nothing was raised."""
    for one in ctx.tries:
        if one.key in ctx.environment.bindings:
            ctx.environment.bindings[one.key] = Binding(NOTHING)


def may_be_raised(ctx: Context) -> bool:
    """Whether an exception may have been raised that a ``try`` catches."""
    known = (ctx.environment.bindings.get(one.key) for one in ctx.tries)
    return any(binding is not None and binding.value != NOTHING for binding in known)


def after_loop(ctx: Context, fall: n.Atom, node: ast.AST) -> n.Atom:
    """Whether control goes on after a loop that an exception may have left."""
    for one in ctx.tries:
        binding = ctx.environment.bindings.get(one.key)
        value = None if binding is None else binding.value
        if isinstance(value, n.Const) and value != NOTHING:
            return FALSE
        if isinstance(value, n.Var) and fall != FALSE:
            none = ctx.emit(n.Compare("eq", value, NOTHING), PYBOOL, node)
            fall = none if fall == TRUE else ctx.emit(n.Binary("and", fall, none, checked=False), PYBOOL, node)
    return fall
