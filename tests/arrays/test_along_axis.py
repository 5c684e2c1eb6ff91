"""``np.apply_along_axis``, and lists of lists beside arrays."""

from __future__ import annotations

import numpy as np
import pytest

import weft
from weft.errors import UnsupportedError


def scaled(row, factor):
    return row * factor


def two_largest(row):
    return np.sort(row)[-2:]


def numbers_of_rows(m):
    return (
        np.apply_along_axis(lambda row: row.sum() / (1 + row[0]), 1, m),
        np.apply_along_axis(lambda row: row.argmax(), axis=-1, arr=m),
        np.apply_along_axis(np.max, 0, m),
    )


def rows_of_rows(m):
    return (
        np.apply_along_axis(scaled, 1, m, 2),
        np.apply_along_axis(lambda column: column * 1.5, 0, m),
        np.apply_along_axis(two_largest, 1, -m),
    )


def lists_of_lists(m):
    return m[:, :2] @ [[0, 1], [1, 0]], [[1, 2, 3]] * m, m - [[1.5, 2, 0]], [[len(m), 2, 1]] + m


@pytest.mark.parametrize("function", [numbers_of_rows, rows_of_rows, lists_of_lists], ids=lambda f: f.__name__)
@pytest.mark.parametrize("rows", [1, 2, 7])
@pytest.mark.parametrize("dtype", [np.float64, np.float32, np.int32])
def test_results_are_those_of_numpy(function, rows, dtype):
    m = (np.arange(3 * rows) * 7 % 5).reshape(rows, 3).astype(dtype)
    for found, wanted in zip(weft.jit(function)(m), function(m), strict=True):
        assert found.dtype == wanted.dtype
        np.testing.assert_array_equal(found, wanted)


def test_no_rows_are_an_error_as_in_numpy():
    with pytest.raises(ValueError, match="any iteration dimensions are 0"):
        weft.jit(numbers_of_rows)(np.zeros((0, 3)))


def matrices_of_rows(m):
    return np.apply_along_axis(np.outer, 1, m, np.ones(2))


def added_lists(n):
    return [[1]] + [[n]]


@pytest.mark.parametrize(("function", "argument"), [(matrices_of_rows, np.ones((2, 2))), (added_lists, 2)])
def test_what_is_refused(function, argument):
    with pytest.raises(UnsupportedError):
        weft.jit(function)(argument)
