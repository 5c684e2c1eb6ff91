"""Dicts and sets whose keys are computed, beside CPython: what they hold, in which order, and what they raise."""

from __future__ import annotations

import math
import re
from collections import Counter, defaultdict
from functools import reduce

import numpy as np
import pytest

import weft


def assigned(n):
    d = {}
    for i in range(n):
        d[i * i % 7] = i
    return d, len(d), 3 in d, d.get(4, -1)


def memo(n):
    known = {0: 0, 1: 1}
    for i in range(2, n):
        known[i] = known[i - 1] + known[i - 2]
    return known, known[n]


def updated(n):
    d = {}
    for i in range(n):
        d[i % 3] = d.get(i % 3, 0.0) + i * 0.5
    for k in d:
        d[k] *= 2
    total = 0.0
    for k, v in d.items():
        total += k * v
    return d, total, sum(d.values(), 0.0), sorted(d), list(d.keys())


def negative_and_large(n):
    d = {}
    for i in range(n):
        d[-i] = i
        d[i << 40] = -i
        d[-(i % 3 << 61)] = 2 * i
    return d


def of_tuples(n):
    d = {(i, j): i - j for i in range(n) for j in range(2)}
    x = d.pop((1, 1), 50)
    d[n, n] = x
    return d, (0, 1) in d, d[(n - 1, 1)]


def taken_out(n):
    d = {}
    for i in range(8):
        d[i * 5 % 8] = i
    d.pop(n)
    del d[(n + 3) % 8]
    d[n] = 100
    last = d.popitem()
    return d, last, d.setdefault(2, 7), d.setdefault(50, 8), d


def cleared(n):
    d = {1: 1}
    other = d.copy()
    for i in range(n):
        d[i] = 2 * i
    other.update(d)
    d.clear()
    return d, other, other == d, d == {}


def lists_as_values(n):
    groups = defaultdict(list)
    by = {}
    for i in range(n):
        groups[i % 3].append(i * 0.5)
        by.setdefault(i % 2, []).append(i)
    return groups, by, [len(v) for v in by.values()]


def counted(n):
    c = Counter(i * i % 5 for i in range(n))
    c[9] += 2
    c.update([1, 4, 4])
    return c, c[77], c.most_common(2), c.most_common(), c == Counter([1]), len(c)


def with_defaults(n):
    d = defaultdict(int)
    e = defaultdict(float)
    for i in range(n):
        d[i % 4] += i
        e[i % 2] -= i
    return d, e, d[100], len(d)


def sets(n):
    s = set()
    for i in range(n):
        s.add((i % 3, i % 2))
    t = {i * 7 % 10 for i in range(n)}
    t.discard(4)
    u = t | {n}
    return s, t, u, t & u, u - t, len(s), sorted(t), (0, 1) in s, t <= u, t == u, sum(t), max(u), n in t


def extremes(n):
    """Keys are asked for, never the values of `d[0]`, `d[1]`, ... ."""
    d = {n: 9}
    for i in range(n):
        d[i * 7 % 5] = (i * 3 + 2) % 8
    by_value = max(d, key=d.get), min(d, key=lambda k: -d[k]), min(d, key=lambda k: (d[k], -k))
    views = max(d.values()), min(d.items()), max(d.items(), key=lambda pair: -pair[1]), max(d.keys())
    pairs = max(enumerate(d)), min(zip(d.values(), d)), max(reversed(list(d)), key=lambda k: k % 2)
    return max(d), min(d, default=0), by_value, views, pairs, reduce(lambda a, b: 10 * a + b, d)


def extremes_of_sets(n):
    s = {i * 7 % 11 for i in range(n)}
    counts = Counter([i % 3 for i in range(n)])
    return (
        max(s),
        min(s),
        max(s, key=lambda k: -k),
        sum(s),
        sum(s, 3),
        min(counts),
        max(counts, key=lambda k: counts[k]),
    )


def in_any_order(n):
    s = {i * 7 % 11 for i in range(n)}
    total = odd = 0
    for x in s:
        total += x * 3
        if x % 2:
            odd -= 1
            continue
    tests = any(v > 2 for v in s), sum(1 for v in s if v % 2), len([v for v in s if v > 3])
    return total, odd, tests, max((-v for v in s), default=0), sorted(v % 3 for v in s), {v % 4 for v in s}


def words_in_any_order(n):
    words = {"ab"[: i % 3] for i in range(n)}
    return max(len(w) for w in words), all("b" in w for w in words), sorted(w[:1].upper() + "c" for w in words)


def changed_under_two_names(n):
    s = {1, 2}
    t = s
    s |= {n, 5}
    t -= {1}
    s &= {n, 5, 2, 9}
    return s, t, s is t


def removed(n):
    s = set([1, 2, 3])
    s.remove(n)
    return s


def in_order_of_evaluation(a, n):
    d = {}
    try:
        d[a[n]] = d[n] / 0
    except KeyError:
        a[0] = 9
    return d


def caught(n):
    d = {}
    for i in range(n):
        try:
            d[i % 3] += 1
        except KeyError:
            d[i % 3] = 1
    return d


def two_names(n):
    d = {n: 1}
    e = d
    e[n + 1] = 2
    return d, e is d


def chosen_of_sets(n):
    """Of choices between values of one type, and sums of truths and numbers, the order cannot show."""
    s = {n, n + 3, 7}
    truths = min(v > 3 if v % 2 else v == 1 for v in s), max(not v or v > n for v in s)
    return truths, max(v if v > 3 else -v for v in s), sum(v > 3 if v % 2 else 2 for v in s)


FUNCTIONS = [
    assigned, memo, updated, negative_and_large, of_tuples, taken_out, cleared, lists_as_values, counted, with_defaults,
    sets, changed_under_two_names, removed, caught, two_names, extremes, extremes_of_sets,
    in_any_order, words_in_any_order, chosen_of_sets,
]  # fmt: skip


@pytest.mark.parametrize("function", FUNCTIONS)
def test_the_same_as_in_python(function):
    compiled = weft.jit(function)
    for n in (0, 1, 2, 3, 23):
        assert written(compiled, n) == written(function, n)


@pytest.mark.parametrize("function", [taken_out, counted, sets])
def test_the_interpreter_agrees(function):
    assert written(weft.jit(function, device="interpreter"), 3) == written(function, 3)


def numbers_of_numpy(keys):
    d = {}
    for i in range(len(keys)):
        d[keys[i]] = i
    return d


@pytest.mark.parametrize("dtype", [np.int8, np.uint8, np.int32, np.int64, np.uint64, np.bool_])
def test_keys_of_numpy(dtype):
    keys = np.array([0, 1, 100, 1, 0, 250]).astype(dtype)
    expected, got = numbers_of_numpy(keys), weft.jit(numbers_of_numpy)(keys)
    assert list(got.items()) == list(expected.items())
    assert [type(k) for k in got] == [type(k) for k in expected]


def test_arrays_are_left_as_in_python():
    for n in (0, 1):
        arrays = np.arange(3), np.arange(3)
        results = [written(f, a, n) for f, a in zip((weft.jit(in_order_of_evaluation), in_order_of_evaluation), arrays)]
        assert results[0] == results[1]
        np.testing.assert_array_equal(*arrays)


def many_keys(n):
    d = {}
    for i in range(n):
        d[(i * 7919) % 10007] = i
    s = set()
    for k in d:
        s.add(k // 3)
    return d, len(s)


def test_many_keys():
    assert weft.jit(many_keys)(5000) == many_keys(5000)


def grows_while_looped_over(n):
    d = {0: 1, n: 2}
    for k in d:
        d[k + n] = 1
    return d


def test_a_dict_that_changes_while_a_loop_runs_over_it():
    assert weft.jit(grows_while_looped_over)(0) == {0: 1}
    with pytest.raises(weft.UnsupportedError, match="becomes longer or shorter while a loop runs over it"):
        weft.jit(grows_while_looped_over)(1)


def floats_as_keys(x):
    d = {}
    d[x] = 1
    return d


def sum_of_floats(n):
    return sum({0.1, 1e16, -1e16, n * 1.5})


def key_of_several(n):
    return max({n, n + 1, n + 2}, key=lambda k: k % 2 if n % 2 else k // 9)


def counts_of_a_set(n):
    return Counter({n, n + 7, n + 3})


def joined(n):
    text = ""
    for w in {"a", "b", str(n)}:
        text += w
    return text


def last_one(n):
    total = 0
    for v in {n, n + 7}:
        total += v
    return total, v


def read_inside(n):
    total = 0
    for v in {n, n + 7}:
        total += v if total < n else 0
    return total


def sum_in_a_loop(n):
    total = 0.0
    for v in {n, n + 7}:
        total += v
    return total


def largest_float(n):
    return max(v * 0.5 for v in {n, n + 7})


def key_that_writes(n):
    seen = []

    def key(v):
        seen.append(v)
        return v

    return max({n, n + 7}, key=key), seen


def divides(n):
    return all(9 // v for v in {n, n + 7})


def truth_or_number(n):
    return max(v > 0 if v > n else 1 for v in {n, n + 7})


def number_and_truth(n):
    return min(v and v > n for v in {n, n + 7})


def truth_or_element(n):
    return max(v if v < n else not v for v in {n, n + 7})


def named_truth_or_number(n):
    large = n > 0
    return min(large if v > n else 1 for v in {n, n + 7})


def sets_in_a_list(n):
    rows = [set() for _ in range(n)]
    rows[0].add(n)
    return len(rows[0])


def sets_in_a_dict(n):
    rows = {}
    for k in range(n):
        rows[k] = set()
    rows[0].add(n)
    return len(rows[0])


def order_of_a_set(n):
    return [v for v in {n, 2}]


@pytest.mark.parametrize(
    ("function", "argument", "message"),
    [
        (floats_as_keys, np.float32(1.5), "a key of the type np.float32"),
        (order_of_a_set, 1, "a loop runs over a set"),
        (sum_of_floats, 1, "a loop runs over a set"),
        *(
            (f, 1, "a loop runs over a set")
            for f in (
                counts_of_a_set,
                joined,
                last_one,
                read_inside,
                sum_in_a_loop,
                largest_float,
                key_that_writes,
                divides,
                truth_or_number,
                number_and_truth,
                truth_or_element,
                named_truth_or_number,
            )
        ),
        (key_of_several, 1, "the order of a set decides"),
        (key_of_several, 2, "the order of a set decides"),
        (sets_in_a_list, 2, "a set is an element of a list"),
        (sets_in_a_dict, 2, "a set is an element of a list"),
    ],
)
def test_what_is_refused(function, argument, message):
    with pytest.raises(weft.UnsupportedError, match=message):
        weft.jit(function)(argument)


def written(function, *args):
    """What a call does, with the order of keys and the classes of results."""
    try:
        return plain(function(*args))
    except weft.Error:
        raise
    except Exception as error:
        return type(error), error.args


def plain(value):
    if isinstance(value, dict):
        return type(value), [(key, plain(item)) for key, item in value.items()]
    return tuple(map(plain, value)) if isinstance(value, tuple) else (type(value), value)


def float_counts(values, x):
    found = {}
    for v in values:
        found[v] = found.get(v, 0) + 1
    return found, x in found, 2 in found, len(found)


def float_sets(values, x):
    found = set(values)
    found.add(x)
    return sorted(found), len(found), x in found, Counter(values)


def floats_in_tuples(values, x):
    found = {}
    for k, v in enumerate(values):
        found[v, k % 2] = k
    return found, (x, 0) in found, (x, 0.0) in found


def ints_asked_for_floats(values, x):
    found = {1: 5, 2: 7}
    found[int(x)] = 9
    return found, x in found, [v in found for v in values]


def floats_that_are_missing(values, x):
    return {v: k for k, v in enumerate(values)}[x]


FLOATS = (
    [1.5, 2.0, 1.5, 2.0000000000000004, 1e17, -3.25],
    [0.0, -0.0],
    [-0.0, 0.0],
    [5e-324, 0.30000000000000004, 0.3],
)
WITH_FLOATS = (float_counts, float_sets, floats_in_tuples, ints_asked_for_floats, floats_that_are_missing)


@pytest.mark.parametrize("function", WITH_FLOATS, ids=lambda f: f.__name__)
@pytest.mark.parametrize("values", FLOATS, ids=str)
def test_floats_as_keys(function, values):
    for x in (2.0, -0.0, 0.3, 1e17):
        try:
            expected = repr(function(list(values), x))
        except KeyError as error:
            with pytest.raises(KeyError, match=re.escape(str(error))):
                weft.jit(function)(list(values), x)
        else:
            assert repr(weft.jit(function)(list(values), x)) == expected


@pytest.mark.parametrize("value", [np.nan, np.inf, 1e300], ids=str)
def test_floats_that_are_no_keys(value):
    with pytest.raises(weft.UnsupportedError, match="key of a dict or set"):
        weft.jit(float_counts)([value], 1.0)


def infinite_in_a_tuple(n):
    d = {}
    d[2, float("inf")] = n
    return len(d)


def infinite_if_asked(n):
    d = {(n, 2.5): 1}
    if n > 3:
        d[n, -math.inf] = n
    return len(d)


def test_constants_in_keys_that_are_infinite_are_refused_when_they_come():
    with pytest.raises(weft.UnsupportedError, match="infinite"):
        weft.jit(infinite_in_a_tuple)(1)
    compiled = weft.jit(infinite_if_asked)
    assert compiled(2) == 1
    with pytest.raises(weft.UnsupportedError, match="infinite"):
        compiled(4)
