"""Array arguments that share memory: whatever they share, the answer is that of CPython."""

from __future__ import annotations

import itertools

import numpy as np
import pytest
from numpy.lib.stride_tricks import as_strided, sliding_window_view

import weft
from weft.ir.types import FLOAT64, View
from weft.runtime.devices import accelerators
from weft.runtime.dispatch.foreign import as_arrays
from weft.runtime.dispatch.variants import Leaf, VariantKey, _overlaps_itself, aliasing_of


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


@pytest.mark.sample(1)
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


def sum_of_table(x, y):
    s = 0.0
    for i in range(x.shape[0]):
        for j in range(x.shape[1]):
            y[i, j] = x[i, j] + 1.0
            s += x[i, j]
    return s


@pytest.mark.parametrize("device", ["cpu", pytest.param("opencl", marks=pytest.mark.opencl)])
@pytest.mark.parametrize("shape, strides", [((0, 3), (12, 8)), ((3, 0), (13, 5)), ((0, 0), (8, 8))])
def test_an_array_without_elements_lies_at_any_address(device, shape, strides):
    memory = np.zeros(100, np.uint8)
    run = weft.jit(sum_of_table, device=device)
    for offset in (0, 1, 3):
        nothing = np.ndarray(shape, np.float64, memory, offset, strides)
        assert run(nothing, nothing) == 0.0 and run(nothing, np.zeros(shape)) == 0.0
        assert weft.jit(lambda a: a, device=device)(nothing) is nothing


def test_a_misaligned_array_with_elements_is_refused():
    odd = np.ndarray((2, 2), np.float64, np.zeros(100, np.uint8), 1)
    with pytest.raises(weft.ArgumentError, match="misaligned"):
        weft.jit(sum_of_table)(odd, np.zeros((2, 2)))


# ----------------------------------------------------------------- coherent arrays that have no place on the device yet


def there(*arrays):
    """The arrays as they are compared, of which the device has no bytes."""
    types = [View(FLOAT64, a.ndim, True, True, memory="opencl") for a in arrays]
    return aliasing_of(as_arrays(arrays, types, accelerators.table("opencl")), [Leaf(type, True) for type in types])


@pytest.mark.opencl
def test_arrays_without_a_place_overlap_where_they_are_parts_of_one():
    x, y = weft.array(np.zeros((3, 8))), weft.zeros(8)
    assert there(x[0], x[1], x[2], y) == VariantKey()
    assert there(x[0], x[0][1:], y) == VariantKey(overlaps=((0, 1),))
    assert there(y, x, x[2], x[1]) == VariantKey(overlaps=((1, 2), (1, 3)))
    assert there(x[1], y, x[1]) == VariantKey(same=((0, 2),))
    assert there(x[0][::-1], x[0][2:4], y[::2]) == VariantKey(overlaps=((0, 1),))


@pytest.mark.opencl
def test_arrays_without_elements_overlap_nothing():
    assert there(weft.zeros(0), weft.zeros(0), weft.zeros(3)[3:], weft.zeros(3)).overlaps == ()


@pytest.mark.opencl
def test_one_array_has_a_place_and_another_has_none():
    x, y = weft.array(np.zeros(8)), weft.zeros(8)
    x._storage.acquire(accelerators.table("opencl"), False)
    assert there(x[1:], y, x[:-1], y[3:]) == VariantKey(overlaps=((0, 2), (1, 3)))


@pytest.mark.opencl
def test_large_arrays_that_no_slabs_are_worth_for_run_at_once():
    """A call that could run in slabs, and is predicted to be slower so, asks which of its arrays overlap."""

    def doubled(x, y):
        for i in range(x.shape[0]):
            y[i] = 2.0 * x[i]

    run, size = weft.jit(doubled, device="opencl"), 1 << 21
    x, y, z = weft.array(np.arange(float(size))), weft.empty(size), weft.array(np.full(2 * size + 1, 3.0))
    run.specialise(x, y).family.runs_beside = lambda leaves: False
    run(x, y)
    assert y.where == ("opencl",) and y[size - 1] == 2.0 * (size - 1)
    run(z[:-1], z[1:])
    assert list(z[:4]) == [3.0, 6.0, 12.0, 24.0]


STRIDES = (-24, -16, -8, 0, 8, 16, 24, 32)


@pytest.mark.parametrize("shape", list(itertools.product((1, 2, 3), repeat=2)) + [(2, 2, 2), (3, 1, 2), (0, 3)])
def test_an_array_of_which_two_elements_share_memory_is_seen(shape):
    memory = np.zeros(400)
    for strides in itertools.product(STRIDES, repeat=len(shape)):
        places = [sum(k * s for k, s in zip(index, strides)) for index in np.ndindex(*shape)]
        array = as_strided(memory[200:], shape, strides)
        if len(set(places)) < len(places):
            assert _overlaps_itself(array), (shape, strides)
