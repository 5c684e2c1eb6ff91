"""Dependences between linear subscripts of one loop: which distances, directions and strides carry one."""

import numpy as np

from ..inputs import each_matrix, each_size, signed
from ..registry import PARALLEL_AFTER_COPY, program


@program(
    verdicts={"i": "parallel"},
    args=each_size(lambda rng, n: (signed(rng, n), rng.random(n), np.zeros(n))),
)
def independent_elements(x, y, out):
    for i in range(len(out)):
        out[i] = x[i] * 1.5 + y[i]


@program(verdicts={"i": "parallel"}, args=each_size(lambda rng, n: (rng.random(n), rng.random(n))))
def same_element(a, b):
    for i in range(len(a)):
        a[i] = a[i] * b[i] + 0.25


@program(verdicts={"i": PARALLEL_AFTER_COPY}, args=each_size(lambda rng, n: (rng.random(n), rng.random(n))))
def next_element_is_read(a, b):
    for i in range(len(a) - 1):
        a[i] = a[i + 1] + b[i]


@program(
    verdicts={"i": "scan"},
    args=each_size(lambda rng, n: (rng.random(n), rng.random(n))),
    tolerance="reduction",
)
def previous_element_is_read(a, b):
    for i in range(1, len(a)):
        a[i] = a[i - 1] + b[i]


@program(
    verdicts={"i": "scan"},
    args=each_size(lambda rng, n: (rng.random(n), rng.random(n))),
    tolerance="reduction",
)
def backwards_recurrence(a, b):
    for i in range(len(a) - 2, -1, -1):
        a[i] = a[i + 1] * 0.5 + b[i]


@program(verdicts={"i": PARALLEL_AFTER_COPY}, args=each_size(lambda rng, n: (rng.random(n), rng.random(n))))
def backwards_shift(a, b):
    for i in range(len(a) - 2, -1, -1):
        a[i + 1] = a[i] + b[i]


@program(verdicts={"i": "parallel"}, args=each_size(lambda rng, n: (rng.random(2 * n), rng.random(n))))
def even_elements_from_odd(a, b):
    for i in range(len(b)):
        a[2 * i] = a[2 * i + 1] + b[i]


@program(verdicts={"i": "parallel"}, args=each_size(lambda rng, n: (rng.random(3 * n + 2),)))
def every_third_element(a):
    for i in range(len(a) // 3):
        a[3 * i] = a[3 * i + 1] * a[3 * i + 2]


@program(verdicts={"i": "parallel"}, args=each_size(lambda rng, n: (rng.random(n), rng.random(n))))
def odd_elements_by_step(a, b):
    for i in range(0, len(a) - 1, 2):
        a[i + 1] = a[i] * b[i]


@program(
    verdicts={"i": ("scan", "sequential")},
    args=each_size(lambda rng, n: (rng.random(n), rng.random(n))),
    tolerance="reduction",
)
def four_elements_back(a, b):
    for i in range(4, len(a)):
        a[i] = a[i - 4] + b[i]


@program(verdicts={"i": "parallel"}, args=each_size(lambda rng, n: (rng.random(2 * n),)))
def distance_beyond_the_loop(a):
    half = len(a) // 2
    for i in range(half):
        a[i] = a[i + half] * 2.0


@program(verdicts={"i": "parallel"}, args=each_size(lambda rng, n: (rng.random(n + 1), rng.random(n + 1))))
def element_outside_the_loop(a, b):
    for i in range(1, len(a)):
        a[i] = a[0] + b[i]


@program(
    verdicts={"i": ("sequential", "scan"), "j": "parallel"},
    args=each_matrix(lambda rng, n: (rng.random((n, n + 2)), rng.random((n, n + 2)))),
    tolerance="reduction",
)
def row_above_is_read(a, b):
    for i in range(1, a.shape[0]):
        for j in range(a.shape[1]):
            a[i, j] = a[i - 1, j] + b[i, j]


@program(verdicts={"i": "sequential"}, args=each_size(lambda rng, n: (rng.random(n), rng.random(n))))
def squared_predecessor(a, b):
    for i in range(1, len(a)):
        a[i] = a[i - 1] * a[i - 1] * 0.25 + b[i]
