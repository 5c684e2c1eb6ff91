"""What a benchmark program is: one computation, written four times, with the inputs that all of them get."""

from __future__ import annotations

import sys
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

try:
    from numba import prange
except ImportError:
    prange = range

__all__ = ["Arguments", "Program", "assert_same", "complaint", "prange", "side"]

Arguments = tuple[Any, ...]
"""What every version of a program is called with: arrays, Python ints and floats, NumPy scalars."""

SEED = 20240611


@dataclass(frozen=True)
class Program:
    """One benchmark.

    Parameters
    ----------
    name : str
        Also the name of the C function.
    title : str
        For tables.
    arguments : callable
        Makes the arguments for a size (the number of elements or innermost iterations) from a random generator.
    results : tuple of int
        Positions of the arguments that hold the answer after a call.
    loops : callable
        Plain Python loops: what Weft compiles, and what CPython runs to check everybody's answer.
    numba : callable
        The same for Numba, with `prange` where a user would write it.
    numpy : callable or None
        Whole-array code; None where NumPy has no way to say it.
    extents : callable
        Gives the integers that C gets behind the arguments.
    tolerance : float
        Largest error relative to `scale`; 0 where all versions must agree bit for bit.
    tuned : str or None
        Name of a second C function, tuned by hand beyond the loop nest as written.
    growth : float
        The work grows with this power of the size.
    """

    name: str
    title: str
    arguments: Callable[[int, np.random.Generator], Arguments]
    results: tuple[int, ...]
    loops: Callable[..., object]
    numba: Callable[..., object]
    numpy: Callable[..., object] | None
    extents: Callable[..., tuple[int, ...]]
    tolerance: float = 0.0
    tuned: str | None = None
    growth: float = 1.0

    def inputs(self, size: int) -> Arguments:
        """Make the arguments of a size, the same at every call."""
        return copied(self.arguments(size, np.random.default_rng(SEED)))

    def answer(self, call: Callable[..., object], size: int) -> list[np.ndarray]:
        """Run a version on fresh inputs and give what it computed."""
        arguments = self.inputs(size)
        call(*arguments)
        return [arguments[position] for position in self.results]


def copied(arguments: Arguments) -> Arguments:
    """Copy the arrays to where lines of the cache begin, so that no version is lucky with its memory."""
    return tuple(_aligned(value) if isinstance(value, np.ndarray) else value for value in arguments)


def _aligned(array: np.ndarray, line: int = 64) -> np.ndarray:
    memory = np.empty(array.nbytes + line, np.uint8)
    start = -memory.ctypes.data % line
    copy = memory[start : start + array.nbytes].view(array.dtype).reshape(array.shape)
    copy[...] = array
    return copy


def complaint(problem: BaseException) -> str:
    """Give the text of an exception without the folders of this machine."""
    text = f"{type(problem).__name__}: {problem}"
    for folder in (Path(__file__).parent.parent, Path.home(), Path(sys.prefix)):
        text = text.replace(f"{folder}/", "")
    return text


def side(size: int) -> int:
    """Give the side of the square that has this many elements."""
    return max(4, round(size**0.5))


def assert_same(program: Program, answer: list[np.ndarray], reference: list[np.ndarray], who: str) -> None:
    """Raise AssertionError unless an answer is the reference, within the tolerance of the program."""
    for got, expected in zip(answer, reference, strict=True):
        if program.tolerance == 0.0:
            np.testing.assert_array_equal(got, expected, err_msg=f"{program.name}: {who}")
        else:
            scale = float(np.max(np.abs(expected), initial=0.0))
            np.testing.assert_allclose(
                got, expected, rtol=program.tolerance, atol=program.tolerance * scale, err_msg=f"{program.name}: {who}"
            )
