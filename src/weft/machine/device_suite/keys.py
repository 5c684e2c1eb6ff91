"""Updates by key: of one bin, of few, of many, of as many as there are elements."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from weft.machine.suite.kernel import SuiteKernel, halves
from weft.machine.suite.loops import counted

SIZES = tuple(1 << power for power in (8, 14, 18, 22))


def _summed(keys: Any, u: Any, v: Any) -> None:
    for i in range(keys.shape[0]):
        v[keys[i]] += u[i]


def _of(bins: int, most: int) -> Callable[[int], tuple[Any, ...]]:
    return lambda size: (np.random.default_rng(1).integers(0, bins, size), np.zeros(most, np.int64))


def _sums(bins: int) -> Callable[[int], tuple[Any, ...]]:
    return lambda size: (np.random.default_rng(1).integers(0, bins, size), halves(size), np.zeros(bins, np.float32))


KERNELS = (
    SuiteKernel("1 of 256 bins", counted, _of(1, 256), SIZES),
    SuiteKernel("256 bins", counted, _of(256, 256), SIZES),
    SuiteKernel("65536 bins", counted, _of(65536, 65536), SIZES),
    SuiteKernel("sums of 64 bins", _summed, _sums(64), SIZES),
    SuiteKernel("sums of 65536 bins", _summed, _sums(65536), SIZES),
)
