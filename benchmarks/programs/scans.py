"""Running sums and counts by key."""

from __future__ import annotations

import numpy as np

from benchmarks.program import Arguments, Program


def prefix_sum(x, r):
    total = 0.0
    for i in range(x.shape[0]):
        total += x[i]
        r[i] = total


def prefix_sum_numpy(x, r):
    np.cumsum(x, out=r)


PREFIX_SUM = Program(
    name="prefix_sum",
    title="prefix sum, float64",
    arguments=lambda size, rng: (rng.random(size), np.zeros(size)),
    results=(1,),
    loops=prefix_sum,
    # A running sum has no prange: with it, Numba's answer would be wrong.
    numba=prefix_sum,
    numpy=prefix_sum_numpy,
    extents=lambda x, r: (x.size,),
    tolerance=1e-12,
)


def histogram(keys, counts):
    for b in range(counts.shape[0]):
        counts[b] = 0
    for i in range(keys.shape[0]):
        counts[keys[i]] += 1


def histogram_numpy(keys, counts):
    counts[:] = np.bincount(keys, minlength=counts.size)


def keys_and_counts(size: int, rng: np.random.Generator) -> Arguments:
    return rng.integers(0, 256, size, np.int32), np.zeros(256, np.int64)


HISTOGRAM = Program(
    name="histogram",
    title="histogram of 256 bins",
    arguments=keys_and_counts,
    results=(1,),
    loops=histogram,
    # Two iterations may count in the same bin, so prange would be a race.
    numba=histogram,
    numpy=histogram_numpy,
    extents=lambda keys, counts: (keys.size,),
)
