"""Transpositions, reductions, scans and fields over time, in several spellings each."""

import numpy as np

from tests.tune.spellings.program import GRID, LINE, Program


def transposed(a, b):
    n, m = b.shape
    for i in range(n):
        for j in range(m):
            b[i, j] = a[j, i]


def transposed_from_one(a, b):
    n, m = b.shape
    for i in range(1, n + 1):
        for j in range(1, m + 1):
            b[i - 1, j - 1] = a[-1 + j, i - 1]


def transposed_other_order(a, b):
    n, m = b.shape
    for j in range(m):
        for i in range(n):
            b[i, j] = a[j, i]


def transposed_numpy(a, b):
    b[:, :] = a.T


def transposed_flat_counter(a, b):
    n, m = b.shape
    for k in range(n * m):
        b[k // m, k % m] = a[k % m, k // m]


def row_sums(a, s):
    for i in range(a.shape[0]):
        t = 0.0
        for j in range(a.shape[1]):
            t += a[i, j] * a[i, j]
        s[i] = t


def row_sums_in_place(a, s):
    for i in range(a.shape[0]):
        s[i] = 0.0
        for j in range(a.shape[1]):
            s[i] += a[i, j] * a[i, j]


def row_sums_from_one(a, s):
    for i in range(1, a.shape[0] + 1):
        t = 0.0
        for j in range(1, a.shape[1] + 1):
            t += a[i - 1, -1 + j] * a[-1 + i, j - 1]
        s[i - 1] = t


def row_sums_shifted(a, s):
    for i in range(a.shape[0]):
        t = 0.0
        for j in range(3, 3 + a.shape[1]):
            k = j - 5
            t += a[i, 2 + k] * a[i, k + 2]
        s[i] = t


def row_sums_from_minus_one(a, s):
    for i in range(a.shape[0]):
        t = 0.0
        for j in range(-1, a.shape[1] - 1):
            t += a[i, 1 + j] * a[i, j + 1]
        s[i] = t


def row_means(a, s):
    for i in range(a.shape[0]):
        t = 0.0
        for j in range(a.shape[1] - 2):
            t += a[i, j] + a[i, j + 2]
        s[i] = t


def row_means_constant_first(a, s):
    for i in range(a.shape[0]):
        t = 0.0
        for j in range(a.shape[1] - 2):
            t += a[i, j] + a[i, 2 + j]
        s[i] = t


def row_means_from_one(a, s):
    for i in range(a.shape[0]):
        t = 0.0
        for j in range(1, a.shape[1] - 1):
            t += a[i, j - 1] + a[i, 1 + j]
        s[i] = t


def column_sums(a, s):
    for j in range(a.shape[1]):
        t = 0.0
        for i in range(a.shape[0]):
            t += a[i, j]
        s[j] = t


def column_sums_in_place(a, s):
    for j in range(a.shape[1]):
        s[j] = 0.0
        for i in range(a.shape[0]):
            s[j] += a[i, j]


def column_sums_from_one(a, s):
    for j in range(1, a.shape[1] + 1):
        t = 0.0
        for i in range(1, a.shape[0] + 1):
            t += a[i - 1, -1 + j]
        s[j - 1] = t


def column_sums_rows_outside(a, s):
    for j in range(a.shape[1]):
        s[j] = 0.0
    for i in range(a.shape[0]):
        for j in range(a.shape[1]):
            s[j] += a[i, j]


def scan(x, y):
    t = 0.0
    for i in range(x.shape[0]):
        t += x[i]
        y[i] = t


def scan_from_one(x, y):
    t = 0.0
    for i in range(1, x.shape[0] + 1):
        t = x[i - 1] + t
        y[-1 + i] = t


def scan_shifted(x, y):
    t = 0.0
    for i in range(-2, x.shape[0] - 2):
        t = t + x[2 + i]
        y[i + 2] = t


def row_scans(a, b):
    for i in range(a.shape[0]):
        t = 0.0
        for j in range(a.shape[1]):
            t += a[i, j]
            b[i, j] = t


def row_scans_from_one(a, b):
    for i in range(1, a.shape[0] + 1):
        t = 0.0
        for j in range(1, a.shape[1] + 1):
            t += a[i - 1, j - 1]
            b[-1 + i, -1 + j] = t


def row_scans_shifted(a, b):
    for i in range(a.shape[0]):
        t = 0.0
        for j in range(2, 2 + a.shape[1]):
            k = j - 3
            t += a[i, 1 + k]
            b[i, k + 1] = t


def electric(e, hx, hy):
    n, m = e.shape
    for i in range(1, n):
        for j in range(1, m):
            e[i, j] += 0.5 * (hy[i, j] - hy[i - 1, j] - hx[i, j] + hx[i, j - 1])


def electric_constant_first(e, hx, hy):
    n, m = e.shape
    for i in range(1, n):
        for j in range(1, m):
            e[i, j] = e[i, j] + 0.5 * (hy[i, j] - hy[-1 + i, j] - hx[i, j] + hx[i, -1 + j])


def electric_from_zero(e, hx, hy):
    n, m = e.shape
    for i in range(n - 1):
        for j in range(m - 1):
            e[1 + i, 1 + j] += 0.5 * (hy[1 + i, 1 + j] - hy[i, 1 + j] - hx[1 + i, 1 + j] + hx[1 + i, j])


def electric_numpy(e, hx, hy):
    e[1:, 1:] += 0.5 * (hy[1:, 1:] - hy[:-1, 1:] - hx[1:, 1:] + hx[1:, :-1])


def streaming(f, g):
    n, m = f.shape[1:]
    for i in range(1, n - 1):
        for j in range(1, m - 1):
            a, b, c = f[0, i, j], f[1, i - 1, j], f[2, i, j - 1]
            d, e = f[3, i + 1, j], f[4, i, j + 1]
            rho = a + b + c + d + e
            g[0, i, j] = a - 0.1 * rho
            g[1, i, j] = b - 0.2 * rho
            g[2, i, j] = c - 0.2 * rho
            g[3, i, j] = d - 0.2 * rho
            g[4, i, j] = e - 0.2 * rho


def streaming_constant_first(f, g):
    n, m = f.shape[1:]
    for i in range(1, n - 1):
        for j in range(1, m - 1):
            a, b, c = f[0, i, j], f[1, -1 + i, j], f[2, i, -1 + j]
            d, e = f[3, 1 + i, j], f[4, i, 1 + j]
            rho = a + b + c + d + e
            g[0, i, j] = a - 0.1 * rho
            g[1, i, j] = b - 0.2 * rho
            g[2, i, j] = c - 0.2 * rho
            g[3, i, j] = d - 0.2 * rho
            g[4, i, j] = e - 0.2 * rho


def streaming_from_zero(f, g):
    n, m = f.shape[1:]
    for p in range(n - 2):
        for q in range(m - 2):
            i, j = p + 1, q + 1
            a, b, c = f[0, i, j], f[1, p, j], f[2, i, q]
            d, e = f[3, p + 2, j], f[4, i, q + 2]
            rho = a + b + c + d + e
            g[0, i, j] = a - 0.1 * rho
            g[1, i, j] = b - 0.2 * rho
            g[2, i, j] = c - 0.2 * rho
            g[3, i, j] = d - 0.2 * rho
            g[4, i, j] = e - 0.2 * rho


def streaming_flat_counter(f, g):
    n, m = f.shape[1:]
    for k in range((n - 2) * (m - 2)):
        i, j = 1 + k // (m - 2), 1 + k % (m - 2)
        a, b, c = f[0, i, j], f[1, i - 1, j], f[2, i, j - 1]
        d, e = f[3, i + 1, j], f[4, i, j + 1]
        rho = a + b + c + d + e
        g[0, i, j] = a - 0.1 * rho
        g[1, i, j] = b - 0.2 * rho
        g[2, i, j] = c - 0.2 * rho
        g[3, i, j] = d - 0.2 * rho
        g[4, i, j] = e - 0.2 * rho


PROGRAMS = (
    Program(
        (transposed, transposed_from_one, transposed_other_order, transposed_numpy, transposed_flat_counter),
        (GRID, GRID),
    ),
    Program(
        (row_sums, row_sums_in_place, row_sums_from_one, row_sums_shifted, row_sums_from_minus_one),
        (GRID, LINE),
    ),
    Program((row_means, row_means_constant_first, row_means_from_one), (GRID, LINE)),
    Program((column_sums, column_sums_in_place, column_sums_from_one, column_sums_rows_outside), (GRID, LINE)),
    Program((scan, scan_from_one, scan_shifted), (LINE, LINE)),
    Program((row_scans, row_scans_from_one, row_scans_shifted), (GRID, GRID)),
    Program((electric, electric_constant_first, electric_from_zero, electric_numpy), (GRID, GRID, GRID)),
    Program(
        (streaming, streaming_constant_first, streaming_from_zero, streaming_flat_counter),
        (np.zeros((5, 16, 16)), np.zeros((5, 16, 16))),
    ),
)
