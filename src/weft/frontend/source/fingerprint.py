"""What a function's meaning depends on, found without parsing: the key of its compiled form.

A function is its bytecode and whatever its names stand for, transitively: other functions, classes, modules, strings.
Captured numbers and arrays count by their type alone, since compiled code reads them anew at every call.
"""

from __future__ import annotations

import builtins
import enum
import hashlib
import sys
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass, field, fields, is_dataclass
from functools import cache, partial
from types import BuiltinFunctionType, CellType, CodeType, FunctionType, MethodType, ModuleType
from typing import Any, TypeAlias, cast

import numpy as np

from weft.errors import ArgumentError
from weft.frontend.source.plain import attributes_of, is_plain
from weft.ir.kernel_calls import is_foreign

LIBRARIES = frozenset(
    {
        "numpy",
        "scipy",
        "math",
        "cmath",
        "operator",
        "weft",
        "builtins",
        "typing",
        "dataclasses",
        "functools",
        "abc",
        "enum",
    }
)
"""Modules whose functions are known by name."""

IMPORTED = frozenset({"bisect", "collections", "heapq", "itertools"})
"""Other modules that functions may import in their bodies."""

ABSENT: object = NotImplemented
"""What a guard holds for a name that must still be missing; the entry stub knows it, and no program can capture it."""


Guard: TypeAlias = tuple[Any, str, object]
"""A container, a name in it, and what stands there."""


@dataclass
class Fingerprint:
    """A digest, and the names that must still stand for the same objects for it to hold.

    `guards` are (container, name, object): a dictionary and a key in it, a class or an object and an attribute, a
    closure cell and its name, or a function and what `parts_of_function` gives. `ABSENT` stands for a name that means
    nothing there. With an empty name: a class and what `parts_of_class` gives, a list and `parts_of_list`, or an
    object and `parts_of_object`.
    """

    digest: str = ""
    guards: list[Guard] = field(default_factory=list)
    kinds: frozenset[str] = frozenset()
    """The kinds of devices that kernels of the user's are for, where it reaches any."""

    kept: list[tuple[Any, list[Guard]]] = field(default_factory=list)
    """The functions that it reaches whose results `functools` keeps, and the data and functions that each reads."""


def parts_of_function(function: FunctionType) -> tuple[object, object, object]:
    """What of a function can be assigned in place and changes its meaning."""
    return function.__code__, function.__defaults__, function.__kwdefaults__


def parts_of_class(cls: type) -> tuple[tuple[type, ...], frozenset[str]]:
    """What a class inherits from, and the names that it has: a new name may be a special method, or hide another."""
    return cls.__mro__, frozenset(vars(cls))


def parts_of_object(value: object) -> tuple[type, tuple[str, ...]]:
    """The class of an object, and what `hidden_members` finds; of a plain class, the names of its attributes."""
    return type(value), tuple(attributes_of(value)) if is_plain(type(value)) else hidden_members(value)


def parts_of_list(value: list[Any], all_numbers: bool) -> object:
    """The type of the elements of a list, as a string; with `all_numbers` the elements, too."""
    from weft.frontend.source.given_lists import describe_captured

    try:
        found = repr(describe_captured(value))
    except ArgumentError as error:  # the list is refused where the function uses it
        found = str(error)
    return (found, repr(value)) if all_numbers else found


def hidden_members(value: object) -> tuple[str, ...]:
    """The names of a class's attributes that one object of it hides by attributes of its own; fields do not count."""
    cls = type(value)
    if is_plain(cls):
        return ()
    try:
        own: dict[str, object] = object.__getattribute__(value, "__dict__")
    except AttributeError:
        return ()
    of_dataclass: Collection[str] | None = getattr(cls, "__dataclass_fields__", None)
    known: Collection[str] = getattr(cls, "_fields", ()) if of_dataclass is None else of_dataclass
    return tuple(sorted(name for name in own if name not in known and any(name in vars(c) for c in cls.__mro__)))


def content(container: Any, name: str, expected: object) -> object:
    """What a guard finds now; the very object that it expects where nothing has changed."""
    if isinstance(container, FunctionType):
        now = parts_of_function(container)
        return expected if all(a is b for a, b in zip(now, cast("tuple[object, ...]", expected), strict=True)) else now
    if isinstance(container, list):
        elements = parts_of_list(container, isinstance(expected, tuple))
        return expected if elements == expected else elements
    if not name and not isinstance(container, (dict, CellType)):
        parts = parts_of_class(container) if isinstance(container, type) else parts_of_object(container)
        return expected if parts == expected else parts
    if isinstance(container, CellType):
        return _content(container)
    if isinstance(container, (type, dict)):
        return (vars(container) if isinstance(container, type) else container).get(name, ABSENT)
    return getattr(container, name, ABSENT)


def fingerprint(function: FunctionType) -> Fingerprint:
    """The fingerprint of a function and of all that it reaches."""
    walker = _Walker()
    walker.function(function)
    return Fingerprint(walker.hash.hexdigest(), walker.guards, frozenset(walker.kinds), walker.kept)


def class_fingerprint(cls: type) -> Fingerprint:
    """The fingerprint of a class and of all that its methods reach."""
    walker = _Walker()
    walker.class_(cls)
    return Fingerprint(walker.hash.hexdigest(), walker.guards, kept=walker.kept)


DEEPEST = 64
"""How many objects inside of one another are looked at: no more are taken apart."""


_CACHED = type(cache(len))
"""The class of functions whose results `functools` keeps."""


_NUMBERS = (bool, int, float, complex, np.generic)


class _Walker:
    def __init__(self, all_numbers: bool = False) -> None:
        self.hash = hashlib.sha256()
        self.guards: list[Guard] = []
        self.all_numbers = all_numbers
        """Whether numbers have guards, too, though compiled code reads them anew at every call."""
        self.kept: list[tuple[Any, list[Guard]]] = []
        self.seen: set[object] = set()
        self.kinds: set[str] = set()
        self.around: list[object] = []
        """Objects that hold one another, down to the present one."""

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
            elif name in vars(builtins):
                self.guards.append((function.__globals__, name, ABSENT))
                self.reach(vars(builtins), name, vars(builtins)[name], names)
        for name in names:  # an import inside the function may give it
            if (name.partition(".")[0] in LIBRARIES or name in IMPORTED) and name in sys.modules:
                self.module(sys.modules[name], names)

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
        if isinstance(value, _NUMBERS):
            self.add(_name(type(value)), repr(value))
        elif isinstance(value, tuple) or _is_instance_of_dataclass(value):
            self.record(value, ())
            for item in value if isinstance(value, tuple) else ():
                self.constant(item)
            for name, item in () if isinstance(value, tuple) else _fields_of(value):
                self.guards.append((value, name, item))
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
        if isinstance(value, _NUMBERS):
            self.add(_name(type(value)))
            return self.all_numbers
        if self.is_known(value) or len(self.around) > DEEPEST:
            self.add("again")
            return True
        if isinstance(value, tuple) or _is_instance_of_dataclass(value):
            self.record(value, names)
            self.around.append(value)
            for item in value if isinstance(value, tuple) else ():
                self.value(item, names)
            for name, item in () if isinstance(value, tuple) else _fields_of(value):
                if self.value(item, names):
                    self.guards.append((value, name, item))
            self.around.pop()
            return True
        if type(value) is dict and all(type(key) is str for key in value):
            self.add("dict", tuple(value))
            self.guards += [(value, key, item) for key, item in value.items() if self.value(item, names)]
            return True
        if type(value) is list:
            parts = parts_of_list(value, self.all_numbers)
            self.guards.append((value, "", parts))
            self.add("list", parts)
            return True
        self.definition(value, names)
        return True

    def is_known(self, value: object) -> bool:
        """Whether an object or a dict was met before: objects may hold one another."""
        if isinstance(value, tuple) or not (type(value) is dict or _is_instance_of_dataclass(value)):
            return False
        known = (id(value), "value") in self.seen
        self.seen.add((id(value), "value"))
        return known

    def record(self, value: Any, names: tuple[str, ...]) -> None:
        """Add the class of a tuple or an object, and what the object has besides its items or fields."""
        self.add(type(value).__qualname__, len(value) if isinstance(value, tuple) else 0)
        if type(value) is not tuple:
            parts = parts_of_object(value)
            self.guards.append((value, "", parts))
            self.add(parts[1])
            self.value(type(value), names)

    def definition(self, value: object, names: tuple[str, ...]) -> None:
        """Add a function, class, module or other compile-time value."""
        if type(value).__module__.startswith("weft."):  # a wrapper of the user's is a function of its own
            value = getattr(value, "__wrapped__", value)
        if is_foreign(value):
            self.add("kernel", value.meaning)  # type: ignore[attr-defined]
            self.kinds.add(value.device)  # type: ignore[attr-defined]
            return
        if isinstance(value, np.vectorize):
            self.guards += [(value, name, getattr(value, name)) for name in ("pyfunc", "otypes")]
            self.constant((str(value.otypes), value.cache, value.signature, repr(value.excluded)))
            value = value.pyfunc
        if isinstance(value, partial):
            self.constant((*value.args, *value.keywords, *value.keywords.values()))
            value = value.func
        if isinstance(value, MethodType):
            value = value.__func__
        if isinstance(value, _CACHED):
            self.add("cached")
            self.guards.append((value, "__wrapped__", value.__wrapped__))
            self.definition(value.__wrapped__, names)
            if not self.all_numbers:
                self.keep(value)
            return
        if isinstance(value, ModuleType):
            self.module(value, names)
        elif is_library(value):
            self.add(getattr(value, "__module__", ""), getattr(value, "__qualname__", repr(type(value))))
        elif isinstance(value, FunctionType):
            self.function(value)
        elif isinstance(value, type):
            self.class_(value)
        elif isinstance(value, (str, bytes, type(None))):
            self.add(value)
        elif isinstance(value, enum.Enum):
            self.add(value.name, repr(value.value))
            self.definition(type(value), names)
        else:
            self.add(type(value).__module__, type(value).__qualname__)

    def keep(self, wrapper: Any) -> None:
        """Note what a function reads whose results are kept, and guard that."""
        inner = _Walker(all_numbers=True)
        inner.definition(wrapper.__wrapped__, ())
        self.kept.append((wrapper, inner.guards))
        self.guards += [guard for guard in inner.guards if isinstance(guard[2], _NUMBERS)]

    def module(self, module: ModuleType, names: tuple[str, ...]) -> None:
        """Add what the names of a function mean in a module; numbers of libraries are compiled in."""
        self.add(module.__name__)
        found = vars(module)
        for name in names:
            if name not in found or (id(module), name) in self.seen:
                continue
            self.seen.add((id(module), name))
            if module.__name__.partition(".")[0] in LIBRARIES:
                self.add(name)
                self.guards.append((found, name, found[name]))
                self.constant(found[name])
            else:
                self.reach(found, name, found[name], names)

    def class_(self, type_: type) -> None:
        """Add a class, those that it inherits from and its metaclass, with their methods and attributes."""
        if issubclass(type_, enum.Enum):
            self.add([(name, repr(member.value)) for name, member in type_.__members__.items()])
        metaclass: type = type(type_)
        for cls in (*type_.__mro__, *metaclass.__mro__):
            if id(cls) in self.seen or is_library(cls):
                continue
            self.seen.add(id(cls))
            self.guards.append((cls, "", parts_of_class(cls)))
            self.add(cls.__module__, cls.__qualname__, sorted(vars(cls).get("__annotations__", {}).items(), key=repr))
            for name, member in sorted(vars(cls).items()):
                if name not in _MADE_BY_PYTHON:
                    self.member(cls, name, member)

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
    """The names that code uses; not those of tools that rewrite assertions, which no source text can say."""
    yield from filter(str.isidentifier, code.co_names)
    for constant in code.co_consts:
        if isinstance(constant, CodeType):
            yield from _names(constant)


def _is_instance_of_dataclass(value: object) -> bool:
    return not isinstance(value, type) and (is_dataclass(value) or is_plain(type(value)))


def _fields_of(value: Any) -> list[tuple[str, Any]]:
    if is_plain(type(value)):
        return list(attributes_of(value).items())
    return [(f.name, getattr(value, f.name)) for f in fields(value)]


def _content(cell: CellType) -> object:
    try:
        return cell.cell_contents
    except ValueError:
        return None  # not assigned yet


def is_library(value: object) -> bool:
    """Whether a function or class is one of a library, which is known by its name."""
    module = getattr(value, "__module__", None) or ""
    if isinstance(value, (BuiltinFunctionType, np.ufunc)) or id(value) in _BUILTINS:
        return True
    return module.partition(".")[0] in LIBRARIES
