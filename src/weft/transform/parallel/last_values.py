"""Last values: what a loop leaves behind in variables that each iteration only sets is computed after it.

``for i in ...: t = f(i)`` with `t` read only after the loop: `t` is not carried, so the loop may be parallel. A value
that follows from the counter by a few operations, and by elements that the loop does not write, is computed again;
otherwise the last iteration is taken out of the loop, if that is in no parallel loop. Only for loops that are parallel
but for such values, and that nothing ends early.
"""

from __future__ import annotations

from dataclasses import replace

from weft.analysis.dependence.verdicts import LoopFact, Verdicts
from weft.ir import nodes as n
from weft.ir.effects import is_repeatable
from weft.ir.types import PYBOOL
from weft.ir.visit import blocks_of, bound_inside, defined_by, walk, with_blocks
from weft.transform.emit import repeated, slice_of
from weft.transform.parallel.parallelise import can_combine, is_parallel
from weft.transform.peel import Copies, with_last
from weft.transform.support import judged

MOST_REPEATED = 12


def last_values(program: n.Program) -> n.Program:
    """Take values that are only left behind out of parallel loops."""
    if not any(isinstance(s, n.For) and s.args and s.exit is None for s in walk(program.body)):
        return program
    verdicts = judged(program)
    change = _Change(program, verdicts)
    body = change.block(program.body, False)
    return program if body is program.body else replace(program, body=body)


class _Change:
    def __init__(self, program: n.Program, verdicts: Verdicts) -> None:
        self.verdicts = verdicts
        self.associative = frozenset(f.name for f in program.functions if f.associative)
        self.copies = Copies(program)

    def block(self, block: n.Block, around: bool) -> n.Block:
        """The block with its loops changed; `around` says whether it is in a parallel loop."""
        statements: list[n.Statement] = []
        for statement in block.statements:
            fact = self.verdicts.loops.get(statement.label) if isinstance(statement, n.For) else None
            last = fact is not None and self._is_parallel_but_for_last(fact)
            inside = around or last or (fact is not None and is_parallel(fact, self.associative))
            inner = blocks_of(statement)
            new = tuple(self.block(b, inside) for b in inner)
            if any(a is not b for a, b in zip(new, inner, strict=True)):
                statement = with_blocks(statement, new)
            if last and fact is not None and isinstance(statement, n.For):
                statements.extend(self._changed(statement, fact, around))
            else:
                statements.append(statement)
        return replace(block, statements=tuple(statements))

    def _changed(self, loop: n.For, fact: LoopFact, around: bool) -> tuple[n.Statement, ...]:
        slices = {c.place: self._slice(loop, c.place) for c in fact.carried if c.kind == "last"}
        if all(found is not None for found in slices.values()):
            return self._recomputed(loop, {k: v for k, v in slices.items() if v is not None})
        return (loop,) if around else with_last(loop, self.copies)

    def _is_parallel_but_for_last(self, fact: LoopFact) -> bool:
        if fact.verdict not in ("parallel", "reduction") or fact.private or (fact.conditions and not fact.claimed):
            return False
        others = [c for c in fact.carried if c.kind != "last"]
        return len(others) < len(fact.carried) and all(can_combine(c, self.associative) for c in others)

    def _slice(self, loop: n.For, place: int) -> list[n.Let] | None:
        """The statements from which the value follows, where they may be repeated after the loop."""
        inside = {v.name for s in walk(loop.body) for v in (*defined_by(s), *bound_inside(s))}
        inside |= {a.var.name for a in loop.args}
        found = slice_of(loop.body, loop.body.yields[place], inside)
        if found is None or len(found) > MOST_REPEATED or not all(map(self._may_repeat, found)):
            return None
        written = self.verdicts.table.aliases.written(self.verdicts.table.structure.loops[loop.label].body)
        loads = [let.value for let in found if isinstance(let.value, n.Load)]
        roots = [self.verdicts.table.aliases.roots(load.view) for load in loads]
        return found if all(r.isdisjoint(written) for r in roots) else None

    @staticmethod
    def _may_repeat(let: n.Let) -> bool:
        return is_repeatable(let.value) or isinstance(let.value, n.Load)

    def _recomputed(self, loop: n.For, slices: dict[int, list[n.Let]]) -> tuple[n.Statement, ...]:
        """The loop without the values, which are computed for its last iteration after it."""
        names, location = self.copies.names, loop.location
        runs = self.copies.let(n.Compare("lt", loop.start, loop.stop), PYBOOL, location, "runs")
        last = self.copies.let(
            n.Binary("sub", loop.stop, n.Const(1, loop.stop.type), False), loop.index.type, location, "last"
        )
        needed = {let.var.name: let for found in slices.values() for let in found}
        order = [s for s in loop.body.statements if isinstance(s, n.Let) and s.var.name in needed]
        statements, renaming = repeated(order, {loop.index.name: last.var}, names)
        yields = [loop.body.yields[place] for place in slices]
        values = tuple(renaming.get(y.name, y) if isinstance(y, n.Var) else y for y in yields)
        results = tuple(loop.results[place] for place in slices)
        inits = tuple(loop.args[place].init for place in slices)
        after = n.If(runs.var, n.Block((last, *statements), values), n.Block((), inits), results, location)
        return (without(loop, set(slices)), runs, after)


def without(loop: n.For, places: set[int]) -> n.For:
    """A loop without some of its arguments, which its body does not read."""
    kept = [k for k in range(len(loop.args)) if k not in places]
    body = replace(loop.body, yields=tuple(loop.body.yields[k] for k in kept))
    exit = None if loop.exit is None else kept.index(loop.exit)
    return replace(
        loop,
        body=body,
        args=tuple(loop.args[k] for k in kept),
        results=tuple(loop.results[k] for k in kept),
        exit=exit,
    )
