"""What CPython gives for a case, in the given precision, in a wider one, and for the magnitudes of the inputs."""

from __future__ import annotations

import functools
import warnings
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from .copying import Snapshot, arrays_in, leaves, overlaps_anywhere, rebuild, snapshot
from .registry import PROGRAMS, Case, Program


@dataclass(frozen=True)
class Outcome:
    """How a call ended: its result or exception, and its arguments afterwards."""

    result: Any
    error: Exception | None
    after: Snapshot

    @property
    def origins(self) -> list[int | None]:
        """For every leaf of the result, which array of the arguments it is, as an object."""
        places = {id(array): place for place, array in enumerate(self.after.arrays)}
        return [places.get(id(leaf)) for leaf in leaves(self.result)]


def run(
    program: Program, case: Case, call: Callable[[Callable[..., Any]], Callable[..., Any]] | None = None
) -> Outcome:
    """Run a program on a copy of the case, as it is or as `call` turns it into another function."""
    copied = snapshot(case)
    function, arguments = program.bind(copied.arguments)
    with warnings.catch_warnings(), np.errstate(all="ignore"):
        warnings.simplefilter("ignore", RuntimeWarning)
        try:
            result = (call(function) if call else function)(*arguments)
        except Exception as error:
            return Outcome(None, error, copied)
    return Outcome(result, None, copied)


@functools.cache
def cases(name: str) -> list[Case]:
    """The cases of the program of that name; never change one."""
    return PROGRAMS[name].cases()


@functools.cache
def expected(name: str, index: int) -> Outcome:
    """The outcome under CPython."""
    return run(PROGRAMS[name], cases(name)[index])


@functools.cache
def in_wide_precision(name: str, index: int) -> Outcome:
    """CPython's outcome with the widest floats, also for numbers; its ordinary one where arrays overlap, whose copies
    could not."""
    case = cases(name)[index]
    if overlaps_anywhere(case):
        return expected(name, index)
    outcome = run(PROGRAMS[name], _converted(case, _widened))
    return expected(name, index) if outcome.error else outcome


@functools.cache
def of_magnitudes(name: str, index: int) -> Outcome:
    """CPython's outcome for the absolute values of all floats, which bounds a sum of absolute values."""
    case = cases(name)[index]
    if overlaps_anywhere(case):
        return expected(name, index)
    outcome = run(PROGRAMS[name], _converted(case, _absolute))
    return expected(name, index) if outcome.error else outcome


def largest_size(case: Case) -> int:
    """The number of elements of the largest array of a case."""
    return max((array.size for array in arrays_in(case)), default=0)


def _converted(case: Case, convert: Callable[[np.ndarray], np.ndarray]) -> Case:
    made: dict[int, np.ndarray] = {}

    def replace(leaf: Any) -> Any:
        if isinstance(leaf, float) and convert is _widened:
            return np.longdouble(leaf)
        if not isinstance(leaf, np.ndarray) or leaf.dtype.kind not in "fc":
            return leaf
        return made.setdefault(id(leaf), convert(leaf))

    return rebuild(case, replace)


def _widened(array: np.ndarray) -> np.ndarray:
    return np.asarray(array, np.clongdouble if array.dtype.kind == "c" else np.longdouble)


def _absolute(array: np.ndarray) -> np.ndarray:
    return np.asarray(np.abs(array), array.dtype)
