"""Names of arrays that change places while the program runs."""

import numpy as np

from ..inputs import each_size
from ..registry import program


@program(
    verdicts={"t": "sequential", "i": "parallel"},
    args=lambda rng: [(rng.random(60), np.zeros(60), steps) for steps in (7, 0, 1, 8)],
)
def time_steps(u, v, steps):
    for t in range(steps):
        for i in range(1, len(u) - 1):
            v[i] = 0.25 * u[i - 1] + 0.5 * u[i] + 0.25 * u[i + 1]
        u, v = v, u
    return u


@program(
    verdicts={"t": "sequential", "i": "parallel"},
    args=lambda rng: [(rng.random(40), np.zeros(40), np.zeros(40), steps) for steps in (7, 0, 1, 2, 3)],
)
def three_buffers_in_turn(a, b, c, steps):
    for t in range(steps):
        for i in range(len(a)):
            c[i] = a[i] + 0.5 * b[i] + t
        a, b, c = b, c, a
    return a, b


@program(
    verdicts={"i": "parallel"}, args=lambda rng: [(rng.random(30), rng.random(30), flag) for flag in (True, False)]
)
def swapped_under_a_condition(a, b, flag):
    if flag:
        a, b = b, a
    for i in range(len(a)):
        a[i] = b[i] * 2.0
    return a


@program(
    verdicts={"t": "sequential", "i": "parallel"},
    args=lambda rng: [(rng.integers(0, 99, 32), np.zeros(32, np.int64), k) for k in (5, 0, 1, 3)],
)
def doubling_prefix_sum(x, y, rounds):
    step = 1
    for t in range(rounds):
        for i in range(len(x)):
            y[i] = x[i] + x[i - step] if i >= step else x[i]
        x, y = y, x
        step *= 2
    return x


@program(verdicts={"i": "parallel"}, args=each_size(lambda rng, n: (rng.random(n), rng.random(n))))
def swapped_twice(a, b):
    p, q = a, b
    p, q = q, p
    for i in range(len(a)):
        p[i] = q[i] - p[i]
    p, q = q, p
    for i in range(len(a)):
        p[i] = q[i] * 0.5


@program(
    verdicts={"t": "sequential", "i": "parallel"},
    args=lambda rng: [(rng.random(24), steps) for steps in (6, 0, 1, 5)],
)
def halves_in_turn(a, steps):
    source = a[: len(a) // 2]
    target = a[len(a) // 2 :]
    for t in range(steps):
        for i in range(len(source)):
            target[i] = source[i] * 0.5 + target[i] * 0.25
        source, target = target, source
