"""Coherent arrays, and arrays of other libraries, on two NVIDIA GPUs of one machine."""

import threading

import numpy as np
import pytest

import weft
from weft.errors import ArgumentError

pytestmark = pytest.mark.gpu

SIZE = 1 << 20


@pytest.fixture(autouse=True)
def two_gpus():
    """Tests for machines that have a second GPU."""
    if not any(device.name == "cuda:1" for device in weft.devices()):
        pytest.skip("this machine has one GPU")


def doubled(x, y):
    for i in range(x.shape[0]):
        y[i] = 2 * x[i]
    return y


def on_both():
    """The function on each device."""
    return weft.jit(doubled, device="cuda"), weft.jit(doubled, device="cuda:1")


def test_an_array_goes_from_one_gpu_to_the_other_without_the_host():
    first, second = on_both()
    x, y, z = weft.array(np.arange(float(SIZE))), weft.zeros(SIZE), weft.zeros(SIZE)
    first(x, y)
    with weft.profile() as p:
        second(y, z)
    assert not p.of("copy_out") and [(e.device, e.bytes) for e in p.of("copy_in")] == [("cuda:1", 8 * SIZE)]
    assert y.where == ("cuda", "cuda:1") and z.where == ("cuda:1",)
    np.testing.assert_array_equal(z, 4 * np.arange(float(SIZE)))


def test_turns_of_two_gpus_on_one_array_come_in_order():
    first, second = on_both()
    x, y = weft.array(np.ones(32 * SIZE)), weft.zeros(32 * SIZE)
    for _ in range(10):
        first(x, y)
        second(y, x)
    assert x[0] == x[-1] == x[SIZE + 1] == 4.0**10


def test_what_is_copied_away_is_not_overwritten_before():
    first, second = on_both()
    x, y, z = weft.array(np.ones(64 * SIZE)), weft.zeros(64 * SIZE), weft.zeros(64 * SIZE)
    first(x, y)
    second(y, z)
    first(y, x)
    first(x, y)
    assert (z[0], z[-1], y[0], y[-1]) == (4, 4, 8, 8)


def test_parts_of_one_array_on_two_gpus():
    first, second = on_both()
    x = weft.array(np.ones(6))
    first(x[:3], x[3:])
    second(x[3:], x[:3])
    np.testing.assert_array_equal(x, [4, 4, 4, 2, 2, 2])


def test_plain_arrays_on_the_second_gpu():
    _, second = on_both()
    x, y = np.arange(float(SIZE)), np.zeros(SIZE)
    for _ in range(4):
        second(x, y)
    np.testing.assert_array_equal(y, 2 * x)


def test_a_thread_for_each_gpu():
    wrong = []

    def work(function):
        x, y = weft.array(np.arange(float(SIZE))), weft.zeros(SIZE)
        for _ in range(20):
            function(x, y)
        if not np.array_equal(y, 2 * np.arange(float(SIZE))):
            wrong.append(function)

    threads = [threading.Thread(target=work, args=(function,)) for function in on_both()]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not wrong


def test_tensors_of_pytorch_on_the_second_gpu_are_used_there():
    torch = pytest.importorskip("torch")
    x = torch.arange(float(SIZE), dtype=torch.float64, device="cuda:1")
    y = torch.zeros_like(x)
    assert weft.jit(doubled)(x, y) is y
    assert float(y[-1]) == 2.0 * (SIZE - 1)
    on_both()[1](x, y)
    assert y.device.index == 1


def test_tensors_of_the_other_gpu_are_refused():
    torch = pytest.importorskip("torch")
    first, _ = on_both()
    here, there = (torch.ones(SIZE, dtype=torch.float64, device=f"cuda:{k}") for k in range(2))
    first(here, here.clone())
    for _ in range(2):
        with pytest.raises(ArgumentError, match="memory"):
            first(there, here)
    first(here, here.clone())


def test_an_array_is_lent_on_the_gpu_where_it_is():
    torch = pytest.importorskip("torch")
    _, second = on_both()
    x, y = weft.array(np.arange(float(SIZE))), weft.zeros(SIZE)
    second(x, y)
    tensor = torch.from_dlpack(y)
    assert tensor.device.index == 1
    tensor += 1
    assert y[3] == 7
