"""``0.0 - x`` is 0.0 where `x` is 0: gcc 12 makes -0.0 of it where it sees that `x` is never -0.0."""

from __future__ import annotations

import linecache

import numpy as np
import pytest

import weft

VALUES = {
    "an integer": "0.0 - k[i]",
    "a counter": "0.0 - i",
    "a zero under a name": "zero - k[i]",
    "a float32": "np.float32(0) - k[i]",
    "an absolute value": "0.0 - abs(x[i])",
    "a boolean": "0.0 - (k[i] > 0)",
    "a negative zero": "-0.0 - k[i]",
    "a sum": "(0.0 - k[i]) + (0.0 - abs(x[i]))",
    "under a test": "0.0 - k[i] if x[i] < 5 else 0.0 - i",
}


def function_of(value):
    source = f"def f(y, x, k):\n    zero = np.float64(0)\n    for i in range(len(y)):\n        y[i] = {value}\n"
    name = f"<zero minus {value}>"
    linecache.cache[name] = (len(source), None, source.splitlines(True), name)
    scope = {"np": np}
    exec(compile(source, name, "exec"), scope)
    return scope["f"]


@pytest.mark.parametrize("device", ["cpu", pytest.param("opencl", marks=pytest.mark.opencl)])
@pytest.mark.parametrize("dtype", ["int8", "uint16", "int32", "int64", "uint64"])
@pytest.mark.parametrize("value", VALUES.values(), ids=VALUES)
def test_zeros_keep_their_signs(value, dtype, device):
    if device == "opencl" and dtype != "int32":
        pytest.skip("one type is enough: another compiler")
    function = function_of(value)
    x, k = np.array([0.0, -0.0, 1.5, -2.0] * 5), np.array([0, 1, 2, 0] * 5, dtype)
    expected, found = np.ones(20), np.ones(20)
    function(expected, x, k)
    weft.jit(function, device=device)(found, x, k)
    assert expected.tobytes() == found.tobytes()
