"""Ordinary programs whose accumulators start as Python numbers, over arrays of narrow floats.

Each takes a matrix `x` and a vector `v` of the type that is tested, an output `y` of `x`'s shape and type, a mask `m`
of integers, and the starts `p` of rows in a flat array.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np

PROGRAMS: dict[str, Callable[..., Any]] = {}
SETTLED: set[str] = set()
"""Programs whose results for empty loops are CPython's, and no error."""
NEAR: set[str] = set()
"""Programs with exponentials, or sums that are not exact: right to a few units in the last place."""


def program(function: Callable[..., Any]) -> Callable[..., Any]:
    PROGRAMS[function.__name__] = function
    return function


def settled(function: Callable[..., Any]) -> Callable[..., Any]:
    SETTLED.add(function.__name__)
    return program(function)


def near(function: Callable[..., Any]) -> Callable[..., Any]:
    NEAR.add(function.__name__)
    return program(function)


@program
def normed_rows(x, v, y, m, p):
    for i in range(x.shape[0]):
        s = 0.0
        for j in range(x.shape[1]):
            s += x[i, j] * x[i, j]
        r = 1.0 / np.sqrt(s / x.shape[1] + 0.001)
        for j in range(x.shape[1]):
            y[i, j] = x[i, j] * r


@program
def variance_in_one_pass(x, v, y, m, p):
    first = 0.0
    second = 0.0
    for e in v:
        first += e
        second += e * e
    k = len(v)
    mean = first / k
    return np.sqrt(second / k - mean * mean + 1e-3)


@near
def spread_by_helpers(x, v, y, m, p):
    def mean_of(row, count):
        t = 0.0
        for j in range(count):
            t += row[j]
        return t / count

    def spread(row, count, c):
        t = 0.0
        for j in range(count):
            t += (row[j] - c) ** 2
        return math.sqrt(t / count + 0.1)

    for i in range(x.shape[0]):
        c = mean_of(x[i], x.shape[1])
        y[i, 0] = spread(x[i], x.shape[1], c)


@program
def with_a_while_loop(x, v, y, m, p):
    total, k = 0.0, 0
    while k < v.shape[0]:
        total = total + v[k] * v[k]
        k += 1
    return 1.0 / np.sqrt(total + 0.3)


@program
def sums_of_sums(x, v, y, m, p):
    whole = 0.0
    for i in range(x.shape[0]):
        for j in range(x.shape[1]):
            whole += x[i, j]
    scale = np.sqrt(whole * whole + 0.1)
    for i in range(x.shape[0]):
        for j in range(x.shape[1]):
            y[i, j] = x[i, j] / scale


@program
def row_sums_summed(x, v, y, m, p):
    whole = 0.0
    for i in range(x.shape[0]):
        row = 0.0
        for j in range(x.shape[1]):
            row += x[i, j]
        whole += row * 0.5
    return np.sqrt(abs(whole) + 0.7)


@program
def triangle(x, v, y, m, p):
    s = 0.0
    for i in range(v.shape[0]):
        for j in range(i):
            s += v[i] * v[j]
    return np.sqrt(s * s + 0.1)


@program
def pair_of_sums(x, v, y, m, p):
    a, b = 0.0, 1e-6
    for j in range(v.shape[0]):
        a, b = a + v[j], b + v[j] * v[j]
    return a / np.sqrt(b), b


@program
def under_a_branch(x, v, y, m, p):
    s = 0.0
    for j in range(v.shape[0]):
        if m[j] > 0:
            s += v[j]
    return np.sqrt(s * s + 0.1)


@program
def under_branches_of_both_kinds(x, v, y, m, p):
    up = 0.1
    down = 0.0
    for j in range(v.shape[0]):
        if v[j] > 0:
            up += v[j]
        elif v[j] < 0:
            down -= v[j]
        else:
            continue
    return up, np.sqrt(down + 0.2)


@program
def rows_of_a_sparse_matrix(x, v, y, m, p):
    for i in range(p.shape[0] - 1):
        s = 0.0
        for k in range(p[i], p[i + 1]):
            s += v[k] * v[k]
        y[i, 0] = 1.0 / np.sqrt(s + 0.1)


@program
def mean_of_rows_that_may_be_empty(x, v, y, m, p):
    for i in range(p.shape[0] - 1):
        s = 0.1
        for k in range(p[i], p[i + 1]):
            s += v[k]
        y[i, 0] = s * s


@settled
def nearest_of_all(x, v, y, m, p):
    place = -1
    best = 1e30
    for j in range(v.shape[0]):
        d = abs(v[j] - v[0])
        if 0 < d < best:
            best = d
            place = j
    return place


@program
def least_distance(x, v, y, m, p):
    best = 1e10
    for i in range(x.shape[0]):
        d = 0.0
        for j in range(x.shape[1]):
            d += (x[i, j] - v[j]) * (x[i, j] - v[j])
        best = min(best, d)
    return best


@settled
def least_of_rows(x, v, y, m, p):
    for i in range(x.shape[0]):
        low = 0.3
        for j in range(x.shape[1]):
            low = min(x[i, j], low)
        y[i, 0] = low


@settled
def from_infinity(x, v, y, m, p):
    low, high = np.inf, -float("inf")
    for e in v:
        low = min(low, e)
        if e > high:
            high = e
    return low, high


@program
def range_of_values(x, v, y, m, p):
    low, high = 1e9, -1e9
    for e in v:
        low = e if e < low else low
        high = max(high, e)
    return (high - low) * 0.1


@near
def softmax(x, v, y, m, p):
    for i in range(x.shape[0]):
        top = -1e30
        for j in range(x.shape[1]):
            if x[i, j] > top:
                top = x[i, j]
        s = 0.0
        for j in range(x.shape[1]):
            y[i, j] = np.exp(x[i, j] - top)
            s += y[i, j]
        for j in range(x.shape[1]):
            y[i, j] = y[i, j] / (s + 1e-9)


@near
def online_softmax(x, v, y, m, p):
    top = -1e4
    s = 0.0
    for j in range(v.shape[0]):
        new = max(top, v[j])
        s = s * np.exp(top - new) + np.exp(v[j] - new)
        top = new
    for j in range(v.shape[0]):
        y[0, j] = np.exp(v[j] - top) / s


@near
def logarithm_of_a_sum(x, v, y, m, p):
    s = 0.0
    for e in v:
        s += np.exp(e)
    return np.log(s + 1e-7)


@program
def dot_and_cosine(x, v, y, m, p):
    for i in range(x.shape[0]):
        dot = 0.0
        one = 0.0
        other = 0.0
        for j in range(x.shape[1]):
            dot += x[i, j] * v[j]
            one += x[i, j] ** 2
            other += v[j] ** 2
        y[i, 0] = dot / (np.sqrt(one) * np.sqrt(other) + 1e-8)


@program
def running_mean(x, v, y, m, p):
    mean = 0.0
    for j in range(v.shape[0]):
        mean += (v[j] - mean) / (j + 1)
        y[0, j] = mean
    return mean * 0.1


@program
def decayed(x, v, y, m, p):
    s = 0.1
    for j in range(v.shape[0]):
        s = s * 0.5 + v[j]
    return s


@program
def integer_zero(x, v, y, m, p):
    s = 0
    q = 0
    for e in v:
        s += e
        q += e * e
    return np.sqrt(q + 0.1) / (s * s + 1.5)


@near
def python_products(x, v, y, m, p):
    area = 0.0
    for j in range(1, v.shape[0]):
        area += (v[j] + v[j - 1]) * 0.5 * 0.1
    return area * 0.1 + 0.1


@program
def a_total_of_positive_parts(x, v, y, m, p):
    total = 0.0
    for i in range(x.shape[0]):
        s = 0.0
        for j in range(x.shape[1]):
            s += x[i, j]
        gain = s / x.shape[1] - 0.1
        if gain > 0.0:
            total += gain
    return total / 3


@near
def price_along_a_path(x, v, y, m, p):
    price = 100.1
    for e in v:
        price *= e + 1.0
    return price


@near
def smoothed_from_a_parameter(x, v, y, m, p):
    def smoothed(level, kept):
        for e in v:
            level = level * kept + e
        return level

    return smoothed(0.3, 0.9), smoothed(100.1, 0.1)


@near
def deviation_while_running(x, v, y, m, p):
    mean, squares, k = 0.0, 0.0, 0
    for e in v:
        k += 1
        d = e - mean
        mean += d / k
        squares += d * (e - mean)
    return mean, np.sqrt(squares / (k + 0.5))


@near
def compensated(x, v, y, m, p):
    lost = 0.0
    s = 0.0
    for e in v:
        wanted = e - lost
        t = s + wanted
        lost = (t - s) - wanted
        s = t
    return s + 0.1


@near
def weight_by_descent(x, v, y, m, p):
    w = 0.2
    for t in range(3):
        slope = 0.0
        for e in v:
            slope += (w * e - 1.0) * e
        w -= 0.01 * slope / len(v)
    return w


@program
def left_early(x, v, y, m, p):
    s = 0.01
    for e in v:
        if e > 2.5:
            break
        s += e
    return s * s


@program
def whole_rows(x, v, y, m, p):
    s = 0.0
    for e in v:
        s += e
    y[:] = x * (s + 0.1)


@near
def two_sums_meet(x, v, y, m, p):
    a = 0.0
    for e in v:
        a += e
    b = 0.1
    for i in range(x.shape[0]):
        b += x[i, 0]
    return a * b + (a - b), np.sqrt(a * a + b * b)


@program
def steps_of_a_method(x, v, y, m, p):
    for t in range(2):
        norm = 0.0
        for i in range(x.shape[0]):
            s = 0.0
            for j in range(x.shape[1]):
                s += x[i, j] * v[j]
            y[i, 0] = s
            norm += s * s
        for i in range(x.shape[0]):
            y[i, 0] = y[i, 0] / math.sqrt(norm + 0.1)


def given(dtype: str, n: int, seed: int = 0) -> tuple[Any, ...]:
    """The arguments of one call; all numbers are multiples of 1/8 whose sums are exact."""
    draw = np.random.default_rng(seed)
    rows = 3 if n else 2
    x, v = draw.integers(-12, 13, (rows, n)) / 8, draw.integers(-12, 13, n) / 8
    starts = np.array([0, n // 3, n // 2, n][: rows + 1])
    return x.astype(dtype), v.astype(dtype), np.zeros((rows, max(n, 1)), dtype), draw.integers(-1, 2, n), starts
