"""Arrays of other libraries on a device, on which the host works: copied for the call, over a driver that pretends."""

import ctypes
import itertools
import sys
from pathlib import Path
from unittest import mock

import numpy as np
import pytest

sys.path.insert(0, str(Path(__file__).parent))

from fake_cuda import main, pretending

import weft
from weft.runtime.arrays import borrowed
from weft.runtime.devices import accelerators


class OnDevice:
    """An array of another library; the memory of this device is the host's."""

    def __init__(self, array, readonly=False):
        self.array, self.shape, self.strides = array, array.shape, array.strides
        self.__cuda_array_interface__ = {
            "shape": array.shape, "typestr": array.dtype.str, "strides": array.strides, "version": 3,
            "data": (array.__array_interface__["data"][0], readonly),
        }  # fmt: skip


def running(x):
    for i in range(1, x.shape[0]):
        x[i] = x[i] + x[i - 1] * x[i - 1]
    return x


def pinned(x, y):
    with weft.device("cpu"):
        for i in range(x.shape[0]):
            y[i] = 2.0 * x[i]
    return y


def shifted(x, y):
    for i in range(1, x.shape[0]):
        y[i] = x[i - 1] + x[i] * y[i - 1]
    return None


def stumbling(x):
    for i in range(1, x.shape[0]):
        x[i] = x[i - 1] * x[i - 1] + 1.0
        if i == 3:
            raise ValueError("three")


def beginning(x):
    for i in range(1, x.shape[0]):
        x[i] = x[i] + x[i - 1] * x[i - 1]
    return x[:2]


def both(x, y):
    for i in range(1, x.shape[0]):
        x[i] = x[i] + x[i - 1] * x[i - 1]
    return y, (x, 3)


def copies(driver):
    return [call.split()[0] for call in driver.calls() if call.split()[0] in ("in", "out", "settle")]


@pretending
def test_what_the_host_does_is_done_to_the_array(driver):
    x = OnDevice(np.linspace(0.0, 1.0, 9))
    expected = running(x.array.copy())
    run = weft.jit(running, device="cuda")
    assert run(x) is x
    assert (x.array == expected).all()
    assert copies(driver) == ["settle", "out", "in"]
    assert run(x) is x and (x.array == running(expected)).all()


@pretending
def test_a_block_that_is_pinned_to_the_processor_gets_copies(driver):
    x, y = OnDevice(np.arange(6.0), readonly=True), OnDevice(np.zeros(6))
    assert weft.jit(pinned, device="cuda")(x, y) is y
    assert (y.array == 2 * np.arange(6.0)).all()
    assert copies(driver).count("in") == 1  # only what was written goes back


@pretending
def test_arrays_that_share_memory_share_it_on_the_host(driver):
    memory = np.linspace(0.0, 1.0, 12)
    expected = memory.copy()
    shifted(expected[:-1], expected[1:])
    weft.jit(shifted, device="cuda")(OnDevice(memory[:-1]), OnDevice(memory[1:]))
    assert (memory == expected).all()


@pretending
def test_no_byte_between_elements_is_written(driver):
    memory = np.linspace(0.0, 1.0, 24).reshape(6, 4)
    expected = memory.copy()
    running(expected[:, 1])
    weft.jit(running, device="cuda")(OnDevice(memory[:, 1]))
    assert (memory == expected).all()
    assert copies(driver).count("in") == 6
    backwards = expected[::-1, 2]
    running(backwards)
    weft.jit(running, device="cuda")(OnDevice(memory[::-1, 2]))
    assert (memory == expected).all()


@pretending
def test_an_exception_leaves_what_was_written(driver):
    x = OnDevice(np.zeros(6))
    with pytest.raises(ValueError, match="three"):
        weft.jit(stumbling, device="cuda")(x)
    assert list(x.array) == [0, 1, 2, 5, 0, 0]


@pretending
def test_arrays_are_found_in_results(driver):
    x, y = OnDevice(np.linspace(0.0, 1.0, 9)), OnDevice(np.zeros(3))
    first, (second, number) = weft.jit(both, device="cuda")(x, y)
    assert first is y and second is x and number == 3


@pretending
def test_a_part_of_such_an_array_is_not_returned(driver):
    with pytest.raises(weft.UnsupportedError, match="a part of an array"):
        weft.jit(beginning, device="cuda")(OnDevice(np.linspace(0.0, 1.0, 9)))


@pretending
def test_explain_says_what_is_copied(driver):
    x = OnDevice(np.linspace(0.0, 1.0, 9))
    said = " ".join(str(weft.explain(weft.jit(running, device="cuda"), x)).split())
    assert "arrays of other libraries, 72 bytes, are copied to the host before every call" in said
    assert "'x' is in the memory of 'cuda', and this runs on the host" in said


@pretending
def test_a_copy_that_fails_is_said(driver):
    x = OnDevice(np.linspace(0.0, 1.0, 9))
    run = weft.jit(running, device="cuda")
    run(x)
    driver.fail("out", 700)
    with pytest.raises(weft.DeviceError, match="error 700"):
        run(x)


def after_a_glance(x):
    s = x[0] - x[0]
    for i in range(x.shape[0]):
        s += x[i]
    return s


def first_ones(x, y):
    for i in range(3):
        y[i] = 2.0 * x[i + 1]
    return y


def ends(x, y):
    x[0] = x[1] + y[2]
    x[x.shape[0] - 1] = 5.0
    for i in range(x.shape[0]):
        y[i] = x[i]


def ends_early(x, limit):
    x[0] = 7.0
    x[2] = x[1] + 1.0
    if x[2] > limit:
        raise ValueError("too large")
    for i in range(x.shape[0]):
        x[i] = 2.0 * x[i]


def product_of_all(x):
    for i in range(1, x.shape[0]):
        x[i] = x[i] * x[i - 1] * x[i - 1]
        if x[i] > 4.0:
            raise ValueError("too large")


def moved(profile):
    return [(e.kind, e.array, e.bytes) for e in profile.events if e.kind in ("copy_in", "copy_out")]


@pretending
def test_an_element_that_the_host_reads_comes_home_alone(driver):
    x = OnDevice(np.arange(1000.0))
    with weft.profile() as p:
        weft.jit(after_a_glance, device="cuda", disable="single_elements")(x)
    copies = [e for e in p.events if e.kind == "copy_out" and e.array == "x"]
    assert [e.bytes for e in copies] == [8] and copies[0].line == after_a_glance.__code__.co_firstlineno + 1
    assert not [e for e in p.events if e.kind == "allocate"]


@pretending
def test_elements_that_the_host_writes_go_back_alone(driver):
    x, y = OnDevice(np.arange(1000.0)), OnDevice(np.arange(1000.0))
    with weft.profile() as p:
        weft.jit(ends, device="cuda", disable="single_elements")(x, y)
    assert x.array[0] == 3.0 and x.array[-1] == 5.0 and (x.array[1:-1] == np.arange(1.0, 999)).all()
    assert all(size == 8 for _, _, size in moved(p))
    assert {array for kind, array, _ in moved(p) if kind == "copy_in"} == {"x"}


@pretending
def test_the_processor_works_on_the_parts_that_it_needs(driver):
    x, y = OnDevice(np.arange(100.0), readonly=True), OnDevice(np.zeros(100))
    run = weft.jit(first_ones, device="cpu")
    with weft.profile() as p:
        assert run(x, y) is y
    assert list(y.array[:5]) == [2, 4, 6, 0, 0]
    copies = moved(p)
    assert sorted(copies) == [("copy_in", "y", 24), ("copy_out", "x", 24), ("copy_out", "y", 24)]
    assert not [e for e in p.events if e.kind in ("launch", "allocate")]


@pretending
def test_the_processor_works_on_whole_arrays(driver):
    x, y = OnDevice(np.arange(10.0)), OnDevice(np.zeros(10))
    with weft.device("cpu"):
        weft.jit(pinned)(x, y)
    assert (y.array == 2 * np.arange(10.0)).all()
    z = OnDevice(np.linspace(0.0, 1.0, 9))
    expected = running(z.array.copy())
    with weft.profile() as p:
        assert weft.jit(running, device="cpu")(z) is z
    assert (z.array == expected).all()
    assert {(array, size) for _, array, size in moved(p)} == {("x", 72)}


@pretending
def test_explain_tells_what_the_processor_copies(driver):
    x, y = OnDevice(np.arange(100.0)), OnDevice(np.zeros(100))
    told = weft.explain(weft.jit(first_ones, device="cpu"), x, y)
    assert "arrays of other libraries stay on the device, and the host copies the parts that it needs" in " ".join(
        str(told).split()
    )
    copies = [a for a in told.plan if a.kind in ("copy_in", "copy_out")]
    assert sorted((a.kind, a.array, a.region) for a in copies) == [
        ("copy_in", "y", "[:3]"), ("copy_out", "x", "[1:4]"), ("copy_out", "y", "[:3]"),
    ]  # fmt: skip
    line = first_ones.__code__.co_firstlineno + 1
    assert all(a.causes == (line,) and a.naive.startswith("all of it") for a in copies)


@pretending
def test_an_exception_leaves_elements_that_the_host_wrote(driver):
    x = OnDevice(np.arange(1000.0))
    for device in ("cuda", "cpu"):
        x.array[:] = np.arange(1000.0)
        with pytest.raises(ValueError, match="too large"):
            weft.jit(ends_early, device=device, disable="single_elements")(x, 1.5)
        assert list(x.array[:4]) == [7, 1, 2, 3]
        y = OnDevice(np.full(20, 1.5))
        expected = y.array.copy()
        with pytest.raises(ValueError, match="too large"):
            product_of_all(expected)
        with pytest.raises(ValueError, match="too large"):
            weft.jit(product_of_all, device=device)(y)
        assert (y.array == expected).all()


@pretending
def test_parts_of_one_array_that_overlap_are_one_array_for_the_processor(driver):
    memory = np.arange(12.0)
    expected = memory.copy()
    ends(expected[:-1], expected[1:])
    weft.jit(ends, device="cpu")(OnDevice(memory[:-1]), OnDevice(memory[1:]))
    assert (memory == expected).all()


@pretending
def test_a_slice_with_gaps_is_read_and_written_between_them(driver):
    memory = np.arange(60.0).reshape(10, 6)
    expected = memory.copy()
    first_ones(expected[:, 1], expected[::-1, 4])
    weft.jit(first_ones, device="cpu")(OnDevice(memory[:, 1]), OnDevice(memory[::-1, 4]))
    assert (memory == expected).all()


@pretending
def test_a_copy_for_the_processor_that_fails_is_said(driver):
    x, y = OnDevice(np.arange(100.0)), OnDevice(np.zeros(100))
    run = weft.jit(first_ones, device="cpu")
    run(x, y)
    driver.fail("out", 700)
    with pytest.raises(weft.DeviceError, match="error 700"):
        run(x, y)
    driver.fail("out", 0)
    assert run(x, y) is y


class Lent:
    """A coherent array that another library has got, from the first element to the last or back."""

    def __init__(self, array, step=1):
        self.lent = array.__cuda_array_interface__
        numbers = (ctypes.c_double * array.size).from_address(self.lent["data"][0])
        shown = np.frombuffer(numbers, np.float64)[::step]
        place = shown.__array_interface__["data"][0]
        self.shape = shown.shape
        self.__cuda_array_interface__ = {**self.lent, "strides": shown.strides, "data": (place, False), "stream": 1}


def squares_of_another(x, t):
    for i in range(1, x.shape[0]):
        x[i] = x[i] + 0.5 * t[i - 1] * t[i - 1]


@pretending
def test_an_array_and_its_own_export_are_one_memory_for_the_processor(driver):
    for device, step, is_home in itertools.product(("cuda", "cpu"), (1, -1), (False, True)):
        x, expected = weft.array(np.arange(9.0)), np.arange(9.0)
        lent = Lent(x, step)
        if is_home:
            np.array(x)
        weft.jit(squares_of_another, device=device)(x, lent)
        squares_of_another(expected, expected[::step])
        assert (np.array(x) == expected).all()


@pretending
def test_a_numpy_view_and_an_export_of_one_array_are_one_memory_for_the_processor(driver):
    for device, step, part in itertools.product(("cuda", "cpu"), (1, -1), (slice(None), slice(None, None, -1))):
        x, expected = weft.array(np.arange(9.0)), np.arange(9.0)
        lent, shown = Lent(x, step), np.asarray(x)[part]
        weft.jit(squares_of_another, device=device)(lent, shown)
        squares_of_another(expected[::step], expected[part])
        assert (shown == expected[part]).all()
        assert (np.array(x) == expected).all()


def first_of(x, t):
    x[0] = 5.0
    return t


@pretending
def test_a_numpy_view_beside_an_export_is_given_back_as_it_was(driver):
    for device in ("cuda", "cpu"):
        x = weft.array(np.arange(9.0))
        lent, shown = Lent(x), np.asarray(x)[::-1]
        assert weft.jit(first_of, device=device)(lent, shown) is shown
        assert shown[-1] == 5


@pretending
def test_every_array_goes_back_though_one_fails(driver):
    tried = []

    def send_back(visitor):
        tried.append(visitor.name)
        if visitor.name == "x":
            raise weft.DeviceError("x is lost")

    table = accelerators.table("cuda")
    array, where = weft.array(np.ones(3)), borrowed._use_device
    rest = (table, 0, (3,), (8,), np.dtype(float), True, True, np.ones(3))
    plain = [borrowed.Visitor(k, name, None, *rest, is_whole=True) for k, name in enumerate("xy")]
    coherent = borrowed.Visitor(2, "z", array, *rest)
    where(coherent)
    with mock.patch.object(borrowed, "_send_back", send_back), pytest.raises(weft.DeviceError, match="x is lost"):
        borrowed._leave([*plain, coherent], None)
    assert tried == ["x", "y"] and coherent.loan is None
    with mock.patch.object(borrowed, "_send_back", send_back):
        borrowed._leave(plain, ValueError("what the call raised comes first"))


if __name__ == "__main__":
    main(globals())
