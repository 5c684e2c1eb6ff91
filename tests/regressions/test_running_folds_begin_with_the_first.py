"""Running sums and products begin with the first element: NumPy adds nothing to it, and multiplies it by nothing.

0.0 + -0.0 is 0.0, and 1 times a complex infinity has a part that is no number.
"""

from __future__ import annotations

import numpy as np
import pytest

import weft

SPECIAL = (-0.0, 0.0, np.inf, -np.inf, np.nan, 1.5)


def sums(x):
    return np.cumsum(x)


def products(x):
    return np.cumprod(x)


def sums_of_rows(x):
    return np.cumsum(x.reshape(1, -1), axis=1)


def sums_of_columns(x):
    return np.cumsum(x.reshape(-1, 1), axis=0)


def products_of_rows(x):
    return np.cumprod(x.reshape(1, -1), axis=1)


def products_of_columns(x):
    return np.cumprod(x.reshape(-1, 1), axis=0)


@pytest.mark.parametrize(
    "function",
    (sums, products, sums_of_rows, sums_of_columns, products_of_rows, products_of_columns),
    ids=lambda f: f.__name__,
)
@pytest.mark.parametrize("dtype", ("float32", "float64", "complex64", "complex128"))
def test_the_first_element_is_itself(function, dtype):
    compiled = weft.jit(function)
    for first in SPECIAL:
        for imaginary in SPECIAL if dtype.startswith("c") else (0.0,):
            x = np.array([first, 1.0], dtype)
            if dtype.startswith("c"):
                x[0] = complex(first, imaginary)
            with np.errstate(all="ignore"):
                wanted = function(x)
            found = compiled(x)
            assert found.dtype == wanted.dtype and found.shape == wanted.shape
            assert found.ravel()[:1].tobytes() == wanted.ravel()[:1].tobytes()


@pytest.mark.parametrize("function", (sums, products, sums_of_rows, products_of_columns), ids=lambda f: f.__name__)
def test_no_elements_have_no_first(function):
    assert weft.jit(function)(np.zeros(0)).size == 0
