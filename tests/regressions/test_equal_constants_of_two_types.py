"""Two branches leave one number as Python's and as NumPy's: the type decides what is computed with it."""

from __future__ import annotations

import numpy as np
import pytest

import weft


def python_first(a, c):
    t = 1.1
    if c > 0:
        t = np.float64(1.1)
    return t * a[0]


def numpy_first(a, c):
    t = np.float64(1.1)
    if c > 0:
        t = 1.1
    return t * a[0]


def by_conditional_expression(a, c):
    t = np.float64(1.1) if c > 0 else 1.1
    return t * a[0]


def sums_that_are_absorbed(a, c):
    t = 1e30
    if c > 0:
        t += np.float64(0.1)
    return t + a[0]


def by_min(a, c):
    t = 1.1
    if c > 0:
        t = min(1.1, np.float64(1.1))
    return t * a[0]


def by_min_alone(a, c):
    return min(np.float64(1.1), 1.1) * a[0], max(1.1, np.float64(1.1)) * a[0]


def by_return(a, c):
    def half(d):
        if d > 0:
            return np.float64(1.1)
        return 1.1

    return half(c) * a[0]


def exchanged(a, c):
    s, t = 1.1, np.float64(1.1)
    if c > 0:
        s, t = np.float64(1.1), 1.1
    return s * a[0] + 0, t * a[0] + 0


def in_a_tuple(a, c):
    p = (1.1, np.float64(1.1))
    if c > 0:
        p = (np.float64(1.1), 1.1)
    return p[0] * a[0], p[1] * a[0]


def in_a_loop(a, c):
    t = 1.1
    for i in range(3):
        if i < c:
            t = np.float64(1.1)
    return t * a[0]


def shifts(a, c):
    t = 1
    if c > 0:
        t = np.int64(1)
    return (t << 62) * 4


def booleans(a, c):
    t = True
    if c > 0:
        t = np.bool_(True)
    return t + t


def same_for_both(a, c):
    t = 2.0
    if c > 0:
        t = np.float64(2.0)
    return t * a[0]


PROGRAMS = [
    python_first, numpy_first, by_conditional_expression, sums_that_are_absorbed, by_min, by_min_alone, by_return,
    exchanged, in_a_tuple, in_a_loop, shifts, booleans, same_for_both,
]  # fmt: skip


@pytest.mark.parametrize("c", [0, 1, 2])
@pytest.mark.parametrize("program", PROGRAMS)
def test_results_are_cpythons_or_errors(program, c):
    a = np.array([0.7, 0.3], np.float32)
    with np.errstate(over="ignore"):
        want = program(a, c)
    try:
        got = weft.jit(program, device="cpu")(a, c)
    except weft.InternalError:
        raise
    except weft.TypeInferenceError:
        assert program is not same_for_both
        return
    pairs = zip(want, got, strict=True) if isinstance(want, tuple) else [(want, got)]
    assert all(int(x) == int(y) and float(x) == float(y) for x, y in pairs), (want, got)


def least_of_constants(out, n):
    out[0] = -min(0, 1.0)


def product_with_the_least(out, n):
    t, s = 0, 1.0
    out[0] = (t - t) * -min(t, s)


def least_of_a_parameter(out, n):
    out[0] = -min(n, 1.0)


def largest_of_a_parameter(out, n):
    out[0] = -max(n, -1.0)


def sign_of_the_least(out, n):
    out[0] = np.copysign(1.0, -min(n, 1.0))


def magnitude_of_the_least(out, n):
    out[0] = -abs(min(n, 1.0))


SIGNS = [
    least_of_constants, product_with_the_least, least_of_a_parameter, largest_of_a_parameter, sign_of_the_least,
    magnitude_of_the_least,
]  # fmt: skip


@pytest.mark.parametrize("n", [0, 2])
@pytest.mark.parametrize("program", SIGNS)
def test_an_integer_zero_has_no_sign(program, n):
    want, got = np.zeros(1), np.zeros(1)
    program(want, n)
    try:
        weft.jit(program, device="cpu")(got, n)
    except weft.InternalError:
        raise
    except weft.TypeInferenceError:
        assert program not in (least_of_constants, product_with_the_least)
        return
    assert want.tobytes() == got.tobytes()
