"""A number that starts as Python's and becomes NumPy's gives one result beside an array of that type: ``X @ w + b``."""

from __future__ import annotations

import numpy as np
import pytest

import weft
from tests.analysis.tools import function_of
from weft.errors import TypeInferenceError

EXPRESSIONS = (
    "a + s", "s - a", "a * s", "a / s", "s // a", "a > s", "s == a", "np.maximum(a, s)", "np.minimum(s, a)",
    "np.where(a > s, a, s)", "np.hypot(a, s)", "a.clip(s, 3)", "np.add(a, s)",
)  # fmt: skip
STARTS = ("0.0", "0", "1", "-0.0", "3.7")


def loop(start: str, expression: str) -> object:
    body = f"    s = {start}\n    for i in range(n):\n        s += a[i]\n    return {expression}\n"
    return function_of(f"def f(a, n):\n{body}")


@pytest.mark.parametrize("start", STARTS)
@pytest.mark.parametrize("expression", EXPRESSIONS)
def test_whether_or_not_the_loop_ran(start, expression):
    function = loop(start, expression)
    a = np.array([2.0, -1.0, 5.0, 1e300, 0.0])
    with np.errstate(all="ignore"):
        for n in (0, 1, 3):
            found, wanted = weft.jit(function, device="cpu")(a, n), function(a, n)
            assert found.dtype == wanted.dtype
            np.testing.assert_array_equal(found, wanted)
            np.testing.assert_array_equal(np.signbit(found), np.signbit(wanted))


def test_in_each_iteration():
    body = "    b = 0\n    for i in range(n):\n        b -= 0.1 * np.sum(a + b)\n    return b\n"
    function = function_of(f"def f(a, n):\n{body}")
    for dtype in ("float32", "float64"):
        a = np.arange(3).astype(dtype)
        assert weft.jit(function, device="cpu")(a, 3) == pytest.approx(function(a, 3), rel=1e-5)


@pytest.mark.parametrize("start", ["0.0", "1.5"])
def test_another_type_of_the_result_is_an_error(start):
    body = f"    s = {start}\n    for i in range(n):\n        s += b[i]\n    return a + s\n"
    function = function_of(f"def f(a, b, n):\n{body}")
    a, b = np.ones(3, np.float32), np.ones(3)
    compiled = weft.jit(function, device="cpu")
    found, wanted = compiled(a, b, 2), function(a, b, 2)
    assert found.dtype == wanted.dtype == np.float64 and np.array_equal(found, wanted)
    with pytest.raises(TypeInferenceError, match="'s' may be float or np.float64"):
        compiled(a, b, 0)
