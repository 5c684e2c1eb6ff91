"""Triangles of iterations as squares of which a part does nothing.

``for i: for j in range(i + 1): c[i, j] = f(i, j)`` would have a thread for each `i`, which runs a row as long as `i`
says. As ``for i: for j in range(n): if j < i + 1: c[i, j] = f(i, j)`` it has one for each element.

Products of matrices run in tiles where all threads of a block do the same. So what an iteration computes before it
stores is done in the whole square, where all that it reads is inside of its arrays; the program asks that before the
nest. Only the stores are for the triangle then.

Not done: nests that may raise; rows of which both ends move (a band is a small part of its square), or whose ends move
by more than one from one to the next. Rows of which it is only rounding that makes some longer than others are squares,
too: ``for j in range(1 + i % 2, n, 2)``.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache

from weft.analysis.access.access import AccessTable, table
from weft.analysis.values.hull import hull
from weft.analysis.values.linear import ZERO, Derived, Element, Form, Quotient, quotient
from weft.ir import nodes as n
from weft.ir.effects import VIEWS, block_may_raise
from weft.ir.types import Scalar, View
from weft.ir.visit import bound_inside, defined_by, walk
from weft.plan.prepare.nests import with_nests
from weft.plan.scratch import Why
from weft.plan.transfers.views import ViewMaker
from weft.schedule.directives import Schedule
from weft.schedule.writing import Writing
from weft.transform.peel import Copies

HARMLESS = ("add", "sub", "mul", "min", "max", "and", "or", "xor")
"""Operations of integers that end well for all of them."""

Bounds = Mapping[str, tuple[Form, Form]]
"""The least and the greatest value of counters."""


def with_squares(program: n.Program, schedule: Schedule, why_host: Why) -> n.Program:
    """Let nests over triangles be nests over squares.

    Parameters
    ----------
    program
        After the pass that marks parallel loops.
    schedule
        What the user wrote: nests that it is about stay as they are.
    why_host
        Why a nest cannot be a kernel; None where it can.
    """
    copies, accesses = Copies(program), cache(lambda: table(program))

    def change(loop: n.For) -> Sequence[n.Statement] | None:
        place = _uneven(loop)
        if place is None or block_may_raise(n.Block((loop,))):
            return None
        triangle = _triangle(accesses(), loop, place)
        return None if triangle is None else tuple(_Writer(accesses(), triangle, copies).statements())

    return with_nests(program, schedule, why_host, change)


def _chain(nest: n.For) -> list[n.For]:
    """Parallel loops, each of which has nothing but values and the next one inside of it."""
    chain = [nest]
    while True:
        *before, last = chain[-1].body.statements or (None,)
        are_values = all(isinstance(s, n.Let) and not isinstance(s.value, (n.Alloc, n.Undefined)) for s in before)
        is_nest = isinstance(last, n.For) and last.mapping == "parallel" and not last.args and last.exit is None
        if not are_values or not is_nest:
            return chain
        assert isinstance(last, n.For)
        chain.append(last)


def _uneven(nest: n.For) -> int | None:
    """Where in a chain the loop is of which one end moves, if there is one, and all others are the same always."""
    if nest.args or nest.exit is not None:
        return None
    inside = {v.name for s in walk(n.Block((nest,))) for v in (*bound_inside(s), *defined_by(s))}
    moving = [
        (place, sum(isinstance(end, n.Var) and end.name in inside for end in (loop.start, loop.stop)))
        for place, loop in enumerate(_chain(nest))
    ]
    uneven = [place for place, count in moving if count]
    return uneven[0] if len(uneven) == 1 and dict(moving)[uneven[0]] == 1 else None


@dataclass(frozen=True)
class _Triangle:
    """A nest over a triangle.

    Attributes
    ----------
    chain
        Its loops.
    uneven
        The one of which an end moves.
    at_stop
        Whether the end is its stop.
    bound
        The farthest value of that end.
    """

    chain: tuple[n.For, ...]
    uneven: n.For
    at_stop: bool
    bound: Form

    @property
    def end(self) -> n.Atom:
        """The end that moves."""
        return self.uneven.stop if self.at_stop else self.uneven.start


def _triangle(accesses: AccessTable, nest: n.For, place: int) -> _Triangle | None:
    """A nest of which one loop has an end that moves by one from row to row."""
    chain, around = _chain(nest), accesses.structure.loops[nest.label]
    uneven = chain[place]

    def moves(end: n.Atom) -> bool:
        return isinstance(end, n.Var) and accesses.structure.is_inside(end.name, around)

    at_stop = moves(uneven.stop)
    form = accesses.forms.of(uneven.stop if at_stop else uneven.start)
    longest = _longest(form) if at_stop else None
    if longest is not None and not any(accesses.structure.is_inside(name, around) for name in longest.names):
        return _Triangle(tuple(chain), uneven, at_stop, longest)
    inside = [m for m in form.terms if any(accesses.structure.is_inside(name, around) for name in _names(m))]
    if len(inside) != 1 or inside[0] not in [(loop.index.name,) for loop in chain[:place]]:
        return None
    if abs(form.terms[inside[0]]) != 1:
        return None
    found = hull(accesses.ranges, form, accesses.structure.loops[chain[place - 1].label].body, around)
    bounds = () if found is None else found.high if at_stop else found.low
    known = (bound for bound in bounds if not any(isinstance(s, Element) for s in bound.symbols))
    bound = next(known, None)
    return None if bound is None else _Triangle(tuple(chain), uneven, at_stop, bound)


def _longest(form: Form) -> Form | None:
    """What a sum with quotients is never above: quotients may be rounded otherwise. None where there are none.

    ``e // d`` lies between ``(e - d + 1) / d`` and ``e / d``. So rows of every other element, which begin at one or at
    the next one, have an end that is the same for all: the square has hardly more iterations.
    """
    divisors = [symbol.parts[1].value for symbol in form.symbols if isinstance(symbol, Quotient)]
    if not divisors or not all(divisor is not None and divisor > 0 for divisor in divisors):
        return None
    common = math.lcm(*(divisor for divisor in divisors if divisor is not None))
    total = ZERO
    for monomial, factor in form.terms.items():
        symbol = monomial[0] if len(monomial) == 1 else ""
        if not isinstance(symbol, Quotient):
            total += Form({monomial: factor * common})
            continue
        dividend, divisor = symbol.parts
        part = common // divisor.value  # type: ignore[operator]
        total += (dividend if factor > 0 else dividend - divisor + 1) * (factor * part)
    return quotient(total, ZERO + common)


def _names(monomial: Sequence[str]) -> Iterator[str]:
    """The variables of a product of symbols."""
    for part in monomial:
        yield from part.names() if isinstance(part, Derived) else (part,)


class _Writer:
    """Writes a nest over a square."""

    def __init__(self, accesses: AccessTable, triangle: _Triangle, copies: Copies) -> None:
        self.accesses, self.triangle, self.copies = accesses, triangle, copies
        self.nest, self.inner = triangle.chain[0], triangle.chain[-1]
        self.around = accesses.structure.loops[self.nest.label]
        self.write = Writing(copies.names, self.nest.location)
        self.views = ViewMaker(copies.names, lambda name: accesses.structure.definition(name).var)

    def statements(self) -> list[n.Statement]:
        """The nest, with all of an iteration or only its stores for the triangle."""
        write, statements = self.write, self.inner.body.statements
        bound = self.atom(self.triangle.bound)
        guarded = self.square(bound, 0)
        first = next((k for k, s in enumerate(statements) if _stores(s)), 0)
        inside = self.is_inside(statements[:first], statements[first:])
        if inside is None:
            return [*write.statements, guarded]
        (whole,) = self.copies.block(n.Block((self.square(bound, first),))).statements
        return [*write.statements, n.If(inside, n.Block((whole,)), n.Block((guarded,)), location=write.location)]

    def atom(self, form: Form) -> n.Atom:
        """Write the value of a form."""
        return self.views.atom(form, self.write.statements, self.write.location)

    def square(self, bound: n.Atom, first: int) -> n.For:
        """The nest, whose iterations do what stands from the statement `first` on where they are in the triangle."""
        triangle, write = self.triangle, Writing(self.copies.names, self.inner.location)
        statements = self.inner.body.statements
        write.add(*statements[:first])
        index = triangle.uneven.index
        condition = write.compare("lt", index, triangle.end) if triangle.at_stop else (
            write.compare("ge", index, triangle.end)
        )  # fmt: skip
        write.add(n.If(condition, n.Block(statements[first:]), location=self.inner.location))
        loop = replace(self.inner, body=n.Block(tuple(write.statements)))
        for outer in (*reversed(triangle.chain[:-1]), None):
            if loop.label == triangle.uneven.label:
                loop = replace(loop, stop=bound) if triangle.at_stop else replace(loop, start=bound)
            if outer is not None:
                loop = replace(outer, body=n.Block((*outer.body.statements[:-1], loop)))
        return loop

    def is_inside(self, before: Sequence[n.Statement], stores: Sequence[n.Statement]) -> n.Atom | None:
        """Write whether all that is read before the stores is there in the whole square; None where nothing says so,
        or where it does not matter: there is no fold."""
        inner = list(walk(n.Block(tuple(before))))
        if not any(isinstance(s, n.For) for s in inner) or not all(map(_is_harmless, inner)):
            return None
        bounds = self.bounds(inner)
        loads = [s.value for s in inner if isinstance(s, n.Let) and isinstance(s.value, n.Load)]
        if bounds is None or not all(self.is_steady(load, stores) for load in loads):
            return None
        conditions: dict[tuple[object, ...], n.Atom] = {}
        for load in loads:
            for axis, index in enumerate(load.indices):
                ends = _ends(self.accesses.forms.of(index), bounds, self.is_late)
                if ends is None or not isinstance(load.view.type, View):
                    return None
                key = (load.view.name, axis, *map(str, ends))
                if key not in conditions:
                    extent = self.write.let(n.Dim(load.view, axis), n.Const(0).type, "extent")
                    conditions[key] = self.write.both(
                        [
                            self.write.compare("ge", self.atom(ends[0]), 0),
                            self.write.compare("lt", self.atom(ends[1]), extent),
                        ]
                    )
        return self.write.both(list(conditions.values()))

    def bounds(self, inner: Sequence[n.Statement]) -> Bounds | None:
        """The values of all counters in the square; None where one is not known before the nest."""
        triangle, found = self.triangle, dict[str, tuple[Form, Form]]()
        for loop in (*triangle.chain, *(s for s in inner if isinstance(s, n.For))):
            start, stop = map(self.accesses.forms.of, (loop.start, loop.stop))
            if loop is triangle.uneven:
                start, stop = (start, triangle.bound) if triangle.at_stop else (triangle.bound, stop)
            if any(map(self.is_late, (*start.names, *stop.names))):
                return None
            found[loop.index.name] = start, stop - 1
        return found

    def is_late(self, name: str) -> bool:
        """Whether a value is not known before the nest."""
        return self.accesses.structure.is_inside(name, self.around)

    def is_steady(self, load: n.Load, stores: Sequence[n.Statement]) -> bool:
        """Whether an array is there before the nest and no other iteration of the square stores what is read."""
        if load.mask is not None or load.bounds != "safe" or self.is_late(load.view.name):
            return False
        counters = {loop.index for loop in self.triangle.chain}
        for store in walk(n.Block(tuple(stores))):
            if not isinstance(store, n.Store):
                continue
            is_own = store.view == load.view and store.indices == load.indices and {*load.indices} == counters
            if not is_own and self.accesses.aliases.may_alias(load.view, store.view):
                return False
        return True


def _stores(statement: n.Statement) -> bool:
    """Whether a statement stores, or does what is not known to be only a computation."""
    return not all(isinstance(s, (n.Let, n.For)) for s in walk(n.Block((statement,))))


def _is_harmless(statement: n.Statement) -> bool:
    """Whether a statement may run for numbers that no iteration of the program computes with."""
    if isinstance(statement, n.For):
        return statement.exit is None
    if not isinstance(statement, n.Let) or isinstance(statement.value, (n.Alloc, n.Undefined, *VIEWS)):
        return False
    value, kind = statement.value, statement.var.type
    is_float = isinstance(kind, Scalar) and kind.kind == "f"
    if isinstance(value, n.Binary):
        return is_float or value.op in HARMLESS
    return isinstance(value, (n.Load, n.Compare, n.Select, n.Unary)) or (isinstance(value, n.Cast) and is_float)


def _ends(form: Form, bounds: Bounds, is_late: Callable[[str], bool]) -> tuple[Form, Form] | None:
    """The least and the greatest value of an index; None where it is no sum of counters and of what is known before."""
    low = high = ZERO
    for monomial, factor in form.terms.items():
        if not any(map(is_late, _names(monomial))):
            low, high = low + Form({monomial: factor}), high + Form({monomial: factor})
            continue
        if len(monomial) != 1 or monomial[0] not in bounds:
            return None
        least, greatest = bounds[monomial[0]][:: 1 if factor > 0 else -1]
        low, high = low + least * factor, high + greatest * factor
    return low, high
