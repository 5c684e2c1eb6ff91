"""What stands between two loops, if the inner one's iterations are to run in another order."""

from __future__ import annotations

from weft.analysis.access.access import AccessTable
from weft.analysis.access.structure import Loop
from weft.ir import nodes as n
from weft.ir.effects import VIEWS
from weft.ir.visit import atoms_of


def is_known_before(accesses: AccessTable, loop: Loop, end: n.Atom) -> bool:
    """Whether a value is the same in all iterations of a loop, and known before it."""
    return isinstance(end, n.Const) or not accesses.structure.is_inside(end.name, loop)


def can_go_inside(accesses: AccessTable, loop: Loop, let: n.Let) -> bool:
    """Whether each inner iteration may compute for itself what an outer one does: it reads nothing that changes."""
    value = let.value
    late = {v.name for s in loop.node.body.statements if isinstance(s, n.For) for v in s.results}
    if isinstance(value, (n.Alloc, n.Undefined, *VIEWS)):
        return False
    if any(isinstance(a, n.Var) and a.name in late for a in atoms_of(let)):
        return False
    if not isinstance(value, n.Load):
        return True
    written = (a.array for a in accesses.within(loop.body) if a.writes)
    return not any(accesses.aliases.may_alias(value.view, array, loop) for array in written)
