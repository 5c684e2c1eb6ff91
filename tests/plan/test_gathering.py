"""Many partial results of a reduction are folded on the device, few of them on the host."""

import numpy as np
import pytest

import weft
from weft.frontend import build
from weft.frontend.source.signature import describe
from weft.plan.partition.reductions import CHUNK, FEW
from weft.plan.place import place
from weft.transform import pipeline

MANY = FEW * CHUNK


def total(x, s):
    for i in range(len(x)):
        s += x[i]
    return s


def two(x, s, m):
    for i in range(len(x)):
        s += x[i]
        m = min(m, x[i])
    return s, m


def kernels(function, *arguments):
    types = tuple(describe(value, f"argument {k}") for k, value in enumerate(arguments))
    nests = place(pipeline.optimise(build(function, types)), "cuda").nests
    return tuple(nest.kernel for nest in nests if nest.kernel)


@pytest.mark.parametrize("size", [0, 1, 1000, MANY, MANY + 1, 3 * MANY + 77])
def test_a_sum_of_any_size(size):
    pytest.importorskip("pyopencl")
    x = np.arange(size, dtype=np.int64) % 1000 - 300
    assert weft.jit(total, device="opencl")(x, np.int64(5)) == 5 + x.sum()


def test_several_results_are_folded_together():
    pytest.importorskip("pyopencl")
    x = np.arange(2 * MANY, dtype=np.int32) % 1013
    assert weft.jit(two, device="opencl")(x, np.int32(3), np.int32(9)) == (np.sum(x, dtype=np.int32) + 3, 0)


def test_sums_are_the_same_bits_every_time():
    pytest.importorskip("pyopencl")
    x = np.random.default_rng(1).standard_normal(2 * MANY).astype(np.float32)
    function = weft.jit(total, device="opencl")
    assert len({function(x, np.float32(1)).tobytes() for _ in range(3)}) == 1


def test_what_must_keep_its_order_is_folded_on_the_host():
    assert kernels(total, np.zeros(9, np.float32), np.float32(0)) == ("total_0", "total_1_folds")
    assert kernels(two, np.zeros(9, np.float32), np.float32(0), np.float32(0)) == ("two_0",)
