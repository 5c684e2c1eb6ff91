"""A nest that reads along one loop and writes along another, as a transposition does.

The threads of a block first load what its iterations read, laid out along the loop in whose direction that lies, and
keep it in shared memory; then each runs its points, which read from there. Rows of the tile are one element longer than
needed, against conflicts between banks.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from weft.ir import nodes as n
from weft.ir.types import PYINT
from weft.schedule.directives import Turn
from weft.schedule.frame import Bound, Frame, Threads
from weft.schedule.lanes import WIDEST, Accesses, side_by_side, write_run
from weft.schedule.nests import slice_of, turned_loads
from weft.schedule.points import aligned, write_points
from weft.schedule.writing import scalar


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
    frame.flat = _from_tiles(frame, tiles, along, across)
    write_points(frame)


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
        for place, begin in _places(frame, tile, along, across, threads):
            for lane in range(tile.accesses.lanes):
                _fetch_one(frame, tile, along, across, place, write.op("add", begin, lane))


def _fetch_run(frame: Frame, tile: _Tile, along: Bound, across: Bound, place: n.Atom, begin: n.Atom) -> None:
    write = frame.write
    counters = {**_others(frame, along, across), across.loop.index.name: write.op("add", across.origin, place)}
    values: list[dict[str, n.Atom]] = [dict(counters) for _ in range(tile.accesses.lanes)]
    first = write.op("add", along.origin, begin)
    write_run(write, tile.source, along.loop.index, first, tile.accesses, values)
    for lane, known in enumerate(values):
        write.store(tile.array, (place, write.op("add", begin, lane)), known[tile.load.var.name])


def _fetch_one(frame: Frame, tile: _Tile, along: Bound, across: Bound, place: n.Atom, position: n.Atom) -> None:
    write = frame.write
    row, column = write.op("add", across.origin, place), write.op("add", along.origin, position)
    others = _others(frame, along, across)
    outside = [frame.inside(b, others[b.loop.index.name]) for b in frame.bounds if b not in (along, across)]
    with write.when(write.both([frame.inside(across, row), frame.inside(along, column), *outside])):
        counters = {**others, across.loop.index.name: row, along.loop.index.name: column}
        (value,) = write.copy(n.Block(tile.source.statements, (tile.load.var,)), counters)
        write.store(tile.array, (place, position), value)


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
