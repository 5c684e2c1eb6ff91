"""Lines that nothing fetches ahead: random accesses with few and with many instructions between them."""

from __future__ import annotations

from typing import Any

import numpy as np

from weft.machine.suite.kernel import SuiteKernel, halves
from weft.machine.suite.loops import leaps, squares

SIZES = tuple(1 << power for power in (14, 18, 20, 22, 23))


def _leaps_and_divisions(u: Any, v: Any, n: int) -> None:
    for i in range(v.shape[0]):
        v[i] = u[(i * 3473) * 1009 % n] / (1 + (i * 5) % 77)


def _columns(u: Any, v: Any) -> None:
    for i in range(v.shape[0]):
        v[i] = u[(i * 179) % u.shape[0], 101 % u.shape[1]]


def _few(size: int) -> tuple[Any, ...]:
    """A large table, of which so few elements are read that the results stay in the caches."""
    return halves(size), halves(min(size, 1 << 17)), size


def _table(size: int) -> tuple[Any, ...]:
    side = 1 << (size.bit_length() - 1) // 2
    return np.full((side, size // side), 0.5, "f4"), halves(min(size, 1 << 15))


KERNELS = (
    SuiteKernel("leaps", leaps, _few, SIZES),
    SuiteKernel("leaps and divisions", _leaps_and_divisions, _few, SIZES),
    SuiteKernel("squares", squares, _few, SIZES),
    SuiteKernel("rows in no order", _columns, _table, SIZES),
)
