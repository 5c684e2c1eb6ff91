"""Subscripts that are values of arrays: what they are is known only at the call."""

import numpy as np

from ..inputs import each_size, signed
from ..registry import program


@program(
    verdicts={"i": "parallel"},
    args=each_size(lambda rng, n: (rng.random(n), rng.integers(0, n, n) if n else np.zeros(0, np.int64), np.zeros(n))),
)
def gather(x, index, out):
    for i in range(len(out)):
        out[i] = x[index[i]] * 2.0


def scatter_targets(rng, n):
    """Places to write to: each once, in order, backwards, counted from the end, and some of them twice."""
    unique = rng.permutation(n)
    repeated = unique.copy()
    repeated[n // 2] = repeated[0]
    return [unique, np.arange(n), np.arange(n)[::-1], unique - n, repeated, np.zeros(n, np.int64)]


@program(
    verdicts={"i": "checked"},
    args=lambda rng: [(index, rng.random(200), np.zeros(200)) for index in scatter_targets(rng, 200)],
)
def scatter(index, x, out):
    for i in range(len(index)):
        out[index[i]] = x[i] + 1.0


@program(
    verdicts={"i": "checked"},
    args=lambda rng: [(index, np.ones(200)) for index in scatter_targets(rng, 200)],
)
def update_in_place(index, a):
    for i in range(len(index)):
        a[index[i]] = a[index[i]] * 0.5 + i


@program(
    verdicts={"i": ("checked", "sequential")},
    args=lambda rng: [(index, rng.random(200)) for index in scatter_targets(rng, 200)],
)
def gather_from_the_array_written(index, a):
    for i in range(len(index)):
        a[i] = a[index[i]] + 1.0


@program(
    verdicts={"i": "reduction"},
    args=lambda rng: [(index, rng.random(200), np.zeros(200)) for index in scatter_targets(rng, 200)],
    tolerance="reduction",
)
def scatter_and_add(index, x, total):
    for i in range(len(index)):
        total[index[i]] += x[i]


@program(verdicts={"i": "reduction"}, args=each_size(lambda rng, n: (rng.integers(0, 1000, n), np.zeros(16, np.int64))))
def histogram_of_remainders(x, count):
    for i in range(len(x)):
        count[x[i] % 16] += 1


@program(
    verdicts={"i": "reduction"},
    args=each_size(lambda rng, n: (rng.integers(0, 5, n), rng.integers(0, 7, n), rng.random(n), np.zeros((5, 7)))),
    tolerance="reduction",
)
def two_dimensional_histogram(row, column, weight, total):
    for i in range(len(row)):
        total[row[i], column[i]] += weight[i]


@program(
    verdicts={"i": "parallel"},
    args=each_size(
        lambda rng, n: (rng.random(n + 1), rng.integers(0, n + 1, n + 1), rng.integers(0, n + 1, n), np.zeros(n))
    ),
)
def gather_through_two_tables(x, first, second, out):
    for i in range(len(out)):
        out[i] = x[first[second[i]]]


def sparse_rows(rng, n):
    counts = rng.integers(0, 5, n)
    starts = np.concatenate([[0], np.cumsum(counts)])
    return starts, rng.integers(0, n, starts[-1]) if n else np.zeros(0, np.int64), signed(rng, starts[-1])


@program(
    verdicts={"i": "parallel", "k": "reduction"},
    args=each_size(lambda rng, n: (*sparse_rows(rng, n), rng.random(n), np.zeros(n)), (257, 0, 1, 7, 1500)),
    tolerance="reduction",
)
def sparse_matrix_times_vector(start, column, value, x, out):
    for i in range(len(out)):
        s = 0.0
        for k in range(start[i], start[i + 1]):
            s += value[k] * x[column[k]]
        out[i] = s


@program(
    verdicts={"i": "checked", "k": "checked"},  # rows with negative bounds count from the end, and may meet themselves
    args=each_size(lambda rng, n: (*sparse_rows(rng, n), rng.random(n)), (257, 0, 1, 7)),
)
def sparse_rows_scaled(start, column, value, scale):
    for i in range(len(scale)):
        for k in range(start[i], start[i + 1]):
            value[k] = value[k] * scale[i]


@program(
    verdicts={"i": "reduction"},
    args=each_size(lambda rng, n: (rng.integers(0, 20, n), rng.integers(-99, 99, n), np.zeros(20, np.int64))),
)
def scatter_and_keep_the_largest(key, value, best):
    for i in range(len(key)):
        best[key[i]] = max(best[key[i]], value[i])


@program(
    verdicts={"i": "reduction"},
    args=each_size(
        lambda rng, n: (
            rng.integers(0, 12, n),
            rng.integers(0, 12, n),
            rng.integers(-50, 50, n).astype(np.float64),
            np.zeros(12),
        ),
        (257, 0, 1, 7),
    ),
)
def forces_on_both_ends(left, right, force, total):
    for i in range(len(force)):
        total[left[i]] += force[i]
        total[right[i]] -= force[i]


@program(
    verdicts={"step": "sequential"},
    args=lambda rng: [(rng.permutation(64), 0, 100), (np.array([0]), 0, 5), (rng.permutation(64), 3, 0)],
)
def follows_a_chain(following, start, steps):
    place = start
    for step in range(steps):
        place = following[place]
    return place


@program(
    verdicts={"i": "parallel"},
    args=each_size(lambda rng, n: (rng.integers(0, 256, n, np.uint8), rng.random(256), np.zeros(n))),
)
def looks_up_a_table(x, table, out):
    for i in range(len(x)):
        out[i] = table[x[i]]


@program(
    verdicts={"i": "checked"},
    args=lambda rng: [(index, offset, np.zeros(240)) for index in scatter_targets(rng, 200)[::2] for offset in (0, 40)],
)
def scatter_with_an_offset(index, offset, out):
    for i in range(len(index)):
        out[index[i] + offset] = i
