"""Which kernels are products of matrices, as libraries compute them."""

import numpy as np
import pytest

from tests.schedule.scheduled import kernel_of, program_of
from weft.analysis.access import matrix_products
from weft.analysis.access.matrix_products import matrix_product
from weft.ir import nodes as n


def zeroed(a, b, c):
    for i in range(a.shape[0]):
        for j in range(b.shape[1]):
            c[i, j] = 0
            for k in range(a.shape[1]):
                c[i, j] += a[i, k] * b[k, j]


def turned(a, b, c):
    for j in range(c.shape[1]):
        for i in range(c.shape[0]):
            s = 0.0
            for k in range(a.shape[0]):
                s += b[j, k] * a[k, i]
            c[i, j] = s


def added(a, b, c):
    for i in range(a.shape[0]):
        for j in range(b.shape[1]):
            for k in range(a.shape[1]):
                c[i, j] += a[i, k] * b[k, j]


def subtracted(a, b, c):
    for i in range(c.shape[0]):
        for j in range(c.shape[1]):
            s = 0.0
            for k in range(a.shape[1]):
                s -= a[i, k] * b[k, j]
            c[i, j] = s


def from_one(a, b, c):
    for i in range(c.shape[0]):
        for j in range(c.shape[1]):
            s = 1.0
            for k in range(a.shape[1]):
                s += a[i, k] * b[k, j]
            c[i, j] = s


def from_below_zero(a, b, c):
    for i in range(c.shape[0]):
        for j in range(c.shape[1]):
            s = -0.0
            for k in range(a.shape[1]):
                s += a[i, k] * b[k, j]
            c[i, j] = s


def scaled(a, b, c):
    for i in range(c.shape[0]):
        for j in range(c.shape[1]):
            s = 0.0
            for k in range(a.shape[1]):
                s += a[i, k] * b[k, j]
            c[i, j] = 2 * s


def shifted(a, b, c):
    for i in range(c.shape[0]):
        for j in range(c.shape[1]):
            s = 0.0
            for k in range(a.shape[1] - 1):
                s += a[i, k + 1] * b[k, j]
            c[i, j] = s


def distances(a, b, c):
    for i in range(c.shape[0]):
        for j in range(c.shape[1]):
            s = 0.0
            for k in range(a.shape[1]):
                s += abs(a[i, k] - b[k, j])
            c[i, j] = s


def found(function, dtype=np.float64, overlaps=()):
    program = program_of(function, [np.zeros((4, 4), dtype) for _ in range(3)])
    return matrix_product(kernel_of(program, overlaps)[0])


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
@pytest.mark.parametrize("function, axes", [(zeroed, (0, 0, 0)), (turned, (1, 0, 0))])
def test_products_in_any_direction_are_found(function, axes, dtype):
    product = found(function, dtype)
    assert isinstance(product, n.MatrixProduct)
    assert tuple(m.axis for m in (product.result, product.left, product.right)) == axes


@pytest.mark.parametrize(
    "function, reason",
    [
        (added, matrix_products.MORE),
        (from_one, matrix_products.STARTS),
        (from_below_zero, matrix_products.STARTS),
        (subtracted, matrix_products.NO_PRODUCT),
        (scaled, matrix_products.MORE),
        (shifted, matrix_products.PLACES),
        (distances, matrix_products.NO_PRODUCT),
    ],
)
def test_what_is_more_or_less_than_a_product_is_none(function, reason):
    assert found(function) == reason


def test_sums_of_other_types_are_none():
    assert found(zeroed, np.int64) == matrix_products.OTHER_TYPE


def test_a_result_that_may_share_memory_with_a_factor_is_none():
    assert found(zeroed, overlaps=("a", "c")) in (matrix_products.SHARED, matrix_products.NO_PRODUCT)
