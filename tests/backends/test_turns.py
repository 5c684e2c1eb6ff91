"""Loops whose threads take turns: what is handed on goes in order, and everything else at once."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import numpy as np
import pytest

import weft
from weft.runtime import _stub
from weft.transform.scan import tiles

SIZE = tiles.TURN_WORK // 5 * tiles.LEAST_TILES * 2 + 11


pytestmark = pytest.mark.usefixtures("on_four_threads")


def running_sum(x, out):
    total = 0.0
    for i in range(len(x)):
        total += x[i]
        out[i] = total
    return total


def running_sum_of_squares(x, out):
    total = np.float32(1.0)
    for i in range(len(x)):
        total += x[i] * x[i]
        out[i] = total - x[i]
    return total


def parity(x, out):
    bits = 0
    for i in range(len(x)):
        bits ^= x[i]
        out[i] = bits
    return bits


def sums_and_products(x, out):
    total, product = 0.0, 1.0
    for i in range(len(x)):
        total += x[i]
        product *= x[i]
        out[i] = total + product
    return total, product


def smoothed(x, out):
    level = 0.0
    for i in range(len(x)):
        level = 0.9 * level + 0.1 * x[i]
        out[i] = level
    return level


def packed(x, out):
    k = 0
    for i in range(len(x)):
        if x[i] > 0.5:
            out[k] = x[i]
            k += 1
    return k


def arrays(dtype: type) -> tuple[np.ndarray, np.ndarray]:
    random = np.random.default_rng(3)
    x = random.integers(0, 1000, SIZE) if dtype is int else random.random(SIZE)
    return x.astype(dtype), np.zeros(SIZE, dtype)


PROGRAMS = (
    (running_sum, float), (running_sum_of_squares, np.float32), (parity, int), (sums_and_products, float),
    (smoothed, float), (packed, float),
)  # fmt: skip


@pytest.mark.parametrize(("function", "dtype"), PROGRAMS)
def test_the_answer_is_that_of_python(function: Callable[..., Any], dtype: type) -> None:
    x, out = arrays(dtype)
    other = out.copy()
    compiled = weft.jit(function)
    found, expected = compiled(x, out), function(x, other)
    tolerance = {} if dtype is int else {"rtol": 1e-3 if dtype is np.float32 else 1e-9}
    (np.testing.assert_array_equal if dtype is int else np.testing.assert_allclose)(out, other, **tolerance)
    np.testing.assert_allclose(found, expected, **tolerance)
    assert "await_turn" in compiled.inspect(x, out).source


def test_results_do_not_depend_on_threads() -> None:
    x, out = arrays(float)
    compiled, found = weft.jit(running_sum), set()
    for threads in (1, 2, 3, 7):
        _stub.set_threads(threads)
        for grain in (0.0, 1e4, 1e9):
            _stub.set_grain(grain)
            compiled(x, out)
            found.add(out.tobytes())
    assert len(found) == 1


def test_calls_from_several_threads_of_python() -> None:
    x, expected = arrays(float)
    compiled = weft.jit(running_sum)
    compiled(x, expected)

    def call(_: int) -> bool:
        out = np.zeros(SIZE)
        compiled(x, out)
        return np.array_equal(out, expected)

    with ThreadPoolExecutor(4) as pool:
        assert all(pool.map(call, range(20)))


def test_a_time_limit_ends_all_threads() -> None:
    @weft.jit(timeout=0.05)
    def forever(x, out):
        total = 0.0
        for repeat in range(1_000_000_000):
            for i in range(len(x)):
                total += x[i]
                out[i] = total
        return total

    x, out = arrays(float)
    with pytest.raises(weft.TimeoutError):
        forever(x, out)


def test_a_tile_that_cannot_be_summed_up_raises_in_its_turn() -> None:
    def checked(x, out):
        total = 0
        for i in range(len(x)):
            total += x[i]
            out[i] = total
            if x[i] < 0:
                raise ValueError("negative")

    x = np.ones(SIZE, np.int64)
    x[SIZE // 2] = -1
    out, expected = np.zeros(SIZE, np.int64), np.zeros(SIZE, np.int64)
    for function, result in ((weft.jit(checked), out), (checked, expected)):
        with pytest.raises(ValueError, match="negative"):
            function(x, result)
    np.testing.assert_array_equal(out, expected)
