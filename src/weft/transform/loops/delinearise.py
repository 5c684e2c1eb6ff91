"""Delinearise: a loop over one flattened counter becomes the nest whose counters it was flattened from.

``for k in range(n * m): i, j = k // m, k % m`` visits the same places in the same order as two loops over `i` and `j`.
As a nest the counters are affine, so accesses have constant strides, bounds follow from the trips, and all that tiles,
vectorises and stages nests applies. Shifts and masks are divisions by powers of two. Nests of more loops
(``k // (m * p)``, ``k // p % m``, ``k % p``) come apart one loop at a time.

Whether the trips are a multiple of the divisor for all sizes is asked by exact division of polynomials. Where they are
none, the first and the last row stand apart from the nest: for processors, and where the loop as it is would run in
order; only for loops whose elements are at places that follow from the quotient or the remainder, and not for those
that run in order around other loops, as those over time do.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import field

from weft.analysis.access.structure import Loop
from weft.analysis.values.linear import Form, symbol
from weft.analysis.values.ranges import Ranges
from weft.dataclass import dataclass
from weft.ir import nodes as n
from weft.ir.types import PYINT
from weft.ir.visit import atoms_of, bound_inside, known_trips, walk
from weft.transform.loops.rows_and_columns import Nest, Split, are_known, divided, division_of
from weft.transform.parallel.parallelise import can_combine
from weft.transform.support import judged, ranges_of

MOST_LOOPS = 8
"""How many loops of a program are taken apart."""
MOST_STATEMENTS = 120
"""Larger loops are not written out for what is left over, too."""
FEWEST_TRIPS = 64
"""Loops of fewer iterations, where that is known, are not taken apart."""
MOST = 2**63 - 1
AT_ONCE = ("parallel", "reduction")
_ARITHMETIC = (n.Binary, n.Unary, n.Select, n.Cast)


def delinearise(program: n.Program, assuming: bool = True, parting: bool = True) -> n.Program:
    """Take flattened loops apart.

    With `assuming`, parameters that divide are assumed to be positive; with `parting`, rows may stand apart, without it
    only those of loops that run in order as they are. Counters keep their order, so any body may run in the nest. Loops
    that may be left early stay, and claimed loops whose iterations are not proven to be independent: their errors name
    the counter that the user wrote.
    """
    left: set[str] = set()
    for _ in range(MOST_LOOPS):
        if not any(_divides_counter(s) for s in walk(program.body)):
            break
        changed = _Loops(program, ranges_of(program), assuming, parting, left).first_changed()
        if changed is None:
            break
        program = changed
    return program


def _divides_counter(statement: n.Statement) -> bool:
    return isinstance(statement, n.For) and any(division_of(s) for s in walk(statement.body))


@dataclass(frozen=True)
class _Loops:
    """The loops of a program; those in `left` stay as they are."""

    program: n.Program
    ranges: Ranges
    assuming: bool
    parting: bool
    left: set[str] = field(default_factory=set)

    def first_changed(self) -> n.Program | None:
        """The program with the first loop taken apart that can be."""
        for loop in self.ranges.structure.loops.values():
            if isinstance(loop.node, n.For) and loop.label not in self.left and self._may_change(loop, loop.node):
                split = next(self._splits(loop, loop.node), None)
                changed = None
                if split is not None:
                    given = self.assuming, self.left, self.parting
                    changed = Nest(self.program, self.ranges, split, *given).program()
                if changed is not None:
                    return changed
        return None

    def _may_change(self, loop: Loop, node: n.For) -> bool:
        if node.exit is not None or node.mapping != "sequential" or node.index.type != PYINT:
            return False
        if node.claim == "range" or not _divides_counter(node):
            return node.claim == "range"
        fact = judged(self.program).loops[loop.label]
        return fact.verdict in AT_ONCE and all(can_combine(c, frozenset()) for c in fact.carried)

    def _splits(self, loop: Loop, node: n.For) -> Iterator[Split]:
        """The ways to take a loop apart: first those without rows that stand apart."""
        trips = known_trips(node)
        if trips is not None and trips < FEWEST_TRIPS:
            return
        splits = [self._split(loop, node, *found) for found in _divisors(self.ranges, node)]
        found = [s for s in splits if s is not None]
        plain = [s for s in found if s.is_whole and (s.sure or (self.assuming and are_known(self.program, s.divisor)))]
        yield from plain
        if len(found) > len(plain) and self._may_stand_thrice(loop, node):
            yield from (s for s in found if s not in plain)

    def _split(self, loop: Loop, node: n.For, divisor: Form, before: Form) -> Split | None:
        inside = {var.name for var in bound_inside(node)}
        if (divisor.names | before.names) & inside or (divisor.value is not None and divisor.value < 2):
            return None
        start, stop = (self.ranges.forms.of(end) + before for end in (node.start, node.stop))
        if before and not all(self.ranges.nonnegative(MOST - end, loop.region) for end in (start, stop)):
            return None
        first, last = divided(start, divisor), divided(stop, divisor)
        if first is None and before:
            return None  # the columns before and after those of a ring, for one
        # Where the divisor is zero and the trips are a multiple of it, there are no iterations.
        least = 0 if first is not None and last is not None else 1
        sure = self.ranges.nonnegative(divisor - least, loop.region)
        return Split(loop, node, divisor, before, first, last, sure)

    def _may_stand_thrice(self, loop: Loop, node: n.For) -> bool:
        """Whether the first and the last row of a loop may stand apart."""
        statements = list(walk(node.body))
        if len(statements) > MOST_STATEMENTS or not _divided_places(statements):
            return False
        if not self.parting and judged(self.program).loops[loop.label].verdict in AT_ONCE:
            return False
        if not node.args and not any(isinstance(s, (n.For, n.While)) for s in statements):
            return True
        return judged(self.program).loops[loop.label].verdict in AT_ONCE


def _divided_places(statements: Iterable[n.Statement]) -> bool:
    """Whether elements are at places that follow from quotients or remainders."""
    from_divisions: set[str] = set()
    for statement in statements:
        if isinstance(statement, n.Let) and (
            division_of(statement) is not None
            or (isinstance(statement.value, _ARITHMETIC) and _names(atoms_of(statement.value)) & from_divisions)
        ):
            from_divisions.add(statement.var.name)
        access = statement.value if isinstance(statement, n.Let) else statement
        if isinstance(access, (n.Load, n.Store)) and _names(access.indices) & from_divisions:
            return True
    return False


def _names(atoms: Iterable[n.Atom]) -> set[str]:
    return {atom.name for atom in atoms if isinstance(atom, n.Var)}


def _divisors(ranges: Ranges, node: n.For) -> list[tuple[Form, Form]]:
    """The divisors of a counter, and what is added to it before: first those of remainders that are divided again,
    then the smaller before products.
    """
    divisions = [(s, d) for s in walk(node.body) if (d := division_of(s)) is not None]
    divided_again = {division.left for _, division in divisions}
    found: dict[tuple[Form, Form], tuple[bool, int]] = {}
    for statement, division in divisions:
        before = ranges.forms.of(division.left) - symbol(node.index.name)
        if node.index.name in before.names:
            continue
        assert isinstance(statement, n.Let)
        divisor = ranges.forms.of(division.right)
        is_last = not (division.op == "mod" and statement.var in divided_again)
        degree = max((len(monomial) for monomial in divisor.terms), default=0)
        key = divisor, before
        found[key] = min(found.get(key, (True, degree)), (is_last, degree))
    return sorted(found, key=lambda key: (bool(key[1]), found[key]))
