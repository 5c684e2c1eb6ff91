"""Constants that 64 bits do not hold: the right answer, or a refusal that names the number."""

from __future__ import annotations

import numpy as np
import pytest

import weft
from tests.analysis.tools import function_of

RIGHT = (
    "n < {}", "n > -{}", "n == {}", "{} != n", "not -{} <= n", "n in (5, {})", "float({}) + n", "n * 1.0 + {}",
    "{} % 7 + n", "{} // 10**18 + n", "({} >> 60) + n", "({} & 255) + n", "bool({}) + n",
    "a[0] < {}", "{} >= a[1]", "a[1] == {}", "a[2] * {} if a.dtype.kind == 'f' else 0",
)  # fmt: skip
REFUSED = (
    "-2 * {}", "(n, {})", "n + {}", "{} * n", "n // {}", "n % {}", "min(n, {})", "max(n, -2 * {})",
    "{} if n > 100 else 5", "n | {}", "n / {}", "n or {}",
)  # fmt: skip
WIDE = ("2**63", "(2**64 + 5)", "10**20", "2**70", "(1 << 80)")


def outcome(function, *arguments):
    try:
        result = function(*arguments)
    except (OverflowError, ZeroDivisionError, IndexError) as error:
        return type(error)
    return type(result).__name__ if isinstance(result, (tuple, np.generic)) else type(result), result


def program(value, number):
    return function_of(f"def f(a, n):\n    return {value.replace('{}', number)}\n")


@pytest.mark.parametrize("dtype", ["float64", "float32", "int64", "uint64", "uint8", "int32"])
@pytest.mark.parametrize("number", WIDE)
@pytest.mark.parametrize("value", RIGHT)
def test_wide_constants(value, number, dtype):
    if "a[" not in value and dtype != "float64":
        pytest.skip("no array is used")
    function = program(value, number)
    a = np.array([1, 2, 3], dtype)
    if dtype in ("int64", "uint64"):
        a[:2] = np.iinfo(dtype).max, np.iinfo(dtype).min
    compares = "+" not in value
    for n in (5, -(2**63), 2**63 - 1) if compares else (5, -7, 2**40):
        assert outcome(weft.jit(function, device="cpu"), a, n) == outcome(function, a, n)


@pytest.mark.parametrize("number", WIDE)
@pytest.mark.parametrize("value", REFUSED)
def test_wide_constants_that_nothing_holds(value, number):
    with pytest.raises(weft.UnsupportedError, match="does not fit in 64 bits"):
        weft.jit(program(value, number), device="cpu")(np.arange(3), 5)


@pytest.mark.parametrize("dtype", ["int64", "uint64"])
@pytest.mark.parametrize(
    "number", ["9007199254740992.0", "float(2**53 + 1)", "9007199254740991.0", "2.0**63", "-2.0**63"]
)
@pytest.mark.parametrize("op", ["<", "<=", "==", "!=", ">", ">="])
def test_integers_are_rounded_where_numpy_compares_them_with_floats(op, number, dtype):
    function = function_of(
        "def f(out, a):\n"
        "    for i in range(len(a)):\n"
        f"        out[i] = int(a[i] {op} {number}) + 2 * int({number} {op} a[i])\n"
    )
    info = np.iinfo(dtype)
    near = [2**53 - 2, 2**53 - 1, 2**53, 2**53 + 1, 2**53 + 2, 2**53 + 3, info.min, info.max, info.max - 512, 0, 2**62]
    a = np.array(near * 2, dtype)
    expected, found = np.zeros(len(a)), np.zeros(len(a))
    function(expected, a)
    weft.jit(function, device="cpu")(found, a)
    assert found.tolist() == expected.tolist()
