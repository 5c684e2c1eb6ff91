"""Arrays that iterations make and that no thread or block has room for: parts of one array of the device."""

from __future__ import annotations

import warnings

import numpy as np
import pytest

import weft
from tests.frontend.compare import program_of
from tests.plan.simulated import DEVICE
from weft.ir.check.verifier import verify
from weft.plan import scratch
from weft.plan.place import place
from weft.schedule import Bind
from weft.transform.pipeline import optimise

try:
    import pyopencl

    HERE = bool(pyopencl.get_platforms())
except Exception:
    HERE = False


def smoothed(a, out):
    size = a.shape[1]
    for i in range(a.shape[0]):
        row = np.empty(size)
        for j in range(size):
            row[j] = 2.0 * a[i, j]
        for j in range(1, size - 1):
            out[i, j] = row[j - 1] + row[j + 1]


def swept(a, out):
    size = a.shape[1]
    for i in range(a.shape[0]):
        row = np.zeros(size)
        for j in range(1, size):
            row[j] = 0.5 * row[j - 1] + a[i, j]
        total = 0.0
        for j in range(size - 2, -1, -1):
            row[j] = 0.5 * row[j + 1] + row[j]
            total = total * 0.9 + row[j]
        out[i, 0] = total


def of_planes(a, out):
    size = out.shape[1]
    for i in range(3, a.shape[0]):
        for k in range(1, 4):
            plane = np.full((size, 2), 0.25)
            for j in range(1, size):
                plane[j, k % 2] += plane[j - 1, k % 2] * a[i, j]
            out[i, k] = plane[size - 1, k % 2]


def added(a, out):
    size = a.shape[1]
    total = 0
    for i in range(a.shape[0]):
        counts = np.zeros(size, np.int64)
        for j in range(1, size):
            counts[j] = counts[j - 1] + (a[i, j] > 0.5)
        total += counts[size - 1]
    return total


def of_two(a, out):
    size = a.shape[1]
    for i in range(a.shape[0]):
        first, second = np.empty(size), np.zeros(size)
        first[0] = a[i, 0]
        for j in range(1, size):
            first[j] = first[j - 1] * a[i, j]
            second[j] = second[j - 1] + first[j]
        out[i, 1] = second[size - 1]


def of_a_part(a, out):
    for i in range(a.shape[0]):
        row = np.zeros(a.shape[1])
        part = row[1:]
        for j in range(1, part.shape[0]):
            part[j] = part[j - 1] + a[i, j]
        out[i, 0] = row[3]
        out[i, 1] = part[::-1][2]


def of_halves(a, out):
    size = a.shape[1]
    for i in range(a.shape[0]):
        for k in range(3):
            row = np.empty(size >> k)
            for j in range(size >> k):
                row[j] = a[i, j] + k
            for j in range(1, size >> k):
                row[j] = row[j - 1] * 0.5 + row[j]
            total = 0.0
            for j in range(size >> k):
                total = 0.5 * total + row[j]
            out[i, k] = total


def negative(a, size):
    for i in range(a.shape[0]):
        row = np.zeros(size)
        for j in range(1, size):
            row[j] = row[j - 1] + a[i]
        a[i] = row[0] + 1.0


ALL = (smoothed, swept, of_planes, added, of_two, of_a_part, of_halves)


@pytest.mark.parametrize("function", ALL)
def test_the_nest_is_a_kernel(function):
    program = optimise(program_of(function, np.zeros((5, 6)), np.zeros((5, 6))))
    placement = place(program, DEVICE)
    kernels = [p for p in placement.nests if p.kernel]
    assert any("scratch memory" in p.scratch for p in kernels)
    assert not placement.sequential()


@pytest.mark.sample(1)
@pytest.mark.opencl
@pytest.mark.skipif(not HERE, reason="there is no OpenCL")
@pytest.mark.parametrize("limit", [scratch.LIMIT, 200])
@pytest.mark.parametrize("function", ALL)
def test_the_answer_is_that_of_python(function, limit, monkeypatch):
    monkeypatch.setattr(scratch, "LIMIT", limit)
    a = np.random.default_rng(1).random((13, 17))
    out = np.zeros((13, 17))
    expected = out.copy()
    value = function(a, expected)
    with warnings.catch_warnings():
        warnings.simplefilter("error", weft.WeftWarning)
        got = weft.jit(function, device="opencl")(a, out)
    np.testing.assert_allclose(out, expected, rtol=1e-12)
    assert got == value


@pytest.mark.opencl
@pytest.mark.skipif(not HERE, reason="there is no OpenCL")
def test_a_negative_size_raises_as_it_does_in_python():
    compiled = weft.jit(negative, device="opencl")
    a = np.ones(4)
    compiled(a, 3)
    np.testing.assert_array_equal(a, np.ones(4))
    with pytest.raises(ValueError, match="negative"):
        compiled(a, -1)
    np.testing.assert_array_equal(a, np.ones(4))
    compiled(np.ones(0), -1)


@pytest.mark.parametrize("points", [2, 4])
def test_loops_that_fill_arrays_are_told_apart_in_every_copy(points):
    def filled(a, out):
        for i in range(a.shape[0]):
            one, two, three = np.zeros(a.shape[1]), np.ones(a.shape[1]), np.full(a.shape[1], 2.0)
            for j in range(1, a.shape[1]):
                one[j] = one[j - 1] + a[i, j]
                two[j] = two[j - 1] * one[j]
                three[j] = three[j - 1] - two[j]
            out[i, 0] = one[-1] + two[-1] + three[-1]

    program = optimise(program_of(filled, np.zeros((5, 6)), np.zeros((5, 6))))
    placement = place(program, DEVICE, schedule=(Bind("i", "x", 32, points),))
    assert any("scratch memory" in p.scratch for p in placement.nests)
    verify(placement.program)


def test_few_elements_stay_with_the_thread():
    def small(a, out):
        for i in range(a.shape[0]):
            row = np.zeros(4)
            for j in range(1, 4):
                row[j] = row[j - 1] + a[i, j]
            out[i, 0] = row[3]

    program = optimise(program_of(small, np.zeros((5, 6)), np.zeros((5, 6))))
    placement = place(program, "cuda")
    assert [p.scratch for p in placement.nests] == [""]
