"""Short loops inside of parallel ones, written out where that leaves straight code.

A stencil with a loop over its offsets is then the one whose terms are written out, and gets its schedule. Where other
loops would stay, nothing is written out: what sums over long windows or over rows has schedules of its own.
"""

from __future__ import annotations

from weft.ir import nodes as n
from weft.ir.visit import walk
from weft.schedule.directives import Schedule, named
from weft.transform.loops.unroll import unroll_wholly


def with_straight_code(program: n.Program, schedule: Schedule) -> n.Program:
    """The program with such loops written out, if the user's `schedule` names none of them."""
    made = unroll_wholly(program)
    if made is program:
        return program
    gone = _labels(program) - _labels(made)
    return program if any(name in gone for directive in schedule for name in named(directive)) else made


def _labels(program: n.Program) -> set[str]:
    return {s.label for s in walk(program.body) if isinstance(s, n.For)}
