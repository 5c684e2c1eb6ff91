"""The least and the greatest of floats are Python's, signed zeros included."""

from __future__ import annotations

import numpy as np
import pytest

import weft
from weft.ir import nodes as n
from weft.ir.visit import walk
from weft.transform.vector.zeros import SUFFIX

VALUES = np.array([np.nan, -0.0, 0.0, 1.5, 0.5, np.inf])


def least(a):
    s = a[0]
    for i in range(len(a)):
        s = min(s, a[i])
    return s


def greatest_of_none_above(a):
    s = -9.0
    for i in range(len(a)):
        s = max(s, -a[i])
    return s


def least_or_zero(a):
    s = 0.0
    for i in range(len(a)):
        s = min(s, a[i])
    return s


def both(a):
    low, high = a[0], -a[0]
    for i in range(len(a)):
        low = min(low, a[i])
        high = max(high, -a[i])
    return low, high


def guarded(a):
    s = 5.0
    for i in range(len(a)):
        if a[i] < 1.0:
            s = min(s, a[i])
    return s


def beside_a_store(a):
    s, out = 5.0, np.zeros(len(a))
    for i in range(len(a)):
        out[i] = a[i] * 2.0
        s = min(s, a[i])
    return s, out


def of_what_it_writes(a):
    s = 5.0
    for i in range(len(a)):
        a[i] = a[i] * 0.5
        s = min(s, a[i])
    return s


def running(a):
    s, out = a[0], np.zeros(len(a))
    for i in range(len(a)):
        s = min(s, a[i])
        out[i] = s
    return out


def with_its_place(a):
    s, where = a[0], 0
    for i in range(len(a)):
        if a[i] < s:
            s = a[i]
            where = i
    return s, where


FUNCTIONS = (
    least, greatest_of_none_above, least_or_zero, both, guarded, beside_a_store, of_what_it_writes, running,
    with_its_place,
)  # fmt: skip


def flat(result):
    return np.concatenate([np.atleast_1d(r) for r in (result if isinstance(result, tuple) else (result,))])


@pytest.mark.parametrize("dtype", ["float64", "float32", "float16"])
@pytest.mark.parametrize("function", FUNCTIONS)
def test_the_first_zero_wins(function, dtype):
    random = np.random.default_rng(1)
    ready = weft.jit(function)
    for size in (1, 2, 7, 33, 64, 100, 139, 5000):
        for values in (VALUES, VALUES[1:], VALUES[1:3]):
            a = random.choice(values, size).astype(dtype)
            left, right = a.copy(), a.copy()
            for expected, got in zip(flat(function(left)), flat(ready(right))):
                assert np.isnan(expected) == np.isnan(got)
                assert np.isnan(expected) or (expected, np.signbit(expected)) == (got, np.signbit(got))
            np.testing.assert_array_equal(left, right)


def of_matrix(m, rows):
    s = 9.0
    for i in range(m.shape[0]):
        r = 9.0
        for j in range(m.shape[1]):
            s = min(s, m[i, j])
            r = min(r, m[i, j])
        rows[i] = r
    return s


def test_rows_and_the_whole_of_a_matrix():
    random = np.random.default_rng(2)
    ready = weft.jit(of_matrix)
    for shape in ((1, 100), (9, 70), (70, 9), (40, 40)):
        m = random.choice(VALUES, shape)
        left, right = np.zeros(shape[0]), np.zeros(shape[0])
        expected, got = of_matrix(m, left), ready(m, right)
        assert (expected, np.signbit(expected)) == (got, np.signbit(got))
        np.testing.assert_array_equal(np.signbit(left), np.signbit(right))
        np.testing.assert_array_equal(left, right)


def of_blocks(m):
    s = -np.float32(9.0)
    for i in range(m.shape[0]):
        for j in range(m.shape[1]):
            for k in range(m.shape[2]):
                s = max(s, m[i, j, k])
    return s, m.max(), m.reshape(-1).min()


def test_a_fold_inside_of_one_is_searched_alone_and_with_it():
    random = np.random.default_rng(3)
    ready = weft.jit(of_blocks)
    for shape in ((1, 4, 6), (3, 5, 8), (2, 1, 66)):
        m = random.choice(VALUES[1:], shape).astype(np.float32)[:, :, ::2]
        expected, got = of_blocks(m), ready(m)
        assert (expected[0], np.signbit(expected[0])) == (got[0], np.signbit(got[0]))
        np.testing.assert_array_equal(got, expected)


def of_absolute_values(a):
    s = 0.0
    for i in range(len(a)):
        s = max(s, abs(a[i]))
    return s


def of_squares(a):
    s = 0.0
    for i in range(len(a)):
        s = max(s, a[i] * a[i] + 1.0 * i)
    return s


def of_integers(a):
    s = 0.0
    for i in range(len(a)):
        s = max(s, float(int(a[i])))
    return s


@pytest.mark.parametrize(
    ("function", "count"), [(least, 1), (both, 2), (of_absolute_values, 0), (of_squares, 0), (of_integers, 0)]
)
def test_a_zero_is_looked_for_only_where_it_may_have_either_sign(function, count):
    from weft.transform.pipeline import for_cpu

    program = for_cpu(weft.jit(function).specialise(np.zeros(5)).program(), verify=True)
    searches = [s for s in walk(program.body) if isinstance(s, n.For) and SUFFIX in s.label]
    assert len(searches) == count
