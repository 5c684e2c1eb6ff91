"""Loops unrolled by hand."""

import numpy as np

from ..inputs import each_size
from ..registry import program


@program(verdicts={"i": "parallel"}, args=each_size(lambda rng, n: (rng.random(4 * n), rng.random(4 * n))))
def saxpy_by_four(x, y):
    for i in range(0, len(x) - 3, 4):
        y[i] += 1.5 * x[i]
        y[i + 1] += 1.5 * x[i + 1]
        y[i + 2] += 1.5 * x[i + 2]
        y[i + 3] += 1.5 * x[i + 3]


@program(verdicts={"i": "parallel"}, args=each_size(lambda rng, n: (rng.random(n), np.zeros(n))))
def with_a_loop_for_the_rest(x, out):
    n = len(x)
    rest = n % 3
    for i in range(rest):
        out[i] = x[i] + 0.5
    for i in range(rest, n, 3):
        out[i] = x[i] + 0.5
        out[i + 1] = x[i + 1] + 0.5
        out[i + 2] = x[i + 2] + 0.5


@program(
    verdicts={"i": "reduction"},
    args=each_size(lambda rng, n: (rng.random(4 * n), rng.random(4 * n))),
    tolerance="reduction",
)
def dot_product_by_four(x, y):
    s = 0.0
    for i in range(0, len(x), 4):
        s += x[i] * y[i] + x[i + 1] * y[i + 1] + x[i + 2] * y[i + 2] + x[i + 3] * y[i + 3]
    return s


@program(
    verdicts={"i": "reduction"},
    args=each_size(lambda rng, n: (rng.random(2 * n),)),
    tolerance="reduction",
)
def sum_with_two_accumulators(x):
    even = 0.0
    odd = 0.0
    for i in range(len(x) // 2):
        even += x[2 * i]
        odd += x[2 * i + 1]
    return even + odd


@program(
    verdicts={"i": "parallel"},
    args=each_size(lambda rng, n: (rng.random(n + 5), rng.permutation(4 * n), np.zeros(4 * n)), layouts=False),
)
def gather_by_four(x, index, out):
    for i in range(0, len(out), 4):
        out[i] = x[index[i] % len(x)]
        out[i + 1] = x[index[i + 1] % len(x)]
        out[i + 2] = x[index[i + 2] % len(x)]
        out[i + 3] = x[index[i + 3] % len(x)]


@program(
    verdicts={"i": "parallel"}, args=each_size(lambda rng, n: (rng.random(2 * n), rng.random(2 * n), np.zeros(2 * n)))
)
def complex_products_in_pairs(a, b, out):
    for i in range(0, len(out), 2):
        out[i] = a[i] * b[i] - a[i + 1] * b[i + 1]
        out[i + 1] = a[i] * b[i + 1] + a[i + 1] * b[i]
