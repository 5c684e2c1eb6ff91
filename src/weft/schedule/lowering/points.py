"""Iterations of bound loops that nothing else is asked for: each thread runs its points one after the other.

Where the arrays are aligned, a thread all of whose points are in the loops runs them without guards, runs of neighbours
as vectors; any other thread tests point by point. Where they are not, neighbouring threads run neighbours.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from typing import TypeAlias

from weft.ir import nodes as n
from weft.ir.scribe import TRUE
from weft.ir.types import PYBOOL, PYINT, Scalar, View
from weft.ir.visit import atoms_of, defined_by, walk
from weft.schedule.frame import Bound, Frame, Threads, in_order
from weft.schedule.lowering.lanes import Accesses, Ends, Runner, can_be_cut, side_by_side, write_run
from weft.schedule.nests import is_repeatable, slice_of
from weft.schedule.writing import Writing

MOST_WRITTEN_OUT = 8

MANY = 4
"""Runs of a thread for which it costs less to test each before it is stored than to go another way at the edge."""

MOST_LOADED = 128
"""Words of 4 bytes that a thread loads for all its points together at most, each load counted: with more there are too
few threads at a time."""

MOST_SCATTERED = 32
"""The same where neighbouring threads have neighbours: each element needs an address."""

MOST_APART = 8
"""Elements that a thread which updates others loads together where each needs an address."""

IN_FLIGHT = 64
"""Bytes that a thread loads before it updates anything with them."""


Own: TypeAlias = Callable[[Threads], Mapping[str, n.Atom]]
"""What stands for variables that each thread has for itself."""


def write_points(frame: Frame, own: Own = lambda threads: {}, apart: Callable[[Threads], None] | None = None) -> None:
    """Write what a block does; `apart` writes what its threads do where vectors cannot be accessed."""
    flat, write = in_order(frame.flat), frame.write
    if all(bound.bind.points == 1 for bound in frame.bounds):
        with frame.phase() as threads:
            guard(frame, flat, threads, frame.bounds, own(threads), in_runs=False)
        return
    run = vector_loop(frame)
    overlaps = frozenset(frame.kernel.overlaps)
    accesses = side_by_side(flat, run.loop.index, run.bind.run, overlaps, in_whole_rows=True) if run else Accesses()
    if run is not None and not accesses.views and _updates_late(frame, flat):
        with frame.phase() as threads:
            _updated(frame, flat, threads, run, own(threads))
        return
    moved = {v.name: frame.behind(v, run.aligned) for v in accesses.views} if run is not None else {}
    conditions = [*aligned(write, accesses, moved), *in_whole_rows(write, accesses)]
    others = [bound for bound in frame.bounds if bound is not run]
    test = write.both(conditions)
    if all(moved.get(v.name, v) is v for v in accesses.views):
        frame.has_vectors(test, bytes_of(accesses), [(v, accesses.lanes) for v in _in_whole_rows(accesses)])
    with write.when(test), frame.phase() as threads:
        known = own(threads)
        many = math.prod(bound.bind.points for bound in others) >= MANY
        if run is not None and many and run.bind.points == run.bind.run and can_be_cut(flat, accesses):
            _cut(frame, flat, threads, run, others, accesses, known)
        else:
            with write.when(_is_whole(frame, threads, frame.bounds)):
                _whole(frame, flat, threads, others, run, accesses, known)
            with write.otherwise():
                if run is not None and _updates_late(frame, flat):
                    _updated_edge(frame, flat, threads, run, accesses, known)
                else:
                    _edge(frame, flat, threads, run, others, known)
    if conditions:
        with write.otherwise(), frame.phase() as threads:
            if apart is not None:
                apart(threads)
            else:
                _scattered(frame, flat, threads, others, run, own(threads))


def _scattered(
    frame: Frame, flat: n.Block, threads: Threads, others: Sequence[Bound], run: Bound | None,
    values: Mapping[str, n.Atom],
) -> None:  # fmt: skip
    """The points of a thread where vectors cannot be accessed: neighbouring threads run neighbours, and a thread loads
    for several points before it stores any."""
    if run is not None and _updates_late(frame, flat):
        _updated(frame, flat, threads, run, values)
        return
    write, words = frame.write, max(_words(flat, others, Accesses()), 1)
    together = math.gcd(run.bind.points, max(MOST_SCATTERED // words, 1)) if run is not None else 1
    if run is None or together == 1 or not _fit_together(flat, others, None, Accesses()):
        guard(frame, flat, threads, frame.bounds, values, in_runs=False)
        return
    with write.loop(f"{run.loop.label}.point", 0, run.bind.points // together, stem="point") as loop:
        numbers = [write.op("add", write.op("mul", loop.index, together), k) for k in range(together)]
        places = [frame.spread(run, threads[run.loop.label], number) for number in numbers]
        with write.when(write.both([write.compare("lt", begin, run.high) for begin in (places[0], run.low)])):
            with write.when(_is_whole(frame, threads, others)):
                _together(frame, flat, threads, others, Places(run, places), Accesses(), values)
            with write.otherwise():
                for place in places:
                    with write.when(frame.inside(run, place)):
                        guard(frame, flat, threads, others, {**values, run.loop.index.name: place}, in_runs=True)


def _updates_late(frame: Frame, flat: n.Block) -> bool:
    """Whether the loops are one, an iteration updates elements, and what it loads before may be loaded first."""
    head = itertools.takewhile(lambda s: is_repeatable(s, frame.kernel), flat.statements)
    return len(frame.bounds) == 1 and any(map(_loaded, head)) and any(isinstance(s, n.Update) for s in walk(flat))


def _updated(frame: Frame, flat: n.Block, threads: Threads, run: Bound, values: Mapping[str, n.Atom]) -> None:
    """The points of a thread that updates elements, where vectors cannot be accessed: it loads several first."""
    write, together, name = frame.write, math.gcd(run.bind.points, MOST_APART), run.loop.index.name
    with write.loop(f"{run.loop.label}.point", 0, run.bind.points // together, stem="point") as loop:
        number = write.op("mul", loop.index, together)
        places = [frame.spread(run, threads[run.loop.label], write.op("add", number, k)) for k in range(together)]
        ends = [write.compare("ge", places[0], run.low), write.compare("lt", places[-1], run.high)]
        with write.when(write.both(ends)):
            write_sides(frame, flat, [Side(n.Const(0), [{**values, name: place}]) for place in places], Accesses())
        with write.otherwise():
            _one_by_one(frame, flat, run, places[0], together, run.bind.group, values)


def _updated_edge(
    frame: Frame, flat: n.Block, threads: Threads, run: Bound, accesses: Accesses, values: Mapping[str, n.Atom]
) -> None:
    """The points of a thread at the edge that updates elements: only the run that is cut goes point by point."""
    write, lanes, stride = frame.write, run.bind.run, run.bind.group * run.bind.run
    first = frame.first(run, threads[run.loop.label])
    runs = run.bind.points // lanes
    _, together = _parts(frame, flat, runs, accesses)
    if runs == 1:  # what is not whole is the run itself
        _one_by_one(frame, flat, run, first, lanes, 1, values)
        return
    with write.loop(f"{run.loop.label}.run", 0, runs // together, stem="run") as loop:
        begin = write.op("add", first, write.op("mul", loop.index, together * stride))
        with write.when(_has(frame, run, begin, (together - 1) * stride + lanes)):
            _runs(frame, flat, run, [write.op("add", begin, k * stride) for k in range(together)], accesses, values)
        with write.otherwise(), write.loop(f"{run.loop.label}.run", 0, together, "rolled", stem="run") as each:
            one = write.op("add", begin, write.op("mul", each.index, stride))
            with write.when(_has(frame, run, one, lanes)):
                _runs(frame, flat, run, [one], accesses, values)
            with write.otherwise():
                _one_by_one(frame, flat, run, one, lanes, 1, values)


def _has(frame: Frame, bound: Bound, first: n.Atom, count: int) -> n.Atom:
    """Whether some iterations from one on are in a loop."""
    write = frame.write
    ends = write.compare("ge", first, bound.low), write.compare("le", write.op("add", first, count), bound.high)
    return write.both(ends)


def _runs(
    frame: Frame, flat: n.Block, run: Bound, begins: Sequence[n.Atom], accesses: Accesses, values: Mapping[str, n.Atom],
    ends: Ends | None = None,
) -> None:  # fmt: skip
    """Some runs of a thread: what they load first is loaded for all of them before anything else is done."""
    parts, _ = _parts(frame, flat, len(begins), accesses)
    lanes = [[dict(values) for _ in range(accesses.lanes)] for _ in begins]
    for part in parts:
        for begin, own in zip(begins, lanes, strict=True):
            write_run(frame.write, part, run.loop.index, begin, accesses, own, ends)


def _one_by_one(
    frame: Frame, flat: n.Block, run: Bound, first: n.Atom, count: int, step: int, values: Mapping[str, n.Atom]
) -> None:
    """Some points, each tested."""
    write = frame.write
    begins = write.compare("lt", first, run.high)
    with write.when(begins), write.loop(f"{run.loop.label}.point", 0, count, "rolled", stem="point") as loop:
        place = write.op("add", first, write.op("mul", loop.index, step))
        with write.when(frame.inside(run, place)):
            write.copy(flat, {**values, run.loop.index.name: place})


def _cut(
    frame: Frame, flat: n.Block, threads: Threads, run: Bound, others: Sequence[Bound], accesses: Accesses,
    values: Mapping[str, n.Atom],
) -> None:  # fmt: skip
    """The points of a thread, its runs as vectors also where they are cut: only the iterations in the loop store.

    A thread that goes a way of its own at the edge keeps its whole warp waiting, and one that comes last, one point
    after the other, the whole device. So the last points across the run are a thread's own and some before them, which
    it loads and computes with the others, and does not store.
    """
    write = frame.write
    first = frame.first(run, threads[run.loop.label])
    begins = write.compare("lt", first, run.high)
    goes_on = write.compare("gt", write.op("add", first, accesses.lanes), run.low)
    lie_in_a_row = all(bound.bind.points in (1, bound.bind.run) for bound in others)
    are_together = lie_in_a_row and _fit_together(flat, others, run, accesses)
    with write.when(write.both([begins, goes_on, *is_in_rows(write, first, accesses, values)])):
        with write.when((_is_begun if are_together else _is_whole)(frame, threads, others)):
            if are_together:
                _together(frame, flat, threads, others, run, accesses, values, is_cut=True, is_moved=True)
            else:
                _whole(frame, flat, threads, others, run, accesses, values, is_cut=True)
        with write.otherwise():
            _tested(frame, flat, threads, others, run, accesses, values)
    with write.otherwise():
        guard(frame, flat, threads, frame.bounds, values, in_runs=True)


def _extents(write: Writing, accesses: Accesses, values: Mapping[str, n.Atom]) -> Iterator[n.Atom]:
    """The extents along the run of the arrays that are accessed in it."""
    for view in accesses.views:
        array = values.get(view.name, view)
        assert isinstance(array, n.Var)
        yield _extent(write, array)


def is_in_rows(write: Writing, first: n.Atom, accesses: Accesses, values: Mapping[str, n.Atom]) -> list[n.Atom]:
    """Conditions under which whole vectors from one place on are in their arrays."""
    stop, tests = write.op("add", first, accesses.lanes), [write.compare("ge", first, 0)]
    return [*tests, *(write.compare("le", stop, extent) for extent in _extents(write, accesses, values))]


def _tested(
    frame: Frame, flat: n.Block, threads: Threads, left: Sequence[Bound], run: Bound, accesses: Accesses,
    values: Mapping[str, n.Atom],
) -> None:  # fmt: skip
    """The loops over a thread's points across its run, each point tested."""
    if not left:
        _whole(frame, flat, threads, (), run, accesses, values, is_cut=True)
        return
    bound = left[0]
    with _each_point(frame, bound, "sequential") as point:
        place = frame.point(bound, frame.first(bound, threads[bound.loop.label]), point)
        with frame.write.when(frame.inside(bound, place)):
            known = {**values, bound.loop.index.name: place}
            _tested(frame, flat, threads, left[1:], run, accesses, known)


def _edge(
    frame: Frame, flat: n.Block, threads: Threads, run: Bound | None, others: Sequence[Bound],
    values: Mapping[str, n.Atom],
) -> None:  # fmt: skip
    """The points of a thread at the edge: where only its run is cut, what lies across the run is not tested."""
    write = frame.write
    if run is None or all(bound.bind.points == 1 for bound in others):
        guard(frame, flat, threads, frame.bounds, values, in_runs=True)
        return
    with write.when(_is_whole(frame, threads, others)), _each_point(frame, run, "sequential") as point:
        place = frame.point(run, frame.first(run, threads[run.loop.label]), point)
        with write.when(frame.inside(run, place)):
            _whole(frame, flat, threads, others, None, Accesses(), {**values, run.loop.index.name: place})
    with write.otherwise():
        guard(frame, flat, threads, frame.bounds, values, in_runs=True)


def _is_whole(frame: Frame, threads: Threads, bounds: Sequence[Bound]) -> n.Atom:
    """Whether all points of a thread along some loops are in them, where they lie in runs."""
    conditions = []
    for bound in bounds:
        first = frame.first(bound, threads[bound.loop.label])
        conditions += [frame.write.compare("ge", first, bound.low)] if bound.is_aligned else []
        last = frame.point(bound, first, bound.bind.points - 1)
        conditions.append(frame.write.compare("lt", last, bound.high))
    return frame.write.both(conditions)


def _is_begun(frame: Frame, threads: Threads, bounds: Sequence[Bound]) -> n.Atom:
    """Whether some point of a thread is in each of some loops, which have as many iterations as it has points."""
    conditions = []
    for bound in bounds:
        conditions.append(frame.write.compare("lt", frame.first(bound, threads[bound.loop.label]), bound.high))
        if bound.bind.points > 1:
            extent = frame.write.op("sub", bound.high, bound.low)
            conditions.append(frame.write.compare("ge", extent, bound.bind.points))
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


def bytes_of(accesses: Accesses) -> list[tuple[n.Var, int]]:
    """The arrays of some accesses, and the bytes of their runs."""
    return [(view, accesses.lanes * _size(view)) for view in accesses.views]


def in_whole_rows(write: Writing, accesses: Accesses) -> list[n.Atom]:
    """Conditions under which vectors beside those of a run, of which some element is read, are in their rows."""
    return rows_of_vectors(write, _in_whole_rows(accesses), accesses.lanes)


def _in_whole_rows(accesses: Accesses) -> list[n.Var]:
    """Arrays of which vectors beside those of a run are read, so that these are to be in their rows."""
    views = {row[0] for row, numbers in accesses.beside.items() if numbers}
    return [view for view in accesses.views if view.name in views]


def rows_of_vectors(write: Writing, views: Sequence[n.Var], lanes: int) -> list[n.Atom]:
    """Conditions under which the rows of arrays are as long as some vectors."""
    extents = [_extent(write, view) for view in views]
    return [write.compare("eq", write.op("mod", extent, lanes), 0) for extent in extents]


def _extent(write: Writing, view: n.Var) -> n.Atom:
    assert isinstance(view.type, View)
    return write.let(n.Dim(view, view.type.ndim - 1), PYINT, "extent")


def _size(view: n.Var) -> int:
    assert isinstance(view.type, View) and isinstance(view.type.element, Scalar)
    return view.type.element.size


def guard(
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
            guard(frame, flat, threads, rest, {**values, bound.loop.index.name: place}, in_runs)


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
    values: Mapping[str, n.Atom], is_cut: bool = False,
) -> None:  # fmt: skip
    """The loops over a thread's points, written out, those along vectors innermost; no point is tested, but for those
    of a run that may be cut before they store."""
    write = frame.write
    if not left and run is None:
        write.copy(flat, values)
        return
    if left and _fit_together(flat, left, run, accesses):
        _together(frame, flat, threads, left, run, accesses, values, is_cut)
        return
    bound = left[0] if left else run
    assert bound is not None
    first = frame.first(bound, threads[bound.loop.label])
    if left:
        with _each_point(frame, bound, _mapping(bound.bind.points)) as point:
            counter = frame.point(bound, first, point)
            known = {**values, bound.loop.index.name: counter}
            _whole(frame, flat, threads, left[1:], run, accesses, known, is_cut)
        return
    runs, stride = bound.bind.points // bound.bind.run, bound.bind.group * bound.bind.run
    _, together = _parts(frame, flat, runs, accesses)
    with write.loop(f"{bound.loop.label}.run", 0, runs // together, _mapping(runs), stem="run") as loop:
        place = write.op("add", first, write.op("mul", loop.index, together * stride))
        begins = [write.op("add", place, k * stride) for k in range(together)]
        ends = (bound.low, bound.high) if is_cut else None
        _runs(frame, flat, bound, begins, accesses, values, ends)


def _fit_together(
    flat: n.Block, left: Sequence[Bound], run: Bound | None, accesses: Accesses
) -> bool:  # fmt: skip
    """Whether a thread may well load for all its points before it stores for any of them."""
    one_run = run is None or run.bind.points == run.bind.run
    plain = all(isinstance(s, (n.Let, n.Store, n.If)) for s in walk(flat))
    points = math.prod(bound.bind.points for bound in left)
    return one_run and plain and 1 < points <= MOST_WRITTEN_OUT and _words(flat, left, accesses) <= MOST_LOADED


def _words(flat: n.Block, left: Sequence[Bound], accesses: Accesses) -> int:
    """Words that a thread loads for its points across a run."""
    points = math.prod(bound.bind.points for bound in left) * accesses.lanes
    return points * sum(-(-_loaded(s) // 4) for s in walk(flat))


@dataclass(frozen=True)
class Places:
    """Counters of a thread along a loop, of which some may not be in it: these store nothing."""

    bound: Bound
    places: Sequence[n.Atom]


def _together(
    frame: Frame, flat: n.Block, threads: Threads, left: Sequence[Bound], x: Bound | Places | None, accesses: Accesses,
    values: Mapping[str, n.Atom], is_cut: bool = False, is_moved: bool = False,
) -> None:  # fmt: skip
    """The points of a thread side by side: all load, all compute, all store.

    Compilers load nothing before a branch or a store that comes first in the text, and what a thread has under way is
    what hides the time that memory takes. If `is_moved`, points that lie behind a loop give way to some before the
    thread's own, which are not stored.
    """
    write, sides, each = frame.write, _sides(frame, threads, x, accesses, is_cut), []
    for points in itertools.product(*(_points(frame, bound, threads, is_moved) for bound in left)):
        known = {**values, **{bound.loop.index.name: place for bound, (place, _) in zip(left, points, strict=True)}}
        for side in sides:
            stores = write.both([side.condition, *(is_own for _, is_own in points)])
            each.append(replace(side, lanes=[{**known, **own} for own in side.lanes], condition=stores))
    write_sides(frame, flat, each, accesses)


def _points(frame: Frame, bound: Bound, threads: Threads, is_moved: bool) -> Sequence[tuple[n.Atom, n.Atom]]:
    """The counters of a thread's points along a loop across its run, and whether each is its own."""
    write, count = frame.write, bound.bind.points
    begin = first = frame.first(bound, threads[bound.loop.label])
    if is_moved and count > 1:
        begin = write.op("min", first, write.op("sub", bound.high, count))
    places = [frame.point(bound, begin, number) for number in range(count)]
    if begin is first:
        return [(place, TRUE) for place in places]
    return [*((place, write.compare("ge", place, first)) for place in places[:-1]), (places[-1], TRUE)]


def write_sides(frame: Frame, flat: n.Block, sides: Sequence[Side], accesses: Accesses) -> None:
    """Runs of points side by side: all load, then each computes and stores.

    With the stores between them, compilers cannot put off what later points load until these compute. Single elements
    are few, and all compute before any stores.
    """
    lanes = [[dict(lane) for lane in side.lanes] for side in sides]
    loads, computing, rest = _loads_first(frame, flat)
    for side, own in zip(sides, lanes, strict=True):
        Runner(frame.write, side.first, accesses, own, side.ends).run(loads)
    runners = [Runner(frame.write, s.first, accesses, own, s.ends) for s, own in zip(sides, lanes, strict=True)]
    if accesses.lanes == 1:
        for runner in runners:
            runner.run(computing)
    for side, runner in zip(sides, runners, strict=True):
        if accesses.lanes > 1:
            runner.run(computing)
        with frame.write.when(side.condition):
            runner.run(rest)


@dataclass(frozen=True)
class Side:
    """Where a run of points begins, the counters of its lanes, and what is to hold before it stores."""

    first: n.Atom
    lanes: Sequence[Mapping[str, n.Atom]]
    ends: Ends | None = None
    condition: n.Atom = TRUE


def _sides(
    frame: Frame, threads: Threads, x: Bound | Places | None, accesses: Accesses, is_cut: bool
) -> Sequence[Side]:
    """The runs of a thread along x."""
    write = frame.write
    if x is None:
        return [Side(n.Const(0), [{}])]
    if isinstance(x, Bound):
        name, first = x.loop.index.name, frame.first(x, threads[x.loop.label])
        lanes = [{name: write.sum(first, k, stem=x.loop.index.stem)} for k in range(accesses.lanes)]
        return [Side(first, lanes, (x.low, x.high) if is_cut else None)]
    bound, found = x.bound, []
    for place in x.places:
        near = write.op("max", bound.low, write.op("min", place, write.op("sub", bound.high, 1)))
        found.append(Side(near, [{bound.loop.index.name: near}], None, frame.inside(bound, place)))
    return found


def _loads_first(frame: Frame, flat: n.Block) -> list[n.Block]:
    """What an iteration loads from arrays that the kernel does not write, what it computes from that, and the rest."""
    early: list[n.Statement] = []
    late: set[str] = set()
    for statement in flat.statements:
        needed = {a.name for a in atoms_of(statement) if isinstance(a, n.Var)}
        if is_repeatable(statement, frame.kernel) and not needed & late:
            early.append(statement)
        else:
            late |= {v.name for v in defined_by(statement)}
    loaded = frozenset(s.var.name for s in early if isinstance(s, n.Let) and isinstance(s.value, n.Load))
    loads = slice_of(n.Block(tuple(early)), loaded)
    first, then = (frozenset(map(id, part)) for part in (loads.statements, early))
    rest = [
        tuple(s for s in flat.statements if id(s) in then - first),
        tuple(s for s in flat.statements if id(s) not in then),
    ]
    return [loads, *(n.Block(part) for part in rest)]


def _parts(frame: Frame, flat: n.Block, runs: int, accesses: Accesses) -> tuple[Sequence[n.Block], int]:
    """What is written for several runs at once before anything after it, and for how many.

    Compilers do not load anything before an update that comes first in the text, since it may be of the same array.
    """
    head = list(itertools.takewhile(lambda s: is_repeatable(s, frame.kernel), flat.statements))
    sizes = [_loaded(s) for s in head]
    if not any(isinstance(s, n.Update) for s in walk(flat)) or not any(sizes):
        return [flat], 1
    together = math.gcd(runs, min(max(IN_FLIGHT // (max(sizes) * accesses.lanes), 1), MOST_WRITTEN_OUT))
    return [n.Block(tuple(head)), n.Block(flat.statements[len(head) :])], together


def _loaded(statement: n.Statement) -> int:
    """Bytes that a statement loads."""
    is_load = isinstance(statement, n.Let) and isinstance(statement.value, n.Load)
    type = statement.var.type if isinstance(statement, n.Let) else None
    return type.size if is_load and isinstance(type, Scalar) else 0


def _mapping(count: int) -> n.Mapping:
    """How a loop over points is written: out, unless it is long."""
    return "unroll" if count <= MOST_WRITTEN_OUT else "sequential"
