"""Masked sums and products of Python's integers beside CPython, which computes all digits."""

from __future__ import annotations

import pytest

import weft

MASK = (1 << 48) - 1
NEGATIVE = -16


def by_literals(n, k):
    s, t, h = 1, n, -k
    for i in range(n):
        s = (s * 25214903917 + 11) & ((1 << 48) - 1)
        t = ((t ^ i) * 6364136223846793005 + 1442695040888963407) % 2**62
        h = (h * h - 11400714819323198485 * h + k | i) & ((1 << 63) - 1)
    return s, t, h


def by_masks_of_the_module(n, k):
    s, t = k, 0
    for i in range(n):
        s = (s * 25214903917 + 11) & MASK
        t ^= ((s & 0xFFFF) * 1099511628211 + i) & NEGATIVE
        t = (t * 3 + 1) % 1024 + ((n - i) * 1000003 * n + n * n & k)
    return s, t


def of_floats_and_small_numbers(n, k):
    return (n * 1.5 + n) % 1024, (n * 5 + k) & 7, (n * 25214903917 + k) % 1000


@pytest.mark.parametrize("function", [by_literals, by_masks_of_the_module, of_floats_and_small_numbers])
def test_low_bits(function):
    compiled = weft.jit(function)
    for n, k in ((0, 0), (1, -5), (40, 12345), (7, (1 << 40) + 3), (13, -3)):
        found = compiled(n, k)
        assert found == function(n, k)
        assert all(type(a) is type(b) for a, b in zip(found, function(n, k)))


def test_what_no_mask_cuts_is_still_an_overflow():
    @weft.jit
    def f(s):
        t = s * 25214903917
        return t & 0xFF, (s * 25214903917) % 1000

    with pytest.raises(OverflowError):
        f(1 << 40)
    assert f(3) == ((3 * 25214903917) & 0xFF, 3 * 25214903917 % 1000)


class Counter:
    def __init__(self, v):
        self.v, self.asked = v, 0

    @property
    def value(self):
        self.asked += 1
        return self.v

    def __neg__(self):
        self.asked += 10
        return self.v

    def __add__(self, other):
        self.v += 1
        return self.v + other


def of_objects(s, k):
    p, q = Counter(s), Counter(k)
    found = (
        (p.value * k) & 0xFFFF,
        (p.value * k * 3) % 256,
        (-p * k) & 0xFFFF,
        (s * k) & (q + 4),
        (p.v * 25214903917) & 255,
    )
    return (*found, p.asked, q.v)


def test_what_an_object_does_when_it_is_asked_is_done_once():
    compiled = weft.jit(of_objects)
    for s, k in ((5, 7), (-3, 1), (1 << 20, 12345)):
        assert compiled(s, k) == of_objects(s, k)
