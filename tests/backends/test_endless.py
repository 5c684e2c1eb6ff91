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


def times(a, out, limit):
    for i in range(out.shape[0]):
        n = a[i]
        for _ in range(limit):
            n = n / 2
        out[i] = n


def times_a_half(a, out, limit):
    for i in range(out.shape[0]):
        n = a[i]
        for _ in range(limit):
            n = n * 0.5
        out[i] = n


def times_of_an_element(a, out):
    for i in range(out.shape[0]):
        n = a[i]
        for _ in range(int(a[0])):
            n = n / 2
        out[i] = n


def until_found(a, out, limit):
    for i in range(out.shape[0]):
        n = a[i]
        for _ in range(limit):
            if n < 0.25:
                break
            n = n / 2
        out[i] = n


def times_two(a, out, limit):
    for i in range(out.shape[0]):
        n = a[i]
        for _ in range(limit):
            for _ in range(3):
                n = n / 2
        out[i] = n


def few_times(a, out):
    for i in range(out.shape[0]):
        n = a[i]
        for _ in range(1000):
            n = n / 2
        out[i] = n


def over_elements(a, out, limit):
    for i in range(out.shape[0]):
        n = 0.0
        for k in range(limit):
            n += a[k]
        out[i] = n


def over_elements_from_the_end(a, out, limit):
    for i in range(out.shape[0]):
        n = 0.0
        for k in range(limit):
            n += a[a.shape[0] - 1 - k]
        out[i] = n


def over_pairs(a, out, limit):
    for i in range(out.shape[0]):
        n = 0.0
        for j in range(limit):
            for k in range(2):
                n += a[j + k]
        out[i] = n


def over_few_elements(a, out, limit):
    for i in range(out.shape[0]):
        n = 0.0
        for k in range(limit):
            n += a[k % 4]
        out[i] = n


def over_no_elements(a, out, limit, step):
    for i in range(out.shape[0]):
        n = 0.0
        for k in range(limit):
            n += a[k * step]
        out[i] = n


def beside_no_elements(a, out, limit, few):
    for i in range(out.shape[0]):
        n = a[i]
        for k in range(limit):
            for j in range(few):
                n += a[k + j]
            n = (n * 0.25 + 1.0) % 3.0
        out[i] = n


def shifted(a, out, limit, step):
    for i in range(out.shape[0]):
        n = a[i]
        for k in range(limit):
            if k + step < limit:
                n += a[k + step]
            n = (n * 0.25 + 1.0) % 3.0
        out[i] = n


def in_wide_steps(a, out, limit):
    for i in range(out.shape[0]):
        n = a[i]
        for k in range(limit):
            if k * 1099511627776 < limit:
                n += a[k * 1099511627776]
            n = (n * 0.25 + 1.0) % 3.0
        out[i] = n


def source(function, *more):
    a = np.ones(4)
    return weft.jit(function, device="opencl").inspect(a, a.copy(), *more).source


WATCHED = (
    (until_zero, ()), (counted_by_half, ()), (counted_to_a_moving_limit, ()), (counted_to_very_many, ()),
    (counted_in_floats, ()), (counted_to_a_limit, (9,)), (with_a_loop_inside, ()), (times, (3,)),
    (times_of_an_element, ()), (until_found, (3,)), (times_two, (3,)), (over_few_elements, (3,)),
    (over_no_elements, (3, 0)), (beside_no_elements, (3, 0)), (shifted, (3, 3)), (in_wide_steps, (3,)),
)  # fmt: skip
UNWATCHED = (
    (counted, ()), (few_times, ()), (over_elements, (3,)), (over_elements_from_the_end, (3,)), (over_pairs, (2,)),
)  # fmt: skip


@pytest.mark.parametrize(("function", "more"), WATCHED, ids=lambda v: getattr(v, "__name__", ""))
def test_a_loop_that_may_take_long_is_watched(function, more):
    assert "*weft_stop)" in source(function, *more)


@pytest.mark.parametrize(("function", "more"), UNWATCHED, ids=lambda v: getattr(v, "__name__", ""))
def test_a_loop_that_few_iterations_or_an_array_bounds_is_not_watched(function, more):
    assert "weft_stop" not in source(function, *more)


@pytest.mark.parametrize("function", [times, until_found, counted_to_a_limit, times_two], ids=lambda f: f.__name__)
def test_a_kernel_that_ends_soon_is_not_waited_for(function):
    assert "? &mirror->never : runtime->stop" in source(function, 3)


@pytest.mark.parametrize(
    ("function", "more"), [(until_zero, ()), (times_of_an_element, ())],
    ids=lambda v: getattr(v, "__name__", ""),
)  # fmt: skip
def test_one_of_which_nobody_knows_is_waited_for(function, more):
    assert "mirror->never" not in source(function, *more)


def test_short_bodies_look_seldom_and_are_unrolled():
    assert "& 65535) == 0 && *weft_stop)" in source(until_zero) and "#pragma unroll 16" in source(until_zero)
    assert "& 511) == 0 && *weft_stop)" in source(with_a_loop_inside)


@pytest.mark.sample(1)
@pytest.mark.parametrize(
    ("function", "more"),
    [
        case
        for case in (*WATCHED, *UNWATCHED)
        if case[0] not in (counted_to_very_many, counted_in_floats, times_of_an_element)
    ],
    ids=lambda v: getattr(v, "__name__", ""),
)
def test_the_answer_is_the_same(function, more):
    a = np.array([1e300, 1.0, 7.0, 0.1, 3e5, 2.0**90])
    expected, found = np.zeros(6), np.zeros(6)
    function(a, expected, *more)
    weft.jit(function, device="opencl")(a, found, *more)
    assert (found == expected).all()


def six_deep(a, out, limit):
    for i in range(out.shape[0]):
        n = a[i]
        for j in range(limit):
            for k in range(limit):
                for m in range(limit):
                    for p in range(limit):
                        for q in range(limit):
                            for r in range(limit):
                                if n > 1e9:
                                    break
                                n = (n * 0.5 + j * k - m * p + q * r) % 7.0
        out[i] = n


def test_loops_inside_of_one_another_are_printed_once_each_but_for_the_innermost():
    text = source(six_deep, 3)
    assert len(text) < 40_000
    a, expected, found = np.arange(4.0), np.zeros(4), np.zeros(4)
    six_deep(a, expected, 3)
    weft.jit(six_deep, device="opencl")(a, found, 3)
    assert (found == expected).all()


def test_divisions_count_for_many_statements():
    def divided(a, out, limit):
        for i in range(out.shape[0]):
            n = a[i]
            for _ in range(limit):
                n = 1.0 / (n + 1.0)
            out[i] = n

    def statements(function):
        return float(source(function, 3).split("weft_ends_soon(")[-1].split(" ")[0])

    assert statements(divided) > 10 * statements(times_a_half)


def test_loops_that_have_no_iterations_take_time_too():
    with pytest.raises(weft.TimeoutError):
        weft.jit(beside_no_elements, device="opencl", timeout=0.3)(np.ones(4), np.ones(4), 2**60, 0)


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
