"""A variable that starts as a Python number behaves as one until NumPy's numbers reach it: so a division raises."""

from __future__ import annotations

import numpy as np
import pytest

import weft
from weft.errors import TypeInferenceError


@weft.jit
def mean(a, count):
    s = 0.0
    for i in range(a.shape[0]):
        s += a[i]
    return s / count


@weft.jit
def mean_of_both(a, b, count):
    s = 0.0
    for i in range(a.shape[0]):
        s += a[i]
    for i in range(b.shape[0]):
        s += b[i]
    return s / count


@weft.jit
def mean_of_positive(a):
    s = 0.0
    count = 0
    for i in range(a.shape[0]):
        if a[i] > 0:
            s += a[i]
            count += 1
    return s / count


@weft.jit
def remainder(a, x):
    s = 0
    for i in range(a.shape[0]):
        s += a[i]
    return x // s, x % s


@weft.jit
def inverse(a):
    s = 0.0
    for i in range(a.shape[0]):
        s += a[i]
    return 1.0 / s


def outcome(function, *args):
    with np.errstate(all="ignore"):
        try:
            return function(*args)
        except ZeroDivisionError as error:
            return str(error)


@pytest.mark.parametrize("size", [0, 3])
@pytest.mark.parametrize("count", [0, 3])
@pytest.mark.parametrize("type", [np.float64, np.float32])
def test_mean(size, count, type):
    a = np.ones(size, type)
    assert outcome(mean, a, count) == outcome(mean.__wrapped__, a, count)


@pytest.mark.parametrize("sizes", [(0, 0), (0, 3), (3, 0)])
@pytest.mark.parametrize("count", [0, 2])
def test_two_loops(sizes, count):
    args = (*map(np.ones, sizes), count)
    assert outcome(mean_of_both, *args) == outcome(mean_of_both.__wrapped__, *args)


@pytest.mark.parametrize("a", [np.ones(0), np.ones(3), -np.ones(3)], ids=["empty", "positive", "negative"])
def test_guarded_sum(a):
    assert outcome(mean_of_positive, a) == outcome(mean_of_positive.__wrapped__, a)


@pytest.mark.parametrize("size", [0, 3])
def test_sum_as_divisor(size):
    integers, floats = np.zeros(size, np.int64), np.zeros(size)
    assert outcome(remainder, integers, 5) == outcome(remainder.__wrapped__, integers, 5)
    assert outcome(inverse, floats) == outcome(inverse.__wrapped__, floats)


def test_rounded_start_does_not_leave_the_function():
    @weft.jit
    def third(a):
        s = 1
        for i in range(a.shape[0]):
            if a[i] > 0:
                s = a[i]
        return s / 3

    with pytest.raises(TypeInferenceError, match="'s' may be int or np.float32 here"):
        third(np.zeros(3, np.float32))
    found, wanted = third(np.ones(3, np.float32)), third.__wrapped__(np.ones(3, np.float32))
    assert (found, type(found)) == (wanted, type(wanted))


def test_rounded_start_is_not_widened():
    @weft.jit
    def third(a, out):
        s = 1
        for i in range(a.shape[0]):
            if a[i] > 0:
                s = a[i]
        out[0] = s / 3

    out = np.zeros(1)
    with pytest.raises(TypeInferenceError, match="'s' may be int or np.float32 here"):
        third(np.zeros(3, np.float32), out)
    assert out[0] == 0
    third(np.ones(3, np.float32), out)
    assert out[0] == np.float32(1) / 3


def test_a_named_result_is_still_pythons():
    @weft.jit
    def far(a):
        s = 0
        for i in range(a.shape[0]):
            s += a[i]
        y = s + 1
        return y + 1000

    with pytest.raises(TypeInferenceError, match="'y' may be int or np.int8 here"):
        far(np.zeros(0, np.int8))


def test_a_float_in_an_integer_variable_is_refused():
    @weft.jit
    def product(a, b, out):
        for i in range(a.shape[0]):
            out[i] = (a[i] if b[i] > 0 else 100.0) * a[i]

    out = np.zeros(3)
    with pytest.raises(TypeInferenceError, match=r"this value may be float or np\.int8 here, by its value"):
        product(np.full(3, 100, np.int8), np.arange(3), out)
    assert not out.any()
    product(np.full(3, 10, np.int8), np.ones(3, np.int64), out)
    assert (out == 100).all()
