"""Faults that take what may be for what must be: one for each kind of place that asks for the certain."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from weft.analysis.dependence.certainty import Must

from .planting import Fault, always

MACHINE = "machine code against CPython"
PASSES = "passes against CPython"
PLAN = "plan against CPython"
VERDICTS = "verdicts against the shadow memory"


def possible(right: Any) -> Any:
    """A distance that is only possible is handed on as a certain one."""

    def certain_distance(self: Any) -> Any:
        found = self.distance
        return None if found is None else Must(found.value)

    return property(certain_distance)


def certain_too(right: Any) -> Any:
    """Also an access under a condition counts as certain."""
    return lambda self, region: region.contains(self.region)


def filled(right: Any) -> Any:
    """A box is taken for filled by whatever touches some of it."""

    def footprint(table: Any, accesses: Any, loop: Any = None) -> Any:
        return [replace(box, must=True, exact=box.sides is not None) for box in right(table, accesses, loop)]

    return footprint


FAULTS = (
    Fault("a possible distance is taken for a certain one",
          "weft.analysis.dependence.dependence:Dependence.certain_distance",
          possible, PASSES, ("another_column", "last_column")),
    Fault("one equation decides the distance",
          "weft.analysis.dependence.question:Question._coincide", always(True), PASSES,
          ("another_column", "last_column")),
    Fault("a conflict that may be is proven", "weft.analysis.dependence.dependence:Dependence.is_proven",
          lambda right: lambda self: self.meeting is not None, PASSES, ("claimed_columns",)),
    Fault("what is chosen may be what solves the equations",
          "weft.analysis.dependence.question:Question.is_known", always(True),
          PASSES, ("claimed_distances",)),
    Fault("an access under a condition is certain",
          "weft.analysis.access.access:Access.is_certain_in", certain_too, PASSES,
          ("claimed_and_read_rarely",)),
    Fault("a store under a condition is certain",
          "weft.analysis.access.access:Access.is_certain_in", certain_too, VERDICTS,
          ("guarded_fill",)),
    Fault("a loop is taken to run",
          "weft.analysis.values.ranges:Ranges.runs", always(True), PASSES, ("perhaps_filled",)),
    Fault("a sweep covers what it may not reach", "weft.analysis.recurrences.private:_sweeps", always(True), PASSES,
          ("filled_in_part",)),
    Fault("the run of a loop is forgotten",
          "weft.analysis.values.linear:run_of", always("@"), VERDICTS, ("places_of_a_run",)),
    Fault("footprints are taken for filled", "weft.analysis.access.footprint:footprint", filled, PLAN, ("some_rows",)),
    Fault("arrays chosen inside of a statement are overlooked",
          "weft.plan.transfers.owners:Owners.shown_inside", always([]),
          PLAN, ("chosen_on_the_host",)),
    Fault("an element of some iteration before is that of the last",
          "weft.transform.parallel.forward_carried_loads:_is_next", always(True), PASSES,
          ("one_further",)),
    Fault("iterations are taken to write the same places",
          "weft.analysis.recurrences.private:_same_every_time", always(True),
          PASSES, ("other_places",)),
    Fault("statements of one iteration never meet",
          "weft.analysis.dependence.legality:_meet_in_one_iteration", always(False),
          PASSES, ("same_iteration",)),
    Fault("what is stored in vain is always overwritten", "weft.transform.scan.packing:_counts", always(True), MACHINE,
          ("packed_with_gaps",)),
    Fault("elements that the loop writes are loaded again behind it", "weft.analysis.access.aliases:Aliases.written",
          always(frozenset()), PASSES, ("last_of_what_changes",)),
    Fault("folds by two operators are one", "weft.analysis.dependence.judge:same_fold", always(True), VERDICTS,
          ("keys_of_two_operators",)),
)  # fmt: skip
"""All faults of this kind."""
