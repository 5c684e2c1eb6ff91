"""Semantics, "Floating point" and "Reductions"."""

from __future__ import annotations

import numpy as np
import pytest

import weft
from tests.acceptance.comparison import check_exact
from weft.runtime import _stub

from .tools import every_device, same


@every_device
def test_element_wise_results_are_numpys_bit_for_bit(device):
    def terms(a, b, out):
        for i in range(len(a)):
            out[i] = a[i] * b[i] + a[i] / (b[i] - 0.3) - b[i] * b[i] * a[i]

    random = np.random.default_rng(1)
    for dtype in (np.float64, np.float32):
        a, b = (random.normal(size=1003).astype(dtype) for _ in range(2))
        same(terms, a, b, np.zeros_like(a), device=device)


@every_device
def test_an_element_is_not_fused_beside_a_sum_that_may_be(device):
    def both(a, b, out):
        s = 0.0
        for i in range(len(a)):
            out[i] = a[i] * b[i] - 1.0
            s += a[i] * b[i]
        return s

    a = 1.0 + np.arange(1, 100) * 2.0**-30
    out = np.zeros(99)
    s = weft.jit(both, device=device)(a, a, out)
    np.testing.assert_array_equal(out, a * a - 1.0)
    assert abs(s - np.sum((a * a).astype(np.longdouble))) < 1e-9


def _total(a):
    s = 0.0
    for i in range(len(a)):
        s += a[i]
    return s


def test_a_sum_does_not_depend_on_the_number_of_threads_or_on_chance():
    a = np.random.default_rng(2).normal(size=300_007)
    ready, found = weft.jit(_total), set()
    try:
        for threads in (1, 2, 3, 7):
            _stub.set_threads(threads)
            for grain in (0.0, 1e4, 1e9):
                _stub.set_grain(grain)
                found |= {ready(a) for _ in range(3)}
    finally:
        _stub.set_threads(0)
        _stub.set_grain(20_000.0)
    assert len(found) == 1


@every_device
def test_a_sum_repeats_on_a_device(device):
    a = np.random.default_rng(3).normal(size=5_003)
    ready = weft.jit(_total, device=device)
    assert len({ready(a) for _ in range(5)}) == 1


@every_device
def test_a_sum_is_as_near_as_the_bound_says(device):
    a = np.random.default_rng(4).normal(size=4_001).astype(np.float32)
    wide = np.sum(a.astype(np.longdouble))
    own = abs(np.longdouble(_total(a)) - wide)
    bound = 4 * np.log2(len(a)) * np.finfo(np.float32).eps * np.abs(a).sum(dtype=np.longdouble)
    assert abs(np.longdouble(weft.jit(_total, device=device)(a)) - wide) <= max(own, bound)


def test_only_associativity_is_assumed():
    """Composition of affine maps is associative and does not commute."""

    @weft.associative
    def then(p, q):
        return p[0] * q[0] % 1009, (p[1] * q[0] + q[1]) % 1009

    def composed(a, b):
        result = (1, 0)
        for i in range(len(a)):
            result = then(result, (a[i], b[i]))
        return result

    random = np.random.default_rng(5)
    a, b = random.integers(1, 9, 50_001), random.integers(0, 9, 50_001)
    _stub.set_threads(4)
    _stub.set_grain(0.0)
    try:
        same(composed, a, b)
    finally:
        _stub.set_threads(0)
        _stub.set_grain(20_000.0)


@every_device
@pytest.mark.parametrize("size", [0, 1, 2, 100, 1001])
def test_integer_folds_are_exact(device, size):
    def folds(a):
        s, p, low, high, bits = 0, np.int64(1), 99, -99, np.int64(0)
        for i in range(len(a)):
            s += int(a[i])
            p *= a[i]
            low = min(low, int(a[i]))
            high = max(high, int(a[i]))
            bits ^= a[i]
        return s, p, low, high, bits

    same(folds, np.random.default_rng(6).integers(-9, 9, size), device=device)


@every_device
def test_scans_of_integers_and_extremes_are_exact(device):
    def scans(a, sums, highs):
        s, high = 0, a[0]
        for i in range(len(a)):
            s += int(a[i])
            high = max(high, a[i])
            sums[i] = s
            highs[i] = high

    a = np.random.default_rng(7).integers(-9, 9, 2001)
    same(scans, a, np.zeros(2001, np.int64), np.zeros(2001, np.int64), device=device)


def products_of_complex_numbers(a, b, p, q, r, s, t, u, v):
    for i in range(a.shape[0]):
        p[i] = a[i] * b[i]
        q[i] = a[i] * a[i]
        r[i] = a[i] ** 2
        s[i] = a[i] * b[i] - a[i] * 2
        t[i] -= a[i] * b[i]
    u[:] = a * b
    v[:] = np.square(a)


@every_device
@pytest.mark.parametrize("dtype", [np.complex128, np.complex64])
def test_products_of_complex_numbers_are_those_of_scalars_also_of_whole_arrays(dtype, device):
    """NumPy's loops over arrays fuse a product and a sum on some processors, and its scalars on none."""
    draw = np.random.default_rng(5)
    special = [np.inf, -np.inf, np.nan, -0.0, 0.0, 1e308, 5e-324, 1.1]
    with np.errstate(all="ignore"):
        a, b = (np.concatenate([draw.standard_normal(90) + 1j * draw.standard_normal(90),
                                draw.choice(special, 37) + 1j * draw.choice(special, 37)]).astype(dtype)
                for _ in range(2))  # fmt: skip
        out = [draw.standard_normal(127).astype(dtype) for _ in range(7)]
        expected = [x.copy() for x in out]
        products_of_complex_numbers(a, b, *expected)
        for i in range(127):  # element by element, so that no loop of NumPy's takes part
            expected[5][i], expected[6][i] = a[i] * b[i], a[i] * a[i]
        weft.jit(products_of_complex_numbers, device=device)(a, b, *out)
    for name, left, right in zip("pqrstuv", expected, out):
        check_exact(left, right, name)
