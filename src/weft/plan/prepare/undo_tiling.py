"""A program without tiles that take turns: what the loops touch is easier to see in it, and the same."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from weft.ir import nodes as n
from weft.ir.visit import rewrite, substitute, walk
from weft.schedule.lowering.tiles import Tile, tile_of


def untiled(program: n.Program) -> n.Program:
    """The program with a loop over iterations for each loop over tiles; what these leave behind is left out."""
    if not any(isinstance(s, n.For) and s.mapping == "turns" for s in walk(program.body)):
        return program
    return replace(program, body=rewrite(program.body, _whole))


def left_by(nest: n.For) -> Iterator[n.Var]:
    """The arrays in which tiles leave what is carried after the last of them."""
    tile = tile_of(nest)
    for statement in walk(n.Block(tile.leave)) if tile is not None else ():
        if isinstance(statement, n.Store):
            yield statement.view


def _whole(statement: n.Statement) -> n.Statement:
    tile = tile_of(statement) if isinstance(statement, n.For) else None
    if tile is None:
        return statement
    assert isinstance(statement, n.For)
    start, stop = _bounds(tile)
    sums, each = substitute(tile.sums.body, {tile.sums.index.name: tile.each.index}), tile.each.body
    body = n.Block((*sums.statements, *each.statements), (*sums.yields, *each.yields))
    inits = {a.var.name: a.init for a in statement.args}
    own = [replace(a, init=substitute(a.init, inits)) for a in tile.each.args]
    args, results = (*tile.sums.args, *own), (*tile.sums.results, *tile.each.results)
    loop = replace(statement, index=tile.each.index, start=start, stop=stop, body=body, args=args, results=results)
    return replace(loop, mapping="turns")


def _bounds(tile: Tile) -> tuple[n.Atom, n.Atom]:
    """Where the loop over iterations starts and stops."""
    known = {let.var: let.value for let in tile.head}
    first = known.get(tile.sums.start) if isinstance(tile.sums.start, n.Var) else None
    last = known.get(tile.sums.stop) if isinstance(tile.sums.stop, n.Var) else None
    assert isinstance(first, n.Binary) and isinstance(last, n.Binary)
    return (first.left if first.op == "add" else n.Const(0)), last.right
