"""The sign of a zero under guards, and where two zeros are equal."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from tests.hunt.operators import compiled
from tests.semantics.tools import every_device, same

FLOATS = ("float16", "float32", "float64", "complex64", "complex128")
OTHERS = ("bool", "int8", "uint16", "int64", "float32")
UPDATES = (
    "b[i] += c[i]",
    "b[i] -= c[i]",
    "b[i] *= c[i]",
    "b[i] = b[i] + 0.0",
    "b[i] = b[i] - 0.0",
    "b[i] = 0.0 - b[i]",
    "b[i] = -b[i]",
    "b[i] = b[i] * 1",
    "b[i] = c[i]",
)


@every_device
@pytest.mark.parametrize("dtype", FLOATS)
@pytest.mark.parametrize("other", OTHERS)
def test_a_guard_changes_no_zero(dtype: str, other: str, device: str) -> None:
    if device == "cuda" and dtype == "float16":
        pytest.skip("looked at on one device")
    loops = "".join(f"    for i in range(b.shape[0]):\n        if c[i] <= 7:\n            {u}\n" for u in UPDATES[:7:3])
    single = "".join(f"    for i in range(b.shape[0]):\n        if d[i]:\n            {u}\n" for u in UPDATES[::3])
    for text in (loops, single):
        function = compiled("def f(b, c, d):\n" + text)
        b = np.tile(np.array([-0.0, 0.0, 1.0, -0.0], dtype), 5)
        c = np.tile(np.array([0, 0, 1, 0, 1], other), 4)
        same(function, b, c, np.arange(20) % 3 != 1, device=device)


@every_device
@pytest.mark.parametrize("update", UPDATES[:1] + UPDATES[-1:])
def test_a_boolean_becomes_no_negative_zero(update: str, device: str) -> None:
    function = compiled(f"def f(b, c):\n    for i in range(b.shape[0]):\n        if b[i] <= 7:\n            {update}\n")
    for dtype in FLOATS[:3]:
        for size in (1, 8, 67):
            same(function, np.full(size, -0.0, dtype), np.zeros(size, bool), device=device)


def chosen(x, y, least, greatest, fleast, fgreatest, clipped):
    for i in range(x.shape[0]):
        least[i] = np.minimum(x[i], y[i])
        greatest[i] = np.maximum(x[i], y[i])
        fleast[i] = np.fmin(x[i], y[i])
        fgreatest[i] = np.fmax(x[i], y[i])
        clipped[i] = np.clip(x[i], y[i], y[i])


@every_device
@pytest.mark.parametrize("dtype", FLOATS)
def test_of_two_zeros_numpys_is_chosen(dtype: str, device: str) -> None:
    values: list[Any] = [0.0, -0.0, np.nan, 1.0]
    x, y = (np.array(column, dtype) for column in zip(*((a, b) for a in values for b in values), strict=True))
    outputs = [np.zeros_like(x) for _ in range(5)]
    for part in (slice(None), slice(0, 3), slice(None, None, 2)):
        same(chosen, x[part], y[part], *(out[part] for out in outputs), device=device)


# ------------------------------------------------------------------------------------------------- as folds


def least(a):
    m = a[0]
    for i in range(a.shape[0]):
        m = min(m, a[i])
    return m


def greatest_by_comparison(a):
    m = a[0]
    for i in range(a.shape[0]):
        if a[i] > m:
            m = a[i]
    return m


def least_of_numpy(a):
    m = a[0]
    for i in range(a.shape[0]):
        m = np.minimum(m, a[i])
    return m


def least_of_numpy_from_the_right(a):
    m = a[0]
    for i in range(a.shape[0]):
        m = np.minimum(a[i], m)
    return m


@every_device
@pytest.mark.parametrize("dtype", FLOATS)
@pytest.mark.parametrize("fold", (least, greatest_by_comparison, least_of_numpy, least_of_numpy_from_the_right))
def test_a_fold_gives_the_zero_and_the_nan_of_the_order(fold: Any, dtype: str, device: str) -> None:
    random = np.random.default_rng(5)
    for size, share in ((1, 0.0), (7, 0.0), (120, 0.0), (120, 0.02)):
        numbers = random.choice([0.0, -0.0, 1.0, np.nan], (2, size), p=[0.4, 0.4, 0.2 - share, share])
        a = numbers[0].astype(dtype)
        if a.dtype.kind == "c":
            a.imag = numbers[1]
        same(fold, a if fold is not greatest_by_comparison else -a, device=device)
