"""A limit of time that several measurements share."""

from __future__ import annotations

import time

LEAST = 0.05
"""Seconds that every measurement gets."""


class Budget:
    """Seconds for a number of measurements, one after the other; what one does not need the later ones get.

    Parameters
    ----------
    seconds : float or None
        For all of them together, preparations included; None: there is no limit.
    count : int
        How many there are.
    """

    def __init__(self, seconds: float | None, count: int) -> None:
        self._end = None if seconds is None else time.perf_counter() + seconds
        self._left = count

    def share(self, most: float) -> float:
        """Seconds for the timed part of the next one, at most so many: half of its share, the rest is preparation."""
        if self._end is None:
            return most
        share = 0.5 * (self._end - time.perf_counter()) / max(self._left, 1)
        self._left -= 1
        return min(max(share, LEAST), most)
