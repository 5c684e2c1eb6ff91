"""Copies to the device start where the host has last written what they copy, and not where a kernel needs it.

So they run beside what the host does in between. A copy stays in its block, and behind whatever may wait for the
device: the host would wait for the copy, too.
"""

from __future__ import annotations

from collections.abc import Iterable

from weft.analysis.access.structure import Region
from weft.ir import nodes as n
from weft.ir.reference.memories import HOST
from weft.ir.types import View
from weft.ir.visit import defined_by, free_variables, walk
from weft.plan.transfers.effects import Touches


class Early:
    """The statements of one block with their copies, as they are put together.

    Parameters
    ----------
    touches
        What the program's own statements touch.
    region
        The block.
    naive
        Whether copies stay where they are.
    """

    def __init__(self, touches: Touches, region: Region, naive: bool) -> None:
        self.touches = touches
        self.region = region
        self.naive = naive
        self.statements: list[n.Statement] = []
        self.own: dict[int, int] = {}
        """The positions in the block of statements that the host runs, by their identities."""
        self.roots: dict[int, frozenset[str]] = {}
        """What copies may touch, by their identities."""

    def add(self, made: Iterable[n.Statement], position: int) -> None:
        """What became of the statement at a position, with what moves its data."""
        original = self.region.block.statements[position]
        prepared: list[n.Statement] = []
        for statement in made:
            if isinstance(statement, (n.Let, n.Reserve)) and statement is not original:
                prepared.append(statement)
            elif isinstance(statement, n.Copy) and statement.source == HOST:
                self.start([*prepared, statement], statement)
                prepared = []
            else:
                if isinstance(statement, n.Copy):
                    self.roots[id(statement)] = self.roots_of(prepared, statement)
                self.statements += [*prepared, statement]
                prepared = []
        self.statements += prepared
        if self.statements and self.statements[-1] is original:
            self.own[id(original)] = position

    def start(self, group: list[n.Statement], copy: n.Copy) -> None:
        """Put a copy, with what makes its view, as early as it may stand."""
        needs = {var.name for var in free_variables(n.Block(tuple(group)))}
        roots = self.roots[id(copy)] = self.roots_of(group, copy)
        place = end = len(self.statements)
        while place and not self.naive and self.lets_pass(self.statements[place - 1], needs, roots):
            place -= 1
        if not any(id(s) in self.own and isinstance(s, (n.For, n.While)) for s in self.statements[place:]):
            place = end  # nothing to run beside; where copies keep the host busy, kernels before it go first
        self.statements[place:place] = group

    def roots_of(self, group: list[n.Statement], copy: n.Copy) -> frozenset[str]:
        """The roots of the array of which a copy moves elements."""
        return self.touches.table.aliases.roots(_array(group, copy))

    def lets_pass(self, statement: n.Statement, needs: set[str], roots: frozenset[str]) -> bool:
        """Whether a copy of an array with these roots may as well stand before a statement."""
        if any(var.name in needs for var in defined_by(statement)):
            return False
        if isinstance(statement, n.Launch):
            return not statement.results and not self.shares(statement.operands, roots)
        if isinstance(statement, n.Copy):
            return roots.isdisjoint(self.roots.get(id(statement), roots))
        if isinstance(statement, n.Reserve):
            return not self.shares((statement.view,), roots)
        if id(statement) not in self.own:
            return isinstance(statement, n.Let)
        if any(isinstance(s, n.External) for s in walk(n.Block((statement,)))):
            return False
        written = self.touches.host_footprint(self.region, self.own[id(statement)]).writes
        return not self.shares((self.touches.owners.vars[name] for name in written), roots)

    def shares(self, atoms: Iterable[n.Atom], roots: frozenset[str]) -> bool:
        """Whether one of some arrays may have elements of those with these roots."""
        known = self.touches.structure.definitions
        views = [a for a in atoms if isinstance(a, n.Var) and isinstance(a.type, View)]
        return any(v.name not in known or not roots.isdisjoint(self.touches.table.aliases.roots(v)) for v in views)


def _array(group: Iterable[n.Statement], copy: n.Copy) -> n.Var:
    """The array of which a copy's view was cut."""
    values = {s.var.name: s.value for s in group if isinstance(s, n.Let)}
    view = copy.view
    while isinstance(value := values.get(view.name), (n.Subview, n.Transpose)):
        view = value.view
    return view
