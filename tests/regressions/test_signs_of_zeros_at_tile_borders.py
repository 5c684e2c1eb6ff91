"""A carried value that one tile replaces by -0.0 is -0.0 where the next tile begins."""

from __future__ import annotations

import numpy as np
import pytest

import weft

SIZE = 300_000


def replaced_or_counted(a, b, c):
    s = a[0]
    for i in range(a.shape[0]):
        if a[i] > 0:
            c[i] = s
            s += 1
        else:
            s = a[i] * b[i]


def replaced_or_scaled(a, b, c):
    s = a[0]
    for i in range(a.shape[0]):
        if a[i] > 2:
            s = b[i] * a[i]
        elif a[i] < -3:
            s = s * 0.5
        c[i] = s


@pytest.mark.parametrize("function", (replaced_or_counted, replaced_or_scaled), ids=lambda f: f.__name__)
@pytest.mark.parametrize("dtype", ("float32", "float64"))
def test_signs(function, dtype):
    rng = np.random.default_rng(3)
    a = (rng.integers(-8, 9, SIZE) / 2).astype(dtype)
    b = rng.choice(np.array([-0.0, 0.0, 1.0]), SIZE).astype(dtype)
    expected, got = np.ones(SIZE, dtype), np.ones(SIZE, dtype)
    function(a, b, expected)
    weft.jit(function, device="cpu")(a, b, got)
    assert np.array_equal(got, expected)
    assert np.array_equal(np.signbit(got), np.signbit(expected))
