"""Few elements, far apart: offsets beyond 2^31 in arrays whose pages are hardly touched, so they cost no memory."""

from __future__ import annotations

import numpy as np
import pytest

import weft

from . import programs

FAR = 2**31
DEVICES = ["interpreter", "cpu", pytest.param("opencl", marks=pytest.mark.opencl)]
"""A device copies all that lies between: see `test_huge` for larger ones."""
HOSTS = DEVICES[:2]


def zeros(*shape, dtype=np.int8):
    """Untouched zeros."""
    try:
        return np.zeros(shape, dtype)
    except MemoryError:
        pytest.skip("this machine has no room for the addresses")


def same(function, arguments, device):
    """CPython's results and arrays."""
    left, right = arguments(), arguments()
    expected, got = function(*left), weft.jit(function, device=device)(*right)
    assert got == expected
    for a, b in zip(left, right):
        if isinstance(a, np.ndarray) and a.size < 1000:
            np.testing.assert_array_equal(a, b)


@pytest.mark.parametrize("device", HOSTS)
def test_a_loop_that_starts_beyond(device):
    def arguments():
        x = zeros(FAR + 10)
        x[FAR:] = np.arange(10)
        return x, FAR - 2, np.zeros(12, np.int64)

    same(programs.from_the_end, arguments, device)


@pytest.mark.parametrize("device", HOSTS)
@pytest.mark.parametrize("sign", [1, -1])
def test_strides_beyond(device, sign):
    same(programs.doubled, lambda: (zeros(4 * FAR + 1)[:: sign * FAR],), device)


@pytest.mark.parametrize("device", HOSTS)
def test_rows_that_are_far_apart(device):
    same(programs.doubled_rows, lambda: (zeros(4, FAR + 1),), device)


@pytest.mark.parametrize("device", HOSTS)
def test_columns_that_are_far_apart(device):
    same(programs.doubled_rows, lambda: (zeros(4, FAR // 8 + 1, dtype=np.float64).T[:4],), device)


@pytest.mark.parametrize("device", HOSTS)
def test_indirect_reads_and_writes_beyond(device):
    index = np.array([FAR + 3, 5, FAR - 1, -1, FAR, -FAR - 4])

    def reads():
        x = zeros(FAR + 10)
        x[index] = np.arange(1, 7)
        return x, index, np.zeros(6, np.int8)

    same(programs.gathered, reads, device)
    x = zeros(FAR + 10)
    weft.jit(programs.scattered, device=device)(x, index, np.arange(1, 7, dtype=np.int8))
    np.testing.assert_array_equal(x[index], np.arange(1, 7))


@pytest.mark.parametrize("device", HOSTS)
def test_an_index_that_32_bits_would_wrap_is_outside(device):
    x = np.zeros(10, np.int8)
    with pytest.raises(IndexError):
        weft.jit(programs.gathered, device=device)(x, np.array([2**32]), np.zeros(1, np.int8))
    with pytest.raises(IndexError):
        weft.jit(programs.scattered, device=device)(x, np.array([2**32 + 1]), np.ones(1, np.int8))
    assert not x.any()


@pytest.mark.opencl
def test_an_index_that_32_bits_would_wrap_is_outside_on_a_device():
    test_an_index_that_32_bits_would_wrap_is_outside("opencl")


@pytest.mark.parametrize("device", HOSTS)
def test_indices_from_the_end_beyond(device):
    x = zeros(FAR + 10)
    x[:3] = [4, 5, 6]
    weft.jit(programs.from_both_ends, device=device)(x, 3)
    np.testing.assert_array_equal(x[-3:], [7, 6, 5])


@pytest.mark.parametrize("device", DEVICES)
@pytest.mark.parametrize("bounds", [(0, 2**40, 2**31), (2**40, -(2**33), -(2**32)), (-(2**62), 2**62, 2**58)])
def test_ranges_with_large_steps(device, bounds):
    same(programs.stepped, lambda: (*bounds, np.zeros(1, np.int64)), device)
