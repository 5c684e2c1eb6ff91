"""``a.shape = shape`` of arrays that were made here and have one name."""

from __future__ import annotations

import numpy as np
import pytest

import weft
from tests.analysis.tools import function_of
from weft.errors import Error, UnsupportedError


def run(*lines: str) -> tuple[object, object]:
    function = function_of("def f(a, n):\n" + "".join(f"    {line}\n" for line in lines))
    a = np.arange(12.0).reshape(3, 4)
    return weft.jit(function, device="cpu")(a.copy(), 3), function(a.copy(), 3)


@pytest.mark.parametrize(
    "lines",
    [
        ("x = np.arange(n * 4.0)", "x.shape = n, 4", "return x"),
        ("x = a + 1", "y = a * 2", "x.shape = y.shape = 4 * n", "x[y > 3] = 0", "return x, y"),
        ("x = a + 1", "x.shape = -1", "for i in range(len(x)):", "    x[i] += i", "return x"),
        ("x = a + 1", "s = x[0].sum()", "x.shape = (2, 2, -1)", "return x, s"),
        ("x = a + 1", "row = x[0]", "x.shape = 4 * n", "x[1] = 100", "return row, x"),
        ("x = a + 1", "if n > 2:", "    x.shape = 4, n", "x[0, 0] = 5", "return x"),
    ],
)
def test_as_numpy(lines):
    found, wanted = run(*lines)
    for a, b in zip(found, wanted, strict=True):
        np.testing.assert_array_equal(a, b)


def test_a_new_array_that_lies_in_another_order():
    def f(a):
        x = a + 1
        x.shape = -1
        return x

    with pytest.raises(UnsupportedError, match="shape"):  # an AttributeError in NumPy
        weft.jit(f, device="cpu")(np.asfortranarray(np.ones((3, 4))))


def test_a_shape_that_does_not_fit():
    with pytest.raises(ValueError, match="cannot reshape array of size 12 into shape"):
        run("x = a + 1", "x.shape = 4, n + 1", "return x")


@pytest.mark.parametrize(
    "lines",
    [
        ("a.shape = 4, n", "return a"),
        ("x = a + 1", "y = x", "x.shape = 4, n", "return y"),
        ("x = a + 1", "t = x, 1", "x.shape = 4, n", "return t[0]"),
        ("x = a + 1", "def h(v=x):", "    return v[0]", "x.shape = 12", "return h()"),
        ("def h(v):", "    v.shape = 4 * n", "    return v", "x = a + 1", "return h(x), x"),
        ("x = a + 1", "if n > 2:", "    x.shape = 4 * n", "return x"),
        ("x = a + 1", "for i in range(2):", "    if i == 1:", "        x.shape = 4 * n", "return x"),
    ],
)
def test_what_other_names_would_see_is_refused(lines):
    with pytest.raises(Error):
        run(*lines)
