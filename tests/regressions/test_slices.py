"""Slices with the smallest step that 64 bits hold."""

from __future__ import annotations

import numpy as np
import pytest

import weft


@weft.jit
def part(a, start, stop, step):
    return a[start:stop:step]


@pytest.mark.parametrize(
    "bounds", [(2**63 - 1, -(2**63), -(2**63)), (-(2**63), 2**63 - 1, 2**62), (100, -100, -2), (5, 0, -1)]
)
def test_extreme_bounds(bounds):
    a = np.arange(10.0)
    np.testing.assert_array_equal(part(a, *bounds), a[slice(*bounds)])
