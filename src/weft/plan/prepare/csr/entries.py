"""Rows by tiles of entries: the block of a tile computes what its entries give, then its threads fold a row each.

Whatever the lengths of rows, all threads of a block have as many entries, which they read as vectors: runs of `RUN` lie
at multiples of `RUN`, and a thread reads several of them before it computes. What an entry gives is kept in shared
memory, and so is what each run gives together, and each `GROUP` runs. So a thread folds a row from a few values:
entries up to the first whole run, runs up to the first whole group, groups, runs, entries. They are put together in
their order, whatever it is, so extremes of floats are those that the loop over the row finds, also among zeros of
either sign.

A row that begins before a tile is folded as far as the tile has it, like other rows, and so is one that goes on behind
it. What these parts give is kept for each tile, and a small kernel behind that of tiles finishes such rows, of which at
most one begins in each tile.

A row is folded by the loop that was written where it is not wholly among the entries of its tile, as where rows are out
of order, and where an index of the tile is outside of its array.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import cast

from weft.ir import nodes as n
from weft.ir.neutral import stored_as
from weft.ir.types import BOOL, INT32, PYINT, Scalar, View
from weft.ir.visit import Names
from weft.plan.prepare.csr.entry_folds import GROUP, RUN, EntryFolds, Window
from weft.plan.prepare.csr.rows import Rows
from weft.schedule.lowering.lanes import MOST_LANES, WIDEST, Accesses, lanes_of, side_by_side, write_run
from weft.schedule.lowering.points import aligned
from weft.schedule.writing import scalar
from weft.transform.whole_loop import WholeLoop

SIDE = 4
"""Runs of a thread whose elements are on their way together; fewer where elements have more than 4 bytes."""

PARTS = 32
"""Pieces that the thread which finishes a row reads before it adds them up."""

SHARED_BYTES = 40 * 1024
"""What a block may keep of its entries."""


class EntryWriter(EntryFolds):
    """Writes a nest over rows as one over tiles of entries, with what goes before it: see `UnevenWriter`."""

    def __init__(self, rows: Rows, names: Names, count: int, few: int, whole: WholeLoop) -> None:
        super().__init__(rows, names, count, few, whole)
        self.per_tile = self._rows_per_tile()
        self.label = f"{self.found.loop.label}.entries"
        views = (load.view.type for load in self.rows.untested())
        elements = [*self.types, *(scalar(t.element) for t in views if isinstance(t, View))]
        self.side = max(min(SIDE, WIDEST // max(t.size for t in elements)), 1)

    def kept_of_tiles(self) -> None:
        """More arrays: what comes before the end of its tile of a row that goes on behind it."""
        self.heads = self.one_each("head")

    def _rows_per_tile(self) -> n.Atom:
        """How many rows a tile has where they are out of order."""
        write = self.write
        rows, tiles = write.op("sub", self.stop, self.first), write.op("max", self.tiles, 1)
        return write.op("add", write.op("floordiv", rows, tiles), 1, "share")

    def nest_of_tiles(self) -> n.For:
        """The nest over tiles."""
        write, index = self.write, self.names.fresh("tile", PYINT)
        with write.apart() as body:
            is_ordered = self.are_ordered()
            first, following = self._rows_of(index, is_ordered)
            window = self._window(index, first, following, self._has_own(first, following, is_ordered))
            self._arrays()
            runs = self.divided(write.op("add", write.op("sub", window.high, window.base), RUN - 1), RUN)
            share = self.divided(write.op("add", runs, self.side - 1), self.side)
            with write.loop(self.label, 0, share, "parallel", stem="run") as loop:
                self._fold_runs(window, loop.index, share)
            with write.loop(f"{self.label}.group", 0, self.divided(runs, GROUP), "parallel", stem="group") as loop:
                self._fold_group(loop.index)
            begin, last = self._own_rows(first, following, is_ordered)
            with write.apart() as row:
                self._row_or_piece(index, first, window, is_ordered)
            write.add(replace(self.nest, start=begin, stop=last, body=n.Block(tuple(row))))
        return self.kernel("tiles", index, self.tiles, body, n.Const(0))

    def reach(self) -> int:
        """The entries of a tile, and those that are read with them so that all threads have as many runs."""
        return self.kept + (self.side + 1) * RUN

    # ------------------------------------------------------------------------------------------------- tiles

    def _rows_of(self, tile: n.Atom, is_ordered: n.Atom) -> tuple[n.Atom, n.Atom]:
        """The first row of a tile, and that of the next one; as many for each where rows are out of order."""
        write, ends = self.write, []
        for place in (tile, write.op("add", tile, 1)):
            even = write.op("add", self.first, write.op("mul", place, self.per_tile))
            even = write.op("min", even, self.stop)
            ends.append(self.select(is_ordered, self.row_of(place), even, "row"))
        return ends[0], ends[1]

    def _own_rows(self, first: n.Atom, following: n.Atom, is_ordered: n.Atom) -> tuple[n.Atom, n.Atom]:
        """The nest's own rows of a tile, with the one that goes on in it: the first, and the one behind the last."""
        write = self.write
        goes_before = write.both([is_ordered, write.compare("gt", first, self.first)])
        begin = self.select(goes_before, write.op("sub", first, 1), first, "row")
        if not self.is_part:
            return begin, following
        return write.op("max", begin, self.nest.start), write.op("min", following, self.nest.stop)

    def _has_own(self, first: n.Atom, following: n.Atom, is_ordered: n.Atom) -> n.Atom:
        """Whether rows are in order, and the tile has rows of the nest's own."""
        if not self.is_part:
            return is_ordered
        return self.write.both([is_ordered, self.write.compare("lt", *self._own_rows(first, following, is_ordered))])

    def _window(self, tile: n.Atom, first: n.Atom, following: n.Atom, is_ordered: n.Atom) -> Window:
        """Which entries the block of a tile computes; none where rows are out of order, or others'."""
        write = self.write
        after = write.op("add", tile, 1)
        low, begin = self.entry_of(tile), self.entry_of(after)
        goes_before = write.compare("gt", first, self.first)
        low = self.select(goes_before, self._bounded(self.begin_of(tile, first), n.Const(0), low), low)
        end = write.op("min", begin, self.begin_of(after, following))
        low, end = (self.select(is_ordered, a, n.Const(0), "low") for a in (low, end))
        base = write.op("mul", self.divided(low, RUN), RUN, "base")
        hull: n.Atom = self.extent
        for view in dict.fromkeys(load.view for load in self.rows.untested()):
            hull = write.op("min", hull, write.let(n.Dim(view, 0), PYINT, "extent"), "hull")
        high = write.op("min", write.op("min", end, hull), write.op("add", base, self.kept), "high")
        return Window(low, write.op("max", base, high, "high"), base, hull)

    # ------------------------------------------------------------------------------------------------ arrays

    @property
    def kept(self) -> int:
        """Entries that a block keeps, the first of which may belong to a row before."""
        return self.count + RUN

    def _arrays(self) -> None:
        """What a block keeps: what entries give, runs and groups, and whether an index is outside."""
        runs = self.kept // RUN + self.side - 1
        sizes = runs * RUN, runs, self.kept // (RUN * GROUP) + 1
        self.entries, self.runs, self.groups = (
            [self.write.alloc((size,), t, "", stem) for t in self.types]
            for size, stem in zip(sizes, ("entry", "run", "group"), strict=True)
        )
        self.outside = None
        if self.tested:
            fill = n.Alloc((n.Const(1),), INT32, n.Const(0, INT32))
            self.outside = self.write.let(fill, View(INT32, 1, contiguous=True), "outside")

    def _fold_runs(self, window: Window, first: n.Var, share: n.Atom) -> None:
        """What the entries of some runs give, each and together: the first one, and others a `share` of all apart."""
        write = self.write
        wrong = self.names.fresh("wrong", INT32)
        block = self.entry(wrong, from_end=False)
        accesses = self._side_by_side(block)
        runs = [write.op("add", first, write.op("mul", share, k)) for k in range(self.side)]
        end = write.op("add", window.base, write.op("mul", write.op("add", runs[-1], 1), RUN))
        is_whole = write.compare("le", end, window.hull)
        with write.when(write.both([*aligned(write, accesses), is_whole])):
            self._fold_vectors(block, wrong, accesses, window, runs)
        with write.otherwise(), write.loop(f"{self.label}.turn", 0, self.side, "rolled", stem="turn") as loop:
            self._fold_each(window, block, wrong, write.op("add", first, write.op("mul", loop.index, share)))

    def _side_by_side(self, block: n.Block) -> Accesses:
        """What neighbouring entries read side by side, in vectors of as many as all of these can be read in."""
        carried = frozenset(arg.var.name for arg in self.found.loop.args)
        lanes = min((size for size in map(_lanes, self.rows.untested()) if size > 1), default=MOST_LANES)
        return side_by_side(block, self.found.loop.index, lanes, frozenset(), carried)

    def _fold_vectors(
        self, block: n.Block, wrong: n.Var, accesses: Accesses, window: Window, runs: Sequence[n.Atom]
    ) -> None:
        """Entries of runs side by side; all are read before anything is kept."""
        write, count = self.write, len(self.types)
        given = [self._vectors(block, wrong, accesses, window, run) for run in runs]
        noted: Sequence[n.Atom] = ()
        for run, entries in zip(runs, given, strict=True):
            place = write.op("mul", run, RUN)
            for array, t, values in zip(self.entries, self.types, zip(*entries, strict=True), strict=False):
                lanes = lanes_of(t) if not t.weak else 1
                for k in range(0, RUN, lanes):
                    write.store_run(array, (write.op("add", place, k),), values[k : k + lanes])
            while len(entries) > 1:
                pairs = zip(entries[::2], entries[1::2], strict=True)
                entries = [[*self.joined(a[:count], b[:count]), *self._either(a[count:], b[count:])] for a, b in pairs]
            self._keep(self.runs, run, entries[0][:count])
            noted = self._either(noted, entries[0][count:]) if noted else entries[0][count:]
        self._note_wrong(noted)

    def _vectors(
        self, block: n.Block, wrong: n.Var, accesses: Accesses, window: Window, run: n.Atom
    ) -> list[list[n.Atom]]:
        """What each entry of a run gives, and what is noted of its indices."""
        given: list[list[n.Atom]] = []
        for begin in range(0, RUN, accesses.lanes):
            lanes = [self._nothing(wrong) for _ in range(accesses.lanes)]
            first = self.write.sum(window.base, self.write.op("mul", run, RUN), begin)
            write_run(self.write, block, self.found.loop.index, first, accesses, lanes)
            given += [[lane.get(y.name, y) if isinstance(y, n.Var) else y for y in block.yields] for lane in lanes]
        return given

    def _fold_each(self, window: Window, block: n.Block, wrong: n.Var, run: n.Atom) -> None:
        """Entries of a run one after the other, those of the tile; put together as vectors are, so that the bits of a
        sum do not depend on where arrays lie."""
        write, count = self.write, len(self.types)
        place = write.op("mul", run, RUN)
        first = write.op("add", window.base, place)
        nothing = self._nothing(wrong)
        inits = [*self.neutral, *([n.Const(0, INT32)] if self.tested else [])]
        with write.loop(f"{self.label}.each", 0, RUN, "rolled", inits[count:], "lane") as loop:
            entry = write.op("add", first, loop.index)
            inside = write.both([write.compare("ge", entry, window.low), write.compare("lt", entry, window.high)])
            with write.apart() as statements:
                given = write.copy(block, {**nothing, self.found.loop.index.name: entry})
            results = tuple(self.names.fresh("given", value.type) for value in inits)
            sides = n.Block(tuple(statements), given), n.Block((), tuple(inits))
            write.add(n.If(inside, *sides, results, write.location))
            for array, value in zip(self.entries, results, strict=False):
                write.store(array, (write.op("add", place, loop.index),), value)
            loop.next = tuple(self._either(loop.values, results[count:]))
        self._keep(self.runs, run, self._neighbours(self.entries, place, RUN))
        self._note_wrong(loop.results)

    def _neighbours(self, arrays: Sequence[n.Var], first: n.Atom, count: int) -> list[n.Atom]:
        """What some neighbours in arrays give together: each with the next one, and so on."""
        write = self.write
        given: list[list[n.Atom]] = [
            [write.load(array, write.op("add", first, k)) for array in arrays] for k in range(count)
        ]
        while len(given) > 1:
            given = [self.joined(a, b) for a, b in zip(given[::2], given[1::2], strict=True)]
        return given[0]

    def _nothing(self, wrong: n.Var) -> dict[str, n.Atom]:
        """What an entry finds that nothing goes before."""
        args = zip(self.found.loop.args, self.neutral, strict=True)
        return {**{arg.var.name: value for arg, value in args}, wrong.name: n.Const(0, INT32)}

    def _either(self, left: Sequence[n.Atom], right: Sequence[n.Atom]) -> list[n.Atom]:
        """Whether one of two indices is outside."""
        pairs = zip(left, right, strict=True)
        return [self.write.let(n.Binary("or", a, b, checked=False), INT32, "wrong") for a, b in pairs]

    def _keep(self, arrays: Sequence[n.Var], place: n.Atom, values: Sequence[n.Atom]) -> None:
        for array, value in zip(arrays, values, strict=True):
            self.write.store(array, (place,), value)

    def _note_wrong(self, wrong: Sequence[n.Atom]) -> None:
        """Note of a tile that an index is outside."""
        write = self.write
        for noted in wrong:
            assert self.outside is not None
            with write.when(write.let(n.Compare("ne", noted, n.Const(0, INT32)), BOOL, "is_wrong")):
                write.add(n.Update("max", self.outside, (n.Const(0),), n.Const(1, INT32), "safe", write.location))

    def _fold_group(self, group: n.Var) -> None:
        """What the runs of a group give together."""
        self._keep(self.groups, group, self._neighbours(self.runs, self.write.op("mul", group, GROUP), GROUP))

    # -------------------------------------------------------------------------------------------------- rows

    def _row_or_piece(self, tile: n.Atom, first: n.Atom, window: Window, is_ordered: n.Atom) -> None:
        """Write what is done for a row of a tile; of one that begins before it, and of one that goes on behind it, only
        what the tile has of it is kept."""
        write, number = self.write, self.nest.index
        row = self.row(number)
        begins_here = write.compare("ge", number, first)
        is_cut = write.both([is_ordered, self._is_inside(row)])
        border = self.begin_of(write.op("add", tile, 1), write.op("add", number, 1))
        goes_on = write.both([is_cut, write.compare("gt", row.end, border)])
        bounds = (row.values.get(a.name, a) if isinstance(a, n.Var) else a for a in self.found.bounds)
        low, until = write.op("max", row.first, window.low), write.op("min", row.last, border)
        head = row.first, write.op("max", row.first, until)  # a row without iterations may have bounds of its own
        start, stop = (self.select(goes_on, *pair) for pair in zip(head, bounds, strict=True))
        piece = (self.select(is_cut, a, window.low) for a in (low, write.op("max", low, until)))
        pairs = zip((start, stop), piece, strict=True)
        begin, end = (self.select(begins_here, *pair, "end") for pair in pairs)
        values = self.fold_part(window, begin, end, row.values)
        with write.when(write.both([begins_here, write.negated(goes_on)])):
            self._finish(number, values, self.found.after)
        with write.otherwise():
            with write.when(begins_here):
                self._keep(self.heads, tile, values)
            with write.otherwise():
                self._keep(self.parts, tile, values)

    def _finish(self, number: n.Atom, values: Sequence[n.Atom], after: n.Block) -> None:
        """What is done for a row around what its entries give."""
        found = self.found
        joined = [
            n.Let(result, n.Binary(cast(n.BinaryOp, arg.combine), arg.init, value, checked=False), self.write.location)
            for result, arg, value in zip(found.loop.results, found.loop.args, values, strict=True)
        ]
        block = n.Block((*found.before.statements, *joined, *after.statements))
        self.write.copy(block, {self.nest.index.name: number})

    def nest_of_ends(self) -> n.For:
        """The nest over tiles that finishes the row of each that goes on behind it."""
        write, index = self.write, self.names.fresh("tile", PYINT)
        with write.apart() as body:
            first, following = self.row_of(index), self.row_of(write.op("add", index, 1))
            number = write.op("sub", following, 1)
            is_row = write.both([self.are_ordered(), write.compare("ge", number, first), *self.is_own(number)])
            place = self.select(is_row, number, self.nest.start)
            row = self.row(place)
            border = self.begin_of(write.op("add", index, 1), following)
            goes_on = [is_row, self._is_inside(row), write.compare("gt", row.end, border)]
            with write.when(write.both(goes_on)):
                last = self.divided(self.last_number(row, place), self.count)
                heads = [write.load(array, index) for array in self.heads]
                values = [self.number(head, arg) for head, arg in zip(heads, self.found.loop.args, strict=True)]
                following, stop = (write.op("add", tile, 1) for tile in (index, last))
                self._finish(place, self.with_pieces(values, following, stop, PARTS), self._after_entries())
        return self.kernel("ends", index, self.tiles, body, n.Const(0))

    def _after_entries(self) -> n.Block:
        """What is done for a row that has entries: the other side of a branch around its loop is not taken."""
        guard, after = self.found.guard, self.found.after
        if guard is None:
            return after
        unknown = [self.names.fresh(r.stem, r.type) for r in guard.results]
        lets = tuple(n.Let(v, n.Undefined(), guard.location) for v in unknown)
        taken = replace(guard, orelse=n.Block(lets, tuple(unknown)))
        return n.Block(tuple(taken if s is guard else s for s in after.statements))


def kept_bytes(rows: Rows, count: int) -> int:
    """About how many bytes a block keeps of the entries of a tile."""
    size = sum(stored_as(arg.var.type).size for arg in rows.found.loop.args)
    return size * (RUN * GROUP + GROUP + 1) * count // (RUN * GROUP)


def largest_count(rows: Rows, shared: int) -> int:
    """The most entries of a tile of which a block can keep what they give, a power of two; 0 where none can be kept."""
    most = min(shared, SHARED_BYTES) // kept_bytes(rows, RUN * GROUP)
    return RUN * GROUP << (most.bit_length() - 1) if most else 0


def _lanes(load: n.Load) -> int:
    """How many neighbours can be loaded as a vector."""
    type = load.view.type
    is_vector = isinstance(type, View) and type.contiguous and isinstance(type.element, Scalar)
    return lanes_of(scalar(type.element)) if is_vector and isinstance(type, View) else 1
