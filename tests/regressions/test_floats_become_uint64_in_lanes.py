"""Floats that become uint64 under a condition, in loops that run in vectors: the C compiler missed a function."""

from __future__ import annotations

import numpy as np
import pytest

import weft


def under_tests(a, b, c):
    for i in range(a.shape[0]):
        if i % 3 == 1:
            continue
        c[i] = a[i]
        if a[i] > 1:
            b[i] += a[i]


def in_a_loop(a, b, c):
    for i in range(a.shape[0]):
        k = 0
        while k < b[i]:
            c[i] = a[i] + k
            k += 1


@pytest.mark.parametrize("function", (under_tests, in_a_loop), ids=lambda f: f.__name__)
@pytest.mark.parametrize("dtype", ("float16", "float32", "float64"))
@pytest.mark.parametrize("size", (1, 8, 33))
def test_conversions(function, dtype, size):
    rng = np.random.default_rng(size)
    a = rng.integers(0, 9, size).astype(dtype) / 2
    if dtype == "float64":
        a = a * 2.0**61
    b, c = rng.integers(0, 4, size).astype(np.uint64), np.zeros(size, np.uint64)
    expected, got = [b.copy(), c.copy()], [b.copy(), c.copy()]
    with np.errstate(all="ignore"):
        function(a, *expected)
    weft.jit(function, device="cpu")(a, *got)
    assert all(np.array_equal(x, y) for x, y in zip(expected, got, strict=True))
