"""Subscripts with whole-number division and remainder, and flattened arrays."""

import numpy as np

from ..inputs import each_matrix, each_size
from ..registry import program


@program(
    verdicts={"k": "parallel"},
    args=each_matrix(lambda rng, n: (rng.random((n, n + 3)), np.zeros(n * (n + 3)))),
)
def unflattened_by_division(a, flat):
    m = a.shape[1]
    for k in range(len(flat)):
        flat[k] = a[k // m, k % m]


@program(
    verdicts={"k": ("parallel", "checked")},
    args=each_matrix(lambda rng, n: (np.zeros((n, n + 3)), rng.random(n * (n + 3)))),
)
def written_by_division(a, flat):
    m = a.shape[1]
    for k in range(len(flat)):
        a[k // m, k % m] = flat[k]


@program(verdicts={"i": "parallel"}, args=each_size(lambda rng, n: (rng.random(n // 2 + 1), np.zeros(n))))
def every_element_twice(x, out):
    for i in range(len(out)):
        out[i] = x[i // 2]


@program(verdicts={"i": "parallel"}, args=each_size(lambda rng, n: (rng.random(7), np.zeros(n))))
def repeats_a_pattern(pattern, out):
    for i in range(len(out)):
        out[i] = pattern[i % 7] + i


@program(verdicts={"i": "parallel"}, args=each_size(lambda rng, n: (rng.random(n),)))
def even_from_odd_neighbour(a):
    for i in range(len(a) - 1):
        if i % 2 == 0:
            a[i] = a[i + 1] * 2.0


@program(
    verdicts={"i": ("parallel", "checked"), "j": "parallel"},
    args=lambda rng: [(rng.random(n * m), n, m) for n, m in ((12, 10), (0, 4), (1, 1), (5, 0))],
)
def flattened_in_place(a, n, m):
    for i in range(n):
        for j in range(m):
            a[i * m + j] = a[i * m + j] * 2.0 + i


@program(
    verdicts={"i": "parallel", "j": "parallel", "k": "parallel"},
    args=lambda rng: [
        (rng.random(60), np.zeros(60), 3, 4, 5),
        (rng.random(1), np.zeros(1), 1, 1, 1),
        (np.zeros(0), np.zeros(0), 2, 0, 3),
    ],
)
def flattened_in_three_dimensions(a, out, p, q, r):
    for i in range(p):
        for j in range(q):
            for k in range(r):
                out[(i * q + j) * r + k] = a[(k * q + j) * p + i]


@program(
    verdicts={"i": "reduction"},
    args=each_size(lambda rng, n: (rng.integers(0, 99, n), np.zeros(10, np.int64))),
)
def folds_into_ten(x, total):
    for i in range(len(x)):
        total[i % 10] += x[i]


@program(
    verdicts={"i": ("reduction", "parallel")},
    args=each_size(lambda rng, n: (rng.integers(0, 99, n), np.zeros(n // 8 + 1, np.int64))),
)
def sums_of_blocks(x, total):
    for i in range(len(x)):
        total[i // 8] += x[i]


@program(verdicts={"i": ("sequential", "parallel")}, args=each_size(lambda rng, n: (rng.random(n),)))
def reads_the_first_of_its_block(a):
    for i in range(len(a)):
        a[i] = a[i // 4 * 4] * 0.5 + 1.0


@program(
    verdicts={"i": "parallel", "j": "parallel"},
    args=lambda rng: [
        (rng.random((n, n)), np.zeros((n, n)), shift) for n, shift in ((10, 3), (10, -4), (10, 25), (1, 2))
    ],
)
def turned_on_a_torus(a, out, shift):
    n, m = a.shape
    for i in range(n):
        for j in range(m):
            out[i, j] = a[(i + shift) % n, (j - shift) % m]


@program(
    verdicts={"b": "parallel", "k": "parallel"},
    args=each_size(lambda rng, n: (rng.random(n), np.zeros(n))),
)
def blocks_by_hand(x, out):
    n = len(x)
    for b in range((n + 15) // 16):
        for k in range(b * 16, min(n, b * 16 + 16)):
            out[k] = x[k] + b
