"""A program under test: its source, the arguments of its calls, and how Weft is to run it."""

from __future__ import annotations

import itertools
import linecache
import sys
import warnings
from collections.abc import Callable
from dataclasses import dataclass, field
from types import ModuleType
from typing import Any

import numpy as np

GUARD = 8
"""Elements around the arrays in a buffer: a write beside an array is seen."""

_numbers = itertools.count()


@dataclass(frozen=True)
class View:
    """An array argument: a window of a buffer; offset and strides count elements."""

    buffer: int
    offset: int
    shape: tuple[int, ...]
    strides: tuple[int, ...]
    writable: bool = True

    def of(self, buffers: list[np.ndarray]) -> np.ndarray:
        buffer = buffers[self.buffer]
        size = buffer.itemsize
        strides = tuple(stride * size for stride in self.strides)
        array: np.ndarray = np.ndarray(self.shape, buffer.dtype, buffer, self.offset * size, strides)
        array.flags.writeable = self.writable
        return array

    @property
    def overlaps_itself(self) -> bool:
        """Whether two indices mean the same element."""
        places = sum(np.ix_(*(np.arange(size) * step for size, step in zip(self.shape, self.strides))), np.array(0))
        return len(np.unique(places)) < places.size


@dataclass
class Arguments:
    """What one call is given: buffers, windows of them, and numbers."""

    buffers: list[np.ndarray]
    values: list[Any]
    wild: str = ""
    """Which floats there are that are no small whole numbers; sums of "rounded" ones depend on their order."""

    extreme: bool = False
    """Whether integers are as large as their type takes."""

    aliased: bool = False

    @property
    def overlaps(self) -> bool:
        """Whether elements may be reached in several ways."""
        return self.aliased or any(isinstance(v, View) and v.overlaps_itself for v in self.values)

    def build(self) -> tuple[list[Any], list[np.ndarray]]:
        """Arguments on fresh copies of the buffers, and these copies."""
        copies = [buffer.copy() for buffer in self.buffers]
        return [value.of(copies) if isinstance(value, View) else value for value in self.values], copies


@dataclass
class Way:
    """How Weft runs a program, beside the device."""

    threads: int = 0
    tiles: bool = False
    optimise: str = "-O1"
    disable: tuple[str, ...] = ()
    referee: bool = False
    """Whether the interpreter runs it, too."""

    sibling: bool = False
    """Whether another spelling of it is run, too."""


@dataclass
class Program:
    """A function `f`, with helpers, and calls of it."""

    seed: int
    source: str
    calls: list[Arguments]
    way: Way = field(default_factory=Way)
    features: frozenset[str] = frozenset()
    independent: bool = True
    """Whether no race was planted in a prange loop."""

    must_race: bool = False
    """Whether it is nothing but a claim that is wrong, and can be proven to be."""

    rounded: bool = False
    """Whether operations round: sums depend on their order."""

    functions: bool = False
    """Whether there are mathematical functions or powers, which may differ by some units in the last place."""

    told: bool = False
    """Whether all that is returned has the types of CPython, as the manual promises but for some exceptions."""

    origin: str = ""
    """The source that this one was rewritten from, if it was: both mean the same."""


def function_of(source: str) -> Callable[..., Any]:
    """The function `f` of a source, whose text can be found by `inspect`."""
    import math

    import weft

    number = next(_numbers)
    name = f"<hunt {number}>"
    linecache.cache[name] = (len(source), None, source.splitlines(True), name)
    module = ModuleType(f"hunted_{number}")
    sys.modules[module.__name__] = module  # classes are found in their modules
    module.__dict__.update({"np": np, "math": math, "weft": weft})
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", SyntaxWarning)
        exec(compile(source, name, "exec"), module.__dict__)
    return module.__dict__["f"]


def forget(function: Callable[..., Any]) -> None:
    """Drop the text of a function, and its module."""
    linecache.cache.pop(function.__code__.co_filename, None)
    sys.modules.pop(function.__module__, None)
