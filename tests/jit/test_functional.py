"""``map``, ``filter``, ``reduce``, ``zip(strict=True)``, ``sorted`` by keys and ``pow`` modulo, beside CPython."""

from __future__ import annotations

import copy
import functools
import math
import random

import numpy as np
import pytest

import weft

RAISED = (ArithmeticError, LookupError, ValueError)


def same(function, *args):
    """Compiled code returns or raises what Python does, and leaves the same in the arguments, types included."""
    wanted, got = copy.deepcopy(args), copy.deepcopy(args)
    expected = outcome(function, wanted)
    assert outcome(weft.jit(function), got) == expected
    assert repr(got) == repr(wanted)
    return expected


def outcome(function, args):
    try:
        return repr(function(*args))
    except RAISED as error:
        return f"{type(error).__name__}: {error}"


NUMBERS = [[], [1], [3, -1, 2], [2, 2, 5, 0]]


@pytest.mark.parametrize("numbers", NUMBERS, ids=str)
@pytest.mark.parametrize(
    "function",
    [
        lambda a: list(map(lambda v: v * v, a)),
        lambda a: list(map(float, a)),
        lambda a: list(map(lambda v, w: v - 2 * w, a, a)),
        lambda a: list(map(lambda v: v + 1, filter(lambda v: v > 1, a))),
        lambda a: list(filter(None, a)),
        lambda a: [v * 2 for v in filter(lambda w: w > 1, a) if v < 9],
        lambda a: sum(filter(lambda v: v > 1, map(lambda v: 2 * v, a))),
        lambda a: sum(map(lambda v: v * 3, a), 5),
        lambda a: sum((v for v in a if v > 1), start=2),
        lambda a: sorted(map(lambda v: -v, a), reverse=True),
        lambda a: (any(map(lambda v: v > 2, a)), all(map(lambda v: v > 0, a))),
        lambda a: max(map(abs, a)),
        lambda a: min(map(abs, a), default=7),
        lambda a: functools.reduce(lambda x, y: x - y, a, 5),
        lambda a: functools.reduce(lambda x, y: x - y, map(abs, a), 5),
        lambda a: sorted(a, key=lambda v: v * 0.5),
        lambda a: sorted(a, key=lambda v: (v % 2, -v), reverse=True),
        lambda a: sorted(a, key=None),
        lambda a: list(enumerate(map(abs, a), 1)),
    ],
)
def test_of_lists(function, numbers):
    same(function, numbers)


def test_a_loop_over_map():
    def f(a, b):
        n = 0
        for i, x in enumerate(map(lambda v, w: v / w, a, b)):
            a[i] = x
            n += 1
        return n

    same(f, [1.0, 2.0, 3.0], [2.0, 4.0])
    assert "ZeroDivisionError" in same(f, [1.0, 2.0, 3.0], [2.0, 0.0, 1.0])
    same(f, [], [1.0])


def test_map_of_pairs():
    def f(a):
        t = 0
        for x in map(lambda pair: pair[0] - 2 * pair[1], zip(a, a)):
            t += x
        u, v = map(lambda pair: pair[0] * pair[1], zip((1, 2), (3, 4)))
        return t, u, v, list(map(lambda pair: pair[0] + pair[1], enumerate(a)))

    same(f, [1, 5, 2])


def test_map_that_is_unpacked():
    def f(x, y):
        a, b = map(int, (x, y))
        c, d = map(lambda u, v: u * v, (x, y), (2, 3))
        return a, b, c, d

    same(f, 1.5, 2.5)


def test_a_name_that_is_map_only_in_spelling():
    def f(a):
        map = lambda g, items: 7  # noqa: E731
        return sum([map(1, a)])

    same(f, [1])


def test_reduce():
    same(lambda a: functools.reduce(lambda x, y: x - y, a), [1, 2, 3])
    same(lambda n: functools.reduce(lambda x, y: x * y, range(1, n + 1)), 10)
    same(lambda n: functools.reduce(lambda x, y: x * y, range(1, n + 1), 1), 0)
    same(lambda n: functools.reduce(max, (1, n, 3)), 10)
    with pytest.raises(TypeError, match="empty iterable with no initial value"):
        weft.jit(lambda a: functools.reduce(lambda x, y: x - y, a))([])


@pytest.mark.parametrize(
    "sizes", [(2, 2, 2), (1, 2, 2), (2, 1, 2), (2, 2, 1), (2, 1, 1), (1, 2, 1), (1, 1, 2), (0, 1, 0)]
)
def test_zip_that_checks_lengths(sizes):
    def f(a, b, c):
        n = 0
        for k, (x, y, z) in enumerate(zip(a, b, c, strict=True)):
            a[k] = x + y * z
            n += 1
        else:
            n = -n
        return n

    expected = same(f, *([1.0 + k] * size for k, size in enumerate(sizes)))
    assert ("zip() argument" in expected) == (len(set(sizes)) > 1)


def test_zip_that_checks_lengths_and_is_left():
    def f(a, b):
        for x, y in zip(a, b, strict=True):
            if x > 1:
                break
        return y

    same(f, [1, 2], [1, 2, 3])
    same(f, [1, 1], [1, 2, 3])
    same(lambda a, b: [x + y for x, y in zip(a, b, strict=True)], [1, 2], [1])
    same(lambda a, b: sum(x + y for x, y in zip(a, b, strict=False)), [1, 2], [1])


def test_sort_with_a_key():
    def f(t):
        t.sort(key=lambda v: v % 3, reverse=True)

    same(f, [3, 1, 2, 5, 4, 6, 7, 9])
    same(f, [])
    same(lambda t: sorted(t, key=lambda v: v[1]), [(1, 2.0), (2, 1.0), (3, 1.0)])
    same(lambda t: sorted(t, key=math.sqrt), [3.0, -1.0])
    same(lambda a: sorted(a, key=lambda v: -v), np.array([3.0, 1.0, 2.0]))
    same(lambda a: sorted((v * v for v in a), key=lambda v: -v), [3, -1])


def test_powers_modulo():
    function = weft.jit(lambda a, b, m: pow(a, b, m))
    numbers = random.Random(1)
    for _ in range(1500):
        bits = numbers.choice([2, 4, 16, 40, 62, 63])
        base, modulus = (numbers.randrange(-(2**bits) + 1, 2**bits) for _ in range(2))
        exponent = numbers.choice([numbers.randrange(-30, 2**bits), numbers.randrange(50)])
        given = (base, exponent, modulus)
        assert outcome(function, given) == outcome(pow, given), given
    same(lambda a: pow(a, 2, None), 3)
    same(lambda a: pow(True, a, 5), 3)
    with pytest.raises(TypeError, match="3rd argument not allowed unless all arguments are integers"):
        weft.jit(lambda a: pow(a, 2, 3))(2.0)


def test_iterators_in_names():
    def f(a):
        t = 0
        for i in range(3):
            pairs = enumerate(zip(a, a))
            for _, (x, y) in pairs:
                t += x * i + y
        squares = map(lambda v: v * v, a)
        return t, list(squares)

    same(f, [1, 2])


def once(pairs):
    s = 0
    for x, _ in pairs:
        s += x
    return s


def in_two_loops(a):
    pairs = zip(a, a)
    return once(pairs) + once(pairs)


def in_a_loop_around(a):
    pairs = zip(a, a)
    s = 0
    for _ in range(2):
        s += once(pairs)
    return s


def in_a_while_loop(a):
    pairs = reversed(a)
    s = 0
    while s < 10:
        s += 10
        for x in pairs:
            s += x
    return s


def from_another_loop(a):
    s = 0
    for _ in range(2):
        pairs = enumerate(a)
    for _ in range(2):
        for _, x in pairs:
            s += x
    return s


def in_two_sums(a):
    doubled = map(lambda v: 2 * v, a)
    return sum(doubled) + sum(doubled)


@pytest.mark.parametrize("f", [in_two_loops, in_a_loop_around, in_a_while_loop, from_another_loop, in_two_sums])
def test_iterators_that_are_used_twice_are_refused(f):
    with pytest.raises(weft.UnsupportedError, match="a loop may run over one object of the type"):
        weft.jit(f)([1, 2])


@pytest.mark.parametrize(
    "f",
    [
        lambda a: list(zip(map(abs, a), a)),
        lambda a: functools.reduce(max, map(abs, a)),
        lambda a: len(map(abs, a)),
        lambda a: [x for x in reversed(map(abs, a))],
    ],
)
def test_refused(f):
    with pytest.raises((weft.UnsupportedError, TypeError)):
        weft.jit(f)([1, 2])


def test_lists_that_one_of_wefts_own_functions_makes_are_apart():
    same(lambda t: sorted(t, key=lambda v: v / 2), [3, 1, 2])
