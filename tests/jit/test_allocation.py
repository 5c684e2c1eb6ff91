"""Arrays that cannot be allocated raise what NumPy raises."""

from __future__ import annotations

import numpy as np
import pytest

import weft

DEVICES = ("cpu", "interpreter")


@pytest.mark.parametrize("device", DEVICES)
@pytest.mark.parametrize("function", [lambda n: np.empty((n, n)), lambda n: np.zeros((n, 8))[0, 0]])
def test_more_bytes_than_an_address_can_count(function, device):
    with pytest.raises(ValueError, match="array is too big"):
        weft.jit(function, device=device)(2**61)


@pytest.mark.parametrize("device", DEVICES)
def test_more_bytes_than_there_are(device):
    with pytest.raises(MemoryError):
        weft.jit(lambda n: np.zeros(n), device=device)(10**15)


def test_in_a_loop():
    @weft.jit
    def rows(n, out):
        for i in range(len(out)):
            t = np.empty((n, n))
            t[0, 0] = i
            out[i] = t[0, 0]

    with pytest.raises(ValueError, match="array is too big"):
        rows(2**40, np.zeros(4))
