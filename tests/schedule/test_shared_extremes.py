"""Extremes of floats that threads share: those that the loop finds, also among zeros of either sign and NaN."""

import numpy as np
import pytest

from tests.schedule.scheduled import kernel_of, program_of
from weft.ir.reference.interpreter import run
from weft.plan.place import place
from weft.schedule import Bind, Share
from weft.tune.default import default_schedule

VALUES = {
    "zeros": [0.0, -0.0], "below": [0.0, -0.0, -1.0], "above": [0.0, -0.0, 2.0, 0.0], "nan": [np.nan, -0.0, 0.0, -3.0],
    "infinite": [-np.inf, np.inf, np.nan], "none": [np.nan],
}  # fmt: skip


def largest(a, r):
    for i in range(a.shape[0]):
        m = np.float32(-np.inf)
        for j in range(a.shape[1]):
            m = max(m, a[i, j])
        r[i] = m


def smallest_from_the_first(a, r):
    for i in range(a.shape[0]):
        m = a[i, 0]
        for j in range(a.shape[1]):
            if a[i, j] < m:
                m = a[i, j]
        r[i] = m


def both_and_a_count(a, r):
    for i in range(a.shape[0]):
        low = np.float32(0)
        high = np.float32(-0.0)
        count = 0
        for j in range(a.shape[1]):
            low = min(low, -a[i, j])
            high = max(high, a[i, j] * a[i, j])
            count += 1
        r[i] = np.copysign(np.float32(1), low) + np.copysign(np.float32(2), high) + count + low - high


SCHEDULES = [Share("j", "x", 4), Share("j", "x", 8, 4), Share("j", "x", 2, ahead=4), Share("j", "x", 64, 2)]


@pytest.mark.parametrize("share", SCHEDULES, ids=str)
@pytest.mark.parametrize("values", VALUES.values(), ids=VALUES)
@pytest.mark.parametrize("function", [largest, smallest_from_the_first, both_and_a_count])
def test_extremes_have_the_bits_that_the_loop_finds(function, values, share):
    generator = np.random.default_rng(len(values))
    a = generator.choice(np.array(values, np.float32), (9, 67))
    expected, got = np.zeros((2, 9), np.float32)
    program = program_of(function, (a, got))
    with np.errstate(all="ignore"):
        run(program, (a, expected))
        run(place(program, "cuda", schedule=(Bind("i", "y", 2), share)).program, (a, got))
    np.testing.assert_array_equal(got.view(np.int32), expected.view(np.int32))


def test_rows_of_known_length_are_still_dealt_out():
    a = np.zeros((9, 67), np.float32)
    schedule = default_schedule(kernel_of(program_of(largest, (a, a[:, 0].copy())))[0])
    assert not any(isinstance(d, Share) for d in schedule)
