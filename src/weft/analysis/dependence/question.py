"""Two instances of accesses side by side: the first as it stands, the second with its variables marked.

The unknowns of a question are the loop counters and other values of both instances; what is known of them are the loop
bounds, branches and extents. Equations say that both accesses touch the same element.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from functools import cached_property
from itertools import product

from weft.analysis.access.access import Access, AccessTable
from weft.analysis.access.structure import Loop, Region
from weft.analysis.access.views import Index
from weft.analysis.values.forms import is_integer
from weft.analysis.values.linear import ZERO, Derived, Element, Form, Positive, Quotient, symbol
from weft.analysis.values.prover import Prover
from weft.analysis.values.ranges import quotient_facts
from weft.analysis.values.solve import System
from weft.dataclass import dataclass
from weft.ir import nodes as n

MARK = "'"
"""Marks the variables of the second instance."""

MOST_CASES = 16


@dataclass(frozen=True)
class Placement:
    """Indices on the axes of an array, the facts under which they are these, and what is negative where they are."""

    forms: tuple[Form, ...]
    facts: tuple[Form, ...] = ()
    wrapped: tuple[Form, ...] = ()


@dataclass(frozen=True)
class Case:
    """The equations of one case of a question, what is known in it, and which forms are negative in it.

    There are several cases where negative indices may count from the end.
    """

    equations: tuple[Form, ...]
    prover: Prover
    wrapped: tuple[Form, ...]


class Question:
    """Whether two accesses can touch the same element.

    Parameters
    ----------
    table
        The access table.
    loop
        The loop whose iterations are compared; everything around it is the same for both.
    first, second
        The accesses.
    relation
        ``later``: the second belongs to a later iteration of `loop`; ``same``: to the same iteration.
    assumed
        Further facts; names with `MARK` belong to the second instance.
    """

    def __init__(
        self,
        table: AccessTable,
        loop: Loop,
        first: Access,
        second: Access,
        relation: str = "later",
        assumed: Iterable[Form] = (),
    ) -> None:
        self.table = table
        self.loop = loop
        self.first, self.second = first, second
        self.relation = relation
        self.is_inner: Callable[[str], bool] = self._varies if relation == "later" else self.varies_deeper
        assert isinstance(loop.node, n.For)
        self.counter = symbol(loop.node.index.name)
        self.later = symbol(loop.node.index.name + MARK) if relation == "later" else self.counter
        self.pair: tuple[str, str] | None = None
        self.trips = table.ranges.simplified(self._trips(), first.region)
        if relation == "later":
            self.pair = (loop.node.index.name, loop.node.index.name + MARK)
        self._facts = (*self._known(), *assumed)
        self._ranks: dict[str, float] = {}

    @property
    def gap(self) -> Form:
        """By how many iterations the second instance is later, less one: not negative by the question."""
        return ZERO if self.relation == "same" else self.later - self.counter - 1

    @cached_property
    def prover(self) -> Prover:
        """What is known in all cases."""
        ranges = self.table.ranges
        excluded = ranges.excluded(self.first.region)
        excluded |= {self.marked(form) for form in ranges.excluded(self.second.region)}
        return Prover(self._facts, self.rank, self.inherent, excluded)

    def cases(self) -> Iterator[Case] | None:
        """The cases of the question; None where an index is not known, or where there are too many.

        Where several indices of an access may count from the end, nothing is said of where it is when one of them does.
        """
        firsts, seconds = self._placements(self.first, ""), self._placements(self.second, MARK)
        if firsts is None or seconds is None or len(firsts) * len(seconds) > MOST_CASES:
            return None
        return self._cases(firsts, seconds)

    def _cases(self, firsts: list[Placement], seconds: list[Placement]) -> Iterator[Case]:
        for left, right in product(firsts, seconds):
            equations = tuple(a - b for a, b in zip(left.forms, right.forms, strict=False))
            prover = self.prover.extended((*left.facts, *right.facts))
            yield Case(equations, prover, (*left.wrapped, *right.wrapped))

    def always_meet(self, distance: int) -> bool:
        """Whether the second access, that many iterations later, is always to the element of the first."""
        return self._coincide_in_all_cases({self._later_name: self.counter + distance})

    def meet_in_step(self, distance: int) -> bool:
        """Whether it is so where the loops inside of the loop are in the same iterations for both."""
        inner = {name + MARK: symbol(name) for name in self.counters if self._varies(name)}
        return self._coincide_in_all_cases({**inner, self._later_name: self.counter + distance})

    @property
    def _later_name(self) -> str:
        (name,) = self.later.symbols
        return name

    def _coincide_in_all_cases(self, values: dict[str, Form]) -> bool:
        cases = self.cases()
        return cases is not None and all(self._coincide(case, values) for case in cases)

    def _coincide(self, case: Case, values: dict[str, Form]) -> bool:
        """Whether all indices are the same in a case for some values of the second instance, or it does not happen."""
        axes = {len(access.indices or ()) for access in (self.first, self.second)}
        if axes == {len(case.equations)} and not any(e.substitute(values) for e in case.equations):
            return True
        equal = [symbol(name) - value for name, value in values.items()]
        prover = case.prover.extended(side for form in equal for side in (form, -form))
        return any(prover.nonnegative(form) for form in case.wrapped)

    def same_functions(self) -> list[Index]:
        """The indices of the first access that are the same functions of their iteration in the second, and vary."""
        if self.first.indices is None or self.second.indices is None:
            return []
        pairs = zip(self.first.indices, self.second.indices, strict=False)
        return [a for a, b in pairs if a == b and any(map(self._varies, a.form.names))]

    def is_marked_or_inner(self, name: str) -> bool:
        """Whether a symbol may differ between iterations of the loop."""
        return any(inner.endswith(MARK) or self._varies(inner) for inner in names_of(name))

    def rank(self, name: str) -> float:
        """The order of symbols: marked ones come right after the unmarked."""
        found = self._ranks.get(name)
        if found is None:
            found = self._order(name)
            if isinstance(name, Derived):
                found = max((self._order(inner) for inner in name.names()), default=-1.0) + 0.5
            self._ranks[name] = found
        return found

    def inherent(self, name: str) -> Iterable[Form]:
        """What is known of a symbol by itself, also of a marked one, or of one that mixes both instances."""
        base = unmarked(name)
        if base == name:
            return self.table.ranges.inherent_in(base, self.first.region)
        if base is None or any(map(self.is_inner, names_of(name))):
            return self._by_arithmetic(name)
        return (self.marked(fact) for fact in self.table.ranges.inherent_in(base, self.second.region))

    def _by_arithmetic(self, name: str) -> Iterable[Form]:
        """What is known of a symbol that is of neither instance, such as ``(i + i') // 2``: what its operation says."""
        if isinstance(name, Positive):
            return symbol(name), symbol(name) - name.parts[0]
        if isinstance(name, Quotient) and (name.parts[1].value or 0) > 0:
            return quotient_facts(name)
        return ()

    def marked(self, form: Form) -> Form:
        """The form of the second instance."""
        return form.rename(self.is_inner, MARK)

    def _order(self, name: str) -> float:
        if name.endswith(MARK):
            return self.table.ranges.rank(name[: -len(MARK)]) + 0.25
        return self.table.ranges.rank(name)

    def is_of_counters(self, equation: Form) -> bool:
        """Whether all unknowns of an equation are loop counters."""
        unknown = (name for name in equation.names if self.is_marked_or_inner(name))
        return all(unmarked(name) in self.counters for name in unknown)

    def is_known(self, form: Form) -> bool:
        """Whether the loop counters in a form give it all of its values: nothing in it is loaded or chosen."""
        return all(map(self._is_known_symbol, form.symbols))

    def _is_known_symbol(self, name: str) -> bool:
        if not self.is_marked_or_inner(name):
            return True
        if isinstance(name, Derived):
            return isinstance(name, (Quotient, Positive)) and all(map(self.is_known, name.parts))
        return unmarked(name) in self.counters

    def system(self, equations: tuple[Form, ...], prover: Prover) -> System:
        """The equations of a case, ready to be solved."""
        return System(equations, prover, self.is_marked_or_inner, self.pair, self.trips)

    def is_excluded(self, equations: tuple[Form, ...], prover: Prover) -> bool:
        """Whether the quick tests show that equations have no solution in two iterations of the loop."""
        return self.system(equations, prover).is_contradictory(self.gap)

    def is_guarded(self) -> bool:
        """Whether one of the accesses stands under a condition inside of the loop."""
        return any(not a.is_certain_in(self.loop.body) for a in (self.first, self.second))

    @cached_property
    def counters(self) -> set[str]:
        """The counters of the loops around either access."""
        loops = (*self.first.loops, *self.second.loops)
        return {loop.node.index.name for loop in loops if isinstance(loop.node, n.For)}

    def _varies(self, name: str) -> bool:
        return self.table.structure.is_inside(name, self.loop)

    def varies_deeper(self, name: str) -> bool:
        """Whether a variable is defined in a loop inside of the loop."""
        definition = self.table.structure.definitions.get(name)
        return definition is not None and self.loop in definition.loops[:-1]

    def _known(self) -> Iterator[Form]:
        ranges = self.table.ranges
        yield from ranges.facts(self.first.region)
        yield from (self.marked(fact) for fact in ranges.facts(self.second.region))
        if self.relation == "later":
            yield self.gap
            yield self.trips - 2
            yield from self._steps()

    def _trips(self) -> Form:
        assert isinstance(self.loop.node, n.For)
        return self.table.forms.of(self.loop.node.stop) - self.table.forms.of(self.loop.node.start)

    def _steps(self) -> Iterator[Form]:
        """A carried integer that never falls is, in a later iteration, at least what the earlier one made of it."""
        forms, node, ranges = self.table.forms, self.loop.node, self.table.ranges
        for place, arg in enumerate(node.args):
            if not is_integer(arg.var.type) or forms.step_of(self.loop, place) is not None:
                continue
            least, most = ranges.steps(self.loop, place)
            if least is None or least < 0:
                least, sign = most, -1
            else:
                sign = 1
            if least is not None and least * sign >= 0:
                later = symbol(arg.var.name + MARK)
                yield from ((later - now) * sign for now in self._made(node.body.yields[place], sign))

    def _made(self, value: n.Atom, sign: int) -> list[Form]:
        """Bounds of what the first instance makes of a carried integer, in terms of what its access may use."""
        form = self._after_access(value, sign)
        prover = self.table.ranges.prover(self.first.region)
        return [bound * sign for bound in prover.lower_bounds(form * sign, self._is_result)]

    def _after_access(self, value: n.Atom, sign: int) -> Form:
        """A value after the first access: results of branches around it are those of the branch that was taken."""
        definition = self.table.structure.definition(value) if isinstance(value, n.Var) else None
        if definition is not None and definition.kind == "result":
            for region in self.first.region.chain():
                if region.owner is definition.statement and self._grows_to(region, definition.place, sign):
                    return self._after_access(region.block.yields[definition.place], sign)
        return self.table.forms.of(value)

    def _grows_to(self, region: Region, place: int, sign: int) -> bool:
        """Whether what a region yields is the result of its statement, or on the way there."""
        if isinstance(region.owner, n.For):
            least, most = self.table.ranges.steps(self.table.structure.loops[region.owner.label], place)
            return (least is not None and least >= 0) if sign > 0 else (most is not None and most <= 0)
        return isinstance(region.owner, n.If)

    def _is_result(self, name: str) -> bool:
        definition = self.table.structure.definitions.get(name)
        return definition is not None and definition.kind == "result" and self.loop in definition.loops

    def _placements(self, access: Access, mark: str) -> list[Placement] | None:
        if access.indices is None:
            return None
        extents = self.table.forms.view(access.array).extents
        choices = [list(self._choices(index, mark, access)) for index in access.indices]
        inside = [self.marked(e) if mark else e for e in extents]
        wrapping = [choice[1] for choice in choices if len(choice) > 1]
        if len(wrapping) < 2:
            return [self._placed(chosen, inside) for chosen in product(*choices)]
        anywhere = [Placement((), choice.facts, choice.wrapped) for choice in wrapping]
        return [self._placed(tuple(choice[0] for choice in choices), inside), *anywhere]

    @staticmethod
    def _placed(chosen: tuple[Placement, ...], extents: list[Form]) -> Placement:
        """The choices for all axes together; an access that did not raise was inside of its array."""
        forms = tuple(choice.forms[0] for choice in chosen)
        inside = [side for form, extent in zip(forms, extents, strict=False) for side in (form, extent - 1 - form)]
        facts = (*(fact for choice in chosen for fact in choice.facts), *inside)
        return Placement(forms, facts, tuple(form for choice in chosen for form in choice.wrapped))

    def _choices(self, index: Index, mark: str, access: Access) -> Iterator[Placement]:
        form, sign, wrap = index.form, index.sign, index.wrap
        if mark:
            form, wrap, sign = self.marked(form), self.marked(wrap), None if sign is None else self.marked(sign)
        form = self._simplified(form, access)
        if sign is None:
            yield Placement((form,))
        else:
            yield Placement((form,), (sign,))
            yield Placement((form + wrap,), (-sign - 1,), (sign,))

    def _simplified(self, form: Form, access: Access) -> Form:
        """``max(e, 0)`` is ``e`` where the access shows that some loop runs."""
        values: dict[str, Form] = {
            name: self.table.ranges.simplified(symbol(name), access.region)
            for name in form.symbols
            if isinstance(name, Positive) and not any(map(self.is_marked_or_inner, name.parts[0].symbols))
        }
        return form.substitute(values) if values else form

    def elements(self, form: Form) -> Iterator[Element]:
        """The elements in a form that may differ between iterations, of index arrays that do not."""
        found = (s for s in sorted(form.symbols) if isinstance(s, Element) and self.is_marked_or_inner(s))
        return (s for s in found if not s.version or not self.is_marked_or_inner(s.version))


def names_of(name: str) -> frozenset[str]:
    """The variables and arrays that a symbol depends on."""
    return name.names() if isinstance(name, Derived) else frozenset((name,))


def unmarked(name: str) -> str | None:
    """The symbol of the first instance for one of the second; None where that is no symbol but another form.

    A symbol that mixes both instances may become simpler: ``(2 * i + i') // 3`` is `i` without marks.
    """
    if not isinstance(name, Derived):
        return name.removesuffix(MARK)
    names = {inner for inner in name.names() if inner.endswith(MARK)}
    if not names:
        return name
    strip = {inner: symbol(inner.removesuffix(MARK)) for inner in names}
    parts = tuple(part.substitute(strip) for part in name.parts)
    rebuilt = name.rebuilt(parts, lambda array: array.removesuffix(MARK))
    (only, *others) = rebuilt.symbols or [None]
    return only if not others and only is not None and rebuilt == symbol(only) else None
