"""A returned part of an argument is a view of it, with the base that NumPy gives it."""

from __future__ import annotations

import numpy as np
import pytest

import weft
from tests.analysis.tools import function_of

VIEWS = ("x[:len(x)]", "x[:]", "x[1:3]", "x[::-1]", "x[1:][1:]", "x[::2, 1]", "x[0]", "x.T[1:]")


@pytest.mark.parametrize("dtype", ["float64", "float16", "bool", "complex64"])
@pytest.mark.parametrize("value", VIEWS)
def test_the_base_is_numpys(value, dtype):
    function = function_of(f"def f(x):\n    return {value}\n")
    whole = np.arange(60).reshape(10, 6).astype(dtype)
    for x in (whole, whole[1:], whole[::-1, ::2], whole.T):
        expected, found = function(x), weft.jit(function, device="cpu")(x)
        assert found.base is expected.base
        assert found.flags.writeable == expected.flags.writeable
        assert np.array_equal(found, expected)
        assert found.ctypes.data == expected.ctypes.data and found.strides == expected.strides


def test_views_of_what_may_not_be_written():
    function = function_of("def f(x):\n    return x[1:]\n")
    x = np.arange(6.0)
    x.flags.writeable = False
    found = weft.jit(function, device="cpu")(x)
    assert found.base is x and not found.flags.writeable
    half = np.arange(6.0)[::2]  # part of an array that may be written
    half.flags.writeable = False
    found = weft.jit(function, device="cpu")(half)
    assert found.tolist() == [2.0, 4.0] and not found.flags.writeable
