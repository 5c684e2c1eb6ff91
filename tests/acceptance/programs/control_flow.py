"""Branches inside loops: guards, alternatives, skips, invariant conditions, loops that leave early."""

import numpy as np

from ..inputs import each_matrix, each_size, signed, with_nans
from ..registry import program


@program(verdicts={"i": "parallel"}, args=each_size(lambda rng, n: (np.zeros(n), signed(rng, n))))
def guarded_store(a, b):
    for i in range(len(a)):
        if b[i] > 0.0:
            a[i] = b[i] * 4.0


@program(verdicts={"i": "parallel"}, args=each_size(lambda rng, n: (np.zeros(n), signed(rng, n), signed(rng, n))))
def three_ways(a, b, c):
    for i in range(len(a)):
        if b[i] > 0.5:
            a[i] = b[i] + c[i]
        elif b[i] > -0.25:
            a[i] = b[i] * c[i]
        else:
            a[i] = c[i]


@program(verdicts={"i": "parallel"}, args=each_size(lambda rng, n: (np.zeros(n), signed(rng, n), signed(rng, n))))
def nested_guards(a, b, c):
    for i in range(len(a)):
        if b[i] > 0.0:
            a[i] = b[i]
            if c[i] > 0.0:
                a[i] = a[i] + c[i]
                if c[i] > b[i]:
                    a[i] = -a[i]


@program(verdicts={"i": "parallel"}, args=each_size(lambda rng, n: (np.zeros(n), signed(rng, n))))
def skips_with_continue(a, b):
    for i in range(len(a)):
        if b[i] < 0.0:
            continue
        a[i] = b[i] * b[i]
        if b[i] < 0.5:
            continue
        a[i] = a[i] - 0.5


@program(verdicts={"i": "parallel"}, args=each_size(lambda rng, n: (np.zeros(n), signed(rng, n))))
def scalar_set_in_both_branches(a, b):
    for i in range(len(a)):
        if b[i] >= 0.0:
            t = b[i]
            sign = 1
        else:
            t = -b[i]
            sign = -1
        a[i] = (t + 1.0) * sign


@program(
    verdicts={"i": "parallel"},
    args=lambda rng: [(np.zeros(50), rng.random(50), mode) for mode in (0, 1, 2)],
)
def invariant_mode(a, b, mode):
    for i in range(len(a)):
        if mode == 0:
            a[i] = b[i]
        elif mode == 1:
            a[i] = 1.0 - b[i]
        else:
            a[i] = 0.5


@program(
    verdicts={"i": ("scan", "sequential")},
    args=each_size(lambda rng, n: (np.ones(n), signed(rng, n))),
    tolerance="reduction",
)
def recurrence_under_a_guard(a, b):
    for i in range(1, len(a)):
        if b[i] > 0.0:
            a[i] = a[i - 1] + b[i]
        else:
            a[i] = b[i] * 0.5


@program(
    verdicts={"i": ("parallel", "search")},
    args=lambda rng: [(np.zeros(40), rng.random(40), stop) for stop in (25, 0, 39, 40, 1000, -1)],
)
def leaves_at_a_known_iteration(a, b, stop):
    for i in range(len(a)):
        if i == stop:
            break
        a[i] = b[i] + 1.0


@program(
    verdicts={"i": "parallel"},
    args=each_size(lambda rng, n: (rng.integers(1, 60, n), np.zeros(n, np.int64)), (64, 0, 1, 7)),
)
def while_loop_inside(start, steps):
    for i in range(len(start)):
        value = start[i]
        count = 0
        while value != 1:
            if value % 2 == 0:
                value = value // 2
            else:
                value = 3 * value + 1
            count += 1
        steps[i] = count


@program(
    verdicts={"i": "parallel"}, args=each_size(lambda rng, n: (np.zeros(n), with_nans(signed(rng, n), *range(0, n, 5))))
)
def conditional_expressions(a, b):
    for i in range(len(a)):
        a[i] = 1.0 if -0.5 < b[i] <= 0.5 else (2.0 if b[i] > 0.5 else (3.0 if b[i] == b[i] else 4.0))


@program(
    verdicts={"i": "parallel", "j": "parallel"},
    args=each_matrix(lambda rng, n: (np.zeros((n, n + 1)), signed(rng, n, n + 1), signed(rng, n))),
)
def whole_rows_are_skipped(a, b, weight):
    for i in range(a.shape[0]):
        if weight[i] < 0.0:
            continue
        for j in range(a.shape[1]):
            if b[i, j] > weight[i]:
                a[i, j] = b[i, j] - weight[i]


@program(
    verdicts={"i": "parallel"}, args=each_size(lambda rng, n: (signed(rng, n), signed(rng, n), np.zeros(n, np.bool_)))
)
def short_circuit_logic(x, y, out):
    for i in range(len(x)):
        out[i] = (x[i] > 0.0 and y[i] > 0.0) or not (x[i] > -0.5 or y[i] > -0.5)


@program(
    verdicts={"i": "parallel", "j": "reduction"},
    args=each_matrix(lambda rng, n: (signed(rng, n, n), np.zeros(n), np.zeros(n, np.int64))),
    tolerance="reduction",
)
def totals_and_counts_of_rows(a, total, used):
    for i in range(a.shape[0]):
        s = 0.0
        k = 0
        for j in range(i + 1):
            s += a[i, j]
            k += 1
        total[i] = s
        if k > 3:
            used[i] = k
