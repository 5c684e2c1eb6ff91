"""Runs the steps of a time loop in blocks, slab by slab: see `time_blocks` for why that is right.

A loop on the host takes the blocks of steps, one inside it the slabs. The rows that all launches of a block touch of a
slab are copied into windows (see `windows`); the launches follow, each shifted by the reach; what they wrote goes home.
The rows that the next slab needs of this one come back with it: few, where a slab is high. How many steps a block has
is computed when the program runs, from the room that there is; where it is enough for none, the steps run one by one.

Windows change places as the arrays do. All blocks but the last end where arrays are back at their places; behind the
last the windows go on changing places, with nothing between, until each is again that of the array it was made for.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from typing import TypeAlias

from weft.analysis.access import AccessTable
from weft.analysis.linear import ZERO, Form, constant
from weft.ir import nodes as n
from weft.ir.memories import HOST
from weft.ir.types import PYINT, View
from weft.ir.visit import Names, renamed, substitute, walk
from weft.plan.regions import Box, Side, Space
from weft.plan.slab_loops import SPARE, SPARE_BYTES
from weft.plan.time_blocks import Steps, is_outside
from weft.plan.views import ViewMaker
from weft.plan.windows import Held
from weft.schedule.writing import Carried, Writing

STEPS = 64
"""More steps than this in a block only where a quarter of a slab is enough for what its launches are shifted."""

MakeLaunch: TypeAlias = (
    "Callable[[n.For, n.For, str, n.Atom, n.Atom, Mapping[str, Held]], tuple[Sequence[n.Statement], n.Launch]]"
)
"""Writes the launch of a nest on windows: the nest of the program, the one in the block, and which of its loops runs
between which bounds."""


@dataclass(frozen=True)
class _Size:
    """How a time loop is cut.

    `first` and `end` bound all nests. There are `blocks` of `steps` steps, the last one shorter: `trips` in all. A slab
    has `high` rows, and its launches are shifted by up to `shift`; there are `slabs`, and a window has `rows`.
    """

    first: n.Atom
    end: n.Atom
    trips: n.Atom
    steps: n.Atom
    blocks: n.Atom
    shift: n.Atom
    high: n.Atom
    slabs: n.Atom
    rows: n.Atom


@dataclass(frozen=True)
class _Rows:
    """The rows of an array that a slab needs: `body` of them from `base` on, then `edge`.

    Of the body those from its row `start` on are written.
    """

    base: n.Var
    body: n.Var
    edge: n.Atom
    start: n.Var


class BlockWriter:
    """Writes the blocks of a time loop.

    Parameters
    ----------
    steps
        The loop.
    table
        The access table of the program.
    launch
        Writes the launch of a piece of a nest.
    """

    def __init__(self, steps: Steps, table: AccessTable, launch: MakeLaunch, names: Names, device: str) -> None:
        self.steps, self.table, self.launch, self.names, self.device = steps, table, launch, names, device
        self.loop, self.location = steps.loop, steps.loop.location
        self.write = Writing(names, self.location)
        self.inits = {var.name: init for var, init in steps.arrays.items()}
        self.views = ViewMaker(names, lambda name: self.inits.get(name) or table.structure.definition(name).var)
        self.spaces = {name: space for piece in steps.pieces for name, space in piece.spaces.items()}
        self.whole = tuple(dict.fromkeys(name for piece in steps.pieces for name in piece.whole))

    def can_write(self) -> bool:
        """Whether the bounds of the nests and the extents of the arrays are known before the loop."""
        loops = [piece.loop for piece in self.steps.pieces]
        forms = [self.table.forms.of(atom) for loop in loops for atom in (loop.start, loop.stop)]
        forms += [extent for space in self.spaces.values() for extent in space.extents]
        return all(is_outside(self.table, form, self.loop) for form in forms)

    def statements(self) -> tuple[list[n.Statement], n.For]:
        """All blocks, and the loop over the steps that are left over: all or none."""
        write = self.write
        for name in self.whole:
            holder = self.table.structure.definition(name).var
            write.add(n.Reserve(holder, self.device, self.location), self._copy(holder, HOST, self.device))
        self.dims = {var: [self._value(extent) for extent in self._space(var).extents] for var in self.steps.arrays}
        size = self._size()
        made = [self._window(var, size.rows) for var in self.steps.arrays]
        left = self._blocks(size, made)
        write.add(n.Wait(self.device, location=self.location))
        for view in (*left, *(self.table.structure.definition(name).var for name in self.whole)):
            write.add(n.Free(view, self.device, self.location))
        done = write.op("mul", size.trips, write.op("min", size.blocks, 1))
        inits = [arg.init for arg in self.loop.args]
        changed = self._change(inits, self._remainder(done), lambda values: self._after(values, self._args))
        args = tuple(replace(arg, init=init) for arg, init in zip(self.loop.args, changed, strict=True))
        return write.statements, replace(self.loop, start=write.op("add", self.loop.start, done, "first"), args=args)

    # --------------------------------------------------------------------------------------------- how large

    def _size(self) -> _Size:
        """Compute how the loop is cut; there are no blocks where the room is enough for none."""
        write, steps = self.write, self.steps
        launches, around = len(steps.pieces), steps.touched[1] - steps.touched[0] - 1
        first, end = (self._bound(kind) for kind in ("min", "max"))
        trips = write.trips(self.loop.start, self.loop.stop, "trips")
        room = self._room()
        most = self._whole_periods(trips, self._most(room, launches))
        spare = write.op("sub", write.op("sub", room, self._shift(most)), around, "spare")
        fits = write.op("min", write.op("max", spare, 0), write.op("min", most, 1))
        blocks = self._parts(trips, write.op("max", most, 1))
        blocks = write.op("mul", blocks, write.op("min", fits, 1), "blocks")
        each = self._parts(self._parts(trips, write.op("max", blocks, 1)), steps.period)
        each = write.op("min", write.op("mul", each, steps.period), trips)
        each = write.op("max", each, 1, "steps")
        shift = self._shift(each)
        span = write.op("max", write.op("add", write.op("sub", end, first), shift), 0, "span")
        high = write.op("max", write.op("sub", write.op("sub", room, shift), around), 1, "high")
        high = write.op("max", self._parts(span, write.op("max", self._parts(span, high), 1)), 1, "high")
        rows = write.op("add", write.op("add", high, shift), around, "rows")
        rows = write.op("mul", rows, write.op("min", blocks, 1), "rows")
        return _Size(first, end, trips, each, blocks, shift, high, self._parts(span, high), rows)

    def _bound(self, kind: n.BinaryOp) -> n.Atom:
        """The least start of all nests, or their last stop."""
        loops = [piece.loop for piece in self.steps.pieces]
        values = [self._value(self.table.forms.of(loop.start if kind == "min" else loop.stop)) for loop in loops]
        total = values[0]
        for value in values[1:]:
            total = self.write.op(kind, total, value, "bound")
        return total

    def _room(self) -> n.Atom:
        """How many rows of each array there is room for."""
        write = self.write
        room = write.let(n.Room(self.device), PYINT, "room")
        used = write.op("sub", room, write.op("floordiv", room, SPARE), "free")
        used = write.op("sub", used, SPARE_BYTES * len(self.steps.arrays), "free")
        row = ZERO
        for var in self.steps.arrays:
            row = row + self._row(var)
        return write.op("max", write.op("floordiv", used, write.op("max", self._value(row), 1)), 0, "room")

    def _row(self, var: n.Var) -> Form:
        """The bytes of a row of an array."""
        assert isinstance(var.type, View)
        row = constant(var.type.element.size)
        for extent in self._space(var).extents[1:]:
            row = row * extent
        return row

    def _most(self, room: n.Atom, launches: int) -> n.Atom:
        """How many steps a block may have: half of the rows are enough for all shifts, a quarter where that is many."""
        write, each = self.write, self.steps.reach * launches
        if each == 0:
            return write.trips(self.loop.start, self.loop.stop)
        half, quarter = (write.op("floordiv", room, parts * each, "steps") for parts in (2, 4))
        return write.op("min", half, write.op("max", quarter, STEPS))

    def _whole_periods(self, trips: n.Atom, most: n.Atom) -> n.Atom:
        """All steps where these are few enough for a block, else so many that arrays are back at their places."""
        write, period = self.write, self.steps.period
        whole = write.op("mul", write.op("floordiv", most, period), period)
        is_enough = write.op("min", write.op("max", write.op("sub", write.op("add", most, 1), trips), 0), 1)
        return write.op("max", write.op("min", whole, trips), write.op("mul", trips, is_enough), "most")

    def _shift(self, steps: n.Atom) -> n.Atom:
        """By how many rows the last launch of a block is shifted."""
        write = self.write
        launches = write.op("sub", write.op("mul", steps, len(self.steps.pieces)), 1, "launches")
        return write.op("max", write.op("mul", launches, self.steps.reach), 0, "shift")

    def _parts(self, number: n.Atom, size: n.Atom | int) -> n.Atom:
        """How many parts of a size cover a number."""
        write = self.write
        return write.op("floordiv", write.op("sub", write.op("add", number, size), 1), size, "parts")

    # --------------------------------------------------------------------------------------------- the loops

    def _blocks(self, size: _Size, made: Sequence[n.Var]) -> tuple[n.Var, ...]:
        """Write the loops over blocks and slabs; the windows behind them."""
        write = self.write
        with self._over(f"{self.loop.label}.blocks", size.blocks, made) as (block, windows, blocks):
            done = write.op("mul", block, size.steps, "done")
            steps = write.op("min", size.steps, write.op("sub", size.trips, done))
            steps = write.op("max", steps, 1, "steps")
            with self._over(f"{self.loop.label}.slabs", size.slabs, windows) as (slab, windows, slabs):
                slabs.next = self._slab(slab, windows, size, write.op("add", self.loop.start, done, "begin"), steps)
            blocks.next = slabs.results
        return blocks.results

    @contextmanager
    def _over(
        self, label: str, count: n.Atom, windows: Sequence[n.Var]
    ) -> Iterator[tuple[n.Var, tuple[n.Var, ...], Carried]]:
        """A loop that carries windows."""
        with self.write.loop(label, 0, count, carried=windows, stem=label.rpartition(".")[2].removesuffix("s")) as loop:
            yield loop.index, loop.values, loop

    def _slab(
        self, slab: n.Var, windows: Sequence[n.Var], size: _Size, begin: n.Atom, steps: n.Atom
    ) -> tuple[n.Var, ...]:
        """Write what happens to a slab in a block; the windows behind it."""
        write = self.write
        low = write.op("add", size.first, write.op("mul", slab, size.high), "low")
        rows = {var: self._rows(var, low, size) for var in self._leaders()}
        own = {var: rows[self._leader(var)] for var in self.steps.arrays}
        for (var, init), window in zip(self.steps.arrays.items(), windows, strict=True):
            parts = self._parts_of(init, var, own[var], True), self._parts_of(window, var, own[var])
            for part, held in zip(*parts, strict=True):
                write.add(self._copy(part, HOST, self.device, held))
        with self._over(f"{self.loop.label}.block", steps, windows) as (step, inside, loop):
            now = write.op("add", begin, step, "now")
            self._step(dict(zip(self.steps.arrays, inside, strict=True)), own, (low, size), now, step)
            loop.next = self._after(inside, list(self.steps.arrays))
        back = self._remainder(write.op("sub", self.steps.period, self._remainder(steps)))
        behind = self._change(loop.results, back, lambda values: self._after(values, list(self.steps.arrays)))
        for (var, init), window in zip(self.steps.arrays.items(), behind, strict=True):
            if var in self.steps.written:
                part, held = self._written(init, var, own[var], True), self._written(window, var, own[var])
                write.add(self._copy(held, self.device, HOST, part))
        return behind

    @property
    def _args(self) -> list[n.Var]:
        return [arg.var for arg in self.loop.args]

    def _after(self, views: Sequence[n.Var], arrays: Sequence[n.Var]) -> tuple[n.Var, ...]:
        """What is in the place of each array a step later, of what is there now."""
        now = dict(zip(arrays, views, strict=True))
        after = dict(zip(self._args, self.loop.body.yields, strict=True))
        return tuple(now[after.get(var, var)] for var in arrays)  # type: ignore[index]

    def _remainder(self, number: n.Atom) -> n.Atom:
        """How often arrays have changed places after so many steps, but for whole periods."""
        write, period = self.write, self.steps.period
        return write.op("sub", number, write.op("mul", write.op("floordiv", number, period), period), "rest")

    def _change(
        self, views: Sequence[n.Atom], times: n.Atom, after: Callable[[Sequence[n.Var]], tuple[n.Var, ...]]
    ) -> tuple[n.Var, ...]:
        """Let arrays change places, and do nothing else."""
        if self.steps.period == 1:
            return tuple(view for view in views if isinstance(view, n.Var))
        with self.write.loop(f"{self.loop.label}.places", 0, times, carried=views) as loop:
            loop.next = after(loop.values)
        return loop.results

    def _step(
        self,
        windows: Mapping[n.Var, n.Var],
        rows: Mapping[n.Var, _Rows],
        slab: tuple[n.Atom, _Size],
        now: n.Atom,
        step: n.Var,
    ) -> None:
        """Write one step: what the loop does in an iteration, with launches of pieces in place of its nests."""
        write, copied = self.write, renamed(n.Block(self.loop.body.statements), self.names)
        values: dict[str, n.Atom] = {self.loop.index.name: now, **self.inits}
        held = {var.name: Held(windows[var], rows[var].base) for var in windows}
        nests = iter([s for s in self.loop.body.statements if isinstance(s, n.For)])
        pieces, number = iter(self.steps.pieces), 0
        for statement in copied.statements:
            if not isinstance(statement, n.For):
                write.add(substitute(statement, values))
                continue
            original, piece = next(nests), next(pieces)
            bounds = self._shifted(_loop_in(statement, piece.loop.label), slab, step, number, values)
            moved = substitute(statement, {self.loop.index.name: now})
            statements, launch = self.launch(original, moved, piece.loop.label, *bounds, held)
            reads = [
                v for var in windows if var.name in piece.windows for v in self._parts_of(windows[var], var, rows[var])
            ]
            writes = [self._parts_of(windows[var], var, rows[var])[0] for var in windows if var.name in piece.writes]
            always = [self.table.structure.definition(name).var for name in piece.whole]
            write.add(*(substitute(s, self.inits) for s in statements))
            write.add(replace(launch, reads=(*always, *reads), writes=tuple(writes)))
            number += 1

    def _shifted(
        self, loop: n.For, slab: tuple[n.Atom, _Size], step: n.Var, number: int, values: Mapping[str, n.Atom]
    ) -> tuple[n.Atom, n.Atom]:
        """The bounds of a nest in a step."""
        write, (low, size) = self.write, slab
        launch = write.op("add", write.op("mul", step, len(self.steps.pieces)), number)
        shift = write.op("mul", launch, self.steps.reach, "shift")
        first = write.op("sub", low, shift)
        start, stop = (substitute(atom, dict(values)) for atom in (loop.start, loop.stop))
        high = write.op("min", stop, write.op("add", first, size.high), "high")
        return write.op("max", start, first, "low"), high

    # ---------------------------------------------------------------------------------------------- windows

    def _rows(self, var: n.Var, low: n.Atom, size: _Size) -> _Rows:
        """The rows of an array that a slab needs."""
        write, extent, (first, stop) = self.write, self.dims[var][0], self.steps.touched
        lowest = write.op("sub", low, size.shift)
        top = write.op("add", write.op("add", low, size.high), stop - 1)
        base = self._within(write.op("add", lowest, first), extent)
        end = write.op("min", size.end, write.op("add", low, size.high), "end")
        body_stop = self._within(write.op("add", end, self.steps.made[1] - 1), extent)
        edge_stop = write.op("max", self._within(top, extent), body_stop)
        body = self._opaque(write.op("max", write.op("sub", body_stop, base), 0), "rows")
        edge_stop = write.op("add", body, write.op("max", write.op("sub", edge_stop, write.op("add", base, body)), 0))
        edge = write.op("sub", edge_stop, body, "edge")
        begin = write.op("max", lowest, size.first, "begin")
        start = write.op("sub", write.op("add", begin, self.steps.made[0]), base)
        start = self._opaque(write.op("min", write.op("max", start, 0), body), "start")
        return _Rows(base, body, edge, start)

    def _within(self, row: n.Atom, extent: n.Atom) -> n.Var:
        """A row as one of the array, or the one behind its last."""
        return self._opaque(self.write.op("min", self.write.op("max", row, 0), extent), "row")

    def _opaque(self, value: n.Atom, stem: str) -> n.Var:
        """A variable for a value that is not looked into when the bounds of a view are read."""
        return self.write.let(n.Binary("add", value, n.Const(0), checked=False), PYINT, stem)

    def _parts_of(self, view: n.Var, var: n.Var, rows: _Rows, is_host: bool = False) -> tuple[n.Var, n.Var]:
        """What a slab needs of an array, or of its window: what it may write, and the rows behind that."""
        base: n.Atom = rows.base if is_host else n.Const(0)
        after = self.write.op("add", base, rows.body)
        return self._view(view, var, base, rows.body), self._view(view, var, after, rows.edge)

    def _written(self, view: n.Var, var: n.Var, rows: _Rows, is_host: bool = False) -> n.Var:
        """What a block may write of a slab of an array, or of its window."""
        write = self.write
        count = write.op("sub", rows.body, rows.start, "rows")
        start = write.op("add", rows.base, rows.start, "start") if is_host else rows.start
        return self._view(view, var, start, count, self.steps.written[var])

    def _view(self, view: n.Var, var: n.Var, start: n.Atom, count: n.Atom, box: Box | None = None) -> n.Var:
        """Rows of an array or of a window; all of each, or what is inside a box."""
        write = self.write
        sides = box if box and all(self._is_known(side) for side in box) else self._space(var).whole[1:]
        axes = [n.Slice(start, count, n.Const(1))]
        for side, size, extent in zip(sides, self._space(var).extents[1:], self.dims[var][1:], strict=True):
            if side == Side(ZERO, size):
                axes.append(n.Slice(n.Const(0), extent, n.Const(1)))
                continue
            low = write.op("max", self._value(side.low), 0)
            high = write.op("min", self._value(side.stop), extent)
            axes.append(n.Slice(low, write.op("max", write.op("sub", high, low), 0), n.Const(1)))
        assert isinstance(view.type, View)
        type_ = View(view.type.element, view.type.ndim, writable=view.type.writable)
        return write.let(n.Subview(view, tuple(axes), "safe"), type_, view.stem)

    def _is_known(self, side: Side) -> bool:
        return all(is_outside(self.table, form, self.loop) for form in (side.low, side.stop))

    def _window(self, var: n.Var, rows: n.Atom) -> n.Var:
        """Make the window of an array."""
        assert isinstance(var.type, View)
        count, *extents = self.dims[var]
        shape = (self.write.op("max", self.write.op("min", rows, count), 0, "rows"), *extents)
        type_ = View(var.type.element, var.type.ndim, contiguous=True)
        view = self.write.let(n.Alloc(shape, var.type.element), type_, f"{var.stem}_window")
        self.write.add(n.Reserve(view, self.device, self.location))
        return view

    def _leaders(self) -> list[n.Var]:
        """Of all arrays that change places the first, whose rows are those of the others."""
        return list(dict.fromkeys(map(self._leader, self.steps.arrays)))

    def _leader(self, var: n.Var) -> n.Var:
        cycle = self.steps.cycles[var]
        return next(other for other in self.steps.arrays if other.name in cycle)

    def _space(self, var: n.Var) -> Space:
        return self.spaces[self._leader(var).name]

    def _copy(self, view: n.Var, source: str, target: str, onto: n.Var | None = None) -> n.Copy:
        return n.Copy(view, source, target, self.location, onto)

    def _value(self, form: Form) -> n.Atom:
        return self.views.atom(form, self.write.statements, self.location)


def _loop_in(nest: n.For, label: str) -> n.For:
    """The loop of a nest with a label."""
    return next(s for s in walk(n.Block((nest,))) if isinstance(s, n.For) and s.label == label)
