"""Holds the verdicts of loops against what really happens: the conflicts that the interpreter's shadow memory finds."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from weft.ir import nodes as n
from weft.ir.reference.interpreter import Interpreter, holds
from weft.ir.reference.python_code import Options
from weft.ir.reference.shadow import Conflict
from weft.ir.visit import walk

from .generator import RandomProgram
from .stages import built, flat, optimised, shares_memory


@dataclass
class Judged:
    """The verdicts of the loops of one program, and where they are wrong or too careful."""

    verdicts: dict[str, str] = field(default_factory=dict)
    reasons: dict[str, str] = field(default_factory=dict)
    parallel: list[str] = field(default_factory=list)
    wrong: list[str] = field(default_factory=list)
    lost: list[str] = field(default_factory=list)


def judged(program: RandomProgram, seeds: Sequence[int]) -> Judged:
    """Judge a program and run it on some inputs, looking for conflicts."""
    from weft.analysis.dependence.verdicts import judge
    from weft.transform.simplify.dce import dce

    source = dce(built(program.function(), program.arguments(seeds[0])))
    facts = judge(source).loops
    found = Judged({k: f.verdict for k, f in facts.items()}, {k: f.reason for k, f in facts.items()})
    conflicts, ran = conflicts_of(source, program, seeds)
    for label, fact in facts.items():
        private = _with_views(source, {p.array.stem for p in fact.private})
        real = [c for c in conflicts.get(label, ()) if not _excused(fact, private, c)]
        if fact.verdict == "parallel" and real:
            found.wrong.append(f"{label} is called parallel: {real[0]}")
        if fact.verdict == "sequential" and label in ran and not conflicts.get(label):
            found.lost.append(label)
    final = optimised(source)
    found.parallel = [s.label for s in walk(final.body) if isinstance(s, n.For) and s.mapping == "parallel"]
    found.wrong += wrongly_parallel(final, program, seeds)
    return found


def _with_views(program: n.Program, names: set[str]) -> set[str]:
    """The names of some arrays and of all that shows their elements."""
    found = set(names)
    for statement in walk(program.body):  # a view is made before it is used
        if (
            isinstance(statement, n.Let)
            and isinstance(statement.value, n.Subview)
            and statement.value.view.stem in found
        ):
            found.add(statement.var.stem)
    return found


def _excused(fact: Any, private: set[str], conflict: Conflict) -> bool:
    """Conflicts that a verdict accounts for: private arrays, folded elements, carried values that are computed anew."""
    if conflict.kind == "scalar":
        return bool(fact.carried)
    return bool(fact.updates) or (conflict.kind in ("anti", "output") and conflict.name in private)


def wrongly_parallel(program: n.Program, source: RandomProgram, seeds: Sequence[int]) -> list[str]:
    """Loops that the passes have made parallel although iterations are in conflict."""
    conflicts, _ = conflicts_of(program, source, seeds, only_assumed=True)
    loops = {s.label: s for s in walk(program.body) if isinstance(s, n.For) and s.mapping == "parallel"}
    return [f"{label} runs in parallel: {conflicts[label][0]}" for label in loops if conflicts.get(label)]


def conflicts_of(
    program: n.Program, source: RandomProgram, seeds: Sequence[int], only_assumed: bool = False
) -> tuple[dict[str, list[Conflict]], set[str]]:
    """The conflicts by loop over some inputs whose arrays are distinct, and the loops that ran two iterations."""
    interpreter = Interpreter(program, Options(accesses=True))
    found: dict[str, list[Conflict]] = {}
    types = [p.var.type for p in program.params]
    for seed in seeds:
        values = flat(program, source.arguments(seed))
        if shares_memory(values) or (only_assumed and not holds(program, values)) or not _same_types(types, values):
            continue
        for label, conflicts in interpreter.trace(values).conflicts.items():
            found.setdefault(label, []).extend(conflicts)
    return found, set(found)


def _same_types(types: Sequence[Any], values: Sequence[Any]) -> bool:
    arrays = [(t, v) for t, v in zip(types, values) if isinstance(v, np.ndarray)]
    return all(not t.contiguous or v.strides[-1:] in ((), (v.itemsize,)) or v.size == 0 for t, v in arrays)
