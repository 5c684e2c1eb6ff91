"""Scans along the rows of a nest that could run along diagonals: left to these where there are many rows.

``for i: for j: d[i, j] = max(d[i - 1, j], d[i, j - 1])`` is a scan in each row, and a device runs the tiles of one row
after those of the other. Along diagonals it is done sooner, unless there are few rows. So there are both.
"""

from __future__ import annotations

from dataclasses import replace

from weft.analysis.access.structure import Loop, Path
from weft.analysis.dependence import wavefronts
from weft.analysis.dependence.verdicts import Verdicts
from weft.analysis.dependence.wavefronts import LONG, Nest, inner_of, nest_of
from weft.ir import nodes as n
from weft.ir.visit import walk
from weft.transform.emit import Emitter
from weft.transform.peel import Copies
from weft.transform.support import judged, replace_at

PARALLEL = ("parallel", "reduction", "checked")


def long_diagonals(program: n.Program) -> n.Program:
    """Give nests a second form, marked by their label, that is no scan along rows."""
    if not any(inner_of(s) for s in walk(program.body)):
        return program
    verdicts, copies = judged(program), Copies(program)
    changes: dict[Path, tuple[n.Statement, ...]] = {}
    for loop in verdicts.table.structure.loops.values():
        nest = _scanned(verdicts, loop)
        changed = _both(verdicts, loop, nest, copies) if nest is not None else None
        if changed is not None:
            changes[loop.path] = changed
    return replace(program, body=replace_at(program.body, changes)) if changes else program


def _scanned(verdicts: Verdicts, loop: Loop) -> Nest | None:
    """A nest that can run along diagonals, and whose inner loop is a scan."""
    node, inner = loop.node, inner_of(loop.node)
    if inner is None or not isinstance(node, n.For) or node.args:
        return None
    inside = verdicts.loops[inner.label]
    around = (verdicts.loops[outer.label].verdict for outer in (loop, *loop.around))
    if inside.verdict != "scan" or not inside.scans or any(verdict in PARALLEL for verdict in around):
        return None
    return nest_of(verdicts.table, node, inner)


def _both(verdicts: Verdicts, loop: Loop, nest: Nest, copies: Copies) -> tuple[n.Statement, ...] | None:
    """A nest in two forms; None where it is not known before it how many rows and columns there are."""
    write = Emitter(verdicts.table.structure, loop.region, loop.position, copies.names, nest.outer.location)
    low, high = write.form(nest.low), write.form(nest.high)
    if low is None or high is None:
        return None
    rows, columns = write.trips(nest.outer.start, nest.outer.stop), write.trips(low, high)
    steps = write.op("mul", write.op("add", rows, columns), wavefronts.LEAST)
    few = write.compare("lt", write.op("mul", rows, columns), steps, "few")
    scanned = copies.block(n.Block((nest.outer,)))
    long = replace(nest.outer, label=nest.outer.label + LONG)
    return (*write.statements, n.If(few, scanned, n.Block((long,)), location=nest.outer.location))
