"""Arrays that a branch makes, or writes in part, with sizes that only this branch computes."""

from __future__ import annotations

import numpy as np
import pytest

import weft


def made_and_renamed(a, k, flag):
    if flag > 0:
        b = np.zeros(k[0] * k[1])
        for i in range(k[1]):
            b[i] = a[i]
        a = b
    else:
        a[0] = 7.0
    for i in range(len(a)):
        a[i] = a[i] + 1.0
    return a


def filled_whole(a, k, flag):
    if flag > 0:
        b = np.empty(k[0] + k[1])
        for i in range(len(b)):
            b[i] = a[i] * 2.0
        a = b
    for i in range(len(a)):
        a[i] = a[i] + 1.0
    return a


def both_make(a, k, flag):
    if flag > 0:
        b = np.zeros(k[0] * 2)
        for i in range(k[0]):
            b[i] = a[i]
    else:
        b = np.ones(k[1] + 3)
        for i in range(k[1]):
            b[i] = -a[i]
    for i in range(len(b)):
        b[i] = b[i] * 2.0
    return b


def nested(a, k, flag):
    if flag >= 0:
        m = k[0] * k[1]
        if flag > 0:
            b = np.zeros(m)
            for i in range(k[1]):
                b[i] = a[i]
            a = b
        for i in range(len(a)):
            a[i] += 1.0
    for i in range(len(a)):
        a[i] *= 2.0
    return a


def written_in_part(a, k, flag):
    if flag > 0:
        m = max(min(k[0], len(a)), 0)
        for i in range(m, len(a)):
            a[i] = 2.0 * i
    first = a[0]
    for i in range(len(a)):
        a[i] = a[i] + first
    return a


def in_a_loop(a, k, flag):
    for t in range(3):
        if flag > t:
            b = np.zeros(k[0] + len(a))
            for i in range(k[1]):
                b[i] = a[i] + t
            a = b
        for i in range(len(a)):
            a[i] = a[i] + 1.0
    return a


def read_at_home(a, k, flag):
    if flag > 0:
        b = np.zeros(k[0] * k[1])
        for i in range(k[1]):
            b[i] = a[i]
        a = b
    else:
        for i in range(len(a)):
            a[i] = 3.0
    s = 0.0
    for i in range(len(a)):
        s = s * 0.5 + a[i]
    return s, a


def by_shapes(a, k, flag):
    if flag > 0:
        a = np.minimum(a[::-1], a[: k[0] + 5])
    else:
        a[-1] += 0
    a[::-1] //= -2
    return a


PROGRAMS = (
    made_and_renamed, filled_whole, both_make, nested, written_in_part, in_a_loop, read_at_home, by_shapes,
)  # fmt: skip


@pytest.mark.parametrize("flag", (-1, 0, 1, 2))
@pytest.mark.parametrize("function", PROGRAMS, ids=lambda f: f.__name__)
def test_answer_and_arguments_are_those_of_python(function, flag):
    own, theirs, k = np.arange(9.0), np.arange(9.0), np.array([4, 5])
    wanted, found = function(own, k, flag), weft.jit(function, device="opencl")(theirs, k, flag)
    pairs = zip(wanted, found, strict=True) if isinstance(wanted, tuple) else [(wanted, found)]
    assert all(np.array_equal(a, b) for a, b in pairs)
    assert np.array_equal(own, theirs)
