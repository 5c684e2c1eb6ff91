"""A loop over a row that sums and stores, in iterations that have a row each: an internal error on devices."""

import numpy as np
import pytest

import weft


def row(n, m, t, out):
    for i in range(n):
        total = 0.0
        for j in range(m):
            t[j] = i + j
            total += t[j]
        out[i] = total


def neighbours(n, m, t, out):
    for i in range(n):
        for j in range(m):
            t[j] = i + j
        total = 0.0
        for j in range(m):
            total += t[j]
        out[i] = total


@pytest.mark.parametrize("function", [row, neighbours])
@pytest.mark.parametrize("device", ["cpu", pytest.param("opencl", marks=pytest.mark.opencl)])
def test_sums_and_rows_are_right(function, device):
    compiled = weft.jit(function, device=device)
    for m in (0, 3, 600, 5000):
        expected, found = ([np.arange(5000.0), np.zeros(7)] for _ in range(2))
        function(7, m, *expected)
        compiled(7, m, *found)
        for right, got in zip(expected, found, strict=True):
            np.testing.assert_array_equal(got, right)
