"""Peel: the first or the last iteration stands beside a loop that can run in parallel without it.

``for i in ...: a[i] = a[0] + b[i]``: only the first iteration writes what the others read. Loops inside of loops that
are parallel already are left alone, and so are loops that may be left early.
"""

from __future__ import annotations

from dataclasses import replace

from weft.analysis.access.structure import Loop
from weft.analysis.dependence.legality import can_peel, has_different_maps
from weft.analysis.dependence.verdicts import Verdicts, judge_loop
from weft.ir import nodes as n
from weft.ir.visit import walk
from weft.transform.parallel.parallelise import can_combine
from weft.transform.peel import Copies, with_first, with_last
from weft.transform.support import judged, replace_at, table_of

MOST_STATEMENTS = 80
"""Of larger loops no iteration is copied."""
MOST_LOOPS = 4
"""How many loops of a program are tried."""
AT_ONCE = ("parallel", "reduction")


def peel(program: n.Program) -> n.Program:
    """Take single iterations out of loops that are parallel without them."""
    table = table_of(program)
    if not any(has_different_maps(table, loop) for loop in table.structure.loops.values()):
        return program
    verdicts = judged(program)
    wanted = [loop for loop in verdicts.table.structure.loops.values() if _is_wanted(verdicts, loop)]
    done: set[str] = set()
    for loop in wanted[:MOST_LOOPS]:
        changed = None if any(outer.label in done for outer in loop.around) else _peeled(program, loop.label)
        if changed is not None:
            program = changed
            done.add(loop.label)
    return program


def _is_wanted(verdicts: Verdicts, loop: Loop) -> bool:
    """Whether only what iterations do in memory is in the way of a loop, and copying one is cheap."""
    node, fact = loop.node, verdicts.loops[loop.label]
    if not isinstance(node, n.For) or node.exit is not None or node.claim != "range" or fact.verdict != "sequential":
        return False
    if not fact.dependences or not all(c.kind == "last" or can_combine(c, frozenset()) for c in fact.carried):
        return False
    around = any(verdicts.loops[outer.label].verdict in AT_ONCE for outer in loop.around)
    return not around and sum(1 for _ in walk(node.body)) <= MOST_STATEMENTS


def _peeled(program: n.Program, label: str) -> n.Program | None:
    """The program with an iteration of a loop taken out, if the loop is parallel then."""
    table = table_of(program)
    loop = table.structure.loops[label]
    assert isinstance(loop.node, n.For)
    ends = can_peel(table, label)
    if ends.first or ends.last:
        apart = with_first if ends.first else with_last
        new = apart(loop.node, Copies(program))
        changed = replace(program, body=replace_at(program.body, {loop.path: new}))
        if judge_loop(table_of(changed), changed, label).verdict in AT_ONCE:
            return changed
    return None
