"""Whatever fails on a device, the call raises, gives all back, and the next call is right."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import pytest

import weft
from weft.runtime.devices import accelerators

from .failing import Failing

pytestmark = pytest.mark.opencl


@pytest.fixture(scope="module")
def device() -> Iterator[Failing]:
    """The OpenCL device with failures."""
    right = accelerators.table
    failing = Failing(right("opencl"))
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(accelerators, "table", lambda name: failing.address)
        yield failing


def scaled(x, y, steps):
    for _ in range(steps):
        for i in range(len(x)):
            y[i] = 2.0 * x[i] + 1.0
        x, y = y, x
    return x


def total(x, y, steps):
    s = 0.0
    for i in range(len(x)):
        s += x[i] * steps
    for i in range(len(x)):
        y[i] = x[i] + s
    return s


def strided(x, y, steps):
    for i in range(len(x) // 2):
        y[2 * i + steps % 2] = x[i] * 2.0


def guarded(x, y, steps):
    for i in range(len(x)):
        y[i] = x[int(x[i]) % len(x)] + 1 // steps


PROGRAMS = (scaled, total, strided, guarded)
KINDS = ("allocate", "copy_in", "copy_out", "launch", "wait", "take_flag", "give_flag")


def arguments():
    return np.arange(40.0), np.zeros(40), 3


@pytest.mark.parametrize("program", PROGRAMS)
def test_a_call_that_fails_gives_all_back_and_the_next_one_is_right(device, program):
    ready = weft.jit(program, device="opencl")
    expected = arguments()
    result = program(*expected)
    device.demand()
    ready(*arguments())
    counts = dict(device.done)
    assert counts["launch"] > 0
    for kind in KINDS:
        for number in range(counts.get(kind, 0)):
            device.demand(kind, number)
            with pytest.raises(weft.DeviceError):
                ready(*arguments())
            assert device.live["buffers"] == 0, (kind, number)
            device.demand()
            got = arguments()
            np.testing.assert_array_equal(ready(*got), result)
            np.testing.assert_array_equal(got[1], expected[1])


def test_an_array_that_does_not_fit_is_told_with_its_size(device):
    ready = weft.jit(scaled, device="opencl")
    ready(*arguments())
    device.status, before = -4, device.status
    device.demand("allocate", 0)
    with pytest.raises(weft.OutOfMemoryError, match="do not fit"):
        ready(*arguments())
    device.status = before
    device.demand()
