"""Kernels have three loops in their grid: of nests with more, the outermost ones are merged.

``for n: for i: for j: for c: y[n, i, j, c] = ...`` would have a thread for each `n`, `i` and `j`, and neighbouring
threads would touch elements that are a row of `c` apart. As ``for q: n = q // ...; i = q % ...; for j: for c:``
neighbouring threads have neighbouring `c`. The iterations stay in their order.

Only what runs is merged: which parts of arrays a nest touches follows from the nest as it was written. Innermost loops
of few iterations stay inside of a thread.
"""

from __future__ import annotations

from dataclasses import replace

from weft.ir import nodes as n
from weft.ir.effects import may_raise
from weft.ir.types import PYINT
from weft.ir.visit import Names, bound_inside, defined_by, has_fewer_trips, walk
from weft.schedule.directives import AXES, Schedule
from weft.schedule.writing import Writing
from weft.tune.choice import is_about

FEW = 16
"""Iterations of innermost loops that a thread runs."""


def with_merged_loops(nest: n.For, schedule: Schedule, names: Names) -> tuple[tuple[n.Statement, ...], n.For]:
    """A nest with at most three loops for a grid, and what the host computes for it before.

    Parameters
    ----------
    nest
        A loop; one that is not parallel, or carries something, stays as it is.
    schedule
        What the user wrote: nests that it is about stay as they are.
    names
        Gives new variables.
    """
    chain = _chain(nest)
    if len(chain) <= len(AXES) or has_fewer_trips(chain[-1], FEW) or is_about(schedule, nest):
        return (), nest
    merged, inner = chain[: 1 + len(chain) - len(AXES)], chain[1 + len(chain) - len(AXES)]
    write = Writing(names, nest.location)
    trips = [write.op("max", write.trips(loop.start, loop.stop), 0, "trips") for loop in merged]
    product: n.Atom = trips[0]
    for each in trips[1:]:
        product = write.op("mul", product, each, "trips")
    divisors = [write.op("max", each, 1, "trips") for each in trips]
    place = names.fresh(nest.index.stem, PYINT)
    within = Writing(names, nest.location)
    rest: n.Atom = place
    for loop, divisor in zip(reversed(merged[1:]), reversed(divisors[1:]), strict=True):
        next_rest = within.op("floordiv", rest, divisor)
        offset = within.op("sub", rest, within.op("mul", next_rest, divisor))
        within.add(n.Let(loop.index, n.Binary("add", loop.start, offset, checked=False), loop.location))
        rest = next_rest
    within.add(n.Let(nest.index, n.Binary("add", nest.start, rest, checked=False), nest.location))
    between = [s for loop in merged for s in loop.body.statements[:-1]]
    body = n.Block((*within.statements, *between, inner))
    made = replace(nest, index=place, start=n.Const(0), stop=product, body=body)
    return tuple(write.statements), made


def _chain(nest: n.For) -> list[n.For]:
    """Parallel loops, each the only one in the one before it, after definitions that each iteration may do again; their
    bounds are known before the nest."""
    inside = {v.name for s in walk(n.Block((nest,))) for v in (*bound_inside(s), *defined_by(s))}
    chain: list[n.For] = []
    block = n.Block((nest,))
    while block.statements:
        *lets, loop = block.statements
        if not isinstance(loop, n.For) or loop.mapping != "parallel" or loop.args or loop.exit is not None:
            break
        if any(isinstance(a, n.Var) and a.name in inside for a in (loop.start, loop.stop)):
            break
        if chain and not all(map(_can_be_done_again, lets)):
            break
        chain.append(loop)
        block = loop.body
    return chain


def _can_be_done_again(statement: n.Statement) -> bool:
    if not isinstance(statement, n.Let) or may_raise(statement.value, statement.var.type):
        return False
    return not isinstance(statement.value, (n.Alloc, n.Load))
