"""Which views may show the same storage.

A root is a parameter or an allocation. Views that are carried round loops or chosen by branches may show several roots;
arrays that only change names (``u, v = v, u``) stay apart, which is proven by induction over the loop.
"""

from __future__ import annotations

from collections.abc import Callable, Container, Iterable, Iterator

from weft.analysis.access.structure import Definition, Loop, Region, Structure
from weft.ir import nodes as n
from weft.ir.effects import written_views
from weft.ir.types import View


class Aliases:
    """The storages behind the views of a program.

    Parameters
    ----------
    structure
        The code.
    overlapping
        Names of parameters that may share memory with one another; all others are distinct.

    Attributes
    ----------
    overlap
        Answers whether two views of one array may have elements in common; set by who knows more than the structure.
    """

    def __init__(self, structure: Structure, overlapping: Iterable[str] = ()) -> None:
        self.structure = structure
        self.overlapping = frozenset(overlapping)
        self.overlap: Callable[[n.Var, n.Var], bool] | None = None
        self._roots: dict[str, frozenset[str]] = {}
        self._written: dict[Region, frozenset[str]] = {}

    def handle(self, view: n.Var) -> n.Var:
        """The variable that holds the array of a view whole: its definition is no view of another view."""
        while True:
            value = self.structure.definition(view).value
            if not isinstance(value, (n.Subview, n.Transpose, n.Split, n.FieldView)):
                return view
            view = value.view

    def roots(self, view: n.Var) -> frozenset[str]:
        """The parameters and allocations that a view may show; with one overlapping parameter come all of them."""
        roots = self._roots.get(view.name)
        if roots is None:
            roots = frozenset(self._search_roots(view))
            if not roots.isdisjoint(self.overlapping):
                roots |= self.overlapping
            self._roots[view.name] = roots
        return roots

    def _search_roots(self, view: n.Var) -> Iterator[str]:
        for handle in self._handles(view):
            definition = self.structure.definition(handle)
            if not self._sources(definition) or isinstance(definition.statement, (n.Call, n.External)):
                yield handle.name

    def _handles(self, view: n.Var, without: Container[str] = ()) -> Iterator[n.Var]:
        """All handles that a view may be or come from, apart from some variables and what is only reached by these."""
        seen: set[str] = set()
        waiting = [view]
        while waiting:
            handle = self.handle(waiting.pop())
            if handle.name not in seen and handle.name not in without:
                seen.add(handle.name)
                yield handle
                waiting += self._sources(self.structure.definition(handle))

    def whole_arrays(self, view: n.Var) -> list[n.Var]:
        """The parameters and allocations of which a view may be all; none where it may be a part of one."""
        found: dict[str, n.Var] = {}
        seen: set[str] = set()
        waiting = [view]
        while waiting:
            current = waiting.pop()
            if current.name in seen:
                continue
            seen.add(current.name)
            definition = self.structure.definition(current)
            sources = self._sources(definition)
            is_other = isinstance(definition.statement, (n.Call, n.External)) or isinstance(definition.value, n.Merge)
            if is_other or self.handle(current) != current:
                return []
            waiting.extend(sources)
            if not sources:
                found[current.name] = current
        return list(found.values())

    def _sources(self, definition: Definition) -> list[n.Var]:
        """The views that a handle is one of; none for a root."""
        statement, place = definition.statement, definition.place
        if isinstance(statement, (n.For, n.While)) and definition.kind in ("argument", "result"):
            return _views((statement.args[place].init, statement.body.yields[place]))
        if isinstance(statement, n.If) and definition.kind == "result":
            return _views((statement.then.yields[place], statement.orelse.yields[place]))
        if isinstance(definition.value, n.Merge):
            return [definition.value.view]
        if isinstance(definition.value, n.Select):
            return _views((definition.value.then, definition.value.orelse))
        if isinstance(statement, (n.Call, n.External)):
            return _views(statement.operands)
        return []

    def written(self, region: Region) -> frozenset[str]:
        """The roots that something in a region may write."""
        if region not in self._written:
            found: set[str] = set()
            for site in region.sites():
                for view in self._written_by(site.statement):
                    found |= self.roots(view)
            self._written[region] = frozenset(found)
        return self._written[region]

    @staticmethod
    def _written_by(statement: n.Statement) -> Iterable[n.Var]:
        """The views that a statement itself may write; a called function is taken to write all that it is given."""
        return _views(statement.operands) if isinstance(statement, n.Call) else written_views(statement)

    def may_alias(self, left: n.Var, right: n.Var, loop: Loop | None = None) -> bool:
        """Whether two views may show one storage: at the same time, or in different iterations of `loop`."""
        return self._may_meet(left, right, loop, frozenset())

    def is_fresh_in(self, view: n.Var, loop: Loop) -> bool:
        """Whether the storage of a view is made anew in every iteration of a loop."""
        return all(
            self._is_allocation(root) and self.structure.is_inside(root, loop) for root in self.roots(view)
        ) and not self._is_carried_by(view, loop)

    def _is_carried_by(self, view: n.Var, loop: Loop) -> bool:
        return any(self._is_argument(handle, loop) for handle in self._handles(view))

    def _is_argument(self, handle: n.Var, loop: Loop) -> bool:
        definition = self.structure.definition(handle)
        return definition.kind == "argument" and definition.statement is loop.node

    def choices(self, view: n.Var, loop: Loop) -> list[n.Var] | None:
        """The views that a view may be, or be a part of, if each iteration of a loop chooses it.

        None if it may come from an earlier iteration, or from a function.
        """
        found: list[n.Var] = []
        seen: set[str] = set()
        waiting = [view]
        while waiting:
            current = waiting.pop()
            if current.name in seen:
                continue
            seen.add(current.name)
            handle = self.handle(current)
            definition = self.structure.definition(handle)
            if isinstance(definition.statement, (n.Call, n.External)) or self._is_argument(handle, loop):
                return None
            sources = self._sources(definition) if self.structure.is_inside(handle.name, loop) else []
            waiting += sources
            if not sources:
                found.append(current)
        return found

    def reaches(self, view: n.Var, roots: Container[str], through: Container[str]) -> bool:
        """Whether a view may show one of some roots in another way than through some variables."""
        return any(handle.name in roots for handle in self._handles(view, through))

    def is_made_in(self, view: n.Var, loop: Loop) -> bool:
        """Whether a view shows an array that each iteration of a loop makes."""
        handle = self.handle(view).name
        return self._is_allocation(handle) and self.structure.is_inside(handle, loop)

    def _is_allocation(self, root: str) -> bool:
        return isinstance(self.structure.definition(root).value, n.Alloc)

    def _roots_meet(self, a: n.Var, b: n.Var) -> bool:
        return not self.roots(a).isdisjoint(self.roots(b))

    def _may_meet(self, left: n.Var, right: n.Var, loop: Loop | None, assumed: frozenset[tuple[str, str]]) -> bool:
        a, b = self.handle(left), self.handle(right)
        if a == b:
            return self._may_change(a) or self.overlap is None or self.overlap(left, right)
        if not self._roots_meet(a, b):
            return False
        if loop is not None and (self._is_older(a, b, loop) or self._is_older(b, a, loop)):
            return False
        pair = (a.name, b.name) if a.name < b.name else (b.name, a.name)
        if pair in assumed:
            return False
        cases = self._cases(a, b, loop)
        return not cases or any(self._may_meet(x, y, loop, assumed | {pair}) for x, y in cases)

    def _is_older(self, first: n.Var, second: n.Var, loop: Loop) -> bool:
        """Whether an array was there before another one was made, of two that stay the same while a loop runs."""
        if any(self.structure.is_inside(array.name, loop) for array in (first, second)):
            return False
        earlier, later = (self.structure.definition(array) for array in (first, second))
        if earlier.kind == "result" and earlier.region is not later.region:
            return False  # the array may be made inside of the statement whose result the other one is
        return isinstance(later.value, n.Alloc) and earlier.order < later.order

    def _may_change(self, handle: n.Var) -> bool:
        """Whether a handle is a choice between arrays, and so perhaps not the same at different times."""
        return bool(self._sources(self.structure.definition(handle))) or handle.name in self.overlapping

    def _cases(self, a: n.Var, b: n.Var, loop: Loop | None) -> list[tuple[n.Var, n.Var]]:
        """Pairs of which one must meet for `a` and `b` to meet; none where nothing more is known.

        Results and arguments of one statement change together, unless they belong to different iterations of `loop`.
        """
        first, second = self.structure.definition(a), self.structure.definition(b)
        together = first.statement is not None and first.statement is second.statement and first.kind == second.kind
        if together and loop not in first.loops:
            return list(zip(self._sources(first), self._sources(second), strict=True))
        later, other = (first, b) if first.order > second.order else (second, a)
        sources = self._sources(later)
        if not sources:
            later, other = (second, a) if later is first else (first, b)
            sources = self._sources(later)
        return [(source, other) for source in sources]


def _views(atoms: Iterable[n.Atom]) -> list[n.Var]:
    return [atom for atom in atoms if isinstance(atom, n.Var) and isinstance(atom.type, View)]
