"""Tiles: scans, searches, packing and folds that `parallelise` cannot mark run in parallel, tile by tile.

The iterations are cut into tiles. All tiles of a round are summed up in parallel, each by itself; what they gave is
folded strictly from left to right; then the tiles run in parallel, each from the values that it begins with. Where a
tile cannot be summed up (the loop ends in it, something in it may raise, a NaN is in the way) it runs as the loop was
written, after all tiles before it and before any after it: results and exceptions are those of the loop in order. A
search begins with one tile as it was written, then tries rounds that grow. The tiles depend on the trip count and on
the code alone, so that results are the same bits on every run.

Assumes nothing that the verdicts do not say. For outermost loops of the program's body: loops in parallel loops, and
those of helpers, stay as they are. So do loops that are too short for several tiles.
"""

from __future__ import annotations

from dataclasses import replace

from weft.analysis.tiling import Tiling, tiling
from weft.analysis.verdicts import Verdicts
from weft.ir import nodes as n
from weft.ir.visit import blocks_of, walk, with_blocks
from weft.passes.careful import Unsuited
from weft.passes.checks import work
from weft.passes.peel import Copies
from weft.passes.scribe import TRUE
from weft.passes.summaries import summarise
from weft.passes.support import judged
from weft.passes.sweeps import Sizes
from weft.passes.tiled import Tiled

TILE_WORK = 20000
"""Simple operations that a tile has at least."""
LEAST_ITERATIONS = 4
LEAST_TILES = 8
FIRST_ROUND, ROUND = 4, 256
"""Tiles of the first round of a search, and of later rounds where nobody says otherwise."""
ROUND_OF_A_CORE, ROUND_OF_DEVICE = 16, 1 << 16
"""The second cache of a core, of 1 or 2 MiB, keeps the tiles of a round between the two sweeps; on a device every round
is a launch."""


def tiles(program: n.Program, most: int | None = None) -> n.Program:
    """Cut loops into tiles that run in parallel.

    Parameters
    ----------
    program
        After the pass that marks parallel loops.
    most
        The most tiles of a round. Results do not depend on it.
    """
    if not any(isinstance(s, n.For) and (s.args or s.exit is not None) for s in walk(program.body)):
        return program
    change = _Change(program, judged(program), ROUND if most is None else most)
    body = change.block(program.body)
    return program if body is program.body else replace(program, body=body)


class _Change:
    def __init__(self, program: n.Program, verdicts: Verdicts, most: int) -> None:
        self.verdicts = verdicts
        self.program = program
        self.associative = frozenset(f.name for f in program.functions if f.associative)
        self.copies = Copies(program)
        self.most = most

    def block(self, block: n.Block) -> n.Block:
        """The block with its outermost suitable loops changed."""
        statements: list[n.Statement] = []
        for statement in block.statements:
            statements.extend(self._statement(statement))
        if all(a is b for a, b in zip(statements, block.statements, strict=False)) and len(statements) == len(
            block.statements
        ):
            return block
        return replace(block, statements=tuple(statements))

    def _statement(self, statement: n.Statement) -> tuple[n.Statement, ...]:
        if isinstance(statement, n.For):
            if statement.mapping == "parallel":
                return (statement,)
            changed = self._loop(statement)
            if changed is not None:
                return changed
        inner = blocks_of(statement)
        new = tuple(self.block(b) for b in inner)
        same = all(a is b for a, b in zip(new, inner, strict=True))
        return (statement,) if same else (with_blocks(statement, new),)

    def _loop(self, node: n.For) -> tuple[n.Statement, ...] | None:
        """What stands for a loop; None for one that stays."""
        if node.label not in self.verdicts.loops or (node.exit is not None and node.args[node.exit].init != TRUE):
            return None
        found = tiling(self.verdicts, self.verdicts.table.structure.loops[node.label], self.associative)
        return None if found is None else self._tiled(found, node)

    def _tiled(self, found: Tiling, node: n.For) -> tuple[n.Statement, ...] | None:
        try:
            summary = summarise(self.verdicts.table, found, self.program, self.copies)
        except Unsuited:
            return None
        tile = max(LEAST_ITERATIONS, TILE_WORK // max(1, int(work(node.body))))
        return Tiled(summary, self.copies, Sizes(tile, LEAST_TILES, FIRST_ROUND, self.most)).statements()
