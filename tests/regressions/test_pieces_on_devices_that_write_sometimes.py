"""Pieces of a loop on several devices keep what other pieces wrote, also where an iteration may write nothing."""

from __future__ import annotations

import numpy as np
import pytest

import weft
from weft.errors import DeviceError

HALVES = ("opencl:0.0", "opencl:0.1")


def from_the_third_on(a, c):
    for i in range(a.shape[0]):
        if i > 2:
            c[i] += a[i]


def where_it_is_large(a, c):
    for i in range(a.shape[0]):
        if a[i] > 2:
            c[i] = a[i]


def below_the_diagonal(a, c):
    for i in range(a.shape[0]):
        for j in range(i):
            c[i] += a[j]


def above_the_diagonal(a, c):
    for i in range(a.shape[0]):
        for j in range(i + 2, a.shape[0]):
            c[i] += a[j]


def around_a_ring(a, c):
    for i in range(a.shape[0]):
        c[(i + 3) % a.shape[0]] += a[i]


PROGRAMS = (from_the_third_on, where_it_is_large, below_the_diagonal, above_the_diagonal, around_a_ring)


@pytest.mark.parametrize("function", PROGRAMS, ids=lambda f: f.__name__)
@pytest.mark.filterwarnings("ignore")
def test_all_elements_are_kept(function):
    try:
        compiled = weft.jit(function, device=HALVES)
    except DeviceError as error:
        pytest.skip(str(error))
    for seed in range(16):
        a = np.random.default_rng(seed).integers(0, 5, (8, 33)[seed % 2])
        expected, got = np.full(a.size, 100), np.full(a.size, 100)
        function(a, expected)
        compiled(a, got)
        assert got.tolist() == expected.tolist()


def smooth(u, v):
    for i in range(1, u.shape[0] - 1):
        for j in range(1, u.shape[1] - 1):
            v[i, j] = u[i - 1, j] + u[i + 1, j]


def test_pieces_of_stencils_still_run_at_once():
    from weft.frontend import build
    from weft.frontend.source.signature import describe
    from weft.split.cutting import phases

    grid, line = (np.zeros((4,) * ndim) for ndim in (2, 1))
    certain = {
        function.__name__: phases(build(function, (describe(array, "a"), describe(array, "c"))))[0].is_certain
        for function, array in ((smooth, grid), (from_the_third_on, line), (around_a_ring, line))
    }
    assert certain == {"smooth": True, "from_the_third_on": False, "around_a_ring": False}
