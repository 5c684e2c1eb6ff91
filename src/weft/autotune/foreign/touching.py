"""What each point of a kernel's grid touches, as the user says it: a dictionary of indices and slices by array.

What it does: `touched` marks the elements of each array that some points touch. Elements outside of an array do not
count; axes that an index leaves out are taken whole.
"""

from __future__ import annotations

import inspect
import itertools
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

import numpy as np

from weft.errors import ArgumentError

Point = tuple[int, ...]
Marks = dict[str, "np.ndarray[Any, np.dtype[np.bool_]]"]
"""For each array, which of its elements are touched."""


class Touches:
    """The description of a kernel: a function of a point's counters, and of arguments and tunables by name.

    Parameters
    ----------
    function
        What the user gave.
    arrays
        The names of the kernel's arrays.
    names
        Those of all arguments and tunables.
    """

    def __init__(self, function: Callable[..., Any], arrays: Sequence[str], names: Iterable[str]) -> None:
        self.function = function
        self.arrays = tuple(arrays)
        known = set(names)
        parameters = list(inspect.signature(function).parameters)
        self.counters = tuple(itertools.takewhile(lambda name: name not in known, parameters))
        self.others = tuple(parameters[len(self.counters) :])
        unknown = [name for name in self.others if name not in known]
        if not self.counters or len(self.counters) > 3 or unknown:
            raise ArgumentError(
                f"touches takes {', '.join(parameters) or 'nothing'}",
                argument="touches",
                cause=f"{unknown[0]!r} is neither an argument nor a tunable" if unknown else "",
                hint="give a counter for each dimension of the grid, then names: touches=lambda i, n: {...}",
            )

    def of_point(self, point: Point, known: Mapping[str, Any]) -> dict[str, tuple[slice, ...]]:
        """What a point touches, clipped to the arrays."""
        if len(point) != len(self.counters):
            raise ArgumentError(
                f"touches has {len(self.counters)} counters, and the grid has {len(point)} dimensions",
                argument="touches",
                hint="give one counter for each dimension of the grid, first x, then y, then z",
            )
        found = self.function(*point, **{name: known[name] for name in self.others})
        if not isinstance(found, dict) or not set(found) <= set(self.arrays):
            raise ArgumentError(
                f"touches returns {found!r}",
                argument="touches",
                cause=f"the arrays of the kernel are {', '.join(self.arrays)}",
                hint='return a dictionary of indices or slices: {"x": slice(i, i + 3), "y": i}',
            )
        return {name: _clipped(name, index, known[name].shape) for name, index in found.items()}

    def of_points(self, points: Iterable[Point], known: Mapping[str, Any]) -> Marks:
        """What some points touch together."""
        marks = {name: np.zeros(known[name].shape, bool) for name in self.arrays}
        said: set[str] = set()
        for point in points:
            for name, part in self.of_point(point, known).items():
                marks[name][part] = True
                said.add(name)
        return {name: mark for name, mark in marks.items() if name in said or not mark.size}

    def first_that(self, points: Iterable[Point], known: Mapping[str, Any], name: str, element: Point) -> Point | None:
        """The first of some points that touches an element."""
        for point in points:
            part = self.of_point(point, known).get(name)
            if part is not None and all(
                k in range(s.start, s.stop, s.step) for k, s in zip(element, part, strict=True)
            ):
                return point
        return None


def _clipped(name: str, index: Any, shape: tuple[int, ...]) -> tuple[slice, ...]:
    parts = index if isinstance(index, tuple) else (index,)
    if len(parts) > len(shape):
        raise ArgumentError(
            f"touches says {index!r} of {name!r}, which has {len(shape)} dimensions", argument="touches"
        )
    rest = (slice(None),) * (len(shape) - len(parts))
    return tuple(_side(name, part, extent) for part, extent in zip((*parts, *rest), shape, strict=True))


def _side(name: str, part: Any, extent: int) -> slice:
    if isinstance(part, slice):
        step = 1 if part.step is None else int(part.step)
        start = 0 if part.start is None else int(part.start)
        stop = extent if part.stop is None else int(part.stop)
        if step < 1:
            raise ArgumentError(f"touches has the step {step} for {name!r}", argument="touches", hint="steps go up")
        below = -(-max(-start, 0) // step) * step
        return slice(min(start + below, extent), max(min(stop, extent), 0), step)
    if isinstance(part, bool) or not isinstance(part, (int, np.integer)):
        raise ArgumentError(
            f"touches says {part!r} of {name!r}", argument="touches", hint="say an index, a slice, or a tuple of these"
        )
    inside = 0 <= part < extent
    return slice(int(part), int(part) + 1, 1) if inside else slice(0, 0, 1)


def points_of(grid: Sequence[int]) -> Iterable[Point]:
    """The points of a grid."""
    return itertools.product(*map(range, grid))
