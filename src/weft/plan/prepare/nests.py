"""What passes that rewrite parallel nests share: which nests they may change."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

from weft.ir import nodes as n
from weft.schedule.directives import Schedule
from weft.transform.support import with_loops
from weft.tune.choice import is_about


def with_nests(
    program: n.Program,
    schedule: Schedule,
    why_host: Callable[[n.For], str | None],
    change: Callable[[n.For], Sequence[n.Statement] | None],
    *,
    below_loops: bool = True,
) -> n.Program:
    """A program with other statements in place of parallel nests that can be kernels.

    Parameters
    ----------
    program
        After the pass that marks parallel loops.
    schedule
        What the user wrote: nests that it is about stay as they are.
    why_host
        Why a nest cannot be a kernel; None where it can.
    change
        Gives the statements; None for a nest that stays.
    below_loops
        Whether nests in loops of the host are changed, too.
    """

    def changed(loop: n.For) -> tuple[n.Statement, ...] | None:
        if loop.mapping != "parallel":
            return None if below_loops else (loop,)
        if why_host(loop) or (schedule and is_about(schedule, loop)):
            return (loop,)
        made = change(loop)
        return (loop,) if made is None else tuple(made)

    body = with_loops(program.body, changed)
    return program if body is program.body else replace(program, body=body)
