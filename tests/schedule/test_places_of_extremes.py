"""Extremes of rows and where they are, found by the threads of a block together: as one after the other would."""

import numpy as np
import pytest

import weft
from tests.schedule.scheduled import arrays, check_same, kernel_of, program_of, scheduled
from weft.ir.reference.interpreter import run
from weft.schedule.directives import Bind, Deal
from weft.tune.default import default_schedule


def largest(x, out):
    for i in range(x.shape[0]):
        best = x[i, 0]
        at = 0
        for j in range(x.shape[1]):
            if x[i, j] > best:
                best = x[i, j]
                at = j
        out[i, 0] = at
        out[i, 1] = np.copysign(3, best) + best


def last_smallest(x, out):
    for i in range(x.shape[0]):
        best = x[i, 0]
        at = -7
        for j in range(1, x.shape[1]):
            if x[i, j] <= best:
                best = x[i, j]
                at = 2 * j + i
        out[i, 0] = at
        out[i, 1] = np.copysign(3, best) + best


def swapped(x, out):
    for i in range(x.shape[0]):
        best = np.inf
        at = -1
        for j in range(x.shape[1]):
            if best > abs(x[i, j]):
                best = abs(x[i, j])
                at = j
        out[i, 0] = at
        out[i, 1] = best


def of_an_array(x, out):
    for i in range(x.shape[0]):
        t = np.zeros(40, np.float64)
        for j in range(40):
            t[39 - j] = x[i, j]
        best = t[3]
        at = 3
        for j in range(40):
            if t[j] > best:
                best = t[j]
                at = j
        for j in range(40):
            out[i, j] = t[j] + at + best


FUNCTIONS = [largest, last_smallest, swapped, of_an_array]
DEALT = [(1, 1, 0), (3, 2, 8), (32, 4, 1), (32, 1, 0), (8, 4, 2), (2, 8, 0)]


@pytest.mark.parametrize("dealt", DEALT, ids=str)
@pytest.mark.parametrize("function", FUNCTIONS, ids=lambda f: f.__name__)
def test_places_are_found_by_threads(function, dealt):
    schedule = (Bind("i", "y", 1), Deal("j", "x", *dealt))
    check_same(function, arrays((3, 40), (3, 40), dtype=np.float64), schedule)


def of_the_rest(x, out):
    for i in range(out.shape[0]):
        best = np.float32(np.inf)
        at = -1
        for j in range(i, len(x)):
            if x[j] < best:
                best = x[j]
                at = j
        out[i] = at


def sum_of_the_rest(x, out):
    for i in range(out.shape[0]):
        total = 0
        for j in range(i, len(x)):
            total += x[j]
        out[i] = total


@pytest.mark.sample(2)
@pytest.mark.parametrize("dealt", [(8, 4), (2, 8), (32, 4), (2, 5), (5, 6), (3, 7)], ids=str)
@pytest.mark.parametrize("offset", [0, 4, 8, 12])
def test_runs_of_any_length_begin_where_the_array_is_aligned(offset, dealt):
    schedule = (Bind("i", "y", 1), Deal("j", "x", *dealt))
    check_same(of_the_rest, arrays((75,), (6,), offset=offset), schedule)
    check_same(sum_of_the_rest, arrays((75,), (6,), dtype=np.int32, offset=offset), schedule)


def between(x, first, last, out):
    for i in range(len(first)):
        best = x[0]
        at = -1
        for j in range(max(first[i], 0), min(last[i], len(x))):
            if x[j] <= best:
                best = x[j]
                at = j
        out[i] = at


@pytest.mark.parametrize("dealt", [(8, 4), (2, 1)], ids=str)
@pytest.mark.parametrize("offset", [0, 4])
def test_ranges_that_are_empty_may_begin_anywhere(offset, dealt):
    def make():
        first = np.array([0, 2**63 - 1, 2**63 - 3, 2**63 - 1, -(2**63), 3])
        last = np.array([9, 2**63 - 1, 5, -(2**63), 2, 3])
        return (*arrays((9,), offset=offset)(), first, last, np.zeros(6))

    schedule = (Bind("i", "y", 1), Deal("j", "x", *dealt))
    check_same(between, make, schedule)
    check_same(between, lambda: (make()[0][::2], *make()[1:]), schedule)


def special(rows, columns):
    """Numbers with many that are equal, zeros of both signs, NaNs and infinities; some rows have nothing else."""
    generator = np.random.default_rng(columns)
    x = generator.integers(-3, 3, (rows, columns)).astype(np.float64)
    for value in (0.0, -0.0, np.nan, np.inf, -np.inf):
        x[generator.random(x.shape) < generator.choice([0, 0.1, 0.6], (rows, 1))] = value
    x[0], x[1], x[2], x[3] = np.nan, -np.inf, np.inf, -0.0
    x[4:8] = -abs(x[4:8])
    x[8:12] = abs(x[8:12])
    return x


@pytest.mark.parametrize("columns", [1, 2, 37, 64])
@pytest.mark.parametrize("function", [largest, last_smallest, swapped], ids=lambda f: f.__name__)
def test_places_of_special_numbers_are_those_of_python(function, columns):
    x = special(24, columns)
    for dealt in ((8, 4, 8), (16, 1, 0), (4, 4, 0)):
        expected, got = np.zeros((24, 2)), np.zeros((24, 2))
        with np.errstate(all="ignore"):
            function(x, expected)
        run(scheduled(program_of(function, (x, got)), (Bind("i", "y", 1), Deal("j", "x", *dealt))), (x, got))
        np.testing.assert_array_equal(got, expected)


@pytest.mark.opencl
@pytest.mark.parametrize("function", [largest, last_smallest, swapped], ids=lambda f: f.__name__)
def test_devices_find_places_too(function):
    pytest.importorskip("pyopencl")
    x = special(24, 300)
    expected, got = np.zeros((24, 2)), np.zeros((24, 2))
    with np.errstate(all="ignore"):
        function(x, expected)
    weft.jit(function, device="opencl")(x, got)
    np.testing.assert_array_equal(got, expected)


def test_rows_get_a_block_each():
    kernel = kernel_of(program_of(largest, arrays((3, 64), (3, 64))()))[0]
    assert [type(d) for d in default_schedule(kernel)] == [Bind, Deal]


def test_places_that_need_memory_stay_with_one_thread():
    def named(x, names, out):
        for i in range(x.shape[0]):
            best = x[i, 0]
            name = names[0]
            for j in range(x.shape[1]):
                if x[i, j] > best:
                    best = x[i, j]
                    name = names[j]
            out[i] = name

    kernel = kernel_of(program_of(named, arrays((3, 64), (64,), (3,))()))[0]
    assert not any(isinstance(d, Deal) for d in default_schedule(kernel))
