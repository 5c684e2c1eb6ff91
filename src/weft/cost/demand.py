"""What a program asks of a machine, counted: for each loop, operations by kind and accesses by class, with how often.

A `Level` is what stands directly in a loop, without the loops inside. It says how often its statements run, what they
compute, which accesses they make, and whether the loop becomes vector code. A `Nest` is a tree of levels that is run as
one: by one thread or by several.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

from weft.cost.quantities import LINE, Quantity, Region, Tally, tally


@dataclass(frozen=True)
class Touch:
    """An access: what it does (``load``, ``store`` or ``update``), where, and how many lanes it has at once."""

    mode: str
    region: Region
    indices: tuple[Quantity, ...]
    lanes: int = 1

    def key(self) -> tuple[object, ...]:
        """Accesses that run along beside one another have the same."""
        forms = tuple(
            tuple(sorted(index.form.items())) if index.form is not None else tuple(sorted(index.depends))
            for index in self.indices
        )
        return (self.region.root, forms)

    def place(self, loop: str) -> tuple[object, ...]:
        """Accesses to the same elements have the same, be they in a loop or in one beside it."""
        forms = tuple(
            (index.value, tuple(sorted((label.replace(loop, ""), step) for label, step in (index.form or {}).items())))
            if index.is_affine and index.value == index.value
            else (id(index),)
            for index in self.indices
        )
        return (self.region.root, forms)

    def depends(self) -> frozenset[str]:
        """The loops in which it moves."""
        return frozenset().union(*(index.depends for index in self.indices))

    def step(self, loop: str) -> float:
        """Bytes from one iteration of a loop to the next, NaN where that differs."""
        return sum(stride * index.step(loop) for stride, index in zip(self.region.strides, self.indices, strict=False))

    def is_gather(self, loop: str) -> bool:
        """Whether iterations of a loop access elements that are not evenly apart."""
        moving = [index for index in self.indices if loop in index.depends]
        return any(not index.is_affine or index.read for index in moving)

    def lines(self, trips: dict[str, float]) -> float:
        """Distinct lines of the cache that it touches while loops with these trips run."""
        count, run = 1.0, 1.0
        for stride, extent, index in zip(self.region.strides, self.region.extents, self.indices, strict=False):
            distinct = index.distinct(trips)
            distinct = min(distinct, extent) if extent == extent else distinct
            if abs(stride) < LINE:
                spread = self._spread(index, trips, distinct, extent)
                apart = spread * abs(stride) / max(distinct, 1.0)
                run = distinct if apart >= LINE * 0.9 else min(distinct, max(spread * abs(stride) / LINE, 1.0))
            else:
                count *= distinct
        whole = math.ceil(self.region.size / LINE) if self.region.size < math.inf else math.inf
        if whole < math.inf and any(index.read for index in self.indices):
            whole *= -math.expm1(-count * max(run, 1.0) / max(whole, 1.0))  # some meet in one line by chance
        return min(count * max(run, self.lanes * self.region.itemsize / LINE), max(whole, 1.0))

    @staticmethod
    def _spread(index: Quantity, trips: dict[str, float], distinct: float, extent: float) -> float:
        """How many elements lie between the first and the last that are touched."""
        if index.form is None or index.read:
            return extent if extent == extent else distinct * LINE
        reach = 1 + sum(abs(index.form.get(label, 0)) * (trips[label] - 1) for label in index.depends if label in trips)
        bound = min(extent, index.span) if extent == extent else index.span
        return min(max(reach, distinct), bound) if index.wraps else max(reach, distinct)


@dataclass
class Level:
    """What stands directly in a loop.

    Attributes
    ----------
    label, line
        The loop; the label is empty for what stands in none.
    trips
        Iterations each time the loop is entered.
    entries
        How often it is entered.
    operations
        Counts of one iteration, by kind.
    touches
        Accesses of one iteration, each with how often it happens.
    inner
        The loops inside.
    vector
        Whether it becomes vector code of the C compiler's making.
    chain
        Operations of which each iteration waits for those of the one before.
    noted
        Whether indices are tested in it: of vector code, a strip at a time.
    folds
        Whether it carries a sum or the like, of which vector code has parts.
    may_end
        Whether it may be left between its iterations: what has loops inside looks whether the program is to stop.
    short
        Whether it has so few iterations that compilers unroll it.
    """

    label: str
    line: int
    trips: float
    entries: float
    operations: Tally = field(default_factory=tally)
    touches: list[tuple[Touch, float]] = field(default_factory=list)
    inner: list[Level] = field(default_factory=list)
    vector: bool = False
    chain: Tally = field(default_factory=tally)
    noted: bool = False
    folds: bool = False
    short: bool = False
    may_end: bool = False

    @property
    def times(self) -> float:
        """How often what stands in it runs."""
        return self.entries * self.trips

    def levels(self) -> Iterator[Level]:
        """The level and all inside."""
        yield self
        for level in self.inner:
            yield from level.levels()


@dataclass
class Nest:
    """A nest that is run as one.

    Attributes
    ----------
    times
        How often.
    top
        Its loops.
    line
        Of the source.
    shared
        Whether threads may share it.
    work
        Nanoseconds that the runtime takes it to last when it decides about threads.
    ordered
        Whether threads would take turns, since it may raise.
    fold
        Whether it carries a value that threads put together.
    """

    times: float
    top: Level
    line: int
    shared: bool = False
    work: float = 0.0
    ordered: bool = False
    fold: bool = False


@dataclass
class Demand:
    """All of a call: its nests, bytes of arrays that it makes, and what was assumed to count them."""

    nests: list[Nest] = field(default_factory=list)
    made: float = 0.0
    assumptions: list[str] = field(default_factory=list)
    found: dict[object, Any] = field(default_factory=dict, compare=False, repr=False)
    """What was found out about it before: see `weft.cost.model.amounts`."""
