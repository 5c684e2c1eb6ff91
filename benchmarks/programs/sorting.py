"""Odd-even transposition sort: n phases of compare-and-exchange between neighbours."""

from __future__ import annotations

import numpy as np

from benchmarks.program import Arguments, Program, prange, side


def odd_even_sort(source, values):
    n = source.shape[0]
    for i in range(n):
        values[i] = source[i]
    for phase in range(n):
        for i in range(phase % 2, n - 1, 2):
            if values[i] > values[i + 1]:
                values[i], values[i + 1] = values[i + 1], values[i]


def odd_even_sort_numba(source, values):
    n = source.shape[0]
    for i in range(n):
        values[i] = source[i]
    for phase in range(n):
        first = phase % 2
        for k in prange((n - first) // 2):
            i = first + 2 * k
            if values[i] > values[i + 1]:
                values[i], values[i + 1] = values[i + 1], values[i]


def odd_even_sort_numpy(source, values):
    values[:] = source
    for phase in range(values.size):
        left, right = values[phase % 2 : -1 : 2], values[phase % 2 + 1 :: 2]
        low, high = np.minimum(left, right), np.maximum(left, right)
        left[:], right[:] = low, high


def unsorted(size: int, rng: np.random.Generator) -> Arguments:
    n = side(size)
    return rng.integers(-(1 << 30), 1 << 30, n, np.int32), np.zeros(n, np.int32)


ODD_EVEN_SORT = Program(
    name="odd_even_sort",
    title="odd-even sort, int32",
    arguments=unsorted,
    results=(1,),
    loops=odd_even_sort,
    numba=odd_even_sort_numba,
    numpy=odd_even_sort_numpy,
    extents=lambda source, values: (values.size,),
)
