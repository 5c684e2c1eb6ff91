"""Products and convolutions on a GPU: whole tiles and parts of them, aligned and not, in every direction."""

import numpy as np
import pytest

import weft
from tests.schedule.test_slide import any_window, convolution
from tests.schedule.test_stages import product, product_of_transposed
from weft.schedule import Bind, Slide, Stage

pytestmark = pytest.mark.gpu

SHAPES = [(1, 1, 1), (128, 64, 256), (129, 65, 257), (37, 250, 400), (512, 7, 512), (300, 0, 300)]
SCHEDULES = [
    (),
    (Bind("j", "x", 32, 8, 4), Bind("i", "y", 8, 16, 4), Stage("k", 8)),
    (Bind("j", "x", 16, 8, 4), Bind("i", "y", 16, 8, 4), Stage("k", 8, buffers=4)),
]
MATRICES = (Bind("j", "x", 8, 8, 2), Bind("i", "y", 16, 8), Stage("k", 16, buffers=3, matrix=True))


def whole_numbers(*shapes, dtype, offset=0):
    generator = np.random.default_rng(3)
    made = []
    for shape in shapes:
        memory = np.zeros(int(np.prod(shape)) + offset, dtype)
        made.append(memory[offset:].reshape(shape))
        made[-1][...] = generator.integers(-9, 9, shape)
    return made


@pytest.mark.parametrize("offset", [0, 1])
@pytest.mark.parametrize("shape", SHAPES)
@pytest.mark.parametrize(
    "dtype, schedule", [*((np.float32, s) for s in SCHEDULES), (np.float64, ()), (np.float64, MATRICES)]
)
def test_products_of_any_shape_and_alignment(dtype, schedule, shape, offset):
    rows, inner, columns = shape
    a, b, c = whole_numbers((rows, inner), (inner, columns), (rows, columns), dtype=dtype, offset=offset)
    weft.jit(product, device="cuda", schedule=schedule)(a, b, c)
    np.testing.assert_array_equal(c, a @ b)


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
def test_operands_may_lie_in_any_direction(dtype):
    a, b, c = whole_numbers((70, 129), (257, 70), (129, 257), dtype=dtype)
    weft.jit(product_of_transposed, device="cuda")(a, b, c)
    np.testing.assert_array_equal(c, a.T @ b.T)


def test_matrix_instructions_add_in_the_order_of_the_source():
    generator = np.random.default_rng(5)
    a, b = generator.standard_normal((96, 161)), generator.standard_normal((161, 130))
    one, other = np.zeros((96, 130)), np.zeros((96, 130))
    weft.jit(product, device="cuda", schedule=MATRICES)(a, b, one)
    plain = (Bind("j", "x", 16, 4, 2), Bind("i", "y", 16, 8, 2), Stage("k", 8, 2))
    weft.jit(product, device="cuda", schedule=plain)(a, b, other)
    np.testing.assert_array_equal(one, other)


@pytest.mark.parametrize("shape", [(3, 5), (66, 68), (131, 301)])
@pytest.mark.parametrize("dtype", [np.float32, np.float64])
def test_convolutions_of_any_shape(dtype, shape):
    u, w, v = whole_numbers(shape, (3, 5), shape, dtype=dtype)
    expected = v.copy()
    windows = np.lib.stride_tricks.sliding_window_view(u, w.shape)
    expected[1:-1, 2:-2] = np.einsum("ijpq,pq->ij", windows, w)
    weft.jit(convolution, device="cuda")(u, w, v)
    np.testing.assert_array_equal(v, expected)


@pytest.mark.parametrize("width", [1, 9, 33, 40])
def test_convolutions_whose_width_nobody_knows(width):
    u, w, v = whole_numbers((90, 150), (7, width), (84, 151 - width), dtype=np.float32)
    weft.jit(any_window, device="cuda")(u, w, v)
    windows = np.lib.stride_tricks.sliding_window_view(u, w.shape)
    np.testing.assert_array_equal(v, np.einsum("ijpq,pq->ij", windows, w))


SLIDING = Bind("j", "x", 4, 16, 2), Bind("i", "y", 32, 2), Slide("p", 3, 3, matrix=True)


@pytest.mark.parametrize("offset", [0, 1])
@pytest.mark.parametrize("shape", [(3, 5), (130, 36), (131, 301)])
@pytest.mark.parametrize("special", [1.0, np.inf, np.nan])
def test_windows_by_matrix_instructions_have_the_bits_of_multiply_adds(special, shape, offset):
    generator = np.random.default_rng(5)
    size = shape[0] * shape[1]
    u = generator.standard_normal(size + offset)[offset:].reshape(shape)
    w, one = generator.standard_normal((3, 5)), np.zeros(shape)
    u.ravel()[:: size // 5][1:] = special
    other = one.copy()
    plain = (Bind("j", "x", 8, 4, 4), Bind("i", "y", 16, 4), Slide("p", 3))
    weft.jit(convolution, device="cuda", schedule=SLIDING)(u, w, one)
    weft.jit(convolution, device="cuda", schedule=plain)(u, w, other)
    np.testing.assert_array_equal(one, other)


def test_a_sliding_schedule_written_by_hand():
    u, w, v = whole_numbers((100, 100), (3, 5), (100, 100), dtype=np.float32)
    expected = v.copy()
    expected[1:-1, 2:-2] = np.einsum("ijpq,pq->ij", np.lib.stride_tricks.sliding_window_view(u, w.shape), w)
    schedule = (Bind("j", "x", 4, 8, 8), Bind("i", "y", 16, 2), Slide("p", 2))
    weft.jit(convolution, device="cuda", schedule=schedule)(u, w, v)
    np.testing.assert_array_equal(v, expected)
