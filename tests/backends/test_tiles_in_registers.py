"""Tiles of a matrix product: gcc keeps their sums in registers, whatever is asked for meanwhile."""

from __future__ import annotations

import re

import numpy as np
import pytest

import weft
from weft.backends.c.toolchain import find, processor_flags


def product(a, b, c):
    for i in range(c.shape[0]):
        for j in range(c.shape[1]):
            s = 0.0
            for k in range(a.shape[1]):
                s += a[i, k] * b[k, j]
            c[i, j] = s


@pytest.mark.sample(1)
@pytest.mark.skipif("avx512f" not in processor_flags(), reason="this processor has other tiles")
@pytest.mark.skipif(find().family != "gcc", reason="written for gcc's assembly")
@pytest.mark.parametrize("dtype", [np.float32, np.float64])
def test_sums_of_a_tile_stay_in_registers(dtype):
    a, b, c = (np.ones((64, 64), dtype) for _ in range(3))
    made = weft.jit(product, device="cpu").inspect(a, b, c)
    assert "__builtin_prefetch((const void *)(fetched" in made.source
    assert "vfmadd231p" in made.assembly
    assert not re.search(r"vfmadd\w+\s+\d*\(%rsp\), %zmm", made.assembly)
