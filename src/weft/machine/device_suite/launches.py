"""What calls, kernels that follow one another, waits, and scalar results take by themselves."""

from __future__ import annotations

from typing import Any

import numpy as np

from weft.machine.suite.kernel import SuiteKernel, halves, vectors
from weft.machine.suite.loops import filled, total

FEW = (1 << 8, 1 << 14)


def _repeated(u: Any, v: Any, repeats: int) -> None:
    for _ in range(repeats):
        for i in range(u.shape[0]):
            v[i] = u[i] * np.float32(0.5)
        u, v = v, u


def _two(u: Any, v: Any, w: Any) -> None:
    for i in range(u.shape[0]):
        v[i] = u[i] * np.float32(0.5)
    for i in range(u.shape[0] - 1):
        w[i] = v[i + 1] + v[i]


def _made(u: Any) -> Any:
    made = np.empty(u.shape[0], np.float32)
    for i in range(u.shape[0]):
        made[i] = u[i] + np.float32(1.0)
    return made


def _through_a_new_array(u: Any, v: Any) -> None:
    made = np.empty(u.shape[0], np.float32)
    for i in range(u.shape[0]):
        made[i] = u[i] + np.float32(1.0)
    for i in range(u.shape[0] - 1):
        v[i] = made[i] + made[i + 1]


def _two_totals(u: Any, v: Any) -> None:
    s = np.float32(0.0)
    for i in range(u.shape[0]):
        s += u[i]
    for i in range(u.shape[0]):
        v[i] = u[i] - s


def _until_small(u: Any, v: Any) -> None:
    error = np.float32(1.0)
    n = 0
    while error > 0.0 and n < 10:
        error = np.float32(0.0)
        for i in range(u.shape[0]):
            error += u[i]
        for i in range(u.shape[0]):
            v[i] = u[i] * np.float32(0.5)
        n += 1


def _checked(u: Any, k: Any, v: Any) -> None:
    for i in range(u.shape[0]):
        v[i] = u[k[i]]


def _times(count: int) -> Any:
    return lambda size: (halves(size), halves(size), count)


def _in_order(size: int) -> tuple[Any, ...]:
    return halves(size), np.arange(size), halves(size)


KERNELS = (
    SuiteKernel("one kernel", filled, vectors(1), FEW),
    SuiteKernel("one of three arrays", _two, vectors(3), FEW),
    SuiteKernel("4 in a row", _repeated, _times(4), FEW),
    SuiteKernel("16 in a row", _repeated, _times(16), FEW),
    SuiteKernel("64 in a row", _repeated, _times(64), FEW),
    SuiteKernel("256 in a row", _repeated, _times(256), FEW),
    SuiteKernel("an array made", _made, vectors(1), FEW),
    SuiteKernel("through a new array", _through_a_new_array, vectors(2), FEW),
    SuiteKernel("one total", total, vectors(1), FEW),
    SuiteKernel("a total that a kernel needs", _two_totals, vectors(2), FEW),
    SuiteKernel("totals that decide", _until_small, vectors(2), FEW),
    SuiteKernel("indices that are checked", _checked, _in_order, FEW),
)
