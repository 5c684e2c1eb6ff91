"""Reductions under schedules: shared by the threads of a block, or inside of threads with what they read in tiles."""

import numpy as np
import pytest

from tests.schedule.scheduled import arrays, check_same, kernel_of, program_of, scheduled
from weft.backends.cuda.dialect import generate_kernels as cuda_kernels
from weft.backends.opencl.dialect import generate_kernels as opencl_kernels
from weft.ir.forms.json_form import from_json, to_json
from weft.ir.forms.parser import parse
from weft.ir.forms.text import to_text
from weft.ir.types import FLOAT32
from weft.plan.place import place
from weft.schedule import Bind, Share, Stage
from weft.tune.choice import schedule_for
from weft.tune.default import default_schedule


def row_sums(a, r):
    for i in range(a.shape[0]):
        s = a[i, 0] - a[i, 0]
        for j in range(a.shape[1]):
            s += a[i, j]
        r[i] = s


def column_sums(a, r):
    for j in range(a.shape[1]):
        s = a[0, j] - a[0, j]
        for i in range(a.shape[0]):
            s += a[i, j]
        r[j] = s


def weighted(a, x, r):
    for i in range(a.shape[0]):
        s = 0.0 * r[i]
        for j in range(a.shape[1]):
            s += a[i, j] * x[j]
        r[i] = 2.0 * s + r[i]


def product(a, b, c):
    for i in range(a.shape[0]):
        for j in range(b.shape[1]):
            c[i, j] = 0
            for k in range(a.shape[1]):
                c[i, j] += a[i, k] * b[k, j]


def product_and_more(a, b, c, bias):
    for i in range(a.shape[0]):
        for j in range(b.shape[1]):
            s = bias[j]
            for k in range(a.shape[1]):
                s += a[i, k] * b[k, j]
            c[i, j] = c[i, j] + 2.0 * s


def products_of_shifted(w, x, out):
    for p in range(out.shape[0]):
        first = out.shape[0] - 1 - p
        for i in range(out.shape[1]):
            for j in range(out.shape[2]):
                s = 0.0
                for k in range(x.shape[0] - out.shape[0]):
                    s += w[first + k] * x[first + k, i] * x[k + p, j]
                out[p, i, j] = s


def product_of_transposed(a, b, c):
    for i in range(a.shape[1]):
        for j in range(b.shape[0]):
            s = a[0, i] - a[0, i]
            for k in range(a.shape[0]):
                s += a[k, i] * b[j, k]
            c[i, j] = s


ROWS = (Bind("i", "y", 3), Share("j", "x", 4, 4))


@pytest.mark.parametrize("shape", [(1, 1), (3, 16), (4, 37), (7, 5), (2, 64)])
def test_rows_are_shared_by_threads(shape):
    check_same(row_sums, arrays(shape, shape[:1]), ROWS)
    check_same(weighted, arrays(shape, shape[1:], shape[:1]), ROWS)


def test_an_empty_row_has_the_initial_value():
    check_same(weighted, arrays((3, 0), (0,), (3,)), ROWS)


@pytest.mark.parametrize("shape", [(1, 1), (16, 3), (37, 4), (5, 7)])
def test_columns_are_shared_by_threads(shape):
    check_same(column_sums, arrays(shape, shape[1:]), (Bind("j", "x", 4), Share("i", "y", 3)))


@pytest.mark.parametrize("offset", [0, 4])
@pytest.mark.parametrize("shape", [(8, 8, 8), (16, 8, 4), (9, 10, 11), (1, 1, 1), (8, 8, 0)])
@pytest.mark.parametrize("depth", [4, 8])
def test_a_product_of_any_shape_and_alignment(shape, offset, depth):
    rows, columns, inner = shape
    make = arrays((rows, inner), (inner, columns), (rows, columns), offset=offset)
    check_same(product, make, (Bind("j", "x", 2, 4, 4), Bind("i", "y", 2, 4, 4), Stage("k", depth)))


@pytest.mark.sample(1)
@pytest.mark.parametrize("dtype, run", [(np.float64, 2), (np.int32, 4)])
def test_a_product_of_other_types(dtype, run):
    make = arrays((9, 11), (11, 10), (9, 10), dtype=dtype)
    check_same(product, make, (Bind("j", "x", 2, 4, run), Bind("i", "y", 2, 4, run), Stage("k", 4)))


@pytest.mark.parametrize("dtype", [np.int8, np.int16, np.float16, np.complex64, np.bool_])
def test_products_of_types_that_are_no_vectors_have_a_default_that_compiles(dtype):
    program = program_of(product, arrays((4, 4), (4, 4), (4, 4), dtype=dtype)())
    for device, generate in (("cuda", cuda_kernels), ("opencl", opencl_kernels)):
        assert "product" in generate(place(program, device).program)


def test_what_follows_a_product_uses_the_result_of_each_point():
    make = arrays((9, 11), (11, 17), (9, 17), (17,))
    check_same(product_and_more, make, (Bind("j", "x", 2, 4, 4), Bind("i", "y", 2, 4, 4), Stage("k", 4)))


def test_operands_may_lie_in_any_direction():
    make = arrays((12, 9), (17, 12), (9, 17))
    check_same(product_of_transposed, make, (Bind("j", "x", 2, 4, 4), Bind("i", "y", 2, 4, 4), Stage("k", 4)))


def test_tiles_may_begin_where_the_counter_along_z_says():
    make = arrays((11,), (11, 5), (3, 5, 5))
    schedule = (Bind("j", "x", 2, 4, 4), Bind("i", "y", 2, 4, 4), Bind("p", "z", 1), Stage("k", 4))
    check_same(products_of_shifted, make, schedule)
    assert any(isinstance(d, Stage) for d in default_schedule(kernel_of(program_of(products_of_shifted, make()))[0]))


def default_of(function, *shapes, dtype=np.float32):
    return default_schedule(kernel_of(program_of(function, arrays(*shapes, dtype=dtype)()))[0])


def test_the_default_gives_a_warp_to_each_row_and_a_block_to_neighbouring_columns():
    assert default_of(row_sums, (4, 4), (4,)) == (Bind("i", "y", 8), Share("j", "x", 32, 4))
    assert default_of(column_sums, (4, 4), (4,)) == (Bind("j", "x", 32), Share("i", "y", 16))


def sums_of_pieces(x, out, length):
    for i in range(len(out)):
        s = np.float32(0)
        for j in range(i * length, (i + 1) * length):
            s += x[j]
        out[i] = s


def test_neighbouring_threads_read_neighbours_that_are_apart():
    def make():
        x, out = arrays((200,), (3,))()
        return x[::2], out, 33

    made = default_schedule(kernel_of(program_of(sums_of_pieces, make()))[0])
    assert made == (Bind("i", "y", 8), Share("j", "x", 32, 1, 8))
    check_same(sums_of_pieces, make, made)


def test_the_default_stages_what_a_product_reads():
    assert any(isinstance(d, Stage) for d in default_of(product, (4, 4), (4, 4), (4, 4)))


def nearest(p, q, r):
    for i in range(p.shape[0]):
        s = p[i] - p[i]
        for j in range(q.shape[0]):
            s += (p[i] - q[j]) * (p[i] - q[j])
        r[i] = s


def test_a_reduction_whose_reads_are_the_same_for_all_points_reads_them_once_for_a_block():
    assert default_of(nearest, (4,), (4,), (4,)) == (Bind("i", "x", 1024), Stage("j", 1024))


def largest(a, r):
    for i in range(a.shape[0]):
        s = a[i, 0]
        for j in range(a.shape[1]):
            s = max(s, a[i, j])
        r[i] = s


def test_extremes_of_floats_keep_their_order_and_those_of_integers_need_none():
    assert not any(isinstance(d, Share) for d in default_of(largest, (4, 4), (4,)))
    assert any(isinstance(d, Share) for d in default_of(largest, (4, 4), (4,), dtype=np.int32))
    check_same(largest, arrays((5, 37), (5,), dtype=np.int32), ROWS)
    assert FLOAT32.size == 4


def counted(a, r):
    for i in range(a.shape[0]):
        s = 0
        for j in range(a.shape[1]):
            if a[i, j] > 0:
                s += 1
        r[i] = s


def test_counts_are_python_integers_in_shared_memory_too():
    check_same(counted, arrays((3, 37), (3,), dtype=np.int64), ROWS)


def test_a_scheduled_kernel_comes_back_from_text_and_json():
    schedule = (Bind("j", "x", 2, 4, 4), Bind("i", "y", 2, 4, 4), Stage("k", 4, 2))
    made = scheduled(program_of(product, arrays((8, 8), (8, 8), (8, 8))()), schedule, overlaps=("c",))
    assert parse(to_text(made, locations=True)) == from_json(to_json(made)) == made


def test_devices_whose_blocks_may_be_small_get_smaller_ones():
    kernel = kernel_of(program_of(column_sums, arrays((4, 4), (4,))()))[0]
    assert schedule_for(kernel, (), "cuda:1") == (Bind("j", "x", 32), Share("i", "y", 16))
    assert schedule_for(kernel, (), "opencl") == (Bind("j", "x", 32), Share("i", "y", 8))


def grey(picture, out):
    for i in range(picture.shape[0]):
        s = picture[i, 0] - picture[i, 0]
        for c in range(3):
            s += picture[i, c]
        out[i] = s


def test_a_few_iterations_stay_in_one_thread():
    assert default_of(grey, (4, 3), (4,)) == (Bind("i", "x", 256),)
