"""Rows whose length is read from memory, as those of sparse matrices and adjacency lists: a few threads share each."""

import numpy as np
import pytest

import weft
from tests.schedule.scheduled import check_same, kernel_of, program_of
from weft.ir.nodes import For
from weft.ir.visit import walk
from weft.schedule import Bind, Share
from weft.schedule.nests import flattened, grid_chain, reduction_in
from weft.tune.default import default_schedule

ROWS = (Bind("i", "y", 16), Share("k", "x", 8, ahead=4, blocks=16))


def sparse_product(p, c, v, x, y):
    for i in range(len(y)):
        s = np.float32(0)
        for k in range(p[i], p[i + 1]):
            s += v[k] * x[c[k]]
        y[i] = s


def largest_neighbour(p, c, x, y):
    for i in range(len(y)):
        m = np.int64(-100)
        for k in range(p[i], p[i + 1]):
            m = max(m, x[c[k]])
        y[i] = 2 * m + y[i]


def matrix(lengths, index=np.int32, wide=40):
    generator = np.random.default_rng(len(lengths))
    p = np.concatenate(([0], np.cumsum(lengths))).astype(index)
    c = generator.integers(-wide, wide, p[-1]).astype(index)
    v, x = (generator.integers(-9, 9, n).astype(np.float32) for n in (len(c), wide))
    return p, c, v, x, np.full(len(lengths), 7, np.float32)


LENGTHS = {"none": [], "one": [3], "empty": [0] * 40, "mixed": [0, 1, 7, 8, 9, 300, 0, 16, 2] * 5}


@pytest.mark.parametrize("index", [np.int32, np.int64])
@pytest.mark.parametrize("lengths", LENGTHS.values(), ids=LENGTHS)
def test_rows_of_any_length_are_summed(lengths, index):
    check_same(sparse_product, lambda: matrix(lengths, index), ROWS)


def test_the_default_gives_a_row_to_a_few_threads():
    assert default_schedule(kernel_of(program_of(sparse_product, matrix([3, 4])))[0]) == ROWS


def test_a_loop_on_one_side_of_a_branch_is_a_reduction_that_may_be_empty():
    flat = flattened(grid_chain(kernel_of(program_of(sparse_product, matrix([3, 4])))[0]))
    found = reduction_in(flat, "k")
    assert found is not None and found.guard is not None
    assert any(isinstance(s, For) for s in walk(found.guard.orelse))
    assert found.guard in found.after.statements


def test_rows_that_are_no_partition_are_summed_as_they_stand():
    p, c, v, x, y = matrix([4, 4, 4])
    given = (np.array([0, 6, 2, 12], np.int32), c, v, x, y)
    check_same(sparse_product, lambda: tuple(a.copy() for a in given), ROWS)


def test_extremes_of_integers_over_neighbours():
    def make():
        p, c, _, x, y = matrix(LENGTHS["mixed"])
        return p, c, x.astype(np.int64), y.astype(np.int64)

    check_same(largest_neighbour, make, ROWS)


@pytest.mark.sample(1)
@pytest.mark.parametrize("wrong", ["a column", "a pointer", "an empty vector"])
def test_an_index_outside_raises(wrong):
    pytest.importorskip("pyopencl")
    p, c, v, x, y = matrix([20] * 40)
    if wrong == "a column":
        c[411] = 40
    elif wrong == "a pointer":
        p[-1] = 10_000
    else:
        x = x[:0]
    with pytest.raises(IndexError):
        weft.jit(sparse_product, device="opencl")(p, c, v, x, y)


def test_a_device_computes_what_python_does():
    pytest.importorskip("pyopencl")
    given = matrix(LENGTHS["mixed"] * 3)
    expected = tuple(a.copy() for a in given)
    weft.jit(sparse_product, device="opencl")(*given)
    sparse_product(*expected)
    np.testing.assert_array_equal(given[-1], expected[-1])
