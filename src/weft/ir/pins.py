"""Blocks of the source that the user pinned to a device: ``with weft.device("cpu"):`` inside a compiled function.

A pin is a span of source text, so that every statement that comes from there belongs to it, whatever passes make of it.
"""

from __future__ import annotations

from collections.abc import Iterable

from weft.dataclass import dataclass
from weft.ir.location import Location


@dataclass(frozen=True)
class Pin:
    """A block and the device that its loops are to run on. The location is the block, and the calls that led there."""

    device: str
    location: Location

    def holds(self, place: Location) -> bool:
        """Whether a place, which no call separates from the block, is inside it."""
        own = self.location
        if (place.file, place.call) != (own.file, own.call):
            return False
        return (own.line, own.column) <= (place.line, place.column) < (own.end_line, own.end_column)


def pin_of(pins: Iterable[Pin], location: Location) -> Pin | None:
    """The innermost block that a place is in, or that the call is in which led there; None where there is none."""
    for place in location.chain():
        found = [pin for pin in pins if pin.holds(place)]
        if found:
            return max(found, key=lambda pin: (pin.location.line, pin.location.column))
    return None
