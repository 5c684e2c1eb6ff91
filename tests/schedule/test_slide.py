"""Sums over windows that slide with the points: convolutions."""

import numpy as np
import pytest

import weft
from tests.schedule.scheduled import arrays, check_same, kernel_of, program_of, scheduled
from weft.ir.text import to_text
from weft.schedule import Bind, Slide
from weft.schedule.default import default_schedule
from weft.schedule.legality import check_schedule


def convolution(u, w, v):
    for i in range(1, u.shape[0] - 1):
        for j in range(2, u.shape[1] - 2):
            s = u[i, j] - u[i, j]
            for p in range(3):
                for q in range(5):
                    s += w[p, q] * u[i + p - 1, j + q - 2]
            v[i, j] = s


def any_rows(u, w, v):
    for i in range(u.shape[0] - w.shape[0] + 1):
        for j in range(u.shape[1] - 4):
            v[i, j] = 0
            for p in range(w.shape[0]):
                for q in range(5):
                    v[i, j] += w[p, q] * u[i + p, j + q]


def distances(u, w, v):
    for i in range(u.shape[0] - 2):
        for j in range(u.shape[1] - 4):
            s = 0.0
            for p in range(3):
                for q in range(5):
                    d = abs(u[i + p, j + q] - w[p, q]) * (i + q)
                    s += d
            v[i, j] = s + j


def any_window(u, w, v):
    for i in range(u.shape[0] - w.shape[0] + 1):
        for j in range(u.shape[1] - w.shape[1] + 1):
            s = 0.0
            for p in range(w.shape[0]):
                for q in range(w.shape[1]):
                    s += w[p, q] * u[i + p, j + q]
            v[i, j] = s


SLIDE = (Bind("j", "x", 4, 4, 4), Bind("i", "y", 8, 2), Slide("p", 3))
DEPTHS = [2, 7]


@pytest.mark.parametrize("offset", [0, 4])
@pytest.mark.parametrize("shape", [(3, 5), (19, 25)])
def test_a_convolution_of_any_shape_and_alignment(shape, offset):
    check_same(convolution, arrays(shape, (3, 5), shape, offset=offset), SLIDE)


@pytest.mark.parametrize("depth", DEPTHS)
def test_windows_of_unknown_height_are_staged_some_rows_at_a_time(depth):
    check_same(any_rows, arrays((19, 23), (4, 5), (16, 19)), (*SLIDE[:2], Slide("p", depth)))


@pytest.mark.parametrize("offset", [0, 4])
def test_rows_that_are_aligned_are_loaded_as_vectors(offset):
    make = arrays((12, 28), (4, 5), (9, 24), offset=offset)
    check_same(any_rows, make, SLIDE)
    text = to_text(scheduled(program_of(any_rows, make()), SLIDE))
    assert any("late" in line and "vector" not in line and "lanes" in line for line in text.splitlines())


@pytest.mark.parametrize("width", [1, 9, 33, 34])
def test_windows_of_unknown_width_are_taken_some_columns_at_a_time(width):
    check_same(any_window, arrays((11, 40), (3, width), (9, 41 - width)), SLIDE)


def test_any_sum_over_a_window_slides():
    check_same(distances, arrays((13, 22), (3, 5), (11, 18), dtype=np.float64), SLIDE, exact=False)


@pytest.mark.parametrize("dtype, points", [(np.float64, 4), (np.int32, 8), (np.int16, 2)])
def test_a_convolution_of_other_types(dtype, points):
    schedule = (Bind("j", "x", 4, points, points), *SLIDE[1:])
    check_same(convolution, arrays((11, 19), (3, 5), (11, 19), dtype=dtype), schedule)


def turned(u, w, v):
    for i in range(u.shape[0] - 2):
        for j in range(u.shape[1] - 4):
            s = 0.0
            for p in range(3):
                for q in range(5):
                    s += u[i + p, j + 2 * q] * w[p, q]
            v[i, j] = s


@pytest.mark.parametrize(
    "constraint, function, schedule",
    [
        ("window", turned, SLIDE),
        ("tile-size", convolution, (Bind("j", "x", 4, 4, 2), *SLIDE[1:])),
        ("tile-size", convolution, (Bind("j", "x", 2, 4, 4), *SLIDE[1:])),
        ("two-loops", convolution, (Bind("i", "x", 32), SLIDE[2])),
        ("window", convolution, (*SLIDE[:2], Slide("q", 3))),
    ],
)
def test_what_does_not_slide_is_refused_by_name(constraint, function, schedule):
    kernel = kernel_of(program_of(function, arrays((30, 30), (3, 5), (30, 30))()))[0]
    assert constraint in {violation.constraint for violation in check_schedule(kernel, schedule)}


@pytest.mark.opencl
@pytest.mark.parametrize("shape", [(40, 70), (33, 64)])
def test_a_convolution_on_a_device(shape):
    u, w, v = arrays(shape, (3, 5), shape)()
    expected = v.copy()
    convolution(u, w, expected)
    weft.jit(convolution, device="opencl", schedule=(Bind("j", "x", 4, 8, 8), *SLIDE[1:]))(u, w, v)
    np.testing.assert_array_equal(v, expected)


def test_the_default_slides_where_windows_are_wide():
    kernel = kernel_of(program_of(convolution, arrays((30, 30), (3, 5), (30, 30))()))[0]
    assert default_schedule(kernel) == (Bind("j", "x", 8, 8, 8), Bind("i", "y", 16, 4), Slide("p", 3, 5))
    kernel = kernel_of(program_of(any_rows, arrays((30, 30), (3, 5), (28, 26), dtype=np.float64)()))[0]
    assert default_schedule(kernel) == (Bind("j", "x", 8, 4, 4), Bind("i", "y", 16, 4), Slide("p", 8, 5))
