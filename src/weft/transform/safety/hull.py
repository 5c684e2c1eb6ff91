"""Conditions on what is known at some place for an index to stay inside its array in all iterations of the loops there.

A goal is a form that must not be negative wherever an access runs. Its unknowns are eliminated, the innermost first:
counters by the bounds of their loops and by the branches around the access, quotients by what they mean for integers,
minima and maxima by their sides. All of these are reached by some iteration, so the condition does not ask for more
than the program itself, as long as its branches do not hang together. Values that are computed in other ways end the
search.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import TypeAlias

from weft.analysis.access.structure import Region
from weft.analysis.values.linear import Derived, Element, Form, Positive, Quotient
from weft.analysis.values.prover import Prover
from weft.analysis.values.ranges import Ranges, constant_bound
from weft.ir import nodes as n

Known: TypeAlias = Callable[[str], bool]

MOST_STEPS = 60
LARGE = 2**48
"""Conditions with constants like these come from the limits of types and say nothing."""


Case: TypeAlias = tuple[Form, ...]
"""Forms none of which may be negative."""


class Hull:
    """Finds conditions for goals of one region.

    Parameters
    ----------
    ranges
        The ranges of the code.
    region
        Where the accesses run.
    known
        Which symbols may stand in a condition.
    """

    def __init__(self, ranges: Ranges, region: Region, known: Known) -> None:
        self.ranges = ranges
        self.region = region
        self.known = known
        self.prover: Prover = ranges.prover(region)

    def conditions(self, goals: list[Form]) -> list[tuple[Case, ...]] | None:
        """For every goal that is not proven, cases of which one must hold; None where one cannot be had."""
        found = []
        for goal in goals:
            if self.ranges.nonnegative(goal, self.region):
                continue
            cases = self._alternatives(goal)
            if not cases:
                return None
            found.append(cases)
        return found

    def _alternatives(self, goal: Form) -> tuple[Case, ...]:
        found: dict[Case, None] = {}
        waiting: list[Case] = [(goal,)]
        steps = 0
        while waiting and steps < MOST_STEPS:
            case, steps = waiting.pop(), steps + 1
            form, needed = case[0], case[1:]
            unknown = [symbol for symbol in form.symbols if not self.known(symbol)]
            if unknown:
                last = max(unknown, key=lambda symbol: (self.prover.rank(symbol), symbol))
                waiting.extend((new[0], *needed, *new[1:]) for new in self._without(form, last))
            elif all(map(_is_modest, case)):
                found[case] = None
        possible = [case for case in found if not any(self.prover.nonnegative(-form - 1) for form in case)]
        return tuple(sorted(possible, key=_length)[:MOST_ALTERNATIVES])

    def _without(self, form: Form, symbol: str) -> Iterator[Case]:
        """Cases in which a form is not negative, with a symbol eliminated; what else they need comes after the form."""
        if form.degree(symbol) != 1:
            return
        if isinstance(symbol, Quotient):
            yield from self._without_quotient(form, symbol)
        elif isinstance(symbol, Derived) or self._is_reached(symbol):
            factor = form.coefficient(symbol)
            if self.prover.sign(factor) is not None or not all(map(self.known, factor.symbols)):
                yield from ((simpler,) for simpler in self.prover.eliminations(form, symbol))
            else:
                # Of unknown factors the usual case: what is multiplied by a counter is not negative.
                usual = factor if sum(factor.terms.values()) > 0 else -factor
                known = self.prover.extended((usual,))
                if known.sign(factor) is not None:
                    yield from ((simpler, usual) for simpler in known.eliminations(form, symbol))

    def _is_reached(self, symbol: str) -> bool:
        """Whether the bounds that are known of a variable are values that it has."""
        definition = self.ranges.structure.definitions.get(symbol)
        if definition is None:
            return False
        value = definition.value
        return definition.kind == "index" or (isinstance(value, n.Binary) and value.op in ("min", "max"))

    def _without_quotient(self, form: Form, symbol: Quotient) -> Iterator[Case]:
        """``c - e // d >= 0`` is ``d * (c + 1) - 1 - e >= 0``, and ``c + e // d >= 0`` is ``d * c + e >= 0``."""
        dividend, divisor = symbol.parts
        factor, rest = form.coefficient(symbol).value, form.without(symbol)
        if factor in (1, -1) and self.ranges.nonnegative(divisor, self.region):
            yield (divisor * (rest + 1) - 1 - dividend if factor == -1 else divisor * rest + dividend,)
        elif divisor.value and factor and divisor.value > 0 and factor % divisor.value == 0:
            yield from self._without_multiple(rest, factor // divisor.value, dividend, divisor)

    def _without_multiple(self, rest: Form, factor: int, dividend: Form, divisor: Form) -> Iterator[Case]:
        """``d * (e // d)`` is at most ``e``, and above ``e - d``: bounds that are nearly exact."""
        yield (rest + (dividend if factor < 0 else dividend - divisor + 1) * factor,)


def _is_modest(form: Form) -> bool:
    return all(abs(factor) < LARGE for factor in form.terms.values())


def _length(case: Case) -> tuple[int, str]:
    return sum(len(form.terms) for form in case), str(case[0])


MOST_ALTERNATIVES = 3


def names_of(symbol: str) -> frozenset[str]:
    """The variables that a symbol is made of."""
    return symbol.names() if isinstance(symbol, Derived) else frozenset((symbol,))


def is_computable(symbol: str, known: Known) -> bool:
    """Whether a symbol can be computed from variables, given which variables and arrays are known."""
    if isinstance(symbol, Quotient):
        divisor = symbol.parts[1].value
        return divisor is not None and divisor > 0 and all(is_computable(s, known) for s in symbol.parts[0].symbols)
    if isinstance(symbol, Positive):
        return all(is_computable(s, known) for s in symbol.parts[0].symbols)
    return not isinstance(symbol, Element) and all(map(known, names_of(symbol)))


LARGEST = {1: 2**56, 2: 2**30, 3: 2**19, 4: 2**14}
"""The largest size of a factor, by the number of factors: sums of seven such products fit in 63 bits."""


def limit_of(form: Form) -> int:
    """What the symbols of a form must not exceed for its value to be computed without overflow."""
    return LARGEST.get(max((len(monomial) for monomial in form.terms), default=1), 0)


def fits(form: Form, ranges: Ranges, limited: bool = True) -> bool:
    """Whether a form does not overflow, in whatever order it is added up; `limited`: where `limit_of` it is tested."""
    total, limit = abs(form.constant), limit_of(form) if limited else 0
    for monomial, factor in form.terms.items():
        size = abs(factor)
        for symbol in monomial:
            size *= _largest(symbol, ranges, limit)
        total += size if monomial else 0
    return total < 2**63


def unlimited(form: Form, ranges: Ranges) -> list[str]:
    """The symbols of a form that have to be tested against `limit_of` it, before the form is tested."""
    if fits(form, ranges, limited=False) or _is_comparison(form):
        return []
    limit = limit_of(form)
    return sorted(symbol for symbol in form.symbols if _largest(symbol, ranges, 0) > limit)


def _is_comparison(form: Form) -> bool:
    """Whether testing a form against 0 is comparing two values as they are."""
    sides = [[m for m, c in form.terms.items() if c * sign > 0] for sign in (1, -1)]
    plain = all(abs(c) == 1 or not m for m, c in form.terms.items()) and form.is_linear
    return plain and all(len(side) <= 1 for side in sides)


def _largest(symbol: str, ranges: Ranges, limit: int) -> int:
    prover, form = ranges.prover(ranges.structure.root), Form({(symbol,): 1})
    bounds = constant_bound(prover, form), constant_bound(prover, -form)
    sizes = [abs(bound) for bound in bounds if bound is not None]
    found = max(*sizes, 1) if len(sizes) == 2 else 2**64
    return min(found, limit) if limit else found
