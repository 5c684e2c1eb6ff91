"""How long copies between host and device take, as measured, and which way they should go therefore.

A copy of memory that the driver does not know (pageable memory) can go directly or through pinned slots, which several
threads fill; an array that comes again can be made known to the driver (pinned) for a price. `choose` decides by
figures alone, so that it can be tried with a made-up table.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

IN, OUT, BOTH = "in", "out", "both"
DIRECTIONS = (IN, OUT, BOTH)
PINNED, PAGEABLE, STAGED, STRIDED, PINNING = "pinned", "pageable", "staged", "strided", "pinning"
WAYS = (PINNED, PAGEABLE, STAGED, STRIDED, PINNING)
"""Memory that the driver knows; that it does not; through slots; rows with gaps; and what making memory known costs."""

SIZES = tuple(4096 * 4**k for k in range(10))
"""4 KiB to 1 GiB."""

ROW = 256
"""Bytes of the rows of strided copies, which stand twice as far apart."""

EXPECTED_CALLS = 8
"""How often an array that came twice is expected to come again: copies that pay for making it known to the driver."""


@dataclass(frozen=True)
class CopyTime:
    """The seconds that a copy of `bytes` bytes takes in a direction and on one of the `WAYS`."""

    direction: str
    way: str
    bytes: int
    seconds: float


@dataclass(frozen=True)
class CopyFigures:
    """What was measured of one device: under which driver, on which day, and the times."""

    device: str
    driver: str
    date: str
    times: tuple[CopyTime, ...]

    def seconds(self, direction: str, way: str, size: int) -> float | None:
        """The time of a copy; None where it was not measured."""
        found = (t.seconds for t in self.times if (t.direction, t.way, t.bytes) == (direction, way, size))
        return next(found, None)


@dataclass(frozen=True)
class CopyPolicy:
    """From how many bytes on copies go through slots, and arrays that come again are pinned; None: never."""

    stage_in: int | None
    stage_out: int | None
    pin: int | None


UNMEASURED = CopyPolicy(stage_in=1 << 26, stage_out=1 << 24, pin=1 << 20)
"""For a device of which nothing was measured: what holds for current GPUs at PCI Express 5."""


def choose(figures: CopyFigures | None) -> CopyPolicy:
    """The fastest ways by the figures."""
    if figures is None:
        return UNMEASURED
    into, out_of = (_from(_staging_gains(figures, direction)) for direction in (IN, OUT))
    return CopyPolicy(into, out_of, _from(_pinning_gains(figures)))


def _staging_gains(figures: CopyFigures, direction: str) -> Iterable[tuple[int, float]]:
    """The seconds that going through slots saves, by size."""
    for size in SIZES:
        direct, staged = figures.seconds(direction, PAGEABLE, size), figures.seconds(direction, STAGED, size)
        if direct is not None and staged is not None:
            yield size, direct - staged


def _pinning_gains(figures: CopyFigures) -> Iterable[tuple[int, float]]:
    """The seconds that pinning an array saves over the calls that are expected, by size: as many copies in as out."""
    for size in SIZES:
        price = figures.seconds(IN, PINNING, size)
        saved = [s for s in (_saved_by_pinning(figures, way, size) for way in (IN, OUT)) if s is not None]
        if price is not None and saved:
            yield size, EXPECTED_CALLS * (sum(saved) + _saved_beside(figures, size)) / len(saved) - price


def _saved_beside(figures: CopyFigures, size: int) -> float:
    """The seconds that copies in both directions take less at a time: from and to memory that the driver knows only."""
    into, out_of, both = (figures.seconds(direction, PINNED, size) for direction in DIRECTIONS)
    return 0.0 if into is None or out_of is None or both is None else into + out_of - both


def _saved_by_pinning(figures: CopyFigures, direction: str, size: int) -> float | None:
    """The seconds that a copy takes less from or to memory that the driver knows."""
    pinned = figures.seconds(direction, PINNED, size)
    others = [t for t in (figures.seconds(direction, way, size) for way in (PAGEABLE, STAGED)) if t is not None]
    return min(others) - pinned if pinned is not None and others else None


def _from(gains: Iterable[tuple[int, float]]) -> int | None:
    """The smallest size from which on there is a gain at all larger sizes."""
    least = None
    for size, gain in sorted(gains, reverse=True):
        if gain <= 0:
            break
        least = size
    return least


SLABS, SLAB_BYTES = 32, 1 << 23
"""Into how many slabs a kernel is cut for copies to run beside it and one another, and how small these may become."""

SECONDS_OF_SLAB = 1.5e-5
"""What the copies and the launch of a slab cost beside their bytes."""

BESIDE = 0.9
"""Copies run beside one another where that takes less than this part of the time."""

UNMEASURED_BUS = {IN: 2e-11, OUT: 2e-11, BOTH: 1.1e-11}
"""Seconds a byte of a bus that nobody measured: what holds for current GPUs at PCI Express 5."""


def runs_beside(into: int, out_of: int, figures: CopyFigures | None) -> bool:
    """Whether it is worth that copies into a device and out of it run beside one another, around a kernel in slabs.

    Parameters
    ----------
    into, out_of
        The bytes of the call in each direction, of arrays that the driver knows.
    figures
        What was measured of the device.
    """
    each = {direction: _seconds_of_byte(direction, figures) for direction in DIRECTIONS}
    slabs = min(SLABS, (into + out_of) // SLAB_BYTES)
    if slabs < 2:
        return False
    apart = into * each[IN] + out_of * each[OUT]
    beside = max(into * each[IN], out_of * each[OUT], (into + out_of) * each[BOTH])
    return beside + apart / slabs + slabs * SECONDS_OF_SLAB < BESIDE * apart


LATENCY = 1e-5
"""Seconds that a copy of nothing takes, with the wait for it, where nobody measured that."""

SECONDS_OF_ROW = 3e-7
"""What each row of a copy with gaps costs beside its bytes, to or from memory that the driver does not know."""


def seconds_of_whole(direction: str, size: int, figures: CopyFigures | None) -> float:
    """The seconds that a copy of all bytes of an array takes that is in memory which the driver knows."""
    return _seconds_at_least(direction, figures) + size * _seconds_of_byte(direction, figures)


def seconds_of_part(direction: str, size: int, rows: int, figures: CopyFigures | None) -> float:
    """The seconds that a copy of some elements takes, which lie in so many rows, and the wait for it."""
    return seconds_of_whole(direction, size, figures) + (rows - 1) * SECONDS_OF_ROW


def _seconds_at_least(direction: str, figures: CopyFigures | None) -> float:
    """By the smallest copy that was measured."""
    times = [t.seconds for t in figures.times if (t.direction, t.way) == (direction, PINNED)] if figures else []
    return min(times, default=LATENCY)


def _seconds_of_byte(direction: str, figures: CopyFigures | None) -> float:
    """By the largest copy of pinned memory that was measured; copies in both directions have twice the bytes."""
    times = [t for t in figures.times if (t.direction, t.way) == (direction, PINNED)] if figures else []
    if not times:
        return UNMEASURED_BUS[direction]
    largest = max(times, key=lambda t: t.bytes)
    return largest.seconds / (largest.bytes * (2 if direction == BOTH else 1))
