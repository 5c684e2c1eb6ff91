"""What a name means on a class or on an instance, as CPython looks it up, and what of that Weft cannot follow.

Fields of records become values; everything else is looked up on the class when compiling. That is right only where
nothing stands between: no ``__getattribute__``, no attribute of a metaclass, no attribute of one object that hides the
one of its class. The functions here find such things; programs that use them are refused.
"""

from __future__ import annotations

import collections
import dataclasses
import types
from dataclasses import MISSING, fields, is_dataclass
from typing import Any, ClassVar, get_origin

from weft.frontend.source.fingerprint import is_library
from weft.frontend.source.signature import field_names

_TAKES_APART = ("__iter__", "__getitem__", "__len__", "__contains__")
_MADE_FROM_TEXT = "<string>"
_SLOTS = (types.MemberDescriptorType, types.GetSetDescriptorType)


def find(cls: type, name: str) -> Any:
    """What a class or one that it inherits from defines under a name, not bound to anything; MISSING where none does.

    Special methods are looked up so, past the object's own attributes and past the metaclass.
    """
    return next((vars(base)[name] for base in cls.__mro__ if name in vars(base)), MISSING)


def mangled(name: str, cls: str) -> str:
    """The name of an attribute that begins with two underscores, as it is written in a class of this qualified name."""
    last = cls.rpartition(".")[2].lstrip("_")
    is_private = name.startswith("__") and not name.endswith("__") and last.isidentifier()
    return f"_{last}{name}" if is_private else name


def is_own(cls: type, name: str) -> bool:
    """Whether the user defines an attribute that Python has a meaning of its own for."""
    own = (vars(base).get(name) for base in cls.__mro__ if not is_library(base) and base is not object)
    return any(member is not None and not isinstance(member, types.WrapperDescriptorType) for member in own)


def is_generated(function: object) -> bool:
    """Whether ``dataclass`` or ``namedtuple`` made a function."""
    code = getattr(getattr(function, "__func__", function), "__code__", None)
    return code is not None and code.co_filename == _MADE_FROM_TEXT


def is_written_by_user(function: object) -> bool:
    """Whether a function is no part of Python, and was not made by ``dataclass`` or ``namedtuple``."""
    file = getattr(getattr(function, "__code__", None), "co_filename", _MADE_FROM_TEXT)
    return file not in (_MADE_FROM_TEXT, dataclasses.__file__, collections.__file__)


def is_written(function: object) -> bool:
    """Whether a method of a named tuple is the user's."""
    return not (getattr(function, "__module__", None) or "").startswith(("collections", "namedtuple_"))


def is_plain_tuple(cls: type) -> bool:
    """Whether a named tuple is taken apart as any tuple is, and not as its class says."""
    return not any(isinstance(find(cls, name), types.FunctionType) for name in _TAKES_APART)


def arguments_of(cls: type) -> tuple[list[str], list[str]]:
    """The fields that the constructor of a dataclass or named tuple takes in order, and those that it takes by name."""
    if not is_dataclass(cls):
        return list(field_names(cls)), []
    taken = [field for field in fields(cls) if field.init]
    return [f.name for f in taken if not f.kw_only], [f.name for f in taken if f.kw_only]


def of_metaclass(cls: type, name: str) -> bool:
    """Whether the metaclass of a class has a say in an attribute of it."""
    return type(cls) is not type and is_own(type(cls), name)


def watched_fields(cls: type) -> tuple[str, ...]:
    """The fields of a dataclass that are properties or other descriptors: assigning them runs code."""
    members = ((name, find(cls, name)) for name in field_names(cls)) if is_dataclass(cls) else ()
    return tuple(
        name for name, member in members if hasattr(type(member), "__set__") and not isinstance(member, _SLOTS)
    )


def is_plainly_assigned(cls: type) -> bool:
    """Whether assigning a field of an instance of a dataclass that is not frozen does nothing else."""
    return find(cls, "__setattr__") is vars(object)["__setattr__"] and not watched_fields(cls)


def own_initialiser(cls: type) -> Any:
    """The ``__init__`` that the user wrote; MISSING where there is none."""
    member = find(cls, "__init__")
    return member if isinstance(member, types.FunctionType) and not is_generated(member) else MISSING


def is_made_by_methods(cls: type) -> bool:
    """Whether calling a class runs its ``__init__`` or ``__post_init__``, if any, on a new object, and nothing else."""
    if issubclass(cls, tuple) or of_metaclass(cls, "__call__") or watched_fields(cls):
        return False
    setter = find(cls, "__setattr__")
    given = getattr(cls, "__dataclass_fields__", {}).values()
    known = fields(cls) if is_dataclass(cls) else ()
    return (
        find(cls, "__new__") is vars(object)["__new__"]
        and (setter is vars(object)["__setattr__"] or is_generated(setter))
        and all(f in known or get_origin(f.type) is ClassVar or f.type is ClassVar for f in given)
    )


def runs_post_init(cls: type) -> bool:
    """Whether the ``__init__`` that ``dataclass`` made calls ``__post_init__``: it must have been there then."""
    initialiser = find(cls, "__init__")
    return is_generated(initialiser) and "__post_init__" in initialiser.__code__.co_names


def is_plainly_made(cls: type) -> bool:
    """Whether calling a dataclass or named tuple does nothing but to set its fields."""
    if of_metaclass(cls, "__call__"):
        return False
    if not is_dataclass(cls):
        return is_generated(find(cls, "__new__")) and not is_own(cls, "__init__") and issubclass(cls, tuple)
    setter = find(cls, "__setattr__")
    return (
        bool(cls.__dataclass_params__.init)  # type: ignore[attr-defined]
        and is_generated(find(cls, "__init__"))
        and not runs_post_init(cls)
        and find(cls, "__new__") is vars(object)["__new__"]
        and (setter is vars(object)["__setattr__"] or is_generated(setter))
        and not watched_fields(cls)
    )
