"""Scalars that are functions of the loop counter in disguise."""

import numpy as np

from ..inputs import each_matrix, each_size, signed
from ..registry import program


@program(verdicts={"i": "parallel"}, args=each_size(lambda rng, n: (np.zeros(2 * n), rng.random(n))))
def counts_by_two(a, b):
    k = 0
    for i in range(len(b)):
        a[k] = b[i] * 3.0
        k += 2


@program(verdicts={"i": "parallel"}, args=each_size(lambda rng, n: (np.zeros(n), rng.random(n))))
def counts_down(a, b):
    k = len(a)
    for i in range(len(b)):
        k -= 1
        a[k] = b[i] + 1.0


@program(verdicts={"i": "parallel"}, args=each_size(lambda rng, n: (np.zeros(3 * n + 2), rng.random(2 * n + 1))))
def two_counters(a, b):
    k = -1
    m = 1
    for i in range(len(b) // 2):
        k += 2
        a[m] = b[k] - b[k - 1]
        m += 3


@program(verdicts={"i": "parallel"}, args=each_size(lambda rng, n: (np.zeros(n, np.int64), 5)))
def final_value_is_returned(a, start):
    k = start
    for i in range(len(a)):
        a[i] = k
        k += 7
    return k


@program(verdicts={"i": "parallel"}, args=each_size(lambda rng, n: (signed(rng, n), np.zeros(n))))
def counted_in_both_branches(x, out):
    k = 0
    for i in range(len(x)):
        if x[i] > 0.0:
            out[k] = x[i]
            k += 1
        else:
            out[k] = -0.5 * x[i]
            k += 1


@program(
    verdicts={"i": "parallel", "j": "parallel"},
    args=each_matrix(lambda rng, n: (rng.random((n, n + 3)), np.zeros(n * (n + 3)))),
)
def counts_through_a_nest(a, flat):
    k = 0
    for i in range(a.shape[0]):
        for j in range(a.shape[1]):
            flat[k] = a[i, j] * 2.0
            k += 1


@program(
    verdicts={"i": ("parallel", "checked", "sequential"), "j": "parallel"},
    args=each_matrix(lambda rng, n: (rng.random((n, n)), np.zeros(n * (n + 1) // 2))),
)
def packs_a_triangle(a, packed):
    k = 0
    for i in range(a.shape[0]):
        for j in range(i + 1):
            packed[k] = a[i, j]
            k += 1


@program(
    verdicts={"i": ("scan", "sequential")},
    args=each_size(lambda rng, n: (np.zeros(n), 0.1)),
    tolerance="reduction",
)
def adds_a_float_step(a, step):
    t = 0.0
    for i in range(len(a)):
        a[i] = t
        t += step
    return t


@program(
    verdicts={"i": ("scan", "sequential")},
    args=each_size(lambda rng, n: (np.zeros(n), 1.001)),
    tolerance="reduction",
)
def grows_by_a_factor(a, ratio):
    p = 1.0
    for i in range(len(a)):
        p = p * ratio
        a[i] = p


@program(
    verdicts={"i": ("parallel", "checked")},
    args=lambda rng: [
        (np.zeros(300), rng.random(100), 3),
        (np.zeros(300), rng.random(300), 1),
        (np.zeros(5), rng.random(9), 0),
    ],
)
def step_is_an_argument(a, b, step):
    k = 0
    for i in range(len(b)):
        a[k] = b[i]
        k += step


@program(verdicts={"i": "parallel"}, args=each_size(lambda rng, n: (np.zeros(2 * n + 8), rng.random(n))))
def derived_from_a_derived_one(a, b):
    for i in range(len(b)):
        k = i + 3
        m = 2 * k
        a[m + 1] = b[i] * k
