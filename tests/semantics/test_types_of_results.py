"""Results have the type that CPython gives them, also where the type depends on values."""

import numpy as np
import pytest

import weft


def sums(a, n, c):
    s = 0
    for x in a:
        s += x
    t, u = 1, 0.0
    for i in range(n):
        if a[i] > 0:
            t = t * a[i]
        else:
            u = u - a[i]
    return s, (t, u)


def nested(a, n, c):
    s = 0
    for i in range(n):
        t = 0
        for j in range(i):
            if a[j] > a[i]:
                t += a[j]
        s = s + t
    return s


def left_early(a, n, c):
    s, i = 0, 0
    while i < n and a[i] > -1:
        s += a[i]
        i += 1
    for x in a:
        if x > c:
            return s, x
    return s, -1


def branches(a, n, c):
    s = 0
    if n > 1:
        s = a[0]
    return s if c > 0 else 2, a[0] and n if n else 2


def extremes(a, n, c):
    best, least = c, 7
    for i in range(n):
        best = max(best, a[i])
        least = min(least, a[i])
    return best, least


def extremes_in_nests(a, n, c):
    best, least = c, c
    for i in range(n):
        for j in range(i + 1):
            if a[j] > -2:
                best = max(best, a[i] * a[j])
        best = max(best, -a[i])
        least = min(least, a[i])
    for i in range(n):
        best = max(best, 2 * a[i])
    return best, least


def extremes_of_both(a, n, c):
    best, back = c, c
    for i in range(n):
        best = max(best, a[i])
        best = min(best, 2.0)
        back = max(back, 0.25)
        back = max(back, a[i])
        if a[i] < -0.5:
            best = c
    return best, back


def chosen_extremes(a, n, c):
    low, high, last = c, c, c
    for i in range(n):
        low = a[i] if a[i] < low else low
        high = a[i] if high < a[i] else high
        for j in range(i):
            if a[j] > last:
                last = a[j]
    return low, high, last


def truths(a, n, c):
    some, every, last = False, True, False
    for i in range(n):
        some = some or a[i] > 0
        every = every and a[i] > 0
        last = a[i] > c
    return some, every, last


def python_types(a, n, c):
    v = 1 if n == 0 else 0.5
    w = False
    if n > 2:
        w = n
    return v, w


def absolute(a, n, c):
    s = 3
    for i in range(n):
        s = a[i]
    return np.abs(s), np.add(s, s)


def added(a, n):
    if n == 0:
        return 0
    return added(a, n - 1) + a[n - 1]


def turns(a, n, x):
    if n == 0:
        return x, 1
    if a[n - 1] > 0:
        return turns(a, n - 1, x + a[n - 1])
    return turns(a, n - 1, x)


def recursive(a, n, c):
    return added(a, n), turns(a, n, 0)


PROGRAMS = [
    sums, nested, left_early, branches, extremes, extremes_in_nests,
    extremes_of_both, chosen_extremes, truths, python_types, absolute, recursive,
]  # fmt: skip


@pytest.mark.parametrize("function", PROGRAMS, ids=lambda one: one.__name__)
def test_results_have_cpythons_types(function):
    compiled = weft.jit(function)
    for numbers in ([0.5], [-0.5, 2.0, 1.5], [3.0, -2.0, 4.0], [-1.0, -2.0, -3.0]):
        a = np.array(numbers)
        for n in range(len(a) + 1):
            for c in (1.0, -1.0):
                wanted, got = function(a, n, c), compiled(a, n, c)
                assert repr(got) == repr(wanted), (numbers, n, c)


def largest(a, n, c):
    best, least, last = 0.0, 0, -1.0
    for i in range(n):
        for j in range(n):
            best = max(best, a[i] + a[j])
            if a[j] > 0:
                least = min(least, a[j])
            if a[i] * a[j] > last:
                last = a[i] * a[j]
    return best, least, last


def largest_last(a, n, c):
    best = 0.0
    for i in range(n):
        best = max(a[i], best)
    return best


@pytest.mark.parametrize("function", [largest, largest_last], ids=lambda one: one.__name__)
def test_extremes_stay_reductions(function):
    loops = weft.explain(weft.jit(function), np.ones(3), 3, 0.0).loops
    assert {loop.verdict for loop in loops} == {"reduction"}


def nothing(a, n, c):
    s = 0
    for x in a:
        s += x
    return s


@pytest.mark.parametrize("dtype", ["bool", "uint8", "int64", "float32", "complex64", "complex128"])
def test_nothing_was_added(dtype):
    compiled = weft.jit(nothing)
    for a in (np.zeros(0, dtype), np.ones(2, dtype)):
        assert repr(compiled(a, 0, 0)) == repr(nothing(a, 0, 0))
