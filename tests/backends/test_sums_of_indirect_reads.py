"""Sums over elements whose indices are read: tested one by one, in several sums at once."""

from __future__ import annotations

import numpy as np
import pytest

import weft


def picked(x, keys, weights):
    total = 0.0
    for i in range(keys.shape[0]):
        total += x[keys[i]] * weights[i]
    return total


def rows(first, x, keys, sums):
    for r in range(sums.shape[0]):
        total = np.float32(0.0)
        for k in range(first[r], first[r + 1]):
            total += x[keys[k]]
        sums[r] = total


def inputs(size, low):
    random = np.random.default_rng(size)
    # Whole numbers, so that the order of the sums does not matter.
    return random.integers(0, 99, 20).astype(float), random.integers(low, 20, size), random.integers(0, 9, size) * 1.0


@pytest.mark.parametrize("size", [0, 1, 3, 4, 5, 33, 1000, 100_001])
@pytest.mark.parametrize("low", [0, -20])
def test_keys_inside_and_from_the_end(size, low):
    arguments = inputs(size, low)
    assert weft.jit(picked, device="cpu")(*arguments) == picked(*arguments)


@pytest.mark.parametrize("place", [0, 2, 3, 500, 998, 999])
@pytest.mark.parametrize("key", [20, -21, 2**63 - 1, -(2**63)])
def test_a_wrong_key_is_named(place, key):
    x, keys, weights = inputs(1000, 0)
    keys[place] = key
    with pytest.raises(IndexError, match=rf"index {key} is out of bounds(.|\n)*in the iteration i = {place}\b"):
        weft.jit(picked, device="cpu")(x, keys, weights)


def test_rows_of_every_length():
    lengths = np.concatenate([np.arange(70), np.arange(70)[::-1]])
    first = np.concatenate([[0], np.cumsum(lengths)])
    x, keys, _ = inputs(int(first[-1]), -20)
    expected, found = np.zeros((2, lengths.size), np.float32)
    rows(first, x.astype(np.float32), keys, expected)
    weft.jit(rows, device="cpu")(first, x.astype(np.float32), keys, found)
    np.testing.assert_array_equal(found, expected)
