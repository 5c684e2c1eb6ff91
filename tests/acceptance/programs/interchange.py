"""Nests in which the order of the loops decides which of them are parallel."""

import numpy as np

from ..inputs import each_matrix
from ..registry import program


@program(
    verdicts={"i": ("sequential", "scan"), "j": "parallel"},
    args=each_matrix(lambda rng, n: (rng.random((n, n + 1)), rng.random((n, n + 1)))),
    tolerance="reduction",
)
def carried_by_the_outer_loop(a, b):
    for i in range(1, a.shape[0]):
        for j in range(a.shape[1]):
            a[i, j] = a[i - 1, j] * 0.5 + b[i, j]


@program(
    verdicts={"i": "parallel", "j": "scan"},
    args=each_matrix(lambda rng, n: (rng.random((n, n + 1)), rng.random((n, n + 1)))),
    tolerance="reduction",
)
def carried_by_the_inner_loop(a, b):
    for i in range(a.shape[0]):
        for j in range(1, a.shape[1]):
            a[i, j] = a[i, j - 1] * 0.5 + b[i, j]


@program(
    verdicts={"i": "parallel", "j": "parallel"},
    args=each_matrix(lambda rng, n: (rng.random((n, n + 1)), np.zeros((n, n + 1)))),
)
def columns_outermost(a, out):
    for j in range(a.shape[1]):
        for i in range(a.shape[0]):
            out[i, j] = a[i, j] + 1.0


@program(
    verdicts={"i": ("sequential", "scan"), "j": "parallel"},
    args=each_matrix(lambda rng, n: (rng.random((n, n)), rng.random(n))),
    tolerance="reduction",
)
def carried_by_the_inner_loop_over_rows(a, b):
    for j in range(a.shape[1]):
        for i in range(1, a.shape[0]):
            a[i, j] = a[i - 1, j] + b[j]


@program(
    verdicts={"k": "reduction", "i": "parallel"},
    args=each_matrix(lambda rng, n: (rng.random((n, n + 2)), np.zeros(n + 2))),
    tolerance="reduction",
)
def reduction_by_the_outer_loop(a, s):
    for k in range(a.shape[0]):
        for i in range(a.shape[1]):
            s[i] += a[k, i]


@program(
    verdicts={"k": "reduction", "i": "parallel", "j": "parallel"},
    args=each_matrix(lambda rng, n: (rng.random((n, n + 1)), rng.random((n + 1, 4)), np.zeros((n, 4))), (12, 0, 1, 5)),
    tolerance="reduction",
)
def matrix_product_by_outer_products(a, b, c):
    for k in range(a.shape[1]):
        for i in range(c.shape[0]):
            for j in range(c.shape[1]):
                c[i, j] += a[i, k] * b[k, j]


@program(
    verdicts={"i": ("sequential", "parallel"), "j": "parallel"},
    args=each_matrix(lambda rng, n: (rng.random((n, n + 1)), rng.random((n, n + 1)))),
)
def from_the_upper_right(a, b):
    for i in range(1, a.shape[0]):
        for j in range(a.shape[1] - 1):
            a[i, j] = a[i - 1, j + 1] * 0.5 + b[i, j]


@program(
    verdicts={"j": "parallel", "i": ("scan", "sequential")},
    args=each_matrix(lambda rng, n: (rng.random((n, n)),)),
    tolerance="reduction",
)
def triangle_by_columns(a):
    for j in range(a.shape[1]):
        for i in range(1, j + 1):
            a[i, j] = a[i - 1, j] + a[i, j]
