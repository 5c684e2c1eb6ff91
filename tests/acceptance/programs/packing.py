"""Chosen elements moved together, and apart again."""

import numpy as np

from ..inputs import each_matrix, each_size, signed
from ..registry import program


@program(verdicts={"i": "compaction"}, args=each_size(lambda rng, n: (signed(rng, n), np.full(n, 9.0))))
def keeps_positives(x, out):
    k = 0
    for i in range(len(x)):
        if x[i] > 0.0:
            out[k] = x[i]
            k += 1
    return k


@program(verdicts={"i": "compaction"}, args=each_size(lambda rng, n: (signed(rng, n), np.full(n, -1, np.int64))))
def places_of_positives(x, out):
    k = 0
    for i in range(len(x)):
        if x[i] > 0.0:
            out[k] = i
            k = k + 1
    return k


@program(
    verdicts={"i": ("compaction", "scan")},
    args=each_size(lambda rng, n: (rng.random(n) > 0.4, rng.random(n), np.zeros(n))),
)
def unpacks_to_chosen_places(mask, packed, out):
    k = 0
    for i in range(len(out)):
        if mask[i]:
            out[i] = packed[k]
            k += 1


@program(verdicts={"i": "compaction"}, args=each_size(lambda rng, n: (signed(rng, n), np.zeros(n), np.zeros(n))))
def parts_into_two(x, low, high):
    k = 0
    m = 0
    for i in range(len(x)):
        if x[i] < 0.0:
            low[k] = x[i]
            k += 1
        else:
            high[m] = x[i]
            m += 1
    return k, m


@program(verdicts={"i": "compaction"}, args=each_size(lambda rng, n: (signed(rng, n), np.zeros(2 * n))))
def two_elements_for_each_chosen(x, out):
    k = 0
    for i in range(len(x)):
        if abs(x[i]) < 0.3:
            out[k] = x[i]
            out[k + 1] = i
            k += 2
    return k


@program(
    verdicts={"i": "compaction"},
    args=each_size(lambda rng, n: (np.sort(rng.integers(0, n + 1, n)), np.zeros(n, np.int64))),
)
def drops_repeated_neighbours(x, out):
    k = 0
    for i in range(len(x)):
        if i == 0 or x[i] != x[i - 1]:
            out[k] = x[i]
            k += 1
    return k


@program(
    verdicts={"i": "compaction", "j": "parallel"},
    args=each_matrix(lambda rng, n: (signed(rng, n), rng.random((n, n + 1)), np.zeros((n, n + 1)))),
)
def keeps_chosen_rows(weight, a, out):
    k = 0
    for i in range(a.shape[0]):
        if weight[i] > 0.0:
            for j in range(a.shape[1]):
                out[k, j] = a[i, j]
            k += 1
    return k


@program(
    verdicts={"i": "compaction", "j": "compaction"},
    args=each_matrix(
        lambda rng, n: (signed(rng, n, n), np.zeros(n * n, np.int64), np.zeros(n * n, np.int64), np.zeros(n * n))
    ),
)
def triplets_of_a_sparse_matrix(a, row, column, value):
    k = 0
    for i in range(a.shape[0]):
        for j in range(a.shape[1]):
            if abs(a[i, j]) > 0.7:
                row[k] = i
                column[k] = j
                value[k] = a[i, j]
                k += 1
    return k


@program(verdicts={"i": ("compaction", "sequential")}, args=each_size(lambda rng, n: (signed(rng, n),)))
def packs_in_place(x):
    k = 0
    for i in range(len(x)):
        if x[i] > 0.0:
            x[k] = x[i]
            k += 1
    return k
