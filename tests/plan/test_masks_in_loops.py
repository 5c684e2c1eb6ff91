"""Masks in loops of the host: how much they pick is known in memory only, and no copy can be bounded by it."""

from __future__ import annotations

import numpy as np
import pytest

from tests.frontend.compare import program_of
from weft.plan.place import place
from weft.plan.transfers.check import check_plan
from weft.transform.pipeline import optimise

from .simulated import DEVICE, Simulated


def picked(c, m, q, n):
    for i in range(1, n):
        c[:] = np.arange(n) <= i
        m[q] = q[:, :][q]


def changed(c, m, q, n):
    for i in range(1, n):
        c[:] = np.arange(n) < i
        m[q] = m[q] | c[0]
        q[i] = c


def given(size, order="C"):
    random = np.random.default_rng(size)
    m, q = (np.asarray(random.random((size, size)) > 0.5, order=order) for _ in range(2))
    return np.zeros(size, bool), m, q, size


@pytest.mark.parametrize("order", ["C", "F"])
@pytest.mark.parametrize("function", [picked, changed])
def test_their_plans_are_right(function, order):
    check_plan(place(optimise(program_of(function, *given(6, order)), blocks=True, rows=True), DEVICE).program)


@pytest.mark.parametrize("size", [0, 1, 5])
@pytest.mark.parametrize("function", [picked, changed])
def test_results_are_pythons(function, size):
    found, expected = given(size), given(size)
    Simulated(function)(*found)
    function(*expected)
    for a, b in zip(found[:3], expected[:3], strict=True):
        np.testing.assert_array_equal(a, b)
