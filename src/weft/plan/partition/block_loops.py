"""Runs the steps of a time loop in blocks, slab by slab: see `time_blocks` for why that is right.

A loop on the host takes the blocks of steps, one inside it the slabs. A window of each array (see `windows`) slides
over its rows: before each slab a kernel puts the rows that are done into an array beside it, moves the others up, and
takes the next ones from a second array beside it (see `sliding`). The launches follow, each shifted by the reach, and
copies fill and empty the arrays beside the window meanwhile. Every row crosses once each way for each block. How
many steps a block has is computed when the program runs, from the room that there is; where it is enough for none, the
steps run one by one.

Copies home stand right behind the kernels that slide: so there is a point in the queue of kernels, before the launches,
for which the next copies to the device wait.

Windows change places as the arrays do. All blocks but the last end where arrays are back at their places; behind the
last the windows go on changing places, with nothing between, until each is again that of the array it was made for.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from typing import TypeAlias

from weft.analysis.access.access import AccessTable
from weft.analysis.values.linear import ZERO, Form, constant
from weft.ir import nodes as n
from weft.ir.reference.memories import HOST
from weft.ir.types import PYINT, View
from weft.ir.visit import Names, renamed, substitute, walk
from weft.plan.partition.slab_loops import SPARE, SPARE_BYTES
from weft.plan.partition.sliding import Rows, Slide, sliding
from weft.plan.partition.time_blocks import Steps, is_outside
from weft.plan.partition.windows import Held
from weft.plan.transfers.regions import Box, Side, Space
from weft.plan.transfers.views import ViewMaker
from weft.schedule.writing import Carried, Writing

STEPS = 64
"""More steps than this in a block only where a quarter of the rows is enough for what its launches are shifted."""

MakeLaunch: TypeAlias = (
    "Callable[[n.For, n.For, str, n.Atom, n.Atom, Mapping[str, Held]], tuple[Sequence[n.Statement], n.Launch]]"
)
"""Writes the launch of a nest on windows: the nest of the program, the one in the block, and which of its loops runs
between which bounds."""

MakeOwn: TypeAlias = "Callable[[n.For, Sequence[n.Var]], tuple[Sequence[n.Statement], n.Launch]]"
"""Writes the launch of a nest that is not of the program, on arrays that share no memory."""


@dataclass(frozen=True)
class _Room:
    """What the room on the device is enough for: so many `free` bytes, of which a row of all windows takes `row`, and
    one of all arrays beside them `beside`; `rows` of all windows, if nothing were beside them."""

    free: n.Atom
    row: n.Atom
    beside: n.Atom
    rows: n.Atom


@dataclass(frozen=True)
class _Size:
    """How a time loop is cut.

    `first` and `end` bound all nests, and `begin` is the first row that they touch. There are `blocks` of `steps`
    steps, the last one shorter: `trips` in all. A slab has `high` new rows, and a window has `keep` before them; it
    slides `turns` times.
    """

    first: n.Atom
    end: n.Atom
    begin: n.Atom
    trips: n.Atom
    steps: n.Atom
    blocks: n.Atom
    keep: n.Atom
    high: n.Atom
    turns: n.Atom


class BlockWriter:
    """Writes the blocks of a time loop.

    Parameters
    ----------
    steps
        The loop.
    table
        The access table of the program.
    launch, own
        Write the launch of a piece of a nest, and that of a nest which moves rows.
    """

    def __init__(
        self, steps: Steps, table: AccessTable, launch: MakeLaunch, own: MakeOwn, names: Names, device: str
    ) -> None:
        self.steps, self.table, self.launch, self.own = steps, table, launch, own
        self.names, self.device = names, device
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
        self.slides = {var: self._arrays_of(var, size) for var in self.steps.arrays}
        left = self._blocks(size)
        for name in self.steps.filled:
            write.add(self._copy(self.table.structure.definition(name).var, self.device, HOST))
        write.add(n.Wait(self.device, location=self.location))
        beside = [view for slide in self.slides.values() for view in slide.beside]
        for view in (*left, *beside, *(self.table.structure.definition(name).var for name in self.whole)):
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
        first, end = (self._bound(kind) for kind in ("min", "max"))
        trips = write.trips(self.loop.start, self.loop.stop, "trips")
        room = self._room()
        most = self._whole_periods(trips, self._most(room.rows))
        fits = write.op("min", write.op("max", self._fitting(room, self._kept(most)), 0), write.op("min", most, 1))
        blocks = self._parts(trips, write.op("max", most, 1))
        blocks = write.op("mul", blocks, write.op("min", fits, 1), "blocks")
        each = self._parts(self._parts(trips, write.op("max", blocks, 1)), steps.period)
        each = write.op("min", write.op("mul", each, steps.period), trips)
        each = write.op("max", each, 1, "steps")
        keep = self._kept(each)
        begin = write.op("max", write.op("add", first, steps.touched[0]), 0, "begin")
        rows = write.op("sub", write.op("add", end, steps.made[1] - 1), begin)
        span = write.op("max", write.op("add", rows, keep), 1, "span")
        slabs = self._parts(span, write.op("max", self._fitting(room, keep), 1))
        high = self._parts(span, slabs)
        turns = write.op("add", self._parts(span, high), 1, "turns")
        return _Size(first, end, begin, trips, each, blocks, keep, high, turns)

    def _bound(self, kind: n.BinaryOp) -> n.Atom:
        """The least start of all nests, or their last stop."""
        loops = [piece.loop for piece in self.steps.pieces]
        values = [self._value(self.table.forms.of(loop.start if kind == "min" else loop.stop)) for loop in loops]
        total = values[0]
        for value in values[1:]:
            total = self.write.op(kind, total, value, "bound")
        return total

    def _room(self) -> _Room:
        """What there is room for."""
        write, row, beside, count = self.write, ZERO, ZERO, 0
        for var in self.steps.arrays:
            arrays = 1 + (var in self.steps.written)
            row, beside, count = row + self._row(var), beside + self._row(var) * arrays, count + 1 + arrays
        room = write.let(n.Room(self.device), PYINT, "room")
        used = write.op("sub", room, write.op("floordiv", room, SPARE), "free")
        free = write.op("max", write.op("sub", used, SPARE_BYTES * count), 0, "free")
        each = write.op("max", self._value(row), 1, "row")
        return _Room(free, each, self._value(beside), write.op("floordiv", free, each, "room"))

    def _row(self, var: n.Var) -> Form:
        """The bytes of a row of an array."""
        assert isinstance(var.type, View)
        row = constant(var.type.element.size)
        for extent in self._space(var).extents[1:]:
            row = row * extent
        return row

    def _fitting(self, room: _Room, keep: n.Atom) -> n.Atom:
        """How many new rows a slab may have whose windows keep so many."""
        write = self.write
        left = write.op("sub", room.free, write.op("mul", keep, room.row))
        return write.op("floordiv", left, write.op("add", room.row, room.beside), "high")

    def _most(self, rows: n.Atom) -> n.Atom:
        """How many steps a block may have: half of the rows are enough for those kept, a quarter where that is many."""
        write, each = self.write, self.steps.reach * len(self.steps.pieces)
        if each == 0:
            return write.trips(self.loop.start, self.loop.stop)
        more = self.steps.reach - self._around
        half, quarter = (
            write.op("floordiv", write.op("add", write.op("floordiv", rows, part), more), each) for part in (2, 4)
        )
        return write.op("max", write.op("min", half, write.op("max", quarter, STEPS)), 0, "most")

    def _whole_periods(self, trips: n.Atom, most: n.Atom) -> n.Atom:
        """All steps where these are few enough for a block, else so many that arrays are back at their places."""
        write, period = self.write, self.steps.period
        whole = write.op("mul", write.op("floordiv", most, period), period)
        is_enough = write.op("min", write.op("max", write.op("sub", write.op("add", most, 1), trips), 0), 1)
        return write.op("max", write.op("min", whole, trips), write.op("mul", trips, is_enough), "most")

    @property
    def _around(self) -> int:
        """How many rows more than its own a launch touches."""
        return self.steps.touched[1] - 1 - self.steps.touched[0]

    def _kept(self, steps: n.Atom) -> n.Atom:
        """How many rows a slab needs before its new ones: by which its last launch is shifted, and those around."""
        write, launches = self.write, self.write.op("mul", steps, len(self.steps.pieces))
        shift = write.op("max", write.op("mul", write.op("sub", launches, 1), self.steps.reach), 0)
        return write.op("add", shift, self._around, "keep")

    def _parts(self, number: n.Atom, size: n.Atom | int) -> n.Atom:
        """How many parts of a size cover a number."""
        write = self.write
        return write.op("floordiv", write.op("sub", write.op("add", number, size), 1), size, "parts")

    # --------------------------------------------------------------------------------------------- the loops

    def _blocks(self, size: _Size) -> tuple[n.Var, ...]:
        """Write the loops over blocks and slabs; the windows behind them."""
        write, windows = self.write, [slide.window for slide in self.slides.values()]
        with self._over(f"{self.loop.label}.blocks", size.blocks, windows) as (block, held, blocks):
            done = write.op("mul", block, size.steps, "done")
            steps = write.op("min", size.steps, write.op("sub", size.trips, done))
            steps = write.op("max", steps, 1, "steps")
            with self._over(f"{self.loop.label}.slabs", size.turns, held) as (slab, held, slabs):
                slabs.next = self._slab(slab, held, size, write.op("add", self.loop.start, done, "now"), steps)
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
        write, arrays = self.write, list(self.steps.arrays)
        new = write.op("add", size.begin, write.op("mul", slab, size.high), "new")
        base = write.let(n.Binary("sub", new, size.keep, checked=False), PYINT, "base")
        self._slide(dict(zip(arrays, windows, strict=True)), size, new, base)
        low = write.op("sub", new, self.steps.touched[1] - 1, "low")
        with self._over(f"{self.loop.label}.block", steps, windows) as (step, inside, loop):
            held = {var.name: Held(window, base) for var, window in zip(arrays, inside, strict=True)}
            self._step(held, (low, size), write.op("add", begin, step, "now"), step)
            loop.next = self._after(inside, arrays)
        back = self._remainder(write.op("sub", self.steps.period, self._remainder(steps)))
        return self._change(loop.results, back, lambda values: self._after(values, arrays))

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

    def _step(self, held: Mapping[str, Held], slab: tuple[n.Atom, _Size], now: n.Atom, step: n.Var) -> None:
        """Write one step: what the loop does in an iteration, with launches of pieces in place of its nests."""
        write, copied = self.write, renamed(n.Block(self.loop.body.statements), self.names)
        values: dict[str, n.Atom] = {self.loop.index.name: now, **self.inits}
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
            reads = [place.window for name, place in held.items() if name in piece.windows]
            writes = [place.window for name, place in held.items() if name in piece.writes]
            always = [self.table.structure.definition(name).var for name in piece.whole if name in piece.reads]
            writes += [self.table.structure.definition(name).var for name in piece.writes if name in piece.whole]
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

    # ------------------------------------------------------------------------------- what comes and what leaves

    def _slide(self, windows: Mapping[n.Var, n.Var], size: _Size, new: n.Atom, base: n.Atom) -> None:
        """Write how all windows come to begin at row `base`, and get new rows from row `new` on."""
        cycles = [[var for var in windows if self._leader(var) == leader] for leader in self._leaders()]
        come = [self._come(arrays, size, new) for arrays in cycles]
        for arrays, (coming, count) in zip(cycles, come, strict=True):
            self._exchange({var: windows[var] for var in arrays}, coming, Rows(size.keep, size.high, count))
        for arrays in cycles:
            self._leave([var for var in arrays if var in self.steps.written], size, base)

    def _come(self, arrays: Sequence[n.Var], size: _Size, new: n.Atom) -> tuple[list[n.Var], n.Atom]:
        """Copy new rows of arrays that change places; where they are on the device, and how many."""
        write, extent = self.write, self.dims[arrays[0]][0]
        top = write.op("min", write.op("add", size.end, self.steps.touched[1] - 1), extent)
        count = self._between(write.op("sub", top, new), 0, size.high, "count")
        start = write.op("min", new, extent, "start")
        stop = write.op("add", start, count, "stop")
        found = []
        for var in arrays:
            found.append(self._rows(self.slides[var].coming, var, n.Const(0), count))
            part = self._rows(self.inits[var.name], var, start, stop)
            write.add(self._copy(part, HOST, self.device, found[-1]))
        return found, count

    def _exchange(self, windows: Mapping[n.Var, n.Var], coming: Sequence[n.Var], rows: Rows) -> None:
        """Launch what slides windows."""
        slides = [replace(self.slides[var], window=window) for var, window in windows.items()]
        sides = self.dims[next(iter(windows))][1:]
        nest = sliding(self.write, f"{self.loop.label}.slides", slides, rows, sides)
        statements, launch = self.own(nest, [view for slide in slides for view in (slide.window, *slide.beside)])
        leaving = [slide.leaving for slide in slides if slide.leaving is not None]
        self.write.add(*statements)
        self.write.add(replace(launch, reads=(*windows.values(), *coming), writes=(*windows.values(), *leaving)))

    def _leave(self, arrays: Sequence[n.Var], size: _Size, base: n.Atom) -> None:
        """Copy rows home that are done: those that stood at the beginning of windows before they were at row `base`."""
        write, made = self.write, self.steps.made
        for var in arrays:
            extent, leaving = self.dims[self._leader(var)][0], self.slides[var].leaving
            assert leaving is not None
            done = write.op("sub", base, size.high)
            first = write.op("max", write.op("add", size.first, made[0]), 0)
            last = write.op("min", write.op("add", size.end, made[1] - 1), extent)
            start = self._between(write.op("sub", first, done), 0, size.high, "start")
            stop = self._between(write.op("sub", last, done), start, size.high, "stop")
            low = self._between(write.op("add", done, start), 0, extent, "low")
            high = write.op("add", low, write.op("sub", stop, start), "high")
            box = self.steps.written[var]
            part = self._rows(self.inits[var.name], var, low, high, box)
            write.add(self._copy(self._rows(leaving, var, start, stop, box), self.device, HOST, part))

    def _between(self, value: n.Atom, low: n.Atom | int, high: n.Atom, stem: str) -> n.Atom:
        """A value, or the end of a range that is next to it."""
        return self.write.op("max", self.write.op("min", value, high), low, stem)

    def _rows(self, view: n.Var, var: n.Var, start: n.Atom, stop: n.Atom, box: Box | None = None) -> n.Var:
        """Rows of an array or of one beside a window; all of each, or what is inside a box."""
        write = self.write
        sides = box if box and all(self._is_known(side) for side in box) else self._space(var).whole[1:]
        axes = [n.Slice(start, write.op("sub", stop, start), n.Const(1))]
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

    def _arrays_of(self, var: n.Var, size: _Size) -> Slide:
        """Make the window of an array, and the arrays beside it."""
        keep = self.write.op("add", size.keep, size.high, "rows")
        coming, *leaving = (
            self._array(var, size.high, size, stem) for stem in ("coming", "leaving")[: 1 + (var in self.steps.written)]
        )
        return Slide(self._array(var, keep, size, "window"), coming, leaving[0] if leaving else None)

    def _array(self, var: n.Var, rows: n.Atom, size: _Size, kind: str) -> n.Var:
        """Make an array with so many rows of another; of none where there are no blocks."""
        assert isinstance(var.type, View)
        rows = self.write.op("mul", rows, self.write.op("min", size.blocks, 1), "rows")
        type_ = View(var.type.element, var.type.ndim, contiguous=True)
        value = n.Alloc((rows, *self.dims[var][1:]), var.type.element)
        view = self.write.let(value, type_, f"{var.stem}_{kind}")
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
