"""The error of a scatter that writes an element twice."""

from __future__ import annotations

from typing import Any

from weft.errors import RaceError
from weft.ir.location import Location


class CollisionError(RaceError):
    """Two values of a scatter go to one element; nothing was written.

    Parameters
    ----------
    message, location
        As for `Error`.
    """

    def __init__(self, message: str, location: Location | None = None, **_: Any) -> None:
        super().__init__(
            message,
            location,
            cause="weft.scatter writes every element once at most, unless it is told how to combine values",
            hint='say weft.scatter(values, index, out, combine="add"), or "max", or a function',
        )
