"""Whether equations between linear forms can be fulfilled under what is known: a few quick tests, in order of cost.

The tests are the classic ones: constants that differ, divisors (GCD), bounds (Banerjee), and elimination of unknowns.
Equations such as ``n*(i - i') + (j - j') == 0`` are split into ``i == i'`` and ``j == j'`` where the second part is
proven to be smaller than `n`: this is how flattened indices become the two dimensions that they are.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from math import gcd

from weft.analysis.dependence.certainty import May
from weft.analysis.values.linear import ONE, ZERO, Form, constant, monomials
from weft.analysis.values.prover import Prover

MOST_ROUNDS = 6
Varies = Callable[[str], bool]


class System:
    """Equations, each a form that is zero, and facts, each a form that is not negative.

    Parameters
    ----------
    equations
        Forms that are to be zero.
    prover
        What is known; the equations are added to it.
    varies
        Which symbols are unknowns; all others are given.
    pair
        The two counters of the loop whose iterations are compared, where they differ, the later one second.
    trips
        How often that loop runs.
    """

    def __init__(
        self,
        equations: Sequence[Form],
        prover: Prover,
        varies: Varies,
        pair: tuple[str, str] | None = None,
        trips: Form = ZERO,
    ) -> None:
        self.varies = varies
        self.pair = pair
        self.trips = trips
        self.prover = prover
        self.pending: list[Form] = list(equations)
        self.solved: list[Form] = []

    def is_contradictory(self, also: Form) -> bool:
        """Whether the equations, the facts and ``also >= 0`` exclude one another."""
        for _ in range(MOST_ROUNDS):
            self.pending = [part for e in self.pending for part in self._split(e) if part]
            if any(self._is_impossible(e) for e in self.pending):
                return True
            if not self._eliminate():
                break
        self.prover = self.prover.extended(side for e in (*self.solved, *self.pending) for side in (e, -e))
        return any(self._is_impossible(e) for e in self.pending) or self.prover.nonnegative(-also - 1)

    def _is_impossible(self, equation: Form) -> bool:
        value = equation.value
        if value is not None:
            return value != 0
        divisor = gcd(*(c for _, c in monomials(equation)))
        if equation.constant % divisor:
            return True
        distance = self._distance_in(equation)
        if distance is not None:
            return distance < 1 or self.prover.nonnegative(distance - self.trips)
        return self.prover.nonzero(equation)

    def _eliminate(self) -> bool:
        """Solves one equation for one unknown and puts it into the others."""
        for equation in self.pending:
            pivot = self._pivot(equation)
            if pivot is None:
                continue
            factor = equation.terms[(pivot,)]
            solution = {pivot: (Form({(pivot,): 1}) - equation * factor)}
            self.pending.remove(equation)
            self.solved.append(equation)
            self.pending = [e.substitute(solution) for e in self.pending]
            return True
        return False

    def _pivot(self, equation: Form) -> str | None:
        """An unknown that stands in the equation once, with factor 1 or -1; the last one."""
        found = [
            s
            for s in equation.symbols
            if equation.terms.get((s,)) in (1, -1) and equation.degree(s) == 1 and self._is_alone(equation, s)
        ]
        return max(found, key=lambda s: (self.prover.rank(s), s), default=None)

    def _is_alone(self, equation: Form, symbol: str) -> bool:
        alone = equation.coefficient(symbol).value is not None and self.varies(symbol)
        return alone and not any(symbol in getattr(s, "names", frozenset)() for s in equation.symbols - {symbol})

    def _split(self, equation: Form) -> tuple[Form, ...]:
        for size in sizes(equation, self.varies):
            for whole, rest in partitions(equation, size):
                if not rest and (size.value is not None or self.prover.nonzero(size)):
                    return self._split(whole)
                if whole and rest and self.is_smaller(rest, size):
                    return (*self._split(whole), *self._split(rest))
        return (equation,)

    def is_smaller(self, rest: Form, size: Form) -> bool:
        """Whether ``|rest| < size`` is proven."""
        return self.prover.nonnegative(size - 1 - rest) and self.prover.nonnegative(size - 1 + rest)

    def distance(self) -> May[int] | None:
        """By how much the later counter is larger wherever all equations hold, where one of them says so.

        Nothing is said of whether the others hold too.
        """
        found = (self._distance_in(equation) for equation in (*self.solved, *self.pending))
        return next((May(distance) for distance in found if distance is not None), None)

    def _distance_in(self, equation: Form) -> int | None:
        if self.pair is None or len(equation.terms) > 3:
            return None
        counter, later = self.pair
        factor = equation.terms.get((later,))
        if (
            not factor
            or equation.terms.get((counter,)) != -factor
            or len(equation.terms) - (ONE in equation.terms) != 2
        ):
            return None
        return -equation.constant // factor


def sizes(equation: Form, varies: Varies) -> list[Form]:
    """Factors by which an equation may be split: products of given symbols, then constants, the larger first."""
    symbolic, constants = set(), set()
    for monomial, factor in monomials(equation):
        given = tuple(s for s in monomial if not varies(s))
        if given and len(given) < len(monomial):
            symbolic.add(given)
        elif not given and abs(factor) > 1:
            constants.add(abs(factor))
    ordered = sorted(symbolic, key=lambda m: (-len(m), m))
    return [Form({m: 1}) for m in ordered] + [constant(c) for c in sorted(constants, reverse=True)]


def partitions(equation: Form, size: Form) -> Iterator[tuple[Form, Form]]:
    """Forms `whole` and `rest` with ``equation == size * whole + rest``."""
    number = size.value
    if number is None:
        ((factors, _),) = size.terms.items()
        whole = Form({_rest(m, factors): c for m, c in equation.terms.items() if _divides(factors, m)})
        yield whole, equation - whole * size
        return
    whole = Form({m: c // number for m, c in equation.terms.items() if m and c % number == 0})
    for share in dict.fromkeys((equation.constant // number, -(-equation.constant // number))):
        yield whole + share, equation - (whole + share) * number


def _divides(factors: tuple[str, ...], monomial: tuple[str, ...]) -> bool:
    return all(monomial.count(s) >= factors.count(s) for s in set(factors))


def _rest(monomial: tuple[str, ...], factors: tuple[str, ...]) -> tuple[str, ...]:
    left = list(monomial)
    for factor in factors:
        left.remove(factor)
    return tuple(left)


def sufficient(prover: Prover, goal: Form, varies: Varies) -> list[Form]:
    """Forms of given symbols alone such that ``goal >= 0`` wherever one of them is not negative."""
    found: dict[Form, None] = {}
    waiting, steps = [goal], 0
    while waiting and steps < MOST_SUFFICIENT_STEPS:
        form, steps = waiting.pop(), steps + 1
        unknown = [s for s in form.symbols if varies(s)]
        if not unknown:
            found[form] = None
            continue
        last = max(unknown, key=lambda s: (prover.rank(s), s))
        if form.degree(last) == 1:
            waiting.extend(prover.eliminations(form, last))
    return [f for f in found if is_modest(f) and not prover.nonnegative(-f - 1)]


def is_modest(form: Form) -> bool:
    """Whether a form has no coefficients that only the limits of types have."""
    return all(abs(factor) < LARGE for factor in form.terms.values())


LARGE = 2**48
"""Conditions with constants like these come from the limits of types and say nothing."""
MOST_SUFFICIENT_STEPS = 40
