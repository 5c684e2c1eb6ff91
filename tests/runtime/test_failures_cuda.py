"""What fails on a GPU: errors say whose work it was, memory is given back, and the process goes on; over a driver that
only pretends, and fails on demand."""

import gc
import sys
import threading
from pathlib import Path

import numpy as np

sys.path.insert(0, str(Path(__file__).parent))

from fake_cuda import main, pretending

import weft
from weft.runtime import _stub
from weft.runtime.devices import accelerators

LOST, ILLEGAL = 719, 700


def double(x, y):
    for i in range(x.shape[0]):
        y[i] = 2 * x[i]


def steps(x, y, n):
    for t in range(n):
        for i in range(x.shape[0]):
            y[i] = x[i] + t
        x, y = y, x


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
def test_an_error_at_the_first_touch_names_the_call_and_the_loop(driver):
    doubled = weft.jit(double, device="cuda")
    x, y = weft.array([1.0]), weft.zeros(1)
    doubled(x, y)
    doubled(x, y)
    line = sys._getframe().f_lineno - 1
    driver.fail("finish", ILLEGAL)
    said = str(error_of(lambda: y[0]))
    assert f"error {ILLEGAL}" in said
    assert f"the loop in line {double.__code__.co_firstlineno + 1} of double" in said
    assert f"called in {Path(__file__)}, line {line}" in said


@pretending
def test_an_error_at_synchronize_names_the_call(driver):
    doubled = weft.jit(double, device="cuda")
    x, y = weft.array([1.0]), weft.zeros(1)
    doubled(x, y)
    driver.fail("finish", ILLEGAL)
    assert "the loop in line" in str(error_of(weft.synchronize))
    driver.fail("", 0)
    weft.synchronize()
    assert accelerators.running(accelerators.table("cuda")) == ""


@pretending
def test_memory_comes_back_after_every_failure(driver):
    stepped = weft.jit(steps, device="cuda")
    x, y = np.ones(100), np.zeros(100)
    stepped(x, y, 3)
    before = used()
    for word in ("in", "out", "launch", "finish", "record", "await"):
        driver.fail(word, LOST)
        error_of(lambda: stepped(x, y, 3))
        driver.fail("", 0)
        assert used() == before, word
        stepped(x, y, 3)


@pretending
def test_out_of_memory_in_the_middle_of_a_call(driver):
    doubled = weft.jit(double, device="cuda")
    table = accelerators.table("cuda")
    doubled(np.ones(4), np.ones(4))
    before = used()
    driver.capacity(1_000_000)
    error = error_of(lambda: doubled(np.ones(100_000), np.ones(100_000)), weft.OutOfMemoryError)
    assert error.needed and used() == before
    doubled(np.ones(4), np.ones(4))
    assert _stub.device_trim(table) == 0 and _stub.device_memory(table)[1] == 0


@pretending
def test_a_coherent_array_keeps_its_state_when_the_call_cannot_start(driver):
    doubled = weft.jit(double, device="cuda")
    x, y = weft.array([1.0, 2.0]), weft.array([5.0, 6.0])
    doubled(weft.zeros(2), weft.zeros(2))
    driver.fail("in", LOST)
    error_of(lambda: doubled(x, y))
    driver.fail("", 0)
    assert list(x) == [1, 2] and list(y) == [5, 6]


@pretending
def test_a_failure_in_one_of_several_threads_is_its_own(driver):
    doubled = weft.jit(double, device="cuda")
    doubled(np.ones(4), np.zeros(4))
    before = used()
    errors, done = [], []

    def fail():
        for _ in range(50):
            try:
                doubled(np.ones(4), object())
            except Exception as error:
                errors.append(error)

    def work():
        for _ in range(50):
            y = weft.zeros(4)
            doubled(weft.array(np.ones(4)), y)
            done.append(y[0])

    threads = [threading.Thread(target=target) for target in (fail, work, work)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(done) == 100 and len(errors) == 50
    assert used() == before


@pretending
def test_nothing_is_allocated_from_the_second_equal_call_on(driver):
    stepped = weft.jit(steps, device="cuda")
    x, y = np.ones(100), np.zeros(100)
    stepped(x, y, 3)
    with weft.profile() as profile:
        for _ in range(3):
            stepped(x, y, 3)
    assert not [event for event in profile.events if event.kind in ("allocate", "free")]


@pretending
def test_no_memory_of_the_device_leaks(driver):
    doubled = weft.jit(double, device="cuda")
    doubled(np.ones(4), np.zeros(4))
    before = used()
    for size in range(1, 60):
        x, y = weft.array(np.ones(100 * size)), weft.zeros(100 * size)
        doubled(x, y)
        y[0]
        del x, y
    assert used() == before


@pretending
def test_memory_is_not_given_back_twice(driver):
    doubled = weft.jit(double, device="cuda")
    x, y = weft.array(np.ones(10)), weft.zeros(10)
    doubled(x, y)
    del x, y
    gc.collect()
    table = accelerators.table("cuda")
    assert _stub.device_trim(table) == 0 and _stub.device_trim(table) == 0
    calls = driver.calls()
    assert calls.count("free") == calls.count("allocate")


@pretending
def test_a_copy_that_is_done_is_not_awaited_again(driver):
    doubled = weft.jit(double, device="cuda")
    x, y = weft.array(np.ones(10)), weft.zeros(10)
    doubled(x, y)
    y[0]
    weft.synchronize()
    driver.calls()
    for _ in range(3):
        weft.synchronize()
        y[0]
    assert driver.calls() == []


def both(x, y):
    for i in range(x.shape[0]):
        y[i] = 2 * x[i]
        x[i] = 1.0


@pretending
def test_all_results_are_marked_though_one_cannot_be_shown(driver):
    run = weft.jit(both, device="cuda")
    x, y = weft.array(np.ones(8)), weft.array(np.ones(8))
    run(x, y)
    shown = np.asarray(x), np.asarray(y)
    driver.fail("out", LOST)
    error_of(lambda: run(x, y))
    driver.fail("", 0)
    assert x.where == y.where == ("cuda",)
    del shown


def sets_one_of_two(x, y, z, flag):
    a = x if flag else y
    a[0] = 5.0
    for i in range(x.shape[0]):
        z[i] = x[i] + y[i]


@pretending
def test_what_the_host_had_changed_before_a_device_failed_is_on_the_host(driver):
    run, touch = weft.jit(sets_one_of_two, device="cuda"), weft.jit(double, device="cuda")
    x, y, z = (weft.array(np.ones(8)) for _ in range(3))
    run(x, y, z, True)
    touch(y, x)
    np.array(x)
    assert x.where == ("host", "cuda")
    driver.fail("launch", LOST)
    error_of(lambda: run(x, y, z, True))
    driver.fail("", 0)
    assert x.where == ("host",) and x[0] == 5.0


@pretending
def test_an_element_that_was_looked_at_is_looked_at_again_after_a_failure(driver):
    run = weft.jit(double, device="cuda")
    x, y = weft.array(np.ones(600_000)), weft.zeros(600_000)
    run(x, y)
    y[3]
    driver.calls()
    y[3]
    assert driver.calls() == []
    driver.fail("launch", LOST)
    error_of(lambda: run(x, y))
    driver.fail("", 0)
    driver.calls()
    y[3]
    assert "out 79" in driver.calls()


if __name__ == "__main__":
    main(globals())
