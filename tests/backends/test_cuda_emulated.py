"""CUDA kernels run on the processor: right, and every access aligned as a GPU demands."""

import shutil
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

import weft
from benchmarks.gpu_programs import seven_points, star, transposed
from tests.schedule.test_slide import convolution
from weft.schedule import Bind, Slide

from . import emulated_cuda
from .test_products import scaled

pytest.importorskip("cuda.bindings.nvrtc", reason="NVRTC is not installed")
if shutil.which("g++") is None:
    pytest.skip("there is no C++ compiler", allow_module_level=True)

HERE = Path(__file__)
ROWS = (
    "triad float32", "jacobi 16384", "seven points", "product float32 1024", "convolution", "row sums", "column sums",
    "softmax", "transpose", "histogram uint8", "scan", "layer norm", "packing 50 %", "25-point star",
)  # fmt: skip
LAID = {"rows": np.ascontiguousarray, "columns": np.asfortranarray, "apart": lambda x: np.repeat(x, 2, 0)[::2]}


def passes(module, *arguments):
    """Run a file beside this one in a process that takes the processor for a GPU."""
    command = [sys.executable, "-m", f"tests.backends.{module}", *arguments]
    done = subprocess.run(command, capture_output=True, text=True, timeout=600, cwd=HERE.parents[2])
    assert done.returncode == 0, done.stdout + done.stderr


@pytest.mark.sample(0)
@pytest.mark.parametrize("row", ROWS)
def test_rows_of_the_benchmarks_on_views(row):
    passes("emulated_cuda", row, "unaligned", "strided")


@pytest.mark.sample(0)
def test_products_of_matrices_that_lie_in_any_direction():
    passes(HERE.stem, "products")


@pytest.mark.sample(0)
def test_windows_by_matrix_instructions():
    passes(HERE.stem, "windows")


@pytest.mark.sample(0)
def test_updates_by_keys_that_begin_anywhere():
    passes(HERE.stem, "keys")


@pytest.mark.sample(0)
def test_arrays_with_vectors_and_others_in_turn():
    passes(HERE.stem, "ways")


@pytest.mark.sample(0)
def test_a_loop_that_counts_far_is_ended():
    passes(HERE.stem, "runaways")


def product(a, b, c):
    for i in range(c.shape[0]):
        for j in range(c.shape[1]):
            s = 0.0
            for k in range(a.shape[1]):
                s += a[i, k] * b[k, j]
            c[i, j] = s


def multiply(first, second, third, dtype):
    """A product whose depth fills no tile, in rows that are aligned although they are odd."""
    generator = np.random.default_rng(1)
    a, b = (LAID[way](generator.integers(-3, 4, shape).astype(dtype))
            for way, shape in ((first, (70, 333)), (second, (333, 130))))  # fmt: skip
    c = LAID[third](np.zeros((70, 130), dtype))
    weft.jit(product, device="cuda", libraries=False)(a, b, c)
    np.testing.assert_array_equal(c, a @ b)


def multiply_at_edges(dtype, shape):
    """A product of aligned matrices whose last tiles are cut, with something before and after its sums."""
    rows, columns, depth = shape
    generator = np.random.default_rng(1)
    shapes = (rows, depth), (depth, columns), (rows, columns)
    a, b, c = (generator.integers(-3, 4, each).astype(dtype) for each in shapes)
    expected = 2 * (a @ b) + 3 * c
    weft.jit(scaled, device="cuda", libraries=False)(a, b, c, 2.0, 3.0)
    np.testing.assert_array_equal(c, expected)


def products():
    for shape in ((131, 260, 20), (7, 12, 5), (260, 132, 36)):
        for dtype in (np.float32, np.float64):
            yield lambda dtype=dtype, shape=shape: multiply_at_edges(dtype, shape)
    for ways in (("rows", "apart", "rows"), ("apart", "rows", "rows"), ("apart", "columns", "apart")):
        for dtype in (np.float32, np.float64):
            yield lambda ways=(*ways, dtype): multiply(*ways)


def wide(u, w, v):
    for i in range(u.shape[0] - 3):
        for j in range(u.shape[1] - 7):
            v[i, j] = 0
            for p in range(4):
                for q in range(8):
                    v[i, j] += w[p, q] * u[i + p, j + q]


def slide(function, window, group):
    """Sums over windows by matrix instructions have the bits of those by multiply-adds."""
    x, threads, points = group
    schedules = (
        (Bind("j", "x", x, points, 2), Bind("i", "y", threads, 2), Slide("p", window[0], matrix=True)),
        (Bind("j", "x", 8, 4, 4), Bind("i", "y", 16, 2), Slide("p", window[0])),
    )
    functions = [weft.jit(function, device="cuda", schedule=schedule) for schedule in schedules]
    generator = np.random.default_rng(1)
    for shape in ((36, 44), (81, 97)):
        for special in (1.0, np.inf, np.nan):
            u, w, one = (generator.standard_normal(each) for each in (shape, window, shape))
            u.ravel()[:: u.size // 7][1:] = special
            other = one.copy()
            for made, result in zip(functions, (one, other), strict=True):
                made(u, w, result)
            assert np.isfinite(one).all() == (special == 1.0)
            np.testing.assert_array_equal(one.view(np.int64)[~np.isnan(one)], other.view(np.int64)[~np.isnan(other)])
            np.testing.assert_array_equal(np.isnan(one), np.isnan(other))


def windows():
    for group in ((4, 32, 12), (8, 16, 2)):
        yield lambda group=group: slide(convolution, (3, 5), group)
    yield lambda: slide(wide, (4, 8), (4, 16, 6))


def by_key(x, counts):
    for i in range(len(x)):
        counts[x[i]] += 1


def by_pair(x, counts):
    for i in range(len(x) - 1):
        counts[x[i] + x[i + 1]] += 1


def count(function, dtype, offset, size, step):
    """Keys of which whole blocks are followed by few, in an array that begins `offset` elements behind another."""
    keys = np.random.default_rng(size).integers(0, 50, size).astype(dtype)
    base = np.zeros(offset + size * step, dtype)
    base[offset::step] = keys
    expected = np.bincount(keys if function is by_key else keys[1:] + keys[:-1], minlength=100)
    counts = weft.array(np.zeros(100, np.int32))
    weft.jit(function, device="cuda", libraries=False)(weft.array(base)[offset::step], counts)
    np.testing.assert_array_equal(np.asarray(counts), expected)


def keys():
    for dtype, block in ((np.uint8, 524288), (np.uint16, 32768), (np.int32, 524288), (np.int64, 32768)):
        for offset, size in ((0, 3), (1, 2), (1, block + 1), (2, block), (3, block - 1), (1, 2 * block)):
            yield lambda case=(by_key, dtype, offset, size, 1): count(*case)
        yield lambda case=(by_pair, dtype, 1, block + 1, 1): count(*case)
        yield lambda case=(by_key, dtype, 1, block // 2 + 1, 2): count(*case)


def count_any(sizes):
    """A function whose launches run the kernel for so many keys."""
    counting = weft.jit(by_key, device="cuda", libraries=False)
    for size in sizes:
        keys = np.random.default_rng(size).integers(0, size, 30000).astype(np.int32)
        counts = weft.array(np.zeros(size, np.int32))
        counting(weft.array(keys), counts)
        np.testing.assert_array_equal(np.asarray(counts), np.bincount(keys, minlength=size))


def in_turn(function, shape, target, *more):
    """A function whose arrays are whole, end early in rows of vectors, begin between vectors, and are whole again."""
    compiled = weft.jit(function, device="cuda", libraries=False)
    padded = (*shape[:-1], shape[-1] + 8)
    for begin, end in ((0, shape[-1]), (0, shape[-1] - 3), (1, shape[-1] - 3), (4, shape[-1]), (0, shape[-1])):
        x = np.random.default_rng(end).random(padded).astype(np.float32)[..., begin:end]
        wide = np.zeros((*target(x.shape)[:-1], target(x.shape)[-1] + 8), np.float32)
        expected = np.zeros(target(x.shape), np.float32)
        out = weft.array(wide)[..., begin : begin + expected.shape[-1]]
        whole = np.array(x)
        function(whole, expected, *more)
        given = weft.array(np.ascontiguousarray(x.base))[..., begin:end]
        compiled(given, out, *more)
        np.testing.assert_allclose(np.asarray(out), expected, rtol=1e-5)


def ways():
    yield lambda: count_any((200, 3000, 5000, 256, 257, 4096, 4097))
    yield lambda: in_turn(transposed, (70, 80), lambda shape: shape[::-1])
    yield lambda: in_turn(seven_points, (9, 10, 80), lambda shape: shape)
    yield lambda: in_turn(star, (10, 11, 48), lambda shape: shape)


def in_each_row(x, n):
    for k in range(x.shape[0]):
        s = x[k]
        for _ in range(n):
            s = s * 0.5 + 1.0
        x[k] = s


def runaways():
    def ends():
        limited = weft.jit(in_each_row, device="cuda", timeout=0.2)
        found, expected = np.arange(3.0), np.arange(3.0)
        limited(found, 65537)
        in_each_row(expected, 65537)
        np.testing.assert_array_equal(found, expected)
        with pytest.raises(weft.TimeoutError):
            limited(np.arange(3.0), 2**60)

    yield ends


if __name__ == "__main__":
    emulated_cuda.install()
    cases = {"products": products, "windows": windows, "keys": keys, "ways": ways, "runaways": runaways}[sys.argv[1]]
    sys.exit(not all([emulated_cuda.ended(case) for case in cases()]))
