"""Steps of a loop as tasks of a cluster: each task owns rows of the arrays, and runs some steps at a time on them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np

from weft.runtime.dispatch.specialisation import Options
from weft.split.cluster.pieces import offer_source, part_of, piece_callee
from weft.split.cutting import HIGH, LOW
from weft.split.stepping import Cut, Execution
from weft.split.steps import Path


class Block(NamedTuple):
    """What a task does: some executions on rows of arrays.

    Attributes
    ----------
    function, source
        As those of `weft.split.cluster.pieces.Order`.
    executions
        One after the other.
    options
        How the loops are compiled, by their paths.
    axis
        Along which the arrays are cut.
    wanted
        The rows that are sent of each array that is cut.
    shapes
        The shape and the type of each of these.
    own
        The rows of the task.
    results
        The arrays that are written.
    others
        The other arguments, whole.
    """

    function: Any
    source: tuple[str, list[str]]
    executions: list[Execution]
    options: Mapping[Path, Options]
    axis: int
    wanted: Mapping[str, Cut]
    shapes: Mapping[str, tuple[tuple[int, ...], str]]
    own: Cut
    results: tuple[str, ...]
    others: Mapping[str, object]


def run_block(block: Block, parts: Sequence[tuple[str, int, Any]], whole: Mapping[str, Any]) -> dict[str, Any]:
    """Run a block on the parts that were sent: the name of an array, the first row, the rows. Gives the own rows."""
    offer_source(block.function, block.source)
    arrays: dict[str, Any] = {name: np.array(value, order="C") for name, value in whole.items()}
    for name, (shape, kind) in block.shapes.items():
        arrays[name] = np.empty(shape, np.dtype(kind))
    for name, first, rows in parts:
        found = np.asarray(rows)
        part_of(arrays[name], block.axis, first, first + found.shape[block.axis])[...] = found
    for execution in block.executions:
        given = {name: arrays.get(place, block.others.get(place)) for name, place in execution.places.items()}
        low, high = execution.cut
        callee = piece_callee(block.function, execution.path, block.options[execution.path])
        callee.call({**given, **execution.counters, LOW: low, HIGH: high})
    return {name: part_of(arrays[name], block.axis, *block.own).copy() for name in block.results}


def rows_from(found: Mapping[str, Any], name: str, axis: int, first: int, end: int) -> Any:
    """Some rows of what a task gave, for a neighbour."""
    return part_of(found[name], axis, first, end).copy()
