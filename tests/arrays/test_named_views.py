"""Reshaped arrays with names: views where an axis becomes several; where axes are put together, copies that a program
cannot tell from views."""

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


def stages(a):
    for i in range(1, 3):
        s = a[:4].reshape(1 << (2 - i), 2, -1)
        s[:, 0], s[:, 1] = s[:, 0] + s[:, 1], s[:, 0] - s[:, 1] * i
    return a


def around_a_loop(a):
    b = a.reshape(2, 3)
    for i in range(3):
        c = b.reshape(2, 3, 1) if i else b.reshape(1, 2, 3)[0].reshape(2, 1, 3)
        c[-1, 0, -1] += i + a[i]
        b[1, i] *= 2
    return a, b


def of_every_second(a):
    b = a[::2].reshape(3, -1)
    b[1:] = b[:-1] + 1
    return a[4] + b[2, 0]


def columns_of_a_transposed_view(a):
    t = a.reshape(2, 3).T
    t[0], t[2] = t[2] * 2, t[0]
    return a


def in_order_again(a):
    m = a.reshape(2, 3)
    t = m.T.reshape(6)
    t[0] = 9
    m[1, 1] = 4
    return t, a


def joined(a):
    m = (a * 2).reshape(2, 3)
    n = m.reshape(-1, 1)
    n[0] = 9
    return m


def joined_and_returned(a):
    m = (a * 2).reshape(2, 3)
    return m, m.reshape(6)


def through_other_views(a):
    a.reshape(2, 3).T[0] = 9
    np.flip(a.reshape(2, 3), 0)[0, 1] = 8
    np.expand_dims(a.reshape(3, 2), 0)[0, 0, 1] = 7
    a.reshape(2, 3).swapaxes(0, 1)[2] *= 2
    for row in a.reshape(2, 3).T:
        row[0] += 1
    t = a.reshape(2, 3).real
    t[1, 1] = -1
    return a


def through_methods(a):
    a.reshape(2, 3)[1].fill(4)
    np.add(a.reshape(2, 3), 1, out=a.reshape(2, 3))
    return a.reshape(3, 2).sum(axis=0)


def reshaped_twice(a):
    t = a.reshape(2, 3).reshape(3, 2)
    t[0] = 9
    u = a.reshape(3, 2).ravel()
    u[5] = 7
    m = a.reshape(2, 3)
    v = m.reshape(6)
    m[1, 0] = 5
    return v


def copies_of_copies_read(a):
    c = (a + 1).reshape(2, 3)
    b = c.reshape(-1)
    d = b[::-1].reshape(3, 2).reshape(-1)
    d[0] = 9
    return d


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


def copy_of_a_copy(a):
    c = (a + 1).reshape(2, 3)
    b = c.reshape(-1).reshape(3, 2).reshape(-1)
    c[0, 1] = 9
    return b.sum()


def copy_of_joined_axes(a):
    c = np.zeros((2, 3, a.shape[0]))
    b = c.reshape(2, -1)
    d = b.reshape(-1)
    b[0, 1] = 9
    return d.sum()


def without_a_name(a):
    c = (a + 1).reshape(2, 3)
    b = c.reshape(-1)[::-1].reshape(2, -1)
    b[0] += 1
    return c.sum()


def two_copies(a):
    c = (a + 1).reshape(2, 3)
    first, second = c.reshape(-1), c.reshape(-1)
    second[1] = 9
    return first.sum()


def copies_in_turn(a):
    c = (a + 1).reshape(2, 3)
    for _ in range(2):
        b = c.reshape(-1)[::-1].reshape(2, -1).reshape(-1)
        b[0] += 1
    return b


RIGHT = (
    read_only, written_alone, made_anew_in_each_iteration, returned_without_the_first, windows, pieces, diagonal_read,
    copied_as_the_message_says, written_first, written_through_the_view, seen_in_the_first,
    read_again_in_the_next_iteration, of_the_last_iteration, in_a_branch, of_an_argument, beside_the_first,
    through_a_helper, stages, around_a_loop, of_every_second, columns_of_a_transposed_view, in_order_again,
    through_other_views, through_methods, reshaped_twice, copies_of_copies_read, joined,
    joined_and_returned, copy_of_a_copy, copy_of_joined_axes, two_copies, copies_in_turn, without_a_name,
)  # fmt: skip


@pytest.mark.parametrize("function", RIGHT)
def test_as_in_numpy(function):
    given = np.arange(6.0)
    before, after = copy.copy(given), copy.copy(given)
    expected, got = function(before), weft.jit(function)(after)
    np.testing.assert_array_equal(after, before)
    pairs = zip(expected, got, strict=True) if isinstance(expected, tuple) else [(expected, got)]
    for first, second in pairs:
        np.testing.assert_allclose(second, first, rtol=1e-15)


@pytest.mark.opencl
@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("function", [stages, of_every_second, columns_of_a_transposed_view])
def test_through_opencl(function):
    before, after = np.arange(6.0), np.arange(6.0)
    np.testing.assert_array_equal(weft.jit(function, device="opencl")(after), function(before))
    np.testing.assert_array_equal(after, before)


def test_what_is_returned_shares_memory():
    a = np.arange(6.0)
    b = weft.jit(of_an_argument)(a)
    assert np.shares_memory(a, b)
    assert b.strides == (24, 8)


def transposed_to_a_vector(m):
    t = m.T.reshape(m.size)
    t[0] = 99.0
    return m[0, 0], t


@pytest.mark.parametrize("order", ["C", "F"])
@pytest.mark.parametrize("shape", [(3, 4), (2, 2), (1, 4), (4, 1), (1, 1)])
def test_a_copy_where_numpy_copies_and_a_refusal_where_it_may_not(shape, order):
    """Whether NumPy copies depends on the strides."""
    before, after = np.zeros(shape, order=order), np.zeros(shape, order=order)
    function = weft.jit(transposed_to_a_vector)
    if order == "F" or 1 in shape:
        with pytest.raises(weft.UnsupportedError, match=r"write \.copy\(\) behind it"):
            function(after)
        return
    expected, got = transposed_to_a_vector(before), function(after)
    assert got[0] == expected[0]
    np.testing.assert_array_equal(got[1], expected[1])
    np.testing.assert_array_equal(after, before)


@pytest.mark.parametrize("shape", [(0,), (1,), (12,), (24,)])
def test_loops_over_parts_of_an_axis(shape, on_four_threads):
    def f(x, parts):
        s = x.reshape(parts, -1)
        for i in range(s.shape[0]):
            for j in range(s.shape[1]):
                s[i, -1 - j] = s[i, -1 - j] * 2 + x[i] - i
        return s

    before, after = np.arange(shape[0]) * 1.0, np.arange(shape[0]) * 1.0
    parts = 1 if shape == (1,) else 3
    np.testing.assert_array_equal(weft.jit(f)(after, parts), f(before, parts))
    np.testing.assert_array_equal(after, before)


def test_pieces_of_a_split_are_not_written():
    with pytest.raises(weft.Error, match="an array that a list holds is written"):
        weft.jit(pieces_written)(np.arange(6.0))


def test_a_diagonal_is_not_written():
    def f(a):
        m = a * 2
        d = np.diag(m)
        d[0] = 1
        return d

    with pytest.raises(ValueError, match="read-only"):
        weft.jit(f)(np.eye(3))
