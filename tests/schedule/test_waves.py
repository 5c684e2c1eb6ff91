"""What memory serves once for each wave of blocks that reads it."""

import numpy as np
import pytest

from tests.schedule.scheduled import kernel_of, program_of
from tests.schedule.test_versions import product
from weft.cost.memory.classes import access_classes
from weft.cost.memory.waves import in_waves
from weft.schedule import Bind, Order, Stage

TILES = (Bind("j", "x", 16, 4, 4), Bind("i", "y", 16, 4), Stage("k", 8))
POINTS = (Bind("j", "x", 32), Bind("i", "y", 8))


def added(a, b, c):
    for i in range(a.shape[0]):
        for j in range(a.shape[1]):
            c[i, j] = a[i, j] + b[i, j]


def memory_of(function, schedule, side, at_once, cache):
    """Bytes that memory serves of each array of square matrices, beside their own."""
    arrays = tuple(np.zeros((8, 8), np.float32) for _ in range(3))
    kernel = kernel_of(program_of(function, arrays))[0]
    sizes = {param.name: side for param in kernel.params}
    for name in [p.name for p in kernel.params]:
        sizes |= {f"{name}.shape[{k}]": side for k in range(2)} | {
            f"{name}.strides[{k}]": 4 * side ** (1 - k) for k in range(2)
        }
    found = in_waves(access_classes(kernel, schedule, sizes), kernel, schedule, sizes, at_once, cache)
    return {c.array: c.dram / (4 * side * side) for c in found}


def test_what_every_wave_reads_comes_from_memory_for_each():
    assert memory_of(product, TILES, 1024, 64, 1 << 20) == pytest.approx({"a": 1.0, "b": 4.0, "c": 1.0}, rel=0.01)


def test_rows_of_blocks_at_the_end_of_a_wave_are_read_by_two():
    found = memory_of(product, TILES, 1024, 72, 1 << 20)
    assert 1 < found["a"] < 1.25 and found["b"] == pytest.approx(4.0) and found["c"] == pytest.approx(1.0)


def test_blocks_of_a_group_of_rows_run_together():
    plain = memory_of(product, TILES, 1024, 8, 1 << 20)
    grouped = memory_of(product, (*TILES, Order("i", 2)), 1024, 8, 1 << 20)
    assert plain == pytest.approx({"a": 2.0, "b": 16.0, "c": 1.0}, rel=0.01)
    assert grouped == pytest.approx({"a": 4.0, "b": 8.0, "c": 1.0}, rel=0.01)


@pytest.mark.parametrize("at_once, cache", [(64, 1 << 30), (64, 0), (256, 1 << 20)])
def test_nothing_is_read_again_where_it_fits_or_all_blocks_run_at_once(at_once, cache):
    assert memory_of(product, TILES, 1024, at_once, cache) == pytest.approx({"a": 1.0, "b": 1.0, "c": 1.0}, rel=0.01)


def test_blocks_that_share_nothing_read_nothing_again():
    assert memory_of(added, POINTS, 1024, 132, 1 << 16) == pytest.approx({"a": 1.0, "b": 1.0, "c": 1.0})
