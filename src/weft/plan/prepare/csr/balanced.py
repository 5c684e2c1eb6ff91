"""Rows of very different length, which an array tells: work is cut by entries, and long rows into pieces.

A few threads share each row of a sparse matrix, so one row of a million entries would keep its threads busy long after
all others are done; and threads that share rows wait for the longest one of theirs. So rows and entries are numbered
together, each row before its entries, and every `count` of these numbers are a tile. The rows that begin in a tile are
the work of one block, see `weft.plan.prepare.csr.entries`. A row that goes on in later tiles is cut at their borders:
what each of them has of it is a piece. Two small kernels go first: one clears a note, one notes which row is the first
of each tile. Pieces are folded with their tiles; where what an entry gives depends on its row, by a third kernel
before.

Rows need not be in order. If one ends before it begins, or lies outside of its array, that is noted: then no row is
cut, and each row is computed by itself. Which pieces there are follows from the array of ends alone, so that the
result is the same on every run. Pieces store nothing of the user's: an index outside is noted, and fails where its row
is computed.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import cast

from weft.ir import nodes as n
from weft.ir.neutral import identity, stored_as
from weft.ir.scribe import TRUE
from weft.ir.types import INT32, INT64, PYBOOL, PYINT, Scalar, View
from weft.ir.visit import Names
from weft.plan.prepare.csr.rows import Rows
from weft.schedule.nests import slice_of
from weft.schedule.writing import Writing
from weft.transform.whole_loop import WholeLoop

COUNT = 2048
"""Rows and entries of a tile."""

FEW = 1 << 18
"""Elements of an array whose rows are not cut."""

AT_ONCE = 8
"""Pieces of a row that a thread reads before it adds them up."""

OUTSIDE = n.Const(1, INT32)
"""What is noted of an index outside."""


@dataclass(frozen=True)
class Row:
    """Where a row lies in its array, from where to where it is folded, whether it is, and what stands for variables."""

    begin: n.Atom
    end: n.Atom
    first: n.Atom
    last: n.Atom
    condition: n.Atom
    values: Mapping[str, n.Atom]


@dataclass(frozen=True)
class Uneven:
    """What goes before a nest.

    `before` computes extents and makes the `arrays`; the nest is to run in this way where `are_many`. Then come the
    kernels `clears` and `notes`.
    """

    before: tuple[n.Statement, ...]
    are_many: n.Atom
    arrays: tuple[n.Var, ...]
    clears: n.For
    notes: n.For


class UnevenWriter:
    """Writes what goes before a nest, and the nest itself with rows in pieces.

    Parameters
    ----------
    rows
        The nest.
    names
        A supply of names that the program does not have.
    count
        Rows and entries of a tile.
    few
        Elements of an array whose rows are not cut.
    whole
        What is known of the whole loop where the nest is a piece of one. Tiles are those of the whole loop then, so
        that sums are cut where it cuts them; only the rows of the piece are stored.
    """

    def __init__(self, rows: Rows, names: Names, count: int, few: int, whole: WholeLoop) -> None:
        self.rows, self.names, self.count, self.few, self.whole = rows, names, count, few, whole
        self.nest, self.found = rows.nest, rows.found
        self.write = Writing(names, self.nest.location)
        loads = [s.value for s in self.found.loop.body.statements if isinstance(s, n.Let)]
        self.tested = [v for v in loads if isinstance(v, n.Load) and v.bounds != "safe"]
        self._extents()

    def written(self) -> Uneven:
        """What goes before the nest."""
        before = tuple(self.write.statements)
        arrays = (self.noted, self.begins, self.disorder, *self.parts, *self.heads, *self.wrong)
        return Uneven(before, self.are_many, arrays, self._clears(), self._notes())

    def nest_in_pieces(self) -> n.For:
        """The nest, whose rows take what their pieces gave."""
        with self.write.apart() as body:
            is_cut = self.write.both([self.write.compare("gt", self.tiles, 0), self.are_ordered()])
            self.whole_row(is_cut, lambda stop, results: self.write.add(self.unfolded(stop, results)))
        return replace(self.nest, body=n.Block(tuple(body)))

    # ------------------------------------------------------------------------------------------------ extents

    def _extents(self) -> None:
        """What the host computes: how many tiles there may be, none where it is not worth it, and their arrays."""
        write, nest = self.write, self.nest
        self.extent = write.let(n.Dim(self.rows.array, 0), PYINT, "extent")
        self.first, self.stop = self._all_rows()
        conditions = [write.compare("lt", nest.start, nest.stop), write.compare("ge", self.extent, self.few)]
        conditions += self._are_there() if self.is_part else []
        for view, axis in dict.fromkeys((load.view, axis) for load in self.tested for axis in range(len(load.indices))):
            conditions.append(write.compare("gt", write.let(n.Dim(view, axis), PYINT, "extent"), 0))
        self.are_many = write.both(conditions)
        numbers = write.op("add", self.extent, write.op("sub", self.stop, self.first))
        most = write.op("add", write.op("floordiv", numbers, self.count), 1)
        self.tiles = self.select(self.are_many, most, n.Const(0), "tiles")
        self.cleared = self.select(self.are_many, n.Const(1), n.Const(0), "cleared")
        self.last_row = self.select(self.are_many, self.stop, self.first, "rows")
        self.room = write.op("add", self.tiles, 1, "room")
        self.noted = self._alloc(self.room, INT64, "noted")
        self.begins = self._alloc(self.room, INT64, "begins")
        self.disorder = self._alloc(n.Const(1), INT64, "disorder")
        self.parts = self.one_each("part")
        self.heads: list[n.Var] = []
        self.wrong: list[n.Var] = []
        self.kept_of_tiles()

    def _all_rows(self) -> tuple[n.Atom, n.Atom]:
        """The first row that is numbered, and the one behind the last."""
        if self.whole.is_cut and not all(map(_is_exact, self.found.loop.args)):
            return self.whole.of(self.nest.start, self.write), self.whole.of(self.nest.stop, self.write)
        return self.nest.start, self.nest.stop

    @property
    def is_part(self) -> bool:
        """Whether rows are numbered that are not the nest's own."""
        return (self.first, self.stop) != (self.nest.start, self.nest.stop)

    def _are_there(self) -> list[n.Atom]:
        """Whether what tells where rows lie is there for all of them, not only for the nest's own.

        Raises
        ------
        UnsupportedError
            That is not known.
        """
        write, last = self.write, self.write.op("sub", self.stop, 1)
        conditions: list[n.Atom] = []
        for let in slice_of(self.found.before, self.rows.wanted()).statements:
            load = let.value if isinstance(let, n.Let) else None
            if isinstance(load, n.Load):
                distance = self.rows.distance_of(load)
                if distance is None:
                    raise self.whole.refusal(let, "where other rows lie")
                extent = write.let(n.Dim(load.view, 0), PYINT, "extent")
                conditions.append(write.compare("ge", write.op("add", self.first, distance), 0))
                conditions.append(write.compare("lt", write.op("add", last, distance), extent))
        return conditions

    def around(self) -> tuple[n.Var, ...]:
        """The arrays of which it reads what belongs to rows that are not the nest's own."""
        loops = (*slice_of(self.found.before, self.rows.wanted()).statements, *self.found.loop.body.statements)
        loads = (s.value for s in loops if isinstance(s, n.Let))
        return tuple(dict.fromkeys(v.view for v in loads if isinstance(v, n.Load))) if self.is_part else ()

    def of_entries(self) -> tuple[tuple[n.Var, ...], tuple[n.Var, ...]]:
        """The arrays that each entry reads at its own number, and those that it reads at other places. Blocks also read
        entries beside those of rows: runs of them, and those of rows that are not the nest's own."""
        loads = [s.value for s in self.found.loop.body.statements if isinstance(s, n.Let)]
        found = [load for load in loads if isinstance(load, n.Load)]
        elsewhere = {v.view for v in found if v.indices[0] != self.found.loop.index}
        elsewhere |= {view for view in self.around() if view not in {v.view for v in found}}
        beside = tuple(dict.fromkeys(v.view for v in found if v.view not in elsewhere))
        return beside, tuple(elsewhere)

    def reach(self) -> int:
        """How many entries before and behind those of the nest's own rows it reads at most: those of a tile."""
        return self.count

    def is_own(self, row: n.Atom) -> list[n.Atom]:
        """Conditions under which a row that is numbered is the nest's own."""
        if not self.is_part:
            return []
        return [self.write.compare("ge", row, self.nest.start), self.write.compare("lt", row, self.nest.stop)]

    def kept_of_tiles(self) -> None:
        """More arrays: whether a piece has an index outside."""
        self.wrong = [self._alloc(self.room, INT32, "wrong")] if self.tested else []

    def one_each(self, stem: str) -> list[n.Var]:
        """Arrays of one value of each that a row folds, for each tile."""
        return [self._alloc(self.room, stored_as(arg.var.type), stem) for arg in self.found.loop.args]

    def _alloc(self, extent: n.Atom, element: Scalar, stem: str) -> n.Var:
        return self.write.let(n.Alloc((extent,), element), View(element, 1, contiguous=True), stem)

    def select(self, condition: n.Atom, then: n.Atom, orelse: n.Atom, stem: str = "t") -> n.Var:
        """One of two values."""
        return self.write.let(n.Select(condition, then, orelse), then.type, stem)

    # ------------------------------------------------------------------------------------------------ kernels

    def kernel(self, label: str, index: n.Var, stop: n.Atom, body: Sequence[n.Statement], start: n.Atom) -> n.For:
        """A parallel loop."""
        block = n.Block(tuple(body))
        stem, location = self.nest.label, self.nest.location
        return n.For(f"{stem}.{label}", index, start, stop, block, mapping="parallel", location=location)

    def _clears(self) -> n.For:
        """Note that no rows are out of order so far."""
        index = self.names.fresh("note", PYINT)
        with self.write.apart() as body:
            self.write.store(self.disorder, (index,), n.Const(0, INT64))
        return self.kernel("clears", index, self.cleared, body, n.Const(0))

    def _notes(self) -> n.For:
        """Note of each tile its first row, and where the entries of that begin; and whether rows are out of order."""
        write, index = self.write, self.names.fresh(self.nest.index.stem, PYINT)
        with write.apart() as body:
            row = self.row(index)
            inside = [write.compare("ge", row.begin, 0), write.compare("le", row.end, self.extent)]
            is_ordered = write.both([*inside, write.compare("le", row.begin, row.end)])
            with write.when(write.let(n.Unary("not", is_ordered, checked=False), PYBOOL, "outside")):
                write.add(n.Update("max", self.disorder, (n.Const(0),), n.Const(1, INT64), "safe", write.location))
            own, following = (self.divided(a, self.count) for a in self._numbers(row, index))
            first = write.compare("eq", index, self.first)
            after = write.op("add", index, 1)
            is_last = write.compare("eq", after, self.stop)
            end = self.select(is_last, self.room, write.op("add", following, 1))
            with write.when(first):
                self._note("before", n.Const(0), write.op("add", own, 1), index, row.begin)
            self._note("noted", write.op("add", own, 1), end, after, row.end)
        return self.kernel("notes", index, self.last_row, body, self.first)

    def _note(self, name: str, first: n.Atom, end: n.Atom, row: n.Atom, entry: n.Atom) -> None:
        """Note of some tiles that a row is their first, and where its entries begin."""
        write = self.write
        with write.when(write.compare("lt", first, end)):
            number, place = (write.let(n.Cast(a, checked=False), INT64, "number") for a in (row, entry))
            label, stop = f"{self.nest.label}.{name}", write.op("min", end, self.room)
            with write.loop(label, first, stop, "rolled", stem="tile") as loop:
                write.store(self.noted, (loop.index,), number)
                write.store(self.begins, (loop.index,), place)

    def nest_of_pieces(self, label: str) -> n.For:
        """The nest that folds what each tile has of a row that begins before it, by a loop with a label."""
        write, tile = self.write, self.names.fresh("piece", PYINT)
        with write.apart() as body:
            number = write.op("sub", self.row_of(tile), 1)
            is_row = write.both([self.are_ordered(), write.compare("ge", number, self.first), *self.is_own(number)])
            place = self.select(is_row, number, self.nest.start)
            row = self.row(place)
            begin = self.begin_of(tile, write.op("add", place, 1))
            end = write.op("min", write.op("add", begin, self.count), row.end)
            is_there = write.both([is_row, self._is_inside(row), write.compare("lt", begin, end)])
            inside = write.op("max", begin, row.first), write.op("min", end, row.last)
            start, stop = (self.select(is_there, a, n.Const(0)) for a in inside)
            values = self._loop(label, start, stop, row.values)
            for part, value in zip((*self.parts, *self.wrong), values, strict=True):
                write.store(part, (tile,), value)
        return self.kernel("folds", tile, self.tiles, body, n.Const(0))

    def begin_of(self, tile: n.Atom, row: n.Atom) -> n.Atom:
        """The first entry of a tile, whose first row is known; it belongs to the row before if that goes on in it."""
        write = self.write
        return write.op("sub", write.op("mul", tile, self.count), write.op("sub", row, self.first))

    def _loop(self, label: str, start: n.Atom, stop: n.Atom, values: Mapping[str, n.Atom]) -> tuple[n.Atom, ...]:
        """Write the loop over a piece, in which indices outside are noted; what it gives, and if there were any."""
        write, loop = self.write, self.found.loop
        args = [replace(a, init=identity(a.combine or "", a.var.type)) for a in loop.args]
        wrong = self.names.fresh("wrong", INT32)
        if self.tested:
            args.append(n.LoopArg(wrong, n.Const(0, INT32), "or"))
        results = tuple(self.names.fresh(a.var.stem, a.var.type) for a in args)
        body = self.entry(wrong, from_end=True)
        made = replace(loop, label=label, start=start, stop=stop, body=body, args=tuple(args), results=results)
        return write.copy(n.Block((made,), results), values)

    def entry(self, wrong: n.Var, from_end: bool) -> n.Block:
        """What an entry gives, with indices forced inside, and what is noted of these behind `wrong`; negative ones
        count `from_end`, or are taken for indices outside."""
        noted: n.Atom = wrong
        with self.write.apart() as statements:
            for statement in self.found.loop.body.statements:
                noted = self._tested(cast(n.Let, statement), noted, from_end)
        yields = self.found.loop.body.yields
        return n.Block(tuple(statements), (*yields, noted) if self.tested else yields)

    def _tested(self, let: n.Let, wrong: n.Atom, from_end: bool) -> n.Atom:
        """Write a definition of the loop's, with indices forced inside; what is noted with those of it."""
        write, load = self.write, let.value
        if not isinstance(load, n.Load) or load.bounds == "safe":
            write.add(let)
            return wrong
        indices: list[n.Atom] = []
        with write.at(let):
            for axis, index in enumerate(load.indices):
                extent = write.let(n.Dim(load.view, axis), PYINT, "extent")
                if from_end and load.bounds == "python":
                    added = self.select(write.compare("lt", index, 0), extent, n.Const(0))
                    index = write.op("add", index, added)
                indices.append(self._bounded(index, n.Const(0), write.op("sub", extent, 1)))
                is_moved = write.compare("ne", index, indices[-1])
                outside = self.select(is_moved, OUTSIDE, n.Const(0, INT32))
                wrong = write.let(n.Binary("or", wrong, outside, checked=False), INT32, "wrong")
        write.add(replace(let, value=replace(load, indices=tuple(indices), bounds="safe")))
        return wrong

    # --------------------------------------------------------------------------------------------------- rows

    def whole_row(self, is_cut: n.Atom, fold: Callable[[n.Atom, tuple[n.Var, ...]], None]) -> None:
        """Write what is done for a row; `fold` writes what folds its entries up to one into some variables. Where rows
        are cut, these are those of its first tile: behind them comes what the pieces gave."""
        write, found = self.write, self.found
        condition = found.guard.condition if found.guard is not None else TRUE
        raw = tuple(self.names.fresh(r.stem, r.type) for r in found.loop.results)
        write.add(*found.before.statements)
        begin, end = map(self._index, self.rows.ends)
        row = Row(begin, end, *self.rows.loop_ends, condition, {})
        goes_on = write.both([is_cut, self.goes_on(row)])
        tile = self.divided(self._numbers(row, self.nest.index)[0], self.count)
        border = self.begin_of(write.op("add", tile, 1), write.op("add", self.nest.index, 1))
        before = write.op("max", found.loop.start, write.op("min", found.loop.stop, border))
        fold(self.select(goes_on, before, found.loop.stop), raw)
        with write.apart() as folded:
            results = self._together(row, tile, before, raw)
        sides = n.Block(tuple(folded), results), n.Block((), raw)
        write.add(n.If(goes_on, *sides, found.loop.results, write.location), *found.after.statements)

    def unfolded(self, stop: n.Atom, results: tuple[n.Var, ...]) -> n.For:
        """The loop over a row as it was written, up to an entry."""
        return replace(self.found.loop, stop=stop, results=results)

    def _together(self, row: Row, tile: n.Atom, border: n.Atom, values: Sequence[n.Var]) -> tuple[n.Atom, ...]:
        """What a row's entries up to the border of its tile gave together with its pieces; where these have indices
        outside, with the entries behind the border, by the loop that was written."""
        write, args, found = self.write, self.found.loop.args, self.found.loop
        last = self.divided(self.last_number(row, self.nest.index), self.count)
        first, stop = (write.op("add", place, 1) for place in (tile, last))
        folded = self.with_pieces((*values, *(n.Const(0, INT32) for _ in self.wrong)), first, stop, AT_ONCE)
        given = folded[: len(args)]
        if not self.wrong:
            return given
        is_right = write.compare("eq", write.let(n.Cast(folded[-1], checked=False), PYINT, "wrong"), 0)
        carried = tuple(replace(arg, init=value) for arg, value in zip(args, values, strict=True))
        results = tuple(self.names.fresh(r.stem, r.type) for r in found.results)
        with write.apart() as rest:
            alone = write.copy(n.Block((replace(found, start=border, args=carried),), found.results), {})
        sides = n.Block((), given), n.Block(tuple(rest), alone)
        write.add(n.If(is_right, *sides, results, write.location))
        return results

    def with_pieces(self, values: Sequence[n.Atom], first: n.Atom, stop: n.Atom, at_once: int) -> tuple[n.Atom, ...]:
        """What is carried, and whether there were indices outside, with the pieces of some tiles behind it, of which so
        many are read before they are added up."""
        write, label = self.write, f"{self.nest.label}.together"
        rounds = self.divided(write.trips(first, stop), at_once)
        with write.loop(label, 0, rounds, "rolled", values, "round") as loop:
            piece = write.op("add", first, write.op("mul", loop.index, at_once))
            loop.next = self._with_pieces(loop.values, piece, at_once)
        rest = write.op("add", first, write.op("mul", rounds, at_once))
        with write.loop(label, rest, stop, "rolled", loop.results, "piece") as loop:
            loop.next = self._with_pieces(loop.values, loop.index, 1)
        return loop.results

    def _with_pieces(self, values: Sequence[n.Atom], first: n.Atom, count: int) -> tuple[n.Atom, ...]:
        """What is carried, and whether there were indices outside, with some pieces behind it."""
        write, args = self.write, self.found.loop.args
        places = [write.op("add", first, k) for k in range(count)]
        loaded = [[write.load(array, place) for array in (*self.parts, *self.wrong)] for place in places]
        for given in loaded:
            parts = [self.number(part, arg) for part, arg in zip(given, args, strict=False)]
            folded = self.joined(values[: len(args)], parts)
            for wrong in given[len(args) :]:
                folded.append(write.let(n.Binary("or", values[-1], wrong, checked=False), INT32, "wrong"))
            values = folded
        return tuple(values)

    def number(self, stored: n.Var, arg: n.LoopArg) -> n.Var:
        """A part of a result as it is computed with."""
        return stored if stored.type == arg.var.type else self.write.let(n.Cast(stored, checked=False), arg.var.type)

    def joined(self, left: Sequence[n.Atom], right: Sequence[n.Atom]) -> list[n.Atom]:
        """What entries give together with those that follow."""
        joined: list[n.Atom] = []
        for arg, a, b in zip(self.found.loop.args, left, right, strict=True):
            op = cast(n.BinaryOp, arg.combine)
            joined.append(self.write.let(n.Binary(op, a, b, checked=False), arg.var.type, arg.var.stem))
        return joined

    def row(self, index: n.Atom) -> Row:
        """Write what a row needs of the definitions before its loop."""
        condition = self.rows.condition if self.rows.condition is not None else TRUE
        atoms = (*self.rows.ends, *self.rows.loop_ends, condition)
        needed = slice_of(self.found.before, self.rows.wanted()).statements
        defined = tuple(s.var for s in needed if isinstance(s, n.Let))
        made = self.write.copy(n.Block(needed, (*defined, *atoms)), {self.nest.index.name: index})
        values = {self.nest.index.name: index, **{v.name: a for v, a in zip(defined, made, strict=False)}}
        begin, end, first, last, holds = made[len(defined) :]
        return Row(self._index(begin), self._index(end), first, last, holds, values)

    def _index(self, element: n.Atom) -> n.Atom:
        """An element that says where a row lies, as an index."""
        return element if element.type == PYINT else self.write.let(n.Cast(element, checked=False), PYINT, "end")

    def _is_inside(self, row: Row) -> n.Atom:
        """Whether a row may have pieces: it lies in the array, and its loop runs from entries of it to others."""
        write = self.write
        inside = [row.condition, write.compare("ge", row.begin, 0), write.compare("le", row.end, self.extent)]
        if (row.begin, row.end) != (row.first, row.last):
            inside += [write.compare("ge", row.first, row.begin), write.compare("le", row.last, row.end)]
        return write.both(inside)

    def goes_on(self, row: Row) -> n.Atom:
        """Whether the row of the nest has pieces in tiles behind the one in which it begins."""
        own, last = self._numbers(row, self.nest.index)[0], self.last_number(row, self.nest.index)
        tiles = self.divided(own, self.count), self.divided(last, self.count)
        return self.write.both([self._is_inside(row), self.write.compare("lt", *tiles)])

    def are_ordered(self) -> n.Atom:
        """Whether each row ends where it begins or behind, in the array."""
        return self.write.compare("eq", self._noted_of(self.disorder, n.Const(0)), 0)

    def row_of(self, tile: n.Atom) -> n.Atom:
        """The first row of a tile, as it was noted."""
        return self._bounded(self._noted_of(self.noted, tile), self.first, self.stop)

    def entry_of(self, tile: n.Atom) -> n.Atom:
        """Where the entries of the first row of a tile begin, as it was noted."""
        return self._bounded(self._noted_of(self.begins, tile), n.Const(0), self.extent)

    def _noted_of(self, array: n.Var, place: n.Atom) -> n.Atom:
        return self.write.let(n.Cast(self.write.load(array, place), checked=False), PYINT, "noted")

    def _bounded(self, index: n.Atom, least: n.Atom, most: n.Atom) -> n.Atom:
        """An index between two others, so that it may be a narrow one."""
        return self.write.op("max", self.write.op("min", index, most), least)

    def _numbers(self, row: Row, index: n.Atom) -> tuple[n.Atom, n.Atom]:
        """The number of a row, and that of the next one; of rows outside of the array, any."""
        write = self.write
        before = write.op("sub", index, self.first)
        begin, end = (self._bounded(place, n.Const(0), self.extent) for place in (row.begin, row.end))
        return write.op("add", begin, before), write.op("add", end, write.op("add", before, 1))

    def last_number(self, row: Row, index: n.Atom) -> n.Atom:
        """The number of the last entry of a row; its own where it has none."""
        return self.write.op("sub", self._numbers(row, index)[1], 1)

    def divided(self, index: n.Atom, by: int) -> n.Atom:
        """An index divided by a power of two, rounded down: what a shift does."""
        shift = n.Binary("shr", index, n.Const(by.bit_length() - 1), checked=False)
        return self.write.let(shift, PYINT, "part")


def _is_exact(arg: n.LoopArg) -> bool:
    """Whether a fold gives the same however it is bracketed."""
    type = arg.var.type
    return arg.combine not in ("add", "mul") or (isinstance(type, Scalar) and type.kind in ("i", "u", "b"))
