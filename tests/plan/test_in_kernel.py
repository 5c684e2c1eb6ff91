"""What a kernel keeps in variables though a loop in it may raise, and loops that count places."""

from __future__ import annotations

import itertools
import warnings

import numpy as np
import pytest

import weft
from tests.random_programs.stages import planned_and_interpreted


def offsets(starts, columns, values, x, y):
    for i in range(len(y)):
        total = 0.0
        first = starts[i]
        for k in range(starts[i + 1] - first):
            total += values[first + k] * x[columns[first + k]]
        y[i] = total


def stored_first(starts, columns, values, x, y):
    for i in range(len(y)):
        y[i] = 0.0
        for p in range(starts[i], starts[i + 1]):
            y[i] += values[p] * x[columns[p]]


def added_to(starts, columns, values, x, y):
    for i in range(len(y)):
        first = starts[i]
        for k in range(starts[i + 1] - first):
            y[i] += values[first + k] * x[columns[first + k]]


def greatest(starts, columns, values, x, y):
    for i in range(len(y)):
        y[i] = -1.0
        for p in range(starts[i], starts[i + 1]):
            if x[columns[p]] > y[i]:
                y[i] = x[columns[p]]


def as_many(starts, columns, values, x, y):
    for i in range(len(y)):
        for k in range(20):
            y[i] -= x[columns[i * 7 + k]] * 0.5


FUNCTIONS = [offsets, stored_first, added_to, greatest, as_many]


def arguments(dtype, rows=30, entries=400):
    rng = np.random.default_rng(rows)
    starts = np.concatenate([[0], np.cumsum(rng.integers(0, 8, rows))]).astype(dtype)
    values = (rng.integers(-8, 9, entries) / 8).astype(np.float32)
    x = (rng.integers(-8, 9, 50) / 8).astype(np.float32)
    return [starts, rng.integers(0, 50, entries).astype(dtype), values, x, np.ones(rows, np.float32)]


def spoiled(dtype):
    """Arguments that are right, and others with indices outside of arrays or places that do not fit."""
    least, most = np.iinfo(dtype).min, np.iinfo(dtype).max
    yield arguments(dtype)
    for which, place, value in [(1, 40, 77), (0, 5, 0), (0, 7, most), (0, 6, least), (1, 0, most)]:
        made = arguments(dtype)
        made[which][place] = value
        yield made


def outcome(call, given):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            call(*given)
        except Exception as error:  # what is raised is compared
            return type(error)
    return None


@pytest.mark.opencl
@pytest.mark.parametrize("dtype", [np.int64, np.int32, np.uint8], ids=lambda t: t.__name__)
@pytest.mark.parametrize("function", FUNCTIONS, ids=lambda f: f.__name__)
def test_results_and_what_an_exception_leaves_are_pythons(function, dtype):
    compiled = weft.jit(function, device="opencl")
    for given in spoiled(dtype):
        found, expected = [a.copy() for a in given], [a.copy() for a in given]
        assert outcome(compiled, found) == outcome(function, expected)
        np.testing.assert_array_equal(found[4], expected[4])


@pytest.mark.gpu
@pytest.mark.parametrize("function", FUNCTIONS, ids=lambda f: f.__name__)
def test_on_a_gpu(function):
    compiled = weft.jit(function, device="cuda")
    for given in spoiled(np.int32):
        found, expected = [a.copy() for a in given], [a.copy() for a in given]
        assert outcome(compiled, found) == outcome(function, expected)
        np.testing.assert_array_equal(found[4], expected[4])


def by_distances(r, x, y, n):
    for i in range(n):
        for q in range(int(r[i + 1]) - int(r[i])):
            y[i] += x[r[i] + q]


def by_distances_of_its_type(r, x, y, n):
    for i in range(n):
        for q in range(r[i + 1] - r[i]):
            y[i] += x[r[i] + q]


def by_narrow_counts(r, x, y, n):
    for i in range(n):
        for q in range(int(r[i + 1]) - int(r[i])):
            y[i] += x[np.int64(r[i]) + np.int64(np.int8(q))]


def by_narrow_starts(r, x, y, n):
    for i in range(n):
        for q in range(r[i + 1] - r[i]):
            y[i] += x[np.int64(np.uint8(r[i])) + q]


def by_narrow_sums(r, x, y, n):
    for i in range(n):
        for q in range(int(r[i + 1]) - int(r[i])):
            y[i] += x[np.int64(np.int16(r[i]) + np.int16(q)) - 30000]


def from_other_starts(r, x, y, n):
    for i in range(n):
        for q in range(r[i + 1] - np.int8(r[i])):
            y[i] += x[np.int8(r[i]) + q]


PLACES = [by_distances, by_distances_of_its_type, by_narrow_counts, by_narrow_starts, from_other_starts]
CASES = [*itertools.product(PLACES, [np.int8, np.uint8, np.int16, np.int64]),
         (by_narrow_sums, np.int16), (by_narrow_sums, np.int64)]  # fmt: skip
ENDS = [
    (0, 2, 120),
    (100, 127, 127),
    (-100, 100, 120),
    (250, 255, 300),
    (-3, 0, 200),
    (120, 200, 210),
    (2700, 2750, 2800),
]


@pytest.mark.sample(3)
@pytest.mark.parametrize(("function", "dtype"), CASES, ids=lambda case: case.__name__)
def test_places_that_do_not_fit_into_a_type_on_the_way_are_numpys(function, dtype):
    """Starts, distances and sums at the ends of all types on the way: NumPy's wrap around, Python's raise."""
    x, base = np.arange(300.0), 30000 if function is by_narrow_sums else 0
    ready = planned_and_interpreted(function, (np.zeros(3, dtype), x, np.zeros(2), 2))
    for places in ENDS:
        r = (np.array(places) + base).astype(dtype)
        ours, pythons = np.zeros(2), np.zeros(2)
        found = outcome(lambda *values: ready(values), (r, x, ours, 2))
        assert found == outcome(function, (r, x, pythons, 2)), places
        assert found or ours.tolist() == pythons.tolist(), places
