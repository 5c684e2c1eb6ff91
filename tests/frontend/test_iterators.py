"""``iter`` and ``next`` of ranges, arrays and lists, and loops over what is left of them, beside CPython."""

from __future__ import annotations

import numpy as np
import pytest

import weft
from weft.errors import Error


def of_ranges(n):
    it = iter(range(1, n, 2))
    first = next(it, -1)
    rest = 0
    for x in it:
        rest = rest * 10 + x
        if x > 5:
            break
    other = it
    return first, rest, next(other, -2), next(it, -3), [x for x in iter(it)]


def of_arrays(a):
    it = iter(a)
    most = next(it)
    for x in it:
        if x > most:
            most = x
    rows = iter(a.reshape(-1, 1))
    row = next(rows)
    row[0] = 100.0
    left = row[0] * 0
    for one in rows:
        left += one[0]
    some, others = iter(a), iter(a)
    least = next(some) + next(others)
    return most, left, next(it, None) is None, least + sum(some), list(others), next(some, -1.0), next(others, -2.0)


def of_lists(n):
    items = [3, 5, n]
    it = iter(items)
    total = 0
    for x in it:
        total = total * 10 + x
        if x == 5:
            items.append(7)
    items.append(9)
    ended = next(it, -1)
    pairs = iter(items)
    for x in pairs:
        total += x * next(pairs, 0)
    return total, ended, items


def stops(n):
    it = iter(range(n))
    total = 0
    try:
        while True:
            total += next(it)
    except StopIteration:
        total += 1000
    return total


def raises(a):
    it = iter(a)
    return next(it) + next(it) + next(it)


def seen(function, given):
    try:
        found = function(given)
    except Exception as error:
        found = type(error)
    return repr(found), repr(given)


CASES = [
    (of_ranges, lambda: [0, 1, 2, 4, 12]),
    (of_arrays, lambda: [np.array([3.0, 9.0, 2.0]), np.array([1.0])]),
    (of_lists, lambda: [1, 5]),
    (stops, lambda: [0, 5]),
    (raises, lambda: [np.array([1.0, 2.0]), np.array([1.0, 2.0, 3.0]), np.array([])]),
]


@pytest.mark.parametrize("function, make", CASES)
def test_iterators(function, make):
    compiled = weft.jit(function)
    for mine, python in zip(make(), make(), strict=True):
        assert seen(compiled, mine) == seen(function, python)


def test_what_is_refused():
    for function in (
        lambda a: iter(a),
        lambda a: len(iter(a)),
        lambda a: next(a),
        lambda a: 1.0 in iter(a),
        lambda a: iter(a)[0],
        lambda a: iter(enumerate(a)),
        lambda a: print(iter(a)),
        lambda a: iter(a) + 1,
    ):
        with pytest.raises(Error):
            weft.jit(function)(np.ones(3))
