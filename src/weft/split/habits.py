"""Whether calls run in pieces or whole on one device, by what calls of such sizes have taken.

Pieces do not always pay: small arrays take longer to hand over than to work on, and all devices may need whole arrays.
So some calls run whole on the fastest of the devices, and the others do as the faster ones did. Both ways give the same
bits. Later calls try the other way again, ever more rarely, since machines change.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from weft.machine.waiting import WORTH_TRYING

FIRST_CALLS = 5
"""Calls in pieces before any runs whole: the first compile, and learn shares."""
MANY = 24
"""Calls after which one runs whole, also where they have taken less than `WORTH_TRYING` in all."""
WARMING = 2
"""Calls in a row that run whole and are not counted: they compile, and learn of the arrays' memory."""
COUNTED = 2
"""Whole calls after these, whose times are compared with those of the last pieces."""
CLEARLY = 0.97
"""The part of the time of pieces that a whole call takes at most, to be preferred."""
AGAIN = 64
"""The other way is tried again when calls have taken so many times as long as one of it may; then twice as many."""
REMEMBERED = 16
"""Times of each way that are looked at."""
FAR = 2.0
"""Times that differ by this factor are of another state of the machine."""
ENOUGH = 8
"""Times of which one may be far off, and is left out: the largest."""


@dataclass
class Habit:
    """What calls of some sizes do.

    Attributes
    ----------
    is_whole
        Whether they run whole.
    is_possible
        Whether it is known that a device can run them whole.
    pieces, whole
        The last times of calls in pieces and of whole ones, in seconds.
    """

    is_whole: bool = False
    is_possible: bool = False
    pieces: list[float] = field(default_factory=list)
    whole: list[float] = field(default_factory=list)
    _calls: int = 0
    _spent: float = 0.0
    _trying: int = 0
    _since: float = 0.0
    _again: int = AGAIN
    _is_fixed: bool = False

    @property
    def runs_whole(self) -> bool:
        """Whether the next call runs whole."""
        return self.is_whole != (self._trying > 0)

    @property
    def is_decided(self) -> bool:
        """Whether both ways were measured."""
        return bool(self.pieces and self.whole)

    def give_up(self) -> None:
        """No device can run calls whole: all run in pieces."""
        self.is_whole, self._trying, self._is_fixed = False, 0, True

    def took(self, was_whole: bool, seconds: float) -> None:
        """Note what a call has taken."""
        if self._is_fixed:
            return
        self._calls += 1
        is_first = self._calls < FIRST_CALLS
        self._spent += 0.0 if is_first else seconds
        if not (is_first or (was_whole and self._trying > COUNTED)):
            times = self.whole if was_whole else self.pieces
            if was_whole != self.is_whole and self.is_decided and _is_far(seconds, _mean(times)):
                times.clear()  # much has changed since that way was tried
            times.append(seconds)
            del times[:-REMEMBERED]
        self._since += seconds
        if self._trying:
            self._trying -= 1
            if not self._trying:
                self._decide()
        elif not self.whole:
            if self._calls > FIRST_CALLS and (self._spent >= WORTH_TRYING or self._calls >= MANY):
                self._trying = WARMING + COUNTED
        elif self._since >= self._again * max(self.pieces if self.is_whole else self.whole):
            self._again *= 2
            self._trying = 1

    def _decide(self) -> None:
        self.is_whole, self._since = _mean(self.whole) < CLEARLY * _mean(self.pieces), 0.0


def _is_far(one: float, other: float) -> bool:
    return one > FAR * other or other > FAR * one


def _mean(times: list[float]) -> float:
    """The mean: a device that gets nothing for some calls may take long in the next one, which counts."""
    kept = sorted(times)[: len(times) - (len(times) >= ENOUGH)]
    return sum(kept) / len(kept)
