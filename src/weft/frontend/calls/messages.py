"""Text: f-strings, ``raise``, ``assert``, ``print`` and ``breakpoint``."""

from __future__ import annotations

import ast
import builtins
import json
import re
import time
from collections.abc import Callable
from dataclasses import fields, is_dataclass, replace
from enum import Enum
from types import SimpleNamespace
from typing import cast as typed

from weft.dataclass import dataclass
from weft.errors import ITSELF, SEVERAL
from weft.frontend import members
from weft.frontend.arrays.tables import check_arguments, function
from weft.frontend.calls import calls, inlining, library_shown
from weft.frontend.calls.printing import NUMPY, PYTHON, show
from weft.frontend.calls.steps import step
from weft.frontend.control import catching, conditions
from weft.frontend.control.catching import Caught
from weft.frontend.control.joins import branch
from weft.frontend.several_types import apart, weakness
from weft.frontend.source.signature import field_names
from weft.frontend.values import enum_members, lists, mutable, operators, references, texts
from weft.frontend.values.dispatch import evaluate, evaluate_any, expression
from weft.frontend.values.scope import Context
from weft.frontend.values.text_model import as_text, is_text, is_textual
from weft.frontend.values.values import (
    FALSE,
    Bound,
    Instance,
    Message,
    Optional,
    Static,
    Value,
    is_atom,
    is_view,
    scalar_type,
)
from weft.ir import nodes as n
from weft.ir.location import Location
from weft.ir.types import PYBOOL, PYCOMPLEX, PYFLOAT, PYINT, Scalar

_WEAK: dict[type, Scalar] = {bool: PYBOOL, int: PYINT, float: PYFLOAT, complex: PYCOMPLEX}

ANY_NUMBER = ("e", "E", "f", "F", "g", "G", "%")
"""What formats end with that write integers as floats."""


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
    return settled(ctx, joined([_part(ctx, part) for part in node.values]), node)


def settled(ctx: Context, message: Message, node: ast.AST) -> Value:
    """A message that stands in the source: made here where it is known that it is more than shown."""
    place = lists.place_in_source(ctx, node, "text")
    shows_arrays = any(map(is_view, message.operands))  # which may change before they are shown
    if not message.operands or shows_arrays or lists.known_of(place) is not None:
        return texts.composed(ctx, message, node)
    return replace(message, place=place)


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
    return message_of(ctx, evaluate_any(ctx, node.value), node, f"{conversion}{spec}")


def message_of(ctx: Context, value: Value, node: ast.AST, form: str = "") -> Message:
    """A value as text: a ``str.format`` template and what it formats."""
    if isinstance(value, Message):
        if form in ("", "!s"):
            return value
        value = texts.composed(ctx, value, node)  # what the form changes is the text that it is
    if ":" in form and (is_textual(value) or scalar_type(value) is not None):
        try:
            ("{" + form + "}").format(_sample(value))
        except (ValueError, TypeError) as error:  # as CPython raises it when the program runs
            fail(ctx, type(error), constant_text(str(error)), node)
            return Message("")
    if isinstance(value, (n.Var, n.Const)):
        two = None if form.endswith(ANY_NUMBER) else apart.told_apart(ctx, value, _telling(form))
        if two is not None:
            found = apart.by_type(ctx, value, *two, lambda one: _text_of(ctx, one, node, form), node)
            return Message("{}", (as_text(found),))
        require_one_text(ctx, value, node, form)
        return Message(f"{{{form}}}", (value,))
    if isinstance(value, Optional):
        return _of_optional(ctx, value, node, form)
    if is_text(value):
        return Message(f"{{{form}}}", (value,))
    if lists.is_list(value) and form in ("", "!s", "!r"):
        return _of_list(ctx, value, node)
    if isinstance(value, Instance):
        return _of_instance(ctx, value, node, form)
    operators.refuse_views(ctx, (value,), node)
    if isinstance(value, tuple):
        inner = joined([message_of(ctx, item, node, "!r") for item in value], ", ")
        return Message(f"({inner.template}{',' * (len(value) == 1)})", inner.operands)
    if isinstance(value, Static):
        text = ("{" + form + "}").format(value.value)
        return Message(text.replace("{", "{{").replace("}", "}}"))
    raise ctx.refusal("format", node)


def require_one_text(ctx: Context, value: n.Atom, node: ast.AST, form: str = "") -> None:
    """Refuse a number that may be of several types, if these are written differently: 1, 1.0 and True."""
    if isinstance(value.type, Scalar) and not form.endswith(ANY_NUMBER):
        weakness.require_alike(ctx, value, _telling(form), node)


def _text_of(ctx: Context, value: Value, node: ast.AST, form: str) -> Value:
    return texts.composed(ctx, message_of(ctx, value, node, form), node)


def _telling(form: str) -> Callable[[Scalar], object]:
    """What tells apart how numbers of types are written in a form."""
    return (lambda type: type) if form == "!r" else _writing


def _writing(type: Scalar) -> object:
    """What tells apart how numbers of types are written."""
    return "i" if type.kind in "iu" else (type.kind, type.bits if type.kind in "fc" else 0)


def _sample(value: Value) -> object:
    """A value of the same class."""
    type = scalar_type(value)
    if type is None:
        return "a"
    return {PYBOOL: True, PYINT: 1, PYFLOAT: 1.0, PYCOMPLEX: 1j}.get(type, type.dtype.type(1))


def _of_optional(ctx: Context, value: Optional, node: ast.AST, form: str) -> Message:
    """A value that may be None as text."""
    if form not in ("", "!s", "!r"):
        raise ctx.type_error(
            "what may be None is formatted", node, cause="None takes no such format", hint="test whether it is None"
        )

    def present() -> Value:
        return texts.composed(ctx, message_of(ctx, value.item, node, form), node)

    found = conditions.choose(ctx, value.there, present, lambda: Static("None"), node)
    return Message("{}", (as_text(found),))


def _of_list(ctx: Context, value: Value, node: ast.AST) -> Message:
    """A list as text, with what ``repr`` gives for each element."""
    if lists.is_never_filled(ctx, value, node):
        return Message("[]")
    return Message("{}", (as_text(inlining.call_library(ctx, library_shown.text_of_list, [value], node)),))


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
    items = mutable.items_of(ctx, value, node)
    references.refuse_nested(ctx, value, items, node)
    pairs = zip(value.names, items, strict=True)
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
    return constant_text(text)


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
        parts.append(constant_text(template[end : found.start()] + (found["percent"] or "")))
        end = found.end()
        if found["percent"]:
            continue
        if not waiting:
            raise ctx.type_error("not enough arguments for format string", node)
        parts.append(_formatted(ctx, waiting.pop(0), found, node))
    if waiting:
        raise ctx.type_error("not all arguments converted during string formatting", node)
    return joined([*parts, constant_text(template[end:])])


def constant_text(text: str) -> Message:
    """Text as it stands, braces too."""
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
    if call is not None and (call.keywords or any(isinstance(a, ast.Starred) for a in call.args)):
        raise ctx.refusal("raise form", node)
    if call is not None and len(call.args) > 1:
        fail(ctx, kind.value, _several(ctx, kind.value, call.args, node), node)
        return
    fail(ctx, kind.value, _argument(ctx, call.args[0]) if call and call.args else Message(""), node)


def _argument(ctx: Context, node: ast.expr) -> Message:
    """What an exception is made with: a number stays one."""
    value = evaluate(ctx, node)
    if not isinstance(value, (n.Var, n.Const)):
        return message_of(ctx, value, node)
    require_one_text(ctx, value, node, "!r")
    return Message(ITSELF, (value,))


def _several(ctx: Context, kind: type[BaseException], nodes: list[ast.expr], node: ast.AST) -> Message:
    """Several arguments that an exception is made with."""
    if ctx.tries and not _has_plain_arguments(kind):
        raise ctx.refusal("raise form", node)  # which class it has, or its text, is known when it is made
    parts: list[object] = []
    operands: list[Value] = []
    for item in nodes:
        value = evaluate_any(ctx, item)
        if isinstance(value, Message):
            value = texts.composed(ctx, value, item)
        if isinstance(value, Static) and isinstance(value.value, (str, type(None))):
            parts.append(value.value)
            continue
        if isinstance(value, (n.Var, n.Const)):
            require_one_text(ctx, value, item, "!r")
        elif not is_text(value):
            raise ctx.refusal("raise form", node)
        parts.append(0)
        operands.append(value)
    return Message(SEVERAL + json.dumps(parts), tuple(operands))


def _has_plain_arguments(kind: type[BaseException]) -> bool:
    """Whether an exception holds the arguments that it is made with, and shows them as a tuple."""
    own = [cls for cls in kind.__mro__ if cls.__module__ != "builtins"]
    if any(name in vars(cls) for cls in own for name in ("__new__", "__init__", "__str__", "__repr__")):
        return False
    base = next(cls for cls in kind.__mro__ if cls not in own)
    try:
        sample = base("a", 1)
    except Exception:
        return False
    return type(sample) is base and str(sample) == "('a', 1)"


def text_of_caught(caught: Caught) -> Caught:
    """What ``str`` of a caught exception gives, as a message."""
    template = caught.template
    if template.startswith(SEVERAL):
        parts = json.loads(template.removeprefix(SEVERAL))
        shown = ["{!r}" if part == 0 else constant_text(repr(part)).template for part in parts]
        template = f"({', '.join(shown)})"
    elif template == ITSELF:
        is_key = issubclass(caught.kind, KeyError) and any(map(is_text, caught.operands))
        template = "{!r}" if is_key else "{}"
    return Caught(template, caught.operands, caught.kind)


def _exception_name(kind: type) -> str:
    """The name by which the runtime finds an exception class."""
    name: str = kind.__name__
    if getattr(builtins, name, None) is kind:
        return name
    return f"{kind.__module__}:{kind.__qualname__}"


def raise_again(ctx: Context, caught: Caught, node: ast.AST) -> None:
    """Raise what was caught."""
    fail(ctx, caught.kind, caught, node, caught.location)


def fail(
    ctx: Context, kind: type[BaseException], message: Message, node: ast.AST, location: Location | None = None
) -> None:
    """Raise an exception: leave for the handler that catches it, or end the program."""
    location = location or ctx.location(node)
    for operand in message.operands:
        if scalar_type(operand) is None and not is_text(operand):
            raise ctx.refusal("format", node)
    found = catching.catcher(ctx, kind)
    if found is not None:
        catching.raise_in(ctx, ctx.environment, *found, kind, message, location)
        return
    if texts.holds_text(message):
        texts.throw(ctx, _exception_name(kind), message.template, message.operands, node)
        message = Message("")  # never reached
    operands = typed("tuple[n.Atom, ...]", message.operands)
    ctx.append(n.Raise(_exception_name(kind), message.template, operands, location))
    ctx.environment.fall = None


def translate_assert(ctx: Context, node: ast.Assert) -> None:
    """``assert condition, message``; the message is computed only where the condition is false."""
    test = conditions.condition(ctx, node.test)

    def otherwise() -> None:
        message = Message("") if node.msg is None else _argument(ctx, node.msg)
        fail(ctx, AssertionError, message, node)

    branch(ctx, test, lambda: None, otherwise, ctx.location(node.test))


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
    parts = [printed(ctx, value, node) for value in arguments]
    message = joined([joined(parts, separator), Message(end)])
    _show(ctx, message, bool(flush.value), node)
    return Static(None)


def printed(ctx: Context, value: Value, node: ast.AST) -> Message:
    """A value as ``print`` shows it; a list of numbers is an array with a format of its own."""
    if not lists.is_list(value) or not lists.is_of_numbers(ctx, value, node):
        return message_of(ctx, value, node, "!s")
    view, is_python = lists.first_elements(ctx, value, node)
    return Message(f"{{:{PYTHON if is_python else NUMPY}}}", (view,))


def _show(ctx: Context, message: Message, is_flushed: bool, node: ast.AST) -> None:
    """The step that prints a message."""
    if texts.holds_text(message):
        texts.show(ctx, message, is_flushed, node)
        return
    operands = typed("tuple[n.Atom, ...]", message.operands)
    given = (("constant", message.template), ("constant", is_flushed), *range(len(message.operands)))
    step(ctx, show, f"<{show.__module__}>.show", given, operands, None, node)


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
        return step(ctx, clock, f"<time>.{clock.__name__}", (), (), PYFLOAT, node)


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
