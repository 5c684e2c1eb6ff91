"""Bounds of what a nest touches are computed before it, also where it has no iteration and a divisor is zero."""

from __future__ import annotations

import re

import numpy as np
import pytest

import weft
from tests.frontend.compare import program_of
from weft.backends.host import driver
from weft.plan.place import place
from weft.transform.pipeline import optimise

from .simulated import DEVICE


def by_remainder(u, v, n):
    for i in range(1, n, 3):
        u[i, ((i % u.shape[1]) // max(i, 1)) % u.shape[1]] = u[i, i] + u[i - 1, (i * 2) % u.shape[1]]
    return v


def by_quotient(u, v, n):
    for i in range(n):
        v[i // u.shape[1]] = u[i // u.shape[1], i % u.shape[1]]
    return v


def given(rows, columns):
    return np.zeros((rows, columns), np.int8), np.zeros(rows + 1, np.int8)


@pytest.mark.parametrize("function", [by_remainder])
def test_the_host_divides_by_no_size(function):
    found = place(optimise(program_of(function, *given(7, 7), 7), blocks=True, rows=True), DEVICE)
    source = driver.generate(found.program).source
    assert "bound" in source
    assert not re.findall(r"bound_\d+ = .* / [a-z]\w*", source)


@pytest.mark.opencl
@pytest.mark.parametrize("device", ["cpu", "opencl"])
@pytest.mark.parametrize("function", [by_remainder, by_quotient])
def test_arrays_without_columns(function, device):
    compiled = weft.jit(function, device=device)
    for shape, n in (((1, 0), 0), ((3, 4), 3), ((0, 0), 0), ((5, 5), 5)):
        one, other = given(*shape), given(*shape)
        np.testing.assert_array_equal(compiled(*one, n), function(*other, n))
        np.testing.assert_array_equal(one[0], other[0])
