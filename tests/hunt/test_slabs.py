"""A slice of the programs of `tests.hunt.slabs`: some seeds that stay, and one that is new in every run."""

from __future__ import annotations

import random

import pytest

from tests.hunt import slabs

FRESH = random.SystemRandom().randrange(1 << 30)


@pytest.mark.sample(1)
@pytest.mark.opencl
@pytest.mark.filterwarnings("ignore::weft.WeftWarning")
@pytest.mark.parametrize("seed", [1, pytest.param(FRESH, id="fresh")])
def test_slabs_leave_what_python_does(seed, tmp_path):
    slabs.run(seed, tmp_path)
