"""Folding: what the tiles of a round gave, put together from left to right. No pass itself: see
`weft.transform.scan.tiled_scan`."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import cast

from weft.analysis.recurrences.tiling import Part
from weft.ir import nodes as n
from weft.ir.scribe import TRUE, Scribe
from weft.ir.types import PYBOOL, PYINT
from weft.transform.scan.speculative_copy import LARGEST_TERM
from weft.transform.scan.sweeps import Round, Sweeps
from weft.transform.scan.tile_summaries import finite


class Folding(Sweeps):
    """Writes the loop that folds what tiles gave, up to the first tile that failed."""

    def _fold(
        self, scribe: Scribe, where: Round, leads: list[n.Var], befores: list[n.Var]
    ) -> tuple[n.Atom, list[n.Atom], list[n.Atom], list[n.Atom]]:
        """The sums of the tiles in order: how many tiles are good, and what the loop carries after these."""
        may_fail = self.may_fail
        tile, inner = scribe.fresh("tile"), scribe.inner()
        starts = [*(where.values[p.place] for p in self.parts), *leads, *befores]
        names = [*(self.node.args[p.place].var.stem for p in self.parts), *("lead" for _ in leads)]
        names += ["before" for _ in befores]
        variables = [scribe.fresh(name, start.type) for name, start in zip(names, starts, strict=True)]
        step = inner.inner() if may_fail else inner
        new = self._folded(step, tile, where.base, variables)
        args = [n.LoopArg(v, start) for v, start in zip(variables, starts, strict=True)]
        if not may_fail:
            results = [scribe.fresh(v.stem, v.type) for v in variables]
            scribe.add(self._for("fold", tile, where.count, inner, args, new, results))
            return where.count, *self._apart(where.values, results)
        fine = inner.both([self._kept_well(inner, tile), self._is_sound(inner, variables)])
        fine = inner.both([fine, self._has_room(inner, tile, variables)])
        good, going = scribe.fresh("good"), scribe.fresh("fine", PYBOOL)
        count = step.op("add", good, 1)
        stems = [*(v.stem for v in variables), "good"]
        after = inner.branch(fine, step.block((*new, count)), n.Block((), (*variables, good)), stems)
        args += [n.LoopArg(good, n.Const(0)), n.LoopArg(going, TRUE)]
        results = [scribe.fresh(a.var.stem, a.var.type) for a in args]
        fold = self._for("fold", tile, where.count, inner, args, (*after, fine), results)
        scribe.add(replace(fold, exit=len(args) - 1))
        return results[-2], *self._apart(where.values, results[:-2])

    def _apart(
        self, values: list[n.Atom], results: Sequence[n.Atom]
    ) -> tuple[list[n.Atom], list[n.Atom], list[n.Atom]]:
        """Results of the fold: the values that the loop carries, the leading tiles, the values before these."""
        new, count = list(values), len(self.parts)
        for part, result in zip(self.parts, results, strict=False):
            new[part.place] = result
        middle = count + len(self.leading)
        return new, list(results[count:middle]), list(results[middle:])

    def _kept_well(self, scribe: Scribe, tile: n.Atom) -> n.Atom:
        return scribe.negated(self._kept(scribe, "failed", tile, PYBOOL))

    def _is_sound(self, scribe: Scribe, values: Sequence[n.Atom]) -> n.Atom:
        """Whether the values that a tile begins with may be folded with its sums."""
        fine: n.Atom = TRUE
        for part, value in zip(self.parts, values, strict=False):
            if part.rule == "linear" and self._type(part).kind == "f":
                fine = scribe.both([fine, finite(value, scribe)])
            if part.place in self.summary.checked:
                for op, limit in (("ge", -LARGEST_TERM), ("le", LARGEST_TERM)):
                    fine = scribe.both([fine, scribe.compare(cast(n.CompareOp, op), value, limit)])
        return fine

    def _has_room(self, scribe: Scribe, tile: n.Var, values: Sequence[n.Atom]) -> n.Atom:
        """Whether there is room for all that a tile packs."""
        places = {p.place: k for k, p in enumerate(self.parts)}
        fine: n.Atom = TRUE
        for store, counter in self.packing.stores if self.packing is not None else ():
            if store.bounds != "safe":
                start = values[places[self.counters[counter.name].place]]
                end = scribe.op("add", start, self._kept(scribe, f"sum {counter.name}", tile, PYINT))
                extent = scribe.let(n.Dim(store.view, 0), PYINT, "extent")
                fine = scribe.both([fine, scribe.compare("ge", start, 0)])
                fine = scribe.both([fine, scribe.compare("le", end, extent)])
        return fine

    def _folded(self, scribe: Scribe, tile: n.Var, base: n.Atom, variables: Sequence[n.Var]) -> list[n.Atom]:
        """What the loop carries after one more tile; keeps what it carried before."""
        new: list[n.Atom] = []
        leads, befores = list[n.Atom](), list[n.Atom]()
        for k, part in enumerate(self.parts):
            old = variables[k]
            self._keep(scribe, f"before {part.place}", tile, old)
            value = self._kept(scribe, f"sum {self.summary.accumulators[k].var.name}", tile, old.type)
            if part.rule != "extreme":
                new.append(self._combined(scribe, part, tile, old, value))
                continue
            taken = _takes(part, value, old, scribe)
            new.append(scribe.select(taken, value, old))
            if part.companions:
                place = len(self.parts) + self.leading.index(part)
                leads.append(scribe.select(taken, scribe.op("add", base, tile), variables[place]))
                befores.append(scribe.select(taken, old, variables[place + len(self.leading)]))
        return [*new, *leads, *befores]

    def _combined(self, scribe: Scribe, part: Part, tile: n.Var, old: n.Var, value: n.Atom) -> n.Atom:
        if part.rule == "fold":
            return scribe.let(n.Binary(cast(n.BinaryOp, part.operator), old, value, False), old.type, old.stem)
        var = self.summary.slopes[part.place]
        slope = self._kept(scribe, f"sum {var.name}", tile, var.type)
        if part.rule == "assigned":
            return scribe.select(slope, value, old, old.stem)
        if part.rule == "called":
            inner, combined = scribe.inner(), scribe.fresh(old.stem, old.type)
            inner.add(n.Call((combined,), part.operator, (old, value), self.node.location))
            return scribe.branch(slope, inner.block((combined,)), n.Block((), (old,)), [old.stem])[0]
        scaled = scribe.let(n.Binary("mul", slope, old), old.type)
        total = scribe.let(n.Binary("add", scaled, value), old.type, old.stem)
        if self._type(part).kind != "f":
            return total
        is_replaced = scribe.compare("eq", slope, n.Const(0.0, var.type))  # a sum with 0.0 would lose the sign of -0.0
        return scribe.select(is_replaced, value, total, old.stem)

    def _settle(
        self, scribe: Scribe, part: Part, values: list[n.Atom], lead: n.Atom, before: n.Atom, ended: n.Atom
    ) -> tuple[list[n.Atom], n.Atom]:
        """Run the tile that decided an extreme again, for what is replaced with it."""
        due = scribe.both([ended, scribe.compare("ge", lead, 0)])
        inner = scribe.inner()
        places = (part.place, *part.companions)
        inits = [before if k == part.place else values[k] for k in places]
        args = tuple(n.LoopArg(self.node.args[k].var, init) for k, init in zip(places, inits, strict=True))
        yields = tuple(self.node.body.yields[k] for k in places)
        results = tuple(scribe.fresh(a.var.stem, a.var.type) for a in args)
        body = replace(self.summary.quiet, yields=yields)
        made = self._over(self._first(inner, lead), body, args, results, "sequential")
        exact = self._written(inner, made, values)
        stems = [a.var.stem for a in args]
        settled = scribe.branch(due, inner.block(exact), n.Block((), tuple(values[k] for k in places)), stems)
        new = list(values)
        for k, value in zip(places, settled, strict=True):
            new[k] = value
        return new, scribe.select(due, n.Const(-1), lead)


def _takes(part: Part, new: n.Atom, old: n.Atom, scribe: Scribe) -> n.Atom:
    """Whether an extreme is replaced by the one of a tile, in which there is no NaN."""
    less, value = part.operator == "min", part.value
    if value.nan_replaces:
        op = "gt" if value.ties_last else "ge"
        mirrored = {"gt": "lt", "ge": "le"}[op]
        return scribe.negated(scribe.compare(cast(n.CompareOp, op if less else mirrored), new, old))
    strict: n.CompareOp = "lt" if less else "gt"
    loose: n.CompareOp = "le" if less else "ge"
    return scribe.compare(loose if value.ties_last else strict, new, old)
