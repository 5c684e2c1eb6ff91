"""The schedules of sums whose elements are each read for many points: matrix products, and whatever looks like them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import product
from math import prod

from weft.ir import nodes as n
from weft.ir.types import FLOAT32, FLOAT64, Scalar
from weft.ir.visit import known_trips
from weft.schedule.directives import AXES, Bind, Deal, Directive, Order, Privatise, Scan, Schedule, Slide, Stage, Walk
from weft.schedule.legality import TF32
from weft.schedule.lowering.lanes import WIDEST
from weft.schedule.lowering.sliding import COLUMNS, ROWS, SlidingSum, pieces, sliding_sum, why_no_matrices
from weft.schedule.nests import Reduction, flattened, grid_chain

NARROW = 5
"""Columns of a window from which on it is worth keeping in registers."""

MOST_ROWS, SOME_ROWS = 32, 8
"""Rows of a window in shared memory at most, and where nobody knows how many there are."""

MOST_POINTS = 64
"""Points of a thread for which every device has registers."""

PAIRS = 12
"""Pairs of neighbouring columns whose sums a thread has, where matrix instructions form them."""

USEFUL, MANY = 0.5, 40
"""The part of their multiply-adds that must be of elements in a window, since they are twice as fast as others, and the
weights from which on that is worth it: sums of fewer are bound by memory."""

FITTING = 256
"""Threads that a multiprocessor has registers for, however many of them the compiler gives to each."""

GROUPED = 8
"""Rows of blocks that run together, so that the second-level cache has what they read."""


def contractions(found: Reduction, order: Sequence[n.For], precision: str = "") -> Iterator[Schedule]:
    """Tiles of points in registers, the best first; what they read is in shared memory.

    Parameters
    ----------
    found
        The sum, inside of the loops.
    order
        The loops around it, the one whose elements lie side by side first.
    precision
        What factors of float32 may be rounded to.
    """
    types = [arg.var.type for arg in found.loop.args]
    size = max((type.size if isinstance(type, Scalar) else WIDEST for type in types), default=8)
    run = WIDEST // size if size in (4, 8) else 1
    label = found.loop.label
    if types == [FLOAT64]:
        yield (*_tile(order, (8, 8, 2), (16, 8, 1)), Stage(label, 16, 1, 3, True))
    if types == [FLOAT32] and precision == TF32:
        yield (*_tile(order, (16, 16, 2), (16, 8, 1)), Stage(label, 32, 1, 3, True))
        yield (*_tile(order, (8, 16, 2), (16, 8, 1)), Stage(label, 16, 1, 4, True))
    if size == 4:
        yield (*_tile(order, (32, 8, run), (4, 16, run)), Stage(label, 16), Order(order[1].label, GROUPED))
    wide, high = (8, 8) if size <= 4 else (4, 8 if size <= 8 else 4)
    for less in (1, 2):
        yield (*_tile(order, (16, wide, run), (16, high // less, run)), Stage(label, 8, 1 if size <= 4 else 2))


def convolutions(kernel: n.Kernel, order: Sequence[n.For]) -> Iterator[Schedule]:
    """Tiles of points whose windows slide; the later ones need less shared memory.

    With registers for seven blocks the compiler keeps weights in those that all threads of a warp share, so a product
    reads two of its own in place of three: 209 us in place of 229 for 17 x 17 weights and 4096 x 4096 points.

    Parameters
    ----------
    kernel
        A kernel as it was written.
    order
        Its parallel loops, the one whose elements lie side by side first.
    """
    flat = flattened(grid_chain(kernel))
    for loop in (s for s in flat.statements if isinstance(s, n.For) and s.args and len(order) > 1):
        found = sliding_sum(flat, loop.label, order[1], order[0])
        if isinstance(found, str) or (found.width is not None and found.width < NARROW):
            continue
        if is_worth_matrices(found):
            yield (*_tile(order, (4, 2 * PAIRS, 2), (32, 2, 1)), Slide(loop.label, _rows(loop), 2, matrix=True))
        size = max(type.size if isinstance(type, Scalar) else WIDEST for type in (a.var.type for a in loop.args))
        wide, blocks = 8 if size <= 4 else 4, (3,) if found.width is None else (7, 5) if size <= 4 else (5,)
        for high, room in product((4, 2, 1), blocks):
            yield (*_tile(order, (8, wide, wide), (16, high, 1)), Slide(loop.label, _rows(loop), room))


def is_worth_matrices(found: SlidingSum) -> bool:
    """Whether matrix instructions can form a sum over windows, and are faster: they also multiply what is beside."""
    if why_no_matrices(found) is not None:
        return False
    assert found.width is not None and found.height is not None
    weights, around = found.height * found.width, (found.height + ROWS - 1) * COLUMNS * pieces(found.width)
    return weights >= MANY and weights > USEFUL * around


def _rows(loop: n.For) -> int:
    """The rows of a window, as many as are kept at a time."""
    trips = known_trips(loop)
    return SOME_ROWS if trips is None else min(max(trips, 1), MOST_ROWS)


def _tile(order: Sequence[n.For], x: tuple[int, int, int], y: tuple[int, int, int]) -> list[Bind]:
    """The first loops along x and y; threads, points and the length of a run are given."""
    rest = [Bind(loop.label, AXES[k], 1) for k, loop in enumerate(order[2:], 2)]
    return [Bind(order[0].label, "x", *x), Bind(order[1].label, "y", *y), *rest]


def smaller(schedule: Schedule) -> Iterator[Schedule]:
    """Schedules with smaller blocks than one of a product, for products of few elements."""
    stages = [d for d in schedule if isinstance(d, Stage)]
    by_axis = {d.axis: d for d in schedule if isinstance(d, Bind)}
    if is_by_matrices(schedule):
        yield _by_multiply_adds(schedule)
    if not stages or not needs_much(schedule) or len(by_axis) < 2:
        return
    x, y, rest = by_axis["x"], by_axis["y"], [bind for axis, bind in by_axis.items() if axis == "z"]
    if stages[0].matrix:
        yield (x, replace(y, points=4), *rest, replace(stages[0], blocks=2))
    else:
        yield (
            replace(x, points=4),
            replace(y, group=8, points=8),
            *rest,
            replace(stages[0], depth=16, blocks=2, singles=3),
        )


def enough_blocks(schedule: Schedule, cores: int, resident: int) -> int:
    """The blocks of a schedule from which on smaller ones are no better, where each of some cores runs `resident`."""
    if is_by_matrices(schedule):
        return cores // 2  # a core with one block of them is as fast as two with many of the others
    threads = prod(d.group for d in schedule if isinstance(d, Bind))
    if not any(isinstance(d, Stage) and d.matrix for d in schedule):
        resident = max(resident, FITTING // threads)
    return 3 * cores * resident // 4


def is_by_matrices(schedule: Schedule) -> bool:
    """Whether a sum over windows is formed by matrix instructions."""
    return any(isinstance(d, Slide) and d.matrix for d in schedule)


def _by_multiply_adds(schedule: Schedule) -> Schedule:
    """The same sum without matrix instructions, in smaller blocks."""
    made: list[Directive] = []
    for directive in schedule:
        if isinstance(directive, Slide):
            directive = replace(directive, blocks=5, matrix=False)
        elif isinstance(directive, Bind) and directive.axis in "xy":
            tile = (8, 4, 4) if directive.axis == "x" else (16, 4, 1)
            directive = replace(directive, group=tile[0], points=tile[1], run=tile[2])
        made.append(directive)
    return tuple(made)


def needs_much(schedule: Schedule) -> bool:
    """Whether a schedule is only worth it on devices with many registers, which copy to shared memory meanwhile and
    take blocks of many threads."""
    points = prod(d.points for d in schedule if isinstance(d, Bind))
    if is_by_matrices(schedule):
        return True
    if any((isinstance(d, Privatise) and d.copies > 1) or (isinstance(d, Deal) and d.rounds) for d in schedule):
        return True
    if any((isinstance(d, Walk) and d.staged) or (isinstance(d, Scan) and d.run) for d in schedule):
        return True
    return any(isinstance(d, Stage) and (d.most > 2 or d.matrix or points > MOST_POINTS) for d in schedule)
