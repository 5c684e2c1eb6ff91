"""How often operations and accesses happen, as polynomials in the sizes: by operation, type and class of access.

Blocks under conditions are counted as if they always ran, and loops that may end early as if they did not: such counts
are upper bounds and not `exact`. The number of iterations of a ``while`` loop is the symbol ``trips(label)``.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from weft.analysis.access.access import Access, AccessTable
from weft.analysis.access.strides import StrideKind, stride
from weft.analysis.access.structure import Loop, Region
from weft.analysis.values.linear import symbol
from weft.cost.polynomial import Polynomial, sum_over
from weft.ir import nodes as n
from weft.ir.reference.operations import operations_of
from weft.ir.types import View

Key = tuple[str, str]
"""The name of an operation or access, and the type that it works on; as the interpreter's trace counts."""


@dataclass
class Count:
    """A number of executions; an upper bound where it is not `exact`."""

    times: Polynomial = field(default_factory=lambda: Polynomial({}))
    exact: bool = True

    def add(self, times: Polynomial, exact: bool) -> None:
        """Count more executions."""
        self.times = self.times + times
        self.exact = self.exact and exact


@dataclass
class Counts:
    """All counts of a body of code.

    Attributes
    ----------
    operations
        By operation and type; accesses have the names ``load``, ``store`` and ``update``.
    accesses
        Accesses by kind, element type and their stride along the innermost loop around them.
    """

    operations: dict[Key, Count] = field(default_factory=dict)
    accesses: dict[tuple[str, str, StrideKind], Count] = field(default_factory=dict)

    def evaluate(self, values: Mapping[str, int]) -> dict[Key, int]:
        """The counts for given sizes, without those that are zero."""
        numbers = {key: int(count.times.evaluate(values)) for key, count in self.operations.items()}
        return {key: number for key, number in numbers.items() if number}


def counts(program: n.Program) -> Counts:
    """The counts of the body of a program."""
    return counts_of(AccessTable((p.var for p in program.params), program.body))


def counts_of(table: AccessTable) -> Counts:
    """The counts of the code of an access table."""
    found, counter = Counts(), _Counter(table)
    for region in table.structure.regions():
        times, exact = counter.runs(region)
        for key, number in operations_of(region.block).items():
            found.operations.setdefault(key, Count()).add(times * Polynomial.of(number), exact)
    for access in table.accesses:
        if isinstance(access.view.type, View):
            kind = (access.kind, str(access.view.type.element), _stride_kind(table, access))
            found.accesses.setdefault(kind, Count()).add(*counter.runs(access.region))
    return found


def _stride_kind(table: AccessTable, access: Access) -> StrideKind:
    return stride(table, access, access.loops[-1]).kind if access.loops else "none"


class _Counter:
    """How often regions run."""

    def __init__(self, table: AccessTable) -> None:
        self.table = table
        self._known: dict[Region, tuple[Polynomial, bool]] = {}

    def runs(self, region: Region) -> tuple[Polynomial, bool]:
        """How often a region runs, and whether that is exact."""
        if region not in self._known:
            self._known[region] = self._search(region)
        return self._known[region]

    def _search(self, region: Region) -> tuple[Polynomial, bool]:
        """Sums over the loops around the region, from the innermost outwards."""
        times, exact, tests = Polynomial.of(1), True, False
        for inner in region.chain():
            if isinstance(inner.owner, n.If):
                exact = False
            elif isinstance(inner.owner, n.While):
                tests = inner is region and inner.number == 0
                times = times * self._while_trips(inner.owner, tests)
                exact = False
            elif isinstance(inner.owner, n.For):
                times, known = self._over(times, self.table.structure.loops[inner.owner.label])
                exact = exact and known
        return times, exact

    @staticmethod
    def _while_trips(node: n.While, tests: bool) -> Polynomial:
        return Polynomial.of(symbol(f"trips({node.label})") + (1 if tests else 0))

    def _over(self, times: Polynomial, loop: Loop) -> tuple[Polynomial, bool]:
        assert isinstance(loop.node, n.For)
        trips = self.table.forms.trips(loop)
        assert trips is not None
        if any(self._varies(name, outer) for name in trips.names for outer in loop.around):
            return times * Polynomial.of(symbol(f"trips({loop.label})")), False
        total = sum_over(times, loop.node.index.name, self.table.forms.of(loop.node.start), trips)
        return total, loop.node.exit is None

    def _varies(self, name: str, loop: Loop) -> bool:
        """Whether a value differs between iterations in a way that cannot be summed: it is no counter."""
        definition = self.table.structure.definitions.get(name)
        return definition is not None and definition.kind != "index" and loop in definition.loops
