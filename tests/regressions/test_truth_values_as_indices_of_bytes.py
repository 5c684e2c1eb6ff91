"""Bytes that are read where a comparison says: gcc 12 took true for -1 in vector code, and read beside the array."""

from __future__ import annotations

import numpy as np
import pytest

import weft

SIZE = 100


def converted(x, t, o):
    for i in range(x.shape[0]):
        o[i] = t[int(x[i] > 1)]


def masked(x, t, o):
    for i in range(x.shape[0]):
        o[i] = t[(x[i] > 1) & 15]


def smaller(x, t, o):
    for i in range(x.shape[0]):
        o[i] = t[min(x[i], 1)]


def chosen(x, t, o):
    for i in range(x.shape[0]):
        o[i] = t[1 if x[i] > 1 else 0]


def in_a_branch(x, t, o):
    for i in range(x.shape[0]):
        k = 0
        if x[i] == 2:
            k = 1
        o[i] = t[k]


def from_the_end(x, t, o):
    for i in range(x.shape[0]):
        o[i] = t[t.shape[0] - 2 + int(not x[i])]


def in_a_helper(x, t, o):
    for i in range(x.shape[0]):
        o[i] = t[place_of(x[i])]


def place_of(x):
    if x > 2:
        return 1
    if x > 1:
        return 0
    return 1


def by_two_tests(x, t, o):
    for i in range(x.shape[0]):
        k = int(x[i] > 0)
        if x[i] > 2:
            k = 0
        o[i] = t[k]


def whole(x, t, o):
    o[:] = t[(x > 1).astype(np.int64)]


PROGRAMS = (converted, masked, smaller, chosen, in_a_branch, from_the_end, in_a_helper, by_two_tests, whole)


@pytest.mark.parametrize("function", PROGRAMS, ids=lambda f: f.__name__)
@pytest.mark.parametrize("extent", (2, 3, 256))
@pytest.mark.parametrize("dtype", ("uint8", "int8", "bool"))
def test_tables_of_bytes(function, extent, dtype):
    x = np.random.default_rng(1).integers(0, 4, SIZE).astype(np.uint8)
    table = np.arange(3, extent + 3).astype(dtype)
    expected, got = np.zeros(SIZE), np.zeros(SIZE)
    function(x, table, expected)
    weft.jit(function, device="cpu")(x, table, got)
    assert np.array_equal(got, expected)
