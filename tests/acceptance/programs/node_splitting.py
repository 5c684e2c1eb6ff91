"""A cycle of dependences that a copy of old values breaks."""

import numpy as np

from ..inputs import each_matrix, each_size
from ..registry import PARALLEL_AFTER_COPY, program


@program(
    verdicts={"i": PARALLEL_AFTER_COPY},
    args=each_size(lambda rng, n: (rng.random(n + 1), rng.random(n), rng.random(n), np.zeros(n))),
)
def old_neighbour_and_new_element(a, b, c, out):
    for i in range(len(b)):
        a[i] = b[i] + c[i]
        out[i] = (a[i] + a[i + 1]) * 0.5


@program(
    verdicts={"i": PARALLEL_AFTER_COPY},
    args=each_size(lambda rng, n: (rng.random(n + 1), rng.random(n + 1), rng.random(n))),
)
def two_arrays_shift_together(a, b, c):
    for i in range(len(c)):
        a[i] = b[i + 1] * c[i]
        b[i] = a[i] + a[i + 1]


@program(verdicts={"i": PARALLEL_AFTER_COPY}, args=each_size(lambda rng, n: (rng.random(n + 2),)))
def forward_difference_in_place(a):
    for i in range(len(a) - 2):
        a[i] = a[i + 2] - 2.0 * a[i + 1] + a[i]


@program(
    verdicts={"i": PARALLEL_AFTER_COPY, "j": "parallel"},
    args=each_matrix(lambda rng, n: (rng.random((n, n)), rng.random((n, n)))),
)
def row_below_in_place(a, b):
    for i in range(a.shape[0] - 1):
        for j in range(a.shape[1]):
            a[i, j] = a[i + 1, j] * b[i, j]


@program(
    verdicts={"i": PARALLEL_AFTER_COPY},
    args=each_size(lambda rng, n: (rng.random(n + 1), np.zeros(n), np.zeros(n))),
)
def temporary_holds_the_old_value(a, before, after):
    for i in range(len(before)):
        old = a[i + 1]
        before[i] = old - a[i]
        a[i] = old * 0.5
        after[i] = a[i] + old
