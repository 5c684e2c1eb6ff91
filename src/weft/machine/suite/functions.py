"""Functions: roots, exponentials, logarithms, sines, powers."""

from __future__ import annotations

from typing import Any

import numpy as np

from weft.machine.suite.kernel import SuiteKernel, vectors


def _roots(u: Any, v: Any) -> None:
    for i in range(u.shape[0]):
        v[i] = np.sqrt(u[i]) + np.sqrt(u[i] + 1)


def _exponentials(u: Any, v: Any) -> None:
    for i in range(u.shape[0]):
        v[i] = np.exp(u[i]) + np.exp(u[i] - 1)


def _logarithms(u: Any, v: Any) -> None:
    for i in range(u.shape[0]):
        v[i] = np.log(u[i]) + np.log(u[i] + 1)


def _sines(u: Any, v: Any) -> None:
    for i in range(u.shape[0]):
        v[i] = np.sin(u[i]) + np.sin(u[i] + 1)


def _powers(u: Any, v: Any) -> None:
    for i in range(u.shape[0]):
        v[i] = u[i] ** (u[i] + 1)


SIZES = (256, 16384)

KERNELS = tuple(
    SuiteKernel(f"{name}{bits}", function, vectors(2, f"f{bits // 8}"), SIZES)
    for name, function in (
        ("sqrt", _roots), ("exp", _exponentials), ("log", _logarithms), ("sin", _sines), ("pow", _powers),
    )
    for bits in (32, 64)
)  # fmt: skip
