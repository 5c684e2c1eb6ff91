"""Arrays that a function makes for itself, inside and outside of parallel loops."""

import numpy as np

from ..inputs import each_matrix, each_size
from ..registry import program


@program(verdicts={"i": "parallel"}, args=each_size(lambda rng, n: (rng.random(n),)))
def returns_a_new_array(x):
    out = np.empty(len(x))
    for i in range(len(x)):
        out[i] = x[i] * 2.0
    return out


@program(verdicts={"i": "parallel"}, args=each_size(lambda rng, n: (rng.random(n), rng.integers(0, 9, n))))
def all_makers(x, y):
    zeros = np.zeros(len(x), dtype=np.float32)
    ones = np.ones((len(x), 2))
    full = np.full(len(x), 7, dtype=np.int16)
    like = np.zeros_like(y)
    copy = np.empty_like(x)
    sevens = np.full_like(y, 7)
    for i in range(len(x)):
        zeros[i] += 1.5
        ones[i, 1] += x[i]
        full[i] *= 2
        like[i] = y[i] + full[i]
        copy[i] = x[i] + zeros[i]
        sevens[i] -= y[i]
    return zeros, ones, full, like, copy, sevens


@program(
    verdicts={"i": "parallel", "j": "parallel", "k": "reduction"},
    args=each_matrix(lambda rng, n: (rng.random((n, 8)), np.zeros(n))),
)
def array_made_in_every_iteration(a, out):
    for i in range(a.shape[0]):
        row = np.zeros(8)
        for j in range(8):
            row[7 - j] = a[i, j]
        best = row[0]
        for k in range(1, 8):
            best = max(best, row[k] - row[k - 1])
        out[i] = best


@program(
    verdicts={"i": "parallel", "j": "parallel", "p": "sequential", "q": ("sequential", "search", "scan")},
    args=each_matrix(lambda rng, n: (rng.random((n, 9)), np.zeros(n))),
)
def median_of_every_row(a, out):
    for i in range(a.shape[0]):
        work = np.empty(9)
        for j in range(9):
            work[j] = a[i, j]
        for p in range(1, 9):
            for q in range(p, 0, -1):
                if work[q - 1] > work[q]:
                    work[q - 1], work[q] = work[q], work[q - 1]
        out[i] = work[4]


@program(
    verdicts={"i": "parallel", "k@1": "parallel", "k@2": "reduction"},
    args=lambda rng: [(rng.random(40), np.zeros(40), width) for width in (5, 0, 1, 40)],
    tolerance="reduction",
)
def array_of_an_argument_size(x, out, width):
    for i in range(len(x)):
        window = np.zeros(width)
        for k in range(width):
            window[k] = x[(i + k) % len(x)] * k
        s = 0.0
        for k in range(width):
            s += window[k]
        out[i] = s


@program(
    verdicts={"i": "reduction", "k": "parallel"},
    args=each_size(lambda rng, n: (rng.integers(0, 8, n),)),
)
def local_histogram(x):
    count = np.zeros(8, np.int64)
    for i in range(len(x)):
        count[x[i]] += 1
    share = np.zeros(8)
    for k in range(8):
        share[k] = count[k] / max(len(x), 1)
    return count, share


@program(
    verdicts={"i": "parallel", "r": "parallel", "c": "parallel", "k": "reduction"},
    args=each_matrix(lambda rng, n: (rng.random((n, 3, 3)), np.zeros((n, 3, 3)))),
    tolerance="reduction",
)
def small_matrices_squared(a, out):
    for i in range(a.shape[0]):
        product = np.zeros((3, 3))
        for r in range(3):
            for c in range(3):
                for k in range(3):
                    product[r, c] += a[i, r, k] * a[i, k, c]
        for r in range(3):
            for c in range(3):
                out[i, r, c] = product[r, c]


@program(
    verdicts={"t": "sequential", "i": "parallel"},
    args=lambda rng: [(rng.random(n), steps) for n, steps in ((50, 10), (50, 0), (2, 3), (1, 4), (0, 2))],
)
def two_buffers(x, steps):
    old = np.empty_like(x)
    new = np.zeros(len(x))
    for i in range(len(x)):
        old[i] = x[i]
    for t in range(steps):
        for i in range(1, len(x) - 1):
            new[i] = 0.5 * (old[i - 1] + old[i + 1])
        old, new = new, old
    return old


@program(
    verdicts={"i": "parallel"},
    args=each_size(lambda rng, n: (rng.random(n),)),
)
def copies_and_ranges(x):
    old, position = x.copy(), np.arange(len(x))
    for i in range(1, len(x)):
        x[i] = old[i - 1] + 0.5 * position[i]
    return x, old, position


@program(
    verdicts={"i": "parallel", "j": "parallel"},
    args=each_matrix(lambda rng, n: (rng.random((n, 8)), np.zeros((n, 8)))),
)
def copy_of_a_row_in_every_iteration(a, out):
    for i in range(a.shape[0]):
        row = a[i].copy()
        for j in range(8):
            out[i, j] = row[7 - j] + row[j]
