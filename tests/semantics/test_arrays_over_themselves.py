"""Arrays that show an element more than once are written as Python writes them, whatever the loop looks like."""

from __future__ import annotations

import warnings

import numpy as np
import pytest
from numpy.lib.stride_tricks import as_strided

import weft

from .tools import every_device


def products(a, b, c):
    for i in range(c.shape[0]):
        for k in range(a.shape[1]):
            for j in range(c.shape[1]):
                c[i, j] += a[i, k] * b[k, j]


def products_with_the_sum_inside(a, b, c):
    for i in range(c.shape[0]):
        for j in range(c.shape[1]):
            c[i, j] = 0.5
            for k in range(a.shape[1]):
                c[i, j] += a[i, k] * b[k, j]


def greatest(a, b, c):
    for i in range(c.shape[0]):
        for k in range(a.shape[1]):
            for j in range(c.shape[1]):
                if a[i, k] * b[k, j] > c[i, j]:
                    c[i, j] = a[i, k] * b[k, j]


def least(a, b, c):
    for i in range(c.shape[0]):
        for j in range(c.shape[1]):
            c[i, j] = min(c[i, j], a[i, 0] - b[0, j])


def the_one_before(a, b, c):
    for i in range(1, c.shape[0]):
        for j in range(1, c.shape[1]):
            c[i, j] = a[i, 0] + b[0, j]
            a[i, 1] = c[i, j - 1] * 0.5 + a[i, 1]


def scaled(a, b, c):
    for i in range(c.shape[0]):
        for j in range(c.shape[1]):
            c[i, j] = c[i, j] * 0.5 + a[i, 0]


def by_key(a, b, c):
    for i in range(c.shape[0]):
        for j in range(c.shape[1]):
            c[i * 7 % 5, j] += b[i % 6, j]


FUNCTIONS = [products, products_with_the_sum_inside, greatest, least, the_one_before, scaled, by_key]

LAYOUTS = [(192, 8), (0, 8), (192, 0), (8, 8), (16, 8), (8, 16)]
"""Bytes from element to element along both axes."""


@every_device
@pytest.mark.parametrize("function", FUNCTIONS, ids=lambda f: f.__name__)
def test_results_are_pythons(function, device):
    compiled, rng = weft.jit(function, device=device), np.random.default_rng(0)
    a, b = rng.integers(-8, 8, (20, 6)) / 8, rng.integers(-8, 8, (6, 24)) / 8
    for strides in LAYOUTS:
        results = []
        for call in (function, compiled):
            memory, own = np.zeros(20 * 24 + 50), a.copy()
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")
                call(own, b, as_strided(memory, (20, 24), strides))
            results.append((memory, own))
        for found, expected in zip(*results, strict=True):
            np.testing.assert_array_equal(found, expected, err_msg=str(strides))
