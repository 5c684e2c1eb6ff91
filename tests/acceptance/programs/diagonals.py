"""Loops along diagonals of a matrix, and dependences along them."""

import numpy as np

from ..inputs import each_matrix
from ..registry import program


@program(verdicts={"i": "parallel"}, args=each_matrix(lambda rng, n: (rng.random((n, n)), rng.random(n))))
def adds_to_the_diagonal(a, b):
    for i in range(len(b)):
        a[i, i] += b[i]


@program(verdicts={"i": "parallel"}, args=each_matrix(lambda rng, n: (rng.random((n, n)), np.zeros(n))))
def scales_the_other_diagonal(a, out):
    n = len(out)
    for i in range(n):
        out[i] = a[i, n - 1 - i]
        a[i, n - 1 - i] = out[i] * 2.0


@program(
    verdicts={"i": "reduction"},
    args=each_matrix(lambda rng, n: (rng.random((n, n)),)),
    tolerance="reduction",
)
def trace(a):
    s = 0.0
    for i in range(a.shape[0]):
        s += a[i, i]
    return s


@program(
    verdicts={"i": ("sequential", "parallel"), "j": "parallel"},
    args=each_matrix(lambda rng, n: (rng.random((n, n + 2)), rng.random((n, n + 2)))),
)
def dependence_along_the_diagonal(a, b):
    for i in range(1, a.shape[0]):
        for j in range(1, a.shape[1]):
            a[i, j] = a[i - 1, j - 1] * 0.5 + b[i, j]


@program(
    verdicts={"d": "parallel", "k": "reduction"},
    args=each_matrix(lambda rng, n: (rng.random((n, n)), np.zeros(max(2 * n - 1, 0)))),
    tolerance="reduction",
)
def sums_of_the_diagonals(a, out):
    n = a.shape[0]
    for d in range(2 * n - 1):
        s = 0.0
        for k in range(max(0, d - n + 1), min(d, n - 1) + 1):
            s += a[k, d - k]
        out[d] = s


@program(
    verdicts={"d": "sequential", "i": "parallel"},
    args=each_matrix(lambda rng, n: (rng.random((n + 1, n + 1)), rng.random((n + 1, n + 1)))),
)
def wavefront_by_diagonals(h, cost):
    n = h.shape[0]
    for d in range(2, 2 * n - 1):
        for i in range(max(1, d - n + 1), min(d, n)):
            h[i, d - i] = min(h[i - 1, d - i], h[i, d - i - 1]) + cost[i, d - i]


@program(
    verdicts={"i": ("sequential", "parallel"), "j": ("scan", "sequential")},
    args=each_matrix(lambda rng, n: (rng.random((n, n + 1)),)),
    tolerance="reduction",
)
def wavefront_by_rows(a):
    for i in range(1, a.shape[0]):
        for j in range(1, a.shape[1]):
            a[i, j] = 0.5 * a[i - 1, j] + 0.5 * a[i, j - 1]


@program(
    verdicts={"i": "parallel", "j": "parallel"},
    args=each_matrix(lambda rng, n: (rng.random((n, n)) + 1.0,)),
)
def rows_divided_by_their_diagonal(a):
    for i in range(a.shape[0]):
        for j in range(a.shape[1]):
            if i != j:
                a[i, j] = a[i, j] / a[i, i]


@program(verdicts={"i": "parallel", "j": "parallel"}, args=each_matrix(lambda rng, n: (rng.random((n, n + 3)),)))
def identity(a):
    for i in range(a.shape[0]):
        for j in range(a.shape[1]):
            a[i, j] = 1.0 if i == j else 0.0
