"""Contractions: sums of products over two parallel loops are computed tile by tile, from packed copies of both factors.

A tile is several rows of the sum, each as wide as two vectors, which stay in registers while the products are added in
the order of the source. Both factors are copied once, in the order in which tiles use them; the last tiles are filled
up with copies of elements inside. Then the loops as they were run over each tile, with the finished sums in place of
the loop that adds up, so that all that stands before and after it is done as before. While the tiles of
a column are computed, what those of the next one read is asked for.

Each sum starts from the neutral element and is added to the initial value at its end. Neither the size of tiles nor
the number of threads has an influence on any result. Loops with few iterations run as they were, which depends on
their trip counts alone. Nests that are no `analysis.contraction`, and sums of complex numbers, are left alone.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from weft.analysis.access.tensor_contraction import Contraction, Operand, contraction
from weft.analysis.values.ranges import Ranges
from weft.dataclass import dataclass
from weft.ir import nodes as n
from weft.ir.scribe import TRUE, Scribe
from weft.ir.types import View
from weft.ir.visit import substitute, walk
from weft.transform.peel import Copies
from weft.transform.support import for_each_body, with_loops
from weft.transform.vector.expansion import stored
from weft.transform.vector.interchange import ROWS, TILE_BYTES, reads_in_order

LEAST_TRIPS = 24
"""Iterations that each of the three loops must have for packing to pay."""

MANY_PRODUCTS = 1 << 25
"""Products for which packing pays even where `interchange` reads all memory in order, and has no iterations left."""

LARGEST = 1 << 20
"""Counts are taken for this at most where they are multiplied."""

PACKED_BYTES = 1 << 25
"""Bytes of the copy of one factor; a larger one is copied part by part."""

PIECE_ROWS, PIECE_TILES = 256, 12
"""The largest piece of work: rows down, and tiles across. The larger, the more often what the second cache holds is
used."""

LEAST_PIECES = 8
"""Pieces of work along each side, where there are so many tiles."""

TAKEN_APART = 16
"""Iterations of a loop that compilers take apart before they make vectors of it; rows of tiles have more lanes."""

MOST_ROWS = 12
"""Rows of a tile, which have a name each."""

AHEAD = 16
"""Steps before its use at which an element of a row is asked for: that copy comes from the second cache."""

CACHE_LINE = 64
"""Bytes that processors bring together, one line in each step."""

STEP_BYTES = 24576
"""Bytes of the copy of a factor that stay in the first cache while all tiles of a column go through some steps."""


@dataclass(frozen=True)
class Registers:
    """The vector registers of a processor: how many, and the bytes of one."""

    count: int = 32
    bytes: int = 64

    def tile(self, size: int) -> tuple[int, int]:
        """Rows and lanes of a tile of elements of `size` bytes, which takes three quarters of the registers."""
        each = self.bytes // size
        vectors = TAKEN_APART // each + 1
        return min(max(3 * self.count // (4 * vectors), 1), MOST_ROWS), vectors * each


WIDEST = Registers()
"""Those of processors with the largest vectors that there are."""


def tensor_contractions(program: n.Program, registers: Registers = WIDEST, fused: bool = True) -> n.Program:
    """Compute sums of products in tiles.

    Parameters
    ----------
    program
        A program whose loops are marked.
    registers
        Decides the shape of a tile.
    fused
        Whether products of floats are added without being rounded, as by the pass `fma_reductions`.
    """
    bodies = (program.body, *(f.body for f in program.functions))
    if not any(isinstance(s, n.For) for body in bodies for s in walk(body)):
        return program
    copies = Copies(program)
    return _with_contractions(program, lambda found: _Tiled(found, copies, registers, fused).statements())


def tiles_of(program: n.Program, registers: Registers = WIDEST) -> dict[str, str]:
    """What the pass does to a program, in words, by the label of the outer of two loops."""
    words: dict[str, str] = {}

    def noted(found: Contraction) -> tuple[n.Statement, ...]:
        rows, lanes = registers.tile(stored(found.type).size)
        words[found.outer.label] = f"sums over {found.fold.label} in tiles of {rows} x {lanes} from packed copies"
        return (found.outer,)

    _with_contractions(program, noted)
    return words


def _with_contractions(program: n.Program, change: Callable[[Contraction], tuple[n.Statement, ...]]) -> n.Program:
    """The program with something else in the place of each contraction."""

    def changed(loop: n.For, ranges: Ranges) -> tuple[n.Statement, ...] | None:
        if Contraction.of(loop) is None:
            return None
        found = contraction(loop, ranges.aliases)
        return None if found is None else change(found)

    return for_each_body(program, lambda body, ranges: with_loops(body, lambda loop: changed(loop, ranges)))


LaneValue = Callable[[Scribe, n.Var], n.Atom]


@dataclass(frozen=True)
class _Side:
    """One of the two parallel loops: its factor, how many of its iterations a tile has, and how many
    tiles a piece of work has at most."""

    loop: n.For
    operand: Operand
    width: int
    most: int


class _Tiled:
    """Writes the tiles of one contraction."""

    def __init__(self, found: Contraction, copies: Copies, registers: Registers, fused: bool) -> None:
        self.found = found
        self.copies = copies
        self.element = stored(found.type)
        self.fused = fused and self.element.kind == "f"
        assert found.operands is not None
        sides = list(zip((found.outer, found.inner), found.operands, strict=True))
        if _runs_along(found.outer, found.outer):
            sides.reverse()
        rows, lanes = registers.tile(self.element.size)
        self.rows = _Side(*sides[0], rows, max(PIECE_ROWS // rows, 1))
        self.columns = _Side(*sides[1], lanes, PIECE_TILES)
        self.steps = STEP_BYTES // (lanes * self.element.size)

    def statements(self) -> tuple[n.Statement, ...]:
        """The tiles where there is enough to do, else the nest as it was."""
        scribe = self._scribe()
        loops = (self.rows.loop, self.columns.loop, self.found.fold)
        trips = [scribe.op("max", scribe.op("sub", loop.stop, loop.start), 0) for loop in loops]
        enough: n.Atom = TRUE
        for count in trips:
            enough = scribe.both([enough, scribe.compare("ge", count, LEAST_TRIPS)])
        if reads_in_order(self.found.inner):
            enough = scribe.both([enough, scribe.either(self._is_ragged(scribe, trips), _are_many(scribe, trips))])
        self.depth = trips[2]
        tiles = scribe.inner()
        self._columns(tiles, *trips[:2])
        scribe.branch(enough, tiles.block(), self.copies.block(n.Block((self.found.outer,))), ())
        return tuple(scribe.statements)

    def _is_ragged(self, out: Scribe, trips: list[n.Atom]) -> n.Atom:
        """Whether `interchange` would leave iterations over, which run one by one."""
        rows = out.compare("ne", out.op("mod", trips[0], ROWS), 0)
        return out.either(rows, out.compare("ne", out.op("mod", trips[1], TILE_BYTES // self.element.size), 0))

    def _scribe(self) -> Scribe:
        return Scribe(self.copies.names, self.found.outer.location)

    # ---------------------------------------------------------------------------------------------- parts

    def _columns(self, out: Scribe, rows: n.Atom, columns: n.Atom) -> None:
        """Parts of the columns, one after the other, of which the copy is not too large."""
        with_part = self._parts(out, self.columns, columns)
        body = with_part.body
        packed = self._packed(body, self.columns, with_part)
        inner = self._parts(body, self.rows, rows)
        self._pieces(inner, self._packed(inner.body, self.rows, inner), with_part, packed)
        inner.close()
        with_part.close()

    def _parts(self, out: Scribe, side: _Side, trips: n.Atom) -> _Part:
        """Open the loop over parts of one side."""
        width, size = side.width, self.element.size
        panels = _rounded_up(out, trips, width)
        bytes_ = out.op("mul", self.depth, width * size)
        most = out.op("max", out.op("floordiv", n.Const(PACKED_BYTES), bytes_), 1)
        index, body = out.fresh(side.loop.index.stem), out.inner()
        first = body.op("mul", index, most)
        count = body.op("min", body.op("sub", panels, first), most)
        start = body.op("add", side.loop.start, body.op("mul", first, width))
        label = self.copies.labels.fresh(side.loop.label)
        loop = n.For(label, index, n.Const(0), _rounded_up(out, panels, most), n.Block(), location=out.location)
        return _Part(side, out, body, loop, start, count)

    def _packed(self, out: Scribe, side: _Side, part: _Part) -> n.Var:
        """A copy of the factor of a part: tile by tile, and in a tile step by step of the sum."""
        shape = (part.count, self.depth, n.Const(side.width))
        array = out.let(n.Alloc(shape, self.element), View(self.element, 3, contiguous=True), "packed")
        left = out.op("sub", side.loop.stop, part.start)
        whole = out.op("min", out.op("floordiv", left, side.width), part.count)
        last = out.op("sub", side.loop.stop, 1)
        out.add(self._packing(side, part, array, (n.Const(0), whole), None))
        out.add(self._packing(side, part, array, (whole, part.count), last))
        return array

    def _packing(
        self, side: _Side, part: _Part, array: n.Var, panels: tuple[n.Atom, n.Atom], last: n.Atom | None
    ) -> n.For:
        """The loop that copies some panels; iterations after `last` are replaced by that one."""
        panel, step, lane = (self._scribe().fresh(name) for name in ("panel", self.found.fold.index.stem, "lane"))
        outer, middle, inner = self._scribe(), self._scribe(), self._scribe()
        start = outer.op("add", part.start, outer.op("mul", panel, side.width))
        place = inner.op("add", start, lane)
        values = {
            side.loop.index.name: place if last is None else inner.op("min", place, last),
            self.found.fold.index.name: middle.op("add", self.found.fold.start, step),
        }
        inner.add(n.Store(array, (panel, step, lane), self._value(inner, side, values), "safe"))
        middle.add(self._loop("lane", lane, n.Const(side.width), inner.block(), "parallel"))
        outer.add(self._loop(self.found.fold.label, step, self.depth, middle.block()))
        return replace(self._loop(side.loop.label, panel, panels[1], outer.block(), "parallel"), start=panels[0])

    def _value(self, out: Scribe, side: _Side, values: dict[str, n.Atom]) -> n.Atom:
        """One element of a factor, as it is packed: computed as in the source."""
        for let in side.operand.lets:
            var = out.fresh(let.var.stem, let.var.type)
            out.add(replace(substitute(let, values), var=var))
            values[let.var.name] = var
        value = substitute((side.operand.value,), values)[0]
        if value.type != self.element:
            value = out.let(n.Cast(value, False), self.element)
        if self.found.subtracts and side is self.rows:
            value = out.let(n.Unary("neg", value, False), self.element)
        return value

    def _loop(self, label: str, index: n.Var, stop: n.Atom, body: n.Block, mapping: n.Mapping = "sequential") -> n.For:
        """A loop from zero."""
        label = self.copies.labels.fresh(label)
        return n.For(label, index, n.Const(0), stop, body, mapping=mapping, location=self.found.outer.location)

    # --------------------------------------------------------------------------------------------- pieces

    def _pieces(self, rows: _Part, left: n.Var, columns: _Part, right: n.Var) -> None:
        """All pieces of work of two parts, which threads share."""
        out, parts = rows.body, (rows, columns)
        shares = [out.op("max", out.op("floordiv", part.count, LEAST_PIECES), 1) for part in parts]
        spans = [out.op("min", share, part.side.most) for share, part in zip(shares, parts, strict=True)]
        pieces = [_rounded_up(out, part.count, span) for part, span in zip(parts, spans, strict=True)]
        places = [out.fresh("piece") for _ in parts]
        work = _Piece(parts, places, spans, (left, right))
        body = self._piece(work)
        for part, place, count in zip(parts[::-1], places[::-1], pieces[::-1], strict=True):
            body = n.Block((self._loop(part.side.loop.label, place, count, body, "parallel"),))
        out.statements.extend(body.statements)

    def _piece(self, work: _Piece) -> n.Block:
        """One piece: for some steps of the sum at a time all its tiles, then the loops as they were over each."""
        out = self._scribe()
        shape = (*work.spans, n.Const(self.rows.width), n.Const(self.columns.width))
        sums = out.let(n.Alloc(shape, self.element, self._zero), View(self.element, 4, contiguous=True), "sums")
        turn, inner = out.fresh("turn"), self._scribe()
        first = inner.op("mul", turn, self.steps)
        last = inner.op("min", inner.op("add", first, self.steps), self.depth)
        self._each_tile(inner, work, lambda scribe, tile: self._tile(scribe, work, tile, sums, (first, last)))
        label = self.found.fold.label
        out.add(self._loop(label, turn, _rounded_up(out, self.depth, self.steps), inner.block()))
        self._each_tile(out, work, lambda scribe, tile: self._finish(scribe, work, tile, sums))
        return out.block()

    def _each_tile(self, out: Scribe, work: _Piece, write: Callable[[Scribe, _Tile], None]) -> None:
        """Loops over the tiles of a piece, down first; the last piece has fewer."""
        scribes, places, numbers = [self._scribe(), self._scribe()], [], []
        for scribe, piece, span in zip(scribes, work.places, work.spans, strict=True):
            places.append(scribe.fresh("tile"))
            numbers.append(scribe.op("add", scribe.op("mul", piece, span), places[-1]))
        innermost = self._scribe()
        write(innermost, _Tile((places[0], places[1]), (numbers[0], numbers[1])))
        body = innermost.block()
        for k in (0, 1):
            inside = scribes[k].compare("lt", numbers[k], work.parts[k].count)
            scribes[k].branch(inside, body, n.Block(), ())
            body = n.Block((self._loop("tile", places[k], work.spans[k], scribes[k].block()),))
        out.statements.extend(body.statements)

    # ------------------------------------------------------------------------------------------------ one tile

    def _tile(self, out: Scribe, work: _Piece, tile: _Tile, sums: n.Var, steps: tuple[n.Atom, n.Atom]) -> None:
        """Some steps of the sums of one tile, which stay in registers meanwhile."""
        rows, lanes = self.rows.width, self.columns.width
        type = View(self.element, 1, contiguous=True)
        totals = [out.let(n.Alloc((n.Const(lanes),), self.element), type, "sum") for _ in range(rows)]
        for row, total in enumerate(totals):
            self._each_lane(out, total, self._reading(sums, (*tile.places, n.Const(row))))
        step, inner = out.fresh(self.found.fold.index.stem), self._scribe()
        for row, total in enumerate(totals):
            left = self._load(inner, work.factors[0], (tile.numbers[0], step, n.Const(row)))
            self._each_lane(inner, total, self._adding(left, total, work.factors[1], (tile.numbers[1], step)))
        loop = self._loop(self.found.fold.label, step, steps[1], inner.block())
        out.add(replace(loop, start=steps[0], ahead=AHEAD, fetch=self._next_column(out, work, tile, steps[0])))
        for row, total in enumerate(totals):
            self._each_lane(out, sums, self._reading(total, ()), (*tile.places, n.Const(row)))

    def _next_column(self, out: Scribe, work: _Piece, tile: _Tile, first: n.Atom) -> n.Load:
        """What the tiles of the next column read in these steps, or those of the first column in the next steps;
        neighbouring tiles ask for different parts of it."""
        last = out.compare("ge", out.op("add", tile.places[1], 1), work.spans[1])
        back = out.select(last, tile.places[1], n.Const(-1))
        start = out.op("add", first, out.select(last, n.Const(self.steps), n.Const(0)))
        parts = max(self.columns.width * self.element.size // CACHE_LINE, 1)
        part = out.op("mod", tile.places[0], parts)
        start = out.op("add", start, out.op("mul", part, self.steps // parts))
        return n.Load(work.factors[1], (out.op("sub", tile.numbers[1], back), start, n.Const(0)))

    @property
    def _zero(self) -> n.Atom:
        return n.Const(-0.0 if self.element.kind == "f" else 0, self.element)

    def _reading(self, array: n.Var, place: tuple[n.Atom, ...]) -> LaneValue:
        """What an array has for a lane."""
        return lambda scribe, lane: self._load(scribe, array, (*place, lane))

    def _adding(self, left: n.Atom, total: n.Var, right: n.Var, place: tuple[n.Atom, ...]) -> LaneValue:
        """One product more, of what a row has and what a lane has."""

        def added(scribe: Scribe, lane: n.Var) -> n.Atom:
            value = self._load(scribe, right, (*place, lane))
            return self._added(scribe, left, value, self._load(scribe, total, (lane,)))

        return added

    def _each_lane(self, out: Scribe, target: n.Var, value: LaneValue, place: tuple[n.Atom, ...] = ()) -> None:
        """A loop that gives an array a value in each lane."""
        lane, inner = out.fresh("lane"), self._scribe()
        inner.add(n.Store(target, (*place, lane), value(inner, lane), "safe"))
        out.add(self._loop("lane", lane, n.Const(self.columns.width), inner.block(), "parallel"))

    def _load(self, out: Scribe, array: n.Var, indices: tuple[n.Atom, ...]) -> n.Atom:
        return out.let(n.Load(array, indices, "safe"), self.element)

    def _added(self, out: Scribe, left: n.Atom, right: n.Atom, total: n.Atom) -> n.Atom:
        if self.fused:
            return out.let(n.Fma(left, right, total), self.element)
        return out.op("add", total, out.op("mul", left, right))

    # -------------------------------------------------------------------------------------------- after a tile

    def _finish(self, out: Scribe, work: _Piece, tile: _Tile, sums: n.Var) -> None:
        """The nest over the iterations of a tile; those of a whole tile are known in number."""
        starts, counts = [], []
        whole: n.Atom = TRUE
        for number, part in zip(tile.numbers, work.parts, strict=True):
            start = out.op("add", part.start, out.op("mul", number, part.side.width))
            left = out.op("sub", part.side.loop.stop, start)
            counts.append(out.op("min", left, part.side.width))
            whole = out.both([whole, out.compare("ge", left, part.side.width)])
            starts.append(start)
        known: list[n.Atom] = [n.Const(part.side.width) for part in work.parts]
        full, cut = (self._nest(starts, trips, sums, tile) for trips in (known, counts))
        out.branch(whole, full, cut, ())

    def _nest(self, starts: list[n.Atom], counts: list[n.Atom], sums: n.Var, tile: _Tile) -> n.Block:
        """The nest as it was over some iterations, with the sums at hand."""
        found, sides = self.found, (self.rows, self.columns)
        places = {side.loop.index.name: self._scribe().fresh(side.loop.index.stem) for side in sides}
        first = {side.loop.index.name: start for side, start in zip(sides, starts, strict=True)}
        stops = {side.loop.index.name: count for side, count in zip(sides, counts, strict=True)}
        position = found.inner.body.statements.index(found.fold)
        total = self._scribe()
        self._total(total, sums, (*tile.places, *(places[side.loop.index.name] for side in sides)))
        statements = found.inner.body.statements
        body = n.Block((*statements[:position], *total.statements, *statements[position + 1 :]))
        inner = self._moved(found.inner, places, first, stops, body)
        outer = self._moved(found.outer, places, first, stops, n.Block((*found.outer.body.statements[:-1], inner)))
        return self.copies.block(n.Block((outer,)))

    def _moved(
        self, loop: n.For, places: dict[str, n.Var], first: dict[str, n.Atom], stops: dict[str, n.Atom], body: n.Block
    ) -> n.For:
        name = loop.index.name
        index = n.Let(loop.index, n.Binary("add", first[name], places[name], False), loop.location)
        body = n.Block((index, *body.statements))
        return replace(loop, index=places[name], start=n.Const(0), stop=stops[name], body=body)

    def _total(self, out: Scribe, sums: n.Var, place: tuple[n.Atom, ...]) -> None:
        """What the loop that adds up gives: the initial value and the finished sum."""
        fold = self.found.fold
        total = self._load(out, sums, place)
        if total.type != fold.args[0].var.type:
            total = out.let(n.Cast(total, False), fold.args[0].var.type)
        value = n.Binary("add", fold.args[0].init, total, False)
        out.add(n.Let(fold.results[0], value, fold.location))


@dataclass(frozen=True)
class _Part:
    """A part of one side while it is written: `count` tiles of it from iteration `start` on."""

    side: _Side
    out: Scribe
    body: Scribe
    loop: n.For
    start: n.Atom
    count: n.Atom

    def close(self) -> None:
        """Write the loop over all parts."""
        self.out.add(replace(self.loop, body=self.body.block()))


@dataclass(frozen=True)
class _Piece:
    """A piece of work: its place among all of two parts, down and across, and the most tiles that it has."""

    parts: tuple[_Part, _Part]
    places: list[n.Var]
    spans: list[n.Atom]
    factors: tuple[n.Var, n.Var]


@dataclass(frozen=True)
class _Tile:
    """A tile: its place in its piece, and its numbers among the tiles of the two parts."""

    places: tuple[n.Atom, n.Atom]
    numbers: tuple[n.Atom, n.Atom]


def _are_many(out: Scribe, trips: list[n.Atom]) -> n.Atom:
    """Whether there are so many products that copies of both factors are worth it in any case."""
    product: n.Atom = n.Const(1)
    for count in trips:
        product = out.op("mul", out.op("min", count, LARGEST), product)
    return out.compare("ge", product, MANY_PRODUCTS)


def _rounded_up(out: Scribe, count: n.Atom, size: n.Atom | int) -> n.Atom:
    """How many groups of `size` there are, the last of which may not be full."""
    more = out.op("add", count, out.op("sub", size, 1) if not isinstance(size, int) else size - 1)
    return out.op("floordiv", more, size)


def _runs_along(loop: n.For, nest: n.For) -> bool:
    """Whether a loop is the one along which neighbours in memory are stored."""
    stores = [s for s in walk(nest.body) if isinstance(s, n.Store) and s.indices]
    return bool(stores) and all(s.indices[-1] == loop.index for s in stores)
