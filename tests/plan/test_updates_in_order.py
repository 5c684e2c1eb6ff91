"""Updates of elements that belong to one iteration of a nest are done by its thread, in order."""

from __future__ import annotations

import numpy as np
import pytest

import weft
from tests.frontend.compare import program_of
from tests.plan.simulated import DEVICE, Simulated
from weft.plan.place import place
from weft.transform.pipeline import optimise


def pulls(x, a):
    for i in range(x.shape[0]):
        for c in range(x.shape[1]):
            a[i, c] = 0.0
        for j in range(x.shape[0]):
            far = 0.5
            for c in range(x.shape[1]):
                far += (x[j, c] - x[i, c]) ** 2
            for c in range(x.shape[1]):
                a[i, c] += (x[j, c] - x[i, c]) / far


def with_rows(x, a):
    for i in range(x.shape[0]):
        for j in range(x.shape[0]):
            d = x[i] - x[j]
            for c in range(x.shape[1]):
                a[i, c] += 0.1 * d[c]


def least(x, a):
    for i in range(x.shape[0]):
        for j in range(x.shape[0]):
            for c in range(x.shape[1]):
                a[i, c] = min(a[i, c], x[j, c] * x[i, 0])


def products_and_counts(x, a):
    seen = 0
    for i in range(x.shape[0]):
        for j in range(x.shape[0]):
            if x[j, 0] > 0.3:
                seen += 1
                for c in range(x.shape[1]):
                    a[i, c] *= 1.0 - 0.1 * x[j, c]
    return seen


def from_the_end(x, a):
    for i in range(x.shape[0]):
        for j in range(x.shape[0]):
            a[-1 - i, j % 2] -= x[i, 0] * x[j, 1]


OWN = [pulls, with_rows, least, products_and_counts, from_the_end]


def by_key(x, a):
    for i in range(x.shape[0]):
        for c in range(x.shape[1]):
            a[int(4 * x[i, c]), c] += x[i, c]


def both(x, a):
    for i in range(x.shape[0]):
        for j in range(x.shape[0]):
            a[i, 0] += x[j, 0]
            a[j, 1] += x[i, 1]


@pytest.mark.parametrize("size", [0, 1, 2, 13])
@pytest.mark.parametrize("function", [*OWN, by_key, both], ids=lambda function: function.__name__)
def test_results_are_pythons(function, size):
    x, start = np.random.default_rng(2).random((size, 3)), np.ones((max(size, 4), 3))
    simulated = Simulated(function)
    found, expected = start.copy(), start.copy()
    assert simulated(x, found) == function(x, expected)
    np.testing.assert_allclose(found, expected, rtol=1e-13)


@pytest.mark.parametrize("function", OWN, ids=lambda function: function.__name__)
def test_outermost_loop_is_a_kernel(function):
    arguments = np.ones((13, 3)), np.ones((13, 3))
    made = place(optimise(program_of(function, *arguments)), DEVICE)
    assert all(nest.kernel for nest in made.nests if nest.label == "i")


@pytest.mark.parametrize("function", [by_key, both], ids=lambda function: function.__name__)
def test_iterations_that_meet_stay_on_the_host(function):
    arguments = np.ones((13, 3)), np.ones((13, 3))
    made = place(optimise(program_of(function, *arguments)), DEVICE)
    assert not any(nest.kernel for nest in made.nests if nest.label == "i")


@pytest.mark.gpu
@pytest.mark.parametrize("size", [1, 300])
@pytest.mark.parametrize("function", OWN, ids=lambda function: function.__name__)
def test_on_a_gpu(function, size):
    x, start = np.random.default_rng(2).random((size, 3)), np.ones((max(size, 4), 3))
    found, expected = start.copy(), start.copy()
    assert weft.jit(function, device="cuda")(x, found) == function(x, expected)
    np.testing.assert_allclose(found, expected, rtol=1e-12)


@pytest.mark.opencl
@pytest.mark.parametrize("function", OWN, ids=lambda function: function.__name__)
def test_on_opencl(function):
    x, start = np.random.default_rng(2).random((40, 3)), np.ones((40, 3))
    found, expected = start.copy(), start.copy()
    assert weft.jit(function, device="opencl")(x, found) == function(x, expected)
    np.testing.assert_allclose(found, expected, rtol=1e-12)
