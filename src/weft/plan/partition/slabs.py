"""Cuts a kernel's domain into slabs: what a piece of one of its parallel loops touches of every array.

A piece runs the iterations ``low <= i < high`` of one loop. What it touches is a box of each array whose sides are
forms of `low` and `high`. A loop can be cut where every array is held once, and where no element lies in the boxes that
two pieces write. An array whose rows follow the loop is cut with it: only a *window* of rows is needed at a time.
Where asked for, so is one whose columns do, as in sums of columns. All others are needed whole.

Nothing here knows how large a device is, or moves anything: see `slab_loops`.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import combinations

from weft.analysis.access.access import AccessTable
from weft.analysis.access.access import table as access_table
from weft.analysis.access.structure import Loop
from weft.analysis.values.linear import Element, Form, symbol
from weft.ir import nodes as n
from weft.ir.types import PYINT
from weft.ir.visit import Names, free_variables, rewrite
from weft.plan.transfers import footprints
from weft.plan.transfers.footprints import Footprint
from weft.plan.transfers.regions import Box, Boxes, Side, Space
from weft.schedule.nests import grid_chain


@dataclass(frozen=True)
class Window:
    """The rows around all that a piece touches of an array: ``scale * (high - low) + more`` of them, counted along an
    axis."""

    box: Box
    scale: int
    more: Form
    axis: int = 0


@dataclass(frozen=True)
class Piece:
    """What the iterations ``low <= i < high`` of one loop touch of arrays, by the variable that holds each whole.

    Attributes
    ----------
    loop
        The loop that is cut.
    low, high
        The bounds in the forms.
    reads, writes
        What must be current before, and what is written: boxes.
    windows
        The rows that are needed of arrays that are cut.
    spaces
        The extents of all arrays, and what is known where the loop stands.
    """

    loop: n.For
    low: n.Var
    high: n.Var
    reads: Mapping[str, Boxes]
    writes: Mapping[str, Boxes]
    windows: Mapping[str, Window]
    spaces: Mapping[str, Space]

    @property
    def whole(self) -> tuple[str, ...]:
        """The arrays that every piece needs whole."""
        return tuple(name for name in self.spaces if name not in self.windows)


class Uncut(Exception):
    """Why a loop cannot be cut, in the user's words."""


def piece_of(program: n.Program, nest: n.For, names: Names, any_axis: bool = False) -> Piece:
    """The best cut of a parallel nest: the one that leaves the fewest arrays whole.

    Parameters
    ----------
    program
        The program, before anything is placed.
    nest
        One of its outermost parallel loops.
    names
        Where `low` and `high` get their names.
    any_axis
        Whether arrays are cut along any of their axes, not only between rows.

    Raises
    ------
    Uncut
        No loop of the nest can be cut.
    """
    kernel = n.Kernel("", free_variables(n.Block((nest,))), n.Block((nest,)))
    found: list[Piece] = []
    reasons: list[str] = []
    for loop in grid_chain(kernel) or (nest,):
        try:
            found.append(_cut(program, nest, loop, names, any_axis))
        except Uncut as reason:
            reasons.append(str(reason))
    if not found:
        raise Uncut(reasons[0])
    return min(found, key=lambda piece: len(piece.whole))


def _cut(program: n.Program, nest: n.For, loop: n.For, names: Names, any_axis: bool) -> Piece:
    low, high = (names.fresh(f"{loop.index.stem}_{end}", PYINT) for end in ("low", "high"))
    table = access_table(_probe(program, nest, loop, low, high, names))
    inner = table.structure.loops[nest.label]
    touched = footprints.of_loop(table, inner, lambda form: _is_outside(table, form, inner))
    arrays = {name: table.structure.definition(name).var for name in touched.arrays}
    spaces = {name: footprints.space(table, array, inner.region) for name, array in arrays.items()}
    _check_held_once(program, table, list(arrays.values()))
    for name, boxes in touched.writes.items():
        _check_apart(name, spaces[name].hull(boxes), spaces[name], low.name, high.name)
    windows = dict(_windows(touched, spaces, (low.name, high.name), any_axis))
    return Piece(loop, low, high, touched.reads, touched.writes, windows, spaces)


def _probe(program: n.Program, nest: n.For, loop: n.For, low: n.Var, high: n.Var, names: Names) -> n.Program:
    """The program with any piece of a loop in place of all of it: the bounds are counters of loops around it."""
    first, beyond = names.fresh("first", PYINT), names.fresh("beyond", PYINT)

    def change(statement: n.Statement) -> n.Statement | tuple[n.Statement, ...]:
        if not isinstance(statement, n.For) or statement.label != nest.label:
            return statement
        after = n.Let(first, n.Binary("add", low, n.Const(1), checked=False))
        piece = with_bounds(statement, loop.label, low, high)
        pieces = n.For(f"{nest.label}.high", high, first, beyond, n.Block((piece,)))
        slabs = n.For(f"{nest.label}.low", low, loop.start, loop.stop, n.Block((after, pieces)))
        return n.Let(beyond, n.Binary("add", loop.stop, n.Const(1), checked=False)), slabs

    return replace(program, body=rewrite(program.body, change))


def with_bounds(nest: n.For, label: str, low: n.Atom, high: n.Atom) -> n.For:
    """The nest with other bounds for one of its loops."""

    def change(statement: n.Statement) -> n.Statement:
        is_meant = isinstance(statement, n.For) and statement.label == label
        return replace(statement, start=low, stop=high) if isinstance(statement, n.For) and is_meant else statement

    made = rewrite(n.Block((nest,)), change).statements[0]
    assert isinstance(made, n.For)
    return made


def _is_outside(table: AccessTable, form: Form, loop: Loop) -> bool:
    """Whether a form has one value during a run of a loop, which can be computed before it."""
    reads = any(isinstance(name, Element) for name in form.symbols)
    return not reads and not any(table.structure.is_inside(name, loop) for name in form.names)


def _check_held_once(program: n.Program, table: AccessTable, arrays: Sequence[n.Var]) -> None:
    for a, b in combinations(arrays, 2):
        if table.aliases.may_alias(a, b):
            raise Uncut(f"{a.stem!r} and {b.stem!r} may be one array")
    shared = [a.stem for a in arrays if a.name in program.overlaps]
    if shared:
        raise Uncut(f"{shared[0]!r} shares memory with another array, or elements of it with one another")


def _check_apart(name: str, box: Box, space: Space, low: str, high: str) -> None:
    """The boxes of two pieces have no element in common: on some axis, one ends before the other begins."""
    for side in box:
        ends = ends_of(side, low, high)
        if ends is not None and space.proves(ends.first - ends.stop):
            return
    raise Uncut(f"two parts of the loop may write the same elements of {name.partition('.')[0]!r}")


@dataclass(frozen=True)
class _Ends:
    """A side that follows a loop: from ``scale * low + first`` to ``scale * high + stop``, or with `low` and `high`
    exchanged where it runs against the loop and `scale` is negative."""

    scale: int
    first: Form
    stop: Form


def ends_of(side: Side, low: str, high: str) -> _Ends | None:
    """The ends of a side that moves with a loop; None where it does not, or otherwise than by a constant."""
    for one, other in ((low, high), (high, low)):
        first, stop = _linear(side.low, one), _linear(side.stop, other)
        if first is None or stop is None or first[0] != stop[0] or (first[0] > 0) != (one == low):
            continue
        if not {low, high} & (first[1].names | stop[1].names):
            return _Ends(first[0], first[1], stop[1])
    return None


def _linear(form: Form, name: str) -> tuple[int, Form] | None:
    """The factor of a counter, and what is added; None where the counter does not occur or its factor varies."""
    factor = form.coefficient(name).value if name in form.symbols else None
    return (factor, form - symbol(name) * factor) if factor else None


def _windows(
    touched: Footprint, spaces: Mapping[str, Space], bounds: tuple[str, str], any_axis: bool
) -> Iterator[tuple[str, Window]]:
    """The rows that a piece needs, of every array whose first index, or another one, follows the loop."""
    for name, space in spaces.items():
        around = space.hull([*touched.reads.get(name, ()), *touched.writes.get(name, ())]) if space.extents else ()
        for axis, side in enumerate(around if any_axis else around[:1]):
            ends = ends_of(side, *bounds)
            if ends is not None:
                box = (*space.whole[:axis], side, *space.whole[axis + 1 :])
                yield name, Window(box, abs(ends.scale), ends.stop - ends.first, axis)
                break
