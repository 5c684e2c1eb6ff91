"""What a function's meaning depends on, found without parsing: the key of its compiled form.

A function is its bytecode and whatever its names stand for, transitively: other functions, classes, modules, strings.
Captured numbers and arrays count by their type alone, since compiled code reads them anew at every call.
"""

from __future__ import annotations

import builtins
import hashlib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, fields, is_dataclass
from types import BuiltinFunctionType, CellType, CodeType, FunctionType, MethodType, ModuleType
from typing import Any, cast

import numpy as np

LIBRARIES = frozenset({"numpy", "math", "cmath", "operator", "weft", "builtins", "typing", "dataclasses", "functools"})
"""Modules whose functions are known by name."""

ABSENT: object = NotImplemented
"""What a guard holds for a name that must still be missing; the entry stub knows it, and no program can capture it."""


@dataclass
class Fingerprint:
    """A digest, and the names that must still stand for the same objects for it to hold.

    `guards` are (container, name, object): a dictionary and a key in it, a class or an object and an attribute, a
    closure cell and its name, or a function and what `parts_of_function` gives. `ABSENT` stands for a name that means
    nothing there.
    """

    digest: str = ""
    guards: list[tuple[Any, str, object]] = field(default_factory=list)


def parts_of_function(function: FunctionType) -> tuple[object, object, object]:
    """What of a function can be assigned in place and changes its meaning."""
    return function.__code__, function.__defaults__, function.__kwdefaults__


def content(container: Any, name: str, expected: object) -> object:
    """What a guard finds now; the very object that it expects where nothing has changed."""
    if isinstance(container, FunctionType):
        now = parts_of_function(container)
        return expected if all(a is b for a, b in zip(now, cast("tuple[object, ...]", expected), strict=True)) else now
    if isinstance(container, CellType):
        return _content(container)
    if isinstance(container, (type, dict)):
        return (vars(container) if isinstance(container, type) else container).get(name, ABSENT)
    return getattr(container, name, ABSENT)


def fingerprint(function: FunctionType) -> Fingerprint:
    """The fingerprint of a function and of all that it reaches."""
    walker = _Walker()
    walker.function(function)
    return Fingerprint(walker.hash.hexdigest(), walker.guards)


def class_fingerprint(cls: type) -> Fingerprint:
    """The fingerprint of a class and of all that its methods reach."""
    walker = _Walker()
    walker.class_(cls)
    return Fingerprint(walker.hash.hexdigest(), walker.guards)


class _Walker:
    def __init__(self) -> None:
        self.hash = hashlib.sha256()
        self.guards: list[tuple[Any, str, object]] = []
        self.seen: set[int] = set()

    def add(self, *parts: object) -> None:
        self.hash.update(repr(parts).encode())

    def function(self, function: FunctionType) -> None:
        if id(function) in self.seen:
            return
        self.seen.add(id(function))
        self.guards.append((function, "", parts_of_function(function)))
        self.code(function.__code__)
        self.add(bool(getattr(function, "__weft_associative__", False)))
        self.add(len(function.__defaults__ or ()))
        for value in function.__defaults__ or ():
            self.constant(value)
        for name, value in sorted((function.__kwdefaults__ or {}).items()):
            self.add(name)
            self.guards.append((function.__kwdefaults__, name, value))
            self.constant(value)
        names = tuple(sorted(set(_names(function.__code__))))
        for name, cell in zip(function.__code__.co_freevars, function.__closure__ or (), strict=True):
            self.reach(cell, name, _content(cell), names)
        for name in names:
            if name in function.__globals__:
                self.reach(function.__globals__, name, function.__globals__[name], names)
            elif hasattr(builtins, name):
                self.guards.append((function.__globals__, name, ABSENT))

    def code(self, code: CodeType) -> None:
        self.add(code.co_code, code.co_names, code.co_varnames, code.co_freevars, code.co_filename, code.co_firstlineno)
        self.add(code.co_linetable, code.co_flags)
        for constant in code.co_consts:
            if isinstance(constant, CodeType):
                self.code(constant)
            else:
                self.add(
                    type(constant).__name__,
                    constant if not isinstance(constant, frozenset) else sorted(constant, key=repr),
                )

    def reach(
        self, container: Mapping[str, object] | CellType, name: str, value: object, names: tuple[str, ...]
    ) -> None:
        self.add(name)
        if self.value(value, names):
            self.guards.append((container, name, value))

    def constant(self, value: object) -> None:
        """Add a default value or an attribute of a class: numbers in them are compiled in."""
        if isinstance(value, (bool, int, float, complex, np.generic)):
            self.add(_name(type(value)), repr(value))
        elif type(value) is tuple:
            self.add(len(value))
            for item in value:
                self.constant(item)
        else:
            self.value(value, ())

    def value(self, value: object, names: tuple[str, ...]) -> bool:
        """Add what a value means; True where another object under the same name would mean something else."""
        if isinstance(value, np.ndarray):
            rows = value.ndim == 0 or value.shape[-1] <= 1 or value.strides[-1] == value.itemsize
            self.add("array", value.dtype.str, value.dtype.descr, value.ndim, value.flags.writeable, rows)
            return False
        if hasattr(type(value), "__weft_type__"):
            self.add("coherent array", str(value.__weft_type__("host")))  # type: ignore[attr-defined]
            return False
        if isinstance(value, (bool, int, float, complex, np.generic)):
            self.add(_name(type(value)))
            return False
        if isinstance(value, tuple) or is_dataclass(value) and not isinstance(value, type):
            self.add(type(value).__qualname__)
            self.items(value, names)
            if type(value) is not tuple:
                self.value(type(value), names)
            return True
        self.definition(value, names)
        return True

    def items(self, value: Any, names: tuple[str, ...]) -> None:
        """Add the items of a tuple, or the fields of an object, which may be assigned while the object stays."""
        if isinstance(value, tuple):
            self.add(len(value))
            for item in value:
                self.value(item, names)
            return
        lasts = type(value).__dataclass_params__.frozen
        for name, item in ((f.name, getattr(value, f.name)) for f in fields(value)):
            if self.value(item, names) and not lasts:
                self.guards.append((value, name, item))

    def definition(self, value: object, names: tuple[str, ...]) -> None:
        """Add a function, class, module or other compile-time value."""
        if type(value).__module__.startswith("weft."):  # a wrapper of the user's is a function of its own
            value = getattr(value, "__wrapped__", value)
        if isinstance(value, MethodType):
            value = value.__func__
        if isinstance(value, ModuleType):
            self.module(value, names)
        elif _is_library(value):
            self.add(getattr(value, "__module__", ""), getattr(value, "__qualname__", repr(type(value))))
        elif isinstance(value, FunctionType):
            self.function(value)
        elif isinstance(value, type):
            self.class_(value)
        elif isinstance(value, (str, bytes, type(None))):
            self.add(value)
        else:
            self.add(type(value).__module__, type(value).__qualname__)

    def module(self, module: ModuleType, names: tuple[str, ...]) -> None:
        self.add(module.__name__)
        if module.__name__.partition(".")[0] in LIBRARIES or id(module) in self.seen:
            return
        self.seen.add(id(module))
        for name in names:
            if name in vars(module):
                self.reach(vars(module), name, vars(module)[name], names)

    def class_(self, type_: type) -> None:
        """Add a class and those that it inherits from, with their methods and attributes."""
        self.not_overridden(type_)
        for cls in type_.__mro__:
            if id(cls) in self.seen or cls.__module__.partition(".")[0] in LIBRARIES:
                continue
            self.seen.add(id(cls))
            self.add(cls.__module__, cls.__qualname__, sorted(vars(cls).get("__annotations__", {}).items(), key=repr))
            for name, member in sorted(vars(cls).items()):
                if name not in _MADE_BY_PYTHON:
                    self.member(cls, name, member)

    def not_overridden(self, type_: type) -> None:
        """What a class inherits must not come to be its own, or that of a class that is asked before."""
        for k, cls in enumerate(type_.__mro__):
            for name in vars(cls) if not _is_library(cls) else ():
                for nearer in type_.__mro__[:k]:
                    if name not in _MADE_BY_PYTHON and name not in vars(nearer):
                        self.guards.append((nearer, name, ABSENT))

    def member(self, cls: type, name: str, member: Any) -> None:
        self.add(name)
        self.guards.append((cls, name, member))
        inner = getattr(member, "fget", None) or getattr(member, "__func__", None) or member
        if isinstance(inner, FunctionType) and (inner.__module__ or "").startswith(("collections", "namedtuple_")):
            self.add(inner.__qualname__)  # a method of all named tuples
        elif type(inner).__name__ not in _DESCRIPTORS:
            self.constant(inner)


_MADE_BY_PYTHON = frozenset(
    (
        "__module__", "__qualname__", "__dict__", "__weakref__", "__doc__", "__annotations__", "__match_args__",
        "__slots__", "__hash__", "__repr__", "__dataclass_fields__", "__dataclass_params__", "__firstlineno__",
        "__static_attributes__", "__orig_bases__", "__parameters__", "__abstractmethods__", "_abc_impl",
        "__annotate__", "__annotate_func__", "__annotations_cache__", "__getnewargs__", "__replace__",
    )
)  # fmt: skip
"""Attributes of classes that say nothing of what a program computes."""

_DESCRIPTORS = frozenset({"member_descriptor", "getset_descriptor", "_tuplegetter"})

_BUILTINS = frozenset(map(id, vars(builtins).values()))


def _name(cls: type) -> str:
    """Python's and NumPy's bool have the same name."""
    return f"{cls.__module__}.{cls.__qualname__}"


def _names(code: CodeType) -> Iterator[str]:
    yield from code.co_names
    for constant in code.co_consts:
        if isinstance(constant, CodeType):
            yield from _names(constant)


def _content(cell: CellType) -> object:
    try:
        return cell.cell_contents
    except ValueError:
        return None  # not assigned yet


def _is_library(value: object) -> bool:
    module = getattr(value, "__module__", None) or ""
    if isinstance(value, (BuiltinFunctionType, np.ufunc)) or id(value) in _BUILTINS:
        return True
    return module.partition(".")[0] in LIBRARIES
