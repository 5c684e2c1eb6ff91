"""A nest that reads along one loop and writes along another, as a transposition does.

The threads of a block first load what its iterations read, laid out along the loop in whose direction that lies, and
keep it in shared memory; then each runs its points, which read from there. Rows of the tile are one element longer than
needed, against conflicts between banks. Where vectors cannot be accessed, neighbouring threads of a whole warp have
neighbours both ways, and a thread asks for all its elements before it needs any.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass

from weft.ir import nodes as n
from weft.ir.types import PYINT
from weft.ir.visit import walk
from weft.schedule.directives import Turn
from weft.schedule.frame import Bound, Frame, Threads
from weft.schedule.lowering.lanes import WIDEST, Accesses, side_by_side, write_abreast, write_run
from weft.schedule.lowering.points import Side, aligned, write_points, write_sides
from weft.schedule.nests import slice_of, turned_loads
from weft.schedule.writing import scalar

MOST_TOGETHER = 16
"""Elements that a thread loads together where each needs an address."""


@dataclass
class _Tile:
    """What a block reads through one load."""

    load: n.Let
    source: n.Block
    array: n.Var
    accesses: Accesses


def write_turned(frame: Frame, turn: Turn) -> None:
    """Write what a block does."""
    along, across = frame.by_loop[turn.loop], next(b for b in frame.bounds if b.bind.axis == "x")
    tiles = [
        _tile(frame, load, along, across) for load in turned_loads(frame.flat, along.loop.index, across.loop.index)
    ]
    with frame.phase() as threads:
        for tile in tiles:
            _fetch(frame, tile, along, across, threads)
    frame.flat = flat = _from_tiles(frame, tiles, along, across)
    is_plain = all(isinstance(s, (n.Let, n.Store, n.If)) for s in walk(flat))
    write_points(frame, apart=(lambda threads: _apart(frame, flat, along, across, threads)) if is_plain else None)


def _tile(frame: Frame, load: n.Let, along: Bound, across: Bound) -> _Tile:
    source = slice_of(frame.flat, frozenset((load.var.name,)))
    element = scalar(load.var.type)
    array = frame.write.alloc((across.bind.step, along.bind.step + 1), element, "shared", f"{load.var.stem}_tile")
    lanes = WIDEST // element.size
    while along.bind.step % lanes or along.bind.step * across.bind.step % (lanes * frame.threads):
        lanes //= 2
    return _Tile(load, source, array, side_by_side(source, along.loop.index, lanes, frozenset(frame.kernel.overlaps)))


def _places(
    frame: Frame, tile: _Tile, along: Bound, across: Bound, threads: Threads
) -> Iterator[tuple[n.Atom, n.Atom]]:
    """For each run that a thread loads, its place across and along."""
    write, lanes = frame.write, tile.accesses.lanes
    chunks = along.bind.step // lanes
    for number in range(along.bind.step * across.bind.step // (lanes * frame.threads)):
        chunk = write.op("add", frame.number(threads), number * frame.threads)
        yield write.op("floordiv", chunk, chunks), write.op("mul", write.op("mod", chunk, chunks), lanes)


def _fetch(frame: Frame, tile: _Tile, along: Bound, across: Bound, threads: Threads) -> None:
    """Load a tile: as vectors where the block has all its iterations and the array is aligned, else one by one."""
    write = frame.write
    conditions = [frame.whole(), *aligned(write, tile.accesses)]
    if tile.accesses.whole:
        conditions.append(write.compare("eq", write.op("mod", along.origin, tile.accesses.lanes), 0))
    with write.when(write.both(conditions)):
        for place, begin in _places(frame, tile, along, across, threads):
            _fetch_run(frame, tile, along, across, place, begin)
    with write.otherwise():
        _fetch_each(frame, tile, along, across, threads)


def _fetch_run(frame: Frame, tile: _Tile, along: Bound, across: Bound, place: n.Atom, begin: n.Atom) -> None:
    write = frame.write
    counters = {**_others(frame, along, across), across.loop.index.name: write.op("add", across.origin, place)}
    values: list[dict[str, n.Atom]] = [dict(counters) for _ in range(tile.accesses.lanes)]
    first = write.op("add", along.origin, begin)
    write_run(write, tile.source, along.loop.index, first, tile.accesses, values)
    for lane, known in enumerate(values):
        write.store(tile.array, (place, write.op("add", begin, lane)), known[tile.load.var.name])


def _fetch_each(frame: Frame, tile: _Tile, along: Bound, across: Bound, threads: Threads) -> None:
    """Load a tile element by element; places outside of the loops hold others."""
    with frame.write.when(frame.whole()):
        _fetch_at(frame, tile, along, across, threads, lambda counters: counters)
    with frame.write.otherwise(), frame.write.when(_is_some(frame)):
        _fetch_at(frame, tile, along, across, threads, lambda counters: _near(frame, counters))


def _fetch_at(
    frame: Frame, tile: _Tile, along: Bound, across: Bound, threads: Threads,
    counters: Callable[[dict[str, n.Atom]], dict[str, n.Atom]],
) -> None:  # fmt: skip
    write = frame.write
    alone = side_by_side(tile.source, along.loop.index, 1, frozenset(), frozenset((across.loop.index.name,)))
    for places in _in_warps(frame, across.bind.step, along.bind.step, threads):
        lanes = [counters(_counters(frame, {across: row, along: column})) for row, column in places]
        write_abreast(write, tile.source, alone.varying, lanes)
        for place, known in zip(places, lanes, strict=True):
            write.store(tile.array, place, known[tile.load.var.name])


def _apart(frame: Frame, flat: n.Block, along: Bound, across: Bound, threads: Threads) -> None:
    """Run the points of a block one by one."""
    write = frame.write
    with write.when(frame.whole()):
        for places in _in_warps(frame, along.bind.step, across.bind.step, threads):
            at = [{along: row, across: column} for row, column in places]
            write_sides(frame, flat, [Side(n.Const(0), [_counters(frame, where)]) for where in at], Accesses())
    with write.otherwise(), write.when(_is_some(frame)):
        for places in _in_warps(frame, along.bind.step, across.bind.step, threads, label=along.loop.label):
            sides = []
            for row, column in places:
                known = _counters(frame, {along: row, across: column})
                inside = write.both([frame.inside(b, known[b.loop.index.name]) for b in frame.bounds])
                sides.append(Side(n.Const(0), [_near(frame, known)], None, inside))
            write_sides(frame, flat, sides, Accesses())


def _in_warps(
    frame: Frame, rows: int, columns: int, threads: Threads, label: str = ""
) -> Iterator[list[tuple[n.Atom, n.Atom]]]:
    """The rows and columns that a thread has of the elements of a block, neighbours in neighbouring threads, so many
    at a time as it loads together. With a `label` that is a loop, which is compiled sooner."""
    count = -(-rows * columns // frame.threads)
    if not label or count % MOST_TOGETHER:
        for first in range(0, count, MOST_TOGETHER):
            turns = range(first, min(first + MOST_TOGETHER, count))
            yield [_place_in_warp(frame, columns, n.Const(turn), threads) for turn in turns]
        return
    with frame.write.loop(f"{label}.together", 0, count // MOST_TOGETHER, "rolled", stem="together") as loop:
        begin = frame.write.op("mul", loop.index, MOST_TOGETHER)
        each = [frame.write.op("add", begin, turn) for turn in range(MOST_TOGETHER)]
        yield [_place_in_warp(frame, columns, turn, threads) for turn in each]


def _place_in_warp(frame: Frame, columns: int, turn: n.Atom, threads: Threads) -> tuple[n.Atom, n.Atom]:
    """The row and column of the element that a thread has in a turn."""
    write, number = frame.write, frame.number(threads)
    if frame.threads % columns:
        place = write.op("add", number, write.op("mul", turn, frame.threads))
        return write.op("floordiv", place, columns), write.op("mod", place, columns)
    row, column = write.op("floordiv", number, columns), write.op("mod", number, columns)
    return write.op("add", row, write.op("mul", turn, frame.threads // columns)), column


def _counters(frame: Frame, places: Mapping[Bound, n.Atom]) -> dict[str, n.Atom]:
    """The counters at some places of a block."""
    return {b.loop.index.name: frame.write.op("add", b.origin, places.get(b, n.Const(0))) for b in frame.bounds}


def _near(frame: Frame, counters: Mapping[str, n.Atom]) -> dict[str, n.Atom]:
    """The nearest counters that are in the loops, where there is one."""
    bounds = ((bound.loop.index.name, bound) for bound in frame.bounds)
    return {name: frame.write.within(counters[name], bound.low, bound.high) for name, bound in bounds}


def _is_some(frame: Frame) -> n.Atom:
    """Whether each loop has an iteration."""
    return frame.write.both([frame.write.compare("lt", bound.low, bound.high) for bound in frame.bounds])


def _others(frame: Frame, along: Bound, across: Bound) -> dict[str, n.Atom]:
    """The counters of the loops of which a block runs one iteration."""
    return {b.loop.index.name: b.origin for b in frame.bounds if b not in (along, across)}


def _from_tiles(frame: Frame, tiles: list[_Tile], along: Bound, across: Bound) -> n.Block:
    """What an iteration does, reading from the tiles."""
    arrays = {tile.load.var.name: tile.array for tile in tiles}
    row, column = frame.names.fresh("row", PYINT), frame.names.fresh("column", PYINT)
    statements: list[n.Statement] = [
        n.Let(row, n.Binary("sub", across.loop.index, across.origin, checked=False)),
        n.Let(column, n.Binary("sub", along.loop.index, along.origin, checked=False)),
    ]
    for statement in frame.flat.statements:
        if isinstance(statement, n.Let) and statement.var.name in arrays:
            load = n.Load(arrays[statement.var.name], (row, column), "safe")
            statement = n.Let(statement.var, load, statement.location)
        statements.append(statement)
    return n.Block(tuple(statements))
