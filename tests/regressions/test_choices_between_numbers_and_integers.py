"""``np.where`` of a Python integer and NumPy's narrower ones: what does not fit wraps, or raises since NumPy 2.5."""

from __future__ import annotations

import numpy as np
import pytest

import weft


def of_numbers(c, i, u):
    return np.where(c, -i, u[1]), np.where(c, u[0], i)


def of_arrays(c, i, u):
    return np.where(u > 1, i, u), np.where(u < 3, u, -i), np.where(u < 3, -1, u), np.where(u > 2, 300, u)


def of_sums(c, i, u):
    s = i
    for j in range(u.shape[0]):
        s = s + i
    return np.where(c, s, u[0])


@pytest.mark.parametrize("function", (of_numbers, of_arrays, of_sums), ids=lambda f: f.__name__)
@pytest.mark.parametrize("dtype", ("uint8", "int8", "uint16", "int32", "uint64", "int64", "float16", "bool"))
def test_integers_that_do_not_fit(function, dtype):
    u, compiled = np.array([1, 2, 7]).astype(dtype), weft.jit(function, device="cpu")
    for c in (True, False):
        for i in (0, 5, 300, -70000, 2**40):
            with np.errstate(over="ignore"):
                expected, got = ended(function, c, i, u), ended(compiled, c, i, u)
            if expected is None:
                assert got is None
                continue
            for left, right in zip(expected, got) if isinstance(got, tuple) else ((expected, got),):
                assert np.array_equal(left, right)
                assert left.dtype == right.dtype


def ended(function, *given):
    """What is returned, or what of NumPy is raised: that an integer does not fit."""
    try:
        return function(*given)
    except OverflowError:
        return None


def test_integers_that_do_not_fit_raise_where_numpys_do(monkeypatch):
    monkeypatch.setattr("weft.frontend.arrays.numpy_table.WHERE_WRAPS", False)
    u, compiled = np.array([1, 2, 7], np.uint8), weft.jit(chosen, device="interpreter")
    assert np.array_equal(compiled(True, 255, u), [255, 255, 7])
    for i in (-1, 256):
        with pytest.raises(OverflowError):
            compiled(True, i, u)


def chosen(c, i, u):
    return np.where(u < 3, i, u)
