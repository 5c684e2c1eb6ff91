"""Dependences carried by a loop: can an iteration touch an element that a later iteration touches too?

Quick tests on our own linear forms come first; isl is asked about what they leave open. Where the answer hangs on
values that are known only at the call, the conditions are given under which there is no dependence.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from math import prod
from typing import Literal, TypeAlias

from weft.analysis import sets
from weft.analysis.access import Access, AccessTable
from weft.analysis.conditions import AnyOf, Condition, Distinct, NonNegative, NonZero, Sorted
from weft.analysis.linear import Element, Form, Quotient, element, symbol
from weft.analysis.prover import Prover
from weft.analysis.question import MARK, Case, Question, unmarked
from weft.analysis.ranges import quotient_facts
from weft.analysis.solve import LARGE, System, Varies, partitions, sizes, sufficient
from weft.analysis.structure import Loop, Region
from weft.ir import nodes as n
from weft.ir.types import Field, Record, View

DependenceKind: TypeAlias = Literal["flow", "anti", "output"]


@dataclass(frozen=True, eq=False)
class Meeting:
    """How two iterations may touch one element: what the quick tests leave open of a question.

    Attributes
    ----------
    question
        The question.
    open
        The cases that the quick tests do not exclude, each with the distance where it is always the same number.
    """

    question: Question
    open: tuple[tuple[Case, int | None], ...]

    @cached_property
    def is_settled(self) -> bool:
        """Whether isl knows no more than is known already."""
        return any(not _is_for_isl(self.question, case, distance) for case, distance in self.open)

    @cached_property
    def _left(self) -> tuple[tuple[Case, int | None], ...]:
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
    def distance(self) -> int | None:
        """How many iterations later the second is, where that is always the same number."""
        return self._left[0][1] if len(self._left) == 1 else None

    @cached_property
    def conditions(self) -> tuple[Condition, ...] | None:
        """Conditions known before the loop under which nothing meets after all; None where there are no useful ones."""
        if self.distance is not None:
            return None
        wanted = _if_each(self.question, self.cases)
        return _if_distinct(self.question) if wanted is None else wanted

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
        known = _all_facts(Prover(facts, question.rank, question.inherent), equations)
        modest = [fact for fact in known if abs(fact.constant) < LARGE]
        return sets.is_inevitable(equations, modest, question.is_marked_or_inner)


@dataclass(frozen=True, eq=False)
class Dependence:
    """`source` may touch an element that `sink` touches in a later iteration of `loop`.

    Attributes
    ----------
    kind
        ``flow`` (written, then read), ``anti`` (read, then written) or ``output`` (written twice).
    source, sink
        The accesses.
    loop
        The loop that carries the dependence.
    meeting
        What was found out; None where the maps of the accesses are not known.
    reason
        Why a dependence is assumed where `meeting` is None: in the user's words.
    """

    kind: DependenceKind
    source: Access
    sink: Access
    loop: Loop
    meeting: Meeting | None = None
    reason: str = ""

    @property
    def distance(self) -> int | None:
        """How many iterations later, where that is always the same number."""
        return None if self.meeting is None else self.meeting.distance

    @property
    def conditions(self) -> tuple[Condition, ...] | None:
        """Conditions under which there is no dependence after all; None where there are no useful ones."""
        return None if self.meeting is None else self.meeting.conditions

    @property
    def is_real(self) -> bool:
        """Whether the dependence is still there when isl was asked."""
        return self.meeting is None or bool(self.meeting.cases)

    @property
    def is_settled(self) -> bool:
        """Whether isl knows no more than is known already."""
        return self.meeting is None or self.meeting.is_settled

    def is_proven(self) -> bool:
        """Whether the dependence exists for all sizes that are large enough."""
        certain = all(access.is_certain_in(self.loop.body) for access in (self.source, self.sink))
        return self.meeting is not None and certain and self.meeting.is_inevitable


def kind_of(source: Access, sink: Access) -> DependenceKind:
    """The kind of a dependence between two accesses."""
    if source.writes and sink.writes:
        return "output"
    return "flow" if source.writes else "anti"


def find(table: AccessTable, loop: Loop, source: Access, sink: Access) -> Dependence | None:
    """The dependence from an access in one iteration to another access in a later one; None where there is none."""
    found = suspect(table, loop, source, sink)
    return found if found is not None and found.is_real else None


def suspect(table: AccessTable, loop: Loop, source: Access, sink: Access) -> Dependence | None:
    """As `find`, by the quick tests alone."""
    kind = kind_of(source, sink)
    if is_last(table, loop, source):
        return None
    if not table.aliases.may_alias(source.array, sink.array, loop):
        return None
    if isinstance(loop.node, n.While):
        return Dependence(kind, source, sink, loop, reason="a while loop has no counter")
    obstacle = obstacle_between(table, loop, source, sink)
    if obstacle:
        return Dependence(kind, source, sink, loop, reason=obstacle)
    if not fields_meet(source, sink):
        return None
    meeting = _meeting(table, loop, source, sink)
    if meeting is None:
        return None
    if not meeting.open:
        return Dependence(kind, source, sink, loop, reason="an index has too many cases")
    return Dependence(kind, source, sink, loop, meeting)


def _meeting(table: AccessTable, loop: Loop, source: Access, sink: Access) -> Meeting | None:
    """How two accesses meet, remembered: a load and a store of one element ask the same."""
    key = (loop, source.region, source.indices, sink.region, sink.indices, source.array)
    if key not in table.meetings:
        table.meetings[key] = _ask(Question(table, loop, source, sink))
    found = table.meetings[key]
    assert found is None or isinstance(found, Meeting)
    return found


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


def is_last(table: AccessTable, loop: Loop, access: Access) -> bool:
    """Whether the iteration in which an access is made is the last one: it stands in a branch that ends the loop."""
    node = loop.node
    if not isinstance(node, n.For) or node.exit is None:
        return False
    value = node.body.yields[node.exit]
    for region in _regions_down_to(loop, access):
        definition = table.structure.definition(value) if isinstance(value, n.Var) else None
        if definition is None or definition.statement is not region.owner or definition.kind != "result":
            break
        inner = region.block.yields[definition.place]
        if isinstance(region.owner, n.For) and not _ends(table, region, access):
            return False
        if not isinstance(region.owner, (n.If, n.For)):
            return False
        value = inner
    return isinstance(value, n.Const) and not value.value


def _ends(table: AccessTable, region: Region, access: Access) -> bool:
    assert isinstance(region.owner, n.For)
    return is_last(table, table.structure.loops[region.owner.label], access)


def _regions_down_to(loop: Loop, access: Access) -> list[Region]:
    """The regions inside the body of a loop around an access, outermost first."""
    inside = [region for region in access.region.chain() if loop.body.contains(region) and region is not loop.body]
    return inside[::-1]


def obstacle_between(table: AccessTable, loop: Loop, source: Access, sink: Access) -> str:
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


def fields_meet(source: Access, sink: Access) -> bool:
    """Whether the fields of two accesses have bytes in common: one contains the other, or they overlap."""
    element = source.array.type.element if isinstance(source.array.type, View) else None
    for a, b in zip(source.fields, sink.fields, strict=False):
        if a != b:
            return isinstance(element, Record) and _overlap(element.field(a), element.field(b))
        element = element.field(a).type if isinstance(element, Record) else None
    return True


def _overlap(a: Field, b: Field) -> bool:
    return a.offset < b.offset + b.type.size * prod(b.shape) and b.offset < a.offset + a.type.size * prod(a.shape)


def _ask(question: Question) -> Meeting | None:
    cases = question.cases()
    if cases is None:
        return Meeting(question, ())
    possible = []
    for case in cases:
        system = _system(question, case.equations, case.prover)
        if not system.is_contradictory(question.gap):
            possible.append((case, system.distance()))
    return Meeting(question, tuple(possible)) if possible else None


def never_meet(question: Question) -> bool:
    """Whether the accesses of a question are proven never to touch the same element."""
    obstacle = obstacle_between(question.table, question.loop, question.first, question.second)
    cases = None if obstacle else question.cases()
    if cases is None:
        return not fields_meet(question.first, question.second) and not obstacle
    return all(
        _excluded(question, case.equations, case.prover)
        or (_is_for_isl(question, case, None) and _is_empty(question, case) is True)
        for case in cases
    )


def _is_for_isl(question: Question, case: Case, distance: int | None) -> bool:
    """Whether isl may know more: equations of counters whose solution is not known, or branches around an access."""
    if distance is not None and not question.is_guarded():
        return False
    ours = question.counter.symbols | question.later.symbols
    return any(ours & equation.names for equation in _comparable(question, case))


def _comparable(question: Question, case: Case) -> tuple[Form, ...]:
    counters = question.counters()
    return tuple(e for e in case.equations if e.is_linear and _is_of_counters(e, question, counters))


def _is_empty(question: Question, case: Case) -> bool | None:
    """What isl says."""
    comparable = _comparable(question, case)
    facts = _connected(comparable, [f for f in _all_facts(case.prover, comparable) if abs(f.constant) < LARGE])
    return sets.is_empty(comparable, facts, question.is_marked_or_inner)


def _connected(equations: tuple[Form, ...], facts: list[Form]) -> list[Form]:
    """The linear facts that have to do with some equations, directly or through others."""
    symbols = {name for e in equations for name in e.names}
    kept: list[Form] = []
    rest = [f for f in facts if f.is_linear]
    while True:
        found = [f for f in rest if f.names & symbols]
        if not found:
            return kept
        kept += found
        rest = [f for f in rest if not f.names & symbols]
        symbols |= {name for f in found for name in f.names}


def _is_of_counters(equation: Form, question: Question, counters: set[str]) -> bool:
    """Whether all unknowns of an equation are loop counters."""
    unknown = (name for name in equation.names if question.is_marked_or_inner(name))
    return all(unmarked(name) in counters for name in unknown)


def _if_each(question: Question, cases: tuple[Case, ...]) -> tuple[Condition, ...] | None:
    """Conditions known before the loop that exclude every case; None where one is not excluded."""
    counters = question.counters()
    if any(not _is_of_counters(e, question, counters) for case in cases for e in case.equations):
        return None
    found: dict[Condition, None] = {}
    for case in cases:
        wanted = _if_not_wrapped(question, case) if case.wrapped else None
        if wanted is None:
            wanted = _of_case(question, case)
        if wanted is None:
            return None
        found.update(dict.fromkeys(wanted))
    return tuple(found)


def _if_not_wrapped(question: Question, case: Case) -> tuple[Condition, ...] | None:
    """A case in which an index counts from the end is excluded where the index is not negative."""
    for form in case.wrapped:
        wanted = _never_negative(question, form)
        if wanted is not None:
            return wanted
    return None


def _never_negative(question: Question, form: Form) -> tuple[Condition, ...] | None:
    """Conditions under which an index is not negative in any iteration."""
    varies, prover = question.is_marked_or_inner, question.prover
    for name in form.symbols:
        given = isinstance(name, Quotient) and not any(map(varies, name.parts[1].symbols))
        if isinstance(name, Quotient) and given and prover.extended(quotient_facts(name)).nonnegative(form):
            return (NonNegative(name.parts[1] - 1),)
    wanted = _bounded(prover, form, varies)
    if wanted is not None:
        return wanted
    for size in sizes(form, varies):
        if size.value is None:
            wanted = _bounded(prover.extended((size,)), form, varies)
            if wanted is not None:
                return (NonNegative(size), *wanted)
    return _if_sorted_above_zero(question, form)


def _if_sorted_above_zero(question: Question, form: Form) -> tuple[Condition, ...] | None:
    """``p[i] <= k`` is not negative where the elements of `p` never decrease and the first is not negative."""
    elements = {e for fact in _all_facts(question.prover, (form,)) for e in question.elements(fact)}
    added, conditions = [], []
    for found in elements:
        for axis, read in enumerate(found.parts):
            low = _simplest(question.prover.lower_bounds(read, question.is_marked_or_inner))
            if low is not None and low != read:
                first = element(
                    unmarked_array(found), (*found.parts[:axis], low, *found.parts[axis + 1 :]), found.version
                )
                added.append(symbol(found) - first)
                conditions.append(_sorted(question, question.prover, found, axis))
    wanted = _bounded(question.prover.extended(added), form, question.is_marked_or_inner) if added else None
    return None if wanted is None else (*dict.fromkeys(conditions), *wanted)


def _of_case(question: Question, case: Case) -> tuple[Condition, ...] | None:
    for attempt in (_if_nonzero, _if_smaller, _if_sorted):
        found = attempt(question, case.equations, case.prover)
        if found is not None:
            return found
    return None if case.wrapped else _if_beyond(question, case.equations, question.prover)


def _if_distinct(question: Question) -> tuple[Condition, ...] | None:
    """Indices that are the same function of both iterations meet only if the function takes a value twice."""
    counters = question.counters()
    same = [
        index
        for index in question.same_functions()
        if any(name not in counters and question.is_marked_or_inner(name) for name in index.form.symbols)
    ]
    shallow = [index for index in same if not any(map(question.varies_deeper, index.form.names))]
    chosen = shallow or same
    if not chosen:
        return None
    extents = tuple(None if index.sign is None else index.wrap for index in chosen)
    view = question.first.view
    return (Distinct(question.loop.label, view, tuple(index.form for index in chosen), extents),)


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


def _excluded(question: Question, equations: tuple[Form, ...], prover: Prover) -> bool:
    return _system(question, equations, prover).is_contradictory(question.gap)


def _system(question: Question, equations: tuple[Form, ...], prover: Prover) -> System:
    return System(equations, prover, question.is_marked_or_inner, question.pair, question.trips)


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
    return (_any_of(prover, found),) if found else None


def _any_of(prover: Prover, forms: list[Form]) -> Condition:
    """The condition that one of some forms is not negative; those that imply another are left out."""
    kept: list[Form] = []
    for form in sorted(forms, key=lambda f: (len(f.terms), str(f))):
        if not any(prover.nonnegative(other - form) for other in kept):
            kept = [other for other in kept if not prover.nonnegative(form - other)] + [form]
    options = tuple(NonNegative(form) for form in kept[:MOST_OPTIONS])
    return options[0] if len(options) == 1 else AnyOf(options)


MOST_OPTIONS = 4


def _sorted(question: Question, prover: Prover, found: Element, axis: int) -> Condition:
    """The condition that the elements of an index array that the loop reads never decrease."""
    read = found.parts[axis]
    low = _simplest(prover.lower_bounds(read, question.is_marked_or_inner))
    high = _simplest(prover.lower_bounds(-read, question.is_marked_or_inner))
    fixed = tuple(None if k == axis else part for k, part in enumerate(found.parts))
    array = question.table.structure.definition(unmarked_array(found)).var
    return Sorted(array, axis, fixed, low, None if high is None else -high)


def unmarked_array(element: Element) -> str:
    """The name of the array of an element, in the first instance."""
    return element.array.removesuffix(MARK)


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
                conditions.append(_sorted(question, prover, first, axis))
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
    return (_any_of(prover, list(options)),) if options else None
