"""Dense products: every transposition, batched, triangular, symmetric, other semirings, small and skinny ones."""

from __future__ import annotations

from benchmarks.breadth.program import Answer, Program


def product(a, b, c):
    for i in range(c.shape[0]):
        for j in range(c.shape[1]):
            total = 0.0
            for k in range(a.shape[1]):
                total += a[i, k] * b[k, j]
            c[i, j] = total


def product_in_place(a, b, c):
    for i in range(c.shape[0]):
        for j in range(c.shape[1]):
            c[i, j] = 0.0
        for k in range(a.shape[1]):
            for j in range(c.shape[1]):
                c[i, j] += a[i, k] * b[k, j]


def product_flat(a, b, c):
    n, m = c.shape
    for p in range(n * m):
        total = 0.0
        for k in range(a.shape[1]):
            total += a[p // m, k] * b[k, p % m]
        c[p // m, p % m] = total


def product_whole(xp, a, b, c):
    return a @ b


def product_left_transposed(a, b, c):
    for i in range(c.shape[0]):
        for j in range(c.shape[1]):
            total = 0.0
            for k in range(a.shape[0]):
                total += a[k, i] * b[k, j]
            c[i, j] = total


def product_left_transposed_outer(a, b, c):
    for i in range(c.shape[0]):
        for j in range(c.shape[1]):
            c[i, j] = 0.0
    for k in range(a.shape[0]):
        for i in range(c.shape[0]):
            for j in range(c.shape[1]):
                c[i, j] += a[k, i] * b[k, j]


def product_right_transposed(a, b, c):
    for i in range(c.shape[0]):
        for j in range(c.shape[1]):
            total = 0.0
            for k in range(a.shape[1]):
                total += a[i, k] * b[j, k]
            c[i, j] = total


def product_right_transposed_columns(a, b, c):
    for j in range(c.shape[1]):
        for i in range(c.shape[0]):
            total = 0.0
            for k in range(a.shape[1]):
                total = total + b[j, k] * a[i, k]
            c[i, j] = total


def batched(a, b, c):
    for m in range(c.shape[0]):
        for i in range(c.shape[1]):
            for j in range(c.shape[2]):
                total = 0.0
                for k in range(a.shape[2]):
                    total += a[m, i, k] * b[m, k, j]
                c[m, i, j] = total


def batched_by_views(a, b, c):
    for m in range(c.shape[0]):
        left = a[m]
        right = b[m]
        for i in range(c.shape[1]):
            for j in range(c.shape[2]):
                total = 0.0
                for k in range(a.shape[2]):
                    total += left[i, k] * right[k, j]
                c[m, i, j] = total


def triangular(a, b, c):
    for i in range(c.shape[0]):
        for j in range(c.shape[1]):
            total = 0.0
            for k in range(i + 1):
                total += a[i, k] * b[k, j]
            c[i, j] = total


def triangular_by_test(a, b, c):
    for i in range(c.shape[0]):
        for j in range(c.shape[1]):
            total = 0.0
            for k in range(a.shape[1]):
                if k <= i:
                    total += a[i, k] * b[k, j]
            c[i, j] = total


def triangular_whole(xp, a, b, c):
    return xp.tril(a) @ b


def syrk(a, c):
    for i in range(c.shape[0]):
        for j in range(i + 1):
            total = 0.0
            for k in range(a.shape[1]):
                total += a[i, k] * a[j, k]
            c[i, j] = total


def syrk_upper_first(a, c):
    for j in range(c.shape[0]):
        for i in range(j, c.shape[0]):
            total = 0.0
            for k in range(a.shape[1]):
                total += a[i, k] * a[j, k]
            c[i, j] = total


def syrk_whole(xp, a, c):
    return xp.tril(a @ a.T)


def symmetric(a, b, c):
    n = a.shape[0]
    for i in range(n):
        for j in range(b.shape[1]):
            total = 0.0
            for k in range(n):
                if k <= i:
                    total += a[i, k] * b[k, j]
                else:
                    total += a[k, i] * b[k, j]
            c[i, j] = total


def symmetric_in_two(a, b, c):
    n = a.shape[0]
    for i in range(n):
        for j in range(b.shape[1]):
            total = 0.0
            for k in range(i + 1):
                total += a[i, k] * b[k, j]
            for k in range(i + 1, n):
                total += a[k, i] * b[k, j]
            c[i, j] = total


def min_plus(a, b, c):
    for i in range(c.shape[0]):
        for j in range(c.shape[1]):
            best = a[i, 0] + b[0, j]
            for k in range(1, a.shape[1]):
                best = min(best, a[i, k] + b[k, j])
            c[i, j] = best


def min_plus_in_place(a, b, c):
    for i in range(c.shape[0]):
        for j in range(c.shape[1]):
            c[i, j] = a[i, 0] + b[0, j]
        for k in range(1, a.shape[1]):
            for j in range(c.shape[1]):
                if a[i, k] + b[k, j] < c[i, j]:
                    c[i, j] = a[i, k] + b[k, j]


def max_times(a, b, c):
    for i in range(c.shape[0]):
        for j in range(c.shape[1]):
            best = 0.0
            for k in range(a.shape[1]):
                best = max(best, a[i, k] * b[k, j])
            c[i, j] = best


def max_times_by_if(a, b, c):
    for i in range(c.shape[0]):
        for j in range(c.shape[1]):
            best = 0.0
            for k in range(a.shape[1]):
                one = a[i, k] * b[k, j]
                if one > best:
                    best = one
            c[i, j] = best


def reachable(a, b, c):
    for i in range(c.shape[0]):
        for j in range(c.shape[1]):
            found = False
            for k in range(a.shape[1]):
                found = found or (a[i, k] and b[k, j])
            c[i, j] = found


def reachable_bits(a, b, c):
    for i in range(c.shape[0]):
        for j in range(c.shape[1]):
            found = False
            for k in range(a.shape[1]):
                found |= a[i, k] & b[k, j]
            c[i, j] = found


def reachable_whole(xp, a, b, c):
    return (a.astype("float32") @ b.astype("float32")) > 0


def matvec(a, x, y):
    for i in range(a.shape[0]):
        total = 0.0
        for j in range(a.shape[1]):
            total += a[i, j] * x[j]
        y[i] = total


def matvec_in_place(a, x, y):
    for i in range(a.shape[0]):
        y[i] = 0.0
        for j in range(a.shape[1]):
            y[i] += a[i, j] * x[j]


def matvec_whole(xp, a, x, y):
    return a @ x


def matvec_transposed(a, x, y):
    for j in range(a.shape[1]):
        total = 0.0
        for i in range(a.shape[0]):
            total += a[i, j] * x[i]
        y[j] = total


def matvec_transposed_rows(a, x, y):
    for j in range(a.shape[1]):
        y[j] = 0.0
    for i in range(a.shape[0]):
        for j in range(a.shape[1]):
            y[j] += a[i, j] * x[i]


def matvec_transposed_whole(xp, a, x, y):
    return a.T @ x


def epilogue(a, b, bias, c):
    for i in range(c.shape[0]):
        for j in range(c.shape[1]):
            total = bias[j]
            for k in range(a.shape[1]):
                total += a[i, k] * b[k, j]
            c[i, j] = max(total, 0.0)


def epilogue_apart(a, b, bias, c):
    for i in range(c.shape[0]):
        for j in range(c.shape[1]):
            total = 0.0
            for k in range(a.shape[1]):
                total += a[i, k] * b[k, j]
            c[i, j] = total
    for i in range(c.shape[0]):
        for j in range(c.shape[1]):
            c[i, j] = max(bias[j] + c[i, j], 0.0)


def epilogue_whole(xp, a, b, bias, c):
    return xp.maximum(a @ b + bias, 0)


def squares(m, n):
    return m.random(n, n), m.random(n, n), m.zeros(n, n)


def booleans(m, n):
    a, b = (m.below(n, n, n) < 3 for _ in range(2))
    return a, b, a & False


def three(n, b):
    return 3 * n * n * b


def cubed(n):
    return 2 * n**3


SQUARES = (9, 128, 512, 4096)
SUMS = Answer.SUMS

PROGRAMS = (
    Program("product", (product, product_in_place, product_flat), squares, SQUARES, three, cubed, answer=SUMS,
            whole=product_whole),
    Program("product_left_transposed", (product_left_transposed, product_left_transposed_outer), squares, SQUARES,
            three, cubed, answer=SUMS, whole=lambda xp, a, b, c: a.T @ b),
    Program("product_right_transposed", (product_right_transposed, product_right_transposed_columns), squares, SQUARES,
            three, cubed, answer=SUMS, whole=lambda xp, a, b, c: a @ b.T),
    Program("product_skinny", (product, product_in_place),
            lambda m, n, k: (m.random(n, k), m.random(k, 8), m.zeros(n, 8)),
            ((11, 9), (1000, 64), (20000, 256), (10**6, 256)), lambda n, k, b: (n * k + 8 * k + 8 * n) * b,
            lambda n, k: 16 * n * k, answer=SUMS, whole=product_whole),
    Program("product_deep", (product, product_in_place),
            lambda m, n, k: (m.random(n, k), m.random(k, n), m.zeros(n, n)),
            ((5, 40), (16, 10**4), (32, 10**5), (64, 10**7)), lambda n, k, b: 2 * n * k * b,
            lambda n, k: 2 * n * n * k, answer=SUMS, whole=product_whole),
    Program("product_outer", (product, product_flat), lambda m, n, k: (m.random(n, k), m.random(k, n), m.zeros(n, n)),
            ((9, 2), (200, 4), (2048, 4), (16384, 4)), lambda n, k, b: (2 * n * k + n * n) * b,
            lambda n, k: 2 * n * n * k, answer=SUMS, whole=product_whole),
    Program("batched_product", (batched, batched_by_views),
            lambda m, q, n: (m.random(q, n, n), m.random(q, n, n), m.zeros(q, n, n)),
            ((3, 5), (10, 64), (64, 128), (512, 512)), lambda q, n, b: 3 * q * n * n * b,
            lambda q, n: 2 * q * n**3, parallel=("m",), answer=SUMS, whole=product_whole),
    Program("batched_product_tiny", (batched, batched_by_views),
            lambda m, q: (m.random(q, 4, 4), m.random(q, 4, 4), m.zeros(q, 4, 4)),
            (7, 1000, 200_000, 10**7), lambda q, b: 48 * q * b, lambda q: 128 * q, parallel=("m",), answer=SUMS,
            whole=product_whole),
    Program("triangular_product", (triangular, triangular_by_test), squares, SQUARES,
            lambda n, b: 2.5 * n * n * b, lambda n: n**3, answer=SUMS, whole=triangular_whole),
    Program("syrk", (syrk, syrk_upper_first), lambda m, n: (m.random(n, n), m.zeros(n, n)), SQUARES,
            lambda n, b: 1.5 * n * n * b, lambda n: n**3, answer=SUMS, whole=syrk_whole),
    Program("symmetric_product", (symmetric, symmetric_in_two), squares, (9, 128, 384, 4096),
            lambda n, b: 2.5 * n * n * b, cubed, answer=SUMS),
    Program("min_plus", (min_plus, min_plus_in_place), squares, (9, 128, 384, 4096), three, cubed),
    Program("max_times", (max_times, max_times_by_if), squares, (9, 128, 384, 4096), three, cubed),
    Program("reachable", (reachable, reachable_bits), booleans, (9, 128, 512, 4096), lambda n, b: 3 * n * n, cubed,
            whole=reachable_whole, dtypes=("float64",)),
    Program("matvec", (matvec, matvec_in_place), lambda m, n: (m.random(n, n), m.random(n), m.zeros(n)),
            (11, 256, 2048, 16384), lambda n, b: n * n * b, lambda n: 2 * n * n, answer=SUMS, whole=matvec_whole),
    Program("matvec_transposed", (matvec_transposed, matvec_transposed_rows),
            lambda m, n: (m.random(n, n), m.random(n), m.zeros(n)), (11, 256, 2048, 16384), lambda n, b: n * n * b,
            lambda n: 2 * n * n, parallel=("j",), answer=SUMS, whole=matvec_transposed_whole),
    Program("product_epilogue", (epilogue, epilogue_apart),
            lambda m, n: (m.signed(n, n), m.signed(n, n), m.signed(n), m.zeros(n, n)), SQUARES, three, cubed,
            answer=SUMS, whole=epilogue_whole),
)  # fmt: skip
