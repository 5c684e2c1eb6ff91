"""What a value inside a loop has an influence on, within one iteration: values, memory, branches, the next one."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from functools import cached_property

from weft.analysis.access.access import Access, AccessTable
from weft.analysis.access.structure import Region, Site, Use
from weft.analysis.termination.faults import may_raise
from weft.ir import nodes as n
from weft.ir.types import View
from weft.ir.visit import atoms_of, defined_by


@dataclass
class Influence:
    """What some variables influence inside a region.

    Attributes
    ----------
    names
        The variables, and all that depend on them.
    places
        Positions in the yields of the region that depend on them.
    effects
        Statements with effects whose operands depend on them, or that run or not depending on them.
    """

    names: set[str] = field(default_factory=set)
    places: set[int] = field(default_factory=set)
    effects: dict[Site, bool] = field(default_factory=dict)
    """True for effects that depend on the variables only by whether they happen."""
    faults: dict[Site, str] = field(default_factory=dict)
    """What may raise by itself, or not end: the variable that it defines from them, or nothing where they decide
    whether it runs."""

    def may_raise_besides(self, names: Iterable[str]) -> bool:
        """Whether the variables have an influence on exceptions, other than by computing the given variables."""
        links = set(names)
        return any(name not in links for name in self.faults.values())


def influence(
    table: AccessTable,
    region: Region,
    sources: Iterable[str],
    ignored: Iterable[str] = (),
    through_memory: bool = True,
) -> Influence:
    """What some variables influence inside a region.

    Parameters
    ----------
    table, region
        The code.
    sources
        The names of the variables.
    ignored
        Variables through which nothing flows.
    through_memory
        Whether a load depends on what an earlier store in the region may have put there.
    """
    return _Search(table, region, frozenset(ignored), through_memory).run(sources)


class _Search:
    def __init__(self, table: AccessTable, region: Region, ignored: frozenset[str], through_memory: bool) -> None:
        self.table = table
        self.through_memory = through_memory
        self.region = region
        self.ignored = ignored
        self.found = Influence()
        self.waiting: list[str] = []
        self._sites: dict[tuple[Region, int], Site] = {}

    @cached_property
    def _loads(self) -> list[Access]:
        return [access for access in self.table.within(self.region) if access.kind == "load"]

    def run(self, sources: Iterable[str]) -> Influence:
        self._add(sources)
        while self.waiting:
            name = self.waiting.pop()
            for use in self.table.structure.uses.get(name, ()):
                if self.region.contains(use.region):
                    self._use(name, use)
        return self.found

    def _add(self, names: Iterable[str]) -> None:
        for name in names:
            if name not in self.found.names and name not in self.ignored:
                self.found.names.add(name)
                self.waiting.append(name)

    def _use(self, name: str, use: Use) -> None:
        statement = use.statement
        if statement is None:
            self._yielded(name, use.region)
        elif isinstance(statement, n.Let):
            self._add((statement.var.name,))
            self._note_fault(self._site(use.region, use.position, statement), statement)
        elif isinstance(statement, n.If):
            self._control(use.region, use.position)
        elif isinstance(statement, (n.For, n.While)):
            self._enters_loop(name, statement, use)
        else:
            self._add(v.name for v in defined_by(statement))
            if is_effect(statement):
                self._effect(self._site(use.region, use.position, statement), False)

    def _yielded(self, name: str, region: Region) -> None:
        places = [p for p, atom in enumerate(region.block.yields) if isinstance(atom, n.Var) and atom.name == name]
        owner = region.owner
        if region is self.region:
            self.found.places.update(places)
            return
        assert region.parent is not None
        if isinstance(owner, n.While) and region.number == 0:
            self._control(region.parent, region.position)
        elif isinstance(owner, (n.For, n.While)):
            for place in places:
                self._add((owner.args[place].var.name, owner.results[place].name))
            if isinstance(owner, n.For) and owner.exit in places:
                self._control(region.parent, region.position)
        elif isinstance(owner, n.If):
            self._add(owner.results[place].name for place in places)

    def _enters_loop(self, name: str, statement: n.For | n.While, use: Use) -> None:
        if isinstance(statement, n.For) and any(
            isinstance(a, n.Var) and a.name == name for a in (statement.start, statement.stop)
        ):
            self._control(use.region, use.position)
        for arg, result in zip(statement.args, statement.results, strict=True):
            if isinstance(arg.init, n.Var) and arg.init.name == name:
                self._add((arg.var.name, result.name))

    def _control(self, region: Region, position: int) -> None:
        """Whether or how often the blocks of a statement run depends on the variables."""
        statement = region.block.statements[position]
        self._add(v.name for v in defined_by(statement))
        if isinstance(statement, (n.For, n.While)):
            self._add(arg.var.name for arg in statement.args)
        if isinstance(statement, n.For):
            self._add((statement.index.name,))
        for inner in region.inner.get(position, ()):
            for site in inner.sites():
                if is_effect(site.statement):
                    self._effect(site, True)
                elif may_raise(self.table, site):
                    self.found.faults[self._site(site.region, site.position, site.statement)] = ""

    def _note_fault(self, site: Site, statement: n.Let) -> None:
        if may_raise(self.table, site):
            self.found.faults.setdefault(site, statement.var.name)

    def _effect(self, site: Site, only_whether: bool) -> None:
        site = self._site(site.region, site.position, site.statement)
        known = self.found.effects.get(site)
        if known is None or (known and not only_whether):
            self.found.effects[site] = only_whether
            for access in self.table.written_at(site) if self.through_memory else ():
                self._flow_from(access)

    def _site(self, region: Region, position: int, statement: n.Statement) -> Site:
        return self._sites.setdefault((region, position), Site(region, position, statement))

    def _flow_from(self, written: Access) -> None:
        """Loads later in the same iteration may give what was written."""
        path, roots = written.site.path, self.table.roots(written)
        for access in self._loads:
            if self.table.roots(access).isdisjoint(roots):
                continue
            if access.site.path > path or self._is_repeated(access, written):
                self._add(v.name for v in defined_by(access.site.statement))

    def _is_repeated(self, access: Access, written: Access) -> bool:
        """Whether a loop inside the region runs two accesses again."""
        shared = (loop for loop in access.loops if loop in written.loops and self.region.contains(loop.body))
        return any(loop.body is not self.region for loop in shared)


def is_effect(statement: n.Statement) -> bool:
    """Whether a statement does more than to define variables; helpers that get no array compute and no more."""
    if isinstance(statement, n.Call):
        return any(isinstance(operand.type, View) for operand in statement.operands)
    return not isinstance(statement, (n.Let, n.For, n.While, n.If))


def uses_in_indices(statement: n.Statement, names: Iterable[str]) -> bool:
    """Whether a store uses one of some variables to say where it stores, and not in what it stores."""
    names = set(names)
    if not isinstance(statement, (n.Store, n.Update)):
        return False
    value = statement.value
    if isinstance(value, n.Var) and value.name in names:
        return False
    return any(isinstance(a, n.Var) and a.name in names for a in atoms_of(statement))
