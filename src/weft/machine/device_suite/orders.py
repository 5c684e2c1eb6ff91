"""Memory and caches where threads touch elements in other orders: columns, tables, random places, one for all."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from weft.machine.suite.kernel import SuiteKernel, halves, vectors
from weft.machine.suite.loops import gathered, leaps, squares, transposed, with_table

SOME = tuple(1 << power for power in (8, 12, 16, 18, 20, 22, 24))


def _scattered(u: Any, p: Any, v: Any) -> None:
    for i in range(p.shape[0]):
        v[p[i]] = u[i]


def _one_for_all(u: Any, v: Any, w: Any) -> None:
    for i in range(u.shape[0]):
        v[i] = u[i] + w[0] + w[1]


def _reversed(u: Any, v: Any) -> None:
    for i in range(v.shape[0]):
        v[i] = u[v.shape[0] - 1 - i]


def _columns(u: Any, v: Any) -> None:
    for i in range(u.shape[0]):
        for j in range(u.shape[1]):
            v[i, j] = u[j % u.shape[0], i % u.shape[1]] + u[i, j]


def _broadcast(u: Any, row: Any, column: Any, v: Any) -> None:
    for i in range(u.shape[0]):
        for j in range(u.shape[1]):
            v[i, j] = u[i, j] * row[j] + column[i]


def _square(count: int) -> Callable[[int], tuple[Any, ...]]:
    def make(size: int) -> tuple[Any, ...]:
        side = 1 << (size.bit_length() - 1) // 2
        return tuple(np.full((side, side), 0.5, "f4") for _ in range(count))

    return make


def _crossed(size: int) -> tuple[Any, ...]:
    u, v = _square(2)(size)
    return u, halves(len(u)), halves(len(u)), v


def _random(size: int) -> tuple[Any, ...]:
    return halves(size), np.random.default_rng(1).permutation(size), halves(size)


def _from_few(size: int) -> tuple[Any, ...]:
    return halves(4096), np.random.default_rng(1).integers(0, 4096, size), halves(size)


def _near(size: int) -> tuple[Any, ...]:
    places = np.arange(size) // 64 * 64 + np.random.default_rng(1).integers(0, 64, size)
    return halves(size), np.minimum(places, size - 1), halves(size)


KERNELS = (
    SuiteKernel("transposition", transposed, _square(2), SOME),
    SuiteKernel("gather", gathered, _random, SOME),
    SuiteKernel("gather from few", gathered, _from_few, SOME),
    SuiteKernel("gather nearby", gathered, _near, SOME),
    SuiteKernel("scatter", _scattered, _random, SOME[:-1]),
    SuiteKernel("small table", with_table, lambda size: (halves(size), halves(size), halves(128)), SOME),
    SuiteKernel("one for all", _one_for_all, lambda size: (halves(size), halves(size), halves(2)), SOME),
    SuiteKernel("leaps", leaps, lambda size: (halves(size), halves(size), size), SOME),
    SuiteKernel("squares", squares, lambda size: (halves(size), halves(size), size), SOME),
    SuiteKernel("backwards", _reversed, vectors(2), SOME),
    SuiteKernel("columns", _columns, _square(2), SOME),
    SuiteKernel("rows and columns", _broadcast, _crossed, SOME),
)
