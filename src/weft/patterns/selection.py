"""The loops of `filter`, `sort` and `histogram`, in the language that Weft compiles."""

# Arguments are of whatever types the caller has, which is why nothing here is annotated.
# mypy: ignore-errors

from __future__ import annotations

import numpy as np

from weft.frontend.calls.markers import assume_independent
from weft.frontend.calls.pattern_words import axis_of
from weft.patterns.nests import each

RUN = 32
"""Elements that are sorted by insertion before runs are merged."""

TILE = 512
"""Elements that one iteration merges."""


def filter_loops(p, a):
    shape = a.shape
    size = 1
    for extent in shape:
        size = size * extent
    out = np.empty(size, a.dtype)
    count = 0

    def step(place):
        nonlocal count
        x = a[place]
        if p(x):
            out[count] = x
            count += 1

    each(step, shape)
    return out[:count].copy()


def sort_loops(a, axis=-1):
    along = axis_of(axis, a.ndim)
    out = a.copy()
    count = a.shape[along]
    rest = (*a.shape[:along], *a.shape[along + 1 :])

    def step(place):
        row = np.empty(count, a.dtype)
        for k in range(count):
            there = (*place[:along], k, *place[along:])
            row[k] = a[there]
        ordered = sorted_row(row)
        for k in range(count):
            there = (*place[:along], k, *place[along:])
            out[there] = ordered[k]

    each(step, rest)
    return out


def sorted_row(row):
    """A row in order: runs by insertion, then rounds of merges. It changes the row that it is given."""
    count = len(row)
    for r in assume_independent(range((count + RUN - 1) // RUN)):
        sort_run(row, r * RUN, min((r + 1) * RUN, count))
    source = row
    target = np.empty(count, row.dtype)
    width = RUN
    while width < count:
        merge_round(source, target, width)
        source, target = target, source
        width = width * 2
    return source


def sort_run(row, first, last):
    for i in range(first + 1, last):
        x = row[i]
        k = i
        while k > first and comes_before(x, row[k - 1]):
            row[k] = row[k - 1]
            k -= 1
        row[k] = x


def merge_round(source, target, width):
    """Merge neighbouring runs of `width` elements.

    Each tile of the result finds the parts of the two runs that it is made of (the merge path), so tiles are
    independent of one another.
    """
    count = len(source)
    for t in assume_independent(range((count + TILE - 1) // TILE)):
        place = t * TILE
        last = min(place + TILE, count)
        while place < last:
            base = place // (2 * width) * (2 * width)
            middle = min(base + width, count)
            end = min(base + 2 * width, count)
            stop = min(last, end)
            i = base + from_first(source, base, middle, end, place - base)
            j = middle + (place - i)
            for k in range(place, stop):
                if j >= end or (i < middle and not comes_before(source[j], source[i])):
                    target[k] = source[i]
                    i += 1
                else:
                    target[k] = source[j]
                    j += 1
            place = stop


def from_first(source, base, middle, end, taken):
    """How many of the first `taken` elements of two merged runs are of the first run."""
    low = max(0, taken - (end - middle))
    high = min(taken, middle - base)
    while low < high:
        half = (low + high) // 2
        if comes_before(source[middle + taken - half - 1], source[base + half]):
            high = half
        else:
            low = half + 1
    return low


def comes_before(x, y):
    """NumPy's order: numbers that are none come last."""
    return x < y or (y != y and x == x)


def histogram_loops(a, bins=10, range=None):
    """Count elements by ranges of one width, with the roundings of ``np.histogram``."""
    if bins < 1:
        raise ValueError("`bins` must be positive, when an integer")
    kind = kind_of_ends(a)
    if range is None:
        low, high = extremes(a)
    else:
        low, high = np.float64(range[0]), np.float64(range[1])
        if low > high:
            raise ValueError("max must be larger than min in range parameter.")
    if not (np.isfinite(low) and np.isfinite(high)):
        raise ValueError(f"range of [{low}, {high}] is not finite")
    if low == high:
        low = np.float64(low - 0.5 if range is not None else kind(low) - kind(0.5))
        high = np.float64(high + 0.5 if range is not None else kind(high) + kind(0.5))
    first, last = kind(low), kind(high)
    if range is None:
        edges = evenly_spaced(first, last, bins, kind)
        width = last - first
    else:
        edges = np.linspace(float(low), float(high), bins + 1).astype(kind)
        width = high - low
    counts = np.zeros(bins, np.int64)

    def step(place):
        x = kind(a[place])
        if x >= first and x <= last:
            counts[bin_of(x, first, width, bins, edges)] += 1

    each(step, a.shape)
    return counts, edges


def kind_of_ends(a):
    """The type that np.histogram computes with: narrow floats keep theirs."""
    return a.dtype.type if a.dtype == np.float32 or a.dtype == np.float16 else np.float64


def evenly_spaced(first, last, bins, kind):
    """``np.linspace`` in the type of its ends."""
    edges = np.empty(bins + 1, kind)
    step = (last - first) / kind(bins)
    for k in range(bins):
        edges[k] = kind(k) * step + first if step != 0 else kind(k) / kind(bins) * (last - first) + first
    edges[bins] = last
    return edges


def bin_of(x, first, width, bins, edges):
    k = min(int((x - first) / width * type(width)(bins)), bins - 1)
    if x < edges[k]:
        k -= 1
    elif x >= edges[k + 1] and k != bins - 1:
        k += 1
    return k


def extremes(a):
    low = np.float64(np.inf)
    high = np.float64(-np.inf)
    count = 0

    def step(place):
        nonlocal low, high, count
        x = np.float64(a[place])
        low = np.minimum(low, x)
        high = np.maximum(high, x)
        count += 1

    each(step, a.shape)
    if count == 0:
        return np.float64(0.0), np.float64(1.0)
    return low, high
