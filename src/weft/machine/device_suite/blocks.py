"""Loops inside of iterations: products of matrices and vectors, pairs, short sums, over few and many iterations."""

from __future__ import annotations

from typing import Any

import numpy as np

from weft.machine.suite.kernel import SuiteKernel, halves, matrices

SIZES = tuple(1 << power for power in (8, 12, 16, 20, 22))


def _multiplied(u: Any, v: Any, w: Any) -> None:
    for i in range(u.shape[0]):
        for j in range(v.shape[1]):
            s = np.float32(0.0)
            for k in range(v.shape[0]):
                s += u[i, k] * v[k, j]
            w[i, j] = s


def _applied(u: Any, v: Any, w: Any) -> None:
    for i in range(u.shape[0]):
        s = np.float32(0.0)
        for j in range(u.shape[1]):
            s += u[i, j] * v[j]
        w[i] = s


def _pairs(u: Any, v: Any) -> None:
    for i in range(u.shape[0]):
        s = np.float32(0.0)
        for j in range(u.shape[0]):
            d = u[i] - u[j]
            s += d * d
        v[i] = s


def _nested(u: Any, v: Any, w: Any) -> None:
    for i in range(u.shape[0]):
        s = np.float32(0.0)
        for k in range(8):
            s += (u[i] + np.float32(k)) * w[k]
        v[i] = s


def _long(u: Any, v: Any) -> None:
    for i in range(v.shape[0]):
        s = np.float32(0.0)
        for k in range(u.shape[0]):
            s = s * np.float32(0.5) + u[k] * v[i]
        v[i] = s


def _with_vectors(size: int) -> tuple[Any, ...]:
    (u,) = matrices(1)(size)
    return u, halves(u.shape[1]), halves(u.shape[0])


KERNELS = (
    SuiteKernel("product of matrices", _multiplied, matrices(3), SIZES),
    SuiteKernel("product of float64", _multiplied, matrices(3, "f8"), SIZES),
    SuiteKernel("matrix and vector", _applied, _with_vectors, SIZES),
    SuiteKernel("pairs", _pairs, lambda size: (halves(size), halves(size)), SIZES[:3]),
    SuiteKernel("eight in each", _nested, lambda size: (halves(size), halves(size), halves(8)), SIZES),
    SuiteKernel("long recurrences", _long, lambda size: (halves(512), halves(size)), SIZES),
)
