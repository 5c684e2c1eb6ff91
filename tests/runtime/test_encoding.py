"""Entries of the store as bytes: what is written is read, equal; what is no entry of that name is refused."""

from __future__ import annotations

import collections.abc
import hashlib
import json
import math
import types
from dataclasses import dataclass, fields
from typing import Any, Literal, Union, get_args, get_origin

import pytest

from weft.compile import encoding
from weft.compile.encoding import DecodeError, decode, encode, fits
from weft.ir.types import FLOAT64, PYINT, Scalar

KEY = "ab" * 32
VALUES = [
    None, True, False, 0, -(2**70), 0.0, -0.0, 1.5, math.inf, 1e-310, 3 + 4j, "", "a\udc80\u20ac\0", b"", b"\0\xff" * 9,
    (), (1, (2.0, "x"), None), frozenset({(1, "a")}), {"a": 1, (1, 2): b"raw"}, FLOAT64, (FLOAT64, PYINT),
]  # fmt: skip


@pytest.mark.parametrize("value", VALUES, ids=repr)
def test_plain_values_come_back_equal(value):
    made = decode("any", KEY, encode("any", KEY, value))
    assert (type(made), repr(made)) == (type(value), repr(value))


def test_not_a_number_comes_back():
    assert math.isnan(decode("any", KEY, encode("any", KEY, math.nan)))


def example(kind: str, hint: Any, depth: int) -> Any:
    """A value of the type of a field; the deeper, the smaller."""
    origin, arguments = get_origin(hint), get_args(hint)
    if hint in (Any, object, str):
        return f"text {depth}"
    if hint in (bool, int, float, bytes, complex):
        return {bool: True, int: 7, float: 2.5, bytes: b"raw\0", complex: 1j}[hint]
    if hint in (Scalar, None, type(None)):
        return FLOAT64 if hint is Scalar else None
    if origin in (Union, types.UnionType):
        return example(kind, arguments[0 if depth < 3 else -1], depth)
    if origin is Literal:
        return arguments[-1]
    if origin is tuple:
        count = (1 if depth < 4 else 0) if arguments[1:] == (...,) else len(arguments)
        inner = arguments[:1] * count if arguments[1:] == (...,) else arguments
        return tuple(example(kind, one, depth + 1) for one in inner)
    if origin is frozenset:
        return frozenset({example(kind, arguments[0], depth + 1)})
    if origin in (dict, collections.abc.Mapping):
        return {example(kind, arguments[0], depth + 1): example(kind, arguments[1], depth + 1)}
    return hint(**{f.name: example(kind, encoding._type_of(hint, f.name), depth + 1) for f in fields(hint)})


CLASSES = [(kind, name) for kind, names in encoding.SCHEMAS.items() for name in names]


@pytest.mark.parametrize(("kind", "name"), CLASSES)
def test_every_class_of_every_kind_comes_back_equal(kind, name):
    value = example(kind, encoding._class(kind, name), 0)
    assert decode(kind, KEY, encode(kind, KEY, (value, value))) == (value, value)


def test_another_class_is_not_written():
    @dataclass(frozen=True)
    class Leaf:
        x: int

    for kind, value in (("code", Leaf(1)), ("any", Leaf(1)), ("any", [1]), ("any", {1, 2}), ("any", object())):
        with pytest.raises(TypeError, match="hold no"):
            encode(kind, KEY, value)


def test_an_entry_under_another_name_is_refused():
    data = encode("any", KEY, 1)
    assert decode("any", KEY, data) == 1
    for kind, key in (("any", "cd" * 32), ("other", KEY)):
        with pytest.raises(DecodeError, match="another entry"):
            decode(kind, key, data)


def with_head(head: dict[str, Any], raw: bytes = b"") -> bytes:
    """An entry whose checksum is right, whatever is in it."""
    text = json.dumps(head).encode()
    body = len(text).to_bytes(8, "little") + text + raw
    return encoding.MAGIC + hashlib.sha256(body).digest() + body


FORGED = {
    "no class of the kind": {"is": "Speed"},
    "no class": {"is": "os:system"},
    "no field": {"is": "Source", "kind": "argument", "name": "a", "more": 1},
    "field is missing": {"is": "Source", "kind": "argument"},
    "type of a field": {"is": "Source", "kind": "argument", "name": 3},
    "value of a field": {"is": "Source", "kind": "file", "name": "a"},
    "type inside of a field": {"is": "Source", "kind": "argument", "name": "a", "path": [1.5]},
    "no form": {"pickle": "x"},
    "two forms": {"float": "1", "type": "float64"},
    "no scalar": {"type": "float65"},
    "no float": {"float": "x"},
    "bytes outside": {"bytes": [0, 9]},
    "keys that cannot be": {"map": [[{"map": []}, 1]]},
    "deep": None,
}


@pytest.mark.parametrize("name", FORGED)
def test_forged_values_are_refused(name):
    value: Any = FORGED[name]
    for _ in range(900 if name == "deep" else 0):
        value = [value]
    head = {"kind": "code", "key": KEY, "schema": encoding._schema("code"), "value": value}
    with pytest.raises(DecodeError):
        decode("code", KEY, with_head(head))


@pytest.mark.parametrize("head", [{}, {"kind": "code", "key": KEY, "schema": "", "value": 1}, [], 3, None], ids=repr)
def test_forged_heads_are_refused(head):
    with pytest.raises(DecodeError):
        decode("code", KEY, with_head(head))


def test_every_changed_byte_is_noticed():
    data = encode("any", KEY, {"a": (1, b"raw")})
    for k in range(len(data)):
        with pytest.raises(DecodeError):
            decode("any", KEY, data[:k] + bytes([data[k] ^ 1]) + data[k + 1 :])
        with pytest.raises(DecodeError):
            decode("any", KEY, data[:k])
    with pytest.raises(DecodeError):
        decode("any", KEY, data + b"x")


@pytest.mark.parametrize(
    ("value", "hint", "expected"),
    [
        (1, int, True), (1, float, True), (1.0, int, False), (None, str | None, True), (None, None, True),
        ("a", Literal["a", "b"], True), ("c", Literal["a", "b"], False), ((1, "a"), tuple[int, str], True),
        ((1,), tuple[int, str], False), ((1, 2), tuple[int, ...], True), ((1, ""), tuple[int, ...], False),
        (frozenset({1}), frozenset[int], True), (frozenset({""}), frozenset[int], False),
        ({"a": 1}, dict[str, int], True), ({1: 1}, dict[str, int], False), (object(), Any, True),
    ],
)  # fmt: skip
def test_whether_values_fit_types(value, hint, expected):
    assert fits(value, hint) is expected
