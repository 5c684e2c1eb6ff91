"""Two halves of PoCL's device, for tests that split loops over devices."""

from __future__ import annotations

import pytest

import weft
from weft.errors import DeviceError

HALVES = ("opencl:0.0", "opencl:0.1")


@pytest.fixture
def two_halves():
    """Skip where the device has no halves."""
    try:
        with weft.device(HALVES[0]):
            pass
    except DeviceError as error:
        pytest.skip(str(error))
