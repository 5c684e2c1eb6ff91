"""Proofs that forms are not negative."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from weft.analysis.values.linear import constant, positive, quotient, symbol
from weft.analysis.values.prover import Prover

i, j, n, m = (symbol(name) for name in "ijnm")
ORDER = {"n": 0, "m": 1, "i": 2, "j": 3}


def rank(name: str) -> float:
    return ORDER.get(name, 1.5)  # derived symbols come right after what they are made of


def prover(*facts, excluded=()):
    return Prover(facts, rank, lambda name: (), frozenset(excluded))


def test_bounds_of_a_counter():
    known = prover(i, n - 1 - i)
    assert known.nonnegative(i + 3)
    assert known.nonnegative(n - i - 1)
    assert known.nonnegative(2 * n - 2 * i - 2)
    assert not known.nonnegative(n - i - 2)


def test_a_triangle():
    known = prover(i, n - 1 - i, j, i - 1 - j)
    assert known.nonnegative(n - 2 - j)
    assert not known.nonnegative(n - 3 - j)


def test_products_with_sizes_that_are_not_negative():
    known = prover(n, m, i, n - 1 - i, j, m - 1 - j)
    assert known.nonnegative(n * m - 1 - i * m - j)
    assert not known.nonnegative(n * m - 2 - i * m - j)


def test_rounding_of_integers():
    known = prover(2 * i + 1)
    assert known.nonnegative(i)


def test_either_case_of_a_maximum():
    known = prover(n - 1, m)
    assert known.nonnegative(n + m - positive(m))
    assert not known.nonnegative(n - positive(m))


def test_what_is_not_zero():
    known = prover(n, excluded=[n])
    assert known.nonnegative(n - 1)
    assert known.nonzero(n)
    assert not prover(n).nonzero(n)


def test_quotients():
    half = quotient(n, constant(2))
    known = prover(n, n - 2 * half, 2 * half + 1 - n, i, half - 1 - i)
    assert known.nonnegative(n - 2 - 2 * i)


facts = st.lists(
    st.tuples(*(st.integers(-2, 2) for _ in range(4)), st.integers(-3, 3)).map(
        lambda t: n * t[0] + m * t[1] + i * t[2] + j * t[3] + t[4]
    ),
    min_size=1,
    max_size=5,
)


@given(facts, facts, st.fixed_dictionaries({name: st.integers(-4, 4) for name in ORDER}))
def test_proofs_are_right(known, goals, values):
    if any(fact.evaluate(values) < 0 for fact in known):
        return
    for goal in goals:
        if goal.evaluate(values) < 0:
            assert not prover(*known).nonnegative(goal)


@given(facts, facts)
def test_lower_bounds_are_bounds(known, goals):
    base = prover(*known)
    for goal in goals:
        for bound in base.lower_bounds(goal, lambda name: name in "ij"):
            assert not bound.symbols & {"i", "j"}
            for values in ({"n": 2, "m": 3, "i": a, "j": b} for a in range(-3, 4) for b in range(-3, 4)):
                if all(fact.evaluate(values) >= 0 for fact in known):
                    assert bound.evaluate(values) <= goal.evaluate(values)
