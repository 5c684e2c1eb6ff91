"""Tensor contractions of three to six loops."""

from __future__ import annotations

from benchmarks.breadth.program import Answer, Program


def mode_product(t, w, c):
    for i in range(t.shape[0]):
        for j in range(t.shape[1]):
            for m in range(w.shape[0]):
                total = 0.0
                for k in range(t.shape[2]):
                    total += t[i, j, k] * w[m, k]
                c[i, j, m] = total


def mode_product_flat(t, w, c):
    rows = t.shape[0] * t.shape[1]
    for p in range(rows):
        for m in range(w.shape[0]):
            total = 0.0
            for k in range(t.shape[2]):
                total += t[p // t.shape[1], p % t.shape[1], k] * w[m, k]
            c[p // t.shape[1], p % t.shape[1], m] = total


def middle_product(t, w, c):
    for i in range(t.shape[0]):
        for m in range(w.shape[0]):
            for k in range(t.shape[2]):
                total = 0.0
                for j in range(t.shape[1]):
                    total += w[m, j] * t[i, j, k]
                c[i, m, k] = total


def middle_product_in_place(t, w, c):
    for i in range(t.shape[0]):
        for m in range(w.shape[0]):
            for k in range(t.shape[2]):
                c[i, m, k] = 0.0
            for j in range(t.shape[1]):
                for k in range(t.shape[2]):
                    c[i, m, k] += w[m, j] * t[i, j, k]


def mttkrp(t, b, c, out):
    for i in range(t.shape[0]):
        for r in range(b.shape[1]):
            total = 0.0
            for j in range(t.shape[1]):
                for k in range(t.shape[2]):
                    total += t[i, j, k] * b[j, r] * c[k, r]
            out[i, r] = total


def mttkrp_factored(t, b, c, out):
    for i in range(t.shape[0]):
        for r in range(b.shape[1]):
            total = 0.0
            for j in range(t.shape[1]):
                inner = 0.0
                for k in range(t.shape[2]):
                    inner += t[i, j, k] * c[k, r]
                total += b[j, r] * inner
            out[i, r] = total


def two_indices(a, b, c):
    for i in range(a.shape[0]):
        for j in range(b.shape[2]):
            total = 0.0
            for k in range(a.shape[1]):
                for m in range(a.shape[2]):
                    total += a[i, k, m] * b[k, m, j]
            c[i, j] = total


def two_indices_flat(a, b, c):
    inner = a.shape[1] * a.shape[2]
    for i in range(a.shape[0]):
        for j in range(b.shape[2]):
            total = 0.0
            for p in range(inner):
                total += a[i, p // a.shape[2], p % a.shape[2]] * b[p // a.shape[2], p % a.shape[2], j]
            c[i, j] = total


def four_loops_out(a, b, c):
    for i in range(a.shape[0]):
        for j in range(a.shape[1]):
            for k in range(b.shape[0]):
                for m in range(b.shape[1]):
                    c[i, j, k, m] = a[i, j] * b[k, m]


def kronecker_two_loops(a, b, c):
    for i in range(a.shape[0]):
        for j in range(a.shape[1]):
            here = a[i, j]
            for p in range(b.shape[0] * b.shape[1]):
                c[i, j, p // b.shape[1], p % b.shape[1]] = here * b[p // b.shape[1], p % b.shape[1]]


def six_loops(a, b, c):
    n = a.shape[0]
    for i in range(n):
        for j in range(n):
            for k in range(n):
                for m in range(n):
                    total = 0.0
                    for p in range(n):
                        for q in range(n):
                            total += a[i, p, j, q] * b[q, k, p, m]
                    c[i, j, k, m] = total


def six_loops_in_place(a, b, c):
    n = a.shape[0]
    for i in range(n):
        for j in range(n):
            for k in range(n):
                for m in range(n):
                    c[i, j, k, m] = 0.0
                for p in range(n):
                    for q in range(n):
                        for m in range(n):
                            c[i, j, k, m] += a[i, p, j, q] * b[q, k, p, m]


def bilinear(x, w, y, out):
    for n in range(x.shape[0]):
        for o in range(w.shape[0]):
            total = 0.0
            for i in range(w.shape[1]):
                for j in range(w.shape[2]):
                    total += x[n, i] * w[o, i, j] * y[n, j]
            out[n, o] = total


def bilinear_factored(x, w, y, out):
    for n in range(x.shape[0]):
        for o in range(w.shape[0]):
            total = 0.0
            for i in range(w.shape[1]):
                row = 0.0
                for j in range(w.shape[2]):
                    row += w[o, i, j] * y[n, j]
                total += x[n, i] * row
            out[n, o] = total


def trace_of_product(a, b, out):
    for m in range(a.shape[0]):
        total = 0.0
        for i in range(a.shape[1]):
            for j in range(a.shape[2]):
                total += a[m, i, j] * b[m, j, i]
        out[m] = total


def trace_of_product_columns(a, b, out):
    for m in range(a.shape[0]):
        total = 0.0
        for j in range(a.shape[2]):
            for i in range(a.shape[1]):
                total += b[m, j, i] * a[m, i, j]
        out[m] = total


def element_matrices(basis, weights, out):
    for e in range(weights.shape[0]):
        for i in range(basis.shape[1]):
            for j in range(basis.shape[1]):
                total = 0.0
                for q in range(basis.shape[0]):
                    total += weights[e, q] * basis[q, i] * basis[q, j]
                out[e, i, j] = total


def element_matrices_in_place(basis, weights, out):
    for e in range(weights.shape[0]):
        for i in range(basis.shape[1]):
            for j in range(basis.shape[1]):
                out[e, i, j] = 0.0
        for q in range(basis.shape[0]):
            for i in range(basis.shape[1]):
                scaled = weights[e, q] * basis[q, i]
                for j in range(basis.shape[1]):
                    out[e, i, j] += scaled * basis[q, j]


def transpose_sum(a, out):
    for i in range(a.shape[0]):
        for j in range(a.shape[1]):
            for k in range(a.shape[2]):
                out[k, i, j] = a[i, j, k] + a[j, i, k]


def transpose_sum_by_output(a, out):
    for k in range(out.shape[0]):
        for i in range(out.shape[1]):
            for j in range(out.shape[2]):
                out[k, i, j] = a[i, j, k] + a[j, i, k]


SUMS = Answer.SUMS


def cubes(m, n):
    return m.random(n, n, n), m.random(n, n), m.zeros(n, n, n)


def two_cubes(n, b):
    return 2 * n**3 * b


CUBES = (6, 48, 128, 512)

PROGRAMS = (
    Program("mode_product", (mode_product, mode_product_flat), cubes, CUBES, two_cubes, lambda n: 2 * n**4,
            answer=SUMS, whole=lambda xp, t, w, c: t @ w.T),
    Program("middle_product", (middle_product, middle_product_in_place), cubes, CUBES, two_cubes,
            lambda n: 2 * n**4, answer=SUMS, whole=lambda xp, t, w, c: w @ t),
    Program("mttkrp", (mttkrp, mttkrp_factored),
            lambda m, n, r: (m.random(n, n, n), m.random(n, r), m.random(n, r), m.zeros(n, r)),
            ((6, 3), (48, 8), (128, 32), (512, 64)), lambda n, r, b: n**3 * b, lambda n, r: 2 * n**3 * r, answer=SUMS,
            whole=lambda xp, t, b, c, out: xp.einsum("ijk,jr,kr->ir", t, b, c)),
    Program("two_indices", (two_indices, two_indices_flat),
            lambda m, n, k: (m.random(n, k, k), m.random(k, k, n), m.zeros(n, n)),
            ((5, 4), (64, 16), (256, 24), (2048, 48)), lambda n, k, b: (2 * n * k * k + n * n) * b,
            lambda n, k: 2 * n * n * k * k, answer=SUMS),
    Program("outer_of_matrices", (four_loops_out, kronecker_two_loops),
            lambda m, n: (m.random(n, n), m.random(n, n), m.zeros(n, n, n, n)), (4, 16, 48, 128),
            lambda n, b: n**4 * b, lambda n: n**4),
    Program("six_loops", (six_loops, six_loops_in_place),
            lambda m, n: (m.random(n, n, n, n), m.random(n, n, n, n), m.zeros(n, n, n, n)), (3, 12, 20, 64),
            lambda n, b: 3 * n**4 * b, lambda n: 2 * n**6, answer=SUMS,
            whole=lambda xp, a, b, c: xp.einsum("ipjq,qkpm->ijkm", a, b)),
    Program("bilinear", (bilinear, bilinear_factored),
            lambda m, n, k: (m.random(n, k), m.random(k, k, k), m.random(n, k), m.zeros(n, k)),
            ((5, 4), (100, 16), (1000, 40), (10**4, 64)), lambda n, k, b: (3 * n * k + k**3) * b,
            lambda n, k: 2 * n * k**3, parallel=("n",), answer=SUMS),
    Program("trace_of_product", (trace_of_product, trace_of_product_columns),
            lambda m, q, n: (m.random(q, n, n), m.random(q, n, n), m.zeros(q)),
            ((4, 5), (100, 32), (500, 64), (10**4, 128)), lambda q, n, b: 2 * q * n * n * b,
            lambda q, n: 2 * q * n * n, parallel=("m",), answer=SUMS),
    Program("element_matrices", (element_matrices, element_matrices_in_place),
            lambda m, e, q: (m.random(q, q), m.random(e, q), m.zeros(e, q, q)),
            ((5, 4), (1000, 8), (20000, 10), (10**6, 16)), lambda e, q, b: (e * q + e * q * q) * b,
            lambda e, q: 3 * e * q**3, parallel=("e",), answer=SUMS),
    Program("transpose_sum", (transpose_sum, transpose_sum_by_output),
            lambda m, n: (m.random(n, n, n), m.zeros(n, n, n)), (6, 48, 160, 640), lambda n, b: 2 * n**3 * b,
            lambda n: n**3, whole=lambda xp, a, out: (a + a.transpose(1, 0, 2)).transpose(2, 0, 1)),
)  # fmt: skip
