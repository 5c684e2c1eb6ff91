"""Arrays after an exception in a loop that threads share, where an iteration reads what it stored."""

from __future__ import annotations

import copy
import math
import re
from collections.abc import Callable

import numpy as np
import pytest

import weft

pytestmark = pytest.mark.usefixtures("on_four_threads")

SIZE = 600


def in_steps(x, out):
    for i in range(len(x)):
        for _ in range(3):
            out[i] = out[i] + math.log(x[i] + out[i])


def twice(x, out):
    for i in range(len(x)):
        out[i] = out[i] * 2.0
        out[i] = math.sqrt(out[i] + x[i])


def under_a_branch(x, out):
    for i in range(len(x)):
        out[i] += 1.0
        if out[i] > 2.0:
            out[i] = math.log(x[i] + 1.5)


def rows(x, m):
    for i in range(20):
        for j in range(1, 30):
            m[i, j] = math.sqrt(m[i, j] + x[i * 30 + j] + 0.0 * m[i, j - 1])


def cells(x, m):
    for i in range(20):
        for j in range(30):
            for _ in range(len(m) // 10):
                m[i, j] = math.log(m[i, j] + 2.0 + x[i * 30 + j])


def factors(x, m):
    for s in range(6):
        for j in range(10):
            for k in range(j):
                m[s, j, j] -= m[s, j, k] * m[s, j, k] * 1e-3
            m[s, j, j] = math.sqrt(m[s, j, j] + x[s * 100 + j * 10])
            for i in range(j + 1, 10):
                m[s, i, j] /= m[s, j, j]


def own_array_too(x, out):
    for i in range(len(x)):
        pair = np.zeros(2)
        pair[0] = out[i]
        out[i] = pair[0] + 1.0
        pair[1] = out[i]
        out[i] = math.sqrt(pair[1] + x[i])


def counts_and_stores(x, out):
    counts = np.zeros(4, np.int64)
    for i in range(len(x)):
        counts[int(x[i]) % 4] += 1
        for _ in range(3):
            out[i] = out[i] + math.log(out[i] + x[i])
    return counts


def sums_and_stores(x, out):
    total = 0.0
    for i in range(len(x)):
        total += x[i]
        for _ in range(3):
            out[i] = out[i] + math.log(out[i] + x[i])
    return total


def sum_and_count(x, out):
    total = 0.0
    count = 0
    for i in range(len(x)):
        out[i] = out[i] + math.log(x[i] + 0.5)
        out[i] = math.sqrt(out[i] + 1.0)
        total += x[i]
        count += x[i] > 0.0
    return total, count


def rows_at_once(x, m):
    """What a row overwrites is written down at once, but not the elements beside it."""
    for i in range(20):
        for j in range(1, 30):
            m[i, j] = m[i, j] + 1.0
        for j in range(len(m) + 2):
            m[i, j + 5] = m[i, j + 5] * 2.0
        m[i, 0] = math.log(m[i, 0] + m[i, 29] + x[i * 30])


def rows_that_end_early(x, m):
    for i in range(20):
        for j in range(30 + (x[i * 30] < 0.0)):
            m[i, j] = math.exp(m[i, j] + x[i * 30 + j % 30])


def sums_along_rows(x, m):
    total = 0.0
    for i in range(20):
        row = 0.0
        for j in range(30):
            row += math.sqrt(m[i, j] + x[i * 30 + j])
        for j in range(30):
            m[i, j] = m[i, j] * 1.5 + row
        total += x[i * 30]
    return total


def checked(value):
    if value < 0.0:
        raise ValueError("negative")
    return value


def by_a_function(x, out):
    for i in range(len(x)):
        out[i] = out[i] + 1.0
        out[i] = checked(out[i] + x[i])


FUNCTIONS: list[Callable[..., object]] = [
    in_steps, twice, under_a_branch, rows, cells, factors, own_array_too, counts_and_stores, sums_and_stores,
    sum_and_count, rows_at_once, rows_that_end_early, sums_along_rows, by_a_function,
]  # fmt: skip


SHAPES = {
    "rows": (20, 30),
    "cells": (20, 30),
    "factors": (6, 10, 10),
    "rows_at_once": (20, 30),
    "rows_that_end_early": (20, 30),
    "sums_along_rows": (20, 30),
}


def inputs(
    place: int | None, dtype: type = np.float64, shape: tuple[int, ...] = (SIZE,)
) -> tuple[np.ndarray, np.ndarray]:
    """Numbers of which none fails, but from a place on every tenth."""
    x = np.ones(SIZE)
    if place is not None:
        x[place::10] = -100.0
    return x, np.linspace(1.0, 1.5, SIZE).astype(dtype).reshape(shape)


def compare(function: Callable[..., object], compiled: Callable[..., object], given: tuple[np.ndarray, ...]) -> None:
    """One call of both: the same exception, the same arrays."""
    expected, found = copy.deepcopy(given), copy.deepcopy(given)
    outcomes = []
    for call, arrays in ((function, expected), (compiled, found)):
        try:
            outcomes.append(call(*arrays))
        except Exception as error:
            outcomes.append(type(error))
    if outcomes[0] is None or isinstance(outcomes[0], type):
        assert outcomes[1] is outcomes[0]
    else:
        np.testing.assert_allclose(outcomes[1], outcomes[0], rtol=1e-13)
    for a, b in zip(expected, found, strict=True):
        np.testing.assert_allclose(b, a, rtol=1e-6 if a.dtype == np.float32 else 1e-14)


@pytest.mark.parametrize("function", FUNCTIONS, ids=lambda f: f.__name__)
@pytest.mark.parametrize("dtype", [np.float64, np.float32])
def test_arrays_are_as_cpython_leaves_them(function, dtype):
    compiled = weft.jit(function)
    for place in (None, 0, 1, 31, 250, 599):
        for _ in range(20):
            compare(function, compiled, inputs(place, dtype, SHAPES.get(function.__name__, (SIZE,))))


def test_elements_of_sixteen_bytes():
    def function(x, z):
        for i in range(len(x)):
            z[i] = z[i] * 1j
            z[i] = z[i] + math.sqrt(x[i])

    compiled = weft.jit(function)
    for place in (0, 31, 599):
        for _ in range(20):
            compare(function, compiled, inputs(place, np.complex128))


def test_small_integers():
    def function(x, k):
        for i in range(len(x)):
            for _ in range(3):
                k[i] = k[i] + 1
                k[i] = k[i] + 1 // int(x[i] + 100.0)

    compiled = weft.jit(function)
    for dtype in (np.int8, np.uint16, np.int32):
        for place in (0, 31, 599):
            for _ in range(20):
                compare(function, compiled, (inputs(place)[0], np.zeros(SIZE, dtype)))


@pytest.mark.parametrize("width", [100, 1_000, 5_000])
def test_a_journal_that_is_full(width):
    """What an iteration stores does not fit into a journal, or hardly."""

    def function(x, m):
        for i in range(m.shape[0]):
            for _ in range(2):
                for j in range(m.shape[1]):
                    m[i, j] = m[i, j] + 1.0
            m[i, 0] = math.log(m[i, 0] + x[i])

    compiled = weft.jit(function)
    for place in (None, 0, 7, 39):
        for _ in range(10):
            compare(function, compiled, (inputs(place)[0][:40], np.ones((40, width))))


def test_sums_in_a_loop_with_a_journal_have_the_same_bits_on_any_number_of_threads():
    def function(x, m, out):
        for i in range(len(x)):
            total = 0.0
            for j in range(m.shape[1]):
                total += m[i, j]
            for _ in range(3):
                out[i] = out[i] + math.log(x[i] + out[i] + total)

    compiled = weft.jit(function)
    x, m = np.ones(SIZE), np.random.default_rng(0).random((SIZE, 101))
    assert "weft_write_down(journal" in compiled.inspect(x, m, x.copy()).source
    results = []
    for threads in (1, 4):
        weft.set_num_threads(threads)
        results.append(np.ones(SIZE))
        compiled(x, m, results[-1])
    np.testing.assert_array_equal(*results)


def test_such_loops_keep_a_journal():
    """But not loops whose tests can run before them, nor those that nothing can stop."""

    def nothing_fails(x, out):
        for i in range(len(x)):
            out[i] = out[i] + 1.0
            out[i] = np.sqrt(out[i] + x[i])

    def tested_first(x, out):
        for i in range(len(x)):
            out[i] = -1.0
            out[i] = math.sqrt(x[i])

    for function in (in_steps, cells, nothing_fails, tested_first):
        given = inputs(0, shape=SHAPES.get(function.__name__, (SIZE,)))
        keeps = "weft_write_down(journal" in weft.jit(function).inspect(*given).source
        assert keeps == (function not in (nothing_fails, tested_first)), function.__name__


def test_loops_that_cannot_keep_one_run_on_one_thread():
    source = weft.jit(counts_and_stores).inspect(*inputs(0)).source
    assert re.search(r"runtime->parallel\(.*, 0\.0\);", source)
    assert "weft_write_down(journal" not in source


@pytest.mark.parametrize("function", [sums_and_stores, sum_and_count], ids=lambda f: f.__name__)
def test_sums_are_taken_in_parts_beside_a_journal(function):
    source = weft.jit(function).inspect(*inputs(0)).source
    assert "runtime->undoing(" in source
    assert "weft_write_down(journal" in source
