"""Proofs that a linear form is not negative, from facts that are linear forms too.

The symbols of a form are eliminated one after the other, the one defined last first, each by a fact that bounds it in
terms of symbols defined before it (Fourier and Motzkin's elimination, directed by the goal). What is found is a proof;
what is not found may hold all the same.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import TypeAlias

from weft.analysis import effort
from weft.analysis.values.linear import ZERO, Form, Positive, Quotient, constant, monomials

Rank: TypeAlias = Callable[[str], float]
Inherent: TypeAlias = Callable[[str], Iterable[Form]]

Bound: TypeAlias = tuple[Form, Form, "int | None"]
"""A fact, the factor of its last symbol in it, and that factor's value where it is a constant."""

DEEPEST = 14
MOST_STEPS = 800
MOST_BOUNDS = 60


def _always() -> bool:
    return True


class Prover:
    """A set of facts, each a form that is not negative.

    Parameters
    ----------
    facts
        What is known.
    rank
        The order of symbols; a symbol is bounded only by symbols of lower rank.
    inherent
        What is known of a symbol by itself; asked when the symbol is first met.
    excluded
        Forms that are not zero.
    is_settled
        Whether what `inherent` says is final; otherwise it is asked again the next time.
    """

    def __init__(
        self,
        facts: Iterable[Form],
        rank: Rank,
        inherent: Inherent,
        excluded: frozenset[Form] = frozenset(),
        is_settled: Callable[[], bool] = _always,
    ) -> None:
        self.rank = rank
        self.inherent = inherent
        self.excluded = excluded
        self.is_settled = is_settled
        self._facts: dict[Form, None] = {}
        self._bounds: dict[str, list[Bound]] = {}
        self._met: set[str] = set()
        self._proven: dict[Form, bool] = {}
        self._failed: dict[Form, int] = {}
        self._steps = 0
        self._effort = effort.current()
        self._orders: dict[str, tuple[float, str]] = {}
        for fact in facts:
            self.add(fact)

    def add(self, fact: Form) -> None:
        """Learn another fact."""
        if fact.value is None and fact not in self._facts:
            self._facts[fact] = None
            self._failed.clear()
            last = self.last(fact)
            if fact.degree(last) == 1:
                factor = fact.coefficient(last)
                self._bounds.setdefault(last, []).append((fact, factor, factor.value))

    def closure(self, forms: Iterable[Form]) -> list[Form]:
        """Everything that was learnt, and what is known of every symbol in it and in some forms."""
        facts = dict(self._facts)
        waiting = [symbol for form in (*forms, *facts) for symbol in sorted(form.symbols)]
        seen: set[str] = set()
        while waiting:
            symbol = waiting.pop()
            if symbol not in seen:
                seen.add(symbol)
                for fact in self.inherent(symbol):
                    facts[fact] = None
                    waiting += sorted(fact.symbols)
        return list(facts)

    def extended(self, facts: Iterable[Form]) -> Prover:
        """A prover that knows more."""
        other = Prover((), self.rank, self.inherent, self.excluded, self.is_settled)
        other._orders = self._orders
        other._met = set(self._met)
        other._facts = dict(self._facts)
        other._bounds = {symbol: list(bounds) for symbol, bounds in self._bounds.items()}
        other._proven = dict(self._proven)
        for fact in facts:
            other.add(fact)
        return other

    def last(self, form: Form) -> str:
        """The symbol of the highest rank."""
        return max(form.symbols, key=self._order)

    def _order(self, symbol: str) -> tuple[float, str]:
        order = self._orders.get(symbol)
        if order is None:
            order = self._orders[symbol] = (self.rank(symbol), symbol)
        return order

    def bounds(self, symbol: str) -> list[Bound]:
        """The facts that bound a symbol in terms of symbols of lower rank, and its factors in them."""
        if symbol not in self._met:
            if self.is_settled():
                self._met.add(symbol)
            for fact in self.inherent(symbol):
                self.add(fact)
            self._bounds.get(symbol, []).sort(key=_simplest_first)
        return self._bounds.get(symbol, [])

    def nonnegative(self, form: Form) -> bool:
        """Whether the form is proven not to be negative."""
        self._steps = MOST_STEPS
        return self._search(form, DEEPEST)

    def sign(self, form: Form) -> int | None:
        """1 where the form is proven not to be negative, -1 where it is proven not to be positive, else None."""
        if self.nonnegative(form):
            return 1
        return -1 if self.nonnegative(-form) else None

    def nonzero(self, form: Form) -> bool:
        """Whether the form is proven not to be zero."""
        if self._is_excluded(form):
            return True
        return self.nonnegative(form - 1) or self.nonnegative(-form - 1)

    def _search(self, form: Form, depth: int) -> bool:
        value = form.value
        if value is not None:
            return value >= 0
        if form in self._proven:
            return True
        self._steps -= 1
        if depth == 0 or self._steps < 0 or self._failed.get(form, 0) >= depth or not self._effort.spend(1):
            return False
        if self._eliminate(form, depth):
            self._proven[form] = True
            return True
        if self._steps >= 0:
            self._failed[form] = depth
        return False

    def _eliminate(self, form: Form, depth: int) -> bool:
        symbol = self.last(form)
        number = form.number_of(symbol)
        if number is None and form.degree(symbol) > 1:
            rest = self._without_positive_terms(form, symbol, depth)
            return rest is not None and self._search(rest, depth - 1)
        if number is not None:
            if self._reaches(form, symbol, number, depth):
                return True
        elif any(self._search(simpler, depth - 1) for simpler in self.eliminations(form, symbol, depth)):
            return True
        if isinstance(symbol, Quotient) and self._divided(form, symbol, depth):
            return True
        if isinstance(symbol, Positive):
            cases = (ZERO, symbol.parts[0])
            return all(self._search(form.substitute({symbol: case}), depth - 1) for case in cases)
        return bool(self.excluded) and self._is_excluded(form + 1) and self._search(form + 1, depth - 1)

    def _reaches(self, form: Form, symbol: str, number: int, depth: int) -> bool:
        """Whether a form without a symbol is proven, of those that `eliminations` gives; its factor is a number.

        Most steps of proofs are of this kind.
        """
        factor = None
        for bound in self.bounds(symbol):
            self._effort.spend(1)
            fact, _, other = bound
            if other is None:
                factor = factor or constant(number)
                simpler = self._combined(form, factor, 1 if number > 0 else -1, bound, depth)
                if simpler is None or symbol in simpler.symbols:
                    continue
            elif (other > 0) == (number > 0):
                simpler = _cancelled(form, number, fact, other)
            else:
                continue
            if self._search(simpler, depth - 1):
                return True
        return False

    def _divided(self, form: Form, symbol: Quotient, depth: int) -> bool:
        """Whether a form of a quotient is not negative where the quotient has a value, so that the divisor is not zero.

        What this says of the divisor holds for this form alone: the test of the divisor may rest on other proofs.
        """
        divisor = symbol.parts[1]
        if divisor.value is not None or not self.bounds(symbol) or divisor - 1 in self._facts:
            return False
        known = self.extended((divisor - 1,))
        known._steps = self._steps
        found = known._search(form, depth - 1)
        self._steps = known._steps
        return found

    def _is_excluded(self, form: Form) -> bool:
        return bool(self.excluded) and (form in self.excluded or -form in self.excluded)

    def _without_positive_terms(self, form: Form, symbol: str, depth: int) -> Form | None:
        """The rest of a form whose terms with a symbol are products of values that are not negative."""
        terms = dict(form.terms)
        for monomial, factor in monomials(form):
            if symbol in monomial:
                del terms[monomial]
                if not all(self._search(Form({(s,): 1}), depth - 1) for s in set(monomial)):
                    return None
                if factor < 0:
                    return None
        return Form(terms)

    def eliminations(self, form: Form, symbol: str, depth: int = DEEPEST) -> Iterator[Form]:
        """Forms without a symbol that are not negative only where the form is not negative."""
        factor = form.coefficient(symbol)
        sign = self._sign(factor, depth)
        for bound in self.bounds(symbol):
            self._effort.spend(1)
            simpler = self._combined(form, factor, sign, bound, depth)
            if simpler is not None and symbol not in simpler.symbols:
                yield simpler

    def lower_bounds(self, form: Form, unknown: Callable[[str], bool]) -> list[Form]:
        """Forms without unknown symbols that are proven not to be larger than the form."""
        found: dict[Form, None] = {}
        waiting, steps = [form], 0
        while waiting and steps < MOST_BOUNDS and self._effort.spend(1):
            current, steps = waiting.pop(), steps + 1
            symbols = [s for s in current.symbols if unknown(s)]
            if not symbols:
                found[current] = None
                continue
            last = max(symbols, key=self._order)
            if current.degree(last) == 1:
                waiting.extend(self._below(current, last))
        return list(found)

    def _below(self, form: Form, symbol: str) -> Iterator[Form]:
        """Forms without a symbol that are not larger: by facts in which the symbol has the factor 1 or -1."""
        factor = form.coefficient(symbol)
        sign = self.sign(factor)
        for fact, _, number in self.bounds(symbol):
            if sign is not None and number == sign:
                yield form - fact * (factor * sign)

    def _combined(self, form: Form, factor: Form, sign: int | None, bound: Bound, depth: int) -> Form | None:
        """``form`` minus a multiple of a fact, scaled by something positive, so that their common symbol vanishes."""
        fact, other, number = bound
        size = factor.value
        if number is not None and size is not None:
            return _cancelled(form, size, fact, number) if (number > 0) == (size > 0) else None
        ratio = _ratio(factor, other)
        if ratio is not None:
            return form.plus(fact, -ratio) if ratio > 0 else None
        if number is not None:
            if sign is None or (number > 0) != (sign > 0):
                return None
            return form * abs(number) - fact * (factor * sign) + (abs(number) - 1)  # integers: 2 * x >= -1 is x >= 0
        if size is None:
            return None
        scale = other if size > 0 else -other
        return form * scale - fact * abs(size) + scale - 1 if self._search(scale - 1, depth - 1) else None

    def _sign(self, factor: Form, depth: int) -> int | None:
        value = factor.value
        if value is not None:
            return 1 if value > 0 else -1
        if self._search(factor, depth - 1):
            return 1
        return -1 if self._search(-factor, depth - 1) else None


def _cancelled(form: Form, size: int, fact: Form, number: int) -> Form:
    """``form`` minus a multiple of a fact; their factors of one symbol are constants of one sign."""
    if size % number == 0:
        return form.plus(fact, -(size // number))
    return (form * abs(number)).plus(fact, -abs(size)).plus(abs(number) - 1, 1)


def _simplest_first(bound: Bound) -> int:
    return len(bound[0].terms)


def _ratio(factor: Form, other: Form) -> int | None:
    """The whole number `m` with ``factor == m * other``, or None."""
    if factor.terms.keys() != other.terms.keys():
        return None
    ratios = {(factor.terms[m] // c, factor.terms[m] % c) for m, c in other.terms.items()}
    if len(ratios) != 1:
        return None
    ((ratio, rest),) = ratios
    return ratio if rest == 0 else None
