"""Tiled: what stands for a loop that is cut into tiles. No pass itself: `weft.transform.scan.tiles` says what it is
for.

A round: its tiles are summed up, in parallel; what they gave is folded in order, up to the first tile that failed; the
tiles before it run, in parallel, each with the values that it begins with; the one that failed, if any, runs as the
loop was written. After all rounds the last iterations run as the loop was written.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import cast

from weft.ir import nodes as n
from weft.ir.neutral import stored_as
from weft.ir.scribe import FALSE, Scribe
from weft.ir.types import PYBOOL, View
from weft.transform.scan.look_back import Turns
from weft.transform.scan.sweeps import Round


class Tiled(Turns):
    """Writes the statements that stand for one loop."""

    def statements(self) -> tuple[n.Statement, ...]:
        """All of them, in order; they define the results of the loop."""
        node, scribe = self.node, Scribe(self.copies.names, self.node.location)
        trips = scribe.trips(node.start, node.stop, "trips")
        last = scribe.op("sub", trips, 1)  # the last iteration runs as it was written, at least
        if self.sizes.nest is not None:
            self.size = self.sizes.nest.iterations(scribe, self.takes_turns)
            self.tiles = scribe.op("floordiv", scribe.op("max", last, 0), self.size, "tiles")
        else:
            self.tiles = scribe.op("floordiv", trips, self.sizes.turn if self.takes_turns else self.sizes.tile, "tiles")
            self.size = scribe.op("floordiv", last, scribe.op("max", self.tiles, 1), "size")
        enough = scribe.compare("ge", self.tiles, self.sizes.least, "enough")
        inits = [arg.init for arg in node.args]
        inner = scribe.inner()
        yields = self._in_turns(inner, inits) if self.takes_turns else self._rounds(inner, inits)
        stems = ["done", *(arg.var.stem for arg in node.args)]
        none = n.Block((), (n.Const(0), *inits))
        done, *values = scribe.branch(enough, inner.block(yields), none, stems)
        start = scribe.op("add", node.start, done)
        stop = node.stop if node.exit is None else scribe.select(values[node.exit], node.stop, start)
        args = tuple(replace(arg, init=value) for arg, value in zip(node.args, values, strict=True))
        return (*scribe.statements, replace(node, start=start, stop=stop, args=args))

    # ------------------------------------------------------------------------------------------------- rounds

    def _rounds(self, scribe: Scribe, inits: list[n.Atom]) -> list[n.Atom]:
        """Write all rounds; gives how many iterations they run, then what the loop carries afterwards."""
        self._arrays(scribe)
        searching = self.node.exit is not None
        first = [n.Const(0), n.Const(self.sizes.first if searching else self.sizes.most), n.Const(int(searching))]
        stems = ("tile", "round", "back") if self.may_fail else ("tile",)
        carried = [scribe.fresh(stem) for stem in stems]
        places = self._places()
        values = [scribe.fresh(self.node.args[k].var.stem, self.node.args[k].var.type) for k in places]
        leads = [scribe.fresh("lead") for _ in self.leading]
        befores = [scribe.fresh("before", self.node.args[p.place].var.type) for p in self.leading]
        variables = [*carried, *values, *leads, *befores]
        starts = [*first[: len(carried)], *(inits[k] for k in places), *(n.Const(-1) for _ in leads)]
        starts += [inits[p.place] for p in self.leading]
        now = list(inits)
        for k, value in zip(places, values, strict=True):
            now[k] = value
        test = scribe.inner()
        more = test.compare("lt", carried[0], self.tiles)
        if searching:
            more = test.both([more, test.boolean(now[cast(int, self.node.exit)])])
        body = scribe.inner()
        end, new, lead, before = self._round(body, carried, now, leads, befores)
        yields = [*end, *(new[k] for k in places), *lead, *before]
        results = [scribe.fresh(v.stem, v.type) for v in variables]
        args = tuple(n.LoopArg(v, init) for v, init in zip(variables, starts, strict=True))
        label = f"{self.node.label}.rounds"
        scribe.add(n.While(label, test.block((more,)), body.block(yields), args, tuple(results), self.node.location))
        after = list(inits)
        for k, result in zip(places, results[len(carried) :], strict=False):
            after[k] = result
        return [scribe.op("mul", results[0], self.size), *after]

    def _places(self) -> list[int]:
        """The arguments that rounds carry: all, where an iteration may have to run as it was written."""
        if self.may_fail:
            return list(range(len(self.node.args)))
        return sorted({k for p in self.parts for k in (p.place, *p.companions)})

    def _arrays(self, scribe: Scribe) -> None:
        """Arrays for what the tiles of a round give and begin with."""
        extent = scribe.op("min", self.tiles, self.sizes.most)
        wanted = [(f"sum {a.var.name}", a.var.type) for a in self.summary.accumulators]
        if self.may_fail:
            wanted.append(("failed", PYBOOL))
        if self.watches:
            wanted.append(("late", PYBOOL))
        if self.second is not None:
            wanted += [(f"before {p.place}", self._type(p)) for p in self.parts if self._is_needed(p)]
        for key, type in wanted:
            if self.summary.failing is not None and key == f"sum {self.summary.failing.name}":
                continue
            element = stored_as(type)
            alloc = n.Alloc((extent,), element)
            view = View(element, 1, contiguous=True)
            var = scribe.fresh("partials", view)
            scribe.add(n.Let(var, alloc, self.node.location))
            self.arrays[key] = var

    def _round(
        self, scribe: Scribe, carried: Sequence[n.Var], values: list[n.Atom], leads: list[n.Var], befores: list[n.Var]
    ) -> tuple[list[n.Atom], list[n.Atom], list[n.Atom], list[n.Atom]]:
        """Write one round; gives its position and sizes, the values, and the leading tiles afterwards."""
        tile, *widths = carried
        base: n.Atom = tile
        if self.may_fail:
            base = scribe.op("min", scribe.op("add", tile, widths[1]), self.tiles)
            values = self._as_written(scribe, tile, base, values)
        width = widths[0] if widths else n.Const(self.sizes.most)
        count = scribe.op("min", scribe.op("sub", self.tiles, base), width)
        if self.node.exit is not None:
            count = scribe.select(scribe.boolean(values[self.node.exit]), count, n.Const(0))
        where = Round(base, count, values)
        self.values = values
        self._sum_up(scribe, where)
        good, values, lead, before = self._fold(scribe, where, leads, befores)
        if self.watches:
            good, values = self._watch(scribe, replace(where, count=good), values)
        if self.second is not None:
            self._run(scribe, replace(where, count=good))
        done = scribe.op("add", base, good)
        failed = scribe.compare("lt", good, count) if self.may_fail else FALSE
        ended = scribe.either(failed, scribe.compare("ge", done, self.tiles))
        for k, part in enumerate(self.leading):
            values, lead[k] = self._settle(scribe, part, values, lead[k], before[k], ended)
        return [done, *(self._next(scribe, failed, *widths) if widths else ())], values, lead, before

    def _next(self, scribe: Scribe, failed: n.Atom, width: n.Atom, back: n.Atom) -> tuple[n.Atom, n.Atom]:
        """How many tiles the next round has, and how many run as the loop was written before it."""
        wider = scribe.op("min", scribe.op("mul", width, 2), self.sizes.most)
        farther = scribe.op("min", scribe.op("max", scribe.op("mul", back, 2), 1), self.tiles)
        return (
            scribe.select(failed, n.Const(self.sizes.first), wider),
            scribe.select(failed, farther, n.Const(0)),
        )
