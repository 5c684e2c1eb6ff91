"""``squeeze`` without an axis: extents known to be 1 go; where others are 1, the call is refused."""

from __future__ import annotations

import numpy as np
import pytest

import weft
from weft.errors import UnsupportedError


def squeezed(a, m):
    first = a.sum(axis=0, keepdims=True).squeeze()
    second = np.squeeze(a[None, :, None, 1:])
    second[0, 0] = 7.0
    third = np.squeeze(a * 2)
    fourth = a[1, None].squeeze() + np.zeros((1, 4, 1)).squeeze()[:1]
    fifth = np.ones((1, 1)).squeeze() + a[1:2, 2:3].squeeze(axis=(0, 1))
    return first, second, third, fourth, fifth, a.reshape(1, -1).squeeze(), np.full((m, 3), 2).squeeze()


@pytest.mark.parametrize("shape", [(3, 4), (2, 5), (7, 3)])
def test_squeeze_without_an_axis(shape):
    compiled = weft.jit(squeezed)
    for make in (np.arange, np.ones):
        a = make(shape[0] * shape[1]).reshape(shape).astype(float)
        b = a.copy()
        for got, wanted in zip(compiled(a, shape[0]), squeezed(b, shape[0]), strict=True):
            assert np.shape(got) == np.shape(wanted)
            np.testing.assert_array_equal(got, wanted)
        np.testing.assert_array_equal(a, b)


def test_an_axis_that_vanishes_unforeseen_is_refused():
    def doubled(a):
        b = a.squeeze()
        return b * 2

    compiled = weft.jit(doubled)
    assert compiled(np.ones((2, 3))).shape == (2, 3)
    with pytest.raises(UnsupportedError, match=r"removes axis 1, .* as in squeeze\(axis=1\)"):
        compiled(np.ones((2, 1)))
    by_axis = weft.jit(lambda a: a.squeeze(axis=1) * 2)
    np.testing.assert_array_equal(by_axis(np.ones((2, 1))), [2.0, 2.0])
