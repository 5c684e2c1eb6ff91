"""The checks that find planted faults. Each takes programs and gives what it has to complain of."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from tests.random_programs.check import check
from tests.random_programs.stages import INTERPRETED, OPTIMISED, PLANNED, Stage, compiled
from tests.random_programs.verdicts import judged
from tests.random_programs.writer import RandomProgram

SEEDS = range(6)


def answers(stage: Stage) -> Callable[[Iterable[RandomProgram]], list[str]]:
    """A check that compares the answers of a stage with CPython's; a refusal counts as found."""

    def compare(programs: Iterable[RandomProgram]) -> list[str]:
        complaints = []
        for program in programs:
            found = check(program, [stage], SEEDS)
            complaints += [str(d) for d in found.differences] + [str(e) for e in found.refused.values()]
        return complaints

    return compare


def verdicts(programs: Iterable[RandomProgram]) -> list[str]:
    """Parallel verdicts and parallel loops whose iterations are in conflict."""
    return [text for program in programs for text in judged(program, SEEDS).wrong]


CHECKS: dict[str, Callable[[Iterable[RandomProgram]], list[str]]] = {
    "frontend against CPython": answers(INTERPRETED),
    "passes against CPython": answers(OPTIMISED),
    "plan against CPython": answers(PLANNED),
    "machine code against CPython": answers(compiled("cpu")),
    "verdicts against the shadow memory": verdicts,
}
