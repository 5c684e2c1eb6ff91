"""Kernels that may never end, over a driver that only pretends: they see time limits in memory of the host."""

import contextlib
import ctypes
import os
import signal
import sys
import threading
import time
from pathlib import Path

import numpy as np
import pytest

sys.path.insert(0, str(Path(__file__).parent))

from fake_cuda import STREAM, main, pretending

import weft
from weft.runtime.devices import accelerators

KERNEL = ctypes.CFUNCTYPE(ctypes.c_int, ctypes.POINTER(ctypes.POINTER(ctypes.c_uint64)))


def waits(a, out):
    for i in range(out.shape[0]):
        n = 0.0
        while a[0] == 0.0:
            n = n + 1.0 if n < 100.0 else 0.0
        out[i] = n


def position(source):
    """Which argument of the kernel is the flag by which it is stopped."""
    head = source[source.index("__global__") :]
    return head[: head.index(") {")].split(",").index(next(p for p in head.split(",") if "weft_stop" in p))


class Endless:
    """A function whose kernel runs until it is told to stop."""

    def __init__(self, **options):
        device = accelerators.open_device("cuda")
        device.load = lambda binary, names: tuple(ctypes.cast(self.kernel, ctypes.c_void_p).value for _ in names)
        self.kernel, self.runs, self.ended = KERNEL(self.run), False, 0
        self.function = weft.jit(waits, device="cuda", **options)
        arrays = np.ones(2), np.zeros(2)
        self.place = position(self.function.inspect(*arrays).source)
        self.function(*arrays)
        self.runs = True

    def run(self, given):
        flag = ctypes.c_int.from_address(given[self.place][0])
        begin = time.monotonic()
        while self.runs and not flag.value and time.monotonic() < begin + 20:
            with contextlib.suppress(KeyboardInterrupt):  # Python's own handler reaches this callback first
                time.sleep(0.001)
        self.ended += bool(flag.value)
        return 0


@pretending
def test_a_time_limit_ends_a_kernel(driver):
    endless = Endless(timeout=0.2)
    start = time.monotonic()
    with pytest.raises(weft.TimeoutError):
        endless.function(np.zeros(2), np.zeros(2))
    assert endless.ended == 1 and time.monotonic() < start + 1.2
    endless.runs = False
    endless.function(np.zeros(2), np.zeros(2))


@pretending
def test_ctrl_c_ends_a_kernel(driver):
    endless = Endless()
    threading.Timer(0.2, lambda: os.kill(os.getpid(), signal.SIGINT)).start()
    start = time.monotonic()
    with pytest.raises(KeyboardInterrupt):
        endless.function(np.zeros(2), np.zeros(2))
        time.sleep(1)
    assert endless.ended == 1 and time.monotonic() < start + 1.2


@pretending
def test_threads_have_limits_of_their_own(driver):
    endless = Endless(timeout=0.3)
    seen = []

    def call():
        with pytest.raises(weft.TimeoutError):
            endless.function(np.zeros(2), np.zeros(2))
        seen.append(1)

    threads = [threading.Thread(target=call) for _ in range(3)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(seen) == 3 and endless.ended == 3


@pretending
def test_a_call_waits_for_a_kernel_that_may_not_end(driver):
    function = weft.jit(waits, device="cuda")
    a, out = weft.array([1.0]), weft.zeros(2)
    function(a, out)
    driver.calls()
    function(a, out)
    assert [call for call in driver.calls() if call.startswith(("launch", "finish"))] == [
        f"launch {STREAM}",
        f"finish {STREAM}",
    ]


if __name__ == "__main__":
    main(globals())
