"""Matrix products from loops in every order, beside NumPy's."""

from __future__ import annotations

import itertools
import re
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import weft

RNG = np.random.default_rng(11)
SIZES = tuple(tuple(int(k) for k in RNG.integers(0, 71, 3)) for _ in range(8))
SHAPES = (
    (24, 24, 24),
    (25, 33, 26),
    (70, 64, 70),
    (64, 64, 0),
    (1, 70, 70),
    (70, 3, 24),
    (33, 8, 40),
    (27, 13, 9),
    *SIZES,
)


def ijk(a, b, c):
    for i in range(c.shape[0]):
        for j in range(c.shape[1]):
            for k in range(a.shape[1]):
                c[i, j] += a[i, k] * b[k, j]


def ikj(a, b, c):
    for i in range(c.shape[0]):
        for k in range(a.shape[1]):
            for j in range(c.shape[1]):
                c[i, j] += a[i, k] * b[k, j]


def jik(a, b, c):
    for j in range(c.shape[1]):
        for i in range(c.shape[0]):
            for k in range(a.shape[1]):
                c[i, j] += a[i, k] * b[k, j]


def jki(a, b, c):
    for j in range(c.shape[1]):
        for k in range(a.shape[1]):
            for i in range(c.shape[0]):
                c[i, j] += a[i, k] * b[k, j]


def kij(a, b, c):
    for k in range(a.shape[1]):
        for i in range(c.shape[0]):
            for j in range(c.shape[1]):
                c[i, j] += a[i, k] * b[k, j]


def kji(a, b, c):
    for k in range(a.shape[1]):
        for j in range(c.shape[1]):
            for i in range(c.shape[0]):
                c[i, j] += a[i, k] * b[k, j]


def scaled(a, b, c, alpha, beta):
    for i in range(c.shape[0]):
        for j in range(c.shape[1]):
            s = 0.0
            for k in range(a.shape[1]):
                s += a[i, k] * b[k, j]
            c[i, j] = alpha * s + beta * c[i, j]


def batched(a, b, c):
    for n in range(c.shape[0]):
        for i in range(c.shape[1]):
            for j in range(c.shape[2]):
                s = 0.0
                for k in range(a.shape[2]):
                    s += a[n, i, k] * b[n, k, j]
                c[n, i, j] = s


ORDERS = {function: weft.jit(function) for function in (ijk, ikj, jik, jki, kij, kji)}


def arrays(rows: int, columns: int, inner: int, dtype: Any) -> tuple[Any, Any, Any]:
    made = [RNG.random(shape) * 20 for shape in ((rows, inner), (inner, columns), (rows, columns))]
    if np.dtype(dtype).kind == "c":
        made = [x + 1j * x[::-1] for x in made]
    a, b, c = (x.astype(dtype) for x in made)
    return a, b, c


def assert_product(found: Any, expected: Any, terms: int) -> None:
    """The same integers; floats that are off by no more than a sum of so many terms may be."""
    if found.dtype.kind in "iu":
        np.testing.assert_array_equal(found, expected)
    else:
        tolerance = 4 * (terms + 2) * np.finfo(found.dtype).eps
        np.testing.assert_allclose(found, expected, rtol=tolerance, atol=tolerance * 400)


@pytest.mark.sample(1)
@pytest.mark.parametrize("function", ORDERS, ids=lambda f: f.__name__)
@pytest.mark.parametrize("dtype", (np.float64, np.float32, np.int32, np.uint16, np.complex128))
def test_every_order_of_the_loops(function: Callable[..., Any], dtype: Any) -> None:
    for shape in SHAPES:
        a, b, c = arrays(*shape, dtype)
        expected = c + a @ b
        ORDERS[function](a, b, c)
        assert_product(c, expected.astype(dtype), shape[2])


LAYOUTS: dict[str, Callable[[Any], Any]] = {
    "as it is": lambda x: x,
    "transposed": lambda x: np.asfortranarray(x),
    "every second": lambda x: np.repeat(np.repeat(x, 2, 0), 2, 1)[::2, ::2],
    "backwards": lambda x: x[::-1, ::-1].copy()[::-1, ::-1],
}


@pytest.mark.parametrize("layouts", tuple(itertools.product(LAYOUTS, repeat=3)), ids="-".join)
def test_every_layout(layouts: tuple[str, str, str]) -> None:
    for shape in ((25, 33, 26), (47, 24, 70)):
        plain = arrays(*shape, np.float64)
        a, b, c = (LAYOUTS[layout](x.copy()) for layout, x in zip(layouts, plain, strict=True))
        ORDERS[ijk](a, b, c)
        assert_product(c, plain[2] + plain[0] @ plain[1], shape[2])


@pytest.mark.sample(1)
@pytest.mark.parametrize(("alpha", "beta"), ((1.0, 0.0), (1.5, 1.0), (-2.0, 0.25)))
@pytest.mark.parametrize("dtype", (np.float64, np.float32))
def test_what_stands_after_the_sum(alpha: float, beta: float, dtype: Any) -> None:
    product = weft.jit(scaled)
    for shape in SHAPES:
        a, b, c = arrays(*shape, dtype)
        expected = dtype(alpha) * (a @ b) + dtype(beta) * c
        product(a, b, c, alpha, beta)
        assert_product(c, expected, shape[2])


def over_the_last_axis(t, w, c):
    for i in range(t.shape[0]):
        for j in range(t.shape[1]):
            for m in range(w.shape[0]):
                s = 0.0
                for k in range(t.shape[2]):
                    s += t[i, j, k] * w[m, k]
                c[i, j, m] = s


def test_the_innermost_loops_of_deep_nests_are_vectors() -> None:
    """A tile has eight rows, and one packed operation at least for each."""
    product = weft.jit(over_the_last_axis)
    t, w, c = RNG.random((3, 30, 40)), RNG.random((26, 40)), np.zeros((3, 30, 26))
    product(t, w, c)
    np.testing.assert_allclose(c, t @ w.T)
    text = product.inspect(t, w, c).assembly
    if not re.search(r"\bvfmadd\w+", text):
        pytest.skip("the processor, or the compiler, has no such operations")
    assert len(re.findall(r"\bvfmadd\w+pd\b", text)) >= 8


def test_batches() -> None:
    a, b, c = RNG.random((3, 30, 41)), RNG.random((3, 41, 27)), np.zeros((3, 30, 27))
    weft.jit(batched)(a, b, c)
    assert_product(c, a @ b, 41)


@pytest.mark.parametrize("which", (0, 1))
def test_a_product_into_one_of_its_factors_is_the_one_of_the_loops(which: int) -> None:
    factors = arrays(31, 31, 31, np.float64)[:2]
    expected = [x.copy() for x in factors]
    ijk(*expected, expected[which])
    found = [x.copy() for x in factors]
    weft.jit(ijk)(*found, found[which])
    np.testing.assert_allclose(found[which], expected[which], rtol=1e-9)


def test_a_part_has_the_bits_of_the_whole() -> None:
    a, b, c = arrays(130, 97, 300, np.float32)
    c[:] = 0
    whole = c.copy()
    ORDERS[ijk](a, b, whole)
    for row in range(0, 130, 26):
        part = c[row : row + 26].copy()
        ORDERS[ijk](a[row : row + 26], b, part)
        np.testing.assert_array_equal(part, whole[row : row + 26])


def test_indices_are_checked_as_before() -> None:
    a, b, c = arrays(30, 30, 30, np.float64)
    with pytest.raises(IndexError):
        ORDERS[ijk](a, b[:-1], c)


def test_contractions_can_be_switched_off() -> None:
    values = arrays(30, 31, 32, np.float64)
    without = weft.jit(disable=("tensor_contractions", "reduction_interchange"))(ikj)
    assert "packed" in ORDERS[ikj].inspect(*values).source
    assert "packed" not in without.inspect(*values).source
    expected = values[2] + values[0] @ values[1]
    without(*values)
    assert_product(values[2], expected, 32)


def test_the_schedule_names_the_tiles() -> None:
    values = arrays(3, 3, 3, np.float64)
    assert "sums over k in tiles of" in ORDERS[kij].inspect(*values).schedule
    assert "sums over k in tiles of" in str(weft.explain(ORDERS[ijk], *values).placement)
    assert "tiles" not in weft.jit(disable=("tensor_contractions",))(ijk).inspect(*values).schedule


def test_not_a_number_stays_in_its_row_and_column() -> None:
    a, b, c = arrays(29, 37, 31, np.float64)
    a[28, 30] = np.nan
    b[0, 36] = np.inf
    expected = c + a @ b
    ORDERS[ijk](a, b, c)
    np.testing.assert_array_equal(np.isfinite(c), np.isfinite(expected))
