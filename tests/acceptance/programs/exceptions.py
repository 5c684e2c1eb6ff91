"""Programs that raise: the exception of CPython, and its arrays at that moment.

Every program has a case that raises and one that does not.
"""

import math

import numpy as np

from ..inputs import signed
from ..registry import program

ANY_LOOP = ("parallel", "search", "sequential", "checked")
"""A loop that may raise is parallel under a test, or a search for the first failing iteration, or in order."""


def with_value_at(rng, n, place, value):
    x = rng.random(n)
    if place is not None:
        x[place] = value
    return x


@program(
    verdicts={"i": ANY_LOOP},
    args=lambda rng: [(with_value_at(rng, 200, k, -1.0), np.zeros(200)) for k in (None, 0, 77, 199)],
    raises=ValueError,
    message="no negative values",
)
def raises_on_a_value(x, out):
    for i in range(len(x)):
        if x[i] < 0.0:
            raise ValueError("no negative values")
        out[i] = x[i] * 2.0


@program(
    verdicts={"i": ANY_LOOP},
    args=lambda rng: [(with_value_at(rng, 200, k, 9.0), np.zeros(200)) for k in (None, 0, 120, 199)],
    raises=AssertionError,
    message="out of range",
)
def asserts_in_the_middle_of_a_body(x, out):
    for i in range(len(x)):
        out[i] = -1.0
        assert x[i] < 1.0, "out of range"
        out[i] = x[i]


@program(
    verdicts={"i": ("parallel", "checked")},
    args=lambda rng: [(np.arange(20.0), np.zeros(n)) for n in (20, 25, 19, 7, 0)],
    raises=IndexError,
)
def runs_off_the_end(x, out):
    for i in range(len(x)):
        out[i] = x[i] + 1.0


@program(
    verdicts={"i": ANY_LOOP},
    args=lambda rng: [(rng.permutation(150), rng.random(150), np.zeros(n)) for n in (150, 149, 80)],
    raises=IndexError,
)
def scatters_off_the_end(index, x, out):
    for i in range(len(index)):
        out[index[i]] = x[i]


@program(
    verdicts={"i": ANY_LOOP},
    args=lambda rng: [(index, rng.random(100), np.zeros(100)) for index in gather_places(rng)],
    raises=IndexError,
)
def gathers_off_either_end(index, x, out):
    for i in range(len(index)):
        out[i] = x[index[i]] * 0.5


def gather_places(rng):
    good = rng.integers(-100, 100, 100)
    high = good.copy()
    high[60] = 100
    low = good.copy()
    low[[30, 70]] = -101
    return [good, high, low]


@program(
    verdicts={"i": ("parallel", "checked", "sequential"), "j": ("parallel", "checked", "sequential")},
    args=lambda rng: (
        [(np.zeros((6, 6)), n, m) for n, m in ((6, 6), (6, 8), (7, 2), (0, 9), (9, 0))] + [(np.zeros((6, 6)), 3, 7)]
    ),
    raises=IndexError,
)
def limits_that_are_too_large(a, n, m):
    for i in range(n):
        for j in range(m):
            a[i, j] = i + 10 * j


@program(
    verdicts={"i": ("parallel", "checked", "sequential")},
    args=lambda rng: [(rng.random(30), np.zeros(30), limit) for limit in (25, 30, 31, 40)],
    raises=IndexError,
)
def guarded_access_off_the_end(x, out, limit):
    for i in range(limit):
        if i % 3 == 0:
            out[i] = x[i]


@program(
    verdicts={"i": ANY_LOOP},
    args=lambda rng: [(np.zeros(20, np.int64), k) for k in (25, 13, 0, 19)],
    raises=ZeroDivisionError,
)
def divides_by_zero(out, k):
    for i in range(len(out)):
        out[i] = 1000 // (i - k)


@program(
    verdicts={"i": ANY_LOOP},
    args=lambda rng: [(np.zeros(20), k) for k in (25, 13, 0, 19)],
    raises=ZeroDivisionError,
)
def true_division_by_zero(out, k):
    for i in range(len(out)):
        out[i] = 1.0 / (i - k)


@program(
    verdicts={"i": ANY_LOOP},
    args=lambda rng: [(np.zeros(20, np.int64), k) for k in (25, 13, 0, 19)],
    raises=ZeroDivisionError,
)
def remainder_by_zero(out, k):
    for i in range(len(out)):
        out[i] = i % (k - i)


@program(
    verdicts={"i": "parallel"},
    args=lambda rng: [(rng.integers(-9, 9, 40), rng.integers(-1, 2, 40), np.zeros((2, 40), np.int64), np.zeros(40))],
)
def numpy_numbers_divide_by_zero_without_one(a, b, out, quotient):
    for i in range(len(a)):
        out[0, i] = a[i] // b[i]
        out[1, i] = a[i] % b[i]
        quotient[i] = a[i] / b[i]


@program(
    verdicts={"i": ANY_LOOP},
    args=lambda rng: [
        (with_value_at(rng, 90, k, value), np.zeros(90, np.int64))
        for k, value in ((None, 0), (40, np.inf), (0, -np.inf))
    ],
    raises=OverflowError,
)
def infinity_as_a_whole_number(x, out):
    for i in range(len(x)):
        out[i] = int(x[i] * 100.0)


@program(
    verdicts={"i": ANY_LOOP},
    args=lambda rng: [(with_value_at(rng, 90, k, np.nan), np.zeros(90, np.int64)) for k in (None, 40, 0)],
    raises=ValueError,
)
def nan_as_a_whole_number(x, out):
    for i in range(len(x)):
        out[i] = math.floor(x[i] * 100.0)


@program(
    verdicts={"i": ANY_LOOP},
    args=lambda rng: [(np.zeros(50, np.int8), step) for step in (1, 2, 3, 100)],
    raises=OverflowError,
)
def number_too_large_for_the_array(out, step):
    for i in range(len(out)):
        out[i] = i * step


@program(
    verdicts={"i": ANY_LOOP},
    args=lambda rng: [(np.arange(n) * 1000, np.zeros(n, np.int16)) for n in (30, 50, 0)],
    raises=OverflowError,
)
def numpy_number_too_large_for_the_array(x, out):
    for i in range(len(x)):
        out[i] = x[i] + 1


@program(
    verdicts={"i": ANY_LOOP},
    args=lambda rng: [
        (with_value_at(rng, 90, k, value), np.zeros(90)) for k, value in ((None, 0), (40, -0.5), (89, -2.0))
    ],
    raises=ValueError,
)
def square_root_of_a_negative_number(x, out):
    for i in range(len(x)):
        out[i] = math.sqrt(x[i])


@program(
    verdicts={"i": ANY_LOOP},
    args=lambda rng: [
        (with_value_at(rng, 90, k, value), np.zeros(90)) for k, value in ((None, 0), (40, 800.0), (5, 1000.0))
    ],
    raises=OverflowError,
    tolerance="math",
)
def exponential_of_a_large_number(x, out):
    for i in range(len(x)):
        out[i] = math.exp(x[i])


@program(
    verdicts={"i": ANY_LOOP, "j": ANY_LOOP},
    args=lambda rng: [(bad_matrix(rng, place), np.zeros((12, 9))) for place in (None, (0, 0), (5, 8), (11, 3))],
    raises=ValueError,
    message="negative",
)
def raises_in_the_inner_loop(a, out):
    for i in range(a.shape[0]):
        for j in range(a.shape[1]):
            if a[i, j] < 0.0:
                raise ValueError("negative")
            out[i, j] = a[i, j] + 1.0


def bad_matrix(rng, place):
    a = rng.random((12, 9))
    if place is not None:
        a[place] = -1.0
    return a


@program(
    verdicts={"i": "parallel"},
    args=lambda rng: [(rng.random(n), np.zeros(n)) for n in (10, 0)],
    raises=ValueError,
    message="empty",
)
def raises_before_the_loop(x, out):
    if len(x) == 0:
        raise ValueError("nothing to do: x is empty")
    for i in range(len(x)):
        out[i] = x[i]


@program(
    verdicts={"i": "reduction"},
    args=lambda rng: [(signed(rng, 100), np.zeros(100), limit) for limit in (1000, 20)],
    raises=RuntimeError,
    message="too many",
)
def raises_after_a_loop(x, out, limit):
    count = 0
    for i in range(len(x)):
        if x[i] > 0.0:
            count += 1
        out[i] = x[i] * 0.5
    if count > limit:
        raise RuntimeError("too many positive values")
    return count


def checked_root(value):
    if value < 0.0:
        raise ValueError("root of a negative number")
    return np.sqrt(value)


@program(
    verdicts={"i": ANY_LOOP},
    args=lambda rng: [(with_value_at(rng, 90, k, -0.5), np.zeros(90)) for k in (None, 33, 89)],
    raises=ValueError,
    message="root of a negative number",
)
def raises_in_a_helper(x, out):
    for i in range(len(x)):
        out[i] = checked_root(x[i])


@program(
    verdicts={"i": ("sequential", "scan", "search")},
    args=lambda rng: [(rng.random(200), np.zeros(200), limit) for limit in (1000.0, 30.0)],
    raises=OverflowError,
    message="full",
    tolerance="reduction",
)
def raises_on_what_it_has_summed(x, out, limit):
    s = 0.0
    for i in range(len(x)):
        s += x[i]
        if s > limit:
            raise OverflowError("full")
        out[i] = s


@program(
    verdicts={"i": ("sequential", "search")},
    args=lambda rng: [(with_value_at(rng, 60, k, -1.0), np.zeros(60)) for k in (30, None, 0)],
    raises=ValueError,
)
def leaves_before_it_would_raise(x, out):
    for i in range(len(x)):
        if x[i] < 0.0:
            break
        out[i] = math.sqrt(x[i])
        if x[i] > 0.99999:
            raise ValueError("close to one")
    else:
        raise ValueError("no end mark")
    return out[0]


@program(
    verdicts={"i": ("parallel", "checked", "sequential"), "k": ("parallel", "checked", "sequential")},
    args=lambda rng: [(np.zeros(16), np.zeros(m)) for m in (16, 12)],
    raises=IndexError,
)
def second_loop_fails_after_the_first(a, b):
    for i in range(len(a)):
        a[i] = i
    for k in range(len(a)):
        b[k] = a[k] * 2.0


@program(
    verdicts={"i": ANY_LOOP},
    args=lambda rng: [
        (np.array([0, 3, 1, *end, 2]), np.zeros(8, np.int64)) for end in ((1,), (4, 5), (5, 4), (2, 2, 5))
    ],
    raises=KeyError,
)
def different_exceptions(kind, out):
    for i in range(len(kind)):
        if kind[i] == 4:
            raise ValueError("kind four")
        if kind[i] == 5:
            raise KeyError("kind five")
        out[i] = kind[i] * 10


@program(
    verdicts={"i": ("parallel", "checked")},
    args=lambda rng: [(rng.random(40), np.zeros(40), start) for start in (0, -5, -40, -41)],
    raises=IndexError,
)
def negative_limits_reach_below_the_start(x, out, start):
    for i in range(start, 0):
        out[i] = x[i] + 1.0
