"""Follows what is known of values into loops and out of them: counters, carried values, numbers of iterations."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import replace

from weft.cost.counters import step_of
from weft.cost.demand import Demand
from weft.cost.extents import Extent, iterations
from weft.cost.quantities import UNKNOWN, Quantity, combined, constant
from weft.cost.values import Values
from weft.ir import nodes as n
from weft.ir.types import Scalar, View

UNKNOWN_TRIPS = 16.0
"""Iterations of a loop of which nobody knows how often it runs."""


class Loops:
    """What loops do to values; `Walker` counts what stands in them.

    Parameters
    ----------
    values
        What is known of variables.
    given
        Iterations of loops, or shares of branches, by ``"line 12"``.
    """

    def __init__(self, values: Values, given: Mapping[str, float]) -> None:
        self.values = values
        self.given = given
        self.demand = Demand()
        self.around: list[Extent] = []
        """The loops that are open, outermost first."""
        self.middle: dict[str, float] = {}
        """Their iterations half-way through those around them."""

    def assume(self, text: str) -> None:
        """Note an assumption, once."""
        if text not in self.demand.assumptions:
            self.demand.assumptions.append(text)

    def _mean_trips(self, loop: n.For, trips: float) -> float:
        """Iterations of a loop that runs `trips` times half-way, as the mean over those of the loops around it."""
        extent = self._extent(loop, trips)
        if not extent.form:
            return trips
        entries = iterations(self.around)
        return iterations([*self.around, extent]) / entries if entries > 0 else trips

    def _extent(self, loop: n.For, trips: float) -> Extent:
        start, stop = self.values.of(loop.start), self.values.of(loop.stop)
        known = combined("sub", stop, start, stop.value - start.value)
        if known.value != trips:
            return Extent(loop.label, trips, {})
        return Extent.of(loop.label, known, {each: (count - 1) / 2 for each, count in self.middle.items()})

    def _open(self, loop: n.For, trips: float) -> None:
        self.around.append(self._extent(loop, trips))
        self.middle[loop.label] = trips
        self.values.trips[loop.label] = max(trips, 1.0)
        start = self.values.of(loop.start)
        middle = start.value + (trips - 1) / 2
        form = {**(start.form or {}), loop.label: 1.0} if start.form is not None else None
        depends = start.depends | ({loop.label} if trips != 1 else frozenset())
        self.values.quantities[loop.index.name] = Quantity(middle, form, depends, max(trips, 1.0) * start.values)
        for arg in loop.args:
            self._carry(arg.var, arg.init, loop.label)

        for place, arg in enumerate(loop.args):
            self._count(arg, loop, place, trips)

    def _count(self, arg: n.LoopArg, loop: n.For, place: int, trips: float) -> None:
        """What is known of a value that grows evenly."""
        step = step_of(loop.body, arg.var, place) if isinstance(arg.var.type, Scalar) else None
        if step is not None:
            init = self.values.of(arg.init)
            value, form = init.value + step * (trips - 1) / 2, {**(init.form or {}), loop.label: max(step, 0.0)}
            self.values.quantities[arg.var.name] = Quantity(value, form, init.depends | {loop.label})

    def _close(self, loop: n.For, trips: float) -> None:
        self.around.pop()
        del self.middle[loop.label]
        for place, (arg, result) in enumerate(zip(loop.args, loop.results, strict=True)):
            self._result(loop, place)
            step = step_of(loop.body, arg.var, place) if isinstance(arg.var.type, Scalar) else None
            if step is not None:
                self.values.quantities[result.name] = constant(self.values.number(arg.init) + step * trips)

    def _result(self, loop: n.For | n.While, place: int) -> None:
        """What is known of a result of a loop: it differs in the loops around on which the body depends."""
        arg, result, last = loop.args[place], loop.results[place], loop.body.yields[place]
        self._carry(result, arg.init, "")
        if not isinstance(result.type, View):
            self._depend(result, last, arg.init, leaving=loop.label)

    def _depend(self, result: n.Var, *atoms: n.Atom, leaving: str = "") -> None:
        """Let a value depend on all loops but one that what it follows from depends on."""
        known = self.values.of(result)
        depends = known.depends.union(*(self.values.of(atom).depends for atom in atoms)) - {leaving}
        self.values.quantities[result.name] = replace(known, depends=depends)

    def _carry(self, var: n.Var, init: n.Atom, label: str) -> None:
        """What is known of a value that a loop changes: arrays keep their extents."""
        if isinstance(var.type, View):
            self._alias(var, init)
        else:
            self.values.quantities[var.name] = Quantity(
                UNKNOWN, None, frozenset({label} if label else ()), math.inf, True, False
            )

    def _alias(self, var: n.Var, atom: n.Atom) -> None:
        if isinstance(var.type, View):
            if isinstance(atom, n.Var):
                self.values.regions[var.name] = self.values.region(atom)
        else:
            self.values.quantities[var.name] = self.values.of(atom)
            if isinstance(atom, n.Var) and atom.name in self.values.loaded:
                self.values.loaded[var.name] = self.values.loaded[atom.name]

    def _trips(self, loop: n.For) -> float:
        start, stop = self.values.of(loop.start), self.values.of(loop.stop)
        trips = stop.value - start.value
        place = f"line {loop.location.line}"
        if trips != trips:
            return self._unknown_trips(loop, place)
        if loop.exit is not None and "." not in loop.label:
            share = self.given.get(place)
            if share is None:
                self.assume(f"{place}: the loop is left after half of its iterations")
                return max(trips, 0.0) / 2
            self.assume(f"{place}: the loop is left after {share:g} iterations, as was said")
            return min(max(share, 0.0), max(trips, 0.0))
        return max(trips, 0.0)

    def _unknown_trips(self, loop: n.For | n.While, place: str) -> float:
        if place in self.given:
            self.assume(f"{place}: the loop runs {self.given[place]:g} times, as was said")
            return max(self.given[place], 0.0)
        rows = self._row_length(loop) if isinstance(loop, n.For) else UNKNOWN
        if rows == rows:
            return rows
        if isinstance(loop, n.For):
            sampled = self.values.mean(loop.stop) - self.values.mean(loop.start)
            if sampled == sampled:
                return max(sampled, 0.0)
        self.assume(
            f"{place}: the loop runs {UNKNOWN_TRIPS:g} times; its bounds are data; say trips={{{place!r}: ...}}"
        )
        return UNKNOWN_TRIPS

    def _row_length(self, loop: n.For) -> float:
        """The mean length of rows whose ends stand in an array that is at hand."""
        ends = [self.values.loaded.get(a.name) for a in (loop.start, loop.stop) if isinstance(a, n.Var)]
        found = [end for end in ends if end is not None]
        if len(found) < 2 or found[0][0] != found[1][0]:
            return UNKNOWN
        sample = self.values.samples.get(f"{found[0][0]} ends")
        if sample is None:
            return UNKNOWN
        return max(float(sample[1] - sample[0]) / max(float(sample[2]), 1.0), 0.0)

    def _rounds(self, loop: n.While) -> float:
        return self._unknown_trips(loop, f"line {loop.location.line}")
