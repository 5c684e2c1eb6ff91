"""Programs as JSON, and back, equal. Locations are kept; `Program.externals` are not, since they are Python objects.

A node is an object with its class under ``is`` and the fields that differ from their defaults; a tuple is a list; a
scalar type is its name under ``type``; a number that JSON has no form for is text under ``float`` or ``complex``.
"""

from __future__ import annotations

import json
import math
from dataclasses import MISSING, fields
from typing import Any

from weft.ir import nodes as n
from weft.ir import types
from weft.ir.location import UNKNOWN, Location
from weft.ir.pins import Pin
from weft.ir.visit import EXPRESSIONS

_CLASSES: dict[str, type] = {
    c.__name__: c
    for c in (
        *EXPRESSIONS, n.Var, n.Const, n.Slice, n.Block, n.LoopArg, n.TileProduct, n.WindowProduct, n.Together, n.Steps,
        n.Let, n.Store, n.Update, n.For, n.While, n.If, n.Raise, n.Call, n.External, n.Reserve, n.Copy, n.Free,
        n.Launch, n.Wait, n.Kernel, n.Uniform, n.Hint, n.Matrix, n.MatrixProduct, n.Function, n.Source, n.Param,
        n.Returns, n.Program, Pin, types.Field, types.Record, types.View, types.Vector, Location,
    )
}  # fmt: skip


def to_json(program: n.Program, indent: int | None = None) -> str:
    """A program as JSON text."""
    return json.dumps(_encoded(program), indent=indent, ensure_ascii=False)


def from_json(text: str) -> n.Program:
    """The program that `to_json` wrote.

    Raises
    ------
    ValueError
        The text is no program.
    """
    program = _decoded(json.loads(text))
    if not isinstance(program, n.Program):
        raise ValueError("the text is JSON, but no program")
    return program


def _encoded(value: Any) -> Any:
    if isinstance(value, types.Scalar):
        return {"type": value.name}
    if isinstance(value, tuple):
        return [_encoded(item) for item in value]
    if isinstance(value, float):
        return value if math.isfinite(value) else {"float": repr(value)}
    if isinstance(value, complex):
        return {"complex": [repr(value.real), repr(value.imag)]}
    if value is None or isinstance(value, (str, int)):
        return value
    return _encoded_node(value)


def _encoded_node(node: Any) -> dict[str, Any]:
    result: dict[str, Any] = {"is": type(node).__name__}
    for field in fields(node):
        value = getattr(node, field.name)
        if field.name != "externals" and not _is_default(value, field.default):
            result[field.name] = _encoded(value)
    return result


def _is_default(value: object, default: object) -> bool:
    """Whether a field may be left out; ``True`` is not 1."""
    return default is not MISSING and type(value) is type(default) and value == default


def _decoded(value: Any) -> Any:
    if isinstance(value, list):
        return tuple(_decoded(item) for item in value)
    if not isinstance(value, dict):
        return value
    if "type" in value and "is" not in value:
        return types.SCALARS[value["type"]]
    if "float" in value:
        return float(value["float"])
    if "complex" in value:
        return complex(*map(float, value["complex"]))
    return _decoded_node(value)


def _decoded_node(value: dict[str, Any]) -> Any:
    name = value.get("is")
    if name not in _CLASSES:
        raise ValueError(f"there is no node {name}")
    made = _CLASSES[name](**{key: _decoded(item) for key, item in value.items() if key != "is"})
    return UNKNOWN if made == UNKNOWN else made
