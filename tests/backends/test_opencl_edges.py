"""Kernels whose threads take several points write nothing past arrays whose sizes are no multiple of a tile."""

from __future__ import annotations

import numpy as np
import pytest

import weft

pytestmark = pytest.mark.opencl

SIZES = (196, 199, 257)
SPARE = 4096


def product_of_transposed(a, b, c):
    for i in range(a.shape[0]):
        for j in range(b.shape[1]):
            s = np.float32(0)
            for k in range(a.shape[1]):
                s += a[k, i] * b[j, k]
            c[i, j] = s


def blurred(a, b, c):
    for i in range(2, a.shape[0] - 2):
        for j in range(2, a.shape[1] - 2):
            s = np.float32(0)
            for p in range(5):
                for q in range(5):
                    s += a[i + p - 2, j + q - 2] * b[p, q]
            c[i, j] = s


def transposed(a, b, c):
    for i in range(a.shape[0]):
        for j in range(a.shape[1]):
            c[j, i] = a[i, j] + b[j, i]


def product_by_rows(a, b, c):
    for i in range(a.shape[0]):
        for j in range(b.shape[1]):
            s = np.float32(0)
            for k in range(a.shape[1]):
                s += a[i, k] * b[k, j]
            c[i, j] = s


@pytest.mark.sample(3)
@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("function", [product_by_rows, product_of_transposed, blurred, transposed])
def test_nothing_is_written_outside(function, size):
    random = np.random.default_rng(size)
    whole = weft.array(np.full(size * size + 2 * SPARE, -7.0, np.float32))
    target = whole[SPARE : SPARE + size * size].reshape(size, size)
    a, b = (random.random((size, size), dtype=np.float32) for _ in range(2))
    expected = np.full((size, size), -7.0, np.float32)
    weft.jit(function, device="cpu")(a, b, expected)
    weft.jit(function, device="opencl")(a, b, target)
    found = np.asarray(whole)
    np.testing.assert_allclose(found[SPARE:-SPARE].reshape(size, size), expected, rtol=1e-5)
    assert set(found[:SPARE]) == set(found[-SPARE:]) == {np.float32(-7)}


@pytest.mark.sample(3)
@pytest.mark.parametrize("size", SIZES)
def test_calls_that_come_again_find_the_memory_of_earlier_ones(size):
    random = np.random.default_rng(size)
    a, b = (random.random((size, size), dtype=np.float32) for _ in range(2))
    c = np.empty((size, size), np.float32)
    function = weft.jit(product_by_rows, device="opencl")
    for _ in range(4):
        c[:] = -1.0
        function(a, b, c)
        np.testing.assert_allclose(c, a @ b, rtol=1e-4)
