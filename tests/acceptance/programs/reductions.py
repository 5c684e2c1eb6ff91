"""Many values folded into one: sums and products, extremes and their places, logic, folds by key, helpers."""

import math

import numpy as np

import weft

from ..inputs import each_dtype, each_matrix, each_size, signed, with_nans
from ..registry import program

NOT_EMPTY = (257, 1, 7, 5003)


@program(verdicts={"i": "reduction"}, args=each_size(lambda rng, n: (signed(rng, n),)), tolerance="reduction")
def sum_of_floats(x):
    s = 0.0
    for i in range(len(x)):
        s += x[i]
    return s


@program(
    verdicts={"i": "reduction"},
    args=each_size(lambda rng, n: (rng.random(n, np.float32),)),
    tolerance="reduction",
)
def sum_of_small_floats(x):
    s = np.float32(0)
    for i in range(len(x)):
        s += x[i]
    return s


@program(verdicts={"i": "reduction"}, args=each_size(lambda rng, n: (rng.integers(-1000, 1000, n), 17)))
def sum_of_integers(x, start):
    s = start
    for i in range(len(x)):
        s = s + x[i] * 2
    return s


@program(
    verdicts={"i": "reduction"},
    args=each_size(lambda rng, n: (signed(rng, n) + 1j * signed(rng, n),)),
    tolerance="reduction",
)
def sum_of_complex_numbers(z):
    s = 0j
    for i in range(len(z)):
        s += z[i]
    return s


@program(
    verdicts={"i": "reduction"},
    args=each_size(lambda rng, n: (rng.uniform(0.99, 1.01, n),)),
    tolerance="reduction",
)
def product_of_floats(x):
    p = 1.0
    for i in range(len(x)):
        p *= x[i]
    return p


@program(verdicts={"i": "reduction"}, args=each_size(lambda rng, n: (rng.integers(1, 100, n, np.uint32),)))
def product_that_wraps(x):
    p = np.uint32(1)
    for i in range(len(x)):
        p = p * x[i]
    return p


@program(
    verdicts={"i": "reduction"},
    args=each_size(lambda rng, n: (signed(rng, n), signed(rng, n))),
    tolerance="reduction",
)
def dot_product(x, y):
    s = 0.0
    for i in range(len(x)):
        s = s + x[i] * y[i]
    return s


@program(
    verdicts={"i": "reduction"},
    args=each_size(lambda rng, n: (signed(rng, n), 0.25)),
    tolerance="reduction",
)
def guarded_sum_and_count(x, limit):
    s = 0.0
    count = 0
    for i in range(len(x)):
        if abs(x[i]) > limit:
            s += x[i]
            count += 1
    return s, count


def special_floats(rng, n):
    x = signed(rng, n)
    zeros = x.copy()
    zeros[: n // 2] = 0.0
    zeros[n // 2 :] = -0.0
    return [(x,), (zeros,), (-zeros,), (with_nans(x, 0),), (with_nans(x, n // 3, n - 2),), (with_nans(x, *range(n)),)]


@program(verdicts={"i": "reduction"}, args=lambda rng: special_floats(rng, 300))
def smallest_by_comparison(x):
    low = x[0]
    for i in range(1, len(x)):
        if x[i] < low:
            low = x[i]
    return low


@program(verdicts={"i": "reduction"}, args=lambda rng: special_floats(rng, 300))
def largest_by_builtin(x):
    high = x[0]
    for i in range(1, len(x)):
        high = max(high, x[i])
    return high


# With the element first a NaN makes the fold start anew, so it is associative only where there is none.
@program(verdicts={"i": ("reduction", "checked", "sequential")}, args=lambda rng: special_floats(rng, 300))
def smallest_with_the_element_first(x):
    low = math.inf
    for i in range(len(x)):
        low = min(x[i], low)
    return low


@program(verdicts={"i": "reduction"}, args=each_size(lambda rng, n: (signed(rng, n),)))
def both_extremes(x):
    low = math.inf
    high = -math.inf
    for i in range(len(x)):
        low = x[i] if x[i] < low else low
        high = x[i] if x[i] > high else high
    return low, high


@program(
    verdicts={"i": "reduction"},
    args=lambda rng: [*special_floats(rng, 300), (rng.integers(0, 5, 300).astype(np.float64),), (np.ones(1),)],
)
def place_of_the_first_smallest(x):
    low = x[0]
    place = 0
    for i in range(1, len(x)):
        if x[i] < low:
            low = x[i]
            place = i
    return low, place


@program(
    verdicts={"i": "reduction"},
    args=lambda rng: [(rng.integers(0, 5, 300),), *special_floats(rng, 300), (np.ones(1),)],
)
def place_of_the_last_largest(x):
    place = 0
    high = x[0]
    for i in range(1, len(x)):
        if x[i] >= high:
            place = i
            high = x[i]
    return place


@program(
    verdicts={"i": "reduction", "j": "reduction"},
    args=each_matrix(lambda rng, n: (rng.integers(0, 50, (n, n + 2)),), (17, 1, 4, 60)),
)
def place_in_a_matrix(a):
    high = a[0, 0]
    row = 0
    column = 0
    for i in range(a.shape[0]):
        for j in range(a.shape[1]):
            if a[i, j] > high:
                high = a[i, j]
                row = i
                column = j
    return high, row, column


@program(verdicts={"i": "reduction"}, args=each_size(lambda rng, n: (rng.random(n), rng.random(n))))
def all_hold(x, y):
    ok = True
    for i in range(len(x)):
        ok = ok and x[i] + 1.5 > y[i]
    return ok


@program(
    verdicts={"i": "reduction"},
    args=lambda rng: [(rng.random(300), limit) for limit in (0.999, 0.0, 2.0)],
)
def any_holds(x, limit):
    found = False
    for i in range(len(x)):
        found = found or x[i] > limit
    return found


@program(
    verdicts={"i": "reduction"},
    args=each_dtype(
        lambda rng, dtype: (rng.integers(0, 100, 200).astype(dtype),),
        (np.int64, np.int8, np.uint8, np.int16, np.uint16, np.int32, np.uint32, np.uint64),
    ),
)
def bits_folded_together(x):
    ones = x[0]
    some = x[0]
    parity = x[0]
    for i in range(1, len(x)):
        ones &= x[i]
        some |= x[i]
        parity ^= x[i]
    return ones, some, parity


@program(
    verdicts={"i": "reduction"},
    args=each_size(lambda rng, n: (rng.integers(0, 10, n), rng.random(n), np.zeros(10))),
    tolerance="reduction",
)
def sums_by_key(key, value, total):
    for i in range(len(key)):
        total[key[i]] += value[i]


@program(
    verdicts={"i": "reduction"},
    args=each_size(lambda rng, n: (rng.integers(0, 10, n), signed(rng, n), np.full(10, -2.0))),
)
def largest_by_key(key, value, best):
    for i in range(len(key)):
        if value[i] > best[key[i]]:
            best[key[i]] = value[i]


@program(
    verdicts={"i": "parallel", "j": "reduction"},
    args=each_matrix(lambda rng, n: (rng.random((n, n + 3)), np.zeros(n))),
    tolerance="reduction",
)
def row_sums(a, out):
    for i in range(a.shape[0]):
        for j in range(a.shape[1]):
            out[i] += a[i, j]


@program(
    verdicts={"j": "parallel", "i": "reduction"},
    args=each_matrix(lambda rng, n: (rng.random((n, n + 3)), np.zeros(n + 3))),
    tolerance="reduction",
)
def column_sums(a, out):
    for j in range(a.shape[1]):
        s = 0.0
        for i in range(a.shape[0]):
            s += a[i, j]
        out[j] = s


@program(
    verdicts={"i": "reduction", "j": "reduction"},
    args=each_matrix(lambda rng, n: (rng.random((n, n + 3)),)),
    tolerance="reduction",
)
def sum_of_a_matrix(a):
    s = 0.0
    for i in range(a.shape[0]):
        for j in range(a.shape[1]):
            s += a[i, j]
    return s


@program(
    verdicts={"i": "reduction"},
    args=each_size(lambda rng, n: (rng.random(n), np.array([0.5, 1.5]))),
    tolerance="reduction",
)
def sum_kept_in_an_array(x, out):
    for i in range(len(x)):
        out[1] += x[i]


@weft.associative
def greatest_common_divisor(a, b):
    while b != 0:
        a, b = b, a % b
    return a


@program(verdicts={"i": "reduction"}, args=each_size(lambda rng, n: (rng.integers(1, 50, n) * 12,), NOT_EMPTY))
def fold_by_a_helper(x):
    divisor = x[0]
    for i in range(1, len(x)):
        divisor = greatest_common_divisor(divisor, x[i])
    return divisor


@weft.associative
def multiply_modulo(a, b):
    return a * b % 1000003


@program(verdicts={"i": "reduction"}, args=each_size(lambda rng, n: (rng.integers(1, 1000003, n),)))
def modular_product_by_a_helper(x):
    p = np.int64(1)
    for i in range(len(x)):
        p = multiply_modulo(p, x[i])
    return p


@program(verdicts={"i": "reduction"}, args=each_size(lambda rng, n: (signed(rng, n), np.zeros(n)), NOT_EMPTY))
def largest_change(old, new):
    change = 0.0
    for i in range(len(old)):
        new[i] = old[i] * 0.5
        change = max(change, abs(new[i] - old[i]))
    return change


@program(
    verdicts={"i": "reduction"},
    args=each_size(lambda rng, n: (rng.random(n) + 10.0,), NOT_EMPTY),
    tolerance="reduction",
)
def mean_and_mean_square(x):
    s = 0.0
    q = 0.0
    for i in range(len(x)):
        s += x[i]
        q += x[i] * x[i]
    return s / len(x), q / len(x)


@program(verdicts={"i": "reduction"}, args=each_size(lambda rng, n: (rng.integers(0, 100, n),)))
def difference_is_a_sum(x):
    left = 1000000
    for i in range(len(x)):
        left -= x[i]
    return left


@program(
    verdicts={"i": ("reduction", "sequential")},
    args=lambda rng: [(rng.integers(0, 100, 50),), (np.zeros(0, np.int64),)],
)
def difference_the_other_way_round(x):
    alternating = 0
    for i in range(len(x)):
        alternating = x[i] - alternating
    return alternating


def later_unless_zero(a, b):
    return a if b == 0 else b


@program(
    verdicts={"i": ("reduction", "scan", "sequential")}, args=each_size(lambda rng, n: (rng.integers(0, 2, n) * 7,))
)
def fold_by_an_unmarked_helper(x):
    last = np.int64(0)
    for i in range(len(x)):
        last = later_unless_zero(last, x[i])
    return last
