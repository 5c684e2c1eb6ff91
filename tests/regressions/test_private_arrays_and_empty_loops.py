"""An array that inner loops may leave unwritten, since they may be empty, keeps its values between iterations."""

import numpy as np
import pytest

import weft


def element(n, m, t, p, out):
    for i in range(n):
        for j in range(m):
            t[0] = i + j
        out[i] = t[0]


def table(n, m, t, p, out):
    for i in range(n):
        for j in range(m):
            t[0] = i
            t[1] = i + j
        out[i] = t[p[i] % 2]


def table_of_a_nest(n, m, t, p, out):
    for i in range(n):
        for j in range(2):
            for k in range(j, m):
                t[0] = i
                t[1] = i + k
        out[i] = t[p[i] % 2]


def local(n, m, t, p, out):
    own = np.ones(2)
    for i in range(n):
        for j in range(m):
            own[0] = i
            own[1] = i + j
        out[i] = own[p[i] % 2]


def row(n, m, t, p, out):
    for i in range(n):
        for j in range(m):
            t[j] = i + j
        total = 0.0
        for j in range(m):
            total += t[j]
        out[i] = total


@pytest.mark.parametrize("function", [element, table, table_of_a_nest, local, row])
@pytest.mark.parametrize("device", ["cpu", pytest.param("opencl", marks=pytest.mark.opencl)])
def test_values_are_kept(function, device):
    compiled = weft.jit(function, device=device)
    for m in (0, 3, -1, 1):
        expected, found = ([np.arange(30.0) + 5, np.arange(30), np.zeros(30)] for _ in range(2))
        function(20, m, *expected)
        compiled(20, m, *found)
        for right, got in zip(expected, found):
            np.testing.assert_array_equal(got, right)


def test_an_array_that_is_certainly_written_is_private():
    def f(n, p, out):
        own = np.ones(2)
        for i in range(n):
            for j in range(3):
                own[0] = i
                own[1] = i + j
            out[i] = own[p[i] % 2]

    assert "parallel" in str(weft.explain(f, 20, np.arange(30), np.zeros(30)))
