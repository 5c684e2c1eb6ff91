"""Scalars that hold a value of the iteration before."""

import numpy as np

from ..inputs import each_matrix, each_size
from ..registry import program


@program(verdicts={"i": "parallel"}, args=each_size(lambda rng, n: (rng.random(n), np.zeros(n))))
def index_of_the_neighbour(a, out):
    before = len(a) - 1
    for i in range(len(a)):
        out[i] = (a[i] + a[before]) * 0.5
        before = i


@program(verdicts={"i": "parallel"}, args=each_size(lambda rng, n: (rng.random(n), np.zeros(n)), (257, 0, 2, 7, 5003)))
def indices_of_two_neighbours(a, out):
    before = len(a) - 1
    before_that = len(a) - 2
    for i in range(len(a)):
        out[i] = a[i] + a[before] * 0.5 + a[before_that] * 0.25
        before_that = before
        before = i


@program(verdicts={"i": "parallel"}, args=each_size(lambda rng, n: (rng.random(n), np.zeros(n))))
def value_of_the_neighbour(a, out):
    previous = 0.0
    for i in range(len(a)):
        out[i] = a[i] - previous
        previous = a[i]


@program(verdicts={"i": "parallel"}, args=each_size(lambda rng, n: (rng.random(n), rng.random(n), np.zeros(n))))
def computed_value_of_the_neighbour(a, b, out):
    previous = 1.0
    for i in range(len(a)):
        product = a[i] * b[i]
        out[i] = product + previous
        previous = product
    return previous


@program(verdicts={"i": ("parallel", "scan")}, args=each_size(lambda rng, n: (rng.random(2), np.zeros(n))))
def index_that_flips(pair, out):
    k = 1
    for i in range(len(out)):
        out[i] = pair[k] + i
        k = 1 - k


@program(
    verdicts={"i": "parallel", "j": "parallel"},
    args=each_matrix(lambda rng, n: (rng.random((n, n + 1)), np.zeros((n, n + 1)))),
)
def neighbours_on_a_ring(a, out):
    for i in range(a.shape[0]):
        left = a.shape[1] - 1
        for j in range(a.shape[1]):
            out[i, j] = a[i, j] - a[i, left]
            left = j


@program(verdicts={"i": "parallel"}, args=each_size(lambda rng, n: (rng.random(n), np.zeros(n))))
def first_iteration_flag(x, out):
    first = True
    for i in range(len(x)):
        out[i] = -1.0 if first else x[i]
        first = False
