"""Loops over several devices: the bits of one device, or a refusal with the line and the reason."""

from __future__ import annotations

import math

import numpy as np
import pytest

import weft
from tests.split.halves import HALVES, WHOLE, two_halves  # noqa: F401 - a fixture
from weft.errors import ArgumentError, DeviceError, UnsupportedError

MIXED = ("opencl:0.0", "cpu")

pytestmark = [pytest.mark.opencl, pytest.mark.usefixtures("two_halves")]


def stencil(u, v, c):
    for i in range(1, u.shape[0] - 1):
        for j in range(1, u.shape[1] - 1):
            v[i, j] = c * (u[i - 1, j] + u[i + 1, j] + u[i, j - 1] + u[i, j + 1])
    for j in range(v.shape[1]):
        for i in range(v.shape[0]):
            u[i, j] = v[i, j] - u[i, j]
    return v


def column_sums(x, y):
    for j in range(x.shape[1]):
        s = 0.0
        for i in range(x.shape[0]):
            s += x[i, j]
        y[j] = s


def exponentials(x, y):
    for i in range(len(x)):
        y[i] = math.exp(x[i])


@pytest.mark.parametrize("devices", [HALVES, MIXED])
def test_two_loops_have_the_bits_of_one_device_in_every_call(devices):
    start = np.random.default_rng(0).random((61, 43))
    u, v = start.copy(), start.copy()
    weft.jit(stencil, device="cpu")(u, v, 0.3)
    function = weft.jit(stencil, device=devices)
    splits = []
    for _ in range(4):  # shares change with what was measured
        left, right = start.copy(), start.copy()
        assert function(left, right, 0.3) is right
        assert np.array_equal(left, u) and np.array_equal(right, v)
        splits.append(function.split)
    pieces = splits[0]
    assert {piece.device for piece in pieces} == set(devices)
    assert {piece.loop for piece in pieces} == {"i", "j@2"}
    assert [(p.start, p.stop) for p in pieces if p.loop == "i"][0][0] == 1
    assert str(pieces[0]).startswith("i: 1 to ")


def test_sums_on_halves_have_the_bits_of_the_whole_device():
    x = np.random.default_rng(1).random((100, 37))
    whole, halves = np.zeros(37), np.zeros(37)
    weft.jit(column_sums, device=WHOLE)(x, whole)
    weft.jit(column_sums, device=HALVES)(x, halves)
    assert np.array_equal(whole, halves)


@pytest.mark.parametrize(
    ("function", "what"), [(column_sums, "the sum over i"), (exponentials, "exp")], ids=["sum", "exp"]
)
def test_what_devices_round_differently_is_refused_unless_bits_are_given_up(function, what):
    x = np.random.default_rng(1).random((20, 20)) if function is column_sums else np.ones(20)
    with pytest.raises(UnsupportedError, match=f"{what} is rounded differently on devices of different kinds"):
        weft.jit(function, device=MIXED)(x, np.zeros(20))
    y = np.zeros(20)
    weft.jit(function, device=MIXED, fastmath=True)(x, y)
    wanted = x.sum(axis=0) if function is column_sums else np.exp(x)
    assert np.allclose(y, wanted, rtol=1e-12)


@pytest.mark.parametrize("count", [0, 1, 2, 3])
def test_short_loops_leave_devices_idle(count):
    x, y = np.arange(float(count)), np.zeros(count)

    def copied(x, y):
        for i in range(len(x)):
            y[i] = x[i]

    weft.jit(copied, device=HALVES)(x, y)
    assert np.array_equal(x, y)


def test_an_exception_of_a_piece_is_raised():
    def shifted(x, y):
        for i in range(len(y)):
            y[i] = x[i + 1]

    with pytest.raises(IndexError, match="index 10 is out of bounds for axis 0 with size 10"):
        weft.jit(shifted, device=HALVES)(np.zeros(10), np.zeros(10))


def test_the_first_exception_in_the_order_of_iterations_is_raised_when_all_pieces_are_done():
    def shifted(x, y):
        for i in range(len(y)):
            y[i] = x[i + 100 - i // 5]

    y = np.zeros(10)
    function = weft.jit(shifted, device=HALVES)
    for _ in range(2):
        with pytest.raises(IndexError, match="index 100 is out of bounds for axis 0 with size 10"):
            function(np.zeros(10), y)
    function(np.arange(120.0), y)
    assert y.tolist() == [100.0, 101.0, 102.0, 103.0, 104.0, 104.0, 105.0, 106.0, 107.0, 108.0]


def test_a_device_block_runs_the_call_whole():
    x, y = np.ones((5, 5)), np.zeros(5)
    function = weft.jit(column_sums, device=HALVES)
    with weft.device("cpu"):
        function(x, y)
    assert y.tolist() == [5.0] * 5 and function.split == []


def moved(x, y, i):
    y[i] = x[i]


def moves(x, y, z):
    for i in range(len(x)):
        moved(x, y, i)


def test_a_helper_that_changes_makes_another_plan(monkeypatch):
    """What is written decides which arrays must not overlap; it is looked at again."""
    x, function = np.arange(10.0), weft.jit(moves, device=HALVES)
    y = np.zeros(10)
    for _ in range(3):
        function(x, y, x)  # x and z are only read

    def moved_back(x, y, i):
        x[i] = y[i]

    monkeypatch.setitem(globals(), "moved", moved_back)
    with pytest.raises(ArgumentError, match="'x' and 'z' may share memory, and one of them is written"):
        function(x, y, x)
    function(x, np.ones(10), np.zeros(10))
    assert x.tolist() == [1.0] * 10
    with pytest.raises(ArgumentError, match="'x' and 'y' may share memory"):
        function(x, x, np.zeros(10))


def test_arguments_of_other_types_and_layouts_follow_one_another():
    def scaled(x, y, c):
        for i in range(len(x)):
            y[i] = x[i] * c

    function = weft.jit(scaled, device=HALVES)
    wide = np.arange(40.0)
    for x, y, c in [
        (wide, np.zeros(40), 2.0),
        (wide[::2], np.zeros(20), 2.0),
        (wide.astype(np.float32), np.zeros(40), 3),
        (wide[:7], np.zeros(14)[::2], True),
        (wide, np.zeros(40), 2.0),
        (wide, np.zeros(40), np.float64(0.5)),
    ]:
        function(x, y, c=c)
        assert np.array_equal(y, x * c)
    with pytest.raises(ArgumentError, match="'y' has elements that share memory"):
        function(wide, np.lib.stride_tricks.as_strided(np.zeros(1), (40,), (0,)), 1.0)


def running(x, y):
    for i in range(1, len(x)):
        x[i] += x[i - 1]


def scattered(x, y):
    for i in range(len(x)):
        y[int(x[i])] = x[i]


def made(x, y):
    t = np.zeros(len(x))
    for i in range(len(x)):
        t[i] = x[i]
    for i in range(len(x)):
        y[i] = t[i]


def returned(x, y):
    for i in range(len(x)):
        y[i] = x[i]
    return np.empty(len(x))


def read_between(x, y):
    first = y[0]
    for i in range(len(x)):
        y[i] = x[i]
    for i in range(len(x)):
        x[i] = first


def captured(x, y):
    for i in range(len(x)):
        y[i] = TABLE[i]


TABLE = np.arange(5.0)


def straight(x, y):
    y[0] = x[0]


@pytest.mark.parametrize(
    ("function", "cause"),
    [
        (running, "the loop over i cannot be put together: x goes from iteration to iteration"),
        (scattered, "the loop over i is not proven to be parallel"),
        (made, "it makes an array"),
        (returned, "something behind its loops is more than numbers"),
        (read_between, "it reads y, which a loop writes, outside of it"),
        (straight, "it has no loop outside of others"),
        (captured, "it uses the array TABLE, which is no argument of its own"),
    ],
)
def test_what_cannot_be_cut_is_refused_with_the_reason(function, cause):
    x, y = np.arange(5.0), np.zeros(5)
    with pytest.raises(UnsupportedError) as caught:
        weft.jit(function, device=HALVES)(x, y)
    assert f"{function.__name__} cannot be cut into pieces" in str(caught.value) and cause in str(caught.value)
    assert x.tolist() == [0.0, 1.0, 2.0, 3.0, 4.0] and y.tolist() == [0.0] * 5


def test_arrays_that_overlap_are_refused():
    x = np.arange(10.0)
    function = weft.jit(returned_nothing, device=HALVES)
    with pytest.raises(ArgumentError, match="'y' and 'x' may share memory, and one of them is written"):
        function(x, x[1:])
    window = np.lib.stride_tricks.as_strided(np.zeros(10), (5, 5), (8, 8))
    with pytest.raises(ArgumentError, match="'v' has elements that share memory"):
        weft.jit(stencil, device=HALVES)(np.zeros((5, 5)), window, 1.0)


def returned_nothing(x, y):
    for i in range(len(y)):
        y[i] = x[i]


@pytest.mark.parametrize(
    ("devices", "error", "message"),
    [
        (("cpu", "cpu"), ArgumentError, "the device 'cpu' is named twice"),
        (("opencl", "opencl:0"), ArgumentError, "the device 'opencl' is named twice"),
        (("opencl", "opencl:0.1"), ArgumentError, "'opencl' and 'opencl:0.1' are the same hardware"),
        (("cpu", "opencl:9"), DeviceError, "device 'opencl:9' is not present on this machine"),
        (("cpu", "opencl:x"), DeviceError, "'opencl:x' is not the name of a device"),
        (("cpu", "cpu:1"), DeviceError, "there is one device cpu, without a number"),
        (("opencl:0.0", "opencl:00.0"), DeviceError, "'opencl:00.0' is not the name of a device"),
        (("cpu", "opencl:9"), DeviceError, "use one of opencl"),
        (("cpu", "opencl:0.7"), DeviceError, "there is no device 'opencl:0.7'"),
        (("cpu", "gpu"), DeviceError, "there is no device 'gpu'"),
        (("cpu",), ArgumentError, "1 devices are nothing to split over"),
        (("cpu", "auto"), ArgumentError, "'auto' cannot be one of several devices"),
        (("cpu", 3), ArgumentError, "are no devices"),
        (3, ArgumentError, "3 are no devices"),
    ],
)
def test_devices_that_make_no_sense_are_refused(devices, error, message):
    with pytest.raises(error) as caught:
        weft.jit(returned_nothing, device=devices)
    assert message in str(caught.value)
