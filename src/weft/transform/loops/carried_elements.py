"""Carried elements: what a loop stores and its next iteration reads goes there in a variable.

``h[i, j] = max(h[i, j - 1] - 2, ...)`` waits for the memory in every iteration; a register answers at once. For loops
on processors that run in order, whatever they compute: the element that one iteration stores is that of the next one's
load, both stand in every iteration and are proven to be inside, and nothing else in the loop writes the array. The
stores stay. It runs behind the passes that choose directions and lanes, so that none of them sees another loop.
"""

from __future__ import annotations

from dataclasses import replace

from weft.analysis.access.structure import Loop, Path
from weft.analysis.values.linear import symbol
from weft.analysis.values.ranges import Ranges
from weft.ir import nodes as n
from weft.ir.effects import written_views
from weft.ir.types import PYINT, Scalar, View
from weft.ir.visit import substitute, walk
from weft.transform.parallel.forward_carried_loads import first_element
from weft.transform.peel import Copies
from weft.transform.support import ranges_of, replace_at


def carried_elements(program: n.Program) -> n.Program:
    """Carry elements from iteration to iteration."""
    if not any(_may_suit(s) for s in walk(program.body)):
        return program
    ranges, copies = ranges_of(program), Copies(program)
    changes: dict[Path, tuple[n.Statement, ...]] = {}
    for loop in ranges.structure.loops.values():
        if isinstance(loop.node, n.For) and _may_suit(loop.node):
            changed = _changed(loop, loop.node, ranges, copies)
            if changed is not None:
                changes[loop.path] = changed
    return replace(program, body=replace_at(program.body, changes)) if changes else program


def _may_suit(statement: n.Statement) -> bool:
    """Whether a loop runs in order, is innermost, and loads from and stores to one array."""
    if not isinstance(statement, n.For) or statement.mapping != "sequential" or statement.index.type != PYINT:
        return False
    if any(isinstance(s, (n.For, n.While, n.Call, n.External)) for s in walk(statement.body)):
        return False
    return not {s.view for s in _stores(statement)}.isdisjoint(view for view, _ in _loads(statement))


def _stores(loop: n.For) -> list[n.Store]:
    return [s for s in loop.body.statements if isinstance(s, n.Store) and s.bounds == "safe" and s.mask is None]


def _loads(loop: n.For) -> list[tuple[n.Var, n.Let]]:
    """The loads of single numbers that stand in every iteration, with the arrays that they read."""
    return [
        (value.view, s)
        for s in loop.body.statements
        if isinstance(s, n.Let) and isinstance(s.var.type, Scalar) and isinstance(value := s.value, n.Load)
        and value.bounds == "safe" and value.mask is None
    ]  # fmt: skip


def _changed(loop: Loop, node: n.For, ranges: Ranges, copies: Copies) -> tuple[n.Statement, ...] | None:
    before: list[n.Statement] = []
    for store in _stores(node):
        loads = [let for _, let in _loads(node) if _is_next(let, store, loop, ranges)]
        if not loads or not _writes_alone(store, loop, ranges) or store.value.type != loads[0].var.type:
            continue
        opened = first_element(node, loads[0], copies)
        if opened is None:
            continue
        before.extend(opened[0])
        node = _carrying(node, store, loads, opened[1], copies)
    return (*before, node) if before else None


def _is_next(let: n.Let, store: n.Store, loop: Loop, ranges: Ranges) -> bool:
    """Whether a load reads what the iteration before stored; only forms tell in which all but the counter is fixed."""
    assert isinstance(let.value, n.Load) and isinstance(loop.node, n.For)
    if let.value.view != store.view or not isinstance(store.view.type, View):
        return False
    counter = loop.node.index.name
    following = {counter: symbol(counter) + 1}
    pairs = [(ranges.forms.of(a), ranges.forms.of(b)) for a, b in zip(let.value.indices, store.indices, strict=True)]
    names = {name for _, form in pairs for name in form.names} - {counter}
    if any(ranges.structure.is_inside(name, loop) for name in names):
        return False
    return all(a.substitute(following) == b for a, b in pairs)


def _writes_alone(store: n.Store, loop: Loop, ranges: Ranges) -> bool:
    """Whether nothing else in the loop writes the array, which is the same one in all iterations and shows each element
    once: a store would reach what is loaded after it otherwise."""
    roots = ranges.aliases.roots(store.view)
    if ranges.structure.is_inside(store.view.name, loop) or not roots.isdisjoint(ranges.aliases.overlapping):
        return False
    others = (view for s in walk(loop.node.body) if s is not store for view in written_views(s))
    return all(roots.isdisjoint(ranges.aliases.roots(view)) for view in others)


def _carrying(node: n.For, store: n.Store, loads: list[n.Let], first: n.Var, copies: Copies) -> n.For:
    """The loop with the element as a carried value."""
    type = first.type
    current, last = copies.names.fresh(store.view.stem, type), copies.names.fresh("last", type)
    kept = tuple(s for s in node.body.statements if s not in loads)
    names = dict.fromkeys((let.var.name for let in loads), current)
    body = substitute(n.Block(kept, (*node.body.yields, store.value)), names)
    return replace(node, body=body, args=(*node.args, n.LoopArg(current, first)), results=(*node.results, last))
