"""Arrays that make room where the driver has no memory left, or fails meanwhile: over a driver that only pretends."""

import gc
import sys
import threading
from pathlib import Path

import numpy as np
import pytest

sys.path.insert(0, str(Path(__file__).parent))

from fake_cuda import main, pretending

import weft
from weft.runtime import _stub
from weft.runtime.devices import accelerators

LOST = 719
SIZE = 1000
BYTES = 8 * SIZE
REASON = "evicted to make room"


def touched(x):
    for i in range(x.shape[0]):
        x[i] += 1.0


def staged(x, y):
    n = x.shape[0]
    t, s = np.zeros(n), np.zeros(n)
    for i in range(n):
        t[i] = 2.0 * x[i]
    for i in range(n):
        s[i] = t[i] + 1.0
    for i in range(n):
        y[i] = s[i] + 1.0
    for i in range(n):
        x[i] = t[i]


def write_on_device(array, value):
    """What a kernel would leave: the kernels of this driver do nothing."""
    place = accelerators.table("cuda")
    address = array._storage.acquire(place, True)
    memory = (np.ctypeslib.ctypes.c_double * SIZE).from_address(address)
    np.ctypeslib.as_array(memory)[:] = value
    array._storage.wrote(place)


def on_device(value):
    array = weft.array(np.zeros(SIZE))
    write_on_device(array, value)
    return array


def used():
    gc.collect()
    return _stub.device_memory(accelerators.table("cuda"))[0]


def error_of(call, kind=weft.DeviceError):
    try:
        call()
    except kind as error:
        return error
    raise AssertionError("nothing was raised")


@pretending
def test_an_array_makes_room_where_the_driver_has_none(driver):
    touch = weft.jit(touched, device="cuda")
    driver.capacity(2 * BYTES + BYTES // 4)
    x = on_device(3.0)
    y, z = weft.array(np.ones(SIZE)), weft.array(np.ones(SIZE))
    with weft.profile() as p:
        touch(y)
        touch(z)
    assert x.where == ("host",) and y.where == z.where == ("cuda",)
    assert [(e.kind, e.bytes) for e in p.events if e.reason == REASON] == [("copy_out", BYTES), ("free", BYTES)]
    assert (np.asarray(x) == 3.0).all()


@pretending
def test_a_copy_home_that_fails_leaves_the_array_as_it_is(driver):
    touch = weft.jit(touched, device="cuda")
    touch(weft.zeros(1))
    x, y = on_device(3.0), weft.array(np.ones(SIZE))
    limit = used() + BYTES // 2
    for word in ("out", "finish"):
        driver.fail(word, LOST)
        with weft.device("cuda", memory_limit=limit):
            assert f"error {LOST}" in str(error_of(lambda: touch(y)))
        driver.fail("", 0)
        assert x.where == ("cuda",) and y.where == ("host",)
    assert (np.asarray(x) == 3.0).all()
    with weft.device("cuda", memory_limit=limit):
        touch(y)
    assert x.where == ("host",) and (np.asarray(x) == 3.0).all()


@pretending
def test_a_failure_while_others_make_room_gives_all_memory_back(driver):
    touch = weft.jit(touched, device="cuda")
    before = used()
    x, plain = on_device(3.0), np.ones(SIZE)
    limit = used() + BYTES // 2
    for word in ("out", "in", "launch", "finish", "record"):
        driver.fail(word, LOST)
        with weft.device("cuda", memory_limit=limit):
            error_of(lambda: touch(plain))
        driver.fail("", 0)
        assert used() <= before + BYTES + BYTES // 8
        with weft.device("cuda", memory_limit=limit):
            touch(plain)
        assert (np.asarray(x) == 3.0).all()
        write_on_device(x, 3.0)
    del x
    assert used() == before


@pretending
def test_what_another_library_has_is_left_alone(driver):
    touch = weft.jit(touched, device="cuda")
    x, y, plain = on_device(1.0), on_device(2.0), np.ones(SIZE)
    capsule = x.__dlpack__(stream=-1)
    interface = y.__cuda_array_interface__
    driver.capacity(0)
    error_of(lambda: touch(plain), weft.OutOfMemoryError)
    place = accelerators.table("cuda")
    assert y._storage.address(place) == interface["data"][0]
    assert x.where == y.where == ("cuda",)
    del capsule
    touch(plain)
    assert x.where == ("host",) and (np.asarray(x) == 1.0).all()
    assert y.where == ("cuda",)


@pretending
def test_what_another_library_had_is_settled_before_it_goes_home(driver):
    touch = weft.jit(touched, device="cuda")
    x, plain = on_device(1.0), np.ones(SIZE)
    capsule = x.__dlpack__(stream=-1)
    place = accelerators.table("cuda")
    memory = (np.ctypeslib.ctypes.c_double * SIZE).from_address(x._storage.address(place))
    np.asarray(x)
    np.ctypeslib.as_array(memory)[:] = 9.0
    del capsule
    driver.calls()
    with weft.device("cuda", memory_limit=used() + BYTES // 2):
        touch(plain)
    calls = driver.calls()
    assert "settle" in calls and calls.index("settle") < next(k for k, c in enumerate(calls) if c.startswith("out"))
    assert (np.asarray(x) == 9.0).all()


@pretending
def test_a_copy_to_the_device_is_done_before_its_source_is_all_that_is_left(driver):
    touch = weft.jit(touched, device="cuda")
    x, plain = weft.array(np.full(SIZE, 5.0)), np.ones(SIZE)
    x._storage.acquire(accelerators.table("cuda"), False)
    driver.calls()
    with weft.device("cuda", memory_limit=used() + BYTES // 2):
        touch(plain)
    assert x.where == ("host",)
    calls = driver.calls()
    assert any(c.startswith("finish") for c in calls[: calls.index("launch 77")])


@pretending
def test_an_array_on_two_devices_is_copied_home_by_none(driver):
    x, y = on_device(4.0), weft.array(np.ones(SIZE))
    other = accelerators.table("cuda:1")
    x._storage.acquire(other, False)
    touch = weft.jit(touched, device="cuda")
    with weft.device("cuda", memory_limit=used() - BYTES // 2), weft.profile() as p:
        touch(y)
    assert x.where == ("cuda:1",)
    assert [e.kind for e in p.events if e.reason == REASON] == ["free"]
    assert (np.asarray(x) == 4.0).all()


@pytest.mark.sample(0)
@pretending
def test_a_program_that_makes_room_for_itself_gives_all_back_when_that_fails(driver):
    run = weft.jit(staged, device="cuda", disable=("fusion", "inline_producers"))
    x, y = np.ones(SIZE), np.ones(SIZE)
    run(x, y)
    before = used()
    limit = before + 2 * BYTES + BYTES // 2
    for word in ("out", "finish", "in", "launch", "record", ""):
        driver.fail(word, LOST if word else 0)
        with weft.device("cuda", memory_limit=limit), weft.profile() as p:
            if word:
                error_of(lambda: run(x, y))
            else:
                run(x, y)
        driver.fail("", 0)
        assert used() == before, word
    assert any(e.reason == REASON for e in p.events)


@pretending
def test_threads_share_what_the_driver_has(driver):
    touch = weft.jit(touched, device="cuda")
    touch(weft.zeros(1))
    driver.capacity(6 * BYTES)
    failed = []

    def work(number):
        try:
            for k in range(100):
                x, y = on_device(number + k), on_device(number - k)
                touch(np.ones(SIZE))
                assert (np.asarray(x) == number + k).all() and (np.asarray(y) == number - k).all()
        except BaseException as error:
            failed.append(error)

    threads = [threading.Thread(target=work, args=(1000 * k,)) for k in range(2)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not failed, failed


if __name__ == "__main__":
    main(globals())
