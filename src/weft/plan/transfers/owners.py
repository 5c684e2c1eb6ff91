"""Which variable holds which array while a program runs, so that what is known of an array can follow it.

An array is *owned* by one variable at a time: a parameter, an allocation, or the argument or result of a loop that took
it over, as in ``u, v = v, u``. Arrays that two variables may show at one time, or that a branch chooses, are *shared*:
their data is moved around every launch, since nobody knows which of them is meant.
"""

from __future__ import annotations

from collections.abc import Iterator

from weft.analysis.access.access import AccessTable
from weft.analysis.access.structure import YIELD, Definition, Loop, Path, Region, Use
from weft.ir import nodes as n
from weft.ir.effects import VIEWS
from weft.ir.reference.memories import HOST
from weft.ir.types import View
from weft.plan.transfers.footprints import whole_array


class Owners:
    """The variables that hold whole arrays, in groups that pass arrays to one another.

    Parameters
    ----------
    program
        The program.
    table
        Its access table.
    share
        Whether all arrays are to be treated as shared.
    """

    def __init__(self, program: n.Program, table: AccessTable, share: bool = False) -> None:
        self.table = table
        self.structure = table.structure
        self._params = {p.var.name for p in program.params}
        self._guests = {p.var.name for p in program.params if p.home != HOST}
        self._overlapping = frozenset(program.overlaps)
        self._share = share
        self.vars = {d.var.name: d.var for d in self.structure.definitions.values() if self._is_holder(d)}
        self._group = {name: name for name in self.vars}
        for name in self.vars:
            for root in table.aliases.roots(self.vars[name]):
                self._join(name, root)
        self._group = {name: self.group(name) for name in self.vars}
        self._members: dict[str, list[str]] = {}
        for name in self.vars:
            self._members.setdefault(self.group(name), []).append(name)
        self._owned = {group: self._is_owned(members) for group, members in self._members.items()}

    def handle(self, view: n.Var) -> str:
        """The variable that holds the array of a view whole."""
        return whole_array(self.table, view).name

    def group(self, name: str) -> str:
        """The name of the group of a holder."""
        while self._group[name] != name:
            name = self._group[name]
        return name

    def members(self, group: str) -> list[str]:
        """The holders of a group."""
        return self._members[group]

    def is_owned(self, name: str) -> bool:
        """Whether an array is held by one variable at a time."""
        return self._owned[self.group(name)]

    def shown_inside(self, array: n.Var, path: Path) -> list[str]:
        """The shared arrays that were there before a statement and that one chosen inside of it may be."""
        if self.is_owned(array.name) or self.is_outside(array, path):
            return []
        roots = self.table.aliases.roots
        others = (self.vars[name] for name in self._members[self.group(array.name)])
        return [v.name for v in others if self.is_outside(v, path) and not roots(v).isdisjoint(roots(array))]

    def is_outside(self, array: n.Var, path: Path) -> bool:
        """Whether an array was there before the statement at a place."""
        definition = self.structure.definition(array)
        return definition.kind == "parameter" or definition.region.path[: len(path)] != path

    def may_be_parameter(self, name: str) -> bool:
        """Whether a holder may hold an argument of the call."""
        return any(member in self._params for member in self._members[self.group(name)])

    def is_guest(self, name: str) -> bool:
        """Whether a holder may hold an argument that has to be current in another memory than the host's at the end."""
        return not self._guests.isdisjoint(self._members[self.group(name)])

    def is_followed(self, name: str) -> bool:
        """Whether it is known all program long which array a holder has, and that it is such an argument."""
        members = self._members[self.group(name)]
        is_argument = all(self._is_argument(member) for member in members)
        return is_argument and self.is_owned(name) and self._params.intersection(members) <= self._guests

    def _is_argument(self, name: str) -> bool:
        return not isinstance(self.structure.definition(name).value, n.Alloc)

    def carried(self, loop: n.For | n.While) -> list[int]:
        """The positions of a loop's arguments that are owned arrays."""
        found = []
        for place, arg in enumerate(loop.args):
            if isinstance(arg.var.type, View) and self.is_owned(arg.var.name):
                found.append(place)
        return found

    def _is_holder(self, definition: Definition) -> bool:
        is_view = isinstance(definition.var.type, View) and not isinstance(definition.value, VIEWS)
        return is_view and not isinstance(definition.statement, n.Launch)

    def _join(self, a: str, b: str) -> None:
        first, second = self.group(a), self.group(b)
        if first != second:
            self._group[max(first, second)] = min(first, second)

    def _is_owned(self, members: list[str]) -> bool:
        if self._share or not self._overlapping.isdisjoint(members):
            return False
        return all(self._is_source(name) or self._is_passed_on(name) for name in members)

    def _is_source(self, name: str) -> bool:
        """Whether a holder is an array of the call or an allocation, which only loops take over."""
        definition = self.structure.definition(name)
        is_array = definition.kind == "parameter" or isinstance(definition.value, n.Alloc)
        return is_array and self._is_left_alone(definition)

    def _is_passed_on(self, name: str) -> bool:
        """Whether a holder gets its array from a loop, or a test around one, in which every array has one holder."""
        definition = self.structure.definition(name)
        if isinstance(definition.statement, n.If):
            return self._hands_on(definition.statement) and self._is_left_alone(definition)
        if not isinstance(definition.statement, (n.For, n.While)) or definition.kind not in ("argument", "result"):
            return False
        loop = self.structure.loops[definition.statement.label]
        return self._passes_on(loop) and self._is_left_alone(definition)

    def _passes_on(self, loop: Loop) -> bool:
        """Whether a loop takes over whole arrays from the block it stands in, each once, and hands on each once."""
        places = [k for k, arg in enumerate(loop.node.args) if isinstance(arg.var.type, View)]
        inits = [loop.node.args[k].init for k in places]
        yields = [loop.node.body.yields[k] for k in places]
        around = self._test_around(loop.region)
        taken = all(self._is_whole(v) and self.structure.definition(_var(v)).region in around for v in inits)
        given = all(self._is_whole(v) and self._is_inside(_var(v), loop) for v in yields)
        return taken and given and len(set(inits)) == len(inits) and len(set(yields)) == len(yields)

    def _hands_on(self, branch: n.If) -> bool:
        """Whether each way of a branch hands on whole arrays, each once."""
        for block in (branch.then, branch.orelse):
            views = [y for y in block.yields if isinstance(y.type, View)]
            if not all(map(self._is_whole, views)) or len(set(views)) < len(views):
                return False
        return True

    def _test_around(self, region: Region) -> tuple[Region, ...]:
        """A block, and the one around it where it is a way of a branch that hands on arrays."""
        owner = region.owner
        hands_on = isinstance(owner, n.If) and any(isinstance(r.type, View) for r in owner.results)
        return (region, region.parent) if hands_on and region.parent is not None else (region,)

    def _is_whole(self, atom: n.Atom) -> bool:
        return isinstance(atom, n.Var) and atom.name in self.vars

    def _is_inside(self, var: n.Var, loop: Loop) -> bool:
        return self.structure.definition(var).region is loop.body

    def _is_left_alone(self, definition: Definition) -> bool:
        """Whether nobody touches an array by a variable after a loop, or the end of its block, took it over."""
        uses = list(self._uses(definition.var.name))
        takers = [use for use in uses if self._takes_over(use, definition)]
        if any(definition.region not in self._test_around(use.region) for use in takers):
            return False
        if len(takers) > 1 and (len(takers) > 2 or takers[0].region.owner is not takers[1].region.owner):
            return False
        if len({use.region for use in takers}) < len(takers):
            return False
        return all(use in takers or all(self._is_before(use, taken) for taken in takers) for use in uses)

    def _takes_over(self, use: Use, definition: Definition) -> bool:
        if isinstance(use.statement, (n.For, n.While)):
            return True
        return use.position == YIELD and use.region is not self.structure.root

    @staticmethod
    def _is_before(use: Use, taken: Use) -> bool:
        """Whether a use comes before an array is taken over, or on another way."""
        first, second = (
            (*u.region.path, u.position if u.position != YIELD else len(u.region.block.statements))
            for u in (use, taken)
        )
        is_elsewhere = use.region.path[: len(taken.region.path) - 1] == taken.region.path[:-1] != ()
        return first < second or (is_elsewhere and use.region.path[: len(taken.region.path)] != taken.region.path)

    def _uses(self, name: str) -> Iterator[Use]:
        """The places that touch an array by a variable or by views made from it; asking for an extent does not."""
        for use in self.structure.uses.get(name, ()):
            statement = use.statement
            if isinstance(statement, n.Let) and isinstance(statement.value, VIEWS):
                yield from self._uses(statement.var.name)
            elif not (isinstance(statement, n.Let) and isinstance(statement.value, n.Dim)):
                yield use


def _var(atom: n.Atom) -> n.Var:
    assert isinstance(atom, n.Var)
    return atom
