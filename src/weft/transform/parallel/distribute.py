"""Distribute: a loop is split into several loops where some of them can run in parallel and the whole cannot.

Statements that depend on one another in a circle stay together, and so do those that share a value which cannot be
computed twice. The loops run in an order that keeps every dependence, which need not be that of the statements. Where a
loop is no more than a nest around one loop inside, that one is split first. Loops that may raise are left alone: the
state that an exception leaves behind would be another one. So are loops inside of loops that are parallel already.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace

from weft.analysis.access.access import AccessTable
from weft.analysis.access.structure import Loop
from weft.analysis.dependence.dependence import carried as carried_dependences
from weft.analysis.dependence.legality import edges_between, has_different_maps, ordered_components, uses
from weft.analysis.dependence.loop_facts import LoopFact
from weft.analysis.dependence.verdicts import Verdicts
from weft.analysis.recurrences.recurrences import carried as carried_values
from weft.ir import nodes as n
from weft.ir.effects import block_may_raise, is_repeatable
from weft.ir.visit import defined_by, renamed, walk
from weft.transform.peel import Copies
from weft.transform.support import judged, replace_at, table_of

MOST_STATEMENTS = 80
"""Larger loops are left as they are."""
MOST_LOOPS = 8
"""How many loops of a program are tried."""
AT_ONCE = ("parallel", "reduction")


def distribute(program: n.Program) -> n.Program:
    """Split loops where that makes a part of them parallel."""
    if not any(isinstance(s, n.For) and _is_promising(s) for s in walk(program.body)):
        return program
    table = table_of(program)
    if not any(loop.node.args or has_different_maps(table, loop) for loop in table.structure.loops.values()):
        return program
    verdicts = judged(program)
    wanted = [loop for loop in verdicts.table.structure.loops.values() if _is_wanted(verdicts, loop)]
    done: set[str] = set()
    for loop in wanted[:MOST_LOOPS]:
        changed = None if any(outer.label in done for outer in loop.around) else _distributed(program, loop.label)
        if changed is not None:
            program = changed
            done.add(loop.label)
    return program


def _is_promising(node: n.For) -> bool:
    """Whether a loop has two statements at least that could be apart, and none that may raise."""
    inside = list(walk(node.body))
    effects = sum(isinstance(s, (n.Store, n.Update)) for s in inside) + len(node.args)
    plain = node.claim == "range" and node.exit is None and not block_may_raise(node.body)
    return effects > 1 and len(inside) <= MOST_STATEMENTS and plain


def _is_wanted(verdicts: Verdicts, loop: Loop) -> bool:
    if not isinstance(loop.node, n.For) or not _is_promising(loop.node):
        return False
    around = (verdicts.loops[outer.label] for outer in loop.around)
    return verdicts.loops[loop.label].verdict == "sequential" and not any(map(_runs_at_once, around))


def _runs_at_once(fact: LoopFact) -> bool:
    return fact.verdict in AT_ONCE


def _distributed(program: n.Program, label: str) -> n.Program | None:
    """The program with one loop split, if that makes a part of it parallel."""
    table = table_of(program)
    loop = table.structure.loops[label]
    parts = merged(table, loop)
    if len(parts) < 2:
        split = _with_inner_split(program, table, loop)
        if split is None:
            return None
        program, table = split, table_of(split)
        loop = table.structure.loops[label]
        parts = merged(table, loop)
    if len(parts) < 2:
        return None
    changed, labels = _split(program, loop, parts)
    facts = judged(changed).loops
    return changed if any(_runs_at_once(facts[new]) for new in labels) else None


def _with_inner_split(program: n.Program, table: AccessTable, loop: Loop) -> n.Program | None:
    """The program with the only loop inside of a loop split as far as that goes."""
    assert isinstance(loop.node, n.For)
    inside = [s for s in loop.node.body.statements if not isinstance(s, n.Let)]
    if len(inside) != 1 or not isinstance(inside[0], n.For) or not _is_promising(inside[0]):
        return None
    inner = table.structure.loops[inside[0].label]
    parts = components(table, inner)
    return None if len(parts) < 2 else _split(program, inner, parts)[0]


# ------------------------------------------------------------------------------------------------- which parts


def components(table: AccessTable, loop: Loop) -> list[frozenset[int]]:
    """The smallest parts of the body of a loop, by position, in an order in which loops over them may run.

    What only defines values that may be computed anywhere belongs to none of them.
    """
    assert isinstance(loop.node, n.For)
    body = loop.node.body
    free = _free(table, loop)
    makers = {v.name: p for p, s in enumerate(body.statements) for v in defined_by(s)}
    if any(not isinstance(y, n.Var) or y.name not in makers for y in body.yields):
        return []
    edges = edges_between(table, loop)
    for made, user in _shared(loop.node, makers, free):
        edges.setdefault(made, set()).add(user)
        edges.setdefault(user, set()).add(made)
    found = ordered_components(len(body.statements), edges)
    return [frozenset(part) for part in found if not free.issuperset(part)]


def _free(table: AccessTable, loop: Loop) -> frozenset[int]:
    """The statements that may be repeated in every part: they follow from the counter and from what is not written."""
    assert isinstance(loop.node, n.For)
    written = table.aliases.written(loop.body)
    body = loop.node.body
    bound = {a.var.name for a in loop.node.args}
    yielded = {y.name for y in body.yields if isinstance(y, n.Var)}
    free = set()
    for position, statement in enumerate(body.statements):
        defined = {v.name for v in defined_by(statement)}
        kept = not defined.isdisjoint(yielded) or not bound.isdisjoint(uses(statement))
        if kept or not may_repeat(table, statement, written):
            bound |= defined
        else:
            free.add(position)
    return frozenset(free)


def may_repeat(table: AccessTable, statement: n.Statement, written: frozenset[str]) -> bool:
    """Whether a statement gives the same value wherever it stands, in a block that writes some arrays."""
    if not isinstance(statement, n.Let):
        return False
    value = statement.value
    if isinstance(value, n.Load):
        return table.aliases.roots(value.view).isdisjoint(written)
    return is_repeatable(value)


def _shared(node: n.For, makers: dict[str, int], free: frozenset[int]) -> Iterator[tuple[int, int]]:
    """The statements that must stay together since one uses what the other made, now or in the iteration before."""
    carried = {
        a.var.name: makers[y.name] for a, y in zip(node.args, node.body.yields, strict=True) if isinstance(y, n.Var)
    }
    for position, statement in enumerate(node.body.statements):
        for name in uses(statement):
            made = carried.get(name, makers.get(name))
            if made is not None and made not in free and made != position:
                yield made, position


def merged(table: AccessTable, loop: Loop) -> list[frozenset[int]]:
    """The parts of a loop, where neighbours that may run in one parallel loop, or in one sequential loop, are one."""
    depth = len(loop.body.path)
    orders = {(d.source.site.path[depth], d.sink.site.path[depth]) for d in carried_dependences(table, loop)}
    handed = _handed_on(table, loop)
    found: list[tuple[frozenset[int], bool]] = []
    for part in components(table, loop):
        carries = not handed.isdisjoint(part) or _carries(part, part, orders)
        if found and found[-1][1] == carries and (carries or not _carries(found[-1][0], part, orders)):
            found[-1] = (found[-1][0] | part, carries)
        else:
            found.append((part, carries))
    return [part for part, _ in found]


def _handed_on(table: AccessTable, loop: Loop) -> frozenset[int]:
    """The statements that make values which the next iteration needs, sums and the like aside."""
    body = loop.node.body
    made = {body.yields[c.place] for c in carried_values(table, loop) if c.kind not in ("reduction", "last", "dead")}
    return frozenset(p for p, s in enumerate(body.statements) if not made.isdisjoint(defined_by(s)))


def _carries(first: frozenset[int], second: frozenset[int], orders: Iterable[tuple[int, int]]) -> bool:
    return any(a in first and b in second for a, b in orders)


# --------------------------------------------------------------------------------------------------- the split


def _split(program: n.Program, loop: Loop, parts: list[frozenset[int]]) -> tuple[n.Program, list[str]]:
    """The program with a loop for each of the parts, and the labels of these loops."""
    assert isinstance(loop.node, n.For)
    copies = Copies(program)
    first, *rest = [_part(loop.node, part) for part in parts]
    loops = (first, *(_apart(node, copies) for node in rest))
    return replace(program, body=replace_at(program.body, {loop.path: loops})), [node.label for node in loops]


def _part(node: n.For, part: frozenset[int]) -> n.For:
    """The loop with the statements of one part, and what they need."""
    body = node.body
    makers = {v.name: p for p, s in enumerate(body.statements) for v in defined_by(s)}
    needed, waiting = set(part), list(part)
    while waiting:
        for name in uses(body.statements[waiting.pop()]):
            if name in makers and makers[name] not in needed:
                needed.add(makers[name])
                waiting.append(makers[name])
    kept = [k for k, y in enumerate(body.yields) if isinstance(y, n.Var) and makers[y.name] in part]
    return replace(
        node,
        args=tuple(node.args[k] for k in kept),
        body=n.Block(tuple(body.statements[p] for p in sorted(needed)), tuple(body.yields[k] for k in kept)),
        results=tuple(node.results[k] for k in kept),
    )


def _apart(node: n.For, copies: Copies) -> n.For:
    """The loop with names of its own, but for its results, and with a label of its own."""
    (copy,) = renamed(n.Block((node,)), copies.names).statements
    assert isinstance(copy, n.For)
    return replace(copy, label=copies.labels.fresh(node.label), results=node.results)
