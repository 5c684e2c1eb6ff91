"""Loops with a parallel part and a part that carries something: each becomes a loop of its own."""

import numpy as np

from ..inputs import each_matrix, each_size
from ..registry import program


@program(
    verdicts={"i": ("scan", "parallel")},
    args=each_size(lambda rng, n: (rng.random(n), rng.random(n), rng.random(n))),
    tolerance="reduction",
)
def product_beside_a_running_sum(a, b, total):
    for i in range(1, len(a)):
        a[i] = a[i] + b[i] * 2.0
        total[i] = total[i - 1] + a[i]


@program(
    verdicts={"i": ("sequential", "parallel")},
    args=each_size(lambda rng, n: (rng.random(n), rng.random(n), np.zeros(n))),
)
def product_beside_a_nonlinear_recurrence(a, b, x):
    for i in range(1, len(a)):
        a[i] = a[i] * b[i] + 0.5
        x[i] = x[i - 1] * x[i - 1] * 0.25 + a[i]


@program(
    verdicts={"i": ("scan", "sequential")},
    args=each_size(lambda rng, n: (rng.random(n), rng.random(n), rng.random(n))),
    tolerance="reduction",
)
def two_independent_recurrences(a, b, x):
    for i in range(1, len(x)):
        a[i] = a[i - 1] + x[i]
        b[i] = b[i - 1] * 0.5 + x[i]


@program(
    verdicts={"i": "parallel", "j@1": "reduction", "j@2": "parallel"},
    args=each_matrix(lambda rng, n: (rng.random((n, n + 2)), np.zeros((n, n + 2)))),
    tolerance="reduction",
)
def rows_divided_by_their_sum(a, out):
    for i in range(a.shape[0]):
        s = 0.0
        for j in range(a.shape[1]):
            s += a[i, j]
        for j in range(a.shape[1]):
            out[i, j] = a[i, j] / s


@program(
    verdicts={"i": "parallel", "j": "reduction"},
    args=each_matrix(lambda rng, n: (rng.random((n + 1, n)), rng.random(n + 1), np.zeros(n))),
    tolerance="reduction",
)
def start_value_and_column_sum(a, w, out):
    for i in range(a.shape[1]):
        out[i] = 0.0
        for j in range(a.shape[0]):
            out[i] += a[j, i] * w[j]


@program(
    verdicts={"i": ("sequential", "scan", "parallel"), "j": "parallel"},
    args=each_matrix(lambda rng, n: (rng.random((n, n)), np.zeros(n), rng.random(n))),
    tolerance="reduction",
)
def vector_beside_rows(a, x, w):
    for i in range(1, a.shape[0]):
        x[i] = w[i] * 2.0
        for j in range(a.shape[1]):
            a[i, j] = a[i - 1, j] + w[i]


@program(
    verdicts={"i": ("reduction", "parallel")},
    args=each_size(lambda rng, n: (rng.random(n), np.zeros(n))),
    tolerance="reduction",
)
def sum_beside_a_map(x, out):
    s = 0.0
    for i in range(len(x)):
        out[i] = x[i] * 2.0
        s += out[i]
    return s


@program(
    verdicts={"i": ("scan", "parallel")},
    args=each_size(lambda rng, n: (rng.random(n), np.zeros(n), np.zeros(n))),
    tolerance="reduction",
)
def map_after_a_scan(x, total, out):
    s = 0.0
    for i in range(len(x)):
        s += x[i]
        total[i] = s
        out[i] = total[i] * 0.5 - x[i]
