"""Values carried from one iteration to the next: scans where the step is associative, sequences where it is not."""

import math

import numpy as np

from ..inputs import each_matrix, each_size, signed
from ..registry import program


@program(
    verdicts={"i": "scan"},
    args=each_size(lambda rng, n: (signed(rng, n), np.zeros(n))),
    tolerance="reduction",
)
def prefix_sum(x, out):
    s = 0.0
    for i in range(len(x)):
        s += x[i]
        out[i] = s


@program(verdicts={"i": "scan"}, args=each_size(lambda rng, n: (rng.integers(-9, 9, n), np.zeros(n, np.int64))))
def prefix_sum_that_starts_after(x, out):
    s = 0
    for i in range(len(x)):
        out[i] = s
        s += x[i]
    return s


@program(verdicts={"i": "scan"}, args=each_size(lambda rng, n: (rng.integers(-9, 9, n),)))
def prefix_sum_in_place(a):
    for i in range(1, len(a)):
        a[i] += a[i - 1]


@program(
    verdicts={"i": "scan"},
    args=each_size(lambda rng, n: (rng.uniform(0.9, 1.1, n), np.zeros(n)), (257, 0, 1, 7)),
    tolerance="reduction",
)
def prefix_product(x, out):
    p = 1.0
    for i in range(len(x)):
        p = p * x[i]
        out[i] = p


@program(verdicts={"i": "scan"}, args=each_size(lambda rng, n: (signed(rng, n), np.zeros(n))))
def running_maximum(x, out):
    high = -math.inf
    for i in range(len(x)):
        if x[i] > high:
            high = x[i]
        out[i] = high


@program(
    verdicts={"i": "scan"},
    args=each_size(lambda rng, n: (rng.uniform(0.0, 0.9, n), rng.random(n), np.ones(n))),
    tolerance="reduction",
)
def linear_recurrence(a, b, x):
    for i in range(1, len(x)):
        x[i] = a[i] * x[i - 1] + b[i]


@program(
    verdicts={"i": "scan"},
    args=each_size(lambda rng, n: (signed(rng, n), np.zeros(n), 0.2)),
    tolerance="reduction",
)
def exponential_smoothing(x, out, weight):
    level = 0.5
    for i in range(len(x)):
        level = weight * x[i] + (1.0 - weight) * level
        out[i] = level
    return level


@program(
    verdicts={"i": ("scan", "reduction")},
    args=each_size(lambda rng, n: (signed(rng, n), 0.7)),
    tolerance="reduction",
)
def horner(coefficients, t):
    value = 0.0
    for i in range(len(coefficients)):
        value = value * t + coefficients[i]
    return value


@program(verdicts={"i": ("scan", "sequential")}, args=each_size(lambda rng, n: (np.ones(n, np.uint32),)))
def fibonacci_that_wraps(f):
    for i in range(2, len(f)):
        f[i] = f[i - 1] + f[i - 2]


@program(verdicts={"i": "sequential"}, args=each_size(lambda rng, n: (np.zeros(n), 3.7)))
def logistic_map(out, rate):
    x = 0.4
    for i in range(len(out)):
        x = rate * x * (1.0 - x)
        out[i] = x
    return x


@program(verdicts={"i": ("scan", "sequential")}, args=each_size(lambda rng, n: (np.zeros(n, np.uint64),)))
def linear_congruence(out):
    state = np.uint64(88172645463325252)
    for i in range(len(out)):
        state = state * np.uint64(6364136223846793005) + np.uint64(1442695040888963407)
        out[i] = state >> np.uint64(33)


@program(verdicts={"i": "sequential"}, args=each_size(lambda rng, n: (np.zeros(n, np.uint32),)))
def shifted_register(out):
    state = np.uint32(2463534242)
    for i in range(len(out)):
        state ^= state << np.uint32(13)
        state ^= state >> np.uint32(17)
        state ^= state << np.uint32(5)
        out[i] = state


@program(
    verdicts={"i@1": "sequential", "i@2": ("scan", "sequential")},
    args=each_size(
        lambda rng, n: (rng.random(n), 4.0 + rng.random(n), rng.random(n), rng.random(n), np.zeros(n)),
        (257, 1, 7),
    ),
    tolerance="reduction",
)
def tridiagonal_solver(lower, middle, upper, right, x):
    n = len(x)
    for i in range(1, n):
        factor = lower[i] / middle[i - 1]
        middle[i] = middle[i] - factor * upper[i - 1]
        right[i] = right[i] - factor * right[i - 1]
    x[n - 1] = right[n - 1] / middle[n - 1]
    for i in range(n - 2, -1, -1):
        x[i] = (right[i] - upper[i] * x[i + 1]) / middle[i]


@program(
    verdicts={"i": ("scan", "sequential")},
    args=each_size(lambda rng, n: (signed(rng, n), np.zeros(n))),
    tolerance="reduction",
)
def sum_that_starts_anew(x, out):
    s = 0.0
    for i in range(len(x)):
        if x[i] < -0.8:
            s = 0.0
        else:
            s += abs(x[i])
        out[i] = s


@program(
    verdicts={"i": "parallel", "j": "scan"},
    args=each_matrix(lambda rng, n: (rng.integers(0, 9, (n, n + 1)), np.zeros((n, n + 1), np.int64))),
)
def prefix_sums_of_rows(a, out):
    for i in range(a.shape[0]):
        s = 0
        for j in range(a.shape[1]):
            s += a[i, j]
            out[i, j] = s


@program(verdicts={"i": "scan"}, args=each_size(lambda rng, n: (signed(rng, n), np.zeros(n, np.int64))))
def numbers_the_positives(x, label):
    count = 0
    for i in range(len(x)):
        if x[i] > 0.0:
            count += 1
        label[i] = count
    return count


@program(verdicts={"i": "sequential"}, args=each_size(lambda rng, n: (signed(rng, n), np.zeros(n))))
def clipped_walk(x, out):
    position = 0.0
    for i in range(len(x)):
        position = math.fmod(position * position + x[i], 3.0)
        out[i] = position


@program(verdicts={"k": "sequential"}, args=lambda rng: [(2.0, 6), (1e-8, 30), (12345.678, 0)])
def newton_square_root(a, steps):
    x = a
    for k in range(steps):
        x = 0.5 * (x + a / x)
    return x


@program(
    verdicts={"i": ("scan", "sequential")},
    args=each_size(lambda rng, n: (signed(rng, n), np.zeros(n))),
    tolerance="reduction",
)
def second_order_filter(x, y):
    for i in range(2, len(x)):
        y[i] = 0.2 * x[i] + 0.5 * y[i - 1] - 0.25 * y[i - 2]
