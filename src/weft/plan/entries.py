"""Rows by tiles of entries: the block of a tile computes what its entries give, then its threads fold a row each.

Whatever the lengths of rows, all threads of a block have as many entries, which they read as vectors: runs of `RUN` lie
at multiples of `RUN`. What an entry gives is kept in shared memory, and so is what each run gives together, and each
`GROUP` runs. So a thread folds a row from a few values: entries up to the first whole run, runs up to the first whole
group, groups, runs, entries. They are put together in their order, whatever it is, so extremes of floats are those
that the loop over the row finds, also among zeros of either sign.

A row is folded by the loop that was written where it is not wholly among the entries of its tile, as where rows are out
of order, and where an index of the tile is outside of its array.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from weft.ir import nodes as n
from weft.ir.neutral import identity, stored_as
from weft.ir.types import BOOL, INT32, PYINT, Scalar, View
from weft.ir.visit import Names
from weft.plan.rows import Rows
from weft.plan.uneven import UnevenWriter
from weft.schedule.lanes import MOST_LANES, Accesses, lanes_of, side_by_side, write_run
from weft.schedule.points import aligned
from weft.schedule.writing import scalar

RUN = 4
"""Neighbouring entries of a thread."""

GROUP = 8
"""Runs that are folded before rows are."""

SHARED_BYTES = 40 * 1024
"""What a block may keep of its entries."""


@dataclass(frozen=True)
class _Window:
    """The entries of a tile, from `low` up to `high`; those from `base` on are kept, and `hull` is where arrays end."""

    low: n.Atom
    high: n.Atom
    base: n.Atom
    hull: n.Atom


class EntryWriter(UnevenWriter):
    """Writes a nest over rows as one over tiles of entries, with what goes before it: see `UnevenWriter`."""

    def __init__(self, rows: Rows, names: Names, count: int, few: int) -> None:
        super().__init__(rows, names, count, few)
        self.per_tile = self._rows_per_tile()
        self.types = [scalar(arg.var.type) for arg in self.found.loop.args]
        self.neutral = [identity(arg.combine or "", arg.var.type) for arg in self.found.loop.args]
        self.label = f"{self.found.loop.label}.entries"

    def _rows_per_tile(self) -> n.Atom:
        """How many rows a tile has where they are out of order."""
        write = self.write
        rows, tiles = write.op("sub", self.nest.stop, self.nest.start), write.op("max", self.tiles, 1)
        return write.op("add", write.op("floordiv", rows, tiles), 1, "share")

    def nest_of_tiles(self) -> n.For:
        """The nest over tiles."""
        write, index = self.write, self.names.fresh("tile", PYINT)
        with write.apart() as body:
            is_ordered = self.are_ordered()
            first, last = self._rows_of(index, is_ordered)
            window = self._window(index, last, is_ordered)
            self._arrays()
            runs = self.divided(write.op("add", write.op("sub", window.high, window.base), RUN - 1), RUN)
            with write.loop(self.label, 0, runs, "parallel", stem="run") as loop:
                self._fold_run(window, loop.index)
            with write.loop(f"{self.label}.group", 0, self.divided(runs, GROUP), "parallel", stem="group") as loop:
                self._fold_group(loop.index)
            with write.apart() as row:
                self.whole_row(is_ordered, lambda stop, results: self._fold_row(window, stop, results))
            write.add(replace(self.nest, start=first, stop=last, body=n.Block(tuple(row))))
        return self.kernel("tiles", index, self.tiles, body, n.Const(0))

    # ------------------------------------------------------------------------------------------------- tiles

    def _rows_of(self, tile: n.Atom, is_ordered: n.Atom) -> tuple[n.Atom, n.Atom]:
        """The first row of a tile, and that of the next one; as many for each where rows are out of order."""
        write, ends = self.write, []
        for place in (tile, write.op("add", tile, 1)):
            even = write.op("add", self.nest.start, write.op("mul", place, self.per_tile))
            even = write.op("min", even, self.nest.stop)
            ends.append(self.select(is_ordered, self.row_of(place), even, "row"))
        return ends[0], ends[1]

    def _window(self, tile: n.Atom, following: n.Atom, is_ordered: n.Atom) -> _Window:
        """Which entries the block of a tile computes: of rows that begin in it; none where rows are out of order."""
        write = self.write
        after = write.op("add", tile, 1)
        low, begin = self.entry_of(tile), self.entry_of(after)
        end = write.op("min", begin, self.begin_of(after, following))
        low, end = (self.select(is_ordered, a, n.Const(0), "low") for a in (low, end))
        base = write.op("mul", self.divided(low, RUN), RUN, "base")
        hull: n.Atom = self.extent
        for view in dict.fromkeys(load.view for load in self.rows.untested()):
            hull = write.op("min", hull, write.let(n.Dim(view, 0), PYINT, "extent"), "hull")
        high = write.op("min", write.op("min", end, hull), write.op("add", base, self.kept), "high")
        return _Window(low, write.op("max", base, high, "high"), base, hull)

    # ------------------------------------------------------------------------------------------------ arrays

    @property
    def kept(self) -> int:
        """Entries that a block keeps, the first of which may belong to a row before."""
        return self.count + RUN

    def _arrays(self) -> None:
        """What a block keeps: what entries give, runs and groups, and whether an index is outside."""
        sizes = self.kept, self.kept // RUN, self.kept // (RUN * GROUP) + 1
        self.entries, self.runs, self.groups = (
            [self.write.alloc((size,), t, "", stem) for t in self.types]
            for size, stem in zip(sizes, ("entry", "run", "group"), strict=True)
        )
        self.outside = None
        if self.tested:
            fill = n.Alloc((n.Const(1),), INT32, n.Const(0, INT32))
            self.outside = self.write.let(fill, View(INT32, 1, contiguous=True), "outside")

    def _fold_run(self, window: _Window, run: n.Var) -> None:
        """What the entries of a run give, each and together."""
        write = self.write
        place = write.op("mul", run, RUN)
        first = write.op("add", window.base, place)
        wrong = self.names.fresh("wrong", INT32)
        block = self.entry(wrong, from_end=False)
        accesses = self._side_by_side(block)
        is_whole = write.compare("le", write.op("add", first, RUN), window.hull)
        with write.when(write.both([*aligned(write, accesses), is_whole])):
            self._fold_vectors(block, wrong, accesses, first, place, run)
        with write.otherwise():
            self._fold_each(window, block, wrong, first, place, run)

    def _side_by_side(self, block: n.Block) -> Accesses:
        """What neighbouring entries read side by side, in vectors of as many as all of these can be read in."""
        carried = frozenset(arg.var.name for arg in self.found.loop.args)
        lanes = min((size for size in map(_lanes, self.rows.untested()) if size > 1), default=MOST_LANES)
        return side_by_side(block, self.found.loop.index, lanes, frozenset(), carried)

    def _fold_vectors(
        self, block: n.Block, wrong: n.Var, accesses: Accesses, first: n.Atom, place: n.Atom, run: n.Atom
    ) -> None:
        """Entries of a run side by side."""
        write, given = self.write, []
        for begin in range(0, RUN, accesses.lanes):
            lanes = [self._nothing(wrong) for _ in range(accesses.lanes)]
            begins = write.op("add", first, begin)
            write_run(write, block, self.found.loop.index, begins, accesses, lanes)
            given += [[lane.get(y.name, y) if isinstance(y, n.Var) else y for y in block.yields] for lane in lanes]
        count = len(self.types)
        for array, t, values in zip(self.entries, self.types, zip(*given, strict=True), strict=False):
            lanes_ = lanes_of(t) if not t.weak else 1
            for k in range(0, RUN, lanes_):
                write.store_run(array, (write.op("add", place, k),), values[k : k + lanes_])
        while len(given) > 1:
            pairs = zip(given[::2], given[1::2], strict=True)
            given = [[*self.joined(a[:count], b[:count]), *self._either(a[count:], b[count:])] for a, b in pairs]
        self._keep_run(run, given[0][:count], given[0][count:])

    def _fold_each(
        self, window: _Window, block: n.Block, wrong: n.Var, first: n.Atom, place: n.Atom, run: n.Atom
    ) -> None:
        """Entries of a run one after the other, those of the tile; put together as vectors are, so that the bits of a
        sum do not depend on where arrays lie."""
        write, count = self.write, len(self.types)
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
        self._keep_run(run, self._neighbours(self.entries, place, RUN), loop.results)

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

    def _keep_run(self, run: n.Atom, values: Sequence[n.Atom], wrong: Sequence[n.Atom]) -> None:
        write = self.write
        for array, value in zip(self.runs, values, strict=True):
            write.store(array, (run,), value)
        for noted in wrong:
            assert self.outside is not None
            with write.when(write.let(n.Compare("ne", noted, n.Const(0, INT32)), BOOL, "is_wrong")):
                write.add(n.Update("max", self.outside, (n.Const(0),), n.Const(1, INT32), "safe", write.location))

    def _fold_group(self, group: n.Var) -> None:
        """What the runs of a group give together."""
        given = self._neighbours(self.runs, self.write.op("mul", group, GROUP), GROUP)
        for array, value in zip(self.groups, given, strict=True):
            self.write.store(array, (group,), value)

    # -------------------------------------------------------------------------------------------------- rows

    def _fold_row(self, window: _Window, stop: n.Atom, results: tuple[n.Var, ...]) -> None:
        """Fold a row from what entries, runs and groups give; by its loop where these are not there."""
        write, loop = self.write, self.found.loop
        inside = [write.compare("ge", loop.start, window.low), write.compare("le", stop, window.high)]
        if self.outside is not None:
            noted = write.let(n.Cast(write.load(self.outside, 0), checked=False), PYINT, "outside")
            inside.append(write.compare("eq", noted, 0))
        with write.apart() as shared:
            folded = self._folded(window, loop.start, stop)
        alone = tuple(self.names.fresh(r.stem, r.type) for r in results)
        sides = n.Block(tuple(shared), folded), n.Block((self.unfolded(stop, alone),), alone)
        write.add(n.If(write.both(inside), *sides, results, write.location))

    def _folded(self, window: _Window, start: n.Atom, stop: n.Atom) -> tuple[n.Atom, ...]:
        """What the entries of a row give, in five parts."""
        write = self.write
        ends = (write.op("max", window.low, write.op("min", place, window.high)) for place in (start, stop))
        first, last = (write.op("sub", place, window.base) for place in ends)
        run, run_end = self.divided(write.op("add", first, RUN - 1), RUN), self.divided(last, RUN)
        group, group_end = self.divided(write.op("add", run, GROUP - 1), GROUP), self.divided(run_end, GROUP)
        head = write.op("min", write.op("mul", run, RUN), last)
        run_head = write.op("min", write.op("mul", group, GROUP), run_end)
        values: tuple[n.Atom, ...] = tuple(arg.init for arg in self.found.loop.args)
        values = self._fold_some(self.entries, first, head, values)
        values = self._fold_some(self.runs, run, run_head, values)
        values = self._fold_some(self.groups, group, group_end, values)
        values = self._fold_some(
            self.runs, write.op("max", write.op("mul", group_end, GROUP), run_head), run_end, values
        )
        return self._fold_some(self.entries, write.op("max", write.op("mul", run_end, RUN), head), last, values)

    def _fold_some(
        self, arrays: Sequence[n.Var], first: n.Atom, last: n.Atom, values: tuple[n.Atom, ...]
    ) -> tuple[n.Atom, ...]:
        """What is carried, with some elements of arrays behind it."""
        write = self.write
        with write.loop(f"{self.nest.label}.part", first, last, "rolled", values, "place") as loop:
            loop.next = tuple(self.joined(loop.values, [write.load(array, loop.index) for array in arrays]))
        return loop.results


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
