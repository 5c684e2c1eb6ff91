"""Induction: an integer that grows by the same amount in every iteration becomes a function of the loop's index.

``k += c`` in a loop from `start` is ``k = init + c * (i - start)`` inside, and ``init + c * trips`` after it. The
original addition stays in the body, with its check for overflow, until it is proven needless. Guarded additions are not
touched, nor are NumPy integers; in loops that may end early the value after the loop stays carried.
"""

from __future__ import annotations

from dataclasses import replace

from weft.analysis.access.structure import Loop
from weft.analysis.values.forms import Forms
from weft.analysis.values.ranges import Ranges
from weft.ir import nodes as n
from weft.ir.types import PYINT
from weft.ir.visit import Names, rewrite
from weft.transform.emit import Emitter
from weft.transform.support import for_each_body


def induction(program: n.Program) -> n.Program:
    """Give induction variables in closed form."""
    names = Names.of(program)
    return for_each_body(program, lambda body, ranges: _Closer(ranges, names).body(body))


class _Closer:
    def __init__(self, ranges: Ranges, names: Names) -> None:
        self.structure = ranges.structure
        self.forms: Forms = ranges.forms
        self.names = names

    def body(self, body: n.Block) -> n.Block:
        if not any(a.var.type == PYINT for loop in self.structure.loops.values() for a in loop.node.args):
            return body
        return rewrite(body, self._change)

    def _change(self, statement: n.Statement) -> n.Statement | tuple[n.Statement, ...]:
        if not isinstance(statement, n.For):
            return statement
        loop = self.structure.loops[statement.label]
        changed = _Closed(self, loop, statement)
        for place in range(len(statement.args)):
            changed.close(place)
        return changed.statements()


class _Closed:
    """One loop being changed; `node` is it with the loops inside already changed."""

    def __init__(self, closer: _Closer, loop: Loop, node: n.For) -> None:
        self.closer = closer
        self.loop = loop
        self.node = node
        self.before = Emitter(closer.structure, loop.region, loop.position, closer.names, node.location)
        self.inside: list[n.Statement] = []
        self.after: list[n.Statement] = []
        self.dropped: set[int] = set()
        self.renamed: dict[int, n.Var] = {}

    def close(self, place: int) -> None:
        arg, result = self.node.args[place], self.node.results[place]
        if arg.var.type != PYINT or arg.combine is not None or place == self.node.exit:
            return
        step = self.closer.forms.step_of(self.loop, place)
        if step is None or not step:
            return
        amount = self.before.form(step)
        if amount is None:
            return
        self._define(self.inside, arg.var, arg.init, amount, self._difference(self.inside, self.node.index))
        if self.node.exit is None:
            trips = self.before.let(n.Binary("max", self._span(), n.Const(0)))
            self._define(self.after, result, arg.init, amount, trips)
            self.dropped.add(place)
        else:
            self.renamed[place] = self.closer.names.fresh(arg.var.stem, PYINT)

    def _span(self) -> n.Atom:
        if self.node.start == n.Const(0):
            return self.node.stop
        return self.before.let(n.Binary("sub", self.node.stop, self.node.start))

    def _difference(self, out: list[n.Statement], index: n.Var) -> n.Atom:
        if self.node.start == n.Const(0):
            return index
        return self._let(out, n.Binary("sub", index, self.node.start))

    def _define(self, out: list[n.Statement], var: n.Var, init: n.Atom, amount: n.Atom, count: n.Atom) -> None:
        product = count
        if amount != n.Const(1):
            product = self._let(out, n.Binary("mul", count, amount))
        out.append(n.Let(var, n.Binary("add", init, product), self.node.location))

    def _let(self, out: list[n.Statement], value: n.Expression) -> n.Var:
        var = self.closer.names.fresh("t", PYINT)
        out.append(n.Let(var, value, self.node.location))
        return var

    def statements(self) -> n.Statement | tuple[n.Statement, ...]:
        if not self.inside:
            return self.node
        kept = [k for k in range(len(self.node.args)) if k not in self.dropped]
        args = tuple(self._arg(k) for k in kept)
        body = n.Block((*self.inside, *self.node.body.statements), tuple(self.node.body.yields[k] for k in kept))
        results = tuple(self.node.results[k] for k in kept)
        exit = None if self.node.exit is None else kept.index(self.node.exit)
        loop = replace(self.node, args=args, body=body, results=results, exit=exit)
        return (*self.before.statements, loop, *self.after)

    def _arg(self, place: int) -> n.LoopArg:
        arg = self.node.args[place]
        return replace(arg, var=self.renamed[place]) if place in self.renamed else arg
