"""One name for several values that have nothing to do with each other."""

import numpy as np

from ..inputs import each_matrix, each_size
from ..registry import program


@program(
    verdicts={"i": "parallel"},
    args=each_size(lambda rng, n: (rng.random(n), rng.random(n), np.zeros(n), np.zeros(n))),
)
def one_name_two_values(a, b, p, q):
    for i in range(len(a)):
        t = a[i] + b[i]
        p[i] = t * t
        t = a[i] - b[i]
        q[i] = t * t


@program(verdicts={"i": "parallel"}, args=each_size(lambda rng, n: (rng.random(n), np.zeros(n), np.zeros(n, np.int64))))
def one_name_two_types(x, halves, counts):
    for i in range(len(x)):
        t = 2 * i + 1
        counts[i] = t
        t = x[i] * 0.5
        halves[i] = t


@program(verdicts={"i": "parallel"}, args=each_size(lambda rng, n: (rng.random(n), rng.random(n))))
def one_name_for_two_arrays(a, b):
    u = a
    for i in range(len(a)):
        u[i] = u[i] + 1.0
    u = b
    for i in range(len(b)):
        u[i] = a[i] * u[i]
    return u


@program(verdicts={"i": "parallel"}, args=each_size(lambda rng, n: (rng.random(n), np.zeros(n)), (257, 1, 7)))
def loop_counter_after_the_loop(x, out):
    for i in range(len(x)):
        out[i] = x[i] * 4.0
    return i


@program(
    verdicts={"i": "parallel", "j": "reduction"},
    args=each_matrix(lambda rng, n: (rng.random((n, n + 2)), np.zeros(n), np.zeros(n))),
    tolerance="reduction",
)
def one_accumulator_for_two_sums(a, sums, squares):
    for i in range(a.shape[0]):
        s = 0.0
        for j in range(a.shape[1]):
            s += a[i, j]
        sums[i] = s
        s = 0.0
        for j in range(a.shape[1]):
            s += a[i, j] * a[i, j]
        squares[i] = s


@program(verdicts={"i": "parallel"}, args=each_size(lambda rng, n: (rng.random(n), np.zeros(n))))
def argument_name_is_reused(scale, out):
    for i in range(len(out)):
        value = scale[i]
        out[i] = value
        value = value + i
        out[i] = out[i] * value
    scale = 2.0
    for i in range(len(out)):
        out[i] = out[i] * scale
