"""Loops over ``np.ndindex``, ``np.ndenumerate`` and ``.flat``."""

from __future__ import annotations

import copy

import numpy as np
import pytest

import weft


def places(a, b):
    s = 0
    for i, j in np.ndindex(a.shape):
        s += a[i, j] * (i - j)
        b[j, i] = a[i, j]
    return s


def tuples_as_indices(a, b):
    s = 0.0
    for place in np.ndindex(*a.shape):
        s += a[place]
        if s > 3:
            break
    return s


def counted(a, b):
    for k, (i, j) in enumerate(np.ndindex(2, 3)):
        if i < b.shape[0] and j < b.shape[1]:
            b[i, j] += k
    for (k,) in np.ndindex(3):
        b[b > 0] += k
    for _ in np.ndindex(3, 0):
        b[:] = 100


def places_and_elements(a, b):
    for (i, j), v in np.ndenumerate(a):
        b[j, i] = v * i
    for (i,), v in np.ndenumerate(a.sum(axis=0)):
        b[i] += v


def elements(a, b):
    s = 0.0
    for i, v in enumerate(a.T.flat):
        s += v * i
    for v, w in zip(a.flat, b.T.flat, strict=False):
        s += v * w
    return s, sum(v for v in a[:, ::2].flat)


@pytest.mark.parametrize("function", [places, tuples_as_indices, counted, places_and_elements, elements])
@pytest.mark.parametrize("shape", [(3, 5), (1, 1), (0, 4), (4, 0), (7, 2)])
def test_as_numpy(function, shape):
    a = np.random.default_rng(1).integers(0, 9, shape).astype(float)
    mine, theirs = copy.deepcopy((a, np.ones(shape[::-1]))), copy.deepcopy((a, np.ones(shape[::-1])))
    found, wanted = weft.jit(function, device="cpu")(*mine), function(*theirs)
    np.testing.assert_array_equal(mine[1], theirs[1])
    assert found == wanted


def test_negative_extents():
    def f(n):
        s = 0
        for i, j in np.ndindex(n, n):
            s += i + j
        return s

    compiled = weft.jit(f, device="cpu")
    assert compiled(3) == f(3)
    with pytest.raises(ValueError, match="negative dimensions are not allowed"):
        compiled(-1)


def test_places_run_in_parallel():
    report = weft.explain(weft.jit(places, device="cpu"), np.ones((50, 40)), np.ones((40, 50)))
    assert [loop.verdict for loop in report.loops] == ["reduction"]
