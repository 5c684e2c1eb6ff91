"""How many iterations each device gets: shares that finish together, by how fast each one was."""

from __future__ import annotations

import math
from collections.abc import Sequence
from fractions import Fraction
from itertools import accumulate


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


def whole_shares(count: int, speeds: Sequence[float]) -> list[int]:
    """Whole numbers of iterations whose longest time is the shortest possible.

    Each share is first rounded down from the exact proportion; what is left goes, one by one, to the device that would
    be done first. By an exchange argument no other choice ends earlier.
    """
    weights = _whole_numbers(speeds)
    total = sum(weights)
    shares = [count * weight // total for weight in weights]
    for _ in range(count - sum(shares)):
        shares[min(range(len(shares)), key=lambda k: Fraction(shares[k] + 1, weights[k]))] += 1
    return shares


def _whole_numbers(speeds: Sequence[float]) -> list[int]:
    """Whole numbers in the same proportion, exactly."""
    ratios = [speed.as_integer_ratio() for speed in speeds]
    common = math.lcm(*(below for _, below in ratios))
    return [above * (common // below) for above, below in ratios]


def adjusted(groups: Sequence[int], seconds: Sequence[float], count: int) -> tuple[list[int], list[int], int]:
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
