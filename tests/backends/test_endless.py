"""Loops in kernels that may never end look whether the program is to stop; others do not, and cost nothing."""

from __future__ import annotations

import numpy as np
import pytest

import weft

pytestmark = pytest.mark.skipif(all(d.name != "opencl" for d in weft.devices()), reason="needs OpenCL")


def until_zero(a, out):
    for i in range(out.shape[0]):
        n = a[i]
        while n > 0.25:
            n = n / 2
        out[i] = n


def counted(a, out):
    for i in range(out.shape[0]):
        n, k = a[i], 0
        while n > 0.25 and k < 100:
            n = n / 2
            k += 1
        out[i] = n


def counted_to_a_limit(a, out, limit):
    for i in range(out.shape[0]):
        n, k = a[i], 0
        while n > 0.25 and k < limit:
            n = n / 2
            k += 1
        out[i] = n


def counted_to_a_moving_limit(a, out):
    for i in range(out.shape[0]):
        n, k, limit = a[i], 0, 10
        while n > 0.25 and k < limit:
            n = n / 2
            k += 1
            limit += 1
        out[i] = n


def counted_to_very_many(a, out):
    for i in range(out.shape[0]):
        n, k = a[i], 0
        while n > 0.25 and k < 10**15:
            n = n / 2
            k += 1
        out[i] = n


def counted_in_floats(a, out):
    for i in range(out.shape[0]):
        k = 0.0
        while k < a[i]:
            k += 1.0
        out[i] = k


def counted_by_half(a, out):
    for i in range(out.shape[0]):
        n, k = a[i], 0
        while n > 0.25 and k < 100:
            n = n / 2
            if n > 7:
                k += 1
        out[i] = n


def with_a_loop_inside(a, out):
    for i in range(out.shape[0]):
        n = a[i]
        while n > 0.25:
            for _ in range(i + 1):
                n = n / 2
        out[i] = n


def source(function, *more):
    a = np.ones(4)
    return weft.jit(function, device="opencl").inspect(a, a.copy(), *more).source


WATCHED = (until_zero, counted_by_half, counted_to_a_moving_limit, counted_to_very_many, counted_in_floats)


@pytest.mark.parametrize("function", [*WATCHED, with_a_loop_inside])
def test_a_loop_that_counts_to_no_limit_is_watched(function):
    assert "*weft_stop)" in source(function)


def test_a_loop_that_counts_to_a_limit_is_not_watched():
    assert "weft_stop" not in source(counted)
    assert "weft_stop" not in source(counted_to_a_limit, 9)


def test_short_bodies_look_seldom_and_are_unrolled():
    assert "& 65535) == 0 && *weft_stop)" in source(until_zero) and "#pragma unroll 16" in source(until_zero)
    assert "& 511) == 0 && *weft_stop)" in source(with_a_loop_inside)


@pytest.mark.parametrize(
    "function", [until_zero, counted, counted_by_half, counted_to_a_moving_limit, with_a_loop_inside]
)
def test_the_answer_is_the_same(function):
    a = np.array([1e300, 1.0, 7.0, 0.1, 3e5, 2.0**90])
    expected, found = np.zeros(6), np.zeros(6)
    function(a, expected)
    weft.jit(function, device="opencl")(a, found)
    assert (found == expected).all()


def test_more_iterations_than_between_two_looks():
    def long(a, out):
        for i in range(out.shape[0]):
            k = 0.0
            while k < a[i]:
                k += 1.0
            out[i] = k

    a, out = np.array([0.0, 65535.0, 65536.0, 300000.0]), np.zeros(4)
    weft.jit(long, device="opencl")(a, out)
    assert (out == a).all()
