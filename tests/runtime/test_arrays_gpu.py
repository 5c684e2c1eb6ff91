"""Coherent arrays on an NVIDIA GPU, beside PyTorch and CuPy."""

import functools

import numpy as np
import pytest

import weft

pytestmark = pytest.mark.gpu


def loop(x, y):
    for i in range(x.shape[0]):
        y[i] = 2 * x[i]
    return y


@functools.cache
def compiled():
    return weft.jit(loop, device="cuda")


def doubled(x, y):
    return compiled()(x, y)


SIZE = 1 << 20


def test_arrays_stay_on_the_gpu_until_they_are_touched():
    x, y = weft.array(np.arange(float(SIZE))), weft.empty(SIZE)
    with weft.profile() as p:
        for _ in range(5):
            assert doubled(x, y) is y
        assert y.where == ("cuda",)
        np.testing.assert_array_equal(y, 2 * np.arange(float(SIZE)))
    assert len(p.of("copy_in")) == len(p.of("copy_out")) == 1 and len(p.of("launch")) == 5
    assert all(event.seconds > 0 for event in p.of("launch"))


def test_no_memory_is_allocated_from_the_second_equal_call_on():
    plain = np.ones(SIZE), np.zeros(SIZE)
    doubled(*plain)
    with weft.profile() as p:
        doubled(*plain)
    assert not p.of("allocate", "free")


@pytest.mark.parametrize("times", [1, 2, 3])
def test_plain_arrays_of_all_sizes_cross_unharmed(times):
    for size in (1, 1000, SIZE + 3, 20 * SIZE + 1):
        x, y = np.random.default_rng(size).random(size), np.zeros(size)
        for _ in range(times):
            doubled(x, y)
            np.testing.assert_array_equal(y, 2 * x)
            x += 1


def test_pytorch_works_on_the_same_memory():
    torch = pytest.importorskip("torch")
    x, y = weft.array(np.arange(float(SIZE))), weft.zeros(SIZE)
    doubled(x, y)
    tensor = torch.from_dlpack(y)
    assert tensor.is_cuda and float(tensor[3]) == 6.0
    tensor += 1
    assert y[3] == 7.0
    doubled(y, x)
    tensor.zero_()
    doubled(y, x)
    assert not np.any(x)
    del tensor
    y[0] = 5
    doubled(y, x)
    assert x[0] == 10


def test_pytorch_writes_on_a_stream_of_its_own():
    torch = pytest.importorskip("torch")
    x, y = weft.array(np.zeros(32 * SIZE)), weft.zeros(32 * SIZE)
    doubled(x, y)
    stream = torch.cuda.Stream()
    with torch.cuda.stream(stream):
        tensor = torch.from_dlpack(x)
        for k in range(50):
            tensor += 1
    doubled(x, y)
    assert y[0] == y[-1] == 100
    with torch.cuda.stream(stream):
        for k in range(50):
            tensor += 1
    assert x[-1] == 100


def test_cupy_and_pytorch_take_the_interface():
    cupy, torch = pytest.importorskip("cupy"), pytest.importorskip("torch")
    x = weft.array(np.arange(float(SIZE)))
    seen = cupy.asarray(x)
    seen *= 3
    assert x[2] == 6
    x[2] = 1
    assert float(seen[2]) == 1
    y = weft.zeros(SIZE)
    tensor = torch.as_tensor(y, device="cuda")
    tensor += 4
    assert y[-1] == 4


def test_results_for_other_libraries_come_in_order():
    torch = pytest.importorskip("torch")
    x, y = weft.array(np.ones(64 * SIZE)), weft.zeros(64 * SIZE)
    for k in range(10):
        x[0] = k
        doubled(x, y)
        assert float(torch.from_dlpack(y)[0]) == 2 * k
        weft.synchronize()


def test_jax_takes_an_array():
    jax = pytest.importorskip("jax")
    x, y = weft.array(np.arange(8.0, dtype=np.float32)), weft.zeros(8, np.float32)
    doubled(x, y)
    np.testing.assert_array_equal(np.asarray(jax.dlpack.from_dlpack(y)), 2 * np.arange(8))


def test_foreign_arrays_are_ordered_by_their_streams():
    torch, cupy = pytest.importorskip("torch"), pytest.importorskip("cupy")
    stream = torch.cuda.Stream()
    with torch.cuda.stream(stream):
        x = torch.zeros(32 * SIZE, dtype=torch.float64, device="cuda")
        y = torch.zeros_like(x)
        for k in range(20):
            x += 1
            doubled(x, y)
            y += 1
            x.copy_(y)
    stream.synchronize()  # what follows is on PyTorch's own stream
    expected = 0
    for k in range(20):
        expected = 2 * (expected + 1) + 1
    assert float(y[0]) == float(y[-1]) == expected
    with cupy.cuda.Stream(non_blocking=True):
        x, y = cupy.zeros(32 * SIZE), cupy.zeros(32 * SIZE)
        for k in range(20):
            x += 1
            doubled(x, y)
            y += 1
            x[...] = y
        assert float(y[-1]) == expected


def transposed_product(a, b, c):
    for i in range(a.shape[0]):
        for j in range(b.shape[0]):
            total = np.float32(0)
            for k in range(a.shape[1]):
                total += a[i, k] * b[j, k]
            c[i, j] = total


def test_large_arrays_that_were_never_on_the_gpu_are_told_apart():
    a, b = (np.random.default_rng(seed).random((2048, 2048), np.float32) for seed in (1, 2))
    c = weft.empty((2048, 2048), np.float32)
    weft.jit(transposed_product, device="cuda")(weft.array(a), weft.array(b), c)
    np.testing.assert_allclose(np.asarray(c)[:64], a[:64] @ b.T, rtol=1e-4)
