"""Kernels in OpenCL C: kept as text."""

from pathlib import Path

import pytest

from tests.backends.kernels import GOLDEN, placement_of
from weft.backends.opencl.dialect import generate_kernels

FOLDER = Path(__file__).parents[1] / "golden" / "opencl"


@pytest.mark.parametrize("name", GOLDEN)
def test_kernels_are_as_expected(name, golden):
    golden(FOLDER / f"{name}.cl", generate_kernels(placement_of(name, "opencl").program))
