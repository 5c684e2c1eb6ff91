"""What a call returns: the same objects, views with the right base, new memory that is freed."""

from __future__ import annotations

import collections
import dataclasses
import gc
import resource

import numpy as np
import pytest

import weft

DEVICES = ("interpreter", "cpu")
pytestmark = pytest.mark.parametrize("device", DEVICES)


@dataclasses.dataclass
class Pair:
    first: float
    second: np.ndarray


Point = collections.namedtuple("Point", "x y")


def test_returned_argument_is_the_same_object(device):
    a, b = np.zeros(3), np.zeros(3)
    pick = weft.jit(lambda a, b, first: a if first else b, device=device)
    assert pick(a, b, True) is a
    assert pick(a, b, False) is b


def test_returned_part_of_an_argument_shares_its_memory(device):
    a = np.arange(12.0).reshape(3, 4)
    part = weft.jit(lambda a: a[1:, ::2], device=device)(a)
    np.testing.assert_array_equal(part, a[1:, ::2])
    assert np.shares_memory(part, a)
    part[0, 0] = -1.0
    assert a[1, 0] == -1.0


def test_returned_part_keeps_the_argument_alive(device):
    part = weft.jit(lambda a: a[2:], device=device)(np.arange(100_000.0))
    gc.collect()
    np.testing.assert_array_equal(part, np.arange(2.0, 100_000.0))


def test_returned_part_of_a_read_only_argument_is_read_only(device):
    a = np.arange(4.0)
    a = a[:]  # of an array that can be written
    a.flags.writeable = False
    part = weft.jit(lambda a: a[1:], device=device)(a)
    assert not part.flags.writeable


def test_local_array(device):
    @weft.jit(device=device)
    def squares(n):
        out = np.zeros(n)
        for i in range(n):
            out[i] = i * i
        return out

    a, b = squares(4), squares(5)
    np.testing.assert_array_equal(a, [0, 1, 4, 9])
    np.testing.assert_array_equal(b, [0, 1, 4, 9, 16])
    a[0] = 7.0
    assert b[0] == 0.0
    assert squares(0).shape == (0,)


def test_part_of_a_local_array(device):
    @weft.jit(device=device)
    def tail(n):
        out = np.empty(n)
        for i in range(n):
            out[i] = i
        return out[::-2]

    np.testing.assert_array_equal(tail(6), [5, 3, 1])


def test_same_local_array_twice(device):
    @weft.jit(device=device)
    def twice(n):
        out = np.zeros(n)
        return out, out[1:]

    whole, part = twice(3)
    np.testing.assert_array_equal(whole, [0, 0, 0])
    np.testing.assert_array_equal(part, [0, 0])
    assert np.shares_memory(whole, part)


def test_scalars_have_their_types(device):
    function = weft.jit(lambda a, b, c: (a, b, c, a[0], None, "text", True), device=device)
    a = np.array([1.5], np.float32)
    result = function(a, 2, np.uint8(3))
    assert result == (a, 2, 3, 1.5, None, "text", True)
    assert [type(x) for x in result[1:4]] == [int, np.uint8, np.float32]
    assert result[6] is True


@pytest.mark.parametrize(
    "value",
    [True, -5, 2.5, 1 + 2j, np.int8(-3), np.uint64(2**64 - 1), np.float16(0.1), np.complex64(1 - 1j), np.bool_(True)],
    ids=repr,
)
def test_scalar_passes_unchanged(device, value):
    result = weft.jit(lambda x: x, device=device)(value)
    assert type(result) is type(value)
    assert result == value


def test_nested_tuples(device):
    assert weft.jit(lambda x: ((x, (x + 1,)), ()), device=device)(1) == ((1, (2,)), ())


def test_dataclass_and_named_tuple(device):
    def make(x, a):
        return Pair(x, a), Point(x, x + 1)

    a = np.zeros(2)
    pair, point = weft.jit(make, device=device)(2.0, a)
    assert type(pair) is Pair and pair.first == 2.0 and pair.second is a
    assert type(point) is Point and point == (2.0, 3.0)


def test_class_that_no_module_holds(device):
    @dataclasses.dataclass
    class Local:
        x: float

        def moved(self):
            return Local(self.x + 1.0)

    result = weft.jit(lambda p: p.moved(), device=device)(Local(1.0))
    assert type(result) is Local and result.x == 2.0


def test_array_without_dimensions(device):
    a = np.array(3.0)

    def change(a):
        a[()] = a[()] + 1.0
        return a

    assert weft.jit(change, device=device)(a) is a
    assert a == 4.0


def test_array_in_a_file(device, tmp_path):
    a = np.memmap(tmp_path / "numbers", dtype=np.float64, mode="w+", shape=(4,))

    def fill(a):
        for i in range(len(a)):
            a[i] = i
        return a

    assert weft.jit(fill, device=device)(a) is a
    np.testing.assert_array_equal(a, [0, 1, 2, 3])


def test_structured_array(device):
    dtype = np.dtype([("x", np.float64), ("n", np.int32)])
    a = np.zeros(3, dtype)

    def change(a):
        for i in range(len(a)):
            a[i]["x"] = i * 0.5
            a[i]["n"] = i
        return a

    assert weft.jit(change, device=device)(a) is a
    np.testing.assert_array_equal(a["n"], [0, 1, 2])
    np.testing.assert_array_equal(a["x"], [0.0, 0.5, 1.0])


def test_results_are_freed(device):
    size = 1_000_000 if device == "cpu" else 1000

    def make(n):
        return np.ones(n)

    compiled = weft.jit(make, device=device)
    compiled(size)
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    for _ in range(200):
        compiled(size)
    grown = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before
    assert grown < 64 * 1024, f"{grown} KiB more"


def test_local_arrays_that_are_not_returned_are_freed(device):
    size = 1_000_000 if device == "cpu" else 1000

    def use(n):
        out = np.ones(n)
        total = 0.0
        for i in range(3):
            work = np.ones(n)
            total += work[i] + out[i]
        return total

    compiled = weft.jit(use, device=device)
    compiled(size)
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    for _ in range(50):
        compiled(size)
    grown = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before
    assert grown < 64 * 1024, f"{grown} KiB more"


def filled(n, value):
    out = np.empty(n)
    for i in range(n):
        out[i] = value
    return out


@pytest.mark.parametrize("size", [100, 20_000, 600_000])
def test_memory_of_a_result_is_given_out_again_once_nobody_has_it(device, size):
    size = size if device == "cpu" else size // 100
    make = weft.jit(filled, device=device)
    kept, dropped = make(size, 1.0), make(size, 2.0)
    view = dropped[5:]
    del dropped
    other = make(size, 3.0)
    assert (kept == 1.0).all()
    assert (view == 2.0).all()
    assert (other == 3.0).all()
    del view
    assert (make(size, 4.0) == 4.0).all()
    assert (other == 3.0).all()


def test_large_arrays_of_zeros_are_zeros_again(device):
    @weft.jit(device=device)
    def counted(keys, n):
        counts = np.zeros(n, dtype=np.int64)
        for k in keys:
            counts[k] += 1
        return counts

    keys = np.arange(0, 300_000, 300)
    for _ in range(4):
        assert counted(keys, 300_000).sum() == len(keys)
