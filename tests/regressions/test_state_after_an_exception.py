"""Elements of iterations after the one that raises keep what they held, also in loops that run in strips."""

from __future__ import annotations

import numpy as np
import pytest

import weft


def positive_parts(a, d):
    for i in range(len(a)):
        if a[i] > 0:
            d[i] = a[i]


@pytest.mark.parametrize("size", [40, 1000])
def test_guarded_conversion_that_fails(size):
    a, d = np.ones(size), np.zeros(size, np.int32)
    a[5] = np.inf
    with pytest.raises(OverflowError):
        weft.jit(positive_parts)(a, d)
    assert d.tolist() == [1] * 5 + [0] * (size - 5)


def updated_twice(a, c, p):
    for i in range(len(a)):
        c[i] += a[p[i]]
        c[i] = a[p[i] + 1]


def updated_under_a_test(a, c, p):
    for i in range(len(a)):
        if i % 2:
            c[i] += a[i]
            c[i] *= a[p[i]]


def updated_in_an_array_that_ends_early(a, c, p):
    for i in range(len(a)):
        c[i] -= a[p[i]]


@pytest.mark.parametrize("function", (updated_twice, updated_under_a_test, updated_in_an_array_that_ends_early))
def test_updates_on_threads(function, on_four_threads):
    """Whether the place of an element that is updated is inside does not depend on what the loop writes."""
    a, compiled = np.arange(40.0), weft.jit(function, device="cpu")
    for seed, extent in enumerate((39, 40, 50) * 20):
        p = np.random.default_rng(seed).integers(0, 38, 40)
        p[seed % 40] = 40
        expected, got = np.ones(extent), np.ones(extent)
        errors = []
        for call, array in ((function, expected), (compiled, got)):
            try:
                call(a, array, p)
            except IndexError as error:
                errors.append(type(error))
        assert len(errors) in (0, 2)
        assert got.tolist() == expected.tolist()
