"""Sums over two loops whose points read windows of an array that overlap: convolutions and what looks like them."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from weft.ir import nodes as n
from weft.ir.effects import may_raise
from weft.ir.types import FLOAT64
from weft.ir.visit import atoms_of, known_trips
from weft.schedule.nests import Reduction, reduction_in
from weft.transform.vector.fma_reductions import fused

ROWS, COLUMNS = 2, 4
"""Points that one matrix instruction gives for each place: neighbours, so that most of what lies around them is in all
of their windows."""

Form = tuple[frozenset[str], int]
"""A sum of different counters and a constant."""


@dataclass(frozen=True)
class SlidingSum:
    """A sum over the rows and columns of a window.

    `windows` are the loads that move with both loops of the points, their columns shifted by `shifts`; `weights` those
    that are the same for all points. `before` says of loads before the sum which window has their element, and for
    which row and column of the sum.
    """

    found: Reduction
    rows: n.For
    columns: n.For
    windows: tuple[n.Let, ...]
    weights: tuple[n.Let, ...]
    shifts: Mapping[str, int] = field(default_factory=dict)
    before: Mapping[str, tuple[n.Let, int, int]] = field(default_factory=dict)

    def begins_at_multiple(self, load: n.Let, lanes: int) -> bool:
        """Whether the first column of a window is a multiple of a number where its point is."""
        start = self.columns.start
        return isinstance(start, n.Const) and (self.shifts[load.var.name] + int(start.value.real)) % lanes == 0

    @property
    def width(self) -> int | None:
        """The columns of a window, where they are known beforehand."""
        return known_trips(self.columns)

    @property
    def height(self) -> int | None:
        """The rows of a window, where they are known beforehand."""
        return known_trips(self.rows)

    @property
    def lets(self) -> tuple[n.Statement, ...]:
        """What an iteration of the inner loop computes, with what stands around that loop."""
        return (*self.rows.body.statements[:-1], *self.columns.body.statements)


def sliding_sum(flat: n.Block, label: str, y: n.For, x: n.For) -> SlidingSum | str:
    """The sum that a loop with a label and the one in it form for the points of two loops; in words why it is none."""
    found = reduction_in(flat, label)
    inner = found.loop.body.statements[-1] if found is not None and found.loop.body.statements else None
    if found is None or not isinstance(inner, n.For) or not _is_nested(found.loop, inner):
        return f"{label!r} is no sum over two loops, one directly inside the other"
    rows = found.loop
    lets = (*rows.body.statements[:-1], *inner.body.statements)
    if not all(isinstance(s, n.Let) and not may_raise(s.value, s.var.type) for s in lets):
        return f"{label!r} does more than compute values"
    counters = [y.index.name, x.index.name, rows.index.name, inner.index.name]
    statements = (*found.before.statements, *lets)
    forms, depends = _forms(statements, counters), _dependences(statements, counters)
    loads = [s for s in lets if isinstance(s, n.Let) and isinstance(s.value, n.Load)]
    weights = tuple(s for s in loads if not depends[s.var.name] & {y.index.name, x.index.name})
    windows = tuple(s for s in loads if s not in weights)
    for load in windows:
        if not _is_window(load, forms, depends, counters):
            return f"line {load.location.line} does not read at the sum of two counters in each direction"
    shifts = {load.var.name: forms[_last(load)][1] for load in windows}
    if not windows:
        return f"{label!r} reads the same for all points"
    earlier = [s for s in found.before.statements if isinstance(s, n.Let) and isinstance(s.value, n.Load)]
    pairs = ((load, window, _place_in(load, window, forms, counters)) for load in earlier for window in windows)
    before = {load.var.name: (window, *place) for load, window, place in pairs if place is not None}
    return SlidingSum(found, rows, inner, windows, weights, shifts, before)


def _place_in(load: n.Let, window: n.Let, forms: Mapping[str, Form], counters: Sequence[str]) -> tuple[int, int] | None:
    """For which row and column of a sum its window has the element of a load that moves with the points alone."""
    assert isinstance(load.value, n.Load) and isinstance(window.value, n.Load)
    y, x, row, column = counters
    if load.value.view != window.value.view:
        return None
    found: dict[str, int] = {}
    for index, moved in zip(load.value.indices, window.value.indices, strict=True):
        one, other = (forms.get(a.name) if isinstance(a, n.Var) else None for a in (index, moved))
        for counter, along in ((y, row), (x, column)):
            if one and other and one[0] == {counter} and other[0] == {counter, along}:
                found[along] = one[1] - other[1]
                break
        else:
            if index != moved:
                return None
    return (found[row], found[column]) if len(found) == 2 else None


def pieces(width: int) -> int:
    """How many pieces of `COLUMNS` elements of a row the windows of so many neighbours cover."""
    return -(-(width + COLUMNS - 1) // COLUMNS)


def why_no_matrices(found: SlidingSum) -> str | None:
    """Why matrix instructions cannot form a sum over windows."""
    label = found.rows.label
    if not _is_product(found):
        return f"{label!r} is no sum of products of two float64 numbers, one of a window and one that is a weight"
    if not found.width or not found.height:
        return f"how many rows and columns the windows of {label!r} have is not known beforehand"
    if not _begins_at_zero(found):
        return f"the sum of {label!r} begins with what may be -0.0"
    return None


def _is_product(found: SlidingSum) -> bool:
    """Whether a sum adds products of one element and one weight in float64, and does nothing else."""
    if len(found.windows) != 1 or len(found.weights) != 1 or [a.var.type for a in found.rows.args] != [FLOAT64]:
        return False
    loop = fused(found.columns)
    made = [s.value for s in loop.body.statements if isinstance(s, n.Let) and s.var in loop.body.yields]
    factors = {load.var for load in (*found.windows, *found.weights)}
    (added,) = made if len(made) == 1 else (None,)
    return isinstance(added, n.Fma) and {added.a, added.b} == factors and added.c == loop.args[0].var


def _begins_at_zero(found: SlidingSum) -> bool:
    """Whether a sum begins with a constant or a difference of equals: zeros that are added would change -0.0."""
    (arg,) = found.rows.args
    if isinstance(arg.init, n.Const):
        return math.copysign(1.0, arg.init.value.real) > 0 or arg.init.value != 0
    made = [s.value for s in found.found.before.statements if isinstance(s, n.Let) and s.var == arg.init]
    return any(isinstance(v, n.Binary) and v.op == "sub" and v.left == v.right for v in made)


def _last(load: n.Let) -> str:
    """The variable that is the last index of a load."""
    assert isinstance(load.value, n.Load)
    last = load.value.indices[-1]
    assert isinstance(last, n.Var)
    return last.name


def _is_nested(outer: n.For, inner: n.For) -> bool:
    """Whether an inner loop goes on with what the outer one carries, and nothing follows it."""
    carried = tuple(arg.var for arg in outer.args)
    same = tuple(arg.init for arg in inner.args) == carried and outer.body.yields == inner.results
    return bool(carried) and same and outer.exit is None and inner.exit is None


def _forms(statements: Iterable[n.Statement], counters: Sequence[str]) -> Mapping[str, Form]:
    """What variables are that are sums of counters and constants."""
    forms: dict[str, Form] = {name: (frozenset((name,)), 0) for name in counters}

    def form(atom: n.Atom) -> Form | None:
        if isinstance(atom, n.Const):
            return frozenset(), int(atom.value.real)
        return forms.get(atom.name)

    for statement in statements:
        if (
            isinstance(statement, n.Let)
            and isinstance(statement.value, n.Binary)
            and statement.value.op in ("add", "sub")
        ):
            left, right = form(statement.value.left), form(statement.value.right)
            if left is None or right is None or left[0] & right[0]:
                continue
            if statement.value.op == "add":
                forms[statement.var.name] = left[0] | right[0], left[1] + right[1]
            elif not right[0]:
                forms[statement.var.name] = left[0], left[1] - right[1]
    return forms


def _dependences(statements: Iterable[n.Statement], counters: Sequence[str]) -> Mapping[str, frozenset[str]]:
    """The counters on which variables depend."""
    depends = {name: frozenset((name,)) for name in counters}
    for statement in statements:
        if isinstance(statement, n.Let):
            names = (a.name for a in atoms_of(statement) if isinstance(a, n.Var))
            depends[statement.var.name] = frozenset().union(*(depends.get(name, frozenset()) for name in names))
    return depends


def _is_window(
    load: n.Let, forms: Mapping[str, Form], depends: Mapping[str, frozenset[str]], counters: Sequence[str]
) -> bool:
    """Whether an element is chosen by the sum of the counters of the rows, that of the columns, and nothing else."""
    assert isinstance(load.value, n.Load)
    y, x, row, column = counters
    *outer, last = load.value.indices
    found = [forms.get(a.name, (frozenset(), 0))[0] if isinstance(a, n.Var) else frozenset() for a in outer]
    others = [a for a, names in zip(outer, found, strict=True) if names != {y, row}]
    moved = forms.get(last.name, (frozenset(), 0))[0] if isinstance(last, n.Var) else frozenset()
    is_fixed = not any(isinstance(a, n.Var) and depends.get(a.name) for a in others)
    return moved == {x, column} and len(others) == len(outer) - 1 and is_fixed
