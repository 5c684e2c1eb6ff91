"""Hints of a schedule reach the driver: windows of the second-level cache, and parts of the fast memory."""

import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parent))

from fake_cuda import main, pretending


def smoothed(u, w, v):
    for i in range(1, u.shape[0] - 1):
        for j in range(1, u.shape[1] - 1):
            v[i, j] = w[0] * (u[i - 1, j] + u[i + 1, j]) + w[1] * u[i, j]


def _arrays():
    import numpy as np

    return np.ones((40, 50)), np.ones(2), np.ones((40, 50))


@pytest.mark.sample(0)
@pretending
def test_one_array_of_a_launch_is_kept_in_the_second_level_cache(driver):
    import weft
    from weft.schedule import Cache

    weft.jit(smoothed, device="cuda")(*_arrays())
    assert "window" not in driver.calls()
    function = weft.jit(smoothed, device="cuda", schedule=(Cache("u", "L2"),))
    function(*_arrays())
    function(*_arrays())
    calls = driver.calls()
    assert calls.count("window") == 2 and calls.count("limit") == 1


@pytest.mark.sample(0)
@pretending
def test_a_kernel_says_how_much_memory_is_shared_when_it_is_loaded(driver):
    import weft
    from weft.runtime.devices import accelerators
    from weft.schedule import Carve

    said = []
    accelerators.open_device("cuda").prefer_shared = lambda kernel, percent: said.append(percent)
    weft.jit(smoothed, device="cuda")(*_arrays())
    assert said == []
    weft.jit(smoothed, device="cuda", schedule=(Carve(25),))(*_arrays())
    assert said == [25]


if __name__ == "__main__":
    main(globals())
