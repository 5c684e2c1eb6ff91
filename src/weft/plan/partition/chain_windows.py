"""Runs several nests slab by slab, what they hand on staying on the device: see `chains` for when that is right.

Each array has windows as for a single nest (see `slab_windows`): those that come from the host, or go there, take
turns, and what only the nests need has one. A slab is filled, the nests run one after the other, and what they wrote
goes home.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TypeAlias

from weft.analysis.values.linear import ZERO, constant, symbol
from weft.ir import nodes as n
from weft.ir.reference.memories import HOST
from weft.ir.types import PYINT, View
from weft.ir.visit import Names, free_variables
from weft.plan.partition.chains import Chain, Link, Rows
from weft.plan.partition.reductions import Split
from weft.plan.partition.slab_loops import MakeLaunch, Nest
from weft.plan.partition.slab_windows import LEAST, WindowWriter
from weft.plan.partition.slabs import Piece, Window
from weft.plan.partition.windows import Held
from weft.plan.transfers.regions import Box, Side, Space

Launches: TypeAlias = "Mapping[str, MakeLaunch]"
"""What writes the launch of a part of a nest, by the nest's label."""


@dataclass(frozen=True)
class _Part:
    """The rows of an array that a slab has: `count`, from the window's first on, which is the array's row `first`."""

    first: n.Var
    count: n.Var
    window: n.Var

    @property
    def held(self) -> Held:
        return Held(self.window, self.first)


class ChainWriter(WindowWriter):
    """Writes the loop over the slabs of a chain.

    Parameters
    ----------
    chain
        The nests.
    launches
        What writes their launches.
    reduced
        The label of the nest that is a reduction, and what was made of it.
    dead
        Arrays that nobody needs behind the chain.
    holders
        The variables by their names.
    """

    def __init__(
        self,
        chain: Chain,
        launches: Launches,
        reduced: tuple[str, Split] | None,
        dead: frozenset[str],
        holders: Callable[[str], n.Var],
        names: Names,
        device: str,
    ) -> None:
        self.chain, self.launches, self.reduced = chain, launches, reduced
        self.leaving = tuple(name for name in chain.written if name not in dead)
        piece = _piece_of(chain, self.leaving, names)
        parts = reduced[1] if reduced else None
        launch = launches[chain.links[0].nest.label]
        nest = Nest(piece, parts, holders, lambda view: view.name, launch, lambda made, low, high, home: (made, *home))
        super().__init__(nest, names, device)

    @property
    def _label(self) -> str:
        return f"{self.piece.loop.label}.together"

    def enough(self, unless: Sequence[n.Atom] = ()) -> tuple[list[n.Statement], n.Atom]:
        """Whether the room is enough for slabs that are high beside the rows that are computed twice, and none of some
        conditions holds."""
        whole = ZERO
        for name in self.chain.whole:
            space = self._space(name)
            whole = whole + self._row(name) * space.extents[0] if space.extents else whole
        more = max(link.before + link.after for link in self.chain.links)
        least = n.Const(max(1, LEAST * more)) if self.reduced is None else self.reduced[1].chunk
        enough = self.write.compare("ge", self._fitting(whole), least)
        enough = self.write.both([enough, *map(self.write.negated, unless)])
        statements, self.write.statements = self.write.statements, []
        return statements, enough

    def _one(self, slab: n.Var, size: n.Atom, units: n.Atom, windows: Mapping[str, n.Var]) -> None:
        """Write what one slab does."""
        write = self.write
        first = write.op("mul", slab, size, "first")
        last = write.op("min", write.op("add", first, size), units, "last")
        self._bounds(first, last)
        parts = {name: self._part(name, window) for name, window in windows.items()}
        views = {name: self._filled(name, part) for name, part in parts.items()}
        homes = {name: [self._home(name, parts[name], *made) for made in self._written(name)] for name in self.leaving}
        for link in self.chain.links:
            self._run(link, parts, views, homes, (first, last))
        for held, home in (pair for own in homes.values() for pair in own):
            write.add(n.Copy(held, self.device, HOST, self.location, home))

    def _part(self, name: str, window: n.Var) -> _Part:
        """Find which rows of an array a slab has."""
        write, (before, after) = self.write, self.chain.around(name)
        extent = self._extent(self.nest.holders(name), 0)
        first = write.op("max", write.op("min", write.op("add", self.piece.low, before), extent), 0)
        stop = write.op("min", write.op("add", self.piece.high, after), extent)
        first = self._opaque(first, "row")
        return _Part(first, self._opaque(write.op("max", write.op("sub", stop, first), 0), "rows"), window)

    def _filled(self, name: str, part: _Part) -> n.Var:
        """The rows of a slab in the window, once those that come from the host are there."""
        whole = self._space(name).whole[1:]
        held = self._rows_of(part.window, name, n.Const(0), part.count, whole)
        if name not in self.chain.arriving:
            return held
        box = self._columns([rows.box for link in self.chain.links for rows in link.reads.get(name, ())], name)
        if box != whole:
            held = self._rows_of(part.window, name, n.Const(0), part.count, box)
        given = self._rows_of(self.nest.holders(name), name, part.first, part.count, box)
        self.write.add(n.Copy(given, HOST, self.device, self.location, held))
        return held

    def _columns(self, boxes: Sequence[Box], name: str) -> Box:
        """What is around the sides of boxes but for the rows."""
        space = self._space(name)
        row = Side(ZERO, space.extents[0])
        return space.hull([(row, *box[1:]) for box in boxes])[1:]

    # ------------------------------------------------------------------------------------------------ the nests

    def _run(
        self,
        link: Link,
        parts: Mapping[str, _Part],
        views: Mapping[str, n.Var],
        homes: Mapping[str, Sequence[tuple[n.Var, n.Var]]],
        units: tuple[n.Atom, n.Atom],
    ) -> None:
        """Write the launch of a nest on the windows."""
        is_reduced = self.reduced is not None and self.reduced[0] == link.nest.label
        bounds = units if is_reduced else self._limits(link, link.before, link.after)
        used = [view.name for view in free_variables(n.Block((link.nest,))) if view.name in parts]
        held = {name: parts[name].held for name in used}
        statements, launch = self.launches[link.nest.label](*bounds, held)
        reads = [views[name] for name in link.reads]
        writes = [self._whole_part(name, parts[name], views) for name in link.writes]
        writes += [held for name in link.writes for held, _ in homes.get(name, ())]
        reads += [self.nest.holders(name) for name in link.piece.whole]
        own = [self._rows(view, *units) for view in self.partials] if is_reduced else []
        self.write.add(*statements, replace(launch, reads=tuple(reads), writes=(*writes, *own)))

    def _whole_part(self, name: str, part: _Part, views: Mapping[str, n.Var]) -> n.Var:
        """All columns of the rows of a slab."""
        if name not in self.chain.arriving:
            return views[name]
        return self._rows_of(part.window, name, n.Const(0), part.count, self._space(name).whole[1:])

    def _limits(self, link: Link, before: int, after: int) -> tuple[n.Atom, n.Atom]:
        """The iterations of a nest that a slab runs, with some more on both sides."""
        write, loop, low, high = self.write, link.piece.loop, self.piece.low, self.piece.high
        first, last = write.op("sub", low, before), write.op("add", high, after)
        if before or link.start != self.chain.start.start:
            first = write.op("max", loop.start, first, "low")
        if after or link.stop != self.chain.stop.stop:
            last = write.op("min", loop.stop, last, "high")
        return first, last

    # ------------------------------------------------------------------------------------------------ homewards

    def _written(self, name: str) -> Iterator[tuple[Link, Rows]]:
        """What goes home of an array: the rows that nests write, each once."""
        found: list[tuple[Link, Rows]] = []
        for link in self.chain.links:
            for rows in link.writes.get(name, ()):
                if not any(self._has(other, link, rows, name) for other in found):
                    found.append((link, rows))
        yield from found

    def _has(self, other: tuple[Link, Rows], link: Link, rows: Rows, name: str) -> bool:
        """Whether a nest is known to write all that another one does."""
        before, own = other
        space, row = self._space(name), Side(ZERO, self._space(name).extents[0])
        is_long = (before.start, before.stop) == (link.start, link.stop)
        return is_long and space.contains((row, *own.box[1:]), (row, *rows.box[1:]))

    def _home(self, name: str, part: _Part, link: Link, rows: Rows) -> tuple[n.Var, n.Var]:
        """What a nest writes of a slab's own rows: in the window, and at home."""
        write, (first, last) = self.write, self._limits(link, 0, 0)
        last = self._opaque(self._inside(write.op("add", last, rows.first), part, part.count), "stop")
        first = self._opaque(self._inside(write.op("add", first, rows.first), part, last), "start")
        count = self._opaque(write.op("sub", last, first), "rows")
        held = self._rows_of(part.window, name, first, count, rows.box[1:])
        home = self._rows_of(self.nest.holders(name), name, write.op("add", part.first, first), count, rows.box[1:])
        return held, home

    def _inside(self, row: n.Atom, part: _Part, most: n.Atom) -> n.Atom:
        """A row of the array as one of the window, or as the one behind its last."""
        write = self.write
        return write.op("min", write.op("max", write.op("sub", row, part.first), 0), most)

    def _rows_of(self, view: n.Var, name: str, start: n.Atom, count: n.Atom, box: Box) -> n.Var:
        """Rows of an array or of a window, as far as they are inside the sides of a box."""
        write, space, holder = self.write, self._space(name), self.nest.holders(name)
        axes = [n.Slice(start, count, n.Const(1))]
        for axis, side in enumerate(box, 1):
            extent = self._extent(holder, axis)
            if side == Side(ZERO, space.extents[axis]):
                axes.append(n.Slice(n.Const(0), extent, n.Const(1)))
                continue
            low = write.op("min", write.op("max", self._value(side.low), 0), extent)
            high = write.op("min", self._value(side.stop), extent)
            axes.append(n.Slice(low, write.op("max", write.op("sub", high, low), 0), n.Const(1)))
        assert isinstance(view.type, View)
        type_ = View(view.type.element, view.type.ndim, writable=view.type.writable)
        return write.let(n.Subview(view, tuple(axes), "safe"), type_, view.stem)

    def _opaque(self, value: n.Atom, stem: str) -> n.Var:
        """A variable for a value that is not looked into when the bounds of a view are read."""
        return self.write.let(n.Binary("add", value, n.Const(0), checked=False), PYINT, stem)


def _piece_of(chain: Chain, leaving: Sequence[str], names: Names) -> Piece:
    """What a slab of all nests touches, as for one nest."""
    low, high = (names.fresh(f"{chain.start.piece.loop.index.stem}_{end}", PYINT) for end in ("low", "high"))
    known = {name: space for link in chain.links for name, space in link.piece.spaces.items()}
    spaces = {name: Space(space.extents, chain.proves) for name, space in known.items()}
    windows, reads = {}, {name: (spaces[name].whole,) for name in chain.whole}
    for name in chain.names:
        before, after = chain.around(name)
        rows = Side(symbol(low.name) + before, symbol(high.name) + after)
        windows[name] = Window((rows, *spaces[name].whole[1:]), 1, constant(after - before))
    for name in chain.arriving:
        reads[name] = (windows[name].box,)
    writes = {name: (windows[name].box,) for name in leaving}
    loop = replace(chain.start.piece.loop, stop=chain.stop.piece.loop.stop)
    return Piece(loop, low, high, reads, writes, windows, spaces)
