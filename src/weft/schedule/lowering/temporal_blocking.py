"""Several steps of a stencil at once: a block marches down the rows of a strip of columns, all steps in registers.

With each row that comes in, every step computes a row of its own, so far behind the step before that all it reads is
there. A thread keeps the rows that the next step still reads of its own columns; those of the neighbouring threads
come through shared memory, twice as much as is used at a time, so that threads wait for one another once for every row.

The columns at the sides of a strip and the rows above and below are computed by several blocks: each step makes as many
of them wrong as a stencil reaches, and only what is right is stored. Blocks that touch the edge of the loops have code
of their own, in which what is not computed is read from the array that a step would have written.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal, TypeAlias

from weft.ir import nodes as n
from weft.ir.types import PYBOOL, PYINT, View
from weft.schedule.frame import Bound, Frame, Threads, in_order
from weft.schedule.lowering.stencils import Stencil, stencil_of
from weft.schedule.nests import grid_chain
from weft.schedule.writing import Writing

Way: TypeAlias = Literal["vectors", "elements", "edge"]
"""How a block accesses arrays: as vectors, element by element, or element by element where there are any."""

Row: TypeAlias = Sequence[n.Atom]
"""The elements that a thread has of a row."""


def write_march(frame: Frame) -> None:
    """Write what a block does."""
    steps = frame.chain[0].steps
    assert steps is not None
    found = stencil_of(grid_chain(frame.kernel), steps.source)
    assert isinstance(found, Stencil)
    with frame.write.at(found.store):
        _March(frame, found, steps.count).write_all()


class _March:
    def __init__(self, frame: Frame, stencil: Stencil, count: int) -> None:
        self.frame, self.stencil, self.count = frame, stencil, count
        self.write: Writing = frame.write
        self.rows, self.columns = frame.bounds
        self.run, self.halo = self.columns.bind.run, self.columns.bind.halo
        self.width = self.columns.bind.group * self.run
        self.reach, self.aside = stencil.reach
        self.kept = 2 * self.reach + 1
        self.body = in_order(n.Block(tuple(self._computing()), (stencil.store.value,)))
        element = stencil.element
        self.window = frame.registers((count, self.kept, self.run), element, "window")
        self.ahead = frame.registers((self.kept, self.run), element, "ahead")
        shape = (2, count, max(len(stencil.sideways), 1), max(2 * self.aside, 1), self.columns.bind.group)
        self.sides = self.write.alloc(shape, element, "shared", "sides")
        self.zero = n.Const(0.0 if element.kind == "f" else 0, element)
        self.first_row = self.write.op("sub", self.rows.origin, count * self.reach, "first")
        end = self.write.op("add", self.rows.origin, self.rows.bind.step)
        self.end = self.write.op("min", end, self.rows.high, "end")
        self.last_row = self.write.op("add", self.end, count * self.reach - 1, "last")
        self.first_column = self.write.op("sub", self.columns.origin, self.halo, "first")

    def _computing(self) -> list[n.Statement]:
        """What an iteration does but for its accesses to the two arrays."""
        return [
            s for s in self.stencil.flat.statements if isinstance(s, n.Let) and s.var.name not in self.stencil.loads
        ]

    @property
    def _behind(self) -> int:
        """By how many rows a step is behind the one before."""
        return self.reach + 1

    def write_all(self) -> None:
        """All ways to access the arrays, and what decides between them."""
        write, arrays = self.write, (self.stencil.source, self.stencil.store.view)
        rows = write.op("sub", self.end, self.rows.origin)
        more = self.count * self.kept + self.kept - 1
        rounds = write.op("floordiv", write.op("add", rows, more), self.kept, "rounds")
        is_inside = self._is_inside(rounds)
        size = self.run * self.stencil.element.size
        is_run = all(isinstance(a.type, View) and a.type.contiguous for a in arrays) and self.run > 1
        tests = [write.let(n.Aligned(a, size), PYBOOL, "aligned") for a in arrays] if is_run else []
        is_aligned = write.both(tests)
        self.frame.has_vectors(is_aligned, [(a, size) for a in arrays] if is_run else [])
        with write.when(is_inside):
            with write.when(is_aligned):
                self._run(rounds, "vectors" if is_run else "elements")
            if is_run:
                with write.otherwise():
                    self._run(rounds, "elements")
        with write.otherwise(), write.when(self._is_some()):
            self._run(rounds, "edge")

    def _is_some(self) -> n.Atom:
        """Whether the loops have iterations, and so the arrays elements."""
        pairs = [(bound.low, bound.high) for bound in (self.rows, self.columns)]
        return self.write.both([self.write.compare("lt", low, high) for low, high in pairs])

    def _is_inside(self, rounds: n.Atom) -> n.Atom:
        """Whether all that a block computes is in the loops, also what it computes in vain before its first row."""
        write = self.write
        top = write.op("sub", self.first_row, self.count * self._behind)
        bottom = write.op("add", self.first_row, write.op("mul", rounds, self.kept))
        right = write.op("add", self.first_column, self.width)
        return write.both(
            [
                write.compare("ge", top, self.rows.low),
                write.compare("le", bottom, self.rows.high),
                write.compare("lt", self.last_row, self.rows.high),
                write.compare("ge", self.first_column, self.columns.low),
                write.compare("le", right, self.columns.high),
            ]
        )

    def _run(self, rounds: n.Atom, way: Way) -> None:
        """March: in each round as many rows as a thread keeps, so that each is back in its registers."""
        label = self.rows.loop.label
        with self.frame.phase() as threads:
            self._begin(threads, way)
        with self.write.loop(f"{label}.round", 0, rounds, stem="round") as outer:
            done = self.write.op("mul", outer.index, self.kept)
            with self.write.loop(f"{label}.row", 0, self.kept, "unroll", stem="row") as inner:
                step = self.write.op("add", done, inner.index)
                with self.frame.phase() as threads:
                    _Step(self, threads, way, step, inner.index).write_all()

    def _begin(self, threads: Threads, way: Way) -> None:
        """Send for the first rows; nothing is in the registers that has no number."""
        own, thread = self.frame.own(threads), threads[self.columns.loop.label]
        for level in range(self.count):
            for row in range(self.kept):
                for lane in range(self.run):
                    self.write.store(self.window, (*own, level, row, lane), self.zero)
            for buffer in (0, 1):
                for number in range(len(self.stencil.sideways)):
                    for side in range(2 * self.aside):
                        self.write.store(self.sides, (buffer, level, number, side, thread), self.zero)
        column = self.column(thread)
        for number in range(self.kept):
            fetched = self.fetch(way, self.write.op("add", self.first_row, number), column)
            for lane, value in enumerate(fetched):
                self.write.store(self.ahead, (*own, number, lane), value)

    def column(self, thread: n.Atom) -> n.Atom:
        """The first column of a thread."""
        return self.write.op("add", self.first_column, self.write.op("mul", thread, self.run), "column")

    def fetch(self, way: Way, row: n.Atom, column: n.Atom) -> Row:
        """What a thread has of a row of the source; rows behind the last one are not needed."""
        write, source = self.write, self.stencil.source
        row = write.op("min", row, self.last_row)
        if way == "edge":
            return [self.near(source, row, write.op("add", column, lane)) for lane in range(self.run)]
        if way == "vectors":
            return write.load_run(source, (row, column), self.run)
        return [write.load(source, row, write.op("add", column, lane)) for lane in range(self.run)]

    def there(self, array: n.Var, row: n.Atom, column: n.Atom) -> n.Atom:
        """An element of an array if there is one: of one that others write, no other one may be read instead."""
        write = self.write
        tests = []
        for axis, place in enumerate((row, column)):
            extent = write.let(n.Dim(array, axis), PYINT, "extent")
            tests += [write.compare("ge", place, 0), write.compare("lt", place, extent)]
        with write.apart() as loading:
            value = write.load(array, row, column)
        return self.choose(write.both(tests), loading, value, (), self.zero)

    def near(self, array: n.Var, row: n.Atom, column: n.Atom) -> n.Atom:
        """An element of an array, or the one nearest to where there is none: nothing depends on that."""
        write = self.write
        extents = [write.let(n.Dim(array, axis), PYINT, "extent") for axis in (0, 1)]
        places = [write.within(a, n.Const(0), e) for a, e in zip((row, column), extents, strict=True)]
        return write.load(array, *places)

    def choose(
        self, condition: n.Atom, then: Sequence[n.Statement], one: n.Atom, orelse: Sequence[n.Statement], other: n.Atom
    ) -> n.Atom:
        """One of two values, of which only that one is computed."""
        result = self.frame.names.fresh("t", self.stencil.element)
        blocks = n.Block(tuple(then), (one,)), n.Block(tuple(orelse), (other,))
        self.write.add(n.If(condition, *blocks, (result,), self.write.location))
        return result

    def inside(self, bound: Bound, place: n.Atom) -> list[n.Atom]:
        """Tests for whether a counter is in a loop."""
        return [self.write.compare("ge", place, bound.low), self.write.compare("lt", place, bound.high)]


class _Step:
    """What happens when a row comes in."""

    def __init__(self, march: _March, threads: Threads, way: Way, step: n.Atom, place: n.Atom) -> None:
        self.march, self.way, self.place, self.write = march, way, place, march.write
        self.own = march.frame.own(threads)
        self.thread = threads[march.columns.loop.label]
        self.column = march.column(self.thread)
        self.row = self.write.op("add", march.first_row, step, "row")
        self.buffer = self.write.op("and", step, 1, "buffer")
        last = march.columns.bind.group - 1
        self.left = self.write.op("max", self.write.op("sub", self.thread, 1), 0, "left")
        self.right = self.write.op("min", self.write.op("add", self.thread, 1), last, "right")

    def write_all(self) -> None:
        """A row of every step."""
        march, write = self.march, self.write
        levels, lanes = range(march.count), range(march.run)
        window = [
            [[write.load(march.window, *self.own, k, row, lane) for lane in lanes] for row in range(march.kept)]
            for k in levels
        ]
        made: list[list[n.Atom]] = [[write.load(march.ahead, *self.own, self.place, lane) for lane in lanes]]
        following = march.fetch(self.way, write.op("add", self.row, march.kept), self.column)
        for lane, value in enumerate(following):
            write.store(march.ahead, (*self.own, self.place, lane), value)
        for level in range(1, march.count + 1):
            row = write.op("sub", self.row, level * march._behind, "row")
            wide = self._widened(level - 1, window[level - 1])
            made.append([self._value(level, row, lane, wide) for lane in lanes])
        self._store(made.pop())
        for level in levels:
            self._keep(level, [*window[level][1:], made[level]])

    def _widened(self, level: int, rows: Sequence[Row]) -> dict[tuple[int, int], n.Atom]:
        """The elements of rows, by distance from the middle one and by place, with those of the neighbours."""
        march, write = self.march, self.write
        found = {(row - march.reach, lane): value for row, own in enumerate(rows) for lane, value in enumerate(own)}
        for number, row in enumerate(march.stencil.sideways):
            for side in range(march.aside):
                sides = self.buffer, level, number
                left = write.load(march.sides, *sides, march.aside + side, self.left)
                found[row, side - march.aside] = left
                found[row, march.run + side] = write.load(march.sides, *sides, side, self.right)
        return found

    def _value(self, level: int, row: n.Atom, lane: int, wide: dict[tuple[int, int], n.Atom]) -> n.Atom:
        """An element of a step; at the edge what no step computes, too."""
        march, write = self.march, self.write
        column = write.op("add", self.column, lane)
        values = {name: wide[down, lane + across] for name, (down, across) in march.stencil.loads.items()}
        values[march.rows.loop.index.name], values[march.columns.loop.index.name] = row, column
        if self.way != "edge":
            return write.copy(march.body, values)[0]
        tests = [*march.inside(march.rows, row), *march.inside(march.columns, column)]
        with write.apart() as computing:
            (value,) = write.copy(march.body, values)
        with write.apart() as reading:
            if level % 2:
                given = march.there(march.stencil.store.view, row, column)
            else:
                given = march.near(march.stencil.source, row, column)
        if not any(isinstance(s, n.Let) and isinstance(s.value, n.Load) for s in computing):
            write.add(*computing)
            computing = []
        return march.choose(write.both(tests), computing, value, reading, given)

    def _store(self, values: Row) -> None:
        """Store what the last step computes, in the rows and columns of the block."""
        march, write = self.march, self.write
        row, target = write.op("sub", self.row, march.count * march._behind), march.stencil.store.view
        first = march.halo // march.run
        tests = [
            write.compare("ge", row, march.rows.origin), write.compare("lt", row, march.end),
            write.compare("ge", self.thread, first), write.compare("lt", self.thread, march.columns.bind.group - first),
        ]  # fmt: skip
        with write.when(write.both(tests)):
            if self.way == "vectors":
                write.store_run(target, (row, self.column), values)
                return
            for lane, value in enumerate(values):
                column = write.op("add", self.column, lane)
                inside = march.inside(march.columns, column) if self.way == "edge" else []
                with write.when(write.both(inside)):
                    write.store(target, (row, column), value)

    def _keep(self, level: int, rows: Sequence[Row]) -> None:
        """Keep the rows that the next step reads, and give the neighbours what they need of them."""
        march, write = self.march, self.write
        for number, row in enumerate(rows):
            for lane, value in enumerate(row):
                write.store(march.window, (*self.own, level, number, lane), value)
        other = write.op("sub", 1, self.buffer)
        for number, down in enumerate(march.stencil.sideways):
            row = rows[march.reach + down]
            for side in range(march.aside):
                place = other, level, number
                write.store(march.sides, (*place, side, self.thread), row[side])
                last = row[march.run - march.aside + side]
                write.store(march.sides, (*place, march.aside + side, self.thread), last)
