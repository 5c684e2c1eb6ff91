"""Which elements of an array a piece of code touches: boxes from linear forms, and sets from isl where asked."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from weft.analysis.access.access import Access, AccessTable
from weft.analysis.access.structure import Loop, Region
from weft.analysis.dependence import sets
from weft.analysis.values.hull import Hull, hull
from weft.analysis.values.linear import Form, symbol


@dataclass(frozen=True, eq=False)
class Box:
    """The box around what one access touches.

    Attributes
    ----------
    access
        The access.
    sides
        The hull on every axis of the array; None for an axis of which nothing is known.
    must
        Whether the access is certainly made when the loops are not empty.
    exact
        Whether every element of the box is touched; otherwise the box is an over-approximation.
    """

    access: Access
    sides: tuple[Hull | None, ...] | None
    must: bool
    exact: bool


def footprint(table: AccessTable, accesses: Iterable[Access], loop: Loop | None = None) -> list[Box]:
    """The boxes of accesses over a loop and all loops inside of it; None sweeps all loops.

    Parameters
    ----------
    table
        The access table.
    accesses
        Accesses inside of the loop.
    loop
        The outermost loop to sweep.
    """
    return [_box(table, access, loop) for access in accesses]


def _box(table: AccessTable, access: Access, loop: Loop | None) -> Box:
    around: Region = table.structure.root if loop is None else loop.region
    must = access.is_certain_in(around)
    if access.indices is None:
        return Box(access, None, must, False)
    sides = tuple(
        hull(table.ranges, index.form, access.region, loop) if index.sign is None else None for index in access.indices
    )
    return Box(access, sides, must, must and _fills(table, access, sides, loop))


def _fills(table: AccessTable, access: Access, sides: tuple[Hull | None, ...], loop: Loop | None) -> bool:
    """Whether a box is filled: every axis runs by step 1 with a counter of its own, or stands still."""
    assert access.indices is not None
    outermost = access.loops[0] if loop is None and access.loops else loop
    seen: set[str] = set()
    for index, side in zip(access.indices, sides, strict=True):
        if side is None or not side.exact:
            return False
        inside = {s for s in index.form.names if outermost and table.structure.is_inside(s, outermost)}
        if len(inside) > 1 or inside & seen:
            return False
        if any(index.form.coefficient(name).value not in (1, -1) for name in inside):
            return False
        seen |= inside
    return True


def as_set(table: AccessTable, access: Access, loop: Loop) -> tuple[Any, list[str]] | None:
    """The elements that an access touches over a loop, as an ``islpy.Set`` whose parameters are known outside of it.

    Returns
    -------
    tuple or None
        The set, and the names of its parameters in order; None where an index is not linear or not known.
    """
    if access.indices is None or any(index.sign is not None for index in access.indices):
        return None
    outer = loop
    axes = [f"axis {k}" for k in range(len(access.indices))]

    def varies(name: str) -> bool:
        names = name.names() if hasattr(name, "names") else (name,)
        return name in axes or any(table.structure.is_inside(inner, outer) for inner in names)

    translation = sets.Translation(varies)
    for axis in axes:
        translation.name(axis)
    equations = [symbol(a) - index.form for a, index in zip(axes, access.indices, strict=True)]
    facts = [*table.ranges.facts(access.region), *_counter_bounds(table, access)]
    found = sets.make_set(translation, equations, facts)
    if not all(translation.constraint(e, "=") for e in equations):
        return None
    projected = found.project_out(sets.dimension(), len(axes), found.dim(sets.dimension()) - len(axes))
    return projected, [name for name in translation.symbols() if not varies(name)]


def _counter_bounds(table: AccessTable, access: Access) -> list[Form]:
    return [fact for loop in access.loops for fact in table.ranges.counter_facts(loop)]
