"""Time loops in pieces, over devices and over tasks: the bits of a call that is not cut, whoever owns which rows."""

from __future__ import annotations

import numpy as np
import pytest

import weft
from tests.split.halves import HALVES
from weft.errors import ArgumentError, DeviceError, UnsupportedError

da = pytest.importorskip("dask.array")


def swapped(u, v, steps):
    for t in range(steps):
        c = 0.1 * t
        for i in range(1, u.shape[0] - 1):
            for j in range(u.shape[1]):
                v[i, j] = c * (u[i - 1, j] + u[i + 1, j])
        u, v = v, u
    for i in range(u.shape[0]):
        for j in range(u.shape[1]):
            u[i, j] *= 2.0
    return u


def in_two_loops(u, v, w, steps):
    for t in range(steps):
        for i in range(2, u.shape[0] - 1):
            for j in range(1, u.shape[1] - 1):
                v[i, j] = 0.3 * (u[i - 2, j] + u[i + 1, j - 1]) + w[i, j]
        for i in range(1, u.shape[0] - 1):
            for j in range(u.shape[1]):
                u[i, j] = v[i + 1, j] - 0.5 * v[i - 1, j] + t


def three_in_turn(u, v, w, steps):
    for t in range(steps):
        for i in range(1, u.shape[0] - 1):
            for j in range(u.shape[1]):
                v[i, j] = u[i - 1, j] + w[i + 1, j]
        u, v, w = v, w, u
    return v


def growing(u, v, steps):
    for t in range(steps):
        for i in range(1, min(t + 2, u.shape[0] - 1)):
            for j in range(u.shape[1]):
                v[i, j] = u[i - 1, j] + u[i + 1, j]
        u, v = v, u


def rounds(u, v, steps):
    for r in range(2):
        for t in range(steps):
            for i in range(1, u.shape[0] - 1):
                for j in range(u.shape[1]):
                    v[i, j] = u[i - 1, j] + u[i + 1, j] + r
            u, v = v, u
        for i in range(u.shape[0]):
            for j in range(u.shape[1]):
                u[i, j] *= 0.5
    return u


PROGRAMS = [(swapped, 2), (in_two_loops, 3), (three_in_turn, 3), (growing, 2), (rounds, 2)]
IDS = [function.__name__ for function, _ in PROGRAMS]


def whole(function, count, steps, shape):
    """Arrays before and after a call of plain Python, and which of them it returns."""
    rng = np.random.default_rng(steps)
    before = [rng.random(shape) for _ in range(count)]
    after = [array.copy() for array in before]
    result = function(*after, steps)
    return before, after, [result is array for array in after]


@pytest.mark.parametrize(("function", "count"), PROGRAMS, ids=IDS)
@pytest.mark.parametrize(("pieces", "steps", "rows"), [(1, 2, 9), (3, 7, 33), (50, 3, 33), (2, 0, 9), (3, 20, 200)])
def test_bits_are_those_of_a_call_without_pieces(function, count, pieces, steps, rows):
    before, after, returned = whole(function, count, steps, (rows, 4))
    found = [array.copy() for array in before]
    result = weft.cluster(function, pieces=pieces)(*found, steps)
    assert all(np.array_equal(a, b) for a, b in zip(found, after, strict=True))
    assert [result is array for array in found] == returned


@pytest.mark.parametrize(("function", "count"), PROGRAMS[:3], ids=IDS[:3])
def test_dask_arrays_with_different_chunks(function, count):
    before, after, _ = whole(function, count, 5, (30, 4))
    chunked = [da.from_array(a, chunks=(rows, 4)) for a, rows in zip(before, (10, 12, 30))]
    found = weft.cluster(function)(*chunked, 5)
    results = da.compute(*(found if isinstance(found, tuple) else (found,)))
    changed = [b for a, b in zip(before, after, strict=True) if not np.array_equal(a, b)]
    assert all(any(np.array_equal(result, array) for result in results) for array in changed)


@pytest.mark.opencl
@pytest.mark.parametrize(("function", "count"), PROGRAMS, ids=IDS)
def test_steps_over_two_devices(function, count):
    try:
        compiled = weft.jit(function, device=HALVES)
    except DeviceError as error:
        pytest.skip(str(error))
    for steps in (0, 1, 3):
        before, after, returned = whole(function, count, steps, (33, 7))
        found = [array.copy() for array in before]
        result = compiled(*found, steps)
        assert all(np.array_equal(a, b) for a, b in zip(found, after, strict=True))
        assert [result is array for array in found] == returned


@pytest.mark.parametrize("function", [growing, rounds])
def test_steps_that_have_to_meet_are_refused_for_dask_arrays(function):
    u = da.zeros((30, 4), chunks=(10, 4))
    with pytest.raises(UnsupportedError, match="cannot be tasks over Dask arrays"):
        weft.cluster(function)(u, u + 1, 3)


def numbers(u, v, steps):
    s = 1.0
    for t in range(steps):
        for i in range(len(u)):
            v[i] = s * u[i]
        s = s * 0.5


def shown(u, v, steps):
    n = u[0]
    for t in range(steps):
        for i in range(1, len(u)):
            v[i] = u[i - 1] + n
        u, v = v, u


def lost(u, v, steps):
    for t in range(steps):
        for i in range(1, len(u)):
            v[i] = u[i - 1]
        u = v


def in_place(u, v, steps):
    for t in range(steps):
        for i in range(1, len(u)):
            u[i] = u[i - 1] + v[i]


@pytest.mark.parametrize(
    ("function", "cause"),
    [
        (numbers, "the steps of t hand on the number s"),
        (shown, "it reads u"),
        (lost, "exchange arrays in a way that is not followed"),
        (in_place, "the loop over i is not proven to be parallel"),
    ],
)
def test_steps_that_cannot_be_followed_are_refused(function, cause):
    u, v = np.arange(6.0), np.ones(6)
    with pytest.raises(UnsupportedError) as caught:
        weft.cluster(function, pieces=2)(u, v, 2)
    assert cause in str(caught.value)
    assert u.tolist() == list(range(6)) and v.tolist() == [1.0] * 6


def test_arrays_of_different_shapes_do_not_change_places():
    with pytest.raises(ArgumentError, match="'u' and 'v' change places, and have different shapes"):
        weft.cluster(swapped, pieces=2)(np.zeros((5, 3)), np.zeros((6, 3)), 2)
