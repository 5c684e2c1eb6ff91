"""What the programs of the suite have in common."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

SMALL = tuple(1 << power for power in (8, 12, 16))
"""Sizes of programs that compute: all in the caches."""

ALL = tuple(1 << power for power in (8, 11, 14, 16, 18, 20, 22, 24))
"""Sizes of programs that touch much memory."""


@dataclass(frozen=True)
class SuiteKernel:
    """A small program that is timed.

    Attributes
    ----------
    name
        What it measures.
    function
        A plain function.
    arguments
        Makes its arguments for a number of elements.
    sizes
        Numbers of elements.
    """

    name: str
    function: Callable[..., Any]
    arguments: Callable[[int], tuple[Any, ...]]
    sizes: tuple[int, ...] = SMALL


def halves(count: int, dtype: str = "f4") -> np.ndarray[Any, Any]:
    """An array of numbers that no operation turns into others of another kind."""
    return np.full(count, 0.5, dtype)


def vectors(number: int, dtype: str = "f4") -> Callable[[int], tuple[Any, ...]]:
    """Makes arrays of one dimension."""
    return lambda size: tuple(halves(size, dtype) for _ in range(number))


def matrices(number: int, dtype: str = "f4", columns: int = 0) -> Callable[[int], tuple[Any, ...]]:
    """Makes matrices, square or of so many columns."""

    def make(size: int) -> tuple[Any, ...]:
        width = min(columns or 1 << (size.bit_length() // 2), size)
        return tuple(halves(size // width * width, dtype).reshape(-1, width) for _ in range(number))

    return make
