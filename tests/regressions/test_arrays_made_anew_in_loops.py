"""Loops that make their array anew, of the extents that it has or of others: ``x = x + 1``."""

from __future__ import annotations

import numpy as np
import pytest

import weft


def same_extents(x, k):
    for _ in range(k):
        x = x + 1
    return x


def with_another(x, k):
    y = x * 2
    for _ in range(k):
        x, y = y, x + y
    return x - y


def shrinks(x, k):
    for _ in range(k):
        x = x[1:] + x[:-1]
    return x


def grows(x, k):
    for _ in range(k):
        y = np.zeros(len(x) + 1)
        y[1:] = x
        y[:-1] += x
        x = y
    return x


def grows_at_times(x, k):
    for i in range(k):
        if i % 2:
            x = np.concatenate((x, x))
        else:
            x = x * 2
    return x


def halves_at_last(x, k):
    for i in range(k):
        x = x[: len(x) // 2] + 1 if i == k - 1 else x + 1
    return x


def in_turn(x, k):
    z = np.ones(3)
    for i in range(k):
        x, z = z + 1, x + i
    return x.sum() * 1000 + z.sum()


def anew_in_each(x, k):
    total = 0.0
    for i in range(k):
        y = np.arange(i + 2) * 1.0
        for _ in range(3):
            y = y + x[0]
        total += y.sum() + len(y)
    return total


def kept_for_the_next(x, k):
    z = x
    for i in range(k):
        y = z
        for _ in range(2):
            y = y * 2
        z = y[: len(y) - 1] + i if len(y) > 2 else y + i
    return z


def until(x, k):
    steps = 0
    while x[0] < k:
        x = x + 0.5
        steps += 1
    return x, steps


LOOPS = (
    same_extents, with_another, shrinks, grows, grows_at_times, halves_at_last, in_turn, anew_in_each,
    kept_for_the_next, until,
)  # fmt: skip


def parts_of(result):
    return result if isinstance(result, tuple) else (result,)


@pytest.mark.parametrize("size", [1, 2, 13, 64])
@pytest.mark.parametrize("loop", LOOPS)
def test_on_processors(loop, size):
    for k in (0, 1, 4):
        try:
            wanted = loop(np.arange(float(size)), k)
        except Exception as error:
            with pytest.raises(type(error)):
                weft.jit(loop)(np.arange(float(size)), k)
            continue
        got = weft.jit(loop)(np.arange(float(size)), k)
        for g, w in zip(parts_of(got), parts_of(wanted)):
            np.testing.assert_array_equal(g, w)


@pytest.mark.opencl
@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("loop", LOOPS)
def test_through_opencl(loop):
    for size, k in ((9, 0), (9, 1), (9, 4), (64, 5)):
        got, wanted = weft.jit(device="opencl")(loop)(np.arange(float(size)), k), loop(np.arange(float(size)), k)
        for g, w in zip(parts_of(got), parts_of(wanted)):
            np.testing.assert_allclose(g, w, rtol=1e-14)


def transposed(x, k):
    for _ in range(k):
        x = x.T + 1
    return x


@pytest.mark.parametrize("shape", [(3, 3), (2, 5)])
@pytest.mark.parametrize("k", [0, 1, 2, 3])
def test_extents_that_change_places(shape, k):
    x = np.arange(float(np.prod(shape))).reshape(shape)
    np.testing.assert_array_equal(weft.jit(transposed)(x, k), transposed(x, k))


@pytest.mark.opencl
@pytest.mark.filterwarnings("ignore")
def test_the_array_goes_to_the_device_once():
    compiled = weft.jit(device="opencl")(same_extents)
    compiled(np.arange(100.0), 5)
    with weft.profile() as profile:
        compiled(np.arange(100.0), 5)
    assert len(profile.of("copy_in")) == 1
