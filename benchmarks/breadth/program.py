"""What a program of the breadth suite is: loops in several spellings, their inputs, and the least that they cost."""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from dataclasses import dataclass
from enum import Enum
from typing import Any

import numpy as np

SIZES = ("tiny", "small", "medium", "large")
"""Tiny is for tests alone: CPython runs it in a moment. Large is for GPUs: its arrays do not fit in a cache."""

SEED = 20261123
FLOATS = ("float32", "float64")

Arguments = tuple[Any, ...]
Size = int | tuple[int, ...]


class Answer(Enum):
    """How near an answer must be to CPython's."""

    EXACT = "bit for bit"
    SUMS = "sums may be re-associated: bit for bit where all sums are exact"
    MATH = "some units in the last place of mathematical functions, and sums"


@dataclass(frozen=True)
class Maker:
    """Makes inputs from one random generator.

    Parameters
    ----------
    dtype : str
        Type of the arrays of floating-point numbers.
    rng : numpy.random.Generator
        Where the numbers come from.
    eighths : bool
        Give multiples of 1/8 only, so that short sums of products are exact in every order.
    """

    dtype: str
    rng: np.random.Generator
    eighths: bool = False

    def random(self, *shape: int) -> np.ndarray:
        """Numbers between 0 and 1."""
        if self.eighths:
            return (self.rng.integers(0, 9, shape) / 8).astype(self.dtype)
        return self.rng.random(shape, self.dtype)

    def signed(self, *shape: int) -> np.ndarray:
        """Numbers between -1 and 1."""
        return 2 * self.random(*shape) - 1

    def above(self, least: float, *shape: int) -> np.ndarray:
        """Numbers between `least` and `least` + 1: to divide by, to take logarithms of."""
        return self.random(*shape) + np.dtype(self.dtype).type(least)

    def zeros(self, *shape: int) -> np.ndarray:
        """Zeros of the type of the floating-point numbers."""
        return np.zeros(shape, self.dtype)

    def below(self, limit: int, *shape: int, dtype: str = "int64") -> np.ndarray:
        """Whole numbers from 0 to `limit` - 1."""
        return self.rng.integers(0, limit, shape, dtype=dtype)


@dataclass(frozen=True)
class Program:
    """One computation in several spellings.

    Parameters
    ----------
    name : str
        Unique; its hash chooses the half.
    spellings : tuple of callable
        Functions of the same arguments that compute the same. The first is the plain one, which peers run, too.
    arguments : callable
        Makes the arguments from a `Maker` and a size.
    sizes : tuple
        Tiny, small, medium and large: a number or a tuple of numbers each.
    bytes : callable
        Bytes that must be read and written at least once, from the numbers of the size and the bytes of a float.
    operations : callable
        Arithmetic operations of the plain spelling, from the numbers of the size.
    parallel : tuple of str
        Counters of the loops that a user of Numba would mark with `prange`.
    answer : Answer
        How near an answer must be to CPython's.
    whole : callable or None
        The same as array expressions, from a module like NumPy and the arguments; gives what the first spelling
        returns, or the first arrays of the answer.
    dtypes : tuple of str
        Types of the floating-point arrays; the first one alone where there are none.
    outputs : tuple of int
        Positions of the arguments with the answer; the last one if there are none and nothing is returned.
    restore : bool
        A second call on the same arrays would do other work: they get their first contents back before each call.
    """

    name: str
    spellings: tuple[Callable[..., Any], ...]
    arguments: Callable[..., Arguments]
    sizes: tuple[Size, Size, Size, Size]
    bytes: Callable[..., float]
    operations: Callable[..., float]
    parallel: tuple[str, ...] = ("i",)
    answer: Answer = Answer.EXACT
    whole: Callable[..., Any] | None = None
    dtypes: tuple[str, ...] = FLOATS
    outputs: tuple[int, ...] = ()
    restore: bool = False
    family: str = ""

    @property
    def half(self) -> str:
        """`seen`: Weft may be tuned for it. `unseen`: it tells what that is worth for programs nobody looked at."""
        return ("seen", "unseen")[hashlib.sha256(self.name.encode()).digest()[0] % 2]

    def numbers(self, size: str) -> tuple[int, ...]:
        """Give the numbers that a named size stands for."""
        found = self.sizes[SIZES.index(size)]
        return found if isinstance(found, tuple) else (found,)

    def inputs(self, size: str, dtype: str, eighths: bool = False) -> Arguments:
        """Make the arguments, the same at every call."""
        maker = Maker(dtype, np.random.default_rng(SEED), eighths)
        return self.arguments(maker, *self.numbers(size))

    def least_bytes(self, size: str, dtype: str) -> float:
        """Give the bytes that must travel."""
        return self.bytes(*self.numbers(size), np.dtype(dtype).itemsize)

    def least_operations(self, size: str) -> float:
        """Give the operations that must be done."""
        return self.operations(*self.numbers(size))

    def result(self, returned: Any, arguments: Arguments) -> tuple[Any, ...]:
        """Give the answer of a call: what it returned, and the arrays that it wrote."""
        given = () if returned is None else self.expected(returned)
        places = self.outputs or (() if given else (-1,))
        return (*given, *(arguments[place] for place in places))

    @staticmethod
    def expected(value: Any) -> tuple[Any, ...]:
        """Give the parts of what `whole` or a spelling returned."""
        return value if isinstance(value, tuple) else (value,)
