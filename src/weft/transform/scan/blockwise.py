"""Blockwise: what stands for a loop whose tiles are blocks of a device. No pass itself: see
`weft.transform.scan.tiles`.

One loop over tiles that take turns, each of a fixed number of iterations but the last: a tile is summed up, what it
gives is put behind what the tiles before it gave, and then it runs for what it stores. What it gives and what is
carried are the same values, put together by the same code: those of a block's threads can be put together in that way.
Memory is read once where a device can hand values on from block to block. What an iteration may raise, it raises where
it runs for what it stores.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from weft.analysis.recurrences.tiling import Part
from weft.ir import nodes as n
from weft.ir.effects import may_raise, written_views
from weft.ir.scribe import FALSE, TRUE, Scribe
from weft.ir.types import PYBOOL, PYINT, View
from weft.ir.visit import walk
from weft.transform.scan.device_scalars import cell, leave, taken
from weft.transform.scan.tile_folding import Folding
from weft.transform.scan.tile_summaries import finite, is_delicate, reliable

THREADS = 256
"""Parts of a tile, which the threads of a block run."""

TILE_BYTES, MOST_ITERATIONS, ITERATIONS = 64 * 1024, 31, 15
"""Bytes of a tile in shared memory; iterations of a part at most, and of one that has no elements there, or where
rows may be short. They are odd in number: then threads that each run their part read from different banks."""

HELD_BYTES, PACKED_BYTES, MOST_HELD, SHORT_BODY = 128, 40 * 1024, 32, 24
"""Bytes of a part that a thread holds in registers, bytes of a tile that packs, iterations of such a part at most, and
the most statements of one of them. They are a multiple of four in number, since runs of neighbours are loaded as
vectors; in shared memory there is nothing but what is packed."""


class Blockwise(Folding):
    """Writes the statements that stand for one loop."""

    doubt: n.Var | None = None
    """Whether sums are of no use, where that is only known when they are there."""

    def is_suited(self, wanted: frozenset[str], is_inner: bool = False) -> bool:
        """Whether sums of tiles say all that is to be known of them, and there is something to store.

        `wanted` are names of variables that are used after the loop; `is_inner`: it is a part of a kernel.
        """
        if self.node.exit is not None or self.second is None or self.leading or not self.parts:
            return False
        if any(_may_overflow(statement) for statement in walk(self.node.body)):
            return False
        summed = {p.place for p in self.parts}
        others = {r.name for k, r in enumerate(self.node.results) if k not in summed}
        certain = not self._delicate or (not is_inner and self._can_begin_again())
        return certain and not (wanted & others)

    @property
    def _delicate(self) -> list[Part]:
        """Parts whose sums may be of no use."""
        return [part for part in self.parts if is_delicate(part)]

    def _can_begin_again(self) -> bool:
        """Whether the loop may run as it was written after its tiles turned out to be of no use.

        Its arrays are on the device, where rounds of tiles could not be, and nothing reads what it has stored.
        """
        statements = list(walk(self.node.body))
        loads = [s.value.view for s in statements if isinstance(s, n.Let) and isinstance(s.value, n.Load)]
        stores = [v for s in statements for v in written_views(s)]
        roots = self.summary.aliases.roots
        there = all(isinstance(v.type, View) and v.type.memory != "host" for v in (*loads, *stores))
        apart = not any(roots(a) & roots(b) for a in loads for b in stores)
        return there and apart and all(part.rule in ("linear", "fold") for part in self._delicate)

    def in_tiles(self) -> tuple[n.Statement, ...]:
        """The loop where it is a part of a kernel."""
        scribe = Scribe(self.copies.names, self.node.location)
        self._cut(scribe, ITERATIONS)
        loop = self._tiles(scribe, {})
        results = list(loop.results)
        for part, place in zip(self.parts, range(len(results)), strict=False):
            results[place] = self.node.results[part.place]
        return (*scribe.statements, replace(loop, results=tuple(results)))

    def as_kernel(self, wanted: frozenset[str]) -> tuple[n.Statement, ...]:
        """The loop where it is a kernel of its own: what is wanted after it is left in memory."""
        scribe, node = Scribe(self.copies.names, self.node.location), self.node
        trips = self._cut(scribe)
        places = [p.place for p in self.parts]
        left = {k: cell(scribe, node.args[p].var) for k, p in enumerate(places) if self._is(wanted, p)}
        if self._delicate:
            self.doubt = scribe.fresh("doubt", PYBOOL)
            left[-1] = cell(scribe, self.doubt)
        scribe.add(self._tiles(scribe, left))
        if left:
            some, inner = scribe.compare("gt", trips, 0), scribe.inner()
            if self.doubt is not None:
                self._begin_again(inner, left)
            found = {places[k]: array for k, array in left.items() if k >= 0}
            kept = [taken(inner, array, node.args[p].var) for p, array in found.items()]
            inits = tuple(node.args[p].init for p in found)
            results = tuple(node.results[p] for p in found)
            scribe.add(n.If(some, inner.block(kept), n.Block((), inits), results, node.location))
        return tuple(scribe.statements)

    def _begin_again(self, scribe: Scribe, left: dict[int, n.Var]) -> None:
        """Run the loop as it was written, by one thread of the device, where sums are in doubt."""
        assert self.doubt is not None
        node, body = self.node, scribe.inner()
        loop = self.copies.loop(node, node.start, node.stop, tuple(arg.init for arg in node.args))
        body.add(loop)
        for k, array in left.items():
            if k >= 0:
                leave(body, array, loop.results[self.parts[k].place])
        inner, once = scribe.inner(), scribe.fresh("once")
        inner.add(self._for("alone", once, n.Const(1), body, mapping="parallel"))
        doubt = taken(scribe, left[-1], self.doubt)
        scribe.add(n.If(doubt, inner.block(), location=node.location))

    def _is(self, wanted: frozenset[str], place: int) -> bool:
        return self.node.results[place].name in wanted

    # ------------------------------------------------------------------------------------------------- the tiles

    def _cut(self, scribe: Scribe, most: int = MOST_ITERATIONS) -> n.Atom:
        """Compute how many tiles there are, with so many iterations for a thread; gives the trips of the loop."""
        iterations = THREADS * (self._held(most) if self._is_packing() else min(self._iterations(), most))
        self.size = n.Const(iterations)
        trips = scribe.trips(self.node.start, self.node.stop, "trips")
        padded = scribe.op("add", trips, iterations - 1)
        self.tiles = scribe.op("floordiv", padded, self.size, "tiles")
        return trips

    def _iterations(self) -> int:
        """The iterations of a part, from the bytes that one of them reads and writes in shared memory.

        What is stored at the place of the loop takes the place of what was read there.
        """
        loads, beside, packed = self._bytes()
        size = max(loads, beside) + packed
        fitting = TILE_BYTES // (THREADS * size) if size else ITERATIONS
        return max(1, (min(fitting, MOST_ITERATIONS) - 1) | 1)

    def _held(self, most: int) -> int:
        """The iterations of a part whose elements a thread holds, and packs in shared memory."""
        loads, beside, packed = self._bytes()
        each = MOST_HELD if most >= MOST_HELD - 1 else MOST_HELD // 2
        while each > 4 and (each * loads > HELD_BYTES or each * (beside + packed) * THREADS > PACKED_BYTES):
            each //= 2
        return each

    def _bytes(self) -> tuple[int, int, int]:
        """Bytes that an iteration loads, stores at the place of the loop, and packs."""
        lets = (s.value for s in walk(self.node.body) if isinstance(s, n.Let))
        loads = {v.view: _element_size(v.view) for v in lets if isinstance(v, n.Load)}
        stores = [s for s in walk(self.node.body) if isinstance(s, n.Store)]
        beside = {s.view: _element_size(s.view) for s in stores if self.node.index in s.indices}
        packed = {s.view: _element_size(s.view) for s in stores if s.view not in beside}
        return sum(loads.values()), sum(beside.values()), sum(packed.values())

    def _is_packing(self) -> bool:
        """Whether short iterations carry nothing but where elements are packed."""
        *_, packed = self._bytes()
        counts = all(part.value.kind == "counter" for part in self.parts)
        return counts and packed > 0 and sum(1 for _ in walk(self.node.body)) <= SHORT_BODY

    def _tiles(self, scribe: Scribe, left: dict[int, n.Var]) -> n.For:
        """The loop over tiles; the last one stores what is carried after it in `left`, by place."""
        tile, body = scribe.fresh("tile"), scribe.inner()
        own = [a for a in self.summary.accumulators if a.var != self.summary.failing]
        carried = [scribe.fresh(a.var.stem, a.var.type) for a in own]
        carried += [scribe.fresh(self.doubt.stem, PYBOOL)] if self.doubt is not None else []
        done = body.op("mul", tile, self.size)
        first = body.op("add", self.node.start, done, "first")
        last = body.op("min", body.op("add", first, self.size), self.node.stop, "last")
        self.values = self._now(carried)
        sums = self._sums(body, own, first, last)
        new = self._joined(body, tile, carried, sums)
        if left:
            self._leave(body, tile, left, new)
        self._effects(body, first, last)
        inits = [self.node.args[p.place].init for p in self.parts]
        inits += [TRUE if a.var.type == PYBOOL else a.init for a in own[len(inits) :]]
        inits += [FALSE] if self.doubt is not None else []
        args = [n.LoopArg(v, init) for v, init in zip(carried, inits, strict=True)]
        results = [scribe.fresh(v.stem, v.type) for v in carried]
        return self._for("blocks", tile, self.tiles, body, args, new, results, mapping="turns")

    def _now(self, carried: Sequence[n.Var]) -> list[n.Atom]:
        """What the loop carries where a tile begins."""
        values = [arg.init for arg in self.node.args]
        for part, value in zip(self.parts, carried, strict=False):
            values[part.place] = value
        return values

    def _sums(self, scribe: Scribe, own: Sequence[n.LoopArg], first: n.Atom, last: n.Atom) -> list[n.Atom]:
        """What a tile gives."""
        places = [self.summary.accumulators.index(a) for a in own]
        body = replace(self.summary.body, yields=tuple(self.summary.body.yields[k] for k in places))
        args = tuple(replace(a, combine=None) for a in own)
        if self.doubt is not None:
            body, args = self._doubting(body, own), (*args, n.LoopArg(self.doubt, FALSE))
        return self._iterate(scribe, "sum", first, last, body, args)

    def _doubting(self, body: n.Block, own: Sequence[n.LoopArg]) -> n.Block:
        """An iteration of a sum that also looks whether the sum is of use up to it."""
        assert self.doubt is not None
        scribe = Scribe(self.copies.names, self.node.location)
        scribe.statements.extend(body.statements)
        following = {a.var.name: y for a, y in zip(own, body.yields, strict=True)}
        slopes = {place: following[var.name] for place, var in self.summary.slopes.items()}
        known = [(p, y, slopes.get(p.place)) for p, y in zip(self.parts, body.yields, strict=False)]
        doubt: n.Atom = self.doubt
        for condition in reliable(known, scribe):
            doubt = scribe.either(doubt, scribe.negated(condition))
        return scribe.block((*body.yields, doubt))

    def _effects(self, scribe: Scribe, first: n.Atom, last: n.Atom) -> None:
        """The tile for what it stores."""
        assert self.second is not None
        place = {arg.var: k for k, arg in enumerate(self.node.args)}
        args = tuple(replace(a, init=self.values[place[a.var]]) for a in self.second.args)
        self._iterate(scribe, "each", first, last, self.second.body, args)

    def _iterate(
        self, scribe: Scribe, name: str, first: n.Atom, last: n.Atom, body: n.Block, args: tuple[n.LoopArg, ...]
    ) -> list[n.Atom]:
        """Write a loop over the iterations of a tile; gives its results."""
        results = tuple(scribe.fresh(a.var.stem, a.var.type) for a in args)
        loop = n.For(name, self.node.index, first, last, body, args, results, location=self.node.location)
        given = self._written(scribe, loop, self.values)
        made = scribe.statements[-1]
        assert isinstance(made, n.For)
        scribe.statements[-1] = replace(made, label=f"{self.node.label}.{name}")
        return given

    # ---------------------------------------------------------------------------------------------- what is carried

    def _joined(self, scribe: Scribe, tile: n.Var, carried: Sequence[n.Var], sums: Sequence[n.Atom]) -> list[n.Atom]:
        """What is carried after a tile that gives `sums`; either may be the sums of no iteration."""
        own = [a.var.name for a in self.summary.accumulators if a.var != self.summary.failing]
        self.direct = {f"sum {name}": value for name, value in zip(own, sums, strict=False)}
        new = self._folded(scribe, tile, n.Const(0), carried[: len(self.parts)])
        known = dict(zip(own, zip(carried, sums, strict=True), strict=False))
        for k, part in enumerate(self.parts):
            if part.place in self.summary.slopes:
                slopes = known[self.summary.slopes[part.place].name]
                new.append(self._slope(scribe, *slopes))
                if part.rule == "called":
                    new[k] = scribe.select(slopes[0], new[k], sums[k])
        if self.doubt is not None:
            doubt = scribe.either(carried[-1], sums[-1])
            for value in (new[k] for k, part in enumerate(self.parts) if is_delicate(part)):
                doubt = scribe.either(doubt, scribe.negated(finite(value, scribe)))
            new.append(doubt)
        return new

    def _slope(self, scribe: Scribe, old: n.Var, new: n.Atom) -> n.Atom:
        """How much the value before counts after a tile, or whether there is a value then."""
        return scribe.either(old, new) if old.type == PYBOOL else scribe.op("mul", old, new)

    def _leave(self, scribe: Scribe, tile: n.Var, left: dict[int, n.Var], new: Sequence[n.Atom]) -> None:
        """Store what is carried after the last tile."""
        inner = scribe.inner()
        for k, array in left.items():
            leave(inner, array, new[k])
        is_last = scribe.compare("eq", scribe.op("add", tile, 1), self.tiles)
        scribe.add(n.If(is_last, inner.block(), location=self.node.location))


def _element_size(view: n.Var) -> int:
    assert isinstance(view.type, View)
    return view.type.element.size


def _may_overflow(statement: n.Statement) -> bool:
    """Whether Python's integers may leave 64 bits there: what tiles give is then of no use to those behind them."""
    if not isinstance(statement, n.Let) or statement.var.type != PYINT or not isinstance(statement.value, n.Binary):
        return False
    return may_raise(statement.value, PYINT) and statement.value.op in ("add", "sub", "mul")
