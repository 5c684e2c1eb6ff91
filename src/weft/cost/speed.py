"""How fast a device runs nests of loops: what was measured on it, or a cautious estimate from what is known of it.

Times of nests are curves over sizes, so that what a launch costs, what waking threads costs, and how much faster caches
are than memory need no parameters of their own.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import TypeAlias

from weft.cost.work import CHAINED, KINDS, PRODUCT, Nest
from weft.machine.copying import PAGEABLE, PINNED, ROW, STAGED, STRIDED, CopyFigures, choose
from weft.machine.facts import Facts

Curve: TypeAlias = tuple[tuple[float, float], ...]
"""Points (size, seconds), the sizes rising."""

STEPS = 256
"""Simple operations of an iteration of the nest that `Speed.arithmetic` was measured with."""

ALONE, NEIGHBOURS = 1.75, 5.25
"""Operations that an iteration counts as of the nests that `Speed.memory` and `Speed.neighbours` were measured with."""

FILLED = 1 << 11
"""Iterations that fill the vectors of all threads of a processor, several side by side in each."""

CPU = "cpu"


@dataclass(frozen=True)
class Speed:
    """What the time of a call is predicted from.

    Attributes
    ----------
    device
        The name of the device, as in `weft.devices`.
    description, driver
        What it is; figures hold for these only.
    date
        The day of the measurement; empty for an estimate.
    call
        Seconds of a call beside its nests, until its results are there.
    memory
        Seconds of a nest over the distinct bytes that it touches, once each.
    arithmetic
        Seconds of a nest over its iterations, each of which makes `STEPS` additions and multiplications of float32. As
        many threads of the processor share a nest as all of its work is worth, and no more than its iterations allow.
    costs
        How much slower one operation of each kind is than these.
    sequential
        Seconds of an addition where one follows the other; of the processor.
    capacity
        Bytes of its memory; 0 where it works in the host's.
    copies
        Times of copies from and to the host's memory.
    is_processor
        Whether it is the processor of the host, under another driver.
    chained
        The same as `arithmetic`, each operation waiting for the one before: where iterations are few, there are no
        others to go on with meanwhile. Empty where that was not measured.
    neighbours
        Seconds of a small nest over its iterations, each of which reads four elements of one array, in a sequence of
        such nests: kernels take longer for that than for one element, and so do short rows on the processor, which
        leave iterations over beside its vectors. Empty where that was not measured.
    """

    device: str
    description: str
    driver: str
    date: str
    call: float
    memory: Curve
    arithmetic: Curve
    costs: Mapping[str, float] = field(default_factory=lambda: dict.fromkeys(KINDS, 1.0))
    sequential: float = 1e-9
    capacity: int = 0
    copies: CopyFigures | None = None
    is_processor: bool = False
    chained: Curve = ()
    neighbours: Curve = ()

    @property
    def measured(self) -> bool:
        """Whether the figures were measured."""
        return bool(self.date)

    def part(self, device: str, share: float) -> Speed:
        """An estimate of a part of the device that has some share of its units: what a launch costs stays."""

        def slower(curve: Curve) -> Curve:
            return tuple((size, curve[0][1] + (seconds - curve[0][1]) / share) for size, seconds in curve)

        made = replace(self, device=device, date="", memory=slower(self.memory), arithmetic=slower(self.arithmetic))
        return replace(made, chained=slower(self.chained), neighbours=slower(self.neighbours))

    def nest(self, nest: Nest) -> float:
        """Seconds of one run of a nest whose iterations may run at once."""
        steps = sum(number * self._cost(kind, nest.iterations) for kind, number in nest.operations.items()) / STEPS
        least = self.memory[0][1]
        computing = least + max(at(self.arithmetic, nest.iterations) - least, 0.0) * steps / nest.iterations
        if self.device != CPU:  # a kernel takes its time, however small
            computing = max(computing, self.arithmetic[0][1])
        elif nest.iterations >= FILLED:
            computing = self._alike(steps)
        else:
            computing = max(computing, self._alike(steps))
        return max(at(self.memory, nest.bytes), computing, self._small(nest))

    def _alike(self, steps: float) -> float:
        """Seconds of as much work in iterations that were measured: threads share it as far as all of it is worth."""
        size, seconds = self.arithmetic[0]
        return at(self.arithmetic, steps) if steps >= size else seconds * steps / size

    def _small(self, nest: Nest) -> float:
        """Seconds of a small nest: between that of one element an iteration and that of its neighbours, too.

        Not of products of matrices, which have iterations enough of their own.
        """
        if not self.neighbours:
            return 0.0
        each = sum(number for kind, number in nest.operations.items() if not kind.startswith(PRODUCT)) / nest.iterations
        part = min(max((each - ALONE) / (NEIGHBOURS - ALONE), 0.0), 1.0)
        low, high = self.memory[0][1], at(self.neighbours, min(nest.iterations, self.neighbours[-1][0]))
        return low + part * max(high - low, 0.0)

    def _cost(self, kind: str, iterations: float) -> float:
        """How much slower an operation is than a simple one, where so many iterations may run at once."""
        if not kind.startswith(CHAINED) or not self.chained:
            return self.costs[kind]
        least = self.memory[0][1]
        times = (at(curve, iterations) for curve in (self.chained, self.arithmetic))
        waiting, simple = (max(seconds - least, 0.05 * seconds) for seconds in times)
        return waiting / simple * self.costs[kind] / self.costs[f"{CHAINED}32"]

    def alone(self, operations: Mapping[str, float]) -> float:
        """Seconds of operations one after the other on the processor."""
        return self.sequential * sum(number * self.costs[kind] for kind, number in operations.items())

    def copy(self, direction: str, bytes: float, pinned: bool, rows: float = 1, size: float | None = None) -> float:
        """Seconds of a copy from or to arrays of the host.

        Parameters
        ----------
        direction
            ``in`` or ``out``.
        bytes
            How much.
        pinned
            Whether the driver knows the memory of the host: of arrays that Weft made.
        rows
            In how many pieces with gaps between them; short ones take as long as those that were measured.
        size
            Bytes of the whole array, by default as many.
        """
        if bytes <= 0:
            return 0.0
        if self.copies is None:
            return UNMEASURED_LATENCY + bytes / UNMEASURED_RATE
        pin = choose(self.copies).pin
        known = pinned or (pin is not None and (size or bytes) >= pin)
        ways = (PINNED,) if known else (STRIDED, STAGED) if rows > 1 else (PAGEABLE, STAGED)
        bytes = max(bytes, rows * ROW) if rows > 1 else bytes
        found = (at(curve, bytes) for curve in (_copies(self.copies, direction, way) for way in ways) if curve)
        return min(found, default=UNMEASURED_LATENCY + bytes / UNMEASURED_RATE)


UNMEASURED_LATENCY, UNMEASURED_RATE = 3e-5, 5e9
"""Seconds and bytes a second of copies that nobody measured."""


def _copies(figures: CopyFigures, direction: str, way: str) -> Curve:
    chosen = (t for t in figures.times if (t.direction, t.way) == (direction, way))
    return tuple(sorted((float(t.bytes), t.seconds) for t in chosen))


def at(curve: Curve, size: float) -> float:
    """The value of a curve: straight between its points on logarithmic axes, constant before, proportional behind them.

    Examples
    --------
    >>> at(((1.0, 1.0), (100.0, 10.0)), 10000.0)
    1000.0
    """
    first, last = curve[0], curve[-1]
    if size <= first[0]:
        return first[1]
    if size >= last[0]:
        return last[1] * size / last[0]
    for (low, before), (high, after) in zip(curve, curve[1:], strict=False):
        if size <= high:
            part = math.log(size / low) / math.log(high / low)
            return float(before * (after / before) ** part)
    raise AssertionError("a curve whose sizes do not rise")


# ------------------------------------------------------------------------------------------------------- estimates


def estimated_processor(description: str, cores: int) -> Speed:
    """A speed that no processor falls short of by much, so that an estimate keeps calls on it when in doubt."""
    rate, operations = cores * 1.2e10, cores * 2e10
    narrow = {"simple32": 1.0, "chained32": 4.0, "division32": 2.0, "function32": 4.0, "product32": 0.5}
    costs = {**narrow, **{kind.replace("32", "64"): 2 * cost for kind, cost in narrow.items()}}
    return Speed(
        CPU, description, driver_of(cores), "", 1e-6, _line(2e-7, rate), _line(2e-7, operations / STEPS), costs,
        sequential=3e-10,
    )  # fmt: skip


def driver_of(cores: int) -> str:
    """What the figures of the processor depend on besides its name, as drivers are for devices."""
    return f"{cores} cores"


def estimated(device: str, facts: Facts) -> Speed:
    """A speed that current devices of a kind exceed, so that one that was not measured is taken for large work only."""
    rate, operations = facts.cores * 5e9, facts.cores * facts.lanes * max(facts.clock, 10**9) * 0.5
    narrow = {"simple32": 1.0, "chained32": 2.0, "division32": 8.0, "function32": 8.0, "product32": 2.0}
    costs = {**narrow, **{kind.replace("32", "64"): 32 * cost for kind, cost in narrow.items()}}
    return Speed(
        device, facts.description, facts.driver, "", 4e-5, _line(1.5e-5, rate),
        _line(1.5e-5, operations / STEPS), costs, capacity=facts.memory,
    )  # fmt: skip


def _line(least: float, rate: float) -> Curve:
    """A curve of a fixed time and a rate."""
    sizes = (2.0**k for k in range(8, 37, 4))
    return tuple((size, least + size / rate) for size in sizes)
