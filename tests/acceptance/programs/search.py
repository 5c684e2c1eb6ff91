"""Loops that end when they have found something."""

import numpy as np

from ..inputs import each_matrix, each_size
from ..registry import program


def needles(rng, n):
    """One array without the value 9, and others with it first, last, in the middle and twice."""
    hay = rng.integers(0, 9, n)
    cases = [hay]
    for places in ([n // 2], [0], [n - 1], [n // 3, n // 2]):
        other = hay.copy()
        other[places] = 9
        cases.append(other)
    return [*cases, np.zeros(0, np.int64), np.full(1, 9)]


@program(verdicts={"i": "search"}, args=lambda rng: [(hay, 9) for hay in needles(rng, 400)])
def first_place_of(x, value):
    place = -1
    for i in range(len(x)):
        if x[i] == value:
            place = i
            break
    return place


@program(verdicts={"i": "search"}, args=lambda rng: [(hay,) for hay in needles(rng, 400)])
def returns_from_the_loop(x):
    for i in range(len(x)):
        if x[i] > 8:
            return i
    return len(x)


@program(verdicts={"i": "search"}, args=lambda rng: [(hay,) for hay in needles(rng, 400)])
def else_of_the_loop(x):
    for i in range(len(x)):
        if x[i] == 9:
            found = i * 10
            break
    else:
        found = -7
    return found


@program(verdicts={"i": "search"}, args=lambda rng: [(hay,) for hay in needles(rng, 400)])
def last_place_of_nine(x):
    for i in range(len(x) - 1, -1, -1):
        if x[i] == 9:
            return i
    return -1


@program(verdicts={"i": "search"}, args=lambda rng: [(hay,) for hay in needles(rng, 400)])
def is_there_any(x):
    found = False
    for i in range(len(x)):
        if x[i] == 9:
            found = True
            break
    return found


@program(
    verdicts={"i": "search"},
    args=each_size(lambda rng, n: (np.arange(n), np.where(np.arange(n) == 200, -1, np.arange(n)))),
)
def first_difference(x, y):
    for i in range(len(x)):
        if x[i] != y[i]:
            return i, x[i], y[i]
    return -1, 0, 0


@program(
    verdicts={"i": "search", "j": "search"},
    args=lambda rng: [(rng.random((20, 30)), limit) for limit in (0.99, 0.0, 2.0)] + [(np.zeros((0, 3)), 0.5)],
)
def first_place_in_a_matrix(a, limit):
    for i in range(a.shape[0]):
        for j in range(a.shape[1]):
            if a[i, j] > limit:
                return i, j
    return -1, -1


@program(
    verdicts={"i": "parallel", "j": "search"},
    args=each_matrix(lambda rng, n: (rng.random((n, n + 2)), np.full(n, -1, np.int64))),
)
def first_place_in_every_row(a, out):
    for i in range(a.shape[0]):
        for j in range(a.shape[1]):
            if a[i, j] > 0.8:
                out[i] = j
                break


@program(verdicts={"i": "search"}, args=lambda rng: [(np.sort(rng.random(300)), t) for t in (0.5, -1.0, 2.0)])
def where_to_insert(sorted_values, t):
    place = len(sorted_values)
    for i in range(len(sorted_values)):
        if sorted_values[i] >= t:
            place = i
            break
    return place


@program(verdicts={}, args=lambda rng: [(np.sort(rng.random(300)), t) for t in (0.5, -1.0, 2.0)] + [(np.zeros(0), 1.0)])
def binary_search(sorted_values, t):
    low = 0
    high = len(sorted_values)
    while low < high:
        middle = (low + high) // 2
        if sorted_values[middle] < t:
            low = middle + 1
        else:
            high = middle
    return low


@program(
    verdicts={"i": ("search", "scan", "sequential")},
    args=each_size(lambda rng, n: (rng.random(n), 20.0), layouts=False),
)
def where_the_sum_passes(x, limit):
    s = 0.0
    for i in range(len(x)):
        s += x[i]
        if s > limit:
            return i
    return -1


@program(
    verdicts={"i": ("search", "parallel")}, args=lambda rng: [(hay, np.zeros(len(hay))) for hay in needles(rng, 400)]
)
def writes_until_found(x, out):
    for i in range(len(x)):
        if x[i] == 9:
            break
        out[i] = x[i] * 0.5


@program(
    verdicts={"i": "parallel", "j": "search"},
    args=each_matrix(lambda rng, n: (rng.integers(0, 40, n), rng.integers(0, 40, n + 2), np.zeros(n, np.bool_))),
)
def membership(x, members, out):
    for i in range(len(x)):
        out[i] = False
        for j in range(len(members)):
            if members[j] == x[i]:
                out[i] = True
                break
