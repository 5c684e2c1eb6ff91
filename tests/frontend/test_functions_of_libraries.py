"""Builtins, ``math`` and NumPy's scalar functions."""

from __future__ import annotations

import functools
import math
import operator

import numpy as np
import pytest

from .compare import check

VALUES = [0.0, 1.0, -1.0, 0.5, 2.5, -3.5, 100.0, 1e300, float("inf"), float("nan")]
INTS = [0, 1, 2, -3, 7, 64, 10**6]

MATH_ONE = [
    lambda x: math.sqrt(x), lambda x: math.exp(x), lambda x: math.log(x), lambda x: math.log2(x),
    lambda x: math.log10(x), lambda x: math.log1p(x), lambda x: math.expm1(x), lambda x: math.sin(x),
    lambda x: math.cos(x), lambda x: math.tan(x), lambda x: math.asin(x), lambda x: math.acos(x),
    lambda x: math.atan(x), lambda x: math.sinh(x), lambda x: math.cosh(x), lambda x: math.tanh(x),
    lambda x: math.asinh(x), lambda x: math.acosh(x), lambda x: math.atanh(x), lambda x: math.fabs(x),
    lambda x: math.floor(x), lambda x: math.ceil(x), lambda x: math.trunc(x), lambda x: math.erf(x),
    lambda x: math.erfc(x), lambda x: math.gamma(x), lambda x: math.lgamma(x), lambda x: math.degrees(x),
    lambda x: math.radians(x), lambda x: math.isnan(x), lambda x: math.isinf(x), lambda x: math.isfinite(x),
    lambda x: math.log(x, 2), lambda x: math.modf(x), lambda x: round(x), lambda x: int(x), lambda x: float(x),
    lambda x: bool(x), lambda x: complex(x), lambda x: abs(x), lambda x: x.is_integer(), lambda x: x.real,
    lambda x: x.imag, lambda x: x.conjugate(), lambda x: complex(x, 2), lambda x: complex(1.0, x),
]  # fmt: skip


MAKE_INTEGERS = (MATH_ONE[20], MATH_ONE[21], MATH_ONE[22], MATH_ONE[34], MATH_ONE[35])
"""Functions whose result is a Python integer, which may not fit in 64 bits."""


@pytest.mark.parametrize("f", MATH_ONE)
def test_functions_of_one_float(f):
    for x in VALUES:
        if x != 1e300 or f not in MAKE_INTEGERS:
            check(f, x)


TWO = [
    lambda x, y: math.pow(x, y), lambda x, y: math.atan2(x, y), lambda x, y: math.hypot(x, y),
    lambda x, y: math.copysign(x, y), lambda x, y: math.fmod(x, y), lambda x, y: math.isclose(x, y),
    lambda x, y: math.isclose(x, y, rel_tol=0.5, abs_tol=1), lambda x, y: divmod(x, y), lambda x, y: pow(abs(x), y),
    lambda x, y: x // y, lambda x, y: x % y, lambda x, y: x / y, lambda x, y: min(x, y), lambda x, y: max(x, y, 0.5),
    lambda x, y: math.remainder(x, y), lambda x, y: math.nextafter(x, y), lambda x, y: (x == y, x < y, x != y),
]  # fmt: skip


@pytest.mark.parametrize("f", TWO)
def test_functions_of_two_floats(f):
    for x in VALUES:
        for y in (2.0, 0.0, -0.5, float("inf")):
            check(f, x, y, message=f is not TWO[7])


INTEGERS = [
    lambda m, n: m + n, lambda m, n: m - n, lambda m, n: m * n, lambda m, n: m // n, lambda m, n: m % n,
    lambda m, n: m / n, lambda m, n: m & n, lambda m, n: m | n, lambda m, n: m ^ n, lambda m, n: ~m,
    lambda m, n: m << (n & 7), lambda m, n: m >> (n & 7), lambda m, n: -m, lambda m, n: +m, lambda m, n: abs(m),
    lambda m, n: m**2, lambda m, n: m**0, lambda m, n: divmod(m, n), lambda m, n: math.gcd(m, n),
    lambda m, n: math.lcm(m, n), lambda m, n: math.sqrt(abs(m)), lambda m, n: math.isqrt(m),
    lambda m, n: math.factorial(m % 10), lambda m, n: math.comb(m, 2), lambda m, n: math.perm(m, 2),
    lambda m, n: min(m, n), lambda m, n: max(m, n), lambda m, n: float(m), lambda m, n: bool(m), lambda m, n: int(m),
    lambda m, n: round(m), lambda m, n: (m < n, m <= n, m > n, m >= n, m == n, m != n), lambda m, n: m == n + 0.5,
    lambda m, n: math.floor(m), lambda m, n: m**2.0, lambda m, n: 2.0**n if n < 100 else 0.0,
    lambda m, n: 2 ** len(range(n % 5)), lambda m, n: 2**-1 * m, lambda m, n: math.gcd(m, n, 6), lambda m, n: m.real,
    lambda m, n: math.gcd(m), lambda m, n: math.lcm(n), lambda m, n: math.gcd() + m, lambda m, n: math.lcm() + n,
]  # fmt: skip


@pytest.mark.parametrize("f", INTEGERS)
def test_integers(f):
    for m in INTS:
        for n in (3, -2, 0):
            check(f, m, n, message=False)


def test_overflow_of_python_integers_raises():
    def f(n):
        return n * n

    from .compare import interpret, outcome

    assert outcome(lambda: interpret(f, 2**40))[0] == "OverflowError"


NUMPY_ONE = [
    lambda x: np.sqrt(x), lambda x: np.exp(x), lambda x: np.log(x), lambda x: np.sin(x), lambda x: np.arctan(x),
    lambda x: np.abs(x), lambda x: np.floor(x), lambda x: np.ceil(x), lambda x: np.rint(x), lambda x: np.sign(x),
    lambda x: np.isnan(x), lambda x: np.isfinite(x), lambda x: np.square(x), lambda x: np.cbrt(x),
    lambda x: np.reciprocal(x), lambda x: np.negative(x), lambda x: np.round(x), lambda x: np.round(x, 1),
    lambda x: np.trunc(x), lambda x: np.conj(x), lambda x: np.real(x), lambda x: -x, lambda x: abs(x),
    lambda x: x + 1, lambda x: x * 0.1, lambda x: 1 / x, lambda x: x // 2, lambda x: x % 3, lambda x: x**2,
    lambda x: x > 1, lambda x: min(x, 1), lambda x: np.minimum(x, 1), lambda x: np.maximum(x, 2.5),
    lambda x: np.clip(x, 1, 3), lambda x: np.where(x > 1, x, 0.5), lambda x: np.float32(x), lambda x: float(x),
    lambda x: np.add(x, 1), lambda x: np.power(x, 2), lambda x: np.logical_not(x), lambda x: np.hypot(x, 3),
    lambda x: np.arctan2(x, 2), lambda x: np.degrees(x), lambda x: np.copysign(x, -1.0), lambda x: np.fmax(x, 2),
    lambda x: np.greater(x, 1.0), lambda x: bool(x), lambda x: np.bool_(x), lambda x: complex(x) * 2,
    lambda x: np.complex64(x), lambda x: math.sqrt(x), lambda x: round(x), lambda x: int(x), lambda x: x.item(),
]  # fmt: skip


WEAK_OR_NOT = (NUMPY_ONE[30],)
"""One of two numbers, of which one is a Python constant: translated, both are NumPy's."""


@pytest.mark.parametrize("f", NUMPY_ONE)
@pytest.mark.parametrize("dtype", [np.float64, np.float32, np.float16])
def test_numpy_functions_of_floats(f, dtype):
    for x in (0.5, 2.0, 3.75, 0.0):
        check(f, dtype(x), types=f not in WEAK_OR_NOT)


@pytest.mark.parametrize("f", [g for g in NUMPY_ONE if g not in (NUMPY_ONE[17], NUMPY_ONE[33])])
@pytest.mark.parametrize("dtype", [np.int64, np.int32, np.int8, np.uint8, np.uint32])
def test_numpy_functions_of_integers(f, dtype):
    for x in (1, 2, 7):
        check(f, dtype(x), message=False, types=f not in WEAK_OR_NOT)


PYTHON_NUMBERS = [
    lambda x: np.sqrt(x), lambda x: np.abs(x), lambda x: np.minimum(x, 2), lambda x: np.sign(x),
    lambda x: np.add(x, x), lambda x: np.isnan(x), lambda x: np.float32(x), lambda x: np.int32(x),
    lambda x: np.uint8(x), lambda x: np.bool_(x),
]  # fmt: skip


@pytest.mark.parametrize("f", PYTHON_NUMBERS)
@pytest.mark.parametrize("x", [2.5, 3, True, 250])
def test_numpy_functions_of_python_numbers(f, x):
    if x is True and f is PYTHON_NUMBERS[3]:
        pytest.skip("np.sign has no loop for bool")
    check(f, x, message=False)


def test_numpy_integers_wrap():
    def f(a, b):
        return a + b, a * b, a - b, -a, a << 3, ~a, abs(b), a // b, a % b

    check(f, np.int8(100), np.int8(-77))
    check(f, np.uint8(200), np.uint8(100))
    check(f, np.int64(2**62), np.int64(-(2**62)))


def test_mixed_types():
    def f(a, b, c, x, n):
        return a + b, b * c, a * n, b * n, b * x, c + 1, a < b, b == n, (a + 1) * c, n * x, a > 300, c == -1

    check(f, np.int8(5), np.int32(7), np.uint16(9), 1.5, 3)
    check(f, np.float32(5), np.float16(7), np.uint16(9), 1.5, 3)


def test_numbers_that_do_not_fit_the_other_type():
    def f(a, n):
        return a + n

    for n in (300, -1, 5):
        check(f, np.uint8(7), n, message=False)


def test_large_constants():
    def f(a):
        h = np.uint64(0xCBF29CE484222325)
        for i in range(len(a)):
            h = (h ^ np.uint64(a[i])) * np.uint64(0x100000001B3)
        return h

    check(f, np.array([1, 2, 255], np.uint8))


def test_comparisons_are_exact():
    def f(n, x, a, b):
        return n == x, n < x, n > x, a < b, a == b, a > n, b > n

    check(f, 2**53 + 1, float(2**53), np.int64(-1), np.uint64(5))
    check(f, -5, 0.5, np.int64(2**60), np.uint64(2**63))


def test_sum_min_max_any_all_of_arrays_and_tuples():
    def f(a, t):
        return sum(a), min(a), max(a), any(a), all(a), sum(t), min(t), max(t), sum(a, 10), math.prod(a), sum((1, 2.5))

    check(f, np.array([3, 1, 2]), (1.5, 2.5))
    check(f, np.array([3.0, 0.0, 2.0]), (1, 2))


def test_min_of_nothing():
    def f(a):
        return min(a)

    check(f, np.zeros(0), message=False)


def test_nan_in_min_and_max():
    def f(x, y):
        return min(x, y), max(x, y), min(y, x), np.minimum(x, y), np.maximum(x, y)

    check(f, float("nan"), 1.0)
    check(f, np.float64("nan"), np.float64(1.0))


def test_constants():
    def f(x):
        return x * math.pi, x + np.inf, np.pi * 2, math.tau, np.e, float("inf"), np.nan, float("-inf"), math.inf

    check(f, 1.5)


def test_python_power():
    def f(x, n):
        return x**n, x**2, x**-1, 2**10, n**3, 2.0**n

    check(f, 1.5, 3)
    check(f, 0.0, 0, message=False)
    check(f, 0.0, -1, message=False)


def test_complex_arithmetic():
    def f(z, w):
        return z + w, z * w, z - 1, z / w, abs(z), z == w, -z, z.real, z.imag, z * 2.0, z**2

    check(f, 1 + 2j, 0.5 - 1j)
    check(f, np.complex128(1 + 2j), np.complex128(0.5 - 1j))
    check(f, np.complex64(1 + 2j), 0.5 - 1j)


def test_bools_are_integers():
    def f(b, c, n):
        return b + c, b * n, b & c, b | c, b ^ c, ~n, b < c, -b, b == 1, int(b), n + b

    check(f, True, False, 5)


def all_operators(m, n):
    return (
        (operator.add(m, n), operator.sub(m, n), operator.mul(m, n), operator.truediv(m, n), operator.floordiv(m, n)),
        (operator.mod(m, n), operator.pow(m, 2), operator.and_(m, n), operator.or_(m, n), operator.xor(m, n)),
        (operator.lshift(m, n & 7), operator.rshift(m, n & 7), operator.invert(m), operator.neg(m), operator.pos(m)),
        (operator.lt(m, n), operator.le(m, n), operator.gt(m, n), operator.ge(m, n), operator.eq(m, n)),
        (operator.ne(m, n), operator.not_(m), operator.contains((1, 2), n), operator.getitem((m, n), 1)),
    )


def passed_on(a, b):
    return sum(map(operator.mul, a, b)), functools.reduce(operator.sub, a), operator.matmul(a, b)


def test_the_operators_as_functions():
    for m, n in ((7, 2), (-7, 3), (5, 0), (2**30, 4)):
        check(all_operators, m, n)
    check(passed_on, np.arange(4.0), np.arange(1.0, 5.0))
