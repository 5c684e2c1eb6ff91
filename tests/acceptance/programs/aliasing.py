"""Arguments that share memory: the answer is that of the loop in order, however they overlap."""

import numpy as np
from numpy.lib.stride_tricks import as_strided

from ..inputs import each_matrix
from ..registry import PARALLEL_AFTER_COPY, program

DECIDED_AT_THE_CALL = ("parallel", "checked")


def pairs(rng, n):
    """Two arrays of n elements: apart, the same, shifted both ways, halves, interleaved, one of them reversed."""
    base = rng.random(2 * n + 4)
    return [
        (rng.random(n), rng.random(n)),
        (base[:n], base[:n]),
        (base[:n], base[1 : n + 1]),
        (base[3 : n + 3], base[:n]),
        (base[:n], base[n : 2 * n]),
        (base[0 : 2 * n : 2], base[1 : 2 * n : 2]),
        (base[:n], base[n - 1 :: -1]),
        (base[0 : 2 * n : 2], base[:n]),
    ]


@program(verdicts={"i": DECIDED_AT_THE_CALL}, args=lambda rng: pairs(rng, 150))
def scaled_copy(x, y):
    for i in range(len(x)):
        y[i] = x[i] * 2.0 + 1.0


@program(verdicts={"i": DECIDED_AT_THE_CALL}, args=lambda rng: pairs(rng, 150))
def neighbours_into_the_other(x, y):
    for i in range(1, len(x) - 1):
        y[i] = (x[i - 1] + x[i + 1]) * 0.5


@program(verdicts={"i": DECIDED_AT_THE_CALL}, args=lambda rng: pairs(rng, 150))
def both_are_written(x, y):
    for i in range(len(x)):
        x[i] = x[i] * 0.5
        y[i] = y[i] + 1.0


@program(
    verdicts={"i": DECIDED_AT_THE_CALL},
    args=lambda rng: [(x, y, other) for x, y in pairs(rng, 90) for other in (rng.random(90), x)],
)
def three_arguments(x, y, z):
    for i in range(len(x)):
        z[i] = x[i] - y[i]


@program(
    verdicts={"i": "reduction"},
    args=lambda rng: [(x, y) for x, y in pairs(rng, 64)],
)
def largest_into_an_element(x, out):
    for i in range(len(x)):
        out[0] = max(out[0], x[i])


@program(
    verdicts={"i": DECIDED_AT_THE_CALL},
    args=lambda rng: [
        (rng.random(20),),
        (as_strided(np.zeros(1), (20,), (0,)),),
        (as_strided(np.zeros(3), (5,), (0,)),),
    ],
)
def one_element_many_times(x):
    for i in range(len(x)):
        x[i] = x[i] * 0.5 + i


@program(
    verdicts={"i": DECIDED_AT_THE_CALL, "j": DECIDED_AT_THE_CALL},
    args=lambda rng: [
        (rng.random((8, 5)),),
        (as_strided(rng.random(12), (8, 5), (8, 8)),),
        (as_strided(rng.random(40), (8, 5), (40, 8)),),
        (as_strided(rng.random(40), (8, 5), (32, 8)),),
    ],
)
def overlapping_windows(windows):
    for i in range(windows.shape[0]):
        for j in range(windows.shape[1]):
            windows[i, j] = windows[i, j] * 0.5 + j


def squares(rng, n):
    """Two square matrices of whole numbers: apart, the same, transposed, mirrored."""
    a = rng.integers(-9, 10, (n, n))
    return [
        (rng.integers(-9, 10, (n, n)), rng.integers(-9, 10, (n, n))),
        (a, a),
        (a, a.T),
        (a.T, a),
        (a[:, ::-1], a),
        (a[::-1], a),
    ]


@program(
    verdicts={"i": DECIDED_AT_THE_CALL, "j": DECIDED_AT_THE_CALL},
    args=lambda rng: squares(rng, 12),
)
def matrix_and_its_transpose(a, b):
    for i in range(a.shape[0]):
        for j in range(a.shape[1]):
            b[i, j] = a[i, j] * 2 + 1


@program(
    verdicts={"i": DECIDED_AT_THE_CALL, "j": DECIDED_AT_THE_CALL, "k": "reduction"},
    args=lambda rng: [(a, b, c) for a, b in squares(rng, 6) for c in (np.zeros((6, 6), np.int64), a)],
)
def product_into_a_factor(a, b, c):
    for i in range(a.shape[0]):
        for j in range(b.shape[1]):
            s = 0
            for k in range(a.shape[1]):
                s += a[i, k] * b[k, j]
            c[i, j] = s


@program(
    verdicts={"i": "scan"},
    args=lambda rng: [(rng.random(n), rng.random(n)) for n in (100, 0, 1, 2)],
    tolerance="reduction",
)
def views_of_one_array_flow(a, b):
    low = a[:-1]
    high = a[1:]
    for i in range(len(low)):
        high[i] = low[i] * 0.5 + b[i]


@program(
    verdicts={"i": PARALLEL_AFTER_COPY},
    args=lambda rng: [(rng.random(n), rng.random(n)) for n in (100, 0, 1, 2)],
)
def views_of_one_array_read_ahead(a, b):
    low = a[:-1]
    high = a[1:]
    for i in range(len(low)):
        low[i] = high[i] * 0.5 + b[i]


@program(
    verdicts={"i": "parallel"},
    args=lambda rng: [(rng.random(n),) for n in (100, 0, 1, 7)],
)
def interleaved_views_of_one_array(a):
    even = a[0 : len(a) - 1 : 2]
    odd = a[1::2]
    for i in range(len(odd)):
        even[i] = odd[i] * 3.0


@program(
    verdicts={"i": "parallel", "j": "parallel"},
    args=each_matrix(lambda rng, n: (rng.random((n + 2, n)),), (17, 1, 4)),
)
def two_rows_of_one_matrix(a):
    first = a[0]
    last = a[-1]
    for i in range(len(first)):
        first[i] = last[i] + 1.0
    for j in range(a.shape[1]):
        last[j] = first[j] * 2.0


@program(verdicts={"i": DECIDED_AT_THE_CALL}, args=lambda rng: pairs(rng, 50), closure=True)
def captured_array_and_another(x, y):
    def run():
        for i in range(len(x) - 1):
            y[i + 1] = x[i] + 1.0

    return run
