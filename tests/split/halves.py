"""Two devices for tests that split loops over devices: halves of PoCL's, or what `WEFT_TEST_HALVES` names."""

from __future__ import annotations

import os

import pytest

import weft
from weft.errors import DeviceError

HALVES = tuple(os.environ.get("WEFT_TEST_HALVES", "opencl:0.0,opencl:0.1").split(","))
"""Two GPUs of a machine are ``WEFT_TEST_HALVES=cuda,cuda:1``."""
WHOLE = HALVES[0].partition(":")[0]
"""What results are compared with."""


@pytest.fixture
def two_halves():
    """Skip where the device has no halves."""
    try:
        with weft.device(HALVES[0]):
            pass
    except DeviceError as error:
        pytest.skip(str(error))
