"""Reductions whose reads are the same for all points: bodies and bodies, points and centres."""

import numpy as np
import pytest

import weft
from tests.schedule.scheduled import arrays, check_same, kernel_of, program_of
from weft.backends.cuda.dialect import generate_kernels
from weft.plan.place import Layout, place
from weft.schedule import Bind, Share, Stage
from weft.schedule.legality import Limits, check_schedule


def pulls(p, m, out):
    for i in range(p.shape[0]):
        x = p[i, 0] - p[i, 0]
        y = x
        for j in range(p.shape[0]):
            dx = p[j, 0] - p[i, 0]
            dy = p[j, 1] - p[i, 1]
            w = m[j] * (dx * dx + dy * dy)
            x += dx * w
            y += dy * w
        out[i, 0] = x
        out[i, 1] = y


def others(x, m, out):
    for i in range(len(x)):
        s = x[i] - x[i]
        for j in range(len(x)):
            if i < j:
                s += m[j] * (x[j] - x[i])
        out[i] = s


def centres(p, q, c, out):
    for i in range(len(p)):
        for j in range(len(q)):
            best = p[i] * q[j]
            for k in range(1, len(c)):
                best = max(best, c[k] * p[i] - c[k - 1] * q[j])
            out[i, j] = best


def fields(p, q, c, out):
    for i in range(len(p)):
        for j in range(len(q)):
            s = p[i] - p[i]
            for k in range(len(c)):
                s += c[k] * (p[i] - q[j] * c[k])
            out[i, j] = s


def ranks(x, out):
    for i in range(len(x)):
        count = 0
        for j in range(len(x)):
            count += x[j] < x[i] or (x[j] == x[i] and j < i)
        out[i] = count


def looked_up(index, table, x, out):
    for i in range(len(x)):
        s = x[i] - x[i]
        for j in range(len(index)):
            s += table[index[j] % 3] * x[i]
        out[i] = s


def product(a, b, c):
    for i in range(a.shape[0]):
        for j in range(b.shape[1]):
            s = a[i, 0] - a[i, 0]
            for k in range(a.shape[1]):
                s += a[i, k] * b[k, j]
            c[i, j] = s


def staged(group, points, depth, run=1):
    return (Bind("i", "x", group, points, run), Stage("j", depth))


def shared(group, parts, depth):
    return (Bind("i", "x", group), Share("j", "y", parts), Stage("j", depth))


SCHEDULES = [shared(4, 2, 64), shared(2, 4, 12), staged(4, 1, 4), staged(4, 2, 16), staged(2, 4, 5, 2), staged(8, 1, 3)]


@pytest.mark.parametrize("schedule", SCHEDULES, ids=str)
@pytest.mark.parametrize("count", [0, 1, 3, 4, 17, 40])
def test_any_number_of_bodies(count, schedule):
    check_same(pulls, arrays((count, 2), (count,), (count, 2)), schedule)


@pytest.mark.parametrize("schedule", [shared(4, 2, 64), staged(4, 1, 32)], ids=str)
def test_whole_tiles(schedule):
    check_same(pulls, arrays((150, 2), (150,), (150, 2)), schedule)


@pytest.mark.parametrize("dtype", [np.float64, np.int32, np.int8])
def test_other_types(dtype):
    check_same(pulls, arrays((19, 2), (19,), (19, 2), dtype=dtype), SCHEDULES[1])


@pytest.mark.parametrize("offset", [0, 4])
@pytest.mark.parametrize("count", [1, 2, 21])
def test_what_only_some_points_read_is_loaded_where_it_is(count, offset):
    check_same(others, arrays((count,), (count,), (count,), offset=offset), SCHEDULES[0])


def test_an_array_that_no_point_reads_may_be_empty():
    check_same(others, arrays((1,), (0,), (1,)), SCHEDULES[0])


@pytest.mark.parametrize("count", [1, 2, 9])
def test_points_of_two_loops(count):
    schedule = (Bind("j", "x", 4, 2, 2), Bind("i", "y", 2, 2), Stage("k", 4))
    check_same(centres, arrays((5,), (11,), (count,), (5, 11)), schedule)


@pytest.mark.parametrize("count", [1, 9, 70])
def test_threads_share_points_of_two_loops(count):
    schedule = (Bind("j", "x", 4), Bind("i", "y", 2), Share("k", "z", 2), Stage("k", 33))
    check_same(fields, arrays((5,), (6,), (count,), (5, 6)), schedule)


def test_counts_of_pairs():
    check_same(ranks, arrays((23,), (23,)), SCHEDULES[1])


def test_the_numbers_of_an_iteration_are_one_vector():
    program = program_of(pulls, arrays((9, 2), (9,), (9, 2), dtype=np.float32)())
    text = generate_kernels(place(program, "cuda", schedule=staged(256, 1, 256)).program)
    assert "*(float4 *)(&common[" in text


def test_by_default_many_points_few_points_and_short_loops_have_kernels_of_their_own():
    program = program_of(pulls, arrays((9, 2), (9,), (9, 2), dtype=np.float32)())
    placed = place(program, "cuda", layout=Layout(Limits(cores=132)))
    whole = [nest.schedule for nest in placed.nests if nest.label == "i"]
    assert whole == [
        (Bind("i", "x", 1024), Stage("j", 1024)),
        (Bind("i", "x", 64), Share("j", "y", 16), Stage("j", 1024)),
        (Bind("i", "x", 256),),
    ]


def violations(function, make, schedule):
    kernel = kernel_of(program_of(function, make()))[0]
    return {violation.constraint for violation in check_schedule(kernel, schedule)}


def test_a_tile_fits_into_shared_memory():
    assert violations(pulls, arrays((4, 2), (4,), (4, 2)), staged(64, 1, 1 << 14)) == {"shared-memory"}


def test_threads_that_share_a_reduction_have_one_point():
    schedule = (Bind("i", "x", 4, 2), Share("j", "y", 2), Stage("j", 64))
    assert violations(pulls, arrays((4, 2), (4,), (4, 2)), schedule) == {"points"}


def test_tiles_of_a_product_are_not_shared():
    schedule = (Bind("j", "x", 4), Bind("i", "y", 4), Stage("k", 4), Share("k", "z", 2))
    assert "shared-tiles" in violations(product, arrays((4, 4), (4, 4), (4, 4)), schedule)


def test_extremes_whose_order_matters_are_not_shared():
    schedule = (Bind("j", "x", 4), Bind("i", "y", 2), Share("k", "z", 2), Stage("k", 4))
    assert violations(centres, arrays((5,), (11,), (3,), (5, 11)), schedule) == {"any-order"}


@pytest.mark.opencl
@pytest.mark.parametrize("count", [1, 20, 300, 3000])
def test_devices_run_it_by_default(count):
    p, m, out = arrays((count, 2), (count,), (count, 2), dtype=np.float32)()
    p, d = p / 8, p[None] / 8 - p[:, None] / 8
    weft.jit(pulls, device="opencl")(p, m, out)
    expected = (d * (m[None] * (d * d).sum(2))[..., None]).astype(np.float64).sum(1)
    np.testing.assert_allclose(out, expected, rtol=1e-4, atol=1e-4 * count)


@pytest.mark.opencl
@pytest.mark.parametrize("count", [1, 300, 1000])
def test_devices_run_it(count):
    p, m, out = arrays((count, 2), (count,), (count, 2), dtype=np.float32)()
    expected = out.copy()
    pulls(p, m, expected)
    for schedule in (staged(64, 2, 128), shared(16, 8, 128)):
        weft.jit(pulls, device="opencl", schedule=schedule)(p, m, out)
        np.testing.assert_allclose(out, expected, rtol=1e-4, atol=1e-3)
