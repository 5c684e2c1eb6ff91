"""Loops over every other element of rings and of grids with periodic borders."""

from __future__ import annotations

import numpy as np
import pytest

from tests.transform.same import assert_same
from weft.frontend import build
from weft.frontend.source.signature import describe
from weft.transform.pipeline import optimise, prepared
from weft.transform.support import judged


def ring(u, s, colour):
    n = len(u)
    for i in range(n):
        if i % 2 == colour:
            u[i] = 0.5 * (u[(i - 1) % n] + u[(i + 1) % n])


def ring_from_the_end(u, s, colour):
    n = len(u)
    for i in range(n):
        if i % 2 == colour:
            u[i] = u[i - 1] - 0.5 * u[(i + 1) % n]


def grid(u, s, colour):
    n, m = s.shape
    for i in range(n):
        for j in range(m):
            if (i + j) % 2 == colour:
                s[i, j] = s[(i - 1) % n, j] + s[(i + 1) % n, j] - s[i, (j - 1) % m] * s[i, (j + 1) % m]


def spins(u, s, colour):
    n, m = s.shape
    for i in range(n):
        for j in range(m):
            if (i + j) % 2 == colour:
                around = s[(i + 1) % n, j] + s[i - 1, j] + s[i, (j + 1) % m] + s[i, j - 1]
                if s[i, j] * around < u[0]:
                    s[i, j] = -s[i, j]


def third(u, s, colour):
    n = len(u)
    for i in range(n):
        if i % 3 == colour:
            u[i] += u[(i + 1) % n]


def neighbours(u, s, colour):
    n = len(u)
    for i in range(n):
        u[i] += u[(i + 1) % n]


def arguments(rows, columns, colour):
    random = np.random.default_rng(rows * 7 + columns)
    return random.random(rows + columns), random.random((rows, columns)) - 0.5, colour


@pytest.mark.parametrize("function", [ring, ring_from_the_end, grid, spins, third, neighbours])
def test_they_are_parallel_between_the_borders(function):
    program = build(function, [describe(value) for value in arguments(4, 4, 0)])
    verdicts = judged(prepared(program)).loops
    wanted = [label for label in verdicts if "@" not in label]
    parallel = [verdicts[label].verdict == "parallel" for label in wanted]
    assert all(parallel) == (function is not neighbours)
    sizes = ((0, 0), (1, 0), (1, 1), (2, 1), (1, 3), (3, 3), (4, 6), (5, 4))
    assert_same(program, optimise(program), *(arguments(*size, colour) for size in sizes for colour in (0, 1, 2)))


def twice(u, s, colour):
    n = len(u)
    for i in range(2):
        u[(i + 1) % n] = u[i % n] * 2


def four_times(u, s, colour):
    n = len(u)
    for i in range(4):
        u[(i + 1) % n] = u[i % n] * 2


@pytest.mark.parametrize("function", [twice, four_times])
def test_a_loop_may_be_gone_without_its_ends(function):
    program = build(function, [describe(value) for value in arguments(4, 4, 0)])
    assert_same(program, optimise(program), *(arguments(size, 0, 0) for size in (1, 2, 3, 5)))
