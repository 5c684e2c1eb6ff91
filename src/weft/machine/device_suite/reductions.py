"""Folds: of everything, of rows, of columns; positions that are counted, and running sums."""

from __future__ import annotations

from typing import Any

import numpy as np

from weft.machine.suite.kernel import SuiteKernel, matrices, vectors
from weft.machine.suite.loops import kept, mixed_numbers, row_sums, total

SIZES = tuple(1 << power for power in (8, 12, 16, 20, 22, 24))


def _wide_total(u: Any) -> Any:
    s = 0.0
    for i in range(u.shape[0]):
        for j in range(u.shape[1]):
            s += u[i, j]
    return s


def _largest(u: Any) -> Any:
    s = u[0]
    for i in range(u.shape[0]):
        s = max(s, u[i])
    return s


def _product(u: Any, v: Any) -> Any:
    s = np.float32(0.0)
    for i in range(u.shape[0]):
        s += u[i] * v[i]
    return s


def _column_sums(u: Any, v: Any) -> None:
    for j in range(u.shape[1]):
        s = np.float32(0.0)
        for i in range(u.shape[0]):
            s += u[i, j]
        v[0, j] = s


def _running(u: Any, v: Any) -> None:
    s = np.float32(0.0)
    for i in range(u.shape[0]):
        s += u[i]
        v[i] = s


def _counted(u: Any) -> Any:
    count = 0
    for i in range(u.shape[0]):
        if u[i] > 48:
            count += 1
    return count


KERNELS = (
    SuiteKernel("total", total, vectors(1), SIZES),
    SuiteKernel("total of float64", _wide_total, matrices(1, "f8"), SIZES),
    SuiteKernel("largest", _largest, vectors(1), SIZES),
    SuiteKernel("inner product", _product, vectors(2), SIZES),
    SuiteKernel("sums of rows of 16", row_sums, matrices(2, columns=16), SIZES),
    SuiteKernel("sums of rows of 100", row_sums, matrices(2, columns=100), SIZES),
    SuiteKernel("sums of rows of 2048", row_sums, matrices(2, columns=2048), SIZES),
    SuiteKernel("sums of columns", _column_sums, matrices(2), SIZES),
    SuiteKernel("sums of 64 columns", _column_sums, matrices(2, columns=64), SIZES),
    SuiteKernel("running sums", _running, vectors(2), SIZES),
    SuiteKernel("compaction", kept, mixed_numbers, SIZES),
    SuiteKernel("count", _counted, lambda size: mixed_numbers(size)[:1], SIZES),
)
