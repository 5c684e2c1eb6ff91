"""Long folds of few points are folded in parts, since the points would be too few for all threads of a large device.

``for k: for t: s += f(k, t); y[k] = s`` has a thread or a block for each `k`. Where these are few and the folds long,
one nest folds every part of every point, all parts being equally long, another folds the iterations that are left, and
the nest itself folds what these give. How long a part is follows from the trip counts alone, so that the result has the
same bits in memory and in slabs. The nest as it was written stands beside it; trip counts choose.

Not done: nests in loops of the host (their copies are planned around single launches), nests that may raise, folds
whose length differs between points, nests with several folds one after another, and folds over several loops (see
`few_folds`).
"""

from __future__ import annotations

from collections.abc import Callable, Container, Sequence
from dataclasses import dataclass, replace
from functools import cache
from typing import cast

from weft.analysis.access.access import table
from weft.analysis.access.aliases import Aliases
from weft.errors import UnsupportedError
from weft.ir import nodes as n
from weft.ir.effects import block_may_raise
from weft.ir.neutral import stored_as
from weft.ir.types import PYINT, View
from weft.ir.visit import free_variables, has_fewer_trips, rewrite, walk
from weft.plan.prepare.folds.few_folds import defined_inside, reads_what_is_stored, to_first_fold
from weft.plan.prepare.folds.nested_sums import FAR, OPERATORS, is_known, rows_of
from weft.plan.prepare.nests import with_nests
from weft.schedule.directives import Bind, Deal, Schedule, Share, Stage
from weft.schedule.writing import Writing
from weft.transform.peel import Copies
from weft.transform.whole_loop import WholeLoop
from weft.tune.default import default_schedule
from weft.tune.pairs import PARTS

ENOUGH = 1 << 18
"""Threads that a large GPU runs at a time."""

LEAST, LEAST_OF_ROWS = 1024, 8192
"""The number of iterations of a part is a multiple of this: where a few threads fold it, and where a block does."""

OF_A_ROW, OF_A_TILE = 256, 64
"""Threads that fold one long row; and points of one thread in a matrix product."""

FEW = 4
"""Folds that would have fewer parts than this stay whole."""

LOOPS = 2
"""The most loops over points: the loop over parts takes one more axis of the grid."""

CHUNKS, LEFT = ".chunks", ".left"
"""How the labels of loops over parts end, and the labels of those that fold what is left over."""


@dataclass(frozen=True)
class _Found:
    """The only fold of a nest, and the loops around it."""

    outer: tuple[n.For, ...]
    fold: n.For
    is_of_piece: bool = False
    """Whether the nest is a piece of one whose loops get the same schedules if they stay as they are."""


def with_long_folds_in_parts(
    program: n.Program, schedule: Schedule, why_host: Callable[[n.For], str | None]
) -> n.Program:
    """Let nests of few points with a long fold each fold parts of it first.

    Parameters
    ----------
    program
        After the pass that marks parallel loops.
    schedule
        What the user wrote: nests that it is about stay as they are.
    why_host
        Why a nest cannot be a kernel; None where it can.
    """
    copies, aliases, whole = Copies(program), cache(lambda: table(program).aliases), WholeLoop(program)

    def change(loop: n.For) -> Sequence[n.Statement] | None:
        found = None if loop.args or block_may_raise(n.Block((loop,))) else _found(loop, aliases)
        if found is None:
            return None
        try:
            return _or_parts(loop, replace(found, is_of_piece=whole.is_cut), copies, whole)
        except UnsupportedError:  # a piece cannot know how many points all have; `split.agreement` compares the sums
            return None

    return with_nests(program, schedule, why_host, change, below_loops=False)


def _found(nest: n.For, aliases: Callable[[], Aliases]) -> _Found | None:
    """The fold of a nest, where it is the only one, is over one loop, and reads nothing that is stored before it."""
    inside = defined_inside(nest)
    outer, first = to_first_fold(nest, inside)
    if first is None or len(outer) > LOOPS:
        return None
    loops = [s for s in walk(outer[-1].body) if isinstance(s, (n.For, n.While))]
    is_long = not has_fewer_trips(first, FEW * LEAST) and loops == [first]
    if not is_long or not all(arg.combine in OPERATORS for arg in first.args):
        return None
    can_be_apart = _can_be_cut(first, inside) and not reads_what_is_stored(outer, first, aliases)
    return _Found(tuple(outer), first) if can_be_apart else None


def _can_be_cut(fold: n.For, inside: Container[str]) -> bool:
    """Whether a fold only computes values, and is equally long for all points; `inside` are the names of what a nest
    defines."""
    begins = isinstance(fold.start, n.Const) and abs(fold.start.value.real) < FAR
    return begins and is_known(fold, inside) and all(isinstance(s, (n.Let, n.If)) for s in walk(fold.body))


@dataclass(frozen=True)
class _Wanted:
    """What a device needs for the default schedule of a nest.

    Attributes
    ----------
    threads
        How many points times parts give it enough threads.
    most
        How many points at most are too few.
    least
        The number of iterations of a part is a multiple of this.
    in_tiles
        Whether a thread has several points in a tile.
    """

    threads: int
    most: int
    least: int = LEAST
    in_tiles: bool = False


def _wanted(nest: n.For) -> _Wanted:
    schedule = default_schedule(n.Kernel("", free_variables(n.Block((nest,))), n.Block((nest,))))
    share = next((d for d in schedule if isinstance(d, Share)), None)
    if any(isinstance(d, Deal) for d in schedule) or (share is not None and share.axis == "x"):
        return _Wanted(ENOUGH // OF_A_ROW, ENOUGH // OF_A_ROW // 2, LEAST_OF_ROWS)
    if share is not None:
        return _Wanted(ENOUGH // share.group, ENOUGH // share.group // 2)
    stages = any(isinstance(d, Stage) for d in schedule)
    if stages and any(isinstance(d, Bind) and d.points > 1 for d in schedule):
        return _Wanted(ENOUGH * OF_A_TILE, ENOUGH, in_tiles=True)
    return _Wanted(ENOUGH // PARTS, ENOUGH // PARTS // 4) if stages else _Wanted(ENOUGH, ENOUGH // 8)


def _or_parts(nest: n.For, found: _Found, copies: Copies, whole: WholeLoop) -> list[n.Statement]:
    """A choice between a nest and the three nests that fold it in parts."""
    write, fold = Writing(copies.names, nest.location), found.fold
    extents = [write.trips(loop.start, loop.stop, "rows") for loop in found.outer]
    device = _wanted(nest)
    points: n.Atom = n.Const(1)
    for extent in extents:
        points = write.op("mul", points, whole.of(extent, write), "points")
    trips = write.trips(fold.start, fold.stop, "trips")
    wanted = write.op("max", write.op("floordiv", device.threads, write.op("max", points, 1)), 1, "wanted")
    chunks = write.op("floordiv", write.op("max", write.op("sub", trips, 1), 0), write.op("mul", wanted, device.least))
    size = write.op("mul", write.op("add", chunks, 1), device.least, "size")
    parts = write.op("floordiv", trips, size, "parts")
    are_long = write.both([write.compare("le", points, device.most), write.compare("ge", parts, FEW)])
    with write.apart() as long:
        count = write.op("add", parts, 1, "count")
        sums = []
        for arg in fold.args:
            element = stored_as(arg.var.type)
            made = n.Alloc((count, *extents), element)
            sums.append(write.let(made, View(element, 1 + len(extents), contiguous=True), "part_sums"))
        done = write.op("add", fold.start, write.op("mul", parts, size), "done")
        write.add(_each_part(found, (parts, size), extents, sums, copies, device.in_tiles))
        write.add(_rest(found, done, parts, extents, sums, copies))
        write.add(_sum_of_parts(nest, found, count, sums, copies))
    write.add(n.If(are_long, n.Block(tuple(long)), n.Block((nest,)), location=nest.location))
    return write.statements


def _each_part(
    found: _Found, sizes: tuple[n.Atom, n.Atom], extents: Sequence[n.Atom], sums: Sequence[n.Var], copies: Copies,
    in_tiles: bool,
) -> n.For:  # fmt: skip
    """The nest that folds every part of every point: `sizes` are how many parts, and of how many
    iterations. Loops over a part of a matrix product begin at zero, as tiles do."""
    fold, (count, size) = found.fold, sizes
    part, place = copies.names.fresh("part", PYINT), copies.names.fresh(fold.index.stem, PYINT)
    write = Writing(copies.names, fold.location)
    first = write.op("add", fold.start, write.op("mul", part, size), "first")
    end = write.op("add", first, size, "end")
    at = n.Let(fold.index, n.Binary("add", first, place, checked=False), fold.location)

    def change(loop: n.For) -> n.For:
        if not in_tiles:
            return replace(loop, start=first, stop=end, claim="range")
        body = replace(loop.body, statements=(at, *loop.body.statements))
        return replace(loop, index=place, start=n.Const(0), stop=size, body=body)

    rows = _rows(found, part, extents, sums, copies, change)
    body = n.Block((*write.statements, rows))
    nest = n.For(_named(fold.label, CHUNKS), part, n.Const(0), count, body, mapping="parallel", location=fold.location)
    (made,) = copies.block(n.Block((nest,))).statements
    return cast(n.For, made)


def _rest(
    found: _Found, done: n.Atom, parts: n.Atom, extents: Sequence[n.Atom], sums: Sequence[n.Var], copies: Copies
) -> n.For:
    """The nest that folds what is left over after the last part."""
    rows = _rows(found, parts, extents, sums, copies, lambda loop: replace(loop, start=done))
    (made,) = copies.block(n.Block((replace(rows, label=_named(rows.label, LEFT)),))).statements
    return cast(n.For, made)


def is_of_parts(nest: n.For) -> bool:
    """Whether a nest folds parts, or what is left over: its points are few, so it needs no variants by their number."""
    return is_left(nest) or nest.label.partition("@")[0].endswith(CHUNKS)


def is_left(nest: n.For) -> bool:
    """Whether a nest folds what is left over after the last part."""
    return nest.label.partition("@")[0].endswith(LEFT)


def _named(label: str, ending: str) -> str:
    """A label with an ending that copies keep: their numbers come after it."""
    return f"{label.partition('@')[0]}{ending}"


def _rows(
    found: _Found, part: n.Atom, extents: Sequence[n.Atom], sums: Sequence[n.Var], copies: Copies,
    change: Callable[[n.For], n.For],
) -> n.For:  # fmt: skip
    """The nest that folds one part of each point, with `change` made to the fold, and stores the results."""

    def changed(statement: n.Statement) -> n.Statement:
        if isinstance(statement, n.Store):
            return replace(statement, indices=(part, *statement.indices)) if statement.view in sums else statement
        is_fold = isinstance(statement, n.For) and statement.label == found.fold.label
        return change(cast(n.For, statement)) if is_fold else statement

    alone = _without_stores(found)
    (rows,) = rewrite(n.Block((rows_of(alone, extents, sums, copies, found.is_of_piece),)), changed).statements
    return cast(n.For, rows)


def _without_stores(found: _Found) -> list[n.For]:
    """The loops of a nest, from the outermost to the fold, without their stores and without what follows the fold."""
    inner, chain = found.fold, [found.fold]
    for loop in reversed(found.outer):
        old = found.outer[found.outer.index(loop) + 1] if loop is not found.outer[-1] else found.fold
        position = next(k for k, s in enumerate(loop.body.statements) if s is old)
        before = (s for s in loop.body.statements[:position] if not isinstance(s, n.Store))
        inner = replace(loop, body=replace(loop.body, statements=(*before, inner)))
        chain.insert(0, inner)
    return chain


def _sum_of_parts(nest: n.For, found: _Found, count: n.Atom, sums: Sequence[n.Var], copies: Copies) -> n.For:
    """The nest, with a fold of what the parts gave in place of its own."""
    fold, write = found.fold, Writing(copies.names, found.fold.location)
    part, yields = copies.names.fresh("part", PYINT), []
    with write.apart() as before:
        places = [write.op("sub", loop.index, loop.start, "row") for loop in found.outer]
    with write.apart() as folding:
        for arg, view in zip(fold.args, sums, strict=True):
            value: n.Atom = write.load(view, part, *places, stem="part_sum")
            if value.type != arg.var.type:
                value = write.let(n.Cast(value, checked=False), arg.var.type, "part_sum")
            folded = n.Binary(cast(n.BinaryOp, arg.combine), arg.var, value, checked=False)
            yields.append(write.let(folded, arg.var.type, arg.var.stem))
    summed = replace(
        fold, index=part, start=n.Const(0), stop=count, body=n.Block(tuple(folding), tuple(yields)), claim="range"
    )

    def change(statement: n.Statement) -> n.Statement | tuple[n.Statement, ...]:
        is_fold = isinstance(statement, n.For) and statement.label == fold.label
        return (*before, summed) if is_fold else statement

    (made,) = copies.block(rewrite(n.Block((nest,)), change)).statements
    return cast(n.For, made)
