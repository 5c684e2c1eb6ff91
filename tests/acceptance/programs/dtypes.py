"""Every NumPy dtype: results, wrapping, mixing, conversion, comparison."""

import numpy as np

from ..inputs import each_dtype
from ..registry import program

SIGNED = (np.int8, np.int16, np.int32, np.int64)
UNSIGNED = (np.uint8, np.uint16, np.uint32, np.uint64)
INTEGERS = SIGNED + UNSIGNED
FLOATS = (np.float16, np.float32, np.float64)
COMPLEX = (np.complex64, np.complex128)


def whole(rng, dtype, n=120, low=None, high=None):
    """Whole numbers over the entire range of the dtype, its limits included."""
    info = np.iinfo(dtype)
    values = rng.integers(info.min if low is None else low, info.max if high is None else high, n, dtype, endpoint=True)
    if low is None and high is None:
        values[:4] = [info.min, info.max, 0, 1]
    return values


def real(rng, dtype, n=120):
    return rng.uniform(-8.0, 8.0, n).astype(dtype)


def imaginary(rng, dtype, n=120):
    return (rng.uniform(-2.0, 2.0, n) + 1j * rng.uniform(-2.0, 2.0, n)).astype(dtype)


@program(
    verdicts={"i": "parallel"},
    args=each_dtype(lambda rng, d: (whole(rng, d), whole(rng, d), np.zeros((6, 120), d)), INTEGERS),
)
def integers_wrap(a, b, out):
    for i in range(len(a)):
        out[0, i] = a[i] + b[i]
        out[1, i] = a[i] - b[i]
        out[2, i] = a[i] * b[i]
        out[3, i] = -a[i]
        out[4, i] = abs(a[i])
        out[5, i] = ~a[i]


@program(
    verdicts={"i": "parallel"},
    args=each_dtype(lambda rng, d: (whole(rng, d), whole(rng, d), np.zeros((3, 120), d)), INTEGERS),
)
def integers_divide(a, b, out):
    for i in range(len(a)):
        out[0, i] = a[i] // b[i]
        out[1, i] = a[i] % b[i]
        out[2, i] = a[i] // 3 + a[i] % 7


@program(
    verdicts={"i": "parallel"},
    args=each_dtype(lambda rng, d: (whole(rng, d), whole(rng, d, low=0, high=70), np.zeros((5, 120), d)), INTEGERS),
)
def bits(a, shift, out):
    for i in range(len(a)):
        out[0, i] = a[i] << shift[i]
        out[1, i] = a[i] >> shift[i]
        out[2, i] = a[i] & shift[i]
        out[3, i] = a[i] | shift[i]
        out[4, i] = a[i] ^ (shift[i] << 1)


@program(
    verdicts={"i": "parallel"},
    args=each_dtype(lambda rng, d: (real(rng, d), real(rng, d), np.zeros((6, 120), d)), FLOATS),
)
def floats(x, y, out):
    for i in range(len(x)):
        out[0, i] = x[i] + y[i] * 2
        out[1, i] = x[i] - y[i] * 0.1
        out[2, i] = x[i] / y[i]
        out[3, i] = x[i] // y[i]
        out[4, i] = x[i] % y[i]
        out[5, i] = -abs(x[i])


@program(
    verdicts={"i": "parallel"},
    args=each_dtype(lambda rng, d: (imaginary(rng, d), imaginary(rng, d), np.zeros((4, 120), d)), COMPLEX),
    tolerance="math",
)
def complex_numbers(z, w, out):
    for i in range(len(z)):
        out[0, i] = z[i] + w[i] * 2
        out[1, i] = z[i] - 1j
        out[2, i] = -z[i]
        out[3, i] = z[i] / w[i]


@program(
    verdicts={"i": "parallel"},
    args=each_dtype(lambda rng, d: (imaginary(rng, d), imaginary(rng, d), np.zeros(120, d)), COMPLEX),
)
def complex_products(z, w, out):
    for i in range(len(z)):
        out[i] = z[i] * w[i]


@program(
    verdicts={"i": "parallel"},
    args=lambda rng: [
        (rng.random(100) > 0.5, rng.random(100) > 0.3, np.zeros((5, 100), np.bool_), np.zeros(100, np.int64))
    ],
)
def truths(a, b, out, count):
    for i in range(len(a)):
        out[0, i] = a[i] and b[i]
        out[1, i] = a[i] | b[i]
        out[2, i] = a[i] ^ b[i]
        out[3, i] = not a[i]
        out[4, i] = a[i] + b[i]
        count[i] = int(a[i]) + int(b[i]) + a[i] * 2


@program(
    verdicts={"i": "parallel"},
    args=lambda rng: [
        (whole(rng, left), whole(rng, right), np.zeros(120, (left(0) + right(0)).dtype), np.zeros(120))
        for left, right in (
            (np.int8, np.uint8),
            (np.int16, np.int64),
            (np.uint32, np.int32),
            (np.uint64, np.uint16),
            (np.uint64, np.int64),
        )
    ],
)
def mixed_integers(a, b, total, ratio):
    for i in range(len(a)):
        total[i] = a[i] + b[i]
        ratio[i] = a[i] / b[i]


@program(
    verdicts={"i": "parallel"},
    args=lambda rng: [
        (whole(rng, left, low=0, high=100), real(rng, right), np.zeros(120, (left(0) * right(0)).dtype))
        for left, right in (
            (np.int8, np.float16),
            (np.int16, np.float32),
            (np.int32, np.float32),
            (np.int64, np.float32),
            (np.uint8, np.float64),
        )
    ],
)
def integers_with_floats(a, x, out):
    for i in range(len(a)):
        out[i] = a[i] * x[i] + 1


@program(
    verdicts={"i": "parallel"},
    args=each_dtype(lambda rng, d: (whole(rng, d, low=0, high=100), np.zeros((3, 120), np.bool_)), INTEGERS),
)
def compared_with_any_python_number(a, out):
    for i in range(len(a)):
        out[0, i] = a[i] > 50
        out[1, i] = a[i] < 1000000
        out[2, i] = a[i] >= -1


@program(
    verdicts={"i": "parallel"},
    args=each_dtype(
        lambda rng, d: (rng.uniform(0.0, 100.0, 120), whole(rng, np.int64, low=-100, high=100), np.zeros((2, 120), d)),
        (*INTEGERS, *FLOATS, *COMPLEX),
    ),
)
def stored_as_another_dtype(x, k, out):
    for i in range(len(x)):
        out[0, i] = x[i]
        out[1, i] = k[i]


@program(
    verdicts={"i": "parallel"},
    args=each_dtype(
        lambda rng, d: (whole(rng, np.int64), rng.uniform(-1e6, 1e6, 120), np.zeros((2, 120), d)), UNSIGNED
    ),
)
def unsigned_arrays_take_any_numpy_number(k, x, out):
    for i in range(len(k)):
        out[0, i] = k[i]
        out[1, i] = x[i]


@program(
    verdicts={"i": "parallel"},
    args=lambda rng: [(rng.uniform(-100.0, 100.0, 80), np.zeros((6, 80)))],
)
def converted_by_name(x, out):
    for i in range(len(x)):
        out[0, i] = np.float32(x[i])
        out[1, i] = np.int32(x[i]) + np.int16(3)
        out[2, i] = np.int8(int(x[i]))
        out[3, i] = np.float16(x[i]) * np.float16(0.5)
        out[4, i] = float(np.float32(x[i])) * 0.1
        out[5, i] = int(x[i]) / 3


@program(
    verdicts={"i": "reduction"},
    args=each_dtype(lambda rng, d: (whole(rng, d),), INTEGERS),
)
def sum_that_wraps(x):
    s = x[0]
    for i in range(1, len(x)):
        s = s + x[i]
    return s


@program(
    verdicts={"i": "parallel", "j": "parallel"},
    args=each_dtype(
        lambda rng, d: (np.array([0.0, -0.0, 1.0, np.inf, -np.inf, np.nan, 2.5], d), np.zeros((5, 7, 7), d)), FLOATS
    ),
)
def special_floats(x, out):
    for i in range(len(x)):
        for j in range(len(x)):
            out[0, i, j] = x[i] + x[j]
            out[1, i, j] = x[i] * x[j]
            out[2, i, j] = x[i] / x[j]
            out[3, i, j] = x[i] if x[i] < x[j] else x[j]
            out[4, i, j] = (x[i] == x[j]) + 2 * (x[i] <= x[j]) + 4 * (x[i] != x[j])


@program(
    verdicts={"i": "parallel"},
    args=lambda rng: [(d(7), np.zeros(9)) for d in (np.int8, np.uint16, np.int64, np.float32, np.float64, np.bool_)],
)
def numpy_numbers_as_arguments(value, out):
    for i in range(len(out)):
        out[i] = value * 20 + i
    return value + value
