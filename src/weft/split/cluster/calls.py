"""A call of a cluster that is under way: its arguments, and which of them stands in the place of which."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from weft.split.cutting import Phase
from weft.split.steps import Item, Steps


@dataclass
class Call:
    """A call under way.

    Attributes
    ----------
    values
        The arguments by name: NumPy or Dask arrays, and numbers.
    places
        Which argument stands in the place of which.
    shown_values
        Arrays of the same shapes, for what reads no elements.
    counters
        Those of the steps around.
    count
        How many pieces loops have; None for one for each chunk.
    """

    values: dict[str, Any]
    places: dict[str, str]
    shown_values: Mapping[str, Any] | None = None
    counters: dict[str, int] = field(default_factory=dict)
    count: int | None = None

    def __init__(
        self,
        values: dict[str, Any],
        places: dict[str, str],
        *,
        shown: Mapping[str, Any] | None = None,
        counters: Mapping[str, int] | None = None,
        count: int | None = None,
    ) -> None:
        self.values, self.places, self.shown_values = values if shown is None else dict(values), places, shown
        self.counters, self.count = dict(counters or {}), count

    def given(self) -> dict[str, Any]:
        """The arguments as they stand now, and the counters."""
        return {**{name: self.values[place] for name, place in self.places.items()}, **self.counters}

    def shown(self) -> dict[str, Any]:
        """The same, with shapes instead of Dask arrays."""
        shown = self.shown_values or self.values
        return {**{name: shown[place] for name, place in self.places.items()}, **self.counters}

    def arrays(self) -> dict[str, Any]:
        """The arguments that are arrays, by their own names."""
        return {name: value for name, value in self.values.items() if hasattr(value, "shape") and np.ndim(value)}

    def at(self, counter: str, step: int) -> Call:
        """The same call in a step: it shares the values."""
        made = Call(self.values, self.places, counters={**self.counters, counter: step}, count=self.count)
        made.shown_values = self.shown_values
        return made


def phases_in(item: Item) -> Iterator[Phase]:
    """The loops that are cut, of an item."""
    if isinstance(item, Phase):
        yield item
    elif isinstance(item, Steps):
        for inner in item.items:
            yield from phases_in(inner)


def changed_in(item: Item) -> set[str]:
    """The arguments that steps write or that change places."""
    found = set(item.moves) if isinstance(item, Steps) else set()
    return found.union(*(phase.writes for phase in phases_in(item)))
