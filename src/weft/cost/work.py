"""How much a program does for given sizes: an outline of it, made when it is compiled, that computes with sizes alone.

An outline is Python code (`weft.plan.outline` writes it) that takes the extents of arrays and the values of integers,
and tells a `Meter` of each nest how often it runs, how many iterations may run at once, what they compute and which
bytes they touch. What depends on data is not known (`UNKNOWN`); loops of which nobody knows how often they run count as
`UNKNOWN_TRIPS` iterations.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, TypeAlias

from weft.ir.interface import Source

Number: TypeAlias = "int | float"
"""An integer of the program, or `UNKNOWN`."""

UNKNOWN = math.nan
UNKNOWN_TRIPS = 16

SIMPLE, CHAINED, DIVISION, FUNCTION, PRODUCT = "simple", "chained", "division", "function", "product"
KINDS = tuple(f"{kind}{bits}" for bits in (32, 64) for kind in (SIMPLE, CHAINED, DIVISION, FUNCTION, PRODUCT))
"""Operations of which figures are measured, by width in bits: additions and such; the same in loops each of whose
iterations waits for the one before; divisions and roots; functions; those of products of matrices."""


@dataclass(frozen=True)
class Nest:
    """A nest of loops, or what stands between such nests.

    Attributes
    ----------
    times
        How often it runs.
    iterations
        How many of its iterations may run at the same time; 1 where they run one after the other.
    operations
        What one run computes, by the `KINDS`.
    bytes
        Distinct bytes that one run touches.
    on_device
        Whether it becomes a kernel on a device.
    waits
        Whether the host waits for each run on a device, for a result or since it may raise.
    shared
        Of a nest that the host runs, bytes of arrays that kernels touch too.
    """

    times: float
    iterations: float
    operations: dict[str, float]
    bytes: float
    on_device: bool = False
    waits: bool = False
    shared: float = 0.0


@dataclass(frozen=True)
class ArrayUse:
    """What becomes of an array argument: its place among the leaves, the bytes of an element, what kernels do with it.

    `read` says that they need its elements as they were; `written` that they change it.
    """

    leaf: int
    name: str
    itemsize: int
    read: bool
    written: bool


@dataclass(frozen=True)
class Crossing:
    """A copy between the host and a device, as planned for arguments that are all on the host.

    Attributes
    ----------
    name
        The array argument that is copied; empty for an array that the program makes.
    inwards
        Whether it goes to the device.
    times
        How often it is made.
    bytes, rows
        How much, and in how many pieces that do not lie one behind the other.
    """

    name: str
    inwards: bool
    times: float
    bytes: float
    rows: float = 1


@dataclass(frozen=True)
class Work:
    """What a call does: its nests, bytes of new arrays that it returns, and of those that it makes, by their lines.

    `copies` are what moves on a device; None where that was not planned.
    """

    nests: tuple[Nest, ...]
    results: float = 0.0
    made: Mapping[int, int] = field(default_factory=dict)
    copies: tuple[Crossing, ...] | None = None

    @property
    def kernels(self) -> tuple[Nest, ...]:
        """The nests that become kernels."""
        return tuple(nest for nest in self.nests if nest.on_device)


@dataclass(frozen=True)
class Outline:
    """A program as a function of sizes.

    Attributes
    ----------
    code
        A Python function ``work(w, ...)`` with a parameter for each leaf: the extents of an array, or a number. Where
        copies were planned, also a function ``moved`` of these, of which only the copies count.
    sources
        Where the leaves come from.
    arrays
        The array arguments that kernels touch.
    pinned
        Whether the user has pinned a part of the program to a device.
    """

    code: str
    sources: tuple[Source, ...]
    arrays: tuple[ArrayUse, ...] = ()
    pinned: bool = False

    @cached_property
    def _functions(self) -> Mapping[str, Callable[..., None]]:
        names: dict[str, Any] = {"unknown": UNKNOWN}
        exec(self.code, names)
        return {name: names[name] for name in ("work", "moved") if name in names}

    def __reduce__(self) -> tuple[object, ...]:
        return Outline, (self.code, self.sources, self.arrays, self.pinned)

    def work(self, leaves: Sequence[object]) -> Work:
        """What a call does whose leaves are extents of arrays (tuples) and integers; others may be anything.

        Examples
        --------
        >>> outline = Outline("def work(w, a): w.nest(1, a[0], {}, 8 * a[0], True, False)", ())
        >>> outline.work([(100,)]).nests[0].bytes
        800
        """
        known = [leaf if isinstance(leaf, (tuple, int)) else UNKNOWN for leaf in leaves]
        meters = {name: Meter() for name in self._functions}
        for name, function in self._functions.items():
            function(meters[name], *known)
        meter, moved = meters["work"], meters.get("moved")
        return Work(tuple(meter.nests), meter.returned, meter.made, tuple(moved.copies) if moved else None)


@dataclass
class Meter:
    """What outlines compute with, and where they say what there is to do."""

    nests: list[Nest] = field(default_factory=list)
    returned: float = 0.0
    made: dict[int, int] = field(default_factory=dict)
    copies: list[Crossing] = field(default_factory=list)

    def nest(
        self, times: Number, iterations: Number, operations: dict[str, float], bytes: Number, device: bool, waits: bool,
        shared: Number = 0,
    ) -> None:  # fmt: skip
        """Note a nest; one that never runs is nothing."""
        if times > 0 and iterations > 0:
            self.nests.append(Nest(times, iterations, operations, bytes, device, waits, shared))

    def returns(self, shape: tuple[Number, ...], itemsize: int) -> None:
        """Note a new array that the program returns."""
        self.returned += math.prod(map(_size, shape)) * itemsize

    def makes(self, line: int, shape: tuple[Number, ...], itemsize: int) -> None:
        """Note a new array, if its extents are known."""
        size = math.prod(max(extent, 0) for extent in shape) * itemsize
        if all(extent == extent for extent in shape):
            self.made[line] = self.made.get(line, 0) + int(size)

    def copy(
        self, times: Number, name: str, inwards: bool, box: tuple[Number, ...], shape: tuple[Number, ...], itemsize: int
    ) -> None:
        """Note a copy of a box of an array in C order of that shape."""
        extents = [*map(_size, box)]
        count = math.prod(extents)
        if times > 0 and count > 0:
            self.copies.append(Crossing(name, inwards, times, count * itemsize, count / _run(extents, shape)))

    @staticmethod
    def trips(start: Number, stop: Number) -> Number:
        """The iterations of a loop."""
        return _size(stop - start)

    @staticmethod
    def middle(start: Number, stop: Number) -> Number:
        """The counter of a loop half-way."""
        return (start + stop) / 2

    @staticmethod
    def distinct(shape: tuple[Number, ...], itemsize: int, points: Number) -> Number:
        """Bytes of elements that `points` points of a loop touch at most."""
        return min(math.prod(map(_size, shape)), points) * itemsize

    @staticmethod
    def sides(times: Number, condition: Number, usual: bool | None) -> Iterator[tuple[Number, bool]]:
        """Which sides of a branch run how often: that of the condition, else the usual one, else both half the time."""
        known = bool(condition) if condition == condition else usual
        if known is not None:
            yield times, known
        else:
            yield times / 2, True
            yield times / 2, False

    @staticmethod
    def quotient(left: Number, right: Number) -> Number:
        """``left // right``."""
        return left // right if right and right == right else UNKNOWN

    @staticmethod
    def remainder(left: Number, right: Number) -> Number:
        """``left % right``."""
        return left % right if right and right == right else UNKNOWN

    @staticmethod
    def least(left: Number, right: Number) -> Number:
        """The smaller of two numbers; the one that is known of two."""
        return right if left != left else left if right != right else min(left, right)

    @staticmethod
    def greatest(left: Number, right: Number) -> Number:
        """The larger of two numbers."""
        return UNKNOWN if left != left or right != right else max(left, right)

    @staticmethod
    def compared(op: str, left: Number, right: Number) -> Number:
        """1 or 0 for a comparison."""
        return UNKNOWN if left != left or right != right else int(_COMPARISONS[op](left, right))

    @staticmethod
    def both(left: Number, right: Number) -> Number:
        """Whether both conditions hold."""
        return 0 if left == 0 or right == 0 else left * right

    @staticmethod
    def either(left: Number, right: Number) -> Number:
        """Whether one of the conditions holds."""
        known = [side for side in (left, right) if side == side]
        return 1 if any(known) else 0 if len(known) == 2 else UNKNOWN

    @staticmethod
    def choice(condition: Number, then: Number, orelse: Number) -> Number:
        """One of two numbers."""
        return UNKNOWN if condition != condition else then if condition else orelse

    @staticmethod
    def rounds(times: Number) -> Rounds:
        """A ``while`` loop."""
        return Rounds(times)


class Rounds:
    """A ``while`` loop that is run `times` times: its body counts for the first round, then for all others at once."""

    def __init__(self, times: Number) -> None:
        self.times = times
        self.total: Number = UNKNOWN_TRIPS
        self.first: Number = UNKNOWN
        self.step: Number = UNKNOWN

    def __iter__(self) -> Iterator[Number]:
        yield self.times
        if self.total > 1:
            yield self.times * (self.total - 1)

    def note(self, before: Number, after: Number, bound: Number) -> None:
        """Note how far the first round brings the number that ends the loop."""
        if self.first == self.first:
            return
        self.first, self.step = before, after - before
        needed = (bound - before) / self.step if self.step else UNKNOWN
        self.total = math.ceil(needed) if needed >= 0 else UNKNOWN_TRIPS

    def last(self) -> Number:
        """That number when the loop has ended."""
        return self.first + self.step * self.total


def _run(box: Sequence[Number], shape: Sequence[Number]) -> Number:
    """How many elements of a box lie one behind the other; axes that were dropped are the first."""
    run: Number = 1
    for extent, whole in zip(reversed(box), reversed(shape), strict=False):
        run *= extent
        if extent != whole:
            break
    return run


def _size(number: Number) -> Number:
    """An extent or a number of iterations."""
    return max(number, 0) if number == number else UNKNOWN_TRIPS


_COMPARISONS: dict[str, Callable[[Number, Number], bool]] = {
    "eq": lambda a, b: a == b,
    "ne": lambda a, b: a != b,
    "lt": lambda a, b: a < b,
    "le": lambda a, b: a <= b,
    "gt": lambda a, b: a > b,
    "ge": lambda a, b: a >= b,
}
