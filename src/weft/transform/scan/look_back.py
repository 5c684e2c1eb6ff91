"""Turns: what stands for a loop in tiles where threads take turns. No pass itself: see `weft.transform.scan.tiles`.

One loop over the tiles: each is summed up, takes over what the tiles before it have made, hands on what it makes of
that, and then runs while its elements are still in the cache. So memory is read once, and threads never meet. Between
taking over and handing on stands the fold alone; a tile that cannot be summed up runs there as the loop was written.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from weft.ir import nodes as n
from weft.ir.scribe import TRUE, Scribe
from weft.transform.scan.sweeps import Round
from weft.transform.scan.tile_folding import Folding


class Turns(Folding):
    """Writes the loop over tiles that take turns."""

    @property
    def takes_turns(self) -> bool:
        """Whether this form suits the loop: it ends nowhere, has effects, and only what it folds is known late."""
        plain = self.node.exit is None and self.second is not None
        return self.sizes.turn > 0 and plain and not self.watches and not self.leading

    def _in_turns(self, scribe: Scribe, inits: list[n.Atom]) -> list[n.Atom]:
        """Write the loop; gives how many iterations it runs, then what the loop carries afterwards."""
        self.direct, self.values = {}, inits
        tile, body = scribe.fresh("tile"), scribe.inner()
        arguments = [self.node.args[p.place] for p in self.parts]
        variables = [scribe.fresh(a.var.stem, a.var.type) for a in arguments]
        where = Round(n.Const(0), self.tiles, self._placed(inits, variables))
        self._summed(body, where, tile)
        new, fine = self._handed_on(body, tile, where, variables)
        self._effects(body, where, tile, fine)
        args = [n.LoopArg(v, inits[p.place]) for v, p in zip(variables, self.parts, strict=True)]
        results = [scribe.fresh(v.stem, v.type) for v in variables]
        scribe.add(self._for("turns", tile, self.tiles, body, args, new, results, mapping="turns"))
        return [scribe.op("mul", self.tiles, self.size), *self._placed(inits, results)]

    def _placed(self, values: Sequence[n.Atom], parts: Sequence[n.Atom]) -> list[n.Atom]:
        """What the loop carries, with other values for its parts."""
        placed = list(values)
        for part, value in zip(self.parts, parts, strict=True):
            placed[part.place] = value
        return placed

    def _handed_on(
        self, scribe: Scribe, tile: n.Var, where: Round, variables: Sequence[n.Var]
    ) -> tuple[list[n.Atom], n.Atom]:
        """What the parts are after a tile, and whether the tile still has to run."""
        step = scribe.inner() if self.may_fail else scribe
        new = self._folded(step, tile, where.base, variables)
        if not self.may_fail:
            return new, TRUE
        fine = scribe.both([self._kept_well(scribe, tile), self._is_sound(scribe, variables)])
        fine = scribe.both([fine, self._has_room(scribe, tile, variables)])
        again = scribe.inner()
        ends = self._as_written(again, tile, again.op("add", tile, 1), where.values)
        written = again.block([ends[p.place] for p in self.parts])
        return list(scribe.branch(fine, step.block(new), written, [v.stem for v in variables])), fine

    def _effects(self, scribe: Scribe, where: Round, tile: n.Var, fine: n.Atom) -> None:
        """The tile for what it stores, from the values that it begins with."""
        inner = scribe if fine == TRUE else scribe.inner()
        self._stored(inner, where, tile)
        if inner is not scribe:
            scribe.add(n.If(fine, inner.block(), location=self.node.location))

    def _as_written(self, scribe: Scribe, tile: n.Atom, until: n.Atom, values: list[n.Atom]) -> list[n.Atom]:
        """Some tiles as the loop was written."""
        start, stop = (self._first(scribe, t) for t in (tile, until))
        label = f"{self.node.label}.again"
        loop = self.copies.loop(replace(self.node, label=label), start, stop, tuple(values))
        scribe.add(loop)
        return list(loop.results)
