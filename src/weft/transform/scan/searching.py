"""Searching: what stands for a search whose arrays are on a device. No pass itself: see `weft.transform.scan.tiles`.

Rounds of iterations that grow, each a kernel: pieces of the round find the first of their iterations that ends the
loop, or would raise something, and the smallest of all is kept. The host does not wait for a round before it begins the
next: that one looks first whether the end is known, so that it has nothing to do then. Two arrays of one element, which
change places, say so, since no kernel may read what others of its threads write.

The loop as it was written runs for the iteration found alone, on the device too; without one for the last of all.
Nothing else may go from iteration to iteration, and nothing may be stored.
"""

from __future__ import annotations

from dataclasses import replace

from weft.ir import nodes as n
from weft.ir.neutral import identity
from weft.ir.scribe import Scribe
from weft.ir.types import BOOL, INT64, PYINT, Scalar, Type, View
from weft.ir.visit import substitute, walk
from weft.transform.scan.device_scalars import cell, leave, taken
from weft.transform.scan.sweeps import Sweeps

FIRST, GROWTH = 1 << 20, 16
"""Iterations of the first round, and how much longer each next one is."""

PIECE = 1 << 13
"""Iterations of a piece."""


class Search(Sweeps):
    """Writes the statements that stand for one loop."""

    @property
    def is_suited(self) -> bool:
        """Whether an iteration needs nothing of those before it, and all arrays are on the device."""
        if self.node.exit is None or self.parts or self.second is not None or self.summary.failing is None:
            return False
        lets = (s.value for s in walk(self.node.body) if isinstance(s, n.Let))
        views = [v.view for v in lets if isinstance(v, n.Load)]
        there = all(isinstance(v.type, View) and v.type.memory != "host" for v in views)
        return bool(views) and there and all(isinstance(a.var.type, Scalar) for a in self.node.args)

    def statements(self, wanted: frozenset[str]) -> tuple[n.Statement, ...]:
        """All of them, in order; they define the results of the loop that are `wanted`."""
        node, scribe = self.node, Scribe(self.copies.names, self.node.location)
        hit = self._hit(scribe)
        places = [k for k, result in enumerate(node.results) if result.name in wanted]
        some, inner = scribe.compare("lt", node.start, node.stop), scribe.inner()
        kept = self._alone(inner, hit, places)
        inits = tuple(node.args[k].init for k in places)
        results = tuple(node.results[k] for k in places)
        scribe.add(n.If(some, inner.block(kept), n.Block((), inits), results, node.location))
        return tuple(scribe.statements)

    def _hit(self, scribe: Scribe) -> n.Atom:
        """Write the rounds; gives the iteration that ends the loop, or what is after the last one."""
        node, none, hit = self.node, identity("min", PYINT), scribe.fresh("hit")
        begins = [cell(scribe, hit), cell(scribe, hit)]
        clear, once = scribe.inner(), scribe.fresh("once")
        for array in begins:
            leave(clear, array, none)
        scribe.add(self._for("clear", once, n.Const(1), clear, mapping="parallel"))
        first, width = scribe.fresh("first"), scribe.fresh("round")
        known, next_known = (scribe.fresh("known", array.type) for array in begins)
        test, body = scribe.inner(), scribe.inner()
        more = test.compare("lt", first, node.stop)
        last = body.op("min", body.op("add", first, width), node.stop)
        self._round(body, first, last, known, next_known)
        wider = body.op("mul", width, GROWTH)
        inits = (node.start, n.Const(FIRST), *begins)
        args = tuple(n.LoopArg(v, a) for v, a in zip((first, width, known, next_known), inits, strict=True))
        results = tuple(scribe.fresh(a.var.stem, a.var.type) for a in args)
        block = body.block((last, wider, next_known, known))
        scribe.add(n.While(f"{node.label}.rounds", test.block((more,)), block, args, results, node.location))
        return taken(scribe, results[2], hit)

    def _round(self, scribe: Scribe, first: n.Atom, last: n.Atom, known: n.Var, next_known: n.Var) -> None:
        """Write a round, which hands on what is known already, and what its pieces find."""
        none, piece, inner = identity("min", PYINT), scribe.fresh("piece"), scribe.inner()
        trip = scribe.op("sub", last, first)
        pieces = scribe.op("floordiv", scribe.op("add", trip, PIECE - 1), PIECE)
        before = taken(inner, known, scribe.fresh("hit"))
        begin = inner.op("add", first, inner.op("mul", piece, PIECE))
        end = inner.op("min", inner.op("add", begin, PIECE), last)
        is_open = inner.compare("eq", before, none)
        found = self._first_hit(inner, begin, inner.select(is_open, end, begin), none)
        best = inner.op("min", before, found)
        kept = inner.inner()
        kept.statements.append(n.Update("min", next_known, (n.Const(0),), kept.let(n.Cast(best, False), INT64), "safe"))
        inner.add(n.If(inner.compare("lt", best, none), kept.block(), n.Block(), (), self.node.location))
        scribe.add(self._for("pieces", piece, pieces, inner, mapping="parallel"))

    def _first_hit(self, scribe: Scribe, first: n.Atom, last: n.Atom, none: n.Const) -> n.Atom:
        """The first iteration of a round that ends the loop."""
        assert self.summary.failing is not None
        step, best = scribe.inner(), scribe.fresh("best")
        step.statements.extend(self.summary.body.statements)
        place = [a.var for a in self.summary.accumulators].index(self.summary.failing)
        flag = self.summary.body.yields[place]
        ends = step.let(n.Compare("ne", flag, n.Const(0, flag.type)), BOOL)
        least = step.op("min", best, step.select(ends, self.node.index, none))
        loop = n.For(
            self.node.label, self.node.index, first, last, step.block((least,)), (n.LoopArg(best, none, "min"),),
            (scribe.fresh("best"),), mapping="parallel", location=self.node.location,
        )  # fmt: skip
        loop = substitute(loop, {self.summary.failing.name: n.Const(0, flag.type)})
        (found,) = self._written(scribe, loop, [arg.init for arg in self.node.args])
        made = scribe.statements[-1]
        assert isinstance(made, n.For)
        scribe.statements[-1] = replace(made, label=f"{self.node.label}.search")
        return found

    def _is_for_the_end(self, place: int) -> bool:
        """Whether a value is there only after an iteration that ends the loop."""
        lets: dict[n.Atom, n.Expression] = {s.var: s.value for s in walk(self.node.body) if isinstance(s, n.Let)}
        value = lets.get(self.node.body.yields[place])
        sides = (value.then, value.orelse) if isinstance(value, n.Select) else ()
        return any(isinstance(lets.get(side), n.Undefined) for side in sides)

    def _alone(self, scribe: Scribe, hit: n.Atom, places: list[int]) -> list[n.Atom]:
        """Run one iteration as the loop was written, on the device; gives some of its results."""
        node = self.node
        is_hit = scribe.compare("lt", hit, node.stop)
        begin = scribe.select(is_hit, hit, scribe.op("sub", node.stop, 1))
        arrays = [cell(scribe, node.args[k].var) for k in places]
        body, once = scribe.inner(), scribe.fresh("once")
        inits = tuple(arg.init for arg in node.args)
        loop = self.copies.loop(node, begin, scribe.op("add", begin, 1), inits)
        body.add(loop)
        for k, array in zip(places, arrays, strict=True):
            value: n.Atom = loop.results[k]
            if self._is_for_the_end(k):
                value = body.select(is_hit, value, _zero(value.type))
            leave(body, array, value)
        scribe.add(self._for("alone", once, n.Const(1), body, mapping="parallel"))
        return [taken(scribe, array, node.args[k].var) for k, array in zip(places, arrays, strict=True)]


def _zero(type: Type) -> n.Const:
    assert isinstance(type, Scalar)
    return n.Const(type.dtype.type(0).item(), type)
