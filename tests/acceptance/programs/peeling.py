"""Loops that one special iteration keeps from being parallel."""

import numpy as np

from ..inputs import each_matrix, each_size
from ..registry import program


@program(verdicts={"i": "parallel"}, args=each_size(lambda rng, n: (rng.random(n), rng.random(n))))
def first_iteration_writes_what_all_read(a, b):
    for i in range(len(a)):
        a[i] = a[0] + b[i]


@program(verdicts={"i": "parallel"}, args=each_size(lambda rng, n: (rng.random(n), rng.random(n))))
def last_iteration_writes_what_all_read(a, b):
    for i in range(len(a)):
        a[i] = a[len(a) - 1] * 0.5 + b[i]


@program(
    verdicts={"i": ("parallel", "checked", "sequential")},
    args=lambda rng: [(rng.random(90), rng.random(90), k) for k in (45, 0, 89, 12)],
)
def iteration_in_the_middle_writes(a, b, k):
    for i in range(len(a)):
        a[i] = a[k] + b[i]


@program(verdicts={"i": "parallel"}, args=each_size(lambda rng, n: (rng.random(n), np.zeros(n))))
def first_iteration_is_different(x, out):
    for i in range(len(x)):
        if i == 0:
            out[i] = x[i]
        else:
            out[i] = x[i] - x[i - 1]


@program(verdicts={"i": "parallel"}, args=each_size(lambda rng, n: (rng.random(n), np.zeros(n))))
def both_ends_are_different(x, out):
    n = len(x)
    for i in range(n):
        if i == 0 or i == n - 1:
            out[i] = x[i]
        else:
            out[i] = 0.25 * x[i - 1] + 0.5 * x[i] + 0.25 * x[i + 1]


@program(
    verdicts={"i": "reduction"},
    args=each_size(lambda rng, n: (rng.random(n),), (257, 1, 7, 5003)),
    tolerance="reduction",
)
def type_settles_after_one_iteration(x):
    total = 0
    for i in range(len(x)):
        total = total + x[i]
    return total


@program(
    verdicts={"i": "parallel", "j": "parallel"},
    args=each_matrix(lambda rng, n: (rng.random((n, n + 1)), rng.random((n, n + 1)))),
)
def first_row_is_read_by_all_rows(a, b):
    for i in range(a.shape[0]):
        for j in range(a.shape[1]):
            a[i, j] = a[0, j] * 0.5 + b[i, j]
