"""Wrap-around values: what a loop keeps of the iteration before is computed again instead.

``for i in ...: use(v); v = f(i)`` becomes ``for i in ...: v = f(i - 1) if i > start else init; use(v); v = f(i)``: `v`
is no longer handed from iteration to iteration, only left behind, which `last_values` sees to. A value may be computed
again if it follows from the counter by a few operations and by elements that the loop does not write. The change is
made only where the loop can run in parallel then.
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import replace

from weft.analysis.access.access import AccessTable
from weft.analysis.access.structure import Loop
from weft.analysis.recurrences.recurrences import carried
from weft.ir import nodes as n
from weft.ir.effects import is_repeatable, is_speculative
from weft.ir.types import PYBOOL
from weft.ir.visit import Names, bound_inside, defined_by, rewrite, walk
from weft.transform.emit import repeated, slice_of
from weft.transform.support import judged, table_of

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
    table = table_of(program)
    associative = frozenset(f.name for f in program.functions if f.associative)
    found = {loop.label for loop in table.structure.loops.values() if _is_candidate(table, loop, associative)}
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


def _is_candidate(table: AccessTable, loop: Loop, associative: frozenset[str]) -> bool:
    if not isinstance(loop.node, n.For) or loop.node.exit is not None or loop.node.claim == "prange":
        return False  # a claim that is wrong as it stands is an error
    kinds = {c.kind for c in carried(table, loop, associative)}
    return "previous" in kinds and kinds <= OTHERS


def _changed(program: n.Program, labels: Collection[str]) -> n.Program:
    """The program with the values of some loops computed again; those that come from two iterations back last."""
    names = Names.of(program)
    for _ in range(MOST_ROUNDS):
        change = _Change(table_of(program), names, labels)
        body = rewrite(program.body, change.statement)
        if body is program.body:
            break
        program = replace(program, body=body)
    return program


class _Change:
    def __init__(self, table: AccessTable, names: Names, labels: Collection[str]) -> None:
        self.table = table
        self.names = names
        self.labels = labels

    def statement(self, statement: n.Statement) -> n.Statement:
        """A statement, changed if it is one of the loops."""
        if not isinstance(statement, n.For) or statement.label not in self.labels:
            return statement
        values = carried(self.table, self.table.structure.loops[statement.label])
        places = [c.place for c in values if c.kind == "previous"]
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
        aliases, structure = self.table.aliases, self.table.structure
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
        first = n.Let(self.names.fresh("first", PYBOOL), n.Compare("le", index, loop.start), location)
        less = n.Binary("sub", index, n.Const(1, index.type), checked=False)
        earlier = n.Let(self.names.fresh("before", index.type), less, location)
        statements, renaming = repeated(lets, {index.name: earlier.var}, self.names)
        found = renaming.get(value.name, value) if isinstance(value, n.Var) else value
        if not all(map(_may_run_early, lets)):
            # Before the first iteration nothing may be read, and nothing has been proven.
            then, orelse = n.Block((), (arg.init,)), n.Block((earlier, *statements), (found,))
            return [first, n.If(first.var, then, orelse, (arg.var,), location)]
        chosen = n.Let(arg.var, n.Select(first.var, arg.init, found), location)
        return [first, earlier, *statements, chosen]


def _may_run_early(let: n.Let) -> bool:
    """Whether a value may be computed before the first iteration too; sums that no one uses may wrap."""
    value = let.value
    if isinstance(value, n.Binary) and not value.checked and value.op in ("add", "sub", "mul"):
        return True
    return not isinstance(value, n.Load) and is_speculative(value, let.var.type)
