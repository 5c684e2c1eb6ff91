"""Facts about constants and conditions, each used where a slightly other fact would be wrong."""

from __future__ import annotations

import numpy as np
import pytest

import weft
from tests.random_programs.stages import small_tiles


def quotient(i, j):
    if i != j:
        return 10 // (i + j), 7 % (i + j)
    return 0, 0


def large_or_half(n, c):
    x = 0.5
    if c:
        x = n
    return x


def constants_of_numpy():
    a, b, c = np.int8(100) + np.int8(100), np.int64(2**62) * np.int64(6), np.int16(-(2**15)) - np.int16(1)
    return a, b, c, a > 0, b > 2**62, float(c), a // np.int8(3)


def constant_or_first(a, c):
    x = 0.1
    if c:
        x = a[0]
    return x


def both_extremes(a, low, high):
    least, most, at, where = a[0], a[0], 0, 0
    for i in range(len(a)):
        if a[i] < least:
            least, at = a[i], i
        if a[i] > most:
            most, where = a[i], i
    low[0], high[0] = at, where
    return least, most


def read_before_the_inner_loop(a, k, c):
    for i in range(len(k)):
        t = c[k[i]]
        for j in range(len(a)):
            c[k[i]] = t + a[j]


def test_numbers_that_differ_may_be_opposite():
    compiled = weft.jit(quotient)
    assert compiled(3, 4) == (1, 0) and compiled(2, 2) == (0, 0)
    with pytest.raises(ZeroDivisionError):
        compiled(3, -3)


def test_a_large_int_beside_a_float_is_not_rounded():
    compiled = weft.jit(large_or_half)
    assert compiled(2**53, True) == 2**53 and compiled(5, False) == 0.5
    for large in (2**53 + 1, -(2**53) - 1):
        with pytest.raises(OverflowError):
            compiled(large, True)


def test_constants_keep_their_values_and_types():
    with np.errstate(over="ignore"):
        expected = constants_of_numpy()
    found = weft.jit(constants_of_numpy)()
    assert found == expected and list(map(type, found)) == list(map(type, expected))


def test_a_constant_is_not_rounded_where_its_type_depends_on_values():
    compiled = weft.jit(constant_or_first)
    assert compiled(np.full(1, 0.3, np.float32), True) == np.float32(0.3)
    with pytest.raises(weft.TypeInferenceError, match="'x' may be float or np.float32"):
        compiled(np.full(1, 0.3, np.float32), False)


def test_places_belong_to_their_extremes_and_loads_to_their_loops(own_store):
    rng = np.random.default_rng(1)
    a, k = rng.integers(-99, 99, 200).astype(float), rng.integers(0, 5, 20)
    with small_tiles():
        low, high, found, expected = np.zeros(1), np.zeros(1), np.arange(5.0), np.arange(5.0)
        assert weft.jit(both_extremes)(a, low, high) == (a.min(), a.max())
        assert (low[0], high[0]) == (a.argmin(), a.argmax())
        weft.jit(read_before_the_inner_loop)(a[:6], k, found)
    read_before_the_inner_loop(a[:6], k, expected)
    np.testing.assert_array_equal(found, expected)
