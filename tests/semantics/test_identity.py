"""Semantics, "Lists and dicts": one object is equal to itself in tuples, NaN too."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
import pytest

import weft

from .tools import same

NAN = math.nan


def equal_tuples(x, y):
    return (x, y) == (x, y), (x, y) != (x, y), (x, 1) == (y, 1), ((x, 1), y) == ((x, 1), y)


def ordered_tuples(x, y):
    return (x, y) < (x, 1.0), (x, y) <= (x, y), (x, 1.0) >= (x, 1.0), (x,) <= (x,), (y, x) > (y, x)


def searched_tuples(x, y):
    return x in (y, x), x not in (x, y), (x, y).count(x), (y, x, y).index(x), x in [x, 2.0]


def names_of_one_object(x, y):
    x = x * 2.0
    z = x
    return (x, y) == (z, y), z in (y, x)


@pytest.mark.parametrize("function", [equal_tuples, ordered_tuples, searched_tuples, names_of_one_object])
@pytest.mark.parametrize("numbers", [(1.0, 2.0), (NAN, 1.0), (1.0, NAN), (2.0, 2.0), (-0.0, 0.0)])
def test_one_object_is_equal_to_itself(function, numbers):
    same(function, *numbers)


def test_what_is_read_or_computed_later_is_another_object():
    def f(a, x):
        equal = 0
        for i in range(len(a)):
            equal += (a[i], i) == (x, i)
            equal += 10 * ((a[i] + 1.0, 0) == (a[0] + 1.0, 0))
            equal += 100 * ((a[i], i) <= (a[0], i))
            equal += 1000 * (a[i] in (x, 3.0))
        return equal

    same(f, np.array([NAN, 2.0, NAN, 3.0]), NAN)
    same(f, np.array([NAN, 2.0, NAN, 3.0]), 2.0)


def test_a_smallest_pair_needs_no_tests():
    def f(a):
        best, place = a[0], 0
        for i in range(1, len(a)):
            if (a[i], i) < (best, place):
                best, place = a[i], i
        return best, place

    for a in ([3.0, 1.0, 1.0], [NAN, 2.0], [2.0, NAN, 1.0]):
        same(f, np.array(a))


def two_arguments(x, y):
    return (x, 1) == (y, 1)


def a_place_in_arguments(x, y):
    return x in (y, 1.0)


def elements_of_lists(x, y):
    values = [x, y]
    return (values[0], 1) == (values[1], 1)


@pytest.mark.parametrize("function", [two_arguments, a_place_in_arguments, elements_of_lists])
@pytest.mark.parametrize("type", [float, np.float64])
def test_two_nan_that_may_be_one_object_are_refused(function, type):
    assert weft.jit(function)(type(2.0), type(2.0)) is True
    assert weft.jit(function)(type(NAN), type(2.0)) is False
    with pytest.raises(weft.UnsupportedError, match="NaN"):
        weft.jit(function)(type(NAN), type(NAN))


@dataclass(order=True)
class Pair:
    x: float
    y: float


def test_fields_of_dataclasses_are_compared_as_python_does():
    def f(x, y):
        p, q = Pair(x, y), Pair(x, y + 1.0)
        return p == p, p == q, p < q, p <= p, (p, 1) == (p, 1)

    for x, y in ((1.0, 2.0), (NAN, 2.0), (1.0, NAN)):
        same(f, x, y)


def test_what_a_branch_chose_may_be_one_of_both():
    def f(a, is_first):
        x = a[0]
        y = x if is_first else a[1]
        return (x, 1) == (y, 1)

    assert f(np.array([NAN, 2.0]), True)
    same(f, np.array([1.0, 2.0]), True)
    same(f, np.array([NAN, 2.0]), False)
    with pytest.raises(weft.UnsupportedError, match="NaN"):
        weft.jit(f)(np.array([NAN, 2.0]), True)
