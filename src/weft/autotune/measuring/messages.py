"""What processes say to one another: JSON, then arrays as ``numpy.save`` writes them. Nothing in it can run code.

A message is the length of its JSON text (8 bytes, the lowest first), that text, and one block of bytes with a length
of its own for each array. In the text an array is ``{"array": k}``, the k-th block.
"""

from __future__ import annotations

import io
import json
from typing import IO, Any

import numpy as np

_LENGTH = 8
MOST = 1 << 40
"""Bytes of a block; more is no message."""


class BrokenError(Exception):
    """The other process is gone, or what it wrote is no message."""


def send(stream: IO[bytes], message: object) -> None:
    """Write a message: numbers, texts, lists, dictionaries and arrays."""
    blocks: list[bytes] = []
    text = json.dumps(_packed(message, blocks)).encode()
    try:
        for block in (text, *blocks):
            stream.write(len(block).to_bytes(_LENGTH, "little"))
            stream.write(block)
        stream.flush()
    except (OSError, ValueError) as error:
        raise BrokenError(str(error)) from error


def receive(stream: IO[bytes]) -> Any:
    """Read a message."""
    try:
        content, count = json.loads(_block(stream)), 0
    except ValueError as error:
        raise BrokenError(f"no message: {error}") from error
    count = _arrays_in(content)
    return _unpacked(content, [np.load(io.BytesIO(_block(stream)), allow_pickle=False) for _ in range(count)])


def _block(stream: IO[bytes]) -> bytes:
    length = int.from_bytes(_exactly(stream, _LENGTH), "little")
    if length > MOST:
        raise BrokenError(f"a block of {length} bytes")
    return _exactly(stream, length)


def _exactly(stream: IO[bytes], count: int) -> bytes:
    parts = []
    while count:
        part = stream.read(count)
        if not part:
            raise BrokenError("the other process is gone")
        parts.append(part)
        count -= len(part)
    return b"".join(parts)


def _packed(value: Any, blocks: list[bytes]) -> Any:
    if isinstance(value, np.ndarray):
        memory = io.BytesIO()
        np.save(memory, value, allow_pickle=False)
        blocks.append(memory.getvalue())
        return {"array": len(blocks) - 1}
    if isinstance(value, np.generic):
        return _packed(np.asarray(value), blocks)
    if isinstance(value, dict):
        return {"map": [[key, _packed(item, blocks)] for key, item in value.items()]}
    if isinstance(value, (list, tuple)):
        return [_packed(item, blocks) for item in value]
    return value


def _arrays_in(value: Any) -> int:
    if isinstance(value, list):
        return sum(map(_arrays_in, value))
    if isinstance(value, dict):
        return 1 if "array" in value else sum(_arrays_in(item) for _, item in value["map"])
    return 0


def _unpacked(value: Any, arrays: list[Any]) -> Any:
    if isinstance(value, list):
        return [_unpacked(item, arrays) for item in value]
    if isinstance(value, dict):
        return arrays[value["array"]] if "array" in value else {k: _unpacked(v, arrays) for k, v in value["map"]}
    return value
