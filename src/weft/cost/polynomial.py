"""Polynomials with rational coefficients, for counts: sums of linear forms over the iterations of loops."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from functools import cache

from weft.analysis.values.linear import ONE, Form, Monomial, evaluate_symbol


class Polynomial:
    """A polynomial in the sizes of a program: immutable; symbols are those of `weft.analysis.values.linear`."""

    __slots__ = ("terms",)

    def __init__(self, terms: Mapping[Monomial, Fraction | int]) -> None:
        self.terms: dict[Monomial, Fraction] = {m: Fraction(c) for m, c in terms.items() if c}

    @classmethod
    def of(cls, value: Form | int) -> Polynomial:
        """A form or a number as a polynomial."""
        return cls({ONE: value} if isinstance(value, int) else value.terms)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Polynomial) and self.terms == other.terms

    def __hash__(self) -> int:
        return hash(frozenset(self.terms.items()))

    def __bool__(self) -> bool:
        return bool(self.terms)

    def __add__(self, other: Polynomial) -> Polynomial:
        terms = dict(self.terms)
        for monomial, factor in other.terms.items():
            terms[monomial] = terms.get(monomial, Fraction(0)) + factor
        return Polynomial(terms)

    def __sub__(self, other: Polynomial) -> Polynomial:
        return self + other * Polynomial.of(-1)

    def __mul__(self, other: Polynomial) -> Polynomial:
        terms: dict[Monomial, Fraction] = {}
        for left, a in self.terms.items():
            for right, b in other.terms.items():
                monomial = tuple(sorted(left + right))
                terms[monomial] = terms.get(monomial, Fraction(0)) + a * b
        return Polynomial(terms)

    def power(self, exponent: int) -> Polynomial:
        """The polynomial multiplied with itself."""
        result = Polynomial.of(1)
        for _ in range(exponent):
            result = result * self
        return result

    @property
    def symbols(self) -> set[str]:
        """The symbols that occur."""
        return {symbol for monomial in self.terms for symbol in monomial}

    def degree(self, symbol: str) -> int:
        """The highest power of a symbol."""
        return max((monomial.count(symbol) for monomial in self.terms), default=0)

    def coefficient(self, symbol: str, exponent: int) -> Polynomial:
        """The factor of a power of a symbol."""
        terms = {m: c for m, c in self.terms.items() if m.count(symbol) == exponent}
        return Polynomial({tuple(s for s in m if s != symbol): c for m, c in terms.items()})

    def evaluate(self, values: Mapping[str, int]) -> Fraction:
        """The value for given values of variables, extents (``a.shape[0]``) and other symbols, by their texts."""
        total = Fraction(0)
        for monomial, factor in self.terms.items():
            for symbol in monomial:
                factor *= evaluate_symbol(symbol, values)
            total += factor
        return total

    def __str__(self) -> str:
        pieces = [
            "*".join((*(() if c == 1 and m else (str(c),)), *m)) for m, c in sorted(self.terms.items(), reverse=True)
        ]
        return " + ".join(pieces) or "0"

    def __repr__(self) -> str:
        return f"Polynomial({self})"


def sum_over(body: Polynomial, counter: str, start: Form, trips: Form) -> Polynomial:
    """The sum of a polynomial over a counter that runs from `start` for `trips` iterations."""
    first, times = Polynomial.of(start), Polynomial.of(trips)
    total = Polynomial({})
    for exponent in range(body.degree(counter) + 1):
        factor = body.coefficient(counter, exponent)
        for power in range(exponent + 1):
            # (start + t) ** e by the binomial theorem, then the sum over t of t ** power
            share = Polynomial.of(_choose(exponent, power)) * first.power(exponent - power)
            total = total + factor * share * _power_sum(power, times)
    return total


def _power_sum(power: int, times: Polynomial) -> Polynomial:
    """``sum(t ** power for t in range(times))`` by Faulhaber's formula."""
    total = Polynomial({})
    for k in range(power + 1):
        factor = Fraction(_choose(power + 1, k), power + 1) * _bernoulli(k)
        total = total + Polynomial({ONE: factor}) * times.power(power + 1 - k)
    return total


@cache
def _bernoulli(index: int) -> Fraction:
    """Bernoulli numbers, with -1/2 as the first."""
    if index == 0:
        return Fraction(1)
    return -sum((_choose(index + 1, k) * _bernoulli(k) for k in range(index)), Fraction(0)) / (index + 1)


def _choose(total: int, chosen: int) -> int:
    result = 1
    for k in range(chosen):
        result = result * (total - k) // (k + 1)
    return result
