"""Extremes of floats that the threads of a block find together: as one after the other would, with signs of zeros."""

import numpy as np
import pytest

import weft
from tests.schedule.scheduled import kernel_of, program_of
from weft.schedule import Deal
from weft.tune.default import default_schedule


def centred(x, out):
    for i in range(x.shape[0]):
        m = x[i, 0]
        for j in range(x.shape[1]):
            m = max(m, x[i, j])
        for j in range(x.shape[1]):
            out[i, j] = np.copysign(x[i, j], m) + abs(m)


def branching(x, out):
    for i in range(x.shape[0]):
        low = x[i, 0]
        high = x[i, 0]
        for j in range(x.shape[1]):
            if x[i, j] < low:
                low = x[i, j]
            if x[i, j] > high:
                high = x[i, j]
        for j in range(x.shape[1]):
            out[i, j] = np.copysign(x[i, j], low) + abs(low) + 3 * np.copysign(x[i, j], high) * abs(high)


def swapped(x, out):
    for i in range(x.shape[0]):
        m = x[i, 0]
        for j in range(x.shape[1]):
            m = min(x[i, j], m)
        for j in range(x.shape[1]):
            out[i, j] = np.copysign(x[i, j], m) + abs(m)


def distances(x, out):
    for i in range(x.shape[0]):
        m = -abs(x[i, 0])
        for j in range(x.shape[1]):
            m = max(m, abs(x[i, j]))
        for j in range(x.shape[1]):
            out[i, j] = np.copysign(x[i, j], m) + m


def data(width, dtype):
    """Rows of numbers with zeros of both signs, NaNs and infinities in some places."""
    generator = np.random.default_rng(width)
    x = generator.integers(-9, 9, (24, width)).astype(dtype)
    x[:12] = -abs(x[:12])
    x[12:18] = abs(x[12:18])
    for special in (0.0, -0.0, np.nan, np.inf, -np.inf):
        chosen = generator.random(x.shape) < generator.choice([0, 0.02, 0.5], (24, 1))
        x[chosen] = special
    x[0], x[1] = -np.inf, np.nan
    x[2], x[3] = -0.0, 0.0
    return x


@pytest.mark.parametrize("function", [centred, branching, swapped, distances])
@pytest.mark.parametrize("dtype", [np.float32, np.float64])
@pytest.mark.parametrize("width", [1, 127, 300])
def test_extremes_are_those_of_python(function, dtype, width):
    pytest.importorskip("pyopencl")
    x = data(width, dtype)
    got, expected = np.zeros_like(x), np.zeros_like(x)
    weft.jit(function, device="opencl")(x, got)
    with np.errstate(all="ignore"):
        function(x, expected)
    np.testing.assert_array_equal(got, expected)


def test_the_loop_of_an_extreme_is_dealt_out():
    x = data(300, np.float32)
    schedule = default_schedule(kernel_of(program_of(centred, (x, x.copy())))[0])
    assert [d.loop for d in schedule if isinstance(d, Deal)] == ["j"]
