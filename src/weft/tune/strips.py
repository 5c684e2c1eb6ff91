"""How many steps of a stencil run at once, and in strips of which width: see
`weft.schedule.lowering.temporal_blocking`."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from weft.ir import nodes as n
from weft.schedule.directives import Bind, Schedule, Steps
from weft.schedule.lowering.stencils import Stencil, stencil_of

MOST_STEPS = (7, 5, 3)
"""How many steps may run at once: the first number for which there are registers."""

WORDS = 60
"""Words of 4 bytes that a thread may keep of the rows of all steps: with more there are too few threads at a time."""

RUN = 2
"""Neighbours that a thread has of a row; with four it needs too many registers."""

GROUPS = (128,)
"""Threads of a block: the first for which less than `MOST_TWICE` of the columns are computed by two blocks."""

MOST_TWICE = 0.25

THREADS = 512
"""Threads that are to run at a time on a multiprocessor, if there are registers for them."""

ROWS = 128
"""Rows of a block."""


def steps_at_once(stencil: Stencil) -> int:
    """How many steps of a stencil are worth running at once; 1 where that costs more than it saves."""
    down, across = stencil.reach
    run = max(RUN, across)
    for count in MOST_STEPS:
        words = count * (2 * down + 1) * run * stencil.element.size // 4
        if words <= WORDS and _group(run, _halo(count, across, run)):
            return count
    return 1


def _halo(count: int, across: int, run: int) -> int:
    """Columns at either side of a strip that are computed for the others only."""
    return -(-count * across // run) * run


def _group(run: int, halo: int) -> int:
    """Threads of a block, so that few columns are computed by two of them; 0 where a strip has too many of these."""
    return next((group for group in GROUPS if 2 * halo < MOST_TWICE * group * run), 0)


def strips(chain: Sequence[n.For]) -> Iterator[Schedule]:
    """Schedules for a nest that stands for several steps."""
    steps = chain[0].steps
    assert steps is not None
    found = stencil_of(chain, steps.source)
    assert isinstance(found, Stencil)
    run = max(RUN, found.reach[1])
    halo = _halo(steps.count, found.reach[1], run)
    group = _group(run, halo) or GROUPS[-1]
    rows, columns = (loop.label for loop in chain)
    binds = Bind(columns, "x", group, run, run, halo), Bind(rows, "y", 1, ROWS, ROWS)
    for blocks in (THREADS // group, 1):
        yield (*binds, Steps(steps.label, steps.count, blocks))
