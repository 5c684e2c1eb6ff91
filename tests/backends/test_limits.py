"""Values that loops keep between two numbers: the bits of CPython, whatever gcc makes of the choice."""

import numpy as np
import pytest

import weft
from tests.schedule.scheduled import program_of
from weft.backends.c import generate
from weft.transform.pipeline import for_cpu

SPECIAL = [0.0, -0.0, 255.0, 255.5, 1e-310, -1e-310, 1.0, -1.0, 254.999, 300.0, np.inf, -np.inf, np.nan]


def kept_inside(x, a, b, out, small):
    for i in range(len(x)):
        v = a * x[i] + b
        if v < 0.0:
            v = 0.0
        if v > 255.0:
            v = 255.0
        out[i] = v
        small[i] = np.uint8(v) if v == v else np.uint8(7)


def kept_by_functions(x, a, b, out, small):
    for i in range(len(x)):
        v = a * x[i] + b
        w = x[i] if x[i] > 0.5 else x[i].dtype.type(0.5)
        out[i] = min(255.0, max(v, -0.0)) + np.minimum(np.maximum(v, -1.0), 1.0) + w * 0.5 + a / 0.5
        small[i] = np.uint8(min(200.0, max(0.0, v))) if v == v else np.uint8(9)


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
def test_bits_are_those_of_cpython(dtype):
    rng = np.random.default_rng(1)
    x = np.concatenate([np.array(SPECIAL), rng.random(90) * 400 - 60, np.array(SPECIAL)[::-1]]).astype(dtype)
    for function in (kept_inside, kept_by_functions):
        made = weft.jit(function)
        for a, b, count in ((1.0, 0.0, len(x)), (-1.0, -0.0, 70), (0.0, 255.0, 33), (np.inf, 1.0, 3)):
            ours, theirs = ((x[:count], a, b, np.zeros(count, dtype), np.zeros(count, np.uint8)) for _ in range(2))
            made(*ours)
            with np.errstate(all="ignore"):
                function(*theirs)
            for mine, other in zip(ours[3:], theirs[3:], strict=True):
                same = mine.tobytes() == other.tobytes()
                assert same or (np.isnan(mine) == np.isnan(other)).all() and np.array_equal(mine, other, equal_nan=True)


def test_the_compiler_does_not_know_the_numbers():
    x = np.zeros(8)
    program = program_of(kept_inside, (x, 1.0, 0.0, x.copy(), np.zeros(8, np.uint8)))
    text = generate(for_cpu(program)).source
    assert "not_known_float64(0.0)" in text and "not_known_float64(255.0)" in text
