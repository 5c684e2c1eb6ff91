"""Rows of other lengths than a schedule is made for: how many threads share them, and how much each keeps of them."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

from weft.ir import nodes as n
from weft.schedule.directives import Deal, Schedule
from weft.schedule.lowering.register_rows import Kept, kept_rows, prepared
from weft.schedule.nests import flattened, grid_chain

USUAL, SHORT, LONG, LONGEST = (256, 4), (64, 4), (512, 4), (512, 8)
"""Threads of a block, and rounds of which each keeps what it reads, for rows of unknown length; for short and for long
ones. Rounds that a row does not need cost registers, and with them blocks that run at a time."""

READ = (64, 16), (64, 4), (128, 16), (256, 16)
"""The same for rows that nothing is written to: what counts then are the rows that are under way."""

KEPT_BYTES = 256
"""What a thread keeps at most."""

MOST_BLOCKS = 20
"""Blocks that are asked for at a time, at most."""

REGISTERS, ENOUGH, BESIDE = 65536, 1280, {4: 32, 8: 48}
"""Those of a multiprocessor, threads of it that keep its memory busy, and registers that each needs besides, by the
size of its elements."""


@dataclass(frozen=True)
class Length:
    """A schedule for rows of at most `most` iterations from `start` on; `stop` is a parameter of the kernel."""

    schedule: Schedule
    start: n.Atom
    stop: n.Var
    most: int


def length_of(kernel: n.Kernel, schedule: Schedule) -> Length | None:
    """The rows that a schedule is made for: those that its threads can keep; None where that is known beforehand."""
    deal = next((d for d in schedule if isinstance(d, Deal) and d.rounds), None)
    kept = kept_rows(kernel, prepared(flattened(grid_chain(kernel)))) if deal is not None else None
    stop = kept.loops[0].stop if kept is not None else None
    if deal is None or kept is None or not isinstance(stop, n.Var):
        return None
    return Length(schedule, kept.base, stop, deal.group * deal.run * deal.rounds)


def sizes_for(kept: Kept) -> tuple[tuple[int, int], ...]:
    """Threads and rounds for rows of unknown length, for short ones and for longer ones."""
    return (USUAL, SHORT, LONG, LONGEST) if kept.is_written else READ


def relaxed(length: Length) -> Length:
    """The same for compilers that need more registers than there are for so many blocks."""
    return replace(length, schedule=tuple(replace(d, blocks=1) if isinstance(d, Deal) else d for d in length.schedule))


def resized(deal: Deal, kept: Kept, group: int, rounds: int) -> Deal:
    """A directive for so many threads that each keep so many rounds, or as many as they can."""
    rounds = min(rounds, max(1, KEPT_BYTES // (kept.size * deal.run)))
    widest = max(element.size for element in kept.elements)
    needed = rounds * deal.run * kept.size // 4 + BESIDE[8 if widest > 4 else 4]
    return replace(
        deal, group=group, rounds=rounds, blocks=max(1, min(MOST_BLOCKS, min(REGISTERS // needed, ENOUGH) // group))
    )


def other_lengths(kernel: n.Kernel, usual: Schedule) -> Iterator[Length]:
    """Schedules for shorter rows than those of the usual schedule, and for longer ones."""
    kept = kept_rows(kernel, prepared(flattened(grid_chain(kernel))))
    if kept is None:
        return
    for group, rounds in sizes_for(kept)[1:]:
        changed = (resized(d, kept, group, rounds) if isinstance(d, Deal) else d for d in usual)
        found = length_of(kernel, tuple(changed))
        if found is not None:
            yield found
