"""What is known of arrays at one place of a program, while it is run in the mind (see `transfers`)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace

from weft.ir.location import Location
from weft.plan.transfers.regions import Boxes, ExtentsOf, renamed

PLACE = "place"
"""What a loop's body needs where it needs no boxes but memory."""


@dataclass(frozen=True)
class Held:
    """What is known of an array at one place of the program.

    Attributes
    ----------
    there
        Boxes that are certainly current on the device.
    owed
        Boxes that may be newer on the device than on the host. Where they are, they are current there; what is not also
        among `there` cannot be copied without knowing which way the program took.
    reserved, placed
        Whether the array certainly has a place on the device, and whether it may have one.
    head
        The name that it had at the head of the loop that is being looked at, while the host has not written it since.
    origin
        The same, whoever wrote it.
    """

    there: Boxes = ()
    owed: Boxes = ()
    reserved: bool = False
    placed: bool = False
    head: str | None = None
    origin: str | None = None


@dataclass
class State:
    """What is known at one place: of every array by its holder, and which copies may be under way."""

    held: dict[str, Held] = field(default_factory=dict)
    sending: frozenset[str] = frozenset()
    """Arrays whose copies to the device may be under way: the host must not write them."""
    homing: tuple[str, ...] = ()
    """Arrays whose copies to the host may be under way, in their order: the host must not touch them."""
    owing: dict[str, tuple[Boxes, Location]] = field(default_factory=dict)
    """What the host has written of guests in this block, and where: it reaches the device however the program ends."""

    def copy(self) -> State:
        """A state that changes apart from this one."""
        return State(dict(self.held), self.sending, self.homing, dict(self.owing))

    def rename(self, names: Mapping[str, str], extents_of: ExtentsOf) -> None:
        """Arrays go to other holders."""
        self.held = {
            names.get(name, name): replace(
                h, there=renamed(h.there, names, extents_of), owed=renamed(h.owed, names, extents_of)
            )
            for name, h in self.held.items()
        }
        self.sending = frozenset(names.get(name, name) for name in self.sending)
        self.homing = tuple(names.get(name, name) for name in self.homing)


@dataclass(frozen=True)
class Need:
    """A loop's body needs boxes of an array on one side that it had at its head; `is_debt`: to copy them home."""

    head: str
    boxes: Boxes
    side: str
    is_debt: bool = False


class Undecided(Exception):
    """Something must be copied home that is newer on the device on some ways through the program only."""
