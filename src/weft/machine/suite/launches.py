"""What a call, a nest, a row and a fold take by themselves."""

from __future__ import annotations

from typing import Any

import numpy as np

from weft.machine.suite.kernel import SMALL, SuiteKernel, matrices, vectors
from weft.machine.suite.loops import added, filled, raised_rows, row_sums


def _nothing(u: Any) -> Any:
    return u.shape[0]


def _total(u: Any) -> Any:
    s = np.float32(0.0)
    for i in range(u.shape[0]):
        for j in range(u.shape[1]):
            s += u[i, j]
    return s


def _short_sums(u: Any, v: Any, w: Any) -> None:
    for i in range(u.shape[0]):
        for j in range(u.shape[1]):
            s = np.float32(0.0)
            for k in range(8):
                s += u[i, j] * w[0, k]
            v[i, j] = s


def _neighbours(u: Any, v: Any) -> None:
    for i in range(1, u.shape[0] - 1):
        for j in range(1, u.shape[1] - 1):
            v[i, j] = (u[i - 1, j] + u[i + 1, j]) * 3 + (u[i, j - 1] + u[i, j + 1]) * 5 - u[i, j]


KERNELS = (
    SuiteKernel("call", _nothing, vectors(1), (256,)),
    SuiteKernel("nest", filled, vectors(1), (1, 64, 1024)),
    SuiteKernel("arguments", added, vectors(3), (1, 64, 1024)),
    SuiteKernel("rows of 16", raised_rows, matrices(2, columns=16)),
    SuiteKernel("rows of 64", raised_rows, matrices(2, columns=64)),
    SuiteKernel("rows of 1024", raised_rows, matrices(2, columns=1024), (4096, 65536)),
    SuiteKernel("rows of 29", raised_rows, matrices(2, columns=29), (4096,)),
    SuiteKernel("rows of 100", raised_rows, matrices(2, columns=100), (4096,)),
    SuiteKernel("neighbours in rows of 16", _neighbours, matrices(2, columns=16), (4096,)),
    SuiteKernel("neighbours in rows of 32", _neighbours, matrices(2, columns=32), (4096, 65536)),
    SuiteKernel("neighbours in rows of 50", _neighbours, matrices(2, columns=50), (4096,)),
    SuiteKernel("neighbours in rows of 256", _neighbours, matrices(2, columns=256), (65536,)),
    SuiteKernel("neighbours of float64", _neighbours, matrices(2, "f8", columns=60), (4096,)),
    SuiteKernel("sums of rows of 29", row_sums, matrices(2, columns=29), (4096,)),
    SuiteKernel("sums of rows of 16", row_sums, matrices(2, columns=16)),
    SuiteKernel("sums of rows of 64", row_sums, matrices(2, columns=64)),
    SuiteKernel("sums of rows of 1024", row_sums, matrices(2, columns=1024), (4096, 65536)),
    SuiteKernel("total", _total, matrices(1), (256, 1024, 4096, 16384, 65536, 262144)),
    SuiteKernel("short sums", _short_sums, matrices(3), SMALL),
)
