"""Iterations of bound loops that nothing else is asked for: each thread runs its points one after the other.

Where the arrays are aligned, a thread all of whose points are in the loops runs them without guards, runs of neighbours
as vectors; any other thread tests point by point. Where they are not, neighbouring threads run neighbours.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager

from weft.ir import nodes as n
from weft.ir.types import PYBOOL, Scalar, View
from weft.schedule.frame import Bound, Frame, Threads, in_order
from weft.schedule.lanes import Accesses, side_by_side, write_run
from weft.schedule.writing import Writing

MOST_WRITTEN_OUT = 8


def write_points(frame: Frame) -> None:
    """Write what a block does."""
    flat, write = in_order(frame.flat), frame.write
    if all(bound.bind.points == 1 for bound in frame.bounds):
        with frame.phase() as threads:
            _guard(frame, flat, threads, frame.bounds, {}, in_runs=False)
        return
    run = vector_loop(frame)
    overlaps = frozenset(frame.kernel.overlaps)
    accesses = side_by_side(flat, run.loop.index, run.bind.run, overlaps) if run else Accesses()
    conditions = aligned(write, accesses)
    others = [bound for bound in frame.bounds if bound is not run]
    with write.when(write.both(conditions)), frame.phase() as threads:
        with write.when(_is_whole(frame, threads, frame.bounds)):
            _whole(frame, flat, threads, others, run, accesses, {})
        with write.otherwise():
            _edge(frame, flat, threads, run, others)
    if conditions:
        with write.otherwise(), frame.phase() as threads:
            _guard(frame, flat, threads, frame.bounds, {}, in_runs=False)


def _edge(frame: Frame, flat: n.Block, threads: Threads, run: Bound | None, others: Sequence[Bound]) -> None:
    """The points of a thread at the edge: where only its run is cut, what lies across the run is not tested."""
    write = frame.write
    if run is None or all(bound.bind.points == 1 for bound in others):
        _guard(frame, flat, threads, frame.bounds, {}, in_runs=True)
        return
    with write.when(_is_whole(frame, threads, others)), _each_point(frame, run, "sequential") as point:
        place = frame.point(run, frame.first(run, threads[run.loop.label]), point)
        with write.when(frame.inside(run, place)):
            _whole(frame, flat, threads, others, None, Accesses(), {run.loop.index.name: place})
    with write.otherwise():
        _guard(frame, flat, threads, frame.bounds, {}, in_runs=True)


def _is_whole(frame: Frame, threads: Threads, bounds: Sequence[Bound]) -> n.Atom:
    """Whether all points of a thread along some loops are in them, where they lie in runs."""
    conditions = []
    for bound in bounds:
        first = frame.first(bound, threads[bound.loop.label])
        conditions += [frame.write.compare("ge", first, bound.low)] if bound.is_aligned else []
        last = frame.point(bound, first, bound.bind.points - 1)
        conditions.append(frame.write.compare("lt", last, bound.high))
    return frame.write.both(conditions)


def vector_loop(frame: Frame) -> Bound | None:
    """The loop along whose runs neighbours are accessed together."""
    return next((b for b in frame.bounds if b.is_aligned), None)


def aligned(write: Writing, accesses: Accesses, values: Mapping[str, n.Atom] | None = None) -> list[n.Atom]:
    """Conditions under which the runs of some accesses start at multiples of their length in memory.

    `values` says what stands for views that were made before the block of the accesses.
    """
    views = [(values or {}).get(view.name, view) for view in accesses.views]
    tests = [n.Aligned(view, accesses.lanes * _size(view)) for view in views if isinstance(view, n.Var)]
    return [write.let(test, PYBOOL, "aligned") for test in tests]


def _size(view: n.Var) -> int:
    assert isinstance(view.type, View) and isinstance(view.type.element, Scalar)
    return view.type.element.size


def _guard(
    frame: Frame, flat: n.Block, threads: Threads, left: Sequence[Bound], values: Mapping[str, n.Atom], in_runs: bool
) -> None:
    """The loops over a thread's points, each point tested: in runs, or neighbours in neighbouring threads."""
    if not left:
        frame.write.copy(flat, values)
        return
    bound, *rest = left
    with _each_point(frame, bound, "sequential") as point:
        thread = threads[bound.loop.label]
        place = frame.point(bound, frame.first(bound, thread), point) if in_runs else frame.spread(bound, thread, point)
        with frame.write.when(frame.inside(bound, place)):
            _guard(frame, flat, threads, rest, {**values, bound.loop.index.name: place}, in_runs)


@contextmanager
def _each_point(frame: Frame, bound: Bound, mapping: n.Mapping) -> Iterator[n.Atom]:
    """A loop over the points that a thread has along a loop, where there are several."""
    if bound.bind.points == 1:
        yield n.Const(0)
        return
    with frame.write.loop(f"{bound.loop.label}.point", 0, bound.bind.points, mapping, stem="point") as loop:
        yield loop.index


def _whole(
    frame: Frame, flat: n.Block, threads: Threads, left: Sequence[Bound], run: Bound | None, accesses: Accesses,
    values: Mapping[str, n.Atom],
) -> None:  # fmt: skip
    """The loops over a thread's points, written out, those along vectors innermost; no point is tested."""
    write = frame.write
    if not left and run is None:
        write.copy(flat, values)
        return
    bound = left[0] if left else run
    assert bound is not None
    first = frame.first(bound, threads[bound.loop.label])
    if left:
        with _each_point(frame, bound, _mapping(bound.bind.points)) as point:
            counter = frame.point(bound, first, point)
            _whole(frame, flat, threads, left[1:], run, accesses, {**values, bound.loop.index.name: counter})
        return
    runs = bound.bind.points // bound.bind.run
    with write.loop(f"{bound.loop.label}.run", 0, runs, _mapping(runs), stem="run") as loop:
        begin = write.op("add", first, write.op("mul", loop.index, bound.bind.group * bound.bind.run))
        write_run(write, flat, bound.loop.index, begin, accesses, [dict(values) for _ in range(accesses.lanes)])


def _mapping(count: int) -> n.Mapping:
    """How a loop over points is written: out, unless it is long."""
    return "unroll" if count <= MOST_WRITTEN_OUT else "sequential"
