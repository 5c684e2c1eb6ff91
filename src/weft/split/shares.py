"""How many iterations each device gets: shares that finish together, by how fast each one was."""

from __future__ import annotations

import math
from collections.abc import Sequence
from fractions import Fraction
from itertools import accumulate

SLOWEST = 1000.0
"""How many times slower than the fastest a device is taken to be at most, so that it is measured again."""
STEADY = 0.004
"""Shares of a loop that change by less than this stay as they are, if they change little beside what they were."""
LITTLE = 0.01
"""What part of a share is little."""
FIRST_CALLS = 2
"""Calls whose times say nothing: the first compiles, and in the second the driver learns of the arrays' memory."""
LEAST_LEFT = 0.25
"""What is left at least of a speed after one call, beside the others: one bad measurement takes no device out."""
FAR = 1.5
"""Speeds are averaged with those before, unless one changed by this factor more than another."""


class Speeds:
    """How fast devices are at a loop, by what its pieces took.

    Parameters
    ----------
    count
        How many devices there are.

    Attributes
    ----------
    is_measured
        Whether anything was measured; shares are equal until then.
    """

    def __init__(self, count: int) -> None:
        self.is_measured = False
        self._speeds: list[float] = [1.0] * count
        self._calls = 0
        self._cut: tuple[int, int] | None = None
        self._pieces: list[tuple[int, int]] = []

    @property
    def values(self) -> tuple[float, ...]:
        """Iterations a second of each device, or numbers in this proportion."""
        return tuple(self._speeds)

    def pieces(self, start: int, stop: int) -> list[tuple[int, int]]:
        """The bounds of the piece of each device."""
        if self._cut != (start, stop):
            self._pieces = pieces(start, stop, self._speeds)
            self._cut = start, stop
        return self._pieces

    def learn(self, done: Sequence[tuple[int, float]]) -> None:
        """Take the iterations and the seconds of each device; not those of the first calls."""
        if self._calls < FIRST_CALLS:
            self._calls += 1
            return
        before, found, is_idle = self._speeds, [], False
        for speed, (iterations, seconds) in zip(before, done, strict=True):
            measured = iterations / seconds if seconds > 0 else speed
            if not iterations:  # too few to be measured: it gets some again, by and by
                measured, is_idle = 1.25 * speed, True
            found.append(measured)
        most = max(a / b for a, b in zip(found, before, strict=True))
        found = [max(a, LEAST_LEFT * most * b) for a, b in zip(found, before, strict=True)]
        ratios = [a / b for a, b in zip(found, before, strict=True)]
        if self.is_measured and max(ratios) <= FAR * min(ratios):
            busy = [iterations > 0 for iterations, _ in done]
            found = [math.sqrt(a * b) if ran else a for a, b, ran in zip(found, before, busy, strict=True)]
        if not self.is_measured or is_idle or _differ(before, found):
            least = max(found) / SLOWEST
            self._speeds, self._cut = [math.ceil(max(speed, least)) for speed in found], None
        self.is_measured = True


def _differ(before: Sequence[float], found: Sequence[float]) -> bool:
    """Whether the share of a device changes."""
    ratio = sum(found) / sum(before)
    limit = STEADY * sum(found)
    return any(abs(a * ratio - b) > min(limit, LITTLE * b) for a, b in zip(before, found, strict=True))


def pieces(start: int, stop: int, speeds: Sequence[float]) -> list[tuple[int, int]]:
    """The bounds of consecutive pieces, as long as their speeds ask for.

    Parameters
    ----------
    start, stop
        The iterations of the loop.
    speeds
        Iterations a second of each device, or anything proportional to it; above zero.

    Examples
    --------
    >>> pieces(0, 100, [1.0, 3.0])
    [(0, 25), (25, 100)]
    """
    count = max(stop - start, 0)
    ends = [start + end for end in accumulate(whole_shares(count, speeds))]
    return list(zip([start, *ends[:-1]], ends, strict=True))


def busy_of(cuts: Sequence[tuple[int, int]]) -> list[int]:
    """The devices whose pieces have iterations; the first one where none has: what raises without one raises once."""
    return [k for k, (low, high) in enumerate(cuts) if low < high] or [0]


def whole_shares(count: int, speeds: Sequence[float]) -> list[int]:
    """Whole numbers of iterations whose longest time is the shortest possible.

    Each share is first rounded down from the exact proportion; what is left goes, one by one, to the device that would
    be done first. By an exchange argument no other choice ends earlier.
    """
    weights = _whole_numbers(speeds)
    total = sum(weights)
    shares = [count * weight // total for weight in weights]
    scaled = [math.prod(weights) // weight for weight in weights]
    for _ in range(count - sum(shares)):
        shares[min(range(len(shares)), key=lambda k: (shares[k] + 1) * scaled[k])] += 1
    return shares


def _whole_numbers(speeds: Sequence[float]) -> list[int]:
    """Whole numbers in the same proportion, exactly."""
    ratios = [speed.as_integer_ratio() for speed in speeds]
    common = math.lcm(*(below for _, below in ratios))
    return [above * (common // below) for above, below in ratios]


def adjusted(
    groups: Sequence[int], seconds: Sequence[float | Fraction], count: int
) -> tuple[list[int], list[int], int]:
    """Slices of a grid for devices that each keep a group size of their own; what is left over may overlap.

    The equations 3.5 to 3.10 of A. Erdem, Efficient OpenCL Application Autotuning for Heterogeneous Platforms (Milano,
    2016), in exact rationals: shares are proportional to speeds, rounded down to whole groups, and the rest goes to the
    device that computes least twice; ties go to the shorter makespan. Offsets are clamped, so that no slice reaches
    past the end.

    Parameters
    ----------
    groups
        The group size of each device along the cut.
    seconds
        The time of each device for the whole grid.
    count
        Points along the cut.

    Returns
    -------
    list of int, list of int, int
        The size of each slice, where each begins, and how many points are computed twice.

    Examples
    --------
    >>> adjusted([32, 16], [1.18, 1.0], 512)
    ([224, 288], [0, 224], 0)
    """
    times = [Fraction(time).limit_denominator(10**12) for time in seconds]
    total = sum(1 / time for time in times)
    sizes = [int(count / (time * total) / group) * group for time, group in zip(times, groups, strict=True)]
    rest = count - sum(sizes)
    if rest:
        chosen = min(range(len(groups)), key=lambda k: _cost(k, rest, groups, sizes, times))
        sizes[chosen] += -(-rest // groups[chosen]) * groups[chosen]
    begins = [0, *accumulate(sizes[:-1])]
    offsets = [max(0, min(begin, count - size)) for begin, size in zip(begins, sizes, strict=True)]
    return sizes, offsets, sum(sizes) - count


def _cost(
    k: int, rest: int, groups: Sequence[int], sizes: Sequence[int], times: Sequence[Fraction]
) -> tuple[int, Fraction]:
    """The points that a device would add for the rest, then the makespan if it does."""
    added = -(-rest // groups[k]) * groups[k]
    ends = [(size + added * (j == k)) * times[j] for j, size in enumerate(sizes)]
    return added, max(ends)
