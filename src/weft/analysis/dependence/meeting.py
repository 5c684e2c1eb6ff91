"""What becomes of the question whether two accesses meet: quick tests on linear forms, then isl, then conditions."""

from __future__ import annotations

from functools import cached_property

from weft.analysis.dependence import sets
from weft.analysis.dependence.assumptions import assumptions
from weft.analysis.dependence.certainty import May, Must
from weft.analysis.dependence.conditions import Condition
from weft.analysis.dependence.question import Case, Question
from weft.analysis.values.linear import Form
from weft.analysis.values.prover import Prover
from weft.analysis.values.solve import LARGE, Varies
from weft.dataclass import dataclass


@dataclass(frozen=True, eq=False)
class Meeting:
    """How two iterations may touch one element: what the quick tests leave open of a question.

    Attributes
    ----------
    question
        The question.
    open
        The cases that the quick tests do not exclude, each with the distance where there is only one.
    """

    question: Question
    open: tuple[tuple[Case, May[int] | None], ...]

    @cached_property
    def is_settled(self) -> bool:
        """Whether isl knows no more than is known already."""
        return any(not _is_for_isl(self.question, case, distance) for case, distance in self.open)

    @cached_property
    def _left(self) -> tuple[tuple[Case, May[int] | None], ...]:
        return tuple(
            (case, distance)
            for case, distance in self.open
            if not _is_for_isl(self.question, case, distance) or _is_empty(self.question, case) is not True
        )

    @property
    def cases(self) -> tuple[Case, ...]:
        """The cases that are not excluded."""
        return tuple(case for case, _ in self._left)

    @property
    def distance(self) -> May[int] | None:
        """How many iterations later the second is if they meet, where that is always the same number."""
        found = {distance for _, distance in self._left}
        return next(iter(found)) if len(found) == 1 else None

    @cached_property
    def certain_distance(self) -> Must[int] | None:
        """How many iterations later the element is touched again, where that is so in every iteration."""
        possible = self.distance
        if possible is None or not self.question.always_meet(possible.value):
            return None
        return Must(possible.value)

    @cached_property
    def conditions(self) -> tuple[Condition, ...] | None:
        """Conditions known before the loop under which nothing meets after all; None where there are no useful ones."""
        return None if self.is_in_step else assumptions(self.question, self.cases)

    @cached_property
    def is_in_step(self) -> bool:
        """Whether the distance is the only reason that there may be for them not to meet."""
        return self.distance is not None and self.question.meet_in_step(self.distance.value)

    @cached_property
    def is_inevitable(self) -> bool:
        """Whether the equations have a solution for all sizes that are large enough, by the loop bounds alone."""
        question = self.question
        if len(self.cases) != 1 or self.cases[0].wrapped:
            return False
        ranges = question.table.ranges
        facts = [*ranges.facts(question.first.region), question.gap]
        facts += [question.marked(fact) for fact in ranges.facts(question.second.region)]
        equations = self.cases[0].equations
        known = Prover(facts, question.rank, question.inherent).closure(equations)
        modest = [fact for fact in known if abs(fact.constant) < LARGE]
        varies = question.is_marked_or_inner
        if not all(map(question.is_known, (*equations, *_connected(equations, modest, varies)))):
            return False  # values that are loaded or chosen need not be what solves the equations
        trips = () if question.trips.value is not None else (question.trips,)
        return sets.is_inevitable(equations, modest, question.is_marked_or_inner, trips)


def ask(question: Question) -> Meeting | None:
    """The answer of the quick tests; None where the accesses never meet."""
    cases = question.cases()
    if cases is None:
        return Meeting(question, ())
    possible = []
    for case in cases:
        system = question.system(case.equations, case.prover)
        if not system.is_contradictory(question.gap):
            possible.append((case, system.distance()))
    return Meeting(question, tuple(possible)) if possible else None


def is_impossible(question: Question, case: Case) -> bool:
    """Whether a case is excluded, by the quick tests or by isl."""
    if question.is_excluded(case.equations, case.prover):
        return True
    return _is_for_isl(question, case, None) and _is_empty(question, case) is True


def _is_for_isl(question: Question, case: Case, distance: May[int] | None) -> bool:
    """Whether isl may know more: equations of counters whose solution is not known, or branches around an access."""
    if distance is not None and not question.is_guarded():
        return False
    ours = question.counter.symbols | question.later.symbols
    return any(ours & equation.names for equation in _comparable(question, case))


def _comparable(question: Question, case: Case) -> tuple[Form, ...]:
    return tuple(e for e in case.equations if e.is_linear and question.is_of_counters(e))


def _is_empty(question: Question, case: Case) -> bool | None:
    """What isl says."""
    comparable = _comparable(question, case)
    modest = (f for f in case.prover.closure(comparable) if abs(f.constant) < LARGE)
    facts = _connected(comparable, [f for f in modest if f.is_linear])
    return sets.is_empty(comparable, facts, question.is_marked_or_inner)


def _connected(equations: tuple[Form, ...], facts: list[Form], counts: Varies = lambda name: True) -> list[Form]:
    """The facts that have to do with some equations, directly or through others, by the names that count."""

    def names(form: Form) -> set[str]:
        return {name for name in form.names if counts(name)}

    found = {name for e in equations for name in names(e)}
    kept: list[Form] = []
    rest = [(f, names(f)) for f in facts]
    while True:
        new = [(f, own) for f, own in rest if own & found]
        if not new:
            return kept
        kept += [f for f, _ in new]
        rest = [(f, own) for f, own in rest if not own & found]
        found |= {name for _, own in new for name in own}
