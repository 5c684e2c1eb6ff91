"""Parallelise: writes into the program which loops run in parallel, and which carried values they fold.

The verdicts are those of `weft.analysis.dependence.verdicts`: a loop is marked when its iterations are independent, or
meet only in values that one operator folds. Loops inside of parallel loops are marked too, so that a device can flatten
a nest. Extremes of floats whose fold does not treat a NaN as `Binary` does are left alone, and so are sums of Python
integers that may overflow, since a part of a sum may where the whole does not. Loops that need something done first are
left to `privatise`, `by_key`, `last_values`.
"""

from __future__ import annotations

from dataclasses import replace

from weft.analysis.dependence.verdicts import LoopFact, Verdicts
from weft.analysis.recurrences.recurrences import Carried
from weft.ir import nodes as n
from weft.ir.effects import may_raise
from weft.ir.types import PYINT
from weft.ir.visit import atoms_of, blocks_of, defined_by, rewrite, walk
from weft.transform.support import judged, marked, on_blocks

FOLDS = frozenset({"add", "mul", "min", "max", "and", "or", "xor"})


def parallelise(program: n.Program) -> n.Program:
    """Mark the parallel loops."""
    if not any(isinstance(s, n.For) for block in _bodies(program) for s in walk(block)):
        return program
    verdicts = judged(program)
    associative = frozenset(f.name for f in program.functions if f.associative)
    result = on_blocks(program, lambda block: rewrite(block, lambda s: _marked(s, verdicts, associative)))
    return marked(program, result)


def _bodies(program: n.Program) -> tuple[n.Block, ...]:
    return program.body, *(f.body for f in program.functions)


def _marked(statement: n.Statement, verdicts: Verdicts, associative: frozenset[str]) -> n.Statement:
    if not isinstance(statement, n.For):
        return statement
    fact = verdicts.loops.get(statement.label)
    if fact is None or not is_parallel(fact, associative):
        return statement
    if any(arg.var.type == PYINT and _may_overflow(statement, arg.var) for arg in statement.args):
        return statement
    folds = {c.place: c.operator for c in fact.carried}
    args = tuple(replace(arg, combine=folds[place]) for place, arg in enumerate(statement.args))
    return replace(statement, mapping="parallel", args=args)


def _may_overflow(loop: n.For, carried: n.Var) -> bool:
    """Whether arithmetic on a value that a loop carries is checked."""
    reached = {carried.name}
    for statement in walk(loop.body):
        args = statement.args if isinstance(statement, (n.For, n.While)) else ()
        reached.update(a.var.name for a in args if _name(a.init) in reached)
        yields = (a for block in blocks_of(statement) for a in block.yields)
        if any(_name(a) in reached for a in (*atoms_of(statement), *yields)):
            reached.update(v.name for v in defined_by(statement))
            if isinstance(statement, n.Let) and may_raise(statement.value, statement.var.type):
                return True
    return False


def _name(atom: n.Atom) -> str:
    return atom.name if isinstance(atom, n.Var) else ""


def is_parallel(fact: LoopFact, associative: frozenset[str] = frozenset()) -> bool:
    """Whether a loop can be marked as it stands."""
    if fact.verdict not in ("parallel", "reduction") or fact.private or fact.conditions:
        return False
    if not all(update.is_one_step for update in fact.updates):
        return False
    return all(can_combine(value, associative) for value in fact.carried)


def can_combine(value: Carried, associative: frozenset[str]) -> bool:
    """Whether a carried value is a fold that `LoopArg.combine` means."""
    if value.kind != "reduction" or value.operator not in FOLDS | associative:
        return False
    return not value.is_float or not (value.ties_last or value.nan_replaces or value.nan_stays)
