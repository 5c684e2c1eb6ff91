"""Semantics, "Scalars"."""

from __future__ import annotations

import warnings

import numpy as np
import pytest

import weft

from .tools import every_device, place_of, same, same_error


@every_device
def test_weak_types_stand_beside_those_of_numpy(device):
    def mixed(a, b, c, out):
        for i in range(len(a)):
            out[i] = (a[i] + 1) * 0.5 + b[i] * 2 + (c[i] and True)

    arrays = np.arange(5, dtype=np.float32), np.arange(5, dtype=np.int8), np.arange(5) % 2 == 0, np.zeros(5)
    same(mixed, *arrays, device=device)


def test_the_result_type_of_every_pair_is_that_of_nep_50():
    def sums(x, y):
        return x + y, x * y, x - 1, 2.0 * x

    values = [
        np.int8(3),
        np.uint8(3),
        np.int64(3),
        np.uint64(3),
        np.float16(3),
        np.float32(3),
        3,
        3.0,
        3j,
        np.complex64(3),
    ]
    for x in values:
        for y in values:
            same(sums, x, y)


@every_device
@pytest.mark.parametrize("dtype", ["int8", "uint8", "int16", "uint16", "int32", "uint32", "int64", "uint64"])
def test_numpy_integers_wrap(device, dtype):
    def wrap(a, out):
        for i in range(len(a)):
            out[i] = a[i] * a[i] + a[i] - 3

    ends = np.iinfo(dtype)
    a = np.array([ends.min, ends.max, 1, ends.max - 1], dtype)
    same(wrap, a, np.zeros_like(a), device=device)


@every_device
def test_a_python_int_that_leaves_64_bits_raises_with_its_line(device):
    def factorials(out):
        p = 1
        for i in range(1, 30):
            p = p * i
            out[i % 4] = p % 1000
        return p

    with pytest.raises(OverflowError, match=r"p = p \* i"), warnings.catch_warnings():
        warnings.simplefilter("ignore")
        weft.jit(factorials, device=device)(np.zeros(4, np.int64))


@every_device
def test_a_counted_overflow_raises_and_never_wraps(device):
    def counted(out, n):
        for i in range(len(out)):
            out[i] = n * (i + 1)

    with pytest.raises(OverflowError), warnings.catch_warnings():
        warnings.simplefilter("ignore")
        weft.jit(counted, device=device)(np.zeros(4, np.int64), 2**62)
    same(counted, np.zeros(4, np.int64), 2**60, device=device)


@every_device
def test_a_variable_whose_type_differs_on_entry_is_typed_by_its_first_iteration(device):
    def total(a):
        s = 0.0
        for i in range(len(a)):
            s += a[i]
        return s

    assert type(same(total, np.ones(7, np.float32), device=device)) is np.float32


@pytest.mark.parametrize("device", ["interpreter", "cpu"])
def test_a_result_that_has_another_type_for_some_values_is_refused(device):
    def power(n):
        return 2**n

    compiled = weft.jit(power, device=device)
    assert compiled(3) == 8
    with pytest.raises(weft.UnsupportedError, match="give a float where it is negative"):
        compiled(-3)


@every_device
def test_division_and_remainder_are_pythons(device):
    def divided(a, b, q, r):
        for i in range(len(a)):
            q[i] = a[i] // b[i]
            r[i] = a[i] % b[i]

    pairs = [(x, y) for x in range(-7, 8) for y in (-3, -2, -1, 1, 2, 3)]
    a, b = np.array(pairs).T.copy()
    same(divided, a, b, np.zeros_like(a), np.zeros_like(a), device=device)
    same(divided, a * 0.5, b * 0.75, np.zeros(len(a)), np.zeros(len(a)), device=device)


@every_device
def test_division_by_zero_is_numpys_for_elements(device):
    def divided(a, b, q, r):
        for i in range(len(a)):
            q[i] = a[i] // b[i]
            r[i] = a[i] % b[i]

    a = np.array([-3, 0, 4])
    same(divided, a, np.zeros(3, int), a.copy(), a.copy(), device=device)
    same(divided, a * 1.0, np.zeros(3), a * 1.0, a * 1.0, device=device)


@every_device
def test_negative_indices_are_pythons(device):
    def reach(a, out):
        for i in range(-len(a), len(a)):
            out[i + len(a)] = a[i]

    same(reach, np.arange(5.0), np.zeros(10), device=device)


@every_device
def test_chained_comparisons_and_short_circuits_are_pythons(device):
    def guarded(a, out):
        for i in range(len(out)):
            out[i] = 0 <= i - 2 < len(a) and a[i - 2] > 0.5 or i == 1

    same(guarded, np.array([1.0, 0.0, 2.0]), np.zeros(9, bool), device=device)


@every_device
def test_numpys_warnings_are_not_issued(device):
    def divided(a, out):
        for i in range(len(a)):
            out[i] = 1.0 / a[i] + a[i] * 1e308 * 10

    ready = weft.jit(divided, device=device)
    ready(np.ones(3), np.zeros(3))
    with warnings.catch_warnings():
        warnings.simplefilter("error", RuntimeWarning)
        ready(np.zeros(3), np.zeros(3))


@every_device
def test_math_domain_errors_are_pythons(device):
    import math

    def roots(a, out):
        for i in range(len(a)):
            out[i] = math.sqrt(a[i])

    same(roots, np.array([1.0, 4.0]), np.zeros(2), device=device)
    assert "line" in place_of(same_error(roots, np.array([1.0, -4.0, 9.0]), np.zeros(3), device=device))
