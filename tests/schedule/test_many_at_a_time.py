"""Many products and many sums: a third loop along z, of which a block has one iteration."""

import numpy as np
import pytest

import weft
from tests.schedule.scheduled import arrays, check_same, kernel_of, program_of
from weft.schedule import Bind, Share, Stage
from weft.schedule.legality import check_schedule


def batched(a, b, c):
    for i in range(c.shape[0]):
        for j in range(c.shape[1]):
            for m in range(c.shape[2]):
                s = a[i, j, 0] - a[i, j, 0]
                for k in range(a.shape[2]):
                    s += a[i, j, k] * b[i, k, m]
                c[i, j, m] = s


def one_factor_for_all(a, b, c):
    for i in range(c.shape[0]):
        for j in range(c.shape[1]):
            for m in range(1, c.shape[2]):
                s = a[i, j, 0] - a[i, j, 0]
                for k in range(a.shape[2]):
                    s += a[i, j, k] * b[m, k]
                c[i, j, m] = s


def batch_inside(a, b, c):
    for j in range(c.shape[1]):
        for i in range(c.shape[0]):
            shift = 2 * i
            for m in range(c.shape[2]):
                s = a[0, 0, 0] - a[0, 0, 0]
                for k in range(a.shape[2]):
                    s += a[shift // 2, j, k] * b[i, k, m]
                c[i, j, m] = s


def weighted(a, b, c):
    for i in range(c.shape[0]):
        for j in range(c.shape[1]):
            for m in range(c.shape[2]):
                s = a[i, j, 0] - a[i, j, 0]
                for k in range(a.shape[2]):
                    s += a[i, j, k] * b[i, k, m] * (i + 1)
                c[i, j, m] = s


def rows(a, b, c):
    for i in range(c.shape[0]):
        for j in range(c.shape[1]):
            for m in range(c.shape[2]):
                s = a[i, j, 0] - a[i, j, 0]
                for k in range(1, a.shape[2]):
                    s += a[i, j, k] * b[m, k]
                c[i, j, m] = s + m


def tile(buffers, x=2, y=2):
    return (Bind("m", "x", x, 4, 4), Bind("j", "y", y, 4, 4), Bind("i", "z", 1), Stage("k", 4, 1, buffers))


@pytest.mark.parametrize("function", [batched, batch_inside])
@pytest.mark.parametrize("shape", [(3, 8, 8, 16), (2, 9, 10, 11), (1, 1, 1, 1), (2, 3, 5, 0), (0, 4, 4, 4)])
@pytest.mark.parametrize("buffers", [2, 3])
def test_a_block_has_tiles_of_one_of_many_products(function, shape, buffers):
    many, high, wide, inner = shape
    if function is batch_inside and not (many and inner):
        return
    check_same(function, arrays((many, high, inner or 1), (many, inner or 1, wide), (many, high, wide)), tile(buffers))


@pytest.mark.parametrize("shape", [(3, 8, 9, 16), (2, 9, 11, 7)])
def test_products_may_have_a_factor_in_common(shape):
    many, high, wide, inner = shape
    check_same(one_factor_for_all, arrays((many, high, inner), (wide, inner), (many, high, wide)), tile(3))


def test_what_else_depends_on_the_product_is_computed_beside_the_tile():
    for many, high, wide, inner in ((2, 3, 5, 4), (3, 17, 33, 9)):
        check_same(weighted, arrays((many, high, inner), (many, inner, wide), (many, high, wide)), tile(2))


def test_several_iterations_of_a_block_along_z_are_no_tile():
    kernel, *_ = kernel_of(program_of(batched, arrays((2, 3, 4), (2, 4, 5), (2, 3, 5))()))
    several = (*tile(2)[:2], Bind("i", "z", 2), Stage("k", 8))
    assert "one-loop" in {v.constraint for v in check_schedule(kernel, several)}


@pytest.mark.parametrize("shape", [(2, 3, 5, 70), (1, 1, 1, 1), (3, 1, 9, 33), (0, 2, 2, 2)])
@pytest.mark.parametrize("group", [1, 4])
def test_threads_share_the_sums_of_three_loops(shape, group):
    many, high, wide, inner = shape
    schedule = (Bind("m", "y", group), Bind("j", "z", 1), Bind("i", "z", 1), Share("k", "x", 8, 2))
    check_same(rows, arrays((many, high, inner), (wide, inner), (many, high, wide)), schedule)


@pytest.mark.parametrize(
    "schedule",
    [
        (Bind("m", "y", 1), Bind("j", "z", 2), Bind("i", "z", 1), Share("k", "x", 8)),
        (Bind("m", "y", 1), Bind("j", "y", 1), Bind("i", "z", 1), Share("k", "x", 8)),
        (Bind("m", "x", 8), Bind("j", "z", 1), Bind("i", "z", 1)),
    ],
)
def test_other_loops_do_not_meet_along_an_axis(schedule):
    kernel, *_ = kernel_of(program_of(rows, arrays((2, 3, 4), (5, 4), (2, 3, 5))()))
    assert "axis-once" in {v.constraint for v in check_schedule(kernel, schedule)}


@pytest.mark.opencl
@pytest.mark.parametrize("dtype", [np.float32, np.float64])
@pytest.mark.parametrize("shape", [(3, 5, 7, 9), (2, 65, 70, 33), (40, 1, 1, 50)])
def test_on_a_device_they_are_what_numpy_says(shape, dtype):
    many, high, wide, inner = shape
    a, b, c = arrays((many, high, inner), (many, inner, wide), (many, high, wide), dtype=dtype)()
    weft.jit(batched, device="opencl")(a, b, c)
    np.testing.assert_array_equal(c, a @ b)
    w = arrays((wide, inner), dtype=dtype)()[0]
    weft.jit(one_factor_for_all, device="opencl")(a, w, c)
    np.testing.assert_array_equal(c[:, :, 1:], (a @ w.T)[:, :, 1:])
