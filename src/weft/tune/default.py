"""The schedule that a kernel gets when nobody says otherwise, from the strides of its accesses."""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Sequence
from dataclasses import replace

from weft.analysis.access.reach import reach_of
from weft.ir import nodes as n
from weft.ir.types import Scalar, Type, View
from weft.ir.visit import atoms_of, free_variables, has_fewer_trips, known_trips, walk
from weft.schedule.directives import (
    AXES,
    Bind,
    Deal,
    Privatise,
    Schedule,
    Share,
    Stage,
    adds_in_order,
    alone_along_z,
)
from weft.schedule.legality import check_schedule
from weft.schedule.lowering.cooperate import (
    is_commutative,
    own_arrays,
)
from weft.schedule.lowering.lanes import WIDEST, side_by_side
from weft.schedule.nests import (
    Reduction,
    flattened,
    grid_chain,
    has_known_bounds,
    reads,
    reduction_in,
    slice_of,
    updates_of,
)
from weft.transform.scan.arg_reductions import is_in_pieces
from weft.tune.blocks import (
    LONGEST_RUN,
    SHORT,
    WARP,
    accesses_along,
    dealt_bodies,
    rows_in_tiles,
    tiles_of_scans,
)
from weft.tune.lengths import Length
from weft.tune.pairs import few_pairs, narrow_pairs, pairs, staged_pairs
from weft.tune.products import contractions, convolutions, smaller
from weft.tune.strips import strips
from weft.tune.transpositions import transposition
from weft.tune.walks import walks

GROUPS: dict[int, tuple[int, ...]] = {1: (256,), 2: (64, 4), 3: (64, 2, 2)}
"""Threads of a block along x, y and z, by the number of loops in the grid."""

ROWS: dict[int, tuple[int, ...]] = {1: (256,), 2: (32, 8), 3: (32, 8, 1)}
"""The same where each thread runs neighbours along x."""

MOST_SHARED = 64
"""The most iterations of a dealt loop for which one warp is as fast as several, which would wait for one another."""

LONE, OF_LONG = 512, 256
"""Threads that share the only row that there is; and one of many that are long, or a piece of a long one."""

LONG_ROW = 4096
"""Iterations of a long row."""

RAGGED = 8
"""Threads that share a row whose length is read from memory: such rows are short, and each begins anywhere."""

RAGGED_AHEAD = 4
"""Iterations of such a row that each of them has under way at a time."""

APART_AHEAD = 8
"""The same where neighbours of a row are apart, so that neighbouring threads have neighbours."""

RAGGED_BLOCK, RAGGED_BLOCKS = 128, 16
"""Threads of a block that has such rows, few since they wait for the longest of theirs, and how many such blocks there
are at a time."""

BINS = 16384
"""Bytes of a block's own array."""

COPIES = 128
"""Bytes of a block's copies of one element: one for each bank."""

WIDE_BLOCK = 1024
"""Threads of a block that has several arrays of its own, which take long to add up."""

PER_THREAD = 512
"""Bytes of the keys that each thread counts: all blocks add to one array in the end."""

ROW_OF_KEYS = 64
"""Threads of a block along a row of keys."""

FEW_PER_THREAD = 32
"""The same where there are too few keys for blocks of so many."""

REUSED = {2: 2, 3: 4}
"""Points of a thread along a loop whose neighbours read the same elements, by the number of loops in the grid."""

MANY_POINTS, RESIDENT = 16, 2
"""Points of a thread from which on the compiler is told how many blocks run at a time, so that it loads early."""


def default_schedule(kernel: n.Kernel) -> Schedule:
    """The default schedule: the first of the `candidates`.

    Parameters
    ----------
    kernel
        A nest whose grid loops have the mapping ``parallel``.
    """
    return next(candidates(kernel))


def dealt_arrays(nest: n.For) -> frozenset[str]:
    """Names of the arrays that the iterations of a parallel nest make and that will be in shared memory."""
    block = n.Block((nest,))
    kernel = n.Kernel("", free_variables(block), block)
    chain = grid_chain(kernel)
    arrays = own_arrays(flattened(chain)) if chain else ()
    if not arrays or not any(isinstance(d, Deal) for d in default_schedule(kernel)):
        return frozenset()
    return frozenset(let.var.name for let in arrays)


def candidates(kernel: n.Kernel) -> Iterator[Schedule]:
    """Legal schedules that fit the kernel's accesses, the best first; the later ones need less of a device."""
    chain = grid_chain(kernel)
    if not chain:
        yield ()
        return
    if chain[0].mapping == "turns":
        yield from tiles_of_scans(kernel, chain)
        return
    if chain[0].steps is not None:
        yield from strips(chain)
        return
    order = sorted(chain, key=lambda loop: (-accesses_along(kernel, loop), -chain.index(loop)))
    yield from rows_in_tiles(kernel, order, chain)
    dealt = dealt_bodies(kernel, order, chain)
    sums = itertools.chain(convolutions(kernel, order), _reductions(kernel, chain, order))
    others = sums, _histogram(kernel, order), transposition(kernel, order)
    for schedule in (
        (*dealt, *itertools.chain(*others)) if own_arrays(flattened(chain)) else itertools.chain(*others, dealt)
    ):
        if not check_schedule(kernel, schedule):
            yield schedule
    yield from walks(kernel, order, _run(kernel, order[0]))
    points = _points(kernel, order)
    plain = tuple(Bind(loop.label, AXES[k], GROUPS[len(order)][k]) for k, loop in enumerate(order))
    few = tuple(replace(bind, group=max(bind.group // 4, 1)) if bind.axis == "x" else bind for bind in plain)
    yield from dict.fromkeys((points, tuple(replace(bind, blocks=1) for bind in points), plain, few))


def _points(kernel: n.Kernel, order: Sequence[n.For]) -> tuple[Bind, ...]:
    """Blocks of points: neighbours along x as vectors, several rows a thread where they read the same elements."""
    run = _run(kernel, order[0])
    if run == 1:
        return tuple(Bind(loop.label, AXES[k], GROUPS[len(order)][k]) for k, loop in enumerate(order))
    reused = _reused(kernel, order[1:])
    blocks = RESIDENT if reused is not None and run * REUSED[len(order)] >= MANY_POINTS else 1
    binds = [Bind(order[0].label, "x", ROWS[len(order)][0], run, run, blocks=blocks)]
    for k, loop in enumerate(order[1:], 1):
        points = REUSED[len(order)] if loop is reused else 1
        binds.append(Bind(loop.label, AXES[k], ROWS[len(order)][k], points, points))
    return tuple(binds)


# ------------------------------------------------------------------------------------------------- reductions


def _reductions(kernel: n.Kernel, chain: Sequence[n.For], order: Sequence[n.For]) -> Iterator[Schedule]:
    """Schedules for a nest with one reduction inside of its parallel loops, from the elements that it reads."""
    sides = (s.then if isinstance(s, n.If) else n.Block((s,)) for s in flattened(chain).statements)
    loops = [s for side in sides for s in side.statements if isinstance(s, n.For) and s.args]
    found = reduction_in(flattened(chain), loops[0].label) if len(loops) == 1 else None
    if found is None or has_fewer_trips(found.loop, SHORT):
        return
    bound = {loop.label for loop in chain}
    read = [(load, labels & bound) for load, labels in reads(found, chain)]
    if len({label for _, labels in read for label in labels}) > 1 and found.guard is None:
        yield from contractions(found, order, kernel.precision)
    if not _is_lone(order):
        yield from pairs(kernel, found, chain, order)
    spare = walk(found.guard.orelse) if found.guard else ()
    beside = [s for s in (*walk(found.before), *walk(found.after)) if isinstance(s, (n.For, n.While))]
    if len(beside) > sum(isinstance(s, (n.For, n.While)) for s in spare):
        return
    own = [load for load, labels in read if labels] or [load for load, _ in read]
    along = [_lies_along(kernel, load, found.loop) for load in own]
    varies = any(labels for _, labels in read) or not has_known_bounds(found.loop, kernel) or _is_lone(order)
    is_any_order = all(map(is_commutative, found.loop.args)) or (not _is_lone(order) and _is_ragged(found, order))
    if varies and any(along) and is_any_order:
        schedule = _rows(found, order)
        yield schedule
        if any(isinstance(d, Share) and d.blocks > 1 for d in schedule):
            yield tuple(replace(d, blocks=1) if isinstance(d, Share) else d for d in schedule)
    elif varies and is_any_order and any(_lies_along(kernel, load, order[0]) for load, _ in read):
        if _is_ragged(found, order):
            return  # rows of a sparse matrix are short, and the columns alone keep enough threads busy
        yield _columns(found, order)


def for_short(kernel: n.Kernel, usual: Schedule) -> Length | None:
    """The schedule in place of a default one where a loop that it keeps in shared memory, or of which threads share the
    reduction for each of many points, turns out to be short."""
    if (dealt := _of_short_loops(kernel, usual)) is not None:
        return dealt
    found = staged_pairs(kernel, usual) or _of_many_rows(kernel, usual)
    if found is None or not isinstance(found.loop.stop, n.Var):
        return None
    plain = next(schedule for schedule in candidates(kernel) if all(isinstance(d, Bind) for d in schedule))
    return Length(plain, found.loop.start, found.loop.stop, SHORT)


def _of_short_loops(kernel: n.Kernel, usual: Schedule) -> Length | None:
    """The schedule that deals loops out to one warp, for short loops that leave most threads of a block idle."""
    deal = next((d for d in usual if isinstance(d, Deal) and not d.rounds and d.group > WARP and d.run > 1), None)
    loops = (s for s in walk(kernel.body) if isinstance(s, n.For) and deal is not None and s.label == deal.loop)
    loop = next(loops, None)
    if deal is None or loop is None or not isinstance(loop.stop, n.Var) or loop.stop not in kernel.params:
        return None
    is_known = isinstance(loop.start, n.Const) or loop.start in kernel.params
    narrow = tuple(replace(d, group=WARP, run=1) if d == deal else d for d in usual)
    return Length(narrow, loop.start if is_known else n.Const(0), loop.stop, MOST_SHARED)


def _of_many_rows(kernel: n.Kernel, usual: Schedule) -> Reduction | None:
    """The reduction that threads share for each point of three loops, which has known ends."""
    share = next((d for d in usual if isinstance(d, Share)), None)
    if share is None or sum(isinstance(d, Bind) for d in usual) < len(AXES):
        return None
    found = reduction_in(flattened(grid_chain(kernel)), share.loop)
    return found if found is not None and has_known_bounds(found.loop, kernel) else None


def for_small_tiles(kernel: n.Kernel, usual: Schedule) -> tuple[tuple[Bind, Bind], Schedule] | None:
    """What a block of a default schedule for many products has of each along x and y, and the schedule for those that
    are so small that most of its threads would have nothing."""
    binds = {d.axis: d for d in usual if isinstance(d, Bind)}
    if not any(isinstance(d, Stage) for d in usual) or not alone_along_z(usual) or not {"x", "y"} <= binds.keys():
        return None
    rest = (s for s in candidates(kernel) if all(isinstance(d, Bind) for d in s))
    return (binds["x"], binds["y"]), next(rest)


def for_long(kernel: n.Kernel, usual: Schedule) -> tuple[Length, Schedule] | None:
    """The rows up to which a default schedule is used that gives each to a warp, and the schedule for longer ones."""
    share = next((d for d in usual if isinstance(d, Share)), None)
    if share is None or (share.axis, share.group) != ("x", WARP) or _of_many_rows(kernel, usual) is not None:
        return None
    found = reduction_in(flattened(grid_chain(kernel)), share.loop)
    if found is None or found.loop.stop not in kernel.params or not isinstance(found.loop.stop, n.Var):
        return None
    if isinstance(found.loop.start, n.Var) and found.loop.start not in kernel.params:
        return None
    long = [replace(d, group=1) if isinstance(d, Bind) else d for d in usual if d != share]
    most = Length(usual, found.loop.start, found.loop.stop, LONG_ROW - 1)
    return most, (*long, replace(share, group=OF_LONG))


def for_few(kernel: n.Kernel, usual: Schedule) -> Iterator[Schedule]:
    """Schedules in place of a default one for kernels with few points."""
    yield from smaller(usual)
    yield from few_pairs(kernel, usual)
    if any(isinstance(d, Privatise) for d in usual):
        binds = [d for d in usual if isinstance(d, Bind)]
        most = FEW_PER_THREAD // (max(d.run for d in binds) if len(binds) > 1 else 1)
        yield tuple(replace(d, points=min(d.points, most)) if isinstance(d, Bind) else d for d in usual)


def for_few_of_piece(kernel: n.Kernel, usual: Schedule) -> Iterator[Schedule]:
    """Schedules in place of a default one for a piece of a loop that has few points, although the whole loop has many:
    with smaller blocks, and the sum of each point added in the same order."""
    return filter(adds_in_order, (*smaller(usual), *narrow_pairs(kernel, usual)) if adds_in_order(usual) else ())


def _rows(found: Reduction, order: Sequence[n.For]) -> Schedule:
    """A warp for each row, a block for the only one, for one that is known to be long and for each piece."""
    sizes = [
        _size(s.var.type) for s in found.loop.body.statements if isinstance(s, n.Let) and isinstance(s.value, n.Load)
    ]
    run, ahead = min(4, max(1, WIDEST // max(sizes, default=WIDEST))), 1
    if not all(_is_contiguous(s) for s in found.loop.body.statements):
        run, ahead = 1, APART_AHEAD
    axes = (*AXES[1:], AXES[-1])
    if _is_lone(order) or is_in_pieces(order[0]) or (known_trips(found.loop) or 0) >= LONG_ROW:
        binds = [Bind(loop.label, axis, 1) for loop, axis in zip(order, axes, strict=False)]
        return (*binds, Share(found.loop.label, "x", LONE if _is_lone(order) else OF_LONG, run, ahead))
    if _is_ragged(found, order):
        binds = [Bind(loop.label, axis, 1) for loop, axis in zip(order[1:], axes[1:], strict=False)]
        return (*binds, *ragged_rows(order[0].label, found.loop.label))
    binds = [
        Bind(loop.label, axis, 8 if k == 0 else 1) for k, (loop, axis) in enumerate(zip(order, axes, strict=False))
    ]
    return (*binds, Share(found.loop.label, "x", 32, run, ahead))


def _is_contiguous(statement: n.Statement) -> bool:
    """Whether a statement loads nothing from arrays whose neighbours are apart."""
    view = statement.value.view.type if isinstance(statement, n.Let) and isinstance(statement.value, n.Load) else None
    return not isinstance(view, View) or view.contiguous


def ragged_rows(
    rows: str, row: str, group: int = RAGGED, blocks: int = RAGGED_BLOCKS, ahead: int = RAGGED_AHEAD
) -> Schedule:
    """A schedule for rows, the iterations of a loop, that hold another loop of any length: a few threads for each."""
    return Bind(rows, "y", RAGGED_BLOCK // group), Share(row, "x", group, ahead=ahead, blocks=blocks)


def _is_ragged(found: Reduction, order: Sequence[n.For]) -> bool:
    """Whether how long a reduction runs is read from memory for each row, as of the rows of a sparse matrix."""
    ends = frozenset(a.name for a in (found.loop.start, found.loop.stop) if isinstance(a, n.Var))
    varying = {loop.index.name for loop in order}
    for let in slice_of(found.before, ends).statements:
        assert isinstance(let, n.Let)
        if any(isinstance(a, n.Var) and a.name in varying for a in atoms_of(let)):
            varying.add(let.var.name)
            if isinstance(let.value, n.Load):
                return True
    return False


def _is_lone(order: Sequence[n.For]) -> bool:
    """Whether loops have a single iteration."""
    return all((loop.start, loop.stop) == (n.Const(0), n.Const(1)) for loop in order)


def _columns(found: Reduction, order: Sequence[n.For]) -> Schedule:
    """A warp for neighbouring columns, and many of them down the rows."""
    rest = [Bind(order[1].label, "z", 1)] if len(order) > 1 else []
    return (Bind(order[0].label, "x", 32), *rest, Share(found.loop.label, "y", 16))


def _size(type: Type) -> int:
    return type.size if isinstance(type, Scalar) else WIDEST


def _lies_along(kernel: n.Kernel, load: n.Let, loop: n.For) -> bool:
    """Whether neighbouring iterations of a loop read neighbouring elements, as far as the index itself tells: it counts
    with the loop, maybe from the start of this.

    Where the elements of a row are apart, those of another axis may be nearer; an array of one axis has no other.
    """
    access = reach_of(kernel).access(load)
    if access is None or not access.indices or access.indices[-1].sign is not None:
        return False
    form, counter = access.indices[-1].form, loop.index.name
    outside = [name for name in form.names if name != counter]
    is_counted = not outside or (isinstance(loop.start, n.Var) and outside == [loop.start.name])
    is_last = is_counted and form.coefficient(counter).value == 1
    return is_last and isinstance(load.value, n.Load) and _is_dense(load.value.view.type)


def _is_dense(type: Type) -> bool:
    """Whether neighbours along the last axis are the nearest elements."""
    return isinstance(type, View) and (type.contiguous or type.ndim == 1)


# ------------------------------------------------------------------------------------------------- histograms


def _histogram(kernel: n.Kernel, order: Sequence[n.For]) -> Iterator[Schedule]:
    """A schedule for loops that update elements by keys which they read: long blocks, each with its own array.

    Threads have many iterations each, unless there are loops in these: then an iteration is long by itself.
    """
    flat = flattened(grid_chain(kernel))
    updates = updates_of(flat)
    if len(updates) != 1 or updates[0].op == "assign":
        return
    size = _size(updates[0].value.type)
    keys = max((_size(s.var.type) for s in flat.statements if isinstance(s, n.Let) and _is_load(s)), default=WIDEST)
    array, extent = updates[0].view.stem, BINS // size
    copies = COPIES // size if len(updates[0].indices) == 1 else 1
    is_long = any(isinstance(s, (n.For, n.While)) for s in flat.statements)
    run = 1 if is_long else min(LONGEST_RUN, max(1, WIDEST // keys))
    points = max(PER_THREAD // keys, FEW_PER_THREAD)
    for copied, threads, blocks in ((copies, WIDE_BLOCK, 2), (1, 256, 1)):
        private = Privatise(array, extent, copied, blocks=blocks)
        if len(order) == 1:
            yield Bind(order[0].label, "x", threads, 1 if is_long else points, run), private
        elif not is_long:
            second, *others = sorted(order[1:], key=lambda loop: loop.index in updates[0].indices)
            rows = Bind(second.label, "y", threads // ROW_OF_KEYS, points // run)
            beside = (Bind(loop.label, "z", 1) for loop in others)
            yield Bind(order[0].label, "x", ROW_OF_KEYS, run, run), rows, *beside, private


def _is_load(let: n.Let) -> bool:
    return isinstance(let.value, n.Load)


# ----------------------------------------------------------------------------------------------------- points


def _run(kernel: n.Kernel, loop: n.For) -> int:
    """How many neighbours along a loop a thread runs: what fits into the widest access; 1 where nothing is gained."""
    flat = flattened(grid_chain(kernel))
    if any(isinstance(s, (n.For, n.While, n.Call, n.Update)) for s in walk(flat)):
        return 1
    sizes = [v.type.element.size for v in kernel.params if isinstance(v.type, View)]
    run = min(WIDEST // max(sizes, default=WIDEST), LONGEST_RUN)
    found = side_by_side(flat, loop.index, max(run, 1), frozenset(kernel.overlaps))
    together = len(found.stores) + sum(row in found.whole for row, _ in found.loads.values())
    moving = sum(any(_is(a, set(found.varying)) for a in _indices(s)) for s in walk(flat))
    return run if run > 1 and 2 * together > moving else 1


def _reused(kernel: n.Kernel, loops: Sequence[n.For]) -> n.For | None:
    """The outermost loop whose neighbouring iterations read elements of the same array."""
    for loop in reversed(loops):
        rows: dict[tuple[str, int], set[int]] = {}
        for view, axis, distance in _distances(kernel, loop):
            rows.setdefault((view, axis), set()).add(distance)
        if any(len(distances) > 1 for distances in rows.values()):
            return loop
    return None


def _distances(kernel: n.Kernel, loop: n.For) -> Iterator[tuple[str, int, int]]:
    """The loads that move along an axis with a loop: the array, the axis, and how far from the loop's counter."""
    reach = reach_of(kernel)
    for access in reach.table.accesses:
        for axis, moved in enumerate(reach.moved(access) if access.kind == "load" else ()):
            if moved is not None and moved[0] == loop.label:
                yield access.array.name, axis, moved[1]


def _is(atom: n.Atom, names: set[str]) -> bool:
    return isinstance(atom, n.Var) and atom.name in names


def _indices(statement: n.Statement) -> tuple[n.Atom, ...]:
    if isinstance(statement, (n.Store, n.Update)):
        return statement.indices
    if isinstance(statement, n.Let) and isinstance(statement.value, n.Load):
        return statement.value.indices
    return ()
