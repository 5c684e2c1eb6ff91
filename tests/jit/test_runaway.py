"""Loops that count far, with no array that bounds them: time limits and Ctrl-C end them, and they stay right."""

from __future__ import annotations

import signal
import threading
import time

import numpy as np
import pytest

import weft

pytestmark = pytest.mark.filterwarnings("ignore")
DEVICES = ["cpu", *(d.name for d in weft.devices() if d.name == "opencl")]
SECONDS, SOON = 0.2, 1.2
FAR = 2**60


def recurrence(x, n):
    s = x[0]
    for i in range(n):
        s = (s * 3.0 + i) % 7.0
    x[0] = s


def elements(x, n):
    for i in range(n):
        x[i % 5] = x[(i + 1) % 5] * 0.5 + 1.0


def overwritten(x, n):
    for i in range(n):
        x[i & 3] = 0.5 * i


def swapped(x, n):
    for _ in range(n):
        x[0], x[1] = x[1], x[0]


def own_array(x, n):
    own = np.zeros(4)
    for i in range(n):
        own[i & 3] = own[(i + 1) & 3] + 1.0
    x[0] = own[0]


def by_key(x, n):
    for i in range(n):
        x[i % 7] = max(x[i % 7], np.sqrt(0.5 * i))


def extreme(x, n):
    most = 0.0
    for i in range(n):
        most = max(most, np.sqrt(i % 1000) / (1.0 + np.sqrt(i)))
    x[0] = most


def in_each_row(x, n):
    for k in range(x.shape[0]):
        s = x[k]
        for _ in range(n):
            s = s * 0.5 + 1.0
        x[k] = s


def sum_in_each_row(x, n):
    for k in range(x.shape[0]):
        total = 0
        for i in range(n):
            total ^= i * 3 + k
        x[k] = total


def two_in_each_row(x, n):
    for k in range(x.shape[0]):
        s = x[k]
        for i in range(n // 4 + 1):
            for j in range(4):
                s = s * 0.5 + i - j
        x[k] = s


def until_found(x, n):
    for k in range(x.shape[0]):
        s, last = x[k], -1
        for i in range(-3, n):
            if i * x[k] == 131072.0:
                break
            s, last = s * 0.5 + 1.0, i
        x[k] = s + last


def counted_to_a_limit(x, n):
    for k in range(x.shape[0]):
        s, i = x[k], 0
        while s != 0.5 and i < n:
            s = (s * 0.25 + 1.0) % 3.0
            i += 1
        x[k] = s


def helper(s, n):
    for i in range(n):
        s = (s * 3.0 + i) % 7.0
    return s


def in_a_function(x, n):
    for k in range(x.shape[0]):
        x[k] = helper(x[k], n)


ON_THE_HOST = (recurrence, elements, overwritten, swapped, own_array, by_key, extreme)
IN_KERNELS = (in_each_row, sum_in_each_row, two_in_each_row, until_found, counted_to_a_limit, in_a_function)
CASES = [
    *(("cpu", function) for function in (*ON_THE_HOST, *IN_KERNELS)),
    *((device, function) for device in DEVICES[1:] for function in IN_KERNELS),
]
each_case = pytest.mark.parametrize(("device", "function"), CASES, ids=lambda v: getattr(v, "__name__", v))


def start(function=None):
    return np.array([3.0, 0.25, 7.0, 2.5, 11.0, 5.5, 1.5, 2.0])[: 2 if function in IN_KERNELS else 8]


@each_case
def test_a_time_limit_ends_it(device, function):
    weft.jit(function, device=device)(start(), 5)
    limited = weft.jit(function, device=device, timeout=SECONDS)
    with pytest.raises(weft.TimeoutError):
        limited(start(), FAR)  # the driver compiles here
    begin = time.monotonic()
    with pytest.raises(weft.TimeoutError):
        limited(start(), FAR)
    assert time.monotonic() - begin < SOON


@pytest.mark.parametrize("device", DEVICES)
@pytest.mark.parametrize("function", [in_each_row, overwritten], ids=lambda f: f.__name__)
def test_ctrl_c_ends_it(device, function):
    with pytest.raises(weft.TimeoutError):
        weft.jit(function, device=device, timeout=0.01)(start(), FAR)
    compiled = weft.jit(function, device=device)
    timer = threading.Timer(SECONDS, signal.raise_signal, [signal.SIGINT])
    begin = time.monotonic()
    timer.start()
    with pytest.raises(KeyboardInterrupt):
        compiled(start(), FAR)
    assert time.monotonic() - begin < SOON


LOOKS = {"cpu": 1 << 20, "opencl": 1 << 16}
"""Iterations between two looks."""


@pytest.mark.parametrize(("times", "more"), [(1, -1), (1, 1), (0, 3), (0, -4)])
@each_case
def test_what_is_computed_between_two_looks(device, function, times, more):
    trips = times * LOOKS[device] + more
    expected, found = start(function), start(function)
    function(expected, trips)
    weft.jit(function, device=device)(found, trips)
    np.testing.assert_array_equal(found, expected)
