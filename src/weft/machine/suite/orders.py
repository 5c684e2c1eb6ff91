"""What waits: chains of operations, updates by key, branches that depend on data, positions that are counted."""

from __future__ import annotations

from typing import Any

import numpy as np

from weft.machine.suite.kernel import SuiteKernel, halves, vectors


def _chain(u: Any, v: Any) -> None:
    v[0] = u[0]
    for i in range(1, u.shape[0]):
        v[i] = 3.5 * v[i - 1] * (1 - v[i - 1]) + u[i]


def _updated(keys: Any, v: Any) -> None:
    for i in range(keys.shape[0]):
        v[keys[i]] += 1


def _guarded(u: Any, v: Any) -> None:
    for i in range(u.shape[0]):
        if u[i] > 48:
            v[i] = u[i] * np.float32(3.0) + np.float32(1.0)


def _guarded_table(u: Any, v: Any, n: int) -> None:
    for i in range(u.shape[0]):
        if u[i] > 48:
            v[i] = u[(i * 3) % n]


def _kept(u: Any, v: Any) -> Any:
    count = 0
    for i in range(u.shape[0]):
        if u[i] > 48:
            v[count] = u[i]
            count += 1
    return count


def _keys(size: int) -> tuple[Any, ...]:
    return np.random.default_rng(1).integers(0, 256, size), np.zeros(256, np.int64)


def _mixed(size: int) -> np.ndarray[Any, Any]:
    return (np.arange(size) % 97).astype(np.float32)


def _random(size: int) -> tuple[Any, ...]:
    return np.random.default_rng(1).uniform(0, 97, size).astype(np.float32), halves(size)


KERNELS = (
    SuiteKernel("chain", _chain, vectors(2, "f8")),
    SuiteKernel("updates by key", _updated, _keys, (4096, 65536)),
    SuiteKernel("branch", _guarded, lambda size: (_mixed(size), halves(size))),
    SuiteKernel("branch that cannot be foreseen", _guarded, _random),
    SuiteKernel("branch around a division", _guarded_table, lambda size: (_mixed(size), halves(size), size)),
    SuiteKernel("unforeseen branch around a division", _guarded_table, lambda size: (*_random(size), size)),
    SuiteKernel("compaction", _kept, lambda size: (_mixed(size), halves(size))),
)
