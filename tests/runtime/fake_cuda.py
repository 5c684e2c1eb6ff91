"""Tests of the CUDA side without a GPU: each runs in a process of its own, over a driver that only pretends.

A module of such tests decorates them with `pretending` and ends with ``if __name__ == "__main__": main(globals())``.
"""

from __future__ import annotations

import ctypes
import functools
import hashlib
import os
import subprocess
import sys
import tempfile
from pathlib import Path

import pytest

SOURCE = Path(__file__).with_suffix(".c")
STREAM, IN, OUT = 77, 78, 79
"""Weft's own streams on the device: for kernels, for copies to it, and for copies out of it."""

SECOND = 100
"""What is added to these numbers on ``cuda:1``."""


@functools.cache
def _library():
    folder = tempfile.mkdtemp(prefix="weft-fake-cuda-")
    path = Path(folder) / "libcuda.so.1"
    command = ["gcc", "-shared", "-fPIC", "-O1", "-Wl,-soname,libcuda.so.1", "-o", str(path), str(SOURCE)]
    subprocess.run(command, check=True)
    return path


def pretending(test):
    """A test that is run with a driver: ``test(driver)``, in another process.

    That takes two seconds, so a third of these tests are in the sample that runs without ``--all``.
    """

    def run():
        command = [sys.executable, test.__code__.co_filename, test.__name__, str(_library())]
        path = os.pathsep.join([str(Path(__file__).parent), *sys.path])
        with tempfile.TemporaryDirectory(prefix="weft-store-") as store:  # figures measured here are for nobody else
            env = {**os.environ, "PYTHONPATH": path, "WEFT_CACHE_DIR": store}
            done = subprocess.run(command, capture_output=True, text=True, timeout=300, env=env)
        assert done.returncode == 0, done.stderr

    run.__name__ = test.__name__
    run.test = test
    in_sample = hashlib.sha256(test.__name__.encode()).digest()[0] % 3 == 0
    return run if in_sample else pytest.mark.sample(0)(run)


class Driver:
    """What tests ask the driver."""

    def __init__(self, path):
        self.library = ctypes.CDLL(path, mode=ctypes.RTLD_GLOBAL)
        self.library.fake_calls.restype = ctypes.c_char_p
        self.library.fake_capacity.argtypes = [ctypes.c_size_t]
        self.capacity = self.library.fake_capacity

    def fail(self, text, status):
        """Let calls that begin with a text fail from now on; status 0: none."""
        self.library.fake_fail(text.encode(), status)

    def calls(self):
        """What was called since the last time, a word and a stream each."""
        found = self.library.fake_calls().decode().split("\n")[:-1]
        self.library.fake_forget()
        return found


class OpenDevice:
    """A device as the backend opens it; kernels do nothing."""

    def __init__(self, number=0):
        self.streams = STREAM + number * SECOND
        self.handles = (1 + number, self.streams)
        from weft.machine.facts import Facts

        self.facts = Facts("cuda", "a device that pretends", "none", 132, 1 << 37, "sm_90", 1024, 32, 232448, 4096)

    def load(self, binary, names):
        return tuple(0 for _ in names)

    def another_queue(self):
        self.streams += 1
        return self.streams

    def free_memory(self):
        return None


def install(path):
    """Let Weft take the driver for that of a GPU, in this process."""
    driver = Driver(path)
    from weft.backends.cuda import devices
    from weft.runtime.devices import accelerators

    opened = {"cuda": OpenDevice(), "cuda:1": OpenDevice(1)}
    accelerators.open_device = opened.__getitem__
    accelerators.facts_of = lambda name: opened[name].facts
    devices.discover = lambda: [device.facts for device in opened.values()]
    return driver


def main(tests):
    """Run one test in this process."""
    name, path = sys.argv[1:]
    tests[name].test(install(path))
