"""Transpositions through tiles, and updates by key in arrays of each block."""

import numpy as np
import pytest

from tests.schedule.scheduled import arrays, check_same, kernel_of, program_of
from weft.schedule import Bind, Privatise, Turn
from weft.tune.default import default_schedule, for_few


def transposed(a, b):
    for i in range(a.shape[0]):
        for j in range(a.shape[1]):
            b[j, i] = a[i, j]


def shifted(a, b):
    for i in range(a.shape[0] - 1):
        for j in range(a.shape[1] - 2):
            b[j, i + 1] = a[i, j + 1] * 2.0 + a[i + 1, j]


TURNS = [
    (Bind("i", "x", 2, 4, 4), Bind("j", "y", 2, 4), Turn("j")),
    (Bind("i", "x", 4, 2), Bind("j", "y", 2, 4, 4), Turn("j")),
    (Bind("i", "x", 2, 4, 4), Bind("j", "y", 2, 16), Turn("j")),
]


@pytest.mark.parametrize("offset", [0, 4])
@pytest.mark.parametrize("shape", [(1, 1), (8, 8), (16, 8), (9, 21), (3, 2)])
@pytest.mark.parametrize("schedule", TURNS)
def test_a_turned_matrix_of_any_shape(schedule, shape, offset):
    for function in (transposed, shifted):
        check_same(function, arrays(shape, shape[::-1], offset=offset), schedule)


def histogram(x, counts):
    for i in range(len(x)):
        counts[x[i]] += 1


def keys(count, extent, offset=0):
    def make():
        generator = np.random.default_rng(2)
        x = generator.integers(0, extent, count + offset).astype(np.int32)
        return x[offset:], np.arange(extent, dtype=np.int32)

    return make


@pytest.mark.parametrize("count, extent", [(0, 5), (3, 5), (64, 8), (100, 7), (100, 9), (129, 1)])
def test_a_histogram_with_fewer_or_more_elements_than_a_block_has_room_for(count, extent):
    check_same(histogram, keys(count, extent), (Bind("i", "x", 4, 16, 4), Privatise("counts", 8)))


@pytest.mark.parametrize("offset", [1, 2, 3])
@pytest.mark.parametrize("count", [0, 1, 2, 5, 62, 63, 64, 65, 127, 128, 131])
def test_runs_of_keys_begin_where_the_array_is_aligned(count, offset):
    check_same(histogram, keys(count, 5, offset), (Bind("i", "x", 4, 16, 4), Privatise("counts", 8)))


@pytest.mark.parametrize("count, extent", [(0, 5), (100, 4), (100, 5), (300, 8), (100, 9), (1, 1)])
def test_threads_have_copies_of_an_array_with_few_elements(count, extent):
    check_same(histogram, keys(count, extent), (Bind("i", "x", 8, 32, 4), Privatise("counts", 8, 4, 5)))


def joint(x, y, counts):
    for i in range(x.shape[0]):
        for j in range(x.shape[1]):
            counts[x[i, j], y[i, j]] += 1


def of_images(x, y, counts):
    for c in range(x.shape[0]):
        for j in range(x.shape[1]):
            counts[c, x[c, j]] += y[c, j]


def pairs_of_keys(shape, extents):
    def make():
        generator = np.random.default_rng(3)
        x, y = (generator.integers(0, extent, shape).astype(np.int32) for extent in extents)
        counts = np.arange(extents[0] * extents[1], dtype=np.int32).reshape(extents)
        return x, y, counts

    return make


@pytest.mark.parametrize("shape, extents", [((0, 5), (2, 3)), ((3, 21), (3, 4)), ((9, 16), (3, 5)), ((1, 1), (1, 1))])
def test_arrays_of_several_axes_that_several_loops_update(shape, extents):
    binds = Bind("j", "x", 4, 4, 4), Bind("i", "y", 2, 4)
    check_same(joint, pairs_of_keys(shape, extents), (*binds, Privatise("counts", 12)))
    images = pairs_of_keys((shape[0], shape[1]), (max(shape[0], extents[1]), extents[1]))

    def make():
        x, y, counts = images()
        return x % max(extents[1], 1), y, counts

    check_same(of_images, make, (Bind("j", "x", 4, 4, 4), Bind("c", "y", 1), Privatise("counts", 12)))


def test_the_defaults():
    kernel = kernel_of(program_of(transposed, arrays((4, 4), (4, 4))()))[0]
    assert default_schedule(kernel) == (Bind("i", "x", 32, 4, 4, blocks=4), Bind("j", "y", 8, 8), Turn("j"))
    kernel = kernel_of(program_of(histogram, keys(4, 4)()))[0]
    assert Privatise("counts", 4096, 32, 256, 2) in default_schedule(kernel)
    assert Bind("i", "x", 1024, 128, 4) in default_schedule(kernel)  # 512 bytes of keys
    kernel = kernel_of(program_of(joint, pairs_of_keys((1, 1), (2, 2))()))[0]
    binds = Bind("j", "x", 64, 4, 4), Bind("i", "y", 16, 32)
    assert default_schedule(kernel) == (*binds, Privatise("counts", 4096, blocks=2))


def test_few_keys_are_counted_by_blocks_of_few():
    kernel = kernel_of(program_of(histogram, keys(4, 4)()))[0]
    (few,) = for_few(kernel, default_schedule(kernel))
    assert Bind("i", "x", 1024, 32, 4) in few
