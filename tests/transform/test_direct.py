"""Elements of rows and of transposed arrays are elements of the array itself, so loops hold no views."""

from __future__ import annotations

import copy
from typing import Any

import numpy as np
import pytest

import weft
from tests.frontend.compare import program_of
from tests.transform.test_accumulators import outcome
from weft.ir import nodes as n
from weft.ir.effects import VIEWS
from weft.ir.visit import walk
from weft.transform.pipeline import optimise


def rows(x, y):
    for i in range(x.shape[0]):
        p = x[i]
        q = y[i]
        for j in range(3):
            q[j] += 2 * p[j]


def rows_of_views(x, y):
    t = x.T
    for c in range(3):
        column = t[2 - c]
        for i in range(x.shape[0]):
            y[i, c] = 3 * column[i]


def transposed(x, y):
    t = x.T
    for i in range(x.shape[0]):
        y[i, 0] = t[0, i] - t[2, i]


def columns(x, y):
    last = x[:, 2]
    for i in range(x.shape[0]):
        y[i, 1] = last[i]


def every_row_of_another(x, y):
    for i in range(x.shape[0]):
        p = x[x.shape[0] - 1 - i]
        y[i, 0] = p[0] + p[-1]


DIRECT = (rows, rows_of_views, transposed, columns, every_row_of_another)


def cut_at_an_offset(x, y):
    for i in range(x.shape[0]):
        p = x[i, 1:]
        y[i, 0] = p[0] - p[1]


def backwards(x, y):
    for i in range(x.shape[0]):
        p = x[i, ::-1]
        y[i, 0] = p[0] - 2 * p[1]


def outside(x, y):
    for i in range(x.shape[0]):
        p = x[i]
        y[i, 0] = p[3]


@pytest.mark.parametrize("dtype", ["float64", "int8"])
@pytest.mark.parametrize("function", (*DIRECT, cut_at_an_offset, backwards, outside), ids=lambda f: f.__name__)
def test_arrays_are_as_in_cpython(function: Any, dtype: str) -> None:
    compiled = weft.jit(function)
    for size in (0, 2, 6, 40):
        x = np.random.default_rng(size).integers(-9, 9, (size, 3)).astype(dtype)
        for layout in (x, np.asfortranarray(x), x[:, ::-1], np.ascontiguousarray(x[::-1])[::-1]):
            values = [layout, np.ones((size, 3), dtype)]
            expected, found = outcome(function, copy.deepcopy(values)), outcome(compiled, copy.deepcopy(values))
            assert expected[0] is found[0]
            np.testing.assert_array_equal(expected[2], found[2])


@pytest.mark.parametrize("function", DIRECT, ids=lambda f: f.__name__)
def test_loops_hold_no_views(function: Any) -> None:
    program = optimise(program_of(function, np.zeros((6, 3)), np.zeros((6, 3))), verify=True)
    loops = [s for s in walk(program.body) if isinstance(s, n.For)]
    assert loops
    values = [s.value for loop in loops for s in walk(loop.body) if isinstance(s, n.Let)]
    assert not any(isinstance(v, VIEWS) for v in values)
    assert any(loop.mapping == "parallel" for loop in loops)
