"""Scalars and small arrays that every iteration needs a copy of its own of."""

import numpy as np

from ..inputs import each_matrix, each_size, signed
from ..registry import program


@program(verdicts={"i": "parallel"}, args=each_size(lambda rng, n: (rng.random(n), rng.random(n))))
def swaps_through_a_scalar(a, b):
    for i in range(len(a)):
        t = a[i]
        a[i] = b[i]
        b[i] = t


@program(verdicts={"i": "parallel"}, args=each_size(lambda rng, n: (signed(rng, n), signed(rng, n), np.zeros(n))))
def scalar_set_under_a_guard(a, b, out):
    for i in range(len(a)):
        t = a[i]
        if b[i] > a[i]:
            t = b[i]
        out[i] = t * t


@program(verdicts={"i": "parallel"}, args=each_size(lambda rng, n: (rng.random(n), np.zeros(n))))
def last_values_after_the_loop(x, out):
    low = 0.0
    high = 0.0
    for i in range(len(x)):
        low = x[i] * 0.5
        high = x[i] * 2.0
        out[i] = high - low
    return low, high


@program(
    verdicts={"i": ("scan", "sequential")},
    args=each_size(lambda rng, n: (signed(rng, n), np.zeros(n))),
)
def carries_the_last_positive(x, out):
    last = 0.0
    for i in range(len(x)):
        if x[i] > 0.0:
            last = x[i]
        out[i] = last
    return last


@program(
    verdicts={"i": "parallel", "k": ("parallel", "reduction")},
    args=each_size(lambda rng, n: (rng.random(n), np.zeros(n)), (100, 0, 1, 7)),
)
def small_array_for_every_iteration(x, out):
    corner = np.empty(3)
    for i in range(len(x)):
        corner[0] = x[i]
        corner[1] = x[i] * 2.0
        corner[2] = x[i] - 1.0
        for k in range(3):
            corner[k] = corner[k] * corner[k]
        out[i] = corner[0] + corner[1] + corner[2]


@program(
    verdicts={"i": "parallel", "j": "parallel"},
    args=each_matrix(lambda rng, n: (rng.random((n, n + 1)), np.zeros((n, n + 1)))),
)
def work_row_for_every_iteration(a, out):
    m = a.shape[1]
    work = np.zeros(m)
    for i in range(a.shape[0]):
        for j in range(m):
            work[j] = a[i, j] * 2.0
        for j in range(m):
            out[i, j] = work[j] + work[m - 1 - j]


@program(
    verdicts={"i": ("parallel", "sequential"), "j": "parallel"},
    args=each_matrix(lambda rng, n: (rng.random((n, n + 1)), np.zeros((n, n + 1)), np.zeros(n + 1))),
)
def work_row_keeps_its_last_values(a, out, work):
    for i in range(a.shape[0]):
        for j in range(a.shape[1]):
            work[j] = a[i, j] + i
        for j in range(a.shape[1]):
            out[i, j] = work[j] * work[a.shape[1] - 1 - j]


@program(
    verdicts={"i": "parallel", "j": "reduction"},
    args=each_matrix(lambda rng, n: (rng.random((n, n)), np.zeros(n))),
    tolerance="reduction",
)
def scalar_of_the_outer_loop(a, out):
    for i in range(a.shape[0]):
        scale = 1.0 / (i + 1)
        s = 0.0
        for j in range(a.shape[1]):
            s += scale * a[i, j]
        out[i] = s


@program(
    verdicts={"i": "sequential", "j": ("parallel", "sequential")},
    args=each_matrix(lambda rng, n: (rng.random((n, 6)), np.zeros((n, 6)))),
)
def work_row_is_not_private(a, out):
    work = np.zeros(6)
    for i in range(a.shape[0]):
        for j in range(6):
            if a[i, j] > 0.5:
                work[j] = work[5 - j] * 0.5 + a[i, j]
        for j in range(6):
            out[i, j] = work[j]
