"""How copies go to a GPU: pinned memory, slots, and plain arrays that come again, over a driver that only pretends."""

import gc
import mmap
import sys
import tempfile
from pathlib import Path

import numpy as np
import pytest

sys.path.insert(0, str(Path(__file__).parent))

from fake_cuda import main, pretending

import weft
from weft.machine.copying import CopyPolicy
from weft.runtime.devices import accelerators, copying

MANY = 1 << 17
MEBIBYTE = 1 << 20


def function():
    @weft.jit(device="cuda")
    def doubled(x, y):
        for i in range(x.shape[0]):
            y[i] = 2 * x[i]

    return doubled


def words(driver, *wanted):
    """The calls of a kind since the last time."""
    return [word for word in (call.split()[0] for call in driver.calls()) if word in wanted]


def way(driver, policy, size):
    """How a plain array of a size goes to the device under a policy: the calls of the driver."""
    table = accelerators.table("cuda")
    copying.set_policy("cuda", table, policy)
    array = np.ones(size, np.uint8)
    w = weft.empty(size, np.uint8)
    there = w._storage.acquire(table, False)
    from weft.runtime import _stub

    driver.calls()
    assert _stub.device_copy(table, there, array.ctypes.data, size, False) == 0
    calls = words(driver, "in", "out", "register")
    array[...] = 0
    assert _stub.device_copy(table, there, array.ctypes.data, size, True) == 0
    assert array.all()
    return calls


@pretending
def test_a_policy_decides_how_copies_go(driver):
    size = 40 * MEBIBYTE + 5
    assert way(driver, CopyPolicy(None, None, None), size) == ["in"]
    assert way(driver, CopyPolicy(size + 1, size + 1, None), size) == ["in"]
    assert way(driver, CopyPolicy(size, size, None), size) == ["register", "in", "register", "in", "register", "in"]
    assert way(driver, CopyPolicy(size, size, None), size) == ["in", "in", "in"]


@pretending
def test_many_short_rows_cross_packed_and_leave_what_is_between_them(driver):
    from weft.runtime import _stub

    table = accelerators.table("cuda")
    for rows, width, pitch in ((3000, 8, 24), (40_000, 500, 700), (6, 8, 24), (600, 20_000, 20_008)):
        made = np.random.default_rng(rows).integers(0, 256, rows * width, np.uint8)
        w = weft.array(made)
        there = w._storage.acquire(table, False)
        host = np.zeros((rows, pitch), np.uint8)
        driver.calls()
        assert _stub.device_copy_rows(table, there, host.ctypes.data, pitch, width, rows, True) == 0
        np.testing.assert_array_equal(host[:, :width], made.reshape(rows, width))
        assert not host[:, width:].any()
        assert ("register" in driver.calls()) == (rows in (3000, 40_000))  # slots, when they are first used


@pretending
def test_rows_reach_the_device_packed_where_the_driver_takes_a_step_for_each(driver):
    from weft.runtime import _stub

    table = accelerators.table("cuda")
    for rows, width, is_packed in ((2000, 64, False), (5000, 16, False), (20, 60, False), (5000, 64, True)):
        host = np.random.default_rng(rows).integers(0, 256, (rows, 100), np.uint8)
        there = weft.empty(rows * width, np.uint8)
        address, back = there._storage.acquire(table, False), np.zeros(rows * width, np.uint8)
        driver.calls()
        assert _stub.device_copy_rows(table, address, host.ctypes.data, 100, width, rows, False) == 0
        assert ("register" in driver.calls()) == is_packed  # slots, when they are first used
        assert _stub.device_copy(table, address, back.ctypes.data, back.size, True) == 0
        np.testing.assert_array_equal(back.reshape(rows, width), host[:, :width])


@pretending
def test_rows_of_arrays_of_weft_are_known_to_the_driver_before_they_cross(driver):
    """In whole words or not, and also where nothing of the array has crossed in one piece before."""
    from weft.runtime import _stub

    table, rows, pitch = accelerators.table("cuda"), 2000, 5000
    hosts = [weft.empty((rows, pitch), np.uint8) for _ in range(3)]
    for width, host in zip((4096, 4100, 40), hosts, strict=True):
        there = weft.empty(rows * width, np.uint8)
        address, memory = there._storage.acquire(table, False), np.asarray(host).ctypes.data
        driver.calls()
        assert _stub.device_copy_rows(table, address, memory, pitch, width, rows, False) == 0
        assert words(driver, "register", "in") == ["register", "in"]
        assert _stub.device_copy_rows(table, address, memory, pitch, width, rows, True) == 0
        assert words(driver, "register", "out") == ["out"]


@pytest.mark.sample(0)
@pretending
def test_long_rows_go_through_slots_where_as_many_bytes_in_one_piece_would(driver):
    from weft.runtime import _stub

    table = accelerators.table("cuda")
    for rows, width, pitch in (
        (1100, 40_000, 40_008),
        (5, 10 * MEBIBYTE, 11 * MEBIBYTE),
        (2, 17 * MEBIBYTE, 18 * MEBIBYTE),
    ):
        host = np.random.default_rng(rows).integers(0, 256, (rows, pitch), np.uint8)
        before = host.copy()
        there = weft.empty(rows * width, np.uint8)
        address = there._storage.acquire(table, False)
        for policy, pieces in (
            (CopyPolicy(None, None, None), 1),
            (CopyPolicy(1 << 20, 1 << 20, None), -(-rows // (16 * MEBIBYTE // width or rows))),
        ):
            copying.set_policy("cuda", table, policy)
            driver.calls()
            assert _stub.device_copy_rows(table, address, host.ctypes.data, pitch, width, rows, False) == 0
            assert len(words(driver, "in")) == pieces
            host[:, :width] = 0
            assert _stub.device_copy_rows(table, address, host.ctypes.data, pitch, width, rows, True) == 0
            assert len(words(driver, "out")) == pieces
            np.testing.assert_array_equal(host, before)


@pretending
def test_planes_of_rows_cross_in_one_piece_or_through_slots(driver):
    from weft.runtime import _stub

    table = accelerators.table("cuda")
    for planes, rows, width, policy, is_packed in (
        (7, 5, 40, CopyPolicy(None, None, None), False),
        (7, 100, 40, CopyPolicy(None, None, None), True),  # many short rows
        (3, 60, 400, CopyPolicy(1 << 10, 1 << 10, None), True),
    ):
        copying.set_policy("cuda", table, policy)
        host = np.random.default_rng(rows).integers(0, 256, (planes, rows + 3, width + 8), np.uint8)
        before, shape = host.copy(), (host.ctypes.data, width + 8, width, rows)
        there = weft.empty(planes * rows * width, np.uint8)
        address, plane = there._storage.acquire(table, False), (rows + 3) * (width + 8)
        assert _stub.device_copy_rows(table, address, *shape, False, planes, plane) == 0
        host[:, :rows, :width] = 0
        driver.calls()
        assert _stub.device_copy_rows(table, address, *shape, True, planes, plane) == 0
        assert len(words(driver, "out")) == (planes if is_packed else 1)
        np.testing.assert_array_equal(host, before)


@pretending
def test_rows_too_far_apart_for_the_driver_cross_one_by_one(driver):
    from weft.runtime import _stub

    table = accelerators.table("cuda")
    pitch, plane, width, rows, planes = 2**31, 64, 24, 2, 2
    with tempfile.TemporaryFile() as file:  # of which hardly anything is there
        file.truncate(pitch + mmap.PAGESIZE)
        memory = np.frombuffer(mmap.mmap(file.fileno(), 0), np.uint8)
        host = np.lib.stride_tricks.as_strided(memory, (planes, rows, width), (plane, pitch, 1))
        made = np.random.default_rng(1).integers(0, 256, host.shape, np.uint8)
        host[...] = made
        there = weft.zeros(made.size, np.uint8)
        address, shape = there._storage.acquire(table, False), (memory.ctypes.data, pitch, width, rows)
        assert _stub.device_copy_rows(table, address, *shape, False, planes, plane) == 0
        host[...] = 0
        driver.calls()
        assert _stub.device_copy_rows(table, address, *shape, True, planes, plane) == 0
        assert len(words(driver, "out")) == planes * rows
        np.testing.assert_array_equal(host, made)
        assert not memory[width:plane].any() and not memory[pitch + width : pitch + plane].any()


@pretending
def test_large_arrays_of_weft_are_pinned_once(driver):
    table = accelerators.table("cuda")
    for _ in range(3):
        x = weft.zeros(MANY)
        x[0] = 1
        x._storage.acquire(table, False)
        del x
    assert words(driver, "register", "unregister") == ["register"]


@pretending
def test_plain_arrays_that_come_again_are_pinned_until_they_die(driver):
    doubled = function()
    x, y = np.ones(2 * MANY), np.zeros(2 * MANY)
    doubled(x, y)
    assert words(driver, "register") == []
    doubled(x[::2], y[1::2])
    assert words(driver, "register") == ["register", "register"]
    doubled(x, y)
    del x
    gc.collect()
    assert words(driver, "register", "unregister") == ["unregister"]
    del y
    gc.collect()
    assert words(driver, "register", "unregister") == ["unregister"]


@pretending
def test_memory_of_other_owners_is_not_pinned(driver):
    doubled = function()
    owner = bytearray(8 * MANY)
    for _ in range(3):
        doubled(np.frombuffer(owner), np.frombuffer(owner)[:0])
    assert words(driver, "register") == []


def made_inside(x):
    w = np.empty(x.shape[0])
    total = 0.0
    for t in range(3):
        for i in range(x.shape[0]):
            w[i] = total + x[i] * t
        total = total * 0.5 + w[0]
        with weft.device("cpu"):
            for i in range(x.shape[0]):
                w[i] = w[i] * 0.5 + total
        for i in range(x.shape[0]):
            x[i] = w[i] + x[i]


@pretending
def test_arrays_that_a_program_makes_are_pinned_once(driver):
    made, x = weft.jit(made_inside, device="cuda"), np.ones(1 << 16)
    found = []
    for _ in range(3):
        made(x)
        found.append(words(driver, "register", "unregister", "out", "in"))
    assert found[0].count("register") == 1 and "in" in found[0] and "out" in found[0]
    assert not {"register", "unregister"} & {*found[1], *found[2]}


def made_and_given(x):
    w = np.empty(x.shape[0])
    for i in range(x.shape[0]):
        w[i] = x[i]
    return w


@pretending
def test_an_array_that_a_program_returns_gives_its_memory_back_to_the_pool(driver):
    made, x = weft.jit(made_and_given, device="cuda"), np.ones(1 << 16)
    first = made(x).ctypes.data
    gc.collect()
    second = made(x)
    assert second.ctypes.data == first
    assert made(x).ctypes.data != first
    found = words(driver, "register", "unregister")
    assert found == ["register", "register"], found


@pretending
def test_small_arrays_are_not_pinned(driver):
    doubled = function()
    x, y = np.ones(1000), np.ones(1000)
    for _ in range(3):
        doubled(x, y)
    assert words(driver, "register") == []


@pretending
def test_an_array_that_is_pinned_cannot_be_moved(driver):
    doubled = function()
    x, y = np.ones(MANY), np.ones(MANY)
    for _ in range(2):
        doubled(x, y)
    try:
        x.resize(10, refcheck=False)
    except ValueError:
        return
    raise AssertionError("the memory of a pinned array went away")


@pretending
def test_a_call_does_not_return_while_a_plain_array_is_being_read(driver):
    doubled = function()
    x, y = np.ones(MANY), weft.zeros(MANY)
    for _ in range(2):
        doubled(x, y)
    driver.calls()
    doubled(x, y)
    calls = words(driver, "in", "launch", "finish")
    assert calls[-1] == "finish" and "in" in calls


@pretending
def test_measuring_stores_figures_that_are_used_from_then_on(driver):
    figures = copying.measure("cuda", (4096, MEBIBYTE))
    assert figures.driver == "none" and len(figures.date) == 10
    found = {(t.direction, t.way) for t in figures.times}
    ways = ("pinned", "pageable", "strided", "staged")
    assert found == {
        ("in", "pinning"),
        ("both", "pinned"),
        *(("in", way) for way in ways),
        *(("out", way) for way in ways),
    }
    assert copying.load("cuda") == figures


if __name__ == "__main__":
    main(globals())
