"""An array of the device that a loop replaces by one that it makes: a kernel got the host's memory and read outside."""

import numpy as np
import pytest

import weft


def doubled(h, b, k):
    for _ in range(k):
        after = np.zeros_like(h)
        after[1:-1] = 2 * h[1:-1]
        h = after
    return h


def swapped(h, b, k):
    for _ in range(k):
        after = np.zeros_like(h)
        after[1:-1] = 2 * h[1:-1] - b[1:-1]
        b, h = h, after
    return h


def replaced_once(h, b, k):
    if k > 1:
        h = b * 2.0
    return h[1:] + h[:-1]


@pytest.mark.parametrize(
    "device", [pytest.param("opencl", marks=pytest.mark.opencl), pytest.param("cuda", marks=pytest.mark.gpu)]
)
@pytest.mark.parametrize("k", [0, 1, 2, 5])
@pytest.mark.parametrize("function", [doubled, swapped, replaced_once], ids=lambda function: function.__name__)
def test_answer_is_numpys(function, k, device):
    x = np.arange(40.0)
    y = x[::-1].copy()
    given = []
    for array in (x, y):
        given.append(weft.zeros(array.shape, array.dtype))
        given[-1][...] = array
    compiled = weft.jit(function, device=device)
    for _ in range(2):
        np.testing.assert_array_equal(np.asarray(compiled(*given, k)), function(x, y, k))
    np.testing.assert_array_equal(np.asarray(given[0]), x)
