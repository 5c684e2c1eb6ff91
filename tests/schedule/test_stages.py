"""Reductions whose elements come to shared memory in rings of buffers, on their way while threads work."""

import numpy as np
import pytest

import weft
from tests.schedule.scheduled import arrays, check_same, kernel_of, program_of, scheduled
from weft.backends.cuda.dialect import generate_kernels
from weft.ir import nodes as n
from weft.ir.forms.json_form import from_json, to_json
from weft.ir.forms.parser import parse
from weft.ir.forms.text import to_text
from weft.ir.visit import walk
from weft.plan.place import place
from weft.schedule import Bind, Order, Stage
from weft.schedule.directives import describe
from weft.schedule.legality import check_schedule


def product(a, b, c):
    for i in range(a.shape[0]):
        for j in range(b.shape[1]):
            c[i, j] = 0
            for k in range(a.shape[1]):
                c[i, j] += a[i, k] * b[k, j]


def product_of_transposed(a, b, c):
    for i in range(a.shape[1]):
        for j in range(b.shape[0]):
            s = a[0, i] - a[0, i]
            for k in range(a.shape[0]):
                s += a[k, i] * b[j, k]
            c[i, j] = s


def started(a, b, c, d):
    for i in range(a.shape[0]):
        for j in range(b.shape[1]):
            s = d[j] * a[i, 0]
            for k in range(1, a.shape[1]):
                s += abs(a[i, k] - b[k, j])
            c[i, j] = s - d[j]


def centred(a, b, d, c):
    for i in range(a.shape[0]):
        m = d[i]
        for j in range(b.shape[1]):
            s = a[0, 0] - a[0, 0]
            for k in range(a.shape[1]):
                s += (a[i, k] - m) * b[k, j]
            c[i, j] = s


def weighted(a, b, c):
    for i in range(a.shape[0]):
        for j in range(b.shape[1]):
            s = a[0, 0] - a[0, 0]
            for k in range(a.shape[1]):
                s += a[i, k] * b[k, j] * (i - j)
            c[i, j] = s


def ring(x, y, depth, buffers, run=4):
    return (Bind("j", "x", x, 4, run), Bind("i", "y", y, 4, run), Stage("k", depth, 1, buffers))


@pytest.mark.sample(1)
@pytest.mark.parametrize("offset", [0, 4])
@pytest.mark.parametrize("shape", [(8, 8, 16), (9, 10, 11), (1, 1, 1), (8, 8, 0)])
@pytest.mark.parametrize("depth, buffers", [(4, 3), (2, 5)])
def test_a_product_of_any_shape_and_alignment(shape, offset, depth, buffers):
    rows, columns, inner = shape
    make = arrays((rows, inner), (inner, columns), (rows, columns), offset=offset)
    check_same(product, make, ring(2, 2, depth, buffers))


@pytest.mark.sample(1)
@pytest.mark.parametrize("buffers", [2, 3])
@pytest.mark.parametrize("shape", [(9, 12, 16), (7, 20, 5), (17, 4, 4), (1, 8, 1)])
def test_tiles_that_are_cut_between_aligned_runs(shape, buffers):
    rows, columns, inner = shape
    make = arrays((rows, inner), (inner, columns), (rows, columns))
    check_same(product, make, ring(2, 2, 4, buffers))
    check_same(product_of_transposed, arrays((inner, rows), (columns, inner), (rows, columns)), ring(2, 2, 4, buffers))
    make = arrays((rows, inner), (inner, columns), (rows, columns), (columns,))
    check_same(started, make, ring(2, 2, 4, buffers))


@pytest.mark.parametrize("shape", [(8, 8, 16), (9, 10, 11), (9, 12, 16)])
@pytest.mark.parametrize("singles", [2, 3, 4])
def test_element_by_element_through_more_buffers(shape, singles):
    rows, columns, inner = shape
    make = arrays((rows, inner), (inner, columns), (rows, columns))
    check_same(product, make, (*ring(2, 2, 4, 2)[:2], Stage("k", 4, singles=singles)))


@pytest.mark.sample(0)
@pytest.mark.parametrize("shape", [(33, 35, 11), (32, 32, 8), (5, 3, 3)])
def test_threads_with_many_points_send_the_elements_of_the_first_tiles_in_loops(shape):
    rows, columns, inner = shape
    schedule = (Bind("j", "x", 4, 8, 4), Bind("i", "y", 2, 16, 4), Stage("k", 4, 1, 3))
    check_same(product, arrays((rows, inner), (inner, columns), (rows, columns)), schedule)
    made = scheduled(program_of(product, arrays((8, 8), (8, 8), (8, 8))()), schedule)
    assert [s.stop for s in walk(made.body) if isinstance(s, n.For) and "first" in s.label] == [n.Const(4)] * 4


def test_all_buffers_need_room():
    kernel = kernel_of(program_of(product, arrays((8, 8), (8, 8), (8, 8))()))[0]
    much = (Bind("j", "x", 32, 8, 4), Bind("i", "y", 8, 16, 4), Stage("k", 16, singles=30))
    (found,) = check_schedule(kernel, much)
    assert found.constraint == "shared-memory"


@pytest.mark.sample(1)
@pytest.mark.parametrize("buffers", [2, 3])
def test_the_threads_of_a_warp_lie_next_to_a_square(buffers):
    check_same(product, arrays((9, 9), (9, 69), (9, 69)), ring(16, 4, 4, buffers))


@pytest.mark.parametrize("dtype, run", [(np.float64, 2), (np.int32, 4), (np.float16, 1), (np.int8, 4)])
def test_a_product_of_other_types(dtype, run):
    check_same(product, arrays((9, 11), (11, 10), (9, 10), dtype=dtype), ring(2, 2, 4, 3, run))


@pytest.mark.sample(0)
def test_operands_may_lie_in_any_direction():
    check_same(product_of_transposed, arrays((12, 9), (17, 12), (9, 17)), ring(2, 2, 4, 3))


@pytest.mark.sample(1)
@pytest.mark.parametrize("inner", [1, 2, 9, 17])
def test_initial_values_and_what_follows_belong_to_each_point(inner):
    check_same(started, arrays((9, inner), (inner, 17), (9, 17), (17,)), ring(2, 2, 4, 3))


def test_late_stores_come_back_from_text():
    made = scheduled(program_of(product, arrays((8, 8), (8, 8), (8, 8))()), ring(2, 2, 4, 3))
    assert parse(to_text(made, locations=True)) == made
    stores = [s for s in walk(made.body) if isinstance(s, n.Store) and s.late]
    phases = [s for s in walk(made.body) if isinstance(s, n.For) and s.under_way is not None]
    assert stores and phases and {s.under_way for s in phases} == {0, 1}


def cuda_text(schedule):
    program = program_of(product, arrays((8, 8), (8, 8), (8, 8))())
    return generate_kernels(place(program, "cuda", schedule=schedule).program)


def test_cuda_copies_asynchronously_and_waits_for_all_but_the_latest():
    text = cuda_text(ring(16, 8, 8, 4))
    assert "copy_late_16(&b_tile" in text and "copy_late_4(&a_tile" in text and "wait_late(2);" in text
    assert "_held" not in text


def test_two_buffers_go_through_registers_in_whole_blocks():
    text = cuda_text(ring(16, 8, 8, 2))
    assert "_held" in text and "copy_late_16" not in text
    assert "copy_late_4(&b_tile" in text and "wait_late(0);" in text, "others copy element by element"


def test_vectors_of_sums_are_made_of_copies_so_that_sums_are_in_any_registers():
    made = scheduled(program_of(product, arrays((8, 8), (8, 8), (8, 8))()), ring(2, 2, 4, 2))
    packs = [s.value for s in walk(made.body) if isinstance(s, n.Let) and isinstance(s.value, n.Pack)]
    assert {pack.apart for pack in packs} == {False, True}, "those that go to shared memory are loaded as vectors"
    assert parse(to_text(made, locations=True)) == from_json(to_json(made)) == made
    assert "make_float4(copy_float32(" in cuda_text(ring(16, 8, 8, 2))


def test_an_order_of_blocks_takes_the_place_of_the_default_one():
    program = program_of(product, arrays((8, 8), (8, 8), (8, 8))())
    for given, blocks in (((), 8), ((Order("i", 4),), 4)):
        nests = place(program, "cuda", schedule=given).nests
        assert [d.blocks for nest in nests for d in nest.schedule if isinstance(d, Order)] == [blocks]


def test_the_description_names_the_buffers():
    assert (
        describe((Stage("k", 8, 1, 3),)) == "stage 8 iterations of k in shared memory, 3 times by asynchronous copies"
    )
    assert describe((Stage("k", 8, singles=3),)).endswith("in shared memory, 3 times element by element")


@pytest.mark.parametrize(
    "constraint, stage", [("tile-size", Stage("k", 8, 1, 1)), ("shared-memory", Stage("k", 64, 1, 8))]
)
def test_rings_that_are_not_legal_are_refused_by_name(constraint, stage):
    kernel = kernel_of(program_of(product, arrays((4, 4), (4, 4), (4, 4))()))[0]
    schedule = (Bind("j", "x", 16, 4, 4), Bind("i", "y", 16, 4, 4), stage)
    assert constraint in {violation.constraint for violation in check_schedule(kernel, schedule)}


@pytest.mark.opencl
@pytest.mark.parametrize("shape", [(33, 21, 40)])
def test_devices_without_asynchronous_copies_run_rings_too(shape):
    rows, inner, columns = shape
    a, b, c = arrays((rows, inner), (inner, columns), (rows, columns))()
    weft.jit(product, device="opencl", schedule=ring(8, 8, 8, 3))(a, b, c)
    np.testing.assert_array_equal(c, a @ b)


@pytest.mark.parametrize(
    "function, make", [(centred, arrays((8, 8), (8, 8), (8,), (8, 8))), (weighted, arrays((8, 8), (8, 8), (8, 8)))]
)
def test_a_sum_that_needs_more_of_a_point_than_elements_has_another_schedule(function, make):
    program = program_of(function, make())
    assert "one-loop" in {v.constraint for v in check_schedule(kernel_of(program)[0], ring(2, 2, 4, 3))}
    assert "Stage" not in str(place(program, "cuda").nests[0].schedule)
    check_same(function, make, ())


MATRICES = (Bind("j", "x", 4, 2, 2), Bind("i", "y", 8, 2), Stage("k", 16, 1, 2, True))


@pytest.mark.parametrize("shape", [(16, 32, 8), (17, 21, 11), (3, 5, 7)])
def test_tiles_that_warps_multiply_as_matrices_are_laid_out_like_any_other(shape):
    rows, inner, columns = shape
    check_same(product, arrays((rows, inner), (inner, columns), (rows, columns), dtype=np.float64), MATRICES)


def test_cuda_multiplies_tiles_by_matrix_instructions_where_there_are_any():
    program = program_of(product, arrays((8, 8), (8, 8), (8, 8), dtype=np.float64)())
    text = generate_kernels(place(program, "cuda", schedule=MATRICES).program)
    assert "#if __CUDA_ARCH__ >= 900\nmultiply_tiles<1, 1, 16, 8, 8, 20, 12>(" in text
    assert "copy_late_16(&a_tile" in text and "fma_float64" in text


def test_a_loop_that_stands_for_a_product_of_tiles_comes_back_from_text_and_json():
    made = scheduled(program_of(product, arrays((8, 8), (8, 8), (8, 8), dtype=np.float64)()), MATRICES)
    assert any(isinstance(s, n.For) and s.product for s in walk(made.body))
    assert parse(to_text(made, locations=True)) == from_json(to_json(made)) == made


@pytest.mark.parametrize(
    "function, dtype, binds",
    [
        (product, np.float32, MATRICES[:2]),
        (started, np.float64, MATRICES[:2]),
        (product, np.float64, (Bind("j", "x", 4, 2), Bind("i", "y", 8, 2))),
        (product, np.float64, (Bind("i", "x", 4, 2, 2), Bind("j", "y", 8, 2))),
    ],
)
def test_what_no_matrix_instruction_does_is_refused_by_name(function, dtype, binds):
    shapes = ((4, 4),) * 3 if function is product else ((4, 4), (4, 4), (4, 4), (4,))
    kernel = kernel_of(program_of(function, arrays(*shapes, dtype=dtype)()))[0]
    assert [v.constraint for v in check_schedule(kernel, (*binds, MATRICES[2]))] == ["matrix-instructions"]
