"""Lists where NumPy makes arrays of them: assigned to parts of arrays, and given with a dtype."""

from __future__ import annotations

import numpy as np
import pytest

from .compare import check


def assigned(m, given):
    values = [v for v in given]
    m[0] = values
    m[:, 1] = values
    m[m > 1] = [2 for _ in range(1)]
    m.flat[1:3] = [k for k in range(2)]
    return m


def tables_assigned(m, given):
    values = [v for v in given]
    m[:] = [[v, v] for v in values]
    t = m + 0
    m[...] = [(v, 1) for v in values]
    return t, m


@pytest.mark.parametrize("dtype", [np.float64, np.uint8, np.bool_])
def test_lists_are_assigned_to_parts_of_arrays(dtype):
    for values in ((1, 2), (300, 2), (1.7, 2.5), (5,), (1, 2, 3), (np.int64(300), np.int64(4))):
        check(assigned, np.ones((2, 2), dtype), values, message=False)
    check(tables_assigned, np.ones((2, 2), dtype), (3, 0))
    check(tables_assigned, np.ones((2, 2), dtype), (-1, 0), message=False)


def made(given):
    values = [v for v in given]
    return np.array(values, np.uint8), np.asarray([v for v in values][:], dtype="int8")


def made_of_lists(given):
    values = [v for v in given]
    rows = [[v, v] for v in values]
    pairs = [(v, 1) for v in values]
    return np.array(rows, np.int8), np.array(pairs, dtype=np.int8), np.fromiter(values, np.int16)


def stored(a, given):
    values = [v for v in given]
    np.put(a, [0, 1], values)
    return a, np.insert(a, 1, values)


@pytest.mark.parametrize("function", [made, made_of_lists])
def test_numbers_that_do_not_fit_a_dtype_raise(function):
    for values in ((1, 2), (-1, 2), (300, 1), (70000, 1)):
        check(function, values, message=False)


def test_numbers_that_functions_store_raise_where_they_do_not_fit():
    for values in ((1, 2), (-1, 2), (300, 1)):
        check(stored, np.zeros(4, np.uint8), values, message=False)


def as_lists(a, b):
    t = a.tolist()
    t[0][0][0] = 9
    return t, b.tolist()


def seen_otherwise(a):
    bits = a.view(np.uint32)
    return bits >> 23, a.view("i4").sum(), np.linspace(0, 1, a.size + 1, retstep=True)


def test_lists_of_more_dimensions_bits_and_steps():
    check(as_lists, np.arange(8).reshape(2, 2, 2), np.ones((1, 2, 0, 3), np.float32))
    check(seen_otherwise, np.array([1.0, -2.5, 3.14], np.float32))
