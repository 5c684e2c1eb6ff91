"""An integer that may be Python's or NumPy's, and does not fit beside a narrower one: no OverflowError is made up."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import weft
from tests.semantics.tools import same, same_error


def beside(k, u, x, out):
    for i in range(out.shape[0]):
        out[i] = (k[i] if x[i] < 1 else i) * u[i]


def stored(k, u, x, out):
    for i in range(out.shape[0]):
        out[i] = max(abs(i), k[i])


@pytest.mark.parametrize("device", ("interpreter", "cpu"))
@pytest.mark.parametrize("function, out", ((beside, np.float64), (stored, np.uint8)))
@pytest.mark.parametrize("largest", (100, 300))
def test_numpys_numbers_are_computed_with(function: Any, out: type, largest: int, device: str) -> None:
    same(function, np.full(6, largest), np.full(6, 100, np.int8), np.zeros(6), np.zeros(6, out), device=device)


@pytest.mark.parametrize("device", ("interpreter", "cpu"))
def test_pythons_numbers_that_do_not_fit_raise(device: str) -> None:
    same_error(stored, np.full(300, -1), np.ones(300, np.int8), np.ones(300), np.zeros(300, np.uint8), device=device)
    with pytest.raises(weft.TypeInferenceError, match="may be int or np.int64 here, by its value"):
        weft.jit(beside, device=device)(np.full(300, -1), np.ones(300, np.int8), np.ones(300), np.zeros(300))
