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


PROGRAMS = (from_the_third_on, where_it_is_large, below_the_diagonal, above_the_diagonal)


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
