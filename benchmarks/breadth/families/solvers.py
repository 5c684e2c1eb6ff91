"""Batched solvers: small dense, triangular, banded, iterative; factorisations."""

from __future__ import annotations

import math

import numpy as np

from benchmarks.breadth.program import Answer, Program


def thomas(a, b, c, d, x):
    n = b.shape[1]
    for i in range(b.shape[0]):
        for k in range(1, n):
            w = a[i, k] / b[i, k - 1]
            b[i, k] -= w * c[i, k - 1]
            d[i, k] -= w * d[i, k - 1]
        x[i, n - 1] = d[i, n - 1] / b[i, n - 1]
        for k in range(n - 2, -1, -1):
            x[i, k] = (d[i, k] - c[i, k] * x[i, k + 1]) / b[i, k]


def thomas_systems_inside(a, b, c, d, x):
    n = b.shape[1]
    m = b.shape[0]
    for k in range(1, n):
        for i in range(m):
            w = a[i, k] / b[i, k - 1]
            b[i, k] = b[i, k] - w * c[i, k - 1]
            d[i, k] = d[i, k] - w * d[i, k - 1]
    for i in range(m):
        x[i, n - 1] = d[i, n - 1] / b[i, n - 1]
    for r in range(n - 1):
        k = n - 2 - r
        for i in range(m):
            x[i, k] = (d[i, k] - c[i, k] * x[i, k + 1]) / b[i, k]


def eliminate(a, b):
    n = a.shape[1]
    for s in range(a.shape[0]):
        for k in range(n):
            for i in range(k + 1, n):
                factor = a[s, i, k] / a[s, k, k]
                for j in range(k, n):
                    a[s, i, j] -= factor * a[s, k, j]
                b[s, i] -= factor * b[s, k]
        for i in range(n - 1, -1, -1):
            for j in range(i + 1, n):
                b[s, i] -= a[s, i, j] * b[s, j]
            b[s, i] /= a[s, i, i]


def eliminate_by_views(a, b):
    for s in range(a.shape[0]):
        m = a[s]
        v = b[s]
        n = len(v)
        for k in range(n):
            for i in range(k + 1, n):
                factor = m[i, k] / m[k, k]
                for j in range(k, n):
                    m[i, j] = m[i, j] - factor * m[k, j]
                v[i] = v[i] - factor * v[k]
        for r in range(n):
            i = n - 1 - r
            for j in range(i + 1, n):
                v[i] -= m[i, j] * v[j]
            v[i] /= m[i, i]


def cholesky_small(a):
    n = a.shape[1]
    for s in range(a.shape[0]):
        for j in range(n):
            total = a[s, j, j]
            for k in range(j):
                total -= a[s, j, k] * a[s, j, k]
            a[s, j, j] = math.sqrt(total)
            for i in range(j + 1, n):
                total = a[s, i, j]
                for k in range(j):
                    total -= a[s, i, k] * a[s, j, k]
                a[s, i, j] = total / a[s, j, j]


def cholesky_small_right_looking(a):
    n = a.shape[1]
    for s in range(a.shape[0]):
        for k in range(n):
            a[s, k, k] = np.sqrt(a[s, k, k])
            for i in range(k + 1, n):
                a[s, i, k] /= a[s, k, k]
            for j in range(k + 1, n):
                for i in range(j, n):
                    a[s, i, j] -= a[s, i, k] * a[s, j, k]


def factorise(a):
    n = a.shape[0]
    for k in range(n):
        for i in range(k + 1, n):
            a[i, k] /= a[k, k]
        for i in range(k + 1, n):
            for j in range(k + 1, n):
                a[i, j] -= a[i, k] * a[k, j]


def factorise_in_one(a):
    n = a.shape[0]
    for k in range(n - 1):
        for i in range(k + 1, n):
            factor = a[i, k] / a[k, k]
            a[i, k] = factor
            for j in range(k + 1, n):
                a[i, j] = a[i, j] - factor * a[k, j]


def forward(lower, b, x):
    n = b.shape[0]
    for i in range(n):
        for c in range(b.shape[1]):
            total = b[i, c]
            for k in range(i):
                total -= lower[i, k] * x[k, c]
            x[i, c] = total / lower[i, i]


def forward_columns(lower, b, x):
    n = b.shape[0]
    for c in range(b.shape[1]):
        for i in range(n):
            x[i, c] = b[i, c]
        for k in range(n):
            x[k, c] /= lower[k, k]
            for i in range(k + 1, n):
                x[i, c] -= lower[i, k] * x[k, c]


def jacobi_dense(a, b, x, y, steps):
    n = len(b)
    for t in range(steps):
        for i in range(n):
            total = b[i]
            for j in range(n):
                if j != i:
                    total -= a[i, j] * x[j]
            y[i] = total / a[i, i]
        x, y = y, x
    return x


def jacobi_dense_corrected(a, b, x, y, steps):
    for t in range(steps):
        for i in range(a.shape[0]):
            total = 0.0
            for j in range(a.shape[1]):
                total += a[i, j] * x[j]
            y[i] = x[i] + (b[i] - total) / a[i, i]
        for i in range(len(x)):
            x[i] = y[i]
    return x


def conjugate(b, x, r, p, q, steps):
    n, m = b.shape
    rho = 0.0
    for i in range(n):
        for j in range(m):
            x[i, j] = 0.0
            r[i, j] = b[i, j]
            p[i, j] = b[i, j]
            rho += b[i, j] * b[i, j]
    for t in range(steps):
        product = 0.0
        for i in range(1, n - 1):
            for j in range(1, m - 1):
                q[i, j] = 4.5 * p[i, j] - p[i - 1, j] - p[i + 1, j] - p[i, j - 1] - p[i, j + 1]
                product += p[i, j] * q[i, j]
        alpha = rho / product
        new = 0.0
        for i in range(1, n - 1):
            for j in range(1, m - 1):
                x[i, j] += alpha * p[i, j]
                r[i, j] -= alpha * q[i, j]
                new += r[i, j] * r[i, j]
        beta = new / rho
        rho = new
        for i in range(1, n - 1):
            for j in range(1, m - 1):
                p[i, j] = r[i, j] + beta * p[i, j]


def conjugate_arrays(b, x, r, p, q, steps):
    x[:, :] = 0.0
    r[:, :] = b
    p[:, :] = b
    rho = np.sum(r * r)
    for t in range(steps):
        near = p[:-2, 1:-1] + p[2:, 1:-1] + p[1:-1, :-2] + p[1:-1, 2:]
        q[1:-1, 1:-1] = 4.5 * p[1:-1, 1:-1] - near
        alpha = rho / np.sum(p[1:-1, 1:-1] * q[1:-1, 1:-1])
        x[1:-1, 1:-1] += alpha * p[1:-1, 1:-1]
        r[1:-1, 1:-1] -= alpha * q[1:-1, 1:-1]
        new = np.sum(r[1:-1, 1:-1] * r[1:-1, 1:-1])
        p[1:-1, 1:-1] = r[1:-1, 1:-1] + new / rho * p[1:-1, 1:-1]
        rho = new


def invert_three(a, out):
    for i in range(a.shape[0]):
        c0 = a[i, 1, 1] * a[i, 2, 2] - a[i, 1, 2] * a[i, 2, 1]
        c1 = a[i, 1, 2] * a[i, 2, 0] - a[i, 1, 0] * a[i, 2, 2]
        c2 = a[i, 1, 0] * a[i, 2, 1] - a[i, 1, 1] * a[i, 2, 0]
        d = 1.0 / (a[i, 0, 0] * c0 + a[i, 0, 1] * c1 + a[i, 0, 2] * c2)
        out[i, 0, 0] = c0 * d
        out[i, 1, 0] = c1 * d
        out[i, 2, 0] = c2 * d
        out[i, 0, 1] = (a[i, 0, 2] * a[i, 2, 1] - a[i, 0, 1] * a[i, 2, 2]) * d
        out[i, 1, 1] = (a[i, 0, 0] * a[i, 2, 2] - a[i, 0, 2] * a[i, 2, 0]) * d
        out[i, 2, 1] = (a[i, 0, 1] * a[i, 2, 0] - a[i, 0, 0] * a[i, 2, 1]) * d
        out[i, 0, 2] = (a[i, 0, 1] * a[i, 1, 2] - a[i, 0, 2] * a[i, 1, 1]) * d
        out[i, 1, 2] = (a[i, 0, 2] * a[i, 1, 0] - a[i, 0, 0] * a[i, 1, 2]) * d
        out[i, 2, 2] = (a[i, 0, 0] * a[i, 1, 1] - a[i, 0, 1] * a[i, 1, 0]) * d


def invert_three_cyclic(a, out):
    for i in range(a.shape[0]):
        d = 0.0
        for r in range(3):
            p = (r + 1) % 3
            q = (r + 2) % 3
            d += a[i, 0, r] * (a[i, 1, p] * a[i, 2, q] - a[i, 1, q] * a[i, 2, p])
        for r in range(3):
            for c in range(3):
                p, q = (r + 1) % 3, (r + 2) % 3
                s, t = (c + 1) % 3, (c + 2) % 3
                out[i, c, r] = (a[i, p, s] * a[i, q, t] - a[i, p, t] * a[i, q, s]) / d


def roots(coefficients, x, steps):
    for i in range(len(x)):
        z = x[i]
        for t in range(steps):
            value = coefficients[0]
            slope = 0.0
            for k in range(1, len(coefficients)):
                slope = slope * z + value
                value = value * z + coefficients[k]
            z -= value / slope
        x[i] = z


def roots_until(coefficients, x, steps):
    for i in range(len(x)):
        for t in range(steps):
            value = 0.0
            slope = 0.0
            for k in range(len(coefficients)):
                slope = slope * x[i] + value
                value = value * x[i] + coefficients[k]
            x[i] = x[i] - value / slope


def power_method(a, x, y, steps):
    n = len(x)
    for t in range(steps):
        norm = 0.0
        for i in range(n):
            total = 0.0
            for j in range(n):
                total += a[i, j] * x[j]
            y[i] = total
            norm += total * total
        scale = 1.0 / math.sqrt(norm)
        for i in range(n):
            x[i] = y[i] * scale


def power_method_two_loops(a, x, y, steps):
    n = len(x)
    for t in range(steps):
        for i in range(n):
            y[i] = 0.0
            for j in range(n):
                y[i] += a[i, j] * x[j]
        norm = 0.0
        for i in range(n):
            norm += y[i] * y[i]
        for i in range(n):
            x[i] = y[i] / np.sqrt(norm)


def bands(m, n, k):
    return m.random(n, k), m.above(3.0, n, k), m.random(n, k), m.random(n, k), m.zeros(n, k)


def heavy(m, *shape):
    made = m.random(*shape)
    n = shape[-1]
    made[..., np.arange(n), np.arange(n)] += n
    return made


def symmetric(m, s, n):
    made = m.random(s, n, n)
    made = made + made.transpose(0, 2, 1)
    made[:, np.arange(n), np.arange(n)] += 2 * n
    return (made,)


def flat_problem(m, n, t):
    b = m.random(n, n)
    b[0] = b[-1] = b[:, 0] = b[:, -1] = 0
    return b, *(m.zeros(n, n) for _ in range(4)), t


MATH = Answer.MATH

PROGRAMS = (
    Program("thomas", (thomas, thomas_systems_inside), bands, ((5, 9), (100, 100), (5000, 200), (10**5, 512)),
            lambda n, k, b: 7 * n * k * b, lambda n, k: 9 * n * k, answer=MATH, restore=True),
    Program("eliminate", (eliminate, eliminate_by_views), lambda m, s, n: (heavy(m, s, n, n), m.random(s, n)),
            ((3, 5), (100, 12), (5000, 16), (10**5, 32)), lambda s, n, b: 2 * s * n * n * b,
            lambda s, n: s * (2 / 3 * n**3 + 3 * n * n), parallel=("s",), answer=MATH, restore=True),
    Program("cholesky_small", (cholesky_small, cholesky_small_right_looking), symmetric,
            ((3, 5), (100, 12), (5000, 16), (10**5, 32)), lambda s, n, b: 2 * s * n * n * b,
            lambda s, n: s * n**3 / 3, parallel=("s",), answer=MATH, outputs=(0,), restore=True),
    Program("factorise", (factorise, factorise_in_one), lambda m, n: (heavy(m, n, n),), (8, 100, 500, 4096),
            lambda n, b: 2 * n * n * b, lambda n: 2 / 3 * n**3, answer=MATH, outputs=(0,), restore=True),
    Program("forward_substitution", (forward, forward_columns),
            lambda m, n, c: (heavy(m, n, n), m.random(n, c), m.zeros(n, c)),
            ((8, 3), (100, 16), (500, 200), (4096, 1024)), lambda n, c, b: (n * n / 2 + 2 * n * c) * b,
            lambda n, c: n * n * c, parallel=("c",), answer=MATH),
    Program("jacobi_dense", (jacobi_dense, jacobi_dense_corrected),
            lambda m, n, t: (heavy(m, n, n), m.random(n), m.zeros(n), m.zeros(n), t),
            ((8, 3), (200, 5), (2000, 3), (16384, 10)), lambda n, t, b: n * n * t * b, lambda n, t: 2 * n * n * t,
            answer=MATH),
    Program("conjugate_gradients", (conjugate, conjugate_arrays), flat_problem,
            ((8, 3), (100, 10), (800, 8), (8192, 10)), lambda n, t, b: 9 * n * n * t * b, lambda n, t: 15 * n * n * t,
            answer=MATH, outputs=(1,)),
    Program("invert_three", (invert_three, invert_three_cyclic), lambda m, n: (heavy(m, n, 3, 3), m.zeros(n, 3, 3)),
            (9, 1000, 500_000, 10**7), lambda n, b: 18 * n * b, lambda n: 42 * n, answer=MATH),
    Program("roots", (roots, roots_until), lambda m, n, t: (m.above(1.0, 7), m.above(2.0, n), t),
            ((12, 3), (1000, 8), (200_000, 10), (10**7, 10)), lambda n, t, b: 2 * n * b, lambda n, t: 26 * n * t,
            answer=MATH, outputs=(1,)),
    Program("power_method", (power_method, power_method_two_loops),
            lambda m, n, t: (m.random(n, n), m.random(n) + 1, m.zeros(n), t),
            ((8, 3), (200, 5), (2000, 3), (16384, 10)), lambda n, t, b: n * n * t * b, lambda n, t: 2 * n * n * t,
            answer=MATH, outputs=(1,)),
)  # fmt: skip
