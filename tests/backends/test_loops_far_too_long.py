"""Loops over far more iterations than anybody waits for, of which an early one fails: it ends them, as in CPython."""

from __future__ import annotations

import signal
import threading
import time
from collections.abc import Callable

import numpy as np
import pytest

import weft

SOON = 10.0
"""Seconds, on a machine that does other things too."""


pytestmark = pytest.mark.usefixtures("on_four_threads")


def undone(x, n):
    for i in range(n):
        x[i] = 1.0


def undone_from_below(x, n):
    for i in range(-3, n):
        x[i] = 1.0


def first_tested(x, n):
    for i in range(n):
        x[i] = 1.0
        if i > 40:
            raise ValueError("too far")
        x[i] = 2.0


def taking_turns(x, n):
    s = 0.0
    for i in range(n):
        s += x[i]
        x[i] = s


def packing(x, n):
    m = 0
    for i in range(n):
        if x[i] > 3.0:
            x[m] = x[i]
            m += 1
    return m


def of_two(y, n):
    for i in range(n):
        for j in range(n):
            y[i, j] = 1.0


def of_two_from_below(y, n):
    for i in range(-2, n):
        for j in range(-2, n):
            y[i, j] = 1.0


def rows(y, n):
    for i in range(n):
        total = 0.0
        for j in range(y.shape[1]):
            total += y[i, j]
        y[i, 0] = total


def only_tests(x, n):
    for i in range(n):
        if i == 5:
            raise ValueError("too far")


def sum_of_elements(x, n):
    total = 0.0
    for i in range(n):
        total += x[i]
    return total


def sum_of_quotients(x, n):
    total = 0.0
    for i in range(n):
        total += 1.0 / float(5 - i)
    return total


def sums_of_rows(y, n):
    total = 0.0
    for i in range(n):
        row = 1.0 / float(7 - i)
        for j in range(y.shape[1]):
            row = max(row, y[0, j] / (1.0 + i))
        total += row
    return total


def by_key(x, n):
    for i in range(n):
        x[i % 7] += 1.0 / float(50 - i)


def until_there(x, n):
    for i in range(n):
        if i == 40:
            raise ValueError("too far")
        x[i % 7] += 1.0


def searching(x, n):
    for i in range(n):
        if x[i] > 200.0:
            return i
    return -1


FAILING = (
    undone, undone_from_below, first_tested, taking_turns, packing, of_two, of_two_from_below, rows, only_tests,
    sum_of_elements, sum_of_quotients, sums_of_rows, by_key, until_there, searching,
)  # fmt: skip


def array_of(function: Callable[..., object]) -> np.ndarray:
    x = np.arange(100.0)
    return x.reshape(10, 10) if "y" in function.__code__.co_varnames[:1] else x


@pytest.mark.parametrize("trips", [2**34 + 5, 2**62 + 3, 2**63 - 1])
@pytest.mark.parametrize("function", FAILING, ids=lambda f: f.__name__)
def test_the_first_failure_ends_them(function, trips):
    compiled = weft.jit(function, timeout=SOON)
    for _ in range(3):
        expected, found = array_of(function), array_of(function)
        with pytest.raises((IndexError, ValueError, ZeroDivisionError)) as theirs:
            function(expected, trips)
        with pytest.raises(type(theirs.value)) as ours:
            compiled(found, trips)
        assert str(ours.value) == str(theirs.value)
        np.testing.assert_array_equal(found, expected)


def between(x, ends, last):
    for i in range(ends[0], ends[1]):
        if i == last:
            raise ValueError("too far")
        x[i % 7] += 1.0


@pytest.mark.parametrize("far", [2**61, 2**62 + 5, 3 * 2**61])
def test_pieces_behind_the_first_failure_add_nothing(far):
    compiled, ends = weft.jit(between, timeout=SOON), np.array([-far, far])
    expected, found = np.zeros(7), np.zeros(7)
    for function, x in ((between, expected), (compiled, found)):
        with pytest.raises(ValueError, match="too far"):
            function(x, ends, 200_000 - far)
    np.testing.assert_array_equal(found, expected)


def sums_nothing(x, n):
    total = 0.0
    for i in range(n):
        total += 0.5 * i
    return total


def sums_keys(x, n):
    for i in range(n):
        x[i % 7] += 0.5 * i


def sums_keys_until(x, n):
    for i in range(n):
        if i == 2**61:
            raise ValueError("too far")
        x[i % 7] += 0.5


ENDLESS = (sums_nothing, sums_keys, sums_keys_until)


@pytest.mark.parametrize("function", ENDLESS, ids=lambda f: f.__name__)
def test_a_time_limit_ends_those_that_do_not_fail(function):
    limited = weft.jit(function, timeout=0.2)
    with pytest.raises(TimeoutError):
        limited(np.arange(100.0), 2**62)


@pytest.mark.parametrize("function", ENDLESS, ids=lambda f: f.__name__)
def test_ctrl_c_ends_those_that_do_not_fail(function):
    compiled = weft.jit(function)
    compiled(np.arange(100.0), 5)
    timer = threading.Timer(0.3, signal.raise_signal, [signal.SIGINT])
    timer.start()
    began = time.perf_counter()
    with pytest.raises(KeyboardInterrupt):
        compiled(np.arange(100.0), 2**62)
    assert time.perf_counter() - began < SOON
