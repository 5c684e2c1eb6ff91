"""How far the values that loops carry may go: what each iteration adds at most, times the trips of the loops.

For Python integers to which something between constants is added or subtracted, on all ways through the loop.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import field, replace

from weft.analysis.access.structure import Loop, Region
from weft.analysis.values.intervals import Interval, intervals, of_atom
from weft.analysis.values.linear import Form
from weft.analysis.values.ranges import Ranges
from weft.dataclass import dataclass
from weft.ir import nodes as n
from weft.ir.types import PYINT

LARGEST_TOTAL = 2**62
"""Half of what fits: the other half is for the value before the loop, and for rounding where totals are estimated."""

MOST_FACTORS = 6


@dataclass(frozen=True)
class Growth:
    """How far a carried value may go from where it began: intervals around zero, each times the trips of loops."""

    terms: tuple[tuple[Interval, tuple[Form, ...]], ...] = ()
    additions: frozenset[str] = field(default=frozenset())
    """The variables that the additions assign."""

    def __add__(self, other: Growth) -> Growth:
        return Growth(self.terms + other.terms, self.additions | other.additions)

    def times(self, trips: Form) -> Growth:
        """The growth over all iterations of a loop."""
        return replace(self, terms=tuple((step, (*factors, trips)) for step, factors in self.terms))


class Growths:
    """Finds the growth of what the loops of a program carry."""

    def __init__(self, ranges: Ranges) -> None:
        self.ranges = ranges
        self.structure = ranges.structure
        self.forms = ranges.forms
        self.known = intervals(ranges.structure.root.block)

    def all(self) -> Iterator[Growth]:
        """The growth of every value that a loop carries and that begins between constants."""
        for loop in self.structure.loops.values():
            if isinstance(loop.node, n.For):
                for place in range(len(loop.node.args)):
                    found = self._total(loop, place)
                    if found is not None:
                        yield found[1]

    def total(self, atom: n.Atom) -> tuple[Interval, Growth] | None:
        """Between what a loop's result began, and how far it may have gone; None where that is not bounded."""
        definition = self.structure.definition(atom) if isinstance(atom, n.Var) else None
        if definition is None or definition.kind != "result" or not isinstance(definition.statement, n.For):
            return None
        return self._total(self.structure.loops[definition.statement.label], definition.place)

    def _total(self, loop: Loop, place: int) -> tuple[Interval, Growth] | None:
        assert isinstance(loop.node, n.For)
        arg = loop.node.args[place]
        began = self._begins(arg.init, loop.region) if arg.var.type == PYINT else None
        growth = None if began is None else self._of_loop(loop, place)
        return None if began is None or growth is None else (began, growth)

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
                return before + Growth(((_step(interval, value.op), ()),), frozenset((let.var.name,)))
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


def _step(added: Interval, op: n.BinaryOp) -> Interval:
    """How far one addition or subtraction goes."""
    low, high = added if op == "add" else (-added[1], -added[0])
    return min(low, 0), max(high, 0)
