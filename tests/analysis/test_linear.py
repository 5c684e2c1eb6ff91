"""Linear forms: arithmetic, division, renaming, evaluation."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from weft.analysis.values.linear import Form, constant, element, extent, positive, quotient, remainder, symbol

i, j, n = symbol("i"), symbol("j"), symbol("n")
VALUES = {"i": 3, "j": -2, "n": 7, "a.shape[0]": 5}

forms = st.builds(lambda a, b, c, d: i * a + j * b + i * n * c + d, *(st.integers(-9, 9) for _ in range(4)))
environments = st.fixed_dictionaries({"i": st.integers(-9, 9), "j": st.integers(-9, 9), "n": st.integers(-9, 9)})


def test_equal_terms_are_equal_forms():
    assert i + j - i == j
    assert hash(2 * i + 1) == hash(1 + i + i)
    assert i * n == n * i
    assert not (i - i)


def test_text():
    assert str(2 * i - j + 3) == "2*i - j + 3"
    assert str(i * n) == "i*n"
    assert str(Form({})) == "0"
    assert str(-i) == "-i"


def test_coefficients():
    form = i * n + 2 * i + j
    assert form.coefficient("i") == n + 2
    assert form.without("i") == j
    assert form.degree("i") == 1
    assert (i * i).degree("i") == 2


def test_division_takes_out_multiples():
    assert quotient(2 * i + 1, constant(2)) == i
    assert quotient(n * i + j, n) == i + quotient(j, n)
    assert quotient(constant(-7), constant(2)) == constant(-4)
    assert quotient(i, constant(-2)) == quotient(-i, constant(2))


def test_remainder_is_written_with_the_quotient():
    assert remainder(i, n) == i - n * quotient(i, n)
    assert remainder(3 * i + 7, constant(3)) == constant(1)


def test_positive_of_positive():
    assert positive(positive(i)) == positive(i)
    assert positive(constant(-3)) == constant(0)


def test_names_reach_into_derived_symbols():
    assert quotient(i, n).names == {"i", "n"}
    assert extent("a", 0).names == {"a"}
    assert element("p", [i + 1]).names == {"p", "i"}


def test_renaming_reaches_into_derived_symbols():
    inner = {"i"}
    assert quotient(i, n).rename(inner.__contains__, "'") == quotient(symbol("i'"), n)
    assert element("p", [i]).rename(inner.__contains__, "'") == element("p", [symbol("i'")])


def test_substitution_reaches_into_derived_symbols():
    assert quotient(i, constant(2)).substitute({"i": 2 * j}) == j


@given(forms, forms, environments)
def test_arithmetic_is_that_of_integers(a, b, values):
    assert (a + b).evaluate(values) == a.evaluate(values) + b.evaluate(values)
    assert (a - b).evaluate(values) == a.evaluate(values) - b.evaluate(values)
    assert (a * b).evaluate(values) == a.evaluate(values) * b.evaluate(values)


@given(forms, st.integers(-9, 9).filter(bool), environments)
def test_division_is_that_of_python(a, divisor, values):
    assert quotient(a, constant(divisor)).evaluate(values) == a.evaluate(values) // divisor
    assert remainder(a, constant(divisor)).evaluate(values) == a.evaluate(values) % divisor


@given(forms, environments.filter(lambda values: values["n"]))
def test_division_by_a_symbol_is_that_of_python(a, values):
    assert quotient(a, n).evaluate(values) == a.evaluate(values) // values["n"]


def test_unknown_symbols_cannot_be_evaluated():
    with pytest.raises(KeyError):
        symbol("k").evaluate(VALUES)
