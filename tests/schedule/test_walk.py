"""Threads that walk along a loop: what they keep, what they ask for, and what does not allow it."""

import numpy as np
import pytest

from tests.schedule.scheduled import arrays, check_same, kernel_of, program_of
from weft.schedule import Bind, Walk
from weft.schedule.legality import check_schedule
from weft.tune.default import default_schedule


def star(u, v):
    for i in range(2, u.shape[0] - 2):
        for j in range(2, u.shape[1] - 2):
            for k in range(2, u.shape[2] - 2):
                around = u[i - 1, j, k] + u[i + 1, j, k] + u[i, j - 1, k] + u[i, j + 1, k] + u[i, j, k - 1]
                more = u[i - 2, j, k] + u[i + 2, j, k] + u[i, j - 2, k] + u[i, j + 2, k] + u[i, j, k - 2]
                v[i, j, k] = 3 * u[i, j, k] - around - 2 * more + u[i, j, k + 1] + u[i, j, k + 2]


def very_far(u, v):
    for i in range(4, u.shape[0] - 4):
        for j in range(4, u.shape[1] - 4):
            for k in range(4, u.shape[2] - 4):
                v[i, j, k] = u[i - 4, j, k] + u[i + 4, j, k] + u[i, j - 4, k] + u[i, j + 4, k] - u[i, j, k + 4]


def plane(u, v):
    for i in range(1, u.shape[0] - 1):
        for j in range(1, u.shape[1] - 1):
            v[i, j] = u[i - 1, j] + u[i + 1, j] + u[i, j - 1] - u[i, j + 1]


def box(u, w, v):
    for i in range(1, u.shape[0] - 1):
        for j in range(1, u.shape[1] - 1):
            v[i, j] = u[i - 1, j - 1] + u[i + 1, j + 1] - u[i, j] + w[i - 1, j] * u[i + 1, j - 1] - w[i + 1, j]


def weighted(u, w, v, q):
    for i in range(1, u.shape[0] - 1):
        for j in range(1, u.shape[1] - 1):
            for k in range(1, u.shape[2] - 1):
                v[i - 1, j, k] = w[i, j, k] * (u[i - 1, j, k] + u[i + 1, j, k]) + k
                q[i, j + 1, k] = u[i, j - 1, k] - u[i, j, k + 1] + w[j, i, k]


def in_place(u):
    for i in range(1, u.shape[0] - 1):
        for j in range(1, u.shape[1] - 1):
            u[i, j] = u[i, j] + 1


def walk(loop, ahead):
    """Through shared memory where elements are asked for beforehand."""
    return Walk(loop, ahead, staged=ahead > 0)


def cubes(x, y, points, ahead, run=4):
    return Bind("k", "x", x, run, run), Bind("j", "y", y), Bind("i", "z", 1, points, points), walk("i", ahead)


@pytest.mark.parametrize(
    ("shape", "offset"), [((5, 5, 5), 0), ((6, 9, 21), 0), ((9, 6, 24), 0), ((8, 7, 16), 4), ((4, 4, 4), 4)]
)
@pytest.mark.parametrize(("points", "ahead"), [(1, 0), (3, 1), (16, 2), (5, 0), (3, 3)])
def test_a_star_in_three_dimensions(shape, offset, points, ahead):
    check_same(star, arrays(shape, shape, offset=offset), cubes(2, 2, points, ahead))


@pytest.mark.parametrize("dtype", [np.float64, np.int32])
def test_elements_of_other_sizes(dtype):
    run = 16 // np.dtype(dtype).itemsize
    for ahead in (0, 1):
        check_same(star, arrays((8, 6, 12), (8, 6, 12), dtype=dtype), cubes(3, 2, 4, ahead, run))


@pytest.mark.parametrize("shape", [(3, 3), (9, 16), (30, 13), (6, 1), (6, 0), (0, 6), (1, 4)])
def test_rows_of_a_plane(shape):
    for ahead in (0, 2):
        check_same(plane, arrays(shape, shape), (Bind("j", "x", 2, 4, 4), Bind("i", "y", 1, 10, 10), walk("i", ahead)))


@pytest.mark.parametrize(("shape", "offset"), [((6, 7, 21), 0), ((5, 6, 24), 4), ((4, 5, 3), 0), ((5, 5, 9), 8)])
def test_rows_that_begin_anywhere_hand_on_what_several_arrays_get(shape, offset):
    i, j, k = shape
    make = arrays(shape, (max(i, j),) * 2 + (k,), (i, j, k + 1), (i, j + 1, k), offset=offset)
    for points in (1, 3, 16):
        check_same(weighted, make, cubes(2, 2, points, 2))


def test_several_columns_of_several_arrays():
    make = arrays((19, 24), (19, 24), (19, 24))
    for ahead in (0, 1):
        check_same(box, make, (Bind("j", "x", 2, 4, 4), Bind("i", "y", 1, 8, 8), walk("i", ahead)))


def test_several_rows_of_a_thread():
    schedule = (Bind("k", "x", 2, 4, 4), Bind("j", "y", 2, 2, 2), Bind("i", "z", 1, 5, 5), Walk("i", 2, staged=True))
    check_same(star, arrays((11, 10, 20), (11, 10, 20)), schedule)
    assert violations(star, arrays((9, 9, 9), (9, 9, 9)), (*schedule[:-1], Walk("i"))) == ["points"]


@pytest.mark.parametrize("step", [(2, 1, 1), (1, 2, 1), (1, 1, 2)])
def test_views_with_strides(step):
    def make():
        u, v = arrays((16, 14, 28), (16, 14, 28))()
        return tuple(a[tuple(slice(None, None, s) for s in step)] for a in (u, v))

    for ahead in (0, 2):
        check_same(star, make, cubes(2, 2, 5, ahead))


def violations(function, make, schedule):
    return [v.constraint for v in check_schedule(kernel_of(program_of(function, make()))[0], schedule)]


def test_what_is_written_cannot_be_kept():
    schedule = (Bind("j", "x", 2, 4, 4), Bind("i", "y", 1, 10, 10), Walk("i", 2))
    assert violations(in_place, arrays((9, 9)), schedule) == ["begin-again"]


def test_a_loop_along_which_nothing_is_read_again():
    make = arrays((9, 9, 9), (9, 9, 9))
    schedule = (Bind("k", "x", 2), Bind("i", "y", 2), Bind("j", "z", 1, 4, 4), Walk("j"))
    assert violations(star, make, schedule) == []
    assert (
        violations(in_place, arrays((9, 9)), (Bind("j", "x", 2), Bind("i", "y", 1, 4, 4), Walk("j")))[0]
        == "walked-loop"
    )


def test_one_thread_walks():
    make = arrays((9, 9), (9, 9))
    assert violations(plane, make, (Bind("j", "x", 2), Bind("i", "y", 2, 4, 4), Walk("i"))) == ["points"]
    assert violations(plane, make, (Bind("j", "x", 2), Walk("i")))[-1] == "walked-loop"


def far(u, v):
    for i in range(3, u.shape[0] - 3):
        for j in range(3, u.shape[1] - 3):
            for k in range(u.shape[2]):
                v[i, j, k] = u[i - 3, j, k] + u[i + 3, j, k] + u[i, j - 3, k] + u[i, j + 3, k]


def chosen(function, *shapes):
    return default_schedule(kernel_of(program_of(function, arrays(*shapes)()))[0])


def test_threads_walk_by_default_where_an_iteration_reaches_far():
    assert any(isinstance(directive, Walk) for directive in chosen(far, (9, 9, 9), (9, 9, 9)))
    assert not any(isinstance(directive, Walk) for directive in chosen(plane, (9, 9), (9, 9)))


def test_several_blocks_share_a_multiprocessor_where_threads_keep_much():
    def ring(function):
        (walk,) = (d for d in chosen(function, (19, 19, 19), (19, 19, 19)) if isinstance(d, Walk))
        return walk.staged, walk.blocks

    assert (ring(star), ring(very_far)) == ((True, 3), (True, 2))
