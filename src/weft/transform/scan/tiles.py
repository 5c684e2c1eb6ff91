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

from weft.analysis.access.strides import stride
from weft.analysis.dependence.verdicts import Verdicts
from weft.analysis.recurrences.arg_reductions import first_of
from weft.analysis.recurrences.tiling import Tiling, tiling
from weft.ir import nodes as n
from weft.ir.scribe import TRUE, Scribe
from weft.ir.visit import (
    atoms_of,
    blocks_of,
    bound_inside,
    defined_by,
    has_fewer_trips,
    known_trips,
    rewrite,
    walk,
    with_blocks,
)  # fmt: skip
from weft.transform.parallel.runtime_dependence import work
from weft.transform.peel import Copies
from weft.transform.scan.arg_reductions import in_pieces
from weft.transform.scan.blockwise import Blockwise
from weft.transform.scan.searching import Search
from weft.transform.scan.speculative_copy import Unsuited
from weft.transform.scan.sweeps import Nest, Sizes
from weft.transform.scan.tile_summaries import Summary, summarise
from weft.transform.scan.tiled_scan import Tiled
from weft.transform.support import judged

TILE_WORK, TURN_WORK = 20000, 40000
"""Simple operations that a tile has at least, and one of tiles that take turns: its elements stay in the second cache,
and what it does is long beside the way of a value from one core to the next."""
LEAST_ITERATIONS = 4
LEAST_TILES = 8
FIRST_ROUND, ROUND = 4, 256
"""Tiles of the first round of a search, and of later rounds where nobody says otherwise."""
ROUND_OF_A_CORE, ROUND_OF_DEVICE = 16, 1 << 16
"""The second cache of a core, of 1 or 2 MiB, keeps the tiles of a round between the two sweeps; on a device every round
is a launch."""


LONG_ROW = 512
"""Iterations of a scan along a row that are worth a block."""


def tiles(
    program: n.Program, most: int | None = None, turns: bool = True, blocks: bool = False, rows: bool = False
) -> n.Program:
    """Cut loops into tiles that run in parallel.

    Parameters
    ----------
    program
        After the pass that marks parallel loops.
    most
        The most tiles of a round. Results do not depend on it.
    turns
        Whether tiles may take turns, as threads of a processor can.
    blocks
        Whether the blocks of a device can hand on what is carried: then these are the tiles, where that is possible.
    rows
        Whether a block can run the tiles of a row one after the other.
    """
    if not any(isinstance(s, n.For) and (s.args or s.exit is not None) for s in walk(program.body)):
        return program
    change = _Change(program, judged(program), ROUND if most is None else most, turns, blocks)
    change.rows = rows
    body = change.block(program.body)
    return program if body is program.body else replace(program, body=body)


class _Change:
    def __init__(self, program: n.Program, verdicts: Verdicts, most: int, turns: bool, blocks: bool) -> None:
        self.verdicts = verdicts
        self.program = program
        self.associative = frozenset(f.name for f in program.functions if f.associative)
        self.copies = Copies(program)
        self.most = most
        self.turns = turns
        self.blocks = blocks
        self.rows = False
        self.used = names_used(program.body)

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
                return (self._rows(statement) if self.rows else None) or (statement,)
            changed = self._loop(statement)
            if changed is not None:
                return changed
        inner = blocks_of(statement)
        new = tuple(self.block(b) for b in inner)
        same = all(a is b for a, b in zip(new, inner, strict=True))
        return (statement,) if same else (with_blocks(statement, new),)

    def _loop(self, node: n.For) -> tuple[n.Statement, ...] | None:
        """What stands for a loop; None for one that stays."""
        first = first_of(node) if self.blocks else None
        if first is not None:
            return in_pieces(node, first, self.copies)
        if node.label not in self.verdicts.loops or (node.exit is not None and node.args[node.exit].init != TRUE):
            return None
        found = tiling(self.verdicts, self.verdicts.table.structure.loops[node.label], self.associative)
        return None if found is None else self._tiled(found, node)

    def _rows(self, nest: n.For) -> tuple[n.Statement, ...] | None:
        """A parallel nest whose iterations each run a scan along a row: where rows are long, the scan is in tiles.

        A loop that is parallel itself, as a sum that also stores, needs none.
        """
        inner, outer = nest, {nest.index.name}
        while isinstance(inner.body.statements[-1], n.For) and inner.body.statements[-1].mapping == "parallel":
            inner = inner.body.statements[-1]
            outer.add(inner.index.name)
        loops = [s for s in walk(inner.body) if isinstance(s, (n.For, n.While))]
        (loop,) = loops if len(loops) == 1 else (None,)
        if not isinstance(loop, n.For) or loop.mapping == "parallel" or loop not in inner.body.statements:
            return None
        if not self._is_along(loop):
            return None
        made = {v.name for s in walk(nest.body) for v in defined_by(s)} | outer
        if any(isinstance(a, n.Var) and a.name in made for a in (loop.start, loop.stop)):
            return None
        tiled = self._row(loop)
        return None if tiled is None else self._by_length(nest, loop, tiled)

    def _is_along(self, loop: n.For) -> bool:
        """Whether neighbouring iterations of a loop access neighbours, and are not known to be few."""
        if has_fewer_trips(loop, LONG_ROW):
            return False
        table = self.verdicts.table
        node = table.structure.loops[loop.label]
        return any(stride(table, access, node).kind == "unit" for access in table.within(node.body))

    def _row(self, loop: n.For) -> tuple[n.Statement, ...] | None:
        found = tiling(self.verdicts, self.verdicts.table.structure.loops[loop.label], self.associative)
        summary = self._summary(found) if found is not None and loop.exit is None else None
        if summary is None:
            return None
        blockwise = Blockwise(summary, self.copies, Sizes(1, 0, LEAST_TILES, FIRST_ROUND, self.most))
        return blockwise.in_tiles() if blockwise.is_suited(self.used, is_inner=True) else None

    def _by_length(self, nest: n.For, loop: n.For, tiled: tuple[n.Statement, ...]) -> tuple[n.Statement, ...]:
        """The nest with tiles where rows are long, else as it was."""
        scribe = Scribe(self.copies.names, nest.location)
        trips = scribe.op("sub", loop.stop, loop.start, "trips")
        (changed,) = rewrite(n.Block((nest,)), lambda s: tiled if s is loop else s).statements
        assert isinstance(changed, n.For)
        results = tuple(scribe.fresh(result.stem, result.type) for result in nest.results)
        long = n.Block((replace(changed, results=results),), results)
        short = self.copies.block(n.Block((nest,), nest.results))
        is_long = scribe.compare("ge", trips, LONG_ROW)
        scribe.add(n.If(is_long, long, short, nest.results, nest.location))
        return tuple(scribe.statements)

    def _summary(self, found: Tiling) -> Summary | None:
        try:
            return summarise(self.verdicts.table, found, self.program, self.copies)
        except Unsuited:
            return None

    def _tiled(self, found: Tiling, node: n.For) -> tuple[n.Statement, ...] | None:
        summary = self._summary(found)
        if summary is None:
            return None
        each = max(1, int(work(node.body)))
        tile, turn = (max(LEAST_ITERATIONS, size // each) for size in (TILE_WORK, TURN_WORK))
        sizes = Sizes(tile, turn if self.turns else 0, LEAST_TILES, FIRST_ROUND, self.most, _nest(found, node))
        if self.blocks:
            blockwise = Blockwise(summary, self.copies, sizes)
            if blockwise.is_suited(self.used):
                return blockwise.as_kernel(self.used)
            search = Search(summary, self.copies, sizes)
            if search.is_suited:
                return search.statements(self.used)
        return Tiled(summary, self.copies, sizes).statements()


def _nest(found: Tiling, node: n.For) -> Nest | None:
    """What is known before a loop of a loop inside of it; None where roundings would depend on how tiles are cut, or
    loops may end early."""
    if any(part.value.is_float for part in found.summed) or node.exit is not None:
        return None
    inside = {v.name for s in walk(node.body) for v in (*defined_by(s), *bound_inside(s))} | {node.index.name}
    for inner in node.body.statements:
        if isinstance(inner, n.For) and known_trips(inner) is None:
            if inner.exit is not None or any(
                isinstance(a, n.Var) and a.name in inside for a in (inner.start, inner.stop)
            ):
                return None
            each = max(1, int(work(inner.body)) + 1)
            others = replace(node.body, statements=tuple(s for s in node.body.statements if s is not inner))
            return Nest(max(1, int(work(others))), each, inner, TILE_WORK, TURN_WORK)
    return None


def names_used(block: n.Block) -> frozenset[str]:
    """Names of the variables that are used anywhere in a block."""
    blocks = [block, *(inner for s in walk(block) for inner in blocks_of(s))]
    atoms = [*(a for s in walk(block) for a in atoms_of(s)), *(y for b in blocks for y in b.yields)]
    return frozenset(a.name for a in atoms if isinstance(a, n.Var))
