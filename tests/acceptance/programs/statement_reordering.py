"""Loops that become parallel when their statements run as separate loops in another order."""

import numpy as np

from ..inputs import each_matrix, each_size
from ..registry import PARALLEL_AFTER_COPY, program


@program(
    verdicts={"i": "parallel"},
    args=each_size(lambda rng, n: (np.zeros(n), rng.random(n), rng.random(n), rng.random(n))),
)
def writer_moves_before_reader(a, b, c, d):
    for i in range(1, len(a)):
        a[i] = b[i - 1] + c[i]
        b[i] = c[i] * d[i]


@program(
    verdicts={"i": "parallel"},
    args=each_size(lambda rng, n: (np.zeros(n), rng.random(n + 1), rng.random(n))),
)
def reader_stays_before_writer(a, b, c):
    for i in range(len(a)):
        a[i] = b[i + 1] * 2.0
        b[i] = c[i] + 1.0


@program(
    verdicts={"i": PARALLEL_AFTER_COPY},
    args=each_size(lambda rng, n: (np.zeros(n + 2), rng.random(n + 2), rng.random(n + 2))),
)
def reader_after_an_updated_writer(a, b, c):
    for i in range(1, len(a) - 1):
        a[i] = b[i - 1] + c[i]
        b[i] = b[i + 1] - c[i] * 0.5


@program(
    verdicts={"i": "parallel"},
    args=each_size(lambda rng, n: (rng.random(n), rng.random(n), rng.random(n), rng.random(n))),
)
def chain_of_three_statements(a, b, c, x):
    for i in range(2, len(x)):
        c[i] = b[i - 1] + 1.0
        b[i] = a[i - 2] * 0.5
        a[i] = x[i] - 2.0


@program(
    verdicts={"i": "parallel"},
    args=each_size(lambda rng, n: (rng.random(n), rng.random(n), np.zeros(n))),
)
def temporary_between_the_statements(a, x, out):
    for i in range(1, len(x)):
        t = a[i - 1] * 3.0
        out[i] = t + x[i]
        a[i] = x[i] * x[i]


@program(
    verdicts={"i": "parallel", "j": "parallel"},
    args=each_matrix(lambda rng, n: (rng.random((n, n)), rng.random((n, n)), rng.random((n, n)))),
)
def rows_in_another_order(a, b, c):
    for i in range(1, a.shape[0]):
        for j in range(a.shape[1]):
            a[i, j] = b[i - 1, j] + c[i, j]
            b[i, j] = c[i, j] * 4.0
