"""Functions that are translated again, when something is met that had to be known from the beginning."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeVar

R = TypeVar("R")
E = TypeVar("E", bound=Exception)


def until_known(run: Callable[[], R], needs: type[E], note: Callable[[E], object]) -> R:
    """What a translation gives, which begins again each time that it says what it needs.

    Parameters
    ----------
    run
        The translation.
    needs
        The exception that says it.
    note
        Makes it known.
    """
    while True:
        try:
            return run()
        except needs as needed:
            note(needed)
