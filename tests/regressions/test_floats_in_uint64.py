"""Python's floats from 2**63 on fit into elements of uint64, one by one and in vectors; what does not fit raises."""

from __future__ import annotations

import numpy as np
import pytest

import weft
from tests.analysis.tools import function_of

VALUES = ("float(a[i])", "i * 5.9e17", "float(a[i]) * 0.5 + 1.0", "np.uint64(float(a[i]))", "a[i]", "np.uint64(a[i])")
NUMBERS = [3.7, 2.0**62, 2.0**63, 2.0**63 + 4096, 1.8e19, -0.5, 0.0]


def outcome(function, a):
    out = np.zeros(len(a), np.uint64)
    try:
        function(out, a)
    except (OverflowError, ValueError) as error:
        return type(error), out.tolist()
    return out.tolist()


@pytest.mark.parametrize("device", ["cpu", pytest.param("opencl", marks=pytest.mark.opencl)])
@pytest.mark.parametrize("value", VALUES)
def test_large_floats(value, device):
    function = function_of(f"def f(out, a):\n    for i in range(len(a)):\n        out[i] = {value}\n")
    compiled = weft.jit(function, device=device)
    cases = [np.array([number] * 31) for number in NUMBERS]
    cases += [np.array(NUMBERS * 4), np.array([1.0] * 20 + [2.0**64] + [2.0] * 10), np.array([-1.5] * 9)]
    for a in cases:
        assert outcome(compiled, a) == outcome(function, a)
