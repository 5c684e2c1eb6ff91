"""Operations by kind and type: as vector code alone, and in loops that are none."""

from __future__ import annotations

from typing import Any

import numpy as np

from weft.machine.suite.kernel import SuiteKernel, halves, vectors
from weft.machine.suite.loops import with_number, with_table


def _vector(u: Any, v: Any) -> None:
    for i in range(u.shape[0]):
        a = u[i]
        b = a + u[i] * a
        c = b * a - b
        d = c * b + a
        e = d * c - b
        f = e * d + c
        v[i] = f * e - d


def _scalar(u: Any, v: Any, n: int) -> None:
    for i in range(u.shape[0]):
        a = u[(i * 3) % n]
        b = a + a * a
        c = b * a - b
        d = c * b + a
        e = d * c - b
        f = e * d + c
        v[i] = f * e - d


def _integers(u: Any, v: Any) -> None:
    for i in range(u.shape[0]):
        a = u[i]
        b = (a ^ 21) + a
        c = (b & 1023) + (a << 2)
        v[i] = (c ^ b) + (c >> 3)


def _tested(u: Any, v: Any, w: Any) -> None:
    for i in range(u.shape[0]):
        v[i] = u[i] + w[(i * i) & 127]


def _converted(u: Any, v: Any) -> None:
    for i in range(u.shape[0]):
        v[i] = u[i] + np.float32(i)


def _widened(u: Any, v: Any) -> None:
    for i in range(u.shape[0]):
        v[i] = np.float32(np.float64(u[i]) * 1.5 + 0.25)


def _with_table(size: int) -> tuple[Any, ...]:
    return halves(size), halves(size), halves(128)


def _whole(size: int) -> tuple[Any, ...]:
    return np.arange(size, dtype=np.int64), np.zeros(size, np.int64)


def _narrow(size: int) -> tuple[Any, ...]:
    return np.arange(size, dtype=np.int32), np.zeros(size, np.int32)


KERNELS = (
    SuiteKernel("float32 in vectors", _vector, vectors(2)),
    SuiteKernel("float64 in vectors", _vector, vectors(2, "f8")),
    SuiteKernel("float32 alone", _scalar, with_number),
    SuiteKernel("int64 in vectors", _integers, _whole),
    SuiteKernel("int32 in vectors", _integers, _narrow),
    SuiteKernel("indices under a mask", with_table, _with_table),
    SuiteKernel("indices that are tested", _tested, _with_table),
    SuiteKernel("int64 to float32", _converted, vectors(2)),
    SuiteKernel("float32 to float64 and back", _widened, vectors(2)),
)
