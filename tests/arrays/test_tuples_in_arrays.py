"""Tuples and lists where NumPy makes arrays of them: assigned to slices, beside arrays; ranges as positions."""

from __future__ import annotations

import copy

import numpy as np
import pytest

import weft
from tests.analysis.tools import function_of
from weft.errors import UnsupportedError

STATEMENTS = (
    "m[1] = 5, 6, 7, 8, m[0, 1]",
    "m[2, 1:3] = (1.5, k[0])",
    "m[0] = [1, 2.5, 3, 4, m[1, 1]]",
    "k[:] = (1, 2.7, 3)",
    "m[0:2] = (1, 2, 3, 4, 5), (2, 3, 4, 5, 6)",
    "m[:, 0] = [0, 0, k[0]]",
    "m[m > 3] = (1,)",
    "k[range(1, 3)] = 9, 8",
    "m[range(2), [0, 1]] = 7",
    "m[range(2, 0, -1), 1] += 1",
    "m += (1, 2, 3, 4, 5)",
    "m[0] = m[range(3), k].sum() + m[0] * (1, 2, 3, 4, 5)",
    "m[range(0)] = 3",
    "m[1:3] = m[0] * 2, m[1] + 1",
    "m[0] = 1, 2",
    "m[:, 1] = (1, 2)",
)


@pytest.mark.parametrize("statement", STATEMENTS)
def test_as_numpy(statement):
    function = function_of(f"def f(m, k):\n    {statement}\n    return m > (1, 2, 3, 4, 5)\n")
    given = np.arange(15.0).reshape(3, 5), np.array([1, 0, 4])
    mine, theirs = copy.deepcopy(given), copy.deepcopy(given)
    try:
        wanted = function(*theirs)
    except (ValueError, IndexError) as error:
        with pytest.raises(type(error)) as caught:
            weft.jit(function, device="cpu")(*mine)
        assert str(error) in str(caught.value)
    else:
        np.testing.assert_array_equal(weft.jit(function, device="cpu")(*mine), wanted)
    for a, b in zip(mine, theirs, strict=True):
        np.testing.assert_array_equal(a, b)


@pytest.mark.parametrize("value", ["m[0], m[1]", "[m[0] * 2, m[1]]", "m[::-1][0], m[2]"])
def test_parts_of_the_array_itself_are_refused(value):
    """NumPy writes the first row before it reads the second."""
    with pytest.raises(UnsupportedError, match=r"write np\.array\(\.\.\.\) around the tuple"):
        weft.jit(function_of(f"def f(m):\n    m[1:3] = {value}\n"), device="cpu")(np.ones((3, 5)))
