"""Sums by key in long loops: keys are tested in strips, copies take turns, and a wrong key leaves CPython's state."""

from __future__ import annotations

import numpy as np
import pytest

import weft
from weft.runtime import _stub

SIZES = [0, 3, 255, 256, 257, 1000, 70_000, 300_001]


def counted(keys, counts):
    for i in range(keys.shape[0]):
        counts[keys[i]] += 1


def weighted(keys, more, weights, table):
    for i in range(keys.shape[0]):
        table[keys[i], more[i] - 1] += weights[i]


def largest(keys, values, most):
    for i in range(keys.shape[0]):
        most[keys[i]] = max(most[keys[i]], values[i])


def outcome(function, arguments):
    try:
        return function(*arguments), None
    except IndexError as error:
        return None, str(error)


def check(function, *arguments):
    expected, found = ([np.copy(a) for a in arguments] for _ in range(2))
    assert (outcome(function, expected)[1] is None) == (outcome(weft.jit(function, device="cpu"), found)[1] is None)
    for a, b in zip(expected, found, strict=True):
        np.testing.assert_array_equal(a, b)


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("dtype", [np.int8, np.uint8, np.int32, np.uint32, np.int64])
def test_keys_that_are_inside(size, dtype):
    check(counted, np.random.default_rng(size).integers(0, 100, size).astype(dtype), np.arange(100))


@pytest.mark.parametrize("size", SIZES[1:])
def test_negative_keys_count_from_the_end(size):
    keys = np.random.default_rng(size).integers(0, 50, size).astype(np.int32)
    keys[size // 2] = -50
    keys[-1] = -1
    check(counted, keys, np.zeros(50, np.int64))


@pytest.mark.parametrize("size", SIZES[2:])
@pytest.mark.parametrize("place", [0.0, 0.3, 0.71, 0.999])
@pytest.mark.parametrize("key", [40, -41, 2**31 - 1, -(2**31)])
def test_a_wrong_key_leaves_what_came_before(size, place, key):
    keys = np.random.default_rng(size).integers(0, 40, size).astype(np.int32)
    keys[int(size * place)] = key
    check(counted, keys, np.zeros(40, np.int64))


@pytest.mark.parametrize("size", SIZES)
def test_two_keys_with_arithmetic(size):
    random = np.random.default_rng(size)
    keys, more = random.integers(0, 7, size), random.integers(1, 12, size).astype(np.int16)
    # Whole numbers, so that the order of the sums does not matter.
    check(weighted, keys, more, random.integers(0, 1000, size).astype(float), np.zeros((7, 11)))


@pytest.mark.parametrize("size", SIZES)
def test_the_largest_by_key(size):
    random = np.random.default_rng(size)
    check(largest, random.integers(0, 9, size), random.random(size), np.zeros(9))


@pytest.fixture
def five_threads():
    _stub.set_threads(5)
    _stub.set_grain(10.0)
    yield
    _stub.set_grain(20_000.0)
    _stub.set_threads(0)


def counted_twice(keys, weights, counts, marks):
    for i in range(keys.shape[0] - 1, -1, -1):
        counts[keys[i]] -= weights[i]
        if weights[i] > 3:
            marks[keys[i] // 2, i % 3] ^= weights[i]


def counted_in_rows(keys, counts):
    for i in range(keys.shape[0]):
        for j in range(keys.shape[1]):
            counts[keys[i, j]] += 1


@pytest.mark.filterwarnings("ignore:overflow")
@pytest.mark.usefixtures("five_threads")
@pytest.mark.parametrize("dtype", [np.int8, np.uint16, np.int64])
@pytest.mark.parametrize("cells", [3, 200])
def test_integers_on_several_threads(cells, dtype):
    random = np.random.default_rng(cells)
    keys, weights = random.integers(0, cells, 50_000), random.integers(0, 7, 50_000).astype(dtype)
    check(counted_twice, keys, weights, np.zeros(cells, dtype), np.zeros((cells, 3), dtype))


@pytest.mark.usefixtures("five_threads")
@pytest.mark.parametrize("rows", [1, 3, 1000])
@pytest.mark.parametrize("key", [9, 10, -11])
def test_a_wrong_key_in_a_row(rows, key):
    keys = np.random.default_rng(rows).integers(0, 10, (rows, 40))
    keys[rows // 2, 7] = key
    check(counted_in_rows, keys, np.arange(10))


@pytest.mark.usefixtures("five_threads")
@pytest.mark.parametrize("wrong", [None, 5, 350_000, 699_999])
@pytest.mark.parametrize("cells", [2048, 2049, 3000])
def test_tables_of_which_a_piece_has_one_copy(cells, wrong):
    keys, counts = np.random.default_rng(cells).integers(0, cells, 700_000).astype(np.int32), np.arange(cells)
    expected = counts + np.bincount(keys[:wrong], minlength=cells)
    if wrong is not None:
        keys[wrong] = cells
    assert (outcome(weft.jit(counted, device="cpu"), (keys, counts))[1] is None) == (wrong is None)
    np.testing.assert_array_equal(counts, expected)


def counted_in_halves(keys, counts, weights):
    low, high = counts[:3], counts[3:]
    total = 0.0
    for i in range(keys.shape[0]):
        low[keys[i]] += 1
        high[keys[i]] += 2
        total += weights[i]
    return total


def test_a_sum_over_nothing_beside_two_parts_of_a_table():
    compiled = weft.jit(counted_in_halves, device="cpu")
    for size in (1000, 0, 3, 0):
        keys, weights = np.arange(size) % 3, np.arange(float(size))
        assert compiled(keys, np.zeros(6, np.int64), weights) == weights.sum()
        check(counted_in_halves, keys, np.zeros(6, np.int64), weights)


@pytest.mark.parametrize("cells", [100, 3000])
def test_sums_of_floats_do_not_depend_on_threads(cells, five_threads):
    random = np.random.default_rng(cells)
    keys, weights, tables = random.integers(0, cells, 2_000_000), random.random(2_000_000), np.zeros((2, 1, cells))
    for threads, table in zip([1, 5], tables, strict=True):
        _stub.set_threads(threads)
        weft.jit(weighted, device="cpu")(np.zeros_like(keys), keys + 1, weights, table)
    np.testing.assert_array_equal(*tables)
