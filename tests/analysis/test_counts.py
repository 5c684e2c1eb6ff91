"""Symbolic counts, held against what the interpreter counts."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from weft.analysis.values.linear import constant, symbol
from weft.cost.counts import counts
from weft.cost.polynomial import Polynomial, sum_over
from weft.ir.reference.interpreter import trace

from .tools import program_of


def product(a, b, c):
    for i in range(a.shape[0]):
        for j in range(b.shape[1]):
            s = 0.0
            for k in range(a.shape[1]):
                s += a[i, k] * b[k, j]
            c[i, j] = s


def triangle(a, n):
    for i in range(n):
        for j in range(i + 1):
            a[i, j] = a[j, i] * 2.0


def pyramid(a, n):
    for i in range(n):
        for j in range(i, n):
            for k in range(j + 1):
                a[i, j] += k


def two_loops(x, out, low):
    for i in range(low, len(x)):
        out[i] = np.sqrt(x[i]) + 1.0
    for i in range(0, len(x), 3):
        out[i] = out[i] / 2.0


def sizes(values, names, program):
    """The values of parameters and extents by the names that counts use."""
    known = {}
    for param, value in zip(program.params, values, strict=True):
        if isinstance(value, np.ndarray):
            known.update({f"{param.var.name}.shape[{k}]": size for k, size in enumerate(value.shape)})
        else:
            known[param.var.name] = value
    return known


@pytest.mark.parametrize(
    ("function", "arguments"),
    [
        (product, (np.ones((3, 4)), np.ones((4, 2)), np.zeros((3, 2)))),
        (product, (np.ones((0, 4)), np.ones((4, 2)), np.zeros((0, 2)))),
        (triangle, (np.ones((5, 5)), 5)),
        (triangle, (np.ones((5, 5)), 0)),
        (triangle, (np.ones((5, 5)), -3)),
        (pyramid, (np.ones((6, 6)), 6)),
        (two_loops, (np.ones(11), np.ones(11), 4)),
    ],
)
def test_counts_are_those_of_the_interpreter(function, arguments):
    program = program_of(function, *arguments)
    found = counts(program)
    assert all(count.exact for count in found.operations.values())
    counted = dict(trace(program, list(arguments)).counts.operations)
    assert found.evaluate(sizes(arguments, function, program)) == counted


def test_a_guard_gives_an_upper_bound():
    def f(x, out):
        for i in range(len(x)):
            if x[i] > 0.5:
                out[i] = x[i] * 2.0

    arguments = (np.linspace(0.0, 1.0, 9), np.zeros(9))
    program = program_of(f, *arguments)
    found = counts(program)
    assert not found.operations["store", "float64"].exact
    counted = trace(program, list(arguments)).counts.operations
    bound = found.evaluate(sizes(arguments, f, program))
    assert all(bound[key] >= number for key, number in counted.items())


def test_accesses_by_class():
    def f(a, b, p):
        for i in range(a.shape[0]):
            for j in range(a.shape[1]):
                a[i, j] = b[j, i] + b[0, p[j]]

    arguments = (np.ones((3, 4)), np.ones((4, 4)), np.zeros(4, np.int64))
    found = counts(program_of(f, *arguments))
    kinds = {(kind, stride) for kind, element, stride in found.accesses if element == "float64"}
    assert kinds == {("store", "unit"), ("load", "symbolic"), ("load", "irregular")}


@given(
    st.integers(0, 3), st.integers(0, 3), st.integers(-4, 4), st.integers(0, 6), st.integers(-3, 3), st.integers(-3, 3)
)
def test_sums_are_exact(power, other, start, trips, factor, offset):
    i, n = Polynomial.of(symbol("i")), Polynomial.of(symbol("n"))
    body = i.power(power) * n.power(other) * Polynomial.of(factor) + Polynomial.of(offset)
    total = sum_over(body, "i", constant(start), constant(trips)).evaluate({"n": 5})
    expected = sum(factor * t**power * 5**other + offset for t in range(start, start + trips))
    assert total == expected
