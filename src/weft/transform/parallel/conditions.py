"""Conditions: a loop that is parallel if something holds that is known when it starts stands twice, parallel and not.

For conditions on numbers: the distance between what is read and what is written, a step that must not be zero. They
come from `weft.analysis.dependence.verdicts` and are tested before the loop. Conditions on the values of index arrays
are left alone: to test them costs about as much as it brings. Only loops that are in no parallel loop.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from weft.analysis.dependence import conditions as c
from weft.analysis.dependence.verdicts import LoopFact, Verdicts
from weft.analysis.values.linear import Form
from weft.analysis.values.ranges import Ranges
from weft.ir import nodes as n
from weft.ir.types import PYBOOL
from weft.ir.visit import walk
from weft.transform.emit import Emitter
from weft.transform.parallel.parallelise import can_combine
from weft.transform.peel import Copies
from weft.transform.safety.hull import fits
from weft.transform.support import judged, with_loops

MOST_CONDITIONS = 6


def conditions(program: n.Program) -> n.Program:
    """Decide at run time which loops are parallel."""
    if not any(isinstance(s, n.For) for s in walk(program.body)):
        return program
    verdicts = judged(program)
    if not any(fact.verdict == "checked" for fact in verdicts.loops.values()):
        return program
    change = _Change(program, verdicts)
    return replace(program, body=with_loops(program.body, change.loop))


class _Change:
    def __init__(self, program: n.Program, verdicts: Verdicts) -> None:
        self.verdicts = verdicts
        self.ranges: Ranges = verdicts.table.ranges
        self.associative = frozenset(f.name for f in program.functions if f.associative)
        self.copies = Copies(program)

    def loop(self, loop: n.For) -> tuple[n.Statement, ...] | None:
        """What stands for a loop; None for one whose inner loops are to be looked at."""
        fact = self.verdicts.loops.get(loop.label)
        if fact is None or loop.mapping == "parallel":
            return (loop,) if fact is not None else None
        if not self._is_decidable(loop, fact):
            return None
        where = self.verdicts.table.structure.loops[loop.label]
        emitter = Emitter(self.ranges.structure, where.region, where.position, self.copies.names, loop.location)
        test = self._all(fact.conditions, emitter)
        if test is None or isinstance(test, n.Const):
            return None
        return (*emitter.statements, self._either(loop, fact, test))

    def _is_decidable(self, loop: n.For, fact: LoopFact) -> bool:
        if fact.verdict != "checked" or loop.exit is not None or fact.private or fact.updates or fact.scans:
            return False
        return len(fact.conditions) <= MOST_CONDITIONS and all(can_combine(v, self.associative) for v in fact.carried)

    def _either(self, loop: n.For, fact: LoopFact, test: n.Atom) -> n.If:
        folds = {value.place: value.operator for value in fact.carried}
        args = tuple(replace(arg, combine=folds[place]) for place, arg in enumerate(loop.args))
        results = tuple(self.copies.names.fresh(r.stem, r.type) for r in loop.results)
        parallel = replace(loop, mapping="parallel", args=args, results=results)
        plain = self.copies.loop(loop, loop.start, loop.stop, tuple(a.init for a in loop.args))
        then, orelse = n.Block((parallel,), parallel.results), n.Block((plain,), plain.results)
        return n.If(test, then, orelse, loop.results, loop.location)

    # ---------------------------------------------------------------------------------------------- conditions

    def _all(self, conditions: Iterable[c.Condition], emitter: Emitter) -> n.Atom | None:
        result: n.Atom = n.Const(True, PYBOOL)
        for condition in conditions:
            test = self._test(condition, emitter)
            if test is None:
                return None
            result = emitter.both((result, test))
        return result

    def _test(self, condition: c.Condition, emitter: Emitter) -> n.Atom | None:
        if isinstance(condition, c.NonNegative):
            return self._not_negative(condition.form, emitter)
        if isinstance(condition, c.NonZero):
            more, less = (self._not_negative(f, emitter) for f in (condition.form - 1, -condition.form - 1))
            return None if more is None or less is None else emitter.either(more, less)
        if isinstance(condition, c.AnyOf):
            return self._any(condition.options, emitter)
        return None

    def _any(self, options: Iterable[c.Condition], emitter: Emitter) -> n.Atom | None:
        """One of several conditions; those that cannot be tested count as not fulfilled."""
        result: n.Atom = n.Const(False, PYBOOL)
        for option in options:
            test = self._test(option, emitter)
            if test is not None:
                result = emitter.either(result, test)
        return None if isinstance(result, n.Const) else result

    def _not_negative(self, form: Form, emitter: Emitter) -> n.Atom | None:
        if not fits(form, self.ranges):
            return None
        test = emitter.case((form,), self.ranges)
        return None if isinstance(test, n.Const) else test
