"""Products of matrices by the vendor's library: when it computes them, with the same bits, and when it is not asked."""

import ctypes
import os
import subprocess
import sys
import tempfile
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parent))

from fake_cuda import main, pretending

SOURCE = Path(__file__).with_name("fake_cublaslt.c")


def product(a, b, c):
    for i in range(c.shape[0]):
        for j in range(c.shape[1]):
            s = 0.0
            for k in range(a.shape[1]):
                s += a[i, k] * b[k, j]
            c[i, j] = s


def zeroed(a, b, c):
    for i in range(c.shape[0]):
        for j in range(c.shape[1]):
            c[i, j] = 0
            for k in range(a.shape[1]):
                c[i, j] += a[i, k] * b[k, j]


def turned(a, b, c):
    for j in range(c.shape[0]):
        for i in range(c.shape[1]):
            s = 0.0
            for k in range(a.shape[0]):
                s += a[k, j] * b[i, k]
            c[j, i] = s


def middle(a, b, c):
    for i in range(1, c.shape[0] - 1):
        for j in range(2, c.shape[1]):
            s = 0.0
            for k in range(3, a.shape[1]):
                s += a[i, k] * b[k, j]
            c[i, j] = s


def added(a, b, c):
    for i in range(c.shape[0]):
        for j in range(c.shape[1]):
            for k in range(a.shape[1]):
                c[i, j] += a[i, k] * b[k, j]


def scaled(a, b, c):
    for i in range(c.shape[0]):
        for j in range(c.shape[1]):
            s = 0.0
            for k in range(a.shape[1]):
                s += a[i, k] * b[k, j]
            c[i, j] = 2.0 * s


class Library:
    """The library that pretends, and times that a test says: so many seconds for the kernel, and for its ways."""

    def __init__(self, kernel=2.0, way=1.0):
        import weft  # noqa: F401
        from weft.runtime.devices import libraries

        path = Path(tempfile.mkdtemp(prefix="weft-fake-cublas-")) / "libcublasLt.so"
        subprocess.run(["gcc", "-shared", "-fPIC", "-O1", "-o", str(path), str(SOURCE), "-lm"], check=True)
        from weft.runtime import _stub

        self.fake = ctypes.CDLL(str(path))
        libraries.library.cache_clear()
        libraries.library = lambda: (str(path), "13.2.0") if _stub.load_vendor(str(path)) else ("", "")
        libraries.LEAST = 1
        libraries.SIDE, libraries.DEPTH = 9, 40
        self.measured = []
        before = libraries.measured
        libraries._seconds = lambda table, given, chosen, runs=0: kernel if chosen is None else way

        def measured(table, given):
            self.measured.append(given[1])
            return before(table, given)

        libraries.measured = measured

    @property
    def products(self):
        return self.fake.fake_products()


def factors(rows=31, inner=45, columns=38, dtype="f8"):
    import numpy as np

    generator = np.random.default_rng(2)
    a, b = generator.standard_normal((rows, inner)), generator.standard_normal((inner, columns))
    return a.astype(dtype), b.astype(dtype), np.zeros((rows, columns), dtype)


def assert_in_order(a, b, c):
    """Every element is the sum of fused products from the first to the last."""
    import numpy as np

    fma = {"f8": ctypes.CDLL("libm.so.6").fma, "f4": ctypes.CDLL("libm.so.6").fmaf}[c.dtype.str[1:]]
    type_ = ctypes.c_double if c.dtype == np.float64 else ctypes.c_float
    fma.argtypes, fma.restype = (type_,) * 3, type_
    for row, column in ((0, 0), (c.shape[0] - 1, c.shape[1] - 1), (c.shape[0] // 2, 1)):
        total = 0.0
        for k in range(a.shape[1]):
            total = fma(float(a[row, k]), float(b[k, column]), total)
        assert c[row, column] == total, (row, column)
    np.testing.assert_allclose(c, a @ b, rtol=1e-4, atol=1e-4)


@pytest.mark.sample(0)
@pretending
def test_the_library_computes_what_it_is_faster_at(driver):
    import weft

    library = Library()
    for dtype, function in (("f8", product), ("f4", zeroed)):
        a, b, c = factors(dtype=dtype)
        weft.jit(function, device="cuda")(a, b, c)
        assert_in_order(a, b, c)
    assert library.products > 0


@pytest.mark.sample(0)
@pretending
def test_matrices_may_lie_in_any_direction(driver):
    import numpy as np

    import weft

    Library()
    a, b, c = factors()
    rows, columns = np.ascontiguousarray, np.asfortranarray
    compiled = weft.jit(product, device="cuda")
    for first, second, third in ((rows, columns, rows), (columns, rows, columns), (columns, columns, rows)):
        result = third(np.zeros_like(c))
        compiled(first(a), second(b), result)
        assert_in_order(a, b, result)
    result = np.zeros_like(c)
    weft.jit(turned, device="cuda")(np.ascontiguousarray(a.T), np.ascontiguousarray(b.T), result)
    assert_in_order(a, b, result)


@pytest.mark.sample(0)
@pretending
def test_parts_of_arrays_and_of_loops(driver):
    import numpy as np

    import weft

    Library()
    a, b, _ = factors(60, 70, 80)
    whole = np.zeros((60, 80))
    weft.jit(product, device="cuda")(a[3:20, 5:40], b[5:40, 7:30], whole[1:18, 2:25])
    assert_in_order(a[3:20, 5:40], b[5:40, 7:30], whole[1:18, 2:25])
    assert np.count_nonzero(whole) == whole[1:18, 2:25].size
    c = np.zeros((60, 80))
    weft.jit(middle, device="cuda")(a, b, c)
    assert_in_order(a[1:-1, 3:], b[3:, 2:], c[1:-1, 2:])
    assert not c[0].any() and not c[-1].any() and not c[:, :2].any()


@pytest.mark.sample(0)
@pretending
def test_steps_of_more_than_one_are_left_to_the_kernel(driver):
    import weft

    library = Library()
    a, b, c = factors(60, 70, 80)
    before = library.products
    weft.jit(product, device="cuda")(a[::2, ::2], b[::2, ::2], c[::2, ::2])
    weft.jit(product, device="cuda")(a[::-1], b, c)
    assert library.products == before


@pytest.mark.sample(0)
@pretending
def test_the_kernel_computes_what_it_is_faster_at(driver):
    import weft

    library = Library(kernel=1.0)
    a, b, c = factors()
    compiled = weft.jit(product, device="cuda")
    compiled(a, b, c)
    after = library.products
    compiled(a, b, c)
    assert len(library.measured) == 1 and library.products == after
    assert "the kernel computes it, not a library: cuBLAS 13.2.0 takes" in str(weft.explain(compiled, a, b, c))


@pytest.mark.sample(0)
@pretending
def test_a_size_class_is_measured_once_and_the_choice_is_kept_on_disk(driver):
    import weft

    library = Library()
    compiled = weft.jit(product, device="cuda")
    assert "first call of this size measures" in str(weft.explain(compiled, *factors()))
    assert not library.measured
    for rows in (33, 32, 33):
        a, b, c = factors(rows)
        compiled(a, b, c)
        assert_in_order(a, b, c)
    assert len(library.measured) == 1
    compiled(*factors(200))
    assert len(library.measured) == 2
    a, b, c = factors(33)
    assert "cuBLAS computes it: cuBLAS 13.2.0 takes" in str(weft.explain(compiled, a, b, c))


@pytest.mark.sample(0)
@pretending
def test_ways_that_add_in_another_order_are_for_fastmath_only(driver):
    import numpy as np

    import weft
    from weft.runtime.devices import libraries

    Library()
    seen = []
    before = libraries.keeps_order
    libraries.keeps_order = lambda *given: seen.append(before(*given)) or seen[-1]
    weft.jit(product, device="cuda")(*factors())
    assert seen == [False, True]
    a, b, c = factors()
    weft.jit(product, device="cuda", fastmath=True)(a, b, c)
    np.testing.assert_allclose(c, a @ b, rtol=1e-12, atol=1e-12)
    assert seen == [False, True, True]


@pytest.mark.sample(0)
@pretending
def test_what_is_more_than_a_product_is_left_to_the_kernel(driver):
    import weft

    library = Library()
    a, b, c = factors()
    for function in (added, scaled):
        compiled = weft.jit(function, device="cuda")
        compiled(a, b, c)
        assert "the kernel computes it, not a library" in str(weft.explain(compiled, a, b, c))
    compiled = weft.jit(product, device="cuda", libraries=False)
    compiled(a, b, c)
    assert "libraries=False" in str(weft.explain(compiled, a, b, c))
    assert library.products == 0 and not library.measured


@pretending
def test_a_schedule_written_by_hand_is_that_of_the_kernel(driver):
    import weft
    from weft.schedule import Bind

    library = Library()
    weft.jit(product, device="cuda", schedule=(Bind("j", "x", 32), Bind("i", "y", 8)))(*factors())
    assert library.products == 0


@pytest.mark.sample(0)
@pretending
def test_a_result_that_is_a_factor_is_left_to_the_kernel(driver):
    import weft

    library = Library()
    a, b, _ = factors(40, 40, 40)
    weft.jit(product, device="cuda")(a, b, a)
    assert library.products == 0


@pytest.mark.sample(0)
@pretending
def test_sizes_that_the_library_refuses_are_left_to_the_kernel(driver):
    import weft

    library = Library()
    compiled = weft.jit(product, device="cuda")
    compiled(*factors(33))
    library.fake.fake_refuses(1)
    before = library.products
    compiled(*factors(32))
    assert library.products == before and len(library.measured) == 1


@pytest.mark.sample(0)
@pretending
def test_the_environment_of_the_library_is_part_of_what_was_measured(driver):
    import weft

    library = Library()
    weft.jit(product, device="cuda")(*factors())
    os.environ["NVIDIA_TF32_OVERRIDE"] = "1"
    weft.jit(product, device="cuda")(*factors(33))
    assert len(library.measured) == 2


@pytest.mark.sample(0)
@pretending
def test_without_the_library_the_kernel_computes(driver):
    import weft
    from weft.runtime.devices import libraries

    libraries.library = lambda: ("", "cuBLAS is not installed")
    compiled = weft.jit(product, device="cuda")
    compiled(*factors())
    assert "not a library: cuBLAS is not installed" in " ".join(str(weft.explain(compiled, *factors())).split())


if __name__ == "__main__":
    main(globals())
