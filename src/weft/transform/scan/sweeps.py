"""Sweeps: the parallel loops over the tiles of a loop. No pass itself: see `weft.transform.scan.tiled_scan`.

The first sweep sums all tiles of a round up. Where the loop may raise something that only the values show with which a
tile begins, another sweep looks for that. The second sweep runs the tiles for what they store.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from weft.analysis.recurrences.tiling import Part
from weft.dataclass import dataclass
from weft.ir import nodes as n
from weft.ir.neutral import stored_as
from weft.ir.scribe import FALSE, TRUE, Scribe
from weft.ir.types import PYBOOL, PYINT, Scalar, Type
from weft.ir.visit import substitute
from weft.transform.peel import Copies
from weft.transform.scan.packing import Packing, packing
from weft.transform.scan.tile_summaries import Summary, reliable
from weft.transform.simplify.dce import cleaned


@dataclass(frozen=True)
class Nest:
    """Simple operations of an iteration that runs a loop, whose bounds are known before the loop around it: so many,
    and so many for each iteration inside. A tile has at least the operations `tile`, or `turn` where it takes turns."""

    fixed: int
    each: int
    inner: n.For
    tile: int
    turn: int

    def iterations(self, scribe: Scribe, takes_turns: bool) -> n.Atom:
        """The iterations of a tile."""
        trips = scribe.trips(self.inner.start, self.inner.stop, "trips")
        trips = scribe.op("min", trips, self.turn)  # so that nothing overflows
        work = scribe.op("add", scribe.op("mul", trips, self.each), self.fixed)
        whole = n.Const(self.turn if takes_turns else self.tile)
        return scribe.op("max", scribe.op("floordiv", whole, work), 1)


@dataclass(frozen=True)
class Sizes:
    """How a loop is cut: the least iterations of a tile, and of one that takes turns (0: tiles do not); the least tiles
    of a loop; the tiles of a round at first and at most; for a loop around another one what that says of the first."""

    tile: int
    turn: int
    least: int
    first: int
    most: int
    nest: Nest | None = None


@dataclass
class Round:
    """Where a round stands: its first tile, its number of tiles, and the values that the loop carries there."""

    base: n.Atom
    count: n.Atom
    values: list[n.Atom]


class Sweeps:
    """Writes the parallel loops over tiles, and keeps what tiles give in arrays."""

    def __init__(self, summary: Summary, copies: Copies, sizes: Sizes) -> None:
        node = summary.tiling.loop.node
        assert isinstance(node, n.For)
        self.node: n.For = node
        self.summary = summary
        self.copies = copies
        self.sizes = sizes
        self.parts = summary.tiling.summed
        self.leading = tuple(p for p in self.parts if p.companions)
        self.second = self._second()
        counters = [p for p in self.parts if p.rule == "fold" and p.operator == "add"]
        self.counters = {node.args[p.place].var.name: p for p in counters if self._type(p) == PYINT}
        variables = [node.args[p.place].var for p in self.counters.values()]
        self.packing: Packing | None = None
        if self.second and counters:
            self.packing = packing(self.second, variables, summary.raising, summary.aliases, copies)
        tight = self.packing is not None and any(store.bounds != "safe" for store, _ in self.packing.stores)
        self.watches = bool(summary.raising) and self.packing is None
        self.may_fail = summary.may_fail or tight or self.watches
        self.size: n.Atom = n.Const(0)
        self.tiles: n.Atom = n.Const(0)
        self.arrays: dict[str, n.Var] = {}
        self.direct: dict[str, n.Atom] | None = None
        """What a tile keeps for itself, where tiles take turns."""
        self.values: list[n.Atom] = []

    # ------------------------------------------------------------------------------------------- the first sweep

    def _sum_up(self, scribe: Scribe, where: Round) -> None:
        """The tiles of a round, in parallel, each summed up by itself."""
        tile, inner = scribe.fresh("tile"), scribe.inner()
        self._summed(inner, where, tile)
        scribe.add(self._for("tiles", tile, where.count, inner, mapping="parallel"))

    def _summed(self, scribe: Scribe, where: Round, tile: n.Atom) -> None:
        """Sum up one tile, and keep what it gives."""
        first = self._first(scribe, scribe.op("add", where.base, tile))
        sums = self._tile_loop(scribe, first, self._is_foldable(), range(len(self.summary.accumulators)))
        sums = self._exact(scribe, first, sums)
        failed = self._failed(scribe, sums)
        for argument, value in zip(self.summary.accumulators, sums, strict=True):
            self._keep(scribe, f"sum {argument.var.name}", tile, value)
        if self.may_fail:
            self._keep(scribe, "failed", tile, failed)

    def _is_foldable(self) -> bool:
        """Whether the iterations of a tile may be folded in any grouping."""
        return all(a.combine is not None for a in self.summary.accumulators)

    def _tile_loop(self, scribe: Scribe, first: n.Atom, free: bool, places: Sequence[int]) -> list[n.Atom]:
        """The loop over a tile that gives some of its accumulators; the iterations in any order where `free`."""
        accumulators = [self.summary.accumulators[k] for k in places]
        args = tuple(a if free else replace(a, combine=None) for a in accumulators)
        yields = tuple(self.summary.body.yields[k] for k in places)
        results = tuple(scribe.fresh(a.var.stem, a.var.type) for a in args)
        body = replace(self.summary.body, yields=yields)
        made = self._over(first, body, args, results, "parallel" if free else "sequential")
        return self._written(scribe, made, self.values)

    def _over(
        self, first: n.Atom, body: n.Block, args: tuple[n.LoopArg, ...], results: tuple[n.Var, ...], mapping: n.Mapping
    ) -> n.For:
        """A loop over the iterations from one on, as many as a tile has."""
        step = self.copies.names.fresh("step", PYINT)
        index = n.Let(self.node.index, n.Binary("add", first, step, checked=False), self.node.location)
        body = replace(body, statements=(index, *body.statements))
        label = self.copies.labels.fresh(f"{self.node.label}.step")
        return n.For(
            label, step, n.Const(0), self.size, body, args, results, mapping=mapping, location=self.node.location
        )

    def _written(self, scribe: Scribe, loop: n.For, values: Sequence[n.Atom]) -> list[n.Atom]:
        """Write a loop with names of its own, in which other values that the original carries stay as they are."""
        own = {arg.var for arg in loop.args}
        others = zip(self.node.args, values, strict=True)
        given = {arg.var.name: value for arg, value in others if arg.var not in own}
        block = self.copies.block(substitute(cleaned(n.Block((loop,), loop.results)), given))
        scribe.statements.extend(block.statements)
        return list(block.yields)

    def _exact(self, scribe: Scribe, first: n.Atom, sums: list[n.Atom]) -> list[n.Atom]:
        """The sums, where an extreme that is a zero has the sign of the one that the loop takes."""
        if not self._is_foldable():
            return sums
        for k, part in enumerate(self.parts):
            type = self._type(part)
            if part.rule == "extreme" and type.kind == "f" and not part.companions:
                zero = scribe.compare("eq", sums[k], n.Const(0.0, type))
                inner = scribe.inner()
                again = self._tile_loop(inner, first, False, [k])
                (sums[k],) = scribe.branch(zero, inner.block(again), n.Block((), (sums[k],)), [sums_stem(sums[k])])
        return sums

    def _failed(self, scribe: Scribe, sums: list[n.Atom]) -> n.Atom:
        failed: n.Atom = FALSE
        if self.summary.failing is not None:
            flag = sums[[a.var for a in self.summary.accumulators].index(self.summary.failing)]
            failed = scribe.compare("ne", flag, n.Const(0, flag.type))
        slopes = {a.var.name: value for a, value in zip(self.summary.accumulators, sums, strict=True)}
        known = [
            (part, value, slopes[self.summary.slopes[part.place].name] if part.place in self.summary.slopes else None)
            for part, value in zip(self.parts, sums, strict=False)
        ]
        fine: n.Atom = TRUE
        for condition in reliable(known, scribe):
            fine = scribe.both([fine, condition])
        return failed if fine == TRUE else scribe.either(failed, scribe.negated(fine))

    # ------------------------------------------------------------------------------------------ the second sweep

    def _second(self) -> n.For | None:
        """The loop over a tile for its effects, with the loop's own variables; None where there are none."""
        if not (self.summary.tiling.fact.writes or self.summary.raising):
            return None
        args = tuple(replace(a, combine=None) for a in self.node.args)
        loop = replace(self.node, args=args, exit=None, mapping="sequential")
        (kept,) = cleaned(n.Block((loop,))).statements
        assert isinstance(kept, n.For)
        return kept

    def _is_needed(self, part: Part) -> bool:
        """Whether the effects of a tile depend on what a part is before it."""
        wanted = self.node.args[part.place].var
        return self.watches or (self.second is not None and any(a.var == wanted for a in self.second.args))

    def _watch(self, scribe: Scribe, where: Round, values: list[n.Atom]) -> tuple[n.Atom, list[n.Atom]]:
        """Look which tile is the first that would raise something; gives the tiles before it, and what they leave."""
        tile, inner = scribe.fresh("tile"), scribe.inner()
        first = self._first(inner, inner.op("add", where.base, tile))
        own = self._begin(inner, where, tile)
        flag, late = inner.fresh("failed", PYBOOL), inner.fresh("failed", PYBOOL)
        *yields, failed = self.summary.watched.yields
        step = Scribe(self.copies.names, self.node.location)
        step.statements.extend(self.summary.watched.statements)
        body = step.block((*yields, step.either(flag, failed)))
        args = [replace(a, init=value, combine=None) for a, value in zip(self.node.args, own, strict=True)]
        results = [inner.fresh(a.var.stem, a.var.type) for a in args]
        loop = self._over(first, body, (*args, n.LoopArg(flag, FALSE)), (*results, late), "sequential")
        block = self.copies.block(cleaned(n.Block((loop,), (late,))))
        inner.statements.extend(block.statements)
        self._keep(inner, "late", tile, block.yields[0])
        scribe.add(self._for("watch", tile, where.count, inner, mapping="parallel"))
        good = self._first_late(scribe, where)
        short = scribe.compare("lt", good, where.count)
        there = scribe.inner()
        known = [self._kept(there, f"before {p.place}", good, self._type(p)) for p in self.parts]
        stems = [self.node.args[p.place].var.stem for p in self.parts]
        now = n.Block((), tuple(values[p.place] for p in self.parts))
        chosen = scribe.branch(short, there.block(known), now, stems)
        for part, value in zip(self.parts, chosen, strict=True):
            values[part.place] = value
        return good, values

    def _first_late(self, scribe: Scribe, where: Round) -> n.Atom:
        """The number of tiles before the first that would raise something."""
        tile, inner = scribe.fresh("tile"), scribe.inner()
        good, going = scribe.fresh("good"), scribe.fresh("fine", PYBOOL)
        fine = inner.negated(self._kept(inner, "late", tile, PYBOOL))
        more = inner.select(fine, inner.op("add", good, 1), good)
        args = (n.LoopArg(good, n.Const(0)), n.LoopArg(going, TRUE))
        results = (scribe.fresh("good"), scribe.fresh("fine", PYBOOL))
        loop = self._for("fold", tile, where.count, inner, args, (more, fine), results)
        scribe.add(replace(loop, label=self.copies.labels.fresh(f"{self.node.label}.fold"), exit=1))
        return results[0]

    def _begin(self, scribe: Scribe, where: Round, tile: n.Atom) -> list[n.Atom]:
        """What the loop carries where a tile begins."""
        values = list(where.values)
        for part in self.parts:
            if self._is_needed(part):
                values[part.place] = self._kept(scribe, f"before {part.place}", tile, self._type(part))
        return values

    def _run(self, scribe: Scribe, where: Round) -> None:
        """The good tiles of a round, in parallel, each from the values that it begins with."""
        tile, inner = scribe.fresh("tile"), scribe.inner()
        self._stored(inner, where, tile)
        scribe.add(self._for("sweep", tile, where.count, inner, mapping="parallel"))

    def _stored(self, scribe: Scribe, where: Round, tile: n.Atom) -> None:
        """One tile for what it stores."""
        assert self.second is not None
        first = self._first(scribe, scribe.op("add", where.base, tile))
        values = self._begin(scribe, where, tile)
        place = {arg.var: k for k, arg in enumerate(self.node.args)}
        folds = {
            self.node.args[p.place].var: p.operator for p in self.parts if p.rule == "fold" and self.direct is not None
        }
        args = tuple(replace(a, init=values[place[a.var]], combine=folds.get(a.var)) for a in self.second.args)
        results = tuple(scribe.fresh(a.var.stem, a.var.type) for a in args)
        mapping: n.Mapping = "sequential" if args else "parallel"
        plain = self._over(first, self.second.body, args, results, mapping)
        loop = plain if self.packing is None else self._packed(scribe, self.packing, tile, plain, values)
        self._written(scribe, loop, values)

    def _packed(self, scribe: Scribe, packing: Packing, tile: n.Atom, plain: n.For, values: list[n.Atom]) -> n.For:
        """The loop over a tile that packs elements, so that it stores in any case."""
        ends: dict[str, n.Atom] = {}
        for name, var in packing.ends.items():
            amount = self._kept(scribe, f"sum {name}", tile, PYINT)
            ends[var.name] = scribe.op("add", values[self.counters[name].place], amount, "end")
        (index, *_) = plain.body.statements
        return replace(
            plain, body=replace(packing.body, statements=(index, *substitute(packing.body.statements, ends)))
        )

    # ------------------------------------------------------------------------------------------------- small things

    def _first(self, scribe: Scribe, tile: n.Atom) -> n.Atom:
        """The first iteration of a tile."""
        return scribe.op("add", self.node.start, scribe.op("mul", tile, self.size))

    def _type(self, part: Part) -> Scalar:
        type = self.node.args[part.place].var.type
        assert isinstance(type, Scalar)
        return type

    def _for(
        self,
        name: str,
        index: n.Var,
        stop: n.Atom,
        body: Scribe,
        args: Sequence[n.LoopArg] = (),
        yields: Sequence[n.Atom] = (),
        results: Sequence[n.Var] = (),
        mapping: n.Mapping = "sequential",
    ) -> n.For:
        label = f"{self.node.label}.{name}"
        location = self.node.location
        return n.For(
            label, index, n.Const(0), stop, body.block(yields), tuple(args), tuple(results), None, "range", mapping,
            location,
        )  # fmt: skip

    def _keep(self, scribe: Scribe, key: str, tile: n.Atom, value: n.Atom) -> None:
        """Store a value of a tile, where there is an array for it."""
        if self.direct is not None:
            self.direct[key] = value
            return
        array = self.arrays.get(key)
        if array is None:
            return
        element = stored_as(value.type)
        kept = value if value.type == element else scribe.let(n.Cast(value, checked=False), element)
        scribe.add(n.Store(array, (tile,), kept, "safe", location=self.node.location))

    def _kept(self, scribe: Scribe, key: str, tile: n.Atom, type: Type) -> n.Atom:
        """The value of a tile that was stored."""
        if self.direct is not None:
            return self.direct[key]
        element = stored_as(type)
        value = scribe.let(n.Load(self.arrays[key], (tile,), "safe"), element, "partial")
        return value if element == type else scribe.let(n.Cast(value, checked=False), type, "partial")


def sums_stem(atom: n.Atom) -> str:
    """What the user calls a value."""
    return atom.stem if isinstance(atom, n.Var) else "t"
