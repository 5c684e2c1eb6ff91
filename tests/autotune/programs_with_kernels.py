"""Programs that run kernels written by hand, with arguments of several sizes: for comparisons with plain Python."""

from __future__ import annotations

import numpy as np

import weft
from tests.autotune import more_programs_with_kernels
from tests.autotune.foreign_kernels import conv, parts, product, scale, smooth, transpose, twice


def numbers(n, dtype=np.float32, seed=0):
    found = 100 * np.random.default_rng(seed).random(n) - 50
    return found.astype(dtype) if np.dtype(dtype).kind == "f" else found.astype(np.int64).astype(dtype)


def between_loops(x, y, z):
    for i in range(len(x)):
        x[i] = x[i] + 1
    scale(x, y, 2.5)
    for i in range(len(z)):
        z[i] = max(y[i], 0)


def pipeline(x, mask, y, z):
    conv(x, mask, y, len(y), len(mask))
    for i in range(len(z)):
        z[i] = max(y[i], 0)


def back_and_forth(x, y, times):
    for t in range(times):
        scale(x, y, 1.25)
        x, y = y, x
    return x


def first_elements(x, y, n):
    scale(x, y, 3, n)
    total = 0.0
    for i in range(len(y)):
        total += y[i]
    return total


def in_branches(x, y, flag):
    if flag > 0:
        scale(x, y, 2)
    elif flag < 0:
        for i in range(len(y)):
            y[i] = -x[i]
    for i in range(len(x)):
        x[i] = x[i] + y[i]


def _helper(x, y, factor):
    scale(x, y, factor)
    return y[0]


def in_helpers(x, y, z):
    a = _helper(x, y, 2)
    b = _helper(y, z, a * 0.5)
    return a + b


def made_inside(x):
    y = np.zeros_like(x)
    z = np.empty_like(x)
    scale(x * 2 + 1, y, 0.5)
    scale(y, z, a=4)
    return y, z + y


def rows(a, b):
    for r in range(a.shape[0]):
        scale(a[r], b[r], r + 1)
    for r in range(a.shape[0]):
        for c in range(a.shape[1]):
            a[r, c] = b[r, c] - r


def parts_of_arrays(x, y):
    scale(x[3:], y[: len(x) - 3], 2.0, len(x) - 3)
    scale(x[:2], y[len(x) - 2 :], 5.0, 2)
    for i in range(len(x)):
        x[i] = y[i]


def transposed_twice(a, b, c):
    transpose(a, b, a.shape[0], a.shape[1])
    for i in range(b.shape[0]):
        for j in range(b.shape[1]):
            b[i, j] = b[i, j] * 2 + j
    transpose(b, c, b.shape[0], b.shape[1])


def powers(a, b, c, times):
    for t in range(times):
        product(a, b, c, a.shape[0])
        for i in range(c.shape[0]):
            for j in range(c.shape[1]):
                b[i, j] = c[i, j] * np.float32(0.125) + a[j, i]


def smoothed(u, v, steps):
    for t in range(steps):
        smooth(u, v, 0.125)
        for i in range(len(v)):
            v[i] = v[i] + u[i] * np.float32(0.25)


def two_outputs(x, even, odd):
    for i in range(len(x)):
        x[i] = x[i] * 3 - 7
    parts(x, even, odd)
    total = 0
    for i in range(len(even)):
        total += even[i]
    return total


def until_small(x, y):
    rounds = 0
    while rounds < 20:
        scale(x, y, 0.5)
        top = np.float32(0)
        for i in range(len(y)):
            top = max(top, abs(y[i]))
        for i in range(len(x)):
            x[i] = y[i]
        rounds += 1
        if top < 1:
            break
    return rounds


def host_reads(x, y):
    scale(x, y, 2)
    x[0] = y[len(y) - 1]
    scale(x, y, 3)
    return y[0]


def with_python(x, y, z):
    scale(x, y, 2)
    weft.python(_add_one, y, reads=(), writes=y)
    scale(y, z, 3)


def _add_one(y):
    y += 1


def mixed_languages(x, y, f, g):
    twice(x, y)
    scale(f, g, y[0] + 1)
    for i in range(len(y)):
        y[i] = y[i] + 1


def sums(x, y):
    scale(x, y, 2)
    return y.sum(), np.sqrt(np.abs(y))


SIZES = (1, 2, 15, 16, 17, 255, 1000)
"""Elements, around the sizes of groups."""


def _three(n):
    return numbers(n), numbers(n, seed=1), numbers(n, seed=2)


def _square(n, seed):
    return (numbers(n * n, seed=seed) * np.float32(0.01)).reshape(n, n)


PROGRAMS = {
    "between_loops": (between_loops, _three),
    "pipeline": (pipeline, lambda n: (numbers(n + 8), numbers(9), numbers(n), numbers(n))),
    "back_and_forth": (back_and_forth, lambda n: (numbers(n), numbers(n, seed=1), n % 5)),
    "first_elements": (first_elements, lambda n: (numbers(n), numbers(n, seed=1), n // 2)),
    "a longer output": (first_elements, lambda n: (numbers(n), numbers(n + 40, seed=1), n)),
    "branch taken": (in_branches, lambda n: (*_three(n)[:2], 1)),
    "other branch": (in_branches, lambda n: (*_three(n)[:2], -1)),
    "no branch": (in_branches, lambda n: (*_three(n)[:2], 0)),
    "in_helpers": (in_helpers, _three),
    "made_inside": (made_inside, lambda n: (numbers(n),)),
    "rows": (rows, lambda n: (numbers(3 * n).reshape(3, n), numbers(3 * n, seed=1).reshape(3, n))),
    "parts_of_arrays": (parts_of_arrays, lambda n: (numbers(n + 5), numbers(n + 5, seed=1))),
    "transposed_twice": (
        transposed_twice,
        lambda n: (numbers(7 * n, float).reshape(7, n), np.ones((n, 7)), np.ones((7, n))),
    ),
    "powers": (powers, lambda n: (*(_square(n % 40 + 1, k) for k in range(3)), 3)),
    "smoothed": (smoothed, lambda n: (numbers(n), numbers(n, seed=1), 3)),
    "two_outputs": (
        two_outputs,
        lambda n: (numbers(n, np.int32), numbers(n, np.int64), numbers(n, np.int64).astype(np.uint8)),
    ),
    "until_small": (until_small, lambda n: _three(n)[:2]),
    "host_reads": (host_reads, lambda n: _three(n)[:2]),
    "with_python": (with_python, _three),
    "mixed_languages": (mixed_languages, lambda n: (numbers(n, float), numbers(n, float), *_three(n)[:2])),
    "sums": (sums, lambda n: _three(n)[:2]),
    "empty arrays": (between_loops, lambda n: _three(0)),
    **{program.__name__: (program, _three) for program in more_programs_with_kernels.PROGRAMS},
}
"""Programs, and the arguments for a number of elements."""
