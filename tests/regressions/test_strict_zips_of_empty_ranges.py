"""``zip(..., strict=True)`` of a range whose stop is below its start: it is empty, and others may be longer."""

from __future__ import annotations

import itertools

import numpy as np
import pytest

import weft


def loop(values, start, stop):
    total = 0.0
    for k, value in zip(range(start, stop), values, strict=True):
        total += k * value
    return total


def in_twos(values, start, stop):
    total = 0.0
    for value, k in zip(values, range(start, stop, 2), strict=True):
        total += k * value
    return total


def comprehension(values, start, stop):
    return [k * value for k, value in zip(range(start, stop), values, strict=True)]


def two_ranges(values, start, stop):
    total = 0.0
    for k, m in zip(range(start, stop), range(stop, start), strict=True):
        total += k * m + values[k]
    return total


def outcome(function, *arguments):
    try:
        return function(*arguments)
    except ValueError as error:
        return str(error).splitlines()[0]


@pytest.mark.parametrize("size", [0, 1, 3])
@pytest.mark.parametrize("function", [loop, in_twos, comprehension, two_ranges], ids=lambda f: f.__name__)
def test_empty_ranges_are_not_shorter_than_empty(function, size):
    jitted = weft.jit(function)
    for start, stop in itertools.product((-2, 0, 1, 5), (-3, -1, 0, 1, 3, 7)):
        values = np.arange(1.0, size + 1)
        assert outcome(jitted, values, start, stop) == outcome(function, values, start, stop)
