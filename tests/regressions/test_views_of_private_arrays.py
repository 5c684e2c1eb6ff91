"""A view that was made before a loop shows the array that an iteration has for itself, and not that of all of them."""

import numpy as np
import pytest

import weft


def view_of_an_iteration(n, a, b):
    for _ in range(n):
        for i in range(2 * n + 7):
            a[i] = 1.5
        v = a[:n]
        for i in range(0, n - 1, 2):
            b[i] = b[i] + v[i]
        for i in range(0, n - 1, 2):
            v[i] = v[i] + a[i]


def view_of_all(n, a, b):
    v = a[1:][: n + 1]
    for t in range(n):
        for i in range(2 * n + 7):
            a[i] = 1.5 * t
        for i in range(0, n - 1, 2):
            b[i] = b[i] + v[i]
        for i in range(0, n - 1, 2):
            v[i] = v[i] + a[i]


def turned_round(n, a, b):
    turned = a[:4][::-1]
    for t in range(n):
        for i in range(4):
            a[i] = t + i
        for i in range(n):
            b[i] = b[i] + turned[i % 4]
        for i in range(4):
            turned[i] = turned[i] + 1.0


@pytest.mark.parametrize("function", [view_of_an_iteration, view_of_all, turned_round])
@pytest.mark.parametrize("device", ["cpu", pytest.param("opencl", marks=pytest.mark.opencl)])
@pytest.mark.parametrize("n", [0, 1, 2, 5])
def test_it_is_the_same_memory(function, device, n):
    expected, found = ([np.arange(30.0), np.arange(30.0)] for _ in range(2))
    function(n, *expected)
    weft.jit(function, device=device)(n, *found)
    for right, got in zip(expected, found):
        np.testing.assert_array_equal(got, right)
