"""Which schedule a kernel runs under: the one that the user wrote for its loops, else the default."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import replace

from weft.errors import ArgumentError
from weft.ir import nodes as n
from weft.ir.visit import walk
from weft.schedule.default import default_schedule
from weft.schedule.directives import Bind, Directive, Privatise, Schedule, Share, named
from weft.schedule.legality import check_schedule

MOST_THREADS = {"cuda": 1024}
"""Threads of a block that every device of a kind takes; 256 of others."""


def schedule_for(kernel: n.Kernel, given: Schedule, device: str = "cuda") -> Schedule:
    """The directives that name loops or arrays of a kernel; without any, its default schedule on a device.

    Raises
    ------
    ArgumentError
        They are not legal; it names the constraints that they break.
    """
    own = tuple(directive for directive in given if concerns(directive, kernel))
    if not own:
        return _fitted(default_schedule(kernel), MOST_THREADS.get(device.partition(":")[0], 256))
    violations = check_schedule(kernel, own)
    if violations:
        raise ArgumentError("; ".join(map(str, violations)), argument="schedule")
    return own


def _fitted(schedule: Schedule, most: int) -> Schedule:
    """A schedule with fewer threads for a shared reduction, until a block has no more than it may."""
    groups = [d.group for d in schedule if isinstance(d, (Bind, Share))]
    if math.prod(groups) <= most or not any(isinstance(d, Share) for d in schedule):
        return schedule
    halved = (replace(d, group=d.group // 2) if isinstance(d, Share) else d for d in schedule)
    return _fitted(tuple(halved), most)


def concerns(directive: Directive, kernel: n.Kernel) -> bool:
    """Whether a directive names a loop of a kernel, or one that a split makes of it, or one of its arrays."""
    if isinstance(directive, Privatise):
        return any(param.stem == directive.array for param in kernel.params)
    labels = {s.label for s in walk(kernel.body) if isinstance(s, n.For)}
    return any(name in labels or name.rpartition(".")[0] in labels for name in named(directive))


def check_all_used(given: Schedule, kernels: Sequence[n.Kernel], labels: Iterable[str]) -> None:
    """ArgumentError where a directive is about nothing that runs on the device."""
    for directive in given:
        if not any(concerns(directive, kernel) for kernel in kernels):
            raise ArgumentError(
                f"no kernel has what the directive {str(directive)!r} is about",
                argument="schedule",
                hint=f"loops are named by variable; those that run on the device are {', '.join(labels) or 'none'}",
            )
