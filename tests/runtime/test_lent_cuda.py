"""Few results that a kernel writes to memory of the host, over a driver that only pretends: no copy, one wait."""

import ctypes
import sys
from pathlib import Path

import numpy as np
import pytest

sys.path.insert(0, str(Path(__file__).parent))

from fake_cuda import STREAM, main, pretending

import weft
from weft.runtime.devices import accelerators

KERNEL = ctypes.CFUNCTYPE(ctypes.c_int, ctypes.POINTER(ctypes.POINTER(ctypes.c_uint64)))


def total(x):
    s = 0.0
    for i in range(x.shape[0]):
        s += x[i]
    return s


def largest(x):
    s = 0.0
    for i in range(x.shape[0]):
        s = max(s, x[i])
    return s


def until(x, y, most):
    s, k = 1.0, 0
    while s > 0.5 and k < most:
        for i in range(x.shape[0]):
            y[i] = 2.0 * x[i]
        s = 0.0
        for i in range(x.shape[0]):
            s += y[i]
        k += 1
    return k


class Summing:
    """A device whose kernels with a parameter called ``partials`` write numbers there, counting up from one."""

    def __init__(self, function, *arguments):
        self.writes, self.runs, self.kept = KERNEL(self.run), 0, []
        device = accelerators.open_device("cuda")
        self.place = 0

        def load(binary, names):
            pointers = [self.writes if position(name) else KERNEL(lambda _: 0) for name in names]
            self.kept += pointers
            return tuple(ctypes.cast(one, ctypes.c_void_p).value for one in pointers)

        self.function = weft.jit(function, device="cuda", disable=("fusion",))
        source = self.function.inspect(*arguments).source

        def position(name):
            head = source[source.index(f" {name}(") :]
            found = [k for k, p in enumerate(head[: head.index(") {")].split(",")) if "partials" in p and "memory" in p]
            if not found or name.endswith("_folds"):
                return False
            self.place = found[0]
            return True

        device.load = load

    def run(self, given):
        self.runs += 1
        ctypes.c_double.from_address(given[self.place][0]).value = self.runs
        return 0


def queued(driver):
    """What was queued, and what the host waited for."""
    return [c for c in driver.calls() if c.split()[0] in ("in", "out", "launch", "await", "finish", "wait", "settle")]


@pytest.mark.sample(0)
@pretending
def test_a_scalar_comes_without_a_copy(driver):
    summing = Summing(total, np.ones(100))
    x = weft.array(np.ones(100))
    assert summing.function(x) == 1.0
    assert summing.function(x) == 2.0
    driver.calls()
    assert summing.function(x) == 3.0
    assert queued(driver) == [f"launch {STREAM}", f"finish {STREAM}"]


@pytest.mark.sample(0)
@pretending
def test_the_same_memory_serves_every_iteration(driver):
    summing = Summing(until, np.ones(100), np.ones(100), 5)
    x, y = weft.array(np.ones(100)), weft.array(np.ones(100))
    assert summing.function(x, y, 5) == 5
    driver.calls()
    assert summing.function(x, y, 5) == 5
    assert queued(driver) == [f"launch {STREAM}", f"launch {STREAM}", f"finish {STREAM}"] * 5


@pretending
def test_the_ledger_counts_what_came(driver):
    summing = Summing(total, np.ones(100))
    x = weft.array(np.ones(100))
    summing.function(x)
    with weft.profile() as p:
        summing.function(x)
    assert [(e.kind, e.bytes) for e in p.events] == [("launch", 0), ("wait", 0), ("copy_out", 8)]
    assert p.events[-1].reason == "it is read on the host, to which its kernel wrote it"


@pytest.mark.sample(0)
@pretending
def test_many_results_are_copied(driver):
    summing = Summing(largest, np.ones(100))
    x = weft.array(np.ones(3 << 20))
    summing.function(x)
    driver.calls()
    summing.function(x)
    assert any(call.startswith("out") for call in queued(driver))


@pretending
def test_without_memory_that_kernels_can_write_there_is_a_copy(driver):
    summing = Summing(total, np.ones(100))
    x = weft.array(np.ones(100))
    driver.fail("memory of the host", 2)
    assert summing.function(x) == 1.0
    assert any(call.startswith("out") for call in queued(driver))


@pretending
def test_a_wait_that_fails_is_said(driver):
    summing = Summing(total, np.ones(100))
    x = weft.array(np.ones(100))
    summing.function(x)
    driver.fail("finish", 700)
    with pytest.raises(weft.DeviceError):
        summing.function(x)


if __name__ == "__main__":
    main(globals())
