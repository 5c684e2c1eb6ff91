"""Checks of what runs are started with and asked for; each has a test that fails."""

from __future__ import annotations

from numbers import Real
from operator import index

from weft.errors import ArgumentError

TAILS = ("error", "drop", "pad")


def check_options(latency: object, capacity: object, tail: object, memory: object) -> None:
    """Refuse what no run can be started with."""
    if tail not in TAILS:
        raise ArgumentError(f"there is no tail {tail!r}", argument="tail", hint=f"say one of {', '.join(TAILS)}")
    if latency is not None and not (isinstance(latency, Real) and float(latency) > 0):
        raise ArgumentError(
            f"latency={latency!r} is no number of seconds", argument="latency", hint="say a positive number: 5e-3"
        )
    if capacity is not None:
        check_count(capacity, "capacity", 0)
    if memory is not None:
        check_count(memory, "memory", 1)


def check_count(count: object, argument: str, least: int) -> None:
    """Refuse what is no integer of at least `least`."""
    try:
        found = index(count)  # type: ignore[arg-type]
    except TypeError:
        found = least - 1
    if found < least:
        raise ArgumentError(
            f"{argument}={count!r} is no integer of at least {least}", argument=argument, hint=f"say {least} or more"
        )
