"""Products of arrays of any number of dimensions, and diagonals that are views."""

from __future__ import annotations

import itertools

import numpy as np
import pytest

import weft

PRODUCTS = {
    "dot": lambda a, b: np.dot(a, b),
    "@": lambda a, b: a @ b,
    "inner": lambda a, b: np.inner(a, b),
    "tensordot": lambda a, b: np.tensordot(a, b, 1),
}


@pytest.mark.parametrize("name", PRODUCTS)
@pytest.mark.parametrize("ranks", itertools.product((1, 2, 3, 4), repeat=2))
def test_products(name, ranks):
    """``np.dot`` of two 3-d arrays is no ``@``."""
    rng = np.random.default_rng(1)
    a, b = (rng.random((3,) * rank) for rank in ranks)
    expected, got = PRODUCTS[name](a, b), weft.jit(PRODUCTS[name])(a, b)
    assert np.shape(expected) == np.shape(got)
    np.testing.assert_allclose(got, expected, rtol=1e-13)


def test_products_of_booleans():
    a = np.random.default_rng(1).random((3, 3)) > 0.5
    got = weft.jit(lambda a: a @ a)(a)
    assert got.dtype == bool and np.array_equal(got, a @ a)


def test_a_diagonal_with_a_name_is_a_view():
    def f(a):
        d = np.diagonal(a)
        a[0, 0] = 9
        return d + 0

    with pytest.raises(weft.UnsupportedError, match="shares its memory"):
        weft.jit(f)(np.eye(3))
