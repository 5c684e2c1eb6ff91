"""A schedule is a tuple of directives on loops, which are named by their labels. It says how, never what.

Directives apply from first to last; each sees the loops that those before it made.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Literal, TypeAlias

from weft.dataclass import dataclass

Axis: TypeAlias = Literal["x", "y", "z"]


@dataclass(frozen=True)
class Bind:
    """Run a parallel loop over the blocks of the grid and, along an axis of a block, `group` threads.

    Each thread runs `points` iterations, in runs of `run` neighbours; along x, a run is loaded and stored as one vector
    where strides and alignment allow. Where several `Steps` run at once, the first and last `halo` iterations of a
    block are only what the others need. The compiler may use as many registers as let `blocks` blocks run at a time on
    a multiprocessor; by itself it saves them where a thread has many loads under way, and loads late.
    """

    loop: str
    axis: Axis
    group: int
    points: int = 1
    run: int = 1
    halo: int = 0
    blocks: int = 1

    def __str__(self) -> str:
        each = f", {self.points} points each in runs of {self.run}" if self.points > 1 else ""
        more = f", {self.halo} iterations at either end for the others only" if self.halo else ""
        more += f", {self.blocks} blocks at a time" if self.blocks > 1 else ""
        return f"bind {self.loop} to {self.axis}, {self.group} threads a block{each}{more}"

    @property
    def step(self) -> int:
        """Iterations that a block runs."""
        return self.group * self.points - 2 * self.halo


@dataclass(frozen=True)
class Share:
    """Deal the iterations of a reduction out to `group` threads of a block along an axis, in runs of `run` neighbours.

    Each thread folds its own; what they have is folded in order through shared memory. Where iterations only compute, a
    thread reads what `ahead` of its own need before it goes on with any of them. The compiler is to use so few
    registers that `blocks` blocks run at a time on a multiprocessor.
    """

    loop: str
    axis: Axis
    group: int
    run: int = 1
    ahead: int = 1
    blocks: int = 1

    def __str__(self) -> str:
        runs = f" in runs of {self.run}" if self.run > 1 else ""
        runs += f", {self.ahead} iterations under way at a time" if self.ahead > 1 else ""
        runs += f", {self.blocks} blocks at a time" if self.blocks > 1 else ""
        return f"share {self.loop} among {self.group} threads along {self.axis}{runs}"


@dataclass(frozen=True)
class Scan:
    """Run tiles that take turns by `group` threads of a block along an axis, `each` iterations by each of them.

    These are neighbours; or, where `run` is given, runs of so many neighbours, which are dealt out to the 32 threads of
    a row in turn, loaded as vectors, and held in registers. What a tile reads and writes side by side goes through up
    to `staged` bytes of shared memory otherwise. The compiler is to use so few registers that `blocks` blocks run at a
    time on a multiprocessor.
    """

    loop: str
    axis: Axis
    group: int
    each: int
    staged: int = 80 * 1024
    blocks: int = 1
    run: int = 0

    def __str__(self) -> str:
        way = f" in runs of {self.run}" if self.run else ""
        way += "" if self.staged else ", straight from memory"
        way += f", {self.blocks} blocks at a time" if self.blocks > 1 else ""
        return f"scan {self.loop} by {self.group} threads along {self.axis}, {self.each} iterations each{way}"


@dataclass(frozen=True)
class Stage:
    """Keep what `depth` iterations of a reduction read in shared memory, for all points of a block, in `buffers`.

    Of two buffers, one is filled through registers; more are filled by copies that are under way while threads work,
    on devices that have these. The compiler is to use so few registers that `blocks` blocks run at a time on a
    multiprocessor. With `matrix`, warps multiply matrices of float64 where the device has instructions for that. Where
    arrays are copied element by element, since they are not aligned, there are `singles` buffers if that is more.
    """

    loop: str
    depth: int
    blocks: int = 1
    buffers: int = 2
    matrix: bool = False
    singles: int = 0

    @property
    def most(self) -> int:
        """The buffers for which there is room."""
        return max(self.buffers, self.singles)

    def __str__(self) -> str:
        at_once = f", {self.blocks} blocks at a time" if self.blocks > 1 else ""
        copies = f", {self.buffers} times by asynchronous copies" if self.buffers > 2 else ""
        copies += f", {self.singles} times element by element" if self.singles > self.buffers else ""
        matrix = ", by matrix instructions" if self.matrix else ""
        return f"stage {self.depth} iterations of {self.loop} in shared memory{copies}{at_once}{matrix}"


@dataclass(frozen=True)
class Slide:
    """Keep what `depth` iterations of the outer of two loops that form a sum read in shared memory, for all points of a
    block, and what neighbouring points read of one row in registers. `blocks` is as for `Stage`.

    With `matrix`, warps multiply matrices of float64 where the device has instructions for that: pieces of rows by
    weights between zeros.
    """

    loop: str
    depth: int
    blocks: int = 1
    matrix: bool = False

    def __str__(self) -> str:
        at_once = f", {self.blocks} blocks at a time" if self.blocks > 1 else ""
        matrix = ", by matrix instructions" if self.matrix else ""
        return f"slide over {self.depth} iterations of {self.loop} in shared memory{at_once}{matrix}"


@dataclass(frozen=True)
class Walk:
    """Run the points of a thread along a loop one after the other, and keep in registers what later ones read again of
    the column in line with the thread.

    It is asked for `ahead` iterations before; if `staged`, with all else that a block reads of the array around these
    points, and it comes through shared memory. `blocks` is as for `Stage`.
    """

    loop: str
    ahead: int = 0
    staged: bool = False
    blocks: int = 1

    def __str__(self) -> str:
        at_once = f", {self.blocks} blocks at a time" if self.blocks > 1 else ""
        asked = f", {'planes in shared memory' if self.staged else 'elements'} asked for {self.ahead} iterations ahead"
        return f"walk along {self.loop}{asked if self.ahead else ''}{at_once}"


@dataclass(frozen=True)
class Deal:
    """Run each iteration of the bound loops in a block of its own, and deal a loop inside of it, and those beside that
    one, out to `group` threads along an axis. Arrays that an iteration makes are in shared memory.

    A thread runs `run` iterations at a time: neighbours, where they can be loaded and stored as vectors. What several
    loops access it keeps in registers, of `rounds` times as many iterations. The compiler is to use so few registers
    that `blocks` blocks run at a time on a multiprocessor.
    """

    loop: str
    axis: Axis
    group: int
    run: int = 1
    rounds: int = 0
    blocks: int = 1

    def __str__(self) -> str:
        runs = f" in runs of {self.run}" if self.run > 1 else ""
        kept = f", {self.rounds} times in registers" if self.rounds else ""
        kept += f", {self.blocks} blocks at a time" if self.blocks > 1 else ""
        return f"deal {self.loop} and the loops beside it out to {self.group} threads along {self.axis}{runs}{kept}"


@dataclass(frozen=True)
class Steps:
    """Run `count` steps of a sequential loop around a stencil at once, in blocks that march down the rows.

    The number is odd: the two arrays, which change places after every step, then have changed places afterwards. The
    compiler is to use so few registers that `blocks` blocks run at a time on a multiprocessor.
    """

    loop: str
    count: int
    blocks: int = 1

    def __str__(self) -> str:
        at_once = f", {self.blocks} blocks at a time" if self.blocks > 1 else ""
        return f"run {self.count} steps of {self.loop} at once{at_once}"


@dataclass(frozen=True)
class Entries:
    """Cut a loop over rows whose ends are read from memory into tiles of `count` rows and entries together.

    A block of `group` threads computes what the entries of a tile give, then folds its rows; longer rows are folded in
    pieces before. The compiler is to use so few registers that `blocks` blocks run at a time on a multiprocessor. With
    a `count` of 0, a few threads share each row, whatever its length.
    """

    loop: str
    count: int = 1024
    group: int = 128
    blocks: int = 1

    def __str__(self) -> str:
        if not self.count:
            return f"cut no rows of {self.loop}"
        at_once = f", {self.blocks} blocks at a time" if self.blocks > 1 else ""
        return f"cut {self.loop} into tiles of {self.count} rows and entries, {self.group} threads a block{at_once}"


@dataclass(frozen=True)
class Turn:
    """Load what lies close together along a loop by threads along that loop, and pass it on through shared memory."""

    loop: str

    def __str__(self) -> str:
        return f"turn loads along {self.loop} through shared memory"


@dataclass(frozen=True)
class Privatise:
    """Let each block update an array of its own in shared memory, of at most `extent` elements, and add these up; of
    one with `few` elements at most it has several `copies` for its threads.

    The compiler is to use so few registers that `blocks` blocks run at a time on a multiprocessor.
    """

    array: str
    extent: int
    copies: int = 1
    few: int = 256
    blocks: int = 1

    def __str__(self) -> str:
        several = f", {self.copies} times up to {self.few}" if self.copies > 1 else ""
        at_once = f", {self.blocks} blocks at a time" if self.blocks > 1 else ""
        return f"privatise {self.array} in each block, up to {self.extent} elements{several}{at_once}"


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


@dataclass(frozen=True)
class Order:
    """Run the blocks of `blocks` neighbours along a loop that is bound to y together, before those further along x."""

    loop: str
    blocks: int

    def __str__(self) -> str:
        return f"run blocks in groups of {self.blocks} along {self.loop}"


@dataclass(frozen=True)
class Cache:
    """Say how the elements of an array are cached: ``read-only``, past the coherent cache of a multiprocessor, ``L2``,
    kept in the second-level cache, or ``once``, given up first by all caches. A hint: devices without such a thing do
    nothing."""

    array: str
    where: Literal["read-only", "L2", "once"]

    def __str__(self) -> str:
        places = {
            "read-only": "load {} through the read-only cache",
            "L2": "keep {} in the second-level cache",
            "once": "load each element of {} once, for caches to give up first",
        }
        return places[self.where].format(self.array)


@dataclass(frozen=True)
class Carve:
    """Keep `percent` of a multiprocessor's fast memory for shared arrays, the rest as first-level cache. A hint."""

    percent: int

    def __str__(self) -> str:
        return f"keep {self.percent} % of a multiprocessor's fast memory for shared arrays"


@dataclass(frozen=True)
class Indices:
    """Compute the indices of the kernel of a loop in `bits` bits: in 32 by a version of it that runs where the launch
    finds that all of them fit, which is the default where there can be one, or always in 64."""

    loop: str
    bits: int

    def __str__(self) -> str:
        where = " where they fit" if self.bits == NARROW else ""
        return f"compute indices of {self.loop} in {self.bits} bits{where}"


Directive: TypeAlias = (
    Bind
    | Share
    | Deal
    | Scan
    | Stage
    | Slide
    | Walk
    | Steps
    | Entries
    | Turn
    | Privatise
    | Split
    | Reorder
    | Unroll
    | Vectorise
    | Order
    | Cache
    | Carve
    | Indices
)
Schedule: TypeAlias = tuple[Directive, ...]

AXES: tuple[Axis, ...] = ("x", "y", "z")

NARROW, WIDE = 32, 64
"""Bits of indices."""


def named(directive: Directive) -> tuple[str, ...]:
    """The labels of the loops that a directive names."""
    if isinstance(directive, (Privatise, Steps, Cache, Carve)):
        return ()
    return (directive.outer, directive.inner) if isinstance(directive, Reorder) else (directive.loop,)


def alone_along_z(directives: Iterable[Directive]) -> frozenset[str]:
    """Labels of the loops along z of which a block runs one iteration: their counters are the same for all threads."""
    return frozenset(d.loop for d in directives if isinstance(d, Bind) and d.axis == "z" and d.step == 1)


def describe(schedule: Schedule) -> str:
    """The schedule in one line for each directive."""
    return "\n".join(str(directive) for directive in schedule) or "as written"


def adds_in_order(schedule: Schedule) -> bool:
    """Whether one thread adds all terms of a sum, from the first to the last. All such schedules of a kernel give the
    same bits; they differ in the shape of blocks and in what blocks stage in shared memory."""
    return all(type(d) is Bind or (type(d) is Stage and not d.matrix) for d in schedule)
