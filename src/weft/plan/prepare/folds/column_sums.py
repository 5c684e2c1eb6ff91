"""Sums into elements that a later loop of a nest chooses, as nests in which one iteration has all of an element.

``for i: for j: s[j] += a[i, j]`` updates each element from many iterations, in an order that a device does not keep.
With the loop over `j` outside it is a reduction for each element, which threads share as they share other reductions:
``for j: t = s[j]; for i: t += a[i, j]; s[j] = t``. Iterations of parallel loops may change places, and updates by an
associative operator may be grouped otherwise.

Not done: nests whose loops do more than one update, or that update some elements only; loops whose bounds depend on one
another; and elements that are known to be few, which many threads would wait for.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import replace

from weft.analysis.access.access import table
from weft.analysis.access.aliases import Aliases
from weft.ir import nodes as n
from weft.ir.effects import block_may_raise
from weft.ir.types import Scalar, View
from weft.ir.visit import Names, bound_inside, defined_by, known_trips, walk
from weft.plan.kernels import FOLDED
from weft.schedule.writing import Writing
from weft.transform.support import with_loops

FEW = 16
"""Elements that are known to be no more are not worth threads of their own."""

EFFECTS = (n.Store, n.Update, n.Call, n.External, n.Raise, n.While)


def with_column_sums(program: n.Program, why_host: Callable[[n.For], str | None]) -> n.Program:
    """Let loops that choose an element stand outside of those that add to it, where no kernel could do it otherwise.

    Parameters
    ----------
    program
        After the pass that marks parallel loops.
    why_host
        Why a nest cannot be a kernel; None where it can.
    """
    if not any(isinstance(s, n.Update) for s in walk(program.body)):
        return program
    names, aliases = Names.of(program), table(program).aliases

    def change(loop: n.For) -> tuple[n.Statement, ...] | None:
        if loop.mapping != "parallel":
            return None
        if why_host(loop) is None:
            return (loop,)
        found = _turned(loop, names, aliases)
        if found is None or why_host(found[0]) is not None:
            return None
        nest, folded = found
        write = Writing(names, loop.location)  # elements of which nothing is added need not exist
        runs = write.both([write.compare("lt", other.start, other.stop) for other in folded])
        with write.when(runs):
            write.add(nest)
        return tuple(write.statements)

    body = with_loops(program.body, change)
    return program if body is program.body else replace(program, body=body)


def _turned(nest: n.For, names: Names, aliases: Aliases) -> tuple[n.For, list[n.For]] | None:
    """The nest with the loops outside that choose the element, and the others; None where it is none of this kind."""
    chain, before = _chain(nest)
    *computed, update = chain[-1].body.statements
    if not isinstance(update, n.Update) or update.op not in FOLDED or update.bounds != "safe":
        return None
    chosen = [loop for loop in chain if loop.index in update.indices]
    folded = [loop for loop in chain if loop not in chosen]
    if not chosen or not folded or not _are_independent(chain) or are_few(chosen):
        return None
    inside = {v.name for s in walk(n.Block((nest,))) for v in (*defined_by(s), *bound_inside(s))}
    counters = {loop.index.name for loop in chosen}
    if any(isinstance(i, n.Var) and i.name in inside - counters for i in update.indices):
        return None
    statements = (*before, *computed)
    if block_may_raise(n.Block((nest,))) or any(isinstance(s, EFFECTS) for s in walk(n.Block(statements))):
        return None
    loads = (s.value.view for s in walk(n.Block(statements)) if isinstance(s, n.Let) and isinstance(s.value, n.Load))
    if any(view.name in inside or aliases.may_alias(view, update.view) for view in loads):
        return None
    return _folded(chosen, folded, statements, update, names), folded


def _chain(nest: n.For) -> tuple[list[n.For], list[n.Let]]:
    """Parallel loops inside of one another, with nothing but definitions between them, and these."""
    chain, before = [nest], list[n.Let]()
    while True:
        *lets, last = chain[-1].body.statements
        if not isinstance(last, n.For) or last.mapping != "parallel" or last.args or last.exit is not None:
            return chain, before
        if not all(isinstance(s, n.Let) and not isinstance(s.var.type, View) for s in lets):
            return chain, before
        before += [s for s in lets if isinstance(s, n.Let)]
        chain.append(last)


def _are_independent(chain: Sequence[n.For]) -> bool:
    """Whether the bounds of loops are known before the outermost of them."""
    inside = {v.name for s in walk(n.Block((chain[0],))) for v in (*defined_by(s), *bound_inside(s))}
    ends = (end for loop in chain for end in (loop.start, loop.stop))
    return not any(isinstance(end, n.Var) and end.name in inside for end in ends) and not any(c.args for c in chain)


def are_few(loops: Sequence[n.For]) -> bool:
    """Whether loops are known to have few iterations together."""
    known = [trips for loop in loops if (trips := known_trips(loop)) is not None]
    return len(known) == len(loops) and math.prod(known) < FEW


def _folded(
    chosen: Sequence[n.For], folded: Sequence[n.For], statements: Sequence[n.Statement], update: n.Update, names: Names
) -> n.For:
    """The nest over elements, in which the others are a reduction."""
    write = Writing(names, update.location)
    old, type_ = write.load(update.view, *update.indices, stem="old"), update.value.type
    assert isinstance(type_, Scalar) and update.op != "assign"
    carried = [names.fresh("total", type_) for _ in folded]
    value = names.fresh("total", type_)
    combine = n.Let(value, n.Binary(update.op, carried[-1], update.value, checked=False), update.location)
    block = n.Block((*statements, combine), (value,))
    for level, loop in reversed(list(enumerate(folded))):
        init: n.Atom = carried[level - 1] if level else old
        result = names.fresh("total", type_)
        args = (n.LoopArg(carried[level], init, update.op),)
        block = n.Block((replace(loop, body=block, args=args, results=(result,)),), (result,))
    write.add(*block.statements)
    write.store(update.view, update.indices, block.yields[0])
    body = n.Block(tuple(write.statements))
    for loop in reversed(chosen):
        body = n.Block((replace(loop, body=body),))
    (nest,) = body.statements
    assert isinstance(nest, n.For)
    return nest
