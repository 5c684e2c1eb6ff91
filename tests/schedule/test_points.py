"""Several points per thread: runs of neighbours as vectors, rows that share what they read, blocks at the edges."""

import numpy as np
import pytest

from tests.schedule.scheduled import arrays, check_same, kernel_of, program_of, scheduled
from weft.ir import nodes as n
from weft.ir.forms.text import to_text
from weft.ir.visit import walk
from weft.schedule import Bind
from weft.tune.default import default_schedule


def triad(a, b, c):
    for i in range(len(a)):
        a[i] = b[i] + 3.0 * c[i]


def stencil(u, v):
    for i in range(1, u.shape[0] - 1):
        for j in range(1, u.shape[1] - 1):
            v[i, j] = 0.25 * (u[i - 1, j] + u[i + 1, j] + u[i, j - 1] + u[i, j + 1])


def doubled_in_place(a):
    for i in range(len(a)):
        a[i] = a[i] * 2.0
        a[i] = a[i] + 1.0


def with_row_factor(a, b, w):
    for i in range(a.shape[0]):
        f = w[i] + 1.0
        for j in range(a.shape[1]):
            b[i, j] = a[i, j] * f


def clipped(a, b):
    for i in range(len(a)):
        if b[i] > 0.0:
            a[i] = b[i]


@pytest.mark.parametrize("offset", [0, 4])
@pytest.mark.parametrize("count", [0, 1, 3, 8, 21])
@pytest.mark.parametrize("points", [4, 8])
def test_a_stream_of_any_length_and_alignment(count, offset, points):
    make = arrays((count,), (count,), (count,), offset=offset)
    check_same(triad, make, (Bind("i", "x", 2, points, 4),))


@pytest.mark.parametrize("shape", [(1, 1), (2, 2), (3, 4), (9, 16), (14, 24), (10, 25)])
def test_a_stencil_of_any_shape(shape):
    check_same(stencil, arrays(shape, shape), (Bind("j", "x", 2, 4, 4), Bind("i", "y", 2, 2, 2)))


@pytest.mark.parametrize("shape", [(3, 3, 3), (6, 9, 21), (10, 4, 18), (7, 9, 16)])
@pytest.mark.parametrize("offset", [0, 4])
@pytest.mark.parametrize(("across", "down"), [((2, 1), (1, 4)), ((2, 1), (2, 4)), ((2, 2), (1, 2))])
def test_a_stencil_in_three_dimensions(shape, offset, across, down):
    (y, rows), (z, planes) = across, down
    schedule = (Bind("k", "x", 2, 4, 4), Bind("j", "y", y, rows, rows), Bind("i", "z", z, planes, planes))
    check_same(cube, arrays(shape, shape, offset=offset), schedule)


@pytest.mark.parametrize("planes", [1, 2, 3, 4, 5, 6, 7, 9])
@pytest.mark.parametrize(("rows", "each"), [(1, 4), (2, 2)])
def test_points_that_a_loop_has_no_more_of_give_way_to_some_before(planes, rows, each):
    shape = planes + 2, 5, 20
    schedule = Bind("k", "x", 2, 4, 4), Bind("j", "y", 1, rows, rows), Bind("i", "z", 1, each, each)
    check_same(around, arrays(shape, shape), schedule)


@pytest.mark.parametrize("planes", [3, 4, 5, 8, 11])
def test_points_of_a_thread_that_are_apart(planes):
    shape = planes + 2, 6, 20
    check_same(around, arrays(shape, shape), (Bind("k", "x", 2, 4, 4), Bind("j", "y", 2), Bind("i", "z", 2, 4, 1)))


def around(u, v):
    for i in range(1, u.shape[0] - 1):
        for j in range(1, u.shape[1] - 1):
            for k in range(1, u.shape[2] - 1):
                v[i, j, k] = u[i, j, k] + u[i - 1, j, k] - u[i + 1, j, k] + u[i, j, k - 1] + u[i, j + 1, k]


def cube(u, v):
    for i in range(1, u.shape[0] - 1):
        for j in range(1, u.shape[1] - 1):
            for k in range(1, u.shape[2] - 1):
                v[i, j, k] = u[i - 1, j, k] + u[i + 1, j, k] + u[i, j - 1, k] + u[i, j + 1, k] - u[i, j, k + 1]


@pytest.mark.parametrize("shape", [(6, 1), (1, 6), (2, 5), (6, 0)])
def test_a_loop_without_iterations_reads_nothing(shape):
    check_same(stencil, arrays(shape, shape), (Bind("j", "x", 2, 4, 4), Bind("i", "y", 2, 2, 2)))


def test_reads_after_writes_of_the_same_element_see_them():
    check_same(doubled_in_place, arrays((19,)), (Bind("i", "x", 2, 4, 4),))


def test_what_a_row_has_in_common_is_computed_for_each_row():
    check_same(with_row_factor, arrays((5, 9), (5, 9), (5,)), (Bind("j", "x", 2, 4, 4), Bind("i", "y", 2, 2, 1)))


def test_branches_run_in_every_lane():
    check_same(clipped, arrays((19,), (19,)), (Bind("i", "x", 2, 4, 4),))


def test_arrays_that_may_overlap_are_read_before_they_are_written_only_where_that_is_the_source():
    check_same(triad, arrays((19,), (19,), (19,)), (Bind("i", "x", 2, 4, 4),), overlaps=("a", "b"))


def test_neighbours_are_accessed_as_vectors_where_arrays_are_aligned():
    program = program_of(stencil, arrays((9, 9), (9, 9))())
    text = to_text(scheduled(program, (Bind("j", "x", 32, 4, 4), Bind("i", "y", 8, 4, 4))))
    assert text.count("aligned(") == 2
    assert text.count("lanes(") == 20  # three rows are read, one is written, for four points; at the edge for each


@pytest.mark.parametrize("dtype, run", [(np.float32, 4), (np.float64, 2), (np.int16, 4)])
def test_the_default_loads_what_one_access_holds(dtype, run):
    kernel = kernel_of(program_of(triad if dtype != np.int16 else copied, arrays((9,), (9,), (9,), dtype=dtype)()))[0]
    assert default_schedule(kernel) == (Bind("i", "x", 256, run, run),)


def copied(a, b, c):
    for i in range(len(a)):
        a[i] = b[i]
        c[i] = b[i]


def test_the_default_for_strided_arrays_has_neighbours_in_neighbouring_threads():
    a, b, c = arrays((18,), (18,), (18,))()
    kernel = kernel_of(program_of(triad, (a[::2], b[::2], c[::2])))[0]
    assert default_schedule(kernel) == (Bind("i", "x", 256),)


def test_the_default_for_a_stencil_has_rows_that_share_what_they_read():
    kernel = kernel_of(program_of(stencil, arrays((9, 9), (9, 9))()))[0]
    assert default_schedule(kernel) == (Bind("j", "x", 32, 4, 4), Bind("i", "y", 8, 2, 2))


def test_the_compiler_has_registers_for_what_points_in_three_dimensions_load():
    program = program_of(cube, arrays((9, 9, 9), (9, 9, 9))())
    rows = Bind("k", "x", 32, 4, 4, blocks=2), Bind("j", "y", 8), Bind("i", "z", 1, 4, 4)
    assert default_schedule(kernel_of(program)[0]) == rows
    (launch,) = (s for s in walk(scheduled(program, rows).body) if isinstance(s, n.Launch))
    assert launch.kernel.resident == 2
