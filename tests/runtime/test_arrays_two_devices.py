"""Coherent arrays and more than one device: two sub-devices of one core each, with a context each."""

import numpy as np
import pytest

import weft

pytestmark = pytest.mark.opencl

FIRST, SECOND = "opencl:1", "opencl:2"


def doubled(x, y):
    for i in range(x.shape[0]):
        y[i] = 2 * x[i]
    return y


@pytest.fixture(scope="module", autouse=True)
def parts():
    """Let the first device's parts be devices too."""
    pyopencl = pytest.importorskip("pyopencl")
    from weft.backends.opencl import devices

    whole = devices._devices()
    by_counts = pyopencl.device_partition_property.BY_COUNTS
    try:
        made = whole[0].create_sub_devices([by_counts, 1, 1])
    except pyopencl.Error:
        pytest.skip("the device has no parts")
    before, devices._devices = devices._devices, lambda: [whole[0], *made]
    yield
    devices._devices = before


@pytest.fixture
def first():
    return weft.jit(doubled, device=FIRST)


@pytest.fixture
def second():
    return weft.jit(doubled, device=SECOND)


def test_an_array_goes_from_one_device_to_the_other(first, second):
    x, y = weft.array(np.arange(6.0)), weft.zeros(6)
    first(x, y)
    assert y.where == (FIRST,)
    second(y, x)
    assert x.where == (SECOND,) and set(y.where) == {"host", FIRST, SECOND}
    np.testing.assert_array_equal(x, 4 * np.arange(6.0))


def test_what_one_device_writes_makes_the_other_one_s_copy_stale(first, second):
    x, y = weft.array(np.arange(6.0)), weft.zeros(6)
    first(x, y)
    second(x, y)
    x[0] = 1
    first(x, y)
    assert y.where == (FIRST,)
    second(y, x)
    first(y, x)
    np.testing.assert_array_equal(x, [4, 4, 8, 12, 16, 20])


def test_parts_of_one_array_on_two_devices(first, second):
    x = weft.array(np.ones(6))
    first(x[:3], x[3:])
    second(x[3:], x[:3])
    np.testing.assert_array_equal(x, [4, 4, 4, 2, 2, 2])


def test_a_loan_of_one_device_is_the_truth_for_the_other(first, second):
    from weft.runtime import _stub
    from weft.runtime.devices import accelerators

    x, y = weft.array(np.arange(3.0)), weft.zeros(3)
    lent = _stub.Loan(x._storage, accelerators.table(FIRST), True)
    second(x, y)
    second(y, x)
    assert FIRST in x.where and x[2] == 8
    first(x, y)
    assert y[1] == 8
    del lent


def test_each_device_has_memory_of_its_own(first, second):
    from weft.runtime import _stub
    from weft.runtime.devices import accelerators

    x, y = weft.zeros(50_000), weft.empty(50_000)
    before = _stub.device_memory(accelerators.table(SECOND))[0]
    first(x, y)
    assert _stub.device_memory(accelerators.table(SECOND))[0] == before
    second(y, x)
    assert _stub.device_memory(accelerators.table(SECOND))[0] >= before + 800_000
