"""How many periods run together: the fewest that give most of the highest rate, within latency and memory."""

from __future__ import annotations

from collections.abc import Iterable
from math import ceil

SHARE = 0.95
"""The part of the highest rate that is enough."""

MEMORY = 8 << 20
"""Bytes of channels by default: about what a processor's caches hold."""

OVERHEAD = 20e-6
"""Seconds that a call of a program takes besides its periods, before that is known better."""

MOST = 1 << 20
FIRST = 64


def periods(
    seconds: Iterable[tuple[int, float]],
    bytes_of_period: int,
    memory: int | None = None,
    latency: float | None = None,
) -> int:
    """The periods of the next batch.

    Parameters
    ----------
    seconds
        What calls so far took: periods and seconds.
    bytes_of_period
        What a period adds to channels.
    memory, latency
        Bounds, in bytes and seconds.
    """
    room = max(1, min(MOST, (memory or MEMORY) // max(bytes_of_period, 1)))
    known = [(count, time) for count, time in seconds if count]
    if not known:
        return min(room, FIRST)
    each = max(min(max(time - OVERHEAD, time / 10) / count for count, time in known), 1e-9)
    wanted = ceil(SHARE / (1 - SHARE) * OVERHEAD / each)
    if latency is not None:
        wanted = min(wanted, max(1, int((latency / 2 - OVERHEAD) / each)))
    return max(1, min(room, wanted))
