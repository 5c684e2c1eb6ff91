"""Updates of elements that belong to one iteration of a parallel nest, as loads and stores in order.

``for i: for j: for c: a[i, c] += f(i, j, c)`` folds into an element from many iterations of `j`, in an order that
counts for floats. As long as the iterations of `i` have elements of their own, each of them can do its updates one
after the other, as the program says: a thread of a device then needs no indivisible step.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace

from weft.analysis.dependence.verdicts import LoopFact
from weft.ir import nodes as n
from weft.ir.visit import Names, rewrite, walk
from weft.plan.kernels import is_exact_update
from weft.plan.scratch import Why
from weft.schedule.frame import sequential
from weft.transform.support import judged, with_loops

Scratch = Callable[[n.Program], "tuple[n.Program, dict[str, str]]"]


def with_updates_in_order(program: n.Program, why_host: Why, scratch: Scratch) -> n.Program:
    """Let each iteration of a parallel nest do its own updates in order, where no kernel could do them otherwise.

    Parameters
    ----------
    program
        After the pass that marks parallel loops.
    why_host
        Why a nest cannot be a kernel; None where it can.
    scratch
        Gives arrays that iterations make scratch memory, where a nest can be a kernel then.
    """
    if all(map(is_exact_update, walk(program.body))):
        return program
    facts, names = judged(program).loops, Names.of(program)
    extents = [s for s in walk(program.body) if isinstance(s, n.Let) and isinstance(s.value, n.Dim)]

    def change(loop: n.For) -> tuple[n.Statement, ...] | None:
        if loop.mapping != "parallel":
            return None
        if why_host(loop) is None or _meet(facts.get(loop.label)):
            return (loop,)
        made = _in_order(loop, facts, names)
        return (made,) if can_be_kernel(made) else None

    def can_be_kernel(nest: n.For) -> bool:
        if why_host(nest) is None:
            return True
        _, notes = scratch(replace(program, body=n.Block((*extents, nest), nest.results)))
        return nest.label in notes

    body = with_loops(program.body, change)
    return program if body is program.body else replace(program, body=body)


def _in_order(nest: n.For, facts: Mapping[str, LoopFact], names: Names) -> n.For:
    """A nest whose iterations meet in no update, with the updates of each in order."""
    loops = (s for s in walk(nest.body) if isinstance(s, n.For))
    met = {loop.label for loop in loops if _meet(facts.get(loop.label))}

    def change(statement: n.Statement) -> n.Statement | tuple[n.Statement, ...]:
        if isinstance(statement, n.For) and statement.label in met:
            return sequential(statement)
        if not isinstance(statement, n.Update) or is_exact_update(statement):
            return statement
        assert statement.op != "assign"
        before, after = (names.fresh(statement.view.stem, statement.value.type) for _ in range(2))
        loaded = n.Load(statement.view, statement.indices, statement.bounds)
        folded = n.Binary(statement.op, before, statement.value)
        return (
            n.Let(before, loaded, statement.location),
            n.Let(after, folded, statement.location),
            n.Store(statement.view, statement.indices, after, statement.bounds, location=statement.location),
        )

    return replace(nest, body=rewrite(nest.body, change))


def _meet(fact: LoopFact | None) -> bool:
    """Whether iterations of a loop meet in an update whose order counts, as far as is known."""
    if fact is None or fact.verdict not in ("parallel", "reduction"):
        return True
    return not all(is_exact_update(pair.store.site.statement) for pair in fact.updates)
