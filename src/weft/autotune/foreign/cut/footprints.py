"""Which elements a box of points of a grid touches, from `touches` as the user says it, without looking at each point.

What it does: `touches` is called once with sums of counters in place of numbers. What it returns are sums, of which the
least and the largest value over a box of points follow. ``//`` and ``%`` by whole numbers are followed, too. What it
does not: a function that compares or tests a counter says nothing of it, and `said` gives None.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NoReturn, TypeAlias

import numpy as np

from weft.autotune.foreign.touching import Touches

Ends: TypeAlias = "tuple[int, int]"
"""The first of some counters, and the one behind the last."""
Box: TypeAlias = "tuple[Ends, ...]"
"""Along each axis of an array, the first index and the one behind the last."""


class NotFollowedError(Exception):
    """Something was done with a counter that is not followed."""


@dataclass(frozen=True, eq=False)
class Quotient:
    """What a sum gives when it is divided by a whole number: ``//``, or the rest."""

    dividend: Sum
    divisor: int
    is_rest: bool


Symbol: TypeAlias = "int | Quotient"
"""The counter of a dimension, or something computed from counters."""


@dataclass(frozen=True, eq=False)
class Sum:
    """A sum of symbols times whole numbers, and a whole number."""

    terms: tuple[tuple[Symbol, int], ...]
    rest: int = 0

    def __add__(self, other: object) -> Sum:
        right = _sum(other)
        terms = dict(self.terms)
        for symbol, factor in right.terms:
            terms[symbol] = terms.get(symbol, 0) + factor
        return Sum(tuple((s, f) for s, f in terms.items() if f), self.rest + right.rest)

    __radd__ = __add__

    def __mul__(self, other: object) -> Sum:
        factor = _number(other)
        return Sum(tuple((s, f * factor) for s, f in self.terms if factor), self.rest * factor)

    __rmul__ = __mul__

    def __neg__(self) -> Sum:
        return self * -1

    def __pos__(self) -> Sum:
        return self

    def __sub__(self, other: object) -> Sum:
        return self + -_sum(other)

    def __rsub__(self, other: object) -> Sum:
        return -self + other

    def __floordiv__(self, other: object) -> Sum:
        return self._divided(other, is_rest=False)

    def __mod__(self, other: object) -> Sum:
        return self._divided(other, is_rest=True)

    def _divided(self, other: object, is_rest: bool) -> Sum:
        divisor = _number(other)
        if divisor < 1:
            raise NotFollowedError
        return Sum(((Quotient(self, divisor, is_rest), 1),))

    def _refused(self, *_: object) -> NoReturn:
        raise NotFollowedError

    __bool__ = __index__ = __int__ = __float__ = __hash__ = __abs__ = _refused
    __eq__ = __ne__ = __lt__ = __le__ = __gt__ = __ge__ = _refused

    def ends(self, box: Sequence[Ends]) -> Ends:
        """The least value over a box of points, and one more than the largest."""
        low = high = self.rest
        for symbol, factor in self.terms:
            first, end = _ends(symbol, box)
            values = factor * first, factor * (end - 1)
            low, high = low + min(values), high + max(values)
        return low, high + 1


def _ends(symbol: Symbol, box: Sequence[Ends]) -> Ends:
    if isinstance(symbol, int):
        return box[symbol]
    low, end = symbol.dividend.ends(box)
    first, last = low // symbol.divisor, (end - 1) // symbol.divisor
    if not symbol.is_rest:
        return first, last + 1
    return (low % symbol.divisor, (end - 1) % symbol.divisor + 1) if first == last else (0, symbol.divisor)


def _sum(value: object) -> Sum:
    return value if isinstance(value, Sum) else Sum((), _number(value))


def _number(value: object) -> int:
    if isinstance(value, Sum) and not value.terms:
        return value.rest
    if isinstance(value, bool) or not isinstance(value, (int, np.integer)):
        raise NotFollowedError
    return int(value)


@dataclass(frozen=True)
class Side:
    """Along one axis of an array: the first index of a point and the one behind its last, and whether all between
    are touched."""

    first: Sum
    end: Sum
    is_dense: bool = True

    def ends(self, box: Sequence[Ends], extent: int) -> Ends:
        """The part of the axis that a box of points touches."""
        low, high = max(self.first.ends(box)[0], 0), min(self.end.ends(box)[1] - 1, extent)
        return (low, high) if low < high else (0, 0)

    @property
    def counter(self) -> int | None:
        """The counter that alone decides where it is, if points beside one another leave out no index; else None."""
        if len(self.first.terms) != 1 or self.first.terms != self.end.terms:
            return None
        ((symbol, factor),) = self.first.terms
        return symbol if isinstance(symbol, int) and abs(factor) <= self.end.rest - self.first.rest else None


@dataclass(frozen=True)
class Footprint:
    """What points touch of an array; `sides` is None for all of it."""

    shape: tuple[int, ...]
    sides: tuple[Side, ...] | None

    def box(self, points: Sequence[Ends]) -> Box:
        """What some points touch, clipped to the array."""
        if self.sides is None or any(low >= high for low, high in points):
            return tuple((0, extent) for extent in self.shape)
        found = tuple(side.ends(points, extent) for side, extent in zip(self.sides, self.shape, strict=True))
        return found if all(low < high for low, high in found) else ((0, 0),) * len(self.shape)

    @property
    def is_filled(self) -> bool:
        """Whether boxes of points leave out no element of their box."""
        if self.sides is None or not all(side.is_dense for side in self.sides):
            return False
        counters = [side.counter for side in self.sides if side.first.terms or side.end.terms]
        return None not in counters and len(set(counters)) == len(counters)


def said(touches: Touches, known: Mapping[str, Any]) -> dict[str, Footprint] | None:
    """What each point of a kernel touches of each array that `touches` names; None where that is not followed.

    Parameters
    ----------
    touches
        As the user said it.
    known
        Arguments and tunables by name.
    """
    counters = [Sum(((axis, 1),)) for axis in range(len(touches.counters))]
    try:
        found = touches.function(*counters, **{name: known[name] for name in touches.others})
        return {name: _footprint(index, known[name].shape) for name, index in found.items()}
    except (NotFollowedError, TypeError, AttributeError, KeyError, ValueError, IndexError):
        return None


def _footprint(index: Any, shape: tuple[int, ...]) -> Footprint:
    parts = index if isinstance(index, tuple) else (index,)
    rest = (slice(None),) * (len(shape) - len(parts))
    return Footprint(shape, tuple(_sides((*parts, *rest), shape)))


def _sides(parts: Sequence[Any], shape: tuple[int, ...]) -> Iterator[Side]:
    for part, extent in zip(parts, shape, strict=True):
        if not isinstance(part, slice):
            yield Side(_sum(part), _sum(part) + 1)
            continue
        first = _sum(0 if part.start is None else part.start)
        end = _sum(extent if part.stop is None else part.stop)
        step = 1 if part.step is None else _number(part.step)
        yield Side(first, end, is_dense=step == 1)
