"""``abs`` of the least value of a NumPy integer type is that value: it is negative."""

from __future__ import annotations

import numpy as np
import pytest

import weft
from tests.analysis.tools import function_of

BODIES = (
    "a[abs(b[i])] += 1",
    "a[abs(b[i]) % 7] += 1",
    "a[i] = abs(b[i]) // 3 + int(abs(b[i]) >= 0)",
    "a[i] = a[min(abs(b[i]), 5)]",
    "a[i] = 5 if abs(b[i]) + 1 > b[i] else 6",
)


def outcome(function, b):
    a = np.arange(300)
    try:
        function(a, b)
    except Exception as error:
        return type(error), str(error), a.tolist()
    return a.tolist()


@pytest.mark.parametrize(
    "device", ["cpu", pytest.param("opencl", marks=pytest.mark.opencl), pytest.param("cuda", marks=pytest.mark.gpu)]
)
@pytest.mark.parametrize("dtype", ["int8", "int16", "int32", "int64", "uint8"])
@pytest.mark.parametrize("body", BODIES)
def test_absolute_values_may_be_negative(body, dtype, device):
    function = function_of(f"def f(a, b):\n    for i in range(len(b)):\n        {body}\n")
    compiled = weft.jit(function, device=device)
    info = np.iinfo(dtype)
    for values in ([1, 2, 3], [1, info.min, 3, info.max], [info.min] * 9):
        b = np.array(values, dtype)
        with np.errstate(over="ignore"):
            assert outcome(compiled, b) == outcome(function, b)
