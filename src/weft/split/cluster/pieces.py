"""What a worker of a cluster does: one piece of a loop, on the rows that it was sent.

The arrays of a worker have the shapes of the whole ones, so that the piece is the program as it was proven; but memory
is used only where rows were sent, since the system gives pages when they are first touched.
"""

from __future__ import annotations

import functools
import linecache
from collections.abc import Mapping
from types import CodeType, FunctionType
from typing import Any, NamedTuple

import numpy as np

from weft.runtime.dispatch.callee import Callee
from weft.runtime.dispatch.specialisation import Options
from weft.split.cutting import HIGH, LOW
from weft.split.programs import piece_of
from weft.split.steps import Path


class Order(NamedTuple):
    """One piece.

    Attributes
    ----------
    function
        The function.
    source
        The file that it was defined in and its lines, for workers that do not have it.
    options
        How it is compiled.
    path
        Which of its loops.
    cut
        The first iteration and the one behind the last.
    shapes
        The shape and the type of each array.
    places
        For each array, the axis and the first row of what was sent; None where that is all of it.
    results
        For each array that is written: the axis and the rows that go back.
    numbers
        The other arguments.
    names
        All arguments in their order.
    ends
        For each array that is sent in part, the row behind the last.
    counters
        Those of the steps around the loop.
    """

    function: Any
    source: tuple[str, list[str]]
    options: Options
    path: Path
    cut: tuple[int, int]
    shapes: Mapping[str, tuple[tuple[int, ...], str]]
    places: Mapping[str, tuple[int, int] | None]
    results: Mapping[str, tuple[int, int, int]]
    numbers: Mapping[str, object]
    names: tuple[str, ...]
    ends: Mapping[str, int]
    counters: Mapping[str, int]


def run_piece(order: Order, rows: Mapping[str, np.ndarray[Any, Any]]) -> dict[str, np.ndarray[Any, Any]]:
    """Run a piece; the rows of each array that it wrote."""
    offer_source(order.function, order.source)
    arrays = {name: _placed(order, name, np.asarray(part)) for name, part in rows.items()}
    arguments = {name: arrays[name] if name in arrays else order.numbers[name] for name in order.names}
    low, high = order.cut
    callee = piece_callee(order.function, order.path, order.options)
    callee.call({**arguments, **order.counters, LOW: low, HIGH: high})
    return {name: part_of(arrays[name], *where).copy() for name, where in order.results.items()}


def offer_source(function: FunctionType, source: tuple[str, list[str]]) -> None:
    """Let the text of a function, and of those that it calls, be found where its file is not.

    Functions of a script arrive without the name of their file, which only their text has.
    """
    name, lines = source
    if not linecache.getlines(name):
        linecache.cache[name] = (sum(map(len, lines)), None, list(lines), name)
    sent = function.__code__.co_filename
    if sent != name:
        plain = (getattr(value, "__wrapped__", value) for value in list(function.__globals__.values()))
        for one in (function, *plain):
            if isinstance(one, FunctionType) and one.__code__.co_filename == sent:
                one.__code__ = _from_file(one.__code__, name)


def _from_file(code: CodeType, name: str) -> CodeType:
    """Code and all functions inside, with the name of their file."""
    inner = tuple(_from_file(one, name) if isinstance(one, CodeType) else one for one in code.co_consts)
    return code.replace(co_filename=name, co_consts=inner)


def _placed(order: Order, name: str, part: np.ndarray[Any, Any]) -> np.ndarray[Any, Any]:
    """An array of the whole shape with the rows that were sent."""
    place = order.places[name]
    if place is None:
        return np.array(part, order="C")
    shape, kind = order.shapes[name]
    whole = np.empty(shape, np.dtype(kind))
    axis, first = place
    part_of(whole, axis, first, first + part.shape[axis])[...] = part
    return whole


def part_of(array: np.ndarray[Any, Any], axis: int, first: int, end: int) -> np.ndarray[Any, Any]:
    """Some rows of an array along an axis."""
    return array[(slice(None),) * axis + (slice(first, end),)]


def piece_callee(function: FunctionType, path: Path, options: Options) -> Callee:
    """What runs a piece; what was compiled for the same code is found again."""
    return Callee(function, options, functools.partial(piece_of, function, path), ("split", path, False))
