"""Functions and variables may be called what the generated code calls its own."""

import math

import numpy as np
import pytest

import weft


def raises(x, y):
    for i in range(len(x)):
        y[i] = math.sqrt(x[i])


@pytest.mark.parametrize("device", ["cpu", pytest.param("opencl", marks=pytest.mark.opencl)])
def test_a_function_may_be_named_like_a_helper(device):
    function = weft.jit(raises, device=device)
    x = np.arange(5000.0)
    y = np.zeros_like(x)
    function(x, y)
    np.testing.assert_array_equal(y, np.sqrt(x))
    with pytest.raises(ValueError):
        function(-x, y)
