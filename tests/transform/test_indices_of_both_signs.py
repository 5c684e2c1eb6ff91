"""Indices that may count from the end, and are known to be inside, need no test."""

from __future__ import annotations

import numpy as np
import pytest

import weft
from tests.frontend.compare import program_of
from weft.ir import nodes as n
from weft.ir.visit import walk
from weft.transform.pipeline import optimise


def periodic(u, v):
    n, m = u.shape
    for i in range(n):
        for j in range(m):
            v[i, j] = u[(i + 1) % n, j] + u[i - 1, j] + u[i, (j + 1) % m] - 2.0 * u[i, j - 1]


def neighbours_of_a_row(u, v):
    for i in range(len(v)):
        for k in range(1, u.shape[1] // 2):
            v[i, k] = u[i, k - u.shape[1] // 2]


def two_before(u, v):
    for i in range(u.shape[0]):
        for j in range(1, u.shape[1]):
            v[i, j] = u[i, j - 2] + u[i, j]


FUNCTIONS = [periodic, neighbours_of_a_row, two_before]


def arguments(rows, columns):
    return np.random.default_rng(rows).random((rows, columns)), np.zeros((rows, columns))


@pytest.mark.parametrize("shape", [(0, 3), (1, 1), (1, 2), (2, 1), (3, 7), (16, 33)])
@pytest.mark.parametrize("function", FUNCTIONS, ids=lambda f: f.__name__)
def test_results_are_pythons(function, shape):
    found, expected = arguments(*shape), arguments(*shape)
    weft.jit(function)(*found)
    function(*expected)
    np.testing.assert_array_equal(found[1], expected[1])


def test_nothing_is_tested():
    body = optimise(program_of(periodic, *arguments(5, 4))).body
    values = [s.value if isinstance(s, n.Let) else s for s in walk(body)]
    assert {v.bounds for v in values if isinstance(v, (n.Load, n.Store))} == {"safe"}


@pytest.mark.opencl
def test_on_opencl():
    found, expected = arguments(37, 41), arguments(37, 41)
    weft.jit(periodic, device="opencl")(*found)
    periodic(*expected)
    np.testing.assert_array_equal(found[1], expected[1])
