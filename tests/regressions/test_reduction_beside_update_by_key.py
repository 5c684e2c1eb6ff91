"""A loop that does not run leaves its sums as they were, also where it updates an array by key."""

from __future__ import annotations

import numpy as np
import pytest

import weft


@weft.jit
def both(a, cells, keys, count):
    total = np.int64(1)
    for i in range(a.shape[0] - 1):
        for j in range(count):
            total += i
            cells[keys[j]] ^= a[j]
    return total


@pytest.mark.parametrize("size", [0, 1, 2, 5])
@pytest.mark.parametrize("count", [0, 1])
def test_loop_that_does_not_run(size, count):
    count = min(count, size)
    expected, found = ([np.arange(size) for _ in range(3)] for _ in range(2))
    assert both(*found, count) == both.__wrapped__(*expected, count)
    np.testing.assert_array_equal(found, expected)
