"""Loops of the host that only launch kernels, and kernels that may never end, on an NVIDIA GPU."""

import os
import signal
import threading
import time

import numpy as np
import pytest

import weft

pytestmark = pytest.mark.gpu


def heat(u, v, steps):
    for _ in range(steps):
        for i in range(1, u.shape[0] - 1):
            for j in range(1, u.shape[1] - 1):
                v[i, j] = 0.25 * (u[i - 1, j] + u[i + 1, j] + u[i, j - 1] + u[i, j + 1])
        u, v = v, u


def counted(u, v, w, steps):
    for t in range(steps):
        for i in range(1, u.shape[0] - 1):
            v[i] = 0.5 * (u[i - 1] + u[i + 1]) + t
        for i in range(u.shape[0]):
            w[i] = 0.5 * w[i] + v[i]
        u, v = v, u


def waits(x, y):
    for i in range(x.shape[0]):
        k = x[i]
        while k != 0.5:
            k = k + 1.0 if k < 100.0 else k - 100.0
        y[i] = k


@pytest.mark.parametrize("shape", [(16, 16), (70, 333), (256, 256), (1031, 515)])
def test_time_steps_in_graphs_are_those_of_the_processor(shape):
    x = np.random.default_rng(1).random(shape)
    on_gpu, on_cpu = weft.jit(heat, device="cuda", disable=("steps",)), weft.jit(heat, device="cpu")
    for steps in (1, 31, 100, 1001, 1000, 1000):
        found, expected = [weft.array(x), weft.array(x)], [x.copy(), x.copy()]
        on_gpu(*found, steps)
        on_cpu(*expected, steps)
        assert all((np.asarray(a) == b).all() for a, b in zip(found, expected, strict=True)), steps


@pytest.mark.parametrize("size", [33, 4096, 1 << 18])
def test_kernels_that_take_the_counter(size):
    arrays = np.random.default_rng(size).random((3, size))
    on_gpu, on_cpu = weft.jit(counted, device="cuda"), weft.jit(counted, device="cpu")
    for steps in (5, 40, 333, 333):
        found, expected = arrays.copy(), arrays.copy()
        on_gpu(*found, steps)
        on_cpu(*expected, steps)
        assert (found == expected).all(), steps


def test_the_ledger_has_each_kernel_of_a_graph():
    u, v = (weft.array(np.ones((64, 64))) for _ in range(2))
    function = weft.jit(heat, device="cuda", disable=("steps",))
    for _ in range(3):
        with weft.profile() as p:
            function(u, v, 500)
            weft.synchronize()
    launches = [e for e in p.events if e.kind == "launch"]
    assert len(launches) == 500 and 0 < sum(e.seconds for e in launches) < 1


@pytest.mark.parametrize("make", [np.asarray, weft.array])
def test_a_time_limit_ends_a_kernel(make):
    limited = weft.jit(waits, device="cuda", timeout=0.3)
    limited(make(np.full(1000, 0.5)), make(np.zeros(1000)))
    start = time.monotonic()
    with pytest.raises(weft.TimeoutError):
        limited(make(np.ones(1000)), make(np.zeros(1000)))
    assert time.monotonic() < start + 1.3
    y = make(np.zeros(1000))
    limited(make(np.full(1000, 0.5)), y)
    assert (np.asarray(y) == 0.5).all()


def test_ctrl_c_ends_a_kernel():
    function = weft.jit(waits, device="cuda")
    function(np.full(1000, 0.5), np.zeros(1000))
    threading.Timer(0.3, lambda: os.kill(os.getpid(), signal.SIGINT)).start()
    start = time.monotonic()
    with pytest.raises(KeyboardInterrupt):
        function(np.ones(1000), np.zeros(1000))
        time.sleep(1)
    assert time.monotonic() < start + 1.3


def test_a_time_limit_between_graphs():
    limited = weft.jit(heat, device="cuda", timeout=0.3)
    u, v = (weft.array(np.ones((64, 64))) for _ in range(2))
    limited(u, v, 100)
    start = time.monotonic()
    with pytest.raises(weft.TimeoutError):
        limited(u, v, 1 << 40)
    assert time.monotonic() < start + 1.3
    limited(u, v, 100)
    assert (np.asarray(u) == 1).all()
