"""The programs of `benchmarks.gpu_kernels`: plain loops as a user writes them."""

from __future__ import annotations

import math
from typing import Any

import numpy as np


def added(a: Any, b: Any, c: Any) -> None:
    """A sum of two arrays."""
    for i in range(len(c)):
        c[i] = a[i] + b[i]


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
    s = 0.0
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


def layer_norm(x: Any, weights: Any, shifts: Any, out: Any) -> None:
    """Every row less its mean, divided by its deviation, scaled and shifted."""
    for i in range(x.shape[0]):
        s = x[i, 0] - x[i, 0]
        for j in range(x.shape[1]):
            s += x[i, j]
        mean = s / x.shape[1]
        v = x[i, 0] - x[i, 0]
        for j in range(x.shape[1]):
            v += (x[i, j] - mean) * (x[i, j] - mean)
        scale = 1 / np.sqrt(v / x.shape[1] + 1e-5)
        for j in range(x.shape[1]):
            out[i, j] = (x[i, j] - mean) * scale * weights[j] + shifts[j]


def normalised(x: Any, out: Any) -> None:
    """Every row divided by its length."""
    for i in range(x.shape[0]):
        s = x[i, 0] - x[i, 0]
        for j in range(x.shape[1]):
            s += x[i, j] * x[i, j]
        scale = 1 / np.sqrt(s)
        for j in range(x.shape[1]):
            out[i, j] = x[i, j] * scale


def row_places(x: Any, out: Any) -> None:
    """Where the largest element of every row is."""
    for i in range(x.shape[0]):
        largest = x[i, 0]
        place = 0
        for j in range(x.shape[1]):
            if x[i, j] > largest:
                largest = x[i, j]
                place = j
        out[i] = place


def place(x: Any) -> Any:
    """Where the smallest of all elements is."""
    smallest = np.inf
    found = -1
    for i in range(len(x)):
        if x[i] < smallest:
            smallest = x[i]
            found = i
    return found


def segments(starts: Any, x: Any, out: Any) -> None:
    """The sums of runs of elements."""
    for i in range(len(out)):
        s = x[0] - x[0]
        for k in range(starts[i], starts[i + 1]):
            s += x[k]
        out[i] = s


def histogram(x: Any, counts: Any) -> None:
    """How often each value occurs."""
    for i in range(len(x)):
        counts[x[i]] += 1


def scan(x: Any, out: Any) -> None:
    """The sums of all elements up to each."""
    s = 0.0
    for i in range(len(x)):
        s += x[i]
        out[i] = s


def row_scans(x: Any, out: Any) -> None:
    """The same in every row."""
    for i in range(x.shape[0]):
        s = x[i, 0] - x[i, 0]
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


def normal(d: Any) -> Any:
    """The normal distribution, up to 1e-7."""
    k = 1.0 / (1.0 + 0.2316419 * abs(d))
    poly = k * (0.31938153 + k * (-0.356563782 + k * (1.781477937 + k * (-1.821255978 + k * 1.330274429))))
    tail = 0.3989422804014327 * np.exp(-0.5 * d * d) * poly
    return 1.0 - tail if d > 0.0 else tail


def black_scholes(price: Any, strike: Any, years: Any, call: Any, put: Any) -> None:
    """Prices of European options."""
    for i in range(len(price)):
        spread = 0.3 * np.sqrt(years[i])
        d1 = (np.log(price[i] / strike[i]) + 0.065 * years[i]) / spread
        n1 = normal(d1)
        n2 = normal(d1 - spread)
        e = strike[i] * np.exp(-0.02 * years[i])
        call[i] = price[i] * n1 - e * n2
        put[i] = e * (1.0 - n2) - price[i] * (1.0 - n1)


def black_scholes_erfc(price: Any, strike: Any, years: Any, call: Any, put: Any) -> None:
    """The same with Python's own function, which computes in float64."""
    for i in range(len(price)):
        root = np.sqrt(years[i])
        d1 = (np.log(price[i] / strike[i]) + np.float32(0.065) * years[i]) / (np.float32(0.3) * root)
        d2 = d1 - np.float32(0.3) * root
        n1 = np.float32(0.5) * math.erfc(-d1 * np.float32(0.70710678))
        n2 = np.float32(0.5) * math.erfc(-d2 * np.float32(0.70710678))
        e = strike[i] * np.exp(np.float32(-0.02) * years[i])
        call[i] = price[i] * n1 - e * n2
        put[i] = e * (np.float32(1) - n2) - price[i] * (np.float32(1) - n1)


def star(u: Any, v: Any) -> None:
    """One step of a stencil of 25 points, four in each direction."""
    for i in range(4, u.shape[0] - 4):
        for j in range(4, u.shape[1] - 4):
            for k in range(4, u.shape[2] - 4):
                s = 0.3 * u[i, j, k]
                s += 0.08 * (
                    u[i - 1, j, k] + u[i + 1, j, k] + u[i, j - 1, k] + u[i, j + 1, k] + u[i, j, k - 1] + u[i, j, k + 1]
                )
                s += 0.02 * (
                    u[i - 2, j, k] + u[i + 2, j, k] + u[i, j - 2, k] + u[i, j + 2, k] + u[i, j, k - 2] + u[i, j, k + 2]
                )
                s += 0.01 * (
                    u[i - 3, j, k] + u[i + 3, j, k] + u[i, j - 3, k] + u[i, j + 3, k] + u[i, j, k - 3] + u[i, j, k + 3]
                )
                s += 0.005 * (
                    u[i - 4, j, k] + u[i + 4, j, k] + u[i, j - 4, k] + u[i, j + 4, k] + u[i, j, k - 4] + u[i, j, k + 4]
                )
                v[i, j, k] = s


def bodies(p: Any, a: Any) -> None:
    """What all bodies pull at each; their masses are the fourth column."""
    for i in range(p.shape[0]):
        ax = np.float32(0)
        ay = np.float32(0)
        az = np.float32(0)
        for j in range(p.shape[0]):
            dx = p[j, 0] - p[i, 0]
            dy = p[j, 1] - p[i, 1]
            dz = p[j, 2] - p[i, 2]
            r = dx * dx + dy * dy + dz * dz + np.float32(1e-9)
            w = p[j, 3] / (r * np.sqrt(r))
            ax += dx * w
            ay += dy * w
            az += dz * w
        a[i, 0] = ax
        a[i, 1] = ay
        a[i, 2] = az


def sparse_product(starts: Any, columns: Any, values: Any, x: Any, y: Any) -> None:
    """A sparse matrix, by rows, times a vector."""
    for i in range(len(y)):
        s = np.float32(0)
        for k in range(starts[i], starts[i + 1]):
            s += values[k] * x[columns[k]]
        y[i] = s
