"""Loops that Weft itself lays out in vectors: products of matrices, running sums, conditions; and functions alone."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from weft.machine.suite.kernel import SuiteKernel, halves, vectors


def _product(a: Any, b: Any, c: Any) -> None:
    for i in range(a.shape[0]):
        for j in range(b.shape[1]):
            s = a[i, 0] * b[0, j]
            for k in range(1, a.shape[1]):
                s += a[i, k] * b[k, j]
            c[i, j] = s


def _running(u: Any, v: Any) -> None:
    s = u[0] * 0
    for i in range(u.shape[0]):
        s += u[i]
        v[i] = s


def _where(u: Any, v: Any, w: Any) -> None:
    for i in range(u.shape[0]):
        if u[i] > 48:
            v[i] = u[i] * 3 + w[i & 127]


def _where_wide(u: Any, v: Any, w: Any) -> None:
    for i in range(u.shape[0]):
        if u[i] > 48:
            x = u[i] * u[i] + 1
            y = x * u[i] - 2
            v[i] = (x * y + x) * (y - x) + w[i]


def _where_divided(u: Any, v: Any, w: Any) -> None:
    for i in range(u.shape[0]):
        if u[i] > 48:
            v[i] = u[i] / (w[i & 127] + 1)


def _function_alone(function: Callable[..., Any]) -> Callable[..., Any]:
    def alone(u: Any, v: Any, n: int) -> None:
        for i in range(u.shape[0]):
            v[i] = function(u[(i * 3) % n])

    return alone


def _square(dtype: str) -> Callable[[int], tuple[Any, ...]]:
    def make(size: int) -> tuple[Any, ...]:
        side = int(size**0.5)
        return tuple(halves(side * side, dtype).reshape(side, side) for _ in range(3))

    return make


def _mixed(dtype: str) -> Callable[[int], tuple[Any, ...]]:
    return lambda size: ((np.arange(size) % 97).astype(dtype), halves(size, dtype), halves(max(size, 128), dtype))


def _with_number(dtype: str) -> Callable[[int], tuple[Any, ...]]:
    return lambda size: (halves(size, dtype), halves(size, dtype), size)


def _kernels() -> tuple[SuiteKernel, ...]:
    found = []
    for bits in (32, 64):
        dtype = f"f{bits // 8}"
        found += [
            SuiteKernel(f"product of matrices{bits}", _product, _square(dtype), (1 << 10, 1 << 14)),
            SuiteKernel(f"running sum{bits}", _running, vectors(2, dtype), (1 << 16,)),
            SuiteKernel(f"condition in lanes{bits}", _where, _mixed(dtype), (1 << 8, 1 << 14)),
            SuiteKernel(f"condition around much{bits}", _where_wide, _mixed(dtype), (1 << 8, 1 << 14)),
            SuiteKernel(f"condition around a division{bits}", _where_divided, _mixed(dtype), (1 << 8, 1 << 14)),
        ]
        for function in (np.exp, np.log, np.sin, np.sqrt):
            name = f"{function.__name__} alone{bits}"
            found.append(SuiteKernel(name, _function_alone(function), _with_number(dtype), (1 << 10,)))
    return tuple(found)


KERNELS = _kernels()
