"""Spellings of one program: they give what CPython gives, and become the same kind of code."""

import numpy as np
import pytest

import weft
from weft.ir import nodes as n
from weft.ir.visit import walk
from weft.runtime.dispatch.variants import FAST

RADIUS = 1
OFFSETS = ((-1, 0), (1, 0), (0, -1), (0, 1))


def weights_in_loops(u, w, v):
    n, m = u.shape
    for i in range(1, n - 1):
        for j in range(1, m - 1):
            s = 0.0
            for a in range(3):
                for b in range(3):
                    s += w[a, b] * u[i + a - 1, j + b - 1]
            v[i, j] = s


def offsets_in_loops(u, w, v):
    n, m = u.shape
    for i in range(1, n - 1):
        for j in range(1, m - 1):
            s = 0.0
            for a in range(-RADIUS, RADIUS + 1):
                for b in range(-RADIUS, RADIUS + 1):
                    if abs(a) + abs(b) == 1:
                        s += u[i + a, j + b]
            v[i, j] = 0.25 * s - u[i, j]


def offsets_in_tuples(u, w, v):
    n, m = u.shape
    for i in range(1, n - 1):
        for j in range(1, m - 1):
            s = 0.0
            for a in range(-1, 2):
                for b in range(-1, 2):
                    if abs(a) + abs(b) == 1:
                        s += u[i + a, j + b]
            for a, b in OFFSETS:
                s -= u[i + a, j + b] * 0.5
            v[i, j] = 0.25 * s - u[i, j]


def largest_in_a_window(u, w, v):
    n, m = u.shape
    for i in range(n - 2):
        for j in range(m - 2):
            best = -np.inf
            where = 0
            for a in range(3):
                if u[i + a, j + 1] > best:
                    best = u[i + a, j + 1]
                    where = a
            v[i, j] = best + where


def ring(u, w, v):
    n, m = u.shape
    for i in range(n):
        for j in range(m):
            v[i, j] = u[(i - 1) % n, j] + u[(i + 1) % n, j] - u[i, (j - 1) % m] * u[i, (j + 1) % m]


def far_ring(u, w, v):
    n, m = u.shape
    for i in range(n):
        for j in range(m):
            v[i, j] = u[i, (j - 3) % m] + u[i, (j + 5) % m] + u[(i + 2) % n, (2 * j) % m]


def window_on_a_ring(u, w, v):
    n, m = u.shape
    for i in range(n):
        for j in range(m):
            s = 0.0
            for a in range(-1, 2):
                s += u[i, (j + a) % m]
            v[i, j] = s


def least_sums(u, w, v):
    n, m = u.shape
    for i in range(n):
        for j in range(m):
            s = np.inf
            for k in range(min(n, m)):
                s = min(s, u[i, k] + u[k, j])
            v[i, j] = s


def largest_products(u, w, v):
    n, m = u.shape
    for i in range(n):
        for j in range(m):
            s = -0.0
            for k in range(min(n, m)):
                s = max(s, u[i, k] * u[k, j])
            v[i, j] = s


PROGRAMS = [
    weights_in_loops, offsets_in_loops, offsets_in_tuples, largest_in_a_window, ring, far_ring, window_on_a_ring,
    least_sums, largest_products,
]  # fmt: skip


@pytest.mark.parametrize("shape", [(1, 1), (2, 1), (1, 9), (3, 3), (7, 8), (20, 41)], ids=str)
@pytest.mark.parametrize("function", PROGRAMS, ids=lambda f: f.__name__)
@pytest.mark.parametrize("signed", [False, True], ids=["random", "zeros"])
def test_answers(function, shape, signed):
    generator = np.random.default_rng(7)
    u, w = generator.random(shape), generator.random((3, 3))
    if signed:
        u = np.where(u < 0.3, -0.0, np.where(u < 0.6, 0.0, np.where(u < 0.65, np.nan, u)))
    expected, found = np.zeros(shape), np.zeros(shape)
    function(u, w, expected)
    weft.jit(function)(u, w, found)
    np.testing.assert_array_equal(found, expected)
    np.testing.assert_array_equal(np.signbit(found), np.signbit(expected))


@pytest.mark.parametrize("function", [weights_in_loops, offsets_in_tuples], ids=lambda f: f.__name__)
def test_short_loops_are_written_out(function):
    assert not [s for s in shaped(function) if isinstance(s, n.For) and s.args]


def test_a_ring_has_no_remainders_inside():
    loops = [s for s in shaped(ring) if isinstance(s, n.For) and not any(isinstance(i, n.For) for i in walk(s.body))]
    remainders = [any(_is_remainder(s) for s in walk(loop.body)) for loop in loops]
    assert sorted(remainders) == [False, True]  # all columns but those at the ends, and these


def test_extremes_in_lanes_are_not_searched_again():
    assert not [s for s in shaped(least_sums) if isinstance(s, n.For) and s.exit is not None]


def _is_remainder(statement):
    return isinstance(statement, n.Let) and isinstance(statement.value, n.Binary) and statement.value.op == "mod"


def shaped(function):
    """The statements of a program as a processor runs it."""
    u = np.ones((9, 9))
    specialisation = weft.jit(function).specialise(u, np.ones((3, 3)), u.copy())
    return list(walk(specialisation._shaped(FAST).body))
