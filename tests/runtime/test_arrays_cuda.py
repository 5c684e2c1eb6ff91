"""Coherent arrays and CUDA: exports, streams and pools, over a driver that only pretends to have a GPU."""

import ctypes
import sys
from pathlib import Path

import numpy as np

sys.path.insert(0, str(Path(__file__).parent))

from fake_cuda import IN, STREAM, main, pretending

import weft
from weft.runtime.devices import accelerators


def on_gpu(array, writes=False):
    """Move an array as a call would."""
    place = accelerators.table("cuda")
    address = array._storage.acquire(place, writes)
    if writes:
        array._storage.wrote(place)
    return address


def read(address, count):
    """What is in the memory of the GPU that pretends."""
    return list((ctypes.c_double * count).from_address(address))


def write(address, value):
    ctypes.c_double.from_address(address).value = value


@pretending
def test_an_array_is_sent_once(driver):
    x = weft.array([1.0, 2.0])
    first = on_gpu(x)
    assert on_gpu(x) == first and read(first, 2) == [1, 2]
    assert [call for call in driver.calls() if call.startswith("in")] == [f"in {IN}"]


@pretending
def test_the_interface_for_other_libraries_lends_the_memory_of_the_gpu(driver):
    x = weft.array([1.0, 2.0, 3.0])[1:]
    interface = x.__cuda_array_interface__
    assert interface["shape"] == (2,) and interface["typestr"] == "<f8" and interface["version"] == 3
    assert interface["stream"] == STREAM
    address, read_only = interface["data"]
    assert not read_only and read(address, 2) == [2, 3]
    write(address, 20)
    assert x[0] == 20
    write(address, 30)
    assert x[0] == 30
    assert "settle" in driver.calls()


@pretending
def test_what_the_host_writes_is_seen_by_whoever_was_lent_the_memory(driver):
    x = weft.array([1.0, 2.0])
    address, _ = x.__cuda_array_interface__["data"]
    x[1] = 5
    assert read(address, 2) == [1, 5]


@pretending
def test_the_loan_ends_with_the_object_that_was_exported(driver):
    whole = weft.array([1.0, 2.0])
    part = whole[:1]
    address, _ = part.__cuda_array_interface__["data"]
    write(address, 9)
    del part
    assert whole[0] == 9
    driver.calls()
    assert whole[1] == 2 and "settle" not in driver.calls()


@pretending
def test_dlpack_hands_over_the_memory_of_the_gpu(driver):
    from weft.frontend.arrays import dlpack

    x = weft.array(np.arange(6.0).reshape(2, 3))[:, ::2]
    on_gpu(x)
    assert x.__dlpack_device__() == (2, 0)
    capsule = x.__dlpack__(stream=5, max_version=(1, 0))
    tensor, read_only = dlpack._read(capsule)
    assert not read_only and tensor.device_type == 2 and tensor.ndim == 2 and tensor.bits == 64 and tensor.code == 2
    assert tensor.shape[:2] == [2, 2] and tensor.strides[:2] == [3, 2]
    assert read(tensor.data, 3) == [0, 1, 2]
    assert driver.calls()[-1] == f"await 5 {STREAM}"
    write(tensor.data, 7)
    assert x[0, 0] == 7
    del capsule
    driver.calls()
    assert x[0, 0] == 7 and x[0, 1] == 2
    assert driver.calls().count("settle") == 1


@pretending
def test_the_stream_rules_of_dlpack(driver):
    x = weft.array([1.0])
    on_gpu(x)
    for stream, waits in ((None, f"await 1 {STREAM}"), (2, f"await 2 {STREAM}"), (-1, None)):
        driver.calls()
        x.__dlpack__(stream=stream)
        awaited = [call for call in driver.calls() if call.startswith("await")]
        assert awaited == ([waits] if waits else [])


@pretending
def test_dlpack_moves_where_the_consumer_wants_it(driver):
    x = weft.array([1.0, 2.0])
    on_gpu(x, writes=True)
    plain = np.from_dlpack(x, device="cpu")
    np.testing.assert_array_equal(plain, [1, 2])
    copied = np.from_dlpack(x.copy())
    copied[0] = 5
    assert x[0] == 1


@pretending
def test_memory_of_the_gpu_is_used_again(driver):
    for _ in range(3):
        x = weft.zeros(1000)
        on_gpu(x)
        del x
    assert driver.calls().count("allocate") == 1


@pretending
def test_what_the_pool_keeps_is_given_back_when_memory_is_short(driver):
    driver.capacity(100_000)
    x = weft.zeros(10_000)
    on_gpu(x)
    del x
    on_gpu(weft.zeros(9_000))
    calls = driver.calls()
    assert calls.count("free") == 1 and calls.count("allocate") == 2
    try:
        on_gpu(weft.zeros(20_000))
    except weft.OutOfMemoryError as error:
        assert "does not fit into the memory of cuda" in str(error) and error.needed == 160_000
    else:
        raise AssertionError("memory that is not there was given")


@pretending
def test_the_host_waits_before_it_writes_what_is_being_sent(driver):
    x = weft.array([1.0, 2.0])
    on_gpu(x)
    driver.calls()
    x[0] = 3
    assert driver.calls() == [f"finish {IN}"]
    x[0] = 4
    assert driver.calls() == []


@pretending
def test_a_call_queues_its_kernel_and_moves_what_it_needs(driver):
    @weft.jit(device="cuda")
    def doubled(x, y):
        for i in range(x.shape[0]):
            y[i] = 2 * x[i]

    x, y = weft.array([1.0, 2.0]), weft.empty(2)
    doubled(x, y)
    assert [c.split()[0] for c in driver.calls() if c.split()[0] in ("in", "out", "launch")] == ["in", "launch"]
    doubled(x, y)
    assert [c.split()[0] for c in driver.calls() if c.split()[0] in ("in", "out", "launch", "allocate")] == ["launch"]


if __name__ == "__main__":
    main(globals())
