"""How a member of an enumeration is held: as an instance with the place of the member in its class."""

from __future__ import annotations

import enum

from weft.frontend.values.values import Instance, Static, Value
from weft.ir import nodes as n
from weft.ir.types import PYINT

PLACE = ("place",)


def member(value: enum.Enum) -> Value:
    """A member as a value; one that is an integer is that integer, a combination of flags stays a constant."""
    if isinstance(value, int):
        return n.Const(int(value), PYINT)
    known = list(type(value))
    return Instance(type(value), PLACE, (n.Const(known.index(value), PYINT),)) if value in known else Static(value)


def is_member(value: object) -> bool:
    """Whether a value is a member of an enumeration."""
    return isinstance(value, Instance) and issubclass(value.type, enum.Enum)


def all_members(cls: type) -> tuple[Value, ...]:
    """The members of an enumeration, in order."""
    return tuple(member(one) for one in cls) if issubclass(cls, enum.Enum) else ()
