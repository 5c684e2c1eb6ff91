"""The access table: for every access to memory, the map from loop counters to array elements, over its domain."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import cached_property
from typing import Any, Literal, TypeAlias

from weft.analysis.access.aliases import Aliases
from weft.analysis.access.structure import Definition, Loop, Region, Site, Structure
from weft.analysis.access.views import AxisMap, Index, index_of
from weft.analysis.values.forms import settled
from weft.analysis.values.linear import RUN, Derived, Element, Form, Quotient, monomials
from weft.analysis.values.ranges import Ranges, assumed
from weft.dataclass import dataclass
from weft.ir import nodes as n
from weft.ir.location import Location
from weft.ir.python_calls import callee_of
from weft.ir.types import View
from weft.ir.visit import atoms_of

AccessKind: TypeAlias = Literal["load", "store", "update"]
MapKind: TypeAlias = Literal["affine", "quasi-affine", "indirect", "unknown"]


@dataclass(frozen=True, eq=False)
class Access:
    """One access to memory.

    Attributes
    ----------
    kind
        What is done; an `update` reads and writes.
    site
        The statement at its place.
    view
        The view that the program names.
    array
        The variable that holds the array of the view whole.
    fields
        The fields of the element that are accessed; empty for the whole element.
    indices
        The indices on the axes of `array`, or None where they are not known: a call or an external function.
    bounds
        How the program treats the indices.
    """

    kind: AccessKind
    site: Site
    view: n.Var
    array: n.Var
    fields: tuple[str, ...]
    indices: tuple[Index, ...] | None
    bounds: n.Bounds = "check"

    @property
    def region(self) -> Region:
        """The region that the access stands in."""
        return self.site.region

    @property
    def loops(self) -> tuple[Loop, ...]:
        """The loops around the access, outermost first."""
        return self.site.region.loops

    @property
    def location(self) -> Location:
        """The place in the user's source."""
        location: Location = getattr(self.site.statement, "location")  # noqa: B009
        return location

    @property
    def reads(self) -> bool:
        """Whether memory may be read."""
        return self.kind != "store"

    @property
    def writes(self) -> bool:
        """Whether memory may be written."""
        return self.kind != "load"

    @property
    def value(self) -> n.Atom | None:
        """The variable that is loaded, or the value that is stored or folded in."""
        statement = self.site.statement
        if isinstance(statement, n.Let):
            return statement.var
        return statement.value if isinstance(statement, (n.Store, n.Update)) else None

    def is_certain_in(self, region: Region) -> bool:
        """Whether the access is made whenever a region around it runs and no ``for`` loop between them is empty."""
        for inner in self.region.chain():
            if inner is region:
                return True
            if not isinstance(inner.owner, n.For) or inner.owner.exit is not None:
                return False
        return False


class AccessTable:
    """All accesses of a body of code.

    Attributes
    ----------
    structure, aliases, ranges
        What the table was made with.
    accesses
        The accesses in source order.
    meetings
        Answers about pairs of accesses, kept by `weft.analysis.dependence.dependence`.
    influences
        What elements of earlier iterations have an influence on, kept by `weft.analysis.recurrences.recurrences`: many
        dependences ask about one load.
    """

    def __init__(
        self, params: Iterable[n.Var], body: n.Block, overlapping: Iterable[str] = (), assumed: Iterable[Form] = ()
    ) -> None:
        self.structure = Structure(params, body)
        self.aliases = Aliases(self.structure, overlapping)
        self.ranges = Ranges(self.structure, self.aliases, assumed)
        self.forms = self.ranges.forms
        self.aliases.overlap = self._may_overlap
        self.meetings: dict[object, object] = {}
        self.influences: dict[tuple[str, tuple[str, ...]], Any] = {}
        self.accesses = tuple(access for site in self.structure.root.sites() for access in self._at(site))

    def _may_overlap(self, left: n.Var, right: n.Var) -> bool:
        """Whether two views of one array may have elements in common: not if they are apart on some axis."""
        if left == right:
            return True
        pairs = zip(self.forms.view(left).axes, self.forms.view(right).axes, strict=False)
        sides = [(self._side(a, left), self._side(b, right)) for a, b in pairs]
        return not any(a and b and (self._is_before(a, b) or self._is_before(b, a)) for a, b in sides)

    def _side(self, axis: AxisMap, view: n.Var) -> tuple[Form, Form] | None:
        """The first and the last index on an axis of the array, where they are the same throughout the program."""
        low = high = axis.index.form
        for position, step in axis.terms:
            reach = step * (self.forms.extent(view, position) - 1)
            if self.ranges.nonnegative(step, self.structure.root):
                high = high + reach
            elif self.ranges.nonnegative(-step, self.structure.root):
                low = low + reach
            else:
                return None
        if axis.index.sign is not None or any(self._is_in_loop(name) for name in low.names | high.names):
            return None
        return low, high

    def _is_in_loop(self, name: str) -> bool:
        definition = self.structure.definitions.get(name)
        return name.startswith(RUN) or (definition is not None and bool(definition.loops))

    def _is_before(self, first: tuple[Form, Form], second: tuple[Form, Form]) -> bool:
        return self.ranges.nonnegative(second[0] - first[1] - 1, self.structure.root)

    @cached_property
    def _by_root(self) -> dict[str, list[Access]]:
        found: dict[str, list[Access]] = {}
        for access in self.accesses:
            for root in self.aliases.roots(access.array):
                found.setdefault(root, []).append(access)
        return found

    def of(self, root: str) -> list[Access]:
        """The accesses that may touch a parameter or allocation."""
        return self._by_root.get(root, [])

    @cached_property
    def handed_on(self) -> frozenset[str]:
        """The parameters and allocations whose views are handed on: by regions, round loops, and to calls."""
        found: set[str] = set()
        for region in self.structure.regions():
            handed = [*region.block.yields]
            for statement in region.block.statements:
                if isinstance(statement, (n.For, n.While, n.Call, n.External)):
                    handed += atoms_of(statement)
            views = (a for a in handed if isinstance(a, n.Var) and isinstance(a.type, View))
            found.update(root for view in views for root in self.aliases.roots(view))
        return frozenset(found)

    @cached_property
    def _by_place(self) -> dict[tuple[Region, int], Access]:
        """Loads, stores and updates; statements that make several accesses are not among them."""
        single = (a for a in self.accesses if not isinstance(a.site.statement, (n.Call, n.External)))
        return {(a.region, a.site.position): a for a in single}

    def at(self, site: Site) -> Access | None:
        """The access that a load, store or update makes."""
        return self._by_place.get((site.region, site.position))

    @cached_property
    def _writing(self) -> dict[tuple[Region, int], list[Access]]:
        found: dict[tuple[Region, int], list[Access]] = {}
        for access in self.accesses:
            if access.writes:
                found.setdefault((access.region, access.site.position), []).append(access)
        return found

    def written_at(self, site: Site) -> list[Access]:
        """The accesses by which a statement itself writes."""
        return self._writing.get((site.region, site.position), [])

    def load_of(self, definition: Definition) -> Access:
        """The access that defines a loaded variable."""
        return self._by_place[definition.region, definition.position]

    def of_same_storage(self, access: Access) -> list[Access]:
        """The accesses whose storage may be that of another, in source order; the access itself is one of them."""
        roots = self.roots(access)
        if len(roots) == 1:
            return self.of(*roots)
        return [other for other in self.accesses if not roots.isdisjoint(self.roots(other))]

    def with_same_indices(self, access: Access) -> list[Access]:
        """The accesses by the same indices of the same view, in source order; the access itself is one of them."""
        return self._by_indices[access.view, access.indices]

    @cached_property
    def _by_indices(self) -> dict[tuple[n.Var, tuple[Index, ...] | None], list[Access]]:
        found: dict[tuple[n.Var, tuple[Index, ...] | None], list[Access]] = {}
        for access in self.accesses:
            found.setdefault((access.view, access.indices), []).append(access)
        return found

    def within(self, region: Region) -> list[Access]:
        """The accesses inside a region."""
        return self._within.get(region, [])

    @cached_property
    def _within(self) -> dict[Region, list[Access]]:
        found: dict[Region, list[Access]] = {}
        for access in self.accesses:
            for region in access.region.chain():
                found.setdefault(region, []).append(access)
        return found

    def roots(self, access: Access) -> frozenset[str]:
        """The parameters and allocations that an access may touch."""
        return self.aliases.roots(access.array)

    def classify(self, access: Access) -> tuple[MapKind, str]:
        """What kind of map an access is, and the reason where it is not affine."""
        if access.indices is None:
            statement = access.site.statement
            if isinstance(statement, n.External):
                return "unknown", f"the array is given to {callee_of(statement.reference)}"
            return "unknown", "the array is given to a function that is not inlined"
        worst: tuple[MapKind, str] = ("affine", "")
        for index in access.indices:
            found = self._classify_form(index.form, access.loops)
            worst = max(worst, found, key=lambda kind: KINDS.index(kind[0]))
        return worst

    def is_exact(self, access: Access) -> bool:
        """Whether the map and the domain describe exactly the elements that are touched."""
        kind, _ = self.classify(access)
        return kind in ("affine", "quasi-affine") and all(self._guard_is_exact(r) for r in access.region.chain())

    def _guard_is_exact(self, region: Region) -> bool:
        if isinstance(region.owner, n.For):
            return region.owner.exit is None
        if isinstance(region.owner, n.If):
            return bool(tuple(self.ranges.implied(region.owner.condition, region.number == 0)))
        return region.owner is None

    def _at(self, site: Site) -> Iterator[Access]:
        statement = site.statement
        if isinstance(statement, n.Let) and isinstance(statement.value, n.Load):
            yield self._element(site, "load", statement.value.view, statement.value.indices, statement.value.bounds)
        elif isinstance(statement, n.Store):
            yield self._element(site, "store", statement.view, statement.indices, statement.bounds)
        elif isinstance(statement, n.Update):
            yield self._element(site, "update", statement.view, statement.indices, statement.bounds)
        elif isinstance(statement, n.External):
            yield from (self._whole(site, "load", view) for view in statement.reads)
            yield from (self._whole(site, "update", view) for view in statement.writes)
        elif isinstance(statement, n.Call):
            views = (a for a in statement.operands if isinstance(a, n.Var) and isinstance(a.type, View))
            yield from (self._whole(site, "update", view) for view in views)

    def _whole(self, site: Site, kind: AccessKind, view: n.Var) -> Access:
        return Access(kind, site, view, self.aliases.handle(view), (), None)

    def _element(
        self, site: Site, kind: AccessKind, view: n.Var, indices: tuple[n.Atom, ...], bounds: n.Bounds
    ) -> Access:
        forms = self.forms
        shown = forms.view(view)
        own = [index_of(a, bounds, e, forms.of) for a, e in zip(indices, shown.extents, strict=True)]
        located = shown.locate([settled(index, site.region, self.ranges.nonnegative) for index in own])
        final = tuple(settled(index, site.region, self.ranges.nonnegative) for index in located)
        return Access(kind, site, view, shown.array, shown.fields, final, bounds)

    def _classify_form(self, form: Form, loops: tuple[Loop, ...]) -> tuple[MapKind, str]:
        counters = {loop.node.index.name for loop in loops if isinstance(loop.node, n.For)}
        worst: tuple[MapKind, str] = ("affine", "")
        for name in form.symbols - counters:
            worst = max(worst, self._classify_symbol(name, loops), key=lambda kind: KINDS.index(kind[0]))
        if worst[0] == "affine" and any(sum(s in counters for s in m) > 1 for m, _ in monomials(form)):
            return "unknown", "loop counters are multiplied with one another"
        return worst

    def _classify_symbol(self, name: str, loops: tuple[Loop, ...]) -> tuple[MapKind, str]:
        names = name.names() if isinstance(name, Derived) else frozenset((name,))
        if not any(self.structure.is_inside(inner, loop) for inner in names for loop in loops):
            return "affine", ""
        if isinstance(name, Element):
            return "indirect", f"the index is read from {name.array.partition('.')[0]}"
        if isinstance(name, Quotient):
            return self._classify_quotient(name, loops)
        return self._classify_variable(name)

    def _classify_quotient(self, name: Quotient, loops: tuple[Loop, ...]) -> tuple[MapKind, str]:
        found = [self._classify_form(part, loops) for part in name.parts]
        worst = max(found, key=lambda kind: KINDS.index(kind[0]))
        return worst if worst[0] in ("indirect", "unknown") else ("quasi-affine", "")

    def _classify_variable(self, name: str) -> tuple[MapKind, str]:
        waiting, seen = [name], set()
        while waiting:
            definition = self.structure.definitions.get(waiting.pop())
            if definition is None or definition.var.name in seen:
                continue
            seen.add(definition.var.name)
            value = definition.value
            if isinstance(value, n.Load):
                return "indirect", f"the index is read from {value.view.stem}"
            if isinstance(value, (n.Unary, n.Cast)) and isinstance(value.operand, n.Var):
                waiting.append(value.operand.name)
            elif isinstance(value, n.Binary):
                waiting.extend(side.name for side in (value.left, value.right) if isinstance(side, n.Var))
        stem = name.partition(".")[0]
        return "unknown", f"{stem} is no linear function of the loop counters"


KINDS: tuple[MapKind, ...] = ("affine", "quasi-affine", "indirect", "unknown")
"""From the best known map to the least known."""


def table(program: n.Program, overlapping: Iterable[str] = ()) -> AccessTable:
    """The access table of a program.

    Parameters
    ----------
    program
        The program.
    overlapping
        Names of parameters that may share memory, besides those that the program names itself.
    """
    shared = (*program.overlaps, *overlapping)
    return AccessTable((param.var for param in program.params), program.body, shared, assumed(program))


def written_roots(program: n.Program) -> frozenset[str]:
    """The names of the parameters and allocations that a program may write."""
    structure = Structure((param.var for param in program.params), program.body)
    return Aliases(structure).written(structure.root)
