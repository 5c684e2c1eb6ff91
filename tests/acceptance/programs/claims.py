"""Loops that the user claims to be parallel."""

import numpy as np

import weft

from ..inputs import each_matrix, each_size
from ..registry import program


@program(verdicts={"i": "parallel"}, args=each_size(lambda rng, n: (rng.random(n), np.zeros(n))))
def claim_that_is_proven(x, out):
    for i in weft.prange(len(x)):
        out[i] = x[i] * x[i]


@program(
    verdicts={"i": ("checked", "parallel")},
    args=each_size(lambda rng, n: (rng.permutation(n), rng.random(n), np.zeros(n))),
)
def claim_that_is_checked(index, x, out):
    for i in weft.prange(len(index)):
        out[index[i]] = x[i]


@program(
    verdicts={"i": "parallel"},
    args=each_size(lambda rng, n: (rng.permutation(n), rng.random(n), np.zeros(n))),
)
def claim_on_the_users_word(index, x, out):
    for i in weft.assume_independent(range(len(index))):
        out[index[i]] = x[i] + 1.0


@program(verdicts={"i": "reduction"}, args=each_size(lambda rng, n: (rng.integers(0, 99, n),)))
def claim_with_a_sum(x):
    s = 0
    for i in weft.prange(len(x)):
        s += x[i]
    return s


@program(
    verdicts={"i": "parallel", "j": "parallel"},
    args=each_matrix(lambda rng, n: (rng.random((n, n + 2)), np.zeros((n, n + 2)))),
)
def claims_inside_claims(a, out):
    for i in weft.prange(a.shape[0]):
        for j in weft.prange(1, a.shape[1], 2):
            out[i, j] = a[i, j] - a[i, j - 1]
