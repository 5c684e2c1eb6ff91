"""Packing: one counter, several counters, partitions, runs, intersections of sorted lists."""

from __future__ import annotations

import numpy as np

from benchmarks.breadth.program import Program


def above(x, out, limit):
    n = 0
    for i in range(len(x)):
        if x[i] > limit:
            out[n] = x[i]
            n += 1
    return n


def above_guarded(x, out, limit):
    n = 0
    for value in x:
        if not value > limit:
            continue
        out[n] = value
        n = n + 1
    return n


def two_sides(x, low, high, limit):
    a = 0
    b = 0
    for i in range(len(x)):
        if x[i] < limit:
            low[a] = x[i]
            a += 1
        else:
            high[b] = x[i]
            b += 1
    return a, b


def two_sides_by_else_if(x, low, high, limit):
    a = 0
    b = 0
    for i in range(len(x)):
        below = x[i] < limit
        if below:
            low[a] = x[i]
            a += 1
        elif not below:
            high[b] = x[i]
            b += 1
    return a, b


def three_ways(x, low, middle, high):
    a = 0
    b = 0
    c = 0
    for i in range(len(x)):
        if x[i] < 0.25:
            low[a] = i
            a += 1
        elif x[i] < 0.75:
            middle[b] = i
            b += 1
        else:
            high[c] = i
            c += 1
    return a, b, c


def three_ways_three_loops(x, low, middle, high):
    a = 0
    for i in range(len(x)):
        if x[i] < 0.25:
            low[a] = i
            a += 1
    b = 0
    for i in range(len(x)):
        if x[i] >= 0.25 and x[i] < 0.75:
            middle[b] = i
            b += 1
    c = 0
    for i in range(len(x)):
        if x[i] >= 0.75:
            high[c] = i
            c += 1
    return a, b, c


def both_ends(x, out, limit):
    first = 0
    last = len(x) - 1
    for i in range(len(x)):
        if x[i] < limit:
            out[first] = x[i]
            first += 1
        else:
            out[last] = x[i]
            last -= 1
    return first


def both_ends_counted(x, out, limit):
    n = len(x)
    first = 0
    rest = 0
    for i in range(n):
        if x[i] < limit:
            out[first] = x[i]
            first += 1
        else:
            rest += 1
            out[n - rest] = x[i]
    return first


def runs(x, values, lengths):
    n = 0
    values[0] = x[0]
    lengths[0] = 1
    for i in range(1, len(x)):
        if x[i] != x[i - 1]:
            n += 1
            values[n] = x[i]
            lengths[n] = 1
        else:
            lengths[n] += 1
    return n + 1


def runs_by_starts(x, values, lengths):
    n = 0
    start = 0
    for i in range(1, len(x) + 1):
        if i == len(x) or x[i] != x[start]:
            values[n] = x[start]
            lengths[n] = i - start
            n += 1
            start = i
    return n


def nonzeros(a, rows, columns, values):
    n = 0
    for i in range(a.shape[0]):
        for j in range(a.shape[1]):
            if a[i, j] != 0.0:
                rows[n] = i
                columns[n] = j
                values[n] = a[i, j]
                n += 1
    return n


def nonzeros_flat(a, rows, columns, values):
    m = a.shape[1]
    n = 0
    for p in range(a.shape[0] * m):
        i = p // m
        j = p % m
        if a[i, j] != 0.0:
            rows[n], columns[n], values[n] = i, j, a[i, j]
            n += 1
    return n


def expand(counts, owners):
    n = 0
    for i in range(len(counts)):
        for _ in range(counts[i]):
            owners[n] = i
            n += 1
    return n


def expand_by_end(counts, owners):
    n = 0
    for i in range(len(counts)):
        end = n + counts[i]
        while n < end:
            owners[n] = i
            n += 1
    return n


def rows_packed(x, out, lengths):
    for i in range(x.shape[0]):
        n = 0
        for j in range(x.shape[1]):
            if x[i, j] > 0.5:
                out[i, n] = j
                n += 1
        lengths[i] = n


def rows_packed_in_lengths(x, out, lengths):
    for i in range(x.shape[0]):
        lengths[i] = 0
        for j in range(x.shape[1]):
            if x[i, j] > 0.5:
                out[i, lengths[i]] = j
                lengths[i] += 1


def local_maxima(x, places):
    n = 0
    for i in range(1, len(x) - 1):
        if x[i] > x[i - 1] and x[i] > x[i + 1]:
            places[n] = i
            n += 1
    return n


def local_maxima_from_zero(x, places):
    n = 0
    for i in range(len(x) - 2):
        middle = x[i + 1]
        if middle > max(x[i], x[i + 2]):
            places[n] = i + 1
            n += 1
    return n


def common(a, b, out):
    i = 0
    j = 0
    n = 0
    while i < len(a) and j < len(b):
        if a[i] == b[j]:
            out[n] = a[i]
            n += 1
            i += 1
            j += 1
        elif a[i] < b[j]:
            i += 1
        else:
            j += 1
    return n


def common_by_two_steps(a, b, out):
    j = 0
    n = 0
    for i in range(len(a)):
        while j < len(b) and b[j] < a[i]:
            j += 1
        if j < len(b) and b[j] == a[i]:
            out[n] = a[i]
            n += 1
            j += 1
    return n


LONG = (60, 10**4, 4 * 10**6, 10**8)


def sparse(m, n):
    a = m.random(n, n)
    a[m.below(4, n, n) > 0] = 0
    return a, m.below(1, n * n), m.below(1, n * n), m.zeros(n * n)


def sorted_lists(m, n):
    a, b = (np.sort(m.below(4 * n, n)) for _ in range(2))
    return a, b, np.zeros(n, np.int64)


PROGRAMS = (
    Program("pack_above", (above, above_guarded), lambda m, n: (m.random(n), m.zeros(n), 0.5), LONG,
            lambda n, b: 1.5 * n * b, lambda n: n, parallel=(), outputs=(1,)),
    Program("partition", (two_sides, two_sides_by_else_if), lambda m, n: (m.random(n), m.zeros(n), m.zeros(n), 0.5),
            LONG, lambda n, b: 2 * n * b, lambda n: n, parallel=(),
            outputs=(1, 2)),
    Program("three_ways", (three_ways, three_ways_three_loops),
            lambda m, n: (m.random(n), m.below(1, n), m.below(1, n), m.below(1, n)), LONG, lambda n, b: n * (b + 8),
            lambda n: 2 * n, parallel=(),
            outputs=(1, 2, 3)),
    Program("pack_both_ends", (both_ends, both_ends_counted), lambda m, n: (m.random(n), m.zeros(n), 0.5), LONG,
            lambda n, b: 2 * n * b, lambda n: n, parallel=(),
            outputs=(1,)),
    Program("run_lengths", (runs, runs_by_starts), lambda m, n: (m.below(2, n), m.below(1, n), m.below(1, n)), LONG,
            lambda n, b: 16 * n, lambda n: n, parallel=(), dtypes=("float64",),
            outputs=(1, 2)),
    Program("nonzeros", (nonzeros, nonzeros_flat), sparse, (9, 100, 2000, 10000),
            lambda n, b: n * n * b * 1.25 + 4 * n * n, lambda n: n * n, parallel=(),
            outputs=(1, 2, 3)),
    Program("expand", (expand, expand_by_end), lambda m, n: (m.below(5, n), m.below(1, 5 * n)),
            (30, 10**4, 2 * 10**6, 5 * 10**7), lambda n, b: 24 * n, lambda n: 2 * n, parallel=(), dtypes=("float64",),
            outputs=(1,)),
    Program("pack_rows", (rows_packed, rows_packed_in_lengths),
            lambda m, n, k: (m.random(n, k), m.below(1, n, k), m.below(1, n)),
            ((6, 9), (100, 200), (2000, 2000), (16384, 8192)), lambda n, k, b: n * k * (b + 4), lambda n, k: n * k,
            outputs=(1, 2)),
    Program("local_maxima", (local_maxima, local_maxima_from_zero), lambda m, n: (m.random(n), m.below(1, n)), LONG,
            lambda n, b: n * (b + 2), lambda n: 2 * n, parallel=(),
            outputs=(1,)),
    Program("common_of_sorted", (common, common_by_two_steps), sorted_lists, (40, 10**4, 2 * 10**6, 5 * 10**7),
            lambda n, b: 20 * n, lambda n: 3 * n, parallel=(), dtypes=("float64",),
            outputs=(2,)),
)  # fmt: skip
