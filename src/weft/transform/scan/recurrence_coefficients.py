"""Slopes: how much the next value of a recurrence changes with the one before, computed beside it. No pass itself.

``s = a * s + b`` has the slope `a`; over several iterations slopes are multiplied. For a value that is only replaced,
now and then, a slope is a Boolean: whether it was. For one that a function combines with others it is whether there is
a value yet; until then the first one is taken as it is. Works through branches, selections and inner loops, as
`weft.analysis.recurrences.chains` does when it finds what a recurrence is.
"""

from __future__ import annotations

from dataclasses import replace

from weft.ir import nodes as n
from weft.ir.scribe import Scribe
from weft.ir.types import Scalar


class Slopes:
    """Adds slopes to the statements that lie between a carried value and the next one.

    Parameters
    ----------
    source, slope
        The carried value, and its slope when an iteration begins.
    other
        The slope of values that do not depend on the carried one.
    """

    def __init__(self, source: n.Var, slope: n.Var, other: n.Const) -> None:
        assert isinstance(slope.type, Scalar)
        self.type = slope.type
        self.known: dict[str, n.Atom] = {source.name: slope}
        self.other = other

    def of(self, atom: n.Atom) -> n.Atom:
        """The slope of a value."""
        return self.known.get(atom.name, self.other) if isinstance(atom, n.Var) else self.other

    def block(self, block: n.Block, scribe: Scribe) -> None:
        """Write the statements of a block, and the slopes of what they define."""
        for statement in block.statements:
            self._statement(statement, scribe)

    def _statement(self, statement: n.Statement, scribe: Scribe) -> None:
        if isinstance(statement, n.If):
            self._branch(statement, scribe)
        elif isinstance(statement, n.For):
            self._loop(statement, scribe)
        elif isinstance(statement, n.Call) and self._depends(*statement.operands):
            self._call(statement, scribe)
        else:
            scribe.add(statement)
            if isinstance(statement, n.Let):
                slope = self._expression(statement.value, scribe)
                if slope is not None:
                    self.known[statement.var.name] = slope

    def _expression(self, value: n.Expression, scribe: Scribe) -> n.Atom | None:
        if isinstance(value, n.Select) and self._depends(value.then, value.orelse):
            return scribe.select(value.condition, self.of(value.then), self.of(value.orelse))
        if not isinstance(value, n.Binary) or not self._depends(value.left, value.right):
            return None
        inside, other = (value.left, value.right) if self._depends(value.left) else (value.right, value.left)
        if value.op == "mul":
            return scribe.let(n.Binary("mul", self.of(inside), other), self.type, "slope")
        if value.op == "sub" and inside is value.right:
            return scribe.let(n.Unary("neg", self.of(inside)), self.type, "slope")
        return self.of(inside) if value.op in ("add", "sub") else None

    def _call(self, call: n.Call, scribe: Scribe) -> None:
        """A function that combines the carried value, its first operand, with another one."""
        old, contribution = call.operands
        (result,) = call.results
        inner = scribe.inner()
        combined = scribe.fresh(result.stem, result.type)
        inner.add(replace(call, results=(combined,)))
        first = n.Block((), (contribution,))
        scribe.add(n.If(self.of(old), inner.block((combined,)), first, call.results, call.location))
        self.known[result.name] = self.other

    def _depends(self, *atoms: n.Atom) -> bool:
        return any(isinstance(a, n.Var) and a.name in self.known for a in atoms)

    def _branch(self, branch: n.If, scribe: Scribe) -> None:
        sides = [scribe.inner(), scribe.inner()]
        for side, block in zip(sides, (branch.then, branch.orelse), strict=True):
            self.block(block, side)
        pairs = list(zip(branch.then.yields, branch.orelse.yields, strict=True))
        places = [k for k, pair in enumerate(pairs) if self._depends(*pair)]
        slopes = [scribe.fresh("slope", self.type) for _ in places]
        blocks = [
            side.block((*block.yields, *(self.of(block.yields[k]) for k in places)))
            for side, block in zip(sides, (branch.then, branch.orelse), strict=True)
        ]
        scribe.add(replace(branch, then=blocks[0], orelse=blocks[1], results=(*branch.results, *slopes)))
        self.known.update((branch.results[k].name, slope) for k, slope in zip(places, slopes, strict=True))

    def _loop(self, loop: n.For, scribe: Scribe) -> None:
        places = [k for k, arg in enumerate(loop.args) if self._depends(arg.init)]
        args = [n.LoopArg(scribe.fresh("slope", self.type), self.of(loop.args[k].init)) for k in places]
        self.known.update((loop.args[k].var.name, arg.var) for k, arg in zip(places, args, strict=True))
        inner = scribe.inner()
        self.block(loop.body, inner)
        results = [scribe.fresh("slope", self.type) for _ in places]
        body = inner.block((*loop.body.yields, *(self.of(loop.body.yields[k]) for k in places)))
        scribe.add(
            replace(
                loop,
                args=(*(replace(a, combine=None) for a in loop.args), *args),
                body=body,
                results=(*loop.results, *results),
                mapping="sequential" if places else loop.mapping,
            )
        )
        self.known.update((loop.results[k].name, result) for k, result in zip(places, results, strict=True))
