"""No product is fused with a sum, whatever the compiler behind the backend likes to do."""

from __future__ import annotations

import numpy as np

import weft


def rotate(a, b, out):
    for i in range(a.shape[0] // 2):
        re, im, x, y = a[2 * i], a[2 * i + 1], b[2 * i], b[2 * i + 1]
        out[2 * i] = re * x - im * y
        out[2 * i + 1] = re * y + im * x


def test_difference_of_products_beside_a_sum() -> None:
    rng = np.random.default_rng(5)
    a, b = rng.random(1000), rng.random(1000)
    expected, got = np.zeros(1000), np.zeros(1000)
    rotate(a, b, expected)
    weft.jit(rotate)(a, b, got)
    np.testing.assert_array_equal(got, expected)
