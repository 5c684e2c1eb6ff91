"""What a script declares: types, ports, and functions of elements."""

from __future__ import annotations

import re
from dataclasses import dataclass
from xml.etree.ElementTree import Element

from weft.dataflow.errors import GraphError

DTYPES = {
    "char": "int8", "uchar": "uint8", "short": "int16", "ushort": "uint16", "int": "int32", "uint": "uint32",
    "long": "int64", "ulong": "uint64", "float": "float32",
}  # fmt: skip
_PARAMETER = re.compile(r"\s*(?P<type>(?:unsigned\s+)?\w+)\s*(?P<pointer>\*?)\s*(?P<name>\w+)\s*")
MOST_WIDTH = 32


@dataclass(frozen=True)
class Type:
    """An atom, or a tuple of `width` of them."""

    dtype: str
    width: int


def type_of(text: str) -> Type:
    """A type by its name in a script: ``int``, ``unsigned int``, ``FLOAT4``."""
    name = " ".join(text.split()).replace("unsigned ", "u")
    if name in DTYPES:
        return Type(DTYPES[name], 1)
    found = re.fullmatch(r"([A-Z]+)(\d+)", name)
    if found and found[1].lower() in DTYPES and 2 <= int(found[2]) <= MOST_WIDTH:
        return Type(DTYPES[found[1].lower()], int(found[2]))
    raise GraphError(f"there is no type {text.strip()!r}", hint=f"say one of {', '.join(DTYPES)}, or FLOAT2 to FLOAT32")


@dataclass(frozen=True)
class Port:
    """A list that a firing takes or gives: `length` atoms."""

    name: str
    is_input: bool
    type: Type
    length: int


def port_of(element: Element) -> Port:
    """A ``port``; what it says may be attributes or elements."""
    said = {name: said_in(element, name) for name in ("name", "direction", "type", "length")}
    if said["direction"] not in ("in", "out"):
        raise GraphError(f"the port {said['name']} has the direction {said['direction']!r}", hint='say "in" or "out"')
    return Port(said["name"], said["direction"] == "in", type_of(said["type"]), int(said["length"]))


def said_in(element: Element, name: str) -> str:
    """An attribute, or the text of an element inside."""
    found = element.get(name) or element.findtext(name)
    if found is None:
        raise GraphError(f"<{element.tag}> says no {name}", hint=f"add <{name}>...</{name}> to it")
    return found.strip()


@dataclass(frozen=True)
class Declaration:
    """The signature of a function of elements; `has_index`: it takes the position, too."""

    name: str
    inputs: tuple[Type, ...]
    outputs: tuple[Type, ...]
    parameters: int
    has_index: bool


def declaration_of(text: str) -> Declaration:
    """The signature that a declaration in C's syntax gives: inputs, then pointers to outputs, then parameters."""
    found = re.search(r"(\w+)\s*\((.*)\)", text, re.DOTALL)
    if found is None:
        raise GraphError(f"{text.strip()!r} declares no function", hint="write void f(float a, float b, float *c)")
    inputs: list[Type] = []
    outputs: list[Type] = []
    parameters, has_index = 0, False
    for item in found[2].split(","):
        part = _PARAMETER.fullmatch(item)
        if part is None:
            raise GraphError(f"{item.strip()!r} is no parameter", hint="write a type and a name: float a")
        if part["pointer"]:
            outputs.append(type_of(part["type"]))
        elif outputs:
            parameters += 1
        elif part["name"] == "index":
            has_index = True
        else:
            inputs.append(type_of(part["type"]))
    return Declaration(found[1], tuple(inputs), tuple(outputs), parameters, has_index)
