"""Claims of `weft.prange` that only the addresses of a call refute: arguments that share memory."""

import itertools
from types import FunctionType

import numpy as np
import pytest

import weft
from weft import prange
from weft.transform.parallel.overlaps import _solved

OPENCL = pytest.param("opencl", marks=pytest.mark.opencl)


def copies(a, b):
    for i in prange(a.shape[0]):
        a[i] = b[i] * 2


def from_the_next(a, b):
    for i in prange(a.shape[0] - 1):
        a[i] = b[i + 1]


def every_second(a, b):
    for i in prange(a.shape[0] // 2):
        a[2 * i] = b[i] + 1


def adds(a, b):
    for i in prange(a.shape[0]):
        a[i] += b[i]


def backwards(a, b):
    for i in prange(a.shape[0]):
        a[-1 - i] = b[i]


def twice(a, b):
    for i in prange(a.shape[0]):
        a[i] = i + 1.0
    for i in prange(a.shape[0]):
        a[i] = b[i] + a[i]


ROWS = (copies, from_the_next, every_second, adds, backwards, twice)


def by_rows(a, b):
    for i in prange(a.shape[0]):
        for j in range(a.shape[1]):
            a[i, j] = b[i, j] + 1


def columns_in_rows(a, b):
    for i in range(a.shape[0]):
        for j in prange(a.shape[1]):
            a[i, j] = b[i, j] + 1


def first_column(a, b):
    for i in prange(a.shape[0]):
        a[i, 0] = b[0, 0] + i


PLANES = (by_rows, columns_in_rows, first_column)


def row_views(x):
    """Views of one line of memory, in pairs."""
    slices = [slice(1, None), slice(None, -1), slice(None), slice(None, None, -1), slice(None, None, 2)]
    slices += [slice(1, None, 2), slice(None, None, -2), slice(0, 6), slice(6, 12), slice(3, 9)]
    views = [x[s] for s in slices]
    views += [np.lib.stride_tricks.as_strided(x, (5,), (0,)), np.ones(12)]
    return [(a, b) for a, b in itertools.product(views, views) if b.shape[0] >= a.shape[0]]


def plane_views(x):
    """Views of one block of memory of two dimensions."""
    block = x[:36].reshape(6, 6)
    views = [block[1:, :5], block[:-1, :5], block[:5, :5].T, block[::-1][:5, :5], block[:5, 1:], np.ones((5, 5))]
    views += [np.lib.stride_tricks.as_strided(x, (5, 5), (8, 8)), np.lib.stride_tricks.as_strided(x, (5, 5), (0, 8))]
    return list(itertools.product(views, views))


class Watched:
    """An array that notes which bytes each iteration of a claimed loop touches."""

    def __init__(self, array, notes, folded=False):
        self.array, self.notes, self.shape, self.folded = array, notes, array.shape, folded

    def _note(self, key, writes):
        at = self.array.ctypes.data
        for k, stride, length in zip(np.atleast_1d(key), self.array.strides, self.shape, strict=True):
            at += int(k % length) * stride
        self.notes.append((at, writes, self.folded))

    def __getitem__(self, key):
        self._note(key, False)
        return self.array[key]

    def __setitem__(self, key, value):
        self._note(key, True)
        self.array[key] = value


def has_race(function, a, b):
    """Whether two iterations of one run of a claimed loop really touch one element, one of them to write.

    Those that both add to an element of `a` fold.
    """
    notes, found = [], []

    def noted(stop):
        touched = {}
        for i in range(stop):
            notes.clear()
            yield i
            for at, writes, folded in notes:
                before = touched.setdefault(at, set())
                found.append(any(k != i and (writes or w) and not (folded and f) for k, w, f in before))
                before.add((i, writes, folded))

    plain = FunctionType(function.__code__, {**function.__globals__, "prange": noted})
    plain(Watched(a, notes, function is adds), Watched(b, notes))
    return any(found)


def checked(function, a, b, memory):
    """A race is refused before anything is written, and nothing else is."""
    before = memory.copy()
    races = has_race(function, a, b)
    expected = memory.copy()
    memory[:] = before
    compiled = weft.jit(function, device="cpu")
    if races:
        with pytest.raises(weft.RaceError) as caught:
            compiled(a, b)
        assert caught.value.location is not None and caught.value.other is not None
        np.testing.assert_array_equal(memory, before)
    else:
        compiled(a, b)
        np.testing.assert_array_equal(memory, expected)


@pytest.mark.parametrize("function", ROWS, ids=lambda f: f.__name__)
def test_rows(function):
    memory = np.arange(12.0)
    for a, b in row_views(memory)[ROWS.index(function) % 3 :: 3]:
        memory[:] = np.arange(12.0)
        checked(function, a, b, memory)


@pytest.mark.parametrize("function", PLANES, ids=lambda f: f.__name__)
def test_planes(function):
    memory = np.arange(40.0)
    for a, b in plane_views(memory)[PLANES.index(function) :: 3]:
        memory[:] = np.arange(40.0)
        checked(function, a, b, memory)


def test_the_error_names_the_iterations_and_the_arrays():
    x = np.arange(10.0)
    with pytest.raises(weft.RaceError) as caught:
        weft.jit(copies, device="cpu")(x[1:], x[:-1])
    text = str(caught.value)
    assert "iteration i = 0 writes a[i]" in text and "iteration i = 1 reads b[i]" in text
    assert "a and b share memory in this call" in text


@pytest.mark.parametrize("device", ["cpu", OPENCL])
def test_a_billion_iterations_are_decided_at_once(device):
    memory = np.zeros(10)
    a = np.lib.stride_tricks.as_strided(memory, (10**9,), (0,))
    with pytest.raises(weft.RaceError, match="elements of a share memory"):
        weft.jit(copies, device=device)(a, np.lib.stride_tricks.as_strided(memory[5:], (10**9,), (0,)))


def test_elements_of_several_sizes():
    memory = np.zeros(8)
    with pytest.raises(weft.RaceError):
        weft.jit(copies, device="cpu")(memory[:4], memory.view(np.float32)[:8])
    weft.jit(copies, device="cpu")(memory[4:], memory.view(np.float32)[:8])


def may_raise_before(a, b, n):
    if b[0] > 100 * n:
        raise ValueError("large")
    for i in prange(a.shape[0]):
        a[i] = b[i] * 2


def guarded(a, b, n):
    for i in prange(a.shape[0]):
        if b[i] > n:
            a[i] = b[i] * 2


@pytest.mark.parametrize("function", [may_raise_before, guarded])
def test_what_is_not_certain_runs_in_order(function):
    memory, expected = np.arange(9.0), np.arange(9.0)
    weft.jit(function, device="cpu")(memory[1:], memory[:-1], 2)
    function(expected[1:], expected[:-1], 2)
    np.testing.assert_array_equal(memory, expected)


def test_iterations_that_meet_are_found_for_all_distances():
    for a, b in itertools.product(range(-5, 6), repeat=2):
        for distance, low in itertools.product(range(-14, 15), (-3, 0, 2)):
            trips = range(low, low + 5)
            meet = {(i, j) for i in trips for j in trips if i != j and a * i - b * j == distance}
            found = _solved(a, b, distance, trips)
            assert found in meet if meet else found is None
