"""Claims over random index arrays: a RaceError exactly where two iterations meet, before anything is written."""

from __future__ import annotations

import itertools

import numpy as np
import pytest

import weft

TRIALS = 120


def tiles(p, q, out):
    for i in weft.prange(len(p)):
        for j in weft.prange(len(q)):
            out[p[i], q[j]] = i * 10.0 + j


def tiles_touch(p, q, out):
    yield [(set(), {(p[i] % 5, q[j] % 5) for j in range(len(q))}) for i in range(len(p))]
    for i in range(len(p)):
        yield [(set(), {(p[i] % 5, q[j] % 5)}) for j in range(len(q))]


def tiles_args(rng):
    return rng.integers(-5, 5, rng.integers(0, 4)), rng.integers(-5, 5, rng.integers(0, 4)), np.zeros((5, 5))


def steps(index, a):
    for t in range(index.shape[0]):
        for i in weft.prange(index.shape[1]):
            a[index[t, i]] = a[(index[t, i] + 1) % 6] * 0.5 + i


def steps_touch(index, a):
    for t in range(index.shape[0]):
        yield [({(index[t, i] + 1) % 6}, {index[t, i]}) for i in range(index.shape[1])]


def steps_args(rng):
    return rng.integers(0, 6, (rng.integers(0, 4), rng.integers(0, 4))), rng.random(6)


def guarded(p, s, a):
    for t in range(s):
        for k in range(t):
            if k != 1:
                for i in weft.prange(k, len(p)):
                    a[k, p[i]] = a[k, p[i]] * 2.0 + t


def guarded_touch(p, s, a):
    for t in range(s):
        for k in range(t):
            if k != 1:
                yield [({p[i]}, {p[i]}) for i in range(k, len(p))]


def guarded_args(rng):
    return rng.integers(0, 6, rng.integers(0, 5)), int(rng.integers(0, 5)), rng.random((5, 6))


def rows(start, v, n):
    for t in range(n):
        for i in weft.prange(len(start) - 1):
            for k in range(start[i], start[i + 1]):
                v[k] = v[k] * 2.0 + i + t


def rows_touch(start, v, n):
    for _ in range(n):
        spans = [set(range(start[i], start[i + 1])) for i in range(len(start) - 1)]
        yield [(span, span) for span in spans]


def rows_args(rng):
    start = rng.integers(0, 9, rng.integers(1, 5))
    return np.sort(start) if rng.random() < 0.5 else start, rng.random(9), int(rng.integers(0, 3))


def branches(p, q, flag, a, b):
    for i in weft.prange(len(p)):
        if flag[i] > 0:
            a[p[i]] = i
        else:
            a[q[i]] = b[q[i]]
            b[p[i]] = 1.0


def branches_touch(p, q, flag, a, b):
    yield [
        (set(), {("a", p[i])}) if flag[i] > 0 else ({("b", q[i])}, {("a", q[i]), ("b", p[i])}) for i in range(len(p))
    ]


def branches_args(rng):
    n = rng.integers(0, 4)
    return rng.integers(0, 6, n), rng.integers(0, 6, n), rng.integers(-1, 2, n), rng.random(6), rng.random(6)


def offsets(a, n, m, s):
    for t in range(s):
        for i in weft.prange(n):
            a[i + t] = a[i + m + t] + 1.0


def offsets_touch(a, n, m, s):
    for t in range(s):
        yield [({i + m + t}, {i + t}) for i in range(n)]


def offsets_args(rng):
    return rng.random(20), int(rng.integers(0, 5)), int(rng.integers(0, 7)), int(rng.integers(0, 4))


CASES = [
    pytest.param(function, touch, make, id=function.__name__)
    for function, touch, make in (
        (tiles, tiles_touch, tiles_args), (steps, steps_touch, steps_args), (guarded, guarded_touch, guarded_args),
        (rows, rows_touch, rows_args), (branches, branches_touch, branches_args),
        (offsets, offsets_touch, offsets_args),
    )
]  # fmt: skip


def meets(run):
    """Whether two iterations, each what it reads and what it writes, touch one element that one of them writes."""
    return any(one[1] & (other[0] | other[1]) for one, other in itertools.permutations(run, 2))


def copied(args):
    return [np.copy(a) if isinstance(a, np.ndarray) else a for a in args]


@pytest.mark.sample(1)
@pytest.mark.parametrize(("function", "touch", "make"), CASES)
def test_races_are_found_exactly(function, touch, make):
    rng = np.random.default_rng(1)
    compiled = weft.jit(function)
    seen = set()
    for _ in range(TRIALS):
        args = make(rng)
        expected, found = copied(args), copied(args)
        races = any(map(meets, touch(*args)))
        seen.add(races)
        if races:
            with pytest.raises(weft.RaceError):
                compiled(*found)
            expected = args
        else:
            compiled(*found)
            function(*expected)
        for a, b in zip(expected, found, strict=True):
            np.testing.assert_array_equal(a, b)
    assert seen == {True, False}
