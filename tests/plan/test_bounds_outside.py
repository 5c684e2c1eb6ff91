"""Bounds of inner loops that are computed inside of outer ones: both run over the grid."""

import numpy as np
import pytest

import weft
from tests.frontend.compare import program_of
from weft.ir.check.verifier import verify
from weft.ir.reference.interpreter import trace
from weft.plan.place import place
from weft.schedule.directives import Bind
from weft.transform.pipeline import optimise

from .simulated import DEVICE


def windows(x, w, y):
    r = w.shape[0] // 2
    for i in range(r, x.shape[0] - r):
        for j in range(r, x.shape[1] - r):
            total = 0.0
            for a in range(-r, r + 1):
                total += w[a + r] * x[i + a, j]
            y[i, j] = total


def of_three(x, k, y):
    for i in range(k, x.shape[0]):
        for j in range(k, x.shape[1] - k):
            for m in range(x.shape[2] - 2 * k):
                y[i, j, m] = x[i - k, j + k, m + k]


CASES = {
    windows: lambda size: (np.random.default_rng(1).random((size, 9)), np.ones(3), np.zeros((size, 9))),
    of_three: lambda size: (np.random.default_rng(1).random((size, 9, 8)), 2, np.zeros((size, 9, 8))),
}


@pytest.mark.parametrize("function", CASES)
@pytest.mark.parametrize("size", [0, 1, 2, 3, 7])
def test_the_same_elements_are_written(function, size):
    expected, got = CASES[function](size), CASES[function](size)
    made = place(optimise(program_of(function, *CASES[function](8))), DEVICE)
    verify(made.program)
    nest = next(nest for nest in made.nests if nest.kernel)
    assert len([d for d in nest.schedule if isinstance(d, Bind)]) == (2 if function is windows else 3)
    function(*expected)
    assert trace(made.program, list(got)).error is None
    np.testing.assert_allclose(got[-1], expected[-1], rtol=1e-15)


@pytest.mark.opencl
def test_bounds_far_below_zero_are_no_iterations():
    x, y = np.ones((4, 9, 8)), np.zeros((4, 9, 8))
    weft.jit(of_three, device="opencl")(x, 2**62, y)
    assert not y.any()
