"""Peel: take the first or the last iteration, or both, out of a loop that can run in parallel without them.

``for i in ...: a[i] = a[0] + b[i]``: only the first iteration writes what the others read. In a loop over every other
element of a ring, ``if i % 2 == c: a[i] = a[i - 1] + a[(i + 1) % n]``, only the first and the last iteration may depend
on each other. Loops inside of parallel loops, and loops that may end early, stay as they are.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import TypeAlias

from weft.analysis.access.structure import Loop
from weft.analysis.dependence.legality import can_peel, has_different_maps
from weft.analysis.dependence.verdicts import Verdicts, judge_loop
from weft.ir import nodes as n
from weft.ir.visit import walk
from weft.transform.parallel.parallelise import can_combine
from weft.transform.peel import Copies, with_first, with_last
from weft.transform.simplify.decide import decide
from weft.transform.simplify.fold import fold
from weft.transform.support import judged, replace_at, table_of

MOST_STATEMENTS = 80
"""The most statements of a loop of which one iteration is taken out."""
MOST_OF_RINGS = 40
"""The same if both ends may be taken out: at each depth of a nest, one loop body becomes three."""
MOST_LOOPS = 4
"""How many loops of a program are tried."""
AT_ONCE = ("parallel", "reduction")
Apart: TypeAlias = Callable[[n.For, Copies], tuple[n.Statement, ...]]


def peel(program: n.Program) -> n.Program:
    """Take single iterations out of loops that are parallel without them."""
    table = table_of(program)
    if not any(has_different_maps(table, loop) for loop in table.structure.loops.values()):
        return program
    verdicts = judged(program)
    wanted = [loop for loop in verdicts.table.structure.loops.values() if _is_wanted(verdicts, loop)]
    wanted.sort(key=lambda loop: -len(loop.around) if _goes_round(loop.node) else 0)  # in a grid, rows before columns
    done: set[str] = set()
    for loop in wanted[:MOST_LOOPS]:
        changed = None if any(outer.label in done for outer in loop.around) else _peeled(program, loop.label)
        if changed is not None:
            program = changed
            done.add(loop.label)
    return program


def _is_wanted(verdicts: Verdicts, loop: Loop) -> bool:
    """Whether only what iterations do in memory is in the way of a loop, and copying one is cheap."""
    node = loop.node
    if not isinstance(node, n.For) or node.exit is not None or node.claim != "range":
        return False
    if sum(1 for _ in walk(node.body)) > (MOST_OF_RINGS if _goes_round(node) else MOST_STATEMENTS):
        return False
    fact = verdicts.loops[loop.label]
    if fact.verdict != "sequential":
        return False
    if not fact.dependences or not all(c.kind == "last" or can_combine(c, frozenset()) for c in fact.carried):
        return False
    return not any(verdicts.loops[outer.label].verdict in AT_ONCE for outer in loop.around)


def _peeled(program: n.Program, label: str) -> n.Program | None:
    """The program with an iteration of a loop taken out, if the loop is parallel then."""
    table = table_of(program)
    loop = table.structure.loops.get(label)
    if loop is None:  # it was in a branch that, after another loop was peeled, is never taken
        return None
    assert isinstance(loop.node, n.For)
    ends = can_peel(table, label)
    tried: tuple[Apart, ...] = (with_first,) if ends.first else (with_last,) if ends.last else ()
    if not tried and _goes_round(loop.node):
        tried = with_last, _with_both
    for apart in tried:
        new = apart(loop.node, Copies(program))
        changed = replace(program, body=replace_at(program.body, {loop.path: new}))
        changed = fold(decide(changed)) if _goes_round(loop.node) else changed
        table = table_of(changed)
        if label not in table.structure.loops or judge_loop(table, changed, label).verdict in AT_ONCE:
            return changed  # without the loop if no iteration is left for it
    return None


def _goes_round(loop: n.For | n.While) -> bool:
    """Whether a loop takes remainders by a variable: ``(i + 1) % n`` is just ``i + 1`` except at the loop's ends."""
    values = (s.value for s in walk(loop.body) if isinstance(s, n.Let))
    return any(isinstance(v, n.Binary) and v.op == "mod" and isinstance(v.right, n.Var) for v in values)


def _with_both(loop: n.For, copies: Copies) -> tuple[n.Statement, ...]:
    """The loop with its first and its last iteration taken out."""
    *before, branch = with_first(loop, copies)
    assert isinstance(branch, n.If)
    *first, rest = branch.then.statements
    assert isinstance(rest, n.For)
    then = replace(branch.then, statements=(*first, *with_last(rest, copies)))
    return (*before, replace(branch, then=then))
