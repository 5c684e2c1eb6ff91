"""Values of the store as bytes, and back, equal: JSON that names its classes, then raw bytes.

What is read makes numbers, texts, bytes, tuples, frozen sets, dictionaries, scalar types, and the dataclasses that
`SCHEMAS` lists for its kind, whose fields must have the types that the classes declare. It runs no code.

An entry is `MAGIC`, the SHA-256 of all that follows, the length of the JSON text (8 bytes, the lowest first), that
text, and the bytes that it refers to. The text holds the kind and the key of the entry, so that one under another's
name is found out, and the schema: a digest of the classes of the kind and their fields. A dataclass is an object with
its class under ``is`` and the fields that differ from their defaults; a tuple is a list; a scalar type is its name
under ``type``; bytes are where they begin and end, under ``bytes``; a number that JSON has no form for is text under
``float`` or ``complex``; sets are under ``set``, dictionaries as pairs under ``map``.
"""

from __future__ import annotations

import collections.abc
import hashlib
import importlib
import json
import math
import sys
import types
from collections.abc import Mapping
from dataclasses import MISSING, fields
from functools import cache
from typing import Any, Literal, Union, get_args, get_origin, get_type_hints

from weft.ir.types import SCALARS, Scalar

MAGIC = b"weft entry 1\n"
_CHECK = hashlib.sha256().digest_size
_LENGTH = 8

_DIRECTIVES = (
    "Bind", "Share", "Deal", "Scan", "Stage", "Slide", "Walk", "Steps", "Entries", "Turn", "Privatise", "Split",
    "Reorder", "Unroll", "Vectorise", "Order", "Cache", "Carve", "Indices",
)  # fmt: skip
_SCHEDULES = dict.fromkeys(_DIRECTIVES, "weft.schedule.directives")
_SOURCES = {"Source": "weft.ir.interface"}

SCHEMAS: Mapping[str, Mapping[str, str]] = {
    "code": {
        "Compiled": "weft.runtime.dispatch.variants", "Leaf": "weft.runtime.dispatch.variants",
        "Site": "weft.backends.text.artifact",
        "Location": "weft.ir.location", "Returns": "weft.ir.interface", "Step": "weft.ir.python_calls",
        "KernelStep": "weft.ir.kernel_calls",
        "View": "weft.ir.types", "Record": "weft.ir.types", "Field": "weft.ir.types", **_SOURCES,
    },
    "outline": {"Outline": "weft.cost.work", "ArrayUse": "weft.cost.work", **_SOURCES},
    "laid out": {},
    "fixed": _SOURCES,
    "meetings": _SOURCES,
    "spilled": _SCHEDULES,
    "measured": _SCHEDULES,
    "figures": {
        "Speed": "weft.cost.speed", "CopyFigures": "weft.machine.copying", "CopyTime": "weft.machine.copying",
        "Figures": "weft.cost.figures", "Residual": "weft.cost.figures",
        "DeviceFigures": "weft.cost.machine_file", "Facts": "weft.machine.facts",
    },
    "kernel text": {"ModuleText": "weft.runtime.devices.modules"},
    "kernels": {"KernelBinary": "weft.machine.occupancy", "Resources": "weft.machine.occupancy"},
    "product": {"Trial": "weft.runtime.devices.libraries"},
}  # fmt: skip
"""The dataclasses that entries of each kind are made of, and their modules; entries of other kinds have none."""


class DecodeError(Exception):
    """Bytes that are no entry of that kind and key, as this version of Weft writes them."""


def encode(kind: str, key: str, value: object) -> bytes:
    """An entry as bytes.

    Raises
    ------
    TypeError
        Entries of this kind cannot hold such a value.
    """
    raw = bytearray()
    head = {"kind": kind, "key": key, "schema": _schema(kind), "value": _Writer(kind, raw).encoded(value)}
    text = json.dumps(head, separators=(",", ":")).encode()
    body = len(text).to_bytes(_LENGTH, "little") + text + raw
    return MAGIC + hashlib.sha256(body).digest() + body


def decode(kind: str, key: str, data: bytes) -> object:
    """The value of an entry.

    Raises
    ------
    DecodeError
        The bytes are damaged, another entry, or of another version.
    """
    start = len(MAGIC) + _CHECK
    body = data[start:]
    if not data.startswith(MAGIC) or hashlib.sha256(body).digest() != data[len(MAGIC) : start]:
        raise DecodeError("it is damaged")
    end = _LENGTH + int.from_bytes(body[:_LENGTH], "little")
    try:
        head = json.loads(body[_LENGTH:end])
        if (head["kind"], head["key"]) != (kind, key):
            raise DecodeError("it is another entry, under a wrong name")
        if head["schema"] != _schema(kind):
            raise DecodeError("it is of another version")
        return _Reader(kind, body[end:]).decoded(head["value"])
    except (ValueError, TypeError, LookupError, AttributeError, RecursionError) as error:
        raise DecodeError(f"it cannot be read: {error}") from error


@cache
def _schema(kind: str) -> str:
    """A digest of the classes of a kind and the fields that these have."""
    classes = sorted(SCHEMAS.get(kind, ()))
    shape = [(name, [(field.name, field.type) for field in fields(_class(kind, name))]) for name in classes]
    return hashlib.sha256(repr(shape).encode()).hexdigest()[:16]


@cache
def _class(kind: str, name: str) -> Any:
    """The dataclass of a name; LookupError where entries of the kind have none."""
    return getattr(importlib.import_module(SCHEMAS.get(kind, {})[name]), name)


_PLAIN = {plain.__name__: plain for plain in (bool, int, float, str, bytes)}


@cache
def _type_of(made: type, name: str) -> Any:
    """The type of a field of a dataclass; LookupError where it has no such field."""
    owner = next((cls for cls in made.__mro__ if name in vars(cls).get("__annotations__", {})), made)
    written = owner.__annotations__[name]
    if written in _PLAIN:
        return _PLAIN[written]  # most fields are; the other way takes a while
    declared = types.SimpleNamespace(__annotations__={name: written})
    return get_type_hints(declared, vars(sys.modules[owner.__module__]))[name]


class _Writer:
    def __init__(self, kind: str, raw: bytearray) -> None:
        self.kind, self.raw = kind, raw

    def encoded(self, value: object) -> Any:
        if value is None or isinstance(value, (bool, int, str)):
            return value
        if isinstance(value, float):
            return float(value) if math.isfinite(value) else {"float": repr(float(value))}
        if isinstance(value, complex):
            return {"complex": [repr(value.real), repr(value.imag)]}
        if isinstance(value, tuple):
            return [self.encoded(item) for item in value]
        if isinstance(value, frozenset):
            return {"set": [self.encoded(item) for item in sorted(value, key=repr)]}
        if isinstance(value, dict):
            return {"map": [[self.encoded(key), self.encoded(item)] for key, item in value.items()]}
        if isinstance(value, Scalar):
            return {"type": value.name}
        if isinstance(value, bytes):
            self.raw += value
            return {"bytes": [len(self.raw) - len(value), len(self.raw)]}
        return self._dataclass(value)

    def _dataclass(self, value: Any) -> dict[str, Any]:
        name = type(value).__name__
        if name not in SCHEMAS.get(self.kind, ()) or _class(self.kind, name) is not type(value):
            raise TypeError(f"entries of the kind {self.kind!r} hold no {type(value).__qualname__}")
        result: dict[str, Any] = {"is": name}
        for field in fields(value):
            item = getattr(value, field.name)
            if field.default is MISSING or type(item) is not type(field.default) or item != field.default:
                result[field.name] = self.encoded(item)
        return result


class _Reader:
    def __init__(self, kind: str, raw: bytes) -> None:
        self.kind, self.raw = kind, raw

    def decoded(self, value: Any) -> Any:
        if isinstance(value, list):
            return tuple(self.decoded(item) for item in value)
        if not isinstance(value, dict):
            return value
        if "is" in value:
            return self._dataclass(value)
        ((form, content),) = value.items()
        return getattr(self, f"_{_FORMS[form]}")(content)

    def _scalar(self, name: str) -> Scalar:
        return SCALARS[name]

    def _float(self, text: str) -> float:
        return float(text)

    def _complex(self, parts: list[str]) -> complex:
        return complex(*map(float, parts))

    def _set(self, items: list[Any]) -> frozenset[Any]:
        return frozenset(map(self.decoded, items))

    def _map(self, pairs: list[Any]) -> dict[Any, Any]:
        return {self.decoded(key): self.decoded(item) for key, item in pairs}

    def _bytes(self, place: list[int]) -> bytes:
        begin, end = place
        if not 0 <= begin <= end <= len(self.raw):
            raise ValueError("bytes are missing")
        return self.raw[begin:end]

    def _dataclass(self, value: dict[str, Any]) -> Any:
        made = _class(self.kind, value.pop("is"))
        given = {name: self.decoded(item) for name, item in value.items()}
        for name, item in given.items():
            if not fits(item, _type_of(made, name)):
                raise TypeError(f"{made.__name__}.{name} cannot be {item!r}")
        return made(**given)


_FORMS = {
    "type": "scalar", "float": "float", "complex": "complex", "set": "set", "map": "map", "bytes": "bytes",
}  # fmt: skip


def fits(value: object, hint: Any) -> bool:
    """Whether a value is of a type as annotations write it: of the forms that stored classes use.

    Examples
    --------
    >>> fits((1, "a"), tuple[int | str, ...]), fits((1, "a"), tuple[int, ...])
    (True, False)
    """
    if hint is Any:
        return True
    origin, arguments = get_origin(hint), get_args(hint)
    if origin is None:
        return isinstance(value, (float, int) if hint is float else hint or type(None))
    if origin in (Union, types.UnionType):
        return any(fits(value, one) for one in arguments)
    if origin is Literal:
        return value in arguments
    return isinstance(value, origin) and _items_fit(value, origin, arguments)


def _items_fit(value: Any, origin: Any, arguments: tuple[Any, ...]) -> bool:
    if origin in (dict, collections.abc.Mapping):
        return all(fits(key, arguments[0]) and fits(item, arguments[1]) for key, item in value.items())
    if origin is tuple and arguments[1:] != (...,):
        return len(value) == len(arguments) and all(map(fits, value, arguments))
    return all(fits(item, arguments[0]) for item in value)
