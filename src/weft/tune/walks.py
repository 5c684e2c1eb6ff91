"""When threads walk along a loop, and in which blocks: see `weft.schedule.lowering.walk` and
`weft.schedule.lowering.rolling_planes`."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from weft.ir import nodes as n
from weft.ir.effects import written_views
from weft.ir.visit import walk
from weft.schedule.directives import AXES, Bind, Schedule, Walk
from weft.schedule.legality import check_schedule
from weft.schedule.lowering.columns import columns_along
from weft.schedule.lowering.planes import Planes, planes_of
from weft.schedule.nests import grid_chain
from weft.tune.vectors import Vectors

FAR = 4
"""How many iterations apart the ends are that an iteration reaches along a loop, for a walk to be worth it in any case:
a thread with few points would load more for others than for these."""

LENGTH = {2: 64, 3: 128}
"""Iterations of a walk by the number of loops in the grid: what a thread loads before the first one is little beside
what it loads for them."""

ACROSS = {2: 128, 3: 32}
"""Threads of a block along x, by the number of loops in the grid."""

DOWN = 64
"""Bytes of a column that a block has along y, or half of them where a multiprocessor has room for one such block only:
of two, one works while the other waits."""

REGISTERS = 64 * 1024
"""Registers of a multiprocessor."""

EACH, OTHERS = 2.25, 36
"""Registers of a thread for each word that it keeps, with what is computed from it, and for all else."""


def walks(kernel: n.Kernel, order: Sequence[n.For], run: int) -> Iterator[Schedule]:
    """Legal schedules whose threads walk along the outermost loop of a nest, if it reaches far along it.

    Parameters
    ----------
    kernel
        The kernel as it was written.
    order
        Its loops, the one with neighbouring elements first.
    run
        Neighbours of a thread along that loop.
    """
    if len(order) not in ACROSS:
        return
    columns = columns_along(kernel, order[-1], order[0])
    if not columns or columns[0].span <= FAR:
        return
    planes = planes_of(kernel, order[-1].label)
    ring = _ring(planes, [loop.label for loop in order], run) if planes is not None else ()
    walk = (*(replace(d, group=8) if isinstance(d, Bind) and d.axis == "y" and d.group > 8 else d for d in ring[:-1]),
            Walk(order[-1].label, blocks=2))  # fmt: skip
    for schedule in (ring, walk):
        if schedule and not check_schedule(kernel, schedule):
            yield schedule


def for_uneven_rows(kernel: n.Kernel, usual: Schedule) -> Iterator[Schedule]:
    """Schedules for arrays whose rows begin anywhere, if threads have vectors of several planes under the usual one:
    element by element, a way through shared memory is faster."""
    binds = {d.axis: d for d in usual if isinstance(d, Bind)}
    if set(binds) != set(AXES) or binds["x"].run == 1 or any(not isinstance(d, (Bind, Walk)) for d in usual):
        return
    labels = [binds[axis].loop for axis in AXES]
    planes = planes_of(kernel, labels[-1])
    if planes is None or not (binds["z"].points > 1 and binds["z"].group == 1):
        return
    schedule = _ring(planes, labels, binds["x"].run, is_even=False)
    if schedule != usual and not check_schedule(kernel, schedule):
        yield schedule


def _ring(planes: Planes, labels: Sequence[str], run: int, is_even: bool = True) -> Schedule:
    """A walk through a ring of planes, by loops from x on. Single elements are asked for later than vectors."""
    down = DOWN // planes.element.size if len(labels) == len(AXES) else 1
    x = Bind(labels[0], "x", ACROSS[len(labels)], run, run)
    blocks = _at_once(planes, labels[-1], x.group * down, run)
    is_large = blocks == 1 and down > 1
    if is_large:
        down //= 2
        blocks = _at_once(planes, labels[-1], x.group * down, run)
    binds = [x, Bind(labels[1], "y", down)] if len(labels) == len(AXES) else [x]
    length = LENGTH[len(labels)]
    along = Bind(labels[-1], AXES[len(binds)], 1, length, length)
    return (*binds, along, Walk(labels[-1], 3 if (is_large and is_even) or blocks == 1 else 2, True, blocks))


def _at_once(planes: Planes, along: str, threads: int, points: int) -> int:
    """How many blocks of so many threads there are registers for, each thread with some points, at least one."""
    low, high = planes.reach(along)
    words = (high - low + 1) * points * planes.element.size // 4
    return max(int(REGISTERS / threads / (EACH * words + OTHERS)), 1)


def plane_vectors(kernel: n.Kernel, usual: Schedule) -> Vectors:
    """What the schedule needs of the arrays in place of which there are others for uneven rows."""
    binds = {d.axis: d for d in usual if isinstance(d, Bind)}
    planes, lanes = planes_of(kernel, binds["z"].loop), binds["x"].run
    assert planes is not None and len(grid_chain(kernel)) == len(planes.axes)
    written = (view for statement in walk(kernel.body) for view in written_views(statement) if view in kernel.params)
    return Vectors(lanes, tuple(dict.fromkeys((planes.view, *written))), (planes.view,))
