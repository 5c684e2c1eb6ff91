"""Rows of very different length, which an array tells: long ones in pieces, before all rows are computed.

A few threads share each row of a sparse matrix, so one row of a million elements would keep its threads busy long after
all others are done. Three kernels go first: one clears, one notes in which pieces of `PIECE` iterations the rows lie
that have at least so many, one folds each of these pieces. The nest itself then takes what its pieces gave in place of
the iterations of a long row. Pieces are numbered by where they begin, so rows must not overlap: they do not where each
ends at the element of the array where the next one begins, and none ends before it begins. The second kernel notes if
one does, and then no row counts as long.

Which pieces there are follows from the array alone, so that the result is the same on every run. Pieces store nothing
of the user's: an index outside is noted, and fails where its row is computed.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import cast

from weft.ir import nodes as n
from weft.ir.effects import may_raise
from weft.ir.neutral import identity, stored_as
from weft.ir.types import INT32, INT64, PYBOOL, PYINT, Scalar, View
from weft.ir.visit import Names, free_variables, walk
from weft.schedule.deal import is_commutative
from weft.schedule.nests import Reduction, flattened, grid_chain, is_repeatable, reduction_in, slice_of
from weft.schedule.writing import Writing

PIECE = 512
"""Iterations of a piece; the last one of a row has up to twice as many."""

FEW = 1 << 18
"""Elements of an array whose rows are not cut."""

OUTSIDE = n.Const(1, INT32)
"""What is noted of an index outside."""


@dataclass(frozen=True)
class Row:
    """Where a row begins and ends, what else must hold of a long one, and what stands for variables in it."""

    first: n.Atom
    last: n.Atom
    condition: n.Atom
    values: Mapping[str, n.Atom]


@dataclass(frozen=True)
class Uneven:
    """What goes before a nest, and the nest itself.

    `before` computes extents and makes the `arrays`, of which the first says which row a piece belongs to. Then come
    the kernels `clears`, `notes` and `folds`, and the `nest`. The loops with the labels `row` and `piece` fold the
    iterations of a row, and of a piece.
    """

    before: tuple[n.Statement, ...]
    arrays: tuple[n.Var, ...]
    clears: n.For
    notes: n.For
    folds: n.For
    nest: n.For
    row: str
    piece: str


def uneven(nest: n.For, names: Names) -> Uneven | None:
    """A nest over rows that an array cuts another one into, with long rows in pieces; None for all other nests.

    Parameters
    ----------
    nest
        A parallel nest that gives no results.
    names
        A supply of names that the program does not have.
    """
    block = n.Block((nest,))
    kernel = n.Kernel("", free_variables(block), block)
    chain = grid_chain(kernel)
    found = _reduction(flattened(chain)) if len(chain) == 1 and chain[0] is nest else None
    if found is None or not all(is_repeatable(s, kernel) for s in found.before.statements):
        return None
    ends = _ends(nest, found)
    array = _read_along(found.loop, kernel)
    if ends is None or array is None or not _are_values(found.loop.body, kernel):
        return None
    return _Writer(nest, names, found, ends, array).written()


def _reduction(flat: n.Block) -> Reduction | None:
    """The only loop of an iteration, a reduction of numbers in any order; on the other side of a branch may be more."""
    loops = [s for s in walk(flat) if isinstance(s, n.For) and s.mapping == "parallel" and s.args]
    found = reduction_in(flat, loops[0].label) if loops else None
    if found is None or found.loop.exit is not None or not all(map(is_commutative, found.loop.args)):
        return None
    spare = [] if found.guard is None else _loops(found.guard.orelse)
    others = [*_loops(found.before), *_loops(found.after)]
    return found if len(others) == len(spare) and all(isinstance(a.var.type, Scalar) for a in found.loop.args) else None


def _loops(block: n.Block) -> list[n.Statement]:
    return [s for s in walk(block) if isinstance(s, (n.For, n.While))]


def _ends(nest: n.For, found: Reduction) -> tuple[n.Atom, n.Atom] | None:
    """Where a row begins and ends, if an element of an array and the next one say so."""
    lets = {s.var.name: s.value for s in found.before.statements if isinstance(s, n.Let)}
    ends = [_chosen(a, lets) if found.guard is not None else a for a in (found.loop.start, found.loop.stop)]
    first, last = (_element(a, lets, nest.index) for a in ends)
    if first is None or last is None or first[0] != last[0] or last[1] - first[1] != 1:
        return None
    return ends[0], ends[1]


Lets = Mapping[str, n.Expression]


def _value(atom: n.Atom, lets: Lets) -> n.Expression | None:
    return lets.get(atom.name) if isinstance(atom, n.Var) else None


def _chosen(atom: n.Atom, lets: Lets) -> n.Atom:
    """An end of a loop on one side of a branch, which is empty where the other side is taken."""
    value = _value(atom, lets)
    return value.then if isinstance(value, n.Select) else atom


def _element(atom: n.Atom, lets: Lets, index: n.Var) -> tuple[n.Var, int] | None:
    """The array whose element an atom is, and how far the element is from an index."""
    value = _value(atom, lets)
    while isinstance(value, n.Cast):
        value = _value(value.operand, lets)
    if not isinstance(value, n.Load) or len(value.indices) != 1 or value.mask is not None:
        return None
    distance = _distance(value.indices[0], lets, index)
    return None if distance is None else (value.view, distance)


def _distance(atom: n.Atom, lets: Lets, index: n.Var) -> int | None:
    """How far a place is from an index, where that is a constant."""
    moved = _value(atom, lets)
    if not isinstance(moved, n.Binary) or moved.left != index or not isinstance(moved.right, n.Const):
        return 0 if atom == index else None
    distance = int(moved.right.value.real)
    return {"add": distance, "sub": -distance}.get(moved.op)


def _read_along(loop: n.For, kernel: n.Kernel) -> n.Var | None:
    """An array whose elements the iterations of a row read one after the other: rows lie within it."""
    for statement in loop.body.statements:
        load = statement.value if isinstance(statement, n.Let) else None
        if isinstance(load, n.Load) and load.indices == (loop.index,) and load.view in kernel.params:
            return load.view
    return None


def _are_values(body: n.Block, kernel: n.Kernel) -> bool:
    """Whether an iteration computes values only, and nothing in it fails but indices of arrays from outside."""
    lets = [s for s in body.statements if isinstance(s, n.Let)]
    if len(lets) < len(body.statements):
        return False
    tested = [s.value for s in lets if isinstance(s.value, n.Load) and s.value.bounds != "safe"]
    others = [s for s in lets if not isinstance(s.value, n.Load)]
    known = all(load.view in kernel.params and load.bounds in ("python", "check") for load in tested)
    return known and not any(may_raise(s.value, s.var.type) or isinstance(s.value, n.Alloc) for s in others)


class _Writer:
    def __init__(self, nest: n.For, names: Names, found: Reduction, ends: tuple[n.Atom, n.Atom], array: n.Var) -> None:
        self.nest, self.names, self.found, self.ends, self.array = nest, names, found, ends, array
        self.write = Writing(names, nest.location)
        self.stem = nest.label
        loads = [s.value for s in found.loop.body.statements if isinstance(s, n.Let)]
        self.tested = [v for v in loads if isinstance(v, n.Load) and v.bounds != "safe"]

    def written(self) -> Uneven:
        """All of it."""
        self._extents()
        before = tuple(self.write.statements)
        piece = f"{self.found.loop.label}.piece"
        kernels = self._clears(), self._notes(), self._folds(piece)
        arrays = (self.noted, *self.parts, *self.wrong)
        return Uneven(before, arrays, *kernels, self._nest(), self.found.loop.label, piece)

    def _extents(self) -> None:
        """What the host computes: how many pieces there may be, none where it is not worth it, and their arrays."""
        write, nest = self.write, self.nest
        self.extent = write.let(n.Dim(self.array, 0), PYINT, "extent")
        conditions = [write.compare("lt", nest.start, nest.stop), write.compare("ge", self.extent, FEW)]
        for view, axis in dict.fromkeys((load.view, axis) for load in self.tested for axis in range(len(load.indices))):
            conditions.append(write.compare("gt", write.let(n.Dim(view, axis), PYINT, "extent"), 0))
        are_many = write.both(conditions)
        most = write.op("add", write.op("floordiv", self.extent, PIECE), 1)
        self.pieces = self._select(are_many, most, n.Const(0), "pieces")
        self.cleared = self._select(are_many, write.op("add", most, 1), n.Const(0), "cleared")
        self.last_row = self._select(are_many, nest.stop, nest.start, "rows")
        room = write.op("add", self.pieces, 1)
        self.noted = self._alloc(room, INT64, "noted")
        self.parts = [self._alloc(room, stored_as(arg.var.type), "part") for arg in self.found.loop.args]
        self.wrong = [self._alloc(room, INT32, "wrong")] if self.tested else []

    def _alloc(self, extent: n.Atom, element: Scalar, stem: str) -> n.Var:
        return self.write.let(n.Alloc((extent,), element), View(element, 1, contiguous=True), stem)

    def _select(self, condition: n.Atom, then: n.Atom, orelse: n.Atom, stem: str = "t") -> n.Var:
        return self.write.let(n.Select(condition, then, orelse), then.type, stem)

    # ------------------------------------------------------------------------------------------------ kernels

    def _kernel(self, label: str, index: n.Var, stop: n.Atom, body: Sequence[n.Statement], start: n.Atom) -> n.For:
        block = n.Block(tuple(body))
        return n.For(f"{self.stem}.{label}", index, start, stop, block, mapping="parallel", location=self.nest.location)

    def _clears(self) -> n.For:
        """No piece belongs to a row; what follows the last one says that no row ends before it begins."""
        index = self.names.fresh("piece", PYINT)
        with self.write.apart() as body:
            is_piece = self.write.compare("lt", index, self.pieces)
            self.write.store(self.noted, (index,), self._select(is_piece, n.Const(-1, INT64), n.Const(0, INT64)))
        return self._kernel("clears", index, self.cleared, body, n.Const(0))

    def _notes(self) -> n.For:
        """Note of each long row which pieces it has, and whether a row ends before it begins."""
        write, index = self.write, self.names.fresh(self.nest.index.stem, PYINT)
        with write.apart() as body:
            row = self._row(index)
            with write.when(write.compare("lt", row.last, row.first)):
                write.add(n.Update("max", self.noted, (self.pieces,), n.Const(1, INT64), "safe", write.location))
            with write.when(self._is_long(row)):
                base, count = self._pieces(row.first, row.last)
                number = write.let(n.Cast(index, checked=False), INT64, "row")
                with write.loop(f"{self.stem}.noted", 0, count, stem="piece") as loop:
                    write.store(self.noted, (write.op("add", base, loop.index),), number)
        return self._kernel("notes", index, self.last_row, body, self.nest.start)

    def _folds(self, label: str) -> n.For:
        """Fold the iterations of each piece that belongs to a row."""
        write, piece = self.write, self.names.fresh("piece", PYINT)
        with write.apart() as body:
            number = write.let(n.Cast(write.load(self.noted, piece), checked=False), PYINT, "row")
            is_there = write.both([write.compare("ge", number, 0), self._are_ordered()])
            row = self._row(self._select(is_there, number, self.nest.start))
            first = self._select(is_there, row.first, n.Const(0))
            base, count = self._pieces(first, row.last)
            place = write.op("sub", piece, base)
            begin = write.op("add", first, write.op("mul", place, PIECE))
            is_last = write.compare("eq", write.op("add", place, 1), count)
            end = self._select(is_last, row.last, write.op("add", begin, PIECE))
            start, stop = (self._select(is_there, a, n.Const(0)) for a in (begin, end))
            values = self._loop(label, start, stop, row.values)
            for part, value in zip((*self.parts, *self.wrong), values, strict=True):
                write.store(part, (piece,), value)
        return self._kernel("folds", piece, self.pieces, body, n.Const(0))

    def _loop(self, label: str, start: n.Atom, stop: n.Atom, values: Mapping[str, n.Atom]) -> tuple[n.Atom, ...]:
        """Write the loop over a piece, in which indices outside are noted; what it gives, and if there were any."""
        write, loop = self.write, self.found.loop
        args = [replace(a, init=identity(a.combine or "", a.var.type)) for a in loop.args]
        wrong: n.Atom = self.names.fresh("wrong", INT32)
        if self.tested:
            args.append(n.LoopArg(cast(n.Var, wrong), n.Const(0, INT32), "or"))
        results = tuple(self.names.fresh(a.var.stem, a.var.type) for a in args)
        with write.apart() as statements:
            for statement in loop.body.statements:
                wrong = self._tested(cast(n.Let, statement), wrong)
        body = n.Block(tuple(statements), (*loop.body.yields, wrong)[: len(args)])
        made = replace(loop, label=label, start=start, stop=stop, body=body, args=tuple(args), results=results)
        return write.copy(n.Block((made,), results), values)

    def _tested(self, let: n.Let, wrong: n.Atom) -> n.Atom:
        """Write a definition of the loop's, with indices forced inside; what is noted with those of it."""
        write, load = self.write, let.value
        if not isinstance(load, n.Load) or load.bounds == "safe":
            write.add(let)
            return wrong
        indices: list[n.Atom] = []
        with write.at(let):
            for axis, index in enumerate(load.indices):
                extent = write.let(n.Dim(load.view, axis), PYINT, "extent")
                if load.bounds == "python":
                    added = self._select(write.compare("lt", index, 0), extent, n.Const(0))
                    index = write.op("add", index, added)
                is_inside = write.both([write.compare("ge", index, 0), write.compare("lt", index, extent)])
                indices.append(self._select(is_inside, index, n.Const(0), "inside"))
                outside = self._select(is_inside, n.Const(0, INT32), OUTSIDE)
                wrong = write.let(n.Binary("or", wrong, outside, checked=False), INT32, "wrong")
        write.add(replace(let, value=replace(load, indices=tuple(indices), bounds="safe")))
        return wrong

    def _nest(self) -> n.For:
        """The nest, whose long rows take what their pieces gave."""
        write, found = self.write, self.found
        condition = found.guard.condition if found.guard is not None else n.Const(True, PYBOOL)
        raw = tuple(self.names.fresh(r.stem, r.type) for r in found.loop.results)
        with write.apart() as body:
            write.add(*found.before.statements)
            first, last = self.ends
            conditions = [write.compare("gt", self.pieces, 0), self._are_ordered()]
            is_long = write.both([*conditions, self._is_long(Row(first, last, condition, {}))])
            stop = self._select(is_long, found.loop.start, found.loop.stop)
            write.add(replace(found.loop, stop=stop, results=raw))
            is_short = write.let(n.Unary("not", is_long, checked=False), PYBOOL, "short")
            with write.apart() as folded:
                results = self._together(first, last)
            sides = n.Block((), raw), n.Block(tuple(folded), results)
            write.add(n.If(is_short, *sides, found.loop.results, write.location), *found.after.statements)
        return replace(self.nest, body=n.Block(tuple(body)))

    def _together(self, first: n.Atom, last: n.Atom) -> tuple[n.Atom, ...]:
        """Fold what the pieces of a row gave, and fail if one had an index outside."""
        write, args = self.write, self.found.loop.args
        base, count = self._pieces(first, last)
        inits = [*(arg.init for arg in args), *(n.Const(0, INT32) for _ in self.wrong)]
        with write.loop(f"{self.stem}.together", 0, count, carried=inits, stem="piece") as loop:
            place = write.op("add", base, loop.index)
            folded: list[n.Atom] = []
            for arg, part, value in zip(args, self.parts, loop.values, strict=False):
                given = write.load(part, place)
                if given.type != arg.var.type:
                    given = write.let(n.Cast(given, checked=False), arg.var.type)
                op = cast(n.BinaryOp, arg.combine)
                folded.append(write.let(n.Binary(op, value, given, checked=False), arg.var.type, arg.var.stem))
            for noted in self.wrong:
                wrong = n.Binary("or", loop.values[-1], write.load(noted, place), checked=False)
                folded.append(write.let(wrong, INT32, "wrong"))
            loop.next = tuple(folded)
        if self.wrong:
            wrong_ones = write.let(n.Cast(loop.results[-1], checked=False), PYINT, "wrong")
            with write.when(write.compare("ne", wrong_ones, 0)):
                write.add(n.Raise("IndexError", "index out of bounds", location=self.found.loop.location))
        return loop.results[: len(args)]

    # --------------------------------------------------------------------------------------------------- rows

    def _row(self, index: n.Atom) -> Row:
        """Write what a row needs of the definitions before its loop."""
        guard = self.found.guard
        condition = guard.condition if guard is not None else n.Const(True, PYBOOL)
        wanted = self.found.wanted() | {a.name for a in (*self.ends, condition) if isinstance(a, n.Var)}
        needed = slice_of(self.found.before, wanted).statements
        defined = tuple(s.var for s in needed if isinstance(s, n.Let))
        made = self.write.copy(n.Block(needed, (*defined, *self.ends, condition)), {self.nest.index.name: index})
        values = {self.nest.index.name: index, **{v.name: a for v, a in zip(defined, made, strict=False)}}
        first, last, holds = made[len(defined) :]
        return Row(first, last, holds, values)

    def _is_long(self, row: Row) -> n.Atom:
        """Whether a row has pieces: it lies in the array, and is long enough."""
        write = self.write
        inside = [row.condition, write.compare("ge", row.first, 0), write.compare("le", row.last, self.extent)]
        return write.both([*inside, write.compare("ge", write.op("sub", row.last, row.first), PIECE)])

    def _are_ordered(self) -> n.Atom:
        """Whether no row ends before it begins."""
        noted = self.write.let(n.Cast(self.write.load(self.noted, self.pieces), checked=False), PYINT, "noted")
        return self.write.compare("eq", noted, 0)

    def _pieces(self, first: n.Atom, last: n.Atom) -> tuple[n.Atom, n.Atom]:
        """The first piece of a row, and how many it has."""
        write = self.write
        return write.op("floordiv", first, PIECE), write.op("floordiv", write.op("sub", last, first), PIECE)
