"""The schedules of reductions whose reads are the same for all points, such as forces between all pairs of bodies."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from weft.ir import nodes as n
from weft.schedule.directives import AXES, Bind, Schedule, Share, Stage
from weft.schedule.lowering.broadcast_tile import CommonReads, common_reads, row_bytes
from weft.schedule.nests import Reduction, flattened, grid_chain, has_known_bounds, reduction_in

MANY: dict[int, tuple[int, ...]] = {1: (1024,), 2: (64, 16), 3: (64, 4, 4)}
"""Threads of a block along x, y and z, by the number of loops in the grid; a multiprocessor runs one such block."""

SOME: dict[int, tuple[int, ...]] = {1: (256,), 2: (64, 4), 3: (64, 2, 2)}
"""The same for devices whose blocks have fewer threads."""

FEW: tuple[dict[int, tuple[int, ...]], ...] = ({1: (64,), 2: (16, 4)}, {1: (16,), 2: (4, 4)})
"""The same where points are few, and `PARTS` threads share the reduction of each: in blocks of many, of some."""

PARTS = 16

DEPTH, TILE = 1024, 16 * 1024
"""Iterations of which a block keeps what they read, and the bytes that these have at most."""


def pairs(kernel: n.Kernel, found: Reduction, chain: Sequence[n.For], order: Sequence[n.For]) -> Iterator[Schedule]:
    """Blocks of points that read once what all need, the best first; none where points need different elements.

    Parameters
    ----------
    kernel
        A kernel as it was written.
    found
        The reduction, inside of the loops.
    chain, order
        The loops around it, outermost first, and the one whose elements lie side by side first.
    """
    reads = common_reads(kernel, found, chain) if has_known_bounds(found.loop, kernel) else None
    if reads is not None:
        for groups in (MANY, SOME):
            yield *_binds(order, groups), Stage(found.loop.label, _depth(reads))


def few_pairs(kernel: n.Kernel, usual: Schedule) -> Iterator[Schedule]:
    """The schedule for few points in place of one of `pairs`, if it is one."""
    chain, found = grid_chain(kernel), staged_pairs(kernel, usual)
    reads = common_reads(kernel, found, chain) if found is not None else None
    if found is not None and reads is not None and len(chain) < len(AXES):
        by_label = {loop.label: loop for loop in chain}
        order = [by_label[d.loop] for d in usual if isinstance(d, Bind)]
        share = Share(found.loop.label, AXES[len(order)], PARTS)
        for groups in FEW:
            yield *_binds(order, groups), share, Stage(found.loop.label, _depth(reads))
        yield *_binds(order, FEW[0]), Stage(found.loop.label, _depth(reads))  # if threads do not share folds


def narrow_pairs(kernel: n.Kernel, usual: Schedule) -> Iterator[Schedule]:
    """The schedule with smaller blocks, if it is one of `pairs` with larger ones."""
    if staged_pairs(kernel, usual) is not None:
        binds = [d for d in usual if isinstance(d, Bind)]
        most = dict(zip(AXES, SOME[len(binds)], strict=False))
        narrow = tuple(replace(d, group=min(d.group, most[d.axis])) if isinstance(d, Bind) else d for d in usual)
        if narrow != usual:
            yield narrow


def staged_pairs(kernel: n.Kernel, usual: Schedule) -> Reduction | None:
    """The reduction for which a schedule keeps what all points read; None where it is another one."""
    staged = [d.loop for d in usual if isinstance(d, Stage)]
    chain = grid_chain(kernel)
    found = reduction_in(flattened(chain), staged[0]) if staged else None
    return found if found is not None and common_reads(kernel, found, chain) is not None else None


def _binds(order: Sequence[n.For], groups: dict[int, tuple[int, ...]]) -> list[Bind]:
    return [Bind(loop.label, AXES[k], groups[len(order)][k]) for k, loop in enumerate(order)]


def _depth(reads: CommonReads) -> int:
    """Iterations of a tile: a power of two, so that it can be cut in parts."""
    depth = DEPTH
    while depth * row_bytes(reads) > TILE:
        depth //= 2
    return max(depth, 2 * PARTS)
