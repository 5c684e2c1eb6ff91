"""Products, convolutions and what is like them, in several spellings each."""

import numpy as np

from tests.tune.spellings.program import CUBE, GRID, Program


def product(a, b, c):
    n, m = c.shape
    for i in range(n):
        for j in range(m):
            s = 0.0
            for k in range(a.shape[1]):
                s += a[i, k] * b[k, j]
            c[i, j] = s


def product_in_place(a, b, c):
    n, m = c.shape
    for i in range(n):
        for j in range(m):
            c[i, j] = 0.0
            for k in range(a.shape[1]):
                c[i, j] += a[i, k] * b[k, j]


def product_from_one(a, b, c):
    n, m = c.shape
    for i in range(1, n + 1):
        for j in range(1, m + 1):
            s = 0.0
            for k in range(1, a.shape[1] + 1):
                s += a[i - 1, k - 1] * b[k - 1, j - 1]
            c[i - 1, j - 1] = s


def product_columns_first(a, b, c):
    n, m = c.shape
    for j in range(m):
        for i in range(n):
            s = 0.0
            for k in range(a.shape[1]):
                s = s + b[k, j] * a[i, k]
            c[i, j] = s


def product_flat_counter(a, b, c):
    n, m = c.shape
    for q in range(n * m):
        s = 0.0
        for k in range(a.shape[1]):
            s += a[q // m, k] * b[k, q % m]
        c[q // m, q % m] = s


def product_numpy(a, b, c):
    c[:, :] = a @ b


def product_rows_inside(a, b, c):
    n, m = c.shape
    for i in range(n):
        for j in range(m):
            c[i, j] = 0.0
        for k in range(a.shape[1]):
            for j in range(m):
                c[i, j] += a[i, k] * b[k, j]


def first_transposed(a, b, c):
    n, m = c.shape
    for i in range(n):
        for j in range(m):
            s = 0.0
            for k in range(a.shape[0]):
                s += a[k, i] * b[k, j]
            c[i, j] = s


def first_transposed_in_place(a, b, c):
    n, m = c.shape
    for i in range(n):
        for j in range(m):
            c[i, j] = 0.0
            for k in range(a.shape[0]):
                c[i, j] += a[k, i] * b[k, j]


def first_transposed_numpy(a, b, c):
    c[:, :] = a.T @ b


def first_transposed_by_view(a, b, c):
    n, m = c.shape
    t = a.T
    for i in range(n):
        for j in range(m):
            s = 0.0
            for k in range(a.shape[0]):
                s += t[i, k] * b[k, j]
            c[i, j] = s


def second_transposed(a, b, c):
    n, m = c.shape
    for i in range(n):
        for j in range(m):
            s = 0.0
            for k in range(a.shape[1]):
                s += a[i, k] * b[j, k]
            c[i, j] = s


def second_transposed_in_place(a, b, c):
    n, m = c.shape
    for i in range(n):
        for j in range(m):
            c[i, j] = 0.0
            for k in range(a.shape[1]):
                c[i, j] += b[j, k] * a[i, k]


def second_transposed_numpy(a, b, c):
    c[:, :] = a @ b.T


def both_transposed(a, b, c):
    n, m = c.shape
    for i in range(n):
        for j in range(m):
            s = 0.0
            for k in range(a.shape[0]):
                s += a[k, i] * b[j, k]
            c[i, j] = s


def both_transposed_in_place(a, b, c):
    n, m = c.shape
    for i in range(n):
        for j in range(m):
            c[i, j] = 0.0
            for k in range(a.shape[0]):
                c[i, j] += a[k, i] * b[j, k]


def both_transposed_numpy(a, b, c):
    c[:, :] = a.T @ b.T


def batched(a, b, c):
    for m in range(c.shape[0]):
        for i in range(c.shape[1]):
            for j in range(c.shape[2]):
                s = 0.0
                for k in range(a.shape[2]):
                    s += a[m, i, k] * b[m, k, j]
                c[m, i, j] = s


def batched_in_place(a, b, c):
    for m in range(c.shape[0]):
        for i in range(c.shape[1]):
            for j in range(c.shape[2]):
                c[m, i, j] = 0.0
                for k in range(a.shape[2]):
                    c[m, i, j] += a[m, i, k] * b[m, k, j]


def batched_from_one(a, b, c):
    for m in range(1, c.shape[0] + 1):
        for i in range(1, c.shape[1] + 1):
            for j in range(1, c.shape[2] + 1):
                s = 0.0
                for k in range(1, a.shape[2] + 1):
                    s += a[m - 1, i - 1, k - 1] * b[m - 1, k - 1, j - 1]
                c[m - 1, i - 1, j - 1] = s


def min_plus(a, b, c):
    n, m = c.shape
    for i in range(n):
        for j in range(m):
            s = np.inf
            for k in range(a.shape[1]):
                s = min(s, a[i, k] + b[k, j])
            c[i, j] = s


def min_plus_turned(a, b, c):
    n, m = c.shape
    for i in range(n):
        for j in range(m):
            s = np.inf
            for k in range(1, a.shape[1] + 1):
                s = min(s, b[-1 + k, j] + a[i, k - 1])
            c[i, j] = s


def min_plus_in_place(a, b, c):
    n, m = c.shape
    for i in range(n):
        for j in range(m):
            c[i, j] = np.inf
            for k in range(a.shape[1]):
                c[i, j] = min(c[i, j], a[i, k] + b[k, j])


def triangular(a, b, c):
    n, m = c.shape
    for i in range(n):
        for j in range(m):
            s = 0.0
            for k in range(i + 1):
                s += a[i, k] * b[k, j]
            c[i, j] = s


def triangular_from_one(a, b, c):
    n, m = c.shape
    for i in range(n):
        for j in range(m):
            s = 0.0
            for k in range(1, i + 2):
                s += a[i, k - 1] * b[k - 1, j]
            c[i, j] = s


def triangular_in_place(a, b, c):
    n, m = c.shape
    for i in range(n):
        for j in range(m):
            c[i, j] = 0.0
            for k in range(1 + i):
                c[i, j] += a[i, k] * b[k, j]


def channels(u, w, v):
    for o in range(v.shape[0]):
        for i in range(v.shape[1]):
            for j in range(v.shape[2]):
                s = 0.0
                for c in range(u.shape[0]):
                    for a in range(3):
                        for b in range(3):
                            s += w[o, c, a, b] * u[c, i + a, j + b]
                v[o, i, j] = s


def channels_constant_first(u, w, v):
    for o in range(v.shape[0]):
        for i in range(1, 1 + v.shape[1]):
            for j in range(1, 1 + v.shape[2]):
                s = 0.0
                for c in range(u.shape[0]):
                    for a in range(3):
                        for b in range(3):
                            s += w[o, c, a, b] * u[c, -1 + i + a, b + j - 1]
                v[o, i - 1, j - 1] = s


def channels_in_place(u, w, v):
    for o in range(v.shape[0]):
        for i in range(v.shape[1]):
            for j in range(v.shape[2]):
                v[o, i, j] = 0.0
                for c in range(u.shape[0]):
                    for a in range(3):
                        for b in range(3):
                            v[o, i, j] += w[o, c, a, b] * u[c, a + i, b + j]


def flat_product(a, b, c, n, m, p):
    for i in range(n):
        for j in range(m):
            s = 0.0
            for k in range(p):
                s += a[i * p + k] * b[k * m + j]
            c[i * m + j] = s


def flat_product_constant_first(a, b, c, n, m, p):
    for i in range(n):
        for j in range(m):
            s = 0.0
            for k in range(p):
                s += b[j + m * k] * a[k + p * i]
            c[j + i * m] = s


def flat_product_flat_counter(a, b, c, n, m, p):
    for q in range(n * m):
        i, j = q // m, q % m
        s = 0.0
        for k in range(p):
            s += a[i * p + k] * b[k * m + j]
        c[q] = s


LIST = np.zeros(64)

PROGRAMS = (
    Program(
        (
            product, product_in_place, product_from_one, product_columns_first, product_flat_counter, product_numpy,
            product_rows_inside,
        ),
        (GRID, GRID, GRID),
    ),
    Program(
        (first_transposed, first_transposed_in_place, first_transposed_numpy, first_transposed_by_view),
        (GRID, GRID, GRID),
    ),
    Program((second_transposed, second_transposed_in_place, second_transposed_numpy), (GRID, GRID, GRID)),
    Program((both_transposed, both_transposed_in_place, both_transposed_numpy), (GRID, GRID, GRID)),
    Program((batched, batched_in_place, batched_from_one), (CUBE, CUBE, CUBE)),
    Program((min_plus, min_plus_turned, min_plus_in_place), (GRID, GRID, GRID)),
    Program((triangular, triangular_from_one, triangular_in_place), (GRID, GRID, GRID)),
    Program(
        (channels, channels_constant_first, channels_in_place),
        (np.zeros((2, 10, 10)), np.zeros((3, 2, 3, 3)), np.zeros((3, 8, 8))),
    ),
    Program((flat_product, flat_product_constant_first, flat_product_flat_counter), (LIST, LIST, LIST, 8, 8, 8)),
)  # fmt: skip
