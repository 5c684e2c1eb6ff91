"""Kernels and copies in queues of their own, with events between them, over a driver that only pretends."""

import sys
from pathlib import Path

import numpy as np

sys.path.insert(0, str(Path(__file__).parent))

from fake_cuda import IN, OUT, STREAM, main, pretending

import weft
from weft.runtime import _stub
from weft.runtime.devices import accelerators


def both_of(x, y, u, v):
    for i in range(x.shape[0]):
        y[i] = 2 * x[i]
    for i in range(u.shape[0]):
        v[i] = 3 * u[i]


def double(x, y):
    for i in range(x.shape[0]):
        y[i] = 2 * x[i]


def on_gpu():
    """Both functions, compiled."""
    return weft.jit(both_of, device="cuda"), weft.jit(double, device="cuda")


def queued(driver, *more):
    """What was queued, and what it waits for."""
    words = ("in", "out", "launch", "await", "finish", "wait", "settle", *more)
    return [call for call in driver.calls() if call.split()[0] in words]


@pretending
def test_copies_and_kernels_have_queues_of_their_own(driver):
    _, doubled = on_gpu()
    x, y = np.ones(4), np.zeros(4)
    doubled(x, y)
    driver.calls()
    doubled(x, y)
    assert queued(driver) == [
        f"in {IN}", f"await {STREAM} {IN}", f"launch {STREAM}", f"await {OUT} {STREAM}", f"out {OUT}", f"finish {OUT}",
    ]  # fmt: skip


@pretending
def test_a_kernel_waits_for_its_own_copies_alone(driver):
    both, _ = on_gpu()
    arrays = [np.ones(4) for _ in range(4)]
    both(*arrays)
    driver.calls()
    both(*arrays)
    calls = queued(driver)
    assert calls.index(f"launch {STREAM}") < len(calls) - 1 - calls[::-1].index(f"in {IN}")
    assert calls.count(f"await {STREAM} {IN}") == 2 and "settle" not in calls


@pretending
def test_the_host_never_waits_for_a_whole_queue(driver):
    both, doubled = on_gpu()
    arrays = [np.ones(4) for _ in range(4)]
    for _ in range(3):
        both(*arrays)
    x = weft.array([1.0, 2.0])
    doubled(x, x)
    assert list(x) == [1, 2]  # kernels of this driver do nothing
    assert not [call for call in driver.calls() if call.startswith(("wait", "settle"))]


@pretending
def test_a_kernel_that_only_follows_kernels_needs_no_events(driver):
    _, doubled = on_gpu()
    x, y = weft.array([1.0]), weft.zeros(1)
    doubled(x, y)
    driver.calls()
    for _ in range(3):
        doubled(x, y)
    assert queued(driver, "record") == [f"launch {STREAM}"] * 3


@pretending
def test_a_touch_on_the_host_waits_for_the_copy(driver):
    _, doubled = on_gpu()
    x, y = weft.array([1.0]), weft.zeros(1)
    doubled(x, y)
    driver.calls()
    y[0]
    assert queued(driver) == [f"await {OUT} {STREAM}", f"out {OUT}", f"finish {OUT}"]
    y[0]
    assert queued(driver) == []


@pretending
def test_a_copy_into_memory_that_a_kernel_uses_comes_after_it(driver):
    _, doubled = on_gpu()
    x, y = weft.array([1.0]), weft.zeros(1)
    doubled(x, y)
    x[0] = 2
    driver.calls()
    doubled(x, y)
    assert queued(driver) == [f"await {IN} {STREAM}", f"in {IN}", f"await {STREAM} {IN}", f"launch {STREAM}"]


@pretending
def test_memory_that_is_given_out_again_keeps_the_order(driver):
    _, doubled = on_gpu()
    x, y = weft.array([1.0]), weft.zeros(1)
    doubled(x, y)
    del x
    z = weft.array([3.0])
    driver.calls()
    z._storage.acquire(accelerators.table("cuda"), False)
    assert queued(driver, "allocate")[:2] == [f"await {IN} {STREAM}", f"in {IN}"]


@pretending
def test_an_export_comes_after_the_copies(driver):
    x = weft.array([1.0])
    interface = x.__cuda_array_interface__
    assert interface["stream"] == STREAM
    assert f"await {STREAM} {IN}" in driver.calls()


@pretending
def test_more_copies_than_are_remembered(driver):
    _, doubled = on_gpu()
    arrays = [weft.array([float(k)]) for k in range(200)]
    y = weft.zeros(1)
    for x in arrays:
        x._storage.acquire(accelerators.table("cuda"), False)
    for x in arrays:
        doubled(x, y)
    arrays[0][0] = 5
    doubled(arrays[0], y)
    assert queued(driver)[-1] == f"launch {STREAM}"


@pretending
def test_the_ledger_says_what_was_awaited(driver):
    _, doubled = on_gpu()
    x, y = np.ones(4), np.zeros(4)
    with weft.profile() as profile:
        doubled(x, y)
        weft.synchronize()
    assert [e.reason for e in profile.events if e.kind == "wait"] == ["copies to the host"]
    w = weft.zeros(4)
    with weft.profile() as profile:
        doubled(w, w)
        weft.synchronize()
    assert [e.reason for e in profile.events if e.kind == "wait"] == ["kernels that were queued"]


@pretending
def test_a_kernel_that_only_reads_runs_beside_a_copy_home(driver):
    _, doubled = on_gpu()
    x, y, z = weft.array([1.0]), weft.zeros(1), weft.zeros(1)
    doubled(x, y)
    doubled(y, z)
    host, table = np.zeros(1), accelerators.table("cuda")
    address = y._storage.acquire(table, False)
    _stub.device_copy(table, address, host.ctypes.data, 8, True, False)
    driver.calls()
    doubled(y, z)
    assert queued(driver) == [f"launch {STREAM}"]
    doubled(x, y)
    assert queued(driver) == [f"await {STREAM} {OUT}", f"launch {STREAM}"]


if __name__ == "__main__":
    main(globals())
