"""Which rows of each array a piece of a loop needs, and which it writes: the footprint along the axis that is cut."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from weft.analysis.access.access import Access
from weft.analysis.access.structure import Loop
from weft.analysis.dependence.verdicts import judge
from weft.analysis.values.hull import hull
from weft.analysis.values.linear import Form
from weft.analysis.values.ranges import Ranges
from weft.errors import UnsupportedError
from weft.ir import nodes as n
from weft.ir.types import View


@dataclass(frozen=True)
class Rows:
    """What a piece needs of an array.

    Attributes
    ----------
    axis
        The axis along which the array is cut; None where each piece needs all of it.
    before, behind
        How far below the counter, and above it, the indices reach: the halo. Both may be negative.
    write
        The distance of what is written from the counter; None where nothing is.
    is_used
        Whether the piece reads or writes any element.
    """

    axis: int | None
    before: int = 0
    behind: int = 0
    write: int | None = None
    is_used: bool = True

    def needed(self, low: int, high: int, extent: int) -> slice:
        """The rows that the iterations from `low` to `high` need."""
        if not self.is_used:
            return slice(0, 0)
        return slice(_inside(low - self.before, extent), _inside(high + self.behind, extent))

    def written(self, low: int, high: int, extent: int) -> slice:
        """The rows that these iterations write."""
        assert self.write is not None
        return slice(_inside(low + self.write, extent), _inside(high + self.write, extent))


def _inside(place: int, extent: int) -> int:
    return min(max(place, 0), extent)


def rows_of(program: n.Program, label: str) -> dict[str, Rows]:
    """What a piece of a loop needs of each array among the arguments, by name.

    Raises
    ------
    UnsupportedError
        Which rows a piece writes is not known.
    """
    table = judge(program).table
    loop = next(loop for loop in table.structure.loops.values() if loop.label == label)
    inside = table.within(loop.body)
    found = {}
    for param in program.params:
        if isinstance(param.var.type, View):
            accesses = [a for a in inside if param.var.name in table.roots(a)]
            around = any(not a.loops and param.var.name in table.roots(a) for a in table.accesses)
            name = param.source.name
            if around or accesses or not param.var.type.ndim:
                found[name] = _rows(program, table.ranges, param.var, loop, accesses, Rows(None) if around else None)
            else:
                found[name] = Rows(0, is_used=False)
    return found


def _rows(
    program: n.Program, ranges: Ranges, array: n.Var, loop: Loop, accesses: Sequence[Access], known: Rows | None
) -> Rows:
    view = array.type
    assert isinstance(view, View)
    writes = [access for access in accesses if access.writes]
    if known is not None and not writes:
        return known
    for axis in range(view.ndim):
        distances = [_distances(ranges, access, axis, loop, array) for access in accesses]
        written = {_distances(ranges, access, axis, loop, array) for access in writes}
        if not accesses or None in distances or len(written) > 1:
            continue
        lows, highs = zip(*(distance for distance in distances if distance is not None), strict=True)
        first, last = next(iter(written), None) or (0, 0)
        if first == last:
            return Rows(axis, -min(lows), max(highs), first if written else None)
    if writes:
        raise UnsupportedError(
            f"{program.name} cannot be cut into pieces for a cluster",
            writes[0].location,
            cause=f"which rows of {array.name} a piece of the loop over {loop.label} writes is not known",
            hint=f"write {array.name} at {loop.label} plus one constant, on one axis",
        )
    return Rows(None)


def _distances(ranges: Ranges, access: Access, axis: int, loop: Loop, array: n.Var) -> tuple[int, int] | None:
    """How far an index on an axis is from the counter of a loop, at the least and the most; None for no constants."""
    if access.indices is None or access.array != array or access.fields:
        return None
    index = access.indices[axis]
    if index.sign is not None:
        return None
    assert isinstance(loop.node, n.For)
    rest = index.form - Form({(loop.node.index.name,): 1})
    if rest.value is not None:
        return rest.value, rest.value
    around = access.loops[access.loops.index(loop) + 1 :]
    found = hull(ranges, rest, access.region, around[0]) if around else None
    if found is None:
        return None
    lows = [form.value for form in found.low if form.value is not None]
    highs = [form.value for form in found.high if form.value is not None]
    return (max(lows), min(highs)) if lows and highs else None


def loads_in(program: n.Program) -> bool:
    """Whether a program without loops reads elements of arrays."""
    from weft.ir.visit import walk

    return any(isinstance(s, n.Let) and isinstance(s.value, n.Load) for s in walk(program.body))
