"""Functions: roots, exponentials, logarithms, sines, powers; several in each iteration."""

from __future__ import annotations

from typing import Any

import numpy as np

from weft.machine.suite.kernel import SuiteKernel, vectors

SIZES = tuple(1 << power for power in (8, 14, 18, 22))


def _roots(u: Any, v: Any) -> None:
    for i in range(u.shape[0]):
        a = u[i]
        for k in range(1, 9):
            a = np.sqrt(a + k)
        v[i] = a


def _exponentials(u: Any, v: Any) -> None:
    for i in range(u.shape[0]):
        a = u[i]
        for _ in range(8):
            a = np.exp(-a)
        v[i] = a


def _logarithms(u: Any, v: Any) -> None:
    for i in range(u.shape[0]):
        a = u[i]
        for _ in range(8):
            a = np.log(a + 2)
        v[i] = a


def _sines(u: Any, v: Any) -> None:
    for i in range(u.shape[0]):
        a = u[i]
        for _ in range(8):
            a = np.sin(a + 2)
        v[i] = a


def _powers(u: Any, v: Any) -> None:
    for i in range(u.shape[0]):
        a = u[i]
        for _ in range(8):
            a = (a + 1) ** u[i]
        v[i] = a


def _hyperbolic(u: Any, v: Any) -> None:
    for i in range(u.shape[0]):
        a = u[i]
        for _ in range(8):
            a = np.tanh(a + 1)
        v[i] = a


KERNELS = tuple(
    SuiteKernel(f"{name}{bits}", function, vectors(2, f"f{bits // 8}"), SIZES)
    for name, function in (
        ("sqrt", _roots), ("exp", _exponentials), ("log", _logarithms), ("sin", _sines), ("pow", _powers),
        ("tanh", _hyperbolic),
    )
    for bits in (32, 64)
)  # fmt: skip
