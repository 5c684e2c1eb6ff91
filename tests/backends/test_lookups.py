"""Loops that find small numbers in tables, in strips that load before they store."""

from __future__ import annotations

import numpy as np
import pytest

import weft

RNG = np.random.default_rng(5)


def flat(x, t, y):
    for i in range(len(x)):
        y[i] = t[x[i]]


def rows(x, t, y):
    a, b, c = x.reshape(-1, 3), t.reshape(-1, 8), y.reshape(-1, 3)
    for i in range(a.shape[0]):
        for j in range(3):
            c[i, j] = b[j, a[i, j] % 8]
            c[i, j] = b[0, a[i, j] & 7] ^ b[1, a[i, j] & 7]


def colours(x, t, y):
    b = t.reshape(-1, 8)
    for i in range(len(x) // 3):
        for j in range(3):
            y[3 * i + j] = b[j, x[3 * i + j]]


def chained(x, t, y):
    for i in range(len(x)):
        k = t[x[i]]
        y[len(x) - 1 - i] = t[k]


def two_stores(x, t, y):
    half = len(x) // 2
    for i in range(half):
        y[i] = t[x[i]]
        y[half + i] = t[x[half + i]] ^ 1


@pytest.mark.parametrize("dtype", [np.uint8, np.int16])
@pytest.mark.parametrize("function", [flat, rows, colours, chained, two_stores])
def test_results_are_those_of_cpython(function, dtype):
    t = RNG.integers(0, 8, 24).astype(dtype)
    jitted = weft.jit(function)
    for count in (0, 1, 3, 7, 8, 9, 15, 16, 48, 51, 1002):
        count -= count % 3 if function is rows else 0
        x, expected, found = RNG.integers(0, 8, count).astype(np.uint8), np.zeros(count, dtype), np.zeros(count, dtype)
        function(x, t, expected)
        jitted(x, t, found)
        np.testing.assert_array_equal(expected, found)


def test_stores_stand_alone_where_only_small_numbers_are_looked_up():
    jitted = weft.jit(flat)
    for dtype in (np.uint8, np.float64):
        arguments = np.zeros(9, np.uint8), np.zeros(256, dtype), np.zeros(9, dtype)
        source = jitted.specialise(*arguments).artifact().source
        assert ("stored_alone();" in source) == (dtype == np.uint8)


@pytest.mark.parametrize("function", [flat, chained])
def test_arrays_that_overlap(function):
    jitted = weft.jit(function)
    for shift in (-9, -1, 0, 1, 9):
        both = np.stack([RNG.integers(0, 80, 80).astype(np.uint8)] * 2)
        for run, memory in ((function, both[0]), (jitted, both[1])):
            run(memory[10:70], np.arange(80, dtype=np.uint8)[::-1].copy(), memory[10 + shift : 70 + shift])
        np.testing.assert_array_equal(*both)
        for run, memory in ((function, both[0]), (jitted, both[1])):
            run(memory[10:70], memory, memory[10 + shift : 70 + shift])
        np.testing.assert_array_equal(*both)


def test_indices_outside_raise_where_cpython_does():
    x = RNG.integers(0, 8, 50).astype(np.uint8)
    x[37] = 24
    kept = []
    for run in (flat, weft.jit(flat)):
        y = np.zeros(50, np.uint8)
        with pytest.raises(IndexError):
            run(x, np.arange(24, dtype=np.uint8), y)
        kept.append(y)
    np.testing.assert_array_equal(*kept)
