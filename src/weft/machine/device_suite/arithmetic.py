"""Operations by kind and type: many that do not wait for one another, and chains of those that do."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from weft.machine.suite.kernel import SuiteKernel, halves, vectors

SIZES = tuple(1 << power for power in (8, 12, 15, 17, 20, 22))
FEW = tuple(1 << power for power in (8, 14, 20))


def _side_by_side(u: Any, v: Any) -> None:
    for i in range(u.shape[0]):
        a = u[i]
        b, c, d = a + 1, a + 2, a + 3
        for _ in range(32):
            a = a * b + c
            b = b * c + d
            c = c * d + a
            d = d * a + b
        v[i] = a + b + c + d


def _chained(u: Any, v: Any) -> None:
    for i in range(u.shape[0]):
        a = u[i]
        for _ in range(128):
            a = a * u[0] + u[1]
        v[i] = a


def _few(u: Any, v: Any) -> None:
    for i in range(u.shape[0]):
        a = u[i]
        b = a + a * a
        c = b * a - b
        d = c * b + a
        e = d * c - b
        f = e * d + c
        v[i] = f * e - d


def _bits(u: Any, v: Any) -> None:
    for i in range(u.shape[0]):
        a = u[i]
        b = a ^ 77
        for _ in range(32):
            a = (a << 3) ^ (b >> 2)
            b = (b & 1023) | a
        v[i] = a + b


def _divided(u: Any, v: Any) -> None:
    for i in range(u.shape[0]):
        a = u[i]
        s = a - a
        for k in range(1, 17):
            s += a / (s + k)
        v[i] = s


def _one_division(u: Any, v: Any, w: Any) -> None:
    for i in range(u.shape[0]):
        w[i] = u[i] / (v[i] + 1)


def _remainders(u: Any, v: Any) -> None:
    for i in range(u.shape[0]):
        a = u[i]
        s = a - a
        for k in range(1, 17):
            s += a % (v[i] + k)
        v[i] = s % 3 + 1


def _quotients(u: Any, v: Any) -> None:
    for i in range(u.shape[0]):
        a = u[i]
        s = a - a
        for k in range(1, 17):
            s += a // (v[i] + k)
        v[i] = s % 3 + 1


def _places(u: Any, v: Any, n: int) -> None:
    for i in range(u.shape[0]):
        v[i] = u[(i * 3) % n] + u[(i + 77) % n] + u[(i * 5 + 1) % n]


def _converted(u: Any, v: Any) -> None:
    for i in range(u.shape[0]):
        s = u[i]
        for k in range(16):
            s += np.float32(i + k)
        v[i] = s


def _widened(u: Any, v: Any) -> None:
    for i in range(u.shape[0]):
        s = u[i]
        for _ in range(16):
            s = np.float32(np.float64(s) * 1.5 + 0.25)
        v[i] = s


def _truncated(u: Any, v: Any) -> None:
    for i in range(u.shape[0]):
        s = u[i]
        for _ in range(16):
            s = np.float32(np.int64(s * 1.5)) * np.float32(0.5)
        v[i] = s


def _whole(dtype: str) -> Callable[[int], tuple[Any, ...]]:
    return lambda size: (np.arange(size).astype(dtype) % 1000, np.ones(size, dtype))


KERNELS = (
    *(
        SuiteKernel(f"{name} {dtype}", function, vectors(2, dtype), SIZES)
        for name, function in (("side by side", _side_by_side), ("chain", _chained), ("few", _few))
        for dtype in ("f4", "f8")
    ),
    *(SuiteKernel(f"side by side {dtype}", _side_by_side, _whole(dtype), SIZES) for dtype in ("i4", "i8")),
    *(SuiteKernel(f"bits {dtype}", _bits, _whole(dtype), FEW) for dtype in ("i4", "i8")),
    *(SuiteKernel(f"divisions {dtype}", _divided, vectors(2, dtype), SIZES) for dtype in ("f4", "f8")),
    *(SuiteKernel(f"one division {dtype}", _one_division, vectors(3, dtype), FEW) for dtype in ("f4", "f8")),
    *(SuiteKernel(f"remainders {dtype}", _remainders, _whole(dtype), SIZES) for dtype in ("i4", "i8")),
    *(SuiteKernel(f"quotients {dtype}", _quotients, _whole(dtype), FEW) for dtype in ("i4", "i8")),
    SuiteKernel("remainders of places", _places, lambda size: (halves(size), halves(size), size), SIZES),
    SuiteKernel("int64 to float32", _converted, vectors(2), FEW),
    SuiteKernel("float32 to float64 and back", _widened, vectors(2), FEW),
    SuiteKernel("float32 to int64 and back", _truncated, vectors(2), FEW),
)
