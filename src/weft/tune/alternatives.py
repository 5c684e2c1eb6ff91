"""Legal schedules of a kernel that are worth measuring: those that fit its accesses, and their neighbours."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace

from weft.analysis.values.widths import why_wide
from weft.ir import nodes as n
from weft.ir.visit import walk
from weft.schedule.directives import WIDE, Bind, Deal, Directive, Indices, Order, Schedule, Share, Stage, Walk
from weft.schedule.legality import check_schedule
from weft.tune.choice import suits
from weft.tune.default import candidates
from weft.tune.products import GROUPED


def alternatives(kernel: n.Kernel, device: str = "cuda") -> Iterator[Schedule]:
    """Different legal schedules for a device, the default first, then those with twice or half of one number."""
    seen: set[Schedule] = set()
    usual = [schedule for schedule in candidates(kernel) if suits(schedule, device)]
    neighbours = (near for one in usual for near in _neighbours(one))
    for schedule in (*usual, *_with_wide_indices(kernel, usual[:1]), *neighbours):
        if schedule not in seen and not check_schedule(kernel, schedule):
            seen.add(schedule)
            yield schedule


def _with_wide_indices(kernel: n.Kernel, schedules: Iterable[Schedule]) -> Iterator[Schedule]:
    """Schedules with indices of 64 bits, where the default are narrower ones."""
    loops = [s.label for s in walk(kernel.body) if isinstance(s, n.For)]
    if loops and not why_wide(kernel):
        yield from ((*schedule, Indices(loops[0], WIDE)) for schedule in schedules)


def _neighbours(schedule: Schedule) -> Iterator[Schedule]:
    """Schedules that differ in one number."""
    rows = [d.loop for d in schedule if isinstance(d, Bind) and d.axis == "y"]
    unordered = tuple(d for d in schedule if not isinstance(d, Order))
    if unordered != schedule:
        yield unordered
    elif rows and any(isinstance(d, Stage) for d in schedule):
        yield (*schedule, Order(rows[0], GROUPED))
    for position, directive in enumerate(schedule):
        for changed in _changed(directive):
            yield (*schedule[:position], changed, *schedule[position + 1 :])


def _changed(directive: Directive) -> Iterator[Directive]:
    if isinstance(directive, (Bind, Share, Deal)):
        yield replace(directive, group=directive.group * 2)
        if directive.group > 1:
            yield replace(directive, group=directive.group // 2)
    if isinstance(directive, Bind):
        yield replace(directive, points=directive.points * 2)
        if directive.axis == "x":
            yield replace(directive, blocks=directive.blocks + 1)
        if directive.points % 2 == 0 and directive.points > directive.run:
            yield replace(directive, points=directive.points // 2)
    if isinstance(directive, Walk):
        yield replace(directive, ahead=max(directive.ahead, 1), staged=not directive.staged)
        yield replace(directive, ahead=directive.ahead + 1)
    if isinstance(directive, Stage):
        yield replace(directive, depth=directive.depth * 2)
        yield replace(directive, blocks=directive.blocks + 1)
        yield replace(directive, buffers=directive.buffers + 1)
