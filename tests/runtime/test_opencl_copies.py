"""Copies to OpenCL devices go on while the host does; whoever waits for them hears when they failed."""

from __future__ import annotations

import ctypes
import functools
import inspect
import os
import subprocess
import sys
import tempfile
from pathlib import Path

import numpy as np
import pytest

pytest.importorskip("pyopencl")

import weft

pytestmark = pytest.mark.opencl

SOURCE = Path(__file__).with_name("watched_opencl.c")
BROKEN = -14
"""CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST."""


@functools.cache
def _library():
    path = Path(tempfile.mkdtemp(prefix="weft-watched-opencl-")) / "watched.so"
    subprocess.run(["gcc", "-shared", "-fPIC", "-O1", "-o", str(path), str(SOURCE), "-ldl"], check=True)
    return path


def watching(test):
    """A test that runs in another process, with a library before that of OpenCL: ``test(library)``."""

    def run():
        env = {**os.environ, "LD_PRELOAD": str(_library()), "PYTHONPATH": os.pathsep.join(sys.path)}
        command = [sys.executable, __file__, test.__name__, str(_library())]
        done = subprocess.run(command, capture_output=True, text=True, timeout=300, env=env)
        assert done.returncode == 0, done.stderr

    run.__name__ = test.__name__
    run.test = test
    return run


def double(x, y):
    for i in range(x.shape[0]):
        y[i] = 2 * x[i]


def grid(x, y):
    for i in range(1, x.shape[0] - 1):
        for j in range(1, x.shape[1] - 1):
            y[i, j] = x[i, j - 1] + x[i, j + 1]


@pytest.mark.sample(0)
@watching
def test_no_copy_to_the_device_makes_the_host_wait(library):
    x, y = np.arange(1000.0), np.zeros(1000)
    weft.jit(double, device="opencl")(x, y)
    assert (y == 2 * x).all()
    a, b = weft.array(x), weft.array(y)
    weft.jit(double, device="opencl")(a, b)
    assert (np.asarray(b) == 2 * x).all()
    rows = np.arange(600.0).reshape(20, 30)
    weft.jit(grid, device="opencl")(rows, np.zeros((20, 30)))
    assert library.watched_blocking() == 0 and library.watched_queued() > 2


@watching
def test_a_copy_that_fails_is_told_with_its_line_and_its_call(library):
    double_there = weft.jit(double, device="opencl")
    a, b = weft.array(np.ones(1000)), weft.array(np.zeros(1000))
    double_there(a, b)
    weft.synchronize()
    c = weft.array(np.ones(1000))
    library.watched_fail(BROKEN)
    line = inspect.currentframe().f_lineno + 1
    double_there(c, b)
    with pytest.raises(weft.DeviceError) as caught:
        weft.synchronize()
    library.watched_fail(0)
    assert f"error {BROKEN}" in str(caught.value)
    assert f"a copy to the device for an argument of double, called in {__file__}, line {line}" in str(caught.value)
    double_there(a, b)
    assert (np.asarray(b) == 2).all()  # the process goes on


def test_arrays_may_be_changed_once_the_call_has_returned():
    double_there = weft.jit(double, device="opencl")
    x, y = np.zeros(1 << 18), np.zeros(1 << 18)
    for k in range(20):
        x[:] = k
        double_there(x, y)
        x[:] = -1
        assert (y == 2 * k).all()


def test_coherent_arrays_may_be_changed_while_they_travel():
    double_there = weft.jit(double, device="opencl")
    a, b = weft.array(np.zeros(1 << 18)), weft.array(np.zeros(1 << 18))
    for k in range(20):
        with a.host() as h:
            h[:] = k
        double_there(a, b)
        with a.host() as h:
            h[:] = -1
        assert (np.asarray(b) == 2 * k).all()


if __name__ == "__main__":
    name, path = sys.argv[1:]
    globals()[name].test(ctypes.CDLL(path))
