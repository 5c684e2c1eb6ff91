"""Caches and memory, by the order in which elements are touched: in a row, evenly apart, and as they come."""

from __future__ import annotations

from typing import Any

import numpy as np

from weft.machine.suite.kernel import ALL, SuiteKernel, halves, vectors
from weft.machine.suite.loops import added, copied, filled, gathered, total, transposed


def _every_fourth(u: Any, v: Any) -> None:
    for i in range(v.shape[0]):
        v[i] = u[4 * i]


def _first_touched(n: int) -> Any:
    made = np.empty(n, np.float32)
    for i in range(n):
        made[i] = 0.5
    return made


def _made_and_filled(u: Any, count: int) -> None:
    for i in range(u.shape[0]):
        made = np.full(count, 0.5)
        made[i % count] += u[i]
        u[i] = made[(i * 7) % count]


def _quarter(size: int) -> tuple[Any, ...]:
    return np.full(size, 0.5, "f4"), np.full(size // 4, 0.5, "f4")


def _shuffled(size: int) -> tuple[Any, ...]:
    order = np.random.default_rng(1).permutation(size).astype(np.int64)
    return np.full(size, 0.5, "f4"), order, np.full(size, 0.5, "f4")


def _power_of_two(size: int) -> tuple[Any, ...]:
    side = 1 << (size.bit_length() - 1) // 2
    return np.full((side, side), 0.5, "f4"), np.full((side, side), 0.5, "f4")


def _square(size: int) -> tuple[Any, ...]:
    side = max(int(size**0.5), 1) // 16 * 16 or 16
    return np.full((side, side), 0.5, "f4"), np.full((side, side), 0.5, "f4")


KERNELS = (
    SuiteKernel("copy", copied, vectors(2), ALL),
    SuiteKernel("sum of two", added, vectors(3), ALL),
    SuiteKernel("total", total, vectors(1), ALL),
    SuiteKernel("fill", filled, vectors(1), ALL),
    SuiteKernel("every fourth", _every_fourth, _quarter, ALL),
    SuiteKernel("transposition", transposed, _square, ALL),
    SuiteKernel("transposition of powers of two", transposed, _power_of_two, ALL),
    SuiteKernel("gather", gathered, _shuffled, ALL),
    SuiteKernel(
        "arrays that are made and filled", _made_and_filled, lambda size: (halves(256, "f8"), size), (256, 4096)
    ),
    SuiteKernel("first touch", _first_touched, lambda size: (size,), (1 << 12, 1 << 20)),
)
