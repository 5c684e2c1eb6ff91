"""Objects of ordinary classes, taken apart into their attributes as dataclasses are into their fields.

A class counts if it is the user's own and written in Python: then an object is its class and its attributes, nothing
else. Classes of libraries keep what they are in C, or in attributes that nobody outside is to know.
"""

from __future__ import annotations

import abc
import sys
import types
import typing
from collections.abc import Iterator
from dataclasses import is_dataclass

_MARKERS = (object, abc.ABC, typing.Generic, typing.Protocol, types.SimpleNamespace)
_METACLASSES = (type, abc.ABCMeta, type(typing.Protocol))
_INTERNAL = ("numpy", "scipy", "weft", "pandas", "polars", "xarray", "dask", "torch", "numba", "tqdm", "h5py", "cupy")
_IS_MADE_BY_STATEMENT = 1 << 9
"""The flag of types that are no part of a program in C."""


_UNNAMED = ("__main__", "builtins")
"""Modules of classes of scripts, and of texts that run without the name of a module, as examples in a manual do."""


def is_plain(cls: type) -> bool:
    """Whether objects of a class, which is no dataclass and no named tuple, are taken apart into attributes."""
    if type(cls) not in _METACLASSES or is_dataclass(cls) or cls in _MARKERS[:-1]:
        return False
    return all(base in _MARKERS or _is_written(base) for base in cls.__mro__)


def _is_written(cls: type) -> bool:
    """Whether a class comes from a ``class`` statement of the user's."""
    library = cls.__module__.partition(".")[0]
    if library not in _UNNAMED and (library in _INTERNAL or library in sys.stdlib_module_names):
        return False
    return bool(cls.__flags__ & _IS_MADE_BY_STATEMENT)


def attributes_of(value: object) -> dict[str, object]:
    """The attributes that an object of a plain class has itself, by name."""
    cls = type(value)
    own = dict(getattr(value, "__dict__", {}))
    own |= {name: getattr(value, name) for name in _slots(cls) if hasattr(value, name)}
    return {name: item for name, item in own.items() if not is_computed(cls, name)}


def is_computed(cls: type, name: str) -> bool:
    """Whether a class has a property, or the like, under a name: it comes before an attribute of an object."""
    members = (vars(base)[name] for base in cls.__mro__ if name in vars(base))
    member = next(members, None)
    return hasattr(type(member), "__set__") and not isinstance(member, types.MemberDescriptorType)


def _slots(cls: type) -> Iterator[str]:
    for base in reversed(cls.__mro__):
        slots = vars(base).get("__slots__", ())
        yield from (slots,) if isinstance(slots, str) else slots
