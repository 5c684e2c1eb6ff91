"""Extents, offsets and steps that are known only at the call."""

import numpy as np

from ..inputs import each_matrix
from ..registry import program


@program(
    verdicts={"i": "parallel"},
    args=lambda rng: [(rng.random(40), 20), (rng.random(40), 0), (rng.random(41), 20), (rng.random(2), 1)],
)
def second_half_from_first(a, m):
    for i in range(m):
        a[i + m] = a[i] * 2.0


@program(
    verdicts={"i": ("checked", "parallel")},
    args=lambda rng: [(rng.random(60), 20, m) for m in (30, 0, 1, 7, 20, 40)],
)
def offset_is_an_argument(a, n, m):
    for i in range(n):
        a[i] = a[i + m] + 1.0


@program(
    verdicts={"i": ("checked", "parallel")},
    args=lambda rng: [(rng.random(60), 20, m) for m in (30, 0, 1, 7, 20, 40)],
    tolerance="reduction",
)
def distance_back_is_an_argument(a, n, m):
    for i in range(n):
        a[i + m] = a[i] + 1.0


@program(
    verdicts={"i": "parallel"},
    args=lambda rng: [(np.zeros(50), rng.random(50), step) for step in (3, 1, 49, 50, 200, -1)],
)
def loop_step_is_an_argument(a, b, step):
    for i in range(0, len(a), step):
        a[i] = b[i] + step


@program(
    verdicts={"i": "parallel"},
    args=lambda rng: [
        (np.zeros(50), rng.random(50), high, step) for high, step in ((49, 2), (0, 1), (49, 7), (10, 60))
    ],
)
def backwards_by_an_argument(a, b, high, step):
    for i in range(high, -1, -step):
        a[i] = b[high - i]


@program(
    verdicts={"i": ("checked", "parallel")},
    args=lambda rng: [(np.zeros(100), rng.random(12), stride) for stride in (3, 1, 8, 0, -2)],
)
def stride_is_an_argument(a, b, stride):
    for i in range(len(b)):
        a[stride * i] = b[i]


@program(
    verdicts={"i": "parallel", "j": "parallel"},
    args=each_matrix(lambda rng, n: (rng.random(n * (n + 2)), np.zeros(n * (n + 2)), n, n + 2)),
)
def flattened_rows(a, out, rows, columns):
    for i in range(rows):
        for j in range(columns):
            out[i * columns + j] = a[i * columns + j] + i - j


@program(
    verdicts={"i": ("checked", "parallel"), "j": "parallel"},
    args=lambda rng: [
        (rng.random(200), np.zeros(200), n, m, w) for n, m, w in ((10, 12, 15), (10, 12, 12), (10, 12, 5), (3, 0, 2))
    ],
)
def flattened_rows_of_another_width(a, out, n, m, width):
    for i in range(n):
        for j in range(m):
            out[i * width + j] = a[i * width + j] * (i + 1)


@program(
    verdicts={"i": "parallel"},
    args=lambda rng: [
        (rng.random(30), np.zeros(30), low, high) for low, high in ((5, 25), (0, 30), (10, 10), (20, 3), (-4, 4))
    ],
)
def both_limits_are_arguments(a, out, low, high):
    for i in range(low, high):
        out[i] = a[i] + i


@program(
    verdicts={"i": "parallel", "j": "parallel", "k": "reduction"},
    args=each_matrix(
        lambda rng, n: (rng.random(n * (n + 1)), rng.random((n + 1) * 3), np.zeros(n * 3), n, 3, n + 1),
        (12, 0, 1, 5),
    ),
    tolerance="reduction",
)
def flattened_matrix_product(a, b, c, n, m, depth):
    for i in range(n):
        for j in range(m):
            s = 0.0
            for k in range(depth):
                s += a[i * depth + k] * b[k * m + j]
            c[i * m + j] = s


@program(
    verdicts={"i": "parallel"},
    args=lambda rng: [(rng.random(64), window) for window in (8, 1, 0, 32)],
)
def window_behind_the_loop(a, window):
    start = len(a) - window
    for i in range(window):
        a[start + i] = a[i] - a[start + i] if window * 2 <= len(a) else 0.0
