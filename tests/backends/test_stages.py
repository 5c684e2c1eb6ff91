"""Long loops that are printed in stages: each runs over a strip of iterations before the next one begins."""

from __future__ import annotations

import numpy as np
import pytest

import weft
from weft.backends.c.stages import MOST_KEPT, STRIP

SIZES = (0, 1, 7, STRIP - 1, STRIP, STRIP + 1, 3 * STRIP + 5)


@weft.jit(device="cpu")
def waves(x, y, z):
    for i in range(x.shape[0]):
        a = np.exp(-x[i] * x[i])
        b = np.log(1 + a) + np.sin(x[i])
        large = b > 0.5
        y[i] = np.cos(b) * np.exp(a - b) if large else a
        z[i] = np.tanh(y[i]) + np.sqrt(a)


@weft.jit(device="cpu")
def in_place(x):
    for i in range(x.shape[0]):
        x[i] = np.exp(-abs(x[i]))
        a = np.log(1 + x[i])
        b = np.sin(a) * np.cos(a)
        x[i] = x[i] + np.tanh(b)


@weft.jit(device="cpu")
def backwards(x, weights, y):
    for i in range(x.shape[0]):
        k = x.shape[0] - 1 - i
        w = weights[i] * 3 + 1
        a = np.exp(-x[i]) * w
        b = np.log(1 + a) * np.sin(a)
        y[k] = np.cos(b) + np.tanh(a) * w


@weft.jit(device="cpu")
def triangle(x, y):
    for i in range(x.shape[0]):
        for j in range(i):
            a = np.exp(-x[i, j])
            b = np.log(1 + a) * np.sin(a)
            y[i, j] = np.cos(b) + np.tanh(a)


def one_by_one(function, *arrays):
    """Call a function for each element alone."""
    for i in range(arrays[0].shape[0]):
        function(*(a[i : i + 1] for a in arrays))


def random(size, dtype, seed=0):
    values = np.random.default_rng(seed).uniform(-3, 3, size)
    values[::11] = [np.inf, -np.inf, np.nan, -0.0, 1e-320][size % 5]
    return values.astype(dtype)


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
@pytest.mark.parametrize("size", SIZES)
def test_each_iteration_computes_what_it_does_alone(size, dtype):
    x = random(size, dtype)
    whole, alone = np.zeros((2, size), dtype), np.zeros((2, size), dtype)
    waves(x, *whole)
    one_by_one(waves, x, *alone)
    np.testing.assert_array_equal(whole, alone)


@pytest.mark.parametrize("size", SIZES)
def test_what_an_iteration_stored_it_reads_again(size):
    whole = random(size, np.float64)
    alone = whole.copy()
    in_place(whole)
    one_by_one(in_place, alone)
    np.testing.assert_array_equal(whole, alone)


@pytest.mark.parametrize("size", SIZES)
def test_indices_are_computed_in_every_stage(size):
    x, weights = np.abs(random(size, np.float64)), np.arange(size, dtype=np.int32)
    whole, alone = np.zeros(size), np.zeros(size)
    backwards(x, weights, whole)
    one_by_one(backwards, x, weights, alone)
    np.testing.assert_array_equal(whole, alone[::-1])
    assert "k_kept" not in backwards.inspect().source


def test_results_that_are_arguments_too():
    x = random(700, np.float64)
    y, z = np.zeros((2, 700))
    waves(x, y, z)
    waves(x, x, z2 := np.zeros(700))
    np.testing.assert_array_equal(x, y)
    np.testing.assert_array_equal(z, z2)


def test_strided_rows():
    x, y = np.random.default_rng(1).random((2, 40, 80))
    other = np.zeros((40, 80))
    triangle(x[:, ::2], y[:, ::2])
    for i in range(40):
        one_by_one(triangle_row, x[i, ::2][:i], other[i, ::2][:i])
    lower = np.tri(40, 40, -1, dtype=bool)
    np.testing.assert_array_equal(y[:, ::2][lower], other[:, ::2][lower])


@weft.jit(device="cpu")
def triangle_row(x, y):
    for j in range(x.shape[0]):
        a = np.exp(-x[j])
        b = np.log(1 + a) * np.sin(a)
        y[j] = np.cos(b) + np.tanh(a)


def test_short_iterations_are_one_stage():
    @weft.jit(device="cpu")
    def short(x, y):
        for i in range(x.shape[0]):
            y[i] = np.exp(x[i]) + np.sqrt(x[i])

    short(np.ones(3), np.ones(3))
    assert "_kept[" not in short.inspect().source
    waves(np.ones(3), np.ones(3), np.ones(3))
    assert "_kept[" in waves.inspect().source


def test_where_too_much_would_be_kept_nothing_is():
    @weft.jit(device="cpu")
    def many(x, y):
        for i in range(x.shape[0]):
            a, b, c = np.exp(x[i]), np.exp(2 * x[i]), np.exp(3 * x[i])
            d, e, f = np.exp(4 * x[i]), np.exp(5 * x[i]), np.exp(6 * x[i])
            g, h, k = np.exp(7 * x[i]), np.exp(8 * x[i]), np.exp(9 * x[i])
            t, m, o = np.exp(10 * x[i]), np.exp(11 * x[i]), np.exp(12 * x[i])
            p, q, r = np.exp(13 * x[i]), np.exp(14 * x[i]), np.exp(15 * x[i])
            u, v, w = np.exp(16 * x[i]), np.exp(17 * x[i]), np.exp(18 * x[i])
            y[i] = max(a, b, c, d, e, f, g, h, k, t, m, o, p, q, r, u, v, w)

    x, y = np.random.default_rng(2).uniform(-1, 1, (2, 300))
    many(x, y)
    np.testing.assert_allclose(y, np.exp(np.where(x > 0, 18, 1) * x), rtol=1e-14)
    assert MOST_KEPT < 15
    assert "_kept[" not in many.inspect().source
