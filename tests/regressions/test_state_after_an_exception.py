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
