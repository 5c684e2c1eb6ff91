"""``np.ascontiguousarray`` and ``np.asfortranarray``: the array or a copy; programs must not tell which."""

from __future__ import annotations

import numpy as np
import pytest

import weft


def read(a):
    b = np.ascontiguousarray(a)
    c = np.asfortranarray(a[::2].T)
    return b.sum(axis=0), c * 2


def of_a_new_array(a):
    b = np.ascontiguousarray(a + 1)
    b[0] = 7
    return b


def converted(a):
    b = np.ascontiguousarray(a, dtype=np.float64)
    b[:] += 1
    return b, a


def of_numbers(a):
    return np.ascontiguousarray([1, 2.5]), np.ascontiguousarray(3), np.ascontiguousarray((1, 2), dtype=np.int32)


def named_as_the_array(a):
    a = np.ascontiguousarray(a)
    out = np.empty_like(a)
    for i in range(a.shape[0]):
        out[i] = a[a.shape[0] - 1 - i]
    return out


def written(a):
    b = np.ascontiguousarray(a)
    b[0] = 1
    return a.sum()


def returned(a):
    return np.ascontiguousarray(a)


@pytest.mark.parametrize("function", [read, of_a_new_array, converted, of_numbers, named_as_the_array])
@pytest.mark.parametrize("order", ["C", "F"])
def test_programs(function, order):
    array = np.asarray(np.arange(15, dtype=np.float32).reshape(5, 3), order=order)
    found, wanted = weft.jit(function, device="cpu")(array.copy()), function(array.copy())
    pairs = zip(found, wanted, strict=True) if type(wanted) is tuple else [(found, wanted)]
    for one, other in pairs:
        assert one.dtype == other.dtype and one.shape == other.shape
        np.testing.assert_array_equal(one, other)


@pytest.mark.parametrize("function", [written, returned])
@pytest.mark.parametrize("order", ["C", "F"])
def test_the_array_itself_or_a_copy(function, order):
    before, after = (np.asarray(np.arange(15.0).reshape(5, 3), order=order).copy(order="K") for _ in range(2))
    wanted, found = function(before), weft.jit(function, device="cpu")(after)
    np.testing.assert_array_equal(found, wanted)
    np.testing.assert_array_equal(after, before)
    if function is returned:
        assert np.shares_memory(found, after) == np.shares_memory(wanted, before)


def in_fortran_order(a):
    b = np.asfortranarray(a)
    b[0] = 1
    return a.sum()


def test_refused():
    with pytest.raises(weft.errors.UnsupportedError, match="shares its memory"):
        weft.jit(in_fortran_order, device="cpu")(np.ones((5, 3)))
