"""A counter that begins before its lowest value reaches it in the first iteration: the first round counts, too."""

from __future__ import annotations

import numpy as np
import pytest

import weft


def by_remainder(out, m, step):
    i, j = 7, -1
    for k in range(out.shape[0]):
        j = (j + 1) % m
        if j == 0:
            i += step
        out[k] = 100 * i + j


def by_choice(out, m, step):
    i, j = 7, 1
    for k in range(out.shape[0]):
        j = j + 1 if j < m + 1 else 2
        i = i if j != 2 else i + step
        out[k] = 100 * i + j


def by_branch(out, m, step):
    i, j = 7, -1
    for k in range(out.shape[0]):
        j += 1
        if j == m:
            j = 0
        if j == 0:
            i += step
        out[k] = 100 * i + j


def both_kinds_of_rounds(out, m, step):
    i, r, j = 7, 0, -1
    for k in range(out.shape[0]):
        j += 1
        if j == m:
            j = 0
            r += 1
        if j == 0:
            i += step
        out[k] = 10000 * r + 100 * i + j


FUNCTIONS = [by_remainder, by_choice, by_branch, both_kinds_of_rounds]


@pytest.mark.parametrize("m", [1, 2, 3, 5, 40])
@pytest.mark.parametrize("size", [0, 1, 2, 12, 37])
@pytest.mark.parametrize("function", FUNCTIONS, ids=lambda f: f.__name__)
def test_the_first_round_counts(function, size, m):
    jitted = weft.jit(function)
    for step in (1, -3, 0):
        mine, theirs = np.zeros((2, size), np.int64)
        jitted(mine, m, step)
        function(theirs, m, step)
        assert np.array_equal(mine, theirs)
