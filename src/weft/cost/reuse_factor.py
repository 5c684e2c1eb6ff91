"""How often an element that a loop touches is touched: accesses over footprint."""

from __future__ import annotations

from dataclasses import dataclass

from weft.analysis.access.access import Access, AccessTable
from weft.analysis.access.footprint import footprint
from weft.analysis.access.structure import Loop
from weft.analysis.values.linear import Form
from weft.cost.polynomial import Polynomial, sum_over
from weft.ir import nodes as n


@dataclass(frozen=True)
class Reuse:
    """Reuse of the elements that one access touches over a loop.

    Attributes
    ----------
    accesses
        How often the access is made in one run of the loop.
    elements
        How many different elements it touches, at most.
    exact
        Whether both are exact.
    """

    accesses: Polynomial
    elements: Polynomial
    exact: bool


def reuse(table: AccessTable, access: Access, loop: Loop) -> Reuse | None:
    """The reuse of an access over a loop around it; None where its footprint or the iterations are not known."""
    (box,) = footprint(table, [access], loop)
    if box.sides is None:
        return None
    elements = Polynomial.of(1)
    for side in box.sides:
        if side is None:
            return None
        elements = elements * Polynomial.of(side.high[0] - side.low[0] + 1)
    times = _iterations(table, access, loop)
    return None if times is None else Reuse(times, elements, box.exact)


def _iterations(table: AccessTable, access: Access, loop: Loop) -> Polynomial | None:
    times = Polynomial.of(1)
    for inner in reversed(access.loops[access.loops.index(loop) :]):
        trips: Form | None = table.forms.trips(inner)
        if trips is None or not isinstance(inner.node, n.For):
            return None
        times = sum_over(times, inner.node.index.name, table.forms.of(inner.node.start), trips)
    return times
