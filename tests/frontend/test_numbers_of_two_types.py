"""Lists, dicts and sets with numbers of two types: values and types are CPython's."""

from __future__ import annotations

import heapq
from collections import deque

import numpy as np
import pytest

import weft


def constants_and_floats(x, n):
    t = [0] * n
    t[1] = x
    pairs = [(0, 0)]
    for i in range(n):
        pairs.append((x * i, i))
    kept = t[:]
    kept.append(7)
    rows = [[0] * 2 for _ in range(2)]
    rows[1][0] = x
    shown = f"{t[0]} {t[1]} {rows}"
    return (
        t,
        pairs,
        kept[::-1],
        rows,
        shown,
        t.index(x),
        t.count(0),
        x in t,
        t[0] // 2,
        t[1] // 2,
        isinstance(t[0], int),
    )


def ints_and_floats(x, n):
    t = []
    for i in range(n):
        t.append(i if i % 2 else i * x)
    d = {0: 0}
    for i in range(1, n):
        d[i] = x * i
    return (
        t,
        sum(t),
        max(t),
        min(t),
        sorted(t),
        d,
        d[0],
        [True, n],
        np.array(t),
        np.mean(t),
        np.array(t, dtype=np.float32),
    )


def numbers_of_numpy(a, n):
    seen, counts, best, bests = {n}, {n: 1}, 0, []
    for v in a:
        seen.add(v)
        counts[v] = counts.get(v, 0) + v
        best = max(best, v)
        bests.append(best)
    heap = [(n, 0)]
    for i, v in enumerate(a):
        heapq.heappush(heap, (v, i))
    queue = deque([0])
    queue.extend(a)
    queue.append(n)
    order = [heapq.heappop(heap) for _ in range(len(heap))]
    return sorted(seen), counts, bests, order, queue, [n, a[0]], [a[0], n], np.array([n, a[0]]), f"{[n, a[0]]}"


def key_that_is_missing(a, n):
    d = {0: 0}
    for v in a:
        d[v] = v
    return d[n]


def extremes(x, n):
    t = [3, x, n]
    best, low, last = -1.0, t[0], 0
    for v in t:
        best = max(v, best)
        low = v if v <= low else low
        last = v
    return best, low, last, max(t), min(t), max(max(t), x), max(t[1], t[0], t[2]), max(t, key=lambda v: -v)


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
    with pytest.raises(KeyError, match="^5$"):
        weft.jit(key_that_is_missing)(np.array([3, 1]), 5)


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


def shown(words, n):
    print([w.upper() for w in words], [(n, None)], [[n], []])
    s = 0
    for k in range(n):
        s += 0.5
    return f"{s} {words}", str([n, n])


def test_lists_as_text(capsys):
    for n in (0, 2):
        expected = shown(["a", "b'"], n), capsys.readouterr().out
        assert (weft.jit(shown)(["a", "b'"], n), capsys.readouterr().out) == expected


def views(n):
    d = {"a": n}
    return d.keys()


def views_of_computed_keys(n):
    return {n: 1}.items()


@pytest.mark.parametrize("function", [views, views_of_computed_keys])
def test_views_of_dicts_are_no_results(function):
    with pytest.raises(weft.UnsupportedError, match="keys, values or items of a dict"):
        weft.jit(function)(3)
