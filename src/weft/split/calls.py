"""A call on several devices that is under way."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, TypeAlias

from weft.split.arguments import own_copy
from weft.split.programs import result_name

if TYPE_CHECKING:
    from weft.split.devices import Prepared

Ran: TypeAlias = "tuple[str, str, int, int, float]"
"""A piece that ran: its loop, the device, its first iteration and the one behind its last, and the seconds."""


@dataclass
class Call:
    """Which argument stands in the place of which, and the counters of the steps."""

    prepared: Prepared
    arguments: dict[str, object]
    places: dict[str, str]
    counters: dict[str, int] = field(default_factory=dict)
    first: tuple[Any, ...] | None = None
    """What the bounds of the first loop are, where they are known."""
    results: tuple[object, ...] = ()
    """What loops gave."""

    def given(self) -> list[object]:
        """The arguments as they stand now, the counters, and what loops gave."""
        return [*map(self.arguments.__getitem__, self.places.values()), *self.counters.values(), *self.results]

    def named(self) -> dict[str, object]:
        """The same by name."""
        results = (result_name(k) for k in range(len(self.results)))
        return dict(zip((*self.places, *self.counters, *results), self.given(), strict=True))

    def with_own_arrays(self, updates: Mapping[str, str], count: int) -> list[list[object]]:
        """The arguments of so many pieces, of which each but the first folds into arrays of its own."""
        given = self.given()
        places = {list(self.places).index(name): operator for name, operator in updates.items()}
        return [
            given,
            *(
                [own_copy(v, places[k]) if k in places else v for k, v in enumerate(given)]  # type: ignore[arg-type]
                for _ in range(count - 1)
            ),
        ]

    def at(self, counter: str, step: int) -> Call:
        """The same call in a step."""
        return Call(self.prepared, self.arguments, self.places, {**self.counters, counter: step})
