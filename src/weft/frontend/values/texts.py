"""Strings: their pool, their operators and methods, and what of them is left to Python.

`text_model` says what a string is. The methods are in `library_texts`, inlined like those of a user's class; what these
use of memory is here. Operations on strings that are known when compiling are done then, by Python.
"""

from __future__ import annotations

import ast
import inspect
from collections.abc import Callable, Sequence
from types import FunctionType
from typing import Any
from typing import cast as typed

from weft.frontend.arrays.sizes import arithmetic, as_index
from weft.frontend.arrays.tables import FUNCTIONS, Handler, operation
from weft.frontend.calls import inlining, text_steps
from weft.frontend.calls import library_texts as library
from weft.frontend.calls.steps import step
from weft.frontend.control import conditions
from weft.frontend.values import mutable, operators
from weft.frontend.values.list_parts import view_of
from weft.frontend.values.scope import Context, view_type
from weft.frontend.values.text_model import (
    FORMAT,
    KNOWN,
    NeedsPool,
    as_text,
    is_constant,
    is_text,
    is_textual,
    pool,
    text_of,
)
from weft.frontend.values.values import (
    FALSE,
    NONE,
    ONE,
    TRUE,
    ZERO,
    Message,
    Object,
    SliceValue,
    Static,
    Value,
    describe_value,
    is_none,
    scalar_type,
)
from weft.ir import nodes as n
from weft.ir.types import PYBOOL, PYCOMPLEX, PYFLOAT, PYINT, SCALARS, Scalar, View

FIELDS = ("$numbers", "$codes", "$table", "$slots")
COUNTS = ("count", "used", "room", "rows", "slot_count")
"""What the first array holds, so that loops carry arrays only."""

CODES, NUMBERS = view_of(SCALARS["int32"]), view_of(SCALARS["int64"])
ENTRIES = n.Const(text_steps.ENTRIES, PYINT)
START, SIZE, HASH = range(text_steps.ENTRIES)

STEPS = f"<{text_steps.__name__}>"


def begin(ctx: Context, node: ast.AST) -> None:
    """Make the pool of a program that needs one, with the strings that are in the source."""
    known = KNOWN.get()
    if not known.is_pooled:
        return
    texts = tuple(known.constants)
    ctx.mutable |= {library.Pool}
    sizes = (sum(map(len, texts)), text_steps.ENTRIES * len(texts))
    used, count, entries = (n.Const(size, PYINT) for size in (sizes[0], len(texts), sizes[1]))
    codes, table = _empty(ctx, used, CODES, node), _empty(ctx, entries, NUMBERS, node)
    slots = _empty(ctx, ZERO, NUMBERS, node)
    numbers = _empty(ctx, n.Const(len(COUNTS), PYINT), NUMBERS, node)
    for place, value in enumerate((count, used, used, count, ZERO)):
        _write(ctx, numbers, n.Const(place, PYINT), value, node)
    fields = (numbers, codes, table, slots)
    ctx.texts = typed(Object, mutable.instance(ctx, library.Pool, FIELDS, fields))
    ctx.begun_texts = len(texts)
    if texts:
        _step(ctx, text_steps.begin, (("constant", texts), 0, 1), (codes, table), None, node, (codes, table))


def check(ctx: Context) -> None:
    """Begin anew where the pool lacks a string that the program uses."""
    known = KNOWN.get()
    if ctx.texts is not None and len(known.constants) > ctx.begun_texts:
        raise NeedsPool


def _empty(ctx: Context, size: n.Atom, view: View, node: ast.AST) -> n.Var:
    made = ctx.emit(n.Alloc((size,), view.element, None), view, node, "strings")
    ctx.extents[made.name] = (size,)
    return made


def _array(ctx: Context, name: str, node: ast.AST) -> n.Var:
    return typed(n.Var, mutable.items_of(ctx, pool(ctx), node)[FIELDS.index(f"${name}")])


def _field(ctx: Context, name: str, node: ast.AST) -> n.Var:
    found = _loaded(ctx, _array(ctx, "numbers", node), n.Const(COUNTS.index(name), PYINT), node)
    ctx.nonnegative.add(found.name)
    return found


GIVEN = (NUMBERS, CODES, NUMBERS)
"""The arrays of strings that are arguments, see `text_steps.columns_of`."""


def adopted(ctx: Context, given: list[Value], node: ast.AST) -> Value:
    """The numbers of strings that are arguments."""
    return inlining.call_library(ctx, library.adopted, given, node)


def first(ctx: Context, numbers: n.Var, node: ast.AST) -> Value:
    """The first of some strings."""
    return text_of(_loaded(ctx, numbers, ZERO, node))


def arrays(ctx: Context, node: ast.AST) -> tuple[n.Var, n.Var]:
    """The code points and the table of the pool."""
    return _array(ctx, "codes", node), _array(ctx, "table", node)


def _set(ctx: Context, node: ast.AST, **changes: Value) -> None:
    before = dict(zip(FIELDS, mutable.items_of(ctx, pool(ctx), node), strict=True))
    for name in [name for name in changes if name in COUNTS]:
        place = n.Const(COUNTS.index(name), PYINT)
        _write(ctx, _array(ctx, "numbers", node), place, typed(n.Atom, changes.pop(name)), node)
    items = tuple((before | {f"${name}": value for name, value in changes.items()}).values())
    mutable.set_items(ctx, typed(Object, pool(ctx)), items, node)


def _step(
    ctx: Context,
    called: Callable[..., object],
    given: tuple[Any, ...],
    operands: tuple[n.Atom, ...],
    returns: Scalar | None,
    node: ast.AST,
    writes: tuple[n.Var, ...] = (),
) -> Value:
    return step(ctx, called, f"{STEPS}.{called.__name__}", given, operands, returns, node, writes)


# ------------------------------------------------------------------------------------------- what the library uses


def number_of(ctx: Context, value: Value, node: ast.AST) -> n.Atom:
    """The number that a string is."""
    if not is_textual(value):
        raise ctx.type_error(f"expected str instance, {describe_value(value)} found", node, hint="convert it: str(x)")
    found = typed(n.Atom, as_text(value).items[0])
    if isinstance(found, n.Var):
        ctx.nonnegative.add(found.name)
    return found


operation(library.number_of)(number_of)


@operation(library.text_of)
def _text_of(ctx: Context, number: Value, node: ast.AST) -> Value:
    return text_of(typed(n.Atom, number))


def _loaded(ctx: Context, view: n.Var, place: n.Atom, node: ast.AST) -> n.Var:
    loaded = ctx.emit(n.Load(view, (place,), "safe"), typed(Scalar, view_type(view).element), node)
    return ctx.emit(n.Cast(loaded, checked=False), PYINT, node)


@operation(library.code)
def _code(ctx: Context, place: Value, node: ast.AST) -> Value:
    found = _loaded(ctx, _array(ctx, "codes", node), typed(n.Atom, place), node)
    ctx.nonnegative.add(found.name)
    return found


@operation(library.put)
def _put(ctx: Context, place: Value, code: Value, node: ast.AST) -> Value:
    _write(ctx, _array(ctx, "codes", node), typed(n.Atom, place), typed(n.Atom, code), node)
    return NONE


def _write(ctx: Context, view: n.Var, place: n.Atom, value: n.Atom, node: ast.AST) -> None:
    converted = ctx.emit(n.Cast(value, checked=False), typed(Scalar, view_type(view).element), node)
    ctx.append(n.Store(view, (place,), converted, "safe", location=ctx.location(node)))


def _entry(ctx: Context, number: Value, entry: int, node: ast.AST) -> n.Atom:
    first = arithmetic(ctx, "mul", typed(n.Atom, number), ENTRIES, node)
    return arithmetic(ctx, "add", first, n.Const(entry, PYINT), node) if entry else first


@operation(library.hash_at)
def _hash_at(ctx: Context, number: Value, node: ast.AST) -> Value:
    return _loaded(ctx, _array(ctx, "table", node), _entry(ctx, number, HASH, node), node)


@operation(library.start_of)
def _start_of(ctx: Context, number: Value, node: ast.AST) -> Value:
    found = _loaded(ctx, _array(ctx, "table", node), _entry(ctx, number, START, node), node)
    ctx.nonnegative.add(found.name)
    return found


@operation(library.size_of_row)
def _size_of_row(ctx: Context, number: Value, node: ast.AST) -> Value:
    found = _loaded(ctx, _array(ctx, "table", node), _entry(ctx, number, SIZE, node), node)
    ctx.nonnegative.add(found.name)
    return found


def _reading(name: str) -> None:
    """A function that reads a field of the pool."""

    @operation(getattr(library, name))
    def read(ctx: Context, node: ast.AST) -> Value:
        return _field(ctx, name, node)


for _name in ("count", "used", "room", "rows", "slot_count"):
    _reading(_name)


@operation(library.slot_at)
def _slot_at(ctx: Context, slot: Value, node: ast.AST) -> Value:
    return _loaded(ctx, _array(ctx, "slots", node), typed(n.Atom, slot), node)


@operation(library.set_slot)
def _set_slot(ctx: Context, slot: Value, place: Value, node: ast.AST) -> Value:
    _write(ctx, _array(ctx, "slots", node), typed(n.Atom, slot), typed(n.Atom, place), node)
    return NONE


@operation(library.spread)
def _spread(ctx: Context, size: Value, node: ast.AST) -> Value:
    count, table = _field(ctx, "count", node), _array(ctx, "table", node)
    slots = _empty(ctx, typed(n.Atom, size), NUMBERS, node)
    _step(ctx, text_steps.spread, (0, 1, 2), (count, table, slots), None, node, (slots,))
    _set(ctx, node, slots=slots, slot_count=size)
    return NONE


@operation(library.enlarge)
def _enlarge(ctx: Context, size: Value, node: ast.AST) -> Value:
    codes = _longer(ctx, _array(ctx, "codes", node), typed(n.Atom, size), CODES, node)
    _set(ctx, node, codes=codes, room=size)
    return NONE


@operation(library.enlarge_rows)
def _enlarge_rows(ctx: Context, size: Value, node: ast.AST) -> Value:
    entries = arithmetic(ctx, "mul", typed(n.Atom, size), ENTRIES, node)
    table = _longer(ctx, _array(ctx, "table", node), entries, NUMBERS, node)
    _set(ctx, node, table=table, rows=size)
    return NONE


def _longer(ctx: Context, old: n.Var, size: n.Atom, view: View, node: ast.AST) -> n.Var:
    """A longer array that begins as another one."""
    made = _empty(ctx, size, view, node)
    _step(ctx, text_steps.copy, (0, 1), (old, made), None, node, (made,))
    return made


@operation(library.keep)
def _keep(ctx: Context, size: Value, hashed: Value, node: ast.AST) -> Value:
    count, used = (_field(ctx, name, node) for name in ("count", "used"))
    for entry, value in enumerate((used, size, hashed)):
        _write(ctx, _array(ctx, "table", node), _entry(ctx, count, entry, node), typed(n.Atom, value), node)
    more = arithmetic(ctx, "add", count, ONE, node)
    _set(ctx, node, count=more, used=arithmetic(ctx, "add", used, typed(n.Atom, size), node))
    return NONE


@operation(library.is_string)
def _is_string(ctx: Context, value: Value, node: ast.AST) -> Value:
    return TRUE if is_textual(value) else FALSE


@operation(library.is_slice)
def _is_slice(ctx: Context, value: Value, node: ast.AST) -> Value:
    return TRUE if isinstance(value, SliceValue) else FALSE


@operation(library.bounds)
def _bounds(ctx: Context, index: Value, node: ast.AST) -> Value:
    assert isinstance(index, SliceValue)
    return tuple(NONE if part is None else part for part in (index.start, index.stop, index.step))


@operation(library.as_index)
def _as_index(ctx: Context, value: Value, node: ast.AST) -> Value:
    return as_index(ctx, value, node)


# -------------------------------------------------------------------------------------------------- steps in Python


def _operands(ctx: Context, values: Sequence[Value], node: ast.AST) -> tuple[str, tuple[n.Atom, ...]]:
    """How operands are marked, and their atoms."""
    atoms = [number_of(ctx, value, node) if is_textual(value) else typed(n.Atom, value) for value in values]
    return "".join(text_steps.TEXT if is_textual(value) else "-" for value in values), tuple(atoms)


def _taken(ctx: Context, size: Value, node: ast.AST) -> Value:
    """The string that a step has made."""
    ctx.nonnegative.add(typed(n.Var, size).name)
    inlining.call_library(ctx, library.reserve, [size], node)
    used, codes = _field(ctx, "used", node), _array(ctx, "codes", node)
    _step(ctx, text_steps.take, (0, 1), (used, codes), None, node, (codes,))
    return inlining.call_library(ctx, library.made, [size], node)


def composed(ctx: Context, message: Message, node: ast.AST) -> Value:
    """The string that a message is."""
    if not message.operands:
        return Static(message.template.format())
    kinds, atoms = _operands(ctx, message.operands, node)
    given = (("constant", message.template), ("constant", kinds), *range(2 + len(atoms)))
    size = _step(ctx, text_steps.compose, given, (*arrays(ctx, node), *atoms), PYINT, node)
    return _taken(ctx, size, node)


@operation(library.in_python)
def _in_python(ctx: Context, name: Value, *given: Any) -> Value:
    *values, node = given
    kinds, atoms = _operands(ctx, values, node)
    layout = (("constant", typed(Static, name).value), ("constant", kinds), *range(2 + len(atoms)))
    size = _step(ctx, text_steps.apply, layout, (*arrays(ctx, node), *atoms), PYINT, node)
    return _taken(ctx, size, node)


@operation(library.is_in_python)
def _is_in_python(ctx: Context, name: Value, text: Value, node: ast.AST) -> Value:
    given = (("constant", typed(Static, name).value), 0, 1, 2)
    return _step(ctx, text_steps.ask, given, (*arrays(ctx, node), number_of(ctx, text, node)), PYBOOL, node)


def _parse(function: object, called: Callable[..., object], returns: Scalar) -> None:
    def parse(ctx: Context, text: Value, *given: Any) -> Value:
        *base, node = given
        operands = (*arrays(ctx, node), number_of(ctx, text, node), *base)
        return _step(ctx, called, tuple(range(len(operands))), operands, returns, node)

    operation(function)(parse)


_parse(library.int_in_python, text_steps.parse_int, PYINT)
_parse(library.says_int, text_steps.check_int, PYINT)
_parse(library.float_in_python, text_steps.parse_float, PYFLOAT)
_parse(library.says_float, text_steps.check_float, PYBOOL)


def holds_text(message: Message) -> bool:
    """Whether a message shows strings that are numbers."""
    return any(map(is_text, message.operands))


def show(ctx: Context, message: Message, is_flushed: bool, node: ast.AST) -> None:
    """Print a message that shows strings."""
    kinds, atoms = _operands(ctx, message.operands, node)
    constants = tuple(("constant", value) for value in (message.template, is_flushed, kinds))
    operands = (*arrays(ctx, node), *atoms)
    _step(ctx, text_steps.show, (*constants, *range(len(operands))), operands, None, node)


def throw(ctx: Context, exception: str, template: str, operands: Sequence[Value], node: ast.AST) -> None:
    """Raise an exception whose text shows strings."""
    kinds, atoms = _operands(ctx, operands, node)
    constants = tuple(("constant", value) for value in (exception, template, kinds))
    given = (*arrays(ctx, node), *atoms)
    _step(ctx, text_steps.throw, (*constants, *range(len(given))), given, None, node)


# ------------------------------------------------------------------------------------------- operators and methods

_PYTHONS = {PYBOOL: bool, PYINT: int, PYFLOAT: float}


def _constants(values: Sequence[Value]) -> list[Any] | None:
    """Values as Python's objects, where all are known."""
    found: list[Any] = []
    for value in values:
        if is_constant(value) or is_none(value):
            found.append(typed(Static, value).value)
        elif isinstance(value, n.Const) and value.type in _PYTHONS:
            found.append(_PYTHONS[value.type](typed(Any, value.value)))
        else:
            return None
    return found


_TYPES: dict[type, Scalar] = {bool: PYBOOL, int: PYINT, float: PYFLOAT, complex: PYCOMPLEX}


def _of_python(value: object) -> Value | None:
    """A result of Python's; None for what is made when the program runs."""
    if isinstance(value, str):
        return Static(value)
    type_ = _TYPES.get(type(value))
    return None if type_ is None else n.Const(typed(Any, value), type_)


def _folded(values: Sequence[Value], compute: Callable[..., object]) -> Value | None:
    """What Python computes of values that are known; None where they are not, or where it raises."""
    found = _constants(values)
    if found is None:
        return None
    try:
        return _of_python(compute(*found))
    except Exception:
        return None


def binary(ctx: Context, op: ast.operator, left: Value, right: Value, node: ast.AST) -> Value | None:
    """``+`` and ``*`` of strings; None for what strings do not have."""
    if isinstance(op, ast.Add) and is_textual(left) and is_textual(right):
        if is_constant(left) and is_constant(right):
            return _folded((left, right), lambda a, b: a + b)
        if not is_text(left) and not is_text(right):
            from weft.frontend.calls import messages

            parts = [messages.message_of(ctx, value, node) for value in (left, right)]
            return messages.settled(ctx, messages.joined(parts), node)
        return inlining.call_library(ctx, library.concatenated, [as_text(left), as_text(right)], node)
    text, times = (left, right) if is_textual(left) else (right, left)
    type = scalar_type(times)
    if isinstance(op, ast.Mult) and type is not None and type.kind in "iub":
        known = _folded((text, times), lambda a, b: a * b) if _is_short(text, times) else None
        return known or inlining.call_library(ctx, library.repeated, [as_text(text), as_index(ctx, times, node)], node)
    return None


def _is_short(text: Value, times: Value) -> bool:
    known = _constants((text, times))
    return known is not None and len(known[0]) * known[1] < 1000


_ORDER: dict[type[ast.cmpop], tuple[object, Callable[[str, str], bool]]] = {
    ast.Lt: (library.Text.__lt__, lambda a, b: a < b), ast.LtE: (library.Text.__le__, lambda a, b: a <= b),
    ast.Gt: (library.Text.__gt__, lambda a, b: a > b), ast.GtE: (library.Text.__ge__, lambda a, b: a >= b),
}  # fmt: skip


def compare(ctx: Context, op: ast.cmpop, left: Value, right: Value, node: ast.AST) -> Value | None:
    """A comparison of strings; None where one side is none."""
    both = is_textual(left) and is_textual(right)
    if isinstance(op, (ast.Eq, ast.NotEq)):
        if not both:
            return None
        numbers = [number_of(ctx, value, node) for value in (left, right)]
        return operators.scalar_compare(ctx, operators.COMPARE[type(op)], numbers[0], numbers[1], node)
    if not both:
        return None
    function, in_python = _ORDER[type(op)]
    known = _folded((left, right), in_python)
    return known or inlining.call_library(ctx, function, [as_text(left), as_text(right)], node)


def contains(ctx: Context, part: Value, text: Value, node: ast.AST) -> n.Atom:
    """``part in text``."""
    if not is_textual(part):
        what = describe_value(part)
        raise ctx.type_error(
            f"'in <string>' requires string as left operand, not {what}", node, hint="convert it with str(...)"
        )
    known = _folded((text, part), lambda a, b: b in a)
    found = known or inlining.call_library(ctx, library.Text.__contains__, [as_text(text), as_text(part)], node)
    return conditions.truth(ctx, found, node)


def item(ctx: Context, owner: Value, index: Value, node: ast.AST) -> Value:
    """``text[index]``."""
    if isinstance(index, SliceValue):
        parts = (index.start, index.stop, index.step)
        given = [owner, *(NONE if part is None else part for part in parts)]
        known = _folded(given, lambda text, *bounds: text[slice(*bounds)])
    else:
        type = scalar_type(index)
        if type is None or type.kind not in "iub":
            what = describe_value(index)
            raise ctx.type_error(f"string indices must be integers, not '{what}'", node, hint="use an int, or a slice")
        known = _folded((owner, index), lambda text, k: text[k])
    return known or inlining.call_library(ctx, library.Text.__getitem__, [as_text(owner), index], node)


def loop(ctx: Context, value: Value, node: ast.AST) -> tuple[n.Atom, Callable[[n.Atom], Value]]:
    """The number of characters, and each of them."""
    text = as_text(value)
    size = typed(n.Atom, inlining.call_library(ctx, library.length, [text], node))

    def character(place: n.Atom) -> Value:
        return text_of(typed(n.Atom, inlining.call_library(ctx, library.code_at, [text, place], node)))

    return size, character


def attribute(ctx: Context, owner: Value, name: str, node: ast.Attribute) -> Value:
    """``text.name``."""
    from weft.frontend.values.values import Bound

    if name == "format" and is_constant(owner):
        return Bound(owner, attribute=FORMAT)
    if name not in METHODS:
        raise ctx.refusal("string operation", node, what=ast.unparse(node))
    return Bound(owner, Static(METHODS[name]))


METHODS: dict[str, FunctionType] = {
    name: member
    for name, member in vars(library.Text).items()
    if isinstance(member, FunctionType) and not name.startswith("_")
}
_STRINGS = ("sub", "prefix", "suffix", "sep", "chars", "old", "new", "fillchar")
_NULLABLE = ("chars", "sep", "start", "end")


def _register(name: str, function: FunctionType) -> None:
    parameters = list(inspect.signature(function).parameters)
    in_python = getattr(str, name)

    def handler(ctx: Context, arguments: list[Value], keywords: dict[str, Value], node: ast.AST) -> Value:
        if keywords.keys() - parameters or len(arguments) > len(parameters):
            raise ctx.type_error(f"str.{name} takes other arguments", node, hint=f"see help(str.{name})")
        if not keywords and name != "join":
            known = _folded(arguments, in_python)
            if known is not None:
                return known
        given = dict(zip(parameters, arguments, strict=False)) | keywords
        for parameter, value in given.items():
            _check_argument(ctx, name, parameter, value, node)
        texts = {key: as_text(value) if is_textual(value) else value for key, value in given.items()}
        own = texts.pop("self")
        return inlining.call_function(ctx, function, [own], texts, node)

    FUNCTIONS[function] = typed(Handler, handler)


def _check_argument(ctx: Context, name: str, parameter: str, value: Value, node: ast.AST) -> None:
    """The TypeError that CPython raises where an argument has another type."""
    if is_none(value) and parameter in _NULLABLE:
        return
    if parameter in ("prefix", "suffix") and isinstance(value, tuple) and all(map(is_textual, value)):
        return
    type = scalar_type(value)
    fits = is_textual(value) if parameter in _STRINGS else type is None or type.kind in "iub"
    if not fits or (is_textual(value) and parameter not in (*_STRINGS, "self", "items")):
        wanted = "a string" if parameter in _STRINGS else "an int"
        what = describe_value(value)
        raise ctx.type_error(f"str.{name} takes {wanted} for '{parameter}', and this is {what}", node)


for _name, _function in METHODS.items():
    _register(_name, _function)
