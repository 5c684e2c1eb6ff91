"""Expressions, tuples, several results, and names that hold them."""

import numpy as np

from ..inputs import each_matrix, each_size, signed
from ..registry import program


@program(verdicts={"i": "reduction"}, args=each_size(lambda rng, n: (rng.integers(-50, 50, n),)))
def several_results(x):
    low = 1000
    high = -1000
    count = 0
    for i in range(len(x)):
        low = min(low, x[i])
        high = max(high, x[i])
        count += 1
    return count, (int(low), int(high)), count > 10


@program(verdicts={"i": "parallel"}, args=each_size(lambda rng, n: (rng.random(n), rng.random(n), np.zeros(n))))
def tuples_and_unpacking(x, y, out):
    for i in range(len(out)):
        point = (x[i], y[i], 2.0)
        a, b, weight = point
        a, b = b, a
        (p, q), r = (a + b, a - b), point[0]
        out[i] = p * q * weight + r + point[-1]


@program(verdicts={"i": "parallel"}, args=each_size(lambda rng, n: (signed(rng, n), np.zeros(n))))
def walrus(x, out):
    for i in range(len(x)):
        if (square := x[i] * x[i]) > 0.25:
            out[i] = square
        else:
            out[i] = -square


@program(verdicts={}, args=lambda rng: [(rng.integers(0, 50, 30),), (np.array([0]),)])
def walrus_in_a_while(x):
    i = 0
    s = 0
    while (value := x[i]) != 0 and i < len(x) - 1:
        s += value
        i += 1
    return s, i


@program(
    verdicts={"i": "parallel", "k": "parallel"},
    args=each_size(lambda rng, n: (rng.integers(1, 90, n), rng.integers(0, 4, n), np.zeros((8, n), np.int64))),
)
def augmented_assignments(x, y, out):
    for i in range(len(x)):
        for k in range(8):
            out[k, i] = x[i]
        out[0, i] += y[i]
        out[1, i] -= y[i]
        out[2, i] *= y[i]
        out[3, i] //= y[i] + 1
        out[4, i] %= y[i] + 1
        out[5, i] <<= y[i]
        out[6, i] >>= y[i]
        out[7, i] ^= y[i]


@program(verdicts={"i": "parallel"}, args=each_size(lambda rng, n: (signed(rng, n), np.zeros(n, np.int64))))
def chained_comparisons(x, out):
    for i in range(len(x)):
        out[i] = (-0.5 < x[i] < 0.5) + 2 * (0.0 <= x[i] != 0.25) + 4 * (1 > x[i] > -1 > -2)


@program(verdicts={"i": "parallel"}, args=each_size(lambda rng, n: (signed(rng, n), np.zeros(n))))
def short_circuit_gives_values(x, out):
    for i in range(len(x)):
        sign = (x[i] > 0.0 and 1.0) or -1.0
        out[i] = sign * x[i]


@program(
    verdicts={"i": "parallel"},
    args=lambda rng: [(rng.random(30), np.zeros(30), scale) for scale in (None, 2.5, 3)],
)
def argument_that_may_be_none(x, out, scale):
    for i in range(len(x)):
        if scale is None:
            out[i] = x[i]
        else:
            out[i] = x[i] * scale


@program(
    verdicts={"i": "parallel"},
    args=lambda rng: [(rng.random(30), np.zeros(30), kind) for kind in ("linear", "square", "other")],
)
def argument_that_is_a_string(x, out, kind):
    for i in range(len(x)):
        if kind == "linear":
            out[i] = x[i]
        elif kind == "square":
            out[i] = x[i] * x[i]
        else:
            out[i] = -1.0


@program(
    verdicts={"i": "parallel"},
    args=lambda rng: [((rng.random(20), rng.random(20)), (2, 0.5), np.zeros(20))],
)
def arguments_in_tuples(arrays, weights, out):
    x, y = arrays
    for i in range(len(out)):
        out[i] = weights[0] * x[i] + weights[1] * y[i]
    return arrays[1], weights


@program(verdicts={"i": "parallel"}, args=lambda rng: [(n, np.zeros(12)) for n in (5, 0, -7)])
def python_numbers(n, out):
    half = n / 2
    third = n // 3
    rest = n % 3
    for i in range(len(out)):
        out[i] = half * i + third - rest + (-n) // 2 + (i - 6) % 4 + int(half) + float(third)
    return half, third, rest, n**2, -n, abs(n), not n, round(half)


@program(
    verdicts={"i": "parallel", "j": "parallel"},
    args=each_matrix(lambda rng, n: (rng.random((n, n + 2)),)),
)
def returns_its_arguments(a):
    rows, columns = a.shape
    for i in range(rows):
        for j in range(columns):
            a[i, j] += i - j
    return a, a.ndim, a.size, len(a), rows


@program(verdicts={"i": "parallel"}, args=each_size(lambda rng, n: (rng.integers(-5, 5, n), np.zeros(n))))
def negative_subscripts(x, out):
    for i in range(1, len(x) + 1):
        out[-i] = x[i - 1] + x[-1]


@program(
    verdicts={"i": ("parallel", "checked")}, args=lambda rng: [(rng.random(30), np.zeros(30), k) for k in (0, 10, 29)]
)
def subscripts_that_change_sign(x, out, k):
    for i in range(len(out)):
        out[i] = x[i - k]


@program(verdicts={"i": "parallel"}, args=lambda rng: [(np.zeros(25), flag, 3.0) for flag in (True, False, np.True_)])
def truth_values(out, flag, value):
    for i in range(len(out)):
        if i and flag:
            out[i] = value + flag
        out[i] += True
