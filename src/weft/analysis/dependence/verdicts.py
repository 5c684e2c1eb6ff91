"""For every loop: may its iterations run in parallel, how, and what is in the way where they may not.

Nothing here changes a program. The passes act on the facts; the report prints them.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

from weft.analysis import effort
from weft.analysis.access import access
from weft.analysis.access.access import AccessTable
from weft.analysis.dependence.judge import Judge
from weft.analysis.dependence.loop_facts import LoopFact, Verdict
from weft.analysis.recurrences.updates import UpdatePair, updates
from weft.dataclass import dataclass
from weft.errors import RACE_CAUSE, RACE_HINT, RaceError, raise_all
from weft.ir import nodes as n
from weft.ir.types import View

__all__ = ["LoopFact", "Verdict", "Verdicts", "judge", "races"]


class Facts(Mapping[str, LoopFact]):
    """The facts of loops, by label: each is found when it is first asked for, since most passes ask for few."""

    def __init__(self) -> None:
        self._effort = effort.current()
        self._open: dict[str, tuple[AccessTable, list[UpdatePair], frozenset[str]]] = {}
        self._found: dict[str, LoopFact] = {}

    def add(self, table: AccessTable, associative: frozenset[str]) -> None:
        """Add the loops of a table."""
        about = (table, updates(table, associative), associative)
        self._open.update((loop.label, about) for loop in table.structure.loops.values())

    def __getitem__(self, label: str) -> LoopFact:
        if label not in self._found:
            table, found, associative = self._open[label]
            with effort.resumed(self._effort):
                self._found[label] = Judge(table, table.structure.loops[label], found, associative).fact()
        return self._found[label]

    def __iter__(self) -> Iterator[str]:
        return iter(self._open)

    def __len__(self) -> int:
        return len(self._open)

    def claimed(self) -> Iterator[LoopFact]:
        """The facts of loops whose iterations are claimed to be independent."""
        for label, (table, _, _) in self._open.items():
            if getattr(table.structure.loops[label].node, "claim", "range") == "prange":
                yield self[label]


@dataclass(frozen=True)
class Verdicts:
    """The facts of all loops of a program, by label."""

    table: AccessTable
    loops: Facts

    def __getitem__(self, label: str) -> LoopFact:
        return self.loops[label]


def judge(program: n.Program, overlapping: Iterable[str] = (), table: AccessTable | None = None) -> Verdicts:
    """Judge the loops of a program: those whose claims may be wrong now, the others when they are asked for.

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
    associative = _associative(program)
    verdicts = Verdicts(table or access.table(program, overlapping), Facts())
    verdicts.loops.add(verdicts.table, associative)
    for function in program.functions:
        views = [var.name for var in function.params if isinstance(var.type, View)]
        verdicts.loops.add(AccessTable(function.params, function.body, views), associative)
    raise_all([error for fact in verdicts.loops.claimed() for error in races(fact)])
    return verdicts


def judge_loop(table: AccessTable, program: n.Program, label: str) -> LoopFact:
    """What `judge` says of one loop of a program's body, whose access table is at hand."""
    associative = _associative(program)
    return Judge(table, table.structure.loops[label], updates(table, associative), associative).fact()


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
