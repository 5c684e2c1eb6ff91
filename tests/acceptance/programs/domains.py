"""Iteration domains that are no boxes: triangles, bands, steps, guards, sizes from arrays."""

import numpy as np

from ..inputs import each_matrix, each_size
from ..registry import program


@program(
    verdicts={"i": "parallel", "j": "parallel"},
    args=each_matrix(lambda rng, n: (rng.random((n, n)), np.zeros((n, n)))),
)
def lower_triangle(a, out):
    for i in range(a.shape[0]):
        for j in range(i + 1):
            out[i, j] = a[i, j] * 2.0


@program(
    verdicts={"i": "parallel", "j": "parallel"},
    args=each_matrix(lambda rng, n: (rng.random((n, n)),)),
)
def transposed_in_place(a):
    for i in range(a.shape[0]):
        for j in range(i):
            a[i, j], a[j, i] = a[j, i], a[i, j]


@program(
    verdicts={"i": "parallel", "j": "parallel"},
    args=each_matrix(lambda rng, n: (rng.random((n, n)),)),
)
def upper_triangle_mirrored(a):
    n = a.shape[0]
    for i in range(n):
        for j in range(i + 1, n):
            a[j, i] = a[i, j]


@program(
    verdicts={"i": "parallel", "j": "parallel"},
    args=lambda rng: [(np.zeros((n, n)), width) for n, width in ((20, 3), (20, 0), (20, 50), (1, 2), (0, 1))],
)
def band(a, width):
    n = a.shape[0]
    for i in range(n):
        for j in range(max(0, i - width), min(n, i + width + 1)):
            a[i, j] = 1.0 / (1 + abs(i - j))


@program(
    verdicts={"i": "parallel", "j": "parallel"},
    args=each_matrix(lambda rng, n: (rng.random((n, n + 3)),)),
)
def red_half_of_a_board(a):
    for i in range(1, a.shape[0] - 1):
        for j in range(1 + i % 2, a.shape[1] - 1, 2):
            a[i, j] = 0.25 * (a[i - 1, j] + a[i + 1, j] + a[i, j - 1] + a[i, j + 1])


@program(
    verdicts={"i": "parallel", "j": "reduction"},
    args=each_matrix(lambda rng, n: (rng.random((n, n)), rng.random(n), np.zeros(n))),
    tolerance="reduction",
)
def triangular_matrix_times_vector(a, x, y):
    for i in range(a.shape[0]):
        for j in range(i, a.shape[0]):
            y[i] += a[i, j] * x[j]


@program(
    verdicts={"i": "sequential", "j": ("reduction", "parallel")},
    args=each_matrix(lambda rng, n: (rng.random((n, n)) / max(n, 1) + 2.0 * np.eye(n), rng.random(n))),
    tolerance="reduction",
)
def forward_substitution(a, x):
    for i in range(a.shape[0]):
        for j in range(i):
            x[i] -= a[i, j] * x[j]
        x[i] = x[i] / a[i, i]


@program(
    verdicts={"i": "parallel", "j": "parallel"},
    args=each_size(lambda rng, n: (rng.integers(0, 9, n), np.zeros((n, 8))), (60, 0, 1, 7)),
)
def row_lengths_from_an_array(length, out):
    for i in range(len(length)):
        for j in range(min(length[i], 8)):
            out[i, j] = i - j


@program(
    verdicts={"i": "parallel", "j": "parallel"},
    args=each_matrix(lambda rng, n: (rng.random((n, n + 1)), np.zeros((n, n + 1)))),
)
def disc(a, out):
    n, m = a.shape
    for i in range(n):
        for j in range(m):
            if (2 * i - n) ** 2 + (2 * j - m) ** 2 < n * m:
                out[i, j] = a[i, j]


@program(
    verdicts={"i": "parallel", "j": "parallel"},
    args=each_matrix(lambda rng, n: (rng.random((n, n)), np.zeros((n, n)))),
)
def value_outside_is_zero(a, out):
    n, m = a.shape
    for i in range(n):
        for j in range(m):
            above = a[i - 1, j] if i > 0 else 0.0
            below = a[i + 1, j] if i < n - 1 else 0.0
            right = a[i, j + 1] if 0 <= j + 1 < m else 0.0
            out[i, j] = above + below - right


@program(
    verdicts={"i": "parallel", "j": "parallel", "k": "reduction"},
    args=each_matrix(lambda rng, n: (rng.integers(-5, 5, (n, n)), np.zeros((n, n), np.int64)), (9, 0, 1, 4, 18)),
)
def sums_over_shrinking_ranges(a, out):
    n = a.shape[0]
    for i in range(n):
        for j in range(i, n):
            for k in range(i, j + 1):
                out[i, j] += a[i, k]


@program(
    verdicts={"i": "parallel", "j": ("parallel", "sequential")},
    args=each_size(lambda rng, n: (np.zeros(n),), (100, 0, 1, 7)),
)
def steps_that_depend_on_the_outer_loop(out):
    for i in range(len(out)):
        last = -1
        for j in range(i % 5, i + 1, i % 3 + 1):
            last = j
        out[i] = last
