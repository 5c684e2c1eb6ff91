"""Functions compiled for an OpenCL device: where their loops run, and what the store keeps."""

import os
import warnings
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest

import weft
from weft.backends.c import toolchain
from weft.backends.opencl import compiler
from weft.errors import DeviceError, OutOfMemoryError, WeftWarning
from weft.runtime.devices import accelerators
from weft.runtime.dispatch import callee

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


def make_nested():
    """A new function each time: a recurrence that no kernel can run."""

    def nested(x):
        for i in range(1, len(x)):
            x[i] = np.sin(x[i - 1])

    return nested


def test_a_loop_that_stays_on_the_host_gives_a_warning(own_store, monkeypatch):
    for _ in range(2):  # the second time from the store
        monkeypatch.setattr(callee, "_specialisations", {})
        x = np.ones(3)
        with pytest.warns(WeftWarning, match="W001.*runs on the host and not on 'opencl'"):
            weft.jit(make_nested(), device="opencl")(x)
        np.testing.assert_allclose(x, [1, np.sin(1), np.sin(np.sin(1))], rtol=1e-14)


def test_a_device_that_is_not_there_is_refused():
    with pytest.raises(DeviceError):
        run(weft.jit(make_triad(), device="opencl:99"))


def reciprocals(x, out):
    for i in range(len(x)):
        if x[i] == 0.0:
            raise ValueError("zero")
        out[i] = 1.0 / x[i]


def test_a_flag_is_clean_after_a_fault():
    function = weft.jit(reciprocals, device="opencl")
    good, bad, out = np.full(1000, 4.0), np.arange(1000.0), np.zeros(1000)
    for _ in range(3):
        function(good, out)
        np.testing.assert_array_equal(out, 0.25)
        with pytest.raises(ValueError, match="zero"):
            function(bad, out)


def test_calls_at_the_same_time_do_not_share_a_flag():
    function = weft.jit(reciprocals, device="opencl")

    def call(first):
        out = np.zeros(50)
        try:
            function(np.arange(50.0) + first, out)
        except ValueError:
            return True
        return False

    with ThreadPoolExecutor(4) as pool:
        firsts = [k % 2 for k in range(200)]
        assert list(pool.map(call, firsts)) == [first == 0 for first in firsts]


def test_lack_of_memory_is_told_with_the_arrays(monkeypatch):
    function = weft.jit(make_triad(), device="opencl")
    arrays = [np.zeros(1 << 17) for _ in range(3)]
    compiled = function.specialise(*arrays).family.variant().compiled
    monkeypatch.setattr(accelerators._stub, "device_failure", lambda: (-4, 1 << 20))
    error = accelerators.failure(compiled, arrays, lambda leaves: {})
    assert isinstance(error, OutOfMemoryError)
    assert error.needed == 3 << 20
    assert "'a' has 1.0 MiB, 'b' has 1.0 MiB, 'c' has 1.0 MiB" in str(error)
    monkeypatch.setattr(accelerators._stub, "device_failure", lambda: (-36, 0))
    assert "error -36" in str(accelerators.failure(compiled, arrays, lambda leaves: {}))


def _refusal(function):
    """What a call says in a forked process."""
    reader, writer = os.pipe()
    child = os.fork()
    if child == 0:
        try:
            run(function)
        except DeviceError as error:
            os.write(writer, str(error).encode())
        os._exit(0)
    os.close(writer)
    with os.fdopen(reader, "rb") as file:
        said = file.read().decode()
    os.waitpid(child, 0)
    return said


@pytest.mark.filterwarnings("ignore:.*fork.*:DeprecationWarning")
def test_a_forked_process_is_refused():
    used, new = weft.jit(make_triad(), device="opencl"), weft.jit(reciprocals, device="opencl")
    run(used)
    assert "forked" in _refusal(used)
    assert "forked" in _refusal(lambda a, b, c: new(b, a))
    run(used)


def test_a_loop_that_stands_by_for_other_arguments_gives_no_warning(own_store, monkeypatch):
    def spread(a, b, step):
        for i in range(len(b)):
            a[i * step] = b[i]

    monkeypatch.setattr(callee, "_specialisations", {})
    a = np.zeros(200)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        weft.jit(spread, device="opencl")(a, np.ones(100), 2)
    assert a.sum() == 100


@pytest.mark.opencl
def test_remarks_of_the_opencl_compiler_are_not_shown(recwarn):
    def unused(a):
        for i in range(len(a)):
            b = a[i] * 2.0
            a[i] = b

    weft.jit(unused, device="opencl")(np.ones(77))
    assert not [w for w in recwarn if "ompiler" in str(w.message)]
