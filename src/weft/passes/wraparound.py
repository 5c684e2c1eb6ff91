"""Wrap-around values: what a loop keeps of the iteration before is computed again instead.

``for i in ...: use(v); v = f(i)`` becomes ``for i in ...: v = init if i == start else f(i - 1); use(v); v = f(i)``: `v`
is no longer handed from iteration to iteration, only left behind, which `last_values` sees to. A value may be computed
again if it follows from the counter by a few operations and by elements that the loop does not write. The change is made
only where the loop can run in parallel then.
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import replace

from weft.analysis.facts import LoopFact
from weft.analysis.verdicts import Verdicts
from weft.ir import nodes as n
from weft.ir.effects import is_repeatable, statement_may_raise
from weft.ir.types import PYBOOL
from weft.ir.visit import Names, bound_inside, defined_by, rewrite, walk
from weft.passes.emit import repeated, slice_of
from weft.passes.support import judged

MOST_REPEATED = 12
MOST_ROUNDS = 4
"""How many iterations back a value may come from, by way of other such values."""
AT_ONCE = ("parallel", "reduction", "checked")
OTHERS = frozenset({"previous", "unchanged", "dead", "induction", "last", "reduction"})
"""What else a loop may carry that can run in parallel afterwards."""


def wraparound(program: n.Program) -> n.Program:
    """Compute values of the iteration before again, where that makes a loop parallel."""
    if not any(isinstance(s, n.For) and s.args and s.exit is None for s in walk(program.body)):
        return program
    found = {label for label, fact in judged(program).loops.items() if _is_candidate(fact)}
    while found:
        changed = _changed(program, found)
        if changed is program:
            return program
        verdicts = judged(changed)
        better = {label for label in found if verdicts.loops[label].verdict in AT_ONCE}
        if better == found:
            return changed
        found = better
    return program


def _is_candidate(fact: LoopFact) -> bool:
    kinds = {c.kind for c in fact.carried}
    return fact.verdict == "sequential" and "previous" in kinds and kinds <= OTHERS


def _changed(program: n.Program, labels: Collection[str]) -> n.Program:
    """The program with the values of some loops computed again; those that come from two iterations back last."""
    names = Names.of(program)
    for _ in range(MOST_ROUNDS):
        change = _Change(judged(program), names, labels)
        body = rewrite(program.body, change.statement)
        if body is program.body:
            break
        program = replace(program, body=body)
    return program


class _Change:
    def __init__(self, verdicts: Verdicts, names: Names, labels: Collection[str]) -> None:
        self.verdicts = verdicts
        self.names = names
        self.labels = labels

    def statement(self, statement: n.Statement) -> n.Statement:
        """A statement, changed if it is one of the loops."""
        if not isinstance(statement, n.For) or statement.label not in self.labels or statement.exit is not None:
            return statement
        places = [c.place for c in self.verdicts.loops[statement.label].carried if c.kind == "previous"]
        slices = [self._slice(statement, place) for place in places]
        for place, lets in zip(places, slices, strict=True):
            if lets is not None:
                statement = self._recomputed(statement, place, lets)
        return statement

    def _slice(self, loop: n.For, place: int) -> list[n.Let] | None:
        """The statements from which the next value follows, where they may be repeated in the next iteration."""
        inside = {v.name for s in walk(loop.body) for v in (*defined_by(s), *bound_inside(s))}
        inside |= {a.var.name for a in loop.args}
        found = slice_of(loop.body, loop.body.yields[place], inside)
        if found is None or len(found) > MOST_REPEATED:
            return None
        if not all(is_repeatable(let.value) or isinstance(let.value, n.Load) for let in found):
            return None
        aliases, structure = self.verdicts.table.aliases, self.verdicts.table.structure
        written = aliases.written(structure.loops[loop.label].body)
        loads = [let.value.view for let in found if isinstance(let.value, n.Load)]
        return found if all(aliases.roots(view).isdisjoint(written) for view in loads) else None

    def _recomputed(self, loop: n.For, place: int, lets: list[n.Let]) -> n.For:
        """The loop whose value at `place` is computed at the start of every iteration, and still carried."""
        arg = loop.args[place]
        before = self._before(loop, arg, loop.body.yields[place], lets)
        args = list(loop.args)
        args[place] = replace(arg, var=self.names.fresh(arg.var.stem, arg.var.type))
        body = replace(loop.body, statements=(*before, *loop.body.statements))
        return replace(loop, args=tuple(args), body=body)

    def _before(self, loop: n.For, arg: n.LoopArg, value: n.Atom, lets: list[n.Let]) -> list[n.Statement]:
        """The initial value in the first iteration, and what the iteration before makes of it in the others."""
        index, location = loop.index, loop.location
        first = n.Let(self.names.fresh("first", PYBOOL), n.Compare("eq", index, loop.start), location)
        less = n.Binary("sub", index, n.Const(1, index.type), checked=False)
        earlier = n.Let(self.names.fresh("before", index.type), less, location)
        # Where something may raise, it is left out of the first iteration: there it has not run yet.
        if any(map(statement_may_raise, lets)):
            statements, renaming = repeated(lets, {index.name: earlier.var}, self.names)
            orelse = n.Block((earlier, *statements), (_renamed(value, renaming),))
            return [first, n.If(first.var, n.Block((), (arg.init,)), orelse, (arg.var,), location)]
        inner: list[n.Statement] = [first, earlier]
        place: n.Var = earlier.var
        if any(isinstance(let.value, n.Load) for let in lets):
            there = n.Let(self.names.fresh("t", index.type), n.Select(first.var, loop.start, place), location)
            inner, place = [first, earlier, there], there.var
        statements, renaming = repeated(lets, {index.name: place}, self.names)
        chosen = n.Let(arg.var, n.Select(first.var, arg.init, _renamed(value, renaming)), location)
        return [*inner, *statements, chosen]


def _renamed(value: n.Atom, renaming: dict[str, n.Atom]) -> n.Atom:
    return renaming.get(value.name, value) if isinstance(value, n.Var) else value
