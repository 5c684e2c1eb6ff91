"""CUDA kernels run on the processor: right, and every access aligned as a GPU demands."""

import shutil
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

import weft

from . import emulated_cuda

pytest.importorskip("cuda.bindings.nvrtc", reason="NVRTC is not installed")
if shutil.which("g++") is None:
    pytest.skip("there is no C++ compiler", allow_module_level=True)

HERE = Path(__file__)
ROWS = (
    "triad float32", "jacobi 16384", "seven points", "product float32 1024", "convolution", "row sums", "column sums",
    "softmax", "transpose", "histogram uint8", "scan", "packing 50 %", "25-point star",
)  # fmt: skip
LAID = {"rows": np.ascontiguousarray, "columns": np.asfortranarray, "apart": lambda x: np.repeat(x, 2, 0)[::2]}


def passes(module, *arguments):
    """Run a file beside this one in a process that takes the processor for a GPU."""
    command = [sys.executable, "-m", f"tests.backends.{module}", *arguments]
    done = subprocess.run(command, capture_output=True, text=True, timeout=600, cwd=HERE.parents[2])
    assert done.returncode == 0, done.stdout + done.stderr


@pytest.mark.parametrize("row", ROWS)
def test_rows_of_the_benchmarks_on_views(row):
    passes("emulated_cuda", row, "unaligned", "strided")


def test_products_of_matrices_that_lie_in_any_direction():
    passes(HERE.stem)


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


if __name__ == "__main__":
    emulated_cuda.install()
    good = [
        emulated_cuda.ended(lambda ways=(*ways, dtype): multiply(*ways))
        for ways in (("rows", "apart", "rows"), ("apart", "rows", "rows"), ("apart", "columns", "apart"))
        for dtype in (np.float32, np.float64)
    ]
    sys.exit(not all(good))
