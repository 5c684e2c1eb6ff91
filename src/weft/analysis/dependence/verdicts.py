"""For every loop: may its iterations run in parallel, how, and what is in the way where they may not.

Nothing here changes a program. The passes act on the facts; the report prints them.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from weft.analysis.access import access
from weft.analysis.access.access import AccessTable
from weft.analysis.dependence.judge import Judge
from weft.analysis.dependence.loop_facts import LoopFact, Verdict
from weft.analysis.recurrences.updates import updates
from weft.dataclass import dataclass
from weft.errors import RACE_CAUSE, RACE_HINT, RaceError, raise_all
from weft.ir import nodes as n
from weft.ir.types import View

__all__ = ["LoopFact", "Verdict", "Verdicts", "judge", "races"]


@dataclass(frozen=True)
class Verdicts:
    """The facts of all loops of a program, by label."""

    table: AccessTable
    loops: dict[str, LoopFact]

    def __getitem__(self, label: str) -> LoopFact:
        return self.loops[label]


def judge(program: n.Program, overlapping: Iterable[str] = (), table: AccessTable | None = None) -> Verdicts:
    """Judge every loop of a program.

    Parameters
    ----------
    program
        The program.
    overlapping
        Names of parameters that may share memory, besides those that the program names itself.
    table
        The access table of the program, where that is at hand.

    Raises
    ------
    RaceError
        Iterations that were claimed to be independent are proven to touch the same element.
    """
    verdicts = _judged(table or access.table(program, overlapping), program)
    for function in program.functions:
        views = [var.name for var in function.params if isinstance(var.type, View)]
        verdicts.loops.update(_judged(AccessTable(function.params, function.body, views), program).loops)
    raise_all([error for fact in verdicts.loops.values() for error in races(fact)])
    return verdicts


def judge_loop(table: AccessTable, program: n.Program, label: str) -> LoopFact:
    """What `judge` says of one loop of a program's body, whose access table is at hand."""
    associative = _associative(program)
    return Judge(table, table.structure.loops[label], updates(table, associative), associative).fact()


def _judged(table: AccessTable, program: n.Program) -> Verdicts:
    associative = _associative(program)
    found = updates(table, associative)
    loops = table.structure.loops.values()
    return Verdicts(table, {loop.label: Judge(table, loop, found, associative).fact() for loop in loops})


def _associative(program: n.Program) -> frozenset[str]:
    return frozenset(f.name for f in program.functions if f.associative)


def races(fact: LoopFact) -> Iterator[RaceError]:
    """The claims of a loop that are proven wrong."""
    if fact.refuted:
        first, second = fact.between
        yield RaceError(
            f"the iterations of this prange loop are not independent: {fact.reason}",
            first,
            other=second,
            cause=RACE_CAUSE,
            hint=RACE_HINT,
        )
