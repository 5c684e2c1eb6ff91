"""Words that a user writes in loops for Weft to read. In plain Python they change nothing."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final, TypeVar

_Function = TypeVar("_Function", bound=Callable[..., object])


class _Stop:
    """The type of `STOP`."""

    def __repr__(self) -> str:
        return "weft.STOP"


STOP: Final = _Stop()
"""Returned by the body of `weft.parallel_for` or `weft.for_each`: ends the loop as ``break`` would."""


def prange(start: int, stop: int | None = None, step: int = 1) -> range:
    """``range`` with the claim that its iterations do not depend on one another.

    A claim that is proven wrong, or found wrong by a check at the call, is a `weft.RaceError`.

    Parameters
    ----------
    start, stop, step
        As for ``range``.
    """
    return range(start) if stop is None else range(start, stop, step)


def assume_independent(iterations: range) -> range:
    """``range`` whose iterations are taken to be independent on your word, without any check.

    Parameters
    ----------
    iterations
        A ``range`` or `prange`.
    """
    return iterations


def associative(function: _Function) -> _Function:
    """Mark a helper of two arguments as associative, so that reductions with it may be computed in parallel.

    ``f(f(a, b), c)`` must equal ``f(a, f(b, c))``; operands keep their order. The word is yours.
    """
    function.__weft_associative__ = True  # type: ignore[attr-defined]
    return function
