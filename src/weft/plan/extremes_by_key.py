"""Minima and maxima of floats by key on devices: ``best[key[i]] = max(best[key[i]], x[i])``.

The first kernel turns each number into an integer of the same order, and notes the largest of each key, which is the
same in any order. NaN never wins, as in Python, and is left out. Both zeros are one integer; of these the first one
counts, so the number of its iteration and its sign are noted, too. The last kernel turns the integers back and compares
them with the elements.

Not done: nests that write anything else, or read what they write, and loops of unknown length inside of one another.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from weft.analysis.access.aliases import Aliases
from weft.ir import nodes as n
from weft.ir.effects import VIEWS
from weft.ir.scribe import TRUE
from weft.ir.types import FLOAT64, INT64, PYINT, Scalar, View
from weft.ir.visit import Names, bound_inside, defined_by, rewrite, walk
from weft.plan.by_key import (
    ByKey,
    Why,
    can_run_twice,
    converted,
    ends_of,
    if_possible,
    is_steady,
    over_elements,
    settled,
)
from weft.plan.kernels import is_exact_update
from weft.plan.sums_by_key import FORMATS, Format, around_all
from weft.schedule.writing import Writing

NO_ZERO = 2**63 - 1
"""What stands for the first zero where there was none."""


@dataclass(frozen=True)
class _Extremes:
    """An array, by which operation it is updated, and what is noted for its elements."""

    view: n.Var
    op: n.BinaryOp
    format: Format
    best: n.Var
    zeros: n.Var
    extents: tuple[n.Atom, ...]

    @property
    def nothing(self) -> n.Const:
        """What stands for the best where no number was met: worse than both infinities."""
        worst = self.format.infinite + 1
        return n.Const(-worst if self.op == "max" else worst, self.format.size)


Action = Callable[[Writing, _Extremes, Sequence[n.Atom]], None]


def extremes_by_key(nest: n.For, names: Names, aliases: Aliases, why_host: Why) -> ByKey | None:
    """The kernels for a parallel nest that looks for extremes of floats by key; None where it does anything else.

    Parameters
    ----------
    nest
        The outermost parallel loop.
    names
        Fresh names.
    aliases
        Which views may show the same memory, in the whole program.
    why_host
        Why a nest cannot be a kernel; None where it can.
    """
    if nest.mapping != "parallel" or nest.args or nest.exit is not None:
        return None
    updates = [s for s in walk(nest.body) if isinstance(s, n.Update)]
    if not updates or not all(map(_is_extreme, updates)) or not can_run_twice(nest, aliases) or not _is_simple(nest):
        return None
    if len({(u.view, u.op) for u in updates}) > len({u.view for u in updates}):
        return None
    around = around_all(nest)
    if not _is_counted(nest, around) or not all(is_steady(end, aliases.structure) for end in ends_of(nest)):
        return None
    return if_possible(_Writer(nest, names, updates, around).written(), why_host)


def _is_extreme(update: n.Update) -> bool:
    """Whether an update is a minimum or maximum of floats."""
    type = update.view.type
    assert isinstance(type, View)
    is_known = update.op in ("min", "max") and type.element in FORMATS and update.value.type == type.element
    return is_known and bool(update.indices) and not is_exact_update(update)


def _is_simple(nest: n.For) -> bool:
    """Whether a nest stores nothing, and updates whole arrays."""
    lets = (s for s in walk(nest.body) if isinstance(s, n.Let))
    return not any(isinstance(s, n.Store) for s in walk(nest.body)) and not any(
        isinstance(s.value, VIEWS) for s in lets
    )


def _is_counted(nest: n.For, around: Sequence[n.For]) -> bool:
    """Whether all updates are in the innermost of some loops, with no loop between, and these have known ends."""
    inside = {v.name for s in walk(n.Block((nest,))) for v in (*defined_by(s), *bound_inside(s))}
    ends = (end for loop in around for end in ends_of(loop))
    loops = (s for s in walk(around[-1].body) if isinstance(s, (n.For, n.While)))
    is_known = not any(isinstance(end, n.Var) and end.name in inside for end in ends)
    return is_known and not any(isinstance(s, n.Update) for loop in loops for s in walk(n.Block((loop,))))


class _Writer:
    """Writes the kernels that stand for a nest."""

    def __init__(self, nest: n.For, names: Names, updates: Sequence[n.Update], around: Sequence[n.For]) -> None:
        self.nest, self.names, self.around = nest, names, around
        self.numbers = {id(update): number for number, update in enumerate(updates)}
        write = Writing(names, nest.location)
        self.found = {u.view.name: _made(u, write) for u in updates}
        self.trips = [write.trips(*ends_of(loop), stem="trips") for loop in around]
        self.before = tuple(write.statements)

    def written(self) -> ByKey:
        """All that stands for the nest."""
        (noting,) = rewrite(n.Block((self.nest,)), self._noting).statements
        assert isinstance(noting, n.For)
        found = self.found.values()
        arrays = tuple(array for one in found for array in (one.best, one.zeros))
        clears = tuple(self._over(one, "nothing", _clear) for one in found)
        compares = tuple(self._over(one, "compares", _compare) for one in found)
        return ByKey(self.before, TRUE, arrays, clears, noting, rounds=compares)

    def _over(self, one: _Extremes, what: str, action: Action) -> n.For:
        def act(write: Writing, indices: Sequence[n.Atom]) -> None:
            action(write, one, indices)

        return over_elements(self.names, f"{self.nest.label}.{what}", one.extents, act, self.nest.location)

    def _noting(self, statement: n.Statement) -> n.Statement | tuple[n.Statement, ...]:
        """A statement of the nest, with all its tests, as one that only notes."""
        if isinstance(statement, n.For):
            return replace(statement, label=f"{statement.label}.best")
        if not isinstance(statement, n.Update):
            return statement
        write, one = Writing(self.names, statement.location), self.found[statement.view.name]
        if statement.bounds != "safe":
            write.let(n.Load(statement.view, statement.indices, statement.bounds), statement.value.type)
        indices = settled(write, statement.view, statement.indices, statement.bounds)
        size, is_negative = _size(write, one.format, statement.value)
        with write.when(write.compare("le", size, n.Const(one.format.infinite, one.format.size), "is_number")):
            negated = write.let(n.Unary("neg", size, checked=False), one.format.size)
            place = write.select(is_negative, negated, size, "place")
            write.add(n.Update(one.op, one.best, tuple(indices), place, "safe", statement.location))
            with write.when(write.compare("eq", size, n.Const(0, one.format.size), "is_zero")):
                number = self._number(write, statement)
                sign = write.select(is_negative, n.Const(1, INT64), n.Const(0, INT64), "sign")
                first = write.op("add", write.op("mul", number, n.Const(2, INT64)), sign, "first")
                write.add(n.Update("min", one.zeros, tuple(indices), first, "safe", statement.location))
        return tuple(write.statements)

    def _number(self, write: Writing, update: n.Update) -> n.Atom:
        """When the loop as it stands would run an update."""
        number: n.Atom = n.Const(0)
        for loop, trips in zip(self.around, self.trips, strict=True):
            number = write.op("add", write.op("mul", number, trips), write.op("sub", loop.index, loop.start), "number")
        number = write.op("add", write.op("mul", number, len(self.numbers)), self.numbers[id(update)], "number")
        return converted(write, number, INT64)


def _made(update: n.Update, write: Writing) -> _Extremes:
    """The arrays for what is noted of another."""
    view, type = update.view, update.view.type
    assert isinstance(type, View) and isinstance(type.element, Scalar)
    assert update.op in ("min", "max")
    format = FORMATS[type.element]
    extents: tuple[n.Atom, ...] = tuple(write.let(n.Dim(view, k), PYINT, "extent") for k in range(type.ndim))
    best = write.let(n.Alloc(extents, format.size), View(format.size, type.ndim, contiguous=True), "best")
    zeros = write.let(n.Alloc(extents, INT64), View(INT64, type.ndim, contiguous=True), "zeros")
    return _Extremes(view, update.op, format, best, zeros, extents)


def _clear(write: Writing, one: _Extremes, indices: Sequence[n.Atom]) -> None:
    """Nothing was noted of an element."""
    write.store(one.best, indices, one.nothing)
    write.store(one.zeros, indices, n.Const(NO_ZERO, INT64))


def _size(write: Writing, format: Format, value: n.Atom) -> tuple[n.Atom, n.Atom]:
    """The absolute value of a number as an integer of the same order, and whether the number has a sign."""
    bits = write.let(n.Math("bits_of", (converted(write, value, format.float),)), format.bits, "bits")
    size = write.op("and", bits, n.Const(format.minus_zero - 1, format.bits))
    is_negative = write.compare("ge", bits, n.Const(format.minus_zero, format.bits), "is_negative")
    return converted(write, size, format.size), is_negative


def _compare(write: Writing, one: _Extremes, indices: Sequence[n.Atom]) -> None:
    """Assign to an element what was noted of it, where that is better."""
    type = one.view.type
    assert isinstance(type, View) and isinstance(type.element, Scalar)
    place = write.load(one.best, *indices, stem="place")
    with write.when(write.compare("ne", place, one.nothing, "is_noted")):
        value = _number_at(write, one, place, indices)
        before = converted(write, write.load(one.view, *indices, stem="before"), FLOAT64)
        op: n.CompareOp = "gt" if one.op == "max" else "lt"
        with write.when(write.compare(op, value, before, "is_better")):
            write.store(one.view, indices, converted(write, value, type.element))


def _number_at(write: Writing, one: _Extremes, place: n.Atom, indices: Sequence[n.Atom]) -> n.Atom:
    """The number that an integer stands for."""
    format = one.format
    is_negative = write.compare("lt", place, n.Const(0, format.size), "is_negative")
    negated = write.let(n.Unary("neg", place, checked=False), format.size)
    size = write.select(is_negative, negated, place, "size")
    exponent = write.op("shr", size, n.Const(format.fraction, format.size), "exponent")
    fraction = write.op("and", size, n.Const((1 << format.fraction) - 1, format.size))
    is_normal = write.compare("gt", exponent, n.Const(0, format.size), "is_normal")
    hidden = write.select(is_normal, n.Const(1 << format.fraction, format.size), n.Const(0, format.size))
    whole = converted(write, write.op("add", fraction, hidden), FLOAT64)
    scale = write.op("max", exponent, n.Const(1, format.size))
    scale = write.op("sub", scale, n.Const(format.bias + format.fraction, format.size), "scale")
    value: n.Atom = write.let(n.Math("ldexp", (whole, converted(write, scale, INT64))), FLOAT64, "value")
    infinite = write.compare("eq", size, n.Const(format.infinite, format.size), "is_infinite")
    value = write.select(infinite, n.Const(math.inf, FLOAT64), value, "value")
    first = write.load(one.zeros, *indices, stem="first")
    has_sign = write.compare("eq", write.op("and", first, n.Const(1, INT64)), n.Const(1, INT64))
    is_zero = write.compare("eq", size, n.Const(0, format.size), "is_zero")
    below = write.both([is_zero, has_sign])
    minus = write.let(n.Unary("neg", value, checked=False), FLOAT64)
    value = write.select(is_negative, minus, value, "value")
    return write.select(below, n.Const(-0.0, FLOAT64), value, "value")
