"""Scans along rows by a block.

Stores of an iteration before its row happen before the row reads or overwrites them. Rows that read what the iteration
before stored are scans, like those that carry it in a variable.
"""

from __future__ import annotations

import numpy as np
import pytest

import weft
from tests.frontend.compare import program_of
from tests.plan.simulated import DEVICE, Simulated
from weft.plan.place import place
from weft.schedule.directives import Scan
from weft.transform.pipeline import optimise


def reads_the_first(x, y):
    for i in range(x.shape[0]):
        y[i, 0] = x[i, 0] * 3
        total = 0.0
        for j in range(1, x.shape[1]):
            total += x[i, j]
            y[i, j] = total + y[i, 0]


def stores_the_first_again(x, y):
    for i in range(x.shape[0]):
        y[i, 0] = 5
        total = 0.0
        for j in range(x.shape[1]):
            total += x[i, j]
            y[i, j] = total


def some_first(x, y):
    for i in range(x.shape[0]):
        if x[i, 0] > 4:
            y[i, 0] = x[i, x.shape[1] - 1]
        total = 0.0
        for j in range(x.shape[1]):
            total += x[i, j]
            x[i, j] = total


def in_place(x, y):
    for i in range(x.shape[0]):
        for j in range(1, x.shape[1]):
            x[i, j] += x[i, j - 1]


def from_before(x, y):
    for i in range(x.shape[0]):
        y[i, 0] = x[i, 0]
        for j in range(1, x.shape[1]):
            y[i, j] = max(y[i, j - 1], x[i, j])


def from_behind(x, y):
    m = x.shape[1]
    for i in range(x.shape[0]):
        y[i, m - 1] = x[i, m - 1]
        for j in range(m - 2, -1, -1):
            y[i, j] = y[i, j + 1] + x[i, j]


def counted_from_0(x, y):
    for i in range(x.shape[0]):
        a, b = x[i], y[i]
        b[0] = 2
        for j in range(len(a) - 1):
            b[j + 1] = b[j] + a[j + 1]


FUNCTIONS = [reads_the_first, stores_the_first_again, some_first, in_place, from_before, from_behind, counted_from_0]


def arguments(rows, columns):
    rng = np.random.default_rng(columns)
    return rng.integers(0, 9, (rows, columns)).astype("float64"), rng.integers(0, 9, (rows, columns)).astype("float64")


def check(compiled, function, rows, columns):
    found, expected = arguments(rows, columns), arguments(rows, columns)
    compiled(*found)
    function(*expected)
    np.testing.assert_array_equal(found, expected)


@pytest.mark.parametrize("function", FUNCTIONS, ids=lambda f: f.__name__)
def test_a_block_scans_each_row_with_what_is_stored_before_it(function):
    program = optimise(program_of(function, *arguments(2, 3)), turns=False, blocks=True, rows=True)
    assert any(isinstance(d, Scan) for nest in place(program, DEVICE).nests for d in nest.schedule)
    simulated = Simulated(function)
    for columns in (2, 520):
        check(simulated, function, 1, columns)


@pytest.mark.gpu
@pytest.mark.parametrize("function", FUNCTIONS, ids=lambda f: f.__name__)
def test_on_a_gpu(function):
    compiled = weft.jit(function, device="cuda")
    for columns in (1, 2, 511, 513, 514, 3841, 9001, 9216):
        check(compiled, function, 5, columns)
