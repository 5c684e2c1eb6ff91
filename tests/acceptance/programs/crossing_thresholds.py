"""Loops in which reads and writes meet in the middle."""

import numpy as np

from ..inputs import each_matrix, each_size
from ..registry import PARALLEL_AFTER_COPY, program


@program(verdicts={"i": "parallel"}, args=each_size(lambda rng, n: (rng.random(n),)))
def reverses_in_place(a):
    n = len(a)
    for i in range(n // 2):
        a[i], a[n - 1 - i] = a[n - 1 - i], a[i]


@program(verdicts={"i": PARALLEL_AFTER_COPY}, args=each_size(lambda rng, n: (rng.random(n), rng.random(n))))
def reads_cross_the_writes(a, b):
    n = len(a)
    for i in range(n):
        a[i] = a[n - 1 - i] + b[i]


@program(verdicts={"i": "parallel"}, args=each_size(lambda rng, n: (rng.random(n), rng.random(n))))
def stops_before_the_crossing(a, b):
    n = len(a)
    for i in range(n // 2):
        a[i] = a[n - 1 - i] * b[i]


@program(
    verdicts={"i": "parallel"},
    args=lambda rng: [(rng.random(80), np.zeros(80), k) for k in (40, 0, 79, 200, -5)],
)
def two_formulas_split_at_a_threshold(x, out, k):
    n = len(x)
    for i in range(n):
        if i < k:
            out[i] = x[i] + 1.0
        else:
            out[i] = x[n - 1 - i] * 2.0


@program(verdicts={"i": "parallel"}, args=each_size(lambda rng, n: (rng.random(n),)))
def makes_a_palindrome(a):
    n = len(a)
    for i in range((n + 1) // 2):
        mean = (a[i] + a[n - 1 - i]) * 0.5
        a[i] = mean
        a[n - 1 - i] = mean


@program(
    verdicts={"i": "parallel", "j": "parallel"},
    args=each_matrix(lambda rng, n: (rng.random((n, n + 1)),)),
)
def turns_by_half(a):
    rows = a.shape[0]
    columns = a.shape[1]
    for i in range(rows // 2):
        for j in range(columns):
            t = a[i, j]
            a[i, j] = a[rows - 1 - i, columns - 1 - j]
            a[rows - 1 - i, columns - 1 - j] = t
