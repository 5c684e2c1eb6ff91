"""Neighbours: one, four or eight of them, in one, two and three dimensions, once and in several steps."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from weft.machine.suite.kernel import SuiteKernel, matrices, vectors

SIZES = tuple(1 << power for power in (8, 12, 16, 20, 24))


def _line(u: Any, v: Any) -> None:
    for i in range(1, u.shape[0] - 1):
        v[i] = u[i - 1] + u[i] + u[i + 1]


def _cross(u: Any, v: Any) -> None:
    for i in range(1, u.shape[0] - 1):
        for j in range(1, u.shape[1] - 1):
            v[i, j] = 0.25 * (u[i - 1, j] + u[i + 1, j] + u[i, j - 1] + u[i, j + 1])


def _square(u: Any, v: Any) -> None:
    for i in range(1, u.shape[0] - 1):
        for j in range(1, u.shape[1] - 1):
            s = np.float32(0.0)
            for k in range(-1, 2):
                for m in range(-1, 2):
                    s += u[i + k, j + m]
            v[i, j] = s


def _in_steps(u: Any, v: Any, steps: int) -> None:
    for _ in range(steps):
        for i in range(1, u.shape[0] - 1):
            for j in range(1, u.shape[1] - 1):
                v[i, j] = 0.25 * (u[i - 1, j] + u[i + 1, j] + u[i, j - 1] + u[i, j + 1])
        u, v = v, u


def _cube(u: Any, v: Any) -> None:
    for i in range(1, u.shape[0] - 1):
        for j in range(1, u.shape[1] - 1):
            for k in range(1, u.shape[2] - 1):
                v[i, j, k] = (
                    u[i - 1, j, k] + u[i + 1, j, k] + u[i, j - 1, k] + u[i, j + 1, k] + u[i, j, k - 1] + u[i, j, k + 1]
                )


def _cubes(size: int) -> tuple[Any, ...]:
    side = round(size ** (1 / 3))
    return np.full((side,) * 3, 0.5, "f4"), np.full((side,) * 3, 0.5, "f4")


def _steps(count: int) -> Callable[[int], tuple[Any, ...]]:
    return lambda size: (*matrices(2)(size), count)


KERNELS = (
    SuiteKernel("three in a line", _line, vectors(2), SIZES),
    SuiteKernel("four neighbours", _cross, matrices(2), SIZES),
    SuiteKernel("nine in a square", _square, matrices(2), SIZES),
    SuiteKernel("16 steps", _in_steps, _steps(16), SIZES),
    SuiteKernel("six in a cube", _cube, _cubes, SIZES),
)
