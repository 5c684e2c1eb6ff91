"""What becomes of loaded values in a kernel that is laid out, and what its accesses to shared memory cost."""

from __future__ import annotations

from weft.analysis.access.access import AccessTable
from weft.ir import nodes as n
from weft.ir.types import Scalar, Type, Vector
from weft.ir.visit import walk
from weft.schedule.legality import BYPASSING

COPIES = (n.Lane, n.Cast, n.Pack)


def passed_on(table: AccessTable) -> frozenset[str]:
    """Names of the variables whose values go to shared memory as they are, also by way of registers."""
    sources = _sources(table)
    shared = {name for name, d in table.structure.definitions.items() if _is_shared(d.value)}
    found, waiting = set(shared), list(shared)
    while waiting:
        for name in sources.get(waiting.pop(), ()):
            if name not in found:
                found.add(name)
                waiting.append(name)
    return frozenset(found)


def past_cache(table: AccessTable) -> frozenset[str]:
    """Names of the variables that are loaded for copies to shared memory which the first-level cache does not see."""
    stores = (s for s in walk(table.structure.root.block) if isinstance(s, n.Store) and s.late)
    values = (store.value for store in stores)
    return frozenset(v.name for v in values if isinstance(v, n.Var) and _size(v.type) >= BYPASSING)


def _size(type: Type) -> int:
    if isinstance(type, Vector):
        return type.element.size * type.lanes
    return type.size if isinstance(type, Scalar) else 0


def _is_shared(value: n.Expression | None) -> bool:
    return isinstance(value, n.Alloc) and value.memory == "shared"


def _sources(table: AccessTable) -> dict[str, list[str]]:
    """For each variable and array of a block's own, where its values are copied from."""
    found: dict[str, list[str]] = {}
    for statement in walk(table.structure.root.block):
        if isinstance(statement, n.Store) and isinstance(statement.value, n.Var):
            found.setdefault(statement.view.name, []).append(statement.value.name)
        elif isinstance(statement, n.Let) and isinstance(statement.value, COPIES):
            value = statement.value
            items = value.items if isinstance(value, n.Pack) else (value.operand,)
            found.setdefault(statement.var.name, []).extend(a.name for a in items if isinstance(a, n.Var))
        elif isinstance(statement, n.Let) and isinstance(statement.value, n.Load):
            found.setdefault(statement.var.name, []).append(statement.value.view.name)
    return found
