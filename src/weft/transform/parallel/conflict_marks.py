"""Marks: which iteration of a loop touched each element, written down before the loop runs.

Not a pass: part of what `weft.transform.parallel.runtime_dependence` puts before a loop. Each element that a loop
writes is marked with the iteration, in an array of marks. First all writes are marked, then reads are compared with the
marks, so that what is found is a race and no guess. A loop inside of others is replayed for all of its runs before the
outermost one: marks of earlier runs are those below `State.base`.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from weft.analysis.access.structure import Loop, Region
from weft.ir import nodes as n
from weft.ir.location import Location
from weft.ir.types import INT64, PYBOOL, PYINT, View
from weft.transform.parallel.inspector import FALSE, Slice, State, Subscript, Touch, Walk
from weft.transform.peel import Copies


@dataclass
class Marks:
    """The array of marks for one view, and the accesses that write it.

    The mark of access number `k` in an iteration is ``iteration * len(writers) + k + 1``, counted from the first
    iteration of the first run; 0 is no mark. `kept` are the axes along which accesses may differ, `fixed` the
    subscripts of the others, which are the same for all of them. Where all writers fold by one operator
    (`folds`), they may meet: then a second mark of each element, `size` places behind, is that of another iteration.
    """

    view: n.Var
    array: n.Var
    kept: tuple[int, ...]
    fixed: dict[int, Subscript]
    extents: tuple[n.Atom, ...]
    size: n.Atom
    writers: tuple[Touch, ...]
    room: n.Atom
    folds: bool = False

    def made(self, location: Location) -> n.Let:
        """The statement that makes the array."""
        return n.Let(self.array, n.Alloc((self.room,), INT64, n.Const(0, INT64)), location)


def varying(touches: Sequence[Touch], is_inside: Callable[[str], bool]) -> tuple[int, ...]:
    """The axes along which accesses may differ: those where not all have one subscript known before the loop."""
    axes = zip(*(touch.subscripts for touch in touches), strict=True)
    return tuple(axis for axis, found in enumerate(axes) if len(set(found)) > 1 or _is_inside(found[0], is_inside))


def _is_inside(subscript: Subscript, is_inside: Callable[[str], bool]) -> bool:
    return any(isinstance(atom, n.Var) and is_inside(atom.name) for atom in (subscript.atom, subscript.length))


def along(touch: Touch, axes: Sequence[int]) -> Touch:
    """An access with some of its subscripts only."""
    return replace(touch, subscripts=tuple(touch.subscripts[axis] for axis in axes))


def marks_for(
    touches: Sequence[Touch], axes: tuple[int, ...], copies: Copies, loop: n.For, folds: bool
) -> tuple[list[n.Let], Marks, tuple[Touch, ...]]:
    """Statements that measure a view, the marks of its elements, and the accesses along the axes that are marked."""
    view, location = touches[0].view, loop.location
    kept = tuple(along(touch, axes) for touch in touches)
    lets = [copies.let(n.Dim(view, axis), PYINT, location, "extent") for axis in axes]
    extents = tuple(let.var for let in lets)
    size: n.Atom = extents[0] if extents else n.Const(1)
    for extent in extents[1:]:
        lets.append(copies.let(n.Binary("mul", size, extent, False), PYINT, location, "size"))
        size = lets[-1].var
    room = size
    if folds:
        lets.append(copies.let(n.Binary("mul", size, n.Const(2), False), PYINT, location, "room"))
        room = lets[-1].var
    array = copies.names.fresh("marks", View(INT64, 1, contiguous=True))
    fixed = {axis: s for axis, s in enumerate(touches[0].subscripts) if axis not in axes}
    writers = tuple(touch for touch in kept if touch.access.writes)
    return lets, Marks(view, array, axes, fixed, extents, size, writers, room, folds), kept


class Phase(Walk):
    """One run over a loop, which marks writes or looks for the marks at reads.

    `codes` are the accesses to look at; the pair that one makes with writer `k` has the number ``code + k``.
    """

    def __init__(self, slice: Slice, copies: Copies, marks: Marks, codes: dict[Touch, int], state: State) -> None:
        super().__init__(slice, copies, state)
        self.marks = marks
        self.codes = codes
        self.touches = {(t.access.region.path, t.access.site.position): t for t in codes}
        self.base = state.base

    def entered(self, loop: Loop, start: n.Atom, index: n.Var) -> None:
        """Count the iterations of the loop that is replayed."""
        if loop is self.slice.loop:
            self.index, self.start = index, start
            self.iteration: n.Atom = self.let(n.Binary("sub", index, start, False), PYINT, "iteration")
            if self.base != n.Const(0):
                self.iteration = self.let(n.Binary("add", self.iteration, self.base, False), PYINT, "iteration")

    def passed(self, region: Region, position: int) -> None:
        """Mark an element, or look for a mark: if the replay still goes on, and the access is inside."""
        touch = self.touches.get((region.path, position))
        if touch is None:
            return
        before, outer = self.state, self.out
        self.out = []
        inside, indices = self.inside(touch.subscripts, self.marks.extents)
        test, self.out = self.out, []
        place = self._place(indices)
        if self.marks.folds and touch in self.marks.writers:
            self._fold(touch, place)
        else:
            self._compare(touch, place, place, before)
        if self.marks.folds and touch not in self.marks.writers:
            self._compare(touch, place, self._behind(place), self.state)
        met, self.out = n.Block(tuple(self.out), self.state.atoms()), test
        ended = n.Block((), replace(before, alive=FALSE).atoms())
        self.append_if(inside, met, ended)
        found, self.out = n.Block(tuple(self.out), self.state.atoms()), outer
        self.append_if(before.alive, found, n.Block((), before.atoms()))

    def _compare(self, touch: Touch, place: n.Atom, mark: n.Atom, before: State) -> None:
        """Look at a mark of an element: of another iteration it is a race, unless one was found before."""
        seen, earlier, race = self._other(mark)
        if mark is not place:
            race = self.both(race, before.alive)
        outer, self.out = self.out, []
        raced = self._raced(touch, seen, earlier, place)
        met, self.out = n.Block(tuple(self.out), raced.atoms()), []
        if touch in self.marks.writers:
            self._mark(touch, place)
        passed, self.out = n.Block(tuple(self.out), before.atoms()), outer
        self.append_if(race, met, passed)

    def _other(self, place: n.Atom) -> tuple[n.Atom, n.Atom, n.Atom]:
        """A mark less one, its iteration, and whether it is of another iteration of this run."""
        seen = self.let(n.Cast(self.let(n.Load(self.marks.array, (place,), "safe"), INT64), False), PYINT, "seen")
        marked = self.let(n.Compare("ne", seen, n.Const(0)), PYBOOL)
        earlier: n.Atom = self.let(n.Binary("sub", seen, n.Const(1), False), PYINT)
        mark, writers = earlier, len(self.marks.writers)
        if writers > 1:
            earlier = self.let(n.Binary("floordiv", earlier, n.Const(writers), False), PYINT)
        other = self.both(marked, self.let(n.Compare("ne", earlier, self.iteration), PYBOOL))
        if self.base != n.Const(0):
            other = self.both(other, self.let(n.Compare("ge", earlier, self.base), PYBOOL))
        return mark, earlier, other

    def _fold(self, touch: Touch, place: n.Atom) -> None:
        """Mark what is folded into: in the second place where another iteration has marked the first."""
        _, _, other = self._other(place)
        second = self.let(n.Select(other, self._behind(place), place), PYINT, "mark")
        self._mark(touch, second)

    def _behind(self, place: n.Atom) -> n.Atom:
        return self.let(n.Binary("add", place, self.marks.size, False), PYINT)

    def _place(self, indices: Sequence[n.Atom]) -> n.Atom:
        place: n.Atom = n.Const(0)
        for index, extent in zip(indices, self.marks.extents, strict=True):
            row = place if place == n.Const(0) else self.let(n.Binary("mul", place, extent, False), PYINT)
            place = index if row == n.Const(0) else self.let(n.Binary("add", row, index, False), PYINT)
        return place

    def _raced(self, touch: Touch, mark: n.Atom, earlier: n.Atom, place: n.Atom) -> State:
        """The state once a race was found."""
        code: n.Atom = n.Const(self.codes[touch])
        if len(self.marks.writers) > 1:
            writer = self.let(n.Binary("mod", mark, n.Const(len(self.marks.writers)), False), PYINT)
            code = self.let(n.Binary("add", writer, code, False), PYINT, "code")
        first = earlier
        if self.base != n.Const(0):
            first = self.let(n.Binary("sub", first, self.base, False), PYINT)
        first = self.let(n.Binary("add", first, self.start, False), PYINT, "first")
        return State(FALSE, code, first, self.index, place, self.base)

    def _mark(self, touch: Touch, place: n.Atom) -> None:
        own: n.Atom = self.iteration
        writers = len(self.marks.writers)
        if writers > 1:
            own = self.let(n.Binary("mul", own, n.Const(writers), False), PYINT)
        own = self.let(n.Binary("add", own, n.Const(self.marks.writers.index(touch) + 1), False), PYINT)
        mark = self.let(n.Cast(own, False), INT64)
        self.out.append(n.Store(self.marks.array, (place,), mark, "safe", location=self.location))


class Around(Walk):
    """Repeats the loops around a loop, and asks before each run of it.

    Parameters
    ----------
    slice
        What all that is asked needs, of the outermost loop.
    inner
        The loop that is asked about.
    ask
        Adds statements to this walk.
    """

    def __init__(self, slice: Slice, copies: Copies, inner: Loop, ask: Callable[[Walk], None]) -> None:
        super().__init__(slice, copies)
        self.inner = inner
        self.ask = ask

    def loop(self, loop: Loop, start: n.Atom, stop: n.Atom) -> None:
        """Repeat a loop; one iteration is enough where all are alike."""
        if not self.slice.varies_in(loop, self.inner):
            once = self.let(n.Binary("add", start, n.Const(1), False), PYINT)
            stop = self.let(n.Binary("min", stop, once, False), PYINT, "stop")
        super().loop(loop, start, stop)

    def inner_loop(self, loop: Loop) -> None:
        """Ask before the loop; repeat the others."""
        if loop is not self.inner:
            super().inner_loop(loop)
            return
        assert isinstance(loop.node, n.For)
        self.ask(self)
        start, stop = self.renamed(loop.node.start), self.renamed(loop.node.stop)
        trips = self.let(n.Binary("sub", stop, start, False), PYINT)
        some = self.let(n.Binary("max", trips, n.Const(0), False), PYINT, "trips")
        self.state = replace(self.state, base=self.let(n.Binary("add", self.state.base, some, False), PYINT, "base"))
