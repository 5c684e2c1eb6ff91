"""Chains of operations on what is Python's number or NumPy's, by its value: only the type decides what is raised."""

from __future__ import annotations

import numpy as np
import pytest

import weft


def remainders(a, n, s):
    t = 0
    if n > 2:
        t = a[0] % 11
    a[0] = (s - t) % 7 // (n - 3)
    return t


def shifted(a, n, s):
    t = n if a[0] > 3 else a[1]
    a[2] = 8 >> (s - t)


def negative_powers(a, n, s):
    t = a[0] and n
    a[1] = abs(-t) ** -1


def reals(a, n, s):
    t = (a[0] * 0.5) or 0.25
    u = a[1] if n > 2 else s
    a[2] = (0.5 - t) % u


@pytest.mark.parametrize("device", ["cpu", "interpreter"])
@pytest.mark.parametrize("function", [remainders, shifted, negative_powers, reals], ids=lambda f: f.__name__)
def test_what_is_raised_is_what_cpython_raises(function, device):
    compiled = weft.jit(function, device=device)
    for first in (0, 1, 7):
        for n in (2, 3, 4):
            expected, got = np.array([first, 5, 9]), np.array([first, 5, 9])
            wanted, found = ended(function, expected, n), ended(compiled, got, n)
            assert found in (wanted, "refused")
            assert found == "refused" or np.array_equal(expected, got)


def ended(function, a, n):
    with np.errstate(all="ignore"):
        try:
            function(a, n, 1)
        except weft.Error:
            return "refused"
        except Exception as error:
            return type(error).__name__
    return "returned"


def stored(a, out, r, c):
    x = a[0] if c else 1.0
    y = a[1] or r
    z = x + y
    out[0] = z % 3.0


@pytest.mark.parametrize("device", ["cpu", "interpreter"])
@pytest.mark.parametrize("dtype", ["int64", "int8", "uint8", "uint64"])
def test_numbers_that_no_integer_is(dtype, device):
    compiled = weft.jit(stored, device=device)
    for first, second, c in ((1.5, 0.0, 1), (1.5, 2.0, 0), (np.nan, 1.0, 1), (0.5, np.nan, 0), (0.5, 0.0, 0)):
        for r in (3.0, 0.0, np.nan):
            a, expected, got = np.array([first, second]), np.zeros(1, dtype), np.zeros(1, dtype)
            wanted, found = (
                ended(lambda *_: f(a, out, r, c), a, 0) for f, out in ((stored, expected), (compiled, got))
            )
            assert found in (wanted, "refused")
            if found == "returned" and not np.isnan([first, second]).any():
                assert np.array_equal(expected, got)
