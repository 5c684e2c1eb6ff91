"""Which parts of arrays a kernel or a piece of host code reads and writes, as boxes that are the same all program long.

Sides are forms of parameters, of numbers computed at the outermost level, and of extents; an axis whose bounds vary
within the program, or are not known, is taken whole.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import TypeAlias

from weft.analysis.access.access import Access, AccessTable
from weft.analysis.access.footprint import footprint
from weft.analysis.access.structure import Loop, Region
from weft.analysis.values.hull import Hull
from weft.analysis.values.linear import ZERO, Derived, Element, Extent, Form, extent
from weft.ir import nodes as n
from weft.ir.types import View
from weft.plan.transfers.regions import Box, Boxes, Side, Space

IsKnown: TypeAlias = Callable[[Form], bool]
"""Whether the sides of boxes may be a form: else those that are the same all program long may."""

MOST_PARTS = 4
"""More boxes of one array than this become their hull."""


@dataclass(frozen=True)
class Footprint:
    """What a piece of code touches, by the name of the variable that holds the whole array.

    Attributes
    ----------
    reads
        What must be current before: what is read, and what may be written but need not.
    writes
        What may be written.
    lines
        The lines of the source that touch each array.
    """

    reads: dict[str, Boxes] = field(default_factory=dict)
    writes: dict[str, Boxes] = field(default_factory=dict)
    lines: dict[str, tuple[int, ...]] = field(default_factory=dict)

    @property
    def arrays(self) -> tuple[str, ...]:
        """The arrays that are touched, in the order in which they are read, then written."""
        return tuple(dict.fromkeys((*self.reads, *self.writes)))


def space(table: AccessTable, array: n.Var, region: Region) -> Space:
    """The extents of an array, with proofs from what is known at a region."""
    return Space(table.forms.view(array).extents, lambda form: table.ranges.nonnegative(form, region))


def of_loop(table: AccessTable, loop: Loop, is_known: IsKnown | None = None) -> Footprint:
    """What a loop touches of arrays that were there before it."""
    accesses = with_whole_arrays(table, table.within(loop.body))
    inside = [a for a in accesses if not table.structure.is_inside(a.array.name, loop)]
    return of_accesses(table, inside, loop.region, loop, is_known)


def with_whole_arrays(table: AccessTable, accesses: Iterable[Access]) -> list[Access]:
    """Accesses; those to arrays with merged axes as accesses to any element of the arrays that have the axes apart."""
    return [_of_whole_array(table, access) for access in accesses]


def _of_whole_array(table: AccessTable, access: Access) -> Access:
    array = whole_array(table, access.array)
    return access if array == access.array else replace(access, array=array, fields=(), indices=None)


def whole_array(table: AccessTable, view: n.Var) -> n.Var:
    """The variable that holds the array of a view whole, with no axes merged."""
    array = table.aliases.handle(view)
    while isinstance(value := table.structure.definition(array).value, n.Merge):
        array = table.aliases.handle(value.view)
    return array


def of_extents(array: n.Var) -> Box:
    """All of an array."""
    assert isinstance(array.type, View)
    return tuple(Side(ZERO, extent(array.name, axis)) for axis in range(array.type.ndim))


def of_accesses(
    table: AccessTable,
    accesses: Sequence[Access],
    region: Region,
    loop: Loop | None = None,
    is_known: IsKnown | None = None,
) -> Footprint:
    """What accesses touch in one run of a region, each over the loops around it that are inside of the region."""
    found = Footprint()
    for array in dict.fromkeys(access.array for access in accesses):
        own = [access for access in accesses if access.array == array]
        where = space(table, array, region)
        reads = [part(table, a, region, loop, is_known)[0] for a in own if a.reads]
        writes = [(part(table, a, region, loop, is_known), a) for a in own if a.writes]
        sure = [box for (box, filled), _ in writes if filled]
        unsure = [box for (box, filled), _ in writes if not filled and not (sure and where.covers(sure, [box]))]
        if reads or unsure:
            found.reads[array.name] = _few(where, [*reads, *unsure], always=True)
        if writes:
            found.writes[array.name] = _few(where, [box for (box, _), _ in writes])
            if len(where.joined(box for (box, _), _ in writes)) > MOST_PARTS:
                found.reads[array.name] = _few(where, [*reads, *found.writes[array.name]], always=True)
        found.lines[array.name] = tuple(sorted({a.location.line for a in own}))
    return found


def add_whole(found: Footprint, whole: Mapping[str, Box], access: Access) -> None:
    """Add arrays of which an access may touch any element to a footprint."""
    for name, box in whole.items():
        found.reads[name] = (box,)
        found.writes.update({name: (box,)} if access.writes else {})
        found.lines[name] = tuple(sorted({*found.lines.get(name, ()), access.location.line}))


def _few(where: Space, boxes: Sequence[Box], always: bool = False) -> Boxes:
    """The boxes, or their hull where they are many, or where it is wanted anyway."""
    found = where.least_hull(boxes) if always else None
    if found is not None:
        return (found,)
    joined = where.joined(boxes)
    return joined if len(joined) == 1 or (len(joined) <= MOST_PARTS and not always) else (where.hull(joined),)


def part(
    table: AccessTable, access: Access, region: Region, loop: Loop | None = None, is_known: IsKnown | None = None
) -> tuple[Box, bool]:
    """The box that an access touches in one run of a region, and whether all of it is certainly touched."""
    where = space(table, access.array, region)
    own = access.loops[len(region.loops) :] if loop is None else access.loops[access.loops.index(loop) :]
    hulls, filled = _hulls(table, access, own)
    if hulls is None:
        return where.whole, False
    known = is_known or (lambda form: is_stable(table, form))
    sides = [_side(known, where, axis, hull, access) for axis, hull in enumerate(hulls[: len(where.extents)])]
    tight = all(is_tight for _, is_tight in sides)
    return tuple(side for side, _ in sides), filled and tight and not access.fields and access.is_certain_in(region)


def _hulls(table: AccessTable, access: Access, own: Sequence[Loop]) -> tuple[Sequence[Hull | None] | None, bool]:
    """The hulls of an access's indices over loops, and whether every element of them is touched."""
    if access.indices is None:
        return None, False
    if own:
        (box,) = footprint(table, [access], own[0])
        return box.sides, box.exact and _is_never_idle(table, access, own)
    is_point = all(index.sign is None for index in access.indices)
    return [Hull((i.form,), (i.form,), True) if is_point else None for i in access.indices], is_point


def _side(known: IsKnown, where: Space, axis: int, hull: Hull | None, access: Access) -> tuple[Side, bool]:
    """The indices between the bounds of a hull that are known, and whether these are its tightest ones."""
    size = where.extents[axis]
    if hull is None:
        return Side(ZERO, size), False
    inside = access.bounds == "safe"
    low = next((f for f in hull.low if known(f) and (inside or where.proves(f))), None)
    high = next((f for f in hull.high if known(f) and (inside or where.proves(size - f - 1))), None)
    tight = low is not None and high is not None and low == hull.low[0] and high == hull.high[0]
    return Side(ZERO if low is None else low, size if high is None else high + 1), tight


def is_stable(table: AccessTable, form: Form) -> bool:
    """Whether a form has one value all program long, which can be computed from what the outermost level knows."""
    return all(_is_stable_symbol(table, name) for name in form.symbols)


def _is_stable_symbol(table: AccessTable, name: str) -> bool:
    if isinstance(name, Extent):
        return True
    if isinstance(name, Element):
        return False
    if isinstance(name, Derived):
        return all(is_stable(table, part) for part in name.parts)
    definition = table.structure.definitions.get(name)
    is_value = definition is not None and definition.kind in ("parameter", "let")
    return is_value and definition is not None and definition.region is table.structure.root


def _is_never_idle(table: AccessTable, access: Access, loops: Iterable[Loop]) -> bool:
    """Whether loops that move no index certainly run: an axis without elements is no reason to doubt the others."""
    assert access.indices is not None
    names = frozenset().union(*(index.form.names for index in access.indices))
    idle = (loop for loop in loops if not isinstance(loop.node, n.For) or loop.node.index.name not in names)
    return all(map(table.ranges.runs, idle))


def is_view(atom: n.Atom) -> bool:
    """Whether an atom is an array."""
    return isinstance(atom, n.Var) and isinstance(atom.type, View)
