"""Conditions, known before a loop, under which two accesses of different iterations never meet after all."""

from __future__ import annotations

from collections.abc import Iterator

from weft.analysis.dependence.conditions import AnyOf, Condition, Distinct, NonNegative, NonZero, Sorted
from weft.analysis.dependence.question import MARK, Case, Question
from weft.analysis.values.linear import RUN, Element, Form, Quotient, element, symbol
from weft.analysis.values.prover import Prover
from weft.analysis.values.ranges import quotient_facts
from weft.analysis.values.solve import Varies, partitions, sizes, sufficient
from weft.ir import nodes as n
from weft.ir.types import View
from weft.ir.visit import free_variables, walk


def assumptions(question: Question, cases: tuple[Case, ...]) -> tuple[Condition, ...] | None:
    """Conditions that together exclude all cases of a question; None where there are no useful ones."""
    wanted = _if_each(question, cases)
    return _if_distinct(question) if wanted is None else wanted


def _if_each(question: Question, cases: tuple[Case, ...]) -> tuple[Condition, ...] | None:
    """Conditions known before the loop that exclude every case; None where one is not excluded."""
    if not all(question.is_of_counters(e) for case in cases for e in case.equations):
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
        if isinstance(name, Quotient) and given:
            positive = name.parts[1] - 1
            if prover.extended((positive, *quotient_facts(name))).nonnegative(form):
                return (NonNegative(positive),)
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
    elements = dict.fromkeys(e for fact in question.prover.closure((form,)) for e in question.elements(fact))
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
    for attempt in (_if_unequal, _if_nonzero, _if_smaller, _if_sorted):
        found = attempt(question, case.equations, case.prover)
        if found is not None:
            return found
    return None if case.wrapped else _if_beyond(question, case.equations, question.prover)


def _if_distinct(question: Question) -> tuple[Condition, ...] | None:
    """Indices that are the same function of both iterations meet only if the function takes a value twice.

    The function must be one that can be computed before the loop runs.
    """
    same = [
        index
        for index in question.same_functions()
        if any(name not in question.counters and question.is_marked_or_inner(name) for name in index.form.symbols)
        and all(_is_known_before(question, name) for name in index.form.names)
    ]
    shallow = [index for index in same if not any(map(question.varies_deeper, index.form.names))]
    chosen = shallow or same
    if not chosen:
        return None
    extents = tuple(None if index.sign is None else index.wrap for index in chosen)
    view = question.first.view
    return (Distinct(question.loop.label, view, tuple(index.form for index in chosen), extents),)


def _is_known_before(question: Question, name: str) -> bool:
    """Whether a value depends neither on what the loop carries nor on what it writes."""
    table, loop = question.table, question.loop
    if name.startswith(RUN) and table.structure.is_inside(name, loop):
        return False
    written = table.aliases.written(loop.body)
    waiting, seen = [name], set()
    while waiting:
        current = waiting.pop()
        definition = table.structure.definitions.get(current)
        if current in seen or definition is None or loop not in definition.loops or definition.kind == "index":
            continue
        seen.add(current)
        statement = definition.statement
        if statement is None or statement is loop.node:
            return False
        if any(not table.aliases.roots(view).isdisjoint(written) for view in _loaded_by(statement)):
            return False
        waiting += [var.name for var in free_variables(n.Block((statement,)))]
    return True


def _loaded_by(statement: n.Statement) -> Iterator[n.Var]:
    """The views from which a statement, or something in its blocks, loads elements; all that it gives to a helper."""
    for inner in walk(n.Block((statement,))):
        if isinstance(inner, n.Let) and isinstance(inner.value, n.Load):
            yield inner.value.view
        elif isinstance(inner, (n.Call, n.External)):
            yield from (a for a in inner.operands if isinstance(a, n.Var) and isinstance(a.type, View))


def _if_unequal(question: Question, equations: tuple[Form, ...], prover: Prover) -> tuple[Condition, ...] | None:
    """``k - m == 0`` of values that no iteration changes: the accesses meet only if that holds."""
    given = (e for e in equations if e.value is None and not any(map(question.is_marked_or_inner, e.names)))
    found = next((e for e in given if not any(isinstance(s, Element) for s in e.symbols)), None)
    return None if found is None else (NonZero(found),)


def _if_nonzero(question: Question, equations: tuple[Form, ...], prover: Prover) -> tuple[Condition, ...] | None:
    """``n * (i - i') == 0`` excludes two iterations where `n` is not zero."""
    for place, equation in enumerate(equations):
        for size in sizes(equation, question.is_marked_or_inner):
            for whole, rest in partitions(equation, size):
                if not rest and size.value is None:
                    changed = (*equations[:place], whole, *equations[place + 1 :])
                    if question.is_excluded(changed, prover):
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
                if None not in wanted and question.is_excluded(changed, prover):
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
    facts = prover.closure(equations)
    elements = dict.fromkeys(e for form in (*facts, *equations) for e in question.elements(form))
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
    if added and question.is_excluded(equations, prover.extended((*facts, *added))):
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
