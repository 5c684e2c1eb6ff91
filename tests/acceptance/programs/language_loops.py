"""The ways in which Python spells a loop."""

import numpy as np

from ..inputs import each_matrix, each_size, signed
from ..registry import program


@program(
    verdicts={"value": "reduction"},
    args=each_size(lambda rng, n: (signed(rng, n),)),
    tolerance="reduction",
)
def over_an_array(x):
    s = 0.0
    for value in x:
        s += value * value
    return s


@program(verdicts={"i": "parallel"}, args=each_size(lambda rng, n: (rng.random(n), np.zeros(n))))
def over_enumerate(x, out):
    for i, value in enumerate(x):
        out[i] = value * i


@program(verdicts={"k": "parallel"}, args=each_size(lambda rng, n: (rng.random(n), np.zeros(n + 10))))
def over_enumerate_from_ten(x, out):
    for k, value in enumerate(x, 10):
        out[k] = value + k


@program(
    verdicts={"a": "reduction"},
    args=lambda rng: [(rng.random(n), rng.random(m)) for n, m in ((50, 50), (50, 20), (3, 80), (0, 5))],
    tolerance="reduction",
)
def over_zip(x, y):
    s = 0.0
    for a, b in zip(x, y):
        s += a * b
    return s


@program(
    verdicts={"i": "parallel"},
    args=each_size(lambda rng, n: (rng.random(n), rng.random(n), np.zeros(n))),
)
def over_enumerate_of_zip(x, y, out):
    for i, (a, b) in enumerate(zip(x, y)):
        out[i] = a - b


@program(verdicts={"i": "parallel"}, args=each_size(lambda rng, n: (rng.random(n), np.zeros(n))))
def over_reversed_range(x, out):
    for i in reversed(range(len(x))):
        out[len(x) - 1 - i] = x[i] + i


@program(
    verdicts={"value": "scan"},
    args=each_size(lambda rng, n: (signed(rng, n), np.zeros(n))),
    tolerance="reduction",
)
def over_reversed_array(x, out):
    s = 0.0
    k = 0
    for value in reversed(x):
        s += value
        out[k] = s
        k += 1


@program(
    verdicts={"k": "parallel", "value": "reduction"},
    args=each_matrix(lambda rng, n: (rng.random((n, n + 2)), np.zeros(n))),
    tolerance="reduction",
)
def over_rows(a, out):
    for k, row in enumerate(a):
        s = 0.0
        for value in row:
            s += value
        out[k] = s


@program(verdicts={}, args=lambda rng: [(1071, 462), (17, 0), (0, 5), (1000000007, 998244353)])
def while_loop(a, b):
    while b:
        a, b = b, a % b
    return a


@program(verdicts={}, args=lambda rng: [(start,) for start in (27, 1, 2, 97)])
def while_loop_with_everything(n):
    steps = 0
    highest = n
    while True:
        if n == 1:
            break
        steps += 1
        if n % 2 == 0:
            n //= 2
            continue
        n = 3 * n + 1
        highest = max(highest, n)
    return steps, highest


@program(verdicts={}, args=lambda rng: [(rng.integers(0, 50, 40), value) for value in (7, 99)])
def while_with_else(x, value):
    i = 0
    while i < len(x):
        if x[i] == value:
            break
        i += 1
    else:
        i = -1
    return i


@program(
    verdicts={"d": "search", "n": ("parallel", "checked")},
    args=lambda rng: [(np.zeros(n, np.bool_),) for n in (120, 0, 1, 3)],
)
def primes_by_for_else(prime):
    for n in range(2, len(prime)):
        for d in range(2, n):
            if d * d > n:
                prime[n] = True
                break
            if n % d == 0:
                break
        else:
            prime[n] = True


@program(
    verdicts={"i": "parallel", "j": "parallel", "k": "parallel"},
    args=lambda rng: [(rng.random((4, 5, 6)), np.zeros((4, 5, 6)))],
)
def steps_in_all_directions(a, out):
    for i in range(3, -1, -1):
        for j in range(0, 5, 2):
            for k in range(5, 0, -3):
                out[i, j, k] = a[3 - i, j, k] * 2.0


@program(
    verdicts={"i": "reduction"},
    args=lambda rng: [(a, b, s) for a, b, s in ((0, 10, 3), (10, 0, -4), (5, 5, 1), (0, 10, -1))],
)
def counter_is_the_value(start, stop, step):
    s = 0
    for i in range(start, stop, step):
        s += i * i
    return s


@program(
    verdicts={"i": "search", "j": "search"}, args=lambda rng: [(rng.integers(0, 9, (12, 15)), t) for t in (8, 20, 0)]
)
def leaves_two_loops(a, target):
    count = 0
    found = False
    for i in range(a.shape[0]):
        for j in range(a.shape[1]):
            if a[i, j] == target:
                found = True
                break
        if found:
            break
        count += 1
    return found, count


@program(verdicts={"_": ("reduction", "parallel")}, args=lambda rng: [(n,) for n in (10, 0, 1)])
def counter_without_a_name(n):
    s = 1
    for _ in range(n):
        s += 2
    return s
