"""A schedule is a tuple of directives on loops, which are named by their labels. It says how, never what.

Directives apply from first to last; each sees the loops that those before it made.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, TypeAlias

Axis: TypeAlias = Literal["x", "y", "z"]


@dataclass(frozen=True)
class Bind:
    """Run a parallel loop over the blocks and threads of one axis of the grid, `group` threads in each block."""

    loop: str
    axis: Axis
    group: int

    def __str__(self) -> str:
        return f"bind {self.loop} to {self.axis}, {self.group} threads a block"


@dataclass(frozen=True)
class Split:
    """Cut a loop into tiles of `factor` iterations: loops ``L.tile`` and ``L.in``, then ``L.rest`` for what remains."""

    loop: str
    factor: int

    def __str__(self) -> str:
        return f"split {self.loop} by {self.factor}"


@dataclass(frozen=True)
class Reorder:
    """Exchange a loop with the one directly inside it."""

    outer: str
    inner: str

    def __str__(self) -> str:
        return f"exchange {self.outer} and {self.inner}"


@dataclass(frozen=True)
class Unroll:
    """Write the iterations of a loop out one after the other, as far as the compiler behind the backend sees fit."""

    loop: str

    def __str__(self) -> str:
        return f"unroll {self.loop}"


@dataclass(frozen=True)
class Vectorise:
    """Run a parallel loop in the lanes of vectors."""

    loop: str

    def __str__(self) -> str:
        return f"vectorise {self.loop}"


Directive: TypeAlias = Bind | Split | Reorder | Unroll | Vectorise
Schedule: TypeAlias = tuple[Directive, ...]

AXES: tuple[Axis, ...] = ("x", "y", "z")


def describe(schedule: Schedule) -> str:
    """The schedule in one line for each directive."""
    return "\n".join(str(directive) for directive in schedule) or "as written"
