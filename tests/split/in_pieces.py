"""Runs functions on a simulated device, whole and in pieces, the whole way but for machine code."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from weft.errors import UnsupportedError
from weft.frontend import build
from weft.frontend.source.signature import describe
from weft.ir import nodes as n
from weft.ir.check.verifier import verify
from weft.ir.interface import END_OF_PIECE, FIRST_OF_PIECE, RESULT
from weft.ir.reference.interpreter import holds, trace
from weft.ir.reference.simulated import SimulatedDevice
from weft.plan.place import Layout, Placement, place
from weft.plan.transfers.check import check_plan
from weft.schedule.legality import Limits
from weft.split.agreement import disagreement
from weft.split.cutting import Phase
from weft.split.footprints import narrowed
from weft.split.grouped import GroupedSums, names_of
from weft.split.steps import Item, Steps, plan_for_devices
from weft.transform.pipeline import optimise

DEVICE = "cuda"

Cuts = Sequence[float]
"""Where a loop is cut, as parts of its length."""


@dataclass
class InPieces:
    """A function for some types of arguments, whole and in pieces, on devices of so many cores.

    Raises
    ------
    UnsupportedError
        It cannot be cut, or other kernels would add sums.
    """

    function: Callable[..., Any]
    arguments: Sequence[Any]
    cores: int = 1
    copied: list[int] = field(default_factory=list)
    """Bytes that went to the device with each program that ran."""
    _placed: dict[tuple[int, bool], n.Program] = field(default_factory=dict)
    _narrowed: dict[int, n.Program] = field(default_factory=dict)

    def __post_init__(self) -> None:
        names = inspect.signature(self.function).parameters
        types = (describe(value, name) for value, name in zip(self.arguments, names, strict=True))
        self.program = build(self.function, tuple(types))
        self.plan = plan_for_devices(self.program)
        phases = list(self.plan.phases())
        if any(phase.merge and not phase.groups for phase in phases):
            raise UnsupportedError("loops that fold what may be put together in any way: see test_folds")
        if any(phase.has_sums or phase.groups for phase in phases):
            programs = [p.groups.piece if p.groups else p.piece for p in phases]
            programs += [p.groups.fold for p in phases if p.groups]
            pieces = [placement(program, self.cores) for program in programs]
            place = disagreement(placement(self.program, self.cores), pieces)
            if place is not None:
                raise UnsupportedError(f"other kernels add the sum in line {place.line}", place)

    def run_whole(self, arguments: Sequence[Any]) -> Sequence[Any]:
        """Run it on one device; its results."""
        return self._run(self.program, arguments)

    def run(self, arguments: Sequence[Any], cuts: Cuts) -> Sequence[Any]:
        """Run it in pieces, one after the other; its results."""
        names = inspect.signature(self.function).parameters
        given = self._run_items(self.plan.items, dict(zip(names, arguments, strict=True)), cuts, {})
        if self.plan.rest is None:
            return ()
        return trace(self.plan.rest, _values(self.plan.rest, given)).results

    def _run_items(
        self, items: Sequence[Item], given: dict[str, Any], cuts: Cuts, counters: dict[str, int]
    ) -> dict[str, Any]:
        for item in items:
            start, stop, *_ = trace(item.bounds, _values(item.bounds, {**given, **counters})).results
            if isinstance(item, Steps):
                for step in range(start, stop):
                    given = self._run_items(item.items, given, cuts, {**counters, item.counter: step})
                    given = {name: given[item.moves.get(name, name)] for name in given}
                continue
            if item.groups is not None:
                given = self._run_groups(item, given, (start, stop), cuts)
                continue
            ends = [start, *(start + int(part * (stop - start)) for part in cuts), stop]
            for low, high in zip(ends[:-1], ends[1:], strict=True):
                bounds = {FIRST_OF_PIECE: low, END_OF_PIECE: high}
                self._run_piece(item, item.piece, {**given, **counters, **bounds})
        return given

    def _run_piece(self, phase: Phase, piece: n.Program, given: dict[str, Any]) -> None:
        """Run a piece, which copies the rows that it reads."""
        rows = phase.footprints.of_piece(given, given[FIRST_OF_PIECE], given[END_OF_PIECE])
        program = self._narrowed.setdefault(id(piece), narrowed(piece, phase.footprints))
        added = zip(phase.footprints.added(), rows, strict=True)
        self._run(program, _values(program, {**given, **dict(added)}))

    def _run_groups(self, phase: Phase, given: dict[str, Any], bounds: tuple[int, int], cuts: Cuts) -> dict[str, Any]:
        """A loop that adds floats; what is given then, with its results."""
        (start, stop), groups = bounds, phase.groups
        assert groups is not None
        sums, names = GroupedSums(groups, bounds), names_of(groups)
        for array in sums.arrays:
            array.view("u1")[:] = 0xFF  # NaN, where no piece gives a result
        ends = [start, *(start + int(part * (stop - start)) for part in cuts), stop]
        for low, high in sums.cuts(list(zip(ends[:-1], ends[1:], strict=True))):
            own = zip((*names, FIRST_OF_PIECE, END_OF_PIECE), sums.of_piece(low, high), strict=True)
            self._run_piece(phase, groups.piece, {**given, **dict(own)})
        values = _values(groups.fold, {**given, **dict(zip(names, sums.arrays, strict=True))})
        folded = self._run(groups.fold, values)[:-2]  # the rest are the bounds
        known = sum(name.startswith(RESULT) for name in given)
        return {**given, **{f"{RESULT} {known + k}": value for k, value in enumerate(folded)}}

    def _run(self, program: n.Program, values: Sequence[Any]) -> Sequence[Any]:
        """Run the variant that the values need; the flat results."""
        placed = self._variant(program, checked=False)
        if not holds(placed, list(values)):
            placed = self._variant(program, checked=True)
        traced = trace(placed, list(values), {DEVICE: SimulatedDevice()})
        if traced.error is not None:
            raise traced.error
        self.copied.append(traced.copied_bytes.get(("host", DEVICE), 0))
        return traced.results

    def _variant(self, program: n.Program, checked: bool) -> n.Program:
        key = (id(program), checked)
        if key not in self._placed:
            self._placed[key] = placement(program, self.cores, checked).program
        return self._placed[key]


def _values(program: n.Program, given: dict[str, Any]) -> list[Any]:
    return [given[param.source.name] for param in program.params]


def placement(program: n.Program, cores: int, checked: bool = False) -> Placement:
    """A program with its nests on a device of so many cores."""
    optimised = optimise(program, checked=checked, turns=False, blocks=True, rows=True)
    found = place(optimised, DEVICE, layout=Layout(Limits(cores=cores)))
    verify(found.program)
    if not checked:
        check_plan(found.program)
    return found


def copies(arguments: Sequence[Any]) -> list[Any]:
    """The same arguments, with arrays of their own."""
    return [value.copy() if isinstance(value, np.ndarray) else value for value in arguments]
