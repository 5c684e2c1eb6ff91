"""Functions called from loops: helpers, lambdas, closures, defaults and keywords."""

import math

import numpy as np

from ..inputs import each_matrix, each_size, signed
from ..registry import program

SCALE = 2.5
TABLE = (1.0, 0.5, 0.25)
WEIGHTS = np.array([0.25, 0.5, 0.25])


def clamp(value, low=0.0, high=1.0):
    if value < low:
        return low
    if value > high:
        return high
    return value


@program(verdicts={"i": "parallel"}, args=each_size(lambda rng, n: (2.0 * signed(rng, n), np.zeros(n))))
def helper_with_defaults(x, out):
    for i in range(len(x)):
        out[i] = clamp(x[i]) + clamp(x[i], -0.5) + clamp(x[i], high=0.5) + clamp(high=2.0, low=1.0, value=x[i])


def polar(x, y):
    return x * x + y * y, x > y


@program(verdicts={"i": "parallel"}, args=each_size(lambda rng, n: (signed(rng, n), signed(rng, n), np.zeros(n))))
def helper_with_two_results(x, y, out):
    for i in range(len(x)):
        square, below = polar(x[i], y[i])
        out[i] = -square if below else square


def mean_of_row(a, i):
    s = 0.0
    for j in range(a.shape[1]):
        s += a[i, j]
    return s / a.shape[1]


@program(
    verdicts={"i": "parallel"},
    args=each_matrix(lambda rng, n: (rng.random((n, n + 1)), np.zeros(n))),
    tolerance="reduction",
)
def helper_with_a_loop(a, out):
    for i in range(a.shape[0]):
        out[i] = mean_of_row(a, i)


def add_to(a, i, amount):
    a[i] += amount


@program(verdicts={"i": "parallel"}, args=each_size(lambda rng, n: (rng.random(n), rng.random(n))))
def helper_that_writes(a, b):
    for i in range(len(a)):
        add_to(a, i, b[i])
        add_to(b, i, amount=-1.0)


def square(x):
    return x * x


def fourth_power(x):
    return square(square(x))


@program(verdicts={"i": "parallel"}, args=each_size(lambda rng, n: (signed(rng, n), np.zeros(n))))
def helpers_that_call_helpers(x, out):
    for i in range(len(x)):
        out[i] = fourth_power(x[i]) - square(x[i])


@program(verdicts={"i": "parallel"}, args=each_size(lambda rng, n: (signed(rng, n), np.zeros(n))))
def lambdas(x, out):
    shifted = lambda value, by=1.0: value + by  # noqa: E731
    for i in range(len(x)):
        out[i] = shifted(x[i]) * shifted(x[i], by=SCALE)


@program(verdicts={"i": "parallel"}, args=each_size(lambda rng, n: (signed(rng, n), np.zeros(n), 3)))
def function_inside_the_function(x, out, order):
    def polynomial(value):
        return value * order + SCALE

    for i in range(len(x)):
        out[i] = polynomial(x[i])


def apply_twice(function, value):
    return function(function(value))


@program(verdicts={"i": "parallel"}, args=each_size(lambda rng, n: (signed(rng, n), np.zeros(n))))
def function_as_an_argument_of_a_helper(x, out):
    for i in range(len(x)):
        out[i] = apply_twice(square, x[i]) + apply_twice(lambda v: v * 0.5, x[i])


@program(verdicts={"i": "parallel"}, args=each_size(lambda rng, n: (signed(rng, n), np.zeros(n), 0.75)), closure=True)
def captures_arrays_and_numbers(x, out, factor):
    def run():
        for i in range(len(x)):
            out[i] = x[i] * factor
        return factor

    return run


@program(
    verdicts={"i": "reduction"},
    args=each_size(lambda rng, n: (rng.integers(0, 9, n),)),
    closure=True,
)
def captures_and_accumulates(x):
    def run():
        total = 0

        def add(value):
            nonlocal total
            total += value

        for i in range(len(x)):
            add(x[i])
        return total

    return run


@program(
    verdicts={"i": "parallel", "k": "reduction"},
    args=each_size(lambda rng, n: (rng.random(n), np.zeros(n))),
    tolerance="reduction",
)
def globals_of_the_module(x, out):
    for i in range(1, len(x) - 1):
        s = 0.0
        for k in range(3):
            s += WEIGHTS[k] * x[i - 1 + k]
        out[i] = s * SCALE + TABLE[1] + math.pi


@program(
    verdicts={"i": "parallel"},
    args=lambda rng: [
        (rng.random(20), np.zeros(20)),
        (rng.random(20), np.zeros(20), 2.0),
        (rng.random(20), np.zeros(20), 2.0, 3),
    ],
)
def defaults_of_the_program(x, out, scale=0.5, power=1):
    for i in range(len(x)):
        out[i] = scale * x[i]
        if power > 2:
            out[i] *= x[i]


def first_above(row, limit):
    for j in range(len(row)):
        if row[j] > limit:
            return j
    return -1


@program(verdicts={"i": "parallel"}, args=each_matrix(lambda rng, n: (rng.random((n, n)), np.zeros(n, np.int64))))
def helper_that_returns_early(a, out):
    for i in range(a.shape[0]):
        out[i] = first_above(a[i], 0.9)


def sign_of(x: float) -> int:
    """Give -1, 0 or 1."""
    return int(x > 0.0) - int(x < 0.0)


@program(verdicts={"i": "parallel"}, args=each_size(lambda rng, n: (signed(rng, n), np.zeros(n, np.int8))))
def annotated(x: np.ndarray, out: np.ndarray) -> None:
    """Fill `out` with the signs."""
    value: float
    for i in range(len(x)):
        value = x[i]
        sign: int = sign_of(value)
        out[i] = sign
