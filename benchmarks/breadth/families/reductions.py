"""Reductions and arg-reductions along any axes."""

from __future__ import annotations

import math

import numpy as np

from benchmarks.breadth.program import Answer, Program


def total_of(x):
    total = 0.0
    for i in range(x.shape[0]):
        total += x[i]
    return total


def total_while(x):
    total = 0.0
    i = 0
    while i < x.shape[0]:
        total += x[i]
        i += 1
    return total


def total_of_values(x):
    total = 0.0
    for value in x:
        total += value
    return total


def dot_norm(x, y):
    dot = 0.0
    left = 0.0
    right = 0.0
    for i in range(len(x)):
        dot += x[i] * y[i]
        left += x[i] * x[i]
        right += y[i] * y[i]
    return dot / math.sqrt(left * right)


def dot_norm_three_loops(x, y):
    dot = 0.0
    for i in range(len(x)):
        dot += x[i] * y[i]
    left = 0.0
    for i in range(len(x)):
        left += x[i] ** 2
    right = 0.0
    for i in range(len(y)):
        right += y[i] ** 2
    return dot / math.sqrt(left * right)


def middle_axis(x, y):
    for i in range(x.shape[0]):
        for k in range(x.shape[2]):
            total = 0.0
            for j in range(x.shape[1]):
                total += x[i, j, k]
            y[i, k] = total


def middle_axis_in_place(x, y):
    for i in range(x.shape[0]):
        for k in range(x.shape[2]):
            y[i, k] = 0.0
        for j in range(x.shape[1]):
            for k in range(x.shape[2]):
                y[i, k] += x[i, j, k]


def outer_and_inner(x, y):
    for j in range(x.shape[1]):
        total = 0.0
        for i in range(x.shape[0]):
            for k in range(x.shape[2]):
                total += x[i, j, k]
        y[j] = total


def outer_and_inner_in_place(x, y):
    for j in range(x.shape[1]):
        y[j] = 0.0
    for i in range(x.shape[0]):
        for j in range(x.shape[1]):
            for k in range(x.shape[2]):
                y[j] += x[i, j, k]


def place_of_largest(x):
    best = x[0]
    place = 0
    for i in range(1, len(x)):
        if x[i] > best:
            best = x[i]
            place = i
    return place


def place_of_largest_by_index(x):
    place = 0
    for i in range(len(x)):
        if x[i] > x[place]:
            place = i
    return place


def rows_places(x, places):
    for i in range(x.shape[0]):
        best = x[i, 0]
        place = 0
        for j in range(1, x.shape[1]):
            if x[i, j] < best:
                best = x[i, j]
                place = j
        places[i] = place


def rows_places_by_index(x, places):
    for i in range(x.shape[0]):
        place = 0
        for j in range(x.shape[1]):
            if x[i, j] < x[i, place]:
                place = j
        places[i] = place


def columns_places(x, places):
    for j in range(x.shape[1]):
        best = x[0, j]
        place = 0
        for i in range(1, x.shape[0]):
            if x[i, j] > best:
                best = x[i, j]
                place = i
        places[j] = place


def columns_places_by_rows(x, places):
    n, m = x.shape
    best = np.empty(m, x.dtype)
    for j in range(m):
        best[j] = x[0, j]
        places[j] = 0
    for i in range(1, n):
        for j in range(m):
            if x[i, j] > best[j]:
                best[j] = x[i, j]
                places[j] = i


def moments(x, y):
    n = x.shape[1]
    for i in range(x.shape[0]):
        mean = 0.0
        for j in range(n):
            mean += x[i, j]
        mean /= n
        second = 0.0
        fourth = 0.0
        for j in range(n):
            d = x[i, j] - mean
            second += d * d
            fourth += d * d * d * d
        y[i] = n * fourth / (second * second)


def moments_arrays(x, y):
    for i in range(x.shape[0]):
        d = x[i] - np.mean(x[i])
        squares = d * d
        y[i] = x.shape[1] * np.sum(squares * squares) / np.sum(squares) ** 2


def limits(x):
    low = x[0, 0]
    high = x[0, 0]
    for i in range(x.shape[0]):
        for j in range(x.shape[1]):
            low = min(low, x[i, j])
            high = max(high, x[i, j])
    return low, high


def limits_by_if(x):
    low = x[0, 0]
    high = x[0, 0]
    for i in range(x.shape[0]):
        for j in range(x.shape[1]):
            if x[i, j] < low:
                low = x[i, j]
            elif x[i, j] > high:
                high = x[i, j]
    return low, high


def count_runs(x, limit):
    inside = 0
    pairs = 0
    for i in range(1, len(x)):
        if x[i] > limit:
            inside += 1
            if x[i - 1] <= limit:
                pairs += 1
    return inside, pairs


def count_runs_by_bool(x, limit):
    inside = 0
    pairs = 0
    for i in range(len(x) - 1):
        above = x[i + 1] > limit
        inside += above
        pairs += above and not x[i] > limit
    return inside, pairs


def log_sum(x):
    top = x[0]
    for i in range(len(x)):
        top = max(top, x[i])
    total = 0.0
    for i in range(len(x)):
        total += math.exp(x[i] - top)
    return top + math.log(total)


def log_sum_arrays(x):
    top = np.max(x)
    return top + np.log(np.sum(np.exp(x - top)))


def distances(x, y, d):
    for i in range(x.shape[0]):
        for j in range(y.shape[0]):
            total = 0.0
            for k in range(x.shape[1]):
                total += abs(x[i, k] - y[j, k])
            d[i, j] = total


def distances_of_rows(x, y, d):
    for i in range(x.shape[0]):
        for j in range(y.shape[0]):
            d[i, j] = np.sum(np.abs(x[i] - y[j]))


def nearest(points, centres, label):
    for i in range(points.shape[0]):
        best = 1e30
        for c in range(centres.shape[0]):
            distance = 0.0
            for k in range(points.shape[1]):
                d = points[i, k] - centres[c, k]
                distance += d * d
            if distance < best:
                best = distance
                label[i] = c


def nearest_by_index(points, centres, label):
    for i in range(points.shape[0]):
        best = 1e30
        place = 0
        for c in range(centres.shape[0]):
            distance = 0.0
            for k in range(points.shape[1]):
                distance += (points[i, k] - centres[c, k]) ** 2
            if distance < best:
                best, place = distance, c
        label[i] = place


def long(n, b):
    return n * b


SUMS = Answer.SUMS
LONG = (50, 10**4, 10**7, 5 * 10**8)
FLAT = ((5, 9), (100, 200), (2000, 2000), (20000, 20000))
CUBES = ((4, 5, 6), (30, 40, 50), (200, 200, 200), (800, 800, 800))


def counted(n, m):
    return n * m


PROGRAMS = (
    Program("total", (total_of, total_while, total_of_values), lambda m, n: (m.random(n),), LONG, long, lambda n: n,
            answer=SUMS, whole=lambda xp, x: x.sum()),
    Program("cosine", (dot_norm, dot_norm_three_loops), lambda m, n: (m.random(n), m.random(n)), LONG,
            lambda n, b: 2 * n * b, lambda n: 6 * n, answer=SUMS,
            whole=lambda xp, x, y: (x @ y) / ((x @ x) * (y @ y)) ** 0.5),
    Program("sum_middle_axis", (middle_axis, middle_axis_in_place),
            lambda m, i, j, k: (m.random(i, j, k), m.zeros(i, k)), CUBES, lambda i, j, k, b: i * j * k * b,
            lambda i, j, k: i * j * k, answer=SUMS, whole=lambda xp, x, y: x.sum(1)),
    Program("sum_outer_and_inner", (outer_and_inner, outer_and_inner_in_place),
            lambda m, i, j, k: (m.random(i, j, k), m.zeros(j)), CUBES, lambda i, j, k, b: i * j * k * b,
            lambda i, j, k: i * j * k, parallel=("j",), answer=SUMS, whole=lambda xp, x, y: x.sum((0, 2))),
    Program("place_of_largest", (place_of_largest, place_of_largest_by_index), lambda m, n: (m.random(n),), LONG, long,
            lambda n: n, parallel=(), whole=lambda xp, x: x.argmax()),
    Program("places_in_rows", (rows_places, rows_places_by_index),
            lambda m, n, k: (m.random(n, k), m.below(1, n)), FLAT, lambda n, k, b: n * k * b, counted,
            whole=lambda xp, x, places: x.argmin(1)),
    Program("places_in_columns", (columns_places, columns_places_by_rows),
            lambda m, n, k: (m.random(n, k), m.below(1, k)), FLAT, lambda n, k, b: n * k * b, counted, parallel=("j",),
            whole=lambda xp, x, places: x.argmax(0)),
    Program("kurtosis", (moments, moments_arrays), lambda m, n, k: (m.random(n, k), m.zeros(n)), FLAT,
            lambda n, k, b: n * k * b, lambda n, k: 7 * n * k, answer=Answer.MATH),
    Program("limits", (limits, limits_by_if), lambda m, n, k: (m.random(n, k),), FLAT, lambda n, k, b: n * k * b,
            lambda n, k: 2 * n * k, whole=lambda xp, x: (x.min(), x.max())),
    Program("count_runs", (count_runs, count_runs_by_bool), lambda m, n: (m.random(n), 0.5), LONG, long,
            lambda n: 3 * n),
    Program("log_sum", (log_sum, log_sum_arrays), lambda m, n: (m.signed(n),), (50, 10**4, 4 * 10**6, 10**8), long,
            lambda n: 14 * n, answer=Answer.MATH),
    Program("distances", (distances, distances_of_rows),
            lambda m, n, k: (m.signed(n, k), m.signed(n, k), m.zeros(n, n)),
            ((6, 4), (100, 16), (1000, 48), (8192, 64)), lambda n, k, b: (2 * n * k + n * n) * b,
            lambda n, k: 3 * n * n * k, answer=SUMS),
    Program("nearest_centre", (nearest, nearest_by_index),
            lambda m, n, c: (m.random(n, 8), m.random(c, 8), m.below(1, n)),
            ((9, 4), (1000, 16), (200_000, 32), (10**7, 64)), lambda n, c, b: 8 * n * b + 8 * n,
            lambda n, c: 24 * n * c, answer=SUMS),
)  # fmt: skip
