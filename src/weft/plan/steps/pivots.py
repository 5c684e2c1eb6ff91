"""Loops in which all iterations read what one of them writes, cut before and behind that one.

``for k: for i: for j: d[i, j] = min(d[i, j], d[i, k] + d[k, j])`` changes the row and the column `k` that it reads, but
only in the iterations ``i == k`` and ``j == k``. So the loop over `i` runs up to `k`, then at `k`, then on, and in each
part the loop over `j` does. The parts follow one another as the iterations did; those of a part run at once.

For loops that carry nothing but dependences in memory, and cannot raise.
"""

from __future__ import annotations

from dataclasses import replace

from weft.analysis.access.access import AccessTable, table
from weft.analysis.access.strides import stride
from weft.analysis.access.structure import Loop
from weft.analysis.dependence.legality import can_interchange, pivots_of
from weft.analysis.dependence.wavefronts import is_plain
from weft.ir import nodes as n
from weft.ir.effects import block_may_raise
from weft.ir.types import PYINT
from weft.ir.visit import walk
from weft.plan.scratch import Why
from weft.plan.steps.steps_inside import turned
from weft.plan.transfers.views import ViewMaker
from weft.schedule.writing import Writing
from weft.transform.peel import Copies
from weft.transform.support import with_loops


def with_pivots_apart(program: n.Program, why_host: Why) -> n.Program:
    """Cut loops that run in order where that makes the parts parallel.

    Parameters
    ----------
    program
        After the pass that marks parallel loops.
    why_host
        Why a nest cannot be a kernel; None where it can.
    """
    if not any(_suits(s) for s in walk(program.body)):
        return program
    turned_round = _along_memory(program)
    cut = _with_parts(turned_round, why_host)
    return program if cut is turned_round else cut


def _with_parts(program: n.Program, why_host: Why) -> n.Program:
    """The program with loops in parts whose iterations run at once."""
    cutter = _Cutter(table(program), Copies(program))

    def change(loop: n.For) -> tuple[n.Statement, ...] | None:
        if loop.mapping != "sequential":
            return (loop,)
        statements = cutter.parts(loop) if _suits(loop) else None
        if statements is None:
            return None
        parts = [s for s in statements if isinstance(s, n.For)]
        return tuple(statements) if all(why_host(part) is None for part in parts) else None

    body = with_loops(program.body, change)
    return program if body is program.body else replace(program, body=body)


def _along_memory(program: n.Program) -> n.Program:
    """The program with pairs of loops exchanged where that is legal, and the outer one goes along memory."""
    if not any(_suits(s) and _inner(s) for s in walk(program.body)):
        return program
    accesses = table(program)

    def change(outer: n.For) -> tuple[n.Statement, ...] | None:
        inner = _inner(outer) if _suits(outer) else None
        if inner is None or outer.label not in accesses.structure.loops:
            return None
        loops = accesses.structure.loops
        if _neighbours(accesses, loops[outer.label]) <= _neighbours(accesses, loops[inner.label]):
            return None
        return (turned(outer, [inner]),) if can_interchange(accesses, outer.label, inner.label).legal else None

    body = with_loops(program.body, change)
    return program if body is program.body else replace(program, body=body)


def _inner(outer: n.Statement) -> n.For | None:
    """The innermost loop that is all there is in another one."""
    inside = [s for s in outer.body.statements if not isinstance(s, n.Let)] if isinstance(outer, n.For) else []
    inner = inside[0] if len(inside) == 1 else None
    if not isinstance(inner, n.For) or inner.mapping != "sequential":
        return None
    return None if any(isinstance(s, n.For) for s in walk(inner.body)) else inner


def _neighbours(accesses: AccessTable, loop: Loop) -> int:
    """How many accesses inside of a pair of loops go to neighbours in memory from iteration to iteration of one."""
    return sum(stride(accesses, access, loop).kind == "unit" for access in accesses.within(loop.body))


def _suits(loop: n.Statement) -> bool:
    """Whether iterations of a loop that runs in order only compute, read and store."""
    if not isinstance(loop, n.For) or loop.mapping != "sequential" or loop.args or loop.exit is not None:
        return False
    return loop.index.type == PYINT and all(map(is_plain, walk(loop.body))) and not block_may_raise(loop.body)


class _Cutter:
    def __init__(self, accesses: AccessTable, copies: Copies) -> None:
        self.accesses, self.copies = accesses, copies
        self.views = ViewMaker(copies.names, lambda name: accesses.structure.definition(name).var)

    def parts(self, loop: n.For) -> list[n.Statement] | None:
        """A loop in three parts, whose iterations run at once; None where they do not."""
        pivot = (
            next(pivots_of(self.accesses, loop.label), None) if loop.label in self.accesses.structure.loops else None
        )
        if pivot is None:
            return None
        write = Writing(self.copies.names, loop.location)
        at = self.views.atom(pivot, write.statements, loop.location)
        at = write.op("max", loop.start, write.op("min", at, loop.stop))
        behind = write.op("max", at, write.op("min", write.op("add", at, 1), loop.stop))
        whole = replace(loop, body=self.inner(loop.body), mapping="parallel")
        for start, stop in ((loop.start, at), (at, behind), (behind, loop.stop)):
            write.add(self.copies.loop(whole, start, stop, ()))
        return write.statements

    def inner(self, block: n.Block) -> n.Block:
        """A block with the loops in it in parts, where they can be."""

        def change(loop: n.For) -> tuple[n.Statement, ...] | None:
            parts = self.parts(loop) if _suits(loop) else None
            return None if parts is None else tuple(parts)

        return with_loops(block, change)
