"""Arrays of no dimension up to eight."""

import numpy as np

from ..inputs import each_size
from ..registry import program


@program(
    verdicts={"i": "reduction"},
    args=each_size(lambda rng, n: (rng.random(n), np.array(0.25)), layouts=False),
    tolerance="reduction",
)
def no_dimension(x, total):
    for i in range(len(x)):
        total[()] += x[i]


@program(
    verdicts={"i": "parallel", "j": "parallel", "k": "parallel"},
    args=each_size(lambda rng, n: (rng.random((n, n + 1, n + 2)), np.zeros((n + 2, n, n + 1))), (7, 0, 1, 16)),
)
def three_dimensions_turned(a, out):
    for i in range(a.shape[0]):
        for j in range(a.shape[1]):
            for k in range(a.shape[2]):
                out[k, i, j] = a[i, j, k]


@program(
    verdicts={"i": "parallel", "j": "parallel", "k": "parallel", "m": "reduction"},
    args=each_size(lambda rng, n: (rng.random((n, 3, n, 5)), np.zeros((n, 3, n))), (6, 0, 1, 10)),
    tolerance="reduction",
)
def four_dimensions_to_three(a, out):
    for i in range(a.shape[0]):
        for j in range(a.shape[1]):
            for k in range(a.shape[2]):
                s = 0.0
                for m in range(a.shape[3]):
                    s += a[i, j, k, m]
                out[i, j, k] = s


@program(
    verdicts={name: "parallel" for name in "ijkmnp"},
    args=each_size(lambda rng, n: (rng.random((2, n, 3, 1, n, 2)),), (4, 0, 1)),
)
def six_dimensions(a):
    for i in range(a.shape[0]):
        for j in range(a.shape[1]):
            for k in range(a.shape[2]):
                for m in range(a.shape[3]):
                    for n in range(a.shape[4]):
                        for p in range(a.shape[5]):
                            a[i, j, k, m, n, p] += i + j - k * p + m + n


@program(
    verdicts={name: "parallel" for name in "abcdefgh"},
    args=each_size(
        lambda rng, n: (rng.random((2, n, 2, 1, 3, 2, 1, n)), np.zeros((2, n, 2, 1, 3, 2, 1, n))), (3, 0, 1)
    ),
)
def eight_dimensions(x, out):
    for a in range(x.shape[0]):
        for b in range(x.shape[1]):
            for c in range(x.shape[2]):
                for d in range(x.shape[3]):
                    for e in range(x.shape[4]):
                        for f in range(x.shape[5]):
                            for g in range(x.shape[6]):
                                for h in range(x.shape[7]):
                                    out[a, b, c, d, e, f, g, h] = x[a, b, c, d, e, f, g, h] * 2.0


@program(
    verdicts={"i": "parallel", "j": "parallel", "k": "parallel"},
    args=each_size(lambda rng, n: (rng.random((n, n, n)), np.zeros((n, n, n))), (8, 0, 1, 2, 14)),
)
def stencil_in_three_dimensions(a, out):
    for i in range(1, a.shape[0] - 1):
        for j in range(1, a.shape[1] - 1):
            for k in range(1, a.shape[2] - 1):
                sides = a[i - 1, j, k] + a[i + 1, j, k] + a[i, j - 1, k] + a[i, j + 1, k]
                out[i, j, k] = (sides + a[i, j, k - 1] + a[i, j, k + 1]) / 6.0
