"""NumPy's integers wrap; in C the overflow of a number with a sign is undefined, and compilers make use of that."""

from __future__ import annotations

import numpy as np
import pytest

import weft
from tests.analysis.tools import function_of

BODIES = (
    "out[i] = 5 if abs(b[i]) + 1 > b[i] else 6",
    "out[i] = int(b[i] + 1 > b[i])",
    "out[i] = int(b[i] - 1 < b[i]) + 2 * int(b[i] * 2 // 2 == b[i])",
    "out[i] = int(-b[i] < 0) + 2 * int(abs(b[i]) + abs(b[i]) >= 0)",
    "out[i] = int(b[i] ** 2 >= 0) + 2 * int(b[i] ** 3 // b[i] == b[i] ** 2)",
    "out[i] = int(b[i] * b[i] >= 0) + 2 * int(np.square(b[i]) >= 0)",
    "out[i] = int(b[i] + b[i] >= b[i]) + int(b[i] << 1 >= 0)",
)


def compared(device, dtype, body):
    function = function_of(f"def f(out, b):\n    for i in range(len(b)):\n        {body}\n")
    compiled = weft.jit(function, device=device)
    info = np.iinfo(dtype)
    odd = [
        info.min,
        info.min + 1,
        info.max,
        info.max - 1,
        info.max // 2 + 1,
        1,
        3,
        info.min // 2 - 1 if info.min else 7,
    ]
    b = np.array(odd * 4, dtype)
    expected, found = np.zeros(len(b), np.int64), np.zeros(len(b), np.int64)
    with np.errstate(all="ignore"):
        function(expected, b)
    compiled(found, b)
    assert found.tolist() == expected.tolist()


@pytest.mark.opencl
@pytest.mark.parametrize("dtype", ["int8", "int16", "int32", "int64", "uint16", "uint32", "uint64"])
@pytest.mark.parametrize("body", BODIES)
def test_integers_wrap(body, dtype):
    compared("opencl", dtype, body)


@pytest.mark.parametrize("dtype", ["int16", "int64", "uint16"])
@pytest.mark.parametrize("body", BODIES)
def test_integers_wrap_on_the_cpu(body, dtype):
    compared("cpu", dtype, body)
