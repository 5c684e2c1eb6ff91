"""np.histogram computes the ends of ranges, and the places of elements, in the type of narrow floats."""

from __future__ import annotations

import numpy as np
import pytest

import weft


@weft.jit
def compiled(a, bins, low, high):
    return weft.histogram(a, bins, (low, high))


def at_ends(dtype, seed):
    """Elements of which many lie at the ends of ranges."""
    rng = np.random.default_rng(seed)
    bins, low = int(rng.integers(1, 30)), float(rng.integers(-5, 5)) / 10
    high = low + float(rng.integers(1, 40)) / 10
    tenths = rng.integers(-60, 60, 100) / 10
    return np.concatenate([tenths, np.linspace(low, high, bins + 1)]).astype(dtype), bins, low, high


@pytest.mark.parametrize("dtype", ("float16", "float32", "float64", "int32"))
@pytest.mark.parametrize("seed", range(6))
def test_counts_and_ends(dtype, seed):
    a, bins, low, high = at_ends(dtype, seed)
    for got, expected in (
        (compiled(a, bins, low, high), np.histogram(a, bins, (low, high))),
        (weft.histogram(a, bins), np.histogram(a, bins)),
    ):
        assert np.array_equal(got[0], expected[0])
        assert np.array_equal(got[1], expected[1]) and got[1].dtype == expected[1].dtype


@pytest.mark.parametrize("dtype", ("float16", "float32", "float64"))
def test_equal_and_no_elements(dtype):
    for a in (np.full(3, 0.3, dtype), np.zeros(0, dtype)):
        got, expected = weft.histogram(a, 4), np.histogram(a, 4)
        assert np.array_equal(got[0], expected[0]) and np.array_equal(got[1], expected[1])
