"""How often nested loops run in all, where the bounds of inner ones follow from the counters of outer ones.

The iterations of a triangle's rows, of a Cholesky factorisation or of a band are a polynomial in each outer counter. A
sum over the iterations 0, 1, ..., T - 1 of a polynomial of degree five or less is the weighted sum of its values at
three places, which need be no whole numbers: the middle, and two as far from it on either side that the second and
fourth moments are those of 0, ..., T - 1 (a Gauss rule for a discrete sum). So counts of up to six nested loops are
exact but for rounding; where a loop would run fewer than 0 times in part of an outer one's iterations, they are close.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from weft.cost.quantities import Quantity

FEW = 12
"""Iterations of a loop that are added up one by one."""


@dataclass(frozen=True)
class Extent:
    """The iterations of a loop: a number, and by how much each iteration of loops around it changes that.

    Attributes
    ----------
    label
        The loop.
    base
        Its iterations in the first ones of all loops around it.
    form
        By loop, how many more they are in each iteration.
    """

    label: str
    base: float
    form: Mapping[str, float]

    @staticmethod
    def of(label: str, trips: Quantity, middles: Mapping[str, float]) -> Extent:
        """From what is known of the number of iterations half-way; `middles` are those of the loops around."""
        if not trips.is_affine or trips.form is None:
            return Extent(label, trips.value, {})
        form = {outer: step for outer, step in trips.form.items() if step and outer in middles}
        return Extent(label, trips.value - sum(step * middles[outer] for outer, step in form.items()), form)


def iterations(loops: Sequence[Extent], at: Mapping[str, float] | None = None) -> float:
    """How often the innermost of nested loops runs in all.

    Examples
    --------
    >>> triangle = [Extent("i", 10.0, {}), Extent("j", 0.0, {"i": 1.0})]
    >>> iterations(triangle), iterations([*triangle, Extent("k", 0.0, {"j": 1.0})])
    (45.0, 120.0)
    """
    if not loops:
        return 1.0
    known = dict(at or {})
    (first, *rest) = loops
    trips = max(first.base + sum(step * known[outer] for outer, step in first.form.items()), 0.0)
    if not any(first.label in loop.form for loop in rest):
        return trips * iterations(rest, known) if trips else 0.0
    return sum(weight * iterations(rest, {**known, first.label: place}) for place, weight in _places(trips))


def _places(trips: float) -> Iterator[tuple[float, float]]:
    """Places among the iterations of a loop, and for how many of them each stands."""
    if trips <= FEW and trips == int(trips):
        yield from ((float(place), 1.0) for place in range(int(trips)))
        return
    middle = (trips - 1) / 2
    second = (trips * trips - 1) / 12
    apart = (3 * trips * trips - 7) / 20
    if second <= 0 or apart <= 0:
        yield middle, trips
        return
    outer = second / (2 * apart)
    yield middle, trips * (1 - 2 * outer)
    yield middle - math.sqrt(apart), trips * outer
    yield middle + math.sqrt(apart), trips * outer
