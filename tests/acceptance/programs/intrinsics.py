"""Functions of `math` and NumPy, and Python's own, on single values inside loops."""

import math

import numpy as np

from ..inputs import each_dtype, each_size, signed, with_nans
from ..registry import program

REALS = (np.float64, np.float32)


@program(
    verdicts={"i": "parallel"},
    args=each_dtype(lambda rng, dtype: (rng.uniform(0.1, 9.0, 200).astype(dtype), np.zeros((3, 200), dtype)), REALS),
    tolerance="math",
)
def square_roots_and_logarithms(x, out):
    for i in range(len(x)):
        out[0, i] = np.sqrt(x[i])
        out[1, i] = np.log(x[i])
        out[2, i] = np.log10(x[i])


@program(
    verdicts={"i": "parallel"},
    args=each_size(lambda rng, n: (rng.uniform(-20.0, 20.0, n), np.zeros((4, n)))),
    tolerance="math",
)
def exponentials(x, out):
    for i in range(len(x)):
        out[0, i] = math.exp(x[i])
        out[1, i] = np.exp(-x[i])
        out[2, i] = math.expm1(x[i])
        out[3, i] = math.tanh(x[i])


@program(
    verdicts={"i": "parallel"},
    args=each_size(lambda rng, n: (rng.uniform(-50.0, 50.0, n), np.zeros((4, n)))),
    tolerance="math",
)
def angles(x, out):
    for i in range(len(x)):
        out[0, i] = math.sin(x[i])
        out[1, i] = np.cos(x[i])
        out[2, i] = math.atan(x[i])
        out[3, i] = np.arcsin(x[i] / 50.0)


@program(
    verdicts={"i": "parallel"},
    args=each_size(lambda rng, n: (signed(rng, n), signed(rng, n), np.zeros((3, n)))),
    tolerance="math",
)
def two_argument_functions(x, y, out):
    for i in range(len(x)):
        out[0, i] = math.atan2(x[i], y[i])
        out[1, i] = math.hypot(x[i], y[i])
        out[2, i] = np.arctan2(y[i], x[i])


@program(
    verdicts={"i": "parallel"},
    args=each_size(lambda rng, n: (rng.uniform(0.1, 4.0, n), rng.uniform(-3.0, 3.0, n), np.zeros((3, n)))),
    tolerance="math",
)
def powers(x, y, out):
    for i in range(len(x)):
        out[0, i] = x[i] ** y[i]
        out[1, i] = math.pow(x[i], 2.5)
        out[2, i] = x[i] ** 3


@program(verdicts={"i": "parallel"}, args=each_size(lambda rng, n: (rng.uniform(-9.0, 9.0, n), np.zeros((4, n)))))
def rounding(x, out):
    for i in range(len(x)):
        out[0, i] = math.floor(x[i])
        out[1, i] = math.ceil(x[i])
        out[2, i] = np.trunc(x[i])
        out[3, i] = round(x[i])


@program(
    verdicts={"i": "parallel"},
    args=lambda rng: [
        (np.array([0.5, 1.5, 2.5, -0.5, -1.5, 0.49999999999999994, 4503599627370497.0]), np.zeros((3, 7), np.int64))
    ],
)
def rounding_of_halves(x, out):
    for i in range(len(x)):
        out[0, i] = round(x[i])
        out[1, i] = int(x[i])
        out[2, i] = math.floor(x[i] + 0.5)


@program(
    verdicts={"i": "parallel"},
    args=each_size(lambda rng, n: (with_nans(signed(rng, n), *range(2, n, 7)), signed(rng, n), np.zeros((4, n)))),
)
def smaller_and_larger(x, y, out):
    for i in range(len(x)):
        out[0, i] = min(x[i], y[i])
        out[1, i] = max(x[i], y[i], 0.25)
        out[2, i] = np.minimum(x[i], y[i])
        out[3, i] = abs(x[i])


@program(
    verdicts={"i": "parallel"},
    args=each_size(lambda rng, n: (rng.integers(-50, 50, n), rng.integers(1, 9, n), np.zeros((4, n), np.int64))),
)
def quotients_and_remainders(a, b, out):
    for i in range(len(a)):
        quotient, remainder = divmod(a[i], b[i])
        out[0, i] = quotient
        out[1, i] = remainder
        out[2, i] = a[i] // -b[i]
        out[3, i] = a[i] % -b[i]


@program(
    verdicts={"i": "parallel"},
    args=each_size(lambda rng, n: (rng.uniform(-9.0, 9.0, n), rng.uniform(0.5, 3.0, n), np.zeros((4, n)))),
)
def float_quotients_and_remainders(x, y, out):
    for i in range(len(x)):
        out[0, i] = x[i] // y[i]
        out[1, i] = x[i] % y[i]
        out[2, i] = math.fmod(x[i], y[i])
        out[3, i] = x[i] % -y[i]


@program(
    verdicts={"i": "parallel"},
    args=lambda rng: [(np.array([0.0, -0.0, 1.5, -1.5, np.inf, -np.inf, np.nan]), np.zeros((5, 7)))],
)
def special_values(x, out):
    for i in range(len(x)):
        out[0, i] = math.isnan(x[i])
        out[1, i] = math.isinf(x[i])
        out[2, i] = np.isfinite(x[i])
        out[3, i] = math.copysign(2.0, x[i])
        out[4, i] = np.sign(x[i])


@program(
    verdicts={"i": "parallel"},
    args=each_size(lambda rng, n: (signed(rng, n) + 1j * signed(rng, n), np.zeros((4, n)), np.zeros(n, np.complex128))),
    tolerance="math",
)
def complex_parts(z, out, conjugate):
    for i in range(len(z)):
        out[0, i] = abs(z[i])
        out[1, i] = z[i].real
        out[2, i] = z[i].imag
        out[3, i] = (z[i] * z[i].conjugate()).real
        conjugate[i] = complex(z[i].real, -z[i].imag)


@program(
    verdicts={"i": "parallel"},
    args=each_size(lambda rng, n: (rng.integers(0, 300, n), np.zeros((3, n), np.int64))),
)
def whole_number_functions(x, out):
    for i in range(len(x)):
        out[0, i] = math.gcd(int(x[i]), 60)
        out[1, i] = pow(int(x[i]), 3)
        out[2, i] = bool(x[i] & 4)


@program(
    verdicts={"i": "parallel"},
    args=each_size(lambda rng, n: (rng.uniform(-3.0, 3.0, n), np.zeros((2, n)))),
    tolerance=64,
)
def normal_distribution(x, out):
    for i in range(len(x)):
        out[0, i] = math.exp(-0.5 * x[i] * x[i]) / math.sqrt(2.0 * math.pi)
        out[1, i] = 0.5 * math.erfc(-x[i] / math.sqrt(2.0))
