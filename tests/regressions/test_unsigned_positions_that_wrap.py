"""Arrays of positions: NumPy converts those of uint64 to int64 without a test, and an index of one number with one."""

from __future__ import annotations

import numpy as np
import pytest

import weft


def every_form(a, k):
    m = a.reshape(2, 4)
    a[-k] += 10
    m[k % 2, ~k] = a[-k]
    m[:, -k[:2]] *= 2
    return m[k % 2, 1:], a[-k].sum()


def of_one_number(a, k):
    a[0] = -1
    a[-k[1]] = 7


def test_arrays_of_positions_wrap_as_in_numpy():
    k = np.array([3, 1, 2, 2], "uint64")
    found, expected = np.arange(8.0), np.arange(8.0)
    for one, other in zip(weft.jit(every_form)(found, k), every_form(expected, k), strict=True):
        np.testing.assert_array_equal(one, other, strict=True)
    np.testing.assert_array_equal(found, expected)


def test_one_position_must_fit():
    found = np.arange(8.0)
    with pytest.raises(OverflowError):
        weft.jit(of_one_number)(found, np.array([0, 1], "uint64"))
    np.testing.assert_array_equal(found, [-1, *range(1, 8)])
