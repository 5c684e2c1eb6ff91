"""Scans along rows, columns and segments; linear recurrences; filters with a memory."""

from __future__ import annotations

import numpy as np

from benchmarks.breadth.program import Answer, Program


def running_sum(x, y):
    total = 0.0
    for i in range(len(x)):
        total += x[i]
        y[i] = total


def running_sum_from_before(x, y):
    y[0] = x[0]
    for i in range(1, len(x)):
        y[i] = y[i - 1] + x[i]


def along_rows(x, y):
    for i in range(x.shape[0]):
        total = 0.0
        for j in range(x.shape[1]):
            total += x[i, j]
            y[i, j] = total


def along_rows_from_before(x, y):
    for i in range(x.shape[0]):
        y[i, 0] = x[i, 0]
        for j in range(1, x.shape[1]):
            y[i, j] = y[i, j - 1] + x[i, j]


def along_columns(x, y):
    for j in range(x.shape[1]):
        y[0, j] = x[0, j]
    for i in range(1, x.shape[0]):
        for j in range(x.shape[1]):
            y[i, j] = y[i - 1, j] + x[i, j]


def along_columns_each(x, y):
    for j in range(x.shape[1]):
        total = 0.0
        for i in range(x.shape[0]):
            total += x[i, j]
            y[i, j] = total


def summed_area(x, y):
    for i in range(x.shape[0]):
        row = 0.0
        for j in range(x.shape[1]):
            row += x[i, j]
            y[i, j] = row
            if i > 0:
                y[i, j] += y[i - 1, j]


def summed_area_two_passes(x, y):
    for i in range(x.shape[0]):
        row = 0.0
        for j in range(x.shape[1]):
            row += x[i, j]
            y[i, j] = row
    for i in range(1, x.shape[0]):
        for j in range(x.shape[1]):
            y[i, j] += y[i - 1, j]


def segments(x, starts, y):
    total = 0.0
    for i in range(len(x)):
        if starts[i]:
            total = 0.0
        total += x[i]
        y[i] = total


def segments_by_choice(x, starts, y):
    y[0] = x[0]
    for i in range(1, len(x)):
        y[i] = x[i] if starts[i] else y[i - 1] + x[i]


def running_largest(x, y):
    best = x[0]
    for i in range(len(x)):
        best = max(best, x[i])
        y[i] = best


def running_largest_by_if(x, y):
    best = x[0]
    for i in range(len(x)):
        if x[i] > best:
            best = x[i]
        y[i] = best


def smoothed(x, y, a):
    for i in range(x.shape[0]):
        state = 0.0
        for t in range(x.shape[1]):
            state = a * x[i, t] + (1.0 - a) * state
            y[i, t] = state


def smoothed_from_before(x, y, a):
    for i in range(x.shape[0]):
        y[i, 0] = a * x[i, 0]
        for t in range(1, x.shape[1]):
            y[i, t] = a * x[i, t] + (1.0 - a) * y[i, t - 1]


def biquad(x, y):
    for i in range(x.shape[0]):
        first = 0.0
        second = 0.0
        for t in range(x.shape[1]):
            value = 0.25 * x[i, t] + first
            first = 0.5 * x[i, t] + 0.75 * value + second
            second = 0.25 * x[i, t] - 0.25 * value
            y[i, t] = value


def biquad_time_outside(x, y):
    n = x.shape[0]
    first = np.zeros(n, x.dtype)
    second = np.zeros(n, x.dtype)
    for t in range(x.shape[1]):
        for i in range(n):
            value = 0.25 * x[i, t] + first[i]
            first[i] = 0.5 * x[i, t] + 0.75 * value + second[i]
            second[i] = 0.25 * x[i, t] - 0.25 * value
            y[i, t] = value


def gated(x, gate, y):
    n = len(x)
    y[0] = x[0]
    for i in range(1, n):
        y[i] = gate[i] * y[i - 1] + x[i]


def gated_by_state(x, gate, y):
    h = x[0]
    y[0] = h
    for i in range(1, len(x)):
        h = h * gate[i] + x[i]
        y[i] = h


def from_behind(x, y):
    total = 0.0
    for i in range(len(x) - 1, -1, -1):
        total += x[i]
        y[i] = total


def from_behind_counted(x, y):
    n = len(x)
    total = 0.0
    for i in range(n):
        total += x[n - 1 - i]
        y[n - 1 - i] = total


def offsets(counts, starts):
    total = 0
    for i in range(len(counts)):
        starts[i] = total
        total += counts[i]
    return total


def offsets_from_before(counts, starts):
    starts[0] = 0
    for i in range(1, len(counts)):
        starts[i] = starts[i - 1] + counts[i - 1]
    return starts[-1] + counts[-1]


SUMS = Answer.SUMS
LONG = (60, 10**4, 10**7, 2 * 10**8)
FLAT = ((5, 20), (100, 300), (2000, 2000), (16384, 16384))


def line(m, n):
    return m.random(n), m.zeros(n)


def grid(m, n, k):
    return m.random(n, k), m.zeros(n, k)


def twice(n, b):
    return 2 * n * b


def twice_flat(n, k, b):
    return 2 * n * k * b


def once(n, k):
    return n * k


PROGRAMS = (
    Program("running_sum", (running_sum, running_sum_from_before), line, LONG, twice, lambda n: n, parallel=(),
            answer=SUMS, whole=lambda xp, x, y: x.cumsum()),
    Program("scan_rows", (along_rows, along_rows_from_before), grid, FLAT, twice_flat, once, answer=SUMS,
            whole=lambda xp, x, y: x.cumsum(1)),
    Program("scan_columns", (along_columns, along_columns_each), grid, FLAT, twice_flat, once, parallel=("j",),
            answer=SUMS, whole=lambda xp, x, y: x.cumsum(0)),
    Program("summed_area", (summed_area, summed_area_two_passes), grid, FLAT, twice_flat, lambda n, k: 2 * n * k,
            parallel=(), answer=SUMS, whole=lambda xp, x, y: x.cumsum(1).cumsum(0)),
    Program("scan_segments", (segments, segments_by_choice),
            lambda m, n: (m.random(n), m.below(32, n) == 0, m.zeros(n)), LONG, lambda n, b: n * (2 * b + 1),
            lambda n: n, parallel=(), answer=SUMS),
    Program("running_largest", (running_largest, running_largest_by_if), line, LONG, twice, lambda n: n, parallel=(),
            whole=lambda xp, x, y: xp.maximum.accumulate(x)),
    Program("smoothed", (smoothed, smoothed_from_before), lambda m, n, t: (m.random(n, t), m.zeros(n, t), 0.25), FLAT,
            twice_flat, lambda n, t: 3 * n * t, answer=Answer.MATH, outputs=(1,)),
    Program("biquad", (biquad, biquad_time_outside), grid, FLAT, twice_flat, lambda n, t: 8 * n * t,
            answer=Answer.MATH),
    Program("gated", (gated, gated_by_state), lambda m, n: (m.random(n), m.random(n), m.zeros(n)), LONG,
            lambda n, b: 3 * n * b, lambda n: 2 * n, parallel=(), answer=Answer.MATH),
    Program("scan_from_behind", (from_behind, from_behind_counted), line, LONG, twice, lambda n: n, parallel=(),
            answer=SUMS, whole=lambda xp, x, y: x[::-1].cumsum()[::-1]),
    Program("offsets", (offsets, offsets_from_before), lambda m, n: (m.below(9, n), m.below(1, n)), LONG,
            lambda n, b: 16 * n, lambda n: n, parallel=(), dtypes=("float64",),
            outputs=(1,)),
)  # fmt: skip
