"""Sums over windows that slide with the points: convolutions."""

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
from weft.plan.place import Layout, place
from weft.schedule import Bind, Slide
from weft.schedule.legality import Limits, check_schedule
from weft.tune.default import default_schedule


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


def layers(u, w, v):
    for k in range(u.shape[0]):
        for i in range(u.shape[1] - 2):
            for j in range(u.shape[2] - 4):
                s = 1.0
                for p in range(3):
                    for q in range(5):
                        s += u[k, i + p, j + q] * w[k, p, q]
                v[k, i, j] = s * 2


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


@pytest.mark.sample(1)
@pytest.mark.parametrize("offset", [0, 4])
@pytest.mark.parametrize("shape", [(3, 5), (19, 25)])
def test_a_convolution_of_any_shape_and_alignment(shape, offset):
    check_same(convolution, arrays(shape, (3, 5), shape, offset=offset), SLIDE)


@pytest.mark.sample(1)
@pytest.mark.parametrize("depth", DEPTHS)
def test_windows_of_unknown_height_are_staged_some_rows_at_a_time(depth):
    check_same(any_rows, arrays((19, 23), (4, 5), (16, 19)), (*SLIDE[:2], Slide("p", depth)))


@pytest.mark.sample(1)
@pytest.mark.parametrize("offset", [0, 4])
def test_rows_that_are_aligned_are_loaded_as_vectors(offset):
    make = arrays((12, 28), (4, 5), (9, 24), offset=offset)
    check_same(any_rows, make, SLIDE)
    text = to_text(scheduled(program_of(any_rows, make()), SLIDE))
    assert any("late" in line and "vector" not in line and "lanes" in line for line in text.splitlines())


@pytest.mark.sample(1)
@pytest.mark.parametrize("width", [1, 9, 33, 34])
def test_windows_of_unknown_width_are_taken_some_columns_at_a_time(width):
    check_same(any_window, arrays((11, 40), (3, width), (9, 41 - width)), SLIDE)


def test_windows_of_several_layers():
    check_same(layers, arrays((2, 6, 14), (2, 3, 5), (2, 4, 10)), (*SLIDE[:2], Bind("k", "z", 1), SLIDE[2]))


def test_any_sum_over_a_window_slides():
    check_same(distances, arrays((13, 22), (3, 5), (11, 18), dtype=np.float64), SLIDE, exact=False)


@pytest.mark.sample(1)
@pytest.mark.parametrize("dtype, points", [(np.float64, 4), (np.int32, 8), (np.int16, 2)])
def test_a_convolution_of_other_types(dtype, points):
    schedule = (Bind("j", "x", 4, points, points), *SLIDE[1:])
    check_same(convolution, arrays((11, 19), (3, 5), (11, 19), dtype=dtype), schedule)


# ----------------------------------------------------------------------------------------- by matrix instructions

MATRICES = (Bind("j", "x", 4, 4, 2), Bind("i", "y", 16, 2), Slide("p", 3, matrix=True))


def wide_windows(u, w, v):
    for i in range(u.shape[0] - 1):
        for j in range(u.shape[1] - 6):
            v[i, j] = 0
            for p in range(2):
                for q in range(7):
                    v[i, j] += w[p, q] * u[i + p, j + q]


@pytest.mark.sample(1)
@pytest.mark.parametrize("offset", [0, 8])
@pytest.mark.parametrize("shape", [(3, 5), (34, 22), (19, 29), (36, 21)])
def test_windows_that_warps_multiply_as_matrices_are_laid_out_like_any_other(shape, offset):
    check_same(convolution, arrays(shape, (3, 5), shape, dtype=np.float64, offset=offset), MATRICES)


def test_what_instructions_read_beside_the_windows_is_finite():
    make = arrays((35, 17), (2, 7), (34, 11), dtype=np.float64)
    check_same(wide_windows, make, (*MATRICES[:2], Slide("p", 2, matrix=True)))
    text = to_text(scheduled(program_of(wide_windows, make()), (*MATRICES[:2], Slide("p", 2, matrix=True))))
    assert "u_tile: view<float64, 2, contiguous> = alloc(33, 26) float64 in shared" in text


def test_windows_of_several_layers_by_matrix_instructions():
    make = arrays((2, 6, 14), (2, 3, 5), (2, 4, 10), dtype=np.float64)
    check_same(layers, make, (*MATRICES[:2], Bind("k", "z", 1), MATRICES[2]))


def test_sums_that_are_not_finite_are_formed_again_by_multiply_adds():
    def make():
        u, w, v = arrays((12, 16), (3, 5), (12, 16), dtype=np.float64)()
        u[4, 5], u[0, 0], u[9, 9], w[1, 1] = np.inf, np.nan, -np.inf, np.inf
        return u, w, v

    with np.errstate(invalid="ignore"):
        check_same(convolution, make, MATRICES)


def test_cuda_multiplies_windows_by_matrix_instructions_where_there_are_any():
    program = program_of(convolution, arrays((30, 30), (3, 5), (30, 30), dtype=np.float64)())
    text = generate_kernels(place(program, "cuda", schedule=MATRICES).program)
    assert "#if __CUDA_ARCH__ >= 900\nmultiply_windows<2, 3, 5, 16, 8, 22, 24>(" in text
    assert "copy_late_16(&u_tile" in text and "fma_float64" in text


def test_a_loop_that_stands_for_a_product_of_windows_comes_back_from_text_and_json():
    made = scheduled(program_of(convolution, arrays((8, 8), (3, 5), (8, 8), dtype=np.float64)()), MATRICES)
    assert any(isinstance(s, n.For) and isinstance(s.product, n.WindowProduct) for s in walk(made.body))
    assert parse(to_text(made, locations=True)) == from_json(to_json(made)) == made


def far(u, w, v):
    for i in range(u.shape[0] - 8):
        for j in range(u.shape[1] - 8):
            s = 0.0
            for p in range(9):
                for q in range(9):
                    s += w[p, q] * u[i + p, j + q]
            v[i, j] = s


def below_zero(u, w, v):
    for i in range(u.shape[0] - 2):
        for j in range(u.shape[1] - 4):
            s = -0.0
            for p in range(3):
                for q in range(5):
                    s += w[p, q] * u[i + p, j + q]
            v[i, j] = s


def from_memory(u, w, v):
    for i in range(u.shape[0] - 2):
        for j in range(u.shape[1] - 4):
            s = u[i, j]
            for p in range(3):
                for q in range(5):
                    s += w[p, q] * u[i + p, j + q]
            v[i, j] = s


def columns_outside(u, w, v):
    for j in range(u.shape[1] - 4):
        for i in range(u.shape[0] - 2):
            s = 0.0
            for p in range(3):
                for q in range(5):
                    s += w[p, q] * u[i + p, j + q]
            v[i, j] = s


@pytest.mark.parametrize(
    "constraint, function, schedule, dtype",
    [
        ("matrix-instructions", convolution, MATRICES, np.float32),
        ("matrix-instructions", distances, MATRICES, np.float64),
        ("matrix-instructions", any_rows, MATRICES, np.float64),
        ("matrix-instructions", any_window, MATRICES, np.float64),
        ("matrix-instructions", below_zero, MATRICES, np.float64),
        ("matrix-instructions", from_memory, MATRICES, np.float64),
        ("matrix-instructions", columns_outside, MATRICES, np.float64),
        ("tile-size", convolution, (Bind("j", "x", 4, 4, 4), *MATRICES[1:]), np.float64),
        ("tile-size", convolution, (Bind("j", "x", 2, 4, 2), *MATRICES[1:]), np.float64),
        ("tile-size", convolution, (MATRICES[0], Bind("i", "y", 8, 2), MATRICES[2]), np.float64),
        ("tile-size", convolution, (MATRICES[0], Bind("i", "y", 16, 4), MATRICES[2]), np.float64),
        ("tile-size", convolution, (*MATRICES[:2], Slide("p", 2, matrix=True)), np.float64),
    ],
)
def test_what_matrix_instructions_cannot_do_is_refused_by_name(constraint, function, schedule, dtype):
    kernel = kernel_of(program_of(function, arrays((30, 30), (3, 5), (30, 30), dtype=dtype)()))[0]
    assert [violation.constraint for violation in check_schedule(kernel, schedule)] == [constraint]


def matrix_schedules(function, dtype=np.float64, **limits):
    layout = Layout(Limits(1024, 227 * 1024, **limits))
    placement = place(program_of(function, arrays((40, 40), (9, 9), (40, 40), dtype=dtype)()), "cuda", layout=layout)
    return [any(isinstance(d, Slide) and d.matrix for d in nest.schedule) for nest in placement.nests if nest.kernel]


def test_the_default_multiplies_matrices_where_most_of_what_they_hold_is_in_windows():
    assert matrix_schedules(far, matrices=True) == [True]
    assert matrix_schedules(convolution, matrices=True) == [False]
    assert matrix_schedules(far, np.float32, matrices=True) == [False]


def test_the_default_multiplies_no_matrices_where_the_device_is_no_faster_then():
    assert matrix_schedules(far) == [False]


def test_the_number_of_blocks_decides_between_matrices_and_multiply_adds():
    assert matrix_schedules(far, cores=132, matrices=True) == [True, False]
    layout = Layout(Limits(1024, 227 * 1024, 132, matrices=True))
    program = program_of(far, arrays((40, 40), (9, 9), (40, 40), dtype=np.float64)())
    assert " < 66\n" in to_text(place(program, "cuda", layout=layout).program)


# --------------------------------------------------------------------------------------------------------------------


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
    assert default_schedule(kernel) == (Bind("j", "x", 8, 8, 8), Bind("i", "y", 16, 4), Slide("p", 3, 7))
    kernel = kernel_of(program_of(any_rows, arrays((30, 30), (3, 5), (28, 26), dtype=np.float64)()))[0]
    assert default_schedule(kernel) == (Bind("j", "x", 8, 4, 4), Bind("i", "y", 16, 4), Slide("p", 8, 5))
