"""Floats that are added by key on devices, with functions in them that may raise: right, or on the host."""

from __future__ import annotations

import math

import numpy as np
import pytest

import weft


def roots(key, w, out):
    for i in range(len(key)):
        out[key[i]] += math.sqrt(w[i]) / math.exp(w[i])


def factorials(key, w, out):
    for i in range(len(key)):
        out[key[i]] += w[i] / math.factorial(i % 5)


def floors(key, w, out):
    for i in range(len(key)):
        out[key[i]] += math.floor(w[i] * 10) * 0.5


@pytest.mark.opencl
@pytest.mark.parametrize("bad", [None, -1.0, math.nan])
@pytest.mark.parametrize("function", [roots, factorials, floors])
def test_values_and_exceptions_are_pythons(function, bad):
    rng = np.random.default_rng(0)
    key, w = rng.integers(0, 50, 1000), rng.random(1000)
    if bad is not None:
        w[700] = bad
    found, expected = np.zeros(50), np.zeros(50)
    errors = []
    for called, out in ((weft.jit(function, device="opencl"), found), (function, expected)):
        try:
            called(key, w, out)
        except ValueError as error:
            errors.append(str(error).partition("\n")[0])
    np.testing.assert_allclose(found, expected, rtol=1e-14)
    assert len(errors) in (0, 2) and len(set(errors)) < 2
