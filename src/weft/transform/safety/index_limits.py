"""Limits: assumes of sizes that they are so small that the arithmetic of indices and loop bounds cannot overflow.

A Python integer that is a parameter and takes part in an index, a loop bound or a divisor in a loop is assumed to be at
most 2**56 in size; one that is multiplied there with another size, at most 2**30, and not negative; and so on. Extents
likewise where they are multiplied. Arguments beyond that run the checked variant. Nothing is assumed of parameters that
are only data.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from weft.analysis.access.structure import Structure
from weft.analysis.values.forms import is_integer
from weft.analysis.values.linear import Derived, Extent, Form
from weft.analysis.values.ranges import Ranges
from weft.ir import nodes as n
from weft.ir.types import PYBOOL, PYINT
from weft.ir.visit import Names, walk
from weft.transform.emit import Emitter
from weft.transform.safety.divisor_assumptions import is_checked_division
from weft.transform.safety.hull import LARGEST
from weft.transform.support import assume, ranges_of


def index_limits(program: n.Program) -> n.Program:
    """Assume that sizes are not astronomical."""
    ranges = ranges_of(program)
    factors = _Factors(program, ranges).found
    params = [p.var for p in program.params]
    names = Names.of(program)
    structure = Structure(params, n.Block())
    emitter = Emitter(structure, structure.root, 0, names, program.location)
    condition: n.Atom = n.Const(True, PYBOOL)
    for symbol, count in factors.items():
        for test in _tests(symbol, count, emitter):
            condition = emitter.both((condition, test))
    return assume(program, tuple(emitter.statements), condition, names)


def _tests(symbol: str, count: int, emitter: Emitter) -> Iterator[n.Atom]:
    atom = emitter.form(Form({(symbol,): 1}))
    if atom is None or count not in LARGEST:
        return
    most = LARGEST[count]
    yield emitter.compare("le", atom, most)
    if not isinstance(symbol, Extent):
        yield emitter.compare("ge", atom, 0 if count > 1 else -most)


class _Factors:
    """For every size that is a parameter, the largest number of factors that it is one of."""

    def __init__(self, program: n.Program, ranges: Ranges) -> None:
        self.ranges = ranges
        self.sizes = {p.var.name for p in program.params if p.var.type == PYINT}
        self.counters: dict[str, int] = {}
        self.found: dict[str, int] = {}
        loops = [loop.node for loop in ranges.structure.loops.values() if isinstance(loop.node, n.For)]
        self.indices = {loop.index.name for loop in loops}
        for form in (*self._addresses(program.body), *self._divisors()):
            self._count(form, 1)
        for loop in reversed(loops):
            for bound in (loop.start, loop.stop):
                self._count(ranges.forms.of(bound), self.counters.get(loop.index.name, 1))

    def _addresses(self, body: n.Block) -> Iterable[Form]:
        """The indices of all accesses."""
        for statement in walk(body):
            access = statement.value if isinstance(statement, n.Let) else statement
            atoms: tuple[object, ...] = ()
            if isinstance(access, (n.Load, n.Store, n.Update)):
                atoms = access.indices
            elif isinstance(access, n.Subview):
                atoms = access.axes
            yield from (self.ranges.forms.of(a) for a in atoms if isinstance(a, n.Var) and is_integer(a.type))

    def _divisors(self) -> Iterable[Form]:
        """What integers are divided by in loops."""
        for site in self.ranges.structure.root.sites():
            value = site.statement.value if isinstance(site.statement, n.Let) and site.region.loops else None
            if isinstance(value, n.Binary) and is_checked_division(value):
                yield self.ranges.forms.of(value.right)

    def _count(self, form: Form, least: int) -> None:
        for monomial in form.terms:
            for symbol in monomial:
                self._meet(symbol, max(len(monomial), least))

    def _meet(self, symbol: str, count: int) -> None:
        if symbol in self.indices:
            self.counters[symbol] = max(count, self.counters.get(symbol, 1))
        elif symbol in self.sizes or (isinstance(symbol, Extent) and count > 1):
            self.found[symbol] = max(count, self.found.get(symbol, 1))
        elif isinstance(symbol, Derived):
            for part in symbol.parts:
                self._count(part, count)
