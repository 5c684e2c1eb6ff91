"""Lists, dicts and sets with numbers of two types: values and types are CPython's."""

from __future__ import annotations

import numpy as np
import pytest

import weft


def constants_and_floats(x, n):
    t = [0] * n
    t[1] = x
    pairs = [(0, 0)]
    for i in range(n):
        pairs.append((x * i, i))
    return t, pairs, t[0] // 2, t[1] // 2, isinstance(t[0], int)


def ints_and_floats(x, n):
    t = []
    for i in range(n):
        t.append(i if i % 2 else i * x)
    return t, sum(t), [True, n], np.array(t)


def numbers_of_numpy(a, n):
    counts = {n: 1}
    for v in a:
        counts[v] = counts.get(v, 0) + v
    return counts, [n, a[0]], [a[0], n], np.array([n, a[0]])


def key_that_is_missing(a, n):
    d = {0: 0}
    for v in a:
        d[v] = v
    return d[n]


def extremes(x, n):
    t = [3, x, n]
    best = -1.0
    for v in t:
        best = max(v, best)
    return best, max(t), max(t[1], t[0], t[2])


@pytest.mark.parametrize(
    ("function", "args"),
    [
        (constants_and_floats, (2.5, 3)),
        (ints_and_floats, (2.5, 4)),
        (numbers_of_numpy, (np.array([3, 1, 2, 1]), 5)),
        (extremes, (2.5, 4)),
        (extremes, (3.0, 3)),
        (extremes, (7.5, 1)),
        (key_that_is_missing, (np.array([3, 1]), 1)),
    ],
)
def test_elements_keep_their_types(function, args):
    assert repr(weft.jit(function)(*args)) == repr(function(*args))


def test_a_missing_key_is_named_by_its_type():
    with pytest.raises(KeyError) as found:
        weft.jit(key_that_is_missing)(np.array([3, 1]), 5)
    assert repr(found.value.args) == "(5,)"


def of_one_kind_only(x, n):
    t = [0] * 3
    for i in range(n):
        t[i] = x
    return np.array(t)


def too_large(x, n):
    return [x, 2**60 + n]


def test_what_two_types_cannot_hold_is_refused():
    assert repr(weft.jit(of_one_kind_only)(0.5, 1)) == repr(of_one_kind_only(0.5, 1))
    with pytest.raises(weft.UnsupportedError, match="narrower of its two types"):
        weft.jit(of_one_kind_only)(0.5, 0)
    with pytest.raises(OverflowError, match="too large to stay exact"):
        weft.jit(too_large)(0.5, 1)


def shown(words):
    return str(words)


@pytest.mark.sample(8)
def test_lists_as_text():
    assert weft.jit(shown)(["a", "b'"]) == "['a', \"b'\"]"


def views(n):
    d = {"a": n}
    return d.keys()


def views_of_computed_keys(n):
    return {n: 1}.items()


@pytest.mark.parametrize("function", [views, views_of_computed_keys])
def test_views_of_dicts_are_no_results(function):
    with pytest.raises(weft.UnsupportedError, match="keys, values or items of a dict"):
        weft.jit(function)(3)


def common(n, a):
    s, u = {n, a[0]}, {a[1], 2, n, 9}
    v, w = s & u, u & s
    s &= u
    return sorted(v), sorted(w), sorted(s)


@pytest.mark.sample(8)
def test_sets_in_common_keep_the_elements_of_the_shorter_one():
    compiled = weft.jit(common)
    for n, a in ((-3, np.array([3, -3])), (2, np.array([2, 2])), (9, np.array([9, 5]))):
        found, expected = compiled(n, a), common(n, a)
        assert found == expected
        assert [list(map(type, items)) for items in found] == [list(map(type, items)) for items in expected]
