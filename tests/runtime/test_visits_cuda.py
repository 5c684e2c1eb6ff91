"""Arrays of other libraries on a device, on which the host works: copied for the call, over a driver that pretends."""

import sys
from pathlib import Path

import numpy as np
import pytest

sys.path.insert(0, str(Path(__file__).parent))

from fake_cuda import main, pretending

import weft


class OnDevice:
    """An array of another library; the memory of this device is the host's."""

    def __init__(self, array, readonly=False):
        self.array, self.shape, self.strides = array, array.shape, array.strides
        self.__cuda_array_interface__ = {
            "shape": array.shape, "typestr": array.dtype.str, "strides": array.strides, "version": 3,
            "data": (array.__array_interface__["data"][0], readonly),
        }  # fmt: skip


def running(x):
    for i in range(1, x.shape[0]):
        x[i] = x[i] + x[i - 1] * x[i - 1]
    return x


def pinned(x, y):
    with weft.device("cpu"):
        for i in range(x.shape[0]):
            y[i] = 2.0 * x[i]
    return y


def shifted(x, y):
    for i in range(1, x.shape[0]):
        y[i] = x[i - 1] + x[i] * y[i - 1]
    return None


def stumbling(x):
    for i in range(1, x.shape[0]):
        x[i] = x[i - 1] * x[i - 1] + 1.0
        if i == 3:
            raise ValueError("three")


def beginning(x):
    for i in range(1, x.shape[0]):
        x[i] = x[i] + x[i - 1] * x[i - 1]
    return x[:2]


def both(x, y):
    for i in range(1, x.shape[0]):
        x[i] = x[i] + x[i - 1] * x[i - 1]
    return y, (x, 3)


def copies(driver):
    return [call.split()[0] for call in driver.calls() if call.split()[0] in ("in", "out", "settle")]


@pretending
def test_what_the_host_does_is_done_to_the_array(driver):
    x = OnDevice(np.linspace(0.0, 1.0, 9))
    expected = running(x.array.copy())
    run = weft.jit(running, device="cuda")
    assert run(x) is x
    assert (x.array == expected).all()
    assert copies(driver) == ["settle", "out", "in"]
    assert run(x) is x and (x.array == running(expected)).all()


@pretending
def test_a_block_that_is_pinned_to_the_processor_gets_copies(driver):
    x, y = OnDevice(np.arange(6.0), readonly=True), OnDevice(np.zeros(6))
    assert weft.jit(pinned, device="cuda")(x, y) is y
    assert (y.array == 2 * np.arange(6.0)).all()
    assert copies(driver).count("in") == 1  # only what was written goes back


@pretending
def test_arrays_that_share_memory_share_it_on_the_host(driver):
    memory = np.linspace(0.0, 1.0, 12)
    expected = memory.copy()
    shifted(expected[:-1], expected[1:])
    weft.jit(shifted, device="cuda")(OnDevice(memory[:-1]), OnDevice(memory[1:]))
    assert (memory == expected).all()


@pretending
def test_no_byte_between_elements_is_written(driver):
    memory = np.linspace(0.0, 1.0, 24).reshape(6, 4)
    expected = memory.copy()
    running(expected[:, 1])
    weft.jit(running, device="cuda")(OnDevice(memory[:, 1]))
    assert (memory == expected).all()
    assert copies(driver).count("in") == 6
    backwards = expected[::-1, 2]
    running(backwards)
    weft.jit(running, device="cuda")(OnDevice(memory[::-1, 2]))
    assert (memory == expected).all()


@pretending
def test_an_exception_leaves_what_was_written(driver):
    x = OnDevice(np.zeros(6))
    with pytest.raises(ValueError, match="three"):
        weft.jit(stumbling, device="cuda")(x)
    assert list(x.array) == [0, 1, 2, 5, 0, 0]


@pretending
def test_arrays_are_found_in_results(driver):
    x, y = OnDevice(np.linspace(0.0, 1.0, 9)), OnDevice(np.zeros(3))
    first, (second, number) = weft.jit(both, device="cuda")(x, y)
    assert first is y and second is x and number == 3


@pretending
def test_a_part_of_such_an_array_is_not_returned(driver):
    with pytest.raises(weft.UnsupportedError, match="a part of an array"):
        weft.jit(beginning, device="cuda")(OnDevice(np.linspace(0.0, 1.0, 9)))


@pretending
def test_explain_says_what_is_copied(driver):
    x = OnDevice(np.linspace(0.0, 1.0, 9))
    said = " ".join(str(weft.explain(weft.jit(running, device="cuda"), x)).split())
    assert "the arrays of other libraries, 72 bytes, are copied to the host before every call" in said
    assert "'x' is in the memory of 'cuda', and this runs on the host" in said


@pretending
def test_a_copy_that_fails_is_said(driver):
    x = OnDevice(np.linspace(0.0, 1.0, 9))
    run = weft.jit(running, device="cuda")
    run(x)
    driver.fail("out", 700)
    with pytest.raises(weft.DeviceError, match="error 700"):
        run(x)


if __name__ == "__main__":
    main(globals())
