"""The vendor's library on a GPU: the bits of the kernel, in every direction and at every size, also next to zero."""

import numpy as np
import pytest

import weft
from weft.runtime.devices import libraries

pytestmark = pytest.mark.gpu

SHAPES = [(128, 256, 64), (129, 65, 257), (300, 1100, 200), (1024, 1024, 1024), (1023, 513, 700)]
LAID = {"rows": np.ascontiguousarray, "columns": np.asfortranarray, "apart": lambda x: np.repeat(x, 2, 0)[::2]}


def product(a, b, c):
    for i in range(c.shape[0]):
        for j in range(c.shape[1]):
            s = 0.0
            for k in range(a.shape[1]):
                s += a[i, k] * b[k, j]
            c[i, j] = s


def product_of_transposed(a, b, c):
    for i in range(c.shape[0]):
        for j in range(c.shape[1]):
            s = 0.0
            for k in range(a.shape[0]):
                s += a[k, i] * b[j, k]
            c[i, j] = s


@pytest.fixture(autouse=True)
def taken(monkeypatch, tmp_path):
    """Every way that may be taken is, however fast it is; what is measured is not kept for others."""
    if not libraries.library()[0]:
        pytest.skip(libraries.library()[1])
    monkeypatch.setenv("WEFT_CACHE_DIR", str(tmp_path))
    monkeypatch.setattr(libraries, "LEAST", 1)
    monkeypatch.setattr(libraries, "FASTER", float("inf"))


def numbers(shape, dtype, seed):
    generator = np.random.default_rng(seed)
    return np.ldexp(generator.standard_normal(shape), generator.integers(-20, 20, shape)).astype(dtype)


def both(function, a, b, result):
    found = []
    for allowed in (False, True):
        c = result.copy(order="K")
        compiled = weft.jit(function, device="cuda", libraries=allowed)
        compiled(a, b, c)
        found.append(c)
    return found


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
@pytest.mark.parametrize("shape", SHAPES)
def test_products_have_the_bits_of_the_kernel(shape, dtype):
    rows, inner, columns = shape
    own, other = both(product, numbers((rows, inner), dtype, 1), numbers((inner, columns), dtype, 2),
                      np.zeros((rows, columns), dtype))  # fmt: skip
    assert own.tobytes() == other.tobytes()


def test_the_report_says_that_the_library_computes():
    a, b, c = numbers((150, 333), np.float32, 3), numbers((333, 212), np.float32, 4), np.zeros((150, 212), np.float32)
    compiled = weft.jit(product, device="cuda")
    compiled(a, b, c)
    text = " ".join(str(weft.explain(compiled, a, b, c)).split())
    if "has no way to compute" in text:
        pytest.skip("this version of the library adds in another order")
    assert "cuBLAS computes it" in text


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
@pytest.mark.parametrize("first", LAID)
@pytest.mark.parametrize("second", LAID)
@pytest.mark.parametrize("third", ["rows", "columns"])
def test_matrices_may_lie_in_any_direction(first, second, third, dtype):
    a, b = LAID[first](numbers((150, 333), dtype, 3)), LAID[second](numbers((333, 212), dtype, 4))
    own, other = both(product, a, b, LAID[third](np.zeros((150, 212), dtype)))
    assert own.tobytes() == other.tobytes()


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
def test_transposed_factors_and_parts_of_arrays(dtype):
    a, b = numbers((400, 300), dtype, 5), numbers((500, 400), dtype, 6)
    own, other = both(product_of_transposed, a, b, np.zeros((300, 500), dtype))
    assert own.tobytes() == other.tobytes()
    own, other = both(product, a[3:203, 5:105], b[7:107, 1:301], np.zeros((210, 310), dtype)[1:201, 3:303])
    assert own.tobytes() == other.tobytes()


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
def test_numbers_that_are_nearly_too_small_and_too_large(dtype):
    info = np.finfo(dtype)
    a, b = numbers((96, 200), dtype, 7), numbers((200, 96), dtype, 8)
    a[:10] *= info.tiny / 64
    a[10:20] *= info.max / 1e7
    a[20, 3], b[5, 7] = np.inf, -np.inf
    own, other = both(product, a, b, np.zeros((96, 96), dtype))
    np.testing.assert_array_equal(own, other)


def test_a_time_loop_of_products_in_arrays_of_weft():
    def powers(a, x, y, steps):
        for _ in range(steps):
            for i in range(y.shape[0]):
                for j in range(y.shape[1]):
                    y[i, j] = 0
                    for k in range(x.shape[1]):
                        y[i, j] += x[i, k] * a[k, j]
            x, y = y, x

    found = []
    for allowed in (False, True):
        a, x, y = (weft.array(numbers((256, 256), np.float32, seed) * np.float32(1e-7)) for seed in (1, 2, 3))
        weft.jit(powers, device="cuda", libraries=allowed)(a, x, y, 7)
        found.append((np.asarray(x).copy(), np.asarray(y).copy()))
    for own, other in zip(*found, strict=True):
        np.testing.assert_array_equal(own, other)
