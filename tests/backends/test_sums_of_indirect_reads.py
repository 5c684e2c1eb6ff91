"""Sums over elements whose indices are read: tested one by one, in several sums at once."""

from __future__ import annotations

import numpy as np
import pytest

import weft
from weft.backends.c import generate
from weft.frontend import build
from weft.frontend.source.signature import describe
from weft.transform import pipeline


def picked(x, keys, weights):
    total = 0.0
    for i in range(keys.shape[0]):
        total += x[keys[i]] * weights[i]
    return total


def rows(first, x, keys, sums):
    for r in range(sums.shape[0]):
        total = np.float32(0.0)
        for k in range(first[r], first[r + 1]):
            total += x[keys[k]]
        sums[r] = total


def inputs(size, low):
    random = np.random.default_rng(size)
    # Whole numbers, so that the order of the sums does not matter.
    return random.integers(0, 99, 20).astype(float), random.integers(low, 20, size), random.integers(0, 9, size) * 1.0


@pytest.mark.parametrize("size", [0, 1, 3, 4, 5, 33, 1000, 100_001])
@pytest.mark.parametrize("low", [0, -20])
def test_keys_inside_and_from_the_end(size, low):
    arguments = inputs(size, low)
    assert weft.jit(picked, device="cpu")(*arguments) == picked(*arguments)


@pytest.mark.parametrize("place", [0, 2, 3, 500, 998, 999])
@pytest.mark.parametrize("key", [20, -21, 2**63 - 1, -(2**63)])
def test_a_wrong_key_is_named(place, key):
    x, keys, weights = inputs(1000, 0)
    keys[place] = key
    with pytest.raises(IndexError, match=rf"index {key} is out of bounds(.|\n)*in the iteration i = {place}\b"):
        weft.jit(picked, device="cpu")(x, keys, weights)


def test_rows_of_every_length():
    lengths = np.concatenate([np.arange(70), np.arange(70)[::-1]])
    first = np.concatenate([[0], np.cumsum(lengths)])
    x, keys, _ = inputs(int(first[-1]), -20)
    expected, found = np.zeros((2, lengths.size), np.float32)
    rows(first, x.astype(np.float32), keys, expected)
    weft.jit(rows, device="cpu")(first, x.astype(np.float32), keys, found)
    np.testing.assert_array_equal(found, expected)


def sparse(first, column, value, x, y):
    for i in range(y.shape[0]):
        total = 0.0
        for k in range(first[i], first[i + 1]):
            total += value[k] * x[column[k]]
        y[i] = total


def scaled(first, column, value, x, y):
    for i in range(y.shape[0]):
        for k in range(first[i], first[i + 1]):
            y[i] += x[column[k]] * 2 - value[k] * 0.5


def outcome(function, *arguments):
    try:
        function(*arguments)
    except IndexError as error:
        return str(error).partition("\n")[0]
    return None


def rows_of_numbers(column, value, x):
    random = np.random.default_rng(3)
    lengths = random.integers(0, 30, 200)
    first = np.concatenate([[0], np.cumsum(lengths)])
    size = int(first[-1])
    columns, values = random.integers(-9, 9, size).astype(column), random.integers(-9, 9, size).astype(value)
    return first, columns, values, random.integers(-9, 9, 9).astype(x), np.zeros(200)


@pytest.mark.parametrize("function", [sparse, scaled])
@pytest.mark.parametrize("column", [np.int16, np.int32, np.int64])
@pytest.mark.parametrize(("value", "x"), [(np.float64, np.float64), (np.float32, np.float64), (np.float32, np.float32)])
def test_rows_of_several_types(function, column, value, x):
    arguments = rows_of_numbers(column, value, x)
    expected, found = arguments[-1].copy(), arguments[-1].copy()
    function(*arguments[:-1], expected)
    weft.jit(function, device="cpu")(*arguments[:-1], found)
    np.testing.assert_array_equal(found, expected)


@pytest.mark.parametrize("place", [0, 1, 1500, -1])
@pytest.mark.parametrize("wrong", [9, -10, 2**31 - 1, -(2**31)])
def test_a_wrong_column_leaves_the_rows_before_it(place, wrong):
    arguments = rows_of_numbers(np.int32, np.float64, np.float64)
    arguments[1][place] = wrong
    row = int(np.searchsorted(arguments[0], place % arguments[1].size, side="right")) - 1
    expected, found = arguments[-1].copy(), arguments[-1].copy()
    assert outcome(sparse, *arguments[:-1], expected)
    assert f"index {wrong} " in (outcome(weft.jit(sparse, device="cpu"), *arguments[:-1], found) or "")
    np.testing.assert_array_equal(found[:row], expected[:row])
    assert not found[row:].any()


def test_sums_of_negative_zeros_keep_their_sign():
    def signed(first, column, x, y):
        for i in range(y.shape[0]):
            for k in range(first[i], first[i + 1]):
                y[i] += x[column[k]]

    first, y = np.array([0, 0, 3, 11, 30]), np.full(4, -0.0)
    weft.jit(signed, device="cpu")(first, np.zeros(30, np.int32), np.full(2, -0.0), y)
    assert np.signbit(y).all()


def test_sums_of_elements_that_are_read_are_gathered():
    arguments = rows_of_numbers(np.int32, np.float64, np.float64)
    types = tuple(describe(value, f"argument {k}") for k, value in enumerate(arguments))
    program = pipeline.for_cpu(pipeline.optimise(build(sparse, types)))
    assert "gather_some_float64x8(&x[0]" in generate(program).source  # for registers of eight lanes
