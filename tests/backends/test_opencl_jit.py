"""Functions compiled for an OpenCL device: where their loops run, and what the store keeps."""

import numpy as np
import pytest

import weft
from weft.backends.c import toolchain
from weft.backends.opencl import compiler
from weft.errors import DeviceError, WeftWarning
from weft.runtime import callee

pytestmark = pytest.mark.opencl


def make_triad():
    """A new function each time, whose content is the same."""

    def triad(a, b, c):
        for i in range(len(a)):
            a[i] = b[i] + 3.0 * c[i]

    return triad


def run(function):
    a = np.zeros(1000)
    function(a, np.ones(1000), np.arange(1000.0))
    np.testing.assert_array_equal(a, 1 + 3 * np.arange(1000.0))


def test_parallel_loops_become_kernels():
    function = weft.jit(make_triad(), device="opencl")
    run(function)
    a = np.zeros(4)
    placement = function.specialise(a, a.copy(), a.copy()).placement()
    assert [(nest.label, nest.device) for nest in placement.nests] == [("i", "opencl")]
    assert "__kernel" in function.inspect(a, a.copy(), a.copy()).source


def test_nothing_is_compiled_twice(own_store, monkeypatch):
    monkeypatch.setattr(callee, "_specialisations", {})
    run(weft.jit(make_triad(), device="opencl"))

    def refuse(*_):
        raise AssertionError("something was compiled again")

    monkeypatch.setattr(callee, "_specialisations", {})  # as in a new process
    monkeypatch.setattr(compiler, "compile_source", refuse)
    monkeypatch.setattr(toolchain, "compile_source", refuse)
    run(weft.jit(make_triad(), device="opencl"))


def test_a_loop_that_stays_on_the_host_gives_a_warning():
    @weft.jit(device="opencl")
    def running(x):
        for i in range(1, len(x)):
            x[i] = x[i] + x[i - 1]

    x = np.ones(5)
    with pytest.warns(WeftWarning, match="W001.*runs on the host and not on 'opencl'"):
        running(x)
    np.testing.assert_array_equal(x, np.arange(1.0, 6.0))


def test_a_device_that_is_not_there_is_refused():
    with pytest.raises(DeviceError):
        run(weft.jit(make_triad(), device="opencl:99"))
