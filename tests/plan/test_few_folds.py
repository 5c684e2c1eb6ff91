"""Folds over several loops in few iterations: kernels of their own, with the bits that they have in slabs."""

from __future__ import annotations

import numpy as np
import pytest

import weft
from tests.frontend.compare import program_of
from weft.ir.check.verifier import verify
from weft.ir.reference.interpreter import trace
from weft.ir.reference.simulated import SimulatedDevice
from weft.plan.place import place
from weft.plan.transfers.check import check_plan
from weft.schedule.directives import Bind
from weft.transform.pipeline import optimise

from .simulated import DEVICE
from .test_slabs import array, copies


def weights(x, dy, dw):
    for a in range(dw.shape[0]):
        for b in range(dw.shape[1]):
            total = 0.0
            for i in range(dy.shape[0]):
                for j in range(dy.shape[1]):
                    total += dy[i, j] * x[i + a, j + b]
            dw[a, b] = total


def normalised(x, y):
    n, c, s = x.shape
    for k in range(c):
        mean = 0.0
        square = 1.0
        for i in range(n):
            for j in range(s):
                mean += x[i, k, j]
                square += x[i, k, j] * x[i, k, j]
        mean /= np.float64(n * s)
        scale = 1.0 / np.sqrt(square)
        for i in range(n):
            for j in range(s):
                y[i, k, j] = (x[i, k, j] - mean) * scale


def twice(x, y):
    """Two folds, the second of which needs the first, and stores into what both read."""
    for k in range(1, x.shape[0]):
        top = x[k, 0, 0]
        for i in range(x.shape[1]):
            for j in range(1, x.shape[2]):
                top = max(top, x[k, i, j])
        count = 0
        for i in range(x.shape[1]):
            for j in range(x.shape[2]):
                if x[k, i, j] + 1.0 > top:
                    count += 1
        x[k, 0, 0] = count
        y[k] = top


def of_three_loops(x, w, y):
    for k in range(y.shape[0]):
        scale = w[k] * 2.0
        low = 5.0
        for a in range(2, x.shape[0]):
            for b in range(x.shape[1]):
                for c in range(x.shape[2]):
                    low = min(low, x[a, b, c] * scale)
        y[k] = low


def of_rows_that_differ(x, y):
    for k in range(y.shape[0]):
        total = 0.0
        for i in range(x.shape[0]):
            for j in range(i):
                total += x[i, j] * (k + 1)
        y[k] = total


def from_zero(x, y):
    for k in range(y.shape[0]):
        y[k] = 0.0
        for i in range(x.shape[1]):
            for j in range(x.shape[2]):
                y[k] += x[k, i, j]


def of_what_is_stored(x, y):
    for k in range(x.shape[0]):
        x[k, 0, 0] = 7.0
        total = 0.0
        for i in range(x.shape[1]):
            for j in range(x.shape[2]):
                total += x[k, i, j]
        y[k] = total


CASES = {
    from_zero: lambda: [array(3, 40, 27), np.ones(3)],
    weights: lambda: [array(42, 30), array(40, 29), np.zeros((3, 2))],
    normalised: lambda: [array(37, 3, 41), np.zeros((37, 3, 41))],
    twice: lambda: [array(3, 40, 26), np.zeros(3)],
    of_three_loops: lambda: [array(9, 11, 37), array(3), np.zeros(3)],
    of_rows_that_differ: lambda: [array(80, 80), np.zeros(5)],
}


def placed(function, arguments, **options):
    return place(optimise(program_of(function, *arguments)), DEVICE, **options)


@pytest.mark.sample(1)
@pytest.mark.parametrize("function", CASES)
def test_long_folds_of_few_are_kernels_in_memory_and_in_slabs_with_the_same_bits(function):
    arguments = CASES[function]()
    expected, got = copies(arguments), copies(arguments)
    made, cut = placed(function, arguments), placed(function, arguments, slabs=True)
    assert any(".folds" in nest.label for nest in made.nests if nest.kernel)
    for placement in (made, cut):
        verify(placement.program)
        check_plan(placement.program)
    function(*expected)
    assert trace(made.program, got).error is None
    for one, other in zip(expected, got, strict=True):
        np.testing.assert_allclose(one, other, rtol=1e-12, atol=1e-15)
    for memory in (60_000, None):
        given = copies(arguments)
        in_slabs = trace(cut.program, given, {DEVICE: SimulatedDevice(memory=memory)})
        assert in_slabs.error is None, in_slabs.error
        assert all(np.array_equal(a, b) for a, b in zip(given, got, strict=True))


@pytest.mark.parametrize("shape", [(0, 3, 4), (5, 0, 4), (5, 3, 0), (1, 1, 1), (70, 1, 16), (64, 2, 17)])
def test_sizes_around_those_of_long_folds(shape):
    x = np.random.default_rng(1).random(shape)
    expected, got = np.zeros(shape), np.zeros(shape)
    program = placed(normalised, [array(2, 2, 2), array(2, 2, 2)]).program
    with np.errstate(all="ignore"):
        normalised(x, expected)
        assert trace(program, [x, got]).error is None
    np.testing.assert_allclose(expected, got, rtol=1e-12, atol=1e-14)


def test_a_fold_of_what_is_stored_before_it_stays():
    arguments = [array(3, 40, 27), np.zeros(3)]
    made = placed(of_what_is_stored, arguments)
    assert not any(".folds" in nest.label for nest in made.nests)
    expected = copies(arguments)
    of_what_is_stored(*expected)
    assert trace(made.program, arguments).error is None
    np.testing.assert_allclose(arguments[1], expected[1], rtol=1e-12)


def test_a_schedule_of_the_user_keeps_the_nest_whole():
    made = placed(normalised, CASES[normalised](), schedule=(Bind("k", "x", 32),))
    assert [nest.label for nest in made.nests if nest.kernel] == ["k"]


@pytest.mark.opencl
@pytest.mark.parametrize("function", CASES)
def test_on_a_device_they_give_what_python_gives(function):
    for dtype in (np.float32, np.float64):
        arguments = [a.astype(dtype) for a in CASES[function]()]
        expected, got = copies(arguments), copies(arguments)
        function(*[np.asarray(a, np.float64) for a in copies(arguments)])
        function(*expected)
        weft.jit(function, device="opencl")(*got)
        for one, other in zip(expected, got, strict=True):
            np.testing.assert_allclose(one, other, rtol=1e-4, atol=1e-5)
