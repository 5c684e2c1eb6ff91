"""Branches that depend on data: alike in neighbouring threads, or not; loops of different lengths."""

from __future__ import annotations

from typing import Any

import numpy as np

from weft.machine.suite.kernel import SuiteKernel, halves
from weft.machine.suite.loops import guarded, mixed_numbers, random_numbers

SIZES = tuple(1 << power for power in (8, 14, 18, 22))


def _either(u: Any, v: Any) -> None:
    for i in range(u.shape[0]):
        a = u[i]
        if a > 48:
            for _ in range(32):
                a = a * np.float32(0.5) + np.float32(1.0)
        else:
            for _ in range(32):
                a = a * np.float32(0.25) - np.float32(1.0)
        v[i] = a


def _halved(u: Any, v: Any) -> None:
    for i in range(u.shape[0]):
        a = u[i]
        n = 0
        while a > 1.0:
            a = a * np.float32(0.5)
            n += 1
        v[i] = n


def _sorted(size: int) -> tuple[Any, ...]:
    return np.sort(random_numbers(size)[0]), halves(size)


KERNELS = (
    SuiteKernel("guard", guarded, mixed_numbers, SIZES),
    SuiteKernel("guard at random", guarded, random_numbers, SIZES),
    SuiteKernel("either of two at random", _either, random_numbers, SIZES),
    SuiteKernel("either of two in order", _either, _sorted, SIZES),
    SuiteKernel("lengths at random", _halved, random_numbers, SIZES),
)
