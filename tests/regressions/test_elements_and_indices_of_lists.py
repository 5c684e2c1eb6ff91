"""Lists compare NaN by identity in CPython, so that is refused; indices are integers of any type."""

from __future__ import annotations

import math

import numpy as np
import pytest

import weft


def equal(values, k):
    return values == values[:]


def unequal(values, k):
    return values != values[:]


def inside(values, k):
    return values[k] in values


def place(values, k):
    return values.index(values[k])


def count(values, k):
    return values.count(values[k])


def removed(values, k):
    made = list(values)
    made.remove(values[k])
    return made


COMPARING = (equal, unequal, inside, place, count, removed)


@pytest.mark.parametrize("function", COMPARING, ids=lambda f: f.__name__)
def test_nan_beside_nan_is_refused(function):
    with pytest.raises(weft.UnsupportedError):
        weft.jit(function)([math.nan, 1.0], 0)


@pytest.mark.parametrize("values", [[1.0, 2.0, 1.0], [3, 4], [True, False]], ids=str)
@pytest.mark.parametrize("function", COMPARING, ids=lambda f: f.__name__)
def test_other_elements_are_compared(function, values):
    assert weft.jit(function)(values, -1) == function(values, -1)


def test_nan_beside_other_numbers():
    assert not weft.jit(lambda values: 2.0 in values)([math.nan, 1.0])
    assert weft.jit(lambda values: 1.0 in values)([math.nan, 1.0])


def element(values, k):
    return values[k]


def assigned(values, k):
    values[k] = values[0]
    return values


def slices(values, k):
    return values[k:], values[:k], values[::k]


def popped(values, k):
    made = list(values)
    return made.pop(k), made


def inserted(values, k):
    made = list(values)
    made.insert(k, 7)
    return made


def repeated(values, k):
    return list(values) * k


INDEXING = (element, assigned, slices, popped, inserted, repeated)


@pytest.mark.parametrize(
    "k", [np.int8(-1), np.int8(100), np.uint8(3), np.uint8(250), np.int64(-300), True, -2], ids=repr
)
@pytest.mark.parametrize("function", INDEXING, ids=lambda f: f.__name__)
def test_integers_of_numpy_are_indices(function, k):
    found = []
    for call in (function, weft.jit(function)):
        values = list(range(200))
        try:
            found.append((call(values, k), values))
        except IndexError as error:
            found.append((str(error).splitlines()[0], values))
    assert found[0] == found[1]


@pytest.mark.parametrize("k", [2.0, np.float32(1), np.bool_(True), 1j], ids=repr)
@pytest.mark.parametrize("function", INDEXING, ids=lambda f: f.__name__)
def test_other_numbers_are_none(function, k):
    with pytest.raises(TypeError):
        function([1, 2, 3], k)
    with pytest.raises(weft.TypeInferenceError):
        weft.jit(function)([1, 2, 3], k)
