"""Loops over a flattened counter are one kernel of nested loops in calls in which all rows are whole."""

from __future__ import annotations

from unittest import mock

import numpy as np
import pytest

from tests.plan.counting import one_thread
from tests.plan.simulated import Simulated
from weft.tune import choice


def pairs(x, half):
    for i in range(x.shape[0]):
        for p in range(x.shape[1] // 2):
            left = p // half * (2 * half) + p % half
            right = left + half
            a, b = x[i, left], x[i, right]
            x[i, left], x[i, right] = a + b, a - b


def mirrored_rows(x, half):
    for i in range(x.shape[0]):
        for p in range(x.shape[1]):
            q = p // half
            x[i, p] = x[i, p] + q * 2 - (half - 1 - p % half)


def line(x, half):
    v = x[0]
    for p in range(len(v) // 2):
        q, r = divmod(p, half)
        v[2 * half * q + r], v[2 * half * q + r + half] = v[2 * half * q + r + half], 3 * v[2 * half * q + r]


def folded(x, half):
    total = 0.0
    for p in range(x.shape[1]):
        total += x[0, p] * (p // half + 1) - p % half
    return total


@pytest.mark.parametrize("function", [pairs, mirrored_rows, line, folded], ids=lambda f: f.__name__)
def test_results_are_pythons(function):
    simulated = Simulated(function)
    for rows, columns, half in ((3, 16, 4), (2, 16, 8), (2, 12, 4), (2, 14, 4), (1, 0, 3), (2, 6, 9), (3, 24, 3)):
        found, expected = (np.arange(rows * columns).reshape(rows, columns) % 7.0 for _ in range(2))
        try:
            result = function(expected, half)
        except IndexError:
            with pytest.raises(IndexError), mock.patch.object(choice, "candidates", one_thread):
                simulated(found, half)
        else:
            with mock.patch.object(choice, "candidates", one_thread):
                assert simulated(found, half) == result
        np.testing.assert_array_equal(found, expected)
