"""Divisions of floats, remainders and quotients of integers, by the digits of the quotient."""

from __future__ import annotations

from typing import Any

import numpy as np

from weft.machine.suite.kernel import SuiteKernel, vectors
from weft.machine.suite.loops import with_number


def _divided(u: Any, v: Any) -> None:
    for i in range(u.shape[0]):
        v[i] = (u[i] + 1) / (u[i] + 2) + (u[i] + 3) / (u[i] + 4)


def _divided_alone(u: Any, v: Any, n: int) -> None:
    for i in range(u.shape[0]):
        a = u[(i * 3) % n]
        v[i] = (a + 1) / (a + 2) + (a + 3) / (a + 4)


def _remainder(u: Any, v: Any, n: int) -> None:
    for i in range(u.shape[0]):
        v[i] = u[(i * 3) % n]


def _large_quotient(u: Any, v: Any, n: int) -> None:
    for i in range(u.shape[0]):
        v[i] = u[(i * 131071) % n]


def _two_remainders(u: Any, v: Any, n: int) -> None:
    for i in range(u.shape[0]):
        v[i] = u[(i * 3) % n] + u[(i + 77) % n]


def _quotient(u: Any, v: Any, n: int) -> None:
    for i in range(u.shape[0]):
        v[i] = u[i // n]


def _narrow_remainder(u: Any, v: Any) -> None:
    for i in range(u.shape[0]):
        v[i] = u[i] % (v[i] + 3)


def _narrow(size: int) -> tuple[Any, ...]:
    return np.arange(size, dtype=np.int32), np.ones(size, np.int32)


KERNELS = (
    SuiteKernel("division32", _divided, vectors(2)),
    SuiteKernel("division64", _divided, vectors(2, "f8")),
    SuiteKernel("division32 alone", _divided_alone, with_number),
    SuiteKernel("remainder64", _remainder, with_number),
    SuiteKernel("remainder64 of a large quotient", _large_quotient, with_number),
    SuiteKernel("two remainders", _two_remainders, with_number),
    SuiteKernel("quotient64", _quotient, with_number),
    SuiteKernel("remainder32", _narrow_remainder, _narrow),
)
