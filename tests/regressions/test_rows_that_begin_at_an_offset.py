"""A loop that starts inside of a row of a length that only the call knows, with a second remainder in it, compiles."""

from __future__ import annotations

import copy

import numpy as np
import pytest

import weft


def by_hand(a, d, c, n, q):
    j = 0
    for k in range(3, n):
        if k % 2 == 0:
            d[j] = a[k]
        c[q, j] += a[k]
        j += 1
        if j >= d.shape[0]:
            j = 0


def by_remainders(a, d, c, n, q):
    for k in range(3, n):
        j = (k - 2) % d.shape[0]
        if k % 2 == 0:
            d[j] = a[k]
        c[q, j] += a[k]


def in_thirds(a, d, c, n, q):
    for k in range(5, n):
        c[k % 3, (k - 4) % d.shape[0]] += a[k] * (k // 3)


@pytest.mark.parametrize("size", [1, 2, 3, 7])
@pytest.mark.parametrize("n", [0, 3, 4, 6, 12, 29])
@pytest.mark.parametrize("function", [by_hand, by_remainders, in_thirds], ids=lambda f: f.__name__)
def test_answers_are_cpythons(function, n, size):
    mine = [np.arange(30.0), np.zeros(size), np.ones((4, 9)), n, 1]
    theirs = copy.deepcopy(mine)
    weft.jit(function)(*mine)
    function(*theirs)
    assert all(np.array_equal(a, b) for a, b in zip(mine, theirs, strict=True))
