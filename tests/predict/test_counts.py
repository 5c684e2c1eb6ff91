"""Counts are exact beside the interpreter's: what loops do, however their bounds and branches follow from counters."""

from __future__ import annotations

import math

import numpy as np
import pytest

from weft.machine.suite.programs import generate

from .counting import both_counts, worst_ratio

SIZE = 61


def triangle(a, v):
    for i in range(a.shape[0]):
        s = 0.0
        for j in range(i):
            s += a[i, j]
        v[i] = s


def tetrahedron(a, v):
    for i in range(a.shape[0]):
        for j in range(i):
            s = 0.0
            for k in range(j):
                s += a[i, k] * a[j, k]
            v[i] += s


def between(a, v):
    n = a.shape[0]
    for i in range(n):
        for j in range(i, n):
            s = 0.0
            for k in range(i, j + 1):
                s += a[k, i] * a[k, j]
            v[i] += s


def factorise(a, v):
    n = a.shape[0]
    for k in range(n):
        for i in range(k + 1, n):
            a[i, k] /= a[k, k]
            for j in range(k + 1, n):
                a[i, j] -= a[i, k] * a[k, j]


def chains(a, v):
    n = a.shape[0]
    for length in range(2, n):
        for i in range(n - length):
            s = 0.0
            for k in range(i, i + length):
                s += a[i, k] * a[k + 1, i + length]
            a[i, i + length] = s


def substitute(a, v):
    n = a.shape[0]
    for i in range(n - 1, -1, -1):
        s = v[i]
        for j in range(i + 1, n):
            s -= a[i, j] * v[j]
        v[i] = s / a[i, i]


def masked(a, v):
    n = a.shape[0]
    for i in range(n):
        for j in range(n):
            s = 0.0
            if j <= i:
                for k in range(n):
                    s += a[i, k] * a[j, k]
            v[j] += s


def band(a, v):
    n = a.shape[0]
    for i in range(n):
        s = 0.0
        for j in range(max(0, i - 3), min(n, i + 4)):
            s += a[i, j]
        v[i] = s


def every_third(a, v):
    for i in range(a.shape[0]):
        if i % 3 == 0:
            v[i] = math.exp(a[i, 0])


def inside(a, v):
    n = a.shape[0]
    for i in range(n):
        for j in range(n):
            if i > 0 and j > 0 and i < n - 1 and j < n - 1:
                a[i, j] = a[i - 1, j - 1] + v[j]


def softmax(a, v):
    n = a.shape[0]
    for i in range(n):
        m = a[i, 0]
        for j in range(1, n):
            m = max(m, a[i, j])
        s = 0.0
        for j in range(n):
            s += math.exp(a[i, j] - m)
        for j in range(n):
            a[i, j] = math.exp(a[i, j] - m) / s


def limits(a, v):
    low = high = v[0]
    for i in range(v.shape[0]):
        if v[i] < low:
            low = v[i]
        if v[i] > high:
            high = v[i]
    v[0] = low
    v[1] = high


def halves(a, v):
    h = v.shape[0] // 2
    while h > 0:
        for i in range(h):
            v[i] += v[i + h]
        h //= 2


def strided(a, v):
    n = a.shape[0]
    for i in range(1, n, 3):
        for j in range(0, n - 1, 2):
            v[i] += a[i, j]


def whole(a, v):
    b = a * 2 + 1
    v[:] = b.sum(axis=1)


EXACT = (triangle, tetrahedron, between, factorise, substitute, masked, softmax, limits, halves, strided, whole)
NEAR = (band, every_third, inside, chains)


def square():
    rng = np.random.default_rng(1)
    return rng.random((SIZE, SIZE)) + SIZE * np.eye(SIZE)


@pytest.mark.parametrize("function", EXACT, ids=lambda f: f.__name__)
@pytest.mark.parametrize("size", [2, 13, SIZE])
def test_counts_are_exact(function, size):
    predicted, counted, assumptions = both_counts(function, square()[:size, :size].copy(), np.ones(size))
    assert worst_ratio(predicted, counted, ("load", "store", "update", "division")) < 1.01
    assert not assumptions


@pytest.mark.parametrize("function", NEAR, ids=lambda f: f.__name__)
def test_counts_are_near_where_ends_are_cut(function):
    predicted, counted, _ = both_counts(function, square(), np.ones(SIZE))
    assert worst_ratio(predicted, counted) < 1.1


def rows(starts, columns, values, x, y):
    for i in range(y.shape[0]):
        s = 0.0
        for k in range(starts[i], starts[i + 1]):
            s += values[k] * x[columns[k]]
        y[i] = s


def lists(first, last, values, y):
    for i in range(first.shape[0]):
        s = 0.0
        for k in range(first[i], last[i]):
            s += values[k]
        y[i] = s


def repeated(counts, values, y):
    for i in range(counts.shape[0]):
        s = 0.0
        for k in range(counts[i]):
            s += values[k]
        y[i] = s


def larger(x, y, kept):
    k = 0
    for i in range(x.shape[0]):
        if x[i] > y[i]:
            kept[k] = x[i]
            k += 1


def rising(x, kept):
    k = 0
    for i in range(1, x.shape[0]):
        if x[i] > x[i - 1]:
            kept[k] = x[i]
            k += 1


def of_one_class(key, out):
    for i in range(key.shape[0]):
        if key[i] % 4 == 1:
            out[key[i]] += 1.0


def test_elements_at_hand_say_how_often_loops_run_and_conditions_hold():
    rng = np.random.default_rng(2)
    n = 500
    lengths = rng.integers(0, 40, n)
    starts = np.concatenate([[0], np.cumsum(lengths)])
    values, x, y = rng.random(int(starts[-1]) + 1), rng.random(n), rng.random(n)
    last = starts[1:].copy()
    last[::2] = starts[:-1][::2]
    for function, given in (
        (rows, (starts, rng.integers(0, n, values.size), values, x, np.zeros(n))),
        (lists, (starts[:-1].copy(), last, values, np.zeros(n))),
        (repeated, (lengths, values, np.zeros(n))),
        (larger, (x, y, np.zeros(n))),
        (rising, (x, np.zeros(n))),
        (of_one_class, (lengths, np.zeros(40))),
    ):
        predicted, counted, _ = both_counts(function, *given)
        assert worst_ratio(predicted, counted) < 1.02, function.__name__


def test_trips_that_are_given_are_taken():
    def rounds(limit, w, u):
        for i in range(u.shape[0]):
            x = u[i]
            while x < limit:
                x += w[i % 8]
            u[i] = x

    line = f"line {rounds.__code__.co_firstlineno + 3}"
    predicted, counted, assumptions = both_counts(rounds, 40.0, np.ones(8), np.ones(100), trips={line: 39})
    assert worst_ratio(predicted, counted) < 1.1
    assert any("as was said" in text for text in assumptions)


@pytest.mark.parametrize("number", range(40))
@pytest.mark.parametrize("which", ["restricted", "unrestricted"])
def test_counts_of_random_programs(which, number):
    program = generate(which, number)
    predicted, counted, _ = both_counts(program.function(), *program.arguments(256))
    masked = program.form == "guarded"  # both sides of a branch count where vectors compute both
    assert worst_ratio(predicted, counted, ("load",) if masked else ("load", "store", "update")) < 1.03
