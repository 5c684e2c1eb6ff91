"""Dependences carried by a loop: can an iteration touch an element that a later iteration touches too?

Quick tests on our own linear forms come first; isl is asked about what they leave open. Where the answer hangs on values
that are known only at the call, the conditions are given under which there is no dependence.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal, TypeAlias

from weft.analysis import sets
from weft.analysis.access import Access, AccessTable
from weft.analysis.conditions import AnyOf, Condition, Injective, NonNegative, NonZero, Sorted
from weft.analysis.linear import Element, Form, symbol
from weft.analysis.prover import Prover
from weft.analysis.question import MARK, Question, unmarked
from weft.analysis.solve import System, Varies, partitions, sizes, sufficient
from weft.analysis.structure import Loop
from weft.ir import nodes as n

DependenceKind: TypeAlias = Literal["flow", "anti", "output"]


@dataclass(frozen=True, eq=False)
class Dependence:
    """`source` may touch an element that `sink` touches in a later iteration of `loop`.

    Attributes
    ----------
    distance
        How many iterations later, where that is always the same number.
    conditions
        Conditions under which there is no dependence after all; None where there are no useful ones.
    reason
        Why a dependence is assumed where it was not found: in the user's words.
    question
        The question that was asked, for a proof that the dependence is real; None where a map is not known.
    """

    kind: DependenceKind
    source: Access
    sink: Access
    loop: Loop
    distance: int | None = None
    conditions: tuple[Condition, ...] | None = None
    reason: str = ""
    question: Question | None = None

    def is_proven(self) -> bool:
        """Whether the dependence exists for all sizes that are large enough."""
        if self.question is None or not _is_certain(self.source, self.loop) or not _is_certain(self.sink, self.loop):
            return False
        cases = list(self.question.cases() or ())
        return len(cases) == 1 and _is_inevitable(self.question, cases[0][0])


def kind_of(source: Access, sink: Access) -> DependenceKind:
    """The kind of a dependence between two accesses."""
    if source.writes and sink.writes:
        return "output"
    return "flow" if source.writes else "anti"


def find(table: AccessTable, loop: Loop, source: Access, sink: Access) -> Dependence | None:
    """The dependence from an access in one iteration to another access in a later one; None where there is none."""
    kind = kind_of(source, sink)
    if not table.aliases.may_alias(source.array, sink.array, loop):
        return None
    if isinstance(loop.node, n.While):
        return Dependence(kind, source, sink, loop, reason="a while loop has no counter")
    obstacle = _obstacle(table, loop, source, sink)
    if obstacle:
        return Dependence(kind, source, sink, loop, reason=obstacle)
    if not _fields_meet(source, sink):
        return None
    return _ask(Question(table, loop, source, sink), kind)


def carried(table: AccessTable, loop: Loop) -> Iterator[Dependence]:
    """All dependences that a loop carries."""
    for source, sink in pairs(table, loop):
        found = find(table, loop, source, sink)
        if found is not None:
            yield found


def pairs(table: AccessTable, loop: Loop) -> Iterator[tuple[Access, Access]]:
    """Ordered pairs of accesses inside a loop of which one writes, to storage that outlives an iteration."""
    inside = [a for a in table.within(loop.body) if not table.aliases.is_fresh_in(a.array, loop)]
    for source in inside:
        for sink in inside:
            if (source.writes or sink.writes) and not table.roots(source).isdisjoint(table.roots(sink)):
                yield source, sink


def _obstacle(table: AccessTable, loop: Loop, source: Access, sink: Access) -> str:
    """Why the maps of two accesses cannot be compared."""
    if source.indices is None or sink.indices is None:
        return "a function that is not inlined may touch any element"
    if not table.roots(source).isdisjoint(table.aliases.overlapping):
        return f"{source.view.stem} and {sink.view.stem} may overlap"
    if source.array != sink.array:
        return f"{source.view.stem} and {sink.view.stem} may be the same array"
    if table.structure.is_inside(source.array.name, loop):
        return f"{source.array.stem} may be another array in every iteration"
    return ""


def _fields_meet(source: Access, sink: Access) -> bool:
    """Whether one of the accesses is to the same field as the other, or to the element that contains it."""
    return all(a == b for a, b in zip(source.fields, sink.fields, strict=False))


def _ask(question: Question, kind: DependenceKind) -> Dependence | None:
    cases = question.cases()
    first, second = question.first, question.second
    if cases is None:
        return Dependence(kind, first, second, question.loop, reason="an index has too many cases")
    distance: int | None = None
    conditions: tuple[Condition, ...] | None = ()
    found = False
    for equations, prover in cases:
        system = System(equations, prover, question.is_marked_or_inner)
        if system.is_contradictory(question.gap):
            continue
        distance = system.distance(*question.counter.symbols, *question.later.symbols)
        if distance is None and _is_empty(question, equations, prover) is True:
            continue
        found = True
        wanted = None if distance is not None else _conditions(question, equations, prover)
        conditions = None if conditions is None or wanted is None else (*conditions, *wanted)
    if not found:
        return None
    return Dependence(kind, first, second, question.loop, distance, conditions, "", question)


def _is_empty(question: Question, equations: tuple[Form, ...], prover: Prover) -> bool | None:
    return sets.is_empty(equations, _all_facts(prover, equations), question.is_marked_or_inner)


def _all_facts(prover: Prover, equations: tuple[Form, ...]) -> list[Form]:
    """The facts of a prover and of every symbol that they mention."""
    facts: dict[Form, None] = dict.fromkeys(prover.facts())
    waiting = {s for form in (*equations, *facts) for s in form.symbols}
    seen: set[str] = set()
    while waiting:
        name = waiting.pop()
        seen.add(name)
        for fact in prover.inherent(name):
            facts[fact] = None
            waiting |= fact.symbols - seen
    return list(facts)


def _conditions(question: Question, equations: tuple[Form, ...], prover: Prover) -> tuple[Condition, ...] | None:
    """Conditions on values known before the loop under which the equations cannot be fulfilled."""
    attempts = (_if_nonzero, _if_smaller, _if_injective, _if_sorted, _if_beyond)
    for attempt in attempts:
        found = attempt(question, equations, prover)
        if found is not None:
            return found
    return None


def _excluded(question: Question, equations: tuple[Form, ...], prover: Prover) -> bool:
    return System(equations, prover, question.is_marked_or_inner).is_contradictory(question.gap)


def _if_nonzero(question: Question, equations: tuple[Form, ...], prover: Prover) -> tuple[Condition, ...] | None:
    """``n * (i - i') == 0`` excludes two iterations where `n` is not zero."""
    for place, equation in enumerate(equations):
        for size in sizes(equation, question.is_marked_or_inner):
            for whole, rest in partitions(equation, size):
                if not rest and size.value is None:
                    changed = (*equations[:place], whole, *equations[place + 1 :])
                    if _excluded(question, changed, prover):
                        return (NonZero(size),)
    return None


def _if_smaller(question: Question, equations: tuple[Form, ...], prover: Prover) -> tuple[Condition, ...] | None:
    """``n * (i - i') + (j - j') == 0`` are two equations where ``|j - j'| < n``."""
    varies = question.is_marked_or_inner
    for place, equation in enumerate(equations):
        for size in sizes(equation, varies):
            for whole, rest in partitions(equation, size):
                if not rest or not whole or size.value is not None:
                    continue
                changed = (*equations[:place], whole, rest, *equations[place + 1 :])
                wanted = [_bounded(prover, size - 1 - side, varies) for side in (rest, -rest)]
                if None not in wanted and _excluded(question, changed, prover):
                    return tuple(c for found in wanted if found is not None for c in found)
    return None


def _bounded(prover: Prover, goal: Form, varies: Varies) -> tuple[Condition, ...] | None:
    """Conditions under which a form is not negative: none where that is proven, None where there is no way."""
    if prover.nonnegative(goal):
        return ()
    found = sufficient(prover, goal, varies)
    return (_any_of(found),) if found else None


def _any_of(forms: list[Form]) -> Condition:
    options = tuple(NonNegative(form) for form in sorted(forms, key=lambda f: (len(f.terms), str(f)))[:MOST_OPTIONS])
    return options[0] if len(options) == 1 else AnyOf(options)


MOST_OPTIONS = 4


def _if_injective(question: Question, equations: tuple[Form, ...], prover: Prover) -> tuple[Condition, ...] | None:
    """``p[i] == p[i']`` only where ``i == i'``, if the elements of `p` are all different."""
    changed: list[Form] = []
    conditions: list[Condition] = []
    for equation in equations:
        found = _equal_elements(question, equation)
        if found is None:
            changed.append(equation)
            continue
        left, right, axis = found
        changed.append(left.parts[axis] - right.parts[axis])
        conditions.append(_of_array(Injective, question, prover, left, axis))
    if conditions and _excluded(question, tuple(changed), prover):
        return tuple(conditions)
    return None


def _equal_elements(question: Question, equation: Form) -> tuple[Element, Element, int] | None:
    """The elements `p[g]` and `p[g']` of an equation that says that they are equal, and the axis in which they differ."""
    if len(equation.terms) != 2 or sum(equation.terms.values()):
        return None
    found = sorted(question.elements(equation), key=lambda e: MARK in e)
    if len(found) != 2 or unmarked(found[1]) != found[0]:
        return None
    left, right = found
    differing = [axis for axis, (a, b) in enumerate(zip(left.parts, right.parts, strict=True)) if a != b]
    return (left, right, differing[0]) if len(differing) == 1 else None


def _of_array(
    make: type[Injective] | type[Sorted], question: Question, prover: Prover, element: Element, axis: int
) -> Condition:
    """A condition on the elements of an index array that the loop reads."""
    read = element.parts[axis]
    low = _simplest(prover.lower_bounds(read, question.is_marked_or_inner))
    high = _simplest(prover.lower_bounds(-read, question.is_marked_or_inner))
    fixed = tuple(None if k == axis else part for k, part in enumerate(element.parts))
    array = question.table.structure.definition(element.array).var
    return make(array, axis, fixed, low, None if high is None else -high)


def _simplest(forms: list[Form]) -> Form | None:
    return min(forms, key=lambda f: (len(f.terms), str(f)), default=None)


def _if_sorted(question: Question, equations: tuple[Form, ...], prover: Prover) -> tuple[Condition, ...] | None:
    """Rows ``p[i] <= k < p[i + 1]`` do not overlap if the elements of `p` never decrease."""
    facts = _all_facts(prover, equations)
    elements = {e for form in (*facts, *equations) for e in question.elements(form)}
    later = [e for e in elements if any(name.endswith(MARK) for name in e.names())]
    added, conditions = [], []
    for second in later:
        for first in elements:
            if first.array != second.array or first.version != second.version or first in later:
                continue
            axis = _sorted_axis(prover, first, second)
            if axis is not None:
                added.append(symbol(second) - symbol(first))
                conditions.append(_of_array(Sorted, question, prover, first, axis))
    if added and _excluded(question, equations, prover.extended((*facts, *added))):
        return tuple(dict.fromkeys(conditions))
    return None


def _sorted_axis(prover: Prover, first: Element, second: Element) -> int | None:
    """The only axis in which two elements differ, if the index of the second is proven not to be smaller."""
    differing = [k for k, (a, b) in enumerate(zip(first.parts, second.parts, strict=True)) if a != b]
    if len(differing) != 1:
        return None
    axis = differing[0]
    return axis if prover.nonnegative(second.parts[axis] - first.parts[axis]) else None


def _if_beyond(question: Question, equations: tuple[Form, ...], prover: Prover) -> tuple[Condition, ...] | None:
    """Offsets known only at the call, such as the `m` of ``a[i + m]``: zero, or so large that nothing meets."""
    varies = question.is_marked_or_inner
    options: dict[Form, None] = {}
    for equation in equations:
        given = {s for s in equation.symbols if not varies(s)}
        if not given or not equation.is_linear:
            continue
        wider = prover.extended((equation, -equation))
        for goal in (equation - 1, -equation - 1, -question.gap - 1):
            for form in sufficient(wider, goal, varies):
                if given & form.symbols:
                    options[form] = None
    return (_any_of(list(options)),) if options else None


def _is_certain(access: Access, loop: Loop) -> bool:
    return access.is_certain_in(loop.body)


def _is_inevitable(question: Question, equations: tuple[Form, ...]) -> bool:
    """Whether the equations have a solution for all sizes that are large enough, by the loop bounds alone."""
    ranges = question.table.ranges
    facts = [*ranges.facts(question.first.region), question.gap]
    facts += [question.marked(fact) for fact in ranges.facts(question.second.region)]
    return sets.is_inevitable(equations, facts, question.is_marked_or_inner)
