"""Reshaped arrays with names: copies where a program cannot tell, refused where it can."""

from __future__ import annotations

import copy

import numpy as np
import pytest

import weft


def read_only(a):
    b = a.reshape(2, 3)
    return b.sum(axis=1)


def written_alone(a):
    c = a * 2
    b = c.reshape(2, 3)
    b[0, 0] = 7
    return b.sum()


def made_anew_in_each_iteration(a):
    c = a * 2
    s = 0.0
    for _ in range(3):
        b = c.reshape(2, 3)
        s += b[0, 1]
        c[1] += 1
    return s


def returned_without_the_first(a):
    c = a + 1
    return c.reshape(2, 3)


def windows(a):
    w = np.lib.stride_tricks.sliding_window_view(a, 3)
    return w.mean(axis=1), w.max(axis=1)


def pieces(a):
    first, second = np.split(a, 2)
    return first + second


def diagonal_read(a):
    m = a.reshape(2, 3)[:, :2]
    d = np.diag(m)
    return d * 2, np.diagflat(d)


def written_first(a):
    b = a.reshape(2, 3)
    a[0] = 7
    return b.sum(axis=1)


def written_through_the_view(a):
    b = a.reshape(2, 3)
    b[0, 0] = 7
    return a.sum()


def seen_in_the_first(a):
    c = a * 2
    b = c.reshape(2, 3)
    b[0, 0] = 7
    return c.sum()


def read_again_in_the_next_iteration(a):
    c = a * 2
    s = 0.0
    b = c.reshape(2, 3)
    for _ in range(3):
        s += b[0, 1]
        c[1] += 1
    return s


def of_the_last_iteration(a):
    c = a + 1
    b = c.reshape(3, 2)
    s = 0.0
    for _ in range(3):
        c[0] += 1
        s += b[0, 0]
        b = c.reshape(3, 2)
    return s


def in_a_branch(a):
    c = a + 1
    b = c.reshape(3, 2)
    if a[1] > 0:
        c[0] = 5
    return b * 2


def of_an_argument(a):
    return a.reshape(2, 3)


def beside_the_first(a):
    c = a + 1
    return c.reshape(2, 3), c


def pieces_written(a):
    c = a + 1
    first, second = np.split(c, 2)
    first[0] = 9
    return second, c.sum()


def through_a_helper(a):
    def change(m):
        m[0, 0] = 3

    c = a + 1
    change_me = c.reshape(2, 3)
    change(change_me)
    return c


def copied_as_the_message_says(a):
    b = a.reshape(2, 3).copy()
    b[0, 0] = 7
    c, d = np.split(a, 2)[0].copy(), a.ravel().copy()
    a[:] = 3
    return b.sum(), c, d, a.sum()


RIGHT = (
    read_only, written_alone, made_anew_in_each_iteration, returned_without_the_first, windows, pieces, diagonal_read,
    copied_as_the_message_says,
)  # fmt: skip
REFUSED = (
    written_first, written_through_the_view, seen_in_the_first, read_again_in_the_next_iteration, of_the_last_iteration,
    in_a_branch, of_an_argument, beside_the_first, pieces_written, through_a_helper,
)  # fmt: skip


@pytest.mark.parametrize("function", RIGHT)
def test_as_in_numpy(function):
    given = np.arange(6.0)
    expected, got = function(copy.copy(given)), weft.jit(function)(copy.copy(given))
    pairs = zip(expected, got, strict=True) if isinstance(expected, tuple) else [(expected, got)]
    for first, second in pairs:
        np.testing.assert_allclose(second, first, rtol=1e-15)


@pytest.mark.parametrize("function", REFUSED)
def test_refused(function):
    with pytest.raises(weft.Error, match="shares its memory"):
        weft.jit(function)(np.arange(6.0))


def test_a_diagonal_is_not_written():
    def f(a):
        m = a * 2
        d = np.diag(m)
        d[0] = 1
        return d

    with pytest.raises(ValueError, match="read-only"):
        weft.jit(f)(np.eye(3))
