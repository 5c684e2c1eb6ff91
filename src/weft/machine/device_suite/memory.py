"""Memory and caches where neighbouring threads touch neighbouring elements, or elements evenly apart."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from weft.machine.suite.kernel import SuiteKernel, halves, matrices, vectors
from weft.machine.suite.loops import added, copied, filled, raised_rows

ALL = tuple(1 << power for power in (8, 11, 14, 16, 18, 20, 22, 24, 26))
SOME = tuple(1 << power for power in (12, 16, 20, 22, 24))


def _updated(u: Any) -> None:
    for i in range(u.shape[0]):
        u[i] = u[i] * np.float32(0.999)


def _five(u: Any, v: Any, w: Any, x: Any, y: Any) -> None:
    for i in range(u.shape[0]):
        y[i] = u[i] + v[i] * w[i] - x[i]


def _read_apart(u: Any, v: Any, n: int) -> None:
    for i in range(v.shape[0]):
        v[i] = u[n * i]


def _written_apart(u: Any, v: Any, n: int) -> None:
    for i in range(u.shape[0]):
        v[n * i] = u[i]


def _evenly(step: int) -> Callable[[int], tuple[Any, ...]]:
    return lambda size: (halves(size * step), halves(size), step)


def _evenly_out(step: int) -> Callable[[int], tuple[Any, ...]]:
    return lambda size: (halves(size), halves(size * step), step)


KERNELS = (
    SuiteKernel("copy", copied, vectors(2), ALL),
    SuiteKernel("copy of float64", copied, vectors(2, "f8"), ALL[:-1]),
    SuiteKernel("copy of int8", copied, vectors(2, "i1"), SOME),
    SuiteKernel("sum of two", added, vectors(3), ALL[:-1]),
    SuiteKernel("fill", filled, vectors(1), ALL),
    SuiteKernel("in place", _updated, vectors(1), ALL[:-1]),
    SuiteKernel("five arrays", _five, vectors(5), SOME),
    SuiteKernel("rows of 16", raised_rows, matrices(2, columns=16), SOME),
    SuiteKernel("rows of 100", raised_rows, matrices(2, columns=100), SOME),
    SuiteKernel("rows of 4096", raised_rows, matrices(2, columns=4096), SOME),
    *(SuiteKernel(f"every {n}th", _read_apart, _evenly(n), SOME[:-1]) for n in (2, 4, 8, 32)),
    *(SuiteKernel(f"to every {n}th", _written_apart, _evenly_out(n), SOME[:-1]) for n in (2, 8, 32)),
)
