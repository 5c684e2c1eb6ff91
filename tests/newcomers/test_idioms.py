"""What people write of Python's floats has CPython's bits, also where it runs in vectors."""

from __future__ import annotations

import math

import numpy as np
import pytest

import weft

EDGES = [
    0.0, -0.0, 1.0, -1.0, 2.0, 0.5, -0.5, 3.0, 1.5, -1.5, 7.9999999999999, 1e15, 2.0**52 + 0.5, -(2.0**53), 1e-300,
    5e-324, -5e-324, 1e100, 2.0**31, 2.0**-33, math.nextafter(2.0, 3.0), math.nextafter(1.0, 0.0),
]  # fmt: skip


def second(x, y):
    for i in range(x.shape[0]):
        y[i] = float(x[i]) ** 2


def second_of_math(x, y):
    for i in range(x.shape[0]):
        y[i] = math.pow(float(x[i]), 2.0)


def root_of_math(x, y):
    for i in range(x.shape[0]):
        y[i] = math.pow(float(x[i]), 0.5)


def third(x, y):
    for i in range(x.shape[0]):
        y[i] = float(x[i]) ** 3


def fourth(x, y):
    for i in range(x.shape[0]):
        y[i] = float(x[i]) ** 4


def inverse(x, y):
    for i in range(x.shape[0]):
        y[i] = float(x[i]) ** -1


def inverse_square(x, y):
    for i in range(x.shape[0]):
        y[i] = float(x[i]) ** -2


def root(x, y):
    for i in range(x.shape[0]):
        y[i] = float(x[i]) ** 0.5


def fraction(x, y):
    for i in range(x.shape[0]):
        y[i] = float(x[i]) % 1.0


def rest_of_four(x, y):
    for i in range(x.shape[0]):
        y[i] = float(x[i]) % 4.0


def rest_of_half(x, y):
    for i in range(x.shape[0]):
        y[i] = float(x[i]) % 0.5


def whole(x, y):
    for i in range(x.shape[0]):
        y[i] = int(x[i])


IDIOMS = [
    second,
    second_of_math,
    root_of_math,
    third,
    fourth,
    inverse,
    inverse_square,
    root,
    fraction,
    rest_of_four,
    rest_of_half,
    whole,
]
NEEDS_POSITIVE = {root, root_of_math}
NEEDS_NONZERO = {inverse, inverse_square}
LARGEST = {
    whole: 2.0**62,
    inverse: 1e300,
    fourth: 1e75,
    third: 1e100,
    second: 1e150,
    second_of_math: 1e150,
    inverse_square: 1e150,
}


def values(idiom, count: int = 30_000) -> np.ndarray:
    random = np.random.default_rng(7)
    x = np.concatenate(
        [EDGES, random.uniform(-4, 4, count), np.exp(random.normal(0, 20, count)), -random.random(count)]
    )
    x = np.abs(x) if idiom in NEEDS_POSITIVE else x
    x = x[(np.abs(x) >= 1e-75)] if idiom in NEEDS_NONZERO else x
    return x[np.abs(x) <= LARGEST.get(idiom, 1e300)]


@pytest.mark.parametrize("idiom", IDIOMS, ids=lambda f: f.__name__)
def test_bits_are_those_of_cpython(idiom):
    x = values(idiom)
    expected, y = np.zeros(len(x)), np.zeros(len(x))
    idiom(x, expected)
    weft.jit(idiom, device="cpu")(x, y)
    np.testing.assert_array_equal(y.view(np.int64), expected.view(np.int64))


@pytest.mark.parametrize("place", [0, 1000, 1031])
@pytest.mark.parametrize(
    ("idiom", "bad", "error"),
    [
        (second, 1e200, OverflowError), (second_of_math, 1e200, OverflowError),
        (root_of_math, -1.0, ValueError), (third, -1e200, OverflowError), (inverse, 0.0, ZeroDivisionError),
        (inverse_square, -0.0, ZeroDivisionError), (whole, math.inf, OverflowError), (whole, math.nan, ValueError),
    ],
    ids=lambda value: getattr(value, "__name__", str(value)),
)  # fmt: skip
def test_exceptions_are_those_of_cpython(idiom, bad, error, place):
    x = np.linspace(1.0, 2.0, 1032)
    x[place] = bad
    expected, y = np.zeros(len(x)), np.zeros(len(x))
    with pytest.raises(error):
        idiom(x, expected)
    with pytest.raises(error):
        weft.jit(idiom, device="cpu")(x, y)
    np.testing.assert_array_equal(y[:place], expected[:place])


@pytest.mark.parametrize("special", [math.inf, -math.inf, math.nan])
@pytest.mark.parametrize("idiom", [second, third, inverse, fraction, rest_of_four], ids=lambda f: f.__name__)
def test_infinities_and_nans_pass_as_in_cpython(idiom, special):
    x = np.full(70, 1.25)
    x[[3, 40]] = special
    expected, y = np.zeros(70), np.zeros(70)
    idiom(x, expected)
    weft.jit(idiom, device="cpu")(x, y)
    np.testing.assert_array_equal(y, expected)
