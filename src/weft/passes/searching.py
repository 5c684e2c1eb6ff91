"""Searching: what stands for a search whose arrays are on a device. No pass itself: see `weft.passes.tiles`.

Rounds of iterations that grow: each finds the first of its iterations that ends the loop, or would raise something, as
the smallest of all. The loop as it was written runs for that iteration alone, on the device too; without one for the
last of all. Nothing else may go from iteration to iteration, and nothing may be stored.
"""

from __future__ import annotations

from dataclasses import replace

from weft.ir import nodes as n
from weft.ir.neutral import identity
from weft.ir.types import BOOL, PYINT, Scalar, Type, View
from weft.ir.visit import substitute, walk
from weft.passes.cells import cell, leave, taken
from weft.passes.scribe import Scribe
from weft.passes.sweeps import Sweeps

FIRST, GROWTH, MOST = 1 << 16, 4, 1 << 26
"""Iterations of the first round, how much longer each next one is, and of the longest."""


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
        node, scribe = self.node, Scribe(self.copies, self.node.location)
        hit = self._rounds(scribe)
        places = [k for k, result in enumerate(node.results) if result.name in wanted]
        some, inner = scribe.compare("lt", node.start, node.stop), scribe.inner()
        kept = self._alone(inner, hit, places)
        inits = tuple(node.args[k].init for k in places)
        results = tuple(node.results[k] for k in places)
        scribe.out.append(n.If(some, inner.block(kept), n.Block((), inits), results, node.location))
        return tuple(scribe.out)

    def _rounds(self, scribe: Scribe) -> n.Atom:
        """Write the rounds; gives the iteration that ends the loop, or what is after the last one."""
        node = self.node
        first, width, hit = scribe.fresh("first"), scribe.fresh("round"), scribe.fresh("hit")
        none = identity("min", PYINT)
        test, body = scribe.inner(), scribe.inner()
        more = test.both(test.compare("lt", first, node.stop), test.compare("eq", hit, none))
        last = body.binary("min", body.binary("add", first, width), node.stop)
        found = self._first_hit(body, first, last, none)
        wider = body.binary("min", body.binary("mul", width, GROWTH), MOST)
        args = tuple(
            n.LoopArg(v, init) for v, init in zip((first, width, hit), (node.start, n.Const(FIRST), none), strict=True)
        )
        results = tuple(scribe.fresh(a.var.stem) for a in args)
        block = body.block((last, wider, found))
        label = f"{node.label}.rounds"
        scribe.out.append(n.While(label, test.block((more,)), block, args, results, node.location))
        return results[-1]

    def _first_hit(self, scribe: Scribe, first: n.Atom, last: n.Atom, none: n.Const) -> n.Atom:
        """The first iteration of a round that ends the loop."""
        assert self.summary.failing is not None
        step, best = scribe.inner(), scribe.fresh("best")
        step.out.extend(self.summary.body.statements)
        place = [a.var for a in self.summary.accumulators].index(self.summary.failing)
        flag = self.summary.body.yields[place]
        ends = step.let(n.Compare("ne", flag, n.Const(0, flag.type)), BOOL)
        least = step.binary("min", best, step.select(ends, self.node.index, none))
        loop = n.For(
            self.node.label, self.node.index, first, last, step.block((least,)), (n.LoopArg(best, none, "min"),),
            (scribe.fresh("best"),), mapping="parallel", location=self.node.location,
        )  # fmt: skip
        loop = substitute(loop, {self.summary.failing.name: n.Const(0, flag.type)})
        (found,) = self._written(scribe, loop, [arg.init for arg in self.node.args])
        made = scribe.out[-1]
        assert isinstance(made, n.For)
        scribe.out[-1] = replace(made, label=f"{self.node.label}.search")
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
        begin = scribe.select(is_hit, hit, scribe.binary("sub", node.stop, 1))
        arrays = [cell(scribe, node.args[k].var) for k in places]
        body, once = scribe.inner(), scribe.fresh("once")
        inits = tuple(arg.init for arg in node.args)
        loop = self.copies.loop(node, begin, scribe.binary("add", begin, 1), inits)
        body.out.append(loop)
        for k, array in zip(places, arrays, strict=True):
            value: n.Atom = loop.results[k]
            if self._is_for_the_end(k):
                value = body.select(is_hit, value, _zero(value.type))
            leave(body, array, value)
        scribe.out.append(self._for("alone", once, n.Const(1), body, mapping="parallel"))
        return [taken(scribe, array, node.args[k].var) for k, array in zip(places, arrays, strict=True)]


def _zero(type: Type) -> n.Const:
    assert isinstance(type, Scalar)
    return n.Const(type.dtype.type(0).item(), type)
