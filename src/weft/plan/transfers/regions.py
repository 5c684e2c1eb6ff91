"""Parts of an array as boxes with symbolic sides, and what can be proven of them.

A box stands for the elements of the array that are inside it: sides may reach beyond the array, and a side that stops
before it begins makes the box empty. Whatever is not proven counts against the plan: a box is then not covered, not
apart, and a difference is larger than it need be.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import TypeAlias

from weft.analysis.values.linear import ZERO, Form, Positive, positive


@dataclass(frozen=True)
class Side:
    """The indices from `low` up to but without `stop` on one axis."""

    low: Form
    stop: Form

    def __str__(self) -> str:
        return f"{self.low}:{self.stop}"


Box: TypeAlias = tuple[Side, ...]
"""One side for every axis of the array."""

Boxes: TypeAlias = tuple[Box, ...]

MOST_BOXES = 12
"""More boxes than this are not told apart: the parts that are left over from a difference stay what they were."""


@dataclass(frozen=True)
class Space:
    """An array's extents, and who proves that a form is not negative at a place of the program."""

    extents: tuple[Form, ...]
    proves: Callable[[Form], bool]

    @property
    def whole(self) -> Box:
        """All of the array."""
        return tuple(Side(ZERO, size) for size in self.extents)

    def contains(self, outer: Box, inner: Box) -> bool:
        """Whether a box is proven to be inside another."""
        return outer == inner or all(
            self._starts_before(a.low, b) and self._stops_after(a.stop, b, size)
            for a, b, size in zip(outer, inner, self.extents, strict=True)
        )

    def apart(self, left: Box, right: Box) -> bool:
        """Whether two boxes are proven to have no element in common."""
        pairs = zip(left, right, strict=True)
        return any(self._holds(b.low - a.stop, a, b) or self._holds(a.low - b.stop, a, b) for a, b in pairs)

    def covers(self, boxes: Iterable[Box], wanted: Iterable[Box]) -> bool:
        """Whether some boxes are proven to cover others."""
        return not self.minus(wanted, boxes)

    def minus(self, boxes: Iterable[Box], taken: Iterable[Box]) -> Boxes:
        """What is left of boxes without others: exactly that where it can be proven, else more."""
        left = list(boxes)
        for box in taken:
            parts = [part for other in left for part in self._without(other, box)]
            left = parts if len(parts) <= MOST_BOXES else [b for b in left if not self.contains(box, b)]
        return tuple(left)

    def joined(self, boxes: Iterable[Box]) -> Boxes:
        """The boxes without those that are inside another."""
        kept: list[Box] = []
        for box in dict.fromkeys(boxes):
            if not any(self.contains(other, box) for other in kept):
                kept = [other for other in kept if not self.contains(box, other)]
                kept.append(box)
        return tuple(kept)

    def hull(self, boxes: Sequence[Box]) -> Box:
        """A box around others."""
        around = zip(self._lows(boxes), self._stops(boxes), self.extents, strict=True)
        return tuple(Side(ZERO if a is None else a, size if b is None else b) for a, b, size in around)

    def least_hull(self, boxes: Sequence[Box]) -> Box | None:
        """The smallest box around others, if it is known; without asking which of them are inside of one another."""
        around = zip(self._lows(boxes), self._stops(boxes), strict=True)
        sides = [Side(low, stop) for low, stop in around if low is not None and stop is not None]
        return tuple(sides) if len(sides) == len(self.extents) else None

    def _lows(self, boxes: Sequence[Box]) -> list[Form | None]:
        return [self._least([box[axis].low for box in boxes]) for axis in range(len(self.extents))]

    def _stops(self, boxes: Sequence[Box]) -> list[Form | None]:
        return [self._most([box[axis].stop for box in boxes]) for axis in range(len(self.extents))]

    def _without(self, box: Box, taken: Box) -> list[Box]:
        """The parts of a box outside another, cut off axis by axis; none of them reaches out of the box."""
        if self.contains(taken, box):
            return []
        if self.apart(box, taken):
            return [box]
        parts: list[Box] = []
        rest = list(box)
        for axis, (own, other) in enumerate(zip(box, taken, strict=True)):
            size, low, stop = self.extents[axis], own.low, own.stop
            if not self._starts_before(other.low, own):
                if own.stop != size and not self.proves(own.stop - other.low):
                    return [box]
                parts.append((*rest[:axis], Side(own.low, other.low), *rest[axis + 1 :]))
                low = other.low if self.proves(other.low - own.low) else low
            if not self._stops_after(other.stop, own, size):
                if own.low != ZERO and not self.proves(other.stop - own.low):
                    return [box]
                parts.append((*rest[:axis], Side(other.stop, own.stop), *rest[axis + 1 :]))
                stop = other.stop if self.proves(own.stop - other.stop) else stop
            rest[axis] = Side(low, stop)
        return parts

    def _starts_before(self, low: Form, side: Side) -> bool:
        return low == side.low or self._holds(side.low - low, side) or self.proves(-low)

    def _stops_after(self, stop: Form, side: Side, size: Form) -> bool:
        return stop in (side.stop, size) or self._holds(stop - side.stop, side) or self.proves(stop - size)

    def _holds(self, form: Form, *sides: Side) -> bool:
        """Whether a form is proven not to be negative where none of some sides is empty: of empty ones all is true."""
        return self.proves(form) or any(self.proves(form - (side.stop - side.low) + 1) for side in sides)

    def _least(self, forms: list[Form]) -> Form | None:
        """The first of some forms that is proven to be no more than all of them."""
        different = list(dict.fromkeys(forms))
        return next((f for f in different if all(f == g or self.proves(g - f) for g in different)), None)

    def _most(self, forms: list[Form]) -> Form | None:
        different = list(dict.fromkeys(forms))
        return next((f for f in different if all(f == g or self.proves(f - g) for g in different)), None)


def taken_whole(where: Space, owed: Boxes, wanted: Boxes) -> tuple[Boxes, Boxes]:
    """Which of some boxes may meet wanted ones, and which do not."""
    met = tuple(box for box in owed if not all(where.apart(box, w) for w in wanted))
    return met, tuple(box for box in owed if box not in met)


def taken_alone(where: Space, owed: Boxes, wanted: Boxes) -> tuple[Boxes, Boxes] | None:
    """What of some boxes is wanted, and what is left of them then, if it is proven that the two do not meet."""
    taken: list[Box] = []
    left: list[Box] = []
    for box in owed:
        met = where.joined(w for w in wanted if not where.apart(box, w))
        if any(where.contains(w, box) for w in met):
            taken.append(box)
            continue
        rest = where.minus((box,), met)
        if not all(where.contains(box, w) and where.apart(r, w) for w in met for r in rest):
            return None
        taken += met
        left += rest
    return where.joined(taken), tuple(left)


ExtentsOf: TypeAlias = Callable[[str], tuple[Form, ...]]
"""The extents of an array by the variable that holds it."""


def renamed(boxes: Boxes, names: Mapping[str, str], extents_of: ExtentsOf) -> Boxes:
    """The boxes after arrays have changed names: their extents are those of the new names."""
    if not boxes or not names:
        return boxes
    values = {f"{old}.shape[{axis}]": size for old, new in names.items() for axis, size in enumerate(extents_of(new))}
    return tuple(tuple(Side(s.low.substitute(values), s.stop.substitute(values)) for s in box) for box in boxes)


def settled(form: Form, proves: Callable[[Form], bool]) -> Form:
    """The form with ``max(x, 0)`` replaced by what it is wherever the sign of ``x`` is proven."""
    values: dict[str, Form] = {}
    for name in form.symbols:
        if isinstance(name, Positive):
            inner = settled(name.parts[0], proves)
            values[name] = ZERO if proves(-inner) else inner if proves(inner) else positive(inner)
    return form.substitute(values) if values else form


def text(box: Box, extents: Sequence[Form]) -> str:
    """A box as Python's slices: ``[1:n - 1, :]``."""
    sides = []
    for side, size in zip(box, extents, strict=True):
        low = "" if side.low == ZERO else str(side.low)
        sides.append(f"{low}:" if side.stop == size else f"{low}:{side.stop}")
    return f"[{', '.join(sides)}]"
