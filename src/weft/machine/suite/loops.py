"""Loops and arguments that programs of the processor and of devices have in common."""

from __future__ import annotations

from typing import Any

import numpy as np

from weft.machine.suite.kernel import halves


def guarded(u: Any, v: Any) -> None:
    """A branch on an element."""
    for i in range(u.shape[0]):
        if u[i] > 48:
            v[i] = u[i] * np.float32(3.0) + np.float32(1.0)


def mixed_numbers(size: int) -> tuple[Any, ...]:
    """Numbers of which about half are above 48, in an order that comes again, and an array for results."""
    return (np.arange(size) % 97).astype(np.float32), halves(size)


def random_numbers(size: int) -> tuple[Any, ...]:
    """Numbers of which about half are above 48, in no order, and an array for results."""
    return np.random.default_rng(1).uniform(0, 97, size).astype(np.float32), halves(size)


def counted(keys: Any, v: Any) -> None:
    """Updates by key."""
    for i in range(keys.shape[0]):
        v[keys[i]] += 1


def filled(u: Any) -> None:
    """Stores alone."""
    for i in range(u.shape[0]):
        u[i] = np.float32(0.5)


def total(u: Any) -> Any:
    """A fold."""
    s = np.float32(0.0)
    for i in range(u.shape[0]):
        s += u[i]
    return s


def copied(u: Any, v: Any) -> None:
    """One array in, one out."""
    for i in range(u.shape[0]):
        v[i] = u[i]


def added(u: Any, v: Any, w: Any) -> None:
    """Two arrays in, one out."""
    for i in range(u.shape[0]):
        w[i] = u[i] + v[i]


def raised_rows(u: Any, v: Any) -> None:
    """A map over two dimensions."""
    for i in range(u.shape[0]):
        for j in range(u.shape[1]):
            v[i, j] = u[i, j] + np.float32(1.0)


def transposed(u: Any, v: Any) -> None:
    """A column becomes a row."""
    for i in range(v.shape[0]):
        for j in range(v.shape[1]):
            v[i, j] = u[j, i]


def gathered(u: Any, p: Any, v: Any) -> None:
    """Places that an array holds."""
    for i in range(p.shape[0]):
        v[i] = u[p[i]]


def with_table(u: Any, v: Any, w: Any) -> None:
    """A small table beside an array."""
    for i in range(u.shape[0]):
        v[i] = u[i] + w[(i * 5 + 3) & 127]


def leaps(u: Any, v: Any, n: int) -> None:
    """Places far apart, in an order that nothing foresees."""
    for i in range(v.shape[0]):
        v[i] = u[(i * 3473) * 1009 % n]


def squares(u: Any, v: Any, n: int) -> None:
    """Places that follow from a square, in an order that nothing foresees."""
    for i in range(v.shape[0]):
        v[i] = u[(i * i + 7) * 131 % n]


def row_sums(u: Any, v: Any) -> None:
    """A fold in each row."""
    for i in range(u.shape[0]):
        s = np.float32(0.0)
        for j in range(u.shape[1]):
            s += u[i, j]
        v[i, 0] = s


def kept(u: Any, v: Any) -> Any:
    """A compaction."""
    count = 0
    for i in range(u.shape[0]):
        if u[i] > 48:
            v[count] = u[i]
            count += 1
    return count


def with_number(size: int) -> tuple[Any, ...]:
    """Two arrays and their size."""
    return halves(size), halves(size), size
