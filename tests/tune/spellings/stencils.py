"""Stencils in several spellings each."""

import numpy as np

from tests.tune.spellings.program import CUBE, GRID, WEIGHTS, Program


def five(u, v):
    n, m = u.shape
    for i in range(1, n - 1):
        for j in range(1, m - 1):
            v[i, j] = 0.25 * (u[i - 1, j] + u[i + 1, j] + u[i, j - 1] + u[i, j + 1])


def five_constant_first(u, v):
    n, m = u.shape
    for i in range(1, n - 1):
        for j in range(1, m - 1):
            v[i, j] = 0.25 * (u[-1 + i, j] + u[1 + i, j] + u[i, -1 + j] + u[i, 1 + j])


def five_from_zero(u, v):
    n, m = u.shape
    for i in range(n - 2):
        for j in range(m - 2):
            v[i + 1, j + 1] = 0.25 * (u[i, j + 1] + u[i + 2, j + 1] + u[i + 1, j] + u[i + 1, j + 2])


def five_through_names(u, v):
    n, m = u.shape
    for i in range(1, n - 1):
        for j in range(1, m - 1):
            up, down, left, right = i - 1, i + 1, j + 2, j + 3
            v[i, j] = 0.25 * (u[up, j] + u[down, j] + u[i, left - 3] + u[i, right - 2])


def five_negative(u, v):
    n, m = u.shape
    for i in range(1, n - 1):
        for j in range(1, m - 1):
            v[i, j] = 0.25 * (u[i + (-1), j] + u[i - (-1), j] + u[i, j + (-1)] + u[i, j - (-1)])


def five_flat_counter(u, v):
    n, m = u.shape
    for k in range((n - 2) * (m - 2)):
        i = k // (m - 2) + 1
        j = k % (m - 2) + 1
        v[i, j] = 0.25 * (u[i - 1, j] + u[i + 1, j] + u[i, j - 1] + u[i, j + 1])


def five_swapped(u, v):
    n, m = u.shape
    for j in range(1, m - 1):
        for i in range(1, n - 1):
            v[i, j] = 0.25 * (u[i - 1, j] + u[i + 1, j] + u[i, j - 1] + u[i, j + 1])


def five_numpy(u, v):
    v[1:-1, 1:-1] = 0.25 * (u[:-2, 1:-1] + u[2:, 1:-1] + u[1:-1, :-2] + u[1:-1, 2:])


def five_offsets(u, v):
    n, m = u.shape
    for i in range(1, n - 1):
        for j in range(1, m - 1):
            s = 0.0
            for a in range(-1, 2):
                for b in range(-1, 2):
                    if abs(a) + abs(b) == 1:
                        s += u[i + a, j + b]
            v[i, j] = 0.25 * s


def box(u, w, v):
    n, m = u.shape
    for i in range(1, n - 1):
        for j in range(1, m - 1):
            v[i, j] = (
                w[0, 0] * u[i - 1, j - 1]
                + w[0, 1] * u[i - 1, j]
                + w[0, 2] * u[i - 1, j + 1]
                + w[1, 0] * u[i, j - 1]
                + w[1, 1] * u[i, j]
                + w[1, 2] * u[i, j + 1]
                + w[2, 0] * u[i + 1, j - 1]
                + w[2, 1] * u[i + 1, j]
                + w[2, 2] * u[i + 1, j + 1]
            )


def box_constant_first(u, w, v):
    n, m = u.shape
    for i in range(n - 2):
        for j in range(m - 2):
            v[1 + i, 1 + j] = (
                w[0, 0] * u[i, j]
                + w[0, 1] * u[i, 1 + j]
                + w[0, 2] * u[i, 2 + j]
                + w[1, 0] * u[1 + i, j]
                + w[1, 1] * u[1 + i, 1 + j]
                + w[1, 2] * u[1 + i, 2 + j]
                + w[2, 0] * u[2 + i, j]
                + w[2, 1] * u[2 + i, 1 + j]
                + w[2, 2] * u[2 + i, 2 + j]
            )


def box_offsets(u, w, v):
    n, m = u.shape
    for i in range(1, n - 1):
        for j in range(1, m - 1):
            s = 0.0
            for a in range(3):
                for b in range(3):
                    s += w[a, b] * u[i + a - 1, j + b - 1]
            v[i, j] = s


def box_offsets_from_minus_one(u, w, v):
    n, m = u.shape
    for i in range(1, n - 1):
        for j in range(1, m - 1):
            s = 0.0
            for a in range(-1, 2):
                for b in range(-1, 2):
                    s += w[a + 1, 1 + b] * u[a + i, b + j]
            v[i, j] = s


def box_in_place(u, w, v):
    n, m = u.shape
    for i in range(1, n - 1):
        for j in range(1, m - 1):
            v[i, j] = 0.0
            for a in range(3):
                for b in range(3):
                    v[i, j] += w[a, b] * u[i + a - 1, j + b - 1]


def variable(u, c, v):
    n, m = u.shape
    for i in range(1, n - 1):
        for j in range(1, m - 1):
            v[i, j] = c[i, j] * (u[i - 1, j] + u[i + 1, j] - 2.0 * u[i, j]) + u[i, j + 1] - u[i, j - 1]


def variable_from_zero(u, c, v):
    n, m = u.shape
    for a in range(n - 2):
        for b in range(m - 2):
            i, j = 1 + a, 1 + b
            v[i, j] = c[i, j] * (u[a, j] + u[2 + a, j] - 2.0 * u[i, j]) + u[i, b + 2] - u[i, b]


def variable_numpy(u, c, v):
    x = u[1:-1, 1:-1]
    v[1:-1, 1:-1] = c[1:-1, 1:-1] * (u[:-2, 1:-1] + u[2:, 1:-1] - 2.0 * x) + u[1:-1, 2:] - u[1:-1, :-2]


def variable_flat_counter(u, c, v):
    n, m = u.shape
    for k in range((n - 2) * (m - 2)):
        i, j = 1 + k // (m - 2), 1 + k % (m - 2)
        v[i, j] = c[i, j] * (u[i - 1, j] + u[i + 1, j] - 2.0 * u[i, j]) + u[i, j + 1] - u[i, j - 1]


def star(u, v):
    n, m, p = u.shape
    for i in range(2, n - 2):
        for j in range(2, m - 2):
            for k in range(2, p - 2):
                v[i, j, k] = u[i - 2, j, k] + u[i - 1, j, k] + u[i + 1, j, k] + u[i + 2, j, k] - 4.0 * u[i, j, k]


def star_constant_first(u, v):
    n, m, p = u.shape
    for i in range(2, n - 2):
        for j in range(2, m - 2):
            for k in range(2, p - 2):
                v[i, j, k] = u[-2 + i, j, k] + u[-1 + i, j, k] + u[1 + i, j, k] + u[2 + i, j, k] - 4.0 * u[i, j, k]


def star_shifted(u, v):
    n, m, p = u.shape
    for i in range(2, n - 2):
        for j in range(2, m - 2):
            for k in range(2, p - 2):
                a = i + 3
                v[i, j, k] = u[a - 5, j, k] + u[a - 4, j, k] + u[a - 2, j, k] + u[a - 1, j, k] - 4.0 * u[i, j, k]


def star_from_zero(u, v):
    n, m, p = u.shape
    for i in range(n - 4):
        for j in range(m - 4):
            for k in range(p - 4):
                a, b, c = i + 2, j + 2, k + 2
                v[a, b, c] = u[i, b, c] + u[i + 1, b, c] + u[i + 3, b, c] + u[i + 4, b, c] - 4.0 * u[a, b, c]


def star_numpy(u, v):
    v[2:-2, 2:-2, 2:-2] = (
        u[:-4, 2:-2, 2:-2] + u[1:-3, 2:-2, 2:-2] + u[3:-1, 2:-2, 2:-2] + u[4:, 2:-2, 2:-2] - 4.0 * u[2:-2, 2:-2, 2:-2]
    )


def line(x, w, y):
    for i in range(x.shape[0] - 2):
        y[i] = w[0] * x[i] + w[1] * x[i + 1] + w[2] * x[i + 2]


def line_constant_first(x, w, y):
    for i in range(x.shape[0] - 2):
        y[i] = w[0] * x[i] + w[1] * x[1 + i] + w[2] * x[2 + i]


def line_from_one(x, w, y):
    for i in range(1, x.shape[0] - 1):
        y[i - 1] = w[0] * x[i - 1] + w[1] * x[i] + w[2] * x[i + 1]


def line_numpy(x, w, y):
    y[:-2] = w[0] * x[:-2] + w[1] * x[1:-1] + w[2] * x[2:]


def line_offsets(x, w, y):
    for i in range(x.shape[0] - 2):
        s = 0.0
        for a in range(3):
            s += w[a] * x[i + a]
        y[i] = s


X = np.zeros(64)

PROGRAMS = (
    Program(
        (
            five, five_constant_first, five_from_zero, five_through_names, five_negative, five_flat_counter,
            five_swapped, five_numpy, five_offsets,
        ),
        (GRID, GRID),
    ),
    Program((box, box_constant_first, box_offsets, box_offsets_from_minus_one, box_in_place), (GRID, WEIGHTS, GRID)),
    Program((variable, variable_from_zero, variable_numpy, variable_flat_counter), (GRID, GRID, GRID)),
    Program((star, star_constant_first, star_shifted, star_from_zero, star_numpy), (CUBE, CUBE)),
    Program((line, line_constant_first, line_from_one, line_numpy, line_offsets), (X, np.zeros(3), X)),
)  # fmt: skip
