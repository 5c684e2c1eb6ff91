"""Divisors that are proven to be above zero are not tested: squares and roots plus something, the larger of two."""

from __future__ import annotations

import math

import numpy as np
import pytest

import weft
from tests.frontend.compare import program_of
from weft.ir import nodes as n
from weft.ir.effects import block_may_raise
from weft.transform.pipeline import optimise


def softened(x, out):
    for i in range(len(out)):
        a = float(x[i])
        out[i] = 1.0 / (a * a + 0.5)


def distances(x, out):
    for i in range(len(out)):
        a = float(x[i])
        r = math.sqrt(a * a + 1e-300)
        out[i] = a / r + 1.0 / (r * r * r + 1e-3)


def at_least(x, out):
    for i in range(len(out)):
        out[i] = 2.0 / max(float(x[i]), 1e-9) + 1.0 / min(3.0, 1.0 + abs(float(x[i])))


def squared(x, out):
    for i in range(len(out)):
        a = float(x[i])
        out[i] = 1.0 / (a * a)


def products_of_positives(x, out):
    for i in range(len(out)):
        a = float(x[i])
        out[i] = 1.0 / ((a * a + 1e-200) * 1e-200)


def differences(x, out):
    for i in range(len(out)):
        a = float(x[i])
        out[i] = 1.0 / (a * a + 0.5 - abs(a))


SAFE, OTHERS = [softened, distances, at_least], [squared, products_of_positives, differences]


@pytest.mark.parametrize("function", [*SAFE, *OTHERS], ids=lambda f: f.__name__)
def test_what_may_be_zero_is_tested(function):
    program = optimise(program_of(function, np.ones(3), np.ones(3)))
    loops = [s for s in program.body.statements if isinstance(s, n.For)]
    assert loops
    assert any(block_may_raise(loop.body) for loop in loops) == (function in OTHERS)


@pytest.mark.parametrize("function", [*SAFE, *OTHERS], ids=lambda f: f.__name__)
def test_results_are_pythons(function):
    compiled = weft.jit(function)
    for value in (0.0, -0.0, 1.0, -2.5, 1e-170, 1e200, math.inf, -math.inf, math.nan, 5e-324):
        x, found, expected = np.array([1.0, value]), np.zeros(2), np.zeros(2)
        outcome = []
        for call, out in ((function, expected), (compiled, found)):
            try:
                outcome.append(call(x, out))
            except ZeroDivisionError:
                outcome.append("zero")
        assert outcome[0] == outcome[1]
        np.testing.assert_array_equal(found, expected)
