"""Sums of floats over a loop that is cut: pieces end where one device begins a new group of iterations.

What the groups give is in arrays, of which each piece fills its part. One device folds them.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any, TypeAlias

import numpy as np

from weft.ir.interface import PARTIAL
from weft.plan.partition.reductions import chunk_of

if TYPE_CHECKING:
    from weft.split.cutting import Groups

Bounds: TypeAlias = "tuple[int, int]"


def names_of(groups: Groups) -> tuple[str, ...]:
    """The names of the arguments for partial results."""
    return tuple(f"{PARTIAL} {k}" for k in range(len(groups.elements)))


def zeros(groups: Groups) -> dict[str, object]:
    """Arrays of the right types for programs of a loop."""
    return dict(zip(names_of(groups), GroupedSums(groups, (0, 1)).arrays, strict=True))


class GroupedSums:
    """The groups of a loop that adds floats, and their partial results.

    Parameters
    ----------
    groups
        The programs of the loop.
    bounds
        Its first iteration and the one behind its last.

    Attributes
    ----------
    arrays
        An array with a partial result of each group for each value that is folded.
    """

    def __init__(self, groups: Groups, bounds: Bounds) -> None:
        self._start, self._stop = bounds
        self._size = chunk_of(max(self._stop - self._start, 0))
        self.arrays: list[np.ndarray[Any, Any]] = [
            np.empty(self._group(self._stop), element.name) for element in groups.elements
        ]

    def _group(self, end: int) -> int:
        """How many groups begin before an iteration."""
        return -(-(max(end, self._start) - self._start) // self._size)

    def cuts(self, cuts: Sequence[Bounds]) -> list[Bounds]:
        """Pieces that end with the nearest group."""
        return list(self._whole(cuts))

    def _whole(self, cuts: Sequence[Bounds]) -> Iterator[Bounds]:
        last = self._start
        for _, end in cuts[:-1]:
            near = self._start + (end - self._start + self._size // 2) // self._size * self._size
            high = min(max(near, last), max(self._stop, self._start))
            yield last, high
            last = high
        yield last, self._stop

    def of_piece(self, low: int, high: int) -> tuple[object, ...]:
        """The arguments of a piece besides those of its loop: its parts of the arrays, and bounds."""
        first, end = self._group(low), self._group(high)
        return (*(array[first:end] for array in self.arrays), low, high)
