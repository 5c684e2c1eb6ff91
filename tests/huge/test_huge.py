"""More than 2^31 iterations and elements: takes 16 GiB of memory, so it runs only when asked for, and alone."""

from __future__ import annotations

import numpy as np
import pytest

import weft

from . import programs

pytestmark = pytest.mark.huge

SIZE = 2**31 + 8
DEVICES = ["cpu", pytest.param("opencl", marks=pytest.mark.opencl), pytest.param("cuda", marks=pytest.mark.gpu)]


def pattern(size, dtype=np.int8):
    """0, 1, ..., 60, 0, 1, ...: no power of two, so that wrapped indices show."""
    return np.resize(np.arange(61, dtype=dtype), size)


@pytest.mark.parametrize("device", DEVICES)
def test_elementwise(device):
    x, y = pattern(SIZE), np.zeros(SIZE, np.int8)
    weft.jit(programs.increment, device=device)(x, y)
    x += 1
    assert np.array_equal(x, y)


@pytest.mark.parametrize("device", DEVICES)
def test_a_stencil(device):
    x, y = pattern(SIZE), np.zeros(SIZE, np.int8)
    weft.jit(programs.shifted, device=device)(x, y)
    assert np.array_equal(y[1:-1], x[:-2] + x[2:]) and y[0] == y[-1] == 0


@pytest.mark.parametrize("device", DEVICES)
def test_bytes_beyond_while_counters_are_not(device):
    x, y = pattern(SIZE // 8 + 8, np.float64), np.zeros(SIZE // 8 + 8)
    weft.jit(programs.shifted, device=device)(x, y)
    assert np.array_equal(y[1:-1], x[:-2] + x[2:])


@pytest.mark.parametrize("device", DEVICES)
def test_backwards(device):
    x, y = pattern(SIZE), np.zeros(SIZE, np.int8)
    weft.jit(programs.backwards, device=device)(x, y)
    assert np.array_equal(y, x[::-1])


@pytest.mark.parametrize("device", DEVICES)
def test_sums(device):
    x = pattern(SIZE)
    assert weft.jit(programs.total, device=device)(x) == x.sum(dtype=np.int64)


@pytest.mark.parametrize("device", DEVICES)
def test_searches(device):
    x = np.zeros(SIZE, np.int8)
    x[-2] = 1
    assert weft.jit(programs.first_nonzero, device=device)(x) == SIZE - 2
    assert weft.jit(programs.last_nonzero, device=device)(x) == SIZE - 2
    assert weft.jit(programs.largest, device=device)(x) == (1, SIZE - 2)


@pytest.mark.parametrize("device", DEVICES)
def test_packing(device):
    x, out = np.zeros(SIZE, np.int8), np.zeros(16, np.int64)
    places = [3, 2**20, 2**31 - 1, 2**31, 2**31 + 7]
    x[places] = 1
    assert weft.jit(programs.packed, device=device)(x, out) == 5
    assert out[:5].tolist() == places


@pytest.mark.parametrize("device", DEVICES)
def test_a_scan(device):
    x, y = pattern(SIZE, np.uint8), np.zeros(SIZE, np.uint8)
    weft.jit(programs.running, device=device)(x, y)
    assert np.array_equal(y[1:], np.cumsum(x, dtype=np.uint8)[1:])


@pytest.mark.parametrize("device", DEVICES)
def test_a_count_beyond(device):
    keys, counts = np.zeros(SIZE, np.uint8), np.zeros(3, np.int64)
    keys[-1] = 2
    weft.jit(programs.histogram, device=device)(keys, counts)
    assert counts.tolist() == [SIZE - 1, 0, 1]


@pytest.mark.parametrize("device", DEVICES)
def test_a_matrix_with_more_elements(device):
    x = np.zeros((46341, 46342), np.int8)
    weft.jit(programs.matrix, device=device)(x)
    expected = lambda i: ((i ^ np.arange(46342)) & 63).astype(np.int8)  # noqa: E731
    assert all(np.array_equal(x[i], expected(i)) for i in (*range(0, 46341, 997), 46340))


@pytest.mark.parametrize("device", DEVICES)
def test_a_flattened_matrix(device):
    x = np.zeros(46341 * 46342, np.int8)
    weft.jit(programs.flattened, device=device)(x, 46341, 46342)
    rows = x.reshape(46341, 46342)
    assert all(np.array_equal(rows[i], (i ^ np.arange(46342)) & 63) for i in (*range(0, 46341, 997), 46340))


@pytest.mark.parametrize("device", DEVICES)
def test_columns(device):
    x, out = np.ones((46342, 46341), np.int8), np.zeros(46341, np.int64)
    weft.jit(programs.column_sums, device=device)(x, out)
    assert (out == 46342).all()


@pytest.mark.parametrize("device", DEVICES)
def test_indirect(device):
    x = pattern(SIZE)
    index = np.random.default_rng(1).integers(-SIZE, SIZE, 100_000)
    out = np.zeros(len(index), np.int8)
    weft.jit(programs.gathered, device=device)(x, index, out)
    assert np.array_equal(out, x[index])


@pytest.mark.parametrize("device", DEVICES)
def test_ranges_of_more_iterations(device):
    n = 2**31 + 11
    assert weft.jit(programs.counted, device=device)(n) == n // 2
    assert weft.jit(programs.summed, device=device)(n) == n * (n - 1) // 2
    out = np.zeros(1, np.int64)
    assert weft.jit(programs.stepped, device=device)(0, 2**33, 3, out) == -(-(2**33) // 3)
    assert out[0] == range(0, 2**33, 3)[-1]
    assert weft.jit(programs.stepped, device=device)(2**32, -(2**31), -2, out) == 3 * 2**30


@pytest.mark.parametrize("device", DEVICES)
def test_bodies_that_run_at_once(device):
    n = 2**31 + 100
    out = np.zeros(10, np.int64)

    def body(i):
        if i >= n - 10:
            out[n - 1 - i] = i

    with weft.device(device):
        weft.parallel_for(0, n, body)
    assert out.tolist() == list(range(n - 1, n - 11, -1))
    marks = np.zeros((4, 4), np.int64)

    def corner(i, j):
        if i >= 2**16 - 4 and j >= 2**15 - 3:
            marks[i - (2**16 - 4), j - (2**15 - 3)] = i * 2**16 + j

    with weft.device(device):
        weft.parallel_for((2**16, 2**15 + 1), corner)
    assert marks.tolist() == [[i * 2**16 + j for j in range(2**15 - 3, 2**15 + 1)] for i in range(2**16 - 4, 2**16)]


@pytest.mark.parametrize("device", DEVICES)
def test_elements_that_are_visited_at_once(device):
    x = pattern(SIZE)
    found = np.zeros(1, np.int64)

    def body(i):
        if i == len(x) - 1:
            found[0] = x[i]

    with weft.device(device):
        weft.parallel_for(0, len(x), body)
    assert found[0] == x[-1]
