"""Scans along rows inside of loops over rows that depend on one another: found for all rows before that loop.

``for i: row = 0; for j: row += x[i, j]; y[i, j] = row + y[i - 1, j]`` is a scan in each row, of which one follows the
other. The scan itself reads nothing that the rows write. So a nest before finds all running sums and keeps them in an
array; it is parallel over rows. What is left carries nothing along a row any more.

For devices, and where what is left is parallel along the row: else the array is of no use.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from weft.analysis.access.aliases import Aliases
from weft.analysis.access.structure import Structure
from weft.ir import nodes as n
from weft.ir.effects import VIEWS, block_may_raise, written_views
from weft.ir.neutral import stored_as
from weft.ir.scribe import Scribe
from weft.ir.types import PYINT, Scalar, View
from weft.ir.visit import atoms_of, defined_by, free_variables, walk
from weft.transform.parallel.parallelise import parallelise
from weft.transform.peel import Copies
from weft.transform.simplify.dce import dce
from weft.transform.support import with_loops

MOST_ARRAYS = 2
"""So many values of each element are kept at most."""


def scans_ahead(program: n.Program) -> n.Program:
    """Let a nest of its own find what rows carry, where the rows depend on one another and the scans do not.

    Parameters
    ----------
    program
        After `parallelise`.
    """
    wanted = [s.label for s in walk(program.body) if isinstance(s, n.For) and _row(s) is not None]
    for label in wanted:
        program = _found_ahead(program, label) or program
    return program


def _row(outer: n.For) -> n.For | None:
    """The loop along a row that is all there is in a loop over rows, if both run in order and only that one carries."""
    if outer.mapping != "sequential" or outer.args or outer.exit is not None or outer.index.type != PYINT:
        return None
    inside = [s for s in outer.body.statements if not isinstance(s, n.Let)]
    row = inside[0] if len(inside) == 1 else None
    if not isinstance(row, n.For) or row.mapping != "sequential" or not row.args or row.exit is not None:
        return None
    plain = row.index.type == PYINT and all(isinstance(a.var.type, Scalar) for a in row.args)
    deep = any(isinstance(s, (n.For, n.While, n.Call, n.External)) for s in walk(row.body))
    return row if plain and not deep and not block_may_raise(outer.body) else None


def _found_ahead(program: n.Program, label: str) -> n.Program | None:
    """The program with the scans of one nest before it; None where they are none, or that gives nothing."""
    structure = Structure.of(program)
    if label not in structure.loops:
        return None
    aliases, copies, labels = Aliases(structure, program.overlaps), Copies(program), list[str]()

    def change(outer: n.For) -> tuple[n.Statement, ...] | None:
        row = _row(outer) if outer.label == label else None
        made = None if row is None else _Ahead(outer, row, aliases, copies).statements()
        if row is None or made is None:
            return None
        labels.extend([made[-2].label, row.label])  # type: ignore[union-attr]
        return made

    body = with_loops(program.body, change)
    if body is program.body:
        return None
    changed = parallelise(dce(replace(program, body=body)))
    loops = {s.label: s for s in walk(changed.body) if isinstance(s, n.For)}
    return changed if all(loops[name].mapping == "parallel" for name in labels) else None


class _Ahead:
    """Takes what a row carries out of a nest."""

    def __init__(self, outer: n.For, row: n.For, aliases: Aliases, copies: Copies) -> None:
        self.outer, self.row, self.aliases, self.copies = outer, row, aliases, copies
        self.written = [v for s in walk(outer.body) for v in written_views(s)]

    def statements(self) -> tuple[n.Statement, ...] | None:
        """What makes the arrays, the nest that fills them, and the nest without what it found."""
        outer, row = self.outer, self.row
        inner = {v.name for s in outer.body.statements for v in defined_by(s)} | {outer.index.name}
        ends = {a.name for a in (row.start, row.stop) if isinstance(a, n.Var)}
        lets = [s for s in outer.body.statements if isinstance(s, n.Let)]
        if {r.name for r in row.results} & {a.name for let in lets for a in atoms_of(let) if isinstance(a, n.Var)}:
            return None
        if ends & inner or not all(map(self.reads_nothing_written, outer.body.statements)):
            return None
        scan = self.needed({a.name for a in row.body.yields if isinstance(a, n.Var)})
        if any(not isinstance(s, n.Let) or not self.reads_nothing_written(s) for s in scan):
            return None
        crossing = self.crossing(scan)
        if not crossing or len(crossing) > MOST_ARRAYS:
            return None
        write = Scribe(self.copies.names, outer.location)
        trips = [write.trips(loop.start, loop.stop) for loop in (outer, row)]
        arrays = [
            write.let(n.Alloc(tuple(trips), stored_as(v.type)), View(stored_as(v.type), 2, contiguous=True), v.stem)
            for v in crossing
        ]
        keeping = Scribe(self.copies.names, row.location)
        for array, value in zip(arrays, crossing, strict=True):
            assert isinstance(array.type, View)
            element, place = array.type.element, self.place(keeping)
            kept = value if value.type == element else keeping.let(n.Cast(value, checked=False), element)
            keeping.add(n.Store(array, place, kept, "safe", location=row.location))
        filling = replace(row, body=replace(row.body, statements=(*scan, *keeping.statements)))
        ahead = replace(outer, body=n.Block((*lets, filling)))
        return (*write.statements, self.copies.loop(ahead, outer.start, outer.stop, ()), self.rest(crossing, arrays))

    def rest(self, crossing: Sequence[n.Var], arrays: Sequence[n.Var]) -> n.For:
        """The nest that loads what was found."""
        row = self.row
        given = {v.name for v in crossing}
        loading = Scribe(self.copies.names, row.location)
        place = self.place(loading)
        for array, value in zip(arrays, crossing, strict=True):
            assert isinstance(array.type, View)
            loaded: n.Expression = n.Load(array, place, "safe")
            if array.type.element != value.type:
                loaded = n.Cast(loading.let(loaded, array.type.element), checked=False)
            loading.add(n.Let(value, loaded, row.location))
        kept = (s for s in row.body.statements if not given & {v.name for v in defined_by(s)})
        left = n.Block((*loading.statements, *kept))
        made = replace(row, args=(), results=(), body=_without_unused(left))
        lets = (s for s in self.outer.body.statements if isinstance(s, n.Let))
        return replace(self.outer, body=n.Block((*lets, made)))

    def place(self, write: Scribe) -> tuple[n.Atom, ...]:
        """Write where in the arrays the values of an iteration are."""
        return tuple(write.op("sub", loop.index, loop.start, "place") for loop in (self.outer, self.row))

    def reads_nothing_written(self, statement: n.Statement) -> bool:
        """Whether a definition makes no array, and reads nothing that the nest writes; true of all else."""
        value = statement.value if isinstance(statement, n.Let) else None
        if isinstance(value, (n.Alloc, n.Undefined, *VIEWS)):
            return False
        return not isinstance(value, n.Load) or not any(self.aliases.may_alias(value.view, v) for v in self.written)

    def needed(self, names: set[str]) -> list[n.Statement]:
        """The statements of a row's iteration that some values follow from."""
        names, found = set(names), list[n.Statement]()
        for statement in reversed(self.row.body.statements):
            if names & {v.name for v in defined_by(statement)}:
                names |= {v.name for v in free_variables(n.Block((statement,)))}
                found.append(statement)
        return found[::-1]

    def crossing(self, scan: Sequence[n.Statement]) -> list[n.Var]:
        """What follows from carried values in the scan, or is one, and is used beside it."""
        hangs = {a.var.name: a.var for a in self.row.args}
        for statement in scan:
            if any(isinstance(a, n.Var) and a.name in hangs for a in atoms_of(statement)):
                hangs.update({v.name: v for v in defined_by(statement)})
        beside = [s for s in self.row.body.statements if not any(s is other for other in scan)]
        used = {v.name for v in free_variables(n.Block(tuple(beside)))}
        return [v for name, v in hangs.items() if name in used]


def _without_unused(block: n.Block) -> n.Block:
    """A block without definitions that nothing in it uses."""
    used: set[str] = set()
    kept: list[n.Statement] = []
    for statement in reversed(block.statements):
        if isinstance(statement, n.Let) and statement.var.name not in used:
            continue
        used |= {v.name for v in free_variables(n.Block((statement,)))}
        kept.append(statement)
    return n.Block(tuple(kept[::-1]), block.yields)
