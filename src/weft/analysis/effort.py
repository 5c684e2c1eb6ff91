"""How much may be asked about a program: a limit of operations over a whole compile.

One operation is a step of a proof, or a comparable piece of work. The count is the same in every run and on every
machine. When it is used up, whatever is asked is answered with "not known": loops are sequential and accesses are
checked, and verdicts say that this is why.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar

MOST_OPERATIONS = 250_000
"""About two seconds; ten times what the largest of the acceptance programs takes."""

REASON = "the analysis of the function came to its limit"


class Effort:
    """The operations that are left."""

    def __init__(self, left: float) -> None:
        self.left = left

    def spend(self, operations: int) -> bool:
        """Use up some operations; whether there were any left."""
        if self.is_spent:
            return False
        self.left -= operations
        return True

    @property
    def is_spent(self) -> bool:
        """Whether nothing is left."""
        return self.left <= 0


_UNLIMITED = Effort(math.inf)
_current: ContextVar[Effort] = ContextVar("_current")


def current() -> Effort:
    """The limit under which the caller runs; there is none unless `limited` gave one."""
    return _current.get(_UNLIMITED)


@contextmanager
def limited(most: float = MOST_OPERATIONS) -> Iterator[Effort]:
    """Run under a limit; inside of another limit, under that one."""
    if current().left < math.inf:
        yield current()
        return
    token = _current.set(Effort(most))
    try:
        yield current()
    finally:
        _current.reset(token)


@contextmanager
def resumed(effort: Effort) -> Iterator[None]:
    """Run under the limit that held when a question was put, which is answered only now."""
    token = _current.set(effort)
    try:
        yield
    finally:
        _current.reset(token)


@contextmanager
def at_most(operations: int) -> Iterator[Effort]:
    """Run under a part of the current limit: for what is tried and may gain nothing."""
    effort = current()
    reserve = max(effort.left - operations, 0) if effort.left < math.inf else 0
    effort.left -= reserve
    try:
        yield effort
    finally:
        effort.left = max(effort.left, 0) + reserve
