"""Facts that hold at a loop because of what was computed before it, or in another function."""

import numpy as np

from ..inputs import each_size, signed
from ..registry import program


@program(verdicts={"i": "parallel"}, args=each_size(lambda rng, n: (rng.random(2 * n + 1), rng.random(n))))
def offset_known_before_the_loop(a, b):
    m = 3
    k = m - 2
    for i in range(len(b)):
        a[2 * i + k] = a[2 * i] + b[i]


def half_of(n):
    return n // 2


@program(verdicts={"i": "parallel"}, args=each_size(lambda rng, n: (rng.random(n), rng.random(n))))
def distance_from_a_helper(a, b):
    half = half_of(len(a))
    for i in range(half):
        a[i + half] = a[i] + b[i]


@program(verdicts={"i": "parallel"}, args=each_size(lambda rng, n: (rng.random(n), np.zeros(n), np.zeros(n))))
def one_loop_feeds_the_next(x, doubled, out):
    for i in range(len(x)):
        doubled[i] = 2.0 * x[i]
    for i in range(len(x)):
        out[i] = doubled[len(x) - 1 - i] + x[i]


@program(verdicts={"i": "parallel"}, args=each_size(lambda rng, n: (rng.random(n), np.zeros(n))))
def last_value_of_a_temporary(x, out):
    t = -1.0
    for i in range(len(x)):
        t = x[i] * x[i]
        out[i] = t + 1.0
    return t


@program(
    verdicts={"i": "reduction", "k": "parallel"},
    args=each_size(lambda rng, n: (signed(rng, n), np.zeros(n))),
)
def trip_count_from_a_reduction(x, out):
    count = 0
    for i in range(len(x)):
        if x[i] > 0.0:
            count += 1
    for k in range(count):
        out[k] = x[k] * count
    return count


@program(verdicts={"i": "parallel"}, args=each_size(lambda rng, n: (rng.random(n + 4), rng.random(n + 4))))
def same_offset_on_both_paths(a, b):
    n = len(a)
    shift = 1
    if n > 100:
        lag = shift + 2
    else:
        lag = 4 - shift
    for i in range(n - 3):
        b[i + lag] = a[i] - a[i + lag]


@program(
    verdicts={"i": "parallel"},
    args=each_size(lambda rng, n: (rng.random(n), np.zeros(n)), (257, 0, 1, 7)),
)
def dead_recurrence_is_dropped(x, out):
    unused = 1.0
    for i in range(len(x)):
        unused = unused * unused - x[i]
        out[i] = x[i] / 3.0


@program(
    verdicts={"i": "reduction", "j": "parallel"},
    args=each_size(lambda rng, n: (signed(rng, n), np.zeros(n)), (257, 1, 7, 5003)),
)
def scaled_by_the_largest(x, out):
    largest = abs(x[0])
    for i in range(1, len(x)):
        largest = max(largest, abs(x[i]))
    for j in range(len(x)):
        out[j] = x[j] / largest
