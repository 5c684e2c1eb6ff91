"""Loops whose ends are read, and lie anywhere: differences of such ends may wrap."""

import re

import numpy as np
import pytest

import weft
from weft.runtime import _stub

LAST = 2**63 - 1


def total(begins, ends, x, y):
    s = 0.0
    for k in range(begins[0], ends[0]):
        s += x[k]
    return s


def largest(begins, ends, x, y):
    m = -1.0
    for k in range(begins[0], ends[0]):
        m = max(m, x[k])
    return m


def first_large(begins, ends, x, y):
    for k in range(begins[0], ends[0]):
        if x[k] > 0.9:
            return k
    return -1


def all_small(begins, ends, x, y):
    for k in range(begins[0], ends[0]):
        assert x[k] < 2.0
    return 1


def running(begins, ends, x, y):
    s = 0.0
    for k in range(begins[0], ends[0]):
        s += x[k]
        y[k] = s
    return s


def packed(begins, ends, x, y):
    m = 0
    for k in range(begins[0], ends[0]):
        if x[k] > 0.3:
            y[m] = x[k]
            m += 1
    return m


def rows(begins, ends, x, y):
    for i in range(x.shape[0]):
        s = 0.0
        for k in range(begins[i], ends[i]):
            s += x[k]
        y[i] = s
    return 0


def by_key(begins, ends, x, y):
    for i in range(x.shape[0]):
        for k in range(begins[i], ends[i]):
            y[k] += x[i]
    return 0


def left_early(begins, ends, x, y):
    s = 0
    for k in range(begins[0], ends[0]):
        s += 1
        if s >= 40:
            break
    return s


def changed(begins, ends, x, y):
    for k in range(begins[0], ends[0]):
        y[k] = x[k] + 1
    return 0


FUNCTIONS = [total, largest, first_large, all_small, running, packed, rows, by_key, left_early, changed]

PLACES = [
    (39, -LAST), (40, -LAST - 1), (0, LAST), (3, LAST - 1), (LAST - 8, LAST), (LAST, -LAST - 1), (17, -(2**62)),
    (-LAST - 1, -LAST + 5), (LAST - 3, LAST - 1), (5, 2**62), (-3, 30),
]  # fmt: skip


def ended(function, places, size):
    """How a call ends, and what it leaves."""
    begins, ends = np.arange(size), np.arange(size) + 3
    ends[-3:] = size
    for row, (begin, end) in zip((0, size // 2, size - 1), places, strict=False):
        begins[row], ends[row] = begin, end
    x, y = np.round(4 * np.random.default_rng(1).random(size)) / 4, np.zeros(size)
    try:
        return function(begins, ends, x, y), y
    except (IndexError, AssertionError) as error:
        return type(error), None


@pytest.fixture(params=[False, True], ids=["alone", "on threads"])
def threads(request):
    if request.param:
        _stub.set_threads(4)
        _stub.set_grain(0.0)
    yield
    _stub.set_grain(20_000.0)
    _stub.set_threads(0)


@pytest.mark.usefixtures("threads")
@pytest.mark.parametrize("function", FUNCTIONS)
def test_ends_may_be_as_far_apart_as_integers_are(function):
    compiled = weft.jit(function)
    for size in (40, 300):
        for k, place in enumerate(PLACES):
            others = PLACES[k - 1], PLACES[k - 2]
            result, left = ended(function, (place, *others), size)
            got, found = ended(compiled, (place, *others), size)
            assert got == pytest.approx(result) if isinstance(result, float) else got == result, (size, place)
            if left is not None:
                np.testing.assert_allclose(found, left, err_msg=str((size, place)))


@pytest.mark.opencl
def test_a_launch_over_more_iterations_than_integers_count_is_refused():
    run = weft.jit(all_small, device="opencl")
    x = np.ones(5)
    assert run(np.array([0]), np.array([5]), x, x) == 1
    with pytest.raises(weft.DeviceError, match="the ends of a loop are too far apart"):
        run(np.array([0]), np.array([LAST]), x, x)


@pytest.mark.opencl
@pytest.mark.parametrize("length", [3, 200])
def test_rows_of_a_device_that_end_far_below_their_begin_are_empty(length):
    run, size = weft.jit(rows, device="opencl"), 300
    begins = np.arange(size) // 2
    ends = np.minimum(begins + length, size)
    ends[[0, 7, size - 1]] = -LAST - 1, -LAST, -(2**62)
    x, y, expected = np.ones(size), np.zeros(size), np.zeros(size)
    run(begins, ends, x, y)
    rows(begins, ends, x, expected)
    np.testing.assert_array_equal(y, expected)


APART = [(-LAST - 1, LAST), (-LAST - 1, 0), (-5, LAST), (-(2**62) - 7, 2**62), (1, LAST - 3000), (LAST - 2000, LAST)]


@pytest.mark.sample(1)
@pytest.mark.opencl
@pytest.mark.parametrize("function", FUNCTIONS)
def test_ends_on_a_device_do_as_in_python_or_are_refused(function):
    compiled = weft.jit(function, device="opencl")
    for place in PLACES + APART:
        places = place, (0, 3), (0, 3)
        result, left = ended(function, places, 40)
        try:
            got, found = ended(compiled, places, 40)
        except (weft.DeviceError, ValueError) as error:
            assert result is IndexError and re.search("too far apart|too big", str(error)), place
            continue
        assert got == result, place
        if left is not None:
            np.testing.assert_allclose(found, left, err_msg=str(place))
