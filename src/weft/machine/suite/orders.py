"""What waits: chains of operations, updates by key, branches that depend on data, positions that are counted."""

from __future__ import annotations

from typing import Any

import numpy as np

from weft.machine.suite.kernel import SuiteKernel, halves, vectors
from weft.machine.suite.loops import counted, guarded, kept, random_numbers


def _chain(u: Any, v: Any) -> None:
    v[0] = u[0]
    for i in range(1, u.shape[0]):
        v[i] = 3.5 * v[i - 1] * (1 - v[i - 1]) + u[i]


def _guarded_table(u: Any, v: Any, n: int) -> None:
    for i in range(u.shape[0]):
        if u[i] > 48:
            v[i] = u[(i * 3) % n]


def _keys(size: int) -> tuple[Any, ...]:
    return np.random.default_rng(1).integers(0, 256, size), np.zeros(256, np.int64)


def _mixed(size: int) -> np.ndarray[Any, Any]:
    return (np.arange(size) % 97).astype(np.float32)


KERNELS = (
    SuiteKernel("chain", _chain, vectors(2, "f8")),
    SuiteKernel("updates by key", counted, _keys, (4096, 65536)),
    SuiteKernel("branch", guarded, lambda size: (_mixed(size), halves(size))),
    SuiteKernel("branch that cannot be foreseen", guarded, random_numbers),
    SuiteKernel("branch around a division", _guarded_table, lambda size: (_mixed(size), halves(size), size)),
    SuiteKernel("unforeseen branch around a division", _guarded_table, lambda size: (*random_numbers(size), size)),
    SuiteKernel("compaction", kept, lambda size: (_mixed(size), halves(size))),
)
