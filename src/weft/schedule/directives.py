"""A schedule is a tuple of directives on loops, which are named by their labels. It says how, never what.

Directives apply from first to last; each sees the loops that those before it made.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, TypeAlias

Axis: TypeAlias = Literal["x", "y", "z"]


@dataclass(frozen=True)
class Bind:
    """Run a parallel loop over the blocks of the grid and, along an axis of a block, `group` threads.

    Each thread runs `points` iterations, in runs of `run` neighbours; along x, a run is loaded and stored as one vector
    where strides and alignment allow.
    """

    loop: str
    axis: Axis
    group: int
    points: int = 1
    run: int = 1

    def __str__(self) -> str:
        each = f", {self.points} points each in runs of {self.run}" if self.points > 1 else ""
        return f"bind {self.loop} to {self.axis}, {self.group} threads a block{each}"

    @property
    def step(self) -> int:
        """Iterations that a block runs."""
        return self.group * self.points


@dataclass(frozen=True)
class Share:
    """Deal the iterations of a reduction out to `group` threads of a block along an axis, in runs of `run` neighbours.

    Each thread folds its own; what they have is folded in order through shared memory.
    """

    loop: str
    axis: Axis
    group: int
    run: int = 1

    def __str__(self) -> str:
        runs = f" in runs of {self.run}" if self.run > 1 else ""
        return f"share {self.loop} among {self.group} threads along {self.axis}{runs}"


@dataclass(frozen=True)
class Stage:
    """Keep what `depth` iterations of a reduction read in shared memory, for all points of a block, in two buffers.

    The compiler is to use so few registers that `blocks` blocks run at a time on a multiprocessor.
    """

    loop: str
    depth: int
    blocks: int = 1

    def __str__(self) -> str:
        at_once = f", {self.blocks} blocks at a time" if self.blocks > 1 else ""
        return f"stage {self.depth} iterations of {self.loop} in shared memory{at_once}"


@dataclass(frozen=True)
class Deal:
    """Run each iteration of the bound loops in a block of its own, and deal a loop inside of it, and those beside that
    one, out to `group` threads along an axis. Arrays that an iteration makes are in shared memory."""

    loop: str
    axis: Axis
    group: int

    def __str__(self) -> str:
        return f"deal {self.loop} and the loops beside it out to {self.group} threads along {self.axis}"


@dataclass(frozen=True)
class Turn:
    """Load what lies close together along a loop by threads along that loop, and pass it on through shared memory."""

    loop: str

    def __str__(self) -> str:
        return f"turn loads along {self.loop} through shared memory"


@dataclass(frozen=True)
class Privatise:
    """Let each block update an array of its own in shared memory, of at most `extent` elements, and add these up."""

    array: str
    extent: int

    def __str__(self) -> str:
        return f"privatise {self.array} in each block, up to {self.extent} elements"


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


Directive: TypeAlias = Bind | Share | Deal | Stage | Turn | Privatise | Split | Reorder | Unroll | Vectorise
Schedule: TypeAlias = tuple[Directive, ...]

AXES: tuple[Axis, ...] = ("x", "y", "z")


def named(directive: Directive) -> tuple[str, ...]:
    """The labels of the loops that a directive names."""
    if isinstance(directive, Privatise):
        return ()
    return (directive.outer, directive.inner) if isinstance(directive, Reorder) else (directive.loop,)


def describe(schedule: Schedule) -> str:
    """The schedule in one line for each directive."""
    return "\n".join(str(directive) for directive in schedule) or "as written"
