"""A slice of the walks of `tests.hunt.arrays`: some seeds that stay, and one that is new in every run."""

from __future__ import annotations

import random

import pytest

from tests.hunt import arrays

FRESH = random.SystemRandom().randrange(1 << 30)
SEEDS = [0, 1, FRESH]
BOTH = [pytest.mark.opencl, pytest.mark.slow]


@pytest.mark.sample(0)
@pytest.mark.filterwarnings("ignore::weft.WeftWarning")
@pytest.mark.parametrize("devices", [("cpu",), pytest.param(("cpu", "opencl"), marks=BOTH)], ids="+".join)
def test_walks_end_where_numpy_does(devices, on_four_threads):
    functions = arrays.compiled(devices)
    for seed in SEEDS:
        arrays.walk(seed, functions, steps=25, dtypes=1)


def test_a_lost_update_is_found():
    """The walk itself: a twin that is not what the array is."""
    one = arrays.Walk(3, arrays.compiled(("cpu",)), 1)
    one.make()
    one.roots.append(arrays.Pair(one.roots[0].ours, one.roots[0].twin + 1, "other"))
    with pytest.raises(arrays.Difference, match="seed 3: other is"):
        one.check()
