"""Arrays after an exception in a loop that threads share: as CPython leaves them."""

from __future__ import annotations

import copy
import itertools
import math
from collections.abc import Callable

import numpy as np
import pytest

import weft
from weft.runtime import _stub

pytestmark = pytest.mark.usefixtures("on_four_threads")


def raises(x, out):
    for i in range(len(x)):
        out[i] = -1.0
        if x[i] > 0.5:
            raise ValueError("too large")
        out[i] = x[i] + 1.0


def asserts_in_a_nest(x, out):
    n = out.shape[1]
    for i in range(out.shape[0]):
        for j in range(n):
            assert x[i * n + j] < 0.5
            out[i, j] = x[i * n + j]


def rows(x, out):
    n = out.shape[1]
    for i in range(out.shape[0]):
        total = 0.0
        for j in range(n):
            out[i, j] = x[i * n + j]
            total += x[i * n + j]
        if total > 0.5:
            raise ValueError("too much in a row")


def stores_outside(x, out):
    for i in range(len(x)):
        out[i] = x[i]


def gathers(x, places, out):
    for i in range(len(places)):
        out[i] = x[places[i]]


def local_arrays(x, out):
    for i in range(len(x)):
        pair = np.zeros(2)
        pair[0] = x[i]
        if pair[0] > 0.5:
            raise ValueError("too large")
        out[i] = pair[0] + pair[1]


def divides(x, out):
    for i in range(len(x)):
        out[i] = 1.0 / float(1.0 - x[i])


def sums(x, out):
    total = 0.0
    for i in range(len(x)):
        if x[i] > 0.5:
            raise ValueError("too large")
        total += x[i]
        out[i] = 2.0
    return total


def scales_in_place(x, places, out):
    for i in range(len(places)):
        out[i] = out[i] + x[places[i]]


def sums_rows(x, first, places, out):
    for i in range(len(out)):
        total = 0.0
        for k in range(first[i], first[i + 1]):
            total += x[places[k]]
        out[i] = total


def stores_pairs(x, places, out):
    for i in range(len(places)):
        t = x[places[i]]
        out[2 * i] = t
        out[2 * i + 1] = -t


def adds_to_whole_numbers(x, counts, out):
    for i in range(len(out)):
        counts[i] = x[i] * 3.0
        out[i] += 2.0 / x[i]


def converts_between_stores(x, counts, out):
    for i in range(len(out)):
        counts[i] = i
        out[i] = out[i] + x[i]
        counts[i] = x[i] + 1.0


def stores_before_it_reads_another_array(x, counts, out):
    for i in range(len(out)):
        for j in range(2):
            counts[2 * i + j] = i + j
        out[i] = 2.0 * out[i] - x[i]


def not_whole(place: int) -> np.ndarray:
    """Ones, and from a place on NaN, now and then."""
    x = np.ones(600)
    x[place::7] = math.nan
    return x


def values(place: int, size: int = 600) -> np.ndarray:
    """Zeros, and ones from a place on, now and then."""
    x = np.zeros(size)
    x[place::7] = 1.0
    return x


CASES: list[tuple[Callable[..., object], Callable[[int], tuple[object, ...]]]] = [
    (raises, lambda k: (values(k), np.zeros(600))),
    (asserts_in_a_nest, lambda k: (values(k), np.zeros((20, 30)))),
    (rows, lambda k: (values(k), np.zeros((20, 30)))),
    (stores_outside, lambda k: (np.ones(600), np.zeros(k))),
    (gathers, lambda k: (np.ones(9), values(k).astype(np.int64) * 9, np.zeros(600))),
    (scales_in_place, lambda k: (np.ones(9), values(k).astype(np.int64) * 9, np.arange(600.0))),
    (
        sums_rows,
        lambda k: (np.ones(9), np.arange(601), values(k).astype(np.int64) * 9, np.zeros(600)),
    ),
    (stores_pairs, lambda k: (np.ones(9), values(k).astype(np.int64) * 9, np.zeros(1200))),
    (local_arrays, lambda k: (values(k), np.zeros(600))),
    (divides, lambda k: (values(k), np.zeros(600))),
    (sums, lambda k: (values(k), np.zeros(600))),
    (adds_to_whole_numbers, lambda k: (not_whole(k), np.ones(600, np.int32), np.arange(600))),
    (converts_between_stores, lambda k: (not_whole(k), np.ones(600, np.int16), np.arange(600.0))),
    (stores_before_it_reads_another_array, lambda k: (not_whole(k), np.ones(1200, np.int8), np.arange(600))),
]


@pytest.mark.parametrize(("function", "make"), CASES, ids=[f.__name__ for f, _ in CASES])
def test_arrays_are_as_cpython_leaves_them(function, make):
    compiled = weft.jit(function)
    for place in (0, 1, 31, 250, 599):
        for _ in range(20):
            expected = make(place)
            found = copy.deepcopy(expected)
            with pytest.raises(Exception) as theirs:
                function(*expected)
            with pytest.raises(type(theirs.value)):
                compiled(*found)
            for a, b in zip(expected, found, strict=True):
                np.testing.assert_array_equal(a, b)


@pytest.mark.parametrize("place", [0, 8191, 8192, 599_999])
def test_long_loops_run_in_long_pieces(place):
    _stub.set_grain(1e4)
    x, out = np.zeros(600_000), np.zeros(600_000)
    x[place:] = 1.0
    with pytest.raises(ValueError, match="too large"):
        weft.jit(raises)(x, out)
    np.testing.assert_array_equal(out[:place], 1.0)
    assert out[place] == -1.0
    np.testing.assert_array_equal(out[place + 1 :], 0.0)


@pytest.mark.parametrize("place", [0, 8191, 8192, 299_999, 599_999])
def test_long_loops_are_undone(place):
    _stub.set_grain(1e4)
    places, out = np.zeros(600_000, np.int64), np.arange(600_000.0)
    places[place::1000] = 9
    with pytest.raises(IndexError):
        weft.jit(gathers)(np.full(9, -1.0), places, out)
    np.testing.assert_array_equal(out[:place], -1.0)
    np.testing.assert_array_equal(out[place:], np.arange(place, 600_000.0))


def test_stores_are_undone_where_nothing_fails_after_them():
    x, out, places = np.zeros(9), np.zeros(600), np.zeros(600, np.int64)
    assert "_undo(" in weft.jit(gathers).inspect(x, places, out).source
    assert "_undo(" in weft.jit(sums_rows).inspect(x, np.arange(601), places, out).source
    assert "_undo(" not in weft.jit(raises).inspect(out, out.copy()).source


def halves(x):
    for i in range(len(x)):
        x[i] = x[i] * 0.5
        if x[i] > 1.0:
            raise ValueError("too large")


def test_a_loop_in_place_tests_before_it_stores():
    compiled, rng = weft.jit(halves), np.random.default_rng(1)
    for failing in rng.integers(0, 4000, 50):
        x = rng.random(4000)
        x[failing] = 3.0
        expected = x.copy()
        for function, values in ((compiled, x), (halves, expected)):
            with pytest.raises(ValueError, match="too large"):
                function(values)
        np.testing.assert_array_equal(x, expected)


def test_a_loop_that_reads_what_it_wrote_runs_once():
    def logarithms(x, steps):
        for i in range(len(x)):
            for _ in range(steps):
                x[i] = x[i] - math.log(x[i])

    def doubles(x, out):
        for i in range(len(x)):
            if x[i] > 1.0:
                raise ValueError("too large")
            out[i] = x[i] * 2.0

    x = np.ones(100)
    in_order = weft.jit(logarithms, disable=["lanes"])
    assert "_in_turn(" not in in_order.inspect(x, 3).source
    assert "is_shared(" in weft.jit(halves).inspect(x).source.split("weft_entry")[1]
    assert "is_shared(" in weft.jit(doubles).inspect(x, x.copy()).source.split("weft_entry")[1]
    weft.jit(halves)(x)
    np.testing.assert_array_equal(x, 0.5)


# ---------------------------------------------------------------- loops that raise for what they do not write, in place


def quotients_in_place(a, k):
    for i in range(len(a)):
        a[i] = float(a[i]) / float(i - k)


def remainders_in_place(a, k):
    for i in range(len(a)):
        a[i] = int(a[i]) % (i - k)


def quotients_that_are_tried(a, k):
    for i in range(len(a)):
        try:
            a[i] = int(a[i]) // (i - k)
        except ValueError:
            a[i] = -3


def asserts_in_place(a, k):
    for i in range(len(a)):
        t = a[i]
        assert i != k, "that one"
        a[i] = t + i


IN_PLACE = [quotients_in_place, remainders_in_place, quotients_that_are_tried, asserts_in_place]


@pytest.mark.parametrize("function", IN_PLACE, ids=lambda f: f.__name__)
def test_loops_in_place_leave_no_trace_behind_the_iteration_that_fails(function):
    compiled = weft.jit(function, device="cpu")
    for size, k in ((130, 2), (130, 100), (4001, 17), (4001, 4000)) * 100:
        expected, got = (np.arange(size) * 100 + 7 for _ in range(2))
        for one, array in ((function, expected), (compiled, got)):
            with pytest.raises((ZeroDivisionError, AssertionError)):
                one(array, k)
        assert np.array_equal(expected, got)


OF_ONE = [math.atan, math.tanh, math.asinh, math.erf, math.erfc, math.fabs, math.degrees, math.radians]
OF_TWO = [math.atan2, math.copysign, math.hypot]


@pytest.mark.parametrize("call", [*OF_ONE, *OF_TWO], ids=lambda f: f.__name__)
def test_functions_that_never_fail_are_not_tested(call):
    """Python's functions, which take numbers of any size: no loop waits for them."""

    def of_one(x, y, out):
        for i in range(len(x)):
            out[i] = call(float(x[i]))

    def of_two(x, y, out):
        for i in range(len(x)):
            out[i] = call(float(x[i]), float(y[i]))

    function = of_two if call in OF_TWO else of_one
    edges = [0.0, -0.0, 1e308, -1e308, 5e-324, -5e-324, math.inf, -math.inf, math.nan, 1.5, -710.0]
    x, y = (np.tile(v, 30) for v in np.array(list(itertools.product(edges, repeat=2))).T)
    expected, found = np.zeros(len(x)), np.zeros(len(x))
    function(x, y, expected)
    compiled = weft.jit(function)
    compiled(x, y, found)
    np.testing.assert_allclose(found, expected, rtol=4e-15)
    numbers = ~np.isnan(expected)
    np.testing.assert_array_equal(np.signbit(found)[numbers], np.signbit(expected)[numbers])
    source = compiled.inspect(x, y, found).source
    assert "runtime->in_order(" not in source
    assert "runtime->undoing(" not in source
