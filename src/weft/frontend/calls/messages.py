"""Text: f-strings, ``raise``, ``assert``, ``print`` and ``breakpoint``."""

from __future__ import annotations

import ast
import builtins
import re
import time
from collections.abc import Callable
from dataclasses import fields, is_dataclass
from enum import Enum
from types import SimpleNamespace
from typing import cast as typed

from weft.dataclass import dataclass
from weft.errors import ITSELF
from weft.frontend import members
from weft.frontend.arrays.tables import check_arguments, function
from weft.frontend.calls import calls
from weft.frontend.calls.printing import NUMPY, PYTHON, show
from weft.frontend.control import catching, conditions
from weft.frontend.control.catching import Caught
from weft.frontend.control.joins import branch
from weft.frontend.source.signature import field_names
from weft.frontend.values import enum_members, lists, mutable
from weft.frontend.values.dispatch import evaluate, evaluate_any, expression
from weft.frontend.values.scope import Context
from weft.frontend.values.values import FALSE, Bound, Instance, Message, Static, Value, is_atom, is_view, scalar_type
from weft.ir import nodes as n
from weft.ir.location import Location
from weft.ir.python_calls import BoundStep, Layout, Step
from weft.ir.types import PYBOOL, PYCOMPLEX, PYFLOAT, PYINT, Scalar, View

_WEAK: dict[type, Scalar] = {bool: PYBOOL, int: PYINT, float: PYFLOAT, complex: PYCOMPLEX}


@expression(ast.Constant)
def _constant(ctx: Context, node: ast.expr) -> Value:
    assert isinstance(node, ast.Constant)
    weak = _WEAK.get(type(node.value))
    return n.Const(node.value, weak) if weak is not None else Static(node.value)  # type: ignore[arg-type]


@expression(ast.Tuple)
def _tuple(ctx: Context, node: ast.expr) -> Value:
    assert isinstance(node, ast.Tuple)
    items: list[Value] = []
    for item in node.elts:
        value = evaluate_any(ctx, item.value if isinstance(item, ast.Starred) else item)
        if isinstance(item, ast.Starred):
            value = value.items if isinstance(value, Instance) and value.is_tuple else value
            if not isinstance(value, tuple):
                raise ctx.type_error("only a tuple can be unpacked with *", item)
            items += value
        else:
            items.append(value)
    return tuple(items)


@expression(ast.NamedExpr)
def _walrus(ctx: Context, node: ast.expr) -> Value:
    from weft.frontend.control.targets import assign_name, evaluate_for

    assert isinstance(node, ast.NamedExpr)
    value = evaluate_for(ctx, node.target, node.value)
    assign_name(ctx, node.target.id, value, node)
    return value


@expression(ast.JoinedStr)
def _f_string(ctx: Context, node: ast.expr) -> Value:
    assert isinstance(node, ast.JoinedStr)
    parts = [_part(ctx, part) for part in node.values]
    return joined(parts)


def _part(ctx: Context, node: ast.expr) -> Message:
    if isinstance(node, ast.Constant):
        return message_of(ctx, Static(node.value), node)
    assert isinstance(node, ast.FormattedValue)
    spec = ""
    if node.format_spec is not None:
        assert isinstance(node.format_spec, ast.JoinedStr)
        if not all(isinstance(part, ast.Constant) for part in node.format_spec.values):
            raise ctx.refusal("format", node)
        spec = ":" + "".join(str(part.value) for part in node.format_spec.values if isinstance(part, ast.Constant))
    conversion = "" if node.conversion < 0 else f"!{chr(node.conversion)}"
    return message_of(ctx, evaluate(ctx, node.value), node, f"{conversion}{spec}")


def message_of(ctx: Context, value: Value, node: ast.AST, form: str = "") -> Message:
    """A value as text: a ``str.format`` template and what it formats."""
    if isinstance(value, Message):
        return value
    if isinstance(value, (n.Var, n.Const)):
        return Message(f"{{{form}}}", (value,))
    if isinstance(value, Instance):
        return _of_instance(ctx, value, node, form)
    if isinstance(value, tuple):
        inner = joined([message_of(ctx, item, node, "!r") for item in value], ", ")
        return Message(f"({inner.template}{',' * (len(value) == 1)})", inner.operands)
    if isinstance(value, Static):
        text = ("{" + form + "}").format(value.value)
        return Message(text.replace("{", "{{").replace("}", "}}"))
    raise ctx.refusal("format", node)


def _of_instance(ctx: Context, value: Instance, node: ast.AST, form: str) -> Message:
    """An object as text: by its own ``__str__`` or ``__repr__``, else as a dataclass or named tuple shows itself."""
    if enum_members.is_member(value):
        return _of_member(ctx, value, node, form)
    if form not in ("", "!s", "!r") or mutable.is_keyed(value):
        raise ctx.refusal("text of an object", node, name=value.type.__name__)
    for name in ("__repr__",) if form == "!r" else ("__str__", "__repr__"):
        if members.is_written_by_user(members.find(value.type, name)):
            method = Bound(value, Static(members.find(value.type, name)))
            return message_of(ctx, calls.call(ctx, method, [], {}, node), node)
    shown = _shown_fields(value.type)
    if shown is None:
        raise ctx.refusal("text of an object", node, name=value.type.__name__)
    pairs = zip(value.names, mutable.items_of(ctx, value, node), strict=True)
    inner = joined([_named_item(ctx, name, item, node) for name, item in pairs if name in shown], ", ")
    head = value.type.__name__ if value.is_tuple else value.type.__qualname__
    return Message(f"{head}({inner.template})", inner.operands)


def _shown_fields(cls: type) -> tuple[str, ...] | None:
    """The fields that a dataclass or named tuple shows; None for a class whose objects show none."""
    if not is_dataclass(cls):
        return field_names(cls) if issubclass(cls, tuple) else None
    shows = cls.__dataclass_params__.repr  # type: ignore[attr-defined]
    return tuple(field.name for field in fields(cls) if field.repr) if shows else None


def _of_member(ctx: Context, value: Instance, node: ast.AST, form: str) -> Message:
    """A member of an enumeration, which is known when compiling, as text."""
    (place,) = value.items
    if not isinstance(place, n.Const):
        raise ctx.refusal("text of an object", node, name=value.type.__name__)
    assert issubclass(value.type, Enum)
    text = ("{" + form + "}").format(list(value.type)[int(place.value.real)])
    return _constant_text(text)


def _named_item(ctx: Context, name: str, item: Value, node: ast.AST) -> Message:
    inner = message_of(ctx, item, node, "!r")
    return Message(f"{name}={inner.template}", inner.operands)


def joined(parts: list[Message], separator: str = "") -> Message:
    """Messages one after the other."""
    operands = tuple(operand for part in parts for operand in part.operands)
    return Message(separator.join(part.template for part in parts), operands)


_DIRECTIVE = re.compile(r"%(?:(?P<percent>%)|(?P<width>0?\d*(?:\.\d+)?)(?P<kind>[disrfeg]))")
_KINDS = {"s": "", "r": "!r", "i": ":{}d", "d": ":{}d", "f": ":{}f", "e": ":{}e", "g": ":{}g"}


def percent(ctx: Context, template: str, value: Value, node: ast.AST) -> Message:
    """``template % value``."""
    if "%" in _DIRECTIVE.sub("", template):
        raise ctx.refusal("format", node)
    items = value if isinstance(value, tuple) else (value,)
    parts: list[Message] = []
    waiting, end = list(items), 0
    for found in _DIRECTIVE.finditer(template):
        parts.append(_constant_text(template[end : found.start()] + (found["percent"] or "")))
        end = found.end()
        if found["percent"]:
            continue
        if not waiting:
            raise ctx.type_error("not enough arguments for format string", node)
        parts.append(_formatted(ctx, waiting.pop(0), found, node))
    if waiting:
        raise ctx.type_error("not all arguments converted during string formatting", node)
    return joined([*parts, _constant_text(template[end:])])


def _constant_text(text: str) -> Message:
    return Message(text.replace("{", "{{").replace("}", "}}"))


def _formatted(ctx: Context, value: Value, directive: re.Match[str], node: ast.AST) -> Message:
    """One value as a directive such as ``%5.2f`` says."""
    kind, type = directive["kind"], scalar_type(value)
    plain = directive["width"] == "" if kind in "sr" else type is not None and type.kind in "iuf"
    if not plain or (kind in "di" and (type is None or type.kind == "f")):
        raise ctx.refusal("format", node)
    return message_of(ctx, value, node, _KINDS[kind].format(directive["width"]))


# ----------------------------------------------------------------------------------------------------- raising


def translate_raise(ctx: Context, node: ast.Raise) -> None:
    """``raise Exception(message)``; what follows is never reached."""
    no_cause = node.cause is None or (isinstance(node.cause, ast.Constant) and node.cause.value is None)
    if node.exc is None and ctx.handled:
        raise_again(ctx, ctx.handled[-1], node)
        return
    if node.exc is None or not no_cause:
        raise ctx.refusal("raise form", node)
    call = node.exc if isinstance(node.exc, ast.Call) else None
    kind = evaluate(ctx, call.func if call is not None else node.exc)
    if isinstance(kind, Caught) and call is None:
        raise_again(ctx, kind, node)
        return
    if not (isinstance(kind, Static) and isinstance(kind.value, type) and issubclass(kind.value, BaseException)):
        raise ctx.refusal("raise form", node)
    if call is not None and (call.keywords or len(call.args) > 1 or any(isinstance(a, ast.Starred) for a in call.args)):
        raise ctx.refusal("raise form", node)
    _fail(ctx, kind.value, _argument(ctx, call.args[0]) if call and call.args else Message(""), node)


def _argument(ctx: Context, node: ast.expr) -> Message:
    """What an exception is made with: a number stays one."""
    value = evaluate(ctx, node)
    return Message(ITSELF, (value,)) if isinstance(value, (n.Var, n.Const)) else message_of(ctx, value, node)


def _exception_name(kind: type) -> str:
    """The name by which the runtime finds an exception class."""
    name: str = kind.__name__
    if getattr(builtins, name, None) is kind:
        return name
    return f"{kind.__module__}:{kind.__qualname__}"


def raise_again(ctx: Context, caught: Caught, node: ast.AST) -> None:
    """Raise what was caught."""
    _fail(ctx, caught.kind, caught, node, caught.location)


def _fail(
    ctx: Context, kind: type[BaseException], message: Message, node: ast.AST, location: Location | None = None
) -> None:
    location = location or ctx.location(node)
    for operand in message.operands:
        if scalar_type(operand) is None:
            raise ctx.refusal("format", node)
    found = catching.catcher(ctx, kind)
    if found is not None:
        catching.raise_in(ctx, ctx.environment, *found, kind, message, location)
        return
    ctx.append(n.Raise(_exception_name(kind), message.template, message.operands, location))
    ctx.environment.fall = None


def translate_assert(ctx: Context, node: ast.Assert) -> None:
    """``assert condition, message``; the message is computed only where the condition is false."""
    test = conditions.condition(ctx, node.test)

    def fail() -> None:
        message = Message("") if node.msg is None else _argument(ctx, node.msg)
        _fail(ctx, AssertionError, message, node)

    branch(ctx, test, lambda: None, fail, ctx.location(node.test))


# ---------------------------------------------------------------------------------------------------- debugging


@dataclass(frozen=True)
class Breakpoint:
    """The reference of a ``breakpoint``: shows the variables by their names in Python's debugger."""

    names: tuple[str, ...]

    def __call__(self, *operands: object) -> None:
        """Stop in the debugger; the variables are attributes of ``variables`` and cannot be changed."""
        import pdb

        variables = SimpleNamespace(**dict(zip(self.names, operands, strict=True)))
        print(variables)
        pdb.set_trace()


@function(print)
def _print(ctx: Context, arguments: list[Value], keywords: dict[str, Value], node: ast.AST) -> Value:
    separator, end = _text(ctx, keywords.pop("sep", None), " ", node), _text(ctx, keywords.pop("end", None), "\n", node)
    flush = keywords.pop("flush", FALSE)
    if keywords or not isinstance(flush, n.Const):
        raise ctx.refusal("print arguments", node)
    parts = [_printed(ctx, value, node) for value in arguments]
    message = joined([joined(parts, separator), Message(end)])
    _show(ctx, message, bool(flush.value), node)
    return Static(None)


def _printed(ctx: Context, value: Value, node: ast.AST) -> Message:
    """A value as ``print`` shows it; a list of numbers is an array with a format of its own."""
    if not lists.is_list(value) or not lists.is_of_numbers(ctx, value, node):
        return message_of(ctx, value, node, "!s")
    view, is_python = lists.first_elements(ctx, value, node)
    return Message(f"{{:{PYTHON if is_python else NUMPY}}}", (view,))


def _show(ctx: Context, message: Message, is_flushed: bool, node: ast.AST) -> None:
    """The step that prints a message."""
    given = (("constant", message.template), ("constant", is_flushed), *range(len(message.operands)))
    _step(ctx, show, f"<{show.__module__}>.show", given, message.operands, None, node)


def _step(
    ctx: Context,
    called: Callable[..., object],
    source: str,
    given: tuple[int | Layout, ...],
    operands: tuple[n.Atom, ...],
    returns: Scalar | None,
    node: ast.AST,
) -> Value:
    """A call of a function of Python's or of Weft's, which keeps no array."""
    if ctx.in_function:
        raise ctx.type_error("an associative function cannot call Python", node)
    for operand in operands:
        ctx.settle(operand)
    types = typed("tuple[Scalar | View, ...]", tuple(operand.type for operand in operands))
    kept = (False,) * len(types)
    step = Step(called.__name__, n.Source("global", source), given, types, kept, returns, is_of_library=True)
    label = f"{called.__name__}.{len(ctx.externals) + 1}"
    ctx.externals[label] = BoundStep(step, called)
    views = tuple(operand for operand in operands if isinstance(operand, n.Var) and is_view(operand))
    results = () if returns is None else (ctx.names.fresh("t", returns),)
    ctx.append(n.External(results, label, operands, views, (), ctx.location(node)))
    return results[0] if results else Static(None)


def _text(ctx: Context, value: Value | None, default: str, node: ast.AST) -> str:
    if value is None or (isinstance(value, Static) and value.value is None):
        return default
    if not (isinstance(value, Static) and isinstance(value.value, str)):
        raise ctx.refusal("print arguments", node)
    return str(value.value).replace("{", "{{").replace("}", "}}")


def _register_clock(clock: Callable[[], float]) -> None:
    """Make reading a clock a step in Python."""

    @function(clock)
    def read(ctx: Context, arguments: list[Value], keywords: dict[str, Value], node: ast.AST) -> Value:
        check_arguments(ctx, arguments, keywords, range(1), clock.__name__, node)
        return _step(ctx, clock, f"<time>.{clock.__name__}", (), (), PYFLOAT, node)


for _clock in (time.time, time.perf_counter, time.process_time, time.monotonic):
    _register_clock(_clock)


@function(breakpoint)
def _breakpoint(ctx: Context, arguments: list[Value], keywords: dict[str, Value], node: ast.AST) -> Value:
    visible = {
        name: binding.value
        for (frame, name), binding in ctx.environment.bindings.items()
        if frame == ctx.frame.number and is_atom(binding.value) and not name.startswith("$")
    }
    operands = tuple(value for value in visible.values() if isinstance(value, (n.Var, n.Const)))
    _external(ctx, "breakpoint", Breakpoint(tuple(visible)), operands, node)
    return Static(None)


def _external(ctx: Context, name: str, reference: object, operands: tuple[n.Atom, ...], node: ast.AST) -> None:
    label = f"{name}.{len(ctx.externals) + 1}"
    ctx.externals[label] = reference
    views = tuple(operand for operand in operands if isinstance(operand, n.Var) and is_view(operand))
    ctx.append(n.External((), label, operands, views, (), ctx.location(node)))
