"""When a copy of an array, made inside a parallel nest, may take the array's place.

From its beginning on, a loop works on copies of arrays, and so does what follows a branch. The program must not be able
to see that. What is written to the array after the copy was made would be missing in the copy, and what is written to
the copy would be missing in the array. The second can be mended: the copy is written back when the loop has ended.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from weft.analysis.access.access import Access, AccessTable
from weft.dataclass import dataclass
from weft.ir import nodes as n
from weft.ir.types import View
from weft.ir.visit import walk
from weft.transform.simplify.algebra import Definitions


@dataclass(frozen=True)
class Replaced:
    """An array whose place a copy may take; `is_written_back`: after the loop the copy is copied to it."""

    is_written_back: bool


def replaced(
    accesses: AccessTable, nest: n.For, statement: n.For | n.If, view: n.Var, own: set[str], beside: Iterable[n.Atom]
) -> Replaced | None:
    """Whether a copy of an array, made when a loop begins or at the end of a branch, may replace it from then on.

    Parameters
    ----------
    accesses
        Of the program.
    nest
        The outermost parallel loop, in whose body the statement stands, not inside of another loop.
    statement
        A loop that carries the array, or a branch that chooses it.
    view
        The array.
    own
        Names of the variables that will stand for the copy.
    beside
        Other arrays that the loop carries or the side of the branch yields.
    """
    aliases, outside = accesses.aliases, accesses.structure.loops[nest.label]
    roots = aliases.roots(view)
    if len(roots) > 1 or not roots.isdisjoint(aliases.overlapping):
        return None
    arrays = (a for a in beside if isinstance(a, n.Var) and isinstance(a.type, View))
    if any(not aliases.roots(array).isdisjoint(roots) for array in arrays):
        return None
    order = {id(s): number for number, s in enumerate(walk(nest.body))}
    end = order[id(statement)] + sum(1 for _ in walk(n.Block((statement,))))
    begin = order[id(statement)] if isinstance(statement, n.For) else end - 1
    others = [a for a in accesses.within(outside.body) if not accesses.roots(a).isdisjoint(roots)]
    named = [a for a in others if aliases.reaches(a.array, roots, own)]
    names = {id(a) for a in named}
    owned = [a for a in others if id(a) not in names]
    later = [a for a in named if order[id(a.site.statement)] > begin]
    inside = [a for a in later if order[id(a.site.statement)] < end]
    if not any(a.writes for a in owned):
        is_seen = any(a.writes for a in inside) or not _in_order(nest, owned, later, order, end)
        return None if is_seen else Replaced(False)
    is_made = aliases.is_made_in(view, outside)
    if is_made and not later:
        return Replaced(False)
    is_late = any(order[id(a.site.statement)] >= end for a in owned if a.writes)
    if is_late or inside or not isinstance(statement, n.For) or not _in_order(nest, owned, later, order, end):
        return None
    return Replaced(True) if is_made or _is_alone(nest, view, named) else None


def _in_order(nest: n.For, owned: Sequence[Access], later: Sequence[Access], order: dict[int, int], end: int) -> bool:
    """Whether nothing reads a copy after the array was written under another name."""
    reads = [id(a.site.statement) for a in owned if order[id(a.site.statement)] >= end]
    writes = [id(a.site.statement) for a in later if a.writes]
    places = {id(s): k for k, outer in enumerate(nest.body.statements) for s in walk(n.Block((outer,)))}
    together = {k for k, s in enumerate(nest.body.statements) if _is_parallel(s)}
    return all(
        order[read] < order[write] and (places[read] < places[write] or places[read] in together)
        for read in reads
        for write in writes
    )


def _is_parallel(statement: n.Statement) -> bool:
    """Whether a statement is a parallel loop, and so are all loops in it: no iteration sees what others write."""
    regions = [s for s in walk(n.Block((statement,))) if isinstance(s, (n.For, n.While))]
    return isinstance(statement, n.For) and all(isinstance(s, n.For) and s.mapping == "parallel" for s in regions)


def _is_alone(nest: n.For, view: n.Var, named: Sequence[Access]) -> bool:
    """Whether no other iteration of a nest touches an array: it is the row of a larger array that the nest's counter
    selects, and all accesses are to that row."""
    definitions: Definitions = {s.var.name: s.value for s in walk(nest.body) if isinstance(s, n.Let)}
    shown = definitions.get(view.name)
    if not isinstance(shown, n.Subview):
        return False
    rows = [k for k, axis in enumerate(shown.axes) if axis == nest.index]
    return any(all(_index(access, axis, shown.view, definitions) == nest.index for access in named) for axis in rows)


def _index(access: Access, axis: int, array: n.Var, definitions: Definitions) -> n.Atom | None:
    """The index of an access along an axis of an array; None if it is not a variable or a constant."""
    node = access.site.statement
    node = node.value if isinstance(node, n.Let) else node  # type: ignore[assignment]
    if not isinstance(node, (n.Load, n.Store, n.Update)):
        return None
    if node.view == array:
        return node.indices[axis]
    shown = definitions.get(node.view.name)
    if not isinstance(shown, n.Subview) or shown.view != array:
        return None
    found = shown.axes[axis]
    return found if isinstance(found, (n.Var, n.Const)) else None
