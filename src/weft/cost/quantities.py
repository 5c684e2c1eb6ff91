"""What the walker knows of integers and arrays of a program: numbers, how they follow from counters, extents, strides.

All numbers are for given sizes. What is not known is NaN. An integer that differs from iteration to iteration has the
value that it has half-way.
"""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import TypeAlias

Tally: TypeAlias = "defaultdict[str, float]"
"""Amounts by name; none is 0."""

UNKNOWN = math.nan
LINE = 64
"""Bytes of a line of the cache."""

PAGE = 4096
"""Bytes of a page: prefetchers do not look beyond."""


@dataclass(frozen=True)
class Quantity:
    """An integer.

    Attributes
    ----------
    value
        Half-way through the loops around it; NaN where that is not known.
    form
        By loop, how much it changes from one iteration to the next; None where it does not do so evenly. What is taken
        modulo something keeps the form that it has between two wraps.
    depends
        The loops on which it depends.
    values
        How many values it can have at most.
    wraps
        Whether it is taken modulo something, or masked.
    read
        Whether it follows from elements of arrays.
    span
        How far its values lie apart at most, where it is taken modulo something; else infinite.
    grain
        What all distances between its values are multiples of.
    """

    value: float = UNKNOWN
    form: Mapping[str, float] | None = field(default_factory=dict)
    depends: frozenset[str] = frozenset()
    values: float = math.inf
    wraps: bool = False
    read: bool = False
    span: float = math.inf
    grain: int = 1

    @property
    def is_affine(self) -> bool:
        """Whether it is a sum of multiples of counters."""
        return self.form is not None and not self.wraps

    def is_fixed_beside(self, other: Quantity) -> bool:
        """Whether it is one number while loops run on which another one depends, as far as is known: the size of a
        tile that loops further out choose counts as it is half-way."""
        chosen = self.form is None and not self.read and self.value == self.value
        return not self.depends or (chosen and not self.depends & other.depends)

    def step(self, loop: str) -> float:
        """How much it changes in an iteration of a loop; NaN where that differs."""
        if loop not in self.depends:
            return 0.0
        return self.form.get(loop, 0.0) if self.form is not None else UNKNOWN

    def distinct(self, trips: Mapping[str, float]) -> float:
        """How many values it has while these loops run."""
        moving = [(label, trips[label]) for label in self.depends if label in trips]
        if not moving:
            return 1.0
        count = math.prod(number for _, number in moving)
        if self.form is not None:
            count = min(count, 1 + sum(abs(self.form.get(label, 1.0)) * (number - 1) for label, number in moving))
        return max(min(count, self.values), 1.0)


def tally() -> Tally:
    """An empty one."""
    return defaultdict(float)


NOTHING = Quantity(UNKNOWN, None)


def constant(value: float) -> Quantity:
    """A number."""
    return Quantity(float(value), {}, frozenset(), 1.0)


def element_of(indices: Sequence[Quantity]) -> Quantity:
    """An integer that is read from an array."""
    depends = frozenset().union(*(index.depends for index in indices))
    return Quantity(UNKNOWN, None, depends, math.inf, True, True)


def combined(op: str, left: Quantity, right: Quantity, value: float) -> Quantity:
    """The result of an operation whose value is known to be `value`, or NaN."""
    depends, read = left.depends | right.depends, left.read or right.read
    if op in ("add", "sub"):
        sign = 1.0 if op == "add" else -1.0
        form = _sum(left.form, right.form, sign)
        span = left.span + right.span if left.depends and right.depends else left.span if left.depends else right.span
        grain = math.gcd(left.grain if left.depends else 0, right.grain if right.depends else 0) or 1
        return Quantity(value, form, depends, left.values * right.values, left.wraps or right.wraps, read, span, grain)
    if op == "mul":
        return _product(left, right, value, depends, read)
    if op == "mod":
        bound = abs(right.value) if not right.depends and right.value == right.value else math.inf
        return _wrapped(left, value, depends, bound)
    if op == "and":
        masks = [side.value + 1 for side in (left, right) if not side.depends and side.value == side.value]
        return _wrapped(left if left.depends else right, value, depends, min([math.inf, *masks]))
    if op in ("floordiv", "shr") and not right.depends and right.value == right.value and right.value > 0:
        by = right.value if op == "floordiv" else 2.0**right.value
        form = None if left.form is None else {label: step / by for label, step in left.form.items()}
        return Quantity(value, form, depends, left.values, left.wraps, read)
    return Quantity(value, None if depends else {}, depends, left.values * right.values, True, read)


def _product(left: Quantity, right: Quantity, value: float, depends: frozenset[str], read: bool) -> Quantity:
    for one, other in ((left, right), (right, left)):
        if other.is_fixed_beside(one):
            factor = other.value
            known = one.form is not None and factor == factor
            form = {label: step * factor for label, step in (one.form or {}).items()} if known else None
            grain = one.grain * abs(int(factor)) if known and factor else 1
            return Quantity(value, form, depends, one.values, one.wraps, read, one.span * max(abs(factor), 1.0), grain)
    return Quantity(value, None, depends, left.values * right.values, True, read)


def _wrapped(quantity: Quantity, value: float, depends: frozenset[str], bound: float) -> Quantity:
    """What is left of an integer modulo `bound`: evenly spaced values fall on multiples of a divisor of both."""
    grain = math.gcd(quantity.grain, int(bound)) if bound < math.inf and bound >= 1 else 1
    values = min(quantity.values, bound / grain)
    span = min(bound, quantity.span)
    return replace(quantity, value=value, depends=depends, values=values, wraps=bool(depends), span=span, grain=grain)


def _sum(
    left: Mapping[str, float] | None, right: Mapping[str, float] | None, sign: float
) -> Mapping[str, float] | None:
    if left is None or right is None:
        return None
    return {label: left.get(label, 0.0) + sign * right.get(label, 0.0) for label in {**left, **right}}


@dataclass(frozen=True)
class Region:
    """A view of an array: the array, extents, and bytes from one element to the next along each axis."""

    root: str
    extents: tuple[float, ...]
    strides: tuple[float, ...]
    itemsize: int
    size: float = math.inf
    """Bytes of the whole array."""

    @staticmethod
    def whole(root: str, extents: Sequence[float], itemsize: int, strides: Sequence[float] | None = None) -> Region:
        """An array of its own, in C order if no strides are given."""
        steps: list[float] = []
        step = float(itemsize)
        for extent in reversed(extents):
            steps.insert(0, step)
            step *= max(extent, 1) if extent == extent else 1
        size = math.prod(max(extent, 0) for extent in extents) * itemsize
        return Region(root, tuple(extents), tuple(strides or steps), itemsize, size if size == size else math.inf)
