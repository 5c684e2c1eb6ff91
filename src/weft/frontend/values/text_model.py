"""What a string is in compiled code: a number, see `weft.frontend.calls.library_texts`.

A string that is known when compiling stays `Static` as long as it can. It becomes a number where a variable, a result
or an element may be one of several. The numbers of strings in the source are those of the pool that the program begins
with; a program that never looks at characters needs no pool.
"""

from __future__ import annotations

from contextvars import ContextVar
from dataclasses import dataclass, field
from typing import cast as typed

from weft.frontend.calls.library_texts import EMPTY, FIRST, Text
from weft.frontend.values.list_models import UNKNOWN, NeedsModel, heap_of
from weft.frontend.values.scope import Context
from weft.frontend.values.values import Instance, Message, Optional, Static, Value, children, rebuilt
from weft.ir import nodes as n
from weft.ir.location import Location
from weft.ir.types import PYINT

NAMES = ("$number",)
MODEL = Instance(Text, NAMES, (typed(Value, Static(PYINT.name)),))
"""The model of elements that are strings."""

FORMAT = "str.format"
"""What the method ``format`` is called among those that Weft itself knows."""

_POOL = Location("", 0, function="strings")


@dataclass(eq=False)
class Known:
    """What the translations so far of a program found out: the strings in the pool, and whether there is one."""

    constants: dict[str, int] = field(default_factory=dict)
    is_pooled: bool = False


KNOWN: ContextVar[Known] = ContextVar("KNOWN")


class NeedsPool(NeedsModel):
    """Characters of strings are looked at, or more strings are in the source; never shown."""

    def __init__(self) -> None:
        super().__init__(_POOL, UNKNOWN)
        KNOWN.get().is_pooled = True


def text_of(number: n.Atom) -> Instance:
    """The string with a number."""
    return Instance(Text, NAMES, (number,))


def number_of_constant(text: str) -> int:
    """The number of a string that is known when compiling."""
    if len(text) == 1:
        return ord(text)
    constants = KNOWN.get().constants
    return FIRST + constants.setdefault(text, len(constants)) if text else EMPTY


def is_text(value: object) -> bool:
    """Whether a value is a string that is a number."""
    return isinstance(value, Instance) and value.type is Text


def is_constant(value: object) -> bool:
    """Whether a value is a string that is known when compiling."""
    return isinstance(value, Static) and isinstance(value.value, str)


def holds_texts(value: Value) -> bool:
    """Whether a value, or the model of one, is a string or has some inside."""
    if (heap := heap_of(value)) is not None:
        return holds_texts(heap.model)
    return is_text(value) or any(map(holds_texts, children(value)))


def is_textual(value: object) -> bool:
    """Whether a value is a string."""
    return is_text(value) or is_constant(value) or isinstance(value, Message)


def as_text(value: Value) -> Instance:
    """A string as a number. Where it is a message that was to be shown, the translation begins anew and makes it."""
    if isinstance(value, Message):
        if value.place is None:
            raise AssertionError("a message without a place is no value of a program")
        raise NeedsModel(value.place, Static(Text))
    if is_constant(value):
        return text_of(n.Const(number_of_constant(typed(str, typed(Static, value).value)), PYINT))
    return typed(Instance, value)


def stored(value: Value) -> Value:
    """A value with numbers for all strings in it."""
    if is_textual(value):
        return as_text(value)
    if isinstance(value, (tuple, Instance, Optional)):
        return rebuilt(value, [stored(child) for child in children(value)])
    return value


def pool(ctx: Context) -> Instance:
    """What holds the characters."""
    if ctx.texts is None:
        raise NeedsPool
    return ctx.texts
