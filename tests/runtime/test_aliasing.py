"""Array arguments that share memory: whatever they share, the answer is that of CPython."""

from __future__ import annotations

import itertools

import numpy as np
import pytest
from numpy.lib.stride_tricks import as_strided, sliding_window_view

import weft
from weft.ir.types import FLOAT64, View
from weft.runtime.variants import Leaf, VariantKey, aliasing_of


def shift_and_add(x, y):
    for i in range(min(len(x), len(y)) - 1):
        y[i + 1] = x[i] + 0.5 * y[i]


def both(x, y):
    total = 0.0
    for i in range(min(len(x), len(y))):
        x[i] = x[i] + 1.0
        y[i] = 2.0 * y[i]
        total += x[i]
    return total


SLICES = [
    slice(None), slice(1, None), slice(None, -1), slice(None, None, 2), slice(1, None, 2), slice(None, None, -1),
    slice(10, 3, -1), slice(0, 4), slice(4, 8), slice(0, 0), slice(0, 1),
]  # fmt: skip


@pytest.mark.parametrize("function", [shift_and_add, both])
def test_all_pairs_of_slices(function):
    compiled = weft.jit(function)
    for first, second in itertools.product(SLICES, SLICES):
        expected, got = np.arange(12.0), np.arange(12.0)
        wanted = function(expected[first], expected[second])
        result = compiled(got[first], got[second])
        np.testing.assert_array_equal(got, expected, err_msg=f"{first} and {second}")
        np.testing.assert_allclose(result if wanted is not None else 0.0, wanted or 0.0, rtol=1e-14)


def fill(x):
    for i in range(x.shape[0]):
        for j in range(x.shape[1]):
            x[i, j] = x[i, j] * 2.0 + i - j


@pytest.mark.parametrize(
    "view",
    [
        lambda base: as_strided(base, (3, 4), (0, 8)),
        lambda base: as_strided(base, (4, 3), (8, 0)),
        lambda base: as_strided(base, (4, 3), (8, 8)),
        lambda base: as_strided(base, (3, 4), (16, 8)),
        lambda base: sliding_window_view(base, 3, writeable=True),
        lambda base: base.reshape(3, 4)[::-1, ::-1],
        lambda base: base.reshape(3, 4).T,
    ],
)
def test_views_that_overlap_themselves(view):
    expected, got = np.arange(12.0), np.arange(12.0)
    fill(view(expected))
    weft.jit(fill)(view(got))
    np.testing.assert_array_equal(got, expected)


def test_interleaved_views_run_as_disjoint_ones():
    @weft.jit
    def compiled(x, y):
        for i in range(len(x)):
            y[i] = x[i]

    base = np.arange(10.0)
    compiled(base[::2], base[1::2])
    (specialisation,) = compiled._callee.specialisations
    assert set(specialisation.family.variants) == {VariantKey()}


def test_variants_are_kept():
    @weft.jit
    def compiled(x, y):
        for i in range(len(x)):
            y[i] = 2.0 * x[i]

    a = np.arange(5.0)
    for _ in range(3):
        compiled(a, a)
        compiled(a[1:], a[:-1])
    (specialisation,) = compiled._callee.specialisations
    keys = [key for key in specialisation.family.variants if not key.checked]
    assert sorted(keys, key=repr) == sorted(
        [VariantKey(), VariantKey(same=((0, 1),)), VariantKey(overlaps=((0, 1),))], key=repr
    )


def test_arrays_that_are_only_read_may_be_the_same():
    @weft.jit
    def dot(a, b):
        total = 0.0
        for i in range(len(a)):
            total += a[i] * b[i]
        return total

    a = np.arange(5.0)
    assert dot(a, a) == 30.0
    (specialisation,) = dot._callee.specialisations
    assert set(specialisation.family.variants) == {VariantKey()}


def leaves(*written):
    return [Leaf(View(FLOAT64, 1, True, True), w) for w in written]


def test_key_of_three_arguments_of_which_two_are_one():
    a, b = np.zeros(4), np.zeros(4)
    assert aliasing_of((a, b, a), leaves(True, True, False)) == VariantKey(same=((0, 2),))


def test_key_of_overlapping_arguments():
    a = np.zeros(4)
    assert aliasing_of((a[1:], a[:-1]), leaves(True, False)) == VariantKey(overlaps=((0, 1),))
    assert aliasing_of((a[1:], a[:-1]), leaves(False, False)) == VariantKey()


def test_undecided_counts_as_overlapping():
    base = np.zeros(1 << 16)
    a = as_strided(base, (7, 11, 13, 5), (8 * 121, 8 * 83, 8 * 59, 8 * 31))
    b = as_strided(base[1:], (7, 11, 13, 5), (8 * 127, 8 * 89, 8 * 53, 8 * 37))
    types = [Leaf(View(FLOAT64, 4, False, True), True)] * 2
    assert aliasing_of((a, b), types).overlaps


def test_false_assumption_runs_the_checked_variant():
    @weft.jit
    def shifted(a, b, k):
        for i in range(len(b)):
            b[i] = a[i + k]

    a, b = np.arange(5.0), np.zeros(3)
    shifted(a, b, 2)
    np.testing.assert_array_equal(b, [2.0, 3.0, 4.0])
    shifted(a, b, -1)
    np.testing.assert_array_equal(b, [4.0, 0.0, 1.0])
    with pytest.raises(IndexError):
        shifted(a, b, 3)
    np.testing.assert_array_equal(b[:2], [3.0, 4.0])
