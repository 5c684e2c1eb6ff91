"""Variables that are called like the C variables for the extents and strides of an array."""

import numpy as np
import pytest

import weft


def named_like_parts(u, u_s0, u_n0):
    u_offset = u_s0 * 2
    for i in range(u.shape[0]):
        u_memory = u_n0 + i
        for j in range(u.shape[1]):
            u_s1 = np.zeros(3)
            u_s1[1] = u_memory
            u[i, j] += u_offset + u_s1[1]


@pytest.mark.parametrize("device", ["cpu", pytest.param("opencl", marks=pytest.mark.opencl)])
def test_they_are_not_mixed_up(device):
    expected, given = (np.zeros((6, 8)).T for _ in range(2))
    named_like_parts(expected, 1.5, 2)
    weft.jit(named_like_parts, device=device)(given, 1.5, 2)
    np.testing.assert_array_equal(given, expected)
