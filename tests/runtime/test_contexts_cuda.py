"""A GPU is left alone until a kernel needs it: over a driver that only pretends."""

import sys
from pathlib import Path
from types import SimpleNamespace
from unittest import mock

import numpy as np
import pytest

sys.path.insert(0, str(Path(__file__).parent))

from fake_cuda import main, pretending

import weft
from weft.backends.cuda import devices
from weft.runtime.devices import accelerators


def double(x, y):
    for i in range(x.shape[0]):
        y[i] = 2 * x[i]


def opened_by(use):
    """The devices that are opened meanwhile."""
    found, real = [], accelerators.open_device

    def open_device(device):
        found.append(device)
        return real(device)

    with mock.patch.object(accelerators, "open_device", open_device):
        use()
    return found


def use_the_processor():
    x, y = weft.array(np.arange(8.0)), weft.zeros(8)
    for device in ("auto", "cpu"):
        run = weft.jit(double, device=device)
        assert str(weft.explain(run, x, y))
        run(x, y)
        run(np.ones(8), np.zeros(8))
    y[1:3] = x[:2] + np.asarray(y)[:2]
    assert repr(y) and y.where == ("host",) and len(weft.devices()) > 1
    weft.synchronize()


@pretending
def test_no_device_is_opened_for_arrays_reports_and_calls_on_the_processor(driver):
    assert opened_by(use_the_processor) == []


@pretending
def test_the_first_kernel_opens_the_device(driver):
    x, y = weft.array(np.arange(8.0)), weft.zeros(8)
    assert set(opened_by(lambda: weft.jit(double, device="cuda")(x, y))) == {"cuda"}


@pytest.mark.sample(0)
@pretending
def test_a_report_about_a_device_opens_none(driver):
    compiled = weft.jit(double, device="cuda")
    arrays = weft.array(np.arange(8.0)), weft.zeros(8)
    assert opened_by(lambda: str(weft.explain(compiled, *arrays))) == []
    assert opened_by(lambda: str(weft.explain(compiled, np.ones(8), np.zeros(8)))) == []


class Driver:
    """Stands for the bindings of the driver: notes what is called."""

    CUresult = SimpleNamespace(CUDA_SUCCESS=0)
    answers = {"cuDeviceGetName": b"a device\0", "cuDeviceGetCount": 2}

    def __init__(self):
        self.calls = []

    def __getattr__(self, name):
        if not name.startswith("cu"):
            return mock.MagicMock()

        def call(*arguments):
            self.calls.append(name)
            return 0, self.answers.get(name, 7)

        return call


def test_devices_are_found_without_a_context():
    driver = Driver()
    with mock.patch.object(devices, "_driver", lambda: driver), mock.patch.object(devices, "_opened", []):
        assert len(devices.discover()) == 2
        assert driver.calls.count("cuDevicePrimaryCtxRetain") == driver.calls.count("cuCtxSetCurrent") == 0
        devices.open_device.__wrapped__(0)
        assert driver.calls.count("cuDevicePrimaryCtxRetain") == 1


if __name__ == "__main__":
    main(globals())
