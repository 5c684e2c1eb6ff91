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
from weft.analysis.dependence.dependence import carried
from weft.analysis.dependence.legality import can_interchange, pivots_of
from weft.analysis.dependence.wavefronts import is_plain
from weft.ir import nodes as n
from weft.ir.effects import block_may_raise
from weft.ir.neutral import stored_as
from weft.ir.types import PYINT, Scalar, View
from weft.ir.visit import walk
from weft.plan.scratch import Why
from weft.plan.steps.steps_inside import turned
from weft.plan.transfers.views import ViewMaker
from weft.schedule.writing import Writing
from weft.transform.peel import Copies
from weft.transform.simplify.dce import dce
from weft.transform.support import spliced, with_loops


def with_pivots_apart(program: n.Program, why_host: Why) -> n.Program:
    """Cut loops that run in order where that makes the parts parallel.

    Parameters
    ----------
    program
        After the pass that marks parallel loops.
    why_host
        Why a nest cannot be a kernel; None where it can.
    """
    labels = [s.label for s in walk(program.body) if isinstance(s, n.For) and _suits(s)]
    for prepared in (_along_memory, _with_loads_ahead):
        for label in labels:
            found = prepared(program, label)
            program = (found and _with_parts(*found, why_host)) or program
    return (labels and _with_parts(program, None, why_host)) or program


def _with_parts(program: n.Program, label: str | None, why_host: Why) -> n.Program | None:
    """The program with a loop in parts whose iterations run at once, or all loops for which that is possible."""
    cutter = _Cutter(table(program), Copies(program))

    def change(loop: n.For) -> tuple[n.Statement, ...] | None:
        if loop.mapping != "sequential":
            return (loop,)
        stays = any(isinstance(s, n.For) and s.mapping == "parallel" and why_host(s) for s in walk(loop.body))
        may_cut = _suits(loop) and not stays and label in (None, loop.label)
        statements = cutter.parts(loop) if may_cut else None
        if statements is None:
            return None
        parts = [s for s in statements if isinstance(s, n.For)]
        return tuple(statements) if all(why_host(part) is None for part in parts) else None

    body = with_loops(program.body, change)
    return None if body is program.body else replace(program, body=body)


def _along_memory(program: n.Program, label: str) -> tuple[n.Program, str] | None:
    """The program with a loop and the one in it exchanged, and which is outside then: where that is legal, and the
    outer one goes along memory."""
    outer, inner = _pair(program, label)
    if outer is None or inner is None or inner.mapping != "sequential":
        return None
    accesses = table(program)
    loops = accesses.structure.loops
    if _neighbours(accesses, loops[label]) <= _neighbours(accesses, loops[inner.label]):
        return None
    if not can_interchange(accesses, label, inner.label).legal:
        return None
    nest = turned(outer, [inner])
    body = with_loops(program.body, lambda loop: (nest,) if loop is outer else None)
    return replace(program, body=body), inner.label


def _with_loads_ahead(program: n.Program, label: str) -> tuple[n.Program, str] | None:
    """The program with what the iterations of a loop read, before the loop in them, found for all of them before: where
    none reads what an earlier one writes."""
    outer, inner = _pair(program, label)
    if outer is None or inner is None or inner.mapping != "parallel" or outer.body.statements[-1] is not inner:
        return None
    if not any(isinstance(s, n.Let) and isinstance(s.value, n.Load) for s in outer.body.statements):
        return None
    accesses, copies = table(program), Copies(program)
    found = _early(accesses, accesses.structure.loops[label], outer)
    if found is None:
        return None
    let, before = found
    write, late = Writing(copies.names, outer.location), Writing(copies.names, let.location)
    element, trips = stored_as(let.var.type), write.trips(outer.start, outer.stop)
    array = write.let(n.Alloc((trips,), element), View(element, 1, contiguous=True), let.var.stem)
    with write.loop(copies.labels.fresh(f"{label}.ahead"), 0, trips, "parallel", stem="row") as row:
        known = {outer.index.name: write.op("add", outer.start, row.index)}
        (value,) = write.copy(copies.block(n.Block(before, (let.var,))), known)
        write.store(array, (row.index,), value)
    place = late.op("sub", outer.index, outer.start)
    late.add(n.Let(let.var, n.Load(array, (place,), "safe"), let.location))
    body = spliced(outer.body, lambda statement, _: tuple(late.statements) if statement is let else None)
    rest = replace(outer, body=body)
    changed = with_loops(program.body, lambda loop: (*write.statements, rest) if loop is outer else None)
    return dce(replace(program, body=changed)), label


def _early(accesses: AccessTable, loop: Loop, outer: n.For) -> tuple[n.Let, tuple[n.Statement, ...]] | None:
    """The one load of a loop from an array that it writes, and the definitions up to it: where no iteration reads there
    what an earlier one wrote."""
    written = [a.array for a in accesses.within(loop.body) if a.writes]
    found = [
        (k, s)
        for k, s in enumerate(outer.body.statements)
        if isinstance(s, n.Let) and isinstance(s.value, n.Load) and isinstance(s.var.type, Scalar)
        if any(accesses.aliases.may_alias(s.value.view, array) for array in written)
    ]
    if len(found) != 1:
        return None
    ((position, let),) = found
    depth = len(loop.body.path)
    if any(dependence.sink.site.path[depth] == position for dependence in carried(accesses, loop)):
        return None
    return let, outer.body.statements[: position + 1]


def _pair(program: n.Program, label: str) -> tuple[n.For | None, n.For | None]:
    """A loop, and the innermost one that is all there is in it, definitions aside."""
    outer = next((s for s in walk(program.body) if isinstance(s, n.For) and s.label == label), None)
    inside = [s for s in outer.body.statements if not isinstance(s, n.Let)] if outer is not None else []
    inner = inside[0] if len(inside) == 1 else None
    if not isinstance(inner, n.For) or inner.args or any(isinstance(s, n.For) for s in walk(inner.body)):
        return outer, None
    return outer, inner


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
