"""Texts of exceptions that NumPy and CPython write for one form of an operation only."""

from __future__ import annotations

import numpy as np
import pytest

import weft
from tests.analysis.tools import function_of

SHAPES = [((3,), (2,)), ((2, 2), (3,)), ((2, 2), (3, 2)), ((3,), (2, 3)), ((1,), (3,))]
UPDATES = ("x += y", "x -= y * 2", "x *= y", "x **= y", "x[:] -= y", "x[0:] += y", "x = x + y", "x += y[1:]")
QUOTIENTS = [(5, 0.0), (5.0, 0.0), (5.0, -0.0), (5.0, 0), (True, 0.0), (5, 0), (5.0, 2), (-7, 0.5)]


def outcome(function, *arguments):
    try:
        return function(*arguments)
    except (ValueError, ZeroDivisionError) as error:
        return type(error), str(error)


@pytest.mark.parametrize("shapes", SHAPES, ids=str)
@pytest.mark.parametrize("update", UPDATES)
def test_operators_in_place_name_three_shapes(update, shapes):
    function = function_of(f"def f(x, y):\n    {update}\n")
    left, right = shapes
    assert outcome(weft.jit(function, device="cpu"), np.ones(left), np.ones(right)) == outcome(
        function, np.ones(left), np.ones(right)
    )


@pytest.mark.parametrize(("x", "y"), QUOTIENTS)
def test_divmod_by_zero(x, y):
    function = function_of("def f(x, y):\n    return divmod(x, y)\n")
    assert outcome(weft.jit(function, device="cpu"), x, y) == outcome(function, x, y)
