"""Loops that do something where a remainder says so step from one such iteration to the next."""

from __future__ import annotations

import copy
from typing import Any

import numpy as np
import pytest

import weft
from tests.frontend.compare import program_of
from tests.transform.test_accumulators import outcome
from weft.ir import nodes as n
from weft.ir.types import PYINT
from weft.ir.visit import walk
from weft.transform.pipeline import for_cpu, optimise


def red_and_black(u, f, c):
    for colour in range(2):
        for i in range(1, u.shape[0] - 1):
            for j in range(1, u.shape[1] - 1):
                if (i + j) % 2 == colour:
                    u[i, j] = u[i - 1, j] + u[i + 1, j] + u[i, j - 1] + u[i, j + 1] - f[i, j]


def one_colour(u, f, c):
    for i in range(u.shape[0]):
        for j in range(1, u.shape[1] - 1):
            if (j - i) % 2 == c:
                u[i, j] += u[i, j - 1] - 2 * u[i, j + 1]


def backwards(u, f, c):
    for i in range(u.shape[0]):
        for j in range(u.shape[1]):
            if 1 == (7 * i - j) % 2:
                u[i, j] = 3 * u[i, j] - f[i, j]


def every_fifth(u, f, c):
    for i in range(u.shape[0]):
        for j in range(c, u.shape[1]):
            if (i + j + 2) % 5 == 3:
                u[i, j] = f[i, j] + i


def by_bits(u, f, c):
    for i in range(u.shape[0]):
        for j in range(u.shape[1]):
            if (i + j) & 7 == c:
                u[i, j] = f[i, j] * 2


def rows(u, f, c):
    for i in range(u.shape[0]):
        if i % 4 == 2:
            for j in range(u.shape[1]):
                u[i, j] = f[i, j] + j


def those_that_are_not_left_out(u, f, c):
    for i in range(u.shape[0]):
        for j in range(1, u.shape[1] - 1):
            if (j - i) & 1:
                continue
            u[i, j] = u[i, j - 1] + u[i, j + 1]


def odd_ones(u, f, c):
    for j in range(1, u.shape[1]):
        if j % 2 != 0:
            u[0, j] += f[0, j - 1]


def costly(u, f, c):
    for j in range(u.shape[1]):
        if (j + c) % 3 == 1:
            u[0, j] = np.sqrt(np.abs(f[0, j])) / (1 + np.abs(f[1, j]))


STEPPED = (red_and_black, one_colour, backwards, every_fifth, by_bits, rows, those_that_are_not_left_out, odd_ones)


def not_every_third(u, f, c):
    for i in range(u.shape[0]):
        for j in range(1, u.shape[1]):
            if (i + j) % 3 != 1:
                u[i, j] += f[i, j - 1]


def far_beyond(u, f, c):
    big = 9223372036854775000
    for j in range(u.shape[1]):
        if (big + j) % 2 == c:
            u[0, j] += f[0, j] - u[0, j] * 2


def by_another(u, f, c):
    for i in range(u.shape[0]):
        for j in range(u.shape[1]):
            if (i * j) % 2 == 1:
                u[i, j] += f[i, j]


def both_sides(u, f, c):
    for j in range(u.shape[1]):
        if j % 2 == 1:
            u[0, j] += f[0, j]
        else:
            u[1, j] -= f[1, j]


def total(u, f, c):
    s = 0
    for j in range(u.shape[1]):
        if j % 2 == c:
            s += int(f[0, j])
    u[0, 0] = s


OTHERS = (costly, not_every_third, far_beyond, by_another, both_sides, total)


@pytest.mark.parametrize("dtype", ["float64", "float32", "int64"])
@pytest.mark.parametrize("function", (*STEPPED, *OTHERS), ids=lambda f: f.__name__)
def test_arrays_are_as_in_cpython(function: Any, dtype: str) -> None:
    compiled = weft.jit(function)
    for shape in ((2, 1), (3, 3), (4, 8), (5, 17), (31, 67)):
        for c in (-1, 0, 1, 2, 3, 7, 8, 90):
            if function is every_fifth and c < 0:
                continue  # counts from the end
            values = [np.random.default_rng(c + 2).integers(-9, 9, shape).astype(dtype) for _ in range(2)]
            expected, found = (outcome(f, copy.deepcopy([*values, c])) for f in (function, compiled))
            assert expected[0] is found[0]
            np.testing.assert_allclose(found[1], expected[1], rtol=1e-6)


def test_on_several_threads(request: Any) -> None:
    request.addfinalizer(lambda count=weft.get_num_threads(): weft.set_num_threads(count))
    weft.set_num_threads(3)
    for function in STEPPED:
        values = [np.random.default_rng(2).integers(-9, 9, (300, 301)) for _ in range(2)]
        expected, found = (outcome(f, copy.deepcopy([*values, 1])) for f in (function, weft.jit(function)))
        np.testing.assert_array_equal(found[1], expected[1])


@pytest.mark.parametrize("function", STEPPED, ids=lambda f: f.__name__)
def test_no_remainder_is_left_in_the_loop(function: Any) -> None:
    program = for_cpu(optimise(program_of(function, np.zeros((9, 9)), np.zeros((9, 9)), 1), verify=True), verify=True)
    loops = [s for s in walk(program.body) if isinstance(s, n.For)]
    inner = [loop for loop in loops if not any(isinstance(s, n.For) for s in walk(loop.body))]
    values = [s.value for loop in inner for s in walk(loop.body) if isinstance(s, n.Let)]
    assert not any(isinstance(v, n.Binary) and v.op in ("mod", "and") and v.left.type == PYINT for v in values)
