"""Shadow memory: which iterations of which loop touched each piece of memory, and which of them are in conflict.

Two accesses to the same memory, one of which writes, are in conflict for the outermost loop whose iteration differs
between them. Conflicts are exact for the values of one run:

* flow: a read whose *last* write was in an earlier iteration;
* anti, output: a write after any read or write in an earlier iteration, also one that a later write has hidden;
* scalar: a variable that is carried around the loop is used, and an earlier iteration has changed it.

Updates by the same operator (reductions by key) are not in conflict with each other. Updates that
store one value (``assign``) are not in conflict with reads either: it was proven that no read can see their order.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import field
from typing import Literal

import numpy as np

from weft.dataclass import dataclass
from weft.ir.location import Location

ConflictKind = Literal["flow", "anti", "output", "scalar"]


@dataclass
class Conflict:
    """The first of `count` conflicts of the same kind between the same two places of a loop.

    `name` is the user's name of the array or variable, `iterations` are the loop counters of the two accesses.
    """

    kind: ConflictKind
    name: str
    first: Location
    second: Location
    iterations: tuple[int, int]
    count: int = 1


@dataclass(frozen=True)
class Site:
    """A place in the program that accesses memory or uses a carried variable."""

    name: str
    location: Location


@dataclass
class Frame:
    """A loop that is running: its label, the number of this execution of it, and the current iteration."""

    label: str
    instance: int
    iteration: int = 0


Mark = tuple[int, int, Site]
"""Instance of a loop, the first iteration that did something there, and where."""


@dataclass
class Unit:
    """What happened to one piece of memory. Lists hold one mark for each loop around, outermost first."""

    reads: list[Mark] = field(default_factory=list)
    writes: list[Mark] = field(default_factory=list)
    updates: dict[str, list[Mark]] = field(default_factory=dict)
    last_write: tuple[Mark, ...] = ()


class Shadow:
    """The shadow of all memory. `granule` is the size in bytes of the pieces that are told apart."""

    def __init__(self, granule: int) -> None:
        self.conflicts: dict[str, list[Conflict]] = {}
        self._granule = granule
        self._units: dict[int, Unit] = {}
        self._stack: list[Frame] = []
        self._instances = 0
        self._now: dict[int, tuple[Mark, ...]] = {}
        self._found: dict[tuple[str, str, Site, Site], Conflict] = {}

    def enter(self, label: str) -> None:
        """A loop starts."""
        self._instances += 1
        self._now.clear()
        self._stack.append(Frame(label, self._instances))
        self.conflicts.setdefault(label, [])

    def step(self, iteration: int) -> None:
        """An iteration of the innermost loop starts."""
        self._now.clear()
        self._stack[-1].iteration = int(iteration)

    def leave(self) -> None:
        """The innermost loop is over."""
        self._now.clear()
        self._stack.pop()

    def carried(self, label: str, site: Site) -> None:
        """A variable carried around a loop is used after an earlier iteration of it changed the variable."""
        frame = next(f for f in reversed(self._stack) if f.label == label)
        self._report("scalar", frame, (frame.instance, frame.iteration - 1, site), site)

    def read(self, address: int, size: int, site: Site) -> None:
        """Memory is read."""
        for unit in self._touched(address, size):
            if unit.last_write:
                self._check_last_write(unit, site)
            for operator, marks in unit.updates.items():
                if operator != "assign":
                    self._check("flow", marks, site)
            self._note(unit.reads, site)

    def write(self, address: int, size: int, site: Site) -> None:
        """Memory is written."""
        for unit in self._touched(address, size):
            if unit.reads:
                self._check("anti", unit.reads, site)
            if unit.writes:
                self._check("output", unit.writes, site)
            for marks in unit.updates.values():
                self._check("output", marks, site)
            self._note(unit.writes, site)
            unit.last_write = self._marks(site)

    def update(self, address: int, size: int, operator: str, site: Site) -> None:
        """Memory is combined with a value."""
        for unit in self._touched(address, size):
            if operator != "assign":
                self._check("anti", unit.reads, site)
            self._check("flow", unit.writes, site)
            for other, marks in unit.updates.items():
                if other != operator:
                    self._check("output", marks, site)
            self._note(unit.updates.setdefault(operator, []), site)

    def _touched(self, address: int, size: int) -> Sequence[Unit]:
        first, last = address // self._granule, (address + size - 1) // self._granule
        found = []
        for number in range(first, last + 1):
            unit = self._units.get(number)
            if unit is None:
                unit = self._units[number] = Unit()
            found.append(unit)
        return found

    def _marks(self, site: Site) -> tuple[Mark, ...]:
        """Where the loops are that run, each with a place; the same until one of them goes on."""
        marks = self._now.get(id(site))
        if marks is None:
            marks = self._now[id(site)] = tuple([(f.instance, f.iteration, site) for f in self._stack])
        return marks

    def _note(self, marks: list[Mark], site: Site) -> None:
        """Keep the first iteration of every running loop; forget loops that are over."""
        if not marks:
            marks += self._marks(site)
            return
        count = len(marks)
        for depth, frame in enumerate(self._stack):
            if depth >= count or marks[depth][0] != frame.instance:
                marks[depth:] = self._marks(site)[depth:]
                return

    def _check(self, kind: ConflictKind, marks: list[Mark], site: Site) -> None:
        for frame, mark in zip(self._stack, marks, strict=False):
            if mark[0] != frame.instance:
                return
            if mark[1] != frame.iteration:
                self._report(kind, frame, mark, site)

    def _check_last_write(self, unit: Unit, site: Site) -> None:
        for frame, mark in zip(self._stack, unit.last_write, strict=False):
            if mark[0] != frame.instance:
                return
            if mark[1] != frame.iteration:
                self._report("flow", frame, mark, site)
                return

    def _report(self, kind: ConflictKind, frame: Frame, mark: Mark, site: Site) -> None:
        key = (frame.label, kind, mark[2], site)
        known = self._found.get(key)
        if known is not None:
            known.count += 1
            return
        where = (mark[2].location, site.location)
        self._found[key] = conflict = Conflict(kind, site.name, *where, (mark[1], frame.iteration))
        self.conflicts[frame.label].append(conflict)


def address_of(view: np.ndarray, index: tuple[int, ...] = ()) -> int:
    """The address of an element, or of a view; negative indices count from the end."""
    return int(view.__array_interface__["data"][0]) + (offset_of(view, index) if index else 0)


def offset_of(view: np.ndarray, index: tuple[int, ...]) -> int:
    """How many bytes an element lies behind the beginning of its view."""
    offset = 0
    for position, extent, stride in zip(index, view.shape, view.strides, strict=True):
        offset += (int(position) + (extent if position < 0 else 0)) * stride
    return offset
