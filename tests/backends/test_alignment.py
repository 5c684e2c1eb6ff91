"""Loops whose stores begin in the middle of a line of the cache: some single iterations come first."""

from __future__ import annotations

import numpy as np
import pytest

import weft


@weft.jit(device="cpu")
def scaled(x, y, shift):
    for i in range(y.shape[0] - shift):
        y[i + shift] = 2 * x[i]


@weft.jit(device="cpu")
def smoothed(u, v):
    for i in range(1, u.shape[0] - 1):
        for j in range(1, u.shape[1] - 1):
            v[i, j] = u[i - 1, j] + u[i + 1, j] + u[i, j - 1] + u[i, j + 1]


@pytest.mark.parametrize("dtype", [np.uint8, np.int16, np.float32, np.float64, np.complex128])
@pytest.mark.parametrize("size", [0, 1, 31, 500, 9001])
@pytest.mark.parametrize("first", [0, 1, 3, 5])
def test_every_start_and_length(dtype, size, first):
    x = (np.arange(size) % 50).astype(dtype)
    for shift in (0, 2):
        whole = np.zeros(size + 16, dtype)
        expected = whole.copy()
        expected[first + shift : first + size] = (2 * x)[: max(size - shift, 0)]
        scaled(x, whole[first : first + size], shift)
        np.testing.assert_array_equal(whole, expected)


@pytest.mark.parametrize("width", [3, 70, 1027])
@pytest.mark.parametrize("first", [0, 1, 7])
def test_rows(width, first):
    u = np.random.default_rng(width).random((9, width))
    memory = np.zeros(9 * width + first)
    v = memory[first:].reshape(9, width)
    smoothed(u, v)
    inner = u[:-2, 1:-1] + u[2:, 1:-1] + u[1:-1, :-2] + u[1:-1, 2:]
    np.testing.assert_array_equal(v[1:-1, 1:-1], inner)
    assert not v[0].any() and not v[-1].any() and not v[:, 0].any() and not v[:, -1].any()


def test_long_loops_ask_where_a_line_begins():
    x = np.zeros(9)
    scaled(x, x.copy(), 0)
    assert "first_whole(&y[" in scaled.inspect().source
