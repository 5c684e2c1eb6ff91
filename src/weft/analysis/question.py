"""Two instances of accesses side by side: the first as it stands, the second with its variables marked.

The unknowns of a question are the loop counters and other values of both instances; what is known of them are the loop
bounds, branches and extents. Equations say that both accesses touch the same element.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from itertools import product

from weft.analysis.access import Access, AccessTable
from weft.analysis.linear import Derived, Element, Form, Positive, symbol
from weft.analysis.prover import Prover
from weft.analysis.structure import Loop
from weft.analysis.views import Index
from weft.ir import nodes as n

MARK = "'"
"""Marks the variables of the second instance."""

MOST_PLACEMENTS = 8

Placement = tuple[tuple[Form, ...], tuple[Form, ...]]
"""Indices on the axes of an array, and the facts under which they are these."""


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
        self.is_inner: Callable[[str], bool] = self._varies if relation == "later" else self._varies_deeper
        assert isinstance(loop.node, n.For)
        self.counter = symbol(loop.node.index.name)
        self.later = symbol(loop.node.index.name + MARK) if relation == "later" else self.counter
        self._facts = (*self._known(), *assumed)

    @property
    def gap(self) -> Form:
        """By how many iterations the second instance is later, less one: not negative by the question."""
        return self.later - self.counter - 1

    def cases(self) -> Iterator[tuple[tuple[Form, ...], Prover]] | None:
        """The equations of every case, each with the facts of the case; None where an index is not known.

        There are several cases where negative indices may count from the end.
        """
        firsts, seconds = self._placements(self.first, ""), self._placements(self.second, MARK)
        if firsts is None or seconds is None or len(firsts) * len(seconds) > MOST_PLACEMENTS:
            return None
        return self._cases(firsts, seconds)

    def _cases(
        self, firsts: list[Placement], seconds: list[Placement]
    ) -> Iterator[tuple[tuple[Form, ...], Prover]]:
        base = Prover(self._facts, self.rank, self.inherent)
        for (left, known), (right, also_known) in product(firsts, seconds):
            equations = tuple(a - b for a, b in zip(left, right, strict=False))
            yield equations, base.extended((*known, *also_known))

    def is_marked_or_inner(self, name: str) -> bool:
        """Whether a symbol may differ between iterations of the loop."""
        names = name.names() if isinstance(name, Derived) else (name,)
        return any(inner.endswith(MARK) or self._varies(inner) for inner in names)

    def rank(self, name: str) -> float:
        """The order of symbols: marked ones come right after the unmarked."""
        if isinstance(name, Derived):
            return max((self._order(inner) for inner in name.names()), default=-1.0) + 0.5
        return self._order(name)

    def inherent(self, name: str) -> Iterable[Form]:
        """What is known of a symbol by itself, also of a marked one."""
        base = unmarked(name)
        facts = self.table.ranges.inherent(base)
        return facts if base == name else (self.marked(fact) for fact in facts)

    def marked(self, form: Form) -> Form:
        """The form of the second instance."""
        return form.rename(self.is_inner, MARK)

    def _order(self, name: str) -> float:
        if name.endswith(MARK):
            return self.table.ranges.rank(name[: -len(MARK)]) + 0.25
        return self.table.ranges.rank(name)

    def _varies(self, name: str) -> bool:
        return self.table.structure.is_inside(name, self.loop)

    def _varies_deeper(self, name: str) -> bool:
        definition = self.table.structure.definitions.get(name)
        return definition is not None and self.loop in definition.loops[:-1]

    def _known(self) -> Iterator[Form]:
        ranges = self.table.ranges
        yield from ranges.facts(self.first.region)
        yield from (self.marked(fact) for fact in ranges.facts(self.second.region))
        if self.relation == "later":
            yield self.gap

    def _placements(self, access: Access, mark: str) -> list[Placement] | None:
        if access.indices is None or sum(index.sign is not None for index in access.indices) > 2:
            return None
        extents = self.table.forms.view(access.array).extents
        choices = [list(self._choices(index, mark, access)) for index in access.indices]
        placements = []
        for chosen in product(*choices):
            forms = tuple(form for form, _ in chosen)
            facts = [fact for _, known in chosen for fact in known]
            for form, extent in zip(forms, extents, strict=False):
                facts += (form, (self.marked(extent) if mark else extent) - 1 - form)
            placements.append((forms, tuple(facts)))
        return placements

    def _choices(self, index: Index, mark: str, access: Access) -> Iterator[tuple[Form, tuple[Form, ...]]]:
        form, sign, wrap = index.form, index.sign, index.wrap
        if mark:
            form, wrap, sign = self.marked(form), self.marked(wrap), None if sign is None else self.marked(sign)
        form = self._simplified(form, access)
        if sign is None:
            yield form, ()
        else:
            yield form, (sign,)
            yield form + wrap, (-sign - 1,)

    def _simplified(self, form: Form, access: Access) -> Form:
        """``max(e, 0)`` is ``e`` where the access shows that some loop runs."""
        values = {
            name: name.parts[0]
            for name in form.symbols
            if isinstance(name, Positive)
            and not any(map(self.is_marked_or_inner, name.parts[0].symbols))
            and self.table.ranges.nonnegative(name.parts[0], access.region)
        }
        return form.substitute(values) if values else form

    def elements(self, form: Form) -> Iterator[Element]:
        """The elements of index arrays in a form that may differ between iterations."""
        return (s for s in form.symbols if isinstance(s, Element) and self.is_marked_or_inner(s))


def unmarked(name: str) -> str:
    """The symbol of the first instance for one of the second."""
    if not isinstance(name, Derived):
        return name.removesuffix(MARK)
    names = {inner for inner in name.names() if inner.endswith(MARK)}
    if not names:
        return name
    strip = {inner: symbol(inner.removesuffix(MARK)) for inner in names}
    parts = tuple(part.substitute(strip) for part in name.parts)
    rebuilt = name.rebuilt(parts, lambda array: array.removesuffix(MARK))
    (found,) = rebuilt.symbols
    return found
