"""The rows of the GPU benchmarks are right at odd sizes, on unaligned and strided views, and in float64."""

import pytest

from benchmarks.gpu_cases import CASES, FORMS
from benchmarks.gpu_kernels import Device, check

pytestmark = pytest.mark.gpu

ROWS = {case.name: case for row in CASES for case in (row, *filter(None, map(row.in_form, FORMS)))}


@pytest.mark.parametrize("name", ROWS)
def test_row_is_right(name):
    assert check(Device(), ROWS[name]) == ""
