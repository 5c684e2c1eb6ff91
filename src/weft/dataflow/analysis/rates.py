"""Rates of ports: how many tokens each firing consumes or produces. Cyclo-static rates repeat after some firings."""

from __future__ import annotations

from operator import index
from typing import TypeAlias

from weft.errors import ArgumentError

Rate: TypeAlias = "tuple[int, ...]"
"""The tokens of one firing after the other, repeated for ever; plain rates have one number."""


def rates_of(given: object, what: str, names: tuple[str, ...]) -> tuple[Rate, ...]:
    """The rate of each port, from what was said for all of them or for each.

    Parameters
    ----------
    given
        An integer or a tuple (of phases) for every port, a list with one of these for each, or a dictionary by names.
    what
        ``consumes`` or ``produces``, for messages.
    names
        The ports.
    """
    if isinstance(given, dict):
        unknown = sorted(set(given) - set(names))
        if unknown or len(given) < len(names):
            raise ArgumentError(
                f"{what} names the ports {', '.join(map(str, given))}, and there are {', '.join(names)}",
                argument=what,
                hint="say a rate for every one of them",
            )
        return tuple(rate_of(given[name], what) for name in names)
    if isinstance(given, list):
        if names and len(given) != len(names):
            raise ArgumentError(f"{what} has {len(given)} rates, and there are {len(names)} ports", argument=what)
        return tuple(rate_of(item, what) for item in given)
    return tuple(rate_of(given, what) for _ in names)


def rate_of(given: object, what: str) -> Rate:
    """The rate of one port."""
    items = given if isinstance(given, tuple) else (given,)
    try:
        found = tuple(index(item) for item in items)
    except TypeError:
        raise ArgumentError(
            f"{given!r} is no rate",
            argument=what,
            cause="rates are known before anything runs: they do not depend on data",
            hint="say the greatest number of tokens, and give how many of them count through another port",
        ) from None
    if not found or min(found) < 0 or sum(found) == 0:
        raise ArgumentError(
            f"{given!r} is no rate", argument=what, hint="say one positive number, or a tuple of phases"
        )
    return found


def total(rate: Rate, firings: int) -> int:
    """The tokens of the first firings."""
    rounds, rest = divmod(firings, len(rate))
    return rounds * sum(rate) + sum(rate[:rest])


def text(rate: Rate) -> str:
    """A rate as people write it."""
    return str(rate[0]) if len(rate) == 1 else str(rate)
