"""Races of claimed loops through arguments that share memory: proven from the addresses of a call, before it runs.

No pass: the runtime asks when arguments of a call overlap otherwise than element by element. Two iterations race where
both certainly access one byte, and one of them writes it. Only accesses are looked at that every iteration makes, at
affine indices, in loops whose bounds are known and which nothing stands before that may raise; of the others nothing is
said, and their loops run one iteration after the other.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import islice, product
from math import gcd

from weft.analysis.access.access import Access, AccessTable
from weft.analysis.access.structure import Loop, Site
from weft.analysis.access.views import Index
from weft.analysis.dependence import wording
from weft.analysis.recurrences.updates import updates
from weft.analysis.termination.faults import may_raise
from weft.analysis.values.linear import Derived, Form, constant, evaluate_symbol, extent, monomials, symbol
from weft.dataclass import dataclass
from weft.errors import RACE_CAUSE, RaceError
from weft.ir import nodes as n
from weft.ir.types import Record, Scalar, View
from weft.ir.visit import rewrite, substitute, walk
from weft.transform.simplify.cse import cse
from weft.transform.simplify.dce import dce
from weft.transform.simplify.fold import fold

MOST_PLACES = 1 << 12
"""Places of inner loops, relative to an iteration, that are compared with one another."""
MOST_ROUNDS = 64
"""How many runs of a claimed loop inside of others are looked at."""
_UNKNOWN = (KeyError, ZeroDivisionError)
"""What evaluating a form raises whose value is not known."""


@dataclass(frozen=True)
class Layout:
    """Where an array of a call is: the address of its first element, extents, and distances in bytes."""

    address: int
    shape: tuple[int, ...]
    strides: tuple[int, ...]


@dataclass(frozen=True)
class _Reach:
    """The bytes an access touches: ``first + step * i`` in iteration `i`, plus each of `places`; `size` of them."""

    access: Access
    first: int
    step: int
    places: tuple[int, ...]
    size: int


def has_claims(program: n.Program) -> bool:
    """Whether iterations of a loop are claimed to be independent, so that Weft is to check it."""
    return any(isinstance(s, n.For) and s.claim == "prange" for s in walk(program.body))


def race(program: n.Program, layouts: Mapping[str, Layout], numbers: Mapping[str, int]) -> RaceError | None:
    """The first race that is certain for some arguments.

    Parameters
    ----------
    program
        Simplified, but not optimised: as it was written.
    layouts, numbers
        The arrays and the integers of a call, by the names of their parameters.
    """
    program = _specialised(program, layouts, numbers)
    table = AccessTable((p.var for p in program.params), program.body, layouts)
    loops = [loop for loop in table.structure.loops.values() if _is_claimed(loop)]
    arrays = _Arrays(table, layouts)
    found = (_Claim(arrays, loop).race() for loop in loops if arrays.nothing_raises_until(loop))
    return next((error for error in found if error is not None), None)


def _specialised(program: n.Program, layouts: Mapping[str, Layout], numbers: Mapping[str, int]) -> n.Program:
    """The program for some integers and extents."""
    types = {p.var.name: p.var.type for p in program.params}
    known: dict[str, n.Atom] = {k: n.Const(v, types[k]) for k, v in numbers.items() if isinstance(types[k], Scalar)}
    body = rewrite(substitute(program.body, known), lambda s: _with_extent(s, layouts))
    return dce(cse(fold(replace(program, body=body))))


def _with_extent(statement: n.Statement, layouts: Mapping[str, Layout]) -> n.Statement:
    """A statement in which a number stands for an extent."""
    if not isinstance(statement, n.Let) or not isinstance(value := statement.value, n.Dim):
        return statement
    if value.view.name not in layouts:
        return statement
    length = n.Const(layouts[value.view.name].shape[value.axis])
    return replace(statement, value=n.Binary("add", length, n.Const(0), checked=False))


def _is_claimed(loop: Loop) -> bool:
    """Whether a loop is claimed, has all its iterations, and stands in loops only."""
    is_whole = isinstance(loop.node, n.For) and loop.node.claim == "prange" and loop.node.exit is None
    return is_whole and all(isinstance(region.owner, (n.For, type(None))) for region in loop.region.chain())


class _Arrays:
    """The accesses of a program, and the arrays of a call."""

    def __init__(self, table: AccessTable, layouts: Mapping[str, Layout]) -> None:
        self.table = table
        self.layouts = layouts
        self._extents = {
            str(extent(name, axis)): length
            for name, layout in layouts.items()
            for axis, length in enumerate(layout.shape)
        }

    def nothing_raises_until(self, loop: Loop) -> bool:
        """Whether nothing may raise before a loop, in it, or in what is around it."""
        sites = (site for site in self.table.structure.root.sites() if site.path[0] <= loop.path[0])
        return not any(self._may_raise(site) for site in sites)

    def _may_raise(self, site: Site) -> bool:
        if not may_raise(self.table, site):
            return isinstance(site.statement, n.Raise)
        access = self.table.at(site)
        return access is None or not self._is_inside(access)

    def _is_inside(self, access: Access) -> bool:
        """Whether all indices of an access are inside of an argument."""
        layout = self.layouts.get(access.array.name)
        try:
            ranges = {_index(loop): self.iterations(loop, {}) for loop in access.loops}
            indices = self.indices(access, ranges, {})
        except _UNKNOWN:
            return False
        if layout is None or indices is None:
            return False
        ends = [_extremes(index, ranges) for index in indices]
        return all(low >= 0 and high < length for (low, high), length in zip(ends, layout.shape, strict=True))

    def iterations(self, loop: Loop, values: Mapping[str, int]) -> range:
        """The values of a loop's counter; KeyError where they are not known."""
        if not isinstance(loop.node, n.For):
            raise KeyError(loop.label)
        start, stop = (self.table.forms.of(atom).evaluate(values) for atom in (loop.node.start, loop.node.stop))
        return range(start, stop)

    def indices(self, access: Access, ranges: Mapping[str, range], values: Mapping[str, int]) -> list[Form] | None:
        """Indices as linear forms of counters alone; None where they are none. KeyError where a value is not known."""
        found = [_settled(index, ranges, {**self._extents, **values}) for index in access.indices or (None,)]
        return [form for form in found if form is not None] if None not in found else None


class _Claim:
    """A claimed loop with the arguments of a call."""

    def __init__(self, arrays: _Arrays, loop: Loop) -> None:
        self.arrays = arrays
        self.table = arrays.table
        self.loop = loop
        self.values: dict[str, int] = {}

    def race(self) -> RaceError | None:
        """The error, where two iterations certainly meet."""
        found = (self._race_in(values) for values in islice(self._rounds(), MOST_ROUNDS))
        return next((error for error in found if error is not None), None)

    def _rounds(self) -> Iterator[dict[str, int]]:
        """The counters of the loops around, for each time that the loop runs."""
        rounds: list[dict[str, int]] = [{}]
        for outer in self.loop.around:
            try:
                more = ({**r, _index(outer): k} for r in rounds for k in self.arrays.iterations(outer, r))
                rounds = list(islice(more, MOST_ROUNDS))
            except _UNKNOWN:
                return
        yield from rounds

    def _race_in(self, values: dict[str, int]) -> RaceError | None:
        """The error of one run of the loop."""
        self.values = values
        try:
            trips = self.arrays.iterations(self.loop, values)
        except _UNKNOWN:
            return None
        if len(trips) < 2:
            return None
        reaches = [reach for access in self._certain() for reach in self._reach(access)]
        folds = {access: pair for pair in updates(self.table) for access in pair.accesses}
        for first in (r for r in reaches if r.access.writes):
            for second in reaches:
                pair = folds.get(first.access)
                if pair is not None and folds.get(second.access) is pair:
                    continue  # both fold into one element
                met = _meeting(first, second, trips)
                if met is not None:
                    return self._error(first.access, second.access, met)
        return None

    def _certain(self) -> list[Access]:
        """The accesses to arguments that every iteration makes, if the loops in it are not empty."""
        inside = self.table.within(self.loop.body)
        arrays = self.arrays.layouts
        return [a for a in inside if a.array.name in arrays and a.is_certain_in(self.loop.body) and not a.fields]

    def _reach(self, access: Access) -> Iterator[_Reach]:
        """What an access touches; nothing where that is not known."""
        layout = self.arrays.layouts[access.array.name]
        counters = {_index(loop): loop for loop in access.loops[len(self.loop.around) :]}
        try:
            ranges = {name: self.arrays.iterations(loop, self.values) for name, loop in counters.items()}
            indices = self.arrays.indices(access, ranges, self.values)
        except _UNKNOWN:
            return
        if indices is None or not all(ranges.values()):
            return
        total, own = constant(layout.address), _index(self.loop)
        for index, stride in zip(indices, layout.strides, strict=True):
            total = total + index * stride
        inner = [[total.coefficient(k).constant * at for at in r] for k, r in ranges.items() if k != own]
        count = 1
        for places in inner:
            count *= len(places)
        if count <= MOST_PLACES:
            every = tuple({sum(chosen) for chosen in product(*inner)})
            yield _Reach(access, total.constant, total.coefficient(own).constant, every, _size(access.array))

    def _error(self, first: Access, second: Access, met: tuple[int, int]) -> RaceError:
        """The error over two iterations."""
        assert isinstance(self.loop.node, n.For)
        variable = self.loop.label.partition("@")[0]
        named = self.loop.node.index.stem == variable
        counted = "iteration {1} = {0}" if named else "iteration number {0} of the loop over {1}"
        what = [
            f"{counted.format(at, variable)} {'writes' if access.writes else 'reads'} "
            f"{wording.access_text(access)}{wording.line_of(access.location)}"
            for access, at in zip((first, second), met, strict=True)
        ]
        names = sorted({first.array.stem, second.array.stem})
        shared = f"{names[0]} and {names[1]} share memory" if names[1:] else f"elements of {names[0]} share memory"
        return RaceError(
            f"the iterations of this prange loop are not independent: {' and '.join(what)}: the same memory",
            first.location,
            other=second.location,
            cause=f"{shared} in this call; {RACE_CAUSE}",
            hint="pass a copy of an array, or use range in a function under weft.jit",
        )


def _settled(index: Index | None, ranges: Mapping[str, range], values: Mapping[str, int]) -> Form | None:
    """An index as a linear form of counters, or None."""
    form = None if index is None else _linear(index.form, ranges, values)
    if index is None or index.sign is None or form is None:
        return form
    sign, wrap = _linear(index.sign, ranges, values), _linear(index.wrap, ranges, values)
    if sign is None or wrap is None:
        return None
    low, high = _extremes(sign, ranges)
    return form if low >= 0 else form + wrap if high < 0 else None


def _linear(form: Form, ranges: Mapping[str, range], values: Mapping[str, int]) -> Form | None:
    total = constant(form.constant)
    for monomial, factor in monomials(form):
        moving = [s for s in monomial if _names(s) & ranges.keys()]
        if len(moving) > 1 or any(isinstance(s, Derived) for s in moving):
            return None
        for other in monomial:
            factor *= 1 if other in moving else evaluate_symbol(other, values)
        total = total + (symbol(moving[0]) * factor if moving else factor)
    return total


def _index(loop: Loop) -> str:
    assert isinstance(loop.node, n.For)
    return loop.node.index.name


def _names(name: str) -> frozenset[str]:
    return name.names() if isinstance(name, Derived) else frozenset((name,))


def _size(array: n.Var) -> int:
    assert isinstance(array.type, View)
    element = array.type.element
    assert isinstance(element, (Scalar, Record))
    return element.size


def _extremes(form: Form, ranges: Mapping[str, range]) -> tuple[int, int]:
    """The least and the largest value of a linear form of counters."""
    ends = [sorted(form.coefficient(k).constant * at for at in (r[0], r[-1])) for k, r in ranges.items() if r]
    return form.constant + sum(low for low, _ in ends), form.constant + sum(high for _, high in ends)


def _meeting(first: _Reach, second: _Reach, trips: Sequence[int]) -> tuple[int, int] | None:
    """Two different iterations of which the one touches by the first access what the other touches by the second."""
    if len(first.places) * len(second.places) > MOST_PLACES:
        return None
    base = second.first - first.first
    apart = {base + b - a + byte for a in first.places for b in second.places for byte in _overlap(first, second)}
    found = (_solved(first.step, second.step, distance, trips) for distance in sorted(apart, key=abs))
    return next((met for met in found if met is not None), None)


def _overlap(first: _Reach, second: _Reach) -> range:
    """By how many bytes the second of two elements may begin before or after the first, for them to share one."""
    return range(1 - first.size, second.size)


def _solved(a: int, b: int, distance: int, trips: Sequence[int]) -> tuple[int, int] | None:
    """``i`` and ``j`` among consecutive integers with ``a * i - b * j == distance`` and ``i != j``, or None.

    All solutions are ``i = first + b * t`` and ``j = second + a * t``, once a common divisor is taken out.
    """
    if a == b == 0:
        return (trips[0], trips[1]) if distance == 0 and len(trips) > 1 else None
    a, b, distance, rest = a // gcd(a, b), b // gcd(a, b), distance // gcd(a, b), distance % gcd(a, b)
    if rest:
        return None
    first = distance * a if b == 0 else distance * pow(a, -1, abs(b)) % abs(b) if abs(b) > 1 else 0
    second = (a * first - distance) // b if b else 0
    steps = [_steps(first, b, trips), _steps(second, a, trips)]
    low = max((r[0] for r in steps if r is not None), default=0)
    high = min((r[1] for r in steps if r is not None), default=-1)
    for t in range(low, min(high, low + 1) + 1):  # they are equal for one t at most, or always
        if first + b * t != second + a * t:
            return first + b * t, second + a * t
    return None


def _steps(start: int, step: int, trips: Sequence[int]) -> tuple[int, int] | None:
    """The least and the largest ``t`` for which ``start + step * t`` is one of consecutive integers; None: any."""
    low, high = trips[0] - start, trips[-1] - start
    if step == 0:
        return None if low <= 0 <= high else (0, -1)
    return (-(-low // step), high // step) if step > 0 else (-(high // -step), low // step)
