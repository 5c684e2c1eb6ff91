"""Nests of two loops that both depend on iterations before, along the diagonals of tiles.

``for i: for j: d[i, j] = min(d[i - 1, j], d[i, j - 1]) + c[i, j]`` has no parallel loop, but neither of the elements
that it reads is on its own diagonal. So the nest runs in square tiles: a launch for each diagonal of tiles, a block for
each tile, and in a block one diagonal of elements after the other, which its threads share::

    for front: for tile in parallel: for step: for row in parallel: (i, j) = (row of the tile, step - row)

That keeps every dependence if none goes to a later outer and an earlier inner iteration. Where some do, the inner
counter is skewed first: ``j + c * i`` takes its place, for a small ``c``.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from weft.analysis.access.access import AccessTable, table
from weft.analysis.dependence.wavefronts import LEAST, LONG, Nest, inner_of, nest_of
from weft.ir import nodes as n
from weft.ir.neutral import identity, stored_as
from weft.ir.types import View
from weft.ir.visit import walk
from weft.plan.scratch import Why
from weft.plan.transfers.views import ViewMaker
from weft.schedule.writing import Writing
from weft.transform.peel import Copies
from weft.transform.support import with_loops

SIDE = 64
"""Rows and columns of a tile, and threads of its block."""

REASON = "its rows or columns are few"


def with_wavefronts(program: n.Program, why_host: Why) -> tuple[n.Program, frozenset[str]]:
    """Let nests of which no loop is parallel run along diagonals.

    Parameters
    ----------
    program
        After the pass that marks parallel loops.
    why_host
        Why a nest cannot be a kernel; None where it can.

    Returns
    -------
    tuple
        The program, and the labels of the loops that run where diagonals are short.
    """
    if not any(inner_of(s) for s in walk(program.body)):
        return program, frozenset()
    accesses, copies, kept = table(program), Copies(program), set[str]()

    def change(loop: n.For) -> tuple[n.Statement, ...] | None:
        if loop.mapping != "sequential":
            return (loop,)
        inner = inner_of(loop)
        if inner is None:
            return _whole(loop, accesses, copies, kept, why_host)
        nest = nest_of(accesses, loop, inner)
        if nest is None:
            return None
        writer = _Writer(nest, accesses, copies)
        statements = writer.statements(loop.label.endswith(LONG))
        if why_host(writer.tiles) is not None:
            return None
        kept.update(writer.small)
        return tuple(statements)

    body = with_loops(program.body, change)
    return (program if body is program.body else replace(program, body=body)), frozenset(kept)


def _whole(
    loop: n.For, accesses: AccessTable, copies: Copies, kept: set[str], why_host: Why
) -> tuple[n.Statement, ...] | None:
    """A loop around a nest, as it is where diagonals are short: arrays move around it once then, not in each step."""
    inside = [s for s in loop.body.statements if not isinstance(s, n.Let)]
    outer = inside[0] if len(inside) == 1 else None
    if loop.args or loop.exit is not None or not isinstance(outer, n.For):
        return None
    inner = inner_of(outer)
    nest = nest_of(accesses, outer, inner) if inner is not None else None
    if nest is None or outer.label.endswith(LONG):
        return None
    ends = (accesses.forms.of(outer.start), accesses.forms.of(outer.stop), nest.low, nest.high)
    around = accesses.structure.loops[loop.label]
    if any(accesses.structure.is_inside(name, around) for form in ends for name in form.names):
        return None
    writer, write = _Writer(nest, accesses, copies), Writing(copies.names, loop.location)
    statements = writer.statements(is_long=True)
    if why_host(writer.tiles) is not None:
        return None
    first, last, low, high = (writer.views.atom(form, write.statements, write.location) for form in ends)
    few = _are_few(write, write.trips(first, last), write.trips(low, high))
    small = copies.block(n.Block((loop,)))
    kept.update(s.label for s in walk(small) if isinstance(s, n.For))
    body = tuple(new for s in loop.body.statements for new in (statements if s is outer else (s,)))
    long = replace(loop, body=replace(loop.body, statements=body))
    return (*write.statements, n.If(few, small, n.Block((long,)), location=loop.location))


def _are_few(write: Writing, rows: n.Atom, columns: n.Atom) -> n.Atom:
    """Whether diagonals are so short that a processor is done sooner."""
    steps = write.op("mul", write.op("add", rows, columns), LEAST)
    return write.compare("lt", write.op("mul", rows, columns), steps, "few")


class _Writer:
    """Writes a nest along diagonals.

    Attributes
    ----------
    tiles
        The loop over the tiles of a diagonal.
    small
        Labels of loops that run where diagonals are short.
    """

    def __init__(self, nest: Nest, accesses: AccessTable, copies: Copies) -> None:
        self.nest, self.copies = nest, copies
        self.write = Writing(copies.names, nest.outer.location)
        self.views = ViewMaker(copies.names, lambda name: accesses.structure.definition(name).var)
        self.parts: tuple[n.Var, ...] = ()
        self.small: set[str] = set()

    def statements(self, is_long: bool) -> Sequence[n.Statement]:
        """The nest; as it is where its diagonals are short, unless they are known to be long."""
        write, outer = self.write, self.nest.outer
        low, high = (
            self.views.atom(form, write.statements, write.location) for form in (self.nest.low, self.nest.high)
        )
        runs = write.both([write.compare("lt", outer.start, outer.stop), write.compare("lt", low, high)])
        with write.apart() as statements:
            rows, columns = write.op("sub", outer.stop, outer.start), write.op("sub", high, low)
            totals = self.fronts(low, rows, columns) if is_long else self.by_size(low, rows, columns)
        inits = tuple(arg.init for arg in outer.args)
        block = n.Block(tuple(statements), totals)
        write.add(n.If(runs, block, n.Block((), inits), outer.results, outer.location))
        return write.statements

    def by_size(self, low: n.Atom, rows: n.Atom, columns: n.Atom) -> tuple[n.Var, ...]:
        """Write the nest as it is, for short diagonals, and along them."""
        write, outer = self.write, self.nest.outer
        few = _are_few(write, rows, columns)
        small = self.copies.block(n.Block((outer,), outer.results))
        self.small = {s.label for s in walk(small) if isinstance(s, n.For)}
        with write.apart() as statements:
            totals = self.fronts(low, rows, columns)
        return write.branch(few, small, n.Block(tuple(statements), totals), [r.stem for r in outer.results])

    def fronts(self, low: n.Atom, rows: n.Atom, columns: n.Atom) -> tuple[n.Var, ...]:
        """Write the loop over the diagonals of tiles; what is carried afterwards."""
        write, label = self.write, self.nest.outer.label
        self.parts = tuple(
            self.cleared(arg, op, rows) for arg, op in zip(self.nest.outer.args, self.nest.folds, strict=True)
        )
        span = write.op("add", columns, write.op("mul", write.op("sub", rows, 1), self.nest.skew))
        down, across = (write.op("floordiv", write.op("add", extent, SIDE - 1), SIDE) for extent in (rows, span))
        fronts = write.op("sub", write.op("add", down, across), 1)
        with write.loop(f"{label}.fronts", 0, fronts, stem="front") as front:
            after = write.op("add", front.index, 1)
            first, last = write.op("max", write.op("sub", after, across), 0), write.op("min", down, after)
            with write.loop(f"{label}.front", first, last, "parallel", stem="tile") as tile:
                top = write.op("mul", tile.index, SIDE)
                left = write.op("mul", write.op("sub", front.index, tile.index), SIDE)
                self.tile(top, left, low, rows)
            tiles = write.statements[-1]
            assert isinstance(tiles, n.For)
            self.tiles = tiles
        return self.folded(rows)

    def cleared(self, arg: n.LoopArg, op: str, rows: n.Atom) -> n.Var:
        """Write what makes an array with the part of each row of what is carried."""
        write = self.write
        element = stored_as(arg.var.type)
        parts = write.let(n.Alloc((rows,), element), View(element, 1, contiguous=True), "parts")
        with write.loop(f"{self.nest.outer.label}.clears", 0, rows, "parallel", stem="row") as row:
            write.store(parts, (row.index,), identity(op, arg.var.type))
        return parts

    def folded(self, rows: n.Atom) -> tuple[n.Var, ...]:
        """Write the loop that folds the parts of all rows."""
        write, outer = self.write, self.nest.outer
        if not outer.args:
            return ()
        index = write.names.fresh("row", n.Const(0).type)
        args, results = [], []
        with write.apart() as statements:
            yields = []
            for arg, op, parts in zip(outer.args, self.nest.folds, self.parts, strict=True):
                total = write.fresh(arg.var.stem, arg.var.type)
                args.append(n.LoopArg(total, arg.init, op))
                results.append(write.fresh(arg.var.stem, arg.var.type))
                yields.append(write.let(n.Binary(op, total, self.part(parts, index, arg), checked=False), arg.var.type))  # type: ignore[arg-type]
        write.add(
            n.For(
                write.label(f"{outer.label}.fold"), index, n.Const(0), rows, n.Block(tuple(statements), tuple(yields)),
                tuple(args), tuple(results), mapping="parallel", location=outer.location,
            )
        )  # fmt: skip
        return tuple(results)

    def part(self, parts: n.Var, row: n.Atom, arg: n.LoopArg) -> n.Var:
        """Write the load of a row's part of what is carried."""
        found = self.write.load(parts, row)
        return found if found.type == arg.var.type else self.write.let(n.Cast(found, checked=False), arg.var.type)

    def tile(self, top: n.Atom, left: n.Atom, low: n.Atom, rows: n.Atom) -> None:
        """Write what a block does: one diagonal after the other."""
        write, label = self.write, self.nest.outer.label
        with (
            write.loop(f"{label}.steps", 0, 2 * SIDE - 1, stem="step") as step,
            write.loop(f"{label}.rows", 0, SIDE, "parallel", stem="row") as each,
        ):
            place = write.op("sub", step.index, each.index)
            row = write.op("add", top, each.index)
            inside = [write.compare("ge", place, 0), write.compare("lt", place, SIDE), write.compare("lt", row, rows)]
            with write.when(write.both(inside)):
                column = write.op("sub", write.op("add", left, place), write.op("mul", row, self.nest.skew))
                self.element(row, write.op("add", low, column))

    def element(self, row: n.Atom, column: n.Atom) -> None:
        """Write an iteration of the inner loop, if there is one."""
        write, outer, inner = self.write, self.nest.outer, self.nest.inner
        known: dict[str, n.Atom] = {
            outer.index.name: write.op("add", outer.start, row),
            inner.index.name: column,
        }
        for statement in self.nest.between:
            write.again(statement, known)
        start, stop = (known.get(end.name, end) if isinstance(end, n.Var) else end for end in (inner.start, inner.stop))
        with write.when(write.both([write.compare("le", start, column), write.compare("lt", column, stop)])):
            for arg, parts in zip(inner.args, self.parts, strict=True):
                known[arg.var.name] = self.part(parts, row, arg)
            yields = write.copy(inner.body, known)
            for value, parts in zip(yields, self.parts, strict=True):
                write.store(parts, (row,), value)
