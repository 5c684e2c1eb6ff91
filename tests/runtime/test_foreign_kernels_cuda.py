"""Kernels of users in CUDA C++ in compiled functions, over a driver that only pretends; NVRTC compiles their text."""

import sys
from pathlib import Path

import numpy as np
import pytest

sys.path.insert(0, str(Path(__file__).parent))

from fake_cuda import IN, OUT, STREAM, main, pretending

pytest.importorskip("cuda.bindings.nvrtc")

import weft
from tests.autotune.foreign_kernels import scale, scale_on_cuda
from weft.errors import ArgumentError, UnsupportedError


def between_loops(x, y, z):
    for i in range(len(x)):
        x[i] = x[i] + 1
    scale_on_cuda(x, y, 2.5)
    for i in range(len(z)):
        z[i] = max(y[i], 0)


def repeated(x, y, times):
    for t in range(times):
        scale_on_cuda(x, y, 2.5)
        x, y = y, x


def of_opencl(x, y):
    scale(x, y, 2.5)


def arrays(n=1000):
    return tuple(np.ones(n, np.float32) for _ in range(3))


def queued(driver):
    return [call for call in driver.calls() if call.split()[0] in ("in", "out", "launch")]


@pretending
def test_a_kernel_between_loops_is_queued_among_theirs_without_copies(driver):
    compiled = weft.jit(between_loops, device="cuda")
    compiled(*arrays())
    driver.calls()
    compiled(*arrays())
    calls = queued(driver)
    assert calls.count(f"launch {STREAM}") == 3
    assert calls.count(f"in {IN}") == 2 and calls.count(f"out {OUT}") == 3


@pretending
def test_a_kernel_in_a_loop_is_queued_each_time(driver):
    compiled = weft.jit(repeated, device="cuda")
    x, y, _ = arrays()
    compiled(x, y, 5)
    driver.calls()
    compiled(x, y, 5)
    calls = queued(driver)
    assert calls.count(f"launch {STREAM}") == 5 and calls.count(f"in {IN}") == 2


@pretending
def test_the_device_of_a_kernel_is_chosen(driver):
    compiled = weft.jit(between_loops)
    given = arrays()
    compiled(*given)
    assert f"launch {STREAM}" in driver.calls()
    assert weft.explain(compiled, *given).choice.device == "cuda"


@pretending
def test_kernels_for_other_devices_are_refused(driver):
    x, y, _ = arrays()
    with pytest.raises(UnsupportedError, match=r"scale is written in OpenCL C, and the call runs on 'cuda'"):
        weft.jit(of_opencl, device="cuda")(x, y)


@pretending
def test_a_start_that_the_device_does_not_take_is_refused(driver):
    x, y, _ = arrays()
    wide = weft.kernel(
        scale_on_cuda.source, "scale", arguments=scale_on_cuda.arguments, grid=lambda n: (n,), block=("wg",),
        tunables={"wg": [2048]},
    )  # fmt: skip

    def wrong(x, y):
        wide(x, y, 1.0)

    with pytest.raises(ArgumentError, match="2048 threads in dimension 0, and the device has at most 1024"):
        weft.jit(wrong, device="cuda")(x, y)


if __name__ == "__main__":
    main(globals())
