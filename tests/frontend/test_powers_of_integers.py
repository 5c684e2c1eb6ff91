"""Powers of two Python integers whose exponent is known when running: integers, or an error that says what to write."""

from __future__ import annotations

import numpy as np
import pytest

import weft
from tests.analysis.tools import function_of
from weft.errors import UnsupportedError

BODIES = ("return 2**n", "return (-1)**n", "return n**n", "x = 3\n    x **= n\n    return x", "return pow(10, n)",
          "return True**n", "return sum((-1)**k / (2 * k + 1) for k in range(n))")  # fmt: skip


@pytest.mark.parametrize("body", BODIES)
def test_integers(body):
    function = function_of(f"def f(n):\n    {body}\n")
    compiled = weft.jit(function, device="cpu")
    for n in (1, 2, 7):
        found, wanted = compiled(n), function(n)
        assert type(found) is type(wanted) and found == pytest.approx(wanted, rel=1e-14)


@pytest.mark.parametrize("body", ["return 2**n", "return 0**n", "x = 3\n    x **= n\n    return x"])
def test_negative_exponents(body):
    compiled = weft.jit(function_of(f"def f(n):\n    {body}\n"), device="cpu")
    with pytest.raises(UnsupportedError, match=r"the exponent is -2, .* as in 2\.0\*\*n"):
        compiled(-2)


def test_extents_and_elements():
    def f(a, n):
        for i in range(len(a)):
            a[i] = 2**i + (-1) ** (i + n)
        return np.zeros((2**n, 3 ** (n - 1))).shape

    mine, theirs = np.zeros(9), np.zeros(9)
    assert weft.jit(f, device="cpu")(mine, 2) == f(theirs, 2)
    np.testing.assert_array_equal(mine, theirs)


def test_arrays_of_a_shape():
    def f(n):
        a = np.ndarray((n, 2), dtype=np.float32)
        a[:] = n
        return a, np.ndarray(n + 1).shape

    found, wanted = weft.jit(f, device="cpu")(3), f(3)
    assert found[1] == wanted[1] and found[0].dtype == wanted[0].dtype
    np.testing.assert_array_equal(found[0], wanted[0])
