"""The programs of `benchmarks.gpu_kernels`: plain loops as a user writes them."""

from __future__ import annotations

from typing import Any

import numpy as np


def triad(a: Any, b: Any, c: Any) -> None:
    """STREAM's triad."""
    for i in range(len(a)):
        a[i] = b[i] + 3.0 * c[i]


def jacobi(u: Any, v: Any) -> None:
    """One step of the five-point stencil."""
    for i in range(1, u.shape[0] - 1):
        for j in range(1, u.shape[1] - 1):
            v[i, j] = 0.25 * (u[i - 1, j] + u[i + 1, j] + u[i, j - 1] + u[i, j + 1])


def jacobi_steps(u: Any, v: Any) -> None:
    """57 steps of the five-point stencil."""
    for _ in range(57):
        for i in range(1, u.shape[0] - 1):
            for j in range(1, u.shape[1] - 1):
                v[i, j] = 0.25 * (u[i - 1, j] + u[i + 1, j] + u[i, j - 1] + u[i, j + 1])
        u, v = v, u


def seven_points(u: Any, v: Any) -> None:
    """One step of the seven-point stencil."""
    for i in range(1, u.shape[0] - 1):
        for j in range(1, u.shape[1] - 1):
            for k in range(1, u.shape[2] - 1):
                v[i, j, k] = 0.4 * u[i, j, k] + 0.1 * (
                    u[i - 1, j, k] + u[i + 1, j, k] + u[i, j - 1, k] + u[i, j + 1, k] + u[i, j, k - 1] + u[i, j, k + 1]
                )


def product(a: Any, b: Any, c: Any) -> None:
    """A matrix product as everybody writes it."""
    for i in range(a.shape[0]):
        for j in range(b.shape[1]):
            c[i, j] = 0
            for k in range(a.shape[1]):
                c[i, j] += a[i, k] * b[k, j]


def convolution(u: Any, w: Any, v: Any) -> None:
    """A window of 17 by 17 weights that slides over a picture."""
    for i in range(8, u.shape[0] - 8):
        for j in range(8, u.shape[1] - 8):
            s = u[i, j] - u[i, j]
            for p in range(17):
                for q in range(17):
                    s += w[p, q] * u[i + p - 8, j + q - 8]
            v[i, j] = s


def summed(x: Any) -> Any:
    """The sum of all elements, returned."""
    s = np.float32(0)
    for i in range(len(x)):
        s += x[i]
    return s


def row_sums(x: Any, out: Any) -> None:
    """The sum of every row."""
    for i in range(x.shape[0]):
        s = x[i, 0] - x[i, 0]
        for j in range(x.shape[1]):
            s += x[i, j]
        out[i] = s


def column_sums(x: Any, out: Any) -> None:
    """The sum of every column."""
    for j in range(x.shape[1]):
        s = x[0, j] - x[0, j]
        for i in range(x.shape[0]):
            s += x[i, j]
        out[j] = s


def transposed(x: Any, out: Any) -> None:
    """A matrix turned over."""
    for i in range(x.shape[0]):
        for j in range(x.shape[1]):
            out[j, i] = x[i, j]


def planes_last(x: Any, out: Any) -> None:
    """A cube whose last axis becomes the first."""
    for i in range(x.shape[0]):
        for j in range(x.shape[1]):
            for k in range(x.shape[2]):
                out[k, i, j] = x[i, j, k]


def softmax(x: Any, out: Any) -> None:
    """Every row divided by its sum, after the exponential."""
    for i in range(x.shape[0]):
        largest = x[i, 0]
        for j in range(x.shape[1]):
            largest = max(largest, x[i, j])
        s = x[i, 0] - x[i, 0]
        for j in range(x.shape[1]):
            out[i, j] = np.exp(x[i, j] - largest)
            s += out[i, j]
        for j in range(x.shape[1]):
            out[i, j] /= s


def histogram(x: Any, counts: Any) -> None:
    """How often each value occurs."""
    for i in range(len(x)):
        counts[x[i]] += 1


def scan(x: Any, out: Any) -> None:
    """The sums of all elements up to each."""
    s = np.float32(0)
    for i in range(len(x)):
        s += x[i]
        out[i] = s


def row_scans(x: Any, out: Any) -> None:
    """The same in every row."""
    for i in range(x.shape[0]):
        s = np.float32(0)
        for j in range(x.shape[1]):
            s += x[i, j]
            out[i, j] = s


def tenth(x: Any, out: Any) -> Any:
    """A tenth of a hundred values, packed."""
    k = 0
    for i in range(len(x)):
        if x[i] < 10:
            out[k] = x[i]
            k += 1
    return k


def half(x: Any, out: Any) -> Any:
    """Half of a hundred values, packed."""
    k = 0
    for i in range(len(x)):
        if x[i] < 50:
            out[k] = x[i]
            k += 1
    return k


def most(x: Any, out: Any) -> Any:
    """Nine tenths of a hundred values, packed."""
    k = 0
    for i in range(len(x)):
        if x[i] < 90:
            out[k] = x[i]
            k += 1
    return k
