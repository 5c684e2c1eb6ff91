"""Loops that make arrays anew: extents that an iteration computes are not used before the loop or behind it."""

from __future__ import annotations

import numpy as np
import pytest

from tests.plan.simulated import Simulated


def made_anew(a, b, i, x):
    for k in range(3):
        a = a * 0.5 + np.where(a > b, b, i)
    if x > 0.5:
        a = b + 1.0
    else:
        a[1:] = a[:-1]
    return a


def added_anew(a, b, i, x):
    total = np.zeros(a.shape[0])
    for k in range(1, 4):
        a = a * b / k
        total = total + a
    return total


def while_anew(a, b, i, x):
    k = 0
    while k < 3:
        a = (a + b)[::-1]
        k += 1
    return a[1:]


@pytest.mark.parametrize("x", [0.3, 0.7])
@pytest.mark.parametrize("size", [1, 7])
@pytest.mark.parametrize("function", [made_anew, added_anew, while_anew], ids=lambda function: function.__name__)
def test_results_are_numpys(function, size, x):
    a, b = np.arange(size) / 8, np.arange(size)[::-1] / 4
    simulated = Simulated(function)
    found = simulated(a.copy(), b.copy(), np.arange(size), x)
    np.testing.assert_array_equal(found, function(a.copy(), b.copy(), np.arange(size), x))
    assert simulated.traces
