"""Totals: assumes that loops are short enough for the sums that they carry to fit in 64 bits.

``total += int(pixel)`` adds at most 255 each time, and ``count += 1`` one; no array is so long that these overflow.
Where every addition to a carried Python integer lies between constants, the trips of the loops around it, which are
known at the call, bound the total; that is assumed, and the additions lose their checks. Arguments beyond run the
checked variant. Not done: products that are carried, sums of numbers that may be as large as 64 bits.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field, replace

from weft.analysis.intervals import Interval, intervals, of_atom
from weft.analysis.linear import Form
from weft.analysis.ranges import Ranges
from weft.analysis.structure import Loop, Region
from weft.ir import nodes as n
from weft.ir.types import PYBOOL, PYFLOAT, PYINT
from weft.ir.visit import Names, rewrite, walk
from weft.passes.emit import Emitter
from weft.passes.support import assume, ranges_of

LARGEST_TOTAL = 2**62
"""Half of what fits: the other half is for the value before the loop, and for rounding where totals are estimated."""

MOST_FACTORS = 6


@dataclass(frozen=True)
class Growth:
    """How far a carried value may go from where it began: sizes, each times the trips of loops."""

    terms: tuple[tuple[int, tuple[Form, ...]], ...] = ()
    additions: frozenset[str] = field(default=frozenset())
    """The variables that the additions assign."""

    def __add__(self, other: Growth) -> Growth:
        return Growth(self.terms + other.terms, self.additions | other.additions)

    def times(self, trips: Form) -> Growth:
        """The growth over all iterations of a loop."""
        return replace(self, terms=tuple((size, (*factors, trips)) for size, factors in self.terms))


def totals(program: n.Program) -> n.Program:
    """Clear the checks of sums that loops carry."""
    checked = {s.var.name for s in walk(program.body) if isinstance(s, n.Let) and _is_addition(s)}
    if not checked:
        return program
    finder = _Finder(ranges_of(program))
    names = Names.of(program)
    root = finder.ranges.structure.root
    emitter = Emitter(finder.ranges.structure, root, 0, names, program.location)
    condition, cleared = _assumption(finder.found(checked), emitter)
    if not cleared:
        return program
    body = rewrite(program.body, lambda s: _cleared(s) if isinstance(s, n.Let) and s.var.name in cleared else s)
    return assume(replace(program, body=body), tuple(emitter.statements), condition, names)


def _is_addition(let: n.Let) -> bool:
    value = let.value
    return isinstance(value, n.Binary) and value.op in ("add", "sub") and value.checked and let.var.type == PYINT


def _cleared(let: n.Let) -> n.Let:
    assert isinstance(let.value, n.Binary)
    return replace(let, value=replace(let.value, checked=False))


def _assumption(found: Iterable[Growth], emitter: Emitter) -> tuple[n.Atom, set[str]]:
    """The condition under which totals fit, and the additions whose totals it covers."""
    condition: n.Atom = n.Const(True, PYBOOL)
    cleared: set[str] = set()
    for growth in found:
        size = _size(growth, emitter)
        if size is not None:
            fits = n.Compare("le", size, n.Const(float(LARGEST_TOTAL), PYFLOAT))
            condition = emitter.both(condition, emitter.let(fits, PYBOOL))
            cleared |= growth.additions
    return condition, cleared


def _size(growth: Growth, emitter: Emitter) -> n.Atom | None:
    """The largest total, as a floating-point number; None where it cannot be computed at the call."""
    total: n.Atom | None = None
    for size, factors in growth.terms:
        term: n.Atom = n.Const(float(size), PYFLOAT)
        for trips in factors:
            atom = emitter.form(trips)
            if atom is None:
                return None
            number = emitter.let(n.Cast(atom, checked=False), PYFLOAT)
            term = emitter.let(n.Binary("mul", term, number, checked=False), PYFLOAT)
        total = term if total is None else emitter.let(n.Binary("add", total, term, checked=False), PYFLOAT)
    return total


class _Finder:
    def __init__(self, ranges: Ranges) -> None:
        self.ranges = ranges
        self.structure = ranges.structure
        self.forms = ranges.forms
        self.known = intervals(ranges.structure.root.block)

    def found(self, checked: set[str]) -> Iterator[Growth]:
        """The growth of every value that is carried by an outermost loop, where something about it is checked."""
        for loop in self.structure.loops.values():
            if not isinstance(loop.node, n.For):
                continue
            for place, arg in enumerate(loop.node.args):
                if arg.var.type != PYINT or self._begins(arg.init, loop.region) is None:
                    continue
                growth = self._of_loop(loop, place)
                if growth is not None and growth.additions & checked:
                    yield growth

    def _begins(self, init: n.Atom, region: Region) -> Interval | None:
        """Where a carried value begins, if that is not near the ends of what fits."""
        interval = self._interval(init, region)
        return interval if interval and max(map(abs, interval)) < LARGEST_TOTAL else None

    def _of_loop(self, loop: Loop, place: int) -> Growth | None:
        """The growth of a carried value over a whole loop."""
        assert isinstance(loop.node, n.For)
        last = loop.node.body.yields[place]
        growth = self._of(last, loop.node.args[place].var, loop.body)
        trips = self._trips(loop)
        if growth is None or trips is None or any(len(factors) >= MOST_FACTORS for _, factors in growth.terms):
            return None
        return growth.times(trips)

    def _of(self, atom: n.Atom, base: n.Var, region: Region) -> Growth | None:
        """How far an atom is from the carried value that it comes from; None where that is not bounded."""
        if atom == base:
            return Growth()
        if not isinstance(atom, n.Var):
            return None
        definition = self.structure.definition(atom)
        statement = definition.statement
        if isinstance(statement, n.Let):
            return self._of_let(statement, base, definition.region)
        if definition.kind != "result":
            return None
        if isinstance(statement, n.If):
            sides = (statement.then.yields[definition.place], statement.orelse.yields[definition.place])
            return self._sum(self._of(side, base, region) for side in sides)
        if isinstance(statement, n.For):
            loop = self.structure.loops[statement.label]
            before = self._of(statement.args[definition.place].init, base, region)
            return self._sum((before, self._of_loop(loop, definition.place)))
        return None

    @staticmethod
    def _sum(parts: Iterable[Growth | None]) -> Growth | None:
        """Of branches too: no more than both together."""
        total = Growth()
        for part in parts:
            if part is None:
                return None
            total += part
        return total

    def _of_let(self, let: n.Let, base: n.Var, region: Region) -> Growth | None:
        value = let.value
        if isinstance(value, n.Select):
            return self._sum(self._of(side, base, region) for side in (value.then, value.orelse))
        if not isinstance(value, n.Binary) or value.op not in ("add", "sub") or let.var.type != PYINT:
            return None
        for carried, added in ((value.left, value.right), (value.right, value.left)):
            before = self._of(carried, base, region) if value.op == "add" or carried is value.left else None
            interval = None if before is None else self._interval(added, region)
            if before is not None and interval is not None:
                return before + Growth(((max(map(abs, interval)), ()),), frozenset((let.var.name,)))
        return None

    def _interval(self, atom: n.Atom, region: Region) -> Interval | None:
        """Constant bounds of an integer."""
        known = of_atom(atom, self.known)
        low, high = known or self.ranges.interval(atom, region)
        return None if low is None or high is None or max(-low, high) >= LARGEST_TOTAL else (low, high)

    def _trips(self, loop: Loop) -> Form | None:
        """The most trips of a loop, without the counters of the loops around it."""
        assert isinstance(loop.node, n.For)
        trips = self.forms.of(loop.node.stop) - self.forms.of(loop.node.start)
        for around in reversed(loop.around):
            if not isinstance(around.node, n.For):
                continue
            counter = around.node.index.name
            if counter not in trips.symbols:
                continue
            factor = trips.coefficient(counter).value if trips.degree(counter) == 1 else None
            if factor is None:
                return None
            first, last = self.forms.of(around.node.start), self.forms.of(around.node.stop) - 1
            trips = trips.substitute({counter: last if factor > 0 else first})
        return trips
